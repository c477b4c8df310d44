"""Answers to question two, scored by what the product makes of them; and what has to become of mutated ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from placement_cases import plain_heading
from verdict_packets import read_questions

from memsuggest.core.errors import ModelError
from memsuggest.core.identity import normalised
from memsuggest.judging.verdicts.cases import RuleCase, headings_of
from memsuggest.judging.verdicts.verdict import Becomes, Verdict
from memsuggest.judging.verdicts.verdict_wording import read_verdicts

Row = tuple[RuleCase, Verdict, dict[str, Any]]


def _answered(packets: Path, answers: Path) -> Iterator[tuple[str, list[RuleCase], dict[str, Any]]]:
    for name, cases, labels in read_questions(packets):
        path = answers / f"{name}.json"
        if path.exists():
            yield path.read_text(encoding="utf-8"), cases, labels


def _rows(packets: Path, answers: Path) -> Iterator[Row]:
    for text, cases, labels in _answered(packets, answers):
        try:
            verdicts = read_verdicts(text, cases, check=lambda _words: "")
        except ModelError as error:
            print(f"trouble: {cases[0].fact.content[:40]}…: {error.message}")
            continue
        yield from ((case, one, labels[case.fact.id]) for case, one in zip(cases, verdicts, strict=True))


def place_rows(packets: Path, answers: Path, *, is_shown: bool) -> list[str]:
    """Return the rows on where rules go."""
    rows: list[str] = []
    kinds: Counter[str] = Counter()
    first = three = own = own_three = 0
    joint: list[bool] = []
    for case, verdict, label in _rows(packets, answers):
        kinds[verdict.becomes.value] += 1
        ours = [target.uri for target in case.places]
        chosen = ours[0] if verdict.becomes is Becomes.UNUSABLE and ours else verdict.uri
        is_out = verdict.becomes in (Becomes.SAID, Becomes.NOWHERE)
        ranked = list(dict.fromkeys([] if is_out else [*([chosen] if chosen else []), *verdict.others, *ours]))[:3]
        accept = set(label["accept"])
        is_first = ranked[:1] != [] and ranked[0] in accept
        first, three = first + is_first, three + bool(accept.intersection(ranked))
        own, own_three = own + (ours[:1] != [] and ours[0] in accept), own_three + bool(accept.intersection(ours[:3]))
        heading = _heading(case, verdict, chosen)
        if label["heading"] is not None:
            joint.append(is_first and plain_heading(heading) == label["heading"])
        if is_shown and not (is_first and (label["heading"] is None or joint[-1])):
            rows.append(
                f"{label['case']}: {case.fact.content[:110]!r}: {verdict.becomes} {ranked[:1]} {heading!r}"
                f" {verdict.why}; right {sorted(accept)} {label['heading']!r}"
            )
    total = max(1, kinds.total())
    told = (
        f"which file ({total} rules): first {first / total:.2f}, first three {three / total:.2f},"
        f" file and heading {sum(joint)} of {len(joint)} ({sum(joint) / max(1, len(joint)):.2f});"
        f" our own ranking {own / total:.2f} / {own_three / total:.2f}"
    )
    return [*rows, told, f"  verdicts: {', '.join(f'{name} {number}' for name, number in kinds.most_common())}"]


def _heading(case: RuleCase, verdict: Verdict, uri: str | None) -> str:
    """Return the heading that a rule comes to stand under."""
    line = next((one for one in case.lines if one.words == verdict.line and one.uri == uri), None)
    if line:
        return line.under
    if verdict.heading:
        return verdict.heading
    for target, spot in zip(case.places, case.spots, strict=False):
        if target.uri == uri:
            return headings_of(target).get(str(spot.get("heading")), "")
    return ""


def planted_rows(packets: Path, answers: Path, *, is_shown: bool) -> list[str]:
    """Return the rows on rewordings, contradictions and look-alikes of lines."""
    right: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    rows: list[str] = []
    for case, verdict, label in _rows(packets, answers):
        kind, line = label["kind"], normalised(label["line"])
        is_line = normalised(verdict.line) == line
        is_right = {
            "rewording": verdict.becomes is Becomes.SAID and is_line,
            "contradiction": verdict.becomes in (Becomes.CONTRADICTS, Becomes.REPLACES) and is_line,
            "lookalike": verdict.becomes is Becomes.NEW,
        }[kind]
        seen[kind] += 1
        right[kind] += is_right
        shown[kind] += any(normalised(one.words) == line for one in case.lines)
        if is_shown and not is_right:
            rows.append(f"{kind}: {case.fact.content!r} of {label['line']!r}: {verdict.becomes} {verdict.line!r}")
    return [
        *rows,
        *(f"{kind}: {right[kind]} of {seen[kind]} right; the line was shown for {shown[kind]}" for kind in seen),
    ]


def mutate(packets: Path, answers: Path) -> list[str]:
    """Change every answer in every way that is of no use, and assert that only the changed rule falls back."""
    counts: Counter[str] = Counter()
    for text, cases, _ in _answered(packets, answers):
        try:
            before = read_verdicts(text, cases, check=lambda _words: "")
        except ModelError:
            continue
        for name, change in _CHANGES.items():
            for place, case in enumerate(cases):
                answer = json.loads(text)
                entry = next((one for one in answer["verdicts"] if one["rule"] == case.name), None)
                if entry is None or not change(answer["verdicts"], entry):
                    continue
                after = read_verdicts(json.dumps(answer), cases, check=lambda _words: "")
                assert after[place].becomes is Becomes.UNUSABLE or not after[place].content, (name, entry)
                others = [verdict for number, verdict in enumerate(after) if number != place]
                assert others == [verdict for number, verdict in enumerate(before) if number != place], (name, entry)
                counts[name] += 1
    told = ", ".join(f"{name} {number}" for name, number in counts.items())
    return [f"  mutated answers, all refused, the rest of the answer kept: {told}"]


def _named(field: str, value: object, *kinds: str) -> Callable[[list[dict[str, Any]], dict[str, Any]], bool]:
    def change(_all: list[dict[str, Any]], entry: dict[str, Any]) -> bool:
        entry[field] = value
        return entry["becomes"] in kinds

    return change


def _twice(everything: list[dict[str, Any]], entry: dict[str, Any]) -> bool:
    everything.append(entry | {"becomes": "nowhere"})
    return True


def _missing(everything: list[dict[str, Any]], entry: dict[str, Any]) -> bool:
    everything.remove(entry)
    return bool(everything)


_CHANGES: dict[str, Callable[[list[dict[str, Any]], dict[str, Any]], bool]] = {
    "unknown line": _named("line", "L000000", "said", "replaces", "contradicts"),
    "unknown place": _named("place", "P000000", "new"),
    "path for a name": _named("place", "../../etc/passwd", "new"),
    "unknown rule to join": _named("joins", ["R000000"], "joins"),
    "invented number": _named("wording", "Do it 4711 times, and not otherwise.", "new", "replaces"),
    "far too long": _named("wording", "word " * 60, "new", "replaces"),
    "two verdicts": _twice,
    "no verdict": _missing,
}
