"""The exceptions that a ``try`` statement may have to handle, with the values that they hold.

A handler is recorded elsewhere than what raises: values that were made in a branch or loop are
brought out of it in *slots*, numbers that are written in place where the exception is raised, as
the number of the exception itself is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import ops
from autograph.errors import Location
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Constant, Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.border.failures import holds_symbolic
from autograph.staging.containers.watch import Raised
from autograph.staging.ground.errors import raise_site, user_location
from autograph.staging.ground.handling import attempting
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.recorder import recorder
from autograph.staging.values.promoted import PromotedNumber, types_of
from autograph.staging.values.text import GraphText
from ops.control.exceptions import Sites
from ops.core.types import ArrayType, python_type

# Exceptions that keep what they are made of elsewhere than in `args` as well.
_KEEPERS = (AttributeError, ImportError, NameError, OSError, StopIteration, SyntaxError, SystemExit)
_MOST_CAUSES = 100


class BroughtOut:
    """The slots of a recording."""

    def __init__(self) -> None:
        self.arrays = ByIdentity()


class RecordedSites(Sites):
    """The exceptions that the body of a ``try`` statement may raise.

    Attributes:
        builders: where each of them is made, if it holds values that the run knows.
        places: where in the user's source.
        handled: the numbers of those that a handler that was looked at is for.
        present: the numbers of those that the last one is for.
    """

    def __init__(self) -> None:
        super().__init__()
        self.builders: list[Builder | None] = []
        self.places: list[Location | None] = []
        self.handled: set[int] = set()
        self.present: list[int] = []
        self._home, self._frame = current_builder(), recorder().frame
        self._known: dict[Any, tuple[int, list[GraphArray]]] = {}

    def code(self, error: BaseException, flag: Any = True) -> int:
        """The number of an exception, of those that look alike the same.

        Args:
            flag: whether it is raised.
        """
        trace = error.__traceback__
        return self._code(error, flag, user_location() if trace is None else raise_site(error))

    def passed(self, inner: RecordedSites, number: int) -> int:
        """The number here of an exception that has a number elsewhere."""
        error = inner.exceptions[number - 1]
        code = self._code(error, True, inner.places[number - 1])
        if self.builders[code - 1] is not self._home:
            self.builders[code - 1] = inner.builders[number - 1]
        return code

    def _code(self, error: BaseException, flag: Any, place: Location | None) -> int:
        recorder().state(Raised)[error] = None
        symbolic = holds_symbolic(error) if isinstance(error, Exception) else False
        for number, other in enumerate(self.exceptions, 1):
            is_plain = not symbolic and self.builders[number - 1] is None
            same_place = self.places[number - 1] == place is not None
            if other is error or (is_plain and _is_alike(error, other, same_place)):
                return number
        made = current_builder() if symbolic else None
        if made is not None and made is not self._home:
            brought = self._in_slots(error, flag, place)
            if brought is not None:
                return brought
        return self._add(error, made, place)

    def _add(self, error: BaseException, made: Builder | None, place: Location | None) -> int:
        self.builders.append(made)
        self.places.append(place)
        return super().code(error)

    def _in_slots(self, error: BaseException, flag: Any, place: Location | None) -> int | None:
        """The number of an exception whose values are brought to where handlers are; None if they
        can't be."""
        leaves: list[GraphArray] = []
        try:
            content = tuple(_content(one, leaves) for one in _causes(error))
        except _HasNoSlot:
            return None
        types = [leaf.type for leaf in leaves]
        key = place, content, tuple(types)
        if key not in self._known:
            slots = [self._slot(kind) for kind in types]
            self._known[key] = self._add(_with_values(error, iter(slots)), self._home, place), slots
        number, slots = self._known[key]
        for slot, leaf in zip(slots, leaves):
            _write(slot, leaf, flag)
        return number

    def _slot(self, kind: ArrayType) -> GraphArray:
        zero = python_type(kind.dtype)(0) if kind.weak else np.dtype(kind.dtype.name).type(0)
        slot = GraphArray(Constant(zero))
        slot._frame = self._frame  # as old as the `try` statement
        recorder().state(BroughtOut).arrays[slot] = True
        return slot

    def chosen(self, error: Any, found: Sequence[BaseException]) -> BaseException:
        """One of the exceptions that a handler is for, which are made alike, with the values of the
        one that was raised.

        Args:
            error: its number.
            found: these exceptions.
        """
        contents = [(*one.args, *vars(one).values()) for one in found]
        names = tuple("value" for _ in contents[-1])

        def choose(number: int, content: tuple, others: tuple) -> tuple:
            is_it = ops.equal(error, number)
            return ops.cond(is_it, lambda: content, lambda: others, names)

        chosen = contents[-1]
        for number, content in zip(self.present[-2::-1], contents[-2::-1]):
            chosen = choose(number, content, chosen)
        made, count = found[-1], len(found[-1].args)
        result = type(made).__new__(type(made), *chosen[:count])
        result.args = chosen[:count]
        vars(result).update(zip(vars(made), chosen[count:]))
        result.__cause__ = made.__cause__
        return result


