"""`vmap`: a function of one thing, applied to many of them at once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NoReturn

import numpy as np

import ops
from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.derivatives.common import (
    described,
    fresh,
    leaf_paths,
    name_of,
    remembered,
    site_of,
    symbolic,
    transformed,
)
from autograph.api.derivatives.recorded_calls import positions_of
from autograph.api.function import GraphFunction
from autograph.api.trees import Nesting, flatten, has_type, leaf_type, spread
from autograph.errors import BatchingError, Location
from autograph.graph.graph import Graph, Value
from autograph.staging.arrays.array import GraphArray
from autograph.staging.containers.structure import Flattener
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.columns import Column, Rows
from autograph.staging.lists.elements import list_depths
from autograph.staging.lists.lists import TrackedList, is_rows, kept_as
from autograph.staging.trace import subgraph
from autograph.staging.values.choice import Choice
from autograph.staging.values.maybe import MaybeNone
from autograph.staging.values.text import GraphText
from autograph.transforms.batching.engine import Size, strong
from autograph.transforms.vmap import vmap as transform
from ops.core.lengths import RunLength, length, lengths_of
from ops.core.operands import Symbolic
from ops.core.records import NamedTuple
from ops.core.types import ArrayType


@leaves_compiler
def vmap(
    function: Callable,
    in_axes: Any = 0,
    out_axes: Any = 0,
    axis_name: Hashable = None,
    axis_size: int | None = None,
) -> GraphFunction[..., Any]:
    """A function that applies ``function`` to each of many lanes, all at once.

    A lane is what an array holds at one position of an axis. What is done for each lane may differ:
    an ``if`` runs each branch for the lanes that take it, a ``while`` stops in each lane where it
    should, recursion goes as deep as each lane needs it, and errors come from lanes that run.

    Args:
        function: a Python function, plain or converted.
        in_axes: which axis of each positional argument holds the lanes: an int, negative ones
            counted from the last; None for what is the same in all lanes. One for all arguments, or
            a tuple with one for each; nested arguments take one for all of their arrays, or what is
            nested like them. Keyword arguments have their lanes on axis 0.
        out_axes: likewise, where the results have them. None where the result is the same in all
            lanes.
        axis_name: a name for the lanes, by which `ops.psum`, `ops.pmean`, `ops.all_gather` and the
            like in ``function`` bring them together.
        axis_size: how many lanes there are; needed only if no argument has any.

    Returns:
        A compiled function with the arguments of ``function``. Its results are new arrays; Python
        numbers become arrays with lanes, too. ``None``, texts and other things that are no arrays
        are returned as they are.

    Raises:
        BatchingError: the axes don't fit the arguments or the results, or arguments disagree about
            the number of lanes.
        UnsupportedFunctionError: when called, if lanes return lists of different lengths, or
            things of which only the run knows whether they are None.

    Examples:
        >>> def steps(n):  # each lane makes its own trips
        ...     count = 0
        ...     while n > 1:
        ...         n, count = (n // 2, count + 1) if n % 2 == 0 else (3 * n + 1, count + 1)
        ...     return count
        >>> ag.vmap(steps)(np.array([1, 6, 27]))
        array([  0,   8, 111])
        >>> ag.vmap(lambda x, y: x @ y, in_axes=(0, None))(np.eye(2), np.array([3.0, 4.0]))
        array([3., 4.])
    """
    site = site_of(function)
    _require_axes(in_axes, "in_axes", site, top=True)
    _require_axes(out_axes, "out_axes", site)
    if axis_size is not None and not (_is_int(axis_size) and axis_size >= 0):
        raise BatchingError(
            f"axis_size is {axis_size!r}, which is no number of lanes",
            site,
            id="AG0542",
            fix="give an int, or leave it out: the arguments tell how many lanes there are",
        )
    if isinstance(in_axes, list):
        in_axes = tuple(in_axes)
    return _vmap(function, in_axes, out_axes, axis_name, axis_size)


@remembered
def _vmap(
    function: Callable, in_axes: Any, out_axes: Any, axis_name: Hashable, axis_size: int | None
) -> GraphFunction:
    def batched(*args: Any, **kwargs: Any) -> Any:
        lanes = _Lanes(function, in_axes, axis_name, axis_size, args, kwargs)
        return lanes.result(out_axes)

    return transformed(batched, function, "vmap", takes_lists=True)


def _require_axes(axes: Any, what: str, site: Location | None, top: bool = False) -> None:
    """Refuse what is neither ints and None nor nested of them."""
    leaves, _ = flatten(axes, lambda leaf: True)
    wrong = [axis for axis in leaves if not (axis is None or _is_int(axis))]
    if wrong or (top and not (axes is None or _is_int(axes) or isinstance(axes, (tuple, list)))):
        given = wrong[0] if wrong else axes
        raise BatchingError(
            f"{what} holds {given!r}; an axis is an int, or None for what has no lanes",
            site,
            id="AG0540",
            fix=f"write {what}=0, or a tuple with an int or None for each argument",
        )


def _is_int(axis: Any) -> bool:
    return isinstance(axis, (int, np.integer)) and not isinstance(axis, bool)


class _Place(NamedTuple):
    """A leaf of the arguments that has lanes: what messages call it, and how many."""

    name: str
    count: int | None  # type: ignore[assignment]  # it hides a method of tuples


class _Lanes:
    """A function recorded for one lane and batched, inside a recording.

    Attributes:
        site: where the function is defined.
        size: how many lanes there are.
    """

    def __init__(
        self,
        function: Callable,
        in_axes: Any,
        axis_name: Hashable,
        axis_size: int | None,
        args: tuple,
        kwargs: dict[str, Any],
    ):
        self.site = site_of(function)
        leaves, spec = flatten((args, kwargs), has_type, is_rows)
        axes = self._axes(in_axes, args, kwargs)
        names = leaf_paths(function, args, kwargs, is_rows)
        by_position = len(flatten(args, has_type, is_rows)[0])
        given = {}  # what stands for one lane of an array
        counted: list[tuple[str, Value]] = []

        def one_lane(array: Value, name: str) -> GraphArray:
            type = array.type._replace(shape=array.type.shape[1:])
            box = GraphArray(Value(type, getattr(array, "name", None)))
            given[id(box)] = array
            counted.append((name, array))
            return box

        for i, (leaf, axis, name) in enumerate(zip(leaves, axes, names)):
            if is_rows(leaf) and axis is not None:
                columns = []
                for column, element in self._columns_with_lanes(leaf, axis, name):
                    box = one_lane(column, name)
                    columns.append(Column(box.value, element, box))
                leaves[i] = kept_as(Rows(leaf.rows.structure, tuple(columns)))
            elif not is_rows(leaf):
                array = self._lanes_first(leaf, axis, name, i < by_position)
                leaves[i] = leaf if array is None else one_lane(array, name)
        self.size = self._size(counted, axis_size)
        new_args, new_kwargs = spec.unflatten(leaves)
        nested = recorder().transformed.lanes > 0

        def batch(graph: Graph, arguments: Sequence[GraphArray]) -> tuple:
            flags = [id(argument) in given for argument in arguments]
            values = [given[id(a)] if flag else a.value for a, flag in zip(arguments, flags)]
            self._given = values
            return transform(
                graph,
                values,
                flags,
                self.size,
                recorder().capabilities,
                axis_name,
                nested,
                merges=True,
            )

        with recorder().transformed.axis(axis_name, self.size):
            traced, arguments = subgraph(
                function, name_of(function), new_args, new_kwargs, "batched", batch
            )
        if traced.delivery.changed:
            raise BatchingError(
                "a function that is batched changes a list, dict or object from outside, where "
                "lanes would overwrite each other's changes",
                self.site,
                id="AG0546",
                fix="return what changes",
            )
        self._traced = traced
        self._outputs, self._flags = batch(traced.module.main, arguments)

    # -- arguments --------------------------------------------------------------------------------

    def _axes(self, in_axes: Any, args: tuple, kwargs: dict[str, Any]) -> list[int | None]:
        """The axis of each leaf of the arguments."""
        if isinstance(in_axes, tuple) and len(in_axes) != len(args):
            raise BatchingError(
                f"in_axes has {len(in_axes)} items, but the call has {len(args)} positional "
                "arguments",
                self.site,
                id="AG0540",
                fix="give one axis for each argument, or one for all",
            )
        return [
            *_prefix(in_axes, args, "in_axes", "arguments", self.site),
            *_prefix(0, kwargs, "in_axes", "arguments", self.site),
        ]

    def _lanes_first(
        self, leaf: Any, axis: int | None, name: str, by_position: bool
    ) -> Value | None:
        """A leaf of the arguments with its lanes as the first axis; None if it has none."""
        if axis is None or leaf is None:
            return None
        type = leaf_type(leaf)
        if type is None or not type.shape:
            raise BatchingError(
                f"argument {name} is {described(leaf)}, which has no axis for lanes",
                self.site,
                id="AG0541",
                fix=_instead(leaf, name, by_position),
            )
        axis = self._checked(axis, type.ndim, f"argument {name}", type)
        value = symbolic(leaf).value
        return ops.moveaxis(value, axis, 0) if axis else value

    def _columns_with_lanes(
        self, items: TrackedList, axis: int, name: str
    ) -> Iterator[tuple[Value, ArrayType]]:
        """The columns of a list that is kept as rows, each with the lanes of its elements as the
        first axis, and the type of that part of an element in one lane."""
        assert items.rows is not None
        rows = items.rows.promoted
        for column, depth in zip(rows.columns, list_depths(rows.structure)):
            shape, lists = column.element.shape, 1 + depth
            type = column.element._replace(shape=shape[depth:])
            if not type.shape:
                raise BatchingError(
                    f"an element of argument {name} is {type}, which has no axis for lanes",
                    self.site,
                    id="AG0541",
                    fix=_instead(items, name, True),
                )
            place = self._checked(axis, type.ndim, f"an element of argument {name}", type)
            kept = shape[: depth + place] + shape[depth + place + 1 :]
            moved = ops.moveaxis(column.value, place + lists, 0)
            yield moved, ArrayType(column.element.dtype, kept)

    def _checked(self, axis: int, ndim: int, what: str, type: ArrayType) -> int:
        if not -ndim <= axis < ndim:
            raise BatchingError(
                f"{what}, {type}, has no axis {axis}",
                self.site,
                id="AG0541",
                fix=f"choose an axis from {-ndim} to {ndim - 1}",
            )
        return int(axis) % ndim

    def _size(self, arrays: Sequence[tuple[str, Value]], axis_size: int | None) -> Size:
        """How many lanes there are.

        Args:
            arrays: those that have lanes, with the names of the arguments.
        """
        places = [_Place(name, array.type.shape[0]) for name, array in arrays]
        counts = {place.count for place in places if place.count is not None}
        if axis_size is not None:
            counts.add(axis_size)
        if len(counts) > 1:
            listed = [f"argument {name} has {count}" for name, count in places if count is not None]
            listed += [] if axis_size is None else [f"axis_size is {axis_size}"]
            raise BatchingError(
                f"the number of lanes differs: {', '.join(listed)}",
                self.site,
                id="AG0542",
                fix="pass arrays of the same length along the axes in in_axes, and None for those "
                "that have no lanes",
            )
        if counts:
            return counts.pop()
        if not arrays:
            raise BatchingError(
                "no argument has lanes, so it is not known how many there are",
                self.site,
                id="AG0542",
                fix="give an axis in in_axes, or axis_size",
            )
        return RunLength(length(arrays[0][1]))

    # -- results ----------------------------------------------------------------------------------

    def result(self, out_axes: Any) -> Any:
        """What the function returns, for all lanes."""
        kinds = [output.type for output in self._traced.module.main.outputs]
        boxes = [GraphArray(Value(type)) for type in kinds]  # what one lane returns
        result = self._traced.delivery.deliver(boxes)
        leaves, spec = flatten(result, has_type, is_rows)
        refuse_unknown(leaves, self.site)
        refuse_kept(spec, self.site)
        axes = _prefix(out_axes, result, "out_axes", "results", self.site)
        places = {box.value: position for position, box in enumerate(boxes)}
        made = []
        for leaf, axis, position in zip(leaves, axes, positions_of(leaves, boxes)):
            if is_rows(leaf):
                made.append(self._rows(leaf, axis, places))
            else:
                made.append(self._leaf(leaf, axis, position))
        values = [value if isinstance(value, Value) else None for value in made]
        values = fresh(values, [v for v in self._given if isinstance(v, Value)])
        return spec.unflatten([m if v is None else GraphArray(v) for m, v in zip(made, values)])

    def _rows(self, rows: TrackedList, axis: int | None, places: dict[Value, int]) -> TrackedList:
        """A list that is kept as rows, as long in all lanes: its elements get the lanes.

        Of elements that are lists again, those of the innermost ones.
        """
        assert rows.rows is not None
        columns, kept = [], rows.rows.promoted
        for column, depth in zip(kept.columns, list_depths(kept.structure)):
            position = places[column.value]
            value = self._outputs[position]
            if not self._flags[position]:
                if axis is None:
                    columns.append(Column(value, column.element))
                    continue
                value = ops.broadcast_to(value, (self.size, *lengths_of(value)))
            elif axis is None:
                self._refuse_lanes(column.element)
            lists = 1 + depth
            ndim = value.type.ndim - lists  # of an element with lanes

            place = self._checked(axis, ndim, "an element of the result", column.element)
            value = ops.moveaxis(value, 0, place + lists)
            columns.append(Column(value, ArrayType(value.type.dtype, value.type.shape[1:])))
        return kept_as(Rows(kept.structure, tuple(columns)))

    def _refuse_lanes(self, type: ArrayType) -> NoReturn:
        raise BatchingError(
            f"out_axes is None for a result, {type} in each lane, that differs between lanes",
            self.site,
            id="AG0540",
            fix="give it an axis, or let the function return what is the same in all lanes",
        )

    def _leaf(self, leaf: Any, axis: int | None, position: int | None) -> Any:
        """A leaf of the result: a graph value, or something else as it is."""
        type = leaf_type(leaf)
        if type is None:
            return leaf
        if position is None:
            value, has_lanes = symbolic(leaf).value, False
        else:
            value, has_lanes = self._outputs[position], self._flags[position]
        if axis is None:
            if has_lanes:
                self._refuse_lanes(type)
            return value
        if not has_lanes:
            value = strong(value, type.dtype) if type.weak else value
            value = ops.broadcast_to(value, (self.size, *lengths_of(value)))
        axis = self._checked(axis, value.type.ndim, "the result", value.type)
        return ops.moveaxis(value, 0, axis) if axis else value


def refuse_kept(nesting: Nesting, site: Location | None) -> None:
    """Refuse values in objects that are no leaves there: they are those of one lane."""
    for kept in nesting.kept():
        parts, _ = Flattener().flatten(kept)
        if any(isinstance(part, (Symbolic, Choice, MaybeNone)) for part in parts):
            raise BatchingError(
                f"the function returns an object with a {type(kept).__name__} made of values, "
                "which has no axis for lanes",
                site,
                id="AG0545",
                fix="let the object hold arrays and numbers",
            )


def refuse_unknown(leaves: Sequence[Any], site: Location | None) -> None:
    """Refuse what is not an array, number, list of such or static object."""
    for leaf in leaves:
        what = ""
        if isinstance(leaf, MaybeNone):
            what = "something that may be None"
        elif isinstance(leaf, Choice):
            what = f"one of several objects, {' or '.join(map(repr, leaf.objects))}"
        elif isinstance(leaf, GraphText):
            what = "a text with values in it"
        elif is_user_object(leaf):
            parts, _ = Flattener().flatten(leaf)
            if any(isinstance(part, Symbolic) for part in parts):
                what = f"a {type(leaf).__name__}, an object with values in it"
        if what:
            raise BatchingError(
                f"the function returns {what}, which has no axis for lanes",
                site,
                id="AG0545",
                fix="return arrays and numbers, like np.array(xs) instead of a list xs",
            )


def _prefix(axes: Any, tree: Any, what: str, whose: str, site: Location | None) -> list[int | None]:
    """An axis for each leaf of a tree, from axes nested like its outer part."""
    try:
        return list(spread(axes, tree, is_rows))
    except ValueError:
        raise BatchingError(
            f"{what} is {axes!r}, which is not nested like the {whose}",
            site,
            id="AG0540",
            fix=f"nest {what} like the {whose}, or give one axis for all of them",
        ) from None


def _instead(leaf: Any, name: str, by_position: bool) -> str:
    """What to pass for a leaf that has no axis."""
    if hasattr(leaf, "to_numpy"):
        return f"pass its array: {name}.to_numpy()"
    if by_position:
        return "pass an array, or say None for it in in_axes"
    return "pass it by position, with None for it in in_axes"
