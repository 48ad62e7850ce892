"""Special methods of a class that are all alike.

Python looks them up in the class, where ``__getattr__`` is not asked, so each has to be there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

T = TypeVar("T")

# What the language and built-in functions do with any object, without the underscores.
ARITHMETIC = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor"),
    *("lshift", "rshift", "divmod"),
)
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
USES = (
    *(f"{prefix}{name}" for name in ARITHMETIC for prefix in ("", "r", "i")),
    *COMPARISONS,
    *("neg", "pos", "abs", "invert", "round", "bool", "int", "float", "complex", "index", "hash"),
    *("len", "getitem", "setitem", "delitem", "contains", "iter", "call", "enter", "exit"),
    *("repr", "str", "format", "array", "array_ufunc", "array_function"),
)


def special_methods(
    names: Iterable[str], method: Callable[[str], Callable[..., Any]], prefix: str = ""
) -> Callable[[type[T]], type[T]]:
    """A decorator that gives special methods to a class.

    Args:
        names: of the methods, without underscores.
        method: makes the one of a name.
        prefix: "r" for those that Python asks of the right operand.
    """

    def decorate(cls: type[T]) -> type[T]:
        for name in names:
            setattr(cls, f"__{prefix}{name}__", method(name))
        return cls

    return decorate
