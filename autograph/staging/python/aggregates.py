"""Built-in functions that make one value, or a sorted list, of many: ``min``, ``sum``, ``sorted``.

Of something that has `Items` they are graph loops, from left to right as Python goes; of anything
else they go through its elements now.
"""

from __future__ import annotations

import builtins
import functools
import math
import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import optree

import ops
from autograph.errors import BranchMismatchError, ConcreteValueError, LoopStateError
from autograph.graph.builder import current_builder
from autograph.graph.graph import Constant
from autograph.graph.purity import is_speculatable
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.control.control import truth
from autograph.staging.ground.leaves import leaves_of, of_registered_class
from autograph.staging.ground.nesting import LEAF, TupleOf
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.columns import Column, Rows
from autograph.staging.lists.dict_views import DictView
from autograph.staging.lists.elements import ListOf, RecordOf, list_depths, of_one
from autograph.staging.lists.lists import is_rows
from autograph.staging.lists.none_rows import without_none
from autograph.staging.lists.pooled import PooledList
from autograph.staging.lists.referred_pairs import ReferredPairs, list_of
from autograph.staging.lists.tables import KeyTable
from autograph.staging.lists.text_elements import refused_texts, text_ranks
from autograph.staging.python.chosen_keys import places_in, texts_of
from autograph.staging.sequences.comprehensions import Awaited
from autograph.staging.sequences.items import Filtered, Items, as_items, unordered
from autograph.staging.sequences.iteration import nothing_for, of_nothing
from autograph.staging.values.choice import Choice, looked_up
from autograph.staging.values.leaves import Promoted
from autograph.staging.values.maybe import MaybeNone, none_or
from autograph.staging.values.promoted import arranged, in_order, types_of
from ops.control import effects
from ops.core.conditions import raised_by
from ops.core.lengths import symbolic
from ops.core.symbolic_lengths import is_length
from ops.core.types import ArrayType, type_of
from ops.order.python_order import python_order

_MISSING = object()
_NOWHERE = -1  # the place of what a tuple does not hold


def is_symbolic(value: Any) -> bool:
    """Whether a value is symbolic or holds something that is."""
    leaves = leaves_of(value)
    return any(isinstance(leaf, (GraphArray, Choice)) for leaf in leaves)


# -- min, max --------------------------------------------------------------------------------------


def _extreme(name: str, better: Callable) -> Callable:
    """``min`` or ``max``: of the arguments, or of the elements of the only one."""

    def extreme(*args: Any, key: Any = None, default: Any = _MISSING) -> Any:
        if len(args) > 1 and default is not _MISSING:
            raise TypeError(f"Cannot specify a default for {name}() with multiple arguments")
        if len(args) == 1 and isinstance(args[0], Filtered):
            args = (ops.collect(lambda item: item, args[0]),)
        if len(args) == 1 and key is None:
            args = (unordered(args[0]),)
        found = as_items(args[0]) if len(args) == 1 else None
        if found is not None and not (isinstance(found.count, int) and found.count == 0):
            return of_items(found, key, default)
        candidates = list(args if len(args) > 1 else args[0])
        if not candidates:
            return nothing_for(name) if default is _MISSING else default
        best = _with_key(candidates[0], key)
        for candidate in candidates[1:]:
            best = choice(_with_key(candidate, key), best)
        return best[0]

    def of_items(found: Items, key: Any, default: Any) -> Any:
        if isinstance(found.count, int):
            return of_some(found, key)
        if default is not _MISSING:
            return ops.cond(found.count > 0, lambda: of_some(found, key), lambda: default)
        effects.check(found.count > 0, error="ValueError", message=of_nothing(name))
        return of_some(found, key)

    def of_some(found: Items, key: Any) -> Any:
        first = _with_key(found.item(0), key)
        names = _NAMES[: len(first)]
        body = lambda item, *best: choice(_with_key(item, key), best)
        return ops.for_loop(found.rest(), body, first, names)[0]

    def choice(candidate: tuple, best: tuple) -> tuple:
        """The better of two elements, both with their keys."""
        keep = compare(better, candidate[-1], best[-1])
        return ops.cond(keep, lambda: candidate, lambda: best, _NAMES[: len(best)])

    return extreme


_NAMES = ("best", "key of the best")


def _with_key(element: Any, key: Any) -> tuple:
    return (element,) if key is None else (element, ops.call(key, element))


