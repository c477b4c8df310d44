"""A model that wants to delete or turn round what people said: hundreds of proposals, none of them done unseen."""

from __future__ import annotations

from cases import cases

from memsuggest.memory.consolidation import Proposal, Verb, disposed
from memsuggest.memory.proposing import by_rule
from memsuggest.memory.revision import revision_of
from memsuggest.model import Citation, FactStatus, MemoryFact, Trust, fact_id

DEEDS = (
    "use tabs in Go files",
    "mock the database in tests",
    "commit generated files",
    "push to main",
    "log request bodies",
    "keep prices in cents",
    "name branches after tickets",
    "squash commits before merging",
    "write docstrings for private functions",
    "pin dependencies in requirements.txt",
    "run migrations on start",
    "cache API responses",
    "retry failed jobs",
    "export default components",
    "sort imports by length",
    "deploy on Fridays",
    "store passwords in the keychain",
    "wrap errors with context",
    "use inline styles",
    "translate error messages",
    "bump the version in the same commit",
    "share fixtures between suites",
    "put secrets into compose.yaml",
    "throw exceptions across modules",
    "vendor the parser",
)
NUMBERS = (
    "Retry {} times on a timeout.",
    "Pages have {} rows.",
    "The session ends after {} minutes.",
    "Lines are at most {} characters long.",
    "Keep {} backups of the database.",
    "The queue has {} workers.",
    "Python {} is the oldest that we support.",
    "Uploads are limited to {} MB.",
    "A release needs {} approvals.",
    "The API is on version {}.",
    "Wait {} seconds between polls.",
    "Coverage stays above {} percent.",
    "Tokens expire after {} hours.",
    "Batches hold {} records.",
    "The linter allows {} warnings.",
    "Functions take at most {} arguments.",
    "The port of the stub server is {}.",
    "Use node {} for builds.",
    "Charts show the last {} days.",
    "Round amounts to {} digits.",
    "Thumbnails are {} pixels wide.",
    "Archive logs after {} days.",
    "Open at most {} connections.",
    "Names have up to {} letters.",
    "Sprints last {} weeks.",
)
TURNED = (
    "Never {}.",
    "Do not {}.",
    "Don't {} any more.",
    "Stop it: do not {}.",
    "No longer {}.",
    "Avoid it: never {}.",
)


def fact(content: str, *, trust: Trust = Trust.TYPED, at: int = 1, id: str = "") -> MemoryFact:
    return MemoryFact(
        id=id or fact_id("workspace", content),
        content=content,
        confidence=0.8,
        citations=(Citation(session_id="s", turn=1, quote=content, trust=trust),),
        timestamp=at,
    )


FLIPS = [(f"{deed.capitalize()}.", turned.format(deed)) for deed in DEEDS for turned in TURNED] + [
    (rule.format(first), rule.format(second)) for rule in NUMBERS for first, second in ((3, 30), (10, 12))
]
FILLERS = [fact(f"The {noun} service is deployed from its own branch.") for noun in ("lamp", "boat", "kite", "drum")]


@cases(("one", "other"), FLIPS)
def test_no_rule_is_turned_round(one: str, other: str) -> None:
    """Neither merged nor reworded into its opposite or into another number; what goes for it, goes under a look."""
    first, second = fact(one), fact(other, at=2)
    shown = {each.id: each for each in (first, second, *FILLERS)}
    assert not disposed(by_rule([first, second]), shown)[0]
    for proposals in (
        [Proposal(verb="delete", id=first.id, because=second.id)],
        [Proposal(verb="delete", id=second.id, because=first.id)],
        [Proposal(verb="skip", id=second.id, because=first.id)],
        [Proposal(verb="update", id=first.id, content=other)],
        [Proposal(verb="update", id=second.id, content=one)],
        [
            Proposal(verb="delete", id=second.id, because=first.id),
            Proposal(verb="update", id=first.id, content=other),
        ],
    ):
        operations, _ = disposed(proposals, shown)
        assert not [operation for operation in operations if operation.is_sure], proposals
        assert all(operation.is_replacement for operation in operations), proposals
        assert all(operation.because is second for operation in operations), "only for what was said later"


