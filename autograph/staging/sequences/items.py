"""What a graph loop can go through: something with a count and an item for each index."""

from __future__ import annotations

import functools
import itertools
import operator
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import ops
from autograph.backends.select import is_array
from autograph.errors import ConcreteValueError, UnsupportedFunctionError
from autograph.graph.builder import current_builder
from autograph.staging.arrays.array import GraphArray, located_error, symbolic_int
from autograph.staging.ground.examples import example
from autograph.staging.ground.naming import unversioned
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.dict_views import DictView
from autograph.staging.lists.following import counted
from autograph.staging.lists.lists import TrackedList, is_rows
from autograph.staging.lists.pooled import PooledList
from autograph.staging.lists.tables import KeyTable
from autograph.staging.values.maybe import ArrayOrNone
from autograph.staging.values.promoted import constructor, types_of
from ops.control import effects
from ops.core.lengths import symbolic
from ops.core.recording import raises_as_python
from ops.core.symbolic_lengths import bounds_of, is_length

# As many known elements of a list are as well gone through one by one, each a number that is known.
_FEW = 64


class Items:
    """The items ``item(0) ... item(count - 1)``; both ``count`` and the index may be symbolic.

    This is what ``enumerate``, ``zip``, ``reversed``, ``map`` and, as an `Arithmetic`, ``range``
    return in converted code when they are given something that has items itself.

    Attributes:
        lists: those gone through of which only the run may know the length.
        recount: what the count is after changes to these; None if Python counts once as well.
        kept: see `KeyTable.kept`; None if it is no table that is gone through.
    """

    def __init__(
        self,
        count: Any,
        item: Callable[[Any], Any],
        lists: Sequence[TrackedList] = (),
        recount: Callable[[], Any] | None = None,
        kept: Callable[[Any], Callable[[], Any]] | None = None,
    ):
        self.count = count
        self.item = item
        self.lists = tuple(lists)
        self.recount = recount
        self.kept = kept

    @property
    def length(self) -> Any:
        """The count as an int or a symbolic length; None if known only at run time."""
        return _length_of(self.count)

    def index_name(self, body: Callable) -> str:
        """What to call the index of the loop with this body."""
        return "i"

    def rest(self) -> Items:
        """All items but the first."""
        again, kept = self.recount, self.kept
        recount = None if again is None else lambda: again() - 1
        later = None if kept is None else lambda index: kept(index + 1)
        return Items(self.count - 1, lambda index: self.item(index + 1), self.lists, recount, later)

    def each(self, item: Callable[[Any], Any]) -> Items:
        """As many other items, which are made of these."""
        return Items(self.count, item, self.lists, self.recount, self.kept)

    def __len__(self) -> int:
        return self.count.__index__()

    def __iter__(self) -> Iterator[Any]:
        """Python's own iteration, for code that is not converted."""
        recorder().consume(self)
        limit = recorder().unroll_limit
        if len(self) > limit:
            raise located_error(
                ConcreteValueError,
                f"Python goes through {len(self)} items here, more than unroll_limit ({limit})",
                id="AG0309",
                fix="loop over them with a `for` statement, which becomes a graph loop",
            )
        return counted(self.lists, (self.item(i) for i in range(len(self))))


def _length_of(count: Any) -> Any:
    """A count as an int or a symbolic length; None if known only at run time."""
    if isinstance(count, GraphArray):
        return symbolic(count.value)
    return count if isinstance(count, int) else None


