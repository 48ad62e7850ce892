"""An example for each function of `ops`, evaluated when the pages are built."""

from __future__ import annotations

import linecache
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import autograph as ag
import ops
from ops import reference
from ops.core.registry import Elementwise

# What the examples begin with.
PRELUDE = """\
x, y = np.array([1.0, 2.0, 3.0]), np.array([0.5, -1.0, 0.25])
m = np.array([[2.0, 1.0], [1.0, 3.0]])
n = np.array([3, 1, 2])
z = np.array([1.0 + 2.0j, 3.0 - 1.0j])
key = ops.random.key(7)
"""
NAMES: dict[str, Any] = {"np": np, "ag": ag, "ops": ops}
exec(PRELUDE, NAMES)

# Modules of what converted source and transforms call, not users: the list of operators names them.
INNER = ("ops.control.constructs", "ops.control.exceptions", "ops.control.patterns")
INNER += ("ops.control.rows", "ops.core", "ops.numbers.mathematics", "ops.numbers.overflow")
# Operands for elementwise operators: the first that it takes.
_OPERANDS = {
    1: ("y", "x / 4", "x", "n"),
    2: ("x, y", "x, x + 1.0", "n, 2"),
    3: ("x, x, x / 4",),
    4: ("1.0, 2.0, 3.0, x / 4",),
}
_CALLED = re.compile(r"\bops\.(?:\w+\.)*(\w+)\(")  # the first function that an example calls


def modules() -> Iterator[ModuleType]:
    """The modules whose functions users call."""
    for module in reference.modules():
        if not any(f"{module.__name__}.".startswith(f"{inner}.") for inner in INNER):
            yield module


def written() -> dict[tuple[str, str], str]:
    """The examples of `examples.txt`, by the names of module and function."""
    text = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")
    found, module = {}, ""
    for line in text.splitlines():
        if line.startswith("["):
            module = f"ops.{line.strip('[]')}"
        elif called := _CALLED.search(line) if not line.startswith("#") else None:
            found[module, called[1]] = line
    return found


def result(expression: str) -> str:
    """What an expression gives, as Python shows it."""
    file = f"<example {expression}>"
    linecache.cache[file] = (len(expression), None, [expression], file)  # for lambdas in it
    with (
        np.printoptions(precision=4, suppress=True),
        np.errstate(all="ignore"),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        return repr(eval(compile(expression, file, "eval"), dict(NAMES)))


def _path(module: str, name: str, function: Any) -> str | None:
    """What a user writes for a function."""
    package = getattr(ops, module.split(".")[1])
    for owner, prefix in ((package, f"ops.{module.split('.')[1]}"), (ops, "ops")):
        if getattr(owner, name, None) is function:
            return f"{prefix}.{name}"
    return None


def _elementwise(module: str, name: str, operator: Elementwise) -> str | None:
    path = _path(module, name, operator)
    for operands in _OPERANDS[len(operator.partials)] if path else ():
        expression = f"{path}({operands})"
        try:
            shown = result(expression)
        except TypeError:
            continue
        if "nan" not in shown:
            return expression
    return None


def examples() -> dict[tuple[str, str], str]:
    """All examples, by the names of module and function."""
    found = written()
    for module in modules():
        for name in reference.public(module):
            function = getattr(module, name)
            place = module.__name__, name
            if place not in found and isinstance(function, Elementwise):
                expression = _elementwise(*place, function)
                if expression:
                    found[place] = expression
    return found
