"""Exceptions that the program raises: what of them is known when the code is recorded, what not."""

from __future__ import annotations

import traceback
import types
from collections.abc import Mapping
from typing import Any

from autograph.errors import UnsupportedConstructError
from autograph.graph.builder import Builder
from autograph.graph.graph import Value
from autograph.graph.purity import is_speculatable
from autograph.source.load import is_converted
from autograph.staging.arrays.array import GraphArray
from autograph.staging.containers.structure import Flattener
from autograph.staging.ground.errors import raise_site
from autograph.staging.ground.naming import kind_shown
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.columns import Column
from autograph.staging.values.choice import Choice
from autograph.staging.values.maybe import ObjectOrNone
from autograph.staging.values.promoted import PromotedNumber, types_of
from autograph.staging.values.text import GraphText, slot_of
from ops.control import regions
from ops.control.constructs import Refusal
from ops.control.effects import Slot
from ops.core.operands import Symbolic

_NUMBERS = (bool, int, float, complex)
_STATIC = (str, bytes, type(None))
_SYMBOLIC = (Symbolic, Column, GraphText)

# What is raised, or not, as the machine, filters of warnings and NumPy's settings have it.
_OF_SURROUNDINGS = (MemoryError, Warning, FloatingPointError)


def holds_symbolic(error: BaseException) -> bool:
    """Whether an exception, or what it was raised from, holds values known only at run time."""
    return any(holds_symbolic_values((one.args, vars(one))) for one in linked(error))


def holds_symbolic_values(content: Any) -> bool:
    """Whether there are symbolic values in something, or in containers and objects in it."""
    return any(isinstance(leaf, _SYMBOLIC) for leaf in Flattener().flatten(content)[0])


def is_decided(builder: Builder, error: BaseException, is_told: bool = False) -> bool:
    """Whether an exception is raised while recording. What the function does before it raises,
    which of its exceptions it raises, or with which values, the program has to find out.

    Args:
        is_told: whether Python runs the function then, which tells what is raised first.
    """
    return not holds_symbolic(error) and not any(
        node.op.effect
        or node.regions
        or node.op is regions.call
        or not (is_told or is_speculatable(node))
        for node in builder.nodes
    )


def may_be_kept(error: BaseException) -> bool:
    """Whether an exception comes of what a recording is for, and is all that its class and its
    arguments make. What an `OSError` knows besides, or an `AttributeError` of Python's, no program
    tells."""
    if isinstance(error, _OF_SURROUNDINGS):
        return False
    base = _built_in(type(error))
    fresh = base.__new__(base, *error.args)
    fresh.__init__(*error.args)
    return all(
        _is_as(getattr(error, name, None), getattr(fresh, name, None))
        for kind in base.__mro__
        if kind not in BaseException.__mro__
        for name, member in vars(kind).items()
        if isinstance(member, (types.MemberDescriptorType, types.GetSetDescriptorType))
    )


def _is_as(content: Any, other: Any) -> bool:
    return content is other or (isinstance(content, (*_STATIC, *_NUMBERS)) and content == other)


def without_symbolic(error: Exception) -> Exception:
    """An exception that the program raises already, to go on with while recording. What it holds of
    the graph it was recorded in means nothing outside."""
    if holds_symbolic(error):
        for one in linked(error):
            one.args = ()
            vars(one).clear()
    return error


def promoted_in(error: BaseException) -> list[PromotedNumber]:
    """The numbers in an exception, and in what it was raised from, that are of another type on each
    path."""
    parts = [(one.args, list(vars(one).values())) for one in linked(error)]
    leaves = Flattener().flatten(tuple(parts))[0]
    return [leaf for leaf in leaves if types_of(leaf)]


def failure(
    error: Exception, known: Mapping[Any, GraphArray] = {}
) -> tuple[list[Value], dict[str, Any]]:
    """How a program raises ``error``: the operands and attributes of `ops.control.effects.fail`.

    Args:
        known: numbers that are of another type on each path, as what they are here.

    The arguments and attributes of the exception may be numbers, texts, arrays and tuples of these,
    known or not.

    Raises:
        UnsupportedConstructError: one of them is something else.
    """
    values: list[Value] = []

    def argument(item: Any) -> Any:
        item = recorder().defined(item)
        if isinstance(item, ObjectOrNone):
            item = item.checked()
        if isinstance(item, _STATIC):
            return item
        if isinstance(item, GraphText):
            inside = [known.get(value, value) for value in item.values]
            slot, inside = slot_of(GraphText(item.template, inside))
            values.extend(inside)
            return slot
        if isinstance(item, Choice) and all(isinstance(text, str) for text in item.objects):
            return argument(GraphText("{}", [item]))
        if isinstance(item, (GraphArray, *_NUMBERS)):
            values.append(recorder().value_of(known.get(item, item)))
            return Slot()
        if type(item) is tuple:
            return tuple(argument(part) for part in item)
        kind = kind_shown(item)
        raise UnsupportedConstructError(
            f"{type(error).__name__} with a {kind} in it is raised, and it is known "
            "only at run time whether, or with which values",
            raise_site(error),
            id="AG0333",
            fix="raise it with texts, numbers and arrays only; f'...' makes a text of anything",
        ) from error

    records = []
    for one in linked(error):
        base, key = _class_of(type(one))
        args, values_of = tuple(map(argument, one.args)), list(vars(one).values())
        records.append((base, args, key, tuple(vars(one)), tuple(map(argument, values_of))))
    base, args, key, names, state = records[0]
    attrs = {"error": base, "args": (*args, *state), "kind": key, "names": names}
    if records[1:]:
        attrs["linked"] = tuple(
            (before.__cause__ is not None, base, args, key, tuple(zip(names, state)))
            for before, (base, args, key, names, state) in zip(linked(error), records[1:])
        )
    return values, attrs


def _class_of(kind: type) -> tuple[str, str | None]:
    """The name of the built-in class that an exception class is or derives from; and if it derives
    from it, a key for it, under which the recorder knows it."""
    base = _built_in(kind)
    if base is kind:
        return base.__name__, None
    key = f"{kind.__module__}.{kind.__qualname__}"
    recorder().exceptions[key] = kind
    return base.__name__, key


def _built_in(kind: type) -> type:
    return next(base for base in kind.__mro__ if base.__module__ == "builtins")


def linked(error: BaseException) -> list[BaseException]:
    """An exception, what it was raised from or amid, and so on, as tracebacks show them. Errors of
    the user's caller are not among them: no frame of the recording has raised those. Nor are
    refusals, after which something is recorded again in another way: no program raises them."""
    found = [error]
    while True:
        last = found[-1]
        amid = None if last.__suppress_context__ else last.__context__
        before = last.__cause__ or amid
        while isinstance(before, Refusal):
            before = before.__context__
        if not isinstance(before, Exception) or before in found or not _is_of_recording(before):
            return found
        found.append(before)


def _is_of_recording(error: BaseException) -> bool:
    """Whether an exception comes from converted code, not from around the call."""
    frames = traceback.walk_tb(error.__traceback__)
    return error.__traceback__ is None or any(is_converted(f.f_code) for f, _ in frames)
