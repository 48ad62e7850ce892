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

Every program ends soon: a ``while`` loop counts its trips in a variable that nothing else assigns,
other loops go over what is short, and recursion is at most four calls deep. Values stay small: what
grows is wrapped in ``%``, ``np.sin`` or ``np.tanh``.

A program names a context (see `contexts`) in which it is to be compared, or none.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from contexts import CONTEXTS
from hypothesis import strategies as st

MODULE = """\
import numpy as np
from vocabulary import *

CONTEXT = {context!r}


def program({parameters}):
{body}


def loss({parameters}):
    return weight(program({copies}))
"""

PARAMETERS = ("x", "a", "f")
COPIES = ("x.copy()", "a", "f")
CONTAINERS = ("items", "table", "particle")
COPIES_OF_CONTAINERS = ("list(items)", "dict(table, v=table['v'].copy())", "particle.copy()")

Grammar = dict[str, tuple[str, ...]]

GRAMMAR: Grammar = {
    "i": ("i", "j", "n", "a", "i", "j", "n", "a", "k"),
    "g": ("g", "h", "f", "g", "h", "f", "p"),
    "x": ("y", "z", "x"),
    "small": ("0", "1", "2"),
    "at": ("0", "1", "-1", "$i % 3", "$i % 3 - 3", "$i % 3", "$i"),
    "int": (
        "$i",
        "$small",
        "($i + $i) % 7",
        "($i * $i - 3) % 5",
        "-$i % 4",
        "($i if $condition else $i)",
        "min($i, $i)",
        "first_above($x, $g)",
        "($i and $i)",
        "($i or 2)",
        "len($x)",
        "int($comparison)",
        "abs($i) // 2",
        "$i // $i % 5",
        "int($g * 2.0)",
    ),
    "float": (
        "$g",
        "0.25",
        "np.sin($g + $g)",
        "np.tanh($g * $g)",
        "$g * 0.5 - $i % 3",
        "np.cos($g) * $x[$at]",
        "$x[$at]",
        "np.sin(np.sum($x))",
        "($g if $condition else $g)",
        "max($g, $g)",
        "abs($g)",
        "clipped($g)",
        "clipped($g, low=$g)",
        "nested_sine($g, $i % 4)",
        "$g / (1.0 + $g * $g)",
        "sum($x) * 0.1",
        "$small",
        "$i",
    ),
    "array": (
        "$x",
        "$x.copy()",
        "np.tanh($x + $x)",
        "$x * $g - np.sin($x)",
        "np.where($x > $g, $x, 0.0)",
        "$x[::-1]",
        "$x + m * $g",
        "($x if $condition else $x)",
        "np.array([$g, 0.5, $g])",
        "np.zeros(3)",
        "np.sort($x)",
        "np.concatenate([v, $x[:1]])",
    ),
    "comparison": (
        "$i > $small",
        "$i % 2 == 0",
        "$i != $i",
        "$g < $g",
        "$g > 0.3",
        "-1 < $g <= $g",
        "0 <= $i < $i + 2",
        "$x[$at] > $g",
        "np.any($x > $g)",
        "$i in (0, 2, $i)",
    ),
    "condition": (
        "$comparison",
        "$comparison",
        "not $comparison",
        "$comparison and $comparison",
        "$comparison or $comparison",
        "not ($comparison or not $comparison)",
        "0 <= $i < 3 and $x[$i] > $g",
        "$i",
    ),
    "simple": (
        "$int_name = $int",
        "$float_name = $float",
        "$int_name = $int",
        "$float_name = $float",
        "$int_name += $small",
        "$int_name -= 1",
        "$int_name %= 4",
        "$float_name += 0.5",
        "$float_name += $i % 3",
        "$float_name *= 0.5",
        "$x[$at] = $float",
        "$x[$at] += $float",
        "$x[$at] *= 0.5",
        "$x[1:] = $two",
        "$x[:] = $array",
        "$x = $array",
        "$x += $three",
        "$x *= 0.5",
        "v = $x[1:]",
        "v = v * $g",
        "v[$i % 2] = $float",
        "v -= $two",
        "m = np.arange(3) + $i % 5",
        "m = m % 3 * ($x > 0)",
        "m[$at] = $int",
        "fill($x, $i % 3, $float)",
        "i, g = $int, $float",
        "g, y[$at] = $float, $float",
        "g, h = h, g",
        "i, j = j, (i + j) % 5",
        "i, j, n = n, i, j",
        "y, z = z, y",
        "g, h = exchanged(g, h)",
        "x[0], x[1] = x[1], x[0]",
        "(i, g), h = (j, h), g",
    ),
    "int_name": ("i", "j", "n", "k", "a"),
    "float_name": ("g", "h", "f", "p"),
    "two": ("v", "0.25", "np.tanh(v)", "$x[:2]"),
    "three": ("0.25", "m % 3", "np.ones(3)", "$x"),
    "bounds": ("3", "$i % 4", "$i % 3, 3", "3, $i % 4, -1", "0, $i % 5, 2"),
    "for": (
        "i in range($bounds)",
        "j in range($bounds)",
        "k in range($bounds)",
        "g in $x",
        "p in $x",
        "i, g in enumerate($x)",
        "g, h in zip($x, $x)",
        "g in reversed($x)",
        "g in m",
        "p in (0.5, g, h)",
    ),
    "result": ("$x, $float, $int",),
}


