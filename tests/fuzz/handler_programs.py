"""Random programs with ``try`` statements around what may fail when they run."""

from __future__ import annotations

from random import Random

import numpy as np

START = """import math
import numpy as np


def inner(v, n):
    return n / (v - 1.0)


def program(x, y, a, n):
    u, w = x * 2.0, y - 1.0
"""
KINDS = (
    *("ZeroDivisionError", "ZeroDivisionError", "(ZeroDivisionError, ValueError)", "IndexError"),
    *("Exception", "ValueError", "OverflowError", "ArithmeticError", "np.linalg.LinAlgError"),
    "KeyError",
)
HANDLERS = ("u = u * 0.5 + 1.0", "w = -7.0", "return u, w, -1.0", "u, w = w, u")


def arguments() -> list[tuple]:
    """Those that a program is called with: two floats, an array of three, an int."""
    return [
        (1.0, 2.0, np.array([1.0, 0.0, 2.0]), 0),
        (0.0, 1.0, np.array([0.5, -1.0, 2.0]), 2),
        (-1.0, 0.0, np.array([0.0, 3.0, 2.0]), 1),
        (0.5, 0.25, np.array([1.0, 0.0, 2.0]), 3),
    ]


class Writer:
    """Writes one program.

    Attributes:
        lines: so far.
    """

    def __init__(self, random: Random):
        self.random = random
        self.lines: list[str] = []

    def program(self) -> str:
        self.block(1, 0)
        return START + "\n".join([*self.lines, "    return u, w, 1.0", ""])

    def line(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def value(self) -> str:
        v, w = self.random.choices("xyuw", k=2)
        return self.random.choice(
            [
                *(f"1 / {v}", f"{v} / ({w} - {self.random.choice(['1.0', '2.0', '0.5'])})"),
                *(f"float(a[n]) * {v}", f"0.5 / {v} + float(a[n])", f"float(a[n + 1]) + 1 / {v}"),
                *(f"math.sqrt({v})", f"math.log({v}) + 1 / {w}", f"math.exp({v} * 200)"),
                *(f"float(int({v} * 3))", "float(n // (n - 2))", f"{v} + 1.5", f"inner({v}, n)"),
                *(f"float(np.linalg.inv(a[:1, None] * {v})[0, 0])", f"{v} % {w}", f"{v} ** -1.0"),
            ]
        )

    def block(self, depth: int, inside: int) -> None:
        for _ in range(self.random.randint(1, 2)):
            kind = self.random.random()
            if kind < 0.6 or inside > 1:
                self.attempt(depth, inside)
            else:
                loops = [f"for i in range({self.random.choice(['n', '3'])}):"]
                branches = [f"if {self.random.choice(['u > w', 'n > 1', 'x > 0.5'])}:"]
                self.line(depth, (loops if kind < 0.8 else branches)[0])
                self.block(depth + 1, inside + 1)

    def attempt(self, depth: int, inside: int) -> None:
        self.line(depth, "try:")
        for _ in range(self.random.choice([1, 1, 1, 2, 3])):
            operator = self.random.choice(["=", "=", "+="])
            self.line(depth + 1, f"{self.random.choice('uw')} {operator} {self.value()}")
        self.line(depth, f"except {self.random.choice(KINDS)}:")
        if inside < 1 and self.random.random() < 0.2:
            self.block(depth + 1, inside + 2)
        else:
            self.line(depth + 1, self.random.choice(HANDLERS))
        if self.random.random() < 0.2:
            self.line(depth, "else:")
            self.line(depth + 1, "u = u + 0.25")
        if self.random.random() < 0.15:
            self.line(depth, "finally:")
            self.line(depth + 1, "w = w + 0.125")
