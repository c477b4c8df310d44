#!/usr/bin/env bash
# The action's second step: posts pending suggestions on the pull request.
# If the token cannot write (a fork's pull request started the workflow), the text goes to the job summary.
set -euo pipefail

place="${RUNNER_TEMP:?}/memsuggest"
programs="$place/bin"
[ -d "$programs" ] || programs="$place/Scripts"
memsuggest() { "$programs/python" -I -m memsuggest "$@"; }

if [ -n "${HEAD:-}" ]; then
    which=(--head "$HEAD")
else
    which=(--pr "${NUMBER:?set the input pull-request or head}")
fi
if ! memsuggest comment "${which[@]}" --post; then
    rm -f "$place/comment.md"
    memsuggest comment "${which[@]}" --format markdown --output "$place/comment.md"
    cat "$place/comment.md" >>"${GITHUB_STEP_SUMMARY:?}"
    echo "The pending suggestions are in the job summary."
fi
