"""Loops that exchange arrays, as ``old, new = new, old`` does.

An array of a loop has one place in memory from the first trip to the last, so that arrays that
exchange their parts would be copied at the end of each trip. After two trips, or as many as there
are arrays that take each other's place, each is where it was. So that many trips become one.

Whether a `while` goes on is asked after each trip. There two trips become one, of which the second
is a branch: the loop ends after the first one, with arrays in each other's place, or goes on. They
are exchanged after the loop.
"""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Callable, Sequence
from typing import Any

import ops
from autograph.graph.builder import current_builder
from autograph.graph.control import cond, for_loop, while_loop
from autograph.graph.graph import Graph, Node, Value, walk
from autograph.graph.rewrite import Env, rewrite, rewrite_nodes
from autograph.graph.wiring import is_loop, loop_of, wiring
from autograph.kernels.lowering.analysis.changed import unchanged
from autograph.kernels.lowering.values import is_array
from ops.control import regions
from ops.core.types import ArrayType

_MOST_TRIPS = 3  # that become one
_MOST_NODES = 200  # in a trip
_FEW = 8  # elements, which are copied as fast


def without_exchanges(graph: Graph) -> Graph:
    """A graph whose loops, regions included, exchange no arrays from trip to trip."""
    if all(_period(node) == 1 for node in walk(graph)):
        return graph
    used = {v for n in walk(graph) for v in n.uses()} | {*graph.outputs}
    used |= {v for n in walk(graph) for region in n.regions for v in region.outputs}

    def change(node: Node, env: Env) -> Sequence[Value] | None:
        period = _period(node)
        if period == 1:
            return None
        loop = loop_of(node)
        if loop.test is not None:
            return _in_pairs(node, loop.test, change, env, used)
        count = node.inputs[0]
        together, left = _parts(env.get(count, count), period)
        done = ops.multiply(together, period) if isinstance(together, Value) else together * period
        names = [v.name for v in loop.state]

        def one(index: Value, state: Sequence[Value]) -> list[Value]:
            inside = ChainMap({}, env)
            inside.update(zip((*loop.indices, *loop.state), (index, *state)))
            rewrite_nodes(loop.body.nodes, change, inside)
            return [inside.get(v, v) for v in loop.body.outputs]

        def some(index: Value, *state: Value) -> Sequence[Value]:
            with current_builder().at(node.location):
                first = ops.multiply(index, period)
            for trip in range(period):
                with current_builder().at(node.location):
                    number = ops.add(first, trip)
                state = tuple(one(number, state))
            return state

        def rest(index: Value, *state: Value) -> Sequence[Value]:
            with current_builder().at(node.location):
                number = ops.add(index, done)
            return one(number, state)

        state = for_loop(together, some, [env.get(v, v) for v in loop.start], names)
        return state if isinstance(left, int) and not left else for_loop(left, rest, state, names)

    return rewrite(graph, change)


def _in_pairs(
    node: Node,
    test: Graph,
    change: Callable[[Node, Env], Sequence[Value] | None],
    env: Env,
    used: set[Value],
) -> Sequence[Value]:
    """A loop without a count whose arrays exchange their places, by pairs of trips.

    Its state is what the loop's is, in the same places in memory after each trip, and whether the
    last pair was complete. If it was not, arrays are where those that they are exchanged with
    should be.

    Args:
        used: what is used in the graph, and not only computed.
    """
    loop, came = loop_of(node), _came(node)
    partner = list(range(len(loop.state)))
    for i, j in came.items():
        if j is not None and came.get(j) == i:
            partner[i] = j
    exchanged = [i for i, j in enumerate(partner) if i != j]
    left = [i for i in exchanged if node.outputs[i] in used]

    def run(graph: Graph, entered: Sequence[Value], state: Sequence[Value]) -> list[Value]:
        inside = ChainMap({}, env)
        inside.update(zip(entered, state))
        rewrite_nodes(graph.nodes, change, inside)
        return [inside.get(v, v) for v in graph.outputs]

    def goes_on(state: Sequence[Value]) -> Value:
        (found,) = run(test, test.inputs, state)
        with current_builder().at(node.location):
            return ops.cast(found, "bool", weak=True)  # ``while number``

    def asked(*state: Value) -> Value:
        *arrays, complete = state
        (found,) = cond(complete, lambda: [goes_on(arrays)], lambda: [complete])
        return found

    def pair(*state: Value) -> Sequence[Value]:
        one = run(loop.body, loop.state, state[:-1])
        second = goes_on(one)
        two = cond(
            second,
            lambda: run(loop.body, loop.state, one),
            lambda: [one[partner[i]] for i in range(len(one))],
        )
        return [*two, second]

    start = [env.get(v, v) for v in loop.start]
    true = current_builder().lift(True)
    names = [*(v.name for v in loop.state), None]
    *state, complete = while_loop(asked, pair, [*start, true], names, dict(node.attrs))
    if not left:
        return state
    in_place = cond(
        complete,
        lambda: [state[i] for i in left],
        lambda: [state[partner[i]] for i in left],
    )
    for i, value in zip(left, in_place):
        state[i] = value
    return state


def _parts(count: Value, period: int) -> tuple[Any, Any]:
    """How many times so many trips there are in all, and how many are left: ints if known."""
    known = count.literal()
    if known is not None:
        return divmod(max(int(known), 0), period)
    count = ops.maximum(count, 0)
    return ops.floor_divide(count, period), ops.remainder(count, period)


def _period(node: Node) -> int:
    """After how many trips of a loop each array is where it was; 1 if that is not known, or arrays
    are too small for it to matter."""
    if not is_loop(node):
        return 1
    variables, body = wiring(node).carried, loop_of(node).body
    if not all(isinstance(v.entered.type, ArrayType) for v in variables):
        return 1  # residuals of trips, which end with them
    if sum(1 for _ in walk(body)) > _MOST_NODES:
        return 1
    came = _came(node)
    period = 1
    for i in came:
        length, j = 1, came[i]
        while j is not None and j != i and length <= _MOST_TRIPS:
            length, j = length + 1, came.get(j)
        if j != i or length == 1:
            continue
        type = variables[i].entered.type
        if type.is_static and type.size > _FEW:
            period = math.lcm(period, length)
    most = 2 if node.op is regions.while_loop else _MOST_TRIPS
    return period if period <= most else 1


def _came(node: Node) -> dict[int, int | None]:
    """Where each array of a loop was in the trip before, by position in the state; None if that is
    not known."""
    variables, body = wiring(node).carried, loop_of(node).body
    place = {v.entered: i for i, v in enumerate(variables) if is_array(v.entered)}
    return {i: place.get(unchanged(body, i)) for i in place.values()}
