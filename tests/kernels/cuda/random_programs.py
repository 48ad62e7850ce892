"""Programs of random lines, some of them in a loop or a branch."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np


def text(
    rng: random.Random, head: Sequence[str], maps: Sequence[str], around: Sequence[str], end: str
) -> str:
    """A function ``f``.

    Args:
        head: its first lines.
        maps: lines of which some follow.
        around: the heads of loops and branches in which these may stand.
        end: what it returns.
    """
    lines = [head[0], *(f"    {line}" for line in head[1:])]
    for _ in range(rng.randint(2, 4)):
        indent = "    "
        if rng.random() < 0.65:
            lines.append(indent + rng.choice(around))
            indent += "    "
        lines += [indent + rng.choice(maps) for _ in range(rng.randint(1, 3))]
    return "\n".join([*lines, f"    return {end}"])


def loaded(program: str, folder: Path) -> Callable[..., Any]:
    """The function of a program, with its source in a file."""
    path = folder / "program.py"
    path.write_text(program)
    space: dict[str, Any] = {"np": np}
    exec(compile(program, str(path), "exec"), space)
    return space["f"]
