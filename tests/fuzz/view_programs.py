"""Random programs that change arrays known under several names: views, swaps and other rebinding,
in loops and branches.

All variables are arrays of four numbers, so that each may take the place of any other. Numbers are
only added and multiplied by constants: what a program computes is affine in its arguments, as long
as it takes the same paths.
"""

from __future__ import annotations

from random import Random

import numpy as np

PARAMETERS = ("s", "t", "w", "g", "n")
FUNCTIONS = """
class Pair:
    pass


def change(v, g):
    v[1] += g
    return v


def turned(v, u, n):
    if n <= 0:
        return v
    v[n % 4] += 0.5
    return turned(u, v, n - 1)


def halved(v, n):
    if n > 1:
        return halved(v, n - 1)
    return v if n > 0 else v * 0.5


def largest(v, u, n):
    while n > 0:
        v, u = u, v[:]
        n -= 1
    v[0] -= 1.0
    return u
"""
START = """    r, e, m = g, np.array(g), None
    z = np.array(g * 2.0)
"""
CALLS = ((0.75, 1), (-1.25, 2), (0.5, 3), (1.5, 0))


def arguments() -> list[tuple]:
    """Those that a program is called with: two arrays, a matrix of two rows, a float, an int."""
    rows = np.array([[2.0, -3.0, 0.5, 7.0], [-1.5, 4.0, 6.0, -0.25]])
    return [(np.arange(4.0) + g, 3.0 - np.arange(4.0), rows * g, g, n) for g, n in CALLS]


