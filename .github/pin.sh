#!/usr/bin/env bash
# Writes .github/requirements.txt anew from pyproject.toml: what the action installs, each file by its hash, for every
# supported Python on every system. `pin.sh` keeps the versions that still fit; `pin.sh --upgrade` takes the newest;
# `pin.sh --check` only says whether they fit. Needs uv.
set -euo pipefail
cd "$(dirname "$0")/.."

pins=.github/requirements.txt
made=$(mktemp)
trap 'rm -f "$made"' EXIT
[ "${1:-}" = --upgrade ] || cp "$pins" "$made"
uv pip compile --quiet --no-config --universal --python-version 3.11 --generate-hashes \
    --no-annotate --custom-compile-command "bash .github/pin.sh" \
    ${1:+$([ "$1" = --upgrade ] && printf -- --upgrade)} --output-file "$made" pyproject.toml
if [ "${1:-}" = --check ]; then
    diff -u "$pins" "$made" || { echo "the pins no longer match pyproject.toml: run bash .github/pin.sh"; exit 1; }
else
    cp "$made" "$pins"
fi
