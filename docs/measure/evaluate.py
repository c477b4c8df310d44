"""How well a mind judges sessions with our requests: collect them, have them answered, and score the answers.

By hand; pytest collects nothing here.

    python docs/measure/evaluate.py collect FOLDER… --out REQUESTS
    python docs/measure/evaluate.py ask REQUESTS --out ANSWERS -- PROGRAM ARGUMENT…
    python docs/measure/evaluate.py score REQUESTS ANSWERS… --labels FILE… [--mutate] [--show misses false …]

An answer is a file `ID.json` with the reply to the request `ID.txt`; `ask` gets them from any program that reads the
request on stdin and prints the reply. Each folder of answers is an engine of its own in the figures. `--fold 0/2`
scores one half of the repositories: change a prompt with one half before your eyes, keep it when the other half agrees.
"""

from __future__ import annotations

import argparse
import subprocess
from collections.abc import Sequence
from pathlib import Path

from mutations import MUTATIONS, mutated
from packets import Request, read_index, sessions_in, write_requests
from replaying import Answered, disposed, read_answers
from scoring import Found, Labelled, Scored, calibration, figures, only, read_labels, score

from memsuggest.core.model import SUGGEST_FROM, Skipped, Transcript
from memsuggest.judging.asking.prices import MICROS, Usage, cost

LEVELS = (SUGGEST_FROM, 0.7, 0.8, 0.9)
SHOWN = ("misses", "false", "hits", "taken", "doubles", "dropped")
Disposed = dict[str, tuple[list[Found], list[Skipped]]]


def collect(folders: Sequence[Path], out: Path) -> None:
    """Write the requests about some folders of transcripts."""
    requests = write_requests(list(sessions_in(folders)), out)
    for one in requests:
        print(f"{one.id}  {one.tokens:6,} tokens  {len(one.parts):2} sessions  {one.prompt}")
    sessions = {part.file for request in requests for part in request.parts}
    tokens = sum(request.tokens for request in requests)
    print(f"{len(requests)} requests about {len(sessions)} sessions, {tokens:,} tokens")


def ask(requests: Path, out: Path, program: Sequence[str], *, seconds: float) -> None:
    """Have a program answer what has no answer yet."""
    out.mkdir(parents=True, exist_ok=True)
    for one in read_index(requests):
        path = out / f"{one.id}.json"
        if path.exists():
            continue
        text = (requests / f"{one.id}.txt").read_text(encoding="utf-8")
        try:
            done = subprocess.run(program, input=text, capture_output=True, text=True, timeout=seconds, check=True)
        except (subprocess.SubprocessError, OSError) as error:
            print(f"{one.id}: {error}")
            continue
        path.write_text(done.stdout, encoding="utf-8")
        print(f"{one.id}: answered")


def dispose_all(answered: Answered, sessions: dict[str, Transcript]) -> Disposed:
    """Return what the engine makes of the answers, by the name of the session's file."""
    return {
        Path(file).name: disposed(sessions[file], replies)
        for file, replies in answered.replies.items()
        if file in sessions
    }


def scored(labels: dict[str, Labelled], found: Disposed, *, least: float) -> list[Scored]:
    """Score the sessions that are labelled and answered."""
    return [score(one, found[file][0], least=least) for file, one in sorted(labels.items()) if file in found]


def print_figures(labels: dict[str, Labelled], found: Disposed) -> None:
    """Print the figures from each confidence on, and how often each confidence is right."""
    for level in LEVELS:
        now = figures(scored(labels, found, least=level))
        said, all_said = now.explicit
        print(
            f"  >= {level:.1f}  precision {now.precision:.2f}  recall {now.recall:.2f}  F1 {now.f1:.3f}  resistance"
            f" {now.resistance:.2f}  scope {now.scope:.2f}   {now.hits} of {now.facts} found, {now.wrong} wrong,"
            f" {now.taken} of {now.lines} taken in; said outright {said} of {all_said}"
        )
    rates = calibration(scored(labels, found, least=0.0))
    print("  right at  " + "  ".join(f"{sure:.2f}: {right}/{number}" for sure, number, right in rates))


def print_cost(answered: Answered, *, model: str) -> None:
    """Print what the answers cost, were they the model's."""
    micros = cost(model, Usage(input=answered.tokens, output=answered.output))
    each = micros / MICROS / max(1, len(answered.replies))
    print(
        f"  {answered.tokens:,} tokens in, {answered.output:,} out, {len(answered.replies)} sessions;"
        f" a thousand sessions ${1000 * each:.2f} ({model})"
    )


