"""The derivative of a loop in reverse mode that keeps within so many bytes.

The attribute ``checkpoint`` of such a loop is ``("memory", M)`` when it is recorded: all loops of
the function may have M bytes together. `autograph.transforms.reverse.shares` gives each its part,
``("share", S, M, nested)``. How many trips there will be is not known, so what is kept is decided
as they are counted:

    first     K trips, each of which leaves what its backward pass needs, as without a budget: that
              is all there is of a short loop
    parts     of K trips each, for as long as the loop goes on. They leave nothing. A part is one
              trip of a loop of parts, of whose states c are kept, the *snapshots*, by the rule of
              `autograph.transforms.reverse.checkpointed_loops`

K and c follow from S and from the bytes that a trip and a state take: each of the three, the first
trips, the snapshots, and what one part leaves when the backward pass makes it again, has a third of
S; where there are loops in the loop, a fourth, and they have the last one. Budgets are for what is
kept: what each line works with while it runs comes on top.

The levels nest as far as needed (A. Griewank, A. Walther: Algorithm 799: revolve, 2000; if only the
run knows the number of trips, Q. Wang, P. Moin, G. Iaccarino: Minimal repetition dynamic
checkpointing algorithm for unsteady adjoint calculation, 2009). So each trip after the first K is
made again at most

    once     if there are at most  c                       parts
    twice                          (c + 1) (c + 2) / 2 - 1

and so on, r times up to binomial(c + r, r) - 1.

Everything here is made of the loops that there are; their rules do the rest. Cotangents are added
up trip by trip in the same order as without a budget, so the derivative is the same to the last
bit.
"""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Iterable, Sequence
from typing import Any

import ops
from autograph.errors import OptionError
from autograph.graph.builder import Builder, inline
from autograph.graph.control import as_number, cond, for_loop, while_loop
from autograph.graph.graph import Constant, Node, Value, walk
from autograph.graph.rewrite import Env
from autograph.graph.wiring import is_loop, loop_of
from autograph.transforms.analysis.activity import active_values, useful_values
from autograph.transforms.reverse import checkpointed_loops
from autograph.transforms.reverse import regions as vjp_regions
from autograph.transforms.reverse.checkpointed_loops import operands_of
from autograph.transforms.reverse.endless import refuse_endless, unless_endless
from autograph.transforms.reverse.regions import SoFar
from autograph.transforms.reverse.residuals import GUESS, bytes_of
from autograph.transforms.reverse.tape import Step, Tape
from ops.control import regions
from ops.core.records import NamedTuple
from ops.core.types import ArrayType, Type

# What NumPy's program takes for a pack and for each value in it, besides the elements; native code
# takes less.
_PACK = 128
_VALUE = 48
_ARRAY = 128

_UNKNOWN = 4096  # what recursive calls, and loops with a `checkpoint` of their own, leave
_LEAST = 3  # snapshots


class Within(NamedTuple):
    """What was chosen for a loop; an attribute of the loops that take its place.

    Attributes:
        share: how many bytes it may take.
        trips: how many trips are kept at a time.
        states: how many states are.
        trip_bytes, state_bytes: what one of each takes.
        known: how many trips the loop makes; None if known only at run time.
    """

    share: int
    trips: int
    states: int
    trip_bytes: int
    state_bytes: int
    known: int | None

    def most(self, again: int) -> int:
        """How many trips the loop may make such that none is made again more than ``again``
        times."""
        return self.trips * math.comb(self.states + again, again)


def loop(tape: Tape, node: Node, env: Env) -> Step:
    """The rule of a loop, with a budget or not."""
    spec = node.attrs.get("checkpoint")
    if not isinstance(spec, tuple):
        return checkpointed_loops.loop(tape, node, env)
    _, share, whole, nested = spec if len(spec) == 4 else (*spec, spec[1], False)
    plan = _plan(tape, node, env, share, whole)
    if plan is None:
        return vjp_regions.loop(tape, node, env)
    operands = operands_of(node)
    with Builder(loop_of(node).body.name) as builder:
        inner: Env = {v: builder.input(v.type, v.name) for v in operands}
        counts = _counts(node, inner, plan)
        if node.op is regions.for_loop:
            outputs = _counted(node, inner, plan.within, *counts)
        else:
            outputs = _uncounted(node, inner, plan.within, *counts, nested)
        graph = builder.finish(outputs)
    active = [v for v in operands if v in tape.active]
    roots = [inner[v] for v in active]
    both = Tape(active_values(graph, roots) & useful_values(graph))
    values = {inner[v]: env.get(v, v) for v in operands}
    both.forward(graph, values)
    env.update((v, values.get(o, o)) for v, o in zip(node.outputs, graph.outputs))

    def pull(
        cotangents: Sequence[Value | None], so_far: SoFar
    ) -> Iterable[tuple[Value, Value | None]]:
        # What there is already goes in first: so sums are added up as without a budget.
        seeds = [*zip(graph.outputs, cotangents), *((inner[v], so_far(v)) for v in active)]
        return zip(active, both.backward(seeds, roots))

    return Step(node, pull, continues=True)


