"""How long the first run over many chats takes.

    python tests/benchmarks/cold.py [--transcripts N]

Chats as people have them: a dozen prompts with a log, a list or a snippet now and then, one lasting sentence in some,
an answer and a tool's output after each. Prints seconds of the processor.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from pathlib import Path

from runs import Place, seconds
from sessions import code, prose, record, reply

THINGS = ("ledger", "parser", "mailer", "router", "cache", "importer", "exporter", "scheduler", "renderer", "indexer")
TASKS = (
    "can you look at src/{0}/{1}.py and tell me what the {0} returns for an empty list",
    "the {0} page is broken again, the button {1} is a little too high on a small screen",
    "please add a test for the {0} and the {1}, and run it",
    "rename {0}_{1} to {1}_{0} and update the docs",
    "commit that, then look at the {1} of the {0} once more",
    "hm, that does not work. The {0} still fails, see the log of the {1}",
    "go on",
)
LASTING = (
    "always use pnpm for the {0}, never npm",
    "from now on never mock the {1} in tests of the {0}",
    "the {0} is only called from src/{0}/{1}.py",
    "we keep the {0} free of the {1}: it is shared with another team",
    "remember: the {0} is deployed on Mondays with make {1}",
)


def prompt(chance: random.Random, number: int) -> str:
    """What a person types: a task, sometimes with what they pasted or with something lasting."""
    words = (chance.choice(THINGS), f"{chance.choice(THINGS)}{number % 4}")
    text = chance.choice(TASKS).format(*words)
    kind = chance.random()
    if kind < 0.01:
        return f"{text}. {LASTING[number % len(LASTING)].format(*words)}."
    if kind < 0.11:
        log = "\n".join(f'  File "/work/{words[0]}/{line}.py", line {line}, in {words[1]}' for line in range(8))
        return f"{text}\n\nTraceback (most recent call last):\n{log}\nKeyError: '{words[1]}'"
    return text


def chat(number: int, root: Path) -> str:
    """One chat, written down as Claude Code does."""
    chance = random.Random(number)
    lines = []
    for step in range(0, 4 * chance.randrange(4, 20), 4):
        at = number * 1000 + step
        output = [{"type": "tool_result", "tool_use_id": f"t{at}", "content": code(chance, 30)}]
        asked = {"type": "tool_use", "id": f"t{at}", "name": "Read", "input": {"file_path": "src/a.py"}}
        lines += [
            record("user", at, message={"role": "user", "content": prompt(chance, number)}),
            reply(at + 1, asked),
            record("user", at + 2, message={"role": "user", "content": output}),
            reply(at + 3, {"type": "text", "text": f"I changed it: {prose(chance, 40)}."}),
        ]
    return "".join(json.dumps(line | {"cwd": str(root), "sessionId": f"chat-{number}"}) + "\n" for line in lines)


def lay_out(folder: Path, count: int) -> Place:
    place = Place(folder)
    for number in range(count):
        (place.chats / f"{number:06}.jsonl").write_text(chat(number, place.root))
    return place


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--transcripts", type=int, default=10_000)
    count = parser.parse_args().transcripts
    with tempfile.TemporaryDirectory() as folder:
        work = seconds(lay_out(Path(folder), count).run)
    sys.stdout.write(f"{work:7.2f} s, {1000 * work / count:6.2f} ms a chat\n")


if __name__ == "__main__":
    main()
