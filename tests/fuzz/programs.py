"""A hypothesis strategy that writes whole random programs.

A program is a grammar's sentence: `GRAMMAR` has for each symbol the templates it may become, in
which ``$symbol`` stands for another symbol; hypothesis makes each choice, and simplifies a failing
program by choosing earlier templates and fewer statements. Compound statements are methods of
`Writer`, because they nest.

Which parts of the language a program uses is drawn first, so that programs that use few of them,
often, are as likely as programs that use all (swarm testing: Groce, Zhang, Eide, Chen and Regehr,
ISSTA 2012).

The variables keep their kinds, so that programs seldom fail:

    i j n, a        ints (k: not defined on every path)
    g h, f          floats, now and then ints (p: not defined on every path)
    y z, x          arrays of three floats; v: of two, a view at first; m: of three ints
    s               a list of floats, of any length
    d               a dict of a float, an array and an int
    o               a `vocabulary.Particle`
    q               a list of two lists of floats
    r               an iterator over an array
    state, best     a text; a float or None
    act             a function of a float
    total, tick     what an inner function changes, and that function
    count, bump     the same for an int
    later           a lambda that reads variables of the program
    b, e            a list of floats, and a dict of a float and an int, that recursion changes
    big             an int near 2**63
    alias, none     another name of an array, now and then of another one; an empty array
    short, mask     arrays of int32 and of bools; wave, tiny: of complex numbers and of uint8
    single, zd      an array of float32; one without axes, or a number
    mat, row        a matrix; a view of it, at first
    w, pair         a tuple of floats; one of a tuple and a list
    rows, u         three lists of three floats; a list of floats that is cut and joined
    note, mixed     a text of the run; an int, a float or a bool
    maybe           an int, a float or None
    helper0         a random function of the program's own

Every program ends soon: a ``while`` loop counts its trips in a variable that nothing else assigns,
other loops go over what is short, and recursion is at most four calls deep. Values stay small: what
grows is wrapped in ``%``, ``np.sin`` or ``np.tanh``.

A program names a context (see `contexts`) in which it is to be compared, or none.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hypothesis import strategies as st

from tests.fuzz.array_features import ARRAY_FEATURES
from tests.fuzz.features import FEATURES as FEATURES_OF_CONTAINERS
from tests.fuzz.grammar import GRAMMAR
from tests.fuzz.value_features import VALUE_FEATURES
from tests.support.contexts import CONTEXTS

MODULE = """\
import math

import numpy as np
from tests.fuzz.vocabulary import *

CONTEXT = {context!r}
FEATURES = {features!r}


def program({parameters}):
{body}


def loss({parameters}):
    return weight(program({copies}))
