"""The programs of the other tests."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Sequence

from tests.support.oracle import Call, Programs
from tests.support.tree import ROOT

FOLDERS = ("tests/language", "tests/staging", "tests/api")


def all_calls(folders: Sequence[str] = FOLDERS) -> dict[str, Call]:
    """Every call of a `Programs` of some folders, by file, function and number.

    Other programs that come or go do not change these names.
    """
    found: dict[str, Call] = {}
    counts: Counter = Counter()
    for folder in folders:
        for file in sorted((ROOT / folder).rglob("test_*.py")):
            if "Programs()" not in file.read_text():
                continue
            name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
            for programs in vars(importlib.import_module(name)).values():
                if isinstance(programs, Programs):
                    for call in programs.calls():
                        name = f"{file.stem.removeprefix('test_')}.{call.function.__name__}"
                        counts[name] += 1
                        found[f"{name}-{counts[name]}"] = call
    return found