def compare(better: Callable, a: Any, b: Any) -> Any:
    """``a < b`` (or ``>``); tuples and lists by their first elements that differ."""
    if not (isinstance(a, (tuple, list)) and type(a) is type(b) and is_symbolic((a, b))):
        return better(a, b)
    if is_rows(a) or is_rows(b):
        return better(a, b)
    if not a or not b:
        return better(len(a), len(b))
    first, other = a[0], b[0]
    same = equal(first, other) if _are_compared_by_elements(first, other) else first == other
    return ops.cond(
        same, lambda: compare(better, a[1:], b[1:]), lambda: compare(better, first, other)
    )


def compared(better: Callable, left: Any, right: Any) -> Any:
    """``left < right`` or its like, as the program compares them."""
    if type(left) is list and type(right) is list:
        left, right = tuple(left), tuple(right)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return compare(better, left, right)
    return better(left, right)


def equal(left: Any, right: Any) -> Any:
    """``left == right``: of tuples, or lists, whether all of their elements are equal. Whether
    lengths of arrays are that is assumed to be as it is in this call: shapes that are compared
    mostly say which of two ways a function goes with arrays of other shapes."""
    if not _are_compared_by_elements(left, right):
        return _equal_lengths(left, right) if _are_lengths(left, right) else left == right
    if len(left) != len(right):
        return False
    found: Any = True
    for a, b in zip(left, right):
        found = ops.and_(found, lambda a=a, b=b: a is b or to_bool(equal(a, b)))
    return found


def _are_lengths(left: Any, right: Any) -> bool:
    """Whether one is the length of an axis that is a symbol, and the other one or a number."""
    found = [_as_length(x) for x in (left, right)]
    return None not in found and any(map(is_length, found))


def _equal_lengths(left: Any, right: Any) -> bool:
    return bool(_as_length(left) == _as_length(right))


def _as_length(value: Any) -> Any:
    if isinstance(value, MaybeNone):
        return None  # to look at it is to check that it is there
    if isinstance(value, GraphArray):
        return symbolic(value.value)
    return value if type(value) is int else None


def unequal(left: Any, right: Any) -> Any:
    """``left != right``; see `equal`."""
    if not _are_compared_by_elements(left, right):
        return left != right
    return ops.not_(equal(left, right))


def _are_compared_by_elements(left: Any, right: Any) -> bool:
    """Whether two are tuples, or lists, that have symbolic arrays in them."""
    same = type(left) is type(right) and type(left) in (tuple, list)
    return same and is_symbolic((left, right))


minimum = _extreme("min", operator.lt)
maximum = _extreme("max", operator.gt)

# -- sum, any, all ---------------------------------------------------------------------------------


def total(iterable: Any, start: Any = 0) -> Any:
    """``sum``: from left to right, as Python does it; from 3.12 on it makes up for what is lost by
    rounding sums of its floats."""
    iterable = unordered(iterable)
    try:
        return _total(iterable, start)
    except (
        BranchMismatchError,
        LoopStateError,
    ):  # maybe for the sum gets its shape by the first one
        items = ops.collect(lambda item: item, iterable)
        if not _takes_shape(items, start):
            raise
        return _total(items, start)


def _total(iterable: Any, start: Any) -> Any:
    of_lists = isinstance(start, (list, tuple))
    if sys.version_info < (3, 12) or of_lists or _takes_shape(iterable, start):
        return folded(operator.add, iterable, start)
    found, lost = folded(_added, iterable, (start, 0.0))
    if isinstance(found, GraphArray) and found.dtype.kind in "biu":
        return found  # and nothing is lost
    if not isinstance(lost, GraphArray):
        return found + lost if lost and math.isfinite(lost) else found
    counts = ops.logical_and(ops.not_equal(lost, 0), ops.isfinite(lost))
    return ops.cond(counts, lambda: found + lost, lambda: found)


def _added(so_far: tuple, item: Any) -> tuple:
    """A sum with one more element, and what has been lost so far, both as of Neumaier's algorithm
    (Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen, 1974)."""
    before, lost = so_far
    found = before + item
    if not (_is_float(item) and _is_float(before)):
        return found, lost
    rest = found - before
    error = (before - (found - rest)) + (item - rest)
    return found, lost + (ops.stop_gradient(error) if isinstance(error, GraphArray) else error)


def _is_float(x: Any) -> bool:
    """Whether something is one of Python's floats; or it may be, of numbers of several types."""
    if isinstance(x, GraphArray):
        return x.type.weak and not x.is_array and x.dtype.kind == "f"
    return type(x) is float


