"""What says of itself that it is to last, and stands by itself, is suggested; what only sounds like it is not."""

from __future__ import annotations

from cases import cases
from judging.offline.chats import contents, found, maybes

LASTING = (
    "from now on please run make lint before every commit",
    "give me migrations as plain sql, from now on",
    "ok so in future, dont touch the generated files under gen/",
    "so in the future, when I ask for a review, only list problems",
    "next time run the tests before you say its done",
    "every time you change the api, regenerate the client",
    "please remember to update the docs whenever you change a flag",
    "in future sessions start by reading docs/architecture.md",
    "never commit directly to main",
    "pnpm, not npm!",
    "stop, poetry instead of pip",
    "Svelte stores always go in src/stores, one per file",
    "Again: never mock the database in tests!",
    "don't run the e2e tests locally again",
    "i dont want you to ever run migrations by yourself",
    "I always want to see the diff before you commit",
    "when writing commit messages, always use the imperative mood",
    "oh and commit messages never with emojis pls",
    "tests must never hit the network",
    "we never write to the prod db from scripts",
    "we always squash merge in this repo",
    "in this repo we use uv, not pip",
    "as a rule we name branches feat/<ticket>",
    "our convention is snake_case for columns",
    "remember that we deploy from the release branch",
    "Remember that Lena must review everything under billing/",
    "From now on run the seed script with TZ=UTC, it pins the timezone",
    "never again use default exports",
    "recuerda: los commits van en inglés",
    "add to CLAUDE.md that we never commit to main directly",
    "please add a rule to AGENTS.md to always run the linter",
    "create a rule that specifies that commits are signed off",
    "ajoute dans CLAUDE.md que les tests tournent sans réseau",
    "añade una regla que los commits van en inglés",
    "ab jetzt bitte immer pnpm statt npm verwenden",
    "schreib immer Tests für neue Endpunkte",
    "Merk dir bitte, dass wir Vitest nutzen",
    "désormais utilise pnpm au lieu de npm",
    "n'utilise jamais any en TypeScript",
    "dans ce projet on utilise uv",
    "de ahora en adelante los commits van en inglés",
    "usa siempre comillas simples",
    "no vuelvas a tocar los archivos generados",
    "sempre rode os testes antes de commitar",
    "从现在开始用pnpm，不要用npm",
    "今後はコミットメッセージを英語で書いてください",
    "항상 한국어로 답변해줘",
    "никогда не коммить в main",
)
NOT_LASTING = (
    # What the product is to do.
    "the tab bar should always show the active page",
    "if the user is logged out, always redirect to /login",
    "make sure the list is always sorted",
    "always use the same color for the same player in all charts",
    "every time the user clicks save, write a log entry",
    "in the future the app should support multiple languages",
    "die Liste soll immer sortiert sein",
    "le bouton doit toujours être visible",
    # What it does now.
    "the button never gets disabled, fix it",
    "we always get a 500 here",
    "next time i open the modal it crashes",
    "der Button ist immer noch kaputt",
    "j'ai toujours l'erreur 500",
    "siempre me sale el mismo error",
    "总是报错",
    "登录以后跳转到首页",
    # What leans on something else, or thinks aloud.
    "dont do that again",
    "always run it twice",
    "from now on it should be called Workspace",
    "we never use this endpoint, remove it",
    "i think we should always validate on the server",
    "he said we should never use redux",
    "can you always answer in german?",
    "rename getUser to fetchUser, and from now on we dont abbreviate names",
    "from now on you are a senior react developer",
    "you can always revert it",
    "never seen that before",
    # What is for now.
    "for now always use the mock server",
    "from now on, for this feature, only write tests",
    # What has no mark.
    "use pnpm",
    "don't use any external libraries",
    "remember the bug from yesterday?",
    "remember to add the import",
    "just remember all the work we put into the API",
    "we must never ignore errors according to @errors.mdc",
    # What asks for a rule of another sort.
    "add a validation rule that emails must contain an @",
    "add a note to the readme",
    "keep in mind the user may be offline",
    "i prefer the second option",
)


@cases("said", LASTING)
def test_what_is_marked_is_suggested(said: str) -> None:
    """In the person's own words, with the whole sentence as evidence."""
    (rule,) = found(said)
    assert rule.citations[0].quote == said
    assert rule.found_by == "said to last"


@cases("said", NOT_LASTING)
def test_the_rest_is_at_most_a_maybe(said: str) -> None:
    """However much it sounds like a rule."""
    assert contents(said) == []


def test_always_in_a_long_specification_is_none() -> None:
    """What stands among dozens of requirements is one of them, unless it says itself how long it holds."""
    requirements = " ".join(f"The export writes column {number} in order." for number in range(30))
    assert contents(f"{requirements} Always return early from handlers.") == []
    assert contents(f"{requirements} From now on return early from handlers.") != []


def test_what_leans_on_something_is_the_likeliest_maybe() -> None:
    """A mark is kept in sight for whoever judges, with the sentence as it was said."""
    (maybe,) = maybes("from now on it should be called Workspace")
    assert (maybe.content, maybe.confidence) == ("It should be called Workspace.", 0.55)
