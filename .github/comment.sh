#!/usr/bin/env bash
# What action.yml runs: installs memsuggest into a folder of the job, and comments on the pull request.
# Where the token may not write (the pull request of a fork started the workflow), the job's summary gets the text.
set -euo pipefail

place="${RUNNER_TEMP:?}/memsuggest"
"$(command -v python3 || command -v python)" -m venv "$place"
programs="$place/bin"
[ -d "$programs" ] || programs="$place/Scripts"
"$programs/python" -m pip install --quiet --disable-pip-version-check "${SOURCE:?}"

if [ -n "${HEAD:-}" ]; then
    which=(--head "$HEAD")
else
    which=(--pr "${NUMBER:?name the pull request with the input pull-request or head}")
fi
if ! "$programs/memsuggest" comment "${which[@]}" --post; then
    "$programs/memsuggest" comment "${which[@]}" --format markdown --output "$place/comment.md"
    cat "$place/comment.md" >>"${GITHUB_STEP_SUMMARY:?}"
    echo "the comment stands in the job's summary"
fi