"""

PARAMETERS = ("x", "a", "f")
COPIES = ("x.copy()", "a", "f")
CONTAINERS = ("items", "table", "particle")
COPIES_OF_CONTAINERS = ("list(items)", "dict(table, v=table['v'].copy())", "particle.copy()")

FEATURES = FEATURES_OF_CONTAINERS | ARRAY_FEATURES | VALUE_FEATURES
MOST_FEATURES = 6  # of a program: so each of them occurs often in it
DEPTH = 3  # of nested statements
# Names that look like those the compiler makes.
RENAMINGS = ({}, {}, {"h": "t", "g": "t_0", "n": "x_0"}, {"g": "t", "i": "ops", "y": "y_1"})


class Writer:
    """Writes one program.

    Args:
        draw: hypothesis's.
        features: names of `FEATURES`.
        outside: whether the containers are those of the arguments.
    """

    def __init__(self, draw: Callable, features: list[str], outside: bool):
        self.draw = draw
        chosen = [FEATURES[name] for name in features]
        self.prelude = [
            "i, j, n = a % 3, 1, 0",
            "g, h = f, 0.5",
            "y, z, v, m = x * 0.5, np.ones(3), x[1:], np.arange(3)",
            "if a > 0:",
            "    k, p = 1, 0.5",
        ]
        self.grammar = dict(GRAMMAR)
        self.compounds = [self.choose, self.choose, self.repeat, self.count]
        for feature in chosen:
            lines = feature.outside if outside and feature.outside else feature.prelude
            self.prelude += lines
            for symbol, templates in feature.templates.items():
                self.grammar[symbol] = self.grammar.get(symbol, ()) + templates
            self.compounds += [getattr(self, name) for name in feature.statements]
        self.features = features
        self.outside = outside
        self.size = draw(st.integers(2, 14))
        self.loops = 0
        # All returns of a program have the same structure.
        self.result = self.one_of(*self.grammar["result"])

        for feature in chosen:
            for name in feature.writes:
                self.prelude += getattr(self, name)()

    def text(self) -> str:
        body = []
        while self.size > 0:
            body += self.statement(DEPTH, False)
        body.append(self.returned())
        parameters, copies = PARAMETERS, COPIES
        if self.outside:
            parameters, copies = PARAMETERS + CONTAINERS, COPIES + COPIES_OF_CONTAINERS
        lines = "\n".join(indented([*self.prelude, *body]))
        renaming = self.one_of(*RENAMINGS)
        return MODULE.format(
            context=self.one_of("", "", "", *map(str, CONTEXTS)),
            features=self.features,
            parameters=", ".join(parameters),
            copies=", ".join(copies),
            body=re.sub(r"\b\w+\b", lambda word: renaming.get(word[0], word[0]), lines),
        )

    def one_of(self, *choices):
        return self.draw(st.sampled_from(choices))

    def chance(self, odds: int) -> bool:
        """Whether something happens that does one time in ``odds``."""
        return self.draw(st.integers(0, odds - 1)) == odds - 1

    def expand(self, template: str) -> str:
        """The template with every symbol replaced by one of its sentences."""

        def sentence(symbol: re.Match) -> str:
            return self.expand(self.one_of(*self.grammar[symbol[1]]))

        return re.sub(r"\$(\w+)", sentence, template)

    # -- statements -------------------------------------------------------------------------------

    def statement(self, depth: int, in_loop: bool) -> list[str]:
        self.size -= 1
        if depth and self.size > 0 and self.chance(2):
            return self.one_of(*self.compounds)(depth - 1, in_loop)
        if self.chance(10):
            return [self.leave(in_loop)]
        return [self.expand("$simple")]

    def block(self, depth: int, in_loop: bool) -> list[str]:
        lines = []
        for _ in range(self.draw(st.integers(1, 3))):
            lines += self.statement(depth, in_loop)
        return indented(lines)

    def leave(self, in_loop: bool) -> str:
        if in_loop and not self.chance(4):
            return self.one_of("break", "continue")
        if self.chance(8):
            return "raise ValueError('stop')"
        return self.returned()

    def returned(self) -> str:
        return "return " + self.expand(self.result)

    def choose(self, depth: int, in_loop: bool) -> list[str]:
        lines = [self.expand("if $condition:"), *self.block(depth, in_loop)]
        if self.chance(3):
            lines += [self.expand("elif $condition:"), *self.block(depth, in_loop)]
        return lines + self.otherwise(2, depth, in_loop)

    def otherwise(self, odds: int, depth: int, in_loop: bool) -> list[str]:
        return ["else:", *self.block(depth, in_loop)] if self.chance(odds) else []

    def repeat(self, depth: int, in_loop: bool) -> list[str]:
        """A while loop of at most four trips, as a counter of its own guarantees."""
        counter = f"c{self.loops}"
        self.loops += 1
        first, test, step = self.one_of(
            ("0", f"{counter} < 3", "+= 1"),
            ("$i % 4", f"{counter} > 0", "-= 1"),
            ("0", f"{counter} < $i % 4 < 4 and {counter} < 4", "+= 1"),
            ("0", f"{counter} < 4 and ($condition)", "+= 1"),
            ("0", "True", "+= 1"),
        )
        leave = [f"    if {counter} > 3:", "        break"] if test == "True" else []
        return [
            f"{counter} = {self.expand(first)}",
            f"while {self.expand(test)}:",
            f"    {counter} {step}",
            *leave,
            *self.block(depth, True),
            *self.otherwise(5, depth, in_loop),
        ]

    def count(self, depth: int, in_loop: bool) -> list[str]:
        header = self.expand("for $for:")
        return [header, *self.block(depth, True), *self.otherwise(5, depth, in_loop)]

    def protect(self, depth: int, in_loop: bool) -> list[str]:
        """The last lines neither leave nor fail."""
        final = indented([self.one_of("print('finally')", "n = 1", "h = h * 0.5", "z[0] = 0.5")])
        return ["try:", *self.block(depth, in_loop), "finally:", *final]

    def enter(self, depth: int, in_loop: bool) -> list[str]:
        return [
            self.one_of("with Scope('a'):", "with Scope('a') as c, Scope('b'):"),
            *self.block(depth, in_loop),
        ]

    def attempt(self, depth: int, in_loop: bool) -> list[str]:
        kind = self.one_of("ValueError", "(IndexError, ValueError)", "UnboundLocalError")
        return [
            "try:",
            *self.block(depth, in_loop),
            f"except {kind}:",
            *self.block(depth, in_loop),
            *self.otherwise(4, depth, in_loop),
        ]

    def risk(self, depth: int, in_loop: bool) -> list[str]:
        """What may fail, and what becomes of that."""
        lines = ["try:", *indented([self.expand("$risky")])]
        if self.chance(3):
            lines += self.block(depth, in_loop)
        for _ in range(self.draw(st.integers(1, 2))):
            name = " as error" if self.chance(3) else ""
            lines += [self.expand(f"except $kind{name}:"), *indented([self.expand("$handled")])]
            if name and self.chance(2):
                lines += indented(["print('raised', error)"])
        return lines + self.otherwise(4, depth, in_loop)

    def helper(self) -> list[str]:
        """An inner function of a float, an int and an array, that may call itself."""
        bound = re.findall(r"^(\w+(?:, \w+)*) = ", "\n".join(self.prelude), re.MULTILINE)
        own = {"i", "j", "n", "g", "h", "k", "p", "y", "z", "v", "m"}
        outer = sorted({name for names in bound for name in names.split(", ")} - own)
        lines = [f"nonlocal {', '.join(outer)}"] if outer and self.chance(2) else []
        lines += ["n, k, p, z, v, m = 0, j, h, y * 0.5, y[1:], np.arange(3)"]
        lines += ["x, a, f = y + 0.5, i, g"] if self.chance(2) else ["nonlocal x, a, f"]
        before, size = self.grammar, self.size
        again = ("(helper0($g, $i, $x, deep=deep - 1) if deep > 0 else $g)",) * self.chance(2)
        self.grammar = before | {
            "result": ("$float",),
            "float": before["float"] + again,
            "simple": tuple(s for s in before["simple"] if "helper0" not in s),
        }
        self.result, self.size = "$float", self.draw(st.integers(1, 6))
        body = []
        while self.size > 0:
            body += self.statement(DEPTH - 1, False)
        body.append(self.returned())
        self.grammar, self.size = before, size
        self.result = self.one_of(*before["result"])
        return ["def helper0(g, i, y, h=0.5, j=1, deep=2):", *indented([*lines, *body])]

    def match(self, depth: int, in_loop: bool) -> list[str]:
        subject, cases = self.one_of(
            ("$i % 4", ["case 0:", "case 1 | 2:", "case other:"]),
            ("$i", ["case 0 | 1 as other:", "case other if other > 2:", "case _:"]),
            ("($i % 2, $g)", ["case (0, other):", "case 1, other:"]),
            ("{'u': $g, 'v': $i % 3}", ["case {'v': 0}:", "case {'u': other}:"]),
        )
        lines = [self.expand(f"match {subject}:")]
        for case in cases:
            lines += indented([case, *self.block(depth, in_loop)])
        return lines


def indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


@st.composite
def programs(draw: Callable, features: tuple[str, ...] = tuple(FEATURES)) -> str:
    """The text of a module with ``program`` and ``loss``.

    Args:
        features: names of `FEATURES`; a program uses some of them.
    """
    few = st.lists(st.sampled_from(features), max_size=MOST_FEATURES, unique=True)
    chosen = draw(few) if features else []
    outside = draw(st.integers(0, 3)) == 3
    return Writer(draw, chosen, outside).text()