def folded(combine: Callable, iterable: Any, start: Any = _MISSING) -> Any:
    """``combine(... combine(combine(start, first), second) ..., last)``, as `functools.reduce`."""
    found = as_items(iterable)
    if isinstance(iterable, Filtered) and start is not _MISSING:
        return _looped(combine, iterable, start)
    if start is not _MISSING and _takes_shape(iterable, start):
        message = "the sum of an empty list of arrays is a number, here it has to be an array"
        effects.check(found.count > 0, error="ValueError", message=message)
        return _looped(combine, found.rest(), combine(start, found.item(0)))
    if found is None or (isinstance(found.count, int) and found.count == 0):
        elements = iter(iterable)
        if start is _MISSING:
            start = next(elements, _MISSING)
        if start is _MISSING:
            raise TypeError("reduce() of empty iterable with no initial value")
        while (element := next(elements, _MISSING)) is not _MISSING:
            start = combine(start, element)
        return start
    if isinstance(found.count, int):  # the first one may give the result its shape
        start = found.item(0) if start is _MISSING else combine(start, found.item(0))
        found = found.rest()
    elif start is _MISSING:
        message = "reduce() of empty iterable with no initial value"
        effects.check(found.count > 0, error="TypeError", message=message)
        start, found = found.item(0), found.rest()
    return _looped(combine, found, start)


def _takes_shape(iterable: Any, start: Any) -> bool:
    """Whether a number becomes an array by adding the first element of a list, and only the run can
    tell whether there is one."""
    if not is_rows(iterable) or isinstance(iterable.length, int):
        return False
    if isinstance(start, (tuple, list)) or np.ndim(start):
        return False
    return any(column.element.shape for column in iterable.rows.columns)


def _looped(combine: Callable, items: Items | Filtered, start: Any) -> Any:
    body = lambda item, so_far: (combine(so_far, item),)
    (result,) = ops.for_loop(items, body, (start,), ("total",))
    return result


def to_bool(value: Any = False) -> Any:
    """``bool``."""
    flag = truth(value)
    if isinstance(flag, bool):
        return flag
    return GraphArray(ops.cast(flag, dtype="bool", weak=True))


def _fold(name: str, combine: Callable, reduction: Callable, empty: bool) -> Callable:
    """``any`` or ``all``: one element after the other until the answer is known."""

    def fold(iterable: Any) -> Any:
        if isinstance(iterable, GraphArray) and iterable.ndim == 1:
            return to_bool(reduction(iterable))
        iterable = unordered(iterable)
        found = iterable if isinstance(iterable, Filtered) else as_items(iterable)
        if found is not None:
            (result,) = ops.for_loop(
                found,
                lambda item, _: (to_bool(item),),
                (empty,),
                ("found",),
                test=lambda result: result if empty else ops.not_(result),
            )
            return result
        result = empty
        nodes = current_builder().nodes
        recorded = len(nodes)
        for element in _thunks(iterable):
            if isinstance(result, GraphArray) and not all(map(is_speculatable, nodes[recorded:])):
                raise located_error(
                    ConcreteValueError,
                    f"{name}() may stop before it comes to an element whose computation has an "
                    "effect or may fail",
                    id="AG0340",
                    fix="write a generator expression, or a `for` statement that ends with `break`",
                )
            result = combine(result, lambda e=element: to_bool(e()))
            if result is not empty and not isinstance(result, GraphArray):
                break
            recorded = len(nodes)
        return result

    return fold


def _thunks(iterable: Any) -> Iterator[Callable[[], Any]]:
    """What computes an element, for each of them: those of a generator expression when it is asked,
    after those before it have been looked at."""
    if type(iterable) is Awaited:
        return iterable.thunks()
    return (lambda element=element: element for element in iterable)


any_of = _fold("any", ops.or_, ops.any, False)
all_of = _fold("all", ops.and_, ops.all, True)

# -- elements of tuples ----------------------------------------------------------------------------


def method_of_tuple(items: tuple, name: str) -> Callable | None:
    """``items.index`` or ``items.count``, where only the run can tell which elements are equal."""
    method = {"index": _index, "count": _count}.get(name)
    return None if method is None else functools.partial(method, items)


def _index(items: tuple, value: Any, start: Any = 0, stop: Any = sys.maxsize) -> Any:
    found: Any = _NOWHERE
    for place in reversed(range(len(items))[start:stop]):
        is_here = _is_or_equals(items[place], value)
        if is_symbolic(is_here):
            found = ops.where(is_here, place, found)
        elif is_here:
            found = place
    if type(found) is int and found != _NOWHERE:
        return found
    said = str(raised_by(().index, 0))
    effects.check(ops.not_equal(found, _NOWHERE), error="ValueError", message=said)
    return ops.cast(found, dtype="int64", weak=True)


