"""What several repos agree on, as facts of the person."""

from __future__ import annotations

from dataclasses import replace

import pytest
from cases import cases
from memory.fakes import citation, fact

from memsuggest.identity import fact_id
from memsuggest.memory.across_repos import Widened, widened
from memsuggest.memory.fact_store import WIDE, Place
from memsuggest.model import FactStatus, Kind, MemoryFact, Scope, Trust

SHOP, BLOG, WIKI = (Place(key=name, name=name, repository=f"of {name}") for name in ("shop", "blog", "wiki"))
RULE, AGAIN = "Never use default exports", "Don't use default exports"


def said(content: str, session: str, **more: object) -> MemoryFact:
    return fact(content, citations=(citation(content, session=session, paths=("src/a.ts",)),), **more)


def wide(everywhere: dict[str, tuple[MemoryFact, ...]], **more: object) -> Widened:
    known = {"here": SHOP, "places": (SHOP, BLOG, WIKI), "decided": (), "forgotten": (), "threshold": 0.6}
    return widened(everywhere, **{**known, **more})  # type: ignore[arg-type]


BOTH = {"shop": (said(RULE, "s1"),), "blog": (said(AGAIN, "s2"),)}


def test_proposed() -> None:
    """A rule of two repos is one fact of the person, without the paths of either, surer than each."""
    (found,) = wide(BOTH).added
    assert found.scope is Scope.USER
    assert found.id == fact_id(Scope.USER, found.content)
    assert set(found.tags) == {WIDE, "repo:shop", "repo:blog"}
    assert [one.session_id for one in found.citations] == ["s1", "s2"]
    assert {one.paths for one in found.citations} == {()}
    assert found.confidence > 0.8


@cases(
    "everywhere",
    [
        pytest.param({"shop": (said(RULE, "s1"),)}, id="one repo"),
        pytest.param({"shop": (said(RULE, "s1"),), "blog": (said(AGAIN, "s1"),)}, id="one chat that both have read"),
        pytest.param({"shop": (said(RULE, "s1"),), "blog": (said(AGAIN, "s2", confidence=0.5),)}, id="unsure"),
        pytest.param(
            {"shop": (said(RULE, "s1"),), "blog": (said(AGAIN, "s2", status=FactStatus.INACTIVE),)}, id="retired"
        ),
        pytest.param({**BOTH, "wiki": (said("Use default exports", "s3"),)}, id="contradicted in a third"),
        pytest.param({**BOTH, "": (said(RULE, "s4", scope=Scope.USER),)}, id="known of the person"),
        pytest.param(
            {**BOTH, "": (said("Use default exports", "s4", scope=Scope.USER),)}, id="against the person's own"
        ),
        pytest.param(
            {"shop": (said("Put fixtures in tests/data", "s1"),), "blog": (said("Put fixtures in tests/data", "s2"),)},
            id="of a place",
        ),
        pytest.param(
            {"shop": (said(RULE, "s1", kind=Kind.TERMINOLOGY),), "blog": (said(AGAIN, "s2", kind=Kind.TERMINOLOGY),)},
            id="words",
        ),
        pytest.param(
            {
                "shop": (said(RULE, "s1"),),
                "blog": (fact(AGAIN, citations=(citation(session="s2", trust=Trust.CLAIMED),)),),
            },
            id="only claimed",
        ),
        pytest.param({"shop": (said(RULE, "s1"),), "gone": (said(AGAIN, "s2"),)}, id="a workspace that nobody knows"),
    ],
)
def test_not_proposed(everywhere: dict[str, tuple[MemoryFact, ...]]) -> None:
    """What is said once, unsurely, by others, of one place, or not everywhere is not proposed."""
    assert wide(everywhere) == Widened()


def test_refused() -> None:
    """What was forgotten does not come back, in whatever words; what was decided stays as it is."""
    (found,) = wide(BOTH).added
    assert wide(BOTH, forgotten=[fact_id(Scope.USER, RULE)]) == Widened()
    assert wide({"": (found,)}, decided=[found.id]) == Widened()


def test_withdrawn_and_back() -> None:
    """A proposal ends with the agreement, and comes back with it; nothing changes while it holds."""
    (found,) = wide(BOTH).added
    assert wide({**BOTH, "": (found,)}) == Widened()
    (gone,) = wide({"shop": BOTH["shop"], "": (found,)}).changed
    assert gone == replace(found, status=FactStatus.INACTIVE)
    assert wide({**BOTH, "": (gone,)}).changed == (found,)


def test_a_third_repo_adds_its_evidence() -> None:
    """One more repo is named, and its chat is evidence."""
    (found,) = wide(BOTH).added
    (more,) = wide({**BOTH, "wiki": (said(RULE, "s3"),), "": (found,)}).changed
    assert (more.id, more.content) == (found.id, found.content)
    assert "repo:wiki" in more.tags
    assert len(more.citations) == 3
