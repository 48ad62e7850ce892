"""The programs of the other tests."""

from __future__ import annotations

import importlib
import sys
from collections import Counter
from pathlib import Path

from oracle import Call, Programs

TESTS = Path(__file__).parents[1]


def all_calls() -> dict[str, Call]:
    """Every call of a `Programs` of `tests/language` and `tests/api`, by file, function and number.

    Other programs that come or go do not change these names.
    """
    found: dict[str, Call] = {}
    counts: Counter = Counter()
    for folder in ("language", "api"):
        for file in sorted((TESTS / folder).glob("test_*.py")):
            if "Programs()" not in file.read_text():
                continue
            for programs in vars(imported(file)).values():
                if isinstance(programs, Programs):
                    for call in programs.calls():
                        name = f"{file.stem.removeprefix('test_')}.{call.function.__name__}"
                        counts[name] += 1
                        found[f"{name}-{counts[name]}"] = call
    return found


def imported(file: Path):
    """The module, by the name that pytest gives it as well."""
    before = list(sys.path)
    sys.path.insert(0, str(file.parent))
    try:
        return importlib.import_module(file.stem)
    finally:
        sys.path[:] = before
