"""Text of random functions of an array, an int and a float, with structured control flow.

The variables keep their kinds, so that the functions seldom fail:

    i j n, a        ints (k: not defined on every path)
    g h, f          floats, now and then ints (p: not defined on every path)
    y z, x          arrays of three floats; v: of two; m: of three ints

Values stay small: what grows is wrapped in `%`, `np.sin` or `np.tanh`.
"""

from random import Random

HEADER = '''
import numpy as np


def clipped(t, low=-1.0):
    if t < low:
        return low
    elif t > 1.0:
        t = 1.0
    return t


def nested_sine(t, depth):
    if depth <= 0:
        return t
    return np.sin(t + nested_sine(t * 0.5, depth - 1))


def parity(count):
    return 0 if count <= 0 else 1 - parity(count - 1)


def fill(array, first, value):
    """Changes its argument, by recursion."""
    if first < 3:
        array[first] += value
        fill(array, first + 1, value * 0.5)


def first_above(array, bound):
    for position, t in enumerate(array):
        if t > bound:
            return position
    return -1


def exchanged(s, t):
    return t, s


def program(x, a, f):
    i, j, n = a % 3, 1, 0
    g, h = f, 0.5
    y, z, v, m = x * 0.5, np.ones(3), x[1:], np.arange(3)
    if a > 0:
        k, p = 1, 0.5
'''

FOOTER = """

def loss(x, a, f):
    array, number, count = program(x, a, f)
    return np.sum(np.sin(array)) + np.tanh(number) * 2.0 + np.sum(x) * 0.5 + count * 0.0
"""


