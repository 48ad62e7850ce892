"""Loops and branches.

Scalars that a region changes are state of the IR's loops, or results of its branches. An array that
a loop changes has one place in memory from the first trip to the last. A trip computes its next
contents there if nothing can notice, else somewhere else, and they are copied.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from autograph.graph.graph import Graph, Node, Value, walk
from autograph.graph.wiring import is_loop, sources_of
from autograph.kernels.aliasing import may_be_given
from autograph.kernels.ir import BOOL, LONG, Operand, Var
from autograph.kernels.lowering.access import identity, through
from autograph.kernels.lowering.plan import Plan, is_elementwise, is_reduction, is_scan
from autograph.kernels.lowering.products import peeled
from autograph.kernels.lowering.trips import freed
from autograph.kernels.lowering.values import CannotLower, Deferred, Memory, is_array, shape_of
from ops import kernels, regions

if TYPE_CHECKING:
    from autograph.kernels.lowering.block import Lowering


def _settle(lowering: Lowering, node: Node) -> None:
    """Compute what a node's regions refer to, before the node."""
    for region in node.regions:
        for value in region.captures:
            source, transposed = peeled(value)
            if transposed and _only_multiplied(value, region):
                value = source
            lowering.held(value)


def _only_multiplied(value: Value, region: Graph) -> bool:
    """Whether a region uses a value as an operand of matrix products only."""
    if any(value is v for v in region.outputs):
        return False
    users = [n for n in walk(region) if any(value is v for v in n.inputs)]
    return all(n.op.name == "matmul" for n in users) and not any(
        value is v for n in walk(region) for inner in n.regions for v in inner.outputs
    )


def _cond(lowering: Lowering, node: Node) -> None:
    _settle(lowering, node)
    predicate = lowering.b.cast(lowering.scalar(node.inputs[0]), BOOL)
    changed: dict[int, Value] = {}
    targets: list[Memory | None] = []
    for position, value in enumerate(node.outputs):
        source = _changed_by_all(lowering, node, position)
        if source is not None:
            changed[position] = source
            targets.append(lowering.memory(source))
        else:
            targets.append(lowering.give_memory(value) if is_array(value) else None)
    for value in changed.values():
        lowering.settle_readers(lowering.memory(value))

    def branch(region: Graph) -> Callable[[], list[Operand]]:
        def run() -> list[Operand]:
            inner = lowering.inner()
            for value in changed.values():
                inner.own(value)
            results = inner.run(region, targets)
            found = [x for x in results if not isinstance(x, Memory)]
            return found + [inner.is_given(region.outputs[i]) for i in uncertain]

        return run

    then, orelse = node.regions
    uncertain = [i for i, v in enumerate(node.outputs) if may_be_given(v)]
    names = [v.name for v in node.outputs if not is_array(v)]
    names += [None] * len(uncertain)
    scalars = iter(lowering.b.if_(predicate, branch(then), branch(orelse), names))
    for value, target in zip(node.outputs, targets):
        lowering.env[value] = next(scalars) if target is None else target
    for i in uncertain:
        lowering.given[node.outputs[i]] = next(scalars)


def _changed_by_all(lowering: Lowering, node: Node, position: int) -> Value | None:
    """The array that all branches change elements of, or leave as it is, to get a result, if they
    may do it in its memory; None if there is none."""
    if not is_array(node.outputs[position]):
        return None
    sources = {_unchanged(region, position) for region in node.regions}
    value = sources.pop()
    inside = any(value is v for region in node.regions for v in region.captures)
    if sources or not inside or lowering.plan.is_used_after(value, lowering.position + 1):
        return None
    others = [i for i in range(len(node.outputs)) if i != position]
    if any(_unchanged(region, i) is value for i in others for region in node.regions):
        return None
    memory = lowering.memory(value)
    if lowering.wanted_at(node.outputs[position]) not in (None, memory):
        return None
    return value if lowering.may_change(value, memory) else None