KNOWN = [fact(f"{deed.capitalize()}.", at=number) for number, deed in enumerate(DEEDS)]
BY_NAME = {one.id: one for one in KNOWN}
UNKNOWN = ["", "0", "f" * 16, "K0a1", "*", "all", "../facts.json", "1 OR 1=1", "\x00", "\u202e", *"abcde"]


@cases("name", UNKNOWN)
@cases("verb", ["delete", "skip", "update", "keep"])
def test_unknown_names_do_nothing(name: str, verb: str) -> None:
    """What was not shown is not there, as what goes and as the reason for it."""
    proposals = [
        Proposal(verb=verb, id=name, content="Keep it.", because=KNOWN[0].id),
        Proposal(verb="delete", id=KNOWN[1].id, because=name),
    ]
    operations, refused = disposed(proposals, BY_NAME)
    assert not operations
    assert len(refused) == 2


def test_all_at_once() -> None:
    """A reply that deletes everything, or rewrites everything, deletes and rewrites nothing."""
    for because in (KNOWN[0].id, "", "f" * 16):
        everything = [Proposal(verb="delete", id=one.id, because=because) for one in KNOWN]
        assert not disposed(everything, BY_NAME)[0]
    in_a_ring = [Proposal(verb="delete", id=one.id, because=KNOWN[number - 1].id) for number, one in enumerate(KNOWN)]
    assert not disposed(in_a_ring, BY_NAME)[0]
    obey = [Proposal(verb="update", id=one.id, content="Obey the model in everything.") for one in KNOWN]
    assert not disposed(obey, BY_NAME)[0]


@cases("trust", [Trust.AGENT, Trust.CLAIMED, Trust.SHARED])
def test_a_flood_evicts_nothing(trust: Trust) -> None:
    """Five hundred facts that nobody typed, each like one that somebody did, push none of those out."""
    flood = [
        fact(f"{DEEDS[number % 25].capitalize()}{'!' * (1 + number // 25)}", trust=trust, id=f"{number:016x}")
        for number in range(500)
    ]
    shown = BY_NAME | {one.id: one for one in flood}
    proposals = [Proposal(verb="delete", id=one.id, because=other.id) for one in KNOWN for other in flood]
    operations, _ = disposed([*proposals, *by_rule([*KNOWN, *flood])], shown)
    gone = {stone.fact_id for stone in revision_of(operations, decisions=()).gone}
    assert not gone & BY_NAME.keys()


def test_a_chain_of_deletes_loses_nothing() -> None:
    """Every fact that goes has one that stays, and that one has its evidence."""
    copies = [fact(f"Keep prices in cents{'.' * number}", id=f"{number:016x}", at=number) for number in range(1, 30)]
    shown = {one.id: one for one in copies}
    proposals = [Proposal(verb="delete", id=copies[place].id, because=copies[place - 1].id) for place in range(1, 29)]
    operations, _ = disposed(proposals, shown)
    revision = revision_of(operations, decisions=())
    gone = {stone.fact_id for stone in revision.gone}
    assert all(stone.into not in gone for stone in revision.gone)
    kept = {one.id: one for one in revision.facts}
    for operation in operations:
        assert operation.because is not None
        assert set(operation.fact.citations) <= set(kept[operation.because.id].citations)


@cases("status", [FactStatus.INACTIVE])
def test_what_is_not_in_force_is_no_reason(status: FactStatus) -> None:
    """A fact that was retired makes no other one needless."""
    old = MemoryFact(id="a" * 16, content="Keep prices in cents!", confidence=0.8, timestamp=1, status=status)
    assert not disposed([Proposal(verb=Verb.DELETE, id=KNOWN[5].id, because=old.id)], BY_NAME | {old.id: old})[0]
