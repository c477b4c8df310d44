"""A quote is found however the model spelt it, and only where its words stand; what counts is the typed stretch."""

from __future__ import annotations

from collections.abc import Callable

from cases import cases

from memsuggest.core.model import Candidate, Role, Scope, Transcript, Trust, Turn
from memsuggest.judging.by_model.disposing import Hearing, dispose, find_quote, sifted
from memsuggest.judging.by_model.packets import Cited, Proposed
from memsuggest.judging.offline import offline
from memsuggest.judging.offline.findings import Findings

SAID = (
    "allways regenerate the client after you touch the schema, not before",
    'no! don\'t put "todo" comments into merged code, open an issue instead',
    "die Fehlertexte bleiben auf deutsch, die Logs aber auf englisch bitte",
    "invoice numbers can not be reused, they must stay unique even after a refund",
    "コミットメッセージは必ず英語で書いてください",
)
TURNS = tuple(
    Turn(number=2 * place + 1, role=Role.USER, typed=f"hm ok.\n{text}\nand now the next thing")
    for place, text in enumerate(SAID)
)
TRANSCRIPT = Transcript(session_id="s", format="generic", origin="s", turns=TURNS, files_written=("src/bill/tax.py",))
HEARING = Hearing(transcript=TRANSCRIPT, own=offline.extract(TRANSCRIPT), written=(), acts={}, known={})


def stretch(quote: str, text: str, *closed: tuple[int, int]) -> list[str]:
    return [text[start:end] for start, end in find_quote(quote, text, closed=closed)]


def mended(quote: str) -> str:
    return quote.replace("allways", "always").replace("can not", "cannot")


def cut(quote: str) -> str:
    """Leave out the middle of a quote, as models do."""
    words = quote.split()
    return " ".join([*words[:3], "…", *words[-3:]]) if len(words) > 6 else quote


MUTATIONS: dict[str, Callable[[str], str]] = {
    "capitalised": lambda quote: quote[0].upper() + quote[1:],
    "all capitals": str.upper,
    "full stop": lambda quote: quote + ".",
    "curled": lambda quote: quote.replace("'", "\u2019").replace('"', "\u201c"),
    "in quotation marks": lambda quote: f"\u201e{quote}\u201c",
    "full width": lambda quote: quote.replace("!", "\uff01").replace(",", "\uff0c"),
    "emphasised": lambda quote: f"**{quote}**",
    "cut": cut,
    "mended": mended,
    "no apostrophes": lambda quote: quote.replace("'", ""),
    "in lines": lambda quote: quote.replace(" ", "\n  "),
    "all at once": lambda quote: mended(quote[0].upper() + quote[1:]).replace("'", "\u2019") + ".",
}


@cases("said", range(len(SAID)))
@cases("mutation", MUTATIONS)
@cases("off", [-1, 0, 1, 40])
def test_spelling_is_forgiven(said: int, mutation: str, off: int) -> None:
    """The citation is what was typed, letter for letter, in the turn in which it was."""
    text = SAID[said]
    cited = Cited(turn=2 * said + 1 + off, file="", quote=MUTATIONS[mutation](text))
    found = dispose(proposal(text, cited), HEARING)
    assert isinstance(found, Candidate), found
    assert [(citation.turn, citation.quote, citation.trust) for citation in found.citations] == [
        (2 * said + 1, text, Trust.TYPED)
    ]


def proposal(content: str, *cited: Cited, scope: str = "workspace") -> Proposed:
    return Proposed.model_validate(
        {"content": content, "reason": "", "kind": "convention", "scope": scope, "confidence": "high", "replaces": ""}
        | {"citations": list(cited)}
    )


@cases(
    ("quote", "text"),
    [
        ("use tabs", "use tubs"),  # two words are too few to mend one
        ("never deploy on fridays", "ever deploy on fridays?"),
        ("do not commit generated files", "do note commit generated files"),
        ("i wont write tests for getters", "i want write tests for getters"),
        ("keep 30 days of logs here", "keep 31 days of logs here"),
        ("always regenerate the schema", "always regenerate the client after the schema"),
        ("the client regenerate always", "always regenerate the client"),
        ("call the reviewer before merging", "call the reviewers before merging. call the revewer before merging"),
        ("never … floats", "I never said that. what do you think of floats"),
        ("prices in … are floats", "are floats fine? I keep prices in cents"),
        ("", "anything"),
        ("use pnpm " * 200, "use pnpm " * 400),
    ],
)
def test_nothing_else_is_forgiven(quote: str, text: str) -> None:
    """Other words, numbers and orders, a lost or found negation, more than one place for a mended quote: no quote."""
    assert stretch(quote, text) == []


