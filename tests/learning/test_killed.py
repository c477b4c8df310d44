"""A watcher that is ended at random moments, by any signal, loses nothing and leaves nothing half done."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest
from learning.watched import Chat, shop, until

if sys.platform != "win32":
    SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
WATCH = (sys.executable, "-m", "memsuggest", "--offline", "watch", "--mode", "eager")


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ended_at_any_moment(tmp_path: Path, home: Path) -> None:
    """Everything that was said is known once, no file is torn, no temporary one left, and the next start is clean."""
    repo, chance, log = shop(tmp_path), random.Random(7), tmp_path / "log"
    chats, said = [Chat(home, repo, number=number) for number in range(3)], list[str]()
    with log.open("a") as output:
        for asked in SIGNALS:
            begun = log.read_text().count("watching")
            with subprocess.Popen(WATCH, cwd=repo, stdout=output, stderr=output) as process:
                until(lambda begun=begun: log.read_text().count("watching") > begun)  # type: ignore[misc]
                for _ in range(3):
                    said.append(f"Hoist {len(said)} is only called from src/hoist{len(said)}.py")
                    chats[len(said) % 3].say(f"convention: {said[-1]}")
                    time.sleep(chance.random() * 0.4)
                process.send_signal(asked)
            assert process.returncode in (0, 130, -signal.SIGKILL)
            for path in home.rglob("*.db"):
                with closing(sqlite3.connect(path)) as connection:
                    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        subprocess.run([*WATCH, "--once"], cwd=repo, stdout=output, stderr=output, check=True)
    facts = json.loads((repo / ".github/memories/facts.json").read_text())["facts"]
    assert sorted(fact["content"].replace("`", "").removesuffix(".") for fact in facts) == sorted(said)
    assert not [*repo.rglob("*memsuggest-tmp*"), *home.rglob("*memsuggest-tmp*")]
    assert not [bad for bad in ("error:", "Traceback", "will retry", "disk I/O") if bad in log.read_text()]
