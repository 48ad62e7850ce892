"""Exceptions that the program raises: what of them is known when the code is recorded, what not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograph.errors import UnsupportedConstructError
from autograph.graph.graph import Value
from autograph.staging.array import GraphArray
from autograph.staging.choice import Choice
from autograph.staging.errors import raise_site
from autograph.staging.text import GraphText, slot_of
from ops.effects import Slot

if TYPE_CHECKING:
    from autograph.staging.tracer import Tracer

_NUMBERS = (bool, int, float, complex)
_STATIC = (str, bytes, type(None))


def failure(tracer: Tracer, error: Exception) -> tuple[list[Value], dict[str, Any]]:
    """How a program raises ``error``: the operands and attributes of `ops.effects.fail`.

    The arguments and attributes of the exception may be numbers, texts, arrays and tuples of these,
    known or not.

    Raises:
        UnsupportedConstructError: one of them is something else.
    """
    kind = type(error)
    base = next(b for b in kind.__mro__ if b.__module__ == "builtins")
    key = None
    if base is not kind:
        key = f"{kind.__module__}.{kind.__qualname__}"
        tracer.exceptions[key] = kind
    values: list[Value] = []

    def argument(item: Any) -> Any:
        if isinstance(item, _STATIC):
            return item
        if isinstance(item, GraphText):
            slot, inside = slot_of(item)
            values.extend(inside)
            return slot
        if isinstance(item, Choice) and all(isinstance(text, str) for text in item.objects):
            return argument(GraphText("{}", [item]))
        if isinstance(item, (GraphArray, *_NUMBERS)):
            values.append(tracer.value_of(item))
            return Slot()
        if type(item) is tuple:
            return tuple(argument(part) for part in item)
        raise UnsupportedConstructError(
            f"{kind.__name__} with a {type(item).__name__} in it is raised in control flow that "
            "depends on traced values",
            raise_site(error),
            id="AG0333",
            fix="raise it with texts, numbers and arrays only; f'...' makes a text of anything",
        ) from error

    args = tuple(argument(item) for item in (*error.args, *vars(error).values()))
    attrs = {"error": base.__name__, "args": args, "kind": key, "names": tuple(vars(error))}
    return values, attrs
