"""Methods of the user's classes that Python, or a decorator, derives from others.

``!=`` from ``__eq__``, comparisons from one of them by `functools.total_ordering`, and what
`dataclasses.dataclass` makes. They ask for the truth of what they compare, or make lists where the
recording does not see it, so there are versions of our own, used while a function is recorded. For
SciPy's sparse matrices, which are no classes of the user's but seen as such, there are too.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import ops
from autograph.staging.arrays import sparse
from autograph.staging.containers.containers import contents, fill
from autograph.staging.ground.sparse_kinds import format_of
from autograph.staging.lists.lists import TrackedList

# In older versions the fields are compared in tuples, in which an object equals itself.
_BY_IDENTITY = sys.version_info < (3, 13)


def derived(kind: type) -> dict[str, Callable]:
    """Our versions of the methods of a class that are derived from others, by name."""
    if format_of(kind) is not None:
        return sparse.methods(kind)
    own = vars(kind)
    found: dict[str, Callable] = {}
    inherits_ne = getattr(kind, "__ne__", None) is object.__ne__
    if isinstance(own.get("__eq__"), types.FunctionType) and inherits_ne:
        found["__ne__"] = _differs
    for name, method in own.items():
        made_by, _, root = _code_name(method).partition("_from_")
        if root and method.__module__ == functools.__name__:
            found[name] = _ordering(made_by.strip("_"), root)
    if "__dataclass_params__" not in own:
        return found
    for name in ("__eq__", "__lt__", "__le__", "__gt__", "__ge__"):
        if is_generated(own.get(name)):
            found[name] = _comparison(name)
    if is_generated(own.get("__init__")):
        found["__init__"] = _with_lists(own["__init__"])
    return found


def is_generated(method: Any) -> bool:
    """Whether a method was made from a text, as those of dataclasses are."""
    code = getattr(method, "__code__", None)
    return code is not None and code.co_filename == "<string>"


def _code_name(method: Any) -> str:
    return method.__code__.co_name if isinstance(method, types.FunctionType) else ""


def _differs(self: Any, other: Any) -> Any:
    """``__ne__``."""
    kind: Any = type(self)
    equal = kind.__eq__(self, other)
    return equal if equal is NotImplemented else ops.not_(equal)


def _ordering(name: str, root: str) -> Callable:
    """The comparison ``name`` made of the comparison ``root``; both "lt", "le", "gt" or "ge"."""
    negated = name[0] != root[0]
    strict = (root[1] == "t") != negated  # after the negation

    def compare(self: Any, other: Any) -> Any:
        holds = getattr(type(self), f"__{root}__")(self, other)
        if holds is NotImplemented:
            return holds
        if negated:
            holds = ops.not_(holds)
        if strict and name[1] == "e":
            return ops.or_(holds, lambda: self == other)
        if not strict and name[1] == "t":
            return ops.and_(holds, lambda: self != other)
        return holds

    return compare


def _comparison(name: str) -> Callable:
    """A comparison of dataclasses: that of the tuples of their fields."""
    decide = getattr(operator, name)

    def compare(self: Any, other: Any) -> Any:
        if type(other) is not type(self):
            return NotImplemented
        fields = (field.name for field in dataclasses.fields(self) if field.compare)
        pairs = ((getattr(self, field), getattr(other, field)) for field in fields)
        return _compared(decide, pairs)

    return compare


def _compared(decide: Callable, pairs: Iterator[tuple[Any, Any]]) -> Any:
    """Compare two sequences by the first elements that differ."""
    for left, right in pairs:
        if not (_BY_IDENTITY and left is right):
            break
    else:
        return decide(0, 0)
    same = left == right
    if decide is operator.eq:
        return ops.and_(ops.call(bool, same), lambda: _compared(decide, pairs))
    return ops.cond(same, lambda: _compared(decide, pairs), lambda: decide(left, right))


def _with_lists(init: Callable) -> Callable:
    """The ``__init__`` of a dataclass; lists that default factories make can grow."""

    def initialise(self: Any, *args: Any, **kwargs: Any) -> None:
        init(self, *args, **kwargs)
        state = contents(self)
        made = {id(v): TrackedList(v) for v in state.values if type(v) is list}
        if made:
            fill(self, state._replace(values=tuple(made.get(id(v), v) for v in state.values)))

    return initialise