def _count(items: tuple, value: Any) -> Any:
    return total([_is_or_equals(item, value) for item in items])


def _is_or_equals(item: Any, value: Any) -> Any:
    return item is value or to_bool(equal(item, value))


# -- sorted ----------------------------------------------------------------------------------------


def ordered(
    iterable: Iterable, *, key: Any = None, reverse: Any = False, numbers: bool = False
) -> list:
    """``sorted``: stable.

    The keys may be numbers or tuples of numbers; so may the elements, or all of them the same.

    Args:
        numbers: whether NaN is an error when the program runs, for algorithms that arrange other
            elements as ``sorted`` does.
    """
    listed = iterable.copy() if isinstance(iterable, PooledList) else list_of(iterable)
    if listed is not None:
        return _ordered_rows(listed, key, reverse, numbers)
    iterable = unordered(iterable) if key is None else iterable
    found = as_items(iterable)
    count = getattr(found, "count", 0)
    if isinstance(iterable, Filtered) or not is_few(count):
        return _ordered_rows(ops.collect(lambda item: item, iterable), key, reverse, numbers)
    unseen = found is not None and isinstance(iterable, (KeyTable, DictView))
    elements = list(found if unseen else iterable)
    keys = elements if key is None else [ops.call(key, element) for element in elements]
    keys = _deciding(keys)
    if not is_symbolic(keys) or len(elements) < 2:
        places = builtins.sorted(range(len(keys)), key=keys.__getitem__, reverse=reverse)
        return [elements[place] for place in places]
    order = _order(keys[::-1] if reverse else keys, numbers)
    made = _arranged(elements[::-1] if reverse else elements, order)
    return made[::-1] if reverse else made


def _deciding(keys: list) -> list:
    """What is looked at of keys: of tuples the first items alone, if these are known and differ."""
    if not keys or not all(type(key) is tuple and key for key in keys):
        return keys
    first = [key[0] for key in keys]
    is_known = all(isinstance(item, (str, int)) for item in first)
    return first if is_known and len(set(first)) == len(first) else keys


def is_few(count: Any) -> bool:
    """Whether there are as many items as may be recorded one by one."""
    return isinstance(count, int) and count <= recorder().unroll_limit


def _order(keys: list, numbers: bool) -> Any:
    """The places of the elements, from the smallest key to the largest."""
    structures = [
        optree.tree_structure(key, none_is_leaf=True, is_leaf=_is_no_tuple) for key in keys
    ]
    if any(structure != structures[0] for structure in structures):
        raise unsortable("tuples of different lengths")
    flat = [optree.tree_leaves(key, none_is_leaf=True, is_leaf=_is_no_tuple) for key in keys]
    columns = list(zip(*flat))
    columns = [_ranks(column) for column in columns]
    stacked = [ops.stack([_sort_key(key) for key in column], axis=0) for column in columns]
    return python_order(*stacked, lanes=0, numbers=numbers)


def _ranks(column: Sequence[Any]) -> Sequence[Any]:
    """Texts as their places in their order; other keys as they are."""
    texts = texts_of(column)
    return column if texts is None else places_in(texts, column)


def _is_no_tuple(key: Any) -> bool:
    return not isinstance(key, tuple)


def _ordered_rows(elements: Any, key: Any, reverse: Any, numbers: bool) -> Any:
    """`ordered` for a list whose length is known only at run time."""
    if reverse:
        elements.reverse()
    keys = elements if key is None else ops.collect(lambda item: ops.call(key, item), elements)
    if isinstance(keys, ReferredPairs):
        keys = keys.keys  # of which no two are equal
    if isinstance(keys, PooledList):
        raise unsortable("lists as keys", "give a key that is a number or a tuple of numbers")
    if isinstance(keys.length, int) and not keys.length:
        return elements
    rows = keys.as_rows()
    if rows is None:
        raise unsortable("keys of different kinds")
    if _holds_objects(rows.structure):
        raise unsortable("objects as keys", "give a key that is a number or a tuple of numbers")
    rows = without_none(rows.promoted, "sorting a list", least=2)
    rows = _lists_as_tuples(rows)
    columns = rows.columns
    for column in columns:
        if column.element.shape or column.element.dtype.kind == "c":
            raise unsortable(f"{column.element} as a key")
    ranks = text_ranks(rows.structure)
    if ranks is None:
        raise refused_texts("texts are sorted")
    values = [
        GraphArray(column.value)
        if rank is None
        else GraphArray(Constant(np.array(rank)))[GraphArray(column.value)]
        for column, rank in zip(columns, ranks)
    ]
    order = python_order(*values, lanes=0, numbers=numbers)
    made = elements.at(order)
    if reverse:
        made.reverse()
    return made