class Arithmetic(Items):
    """The numbers ``start``, ``start + step`` ...: a `range` whose bounds may be symbolic."""

    def __init__(self, start: Any, stop: Any, step: Any, count: Any):
        super().__init__(count, self._number)
        self.start = start
        self.stop = stop
        self.step = step

    def _number(self, index: Any) -> Any:
        scaled = index if _is(self.step, 1) else index * self.step
        return scaled if _is(self.start, 0) else self.start + scaled

    def index_name(self, body: Callable) -> str:
        """As the loop's target, if that is the index."""
        code = getattr(body, "__code__", None)
        is_index = _is(self.start, 0) and _is(self.step, 1)
        if not is_index or code is None or not code.co_argcount:
            return super().index_name(body)
        return unversioned(code.co_varnames[0])

    def rest(self) -> Arithmetic:
        return Arithmetic(self.start + self.step, self.stop, self.step, self.count - 1)

    def __iter__(self) -> Iterator[Any]:
        return (self.item(i) for i in range(len(self)))

    @raises_as_python
    def __getitem__(self, index: Any) -> Any:
        """A number, by its place; counted from the end if that is negative.

        Raises:
            IndexError: there are fewer numbers, when the program runs.
        """
        if isinstance(index, slice):
            return self._known()[index]
        try:
            index = _integer(index)
        except TypeError as error:
            name = str(error).split("'")[1]
            raise TypeError(f"range indices must be integers or slices, not {name}") from None
        place = ops.cond(index < 0, lambda: index + self.count, lambda: index)
        inside = ops.and_(place >= 0, lambda: place < self.count)
        effects.check(inside, error="IndexError", message="range object index out of range")
        return self._number(place)

    def __contains__(self, number: Any) -> bool:
        return number in self._known()

    def __eq__(self, other: object) -> bool:
        return self._known() == (other._known() if isinstance(other, Arithmetic) else other)

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return len(self) > 0

    def __array_function__(self, function: Any, types: Any, args: tuple, kwargs: dict) -> Any:
        return recorder().apply_function(function, args, kwargs)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return recorder().apply_ufunc(ufunc, method, inputs, kwargs)

    def contains(self, number: Any) -> Any:
        """``number in range(...)``, for symbolic ones."""
        offset = number - self.start
        inside = ops.cond(
            self.step > 0,
            lambda: ops.and_(offset >= 0, lambda: offset < self.count * self.step),
            lambda: ops.and_(offset <= 0, lambda: offset > self.count * self.step),
        )
        return ops.and_(inside, lambda: offset % self.step == 0)

    @raises_as_python
    def __getattr__(self, name: str) -> Any:
        """What else a `range` can do takes its numbers."""
        if not hasattr(range, name):
            raise AttributeError(f"'range' object has no attribute '{name}'")
        return getattr(self._known(), name)

    def _known(self) -> range:
        """The range itself: its bounds become part of the function's signature."""
        bounds = (b.__index__() for b in (self.start, self.stop, self.step))
        return range(*bounds)


class ArrayRows(Items):
    """The rows of an array."""

    def __init__(self, array: GraphArray):
        super().__init__(length(array), lambda index: row(array, index))
        self.array = array


def row(array: GraphArray, index: Any) -> Any:
    """One of the rows that there are."""
    row = array[index]
    producer = row._value.producer
    if producer is not None and producer.required:
        current_builder().exchange(producer, required=False)
    return row


