"""Products of matrices in counted loops, done for all trips at once.

A recurrent network multiplies small matrices at each trip, and the backward pass adds the product
of two others to the gradient of a weight. Products of all trips at once take a part of the time: a
library copies and keeps each operand once, and can use all cores. So

* a product of what a trip takes of an array, ``xs[i] @ w``, where neither array changes, is
  computed before the loop, for all of ``xs``: trips take their part of the result;
* what is only summed, ``total = total + a @ b``, is computed after the loop: trips keep ``a`` and
  ``b``, which become the parts of two large matrices. Items of an array, ``xs[i] @ b``, are there
  already: of those of a backward pass, which takes the last one first, the others are kept in the
  array's order. Where there are many trips, the loop is one over parts of them, each with a
  product: only what one part has kept is in memory.

Both are done where that moves less memory than it saves, for loops whose number of trips is known,
and up to some size of what is kept. Sums are rounded in another order than where trips add, as they
are in any product of a library. Functions of one lane are left as they are: their loops become part
of native loops over lanes.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

import ops
from autograph.graph.builder import Builder, copy_node
from autograph.graph.graph import Constant, Graph, Module, Node, Value, current_builder
from autograph.graph.rewrite import Env, rewrite, rewrite_nodes
from autograph.graph.wiring import Loop, loop_of
from autograph.transforms.simplify.simplify import simplified_after
from ops.control import regions
from ops.core.records import NamedTuple, dataclass
from ops.core.types import ArrayType, weak
from ops.elementwise.conversion import cast

_FEWEST_TRIPS = 8
_LEAST = 512  # multiplications in a trip, of which it takes less than a call of the library
_MOST_ROWS = 64  # of a product in a loop; more of them are as quick one trip after the other
_ROWS_OF_PART = 24  # of a product of what some trips have kept
_LEAST_BYTES = 2**15  # that all trips would keep, for which there are parts
_MOST_BYTES = 2**26  # of what is computed before a loop, or kept for what comes after it

_INT = weak(int)
_ITEM = (("arg", 0),)  # the index of one element along the first axis


def at_once(module: Module) -> Module:
    """The module with products in loops done for all trips at once, where that pays."""
    return simplified_after(module, _at_once)


def _at_once(graph: Graph) -> Graph:
    return rewrite(graph, _change) if _may_gain(graph) else graph


def _may_gain(graph: Graph) -> bool:
    return any(
        (node.op is regions.for_loop and bool(_plan(node)))
        or (node.op is not regions.lanes and any(map(_may_gain, node.regions)))
        for node in graph.nodes
    )


def _change(node: Node, env: Env) -> Sequence[Value] | None:
    if node.op is regions.lanes:
        return copy_node(current_builder(), node, env)
    if node.op is regions.for_loop and (plan := _plan(node)):
        return _changed(node, plan, env)
    return None


# -- what there is to gain -------------------------------------------------------------------------


class _Before(NamedTuple):
    """A product of one item of an array with a matrix, on either side, that do not change.

    Attributes:
        node: that computes it.
        array: of whose items each trip takes one.
        matrix: what that is multiplied with.
        transposed: whether the matrix comes first; then the items are vectors.
    """

    node: Node
    array: Value
    matrix: Value
    transposed: bool


class _After(NamedTuple):
    """A product of matrices that each trip adds to a variable, which nothing else reads or changes.

    Attributes:
        place: of the variable among those of the loop.
        left: with a column for each row of the result.
        right: with the columns of the result. Both have as many rows.
    """

    place: int
    left: _Factor
    right: _Factor


class _Factor(NamedTuple):
    """A value that trips keep, as a matrix: transposed perhaps, and then of some shape."""

    value: Value
    transposed: bool
    shape: tuple[int, int]

    @property
    def key(self) -> tuple:
        """What is equal for the same matrix."""
        return id(self.value), self.transposed, self.shape


class _Given(NamedTuple):
    """An array that has what all trips would keep of a value.

    Attributes:
        backwards: whether the first trip takes the last item.
    """

    array: Value
    backwards: bool


@dataclass(frozen=True)
class _Plan:
    """What of a loop is done at once."""

    trips: int
    before: Sequence[_Before]
    after: Sequence[_After]

    def __bool__(self) -> bool:
        return bool(self.before or self.after)


def _plan(node: Node) -> _Plan:
    loop = loop_of(node)
    trips = loop.count.data if isinstance(loop.count, Constant) else 0
    if trips < _FEWEST_TRIPS:
        return _Plan(trips, (), ())
    inside = _inside(loop)
    before = [found for n in loop.body.nodes if (found := _before(n, loop, trips, inside))]
    return _Plan(trips, before, [*_sums(loop, trips)])


def _inside(loop: Loop) -> set[Value]:
    """What a trip is given or computes."""
    return {*loop.body.inputs, *(v for n in loop.body.nodes for v in n.outputs)}


def _before(node: Node, loop: Loop, trips: int, inside: set[Value]) -> _Before | None:
    """A product that can be computed before a loop."""
    if not _is_product(node):
        return None
    for transposed, (item, matrix) in enumerate((node.inputs, node.inputs[::-1])):
        array = _array_of(item, loop)
        if array is None or array in inside or matrix in inside:
            continue
        shape, of_matrix = _lengths(item), _lengths(matrix)
        if shape is None or of_matrix is None or len(of_matrix) != 2 or len(shape) not in (1, 2):
            continue
        if _lengths(array) is None or (transposed and len(shape) != 1):
            continue
        rows, inner = math.prod(shape[:-1]), shape[-1]
        columns = of_matrix[0 if transposed else 1]
        kept = trips * rows * columns * item.type.dtype.itemsize
        work = rows * inner * columns
        if work >= _LEAST and inner >= 8 and rows <= _MOST_ROWS and kept <= _MOST_BYTES:
            return _Before(node, array, matrix, bool(transposed))
    return None


def _item(value: Value) -> Sequence[Value] | None:
    """The array of which a value is an item, and which item."""
    node = value.producer
    if node is None or node.op is not ops.getitem or len(node.inputs) != 2:
        return None
    return node.inputs if node.attrs["index"] == _ITEM else None


def _array_of(item: Value, loop: Loop) -> Value | None:
    """The array of which a value is the item with the number of the trip."""
    array, number = _item(item) or (None, None)
    return array if number is loop.index else None


def _sums(loop: Loop, trips: int) -> Iterable[_After]:
    """What is added to variables of a loop that only sum products."""
    body = loop.body
    uses = Counter(v for n in body.nodes for v in n.uses())
    uses.update(body.outputs)
    own = {v for n in body.nodes for v in n.outputs if uses[v] == 1}
    for place, (entered, left) in enumerate(zip(loop.state, body.outputs)):
        summands = [*_summands(left, own)]
        products = [v for v in summands if v is not entered]
        if uses[entered] != 1 or len(products) != len(summands) - 1:
            continue
        found = [_factors(v) if v in own and v.type == left.type else None for v in products]
        pairs = [pair for pair in found if pair is not None and _pays(*pair, trips, left.type)]
        if len(pairs) == len(products):
            yield from (_After(place, *pair) for pair in pairs)


def _summands(value: Value, own: set[Value]) -> Iterable[Value]:
    """The values whose sum a value is, of those that nothing else uses."""
    node = value.producer
    if value in own and node is not None and node.op is ops.add:
        for summand in node.inputs:
            yield from _summands(summand, own)
    else:
        yield value


def _factors(product: Value) -> tuple[_Factor, _Factor] | None:
    """The matrices, each with as many rows, of which a value is the product."""
    node = product.producer
    shape = _lengths(product)
    if node is None or node.op not in (ops.matmul, ops.multiply):
        return None
    if shape is None or len(shape) != 2:
        return None
    (x, x_shape), (y, y_shape) = ((v, _lengths(v)) for v in node.inputs)
    if x_shape is None or y_shape is None or not _is_float(product):
        return None
    rows, columns = shape
    if _is_product(node) and len(x_shape) == len(y_shape) == 2:
        inner = x_shape[1]
        return _Factor(x, True, (inner, rows)), _Factor(y, False, (inner, columns))
    if node.op is ops.multiply and x.type.dtype == y.type.dtype:
        across = ((columns,), (1, columns))
        if x_shape == (rows, 1) and y_shape in across:
            return _Factor(x, False, (1, rows)), _Factor(y, False, (1, columns))
        if y_shape == (rows, 1) and x_shape in across:
            return _Factor(y, False, (1, rows)), _Factor(x, False, (1, columns))
    return None


def _given(factor: _Factor, loop: Loop, trips: int, inside: set[Value]) -> _Given | None:
    """The array of whose items, one for each trip, a factor is one; None if there is none."""
    item = factor.value
    if factor.transposed:
        turned = item.producer
        if turned is None or turned.op is not ops.transpose:
            return None
        (item,) = turned.inputs
    found = _item(item)
    if found is None or found[0] in inside:
        return None
    array, number = found
    lengths = _lengths(array)
    if not lengths or lengths[0] != trips:
        return None
    if number is loop.index:
        return _Given(array, False)
    return _Given(array, True) if _from_the_end(number, loop, trips - 1) else None


def _from_the_end(number: Value, loop: Loop, last: int) -> bool:
    """Whether a number is ``last - index`` in a trip."""
    node = number.producer
    if node is None or node.op is not ops.subtract:
        return False
    x, y = node.inputs
    if y is loop.index:
        return x.literal() == last
    less = y.literal()
    return isinstance(less, int) and _from_the_end(x, loop, last + less)


def _pays(left: _Factor, right: _Factor, trips: int, total: ArrayType) -> bool:
    inner, rows = left.shape
    _, columns = right.shape
    kept = inner * (rows + columns)
    if rows * columns * inner < _LEAST or kept > 2 * rows * columns:
        return False
    return trips * kept * total.dtype.itemsize <= _MOST_BYTES


def _is_product(node: Node) -> bool:
    (result, *_) = node.outputs or (None,)
    if node.op is not ops.matmul or result is None or not _is_float(result):
        return False
    return all(v.type.dtype == result.type.dtype for v in node.inputs)


def _is_float(value: Value) -> bool:
    return isinstance(value.type, ArrayType) and np.issubdtype(value.type.dtype, np.inexact)


def _lengths(value: Value) -> tuple[int, ...] | None:
    """The shape of an array whose lengths are all known."""
    known = isinstance(value.type, ArrayType) and value.type.is_static
    return value.type.known_shape if known else None


# -- the loop --------------------------------------------------------------------------------------


def _changed(node: Node, plan: _Plan, env: Env) -> Sequence[Value]:
    """Add the loop, what comes before it and what comes after it; what its results become."""
    loop = loop_of(node)
    kept = {factor.key: factor for each in plan.after for factor in (each.left, each.right)}
    trips_of_part = _trips_of_part(node, plan, kept.values())
    if trips_of_part < plan.trips:
        return _in_parts(node, plan, env, [*kept.values()], trips_of_part)
    done = {each.node: _done_before(each, plan.trips, env) for each in plan.before}
    inside = _inside(loop)
    given = {k: g for k, f in kept.items() if (g := _given(f, loop, plan.trips, inside))}
    backwards = any(g.backwards for g in given.values())
    given = {k: g for k, g in given.items() if g.backwards == backwards}
    kept = {k: f for k, f in kept.items() if k not in given}
    empty = _nothing_kept(kept.values(), plan.trips)
    operands = [env.get(v, v) for v in node.inputs]
    body = _body(loop, plan, env, done, [*kept.values()], backwards)
    types = [v.type for v in body.outputs]
    names = [v.name for v in node.outputs] + [None] * len(kept)
    inputs = (*operands, *empty)
    found = current_builder().add(node.op, inputs, node.attrs, types, [body], names, node.required)
    results, filled = [*found[: len(node.outputs)]], dict(zip(kept, found[len(node.outputs) :]))
    filled.update((k, env.get(g.array, g.array)) for k, g in given.items())
    for each in plan.after:
        results[each.place] = operands[1 + each.place]  # what it is before the loop
    _add_products(results, plan, filled)
    return results


def _add_products(totals: list[Any], plan: _Plan, filled: Mapping[tuple, Any]) -> None:
    """Add to the variables of a loop what is summed after it.

    Args:
        filled: what trips have kept, by the keys of factors.
    """
    for each in plan.after:
        left, right = (_of_all_trips(filled[f.key], f) for f in (each.left, each.right))
        totals[each.place] += ops.transpose(left, axes=(1, 0)) @ right


def _trips_of_part(node: Node, plan: _Plan, kept: Iterable[_Factor]) -> int:
    """How many trips keep factors until these are multiplied: about as many as make the product
    one of `_ROWS_OF_PART` rows. All of them, where that is little memory, or something is computed
    before the loop: of that only some is in memory, too, where trips count from the beginning."""
    size = plan.trips * sum(math.prod(f.shape) * f.value.type.dtype.itemsize for f in kept)
    if plan.before or node.attrs or size < _LEAST_BYTES:
        return plan.trips
    inner = min(each.left.shape[0] for each in plan.after)
    part = max(_FEWEST_TRIPS, -(-_ROWS_OF_PART // inner))
    parts = -(-plan.trips // part)
    return -(-plan.trips // parts) if parts > 2 else plan.trips


def _in_parts(
    node: Node, plan: _Plan, env: Env, kept: Sequence[_Factor], trips: int
) -> Sequence[Value]:
    """Add the loop as one over parts of so many trips, each of which ends with the products of its
    trips; what its results become. The first part may have fewer trips: the others of it keep
    zeros."""
    loop = loop_of(node)
    parts = -(-plan.trips // trips)
    missing = parts * trips - plan.trips
    init = [*(env.get(v, v) for v in loop.start), *_nothing_kept(kept, trips)]
    names = [v.name for v in node.outputs] + [None] * len(kept)
    with Builder("part") as builder:
        number = builder.input(_INT, "part")
        carried = [builder.input(v.type, name) for v, name in zip(init, names)]
        end = ops.subtract(ops.multiply(ops.add(number, 1), trips), missing)
        first, count = ops.subtract(end, trips), Constant(trips)
        if missing:
            first = cast(ops.maximum(first, 0), dtype=_INT.dtype.name, weak=True)
            count = ops.subtract(end, first)
        body = _body(loop, plan, {**env}, {}, kept, trips=trips, first=first)
        inputs = (count, *carried)
        results = [
            *builder.add(node.op, inputs, {}, body.output_types, [body], names, node.required)
        ]
        keys = (factor.key for factor in kept)
        _add_products(results, plan, dict(zip(keys, results[len(loop.state) :])))
        region = builder.finish(results, body.location)
    operands, types = (Constant(parts), *init), region.output_types
    found = current_builder().add(node.op, operands, {}, types, [region], names, node.required)
    return found[: len(loop.state)]


def _done_before(each: _Before, trips: int, env: Env) -> Any:
    """The products for all items of an array."""
    array, matrix = env.get(each.array, each.array), env.get(each.matrix, each.matrix)
    if array.type.shape[0] != trips:
        array = ops.getitem(array, index=(("slice", 0, trips, None),))
    if each.transposed:
        matrix = ops.transpose(matrix, axes=(1, 0))
    (*rows, _), columns = array.type.shape, matrix.type.shape[1]
    return ops.reshape(_as_matrix(array) @ matrix, shape=(*rows, columns))


def _body(
    loop: Loop,
    plan: _Plan,
    env: Env,
    done: Mapping[Node, Any],
    kept: Sequence[_Factor],
    backwards: bool = False,
    trips: int | None = None,
    first: Value | None = None,
) -> Graph:
    """A trip that takes what is done, and keeps factors. The sums stay what they are: that they do
    not change any more is for a simplification to find.

    Args:
        backwards: whether the first trip keeps the last item.
        trips: for how many of them there is room in what is kept, if not for all.
        first: the number of the first one, if not 0.
    """
    body = loop.body
    with Builder(body.name) as builder:
        for value in body.inputs:
            env[value] = builder.input(value.type, value.name)
        arrays = [
            builder.input(ArrayType(f.value.type.dtype, (trips or plan.trips, *f.shape)))
            for f in kept
        ]
        (index,) = loop.indices
        number = env[index]
        if first is not None:
            env[index] = ops.add(first, number)

        def change(node: Node, env: Env) -> Sequence[Value] | None:
            if node in done:
                return [ops.getitem(done[node], number, index=_ITEM)]
            return _change(node, env)

        rewrite_nodes(body.nodes, change, env)
        outputs = [env.get(v, v) for v in body.outputs]
        for each in plan.after:
            outputs[each.place] = env[loop.state[each.place]]
        place = ops.subtract(plan.trips - 1, number) if backwards and kept else number
        for array, factor in zip(arrays, kept):
            value = env.get(factor.value, factor.value)
            if factor.transposed:
                value = ops.transpose(value, axes=(1, 0))
            value = ops.reshape(value, shape=factor.shape)
            outputs.append(ops.index_update(array, value, place, index=_ITEM))
        return builder.finish(outputs, body.location)


def _nothing_kept(factors: Iterable[_Factor], trips: int) -> list[Any]:
    """Zeros where trips keep factors."""
    return [ops.full((trips, *f.shape), Constant(f.value.type.dtype.type(0))) for f in factors]


def _of_all_trips(array: Any, factor: _Factor) -> Any:
    """A matrix of what all trips have kept, in whatever shape, of a factor."""
    trips, (inner, columns) = array.type.shape[0], factor.shape
    return ops.reshape(array, shape=(trips * inner, columns))


def _as_matrix(array: Any) -> Any:
    """All axes but the last one become one."""
    *rows, columns = array.type.shape
    return ops.reshape(array, shape=(math.prod(rows), columns))
