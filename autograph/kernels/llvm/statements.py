"""Statements outside of vector loops: scalars, real branches, real loops."""

from __future__ import annotations

import linecache
from collections.abc import Sequence

from autograph.errors import Location
from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Buffer, Number, Operand, Var
from autograph.kernels.llvm import leaving, places, predictions, text
from autograph.kernels.llvm.frame import GAVE_UP, FunctionFrame
from autograph.kernels.llvm.instructions import CHECKED, Instructions
from autograph.kernels.llvm.polling import SPAN, looks, trips_between, weight
from autograph.places import file_name

_SUMS = (3, 5, 9)  # multiples that an address is computed as


class Statements:
    """Prints blocks of statements on scalars into a function.

    Attributes:
        frame: the function.
        scalars: prints instructions.
    """

    def __init__(self, frame: FunctionFrame):
        self.frame = frame
        self.module = frame.module
        self.function = frame.function
        self.values = frame.values
        self.scalars = Instructions(frame.module, frame.target, frame.function, None)
        self.made: dict[Operand, ir.Compute] = {}
        # Of integers that are places, perhaps counted from the end: of how many, and the place.
        self.places: dict[Operand, tuple[Operand, str]] = {}

    def block(self, block: ir.Block) -> None:
        """Print statements."""
        known = dict(self.places)
        for statement in block:
            self.statement(statement)
        self.places = known

    def statement(self, statement: ir.Statement) -> None:
        """Print a statement.

        Raises:
            NotImplementedError: there is no such statement here.
        """
        if self.module.comments and isinstance(statement, (ir.Compute, ir.Check)):
            self._locate(statement.location)
        match statement:
            case ir.Compute():
                self.compute(statement)
            case ir.Load():
                self.load(statement)
            case ir.Store():
                self.store(statement)
            case ir.Local():
                self.local(statement)
            case ir.For():
                self.for_(statement)
            case ir.While():
                self.while_(statement)
            case ir.If():
                self.if_(statement)
            case ir.Check():
                self.check(statement)
            case ir.Reserve():
                reserve = self.frame.take if statement.for_caller else self.frame.reserve
                self.values[statement.out] = reserve(self.scalar(statement.size))
            case _:
                raise NotImplementedError(f"{type(statement).__name__} in a kernel")

    def _locate(self, location: Location | None) -> None:
        """Show the user's line that the next instructions come from."""
        if location is not None:
            line = linecache.getline(location.file, location.line).strip()
            file = file_name(location.file)
            self.function.comment(f"{file}:{location.line}: {line}".rstrip(": "))

    # -- values ------------------------------------------------------------------------------------

    def scalar(self, operand: Operand) -> str:
        """A scalar: its name, or a constant."""
        if isinstance(operand, Number):
            return text.constant(operand)
        return self.values[operand]

    # -- what has no control flow ------------------------------------------------------------------

    def compute(self, s: ir.Compute) -> None:
        self.made[s.out] = s
        place = self._known_place(s) if s.function == "select" else None
        if place is not None:
            self.values[s.out] = place
            return
        operands = [self.scalar(x) for x in s.operands]
        if s.function in CHECKED:
            self.values[s.out], overflow = self.checked(s, operands)
            fine = self.function.let(f"xor i1 {overflow}, true")
            self.frame.stop_unless(fine, GAVE_UP)
            return
        if predictions.is_guard(s, self.made):
            self.values[s.out] = self._guarded(s.out, *operands)
            return
        given = s.operands[1 if s.function == "select" else 0].dtype
        self.values[s.out] = self.scalars.compute(
            s.function, given, s.out.dtype, operands, s.out.name
        )

    def checked(self, s: ir.Compute, operands: Sequence[str]) -> tuple[str, str]:
        """A sum, difference or product of int64, and whether it overflowed. Of a small multiple,
        which is a sum for machines, comparisons tell: the product need not wait for that."""
        if s.function == "multiply_checked":
            for factor, x in zip(s.operands, operands[::-1]):
                if isinstance(factor, Number) and int(factor.value) in _SUMS:
                    return self.scalars.multiple(x, int(factor.value))
        return self.scalars.checked(s.function, *operands)

    def _guarded(self, out: Var, is_rare: str, replacement: str, x: str) -> str:
        """What a choice gives, as a branch that hardly ever replaces the number."""
        function = self.function
        usual = function.let(f"xor i1 {is_rare}, true")
        rare, go_on = function.new_label("rare"), function.new_label("go_on")
        before = function.label
        function.branch(usual, go_on, rare, self.frame.likely())
        function.start(rare)
        function.jump(go_on)
        function.start(go_on)
        incoming = [(x, before), (replacement, rare)]
        return function.phi(text.scalar_type(out.dtype), incoming, out.name)

    def address(self, buffer: Buffer, index: str) -> str:
        """Where an element is."""
        type_ = text.memory_type(buffer.dtype)
        start = self.start(buffer)
        if index == "0":
            return start
        return self.function.let(f"getelementptr inbounds {type_}, ptr {start}, i64 {index}")

    def start(self, buffer: Buffer) -> str:
        """Where the elements of a buffer start."""
        if buffer.base is not None:
            base = self.scalar(buffer.base)
            if buffer.offset:
                base = self.function.let(f"add i64 {base}, {buffer.offset}")
            return self.function.let(f"inttoptr i64 {base} to ptr", buffer.name)
        if buffer.kind == "constant" and buffer not in self.frame.pointers:
            self.frame.pointers[buffer] = self.module.table(buffer)
        return self.frame.pointers[buffer]

    def load(self, s: ir.Load) -> None:
        self.values[s.out] = self.load_scalar(s.buffer, self.scalar(s.index), s.out.name)

    def load_scalar(self, buffer: Buffer, index: str, hint: str | None) -> str:
        """One element."""
        at = self.address(buffer, index)
        type_ = text.memory_type(buffer.dtype)
        note = f"align {buffer.dtype.itemsize}{self.module.note(buffer)}"
        value = self.function.let(f"load {type_}, ptr {at}, {note}", hint)
        if buffer.dtype.kind == "b":
            return self.function.let(f"icmp ne i8 {value}, 0")
        return value

    def store(self, s: ir.Store) -> None:
        self.store_scalar(s.buffer, self.scalar(s.index), self.scalar(s.value))

    def store_scalar(self, buffer: Buffer, index: str, value: str) -> None:
        """Write one element."""
        at = self.address(buffer, index)
        type_ = text.memory_type(buffer.dtype)
        if buffer.dtype.kind == "b":
            value = self.function.let(f"zext i1 {value} to i8")
        note = f"align {buffer.dtype.itemsize}{self.module.note(buffer)}"
        self.function.do(f"store {type_} {value}, ptr {at}, {note}")

    def local(self, s: ir.Local) -> None:
        buffer = s.buffer
        if buffer not in self.frame.pointers:
            self.frame.pointers[buffer] = self.frame.memory(
                text.memory_type(buffer.dtype), buffer.dtype.itemsize, buffer.size, buffer.name
            )

    def check(self, s: ir.Check) -> None:
        """Print a check. That of a place, which may count from the end, asks first whether it
        counts from the start, as most do: then there is nothing to choose, and what is read there
        does not wait for a choice."""
        found = places.checked(s.condition, self.made)
        if found is None:
            self._check_in_turns(s.condition)
            return
        function, (index, size, may_be_large) = self.function, found
        x, n = self.scalar(index), self.scalar(size)
        plain = function.let(f"icmp sge i64 {x}, 0")
        if may_be_large:
            below = function.let(f"icmp slt i64 {x}, {n}")
            plain = function.let(f"and i1 {plain}, {below}")
        go_on, other = function.new_label("go_on"), function.new_label("other")
        before = function.label
        function.branch(plain, go_on, other, self.frame.likely())
        function.start(other)
        self.frame.stop_unless(self.scalar(s.condition), GAVE_UP)
        counted = function.let(f"add i64 {x}, {n}")
        after = function.label
        function.jump(go_on)
        function.start(go_on)
        place = function.phi("i64", [(x, before), (counted, after)])
        self.places[index] = (size, place)

    def _check_in_turns(self, condition: Operand) -> None:
        """Print a check that asks first for what is so mostly, and only where it is not for the
        rest, as of a result whether it is finite, and else whether it may be infinite."""
        made = self.made.get(condition)
        if made is None or made.function != "|":
            self.frame.stop_unless(self.scalar(condition), GAVE_UP)
            return
        function = self.function
        mostly, rest = map(self.scalar, made.operands)
        go_on, other = function.new_label("go_on"), function.new_label("other")
        function.branch(mostly, go_on, other, self.frame.likely())
        function.start(other)
        self.frame.stop_unless(rest, GAVE_UP)
        function.jump(go_on)
        function.start(go_on)

    def _known_place(self, s: ir.Compute) -> str | None:
        """The place that a choice gives if a check before has found it."""
        found = self.places.get(s.operands[2])
        if found is None or not places.counts_from_end(s, found[0], self.made):
            return None
        return found[1]

    # -- control flow ------------------------------------------------------------------------------

    def if_(self, s: ir.If) -> None:
        function = self.function
        random = predictions.nobody_can_foresee(s, self.made)
        if random and any(_is_checked(x) for side in (s.then, s.orelse) for x in side):
            steps = predictions.steps(s)
            if steps is None:
                self._both_sides(s)
            else:
                self._step(s, *steps)
            return
        if predictions.asks_for_rests(s):
            self._both_sides(s)
            return
        then, orelse, after = map(function.new_label, ("then", "else", "after"))
        note = self.frame.unpredictable() if random else ""
        function.branch(self.scalar(s.condition), then, orelse, note)
        incoming = []
        for label, block, results in (
            (then, s.then, s.then_results),
            (orelse, s.orelse, s.else_results),
        ):
            function.start(label)
            self.block(block)
            incoming.append(([self.scalar(x) for x in results], function.label))
            function.jump(after)
        function.start(after)
        for k, result in enumerate(s.results):
            self.values[result] = function.phi(
                text.scalar_type(result.dtype),
                [(values[k], label) for values, label in incoming],
                result.name,
            )

    def _step(self, s: ir.If, x: Operand, yes: int, no: int) -> None:
        """Print a choice that adds one number or another one to an integer: as one sum."""
        chosen = f"select i1 {self.scalar(s.condition)}, i64 {yes}, i64 {no}"
        by = self.function.let(chosen + self.frame.unpredictable())
        (result,) = s.results
        self.values[result], overflow = self.scalars.checked("add_checked", self.scalar(x), by)
        self.frame.stop_unless(self.function.let(f"xor i1 {overflow}, true"), GAVE_UP)

    def _both_sides(self, s: ir.If) -> None:
        """Print a choice of which both sides are computed. Where integers leave 64 bits on the side
        that is taken, the kernel gives up."""
        function, condition = self.function, self.scalar(s.condition)
        for block, stays in ((s.then, f"xor i1 {condition}, true"), (s.orelse, condition)):
            for x in block:
                assert isinstance(x, ir.Compute)
                if not _is_checked(x):
                    self.compute(x)
                    continue
                operands = [self.scalar(y) for y in x.operands]
                self.values[x.out], overflow = self.checked(x, operands)
                other = function.let(stays) if stays is not condition else condition
                fine = function.let(f"xor i1 {overflow}, true")
                allowed = function.let(f"or i1 {other}, {fine}")
                self.frame.stop_unless(allowed, GAVE_UP, whole=True)
        note = self.frame.unpredictable()
        for result, yes, no in zip(s.results, s.then_results, s.else_results):
            type_ = text.scalar_type(result.dtype)
            chosen = f"{type_} {self.scalar(yes)}, {type_} {self.scalar(no)}{note}"
            self.values[result] = function.let(f"select i1 {condition}, {chosen}", result.name)

    def for_(self, s: ir.For) -> None:
        """Print a loop; one that may run for long in parts, between which it asks whether the user
        wants to stop."""
        function = self.function
        count = self.scalar(s.count)
        inits = [self.scalar(x) for x in s.init]
        mark = self.frame.arena_mark() if s.freed else None
        most = trips_between(s) if self.frame.hosted else None
        before, begin, end = function.label, "0", count
        outer: list[text.Phi] = []
        part, head, body, asked, after = map(
            function.new_label, ("part", "for", "trip", "ask", "after")
        )
        if most is not None:
            function.start(part)
            first = function.open_phi("i64")
            first.add("0", before)
            outer = self._state(s.state, inits, before)
            before, begin, inits = part, first.name, [phi.name for phi in outer]
            far = function.let(f"add i64 {begin}, {most}")
            operands = [("i64", far), ("i64", count)]
            end = function.let(self.scalars.intrinsic("smin", "i64", operands, ["i64"]))
        function.start(head)
        index = self._state([s.index], [begin], before)
        states = self._state(s.state, inits, before)
        more = function.let(f"icmp slt i64 {index[0].name}, {end}")
        function.branch(more, body, after if most is None else asked)
        function.start(body)
        self.block(s.body)
        self._free(s.freed, mark)
        following = function.let(f"add nuw nsw i64 {index[0].name}, 1")
        self._again(index, [following])
        self._again(states, [self.scalar(x) for x in s.following])
        function.jump(head)
        if most is not None:
            function.start(asked)
            trips = function.let(f"sub i64 {index[0].name}, {begin}")
            self.frame.count_trips(trips, SPAN // most)
            last = function.label
            first.add(end, last)
            for phi, state in zip(outer, states):
                phi.add(state.name, last)
            function.branch(function.let(f"icmp slt i64 {end}, {count}"), part, after)
        function.start(after)
        self._results(s.results, states)

    def while_(self, s: ir.While) -> None:
        """Print a loop, in another one that asks now and then whether the user wants to stop: LLVM
        does more with loops in which nothing is called. One of few trips does not ask."""
        function = self.function
        inits = [self.scalar(x) for x in s.init]
        mark = self.frame.arena_mark() if s.freed else None
        before = function.label
        labels = map(function.new_label, ("asked", "while", "trip", "ask", "after"))
        asked, head, body, ask, after = labels
        outer: list[text.Phi] = []
        # What a function that calls itself does is counted by nobody around it.
        asks = looks(s) or self.frame.is_activation
        if asks:
            function.start(asked)
            outer = self._state(s.state, inits, before)
            before, inits = asked, [phi.name for phi in outer]
        function.start(head)
        states = self._state(s.state, inits, before)
        self.block(s.test)
        self.places, known = dict(self.places), self.places
        ways_out = [([phi.name for phi in states], function.label)]
        joint = predictions.is_search(s, self.made)
        note = (
            self.frame.unpredictable() if joint else ""
        )  # LLVM makes two branches of it otherwise
        function.branch(self.scalar(s.condition), body, after, note)
        function.start(body)
        following = self._trip(s, mark, s.body.statements, s.following, after, ways_out)
        self.places = known
        if following is not None and asks:
            more = self.frame.count_trip(weight(s))
            self._again(states, following)
            function.branch(more, head, ask, self.frame.likely())
            function.start(ask)
            self.frame.ask()
            self._again(outer, following)
            function.jump(asked)
        elif following is not None:
            self._again(states, following)
            function.jump(head)
        function.start(after)
        self.values.update(zip(s.results, self._joined(s.results, ways_out)))

    def _trip(
        self,
        loop: ir.While,
        mark: tuple[str, str] | None,
        statements: Sequence[ir.Statement],
        following: Sequence[Operand],
        after: str,
        ways_out: list[tuple[list[str], str]],
    ) -> list[str] | None:
        """Print a trip of a loop, or the end of one, and jumps out of the loop where it is left.

        Args:
            mark: of the arena, before the loop.
            statements: to the end of the trip.
            following: the next state.
            after: where jumps out of the loop go.
            ways_out: the state with which the loop is left, for each block from which it is; those
                of the trip are added.

        Returns:
            The next state in the block that is being printed; None if the loop is left in any case.
        """
        function = self.function
        found = leaving.ending(loop, statements, following)
        for statement in statements if found is None else found.before:
            self.statement(statement)
        if found is None:
            return self._next_state(loop, mark, following)
        choice = found.choice
        then, orelse = function.new_label("then"), function.new_label("else")
        function.branch(self.scalar(choice.condition), then, orelse)
        sides = [(then, choice.then, found.then), (orelse, choice.orelse, found.orelse)]
        # First what leaves the loop: what goes on may go on where it is printed.
        sides.sort(key=lambda side: not leaving.leaves(loop, side[2]))
        known, joined = self.places, ""
        incoming: list[tuple[list[str], str]] = []
        for label, block, state in sides:
            function.start(label)
            self.places = dict(known)
            if leaving.leaves(loop, state):
                for statement in block:
                    self.statement(statement)
                ways_out.append((self._next_state(loop, mark, state), function.label))
                function.jump(after)
                continue
            values = self._trip(loop, mark, block.statements, state, after, ways_out)
            if values is not None:
                incoming.append((values, function.label))
                if label is sides[0][0]:
                    joined = function.new_label("following")
                    function.jump(joined)
        self.places = known
        if joined:
            function.start(joined)
        return self._joined(loop.state, incoming) if incoming else None

    def _next_state(
        self, loop: ir.While, mark: tuple[str, str] | None, following: Sequence[Operand]
    ) -> list[str]:
        """The next state at the end of a trip, after which what nobody uses any more is free."""
        freed = loop.freed
        if freed is not None and freed.newest is not None:
            place = next(i for i, x in enumerate(loop.following) if x is freed.newest)
            freed = ir.Freed(following[place], freed.nbytes)
        self._free(freed, mark)
        return [self.scalar(x) for x in following]

    def _joined(
        self, variables: Sequence[Var], incoming: Sequence[tuple[list[str], str]]
    ) -> list[str]:
        """Scalars in a block to which several lead, each with its own."""
        joined = []
        for k, var in enumerate(variables):
            ways = [(values[k], label) for values, label in incoming]
            if all(value == ways[0][0] for value, _ in ways):
                joined.append(ways[0][0])
            else:
                joined.append(self.function.phi(text.scalar_type(var.dtype), ways, var.name))
        return joined

    def _free(self, freed: ir.Freed | None, mark: tuple[str, str] | None) -> None:
        """Free what is not used after a trip of a loop before which the arena had a mark."""
        if freed is None or mark is None:
            return
        newest = "0" if freed.newest is None else self.scalar(freed.newest)
        nbytes = freed.nbytes
        known = str(nbytes) if isinstance(nbytes, int) else self.scalar(nbytes)
        self.frame.rewind_arena(mark, newest, known)

    def _state(self, state: Sequence[Var], inits: Sequence[str], before: str) -> list[text.Phi]:
        phis = []
        for var, init in zip(state, inits):
            phi = self.function.open_phi(text.scalar_type(var.dtype), var.name)
            phi.add(init, before)
            self.values[var] = phi.name
            phis.append(phi)
        return phis

    def _again(self, phis: Sequence[text.Phi], values: Sequence[str]) -> None:
        for phi, value in zip(phis, values):
            phi.add(value, self.function.label)

    def _results(self, results: Sequence[Var], phis: Sequence[text.Phi]) -> None:
        for result, phi in zip(results, phis):
            self.values[result] = phi.name


def _is_checked(s: ir.Statement) -> bool:
    return isinstance(s, ir.Compute) and s.function in CHECKED
