"""What every random program may contain, and what a feature adds to it: see `programs`."""

from __future__ import annotations

from dataclasses import dataclass, field

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
        writes: lines before the statements that are random as well, likewise.
    """

    prelude: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    templates: Grammar = field(default_factory=dict)
    statements: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