def show(labels: dict[str, Labelled], found: Disposed, wanted: Sequence[str], *, least: float) -> None:
    """List what became of labels and candidates, session by session."""
    for one in scored(labels, found, least=least):
        rows = {
            "misses": [f"missed   {label.evidence!r} ({label.content})" for label in one.missed],
            "false": [f"false    {_described(each)}" for each in one.wrong],
            "hits": [f"hit      {_described(each)} for {label.content!r}" for label, each in one.hits],
            "taken": [f"taken in {line!r}" for line in one.taken],
            "doubles": [f"double   {_described(each)}" for each in one.double],
            "dropped": [f"dropped  {each.what}: {each.why}" for each in found[one.file][1]],
        }
        listed = [row for name in wanted for row in rows[name]]
        print("\n".join([f"\n{one.file}", *(f"  {row}" for row in listed)]) if listed else "", end="")
    print()


def _described(found: Found) -> str:
    quotes = " + ".join(repr(quote) for quote in found.quotes)
    return f"{found.confidence:.2f} {found.scope:9} {found.content!r} from {quotes}"


def print_mutations(
    labels: dict[str, Labelled], requests: Sequence[Request], folder: Path, sessions: dict[str, Transcript]
) -> None:
    """Print what is lost when quotes are copied a little wrong."""
    whole = figures(scored(labels, dispose_all(read_answers(requests, folder), sessions), least=SUGGEST_FROM))
    for name in MUTATIONS:
        answered = read_answers(requests, folder, change=lambda text, name=name: mutated(text, name))  # type: ignore[misc]
        now = figures(scored(labels, dispose_all(answered, sessions), least=SUGGEST_FROM))
        print(f"  quotes {name:12} F1 {now.f1:.3f} ({now.f1 - whole.f1:+.3f})  precision {now.precision:.2f}")


def score_answers(options: argparse.Namespace) -> None:
    """Print the figures of each folder of answers."""
    requests = read_index(options.requests)
    folders = dict.fromkeys(Path(part.file) for request in requests for part in request.parts)
    sessions = {session.origin: session for session in sessions_in(folders)}
    every = [(path, only(read_labels(path), options.fold)) for path in options.labels]
    if len(every) > 1:
        every.append((Path("all labels"), {file: one for _, labels in every for file, one in labels.items()}))
    for folder in options.answers:
        answered = read_answers(requests, folder)
        found = dispose_all(answered, sessions)
        prompts = sorted({request.prompt for request in requests})
        print(f"{folder.name}, prompt {', '.join(prompts)}")
        print_cost(answered, model=options.model)
        print("".join(f"  trouble: {trouble}\n" for trouble in answered.troubles), end="")
        for path, labels in every:
            answered_to = sum(file in found for file in labels)
            print(f" {path.name}: {answered_to} of {len(labels)} labelled sessions are answered")
            print_figures(labels, found)
        if options.mutate:
            print_mutations(every[-1][1], requests, folder, sessions)
        if options.show:
            show(every[-1][1], found, options.show, least=options.least)


def _fold(text: str) -> tuple[int, int]:
    part, _, parts = text.partition("/")
    if not 0 <= int(part) < int(parts):
        raise argparse.ArgumentTypeError("a part like 0/2 or 1/2")
    return int(part), int(parts)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("collect", help="write the requests about folders of transcripts")
    one.add_argument("folders", nargs="+", type=Path)
    one.add_argument("--out", required=True, type=Path)
    one = commands.add_parser("ask", help="have a program answer the requests that have no answer yet")
    one.add_argument("requests", type=Path)
    one.add_argument("program", nargs="+")
    one.add_argument("--out", required=True, type=Path)
    one.add_argument("--seconds", type=float, default=600, help="time for each answer")
    one = commands.add_parser("score", help="score folders of answers")
    one.add_argument("requests", type=Path)
    one.add_argument("answers", nargs="+", type=Path)
    one.add_argument("--labels", nargs="+", required=True, type=Path)
    one.add_argument("--fold", type=_fold, help="a part of the repositories, such as 0/2")
    one.add_argument("--mutate", action="store_true", help="also with quotes that are copied a little wrong")
    one.add_argument("--show", nargs="+", choices=SHOWN, help="list these, session by session")
    one.add_argument("--least", type=float, default=SUGGEST_FROM, help="confidence from which they are listed")
    one.add_argument("--model", default="claude-haiku-5-5", help="whose prices count")
    return parser.parse_args()


def main() -> None:
    """Run a command."""
    options = _options()
    if options.command == "collect":
        collect(options.folders, options.out)
    elif options.command == "ask":
        ask(options.requests, options.out, options.program, seconds=options.seconds)
    else:
        score_answers(options)


if __name__ == "__main__":
    main()
