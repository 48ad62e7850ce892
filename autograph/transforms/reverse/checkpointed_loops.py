"""The derivative of a loop in reverse mode that keeps only some of the loop's states.

A loop has the attribute ``checkpoint`` if its body is not to leave residuals for each trip:

* "sqrt": the trips are made in about sqrt(n) parts, one after the other, and each part is a
  checkpoint: its state at the start is kept, and its trips are made again, then with their
  residuals, when the backward pass comes to it (T. Chen, B. Xu, C. Zhang, C. Guestrin: Training
  deep nets with sublinear memory cost, 2016). If only the run knows n, the parts have one, two,
  three ... trips.

* k, at most that many states, the *snapshots*, and one that is worked with. The backward pass is

      for last = n - 1 ... 0:
          start from the latest snapshot and make the trips up to ``last``,
          taking further snapshots on the way if there is room
          make and reverse the trip ``last``
          drop the snapshot if it was that of ``last``

  and `_advance` says where the snapshots are. If n is known when the loop starts, the forward pass
  takes those that this would take. If not, it goes by

      Q. Wang, P. Moin, G. Iaccarino: Minimal repetition dynamic checkpointing algorithm for
      unsteady adjoint calculation. SIAM Journal on Scientific Computing 31, 2009

  (see also P. Stumm, A. Walther: New algorithms for optimal online checkpointing, 2010): the state
  of the moment is a snapshot of level 0, which stays as long as there is room. When there is none,
  it moves on with the loop, at one level more; earlier snapshots that are not of a higher level are
  then dispensable, and go.

* "log": the same, with about log2(n) snapshots.

Snapshots are packs (trip, level, state ...) on a stack, and the schedules are nodes like any other,
so all this has derivatives, whose loops are checkpointed in the same way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import ops
from autograph.graph.builder import Builder, copy_nodes, current_builder, inline
from autograph.graph.control import INT, as_number, cond, for_loop, while_loop
from autograph.graph.graph import Constant, Graph, Node, Value, walk
from autograph.graph.rewrite import Env
from autograph.graph.wiring import Loop, loop_of
from autograph.transforms.analysis.activity import active_values, useful_values
from autograph.transforms.reverse import regions as vjp_regions
from autograph.transforms.reverse.regions import EMPTY_STACK, SoFar, d
from autograph.transforms.reverse.replay import (
    kept_types,
    packed,
    record,
    replay,
    reverse,
    unpacked,
)
from autograph.transforms.reverse.tape import Step, Tape, fit, instantiate
from ops.control import regions
from ops.core.records import dataclass
from ops.core.types import ArrayType

_HIGHEST = 1 << 62  # the level of the state before the loop


def loop(tape: Tape, node: Node, env: Env) -> Step:
    """The rule of a loop, checkpointed or not."""
    spec = node.attrs.get("checkpoint")
    if spec is None:
        return vjp_regions.loop(tape, node, env)
    if spec == "sqrt":
        return _in_parts(tape, node, env)
    return _Snapshots(tape, node, env).step()


def _is_counted(node: Node) -> bool:
    return node.op is regions.for_loop


def _index_name(loop: Loop) -> str:
    """What the number of a trip is called, for printing."""
    return (None if loop.index is None else loop.index.name) or "i"


# -- parts of about sqrt(n) trips ------------------------------------------------------------------


def _in_parts(tape: Tape, node: Node, env: Env) -> Step:
    operands = operands_of(node)
    with Builder(loop_of(node).body.name) as builder:
        inner = {v: builder.input(v.type, v.name) for v in operands}
        results = _counted_parts(node, inner) if _is_counted(node) else _parts(node, inner)
        graph = builder.finish(results)
    active = [v for v in operands if v in tape.active]
    part = Tape(active_values(graph, [inner[v] for v in active]) & useful_values(graph))
    values = {inner[v]: env.get(v, v) for v in operands}
    part.forward(graph, values)
    env.update((v, values.get(o, o)) for v, o in zip(node.outputs, graph.outputs))

    def pull(cotangents: Sequence[Value | None]) -> Iterable[tuple[Value, Value | None]]:
        found = part.backward(zip(graph.outputs, cotangents), [inner[v] for v in active])
        return zip(active, found)

    return Step(node, pull)


def operands_of(node: Node) -> list[Value]:
    """What the node uses, constants aside."""
    return list(dict.fromkeys(v for v in node.uses() if not isinstance(v, Constant)))


def _counted_parts(node: Node, env: Env) -> Sequence[Value]:
    loop = loop_of(node)
    body, (index,), (trips,) = loop.body, loop.indices, loop.operands
    count = as_number(env.get(trips, trips))
    init = [env.get(v, v) for v in loop.start]
    (count,) = cond(ops.greater(count, 0), lambda: [count], lambda: [Constant(0)])
    length = _root(count)
    parts = ops.floor_divide(ops.subtract(ops.add(count, length), 1), length)
    names = [v.name for v in node.outputs]

    def part(number: Value, *state: Value) -> Sequence[Value]:
        start = ops.multiply(number, length)
        left = ops.subtract(count, start)
        (trips,) = cond(ops.less(left, length), lambda: [left], lambda: [length])
        trip = lambda i, *state: inline(body, [ops.add(start, i), *state], env)
        return _checkpointed(lambda: for_loop(trips, trip, state, names, index.name))

    return for_loop(parts, part, init, names, "part")


def _root(n: Value) -> Value:
    """An integer between sqrt(n) and 1.25 sqrt(n) + 1, for n that is not negative."""
    (m,) = while_loop(
        lambda m: ops.less(ops.multiply(m, m), n), lambda m: [ops.multiply(m, 2)], [1], ["length"]
    )
    return ops.add(ops.floor_divide(ops.add(m, ops.floor_divide(n, m)), 2), 1)


def _parts(node: Node, env: Env) -> Sequence[Value]:
    """The test is made before the loop and after each trip, each time once."""
    loop = loop_of(node)
    (test,) = loop.tests
    init = [env.get(v, v) for v in loop.start]
    names = [v.name for v in node.outputs]

    def part(length: Value, going: Value, *state: Value) -> Sequence[Value]:
        def trip(made: Value, going: Value, *state: Value) -> Sequence[Value]:
            state = inline(loop.body, state, env)
            return [ops.add(made, 1), *inline(test, state, env), *state]

        def is_longer(made: Value, going: Value, *_: Value) -> Value:
            (both,) = cond(going, lambda: [ops.less(made, length)], lambda: [Constant(False)])
            return both

        trips = lambda: while_loop(is_longer, trip, [0, going, *state], ["made", "going", *names])
        _, *left = _checkpointed(trips)
        return [ops.add(length, 1), *left]

    going = inline(test, init, env)
    _, _, *results = while_loop(
        lambda length, going, *state: going,
        part,
        [1, *going, *init],
        ["length", "going", *names],
    )
    return results


def _checkpointed(region: Callable[[], Sequence[Value]]) -> tuple[Value, ...]:
    with Builder("part") as builder:
        results = region()
        body = builder.finish(results)
    types, names = [v.type for v in body.outputs], [v.name for v in body.outputs]
    attrs = {"policy": None}
    return current_builder().add(regions.checkpoint, [], attrs, types, [body], names)


# -- snapshots -------------------------------------------------------------------------------------


@dataclass
class _Work:
    """Where the backward pass stands.

    Attributes:
        snapshots, size: the stack of snapshots, and how many there are.
        at: the trip that the state is that before of.
        draws: what trips have kept, the one numbered ``at`` on top; None if they keep nothing.
    """

    snapshots: Value
    size: Value
    at: Value
    draws: Value | None
    state: Sequence[Value]

    def values(self) -> list[Value]:
        draws = [] if self.draws is None else [self.draws]
        return [self.snapshots, self.size, self.at, *draws, *self.state]

    def of(self, values: Sequence[Value]) -> _Work:
        """The same with other values."""
        snapshots, size, at, *rest = values
        draws = None if self.draws is None else rest.pop(0)
        return _Work(snapshots, size, at, draws, rest)


class _Snapshots:
    """The forward and backward pass of one loop with snapshots.

    Attributes:
        count: how many trips the loop makes.
        limit: how many snapshots there may be.
        most: the same, before the loop; with the attribute ``limit``, that is its first state.
        kept: the types of what a trip keeps besides, see `autograph.transforms.reverse.replay`.
        changes: whether a trip may change arrays in place.
    """

    def __init__(self, tape: Tape, node: Node, env: Env):
        self.tape = tape
        self.node = node
        self.env = env
        self.loop = loop_of(node)
        self.body = self.loop.body
        self.spec = node.attrs["checkpoint"]
        self.attrs = {key: value for key, value in node.attrs.items() if key != "limit"}
        start = self.loop.start
        self.most = env.get(start[0], start[0]) if "limit" in node.attrs else self.spec
        self.kept = kept_types(self.body, None)
        self.changes = any(_may_change(inner) for inner in walk(self.body))
        self.names = [v.name for v in node.outputs]

    def step(self) -> Step:
        node = self.node
        run = self._counted if _is_counted(node) else self._uncounted
        results = run([self.env.get(v, v) for v in self.loop.start])
        self.env.update(zip(node.outputs, results))
        return Step(node, self._pull, continues=True)

    # -- forward ----------------------------------------------------------------------------------

    def _counted(self, init: Sequence[Value]) -> Sequence[Value]:
        """A `for_loop`: the next snapshot is taken at the trip ``due``."""
        self.count = as_number(self.env.get(self.node.inputs[0], self.node.inputs[0]))
        self.limit = current_builder().lift(self.most) if self.spec != "log" else _bits(self.count)
        extra = [EMPTY_STACK] if self.kept else []

        def trip(
            i: Value, snapshots: Value, size: Value, due: Value, *rest: Value
        ) -> Sequence[Value]:
            state = rest[len(extra) :]

            def take() -> Sequence[Value]:
                left = ops.subtract(self.count, i)
                step = _advance(left, ops.subtract(self.limit, size))
                taken = regions.push(snapshots, self._snapshot(i, Constant(0), state))
                return taken, ops.add(size, 1), ops.add(i, step)

            taken = cond(ops.equal(i, due), take, lambda: (snapshots, size, due))
            return [*taken, *self._run([i], rest[: len(extra)], state)]

        names = ["snapshots", "size", "due", *["kept"] * len(extra), *self.names]
        start = [EMPTY_STACK, 0, 0, *extra, *init]
        index = _index_name(self.loop)
        self.snapshots, self.size, _, *rest = for_loop(
            self.count, trip, start, names, index, self.attrs
        )
        self.draws = rest[0] if extra else None
        return rest[len(extra) :]

    def _uncounted(self, init: Sequence[Value]) -> Sequence[Value]:
        """A `while_loop`; the ``level`` is that of the state of the moment."""
        (test,) = self.loop.tests
        growing = self.spec == "log"
        extra = [EMPTY_STACK] if self.kept else []
        fixed = 6 + len(extra)

        def trip(*carried: Value) -> Sequence[Value]:
            trips, limit, grown, snapshots, size, level, *rest = carried
            state = rest[len(extra) :]
            if growing:
                limit, grown = cond(
                    ops.equal(trips, grown),
                    lambda: (ops.add(limit, 1), ops.multiply(grown, 2)),
                    lambda: (limit, grown),
                )

            def take() -> Sequence[Value]:
                taken = regions.push(snapshots, self._snapshot(trips, level, state))
                return taken, ops.add(size, 1), Constant(0)

            def move_on() -> Sequence[Value]:
                return *self._without_dispensable(snapshots, size, level), ops.add(level, 1)

            taken = cond(ops.less(size, limit), take, move_on)
            after = self._run([], rest[: len(extra)], state)
            return [ops.add(trips, 1), limit, grown, *taken, *after]

        def is_next(*carried: Value) -> Value:
            self.env.update(zip(test.inputs, carried[fixed:]))
            (going,) = copy_nodes(test.nodes, test.outputs, self.env)
            return going

        own = ["trips", "limit", "grown", "snapshots", "size", "level", *["kept"] * len(extra)]
        names = [*own, *self.names]
        limit = 1 if growing else self.most
        start = [0, limit, 1, EMPTY_STACK, 0, _HIGHEST, *extra, *init]
        results = while_loop(is_next, trip, start, names, self.attrs)
        self.count, self.limit, _, self.snapshots, self.size, _, *rest = results
        self.draws = rest[0] if extra else None
        return rest[len(extra) :]

    def _without_dispensable(self, snapshots: Value, size: Value, level: Value) -> Sequence[Value]:
        def is_dispensable(snapshots: Value, size: Value) -> Value:
            _, top = regions.pop(snapshots)
            _, found, *_ = self._taken(top)
            return ops.less_equal(found, level)

        def drop(snapshots: Value, size: Value) -> Sequence[Value]:
            rest, _ = regions.pop(snapshots)
            return rest, ops.subtract(size, 1)

        return while_loop(is_dispensable, drop, [snapshots, size], ["snapshots", "size"])

    def _run(
        self, index: Sequence[Value], kept: Sequence[Value], state: Sequence[Value]
    ) -> Sequence[Value]:
        """One trip, with its effects; what it keeps, on a stack, comes before the state."""
        env = self.env
        env.update(zip(self.body.inputs, [*index, *state]))
        found = record(self.body, env, None)
        pushed = [regions.push(stack, packed(found)) for stack in kept]
        return [*pushed, *(env.get(v, v) for v in self.body.outputs)]

    def _snapshot(self, trip: Value, level: Value, state: Sequence[Value]) -> Value:
        """A pack of the state, apart from arrays that the loop changes in place."""
        return regions.pack(trip, level, *(self._apart(v) for v in state))

    def _apart(self, value: Value) -> Value:
        is_array = isinstance(value.type, ArrayType) and value.type.shape != ()
        return ops.copy(value) if self.changes and is_array else value

    def _taken(self, pack: Value) -> tuple[Value, ...]:
        """The trip and the level of a snapshot, and the state."""
        return unpacked(
            pack, [INT, INT, *(v.type for v in self.loop.start)], [None, None, *self.names]
        )

    # -- backward ---------------------------------------------------------------------------------

    def _pull(
        self, cotangents: Sequence[Value | None], so_far: SoFar
    ) -> Iterable[tuple[Value, Value]]:
        node, body, tape = self.node, self.body, self.tape
        state = self.loop.state
        active = [i for i, v in enumerate(state) if v in tape.active]
        captured = [v for v in body.captures if v in tape.active]
        seeds = [cotangents[i] if node.outputs[i] in tape.active else None for i in active]
        shaped = [*(node.outputs[i] for i in active), *captured]
        init = instantiate([*seeds, *map(so_far, captured)], [self.env.get(v, v) for v in shaped])
        draws = [] if self.draws is None else [self.draws]

        def unwind(done: Value, snapshots: Value, size: Value, *rest: Value) -> Sequence[Value]:
            last = ops.subtract(ops.subtract(self.count, done), 1)
            kept, values = rest[: len(draws)], rest[len(draws) :]
            below, packs = [], []
            for stack in kept:
                stack_below, pack = regions.pop(stack)
                below.append(stack_below)
                packs.append(pack)
            work = self._bring(snapshots, size, last, *below)
            slots = [slot for pack in packs for slot in unpacked(pack, self.kept)]
            results = self._reversed_trip(last, work.state, slots, active, captured, values)
            return [work.snapshots, work.size, *below, *results]

        names = [d(v) for v in (*(state[i] for i in active), *captured)]
        _, _, *results = for_loop(
            self.count,
            unwind,
            [self.snapshots, self.size, *draws, *init],
            ["snapshots", "size", *["kept"] * len(draws), *names],
            "done",
            self.attrs,
        )
        sources = [*(self.loop.start[i] for i in active), *captured]
        return zip(sources, results[len(draws) :])

    def _bring(
        self, snapshots: Value, size: Value, last: Value, below: Value | None = None
    ) -> _Work:
        """The state before the trip ``last``, and the snapshots for what comes before."""
        rest, top = regions.pop(snapshots)
        start, _, *state = self._taken(top)
        draws = None
        if below is not None:
            draws = reverse(below, ops.subtract(last, start))
        work = _Work(snapshots, size, start, draws, state)

        def is_before(*values: Value) -> Value:
            return ops.less(work.of(values).at, last)

        def go_on(*values: Value) -> Sequence[Value]:
            now = work.of(values)
            room = ops.add(ops.subtract(self.limit, now.size), 1)
            left = ops.add(ops.subtract(last, now.at), 1)
            step = _advance(left, room)
            now = self._moved(now, step)

            def take() -> Sequence[Value]:
                taken = self._snapshot(now.at, Constant(0), now.state)
                return regions.push(now.snapshots, taken), ops.add(now.size, 1)

            now.snapshots, now.size = cond(
                ops.less(now.at, last), take, lambda: (now.snapshots, now.size)
            )
            return now.values()

        names = ["snapshots", "size", "at", *([] if draws is None else ["kept"]), *self.names]
        there = work.of(while_loop(is_before, go_on, work.values(), names))
        there.snapshots, there.size = cond(
            ops.equal(start, last),
            lambda: (rest, ops.subtract(size, 1)),
            lambda: (there.snapshots, there.size),
        )
        return there

    def _moved(self, work: _Work, trips: Value) -> _Work:
        """The work ``trips`` trips later."""
        count = 0 if work.draws is None else 1

        def trip(i: Value, *values: Value) -> Sequence[Value]:
            rest: list[Value] = []
            slots: tuple[Value, ...] = ()
            if count:
                below, top = regions.pop(values[0])
                rest, slots = [below], unpacked(top, self.kept)
            env = dict(self.env)
            index = [ops.add(work.at, i)] * len(self.loop.indices)
            env.update(zip(self.body.inputs, [*index, *values[count:]]))
            replay(self.body, env, slots, None)
            return [*rest, *(env.get(v, v) for v in self.body.outputs)]

        draws = [] if work.draws is None else [work.draws]
        names = [*["kept"] * count, *self.names]
        index = _index_name(self.loop)
        results = for_loop(trips, trip, [*draws, *work.state], names, index)
        kept = results[0] if count else None
        return _Work(work.snapshots, work.size, ops.add(work.at, trips), kept, results[count:])

    def _reversed_trip(
        self,
        last: Value,
        state: Sequence[Value],
        slots: Sequence[Value],
        active: Sequence[int],
        captured: Sequence[Value],
        values: Sequence[Value],
    ) -> list[Value]:
        """Make the trip ``last`` again and go back through it.

        Args:
            values: the cotangents of the ``active`` state after the trip, then the sums of those of
                what is ``captured``.

        Returns:
            The cotangents of the active state before the trip, then the sums.
        """
        cotangents, sums = values[: len(active)], values[len(active) :]
        graph, operands = self._again(len(slots))
        index = [last] * len(self.loop.indices)
        wanted = [*(graph.inputs[len(index) + i] for i in active)]
        given = dict(zip(operands, graph.inputs[len(self.body.inputs) :]))
        wanted += [given[v] for v in captured]
        trip = Tape(active_values(graph, wanted) & useful_values(graph))
        values = [*index, *state, *(self.env.get(v, v) for v in operands), *slots]
        trip.forward(graph, dict(zip(graph.inputs, values)))
        # The sums go in, so that they are added up as without checkpoints, to the last bit.
        ends = zip((graph.outputs[i] for i in active), cotangents)
        seeds = [*ends, *zip((given[v] for v in captured), sums)]
        before = [*(state[i] for i in active), *(self.env.get(v, v) for v in captured)]
        found = instantiate(trip.backward(seeds, wanted), before)
        added = [fit(y, x.type) for x, y in zip(sums, found[len(active) :])]
        return [*found[: len(active)], *added]

    def _again(self, slots: int) -> tuple[Graph, list[Value]]:
        """The body without effects as a graph of its own. Its inputs are the body's, then what the
        body captures, which is given as well, then what it has kept."""
        operands = list(self.body.captures)
        with Builder(self.body.name) as builder:
            env = {v: builder.input(v.type, v.name) for v in (*self.body.inputs, *operands)}
            kept = [builder.input(type) for type in self.kept[:slots]]
            replay(self.body, env, kept, None)
            return builder.finish([env.get(v, v) for v in self.body.outputs]), operands


def _may_change(node: Node) -> bool:
    """Whether a node may work in the memory of an operand."""
    return node.op.in_place is not None or node.op.updates or node.op is regions.call


# -- schedules ------------------------------------------------------------------------------------


def _advance(trips: Value, snapshots: Value) -> Value:
    """How far from a snapshot to take the next one, so that as few trips as possible are run again.

    With c snapshots, the one at the start among them, n trips can be reversed with each one run at
    most r times forward to get at the states if

        n <= beta(c, r) = binomial(c + r, c)

    and the least number of trips to run is

        t(n, c) = r n - beta(c + 1, r - 1),    where beta(c, r - 1) < n <= beta(c, r)

    (A. Griewank, A. Walther: Algorithm 799: revolve. ACM Transactions on Mathematical Software 26,
    2000). That many are run if the state is advanced by m trips to where the next snapshot is
    taken, then the n - m trips after it are reversed with c - 1 snapshots, and then the m before it
    with c, for any m with

        beta(c, r - 2) <= m <= beta(c, r - 1)  and  beta(c - 1, r - 1) <= n - m <= beta(c - 1, r)

    Args:
        trips: how many there are to reverse from the snapshot on, at least two.
        snapshots: how many there may be for that.
    """

    def raised(lower: Value, low: Value, high: Value, r: Value) -> Sequence[Any]:
        more = ops.add(r, 1)
        product = ops.multiply(high, ops.add(snapshots, more))
        return low, high, ops.floor_divide(product, more), more

    # Of beta for r - 2, r - 1 and r; beta(c - 1, r - 1) is beta(c, r - 1) - beta(c, r - 2).
    lower, low, _, _ = while_loop(
        lambda lower, low, high, r: ops.less(high, trips),
        raised,
        [0, 0, 1, 0],
        ["lower", "low", "high", "r"],
    )
    most = ops.subtract(trips, ops.subtract(low, lower))
    (step,) = cond(ops.less(low, most), lambda: [low], lambda: [most])
    return step


def _bits(n: Value) -> Value:
    """The least k with ``n <= 2 ** (k - 1)``."""
    k, _ = while_loop(
        lambda k, power: ops.less(power, n),
        lambda k, power: [ops.add(k, 1), ops.multiply(power, 2)],
        [1, 1],
        ["limit", "power"],
    )
    return k