def _unchanged(region: Graph, position: int, outside: frozenset[Value] = frozenset()) -> Value:
    """What a result of a region was before elements of it were changed.

    Args:
        outside: values of the regions around this one in which the search ends.
    """
    value = region.outputs[position]
    outside = outside or frozenset(region.captures)
    while value.producer is not None and value not in outside:
        node = value.producer
        if node.op.updates:
            value = node.inputs[0]
        elif node.op is regions.cond:
            place = [v is value for v in node.outputs].index(True)
            sources = {_unchanged(inner, place, outside) for inner in node.regions}
            if len(sources) > 1:
                break
            (value,) = sources
        elif is_loop(node):
            value, _ = sources_of(node)[value]
        else:
            break
    return value


# -- loops -----------------------------------------------------------------------------------------


class _State:
    """The state of a loop: scalars that are passed from trip to trip, and arrays in memory."""

    def __init__(self, lowering: Lowering, node: Node, init: Sequence[Value], body: Graph):
        self.lowering = lowering
        self.body = body
        self.inputs = body.inputs[len(body.inputs) - len(init) :]
        self.outputs = node.outputs
        self.scalars = [v for v in self.inputs if not is_array(v)]
        self.init = [
            lowering.typed(lowering.scalar(given), v)
            for given, v in zip(init, self.inputs)
            if not is_array(v)
        ]
        self.names = [v.name for v in self.scalars]
        # The arrays that may still be, or be again, what the kernel was given.
        pairs = [*zip(self.inputs, node.outputs, init)]
        self.uncertain = dict.fromkeys(v for v, result, _ in pairs if may_be_given(result))
        self.init += [lowering.is_given(x) for _, result, x in pairs if may_be_given(result)]
        self.names += [None] * len(self.uncertain)
        self.places: dict[Value, Memory] = {}
        for given, value, result in zip(init, self.inputs, node.outputs):
            if is_array(value):
                self.places[value] = self._placed(node, given, value, result)

    def _placed(self, node: Node, given: Value, value: Value, result: Value) -> Memory:
        """The memory of an array of the state, with its first contents."""
        lowering = self.lowering
        place = lowering.wanted_at(result)
        held = lowering.env.get(given)
        same = isinstance(held, Memory) and place is not None and held.buffer is place.buffer
        if (place is None or same) and _may_take(lowering, node, given):
            place = lowering.memory(given)
            lowering.settle_readers(place)
            lowering.forget(place)  # it will change
            return place
        if place is None or same:
            place = lowering.allocate(value.type.dtype, value.type.size, value.name)
        users = lowering.plan.uses.get(given, ())
        alone = users == [node] and given not in lowering.plan.outputs
        captured = any(given is v for region in node.regions for v in region.captures)
        if (
            alone
            and not captured
            and sum(v is given for v in node.inputs) == 1
            and isinstance(lowering.env.get(given), Deferred)
        ):
            lowering.put(given, place)
            del lowering.env[given]  # its memory will change
        else:
            lowering.copy(lowering.memory(given), place, value.type.size)
        return place

    def bind(self, inner: Lowering, values: Sequence[Value], state: Sequence[Var]) -> None:
        """Let the inputs of a region be the state."""
        scalars = iter(state)
        for value, own in zip(values, self.inputs):
            inner.env[value] = self.places[own] if is_array(own) else next(scalars)
        for value, own in zip(values, self.inputs):
            if own in self.uncertain:
                inner.given[value] = next(scalars)

    def trip(self, state: Sequence[Var], index: Operand | None = None) -> list[Operand]:
        """The body, and the next scalars."""
        inner = self.lowering.inner()
        inner.plan = Plan(self.body)
        if index is not None:
            inner.env[self.body.inputs[0]] = index
        self.bind(inner, self.inputs, state)
        targets: list[Memory | None] = []
        for value, output in zip(self.inputs, self.body.outputs):
            free = is_array(value) and _may_overwrite(inner.plan, self.body, value, output)
            targets.append(None)
            if free and sum(v is output for v in self.body.outputs) == 1:
                inner.want_at(output, self.places[value])
        results = inner.run(self.body, targets)
        following: list[Operand] = []
        moves = []
        places = [place.buffer for place in self.places.values()]
        for value, result in zip(self.inputs, results):
            if not isinstance(result, Memory):
                following.append(self.lowering.typed(result, value))
                continue
            size, place = value.type.size, self.places[value]
            if result.buffer is place.buffer:
                continue
            if result.buffer in places:  # of another array, which is overwritten as well
                held = inner.allocate(value.type.dtype, size)
                inner.copy(result, held, size)
                result = held
            moves.append((result, place, size))
        for result, place, size in moves:
            inner.copy(result, place, size)
        outputs = dict(zip(self.inputs, self.body.outputs))
        return following + [inner.is_given(outputs[value]) for value in self.uncertain]

    def freed(self) -> tuple[int | None, int] | None:
        """What is freed at the end of a trip: by position among the scalars."""
        found = None if self.lowering.serial else freed(self.body, self.lowering.records)
        if found is None:
            return None
        newest, nbytes = found
        following = [o for v, o in zip(self.inputs, self.body.outputs) if not is_array(v)]
        position = next((i for i, v in enumerate(following) if v is newest), None)
        return position, nbytes

    def finish(self, results: Sequence[Operand]) -> None:
        """Let the node's results be the last state."""
        scalars = iter(results)
        for value, own in zip(self.outputs, self.inputs):
            self.lowering.env[value] = self.places[own] if is_array(own) else next(scalars)
        for value, own in zip(self.outputs, self.inputs):
            if own in self.uncertain:
                self.lowering.given[value] = next(scalars)