@cases(
    ("quote", "text", "found"),
    [
        ("The worker never retries.", "btw the wroker never retries", "the wroker never retries"),
        ("nevr retry a payment", "never retry a payment", "never retry a payment"),
        ("Please never log tokens", "pls never log tokens", "pls never log tokens"),
        ("a lot of mocks are a smell", "alot of mocks are a smell", "alot of mocks are a smell"),
        ("run make lint […] before every push", "run make lint and fix it before every push", None),
    ],
)
def test_chat_spelling_is_understood(quote: str, text: str, found: str | None) -> None:
    """Letters that changed places, shortened words, words run together, and what is left out with a mark."""
    assert stretch(quote, text) == [found or text]


def test_what_is_pasted_is_not_quoted() -> None:
    """However a quote is spelt; and not with a typing error mended where the paste has it right."""
    text = "it says: > always use yarn workspaces < and fails"
    pasted = (9, text.index("<"))
    assert stretch("Always use yarn workspaces.", text, pasted) == []
    assert stretch("Always use yarn … and fails", text, pasted) == []
    both = text + "\nalways use yarn workspces"
    assert stretch("always use yarn workspaces", both, pasted) == []
    assert stretch("Always use yarn workspces!", both, pasted) == ["always use yarn workspces"]


def test_pieces_far_apart_are_citations_of_their_own() -> None:
    """One citation holds no more than a quote may; nothing between them is cited."""
    text = "exports are written in utf-8 " + "and so on " * 60 + "and always with a header row"
    assert stretch("exports are written … always with a header row", text) == [
        "exports are written",
        "always with a header row",
    ]


def test_what_two_turns_say_is_not_put_anywhere() -> None:
    """A quote in the wrong turn is only moved to the one other turn that has it."""
    turns = tuple(Turn(number=n, role=Role.USER, typed=f"always use spaces in yaml {n}") for n in (1, 3))
    transcript = Transcript(session_id="s", format="generic", origin="s", turns=turns)
    hearing = Hearing(transcript=transcript, own=Findings(candidates=()), written=(), acts={}, known={})
    twice = proposal("Always use spaces in yaml.", Cited(turn=5, file="", quote="always use spaces in yaml"))
    once = proposal("Always use spaces in yaml.", Cited(turn=5, file="", quote="always use spaces in yaml 3"))
    assert not isinstance(dispose(twice, hearing), Candidate)
    assert isinstance(dispose(once, hearing), Candidate)


def test_what_is_kept_is_what_was_typed() -> None:
    """An answer is kept with the citation as it was found: what is forgotten later is looked for letter for letter."""
    kept = sifted(proposal(SAID[0], Cited(turn=4, file="", quote=mended(SAID[0]).capitalize())), HEARING)
    assert kept is not None
    assert kept.citations == [Cited(turn=1, file="", quote=SAID[0])]


def test_a_name_from_the_same_turn_may_be_added() -> None:
    """A rule may name what the person named a sentence before; not what only the assistant or a paste names."""
    typed = "look at retry_policy in http.py\nthe limit for retries stays at 5"
    turns = (Turn(number=1, role=Role.USER, typed=typed),)
    transcript = Transcript(session_id="s", format="generic", origin="s", turns=turns)
    hearing = Hearing(transcript=transcript, own=Findings(candidates=()), written=(), acts={}, known={})
    cited = Cited(turn=1, file="", quote="the limit for retries stays at 5")
    assert taken("The limit in retry_policy stays at 5.", cited, hearing).content.startswith(
        "The limit in retry_policy"
    )
    assert "back_off" not in taken("The limit in back_off stays at 5.", cited, hearing).content


def taken(content: str, cited: Cited, hearing: Hearing) -> Candidate:
    found = dispose(proposal(content, cited), hearing)
    assert isinstance(found, Candidate), found
    return found


@cases(
    ("content", "scope"),
    [
        ("Die Logs bleiben auf englisch.", Scope.USER),
        ("Die Fehlertexte von src/bill/tax.py bleiben auf deutsch.", Scope.WORKSPACE),
    ],
)
def test_the_scope_is_the_models_word(content: str, scope: Scope) -> None:
    """But for a rule that names a file that was written in this workspace."""
    hearing = Hearing(transcript=TRANSCRIPT, own=HEARING.own, written=(), acts={}, known={})
    one = proposal(content, Cited(turn=5, file="", quote=SAID[2]), scope="user")
    found = dispose(one, hearing)
    assert isinstance(found, Candidate)
    if "src" in found.content or scope is Scope.USER:
        assert found.scope is scope
