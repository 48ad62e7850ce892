"""Writes random programs for all parts of a mesh; a seed gives one.

The last letter of a variable's name says along which axes of the mesh it may vary: ``S`` along
none, ``D`` along "data", ``M`` along "model", ``A`` along all of them. The others tell what it is:

    f, g        floats
    v, u        arrays of three floats, which are changed in place
    i           a small int
    l           a list of floats
    b           a float or None
    t, d        a tuple and a dict of a float and an array

The arguments are ``w`` and ``n``, the same in all parts, and rows of ``x``, ``y`` and ``z``, which
the axes of ``A``, ``D`` and ``M`` divide.

The writer keeps to the rules of meshes: what depends on something that varies is held in a variable
that may; so is what is assigned where parts may go different ways, and they do not meet there. So
all that is named ``S`` is the same in all parts. A program that is *spoiled* breaks a rule once.

Programs end soon, and their numbers stay small: what grows is wrapped in ``tanh``.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import NamedTuple

from tests.fuzz.spmd.oracle import classes_of

Axes = frozenset[str]

SAME: Axes = frozenset()
DEPTH = 3  # of nested statements

LOSS = """\
def loss({parameters}):
    results = program({parameters})
    total = 0.0
{sums}
    return total
"""
SUM = """\
    a, v, i = results[{number}]
    weighed = np.sum(np.sin(a)) + np.sum(np.cos(v) * np.arange(1.0, 4.0)) + np.sum(i) * 0.1
    total = total + {psum}(weighed{end})
