"""Both questions, over folders of transcripts and placement cases, with answers from files or from any program.

By hand; pytest collects nothing here. DATA is a folder as `placement_cases` describes it.

    python docs/measure/judgement.py chats FOLDER… --number 40 --out PACKETS   question one, about chats at random
    python docs/measure/judgement.py further PACKETS ANSWERS --out PACKETS     question two, what the first found
    python docs/measure/judgement.py places DATA --number 60 --out PACKETS     question two, rules of commits
    python docs/measure/judgement.py form DATA --number 40 --out FORM          lines to be reworded by somebody
    python docs/measure/judgement.py planted DATA --form FORM --out PACKETS    question two, about those sentences
    python docs/measure/judgement.py ask PACKETS --out ANSWERS -- PROGRAM …    have a program answer
    python docs/measure/judgement.py score [--chats PACKETS ANSWERS --labels FILE… [--further PACKETS ANSWERS]]
        [--places PACKETS ANSWERS] [--planted PACKETS ANSWERS] [--show]            the table

An answer is a file `ID.json` with the reply to `ID.txt`. Answers go through the product's own reading, so what code
refuses counts as refused; `score` also mutates them and asserts what has to become of it.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from evaluate import dispose_all
from further import judged_twice, write_further
from packets import read_index, sessions_in, write_requests
from planted import choose, write_planted
from replaying import read_answers
from scoring import Found, figures, read_labels, score
from verdict_packets import write_places
from verdict_scores import mutate, place_rows, planted_rows

from memsuggest.core.errors import TranscriptError
from memsuggest.core.model import SUGGEST_FROM, Transcript
from memsuggest.transcripts.reading import read_transcript


def chats_at_random(folders: Sequence[Path], *, labels: Sequence[Path], number: int, seed: int) -> list[Path]:
    """Choose transcripts that are labelled, a round over the repositories at a time."""
    labelled = {file for path in labels for file in read_labels(path)}
    chance = random.Random(seed)
    by_repo: dict[str, list[Path]] = defaultdict(list)
    for folder in folders:
        rows = (line.split("\t") for line in (folder / "index.tsv").read_text(encoding="utf-8").splitlines()[1:])
        for file, *rest in rows:
            repo = next(one for one in rest if "/" in one)
            if file in labelled:
                by_repo[repo].append(folder / "transcripts" / file)
    chosen: list[Path] = []
    while len(chosen) < number and by_repo:
        for repo in chance.sample(sorted(by_repo), len(by_repo)):
            chosen.append(by_repo[repo].pop(chance.randrange(len(by_repo[repo]))))
            if not by_repo[repo]:
                del by_repo[repo]
    return sorted(chosen[:number])


def write_chats(options: argparse.Namespace) -> None:
    """Write the packets about some chats."""
    labels = options.labels or [next(folder.glob("labels-*.jsonl")) for folder in options.folders]
    chosen = chats_at_random(options.folders, labels=labels, number=options.number, seed=options.seed)
    requests = write_requests(list(_sessions(chosen)), options.out)
    tokens = sum(request.tokens for request in requests)
    print(f"{len(requests)} packets about {len(chosen)} chats, {tokens:,} tokens")


def _sessions(paths: Sequence[Path]) -> list[Transcript]:
    found = []
    for path in paths:
        try:
            found.append(read_transcript(path))
        except TranscriptError as error:
            print(f"left out: {path.name}: {error.message}")
    return found


def ask(options: argparse.Namespace) -> None:
    """Have a program answer what has no answer yet: it reads the packet on stdin and prints the reply."""
    options.out.mkdir(parents=True, exist_ok=True)
    program = shutil.which(options.program[0]) or options.program[0]
    for packet in sorted(options.packets.glob("*.txt")):
        path = options.out / f"{packet.stem}.json"
        if path.exists() or packet.stem.isupper():
            continue
        text = packet.read_text(encoding="utf-8")
        try:
            done = subprocess.run(
                [program, *options.program[1:]], input=text, capture_output=True, text=True, timeout=600, check=True
            )
        except (subprocess.SubprocessError, OSError) as error:
            print(f"{packet.stem}: {error}")
            continue
        path.write_text(done.stdout, encoding="utf-8")


def chat_rows(packets: Path, answers: Path, labels: Sequence[Path], *, is_shown: bool) -> list[str]:
    """Return the rows of question one."""
    requests = read_index(packets)
    answered = read_answers(requests, answers)
    files = dict.fromkeys(Path(part.file) for request in requests for part in request.parts)
    found = dispose_all(answered, {session.origin: session for session in sessions_in(files)})
    rows = [f"trouble: {trouble}" for trouble in answered.troubles]
    return [*rows, *lasting_rows({file: one[0] for file, one in found.items()}, labels, is_shown=is_shown)]


def lasting_rows(found: Mapping[str, Sequence[Found]], labels: Sequence[Path], *, is_shown: bool) -> list[str]:
    """Return how much of what lasts was found."""
    known = {file: one for path in labels for file, one in read_labels(path).items()}
    judged = [score(one, found[file], least=SUGGEST_FROM) for file, one in sorted(known.items()) if file in found]
    now = figures(judged)
    rows = []
    if is_shown:
        for one in judged:
            rows += [f"{one.file}: missed {label.content!r}" for label in one.missed]
            rows += [f"{one.file}: wrong {each.content!r}" for each in one.wrong]
    told = (
        f"what lasts ({len(judged)} chats): precision {now.precision:.2f}, recall {now.recall:.2f},"
        f" tempting sentences resisted {now.resistance:.2f}  ({now.hits} of {now.facts} found, {now.wrong} wrong)"
    )
    return [*rows, told]


def print_scores(options: argparse.Namespace) -> None:
    """Print the table."""
    rows: list[str] = []
    if options.chats:
        rows += chat_rows(*map(Path, options.chats), options.labels, is_shown=options.show)
    if options.further:
        twice = judged_twice(*map(Path, (*options.chats, *options.further)))
        rows += ["by both questions:", *lasting_rows(twice, options.labels, is_shown=options.show)]
    if options.places:
        packets, answers = map(Path, options.places)
        rows += [*place_rows(packets, answers, is_shown=options.show), *mutate(packets, answers)]
    if options.planted:
        packets, answers = map(Path, options.planted)
        rows += [*planted_rows(packets, answers, is_shown=options.show), *mutate(packets, answers)]
    print("\n".join(rows))


def main() -> None:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    chats, places, form = (verbs.add_parser(name) for name in ("chats", "places", "form"))
    planted, asking, scoring = (verbs.add_parser(name) for name in ("planted", "ask", "score"))
    further = verbs.add_parser("further")
    further.add_argument("packets", type=Path)
    further.add_argument("answers", type=Path)
    further.add_argument("--out", type=Path, required=True)
    chats.add_argument("folders", type=Path, nargs="+")
    for one in (chats, scoring):
        one.add_argument("--labels", type=Path, nargs="+", default=[])
    for one in (places, form, planted):
        one.add_argument("data", type=Path)
    for one, number in ((chats, 40), (places, 60), (form, 40)):
        one.add_argument("--number", type=int, default=number)
    for one in (chats, places, form, planted):
        one.add_argument("--seed", type=int, default=28)
        one.add_argument("--out", type=Path, required=True)
    planted.add_argument("--form", type=Path, required=True)
    asking.add_argument("packets", type=Path)
    asking.add_argument("--out", type=Path, required=True)
    asking.add_argument("program", nargs="+")
    for name in ("--chats", "--further", "--places", "--planted"):
        scoring.add_argument(name, nargs=2, metavar=("PACKETS", "ANSWERS"))
    scoring.add_argument("--show", action="store_true")
    options = parser.parse_args()
    if options.verb == "chats":
        write_chats(options)
    elif options.verb == "further":
        print(write_further(options.packets, options.answers, options.out), "packets")
    elif options.verb == "places":
        print(write_places(options.data, options.out, number=options.number, seed=options.seed), "packets")
    elif options.verb == "form":
        print(choose(options.data, options.out, number=options.number, seed=options.seed), "lines")
    elif options.verb == "planted":
        print(write_planted(options.data, options.form, options.out, seed=options.seed), "packets")
    elif options.verb == "ask":
        ask(options)
    else:
        print_scores(options)


if __name__ == "__main__":
    main()