class Writer:
    """Writes one program.

    Attributes:
        lines: so far.
        names: of the arrays that are bound where the next line stands.
    """

    def __init__(self, random: Random):
        self.random = random
        self.lines: list[str] = []
        self.names = ["s", "t"]
        self.count = 0
        self.depth = 0
        self.indices: list[str] = []

    def program(self, size: int) -> str:
        """The text of a function ``program``, and of ``loss``, which is a float."""
        for _ in range(3):
            self.bind(self.source())
        while size > 0:
            size -= self.statement()
        own = self.names[2:]
        results = self.random.sample(own, self.random.randint(1, min(3, len(own))))
        if self.random.random() < 0.2:
            results.append(self.random.choice(["s", "t", "w", "w[1]", "s[1:3]"]))
        results += [x for x in ("r", "float(e)", "float(z)") if self.random.random() < 0.3]
        body = "\n".join(self.lines)
        given = ", ".join(PARAMETERS)
        total = " + ".join(f"{x} @ c * {i + 1.0}" for i, x in enumerate([*self.names, "w[0]"]))
        return (
            "import numpy as np\n\n\n"
            f"{FUNCTIONS}\n\n"
            f"def program({given}):\n{START}{body}\n    return {', '.join(results)}\n\n\n"
            f"def loss({given}):\n{START}"
            "    s, t, w, c = s * g, t + g, w * g, np.arange(1.0, 5.0)\n"
            f"{body}\n    return r + e + z * 2.0 + {total}\n"
        )

    def line(self, text: str) -> None:
        self.lines.append("    " * (self.depth + 1) + text)

    def pick(self) -> str:
        return self.random.choice([*self.names, *self.names[2:]])

    def own(self) -> str:
        return self.random.choice(self.names[2:])

    def bind(self, source: str) -> None:
        if self.depth == 0 and len(self.names) < 6:
            self.count += 1
            self.names.append(f"x{self.count}")
            self.line(f"x{self.count} = {source}")
        else:
            self.line(f"{self.own()} = {source}")

    # -- expressions -------------------------------------------------------------------------------

    def source(self) -> str:
        """An array: another name of one, a view, or a new one."""
        x, y = self.pick(), self.pick()
        return self.random.choice(
            [
                x,
                *(f"{x}[:]", f"{x}[::-1]", f"{x}.T", f"{x}[...]", f"{x}.reshape(4)"),
                *("w[0]", "w[-1]", f"w[{self.position()} % 2]", "w.T[:, 1]", "w[:, ::-1][0]"),
                *(f"{x} * 0.5", f"{x} + {y}", f"{x}.copy()", f"np.roll({x}, 1)", f"w[0] - {y}"),
                *(f"change({x}, g)", f"turned({x}, {y}, n)", f"largest({x}, {y}, n)"),
                *(f"halved({x}, n)", "m if m is not None else w[0]"),
                f"({x} if {self.condition()} else {y})",
                f"({x}[:] if {self.condition()} else {y} * 2.0)",
            ]
        )

    def position(self) -> str:
        return self.random.choice(["n", "0", *self.indices, *self.indices])

    def number(self) -> str:
        x = self.pick()
        return self.random.choice(
            [f"{x}[{self.position()} % 4] * 0.5", f"{x}[-1] + 1.0", "g", "2.0", "r * 0.25"]
            + [f"{x}[1:3].sum() * 0.5", f"float({self.position()})"]
        )

    def condition(self) -> str:
        p = self.position()
        return self.random.choice(
            [f"{p} > 1", f"{p} % 2 == 0", f"n > {self.random.randint(0, 2)}", "n != 2"]
            + [f"{self.pick()}[0] > g", "r > 0.5"]
        )

    # -- statements --------------------------------------------------------------------------------

    def statement(self) -> int:
        """Write one; returns its size."""
        simple = [self.rebind, self.change, self.change, self.swap, self.swap, self.read]
        if self.random.random() < 0.1:
            simple = [self.without_axes, self.perhaps_none, self.in_list, self.in_object]
        compound = [self.branch, self.counted, self.counted, self.repeated, self.rows]
        kinds = simple * 2 + compound * (1 if self.depth else 2)
        return self.random.choice(kinds if self.depth < 2 else simple)() or 1

    def rebind(self) -> None:
        self.bind(self.source())

    def read(self) -> None:
        self.line(f"r = r * 0.5 + {self.number()}")

    def change(self) -> None:
        x, y = self.pick(), self.pick()
        self.line(
            self.random.choice(
                [
                    *[f"{x}[{self.position()} % 4] = {self.number()}"] * 3,
                    *[f"{x}[{self.position()} % 4] += {self.number()}"] * 2,
                    *(f"{x} += {self.number()}", f"{x} *= 0.5", f"{x} -= {y}"),
                    *(f"{x}[1:3] = {y}[:2]", f"{x}[:] = {y}", f"{x}[::2] += {y}[2:]"),
                    *(f"np.add({x}, 1.0, out={x})", f"np.multiply({y}, 0.5, out={x})"),
                    f"np.add.at({x}, [0, 2, 0], g)",
                    *(f"{x}[1:].T[0] -= g", f"change({x}, g)", f"w[0] += {x}", "w *= 0.5"),
                    *(f"np.subtract({x}[1:], {y}[:3], out={x}[1:])", f"{x}[{x} > g] = 0.25"),
                ]
            )
        )

    def swap(self) -> None:
        own = self.names[2:]
        x, y, z = self.random.sample(own, 3) if len(own) > 2 else [*own, *own, *own][:3]
        kind = self.random.choice(["two", "two", "three", "list", "dict", "tuple", "view", "turn"])
        if kind == "two":
            self.line(f"{x}, {y} = {y}, {x}")
        elif kind == "three":
            self.line(f"{x}, {y}, {z} = {y}, {z}, {x}")
        elif kind == "list":
            self.line(f"p = [{x}, {y}]")
            self.line(self.random.choice(["p[0], p[1] = p[1], p[0]", "p = p[::-1]", "p.reverse()"]))
            self.line(self.random.choice([f"{x}, {y} = p", f"{z} = p[0]", "p[0][0] = g"]))
        elif kind == "dict":
            self.line(f"d = {{'x': {x}, 'y': {y}}}")
            self.line("d['x'], d['y'] = d['y'], d['x']")
            self.line(self.random.choice([f"{x}, {y} = d['x'], d['y']", "d['x'] += g"]))
        elif kind == "tuple":
            self.line(f"q = ({x}, {y})")
            self.line(f"{y}, {z} = q")
        elif kind == "view":
            self.line(f"{x}, {y} = {y}[:], {x}")
        else:
            self.line(f"{x}, {y} = {y}[::-1], {x}[::-1]")

    def without_axes(self) -> None:
        self.line(
            self.random.choice(
                ["e, z = z, e", "e = z", "e = e[...]", "e = np.array(r)", "e[...] = g", "z.fill(r)"]
                + [
                    "z = z * 0.5",
                    "np.add(e, 1.0, out=e)",
                    "e[()] = z",
                    f"r = r - {self.own()}[0] * e",
                ]
            )
        )

    def perhaps_none(self) -> None:
        x = self.own()
        self.line(
            self.random.choice(
                [f"m = {x}", f"m = {x}[:]", "m = None", "if m is not None: m[1] += g"]
                + [f"if m is not None: {x} = m", f"m = {x} if {self.condition()} else None"]
                + ["if m is not None: r = r - m[0]"]
            )
        )

    def in_list(self) -> None:
        x, y = self.own(), self.pick()
        self.line(f"h = [{x}]")
        self.line(f"for _ in range({self.random.choice(['n', '2'])}):")
        self.line(f"    h.append({self.random.choice([x, y, y + ' * 0.5'])})")
        self.line(
            self.random.choice([f"{y}[0] = g", f"{x} += 1.0", "h[0][0] = 2.0", f"{y} = h[0]"])
        )
        self.line("r = r * 0.5 + h[-1][0] - h[0][1]")

    def in_object(self) -> None:
        x, y = self.own(), self.pick()
        self.line("o = Pair()")
        self.line(f"o.a, o.b = {x}, {y}")
        self.line(f"for _ in range({self.random.choice(['n', '2'])}):")
        self.line(f"    {self.random.choice(['o.a, o.b = o.b, o.a', 'o.a = o.b', 'o.b = o.a[:]'])}")
        self.line(self.random.choice(["o.a[0] = g", f"{x} = o.b", "o.b += 1.0"]))
        self.line("r = r * 0.5 + o.a[0]")

    # -- control flow ------------------------------------------------------------------------------

    def body(self, size: int) -> None:
        self.depth += 1
        while size > 0:
            size -= self.statement()
        self.depth -= 1

    def branch(self) -> int:
        self.line(f"if {self.condition()}:")
        self.body(self.random.randint(1, 2))
        if self.random.random() < 0.5:
            self.line("else:")
            self.body(self.random.randint(1, 2))
        return 3

    def counted(self) -> int:
        self.count += 1
        index = f"i{self.count}"
        self.line(f"for {index} in range({self.random.choice(['n', 'n', '3', 'n + 1'])}):")
        self.indices.append(index)
        self.leave()
        self.body(self.random.randint(1, 3))
        self.indices.pop()
        return 4

    def repeated(self) -> int:
        self.count += 1
        index = f"k{self.count}"
        self.line(f"{index} = 0")
        self.line(f"while {index} < n:")
        self.line(f"    {index} += 1")
        self.indices.append(index)
        self.leave()
        self.body(self.random.randint(1, 3))
        self.indices.pop()
        return 4

    def rows(self) -> int:
        self.line("for row in w:")
        self.depth += 1
        self.line(
            self.random.choice(["row[0] += g", f"row += {self.pick()}", f"{self.own()} = row"])
        )
        self.depth -= 1
        self.body(1)
        return 3

    def leave(self) -> None:
        if self.random.random() < 0.2:
            self.line(f"    if {self.condition()}:")
            self.line(f"        {self.random.choice(['break', 'continue'])}")