@dataclass
class Feature:
    """A part of the language that a program may use or not.

    Attributes:
        prelude: lines before the statements.
        outside: lines instead of those, that take the containers from the arguments.
        templates: what it adds to the grammar.
        statements: compound statements, the names of methods of `Writer`.
    """

    prelude: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    templates: Grammar = field(default_factory=dict)
    statements: tuple[str, ...] = ()


FEATURES: dict[str, Feature] = {
    "lists": Feature(
        prelude=("s = [f, 0.5]",),
        outside=("s = items",),
        templates={
            "simple": (
                "s.append($float)",
                "s.append($float)",
                "s.append($float)",
                "$float_name = s.pop() if s else 0.5",
                "$float_name = s.pop()",
                "s[0] = $float",
                "s[-1] += $float",
                "s.extend([$g, $float])",
                "s += [$float]",
                "s = [$float]",
                "push_if(s, $float, 5)",
            ),
            "float": ("s[-1]", "s[0]", "sum(s)", "s[$i % len(s)]", "np.sum(np.array(s))"),
            "int": ("len(s)",),
            "comparison": ("len(s) > $small", "push_if(s, $g, 4)"),
            "condition": ("s", "s and s[-1] > $g"),
            "for": ("g in s[:4]", "i, g in enumerate(s[:3])", "p in s[-2:]"),
            "result": ("$x, s", "np.array(s), $float"),
        },
    ),
    "dicts": Feature(
        prelude=("d = {'u': f, 'v': x * 0.5, 'w': 0}",),
        outside=("d = table",),
        templates={
            "simple": (
                "d['u'] = $float",
                "d['u'] += $float",
                "d['v'] = $array",
                "d['v'][$at] = $float",
                "d['w'] += 1",
                "d.update(u=$float)",
                "d = dict(d, w=$int)",
            ),
            "float": ("d['u']", "d['v'][$at]", "d.get('t', $g)"),
            "int": ("d['w'] % 5",),
            "array": ("d['v']",),
            "comparison": ("d['u'] < $g", "'t' in d"),
            "for": ("g in d['v']",),
            "result": ("$x, d", "{'u': $float, 'v': $array}"),
        },
    ),
    "objects": Feature(
        prelude=("o = Particle(f, x * 0.5)",),
        outside=("o = particle",),
        templates={
            "simple": (
                "o.position = $float",
                "o.moves += 1",
                "o.move($float)",
                "o.move($g).move($g)",
                "o.mark($at, $float)",
                "o.trace[$at] += $float",
                "o = Particle($float, $array)",
                "o.trace = $array",
                "o.speed = $float",
                "o.speed += $g",
                "o = o + $g",
            ),
            "float": ("o.position", "o.energy", "o.move($g).position", "o.speed", "o($g)"),
            "int": ("o.moves % 5",),
            "array": ("o.trace",),
            "comparison": ("o.position > $g",),
            "result": ("$x, o.position, o.moves", "o, $float"),
        },
    ),
    "closures": Feature(
        prelude=(
            "total = 0.0",
            "count = 0",
            "def bump():",
            "    nonlocal count",
            "    count += 1",
            "    return count",
            "def tick(t):",
            "    nonlocal total",
            "    if t > 0:",
            "        total = np.tanh(total + t)",
            "    return total",
            "later = lambda t: t * g + total",
        ),
        templates={
            "simple": (
                "tick($float)",
                "total = $float",
                "later = lambda t: np.sin(t + h) * j",
                "bump()",
            ),
            "int": ("bump() % 5", "count % 5"),
            "float": ("tick($g)", "total", "later($g)", "(lambda t: t + g)($g)"),
            "comparison": ("tick($g) > 0.2",),
            "array": ("np.array([later(t) for t in $x])",),
        },
    ),
    "prints": Feature(
        templates={
            "simple": (
                "print('int', $i)",
                "print('float', $g)",
                "print('array', $x)",
                "print(f'int {$i} float {$g:.6f}')",
            )
        }
    ),
    "comprehensions": Feature(
        templates={
            "float": (
                "sum([t * $g for t in $x])",
                "sum(t * t for t in $x)",
                "max([t for t in (g, h, 0.5)])",
                "sum(t for t in (g, h, f) if t > 0.0)",
                "max((t * $g for t in $x), default=0.5)",
                "next((t for t in $x if t > $g), 0.5)",
            ),
            "array": (
                "np.array([np.sin(t) * $g for t in $x])",
                "np.array([x[t] for t in range(3)])",
            ),
            "comparison": ("any(t > $g for t in $x)", "all([t > $g for t in (g, h)])"),
            "condition": ("(k := $int) > 1",),
        }
    ),
    "texts": Feature(
        prelude=("state = 'a'",),
        templates={
            "simple": ("state = 'b'", "state = 'a' if $condition else 'c'", "state = 'a'"),
            "float": ("{'a': 0.5, 'b': -0.5, 'c': $g}[state]",),
            "int": ("len(state)", "'abc'.index(state)"),
            "comparison": ("state == 'a'", "state != 'b'", "state in ('a', 'c')"),
            "result": ("$x, state, $g",),
        },
    ),
    "nones": Feature(
        prelude=("best = None",),
        templates={
            "simple": (
                "best = $float",
                "best = $g if best is None else max(best, $g)",
                "best = None",
            ),
            "float": ("(best if best is not None else $g)", "(0.5 if best is None else best)"),
            "comparison": (
                "best is None",
                "best is not None and best > $g",
                "best is None or best < $g",
            ),
            "result": ("$x, best", "best, $g"),
        },
    ),
    "functions": Feature(
        prelude=("act = clipped",),
        templates={
            "simple": ("act = clipped if $condition else squared", "act = squared"),
            "float": ("act($g)",),
            "comparison": ("act is clipped",),
        },
    ),
    "nested lists": Feature(
        prelude=("q = [[f, 0.5], [0.25]]",),
        templates={
            "simple": (
                "q[0][0] = $float",
                "q[1].append($float)",
                "q[-1][-1] += $g",
                "q[$i % 2][0] = $float",
                "q[0], q[1] = q[1], q[0]",
                "q = [[$float, $g], [$float]]",
            ),
            "float": ("q[0][0]", "q[1][-1]", "sum(q[0])", "sum([sum(row) for row in q])"),
            "int": ("len(q[1])",),
            "for": ("g in q[0]", "g in q[-1]"),
            "result": ("$x, q", "q[0], $g"),
        },
    ),
    "iterators": Feature(
        prelude=("r = iter(x)",),
        templates={
            "simple": ("$float_name = next(r, 0.5)", "r = iter($x)", "$float_name = next(r)"),
            "float": ("next(r, $g)",),
            "for": ("g in r",),
        },
    ),
    "undone changes": Feature(
        prelude=("b, e = [f, 0.5], {'u': f, 'w': 0}",),
        templates={
            "simple": (
                "old = b[0]; b[0] = $float; $float_name = sum(b); b[0] = old",
                "b.append($float); $float_name = b[-1] + b[0]; b.pop()",
                "old = $x[$at]; $x[$at] = $g; h = np.sum($x); $x[0] = old",
                "b[-1] = $float",
                "e['u'] = $float",
            ),
            "float": (
                "deepest(b, $i % 4)",
                "exchanged_below($x, $i % 4)",
                "counted_below(e, $i % 4)",
                "b[0]",
                "e['u']",
            ),
            "int": ("e['w'] % 5", "len(b)"),
            "result": ("$x, b, e",),
        },
    ),
    "messages": Feature(
        templates={
            "simple": (
                "if $condition: raise ValueError(f'at {$i}: {$g:.5f}')",
                "if $condition: raise ValueError('at %d, %.4f' % ($i, $g))",
                "if $condition: raise KeyError($i)",
                "assert $condition, f'at {$i}, {$i}'",
            )
        }
    ),
    "large integers": Feature(
        prelude=("big = 2**63 - 3 + a",),
        templates={
            "simple": (
                "big = 2**63 - $i",
                "big = big // 2 + $i",
                "big += $i",
                "big -= $i",
                "big = -big",
                "big = (big * $i) % (2**63 - 25)",
                "big = big - 2**62",
            ),
            "int": ("big % 7", "big // 2**61", "(big > 2**62) + 1", "(big >> 60) % 5"),
            "comparison": ("big > 2**63 - $small", "big % 2 == 0", "big + $i < 2**63"),
            "result": ("$x, big % 1000003, big > 0",),
        },
    ),
    "slices": Feature(
        templates={
            "simple": (
                "$x[$i:7] = 0.25",
                "$x[-7:$i] *= 0.5",
                "$x[$i:$i + 2] = $float",
                "$x[$i:$i + 5] += 0.25",
                "v = $x[$i:9][:2] if $i < 2 and $i >= -1 else v",
            ),
            "float": (
                "np.sum($x[$i:$i + 5])",
                "np.sum($x[-5:$i])",
                "sum((g, h, f)[$small:9])",
                "np.sum($x[$i::2])",
            ),
            "int": ("len($x[$i:9])", "len($x[:$i])", "$x[-9:$i].shape[0]"),
        },
    ),
    "protection": Feature(statements=("protect", "enter", "attempt")),
    "matches": Feature(statements=("match",)),
}

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
                self.grammar[symbol] += templates
            self.compounds += [getattr(self, name) for name in feature.statements]
        self.outside = outside
        self.size = draw(st.integers(2, 14))
        self.loops = 0
        # All returns of a program have the same structure.
        self.result = self.one_of(*self.grammar["result"])

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
    chosen = [name for name in features if draw(st.booleans())]
    outside = draw(st.integers(0, 3)) == 3
    return Writer(draw, chosen, outside).text()
