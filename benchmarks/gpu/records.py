"""Results, a line of JSON each, which are in the file as soon as they are known.

What a check is about is written before it begins: if it never ends, or the process with it, the
file tells which it was.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

BEGUN = "begun"  # and, if this is the last that is known, not ended
RIGHT = "right"
WRONG = "wrong"  # another result than on the CPU
FAILED = "failed"  # an error
ABSENT = "absent"  # what it needs is not there
MEASURED = "measured"
TROUBLE = (WRONG, FAILED, BEGUN)


class Records:
    """The results of a stage.

    Args:
        path: of the file, to which lines are added.
        stage: its name.
    """

    def __init__(self, path: str | Path, stage: str):
        self._path = Path(path)
        self._stage = stage
        self._began = time.perf_counter()

    def begin(self, name: str) -> None:
        """A check begins."""
        self._began = time.perf_counter()
        self._write(name, BEGUN, {})

    def end(self, name: str, state: str, **figures: Any) -> None:
        """A check has ended, one of many, of which nothing is printed."""
        self._write(name, state, self._timed(figures))

    def add(self, name: str, state: str, **figures: Any) -> None:
        """A check has ended.

        Args:
            figures: numbers and texts. ``seconds`` are those since it began unless they are given.
        """
        figures = self._timed(figures)
        self._write(name, state, figures)
        shown = ", ".join(f"{key} {short(value)}" for key, value in figures.items() if value != "")
        print(f"{self._stage:>10}  {state:<8}  {name}: {shown}", flush=True)

    def _timed(self, figures: dict[str, Any]) -> dict[str, Any]:
        taken = round(time.perf_counter() - self._began, 3)
        return figures if "seconds" in figures else {**figures, "seconds": taken}

    def _write(self, name: str, state: str, figures: dict[str, Any]) -> None:
        line = {"stage": self._stage, "name": name, "state": state, **figures}
        with self._path.open("ab", buffering=0) as file:  # at once: other processes write there too
            file.write(json.dumps(line).encode() + b"\n")


def read(path: str | Path) -> list[dict[str, Any]]:
    """The last line about each check, in the order in which they began.

    A line that was cut off, since its process was ended, is left out.
    """
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for line in Path(path).read_text().splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        found[record["stage"], record["name"]] = record
    return list(found.values())


def short(value: Any) -> str:
    """A figure, as it is shown."""
    if isinstance(value, float):
        return f"{value:.4g}"
    text = str(value).strip()
    return text if len(text) <= 160 else f"{text[:157]}..."
