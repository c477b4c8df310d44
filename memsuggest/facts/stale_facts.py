"""Facts of the stores that speak of what the repo does not have any more, each with what may be done about it."""

from __future__ import annotations

import re

from memsuggest.core.context import Context
from memsuggest.core.model import FactStatus, Scope
from memsuggest.customizations.discovery import target_from
from memsuggest.facts.fact_reports import StaleFact
from memsuggest.facts.stores import all_facts
from memsuggest.suggestions.stale_search import stale_suggestions

_UNMARKED = re.compile(
    r"""(?<![`\w/.:@-])
      ( (?:\.?[\w-][\w.-]*/)+ [\w-][\w.-]* \. [A-Za-z]\w{0,5}            # src/api/orders.py
      | (?:npm|pnpm|yarn) [ ] run [ ] [\w:-]+                              # npm run lint
      ) (?![`\w/])""",
    re.VERBOSE,
)
"""Paths and commands as people type them in a chat, where nobody marks them as code."""


def stale_facts(context: Context) -> tuple[StaleFact, ...]:
    """Return the facts of this workspace of which all that they speak of is gone, or has another name now.

    Each is judged as if it stood in a file of rules at the root.
    """
    ours = (fact for fact in all_facts(context) if fact.scope is Scope.WORKSPACE)
    facts = {_page(fact.content): fact for fact in ours if fact.status is FactStatus.ACTIVE}
    made = []
    for suggestion in stale_suggestions(context, [target_from("AGENTS.md", page) for page in facts]):
        fact, after = facts[suggestion.edit.before or ""], suggestion.edit.after or ""
        new = after.removeprefix("- ").rstrip("\n")
        if "`" not in fact.content:
            new = new.replace("`", "")
        made.append(StaleFact(fact=fact, what=suggestion.content, why=suggestion.why, new_content=new))
    return tuple(made)


def _page(content: str) -> str:
    spans = content.split("`")
    spans[::2] = [_UNMARKED.sub(r"`\1`", span) for span in spans[::2]]
    return "- " + "`".join(spans) + "\n"
