"""Learns `memsuggest/judging/safety/danger_weights.json` from invented sentences. Run by hand, it takes a minute:

    python docs/measure/train_dangers.py           writes the weights
    python docs/measure/train_dangers.py sets      what is found of each set by what the others teach

The sentences are those of `danger_sentences/`, and what `danger_phrases.txt` forms: what protects and is forbidden or
called needless, what takes protection away or is dangerous and is ordered, the reverse of both, and look-alikes.
"""

from __future__ import annotations

import json
import math
import random
import re
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from dangers import PARTS, sentences

from memsuggest.judging.safety import danger_model
from memsuggest.judging.safety.dangers import SURE, known_danger

FOLDER = Path(__file__).resolve().parent
WEIGHTS = Path(danger_model.__file__).with_name("danger_weights.json")
LANGUAGES = ("en", "de", "fr", "es")
FORMED = 0.3
"""What a formed sentence counts beside one that was written; an ordinary one counts half of that."""
EACH = 160
"""Formed sentences of a kind, a form and a language."""
ORDINARY_WORDS = 4
"""Words of an ordinary sentence at least."""
DOUBLED = ("get", "put", "run", "set", "drop", "let", "cut", "log", "pin", "skip", "bump", "omit", "scan", "commit")
FORMS = {"frames": ("protect", "weaken", "hazard", "benign"), "nounframes": ("guards",), "hazardframes": ("hazards",)}
SIGNS = {"order": True, "forbid": False, "dropped": True, "kept": False, "used": True, "barred": False}
"""Whether a frame asks for what stands in it; of guards, whether it drops them."""


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence, whether it weakens safety, and what it counts."""

    text: str
    is_dangerous: bool
    part: str
    counts: float = 1.0


def written() -> list[Example]:
    """Return the sentences that were written, by the set they belong to."""
    parts = {"": "first"} | {f"_{part}": part for part in PARTS[3:]}
    plain = [Example(row.text, is_dangerous=False, part="ordinary") for row in sentences("harmless_ordinary")]
    return plain + [
        Example(row.text, name == "dangerous", part)
        for suffix, part in parts.items()
        for name in ("dangerous", "harmless")
        for row in sentences(name + suffix)
    ]


def ordinary() -> list[Example]:
    """Return sentences about other things: the project's pages, and the invented documents and rules of other sets.

    What the table of orders knows as dangerous is an example there, and left out.
    """
    pages = [*sorted(FOLDER.parent.glob("*.md")), *sorted(FOLDER.glob("*.txt"))]
    texts = "\n".join(path.read_text(encoding="utf-8") for path in pages if path.name != "danger_phrases.txt")
    pieces = re.split(r"\n\s*\n|\n[-*+=.|] |(?<=[.!?]) ", re.sub(r"```.*?```", "", texts, flags=re.DOTALL))
    found = dict.fromkeys(" ".join(piece.split()) for piece in pieces)
    kept = [text for text in found if len(text.split()) >= ORDINARY_WORDS and not known_danger(text)]
    return [Example(text, is_dangerous=False, part="", counts=FORMED / 2) for text in kept]


def formed() -> list[Example]:
    """Return sentences that frames and phrases make, as many of each kind."""
    phrases = _phrases()
    groups: dict[tuple[str, ...], list[Example]] = defaultdict(list)
    for language in LANGUAGES:
        for form, kinds in FORMS.items():
            for sign, is_order in SIGNS.items():
                for kind in kinds:
                    for frame in phrases.get((form, language, sign), ()):
                        groups[language, sign, kind] += [
                            Example(_filled(frame, phrase), _is_dangerous(kind, is_order=is_order), "", FORMED)
                            for phrase in phrases[kind, language]
                        ]
    choice = random.Random(3)
    return [example for group in groups.values() for example in choice.sample(group, min(EACH, len(group)))]


def _is_dangerous(kind: str, *, is_order: bool) -> bool:
    return kind != "benign" and is_order != (kind == "protect")


def _filled(frame: str, phrase: str) -> str:
    text = frame.replace("{xing}", _gerund(phrase)).replace("{x}", phrase).replace("{n}", phrase)
    return text[:1].upper() + text[1:]


def _gerund(phrase: str) -> str:
    verb, _, rest = phrase.partition(" ")
    stem = verb + verb[-1] if verb in DOUBLED else verb if verb.endswith("ee") else verb.removesuffix("e")
    return f"{stem}ing {rest}"


def _phrases() -> dict[tuple[str, ...], list[str]]:
    text = re.sub(r"^#.*\n", "", (FOLDER / "danger_phrases.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    sections = (section.partition("]\n") for section in re.split(r"^\[", text, flags=re.MULTILINE)[1:])
    return {tuple(title.split()): rows.strip().replace("\n", " | ").split(" | ") for title, _, rows in sections}


def learn(
    examples: list[Example], *, rounds: int = 20, rate: float = 0.2, shrink: float = 1.0
) -> tuple[dict[str, float], float]:
    """Fit a logistic regression by AdaGrad; each weight shrinks alike, however seldom its feature is."""
    seen = [(danger_model.features_of(example.text), example) for example in examples]
    counts = Counter(name for features, _ in seen for name in features)
    weights: dict[str, float] = defaultdict(float)
    squares: dict[str, float] = defaultdict(lambda: 1e-2)
    bias = 0.0
    order = random.Random(5)
    for _ in range(rounds):
        order.shuffle(seen)
        for features, example in seen:
            total = bias + sum(value * weights[name] for name, value in features.items())
            error = example.counts * (example.is_dangerous - _sigmoid(total))
            bias += rate * 0.01 * error
            for name, value in features.items():
                slope = error * value - shrink / counts[name] * weights[name]
                squares[name] += slope * slope
                weights[name] += rate * slope / math.sqrt(squares[name])
    return weights, bias


def _sigmoid(total: float) -> float:
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, total))))


def save(weights: dict[str, float], bias: float) -> None:
    """Write the weights that matter, in hundredths."""
    kept = {name: round(100 * weight) for name, weight in sorted(weights.items()) if abs(weight) >= 0.1}
    text = json.dumps({"bias": round(100 * bias), "weights": kept}, ensure_ascii=False, indent=0)
    WEIGHTS.write_text(text + "\n", encoding="utf-8")


def leave_out_sets() -> None:
    """Print what is found of each set, and wrongly held back, by the table and by what the other sets teach."""
    examples, others = written(), [*formed(), *ordinary()]
    for part in dict.fromkeys(example.part for example in examples):
        weights, bias = learn([example for example in examples if example.part != part] + others)
        for is_dangerous in (True, False):
            texts = [one.text for one in examples if one.part == part and one.is_dangerous == is_dangerous]
            found = sum(_score(text, weights, bias) > SURE for text in texts)
            print(f"{part} {'dangerous' if is_dangerous else 'harmless'}: {found}/{len(texts)} by the model alone")


def _score(text: str, weights: dict[str, float], bias: float) -> float:
    features = danger_model.features_of(text)
    return _sigmoid(bias + sum(value * weights.get(name, 0.0) for name, value in features.items()))


def main(arguments: list[str]) -> None:
    """Learn, or print what learning is worth."""
    if "sets" in arguments:
        leave_out_sets()
        return
    save(*learn([*written(), *formed(), *ordinary()]))


if __name__ == "__main__":
    main(sys.argv[1:])
