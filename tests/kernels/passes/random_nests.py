"""Random nests of counted loops over elements, rows and columns: with dependences of any direction,
triangles, steps backwards, and no trips at all."""

from __future__ import annotations

import linecache
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

N = 9  # rows and columns


class Nest:
    """A program, and its arguments.

    Attributes:
        function: of three matrices and a vector, which it changes copies of and returns.
        text: its source.
        exact: whether it leaves the order of no sum open.
    """

    def __init__(self, seed: int, of_any_length: bool = False):
        """Write a program.

        Args:
            of_any_length: whether it has as many trips as there are rows, rather than numbers.
        """
        self.random = Random(seed)
        self.seed = seed
        self.lines: list[str] = []
        self.exact = True
        self.n = "n" if of_any_length else str(N)
        self.last = "n - 1" if of_any_length else str(N - 1)
        for _ in range(self.random.randint(1, 2)):
            self.loop(1, [])
        body = "\n".join(self.lines)
        copies = "    a, b, c, x = a.copy(), b.copy(), c.copy(), x.copy()\n"
        given = "    n = len(a)\n" if of_any_length else ""
        self.text = f"def nest(a, b, c, x, n):\n{given}{copies}{body}\n    return a, b, c, x\n"
        name = f"<nest {seed} {self.n}>"
        linecache.cache[name] = (len(self.text), None, self.text.splitlines(keepends=True), name)
        namespace: dict[str, Any] = {"np": np}
        exec(compile(self.text, name, "exec"), namespace)
        self.function: Callable = namespace["nest"]
        self.dtype = self.random.choice(["f8", "f8", "f4", "i8"])
        self.arguments = self.arguments_of(N, N)

    def arguments_of(self, rows: int, columns: int) -> tuple:
        """Arguments of some shape."""
        rng = np.random.default_rng(self.seed)
        arrays = [rng.integers(-8, 9, size=(rows, columns)).astype(self.dtype) for _ in range(3)]
        if self.dtype != "i8":
            arrays = [x + rng.random(x.shape).astype(self.dtype) for x in arrays]
        x = arrays[0][3] if rows > 3 else np.arange(columns).astype(self.dtype)
        return (*arrays, x.copy(), N)

    def add(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def loop(self, depth: int, indices: list[str]) -> None:
        """A loop, and what is in it."""
        index = "ijk"[len(indices)]
        outer = self.random.choice(indices) if indices else None
        n, last = self.n, self.last
        ranges = [f"range({n})", "range(n)", f"range(1, {last})", f"range({last}, -1, -1)"]
        ranges += [f"range({self.random.choice([0, 2, 5])})"]
        if outer:
            ranges += [f"range({outer})", f"range({outer} + 1, {n})", f"range({outer}, {n})"] * 2
        self.add(depth, f"for {index} in {self.random.choice(ranges)}:")
        inner = [*indices, index]
        total = self.random.random() < 0.2
        if total:
            self.add(depth + 1, f"total{depth} = x[0]")
        for _ in range(self.random.choice([0, 0, 1])):
            self.statement(depth + 1, inner)
        if len(inner) < 3 and (len(inner) < 2 or self.random.random() < 0.7):
            self.loop(depth + 1, inner)
        else:
            self.statement(depth + 1, inner)
        if total:
            self.add(depth + 1, f"total{depth} = total{depth} + {self.element(inner)}")
            self.add(depth + 1, f"x[{self.index(inner)}] = total{depth}")
        if self.random.random() < 0.3:
            self.statement(depth + 1, inner)

    def index(self, indices: list[str]) -> str:
        index = self.random.choice(indices)
        return self.random.choice([index] * 6 + [f"{index} - 1", f"{self.last} - {index}", "2"])

    def element(self, indices: list[str]) -> str:
        if self.random.random() < 0.15:
            return f"x[{self.index(indices)}]"
        return f"{self.random.choice('abc')}[{self.index(indices)}, {self.index(indices)}]"

    def statement(self, depth: int, indices: list[str]) -> None:
        r = self.random
        kind = r.random()
        one, two = self.element(indices), self.element(indices)
        if kind < 0.65:
            target = self.element(indices)
            value = r.choice([f"{one} * 0.5", f"{one} - {two}", f"x[{self.index(indices)}]"])
            if r.random() < 0.7:
                value = f"{target} {r.choice('+-')} {value}"
            self.add(depth, f"{target} = {value}")
        elif kind < 0.75:
            self.add(depth, f"if {one} > {two}:")
            self.add(depth + 1, f"{self.element(indices)} = {two}")
        elif kind < 0.8:
            i, j = self.index(indices), self.index(indices)
            whole = [f"a + a[{i}]", f"np.minimum(a, a[:, {i}][:, None] + a[{j}])", "a + a[::-1]"]
            whole += [
                f"a - np.outer(b[{i}], a[{j}])",
                "a.T - b",
                f"a + a[{i}, {j}]",
                "a - a[:, ::-1]",
            ]
            self.add(depth, r.choice([f"a = {r.choice(whole)}", f"a[:] = {r.choice(whole)}"]))
            if r.random() < 0.5:
                self.add(depth, f"a[1:, :-1] = a[:-1, 1:] - a[{i}, 1:] + a[1:, {j}][:, None]")
        elif kind < 0.9:
            row = r.choice(["a[{0}]", "b[:, {0}]", "c[{0}, 1:-1]"]).format(self.index(indices))
            other = "b[{0}]" if "1:-1" not in row else "b[{0}, :-2]"
            other = other.format(self.index(indices))
            self.add(depth, f"{row} = {row} {r.choice('+-')} {one} * {other}")
        else:
            self.exact = False
            rows = r.choice(["a[:, {0}], b[:, {1}]", "a[{0}], b[:, {1}]", "c[{0}], c[{1}]"])
            given = rows.format(self.index(indices), self.index(indices))
            self.add(depth, f"{self.element(indices)} = np.dot({given}) * 0.01")