# -- what is kept ----------------------------------------------------------------------------------


class _Plan(NamedTuple):
    """What is chosen for a loop, and what is known besides.

    Attributes:
        part: the bytes for each thing that is kept.
        least_trip, least_state: what one of each takes besides lengths known only at run time.
    """

    within: Within
    part: int
    least_trip: int
    least_state: int


def _plan(tape: Tape, node: Node, env: Env, share: int, whole: int) -> _Plan | None:
    """What to keep; None if it is known to be little enough without a budget.

    Raises:
        OptionError: not even a few states can be kept.
    """
    loop = loop_of(node)
    left = _left_by_a_trip(tape, node, env)
    types = [v.type for v in loop.start]
    trip, state = _in_pack(left, GUESS), _state(types, GUESS)
    count = _known(None if loop.count is None else env.get(loop.count, loop.count))
    if left is None or (count is not None and count * trip + _PACK <= share):
        return None
    inside = any(isinstance(n.attrs.get("checkpoint"), tuple) for n in walk(loop.body))
    ways = 4 if inside else 3
    # What is surely too much is refused: lengths known only at run time may be small.
    least_trip, least_state = _in_pack(left, 0), _state(types, 0)
    own = max(least_trip - share // 4, 0) if inside else least_trip
    needed = ways * max(own, _LEAST * least_state) + own + least_state
    if needed > share:
        raise OptionError(
            f"a budget of {whole} bytes is too little for the gradient of this loop: a trip leaves "
            f"{least_trip} bytes, and {_LEAST} of its states take {_LEAST * least_state}",
            node.location,
            id="AG0580",
            fix=f"give at least {-(-whole * needed // share)} bytes",
        )
    # One of each is worked with.
    worked_with = state + (max(trip - share // 4, 0) if inside else trip)
    part = max((share - worked_with) // ways, 0)
    trips, states = max(part // trip, 1), max(part // state, _LEAST)
    within = Within(share, trips, states, trip, state, count)
    return _Plan(within, part, least_trip, least_state)


def _state(types: Sequence[Type], unknown: int) -> int:
    """The bytes of a snapshot, which has two numbers besides the state."""
    return _PACK + 2 * _VALUE + sum(_held(type, unknown) for type in types)


def _known(count: Value | None) -> int | None:
    number = None if count is None else count.literal()
    return None if number is None else int(number)


def _held(type: Type, unknown: int) -> int:
    """The bytes that a value of a type takes in a pack.

    Args:
        unknown: the length of an axis of which only the run knows it.
    """
    if not isinstance(type, ArrayType):
        return _UNKNOWN
    return int(bytes_of(type, unknown)) + (_ARRAY if type.shape else _VALUE)


def _left_by_a_trip(tape: Tape, node: Node, env: Env) -> Value | None:
    """The pack that a trip leaves without a budget; found out by differentiating the loop so."""
    with Builder("measured") as builder, builder.at(node.location):
        vjp_regions.loop(tape, node, ChainMap({}, env))  # what this adds goes with the builder
        return _pushed(builder.nodes[-1])


def _pushed(loop: Node) -> Value | None:
    """The pack that a trip of a loop pushes, if it does so."""
    return next((n.inputs[1] for n in loop_of(loop).body.nodes if n.op is regions.push), None)


def _in_pack(pack: Value | None, unknown: int) -> int:
    """The bytes of a pack; for ``unknown`` see `_held`."""
    if pack is None:
        return 0
    node = pack.producer
    if node is None:
        return 0 if isinstance(pack, Constant) else _UNKNOWN
    if node.op is regions.cond:
        place = node.outputs.index(pack)
        return max(_in_pack(region.outputs[place], unknown) for region in node.regions)
    if node.op is not regions.pack:
        return _UNKNOWN
    found = _PACK
    loops: set[Node] = set()
    for value in node.inputs:
        producer = value.producer
        if isinstance(value.type, ArrayType):
            found += _held(value.type, unknown)
        elif producer is None or not is_loop(producer):
            found += _in_pack(value, unknown)
        elif producer not in loops:  # which may leave two stacks
            loops.add(producer)
            found += _in_stacks(producer, unknown)
    return found


def _in_stacks(loop: Node, unknown: int) -> int:
    """The bytes of what all trips of a loop leave."""
    within = loop.attrs.get("within")
    if within is not None:
        return Within(*within).share // 2  # of the loop of the first trips, and of that of parts
    count = _known(loop_of(loop).count)
    return _UNKNOWN if count is None else count * _in_pack(_pushed(loop), unknown)


# -- the loops in its place ------------------------------------------------------------------------


def _counts(node: Node, env: Env, plan: _Plan) -> tuple[Value, Sequence[Value]]:
    """How many trips, and states, are kept. Where only the run knows the lengths of the state, as
    many as there is room for then, as if what a trip leaves grew with the state; else there is no
    other number of states than what was chosen."""
    chosen = plan.within
    start = [env.get(v, v) for v in loop_of(node).start]
    unknown = [v for v in start if isinstance(v.type, ArrayType) and not v.type.is_static]
    if not unknown:
        return Constant(chosen.trips), []
    grown: Value = Constant(0)
    for value in unknown:
        number: Value = Constant(value.type.dtype.itemsize)
        for axis in range(value.type.ndim):
            number = ops.multiply(number, ops.length(value, axis=axis))
        grown = ops.add(grown, number)
    guessed = max(chosen.state_bytes - plan.least_state, 1)
    more = ops.floor_divide(ops.multiply(grown, chosen.trip_bytes - plan.least_trip), guessed)
    trips, states = (
        ops.floor_divide(Constant(plan.part), ops.add(size, least))
        for size, least in ((more, plan.least_trip), (grown, plan.least_state))
    )
    return _at_least(trips, 1), [_at_least(states, _LEAST)]


def _at_least(number: Value, least: int) -> Value:
    (most,) = cond(ops.less(number, least), lambda: [Constant(least)], lambda: [number])
    return most


def _uncounted(
    node: Node, env: Env, chosen: Within, most: Value, limit: Sequence[Value], nested: bool
) -> Sequence[Value]:
    """The test is made before the loop and after each trip, each time once.

    Args:
        nested: whether it is in a loop, which what raises would keep from being one kernel: so
            nobody looks whether it ends.
    """
    loop = loop_of(node)
    (test,) = loop.tests
    init = [env.get(v, v) for v in loop.start]
    names = [v.name for v in node.outputs]
    attrs: dict[str, Any] = {"within": tuple(chosen)}

    def trip(made: Value, going: Value, *state: Value) -> Sequence[Value]:
        state = inline(loop.body, state, env)
        return [ops.add(made, 1), *inline(test, state, env), *state]

    def goes_on(made: Value, going: Value, *_: Value) -> Value:
        less = lambda: [ops.less(made, most)]
        (both,) = cond(going, less, lambda: [Constant(False)])
        return both

    def trips(*state: Value, attrs: dict[str, Any] | None = None) -> Sequence[Value]:
        labels = ["made", "going", *names]
        return while_loop(goes_on, trip, [0, *state], labels, attrs)[1:]

    count = len(limit)

    def part(*state: Value) -> Sequence[Value]:
        going, *after = trips(*state[count:])
        if not nested:
            going = unless_endless(node, going, state[count + 1 :], after)
        return [*state[:count], going, *after]

    first = trips(*inline(test, init, env), *init, attrs=attrs)
    labels = [*["limit"] * count, "going", *names]
    attrs = _attrs(chosen, limit)
    parts = while_loop(lambda *state: state[count], part, [*limit, *first], labels, attrs)
    if not nested:
        refuse_endless(node, env, parts[count + 1 :])
    return parts[count + 1 :]


def _attrs(chosen: Within, limit: Sequence[Value]) -> dict[str, Any]:
    """Those of the loop of parts."""
    attrs: dict[str, Any] = {"checkpoint": chosen.states, "within": tuple(chosen)}
    return {**attrs, "limit": "carried"} if limit else attrs


def _counted(
    node: Node, env: Env, chosen: Within, most: Value, limit: Sequence[Value]
) -> Sequence[Value]:
    loop = loop_of(node)
    body, (index,), (trips,) = loop.body, loop.indices, loop.operands
    count = as_number(env.get(trips, trips))
    init = [env.get(v, v) for v in loop.start]
    names = [v.name for v in node.outputs]
    attrs: dict[str, Any] = {"within": tuple(chosen)}

    def several(
        start: Value, state: Sequence[Value], attrs: dict[str, Any] | None = None
    ) -> Sequence[Value]:
        """At most so many trips from one on."""
        left = ops.subtract(count, start)
        (number,) = cond(ops.less(left, most), lambda: [left], lambda: [most])
        trip = lambda i, *state: inline(body, [ops.add(start, i), *state], env)
        return for_loop(number, trip, state, names, index.name, attrs)

    def part(number: Value, *state: Value) -> Sequence[Value]:
        start = ops.multiply(ops.add(number, 1), most)
        return [*state[: len(limit)], *several(start, state[len(limit) :])]

    first = several(Constant(0), init, attrs)
    parts = ops.floor_divide(ops.subtract(count, 1), most)
    labels, attrs = [*["limit"] * len(limit), *names], _attrs(chosen, limit)
    return for_loop(parts, part, [*limit, *first], labels, "part", attrs)[len(limit) :]
