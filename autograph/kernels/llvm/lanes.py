"""The body of a vector loop: one trip per lane of a vector, under a mask.

Values are what `lane_values` says. Control flow on uniform conditions is real. On conditions that
vary, both sides of an `If` run, each under the mask of its lanes and only if there are some, and
their results are blended; loops go on while a lane is active, and the state of a lane is kept when
it has left. This is how ISPC compiles (Pharr & Mark, "ispc: a SPMD compiler for high-performance
CPU programming", 2012).
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG, Number, Operand, Var
from autograph.kernels.llvm import text
from autograph.kernels.llvm.frame import GAVE_UP, FunctionFrame
from autograph.kernels.llvm.instructions import CHECKED, DEAR
from autograph.kernels.llvm.interleaving import groups
from autograph.kernels.llvm.lane_values import LaneValues, Lead
from autograph.kernels.llvm.memory import LaneMemory
from autograph.kernels.llvm.polling import trips_between
from autograph.kernels.llvm.shapes import UNIFORM, VARYING, Shapes

_BLENDED = 6  # statements of a side of an `If` that are cheaper than a branch


class LanePrinter(LaneValues):
    """Prints the body of a vector loop."""

    def __init__(self, frame: FunctionFrame, shapes: Shapes, lanes: int):
        super().__init__(frame, shapes, lanes)
        self.memory = LaneMemory(self)

    def block(self, block: ir.Block) -> None:
        known, outer = self.known_here(), self.memory.groups
        self.memory.groups = groups(block, self.shapes, self.module.group)
        super().block(block)
        self.memory.groups = outer
        self.restore(known)

    # -- what has no control flow ------------------------------------------------------------------

    def compute(self, s: ir.Compute) -> None:
        if self.shapes[s.out] is not VARYING:
            super().compute(s)  # of linear values: of those in lane 0
            return
        operands = [self.vector(x) for x in s.operands]
        if s.function in CHECKED:
            factor = next((x for x in s.operands if isinstance(x, Number) and x.value), None)
            if s.function == "multiply_checked" and factor is not None:
                x = operands[1 if s.operands[0] is factor else 0]
                self.values[s.out], overflow = self.vectors.multiple(x, int(factor.value))
            else:
                self.values[s.out], overflow = self.vectors.checked(s.function, *operands)
            self._stop_if(overflow)
            return
        given = s.operands[1 if s.function == "select" else 0].dtype
        self.values[s.out] = self.vectors.compute(
            s.function, given, s.out.dtype, operands, s.out.name, self.mask
        )

    def _stop_if(self, condition: str) -> None:
        bad = self.vectors.any(self.both(self.mask, condition))
        self.frame.stop_unless(self.function.let(f"xor i1 {bad}, true"), GAVE_UP)

    def check(self, s: ir.Check) -> None:
        if self.shapes[s.condition] is VARYING:
            self._stop_if(self.opposite(self.vector(s.condition)))
        else:
            super().check(s)

    def load(self, s: ir.Load) -> None:
        self.values[s.out] = self.memory.load(s)

    def store(self, s: ir.Store) -> None:
        self.memory.store(s)

    def local(self, s: ir.Local) -> None:
        self.memory.local(s.buffer)

    def statement(self, statement: ir.Statement) -> None:
        if isinstance(statement, ir.Reserve):
            self.memory.reserve(statement)
        else:
            super().statement(statement)

    # -- conditionals ------------------------------------------------------------------------------

    def if_(self, s: ir.If) -> None:
        if self.shapes[s.condition] is not VARYING:
            self._uniform_if(s)
            return
        condition = self.vector(s.condition)
        sides = [
            self._side(s.then, lambda: condition, s.then_results, "then"),
            self._side(s.orelse, lambda: self.opposite(condition), s.else_results, "else"),
        ]
        for result, yes, no in zip(s.results, *sides):
            type_ = self.vectors.type(result.dtype)
            self.values[result] = self.blend(condition, type_, yes, no, result.name)

    def _side(
        self,
        block: ir.Block,
        given: Callable[[], str],
        results: Sequence[Operand],
        hint: str,
    ) -> list[str]:
        """One side of a conditional, if it has lanes, or is cheaper than to ask. What it gives the
        others is poison."""
        if _is_cheap(block, self.module.callable):
            self.block(block)
            return [self.vector(x) for x in results]
        function, outer = self.function, self.mask
        mask = self.both(outer, given())
        side, after = function.new_label(hint), function.new_label("after")
        before_results = {
            k: self.vector(x) for k, x in enumerate(results) if not self._made_in(x, block)
        }
        some = self.vectors.any(mask)
        before = function.label
        function.branch(some, side, after)
        function.start(side)
        self.mask = mask
        known = self.known_here()
        self.block(block)
        values = [
            before_results[k] if k in before_results else self.vector(x)
            for k, x in enumerate(results)
        ]
        self.restore(known)
        self.mask = outer
        last = function.label
        function.start(after)
        for k, x in enumerate(results):
            if k not in before_results:
                type_ = self.vectors.type(x.dtype)
                values[k] = function.phi(type_, [("poison", before), (values[k], last)])
        return values

    def _made_in(self, operand: Operand, block: ir.Block) -> bool:
        return isinstance(operand, Var) and operand not in self.values

    def _uniform_if(self, s: ir.If) -> None:
        function = self.function
        then, orelse, after = map(function.new_label, ("then", "else", "after"))
        function.branch(self.scalar(s.condition), then, orelse)
        incoming: list[tuple[list[str], str]] = []
        for label, block, results in (
            (then, s.then, s.then_results),
            (orelse, s.orelse, s.else_results),
        ):
            function.start(label)
            known = self.known_here()
            self.block(block)
            values = [self.shaped(x, self.shapes[r]) for x, r in zip(results, s.results)]
            self.restore(known)
            incoming.append((values, function.label))
            function.jump(after)
        function.start(after)
        for k, result in enumerate(s.results):
            self.values[result] = function.phi(
                self.type(result.dtype, self.shapes[result]),
                [(values[k], label) for values, label in incoming],
                result.name,
            )

    # -- loops -------------------------------------------------------------------------------------

    def for_(self, s: ir.For) -> None:
        function = self.function
        count_varies = self.shapes[s.count] != UNIFORM
        if count_varies and self._may_join_late(s):
            self._late_for(s)
            return
        count = self.vector(s.count) if count_varies else self.scalar(s.count)
        loop = _Loop(self, s, count_varies, "for")
        index = function.open_phi("i64", s.index.name)
        index.add("0", loop.before)
        self.values[s.index] = index.name
        loop.begin()
        if count_varies:
            at = self.spread(LONG, index.name)
            more = function.let(f"icmp slt {self.vectors.type(LONG)} {at}, {count}")
        else:
            more = function.let(f"icmp slt i64 {index.name}, {count}")
        loop.enter(more)
        if trips_between(s) is not None:
            self.frame.poll()
        self.block(s.body)
        following = function.let(f"add nuw nsw i64 {index.name}, 1")
        loop.again()
        index.add(following, loop.last)
        loop.end()

    def _may_join_late(self, s: ir.For) -> bool:
        """Whether it does not matter which trips of a lane run together with which of others."""
        varying = all(self.shapes[v] is VARYING for v in s.state)
        return varying and s.index not in self.frame.used

    def _late_for(self, s: ir.For) -> None:
        """A loop in which all lanes make their last trip together, and those with few trips join
        late. So do loops that go back through what a loop recorded that lanes left early: then
        all read the same record, and one vector instead of one element for each lane. Which record
        that is a lane knows that makes all trips, so that the next trip need not wait until all
        have been asked."""
        function, outer = self.function, self.mask
        longs, counts = self.vectors.type(LONG), self.vector(s.count)
        reached = counts if outer is None else self.blend(outer, longs, counts, "zeroinitializer")
        most = function.let(
            self.vectors.intrinsic("vector.reduce.smax", "i64", [(longs, reached)], [longs])
        )
        inits = [self.vector(x) for x in s.init]
        bases = {x.buffer.base for x in ir.walk(s.body) if isinstance(x, ir.Load)}
        led = [k for k, var in enumerate(s.state) if var in bases]
        lane = self._first(function.let(f"icmp eq {longs} {reached}, {self.spread(LONG, most)}"))
        led_inits = [function.let(f"extractelement {longs} {inits[k]}, i64 {lane}") for k in led]
        before = function.label
        head, body, after = map(function.new_label, ("for", "trip", "after"))
        function.start(head)
        remaining = function.open_phi("i64", "remaining")
        remaining.add(most, before)
        states = [function.open_phi(self.vectors.type(v.dtype), v.name) for v in s.state]
        for var, phi, init in zip(s.state, states, inits):
            phi.add(init, before)
            self.values[var] = phi.name
        leads = [function.open_phi("i64", "lead") for _ in led]
        for phi, init in zip(leads, led_inits):
            phi.add(init, before)
        function.branch(function.let(f"icmp sgt i64 {remaining.name}, 0"), body, after)
        function.start(body)
        known, outer_lead = self.known_here(), self.lead
        limit = self.spread(LONG, remaining.name)
        joined = self.both(outer, function.let(f"icmp sge {longs} {counts}, {limit}"))
        self.mask = joined
        lead = Lead(lane, joined, {s.state[k]: phi.name for k, phi in zip(led, leads)})
        self.lead = lead
        if not led:  # else it goes back through records, of which there are not so many
            self.frame.poll()
        self.block(s.body)
        values = [self.vector(x) for x in s.following]
        for k, phi in zip(led, leads):
            value = lead.known.get(s.following[k])
            if value is None:
                value = function.let(f"extractelement {longs} {values[k]}, i64 {lane}")
            phi.add(value, function.label)
        for phi, value in zip(states, values):
            phi.add(self.blend(joined, phi.type, value, phi.name), function.label)
        remaining.add(function.let(f"sub i64 {remaining.name}, 1"), function.label)
        function.jump(head)
        function.start(after)
        self.mask, self.lead = outer, outer_lead
        self.restore(known)
        for result, phi in zip(s.results, states):
            self.values[result] = phi.name

    def _first(self, mask: str) -> str:
        """The number of the first lane of a mask, which has one."""
        bits, type_ = f"i{self.lanes}", self.vectors.vector_of("i1")
        packed = self.function.let(f"bitcast {type_} {mask} to {bits}")
        first = self.scalars.intrinsic("cttz", bits, [(bits, packed), ("i1", "false")], [bits])
        first = self.function.let(first)
        if self.lanes == 64:
            return first
        cast = "zext" if self.lanes < 64 else "trunc"
        return self.function.let(f"{cast} {bits} {first} to i64")

    def while_(self, s: ir.While) -> None:
        varies = self.shapes[s.condition] is VARYING
        loop = _Loop(self, s, varies, "while")
        loop.begin()
        self.block(s.test)
        loop.enter(self.shaped(s.condition, VARYING if varies else UNIFORM))
        self.frame.poll()
        self.block(s.body)
        loop.again()
        loop.end()


class _Loop:
    """The frame of a loop in a vector loop, which lanes leave at different times if it varies.

    Of a state that varies, the vector keeps the last state of the lanes that have left. Of one that
    is the same in all active lanes there is a scalar, and beside it a vector of results, in which
    lanes write when they leave.
    """

    def __init__(self, lanes: LanePrinter, s: ir.For | ir.While, varies: bool, hint: str):
        self.lanes = lanes
        self.s = s
        self.varies = varies
        function = lanes.function
        self.outer = lanes.mask
        shapes = [lanes.shapes[v] for v in s.state]
        inits = [lanes.shaped(x, shape) for x, shape in zip(s.init, shapes)]
        self.before = function.label
        self.head, self.body, self.after = map(function.new_label, (hint, "trip", "after"))
        function.start(self.head)
        self.known = lanes.known_here()
        self.states = []
        for var, init, shape in zip(s.state, inits, shapes):
            phi = function.open_phi(lanes.type(var.dtype, shape), var.name)
            phi.add(init, self.before)
            lanes.values[var] = phi.name
            self.states.append(phi)
        self.results: dict[int, text.Phi] = {}
        if varies:
            self.active = function.open_phi(lanes.vectors.vector_of("i1"), "active")
            self.active.add(self.outer or "splat (i1 true)", self.before)
            for k, (result, shape) in enumerate(zip(s.results, shapes)):
                if shape is not VARYING and result in lanes.frame.used:
                    phi = function.open_phi(lanes.vectors.type(result.dtype), result.name)
                    phi.add("poison", self.before)
                    self.results[k] = phi

    def begin(self) -> None:
        """Begin the test, after all phis."""
        lanes = self.lanes
        if not self.varies:
            return
        lanes.mask = self.active.name

    def enter(self, condition: str) -> None:
        """Begin the body if lanes go on."""
        lanes, function = self.lanes, self.lanes.function
        if self.varies:
            self.going = lanes.both(lanes.mask, condition, "going")
            self._keep()
            function.branch(lanes.vectors.any(self.going), self.body, self.after)
            lanes.mask = self.going
        else:
            function.branch(condition, self.body, self.after)
        function.start(self.body)

    def _keep(self) -> None:
        """Write the results of the lanes that leave now."""
        lanes, function = self.lanes, self.lanes.function
        self.final: dict[int, str] = {}
        if not self.results:
            return
        leaving = lanes.both(self.active.name, lanes.opposite(self.going), "leaving")
        keep, kept = function.new_label("keep"), function.new_label("kept")
        before = function.label
        function.branch(lanes.vectors.any(leaving), keep, kept)
        function.start(keep)
        known = lanes.known_here()
        values = {
            k: lanes.blend(leaving, phi.type, lanes.vector(self.s.state[k]), phi.name)
            for k, phi in self.results.items()
        }
        lanes.restore(known)
        function.start(kept)
        for k, phi in self.results.items():
            incoming = [(phi.name, before), (values[k], keep)]
            self.final[k] = function.phi(phi.type, incoming, self.s.results[k].name)

    def again(self) -> None:
        """End the body."""
        lanes, function, s = self.lanes, self.lanes.function, self.s
        for phi, var, result, following in zip(self.states, s.state, s.results, s.following):
            shape = lanes.shapes[var]
            value = lanes.shaped(following, shape)
            if self.varies and shape is VARYING and result in lanes.frame.used:
                value = lanes.blend(self.going, phi.type, value, phi.name)
            phi.add(value, function.label)
        self.last = function.label
        if self.varies:
            self.active.add(self.going, self.last)
            for k, phi in self.results.items():
                phi.add(self.final[k], self.last)
        function.jump(self.head)

    def end(self) -> None:
        """Go on after the loop."""
        lanes = self.lanes
        lanes.function.start(self.after)
        lanes.restore(self.known)
        lanes.mask = self.outer
        for k, (phi, result) in enumerate(zip(self.states, self.s.results)):
            lanes.values[result] = self.final[k] if k in self.results else phi.name


def _is_cheap(side: ir.Block, functions: Container[str]) -> bool:
    """Whether one side of a conditional can be computed wherever it stands."""
    statements = side.statements
    return len(statements) <= _BLENDED and all(_is_harmless(x, functions) for x in statements)


def _is_harmless(s: ir.Statement, functions: Container[str]) -> bool:
    """Whether a statement may run where it should not, and takes little time."""
    if not isinstance(s, ir.Compute):
        return False
    if s.function in ("quotient", "rest"):
        return isinstance(s.operands[1], Number)
    return s.function not in DEAR and s.function not in functions
