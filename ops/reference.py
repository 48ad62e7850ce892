"""The reference page of the operators, written from their declarations.

``python -m ops.reference`` prints the page that is kept as ``docs/operators.md``.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

import ops
from ops.core.numpy_table import ENTRIES, METHODS, Coverage
from ops.core.registry import Custom, Elementwise, Linear, Op
from ops.names.ufuncs import UFUNC_METHODS, UFUNCS

_INTRODUCTION = """\
# Operators

Written by `python -m ops.reference` from the declarations; a test compares.

An *elementwise* operator declares a partial derivative for each argument, a *linear* one its
transpose, a *custom* one its rules for forward and reverse mode; functions are *composed* of these
and have their derivatives. All rules are made of operators, so they hold to any order. "-" stands
for operators whose results are integers, booleans or constant almost everywhere. Where it is not
said otherwise, an operator runs on NumPy and on CuPy arrays. `autograph.vmap` applies all operators
to many lanes at once, except those that draw from NumPy's generators.

Complex derivatives follow JAX's convention: the gradient of a real function of `z = x + iy` is
`df/dx - i df/dy`; of a holomorphic function the derivative is the usual one.
"""


def page() -> str:
    """The text of the page, in Markdown."""
    parts = [_INTRODUCTION]
    for module in modules():
        rows = [_row(name, getattr(module, name)) for name in public(module)]
        if rows:
            title = module.__name__.removeprefix("ops.")
            parts.append(f"## {title}\n\n{_first_line(module)}\n\n{_table(_HEAD, rows)}")
    functions = [row for entry in ENTRIES for row in _covered(entry)]
    parts.append(
        "## NumPy's functions\n\nArguments in the last column have to have their default.\n\n"
        + _table(("NumPy", "here", "not supported"), sorted(functions))
    )
    ufuncs = [(f"`np.{f.__name__}`", _link(op), _methods_of(f)) for f, op in UFUNCS.items()]
    parts.append(
        "## NumPy's ufuncs\n\n"
        + _table(("NumPy", "here", "methods besides the call"), sorted(ufuncs))
    )
    listed = ", ".join(f"`{name}`" for name in sorted(METHODS))
    parts.append(f"## Methods of arrays\n\n{listed}\n")
    return "\n".join(parts)


# Modules of control flow, and of questions about types: what they add has no derivative of its own.
_WITHOUT_DERIVATIVE = (
    *(
        "ops.names.array_api",
        "ops.control.constructs",
        "ops.shapes.inspection",
        "ops.control.patterns",
        "ops.control.scanning",
    ),
)

_HEAD = ("", "derivative", "NumPy", "")


def modules() -> Iterator[ModuleType]:
    """The modules of the package, those of its packages too, in the order of their names."""
    for found in sorted(pkgutil.walk_packages(ops.__path__, "ops."), key=lambda m: m.name):
        if found.name != __name__:
            yield importlib.import_module(found.name)


def public(module: ModuleType) -> list[str]:
    """What a module itself adds to the namespace, without what it takes over from another."""
    names = getattr(module, "__all__", ())
    return [name for name in names if _is_function(getattr(module, name), module)]


def _is_function(value: Any, module: ModuleType) -> bool:
    if isinstance(value, Op):
        return not hasattr(module, "__path__")
    return inspect.isfunction(value) and value.__module__ == module.__name__


def _row(name: str, function: Callable) -> tuple[str, ...]:
    parameters = ", ".join(inspect.signature(function).parameters)
    covered = [
        numpy_name(f) for entry in ENTRIES if entry.ours is function for f in entry.functions
    ]
    covered += [f"np.{f.__name__}" for f, op in UFUNCS.items() if op is function]
    summary = _first_line(function)
    if isinstance(function, Op) and function.backends != ("numpy", "cupy"):
        summary += f" On {', '.join(function.backends)} only."
    shown = ", ".join(f"`{other}`" for other in dict.fromkeys(covered))
    return (f"`{name}({parameters})`", _derivative(function), shown, summary)


def _derivative(function: Callable) -> str:
    if isinstance(function, Elementwise):
        exists = [partial is not None for partial in function.partials]
        if all(exists):
            return "elementwise"
        by = [str(i + 1) for i, flag in enumerate(exists) if flag]
        return f"elementwise, by argument {', '.join(by)}" if by else "-"
    if isinstance(function, Linear):
        return "linear"
    if isinstance(function, Custom):
        if not function.differentiable:
            return "-"
        modes = [
            mode for mode, rule in (("forward", function.jvp), ("reverse", function.vjp)) if rule
        ]
        return f"custom, {' and '.join(modes)}" if modes else "-"
    return "" if function.__module__ in _WITHOUT_DERIVATIVE else "composed"


def _covered(entry: Coverage) -> Iterator[tuple[str, ...]]:
    for function in entry.functions:
        yield f"`{numpy_name(function)}`", _link(entry.ours), ", ".join(_unsupported(entry))


def _unsupported(entry: Coverage) -> list[str]:
    """The arguments of NumPy's that have to have their default."""
    if entry.signature is None:
        return []
    tokens = [token.partition("=") for token in entry.signature.split()]
    parameters = inspect.signature(entry.ours).parameters
    required = sum(p.default is p.empty for p in parameters.values())
    names = tokens[required:]
    return [
        f"`{n}`" for n, _, default in names if n not in parameters and default != "*" and n != "out"
    ]


def _link(function: Callable) -> str:
    return f"`{getattr(function, '__name__', function)}`"


def numpy_name(function: Any) -> str:
    """What a user writes for one of NumPy's functions; ``np.r_[...]`` for its brackets."""
    if function.__name__ == "__getitem__":
        owner = function.__self__
        return f"np.{next(n for n, value in vars(np).items() if value is owner)}[...]"
    module = (getattr(function, "__module__", None) or "numpy").removeprefix("numpy")
    is_named = module in (".linalg", ".fft") or module.startswith(".polynomial.")
    return f"np{module if is_named else ''}.{function.__name__}"


def _methods_of(ufunc: np.ufunc) -> str:
    return ", ".join(f"`{method}`" for other, method in UFUNC_METHODS if other is ufunc)


def _first_line(documented: Any) -> str:
    """The first sentence of a docstring, on one line."""
    text = inspect.getdoc(documented) or ""
    paragraph = " ".join(text.split("\n\n")[0].split())
    return paragraph.replace("``", "`").replace("|", "\\|")


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


if __name__ == "__main__":
    print(page(), end="")