def as_items(iterable: Any) -> Items | None:
    """``iterable`` as items, or None if only Python can iterate over it."""
    if is_array(iterable):
        iterable = recorder().outside.capture("", iterable)
    if isinstance(iterable, Items):
        return iterable
    if isinstance(iterable, ArrayOrNone):
        iterable = iterable.checked()
    if isinstance(iterable, range):
        start, stop, step = iterable.start, iterable.stop, iterable.step
        count = max(0, -((start - stop) // step))  # ``len`` refuses what does not fit 64 bits
        return Arithmetic(start, stop, step, count)
    if isinstance(iterable, GraphArray) and iterable.ndim:
        return ArrayRows(iterable)
    if isinstance(iterable, PooledList):
        counted = iterable.counted
        recount = _recounted(counted) if iterable.kind is deque else lambda: counted.length
        return Items(iterable.length, iterable.item, (counted,), recount)
    if is_rows(iterable):
        recount = _recounted(iterable) if iterable.kind is deque else lambda: iterable.length
        return Items(iterable.length, iterable.item, (iterable,), recount)
    if isinstance(iterable, KeyTable) and not iterable.is_seen:
        if not iterable.is_ordered:
            raise refused_order()
        return TableKeys(iterable)
    if isinstance(iterable, DictView) and not iterable.is_seen:
        table = iterable.table
        return Items(table.length, iterable.item, (table.order,), table.counted(), table.kept)
    return None


def items_of_numbers(iterable: Any) -> Items | None:
    """A list of more than a few numbers of one type, or tuples of such, as items, although they are
    known; None if it is something else.

    A loop that can't be recorded has them as they are: see `TrackedList.__getitem__`.
    """
    if not isinstance(iterable, TrackedList) or iterable.rows is not None:
        return None
    elements = list(list.__iter__(iterable))
    if len(elements) <= _FEW or len(set(map(_form, elements))) > 1 or _form(elements[0]) is None:
        return None
    return Items(len(elements), iterable.__getitem__, (iterable,), lambda: iterable.length)


def _form(element: Any) -> Any:
    """What is equal for numbers of one type, and for tuples of them; None for other elements."""
    if type(element) is tuple:
        parts = tuple(map(_form, element))
        return None if not parts or None in parts else parts
    fits = type(element) is not int or abs(element) < 2**63
    return type(element) if type(element) in (bool, int, float) and fits else None


class TableKeys(Items):
    """The keys of a dict or set, in the order in which they came.

    Attributes:
        table: the dict or set.
    """

    def __init__(self, table: KeyTable):
        super().__init__(table.length, table.key_at, (table.order,), table.counted(), table.kept)
        self.table = table


def unordered(iterable: Any) -> Any:
    """What something goes through for which the order does not matter."""
    if not isinstance(iterable, KeyTable) or iterable.is_ordered:
        return iterable
    return iterable.known_keys() if iterable.is_seen else TableKeys(iterable)


def refused_order() -> Exception:
    return located_error(
        UnsupportedFunctionError,
        "a set is gone through whose members are known only at run time, or were not only put in, "
        "in an order that depends on how Python keeps them",
        id="AG0582",
        fix="go through sorted(s)",
    )


def _recounted(queue: TrackedList) -> Callable[[], Any]:
    """What counts a deque again, which may not have changed its length.

    Raises:
        RuntimeError: it has, when the program runs.
    """
    count = queue.length

    def again() -> Any:
        message = "deque mutated during iteration"
        effects.check(ops.equal(queue.length, count), error="RuntimeError", message=message)
        return count

    return again


def length(array: GraphArray) -> Any:
    """``len(array)``, a symbolic int if only the run can tell."""
    known = array.type.shape[0]
    return GraphArray(ops.length(array.value)) if known is None else symbolic_int(known)


def _is(number: Any, value: int) -> bool:
    return isinstance(number, int) and number == value


@raises_as_python
def _integer(number: Any) -> Any:
    """A bound of a range as a Python int, as its numbers are, which never wraps around.

    Raises:
        TypeError: Python takes it for no integer.
    """
    if not isinstance(number, GraphArray):
        return operator.index(number)
    for kind in types_of(number):
        operator.index(constructor(kind)(0))
    operator.index(example(number))
    is_int = number.type.weak and number.dtype.kind == "i"
    return number if is_int else ops.cast(number, dtype="int64", weak=True)


def traced_range(*args: Any) -> Arithmetic:
    """``range`` with symbolic bounds or step.

    Raises:
        ValueError: the step is zero, when the program runs.
    """
    start, stop, step = map(_integer, {1: (0, *args, 1), 2: (*args, 1), 3: args}[len(args)])
    if isinstance(step, int):
        if step == 0:
            raise ValueError("range() arg 3 must not be zero")
        distance = stop - start if step > 0 else start - stop
        count = distance if abs(step) == 1 else (distance + (abs(step) - 1)) // abs(step)
    else:
        effects.check(step != 0, error="ValueError", message="range() arg 3 must not be zero")
        sign = ops.call(lambda s: ops.cond(s > 0, lambda: 1, lambda: -1), step)
        count = (stop - start + (step - sign)) // step
    length = _length_of(count)
    if is_length(length):
        return Arithmetic(start, stop, step, count if length >= 0 else 0)
    return Arithmetic(start, stop, step, ops.cond(count > 0, lambda: count, lambda: 0))


def traced_enumerate(iterable: Any, start: Any = 0) -> Any:
    items = as_items(iterable)
    if items is None:
        return enumerate(iterable, start.__index__())
    return items.each(lambda i: (start + i, items.item(i)))


def traced_zip(*iterables: Any, strict: bool = False) -> Any:
    """``zip``: as long as the shortest.

    Raises:
        ValueError: the lengths differ, with ``strict``.
    """
    parts = [part for iterable in iterables if (part := as_items(iterable)) is not None]
    if not parts or len(parts) < len(iterables):
        return _native_zip(iterables, strict)
    if strict:
        for position, part in enumerate(parts[1:], 2):
            _require_equal(parts[0].count, part.count, position)
    count = functools.reduce(_smaller, (part.count for part in parts))
    lists = [xs for part in parts for xs in part.lists]
    return Items(count, lambda i: tuple(part.item(i) for part in parts), lists)


def traced_pairwise(iterable: Any) -> Any:
    """``itertools.pairwise``."""
    items = as_items(iterable)
    if items is None:
        return itertools.pairwise(iterable)
    pair = lambda index: (items.item(index), items.item(index + 1))
    return Items(traced_range(1, items.count).count, pair, items.lists)


def _native_zip(iterables: Iterable[Any], strict: bool) -> Any:
    return zip(*iterables, strict=True) if strict else zip(*iterables)


def _require_equal(first: Any, count: Any, position: int) -> None:
    if isinstance(first, int) and isinstance(count, int):
        if first != count:
            others = "argument 1" if position == 2 else f"arguments 1-{position - 1}"
            differs = "longer" if count > first else "shorter"
            raise ValueError(f"zip() argument {position} is {differs} than {others}")
        return
    effects.check(first == count, error="ValueError", message="zip() arguments differ in length")


def _smaller(a: Any, b: Any) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        return min(a, b)
    first, second = _length_of(a), _length_of(b)
    if first is not None and second is not None:
        low, high = bounds_of(first - second)
        if high <= 0 or low >= 0:
            return a if high <= 0 else b
    return ops.cond(a < b, lambda: a, lambda: b)


def traced_reversed(iterable: Any) -> Any:
    items = as_items(iterable)
    if items is None:
        return reversed(iterable)
    recount = items.recount if _ends_by_change(iterable) else None
    return Items(items.count, lambda i: items.item(items.count - 1 - i), items.lists, recount)


def _ends_by_change(iterable: Any) -> bool:
    """Whether Python raises an exception where something has another length than at the start."""
    if isinstance(iterable, KeyTable | DictView):
        return True
    return isinstance(iterable, PooledList | TrackedList) and iterable.kind is deque


def traced_map(function: Callable, *iterables: Any) -> Any:
    """``map``: the function is called when an item is asked for."""
    parts = [as_items(iterable) for iterable in iterables]
    if not parts or any(part is None for part in parts):
        return map(functools.partial(ops.call, function), *iterables)
    zipped = traced_zip(*iterables)
    made = lambda i: ops.call(function, *zipped.item(i))
    return Items(zipped.count, made, zipped.lists)


class Filtered:
    """``function(element)`` for the elements of ``source`` for which ``keeps`` is true: what
    ``filter`` returns, and a generator expression.

    A loop goes through all elements and skips those that are not kept.
    """

    def __init__(self, source: Any, keeps: Callable, function: Callable = lambda element: element):
        self.source = source
        self.keeps = keeps
        self.function = function

    def body(self, body: Callable, names: tuple, test: Callable | None) -> Callable:
        """The body of a loop through ``source``, from that of a loop through what is kept.

        Args:
            test: whether the loop goes on, of its variables.
        """

        def kept(item: Any, *state: Any) -> Any:
            made = lambda: body(self.function(item), *state)
            return ops.cond(self.keeps(item), made, lambda: state, names)

        return kept

    def __iter__(self) -> Iterator[Any]:
        recorder().consume(self)
        return map(self.function, self._kept())

    def _kept(self) -> Iterator[Any]:
        for item in self.source:
            keep = self.keeps(item)
            if _is_kept(keep):
                yield item


def _is_kept(keep: Any) -> bool:
    try:
        return bool(keep)
    except ConcreteValueError as error:
        raise located_error(
            ConcreteValueError,
            "Python goes through a filter here, and which elements it keeps is known only at run "
            "time",
            id="AG0309",
            fix="go through it with a `for` statement or a comprehension",
        ) from error


class Chained(Filtered):
    """The same where the function gives an iterable for each element: what that goes through, which
    is what a generator expression with more than one ``for`` does."""

    def body(self, body: Callable, names: tuple, test: Callable | None) -> Callable:
        def gone_through(element: Any, *state: Any) -> tuple:
            return ops.for_loop(self.function(element), body, state, names, test=test)

        return Filtered(self.source, self.keeps).body(gone_through, names, test)

    def __iter__(self) -> Iterator[Any]:
        return itertools.chain.from_iterable(super().__iter__())


def one_after_another(function: Any, args: tuple) -> Chained | None:
    """What ``itertools.chain`` and its ``from_iterable`` make; None of another function."""
    if function is itertools.chain:
        return Chained(args, lambda iterable: True)
    if function == itertools.chain.from_iterable and len(args) == 1:
        return Chained(*args, lambda iterable: True)
    return None


def traced_filter(function: Callable | None, iterable: Any) -> Filtered:
    return Filtered(iterable, lambda item: item if function is None else ops.call(function, item))


def traced_filter_false(function: Callable | None, iterable: Any) -> Filtered:
    """``itertools.filterfalse``"""
    keeps = traced_filter(function, iterable).keeps
    return Filtered(iterable, lambda item: ops.not_(keeps(item)))