def _may_take(lowering: Lowering, node: Node, given: Value) -> bool:
    """Whether a loop may change an array in the memory where it is given it."""
    held = lowering.env.get(given)
    if not isinstance(held, Memory) or held.buffer.size != given.type.size:
        return False
    read = [*node.inputs, *(v for region in node.regions for v in region.captures)]
    others = [lowering.env.get(v) for v in read if v is not given]
    return (
        sum(v is given for v in read) == 1
        and not any(isinstance(x, Memory) and x.buffer is held.buffer for x in others)
        and not lowering.plan.is_used_after(given, lowering.position + 1)
        and lowering.may_change(given, held)
    )


def _may_overwrite(plan: Plan, body: Graph, old: Value, new: Value) -> bool:
    """Whether the next contents of an array may be computed in the place of the present ones: all
    that reads these comes earlier, or reads them where it computes the new."""
    node = new.producer
    if node not in plan.position or old in plan.outputs:
        return False
    at = plan.position[node]
    lazy = is_elementwise(node) or is_reduction(node)
    if lazy and is_reduction(node):
        return False
    pending = [old]
    seen: set[Value] = set()
    while pending:
        value = pending.pop()
        for user in plan.uses.get(value, ()):
            if user is node and lazy:
                continue
            if not (is_elementwise(user) or is_reduction(user)):
                if plan.position[user] >= at or _may_change_in_place(user, value):
                    return False
                continue
            (result,) = user.outputs
            if result in plan.in_memory or is_reduction(user):
                return False
            if result not in seen:
                seen.add(result)
                pending.append(result)
    return not lazy or _reads_in_step(plan, node, {old, *seen})


def _may_change_in_place(node: Node, value: Value) -> bool:
    """Whether a result of a node, which computes no elements one by one, may be in the memory of
    an array that it uses."""
    if node.op.name == "matmul" or is_scan(node):
        return False
    sizes = [v.type.size for v in node.outputs if is_array(v) and v.type.is_static]
    return value.type.size in sizes


def _reads_in_step(plan: Plan, node: Node, lazy: set[Value]) -> bool:
    """Whether a node reads some values only at the element that it computes."""
    wanted = [axis for axis in identity(shape_of(node.outputs[0])) if axis is not None]
    pending = [(node, identity(shape_of(node.outputs[0])))]
    while pending:
        reader, form = pending.pop()
        for i, value in enumerate(reader.inputs):
            if value not in lazy or not is_array(value):
                continue
            found = through(reader, i, form)
            if [axis for axis in found if axis is not None] != wanted:
                return False
            if value.producer in plan.position:
                pending.append((value.producer, found))
    return True


