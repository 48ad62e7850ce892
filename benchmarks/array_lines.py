"""Straight array code of any length, as somebody might write it: no loop, no branch."""

from __future__ import annotations

import random

import numpy as np


def text(lines: int) -> str:
    """The source of ``f(x, y, w)``, of vectors and a square matrix, with so many lines."""
    choose = random.Random(0)
    names = ["a", "b", "c", "d"]
    made = ["a = x * 2.0", "b = y + 1.0", "c = a - b", "d = x", "s = 0.5"]
    while len(made) < lines - 2:
        target, p, q = (choose.choice(names) for _ in range(3))
        c = round(choose.uniform(0.1, 0.9), 3)
        made.append(
            choose.choice(
                [
                    f"{target} = np.tanh({p} * {c} + {q})",
                    f"s = s + np.sum({p} * {q}) * {c}",
                    f"{target} = np.where({p} > {q}, {p} * {c}, {q})",
                    f"{target} = np.sin({p}) * {c} + np.cos({q})",
                    f"{target} = {p} + np.concatenate(({q}[1:], {q}[:1])) * {c}",
                    f"{target} = ({p} - np.mean({p})) / (1.0 + {q} * {q})",
                    f"{target} = np.tanh(w @ {p})",
                    f"{target} = np.exp(-{p} * {p}) + {c} * {q}",
                    f"{target} = {p} * s / (1.0 + abs(s)) + {q}",
                ]
            )
        )
    made.append("return s + np.sum(a) + np.sum(b * c) + np.sum(d)")
    body = "".join(f"    {line}\n" for line in made)
    return f"import numpy as np\n\n\ndef f(x, y, w):\n{body}"


def arguments() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Arguments of such a function."""
    rng = np.random.default_rng(0)
    return rng.normal(size=20), rng.normal(size=20), rng.normal(size=(20, 20)) / 5
