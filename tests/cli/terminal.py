"""A person at a terminal: a process on a pseudo-terminal, what it prints, and the keys that are pressed."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 60.0
"""Seconds to wait for a text or for the end; a busy machine may stop for many."""
IMPATIENCE = 3.0
"""Seconds after which Ctrl-C is pressed again."""


class Terminal:
    """A command that runs on a terminal; one at a time."""

    _zygote: subprocess.Popen[str] | None = None
    _running: Terminal | None = None

    def __init__(self, *words: str, slow: tuple[str, float] | None = None, **environ: str) -> None:
        """Start it; with `slow`, files with such an ending take so many seconds to open."""
        if Terminal._running is not None:  # a test failed before its end: its exit code must not be taken for ours
            Terminal._running._close()
            self.stop()
        Terminal._running = self
        self._master, slave = pty.openpty()
        self._slave = slave
        self.seen = ""
        self.first = ""
        """What the test keeps of it."""
        self._last = ""
        self._looked_at = 0
        request = {
            "terminal": os.ttyname(slave),
            "words": words,
            "folder": str(Path.cwd()),
            "environ": {**os.environ, **environ},
            "slow": slow,
        }
        self._server = self._started()
        assert self._server.stdin
        self._server.stdin.write(json.dumps(request) + "\n")
        self._server.stdin.flush()

    @classmethod
    def _started(cls) -> subprocess.Popen[str]:
        if cls._zygote is None or cls._zygote.poll() is not None:
            command = [sys.executable, str(Path(__file__).with_name("zygote.py"))]
            cls._zygote = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return cls._zygote

    @classmethod
    def stop(cls) -> None:
        """Let go of the process that all commands come from."""
        if cls._zygote is not None:
            cls._zygote.kill()
            for pipe in (cls._zygote.stdin, cls._zygote.stdout):
                if pipe:
                    pipe.close()
            cls._zygote.wait()  # what it started may have its pipes open, and wait for a key
            cls._zygote = None

    def expect(self, text: str) -> str:
        """Wait until a text is printed that was not looked at before; return what came up to it."""
        end = time.monotonic() + PATIENCE
        while text not in self.seen[self._looked_at :]:
            self._read(seconds=0.1)
            if time.monotonic() > end:
                self.stop()
                raise AssertionError(f"{text!r} did not come, but:\n{self.seen}")
        found = self.seen.index(text, self._looked_at) + len(text)
        before = self.seen[self._looked_at : found]
        self._looked_at = found
        return before

    def sees(self, *texts: str) -> Terminal:
        """Wait for each of these, one after the other; spaces are any white space, for lines break."""
        end = time.monotonic() + PATIENCE
        for text in texts:
            wanted = re.compile(r"\s+".join(re.escape(word) for word in text.split(" ")))
            while not (found := wanted.search(self.seen, self._looked_at)):
                self._read(seconds=0.1)
                if time.monotonic() > end:
                    self.stop()
                    raise AssertionError(f"{text!r} did not come, but:\n{self.seen[self._looked_at :]}")
            self._looked_at = found.end()
        return self

    def answer(self, line: str) -> Terminal:
        """Type a line, or keys that end one."""
        self._last = line
        os.write(self._master, line.encode())
        return self

    def press(self, key: str) -> Terminal:
        """Press a key once the command reads single keys."""
        end = time.monotonic() + PATIENCE
        while termios.tcgetattr(self._master)[3] & termios.ICANON:
            if time.monotonic() > end:
                self.stop()
                raise AssertionError(f"single keys are not read:\n{self.seen}")
            time.sleep(0.001)
        os.write(self._master, key.encode())
        return self

    def flags(self) -> int:
        """How the terminal treats lines: what is echoed, and what waits for the end of a line."""
        return int(termios.tcgetattr(self._slave)[3])

    def end(self, *, code: int = 0, check: Callable[[], bool] = lambda: True) -> str:
        """Wait for the end; assert its exit code, and what else is to be; return all that was printed."""
        answers = self._server.stdout
        assert answers
        end = time.monotonic() + PATIENCE
        again = time.monotonic() + IMPATIENCE
        while not select.select([answers], [], [], 0)[0]:
            if self._last == "\x03" and time.monotonic() > again:
                # A signal just before Python waits for a line is noticed with the next key; people press it again.
                again = time.monotonic() + IMPATIENCE
                os.write(self._master, b"\x03")
            if time.monotonic() > end:
                self.stop()  # or every later command would wait behind this one
                raise AssertionError(f"it does not end:\n{self.seen}")
            self._read(seconds=0.02)
        returned = int(answers.readline())
        while self._read(seconds=0):
            pass
        assert check(), f"not as it should be:\n{self.seen}"
        self._close()
        assert returned == code, f"exit {returned}:\n{self.seen}"
        assert "\nTraceback (most" not in f"\n{self.seen}", self.seen  # one at the beginning of a line
        return self.seen

    def _close(self) -> None:
        """Hang up; a command that still runs there ends."""
        os.close(self._slave)
        os.close(self._master)
        Terminal._running = None

    def _read(self, *, seconds: float) -> bool:
        """Take in what was printed; False when nothing came for so long."""
        if not select.select([self._master], [], [], seconds)[0]:
            return False
        self.seen += os.read(self._master, 65536).decode(errors="replace").replace("\r\n", "\n")
        return True