class Writer:
    """Writes one random function.

    Args:
        random: makes the choices.
        size: how many statements it may write.
    """

    def __init__(self, random: Random, size: int = 14):
        self.random = random
        self.size = size
        self.counters = 0

    def text(self) -> str:
        body = []
        while self.size > 0:
            body += self.statement(3, False)
        return HEADER + "\n".join(indented([*body, self.exit("return")])) + "\n" + FOOTER

    def one_of(self, *choices: str) -> str:
        return self.random.choice(choices)

    def rarely(self) -> bool:
        return self.random.randrange(12) == 0

    # -- expressions ------------------------------------------------------------------------------

    def int_name(self) -> str:
        return "k" if self.rarely() else self.one_of("i", "j", "n", "a")

    def float_name(self) -> str:
        return "p" if self.rarely() else self.one_of("g", "h", "f")

    def array_name(self) -> str:
        return self.one_of("x", "y", "z")

    def index(self) -> str:
        """An index of an array of three elements; it is seldom out of range."""
        if self.rarely():
            return self.int_name()
        return self.one_of("0", "1", "-1", f"{self.int_name()} % 3", f"{self.int_name()} % 3 - 3")

    def int(self) -> str:
        a, b = self.int_name(), self.int_name()
        if self.rarely():
            return self.one_of(f"{a} // {b} % 5", f"{a} % {b}", f"int({self.float_name()} * 2.0)")
        return self.one_of(
            a,
            self.one_of("0", "1", "2"),
            f"({a} + {b}) % 7",
            f"({a} * {b} - 3) % 5",
            f"-{a} % 4",
            f"({a} if {self.condition()} else {b})",
            f"min({a}, {b})",
            f"parity({a})",
            f"first_above({self.array_name()}, {self.float_name()})",
            f"({a} and {b})",
            f"({a} or 2)",
            f"len({self.array_name()})",
            f"int({self.comparison()})",
        )

    def float(self) -> str:
        a, b, x = self.float_name(), self.float_name(), self.array_name()
        if self.rarely():
            return self.one_of("1", "-2", self.int_name())
        return self.one_of(
            a,
            "0.25",
            f"np.sin({a} + {b})",
            f"np.tanh({a} * {b})",
            f"{a} * 0.5 - {self.int_name()} % 3",
            f"np.cos({a}) * {x}[{self.index()}]",
            f"{x}[{self.index()}]",
            f"np.sin(np.sum({x}))",
            f"({a} if {self.condition()} else {b})",
            f"max({a}, {b})",
            f"abs({a})",
            f"clipped({a})",
            f"clipped({a}, low={b})",
            f"nested_sine({a}, {self.int_name()} % 4)",
            f"{a} / (1.0 + {b} * {b})",
        )

    def array(self) -> str:
        x, y, g = self.array_name(), self.array_name(), self.float_name()
        return self.one_of(
            x,
            f"{x}.copy()",
            f"np.tanh({x} + {y})",
            f"{x} * {g} - np.sin({y})",
            f"np.where({x} > {g}, {x}, 0.0)",
            f"{x}[::-1]",
            f"{x} + m * {g}",
            f"({x} if {self.condition()} else {y})",
            f"np.array([{g}, 0.5, {self.float_name()}])",
            "np.zeros(3)",
        )

    def comparison(self) -> str:
        a, b, g, h = self.int_name(), self.int_name(), self.float_name(), self.float_name()
        return self.one_of(
            f"{a} > {self.random.randrange(3)}",
            f"{a} % 2 == {self.random.randrange(2)}",
            f"{a} != {b}",
            f"{g} < {h}",
            f"{g} > 0.3",
            f"-1 < {g} <= {h}",
            f"0 <= {a} < {b} + 2",
            f"{self.array_name()}[{self.index()}] > {g}",
            f"np.any({self.array_name()} > {g})",
        )

    def condition(self) -> str:
        first, second = self.comparison(), self.comparison()
        return self.one_of(
            first,
            first,
            f"not {first}",
            f"{first} and {second}",
            f"{first} or {second}",
            f"not ({first} or not {second})",
            self.int_name(),
        )

    # -- statements -------------------------------------------------------------------------------

    def statement(self, depth: int, in_loop: bool) -> list[str]:
        self.size -= 1
        simple = [self.assign, self.assign, self.assign, self.augment, self.change, self.exchange]
        compound = [self.choose, self.choose, self.repeat, self.count, self.walk]
        kind = self.random.choice(simple + compound if depth and self.size > 0 else simple)
        if kind in compound:
            return kind(depth - 1, in_loop)
        if self.random.randrange(9) == 0:
            return [self.leave(in_loop)]
        return kind()

    def block(self, depth: int, in_loop: bool) -> list[str]:
        lines = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(depth, in_loop)
        return indented(lines)

    def assign(self) -> list[str]:
        kind = self.random.randrange(8)
        if kind < 3:
            return [f"{self.one_of('i', 'j', 'n', 'k', 'a')} = {self.int()}"]
        if kind < 6:
            return [f"{self.one_of('g', 'h', 'f', 'p')} = {self.float()}"]
        if kind < 7:
            return [f"{self.array_name()} = {self.array()}"]
        return [
            self.one_of(
                f"v = {self.array_name()}[1:]",
                f"v = v * {self.float_name()}",
                f"m = np.arange(3) + {self.int_name()}",
                f"m = m % 3 * ({self.array_name()} > 0)",
                f"i, g = {self.int()}, {self.float()}",
                f"g, y[{self.index()}] = {self.float()}, {self.float()}",
            )
        ]

    def augment(self) -> list[str]:
        i, g = self.one_of("i", "j", "n"), self.one_of("g", "h")
        return [
            self.one_of(
                f"{i} += {self.random.randint(1, 3)}",
                f"{i} -= 1",
                f"{i} %= 4",
                f"{g} += {self.one_of('0.5', self.int_name() + ' % 3')}",
                f"{g} *= 0.5",
                f"{self.array_name()} += {self.one_of('0.25', 'm % 3', 'np.ones(3)')}",
                f"{self.array_name()} *= 0.5",
                f"v -= {self.one_of('0.25', 'np.tanh(v)')}",
            )
        ]

    def change(self) -> list[str]:
        x = self.array_name()
        return [
            self.one_of(
                f"{x}[{self.index()}] = {self.float()}",
                f"{x}[{self.index()}] += {self.float()}",
                f"{x}[{self.index()}] *= 0.5",
                f"{x}[1:] = {self.one_of('v', self.float(), f'{self.array_name()}[:2]')}",
                f"{x}[:] = {self.array()}",
                f"v[{self.int_name()} % 2] = {self.float()}",
                f"m[{self.index()}] = {self.int()}",
                f"fill({x}, {self.int_name()} % 3, {self.float()})",
            )
        ]

    def exchange(self) -> list[str]:
        return [
            self.one_of(
                "g, h = h, g",
                "i, j = j, (i + j) % 5",
                "i, j, n = n, i, j",
                "y, z = z, y",
                "g, h = exchanged(g, h)",
                "x[0], x[1] = x[1], x[0]",
                "(i, g), h = (j, h), g",
            )
        ]

    def leave(self, in_loop: bool) -> str:
        kinds = ("break", "continue", "break", "continue", "return") if in_loop else ("return",)
        return self.exit(self.one_of(*kinds))

    def exit(self, kind: str) -> str:
        if kind != "return":
            return kind
        if self.rarely():
            return f"raise ValueError({self.one_of('1', '2')})"
        return f"return {self.array_name()}, {self.float()}, {self.int()}"

    def choose(self, depth: int, in_loop: bool) -> list[str]:
        lines = [f"if {self.condition()}:", *self.block(depth, in_loop)]
        for _ in range(self.random.choice((0, 0, 1))):
            lines += [f"elif {self.condition()}:", *self.block(depth, in_loop)]
        return lines + self.otherwise(2, depth, in_loop)

    def otherwise(self, odds: int, depth: int, in_loop: bool) -> list[str]:
        if self.random.randrange(odds):
            return []
        return ["else:", *self.block(depth, in_loop)]

    def repeat(self, depth: int, in_loop: bool) -> list[str]:
        """A while loop of at most four trips, as a counter of its own guarantees."""
        counter = f"c{self.counters}"
        self.counters += 1
        first, test, step = self.random.choice(
            [
                ("0", f"{counter} < {self.random.randint(1, 3)}", "+= 1"),
                (f"{self.int_name()} % 4", f"{counter} > 0", "-= 1"),
                ("0", f"{counter} < {self.int_name()} % 4 < 4 and {counter} < 4", "+= 1"),
            ]
        )
        if self.random.randrange(2):
            test = f"{test} and {self.condition()}"
        return [
            f"{counter} = {first}",
            f"while {test}:",
            f"    {counter} {step}",
            *self.block(depth, True),
            *self.otherwise(5, depth, in_loop),
        ]

    def count(self, depth: int, in_loop: bool) -> list[str]:
        bounds = self.one_of(
            "3",
            f"{self.int_name()} % 4",
            f"{self.int_name()} % 3, 3",
            f"3, {self.int_name()} % 4, -1",
            f"0, {self.int_name()} % 5, 2",
        )
        header = f"for {self.one_of('i', 'j', 'k')} in range({bounds}):"
        return [header, *self.block(depth, True), *self.otherwise(5, depth, in_loop)]

    def walk(self, depth: int, in_loop: bool) -> list[str]:
        header = self.one_of(
            f"for {self.one_of('g', 'h', 'p')} in {self.array_name()}:",
            f"for i, g in enumerate({self.array_name()}):",
            f"for g, h in zip({self.array_name()}, {self.array_name()}):",
            "for n in m:",
            "for p in (0.5, g, h):",
        )
        return [header, *self.block(depth, True), *self.otherwise(5, depth, in_loop)]


def indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]
