#!/usr/bin/env bash
# The action's first step, which no token is given to: installs what memsuggest needs, each file by its hash, into a
# folder of the job. memsuggest itself is not built; it runs from where the action was fetched to.
# Python is isolated (-I) here and later: nothing that lies in the checkout is taken for a module.
set -euo pipefail

place="${RUNNER_TEMP:?}/memsuggest"
"$(command -v python3 || command -v python)" -I -m venv "$place"
programs="$place/bin"
[ -d "$programs" ] || programs="$place/Scripts"
"$programs/python" -I -m pip install --quiet --disable-pip-version-check \
    --require-hashes --only-binary :all: --no-deps --requirement "${SOURCE:?}/.github/requirements.txt"
"$programs/python" -I -c '
import os, pathlib, sysconfig
pathlib.Path(sysconfig.get_path("purelib"), "memsuggest.pth").write_text(os.environ["SOURCE"] + "\n", encoding="utf-8")
'
