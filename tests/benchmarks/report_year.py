"""How long a year's report takes and how large it is. Run: `python tests/benchmarks/report_year.py [FOLDER]`."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from year_kit import Year, lay_out_year


def main() -> None:
    """Make the year, then its report: first with everything to be found out, then again."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp())
    begun = time.perf_counter()
    repo = folder / "shop"
    if not repo.exists():
        lay_out_year(folder, Year())
        print(f"laid out in {time.perf_counter() - begun:.1f} s: {folder}")
    environ = {**os.environ, "HOME": str(folder / "home")}
    for name in list(environ):
        if name.startswith(("XDG_", "MEMSUGGEST_", "CLAUDE_", "CODEX_", "COPILOT_")):
            del environ[name]
    for turn in ("first", "again", "again", "team"):
        out = folder / f"{'team' if turn == 'team' else 'report'}.html"
        begun = time.perf_counter()
        command = [sys.executable, "-m", "memsuggest", "--repo", str(repo), "-q", "report", "--out", str(out)]
        subprocess.run([*command, *(["--team"] if turn == "team" else [])], check=True, env=environ)
        print(f"{turn}: {time.perf_counter() - begun:.1f} s, {out.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