def _lists_as_tuples(rows: Rows) -> Rows:
    """Lists of numbers, of one length, as tuples, which have the same order."""
    structure: Any = rows.structure
    if not any(list_depths(structure)):
        return rows
    if not isinstance(structure, ListOf) or structure.part is not LEAF or not structure.length:
        raise unsortable("lists as keys", "give a key that is a number or a tuple of numbers")
    (column,) = rows.columns
    array, element = GraphArray(column.value), of_one(column.element)
    items = [Column(array[:, place].value, element) for place in range(structure.length)]
    return Rows(TupleOf(tuple, (LEAF,) * len(items)), tuple(items))


def _holds_objects(structure: Any) -> bool:
    if isinstance(structure, TupleOf):
        return any(map(_holds_objects, structure.parts))
    return isinstance(structure, RecordOf) and structure.kind is not list


def _sort_key(key: Any) -> Any:
    kind = key.type if isinstance(key, GraphArray) else type_of(key)
    if isinstance(key, list):
        raise unsortable("lists as keys", "give a key that is a number or a tuple of numbers")
    if kind is None:
        raise unsortable(f"a key of type {type(key).__name__}")
    if kind.size != 1:
        raise unsortable(f"an array of shape {kind.shape} as a key")
    if kind.dtype.kind == "c":
        raise TypeError("'<' not supported between instances of 'complex' and 'complex'")
    one = GraphArray(key.value) if types_of(key) else key  # those of several types as promoted
    return ops.reshape(one, ())


def _arranged(elements: list, order: Any) -> list:
    """The elements in the given order."""
    whole = of_registered_class()
    flat = [optree.tree_flatten(element, whole, none_is_leaf=True) for element in elements]
    structure = flat[0][1]
    if any(other != structure for _, other in flat):
        raise unsortable("elements of different structure")
    columns = [_gathered(list(column), order) for column in zip(*(leaves for leaves, _ in flat))]
    return [optree.tree_unflatten(structure, row) for row in zip(*columns)]


def _gathered(leaves: list, order: Any) -> list:
    """Leaves of the same place in each element, in the given order."""
    if all(leaf is leaves[0] for leaf in leaves):
        return leaves
    texts = texts_of(leaves)
    if texts is not None:
        places = _gathered(places_in(texts, leaves), order)
        return [looked_up(place, texts) for place in places]
    if any(leaf is None or isinstance(leaf, MaybeNone) for leaf in leaves):
        return _gathered_or_none(leaves, order)
    kinds: list[ArrayType] = []
    for leaf in leaves:
        own = leaf.type if isinstance(leaf, GraphArray) else type_of(leaf)
        if own is None or own.shape:
            raise unsortable("elements that are not numbers")
        kinds += types_of(leaf) or (own,)
    if len(set(kinds)) > 1:
        return arranged(leaves, Promoted(in_order(kinds)), order)
    rows = ops.take(ops.stack(leaves, axis=0), order, axis=0)
    return [_as_number(rows[i], kinds[0].weak) for i in range(len(leaves))]


def _gathered_or_none(leaves: list, order: Any) -> list:
    """The same of leaves that may be None."""
    known = [leaf.content if isinstance(leaf, MaybeNone) else leaf for leaf in leaves]
    other = next((leaf for leaf in known if leaf is not None), 0)
    there = [leaf.present if isinstance(leaf, MaybeNone) else leaf is not None for leaf in leaves]
    contents = _gathered([other if leaf is None else leaf for leaf in known], order)
    return [none_or(*parts) for parts in zip(_gathered(there, order), contents)]


def _as_number(row: Any, weak: bool) -> Any:
    return ops.cast(row, dtype=row.dtype.name, weak=True) if weak else row


def unsortable(what: str, fix: str = "") -> ConcreteValueError:
    return located_error(
        ConcreteValueError,
        f"sorted() by keys known only at run time cannot take {what}",
        id="AG0338",
        fix=fix or "sort arrays: order = np.argsort(keys, kind='stable'), then index with it",
    )
