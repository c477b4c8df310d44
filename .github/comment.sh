#!/usr/bin/env bash
# The action's second step: tells the pull request what waits for it.
# Where the token may not write (the pull request of a fork started the workflow), the job's summary gets the text.
set -euo pipefail

place="${RUNNER_TEMP:?}/memsuggest"
programs="$place/bin"
[ -d "$programs" ] || programs="$place/Scripts"
memsuggest() { "$programs/python" -I -m memsuggest "$@"; }

if [ -n "${HEAD:-}" ]; then
    which=(--head "$HEAD")
else
    which=(--pr "${NUMBER:?name the pull request with the input pull-request or head}")
fi
if ! memsuggest comment "${which[@]}" --post; then
    rm -f "$place/comment.md"
    memsuggest comment "${which[@]}" --format markdown --output "$place/comment.md"
    cat "$place/comment.md" >>"${GITHUB_STEP_SUMMARY:?}"
    echo "what waits stands in the job's summary"
fi
