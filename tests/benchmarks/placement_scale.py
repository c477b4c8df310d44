"""How long a thousand facts take against five hundred customization files, and what one more fact costs.

    python tests/benchmarks/placement_scale.py [FACTS [TARGETS]]

Input is invented and the same every time: files of twenty areas, rules made of the areas' words, cited paths below
their folders. Seconds of the processor: ranking alone, whole suggestions (already said, merging, placing, verifying),
one more.
"""

from __future__ import annotations

import random
import sys
import time
from typing import TYPE_CHECKING

from memsuggest.core.model import Citation, Kind, MemoryFact, fact_id
from memsuggest.customizations.discovery import target_from
from memsuggest.suggestions.ranking.match import Rule, TargetIndex, ranked
from memsuggest.suggestions.ranking.workspace_index import WorkspaceIndex
from memsuggest.suggestions.suggest import suggest

if TYPE_CHECKING:
    from memsuggest.core.model import Target

_AREAS = (
    "billing invoice refund ledger tax currency rounding payment dunning receipt",
    "search index query ranking synonym tokenizer facet snippet crawler stopword",
    "storage bucket blob upload checksum retention shard replica snapshot compaction",
    "login session cookie password passkey captcha lockout federation logout tenant",
    "maps tile geocode polygon routing elevation marker zoom projection latitude",
    "video codec bitrate caption thumbnail stream segment player buffer transcode",
    "mail template bounce unsubscribe digest attachment header inbox spam forward",
    "calendar event recurrence timezone reminder attendee slot booking holiday week",
    "report chart axis legend dashboard export pivot filter drilldown widget",
    "import parser delimiter encoding column mapping preview row reject batch",
    "mobile gesture keyboard orientation notification offline sync badge splash haptic",
    "pricing plan coupon trial seat quota upgrade downgrade proration discount",
    "chat message thread mention reaction typing emoji channel presence moderation",
    "deploy rollout canary rollback region cluster probe drain secret namespace",
    "editor cursor selection undo clipboard highlight fold gutter bracket macro",
    "printer label margin tray duplex spool barcode font kerning ligature",
    "sensor telemetry sample calibration threshold alarm drift gateway firmware battery",
    "warehouse pallet picking stock shelf courier parcel return serial lot",
    "payroll salary overtime absence contract pension bonus deduction employee leave",
    "translation locale plural glossary string fallback script collation message bundle",
)
_VERBS = ("Use", "Never use", "Always check", "Keep", "Prefer", "Do not log", "Validate", "Name", "Test", "Document")
_TAILS = ("before release", "in new code", "for every request", "in the tests", "on the server", "when it fails", "")


def _statement(chance: random.Random, words: list[str]) -> str:
    picked = chance.sample(words, 4)
    tail = chance.choice(_TAILS)
    name = f"`{picked[2]}_{chance.randrange(10_000)}`"
    return f"{chance.choice(_VERBS)} the {picked[0]} {picked[1]} with {name} and {picked[3]} {tail}".strip()


def targets(count: int) -> list[Target]:
    """Invent customization files: a third each of instructions, nested AGENTS.md and skills, and one for the root."""
    chance = random.Random(1)
    found = [target_from("AGENTS.md", "# Agents\n\n## Conventions\n\n- Be brief\n- Ask when in doubt\n")]
    for number in range(count - 1):
        words = _AREAS[number % len(_AREAS)].split()
        name = f"{words[0]}-{number}"
        sections = [
            f"## {heading.capitalize()}\n\n" + "".join(f"- {_statement(chance, words)}\n" for _ in range(8))
            for heading in chance.sample(words, 4)
        ]
        uri, head = (
            (
                f".github/instructions/{name}.instructions.md",
                f'---\ndescription: "{words[1]} work"\napplyTo: "**/{name}/**"\n---\n',
            ),
            (f"src/{name}/AGENTS.md", ""),
            (f".github/skills/{name}/SKILL.md", f'---\nname: {name}\ndescription: "Use for {words[2]}"\n---\n'),
        )[number % 3]
        found.append(target_from(uri, f"{head}# {name}\n\n" + "\n".join(sections)))
    return found


def facts(count: int, target_count: int) -> list[MemoryFact]:
    """Invent facts, two in three with cited paths."""
    chance = random.Random(2)
    found = []
    for number in range(count):
        area = chance.randrange(target_count)
        words = _AREAS[area % len(_AREAS)].split()
        content = _statement(chance, words)
        paths = tuple(f"src/{words[0]}-{area}/{word}.py" for word in words[: number % 3])
        cited = (Citation(session_id="s", turn=number, quote=content, paths=paths),)
        found.append(
            MemoryFact(
                id=fact_id("workspace", content),  # type: ignore[arg-type]
                content=content,
                kind=chance.choice(list(Kind)),
                confidence=0.9,
                citations=cited,
                timestamp=number,
            )
        )
    return found


def main() -> None:
    """Measure and print."""
    fact_count, target_count = ([int(word) for word in sys.argv[1:]] + [1000, 500])[:2]
    files, known = targets(target_count), facts(fact_count + 20, target_count)
    paths = [f"src/{word}/main.py" for area in _AREAS for word in area.split()]
    size = sum(len(file.text) for file in files)
    sys.stdout.write(f"{fact_count} facts, {len(files)} files, {size / 1e6:.1f} MB\n")

    start = time.process_time()
    target_index = TargetIndex(files, tracked_paths=paths, root="/repo")
    for fact in known[:fact_count]:
        ranked(Rule(content=fact.content, paths=fact.citations[0].paths), target_index)
    _say("ranking", start)

    start = time.process_time()
    workspace_index = WorkspaceIndex(files, tracked_paths=paths, root="/repo")
    for fact in known[:fact_count]:
        suggest(fact, workspace_index)
    whole = _say("suggestions", start)

    start = time.process_time()
    for fact in known[fact_count:]:
        suggest(fact, workspace_index)
    one = (time.process_time() - start) / 20
    sys.stdout.write(f"{'one more':12} {one * 1000:7.1f} ms   {100 * one / whole:.2f} % of it\n")


def _say(what: str, start: float) -> float:
    taken = time.process_time() - start
    sys.stdout.write(f"{what:12} {taken:7.2f} s\n")
    return taken


if __name__ == "__main__":
    main()