"""


class Program(NamedTuple):
    """A program with ``program``, which returns an array of floats, an array and an int for each
    class of variables, and ``loss``, a number that is the same in all parts.

    Attributes:
        axes: of the mesh.
        spoiled: whether a rule is broken.
    """

    seed: int
    text: str
    axes: tuple[str, ...]
    spoiled: bool


def written(seed: int, axes: tuple[str, ...], spoiled: bool = False) -> Program:
    """The program of a seed for meshes with these axes."""
    writer = Writer(random.Random(f"{seed} {axes} {spoiled}"), axes, spoiled)
    return Program(seed, writer.text(), axes, spoiled)


class Writer:
    def __init__(self, rng: random.Random, axes: tuple[str, ...], spoiled: bool):
        self.rng = rng
        self.axes = axes
        self.classes = {name: frozenset(along) for name, along in classes_of(axes).items()}
        self.arguments = {"S": "w", "A": "x", "D": "y", "M": "z"}
        self.parameters = ["w", "n", "x", *(["y", "z"] if len(axes) > 1 else [])]
        self.spoils = spoiled
        self.loops = 0
        self.in_lane = False  # of an inner vmap: lanes go no ways of their own there
        self.in_gradient = False  # smooth, and no other derivative
        self.helpers: list[tuple[str, Axes]] = []  # names, and where they may be called
        self.result: Callable[[], str] = self.returned
        self.size = 0

    # -- choices ----------------------------------------------------------------------------------

    def chance(self, odds: int) -> bool:
        return self.rng.randrange(odds) == 0

    def one_of(self, *choices):
        return self.rng.choice(choices)

    def within(self, limit: Axes) -> list[str]:
        """The letters of what varies along no more axes."""
        return [name for name, along in self.classes.items() if along <= limit]

    def beyond(self, here: Axes) -> list[str]:
        """The letters of what may be assigned where parts may go different ways."""
        return [name for name, along in self.classes.items() if along >= here]

    def letter(self, limit: Axes) -> str:
        """One of them, those that vary more more often."""
        names = self.within(limit)
        return self.rng.choice(names + names[len(names) // 2 :])

    def broken(self, axes: Axes) -> Axes:
        """A set of axes where a rule asks for it; now and then another one in spoiled programs."""
        if self.spoils and self.chance(12):
            self.spoils = False
            return frozenset(self.axes) if not axes else SAME
        return axes

    # -- numbers ----------------------------------------------------------------------------------

    def number(self, limit: Axes, here: Axes, depth: int = 2) -> str:
        """A float that varies along no more than some axes, computed where parts may have gone
        different ways along some."""
        c = self.letter(limit)
        simple = [f"f{c}", f"g{c}", f"f{c}", "0.25", f"v{c}[{self.one_of(0, 1, -1)}]"]
        if self.in_lane:
            simple = [f"f{c}", f"g{c}", f"v{c}[0]"]
        elif self.in_gradient:
            simple = [f"v{c}[0]", f"v{c}[1]", f"f{c}"]
        if not depth:
            return self.one_of(*simple)
        return self.one_of(self.composed, self.composed, self.contained, self.met, self.special)(
            limit, here, depth - 1
        )

    def composed(self, limit: Axes, here: Axes, depth: int) -> str:
        def some() -> str:
            return self.number(limit, here, depth)

        def smooth() -> str:
            return self.one_of(
                f"np.sin({some()} + {some()})",
                f"np.tanh({some()} * {some()})",
                f"({some()} * 0.5 - {some()})",
                f"np.tanh(np.sum({self.vector(limit, here, depth)}))",
                f"np.cos({self.vector(limit, here, depth)}[{self.index(limit)}])",
            )

        if self.in_gradient or self.in_lane or self.chance(2):
            return smooth()
        t = self.rng.choice(self.within(limit))
        inside = here | self.classes[t]
        return self.one_of(
            f"max({some()}, {some()})",
            f"abs({some()})",
            f"({self.number(limit, inside, depth)} if {self.test(self.classes[t], here)} else "
            f"{self.number(limit, inside, depth)})",
        )

    def contained(self, limit: Axes, here: Axes, depth: int) -> str:
        c = self.letter(limit)
        return self.one_of(
            f"np.tanh(sum(l{c}) * 0.3)",
            f"l{c}[-1]",
            f"l{c}[0]",
            f"t{c}[0]",
            f"d{c}['f']",
            f"(b{c} if b{c} is not None else 0.5)",
            f"(0.5 if b{c} is None else b{c} * f{c})",
            f"i{c} * 0.25",
        )

    def met(self, limit: Axes, here: Axes, depth: int) -> str:
        """What comes of parts that meet, if they may."""
        axes = [a for a in self.axes if a not in self.broken(here)]
        if not axes:
            return self.number(limit, here, depth)
        axis = self.rng.choice(axes)
        inside = limit | {axis}
        x = self.number(inside, here, depth)
        names = repr(axis)
        if len(axes) > 1 and self.chance(3):
            names = repr(self.axes)
            x = self.number(frozenset(self.axes), here, depth)
        found = [
            f"np.tanh(ops.psum({x}, {names}) * 0.4)",
            f"ops.pmean({x}, {names})",
            f"ops.pmax({x}, {names})",
            f"ops.pmin({x}, {names})",
            f"ops.broadcast({self.number(inside, here, depth)}, {axis!r}, 1)",
            f"ops.all_gather({x}, {names}, invariant=True)[{self.one_of(0, 1, -1)}]",
            f"np.tanh(np.sum({self.rows(inside, here, depth, axis)}) * 0.2)",
        ]
        if axis in limit:
            n = f"ops.axis_size({axis!r})"
            y = self.number(limit, here, depth)
            found += [
                f"ops.ppermute({y}, {axis!r}, [(k, (k + 1) % {n}) for k in range({n})])",
                f"ops.ppermute({y}, {axis!r}, [(1, 0)])",
                f"ops.pshuffle({y}, {axis!r}, [*range({n})][::-1])",
                f"np.mean(ops.all_gather({y}, {axis!r}))",
                f"ops.psum_scatter(np.tanh(ops.all_gather({y}, {axis!r})), {axis!r})",
                f"(ops.axis_index({axis!r}) * 0.5)",
                f"ops.pvary({y}, {axis!r})",
                f"np.mean(ops.all_to_all(np.array([{y}] * {n}), {axis!r}, 0, 0))",
            ]
        return self.rng.choice(found)

    def rows(self, limit: Axes, here: Axes, depth: int, axis: str) -> str:
        vector = self.vector(limit, here, depth)
        return f"ops.all_gather({vector}, {axis!r}, tiled=True, invariant=True)"

    def special(self, limit: Axes, here: Axes, depth: int) -> str:
        """Transforms inside, and calls."""
        if self.in_gradient or self.in_lane:
            return self.met(limit, here, depth)
        callable_ = [name for name, where in self.helpers if here <= where and where <= limit]
        if callable_ and self.chance(2):
            name = self.rng.choice(callable_)
            return f"{name}({self.passed(limit, here, depth)})"
        c = self.letter(limit)
        if self.chance(3):
            self.in_lane = True
            each = self.number(limit, here, depth)
            self.in_lane = False
            return f"np.mean(ag.vmap(lambda f{c}: {each})({self.vector(self.classes[c], here, 0)}))"
        if self.chance(2):
            self.in_gradient = True
            inner = self.number(limit, here, depth)
            self.in_gradient = False
            if self.chance(3):
                return (
                    f"ag.checkpoint(lambda f{c}: {inner})({self.number(self.classes[c], here, 0)})"
                )
            point, change = (self.vector(self.classes[c], here, 0) for _ in range(2))
            if c != "S":  # what moves differently varies
                point = f"ops.pvary({point}, {tuple(sorted(self.classes[c]))})"
            return f"ag.jvp(lambda v{c}: {inner}, ({point},), ({change},))[1]"
        return f"np.tanh({self.gradient(limit, here, depth)}[{self.one_of(0, 1, 2)}])"

    def passed(self, limit: Axes, here: Axes, depth: int) -> str:
        args = []
        for along in self.classes.values():
            own = (along & limit) | here
            args += [self.number(own, here, min(depth, 1)), self.vector(own, here, 0)]
        return ", ".join(args)

    def gradient(self, limit: Axes, here: Axes, depth: int) -> str:
        """An array: the gradient of something that is computed here."""
        everywhere = frozenset(self.axes)
        self.in_gradient = True
        try:
            if not here and (limit < everywhere or self.chance(2)):
                c = self.rng.choice(self.within(limit))
                value = self.number(SAME, here, depth)
                anchor = f" * (1.0 + {self.arguments[c]}[0])" if c != "S" else ""
                if c == "S" and self.chance(2):
                    d = self.rng.choice([d for d in self.classes if d != "S"])
                    value = self.local(self.classes[d], everywhere, depth)
                    value += f" + {self.arguments[d]}[0, 0] * vS[1]"
                    return f"grad_sum_{d}(lambda vS: {value})(vS * 1.0)"
                return f"grad_{c}(lambda v{c}: {value})(v{c}{anchor})"
            if not limit:
                return "vS"
            c = self.rng.choice(
                [c for c in self.within(limit) if self.classes[c] >= here and c != "S"]
            )
            value = self.local(self.classes[c], everywhere, depth)
            return f"grad_own(lambda v{c}: {value})(v{c} * (1.0 + {self.arguments[c]}[0]))"
        finally:
            self.in_gradient = False

    def local(self, limit: Axes, everywhere: Axes, depth: int) -> str:
        """A number that each part computes by itself."""
        spoils, self.spoils = self.spoils, False
        found = self.number(limit, everywhere, depth)
        self.spoils = spoils
        return found

    def vector(self, limit: Axes, here: Axes, depth: int = 1) -> str:
        """An array of three floats, always a new one."""
        c = self.letter(limit)
        if not depth:
            return self.one_of(f"(v{c} * 1.0)", f"(u{c} * 0.5)", f"(t{c}[1] * 1.0)")
        depth -= 1
        some, other = (self.vector(limit, here, depth) for _ in range(2))
        x = self.number(limit, here, depth)
        found = [
            f"np.tanh({some} + {other})",
            f"({some} * {x})",
            f"np.array([{x}, 0.5, {self.number(limit, here, depth)}])",
            f"{some}[::-1]",
            f"({some} + d{c}['v'])",
        ]
        if not (self.in_gradient or self.in_lane):
            found += [f"np.where({some} > {x}, {other}, 0.5)"]
            if not depth:
                found += [f"({self.gradient(limit, here, 1)} * 0.3)"]
        axes = [a for a in self.axes if a not in self.broken(here)]
        if axes:
            axis = self.rng.choice(axes)
            inner = self.vector(limit | {axis}, here, depth)
            found += [
                f"np.tanh(ops.psum({inner}, {axis!r}))",
                f"ops.pmean({inner}, {axis!r})",
                f"ops.pmax({inner}, {axis!r})",
            ]
            if axis in limit:
                n = f"ops.axis_size({axis!r})"
                found += [
                    f"ops.psum_scatter(np.stack([{some}] * {n}), {axis!r})",
                    f"np.mean(ops.all_to_all(np.stack([{some}] * {n}), {axis!r}, 0, 0), axis=0)",
                    f"ops.ppermute({some}, {axis!r}, [(0, 1)])",
                ]
        return self.rng.choice(found)

    def index(self, limit: Axes) -> str:
        c = self.letter(limit)
        return self.one_of("0", "1", "-1", f"i{c} % 3")

    def integer(self, limit: Axes, here: Axes) -> str:
        c, d = self.letter(limit), self.letter(limit)
        found = [
            f"(i{c} + i{d}) % 3",
            f"(i{c} + 1) % 4",
            f"int({self.test(limit, here)})",
            f"len(l{c}) % 3",
            "n % 3",
        ]
        axes = [a for a in self.axes if a not in here]
        if axes:
            axis = self.rng.choice(axes)
            found += [f"ops.psum(i{self.letter(limit | {axis})}, {axis!r}) % 4"]
            if axis in limit:
                found += [f"ops.axis_index({axis!r})"]
        return self.rng.choice(found)

    def test(self, limit: Axes, here: Axes) -> str:
        limit = limit | here
        c = self.letter(limit)
        return self.one_of(
            f"{self.number(limit, here, 1)} > {self.one_of(0.1, 0.3, 0.5)}",
            f"{self.number(limit, here, 1)} < f{c}",
            f"i{c} % 2 == 0",
            f"np.sum(v{c}) > 0.3",
            f"b{c} is None",
            f"f{c} > 0.1 and g{c} < 0.6",
            f"len(l{c}) > 3",
        )

    # -- statements -------------------------------------------------------------------------------

    def text(self) -> str:
        lines = []
        if self.chance(2):
            lines += self.helper("own", frozenset(self.axes))
        if self.chance(2):
            lines += self.helper("met", self.rng.choice([SAME, *self.classes.values()]))
        if self.chance(3):
            lines += self.recursion()
        lines += [f"def program({', '.join(self.parameters)}):", *indented(self.prelude(True))]
        self.size = self.rng.randint(3, 10)
        while self.size > 0:
            lines += indented(self.statement(SAME, None, DEPTH))
        lines += indented([self.returned()])
        sums = ""
        for number, (name, along) in enumerate(self.classes.items()):
            axes = repr(tuple(a for a in self.axes if a in along))
            psum, end = ("ops.psum", f", {axes}") if name != "S" else ("", "")
            sums += SUM.format(number=number, psum=psum, end=end)
        parameters = ", ".join(self.parameters)
        return "\n".join([*lines, "", ""]) + "\n" + LOSS.format(parameters=parameters, sums=sums)

    def prelude(self, of_program: bool) -> list[str]:
        """First values for all variables; functions are given some."""
        lines = []
        for c in self.classes:
            own = self.arguments[c]
            first, row = (f"{own}[0, 0]", f"{own}[1] * w") if c != "S" else ("np.sum(w)", "w * 0.5")
            if of_program:
                lines += [f"f{c}, v{c} = {first}, {row}"]
                lines += [f"i{c} = {'n % 3' if c == 'S' else f'int({own}[1, 1] > 0.1) + 1'}"]
            else:
                lines += [f"i{c} = int(f{c} > 0.2)", f"v{c} = v{c} * 1.0"]
            lines += [
                f"g{c}, u{c} = {self.one_of('0.5', f'f{c} * 0.5')}, np.ones(3)",
                f"l{c}, b{c} = [0.25, g{c}], None",
                f"t{c}, d{c} = (f{c}, v{c} * 0.5), " + f"{{'f': g{c}, 'v': np.ones(3)}}",
            ]
        return lines

    def returned(self) -> str:
        found = []
        for c in self.classes:
            content = f"np.array([f{c}, g{c}, sum(l{c}), b{c} if b{c} is not None else 0.5])"
            number = f"i{c}" if c == "S" else f"np.array([i{c}])"
            found.append(f"({content}, v{c} + t{c}[1] * u{c}, {number})")
        return f"return {', '.join(found)}"

    def statement(self, here: Axes, loop: Axes | None, depth: int) -> list[str]:
        """One statement, where parts may have gone different ways along some axes, in a loop whose
        number of trips may vary along some."""
        self.size -= 1
        if depth and self.size > 0 and self.chance(2):
            return self.one_of(self.branch, self.branch, self.repeat, self.count)(
                here, loop, depth - 1
            )
        if loop is not None and here <= loop and self.chance(7):
            return self.leave(here, loop)
        if loop is None and not here and self.chance(12):
            return [f"if {self.test(SAME, here)}:", *indented([self.result()])]
        return self.simple(here)

    def simple(self, here: Axes) -> list[str]:
        c = self.rng.choice(self.beyond(self.broken(here)))
        limit = self.broken(self.classes[c]) | here
        x, y = self.number(limit, here), self.number(limit, here)
        i, v = self.index(limit), self.vector(limit, here)
        name = self.one_of(f"f{c}", f"g{c}")
        choices = [
            [f"{name} = {x}"],
            [f"{name} = {x}"],
            [f"{name} = {x}"],
            [f"{name} = np.tanh({name} + {x})"],
            [f"f{c}, g{c} = {x}, {y}"],
            [f"f{c}, g{c} = g{c}, f{c}"],
            [f"v{c}[{i}] = {x}"],
            [f"v{c}[{i}] = v{c}[{i}] * 0.5 + {x}"],
            [f"v{c} = {v}"],
            [f"u{c} = {v}"],
            [f"u{c} = v{c}"],
            [f"v{c}[1:] = np.tanh({v})[:2]"],
            [f"u{c} *= 0.5"],
            [f"i{c} = {self.integer(limit, here)}"],
            [f"l{c}.append({x})"],
            [f"l{c}[-1] = {x}"],
            [f"if len(l{c}) > 1:", f"    f{c} = l{c}.pop()"],
            [f"b{c} = {x}"],
            [f"b{c} = None"],
            [f"t{c} = ({x}, {v})"],
            [f"f{c}, v{c} = t{c}[0], t{c}[1] * 1.0"],
            [f"d{c}['f'] = {x}"],
            [f"d{c}['v'][{i}] = {x}"],
            [f"d{c}['v'] = u{c}"],
        ]
        if self.spoils and self.chance(4):
            self.spoils = False
            d = self.rng.choice([*self.classes])
            choices = [
                [f"v{c} = v{d}", f"v{c}[0] = {x}"],
                [f"d{c}['v'] = v{d}", f"d{c}['v'][1] = {x}"],
                [f"l{c} = l{d}", f"l{c}[0] = {x}"],
                [f"f{c} = ops.ppermute(f{c}, {self.axes[0]!r}, [(0, 1)])"],
            ]
        return self.rng.choice(choices)

    def block(self, here: Axes, loop: Axes | None, depth: int) -> list[str]:
        lines = []
        for _ in range(self.rng.randint(1, 3)):
            lines += self.statement(here, loop, depth)
        return indented(lines)

    def branch(self, here: Axes, loop: Axes | None, depth: int) -> list[str]:
        along = self.rng.choice(list(self.classes.values()))
        lines = [f"if {self.test(along, here)}:", *self.block(here | along, loop, depth)]
        if self.chance(2):
            lines += ["else:", *self.block(here | along, loop, depth)]
        return lines

    def leave(self, here: Axes, loop: Axes) -> list[str]:
        along = self.rng.choice([a for a in self.classes.values() if a <= loop])
        how = self.one_of("break", "continue")
        return [f"if {self.test(along, here)}:", *indented([how])]

    def repeat(self, here: Axes, loop: Axes | None, depth: int) -> list[str]:
        own = here | self.rng.choice(list(self.classes.values()))
        name = f"c{self.loops}"
        self.loops += 1
        test = self.test(own, own)
        return [
            f"{name} = 0",
            self.one_of(f"while {name} < 3 and {test}:", f"while {test} and {name} < 3:"),
            f"    {name} += 1",
            *self.block(own, own, depth),
        ]

    def count(self, here: Axes, loop: Axes | None, depth: int) -> list[str]:
        c = self.rng.choice(self.beyond(here))
        own = self.classes[c]
        name = f"c{self.loops}"
        self.loops += 1
        header = self.one_of(
            f"{name} in range(3)",
            f"{name} in range(i{c} % 4)",
            f"{name} in range(n)",
            f"f{c} in v{c} * 0.5",
            f"{name}, g{c} in enumerate(u{c} * 1.0)",
        )
        return [f"for {header}:", *self.block(own, own, depth)]

    # -- functions --------------------------------------------------------------------------------

    def own_parameters(self) -> str:
        return ", ".join(f"f{c}, v{c}" for c in self.classes)

    def helper(self, name: str, where: Axes) -> list[str]:
        """A function that is called where parts may have gone different ways along some axes."""

        def returned() -> str:
            return f"return np.tanh({self.number(where, where)})"

        lines = self.prelude(False)
        result, self.result, self.size = self.result, returned, self.rng.randint(1, 5)
        while self.size > 0:
            lines += self.statement(where, None, DEPTH - 1)
            if self.chance(4):
                t = self.rng.choice(self.within(where))
                lines += [f"if {self.test(self.classes[t], where)}:", *indented([returned()])]
        lines += [returned()]
        self.result = result
        lines = self.nested(lines)
        self.helpers.append((name, where))
        return [f"def {name}({self.own_parameters()}):", *indented(lines), ""]

    def nested(self, lines: list[str]) -> list[str]:
        """Functions see no arguments of the program: what stands for them is made of their own."""
        own = ["n, w = 3, np.ones(3)"]
        for c in self.classes:
            if c != "S":
                own += [f"{self.arguments[c]} = np.stack([v{c}, v{c} * 0.5])"]
        return own + lines

    def recursion(self) -> list[str]:
        """A function that calls itself, to a depth that is the same in all parts, which then may
        meet, or of its own."""
        meets = self.chance(2)
        where = SAME if meets else frozenset(self.axes)
        c = "S" if meets else "A"
        name = "down" if meets else "alone"
        lines = self.nested(self.prelude(False))
        base = f"np.tanh({self.number(where, where)})"
        if meets:
            lines += ["if depth <= 0:", f"    return {base}"]
        else:
            lines += [f"if depth <= 0 or abs(f{c}) < 0.3:", f"    return {base}"]
        self.size = self.rng.randint(0, 3)
        result, self.result = self.result, lambda: f"return {base}"
        while self.size > 0:
            lines += self.statement(where, None, 1)
        self.result = result
        args = self.passed(frozenset(self.axes), where, 1)
        lines += [f"again = {name}({args}, depth - 1)"]
        lines += [f"return np.tanh(again * 0.7 + {self.number(where, where, 1)})"]
        self.helpers.append((name, where))
        return [f"def {name}({self.own_parameters()}, depth=2):", *indented(lines), ""]


def indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]