def _while(lowering: Lowering, node: Node) -> None:
    test, body = node.regions
    _settle(lowering, node)
    state = _State(lowering, node, node.inputs, body)

    def condition(*values: Var) -> Operand:
        inner = lowering.inner()
        state.bind(inner, test.inputs, values)
        (flag,) = inner.run(test, [None])
        return lowering.b.cast(flag, BOOL)

    def trip(*values: Var) -> list[Operand]:
        return state.trip(values)

    state.finish(lowering.b.while_(state.init, condition, trip, state.names, state.freed()))


def _for(lowering: Lowering, node: Node) -> None:
    (body,) = node.regions
    count, *init = node.inputs
    _settle(lowering, node)
    state = _State(lowering, node, init, body)
    trips = lowering.b.cast(lowering.scalar(count), LONG)

    def trip(index: Operand, *values: Var) -> list[Operand]:
        return state.trip(values, lowering.typed(index, body.inputs[0]))

    state.finish(lowering.b.for_(trips, state.init, trip, state.names, state.freed()))


# -- calls and lanes -------------------------------------------------------------------------------


def _call(lowering: Lowering, node: Node) -> None:
    """The graph that is called, in its place."""
    name = node.attrs["callee"]
    if name in lowering.calling:
        raise CannotLower(f"the recursion of '{name}'", node.location)
    graph = lowering.callee(name)
    inner = lowering.inner()
    inner.calling, inner.call = (*lowering.calling, name), object()
    for value, given in zip(graph.inputs, node.inputs):
        inner.env[value] = lowering.held(given)
        inner.given[value] = lowering.is_given(given)
    results = inner.run(graph, [None] * len(graph.outputs))
    for value, given, result in zip(node.outputs, graph.outputs, results):
        lowering.env[value] = result
        if is_array(value):
            lowering.given[value] = inner.is_given(given)


def _lanes(lowering: Lowering, node: Node) -> None:
    """A loop over lanes, each of which computes the region by itself."""
    if lowering.serial:
        raise CannotLower("lanes in lanes", node.location)
    b = lowering.b
    graph, sizes = node.regions[0], node.attrs["sizes"]
    given = [lowering.held(v) for v in node.inputs]
    places = [lowering.give_memory(v) for v in node.outputs]
    with b.each(math.prod(sizes), "vector", work=50.0) as lane:
        inner = lowering.inner()
        inner.serial = True
        for value, held, axes in zip(graph.inputs, given, node.attrs["axes"]):
            if axes:
                held = _of_lane(lowering, held, _position(lane, axes, sizes), value)
            inner.env[value] = held
        targets = []
        for value, place in zip(graph.outputs, places):
            size = value.type.size if is_array(value) else 1
            targets.append(Memory(place.buffer, place.start + lane * size))
        inner.run(graph, targets)
    for value, place in zip(node.outputs, places):
        b.written(place.buffer)
        lowering.env[value] = place


def _position(lane: Operand, axes: Sequence[int], sizes: Sequence[int]) -> Operand:
    """The number of a lane among those that differ along some of the axes of all lanes."""
    if len(axes) == len(sizes):
        return lane
    position: Operand | int = 0
    for axis in axes:
        inside = math.prod(sizes[axis + 1 :])
        along = kernels.quotient(lane, inside) if inside > 1 else lane
        if axis > 0:
            along = kernels.rest(along, sizes[axis])
        position = position * sizes[axis] + along
    return position


def _of_lane(lowering: Lowering, held: Memory, lane: Operand, value: Value) -> Operand | Memory:
    """What one lane has of an array."""
    size = value.type.size if is_array(value) else 1
    memory = Memory(held.buffer, held.start + lane * size)
    return memory if is_array(value) else lowering.b.load(memory.buffer, memory.start, value.name)


RULES: dict[str, Callable[[Lowering, Node], None]] = {
    "cond": _cond,
    "while_loop": _while,
    "for_loop": _for,
    "call": _call,
    "lanes": _lanes,
}