class _PromotedSlots(PromotedNumber):
    """A number of one of several types, which is what its slots hold when it is read."""

    __slots__ = ("_promoted",)

    def __init__(
        self,
        promoted: GraphArray,
        kinds: tuple[ArrayType, ...],
        which: GraphArray,
        exact: Sequence[GraphArray | None],
    ):
        super().__init__(promoted.value, kinds, which, exact)
        self._promoted = promoted

    @property
    def value(self) -> Value:
        return self._promoted.value


def _write(slot: GraphArray, leaf: GraphArray, flag: Any) -> None:
    with attempting(None):
        new, kind = leaf, leaf.type
        if flag is not True:
            chosen = ops.where(flag, leaf, GraphArray(slot.value))
            new = ops.cast(chosen, dtype=kind.dtype.name, weak=kind.weak)
        slot.write(new.value)


def _with_values(error: BaseException, slots: Iterator[GraphArray]) -> BaseException:
    """An exception like another one, which the user may keep, with slots for what it holds."""
    args = _with_slots(error.args, slots)
    made = type(error).__new__(type(error), *args)
    made.args = args
    vars(made).update((name, _with_slots(value, slots)) for name, value in vars(error).items())
    cause = error.__cause__
    if cause is not None:
        made.__cause__ = _with_values(cause, slots)
    made.__suppress_context__ = error.__suppress_context__
    return made


def _causes(error: BaseException) -> list[BaseException]:
    """An exception, what it was raised from, and so on."""
    found = [error]
    while found[-1].__cause__ is not None:
        found.append(found[-1].__cause__)
        if len(found) > _MOST_CAUSES:  # in a circle
            raise _HasNoSlot
    return found


class _HasNoSlot(Exception):
    """A value can't be kept in slots."""


def _content(error: BaseException, leaves: list[GraphArray]) -> Any:
    """What there is in one exception besides ``leaves``, which are added there.

    Raises:
        _HasNoSlot: as `_described` does, or it keeps values elsewhere as well.
    """
    if isinstance(error, _KEEPERS):
        raise _HasNoSlot
    values = error.args, tuple(vars(error).values())
    return type(error), tuple(vars(error)), _described(values, leaves)


def _described(content: Any, leaves: list[GraphArray]) -> Any:
    """What there is in an exception besides ``leaves``, which are added there.

    Raises:
        _HasNoSlot: something else than numbers, texts, and tuples of such is in it.
    """
    if type(content) is GraphArray and not (content.is_array or content.type.shape):
        leaves.append(content)
        return GraphArray
    if types_of(content):
        leaves += [GraphArray(content.value), content.which]
        leaves += [one for one in content.exact if one is not None]
        return PromotedNumber, content.kinds, tuple(one is None for one in content.exact)
    if type(content) is tuple:
        return tuple(_described(part, leaves) for part in content)
    if isinstance(content, GraphText):
        return GraphText, content.template, _described(content.values, leaves)
    if isinstance(content, (bool, int, float, complex, str, bytes, type(None))):
        return type(content), content
    raise _HasNoSlot


def _with_slots(content: Any, slots: Iterator[GraphArray]) -> Any:
    """What `_described` has described, with slots in the place of its leaves."""
    if type(content) is GraphArray:
        return next(slots)
    if types_of(content):
        promoted, which = next(slots), next(slots)
        exact = [None if one is None else next(slots) for one in content.exact]
        return _PromotedSlots(promoted, content.kinds, which, exact)
    if type(content) is tuple:
        return tuple(_with_slots(part, slots) for part in content)
    if isinstance(content, GraphText):
        return GraphText(content.template, _with_slots(content.values, slots))
    return content


def _is_alike(a: BaseException, b: BaseException, same_place: bool) -> bool:
    """Whether nobody can tell two exceptions apart, perhaps of one statement."""
    if a is b:
        return True
    of_python = type(a).__module__ in ("builtins", "numpy.linalg")
    plain = (of_python or same_place) and not (vars(a) or vars(b))
    same = type(a) is type(b) and repr(a.args) == repr(b.args)
    return plain and same and a.__cause__ is None and b.__cause__ is None


def made_alike(a: BaseException, b: BaseException) -> bool:
    """Whether exceptions differ only in the numbers that they hold."""
    same = type(a) is type(b) and a.__cause__ is b.__cause__ and tuple(vars(a)) == tuple(vars(b))
    return same and _differ_in_numbers(
        (a.args, *vars(a).values()),
        (b.args, *vars(b).values()),
    )


def _differ_in_numbers(a: Any, b: Any) -> bool:
    """Whether two values, or texts with values in them, have the same structure and texts."""
    if type(a) is tuple:
        pairs = zip(a, b) if type(b) is tuple else ()
        return type(b) is tuple and len(a) == len(b) and all(_differ_in_numbers(*p) for p in pairs)
    if isinstance(a, GraphText) and isinstance(b, GraphText):
        return a.template == b.template and _differ_in_numbers(a.values, b.values)
    if _is_number(a) or _is_number(b):
        return _is_number(a) and _is_number(b)
    return type(a) is type(b) and isinstance(a, (str, bytes, type(None))) and a == b


def _is_number(value: Any) -> bool:
    if isinstance(value, GraphArray):
        return not (value.is_array or value.type.shape)
    return isinstance(value, (bool, int, float, complex))
