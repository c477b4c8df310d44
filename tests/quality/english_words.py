"""Write the table of ordinary English words that typing errors are told by. Run by hand:

    python tests/quality/english_words.py WORDS

WORDS is a list from SCOWL (http://wordlist.aspell.net), one word a line: `american-english-small` as distributions
ship it. Words that the table's reader finds by their ending are left out, and words of the trade are added; the same
list gives the same bytes.
"""

from __future__ import annotations

import re
import sys
import textwrap
from pathlib import Path

from memsuggest.text import spelling

TARGET = Path(spelling.__file__).with_name("english.txt")
NOTICE = """\
# Ordinary English words without their endings, and words of the trade; written by tests/quality/english_words.py.
# From SCOWL, copyright 2000-2011 by Kevin Atkinson: "Permission to use, copy, modify, distribute and sell these word
# lists, the associated scripts, the output created from the scripts, and its documentation for any purpose is hereby
# granted without fee, provided that the above copyright notice appears in all copies and that both that copyright
# notice and this permission notice appear in supporting documentation. Kevin Atkinson makes no representations about
# the suitability of this array for any purpose. It is provided "as is" without express or implied warranty."
"""
TRADE = """
admin allowlist analytics api app async auth autocomplete backend backfill backlog blog boolean bool bot bugfix
changelog checkbox chatbot cli codebase codegen config cron crud css csv dataset datetime deadlock debounce decorator
dedupe deps dev devops diff docstring doc dropdown endpoint enum env eslint exe favicon filesystem firmware footer
formatter frontend functionality fullstack gif glob gradle hardcode hash header homepage hotfix html http https
idempotent iframe inbox init inline int interop iterator javascript json jwt kotlin kwargs lambda latency layout lib
linter linting localhost localization lockfile login logout lookup macro mapper markdown matplotlib maven metadata
microservice middleware migration mixin modal monorepo mutex mypy namespace navbar nginx node noop npm nullable numpy
oauth offline onboarding openapi orm overview param parser patch payload pipeline placeholder plugin png podcast
popup postgres postmortem prettier prod programmatic prompt proto protobuf proxy pydantic pytest python queue readme
reactive reconnect redis redux refactor refactoring regex renderer repl repo repro resizable retry reusable rollback
rollout router runbook runner runtime sandbox scaffold schema screenshot scrollbar semver serializer setup shader
sidebar singleton slug snippet sql sqlite src staging stacktrace stateful stateless stderr stdin stdout storybook
struct subagent subcommand subdirectory subfolder subprocess subtask svelte swagger symlink syntax sync tailwind
telemetry tenant terraform textarea timeframe timestamp todo token tokenizer toml toolchain toolbar tooltip traceback
tuple typescript typo ui unix unmount unmute upsert uptime url username utf util utility ux validator vanilla viewport
vite vitest virtualenv walkthrough webhook webpack website whitelist whitespace widget wireframe workaround workflow
workspace wrapper xml yaml yarn zod zustand
okay claude redaction redact hacky curate curated packager specs spec parser parse github gitignore linux worktree
rebase frontmatter everytime hostname oversized cleanup checksum troubleshoot fallback standalone instantiate usecase
interesting teardown breakpoint rollup copilot codex gemini agentic linters debug debugger
"""


def main() -> None:
    """Read the list, leave out what endings give, and write the table."""
    listed = {word.strip() for word in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()}
    words = {word for word in listed if re.fullmatch(r"[a-z]{2,}", word)} | {*TRADE.split(), "a", "i"}
    kept = sorted(word for word in words if not any(base in words for base in spelling.bases(word)))
    table = textwrap.fill(" ".join(kept), width=118, break_on_hyphens=False)
    TARGET.write_text(f"{NOTICE}{table}\n", encoding="utf-8")
    print(f"wrote {TARGET.name}: {len(kept)} words of {len(words)}, {TARGET.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
