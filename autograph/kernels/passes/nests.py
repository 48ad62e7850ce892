"""Nests of counted loops, in the order in which memory is walked with stride one, with as many
rows at once as registers hold.

Users write products of matrices in any order. What is done to a nest in order, ``for``, depends on
which of its loops have independent trips (`dependence`):

* the trips of a loop become the lanes of a vector, and all loops in it are those of each lane, if
  neighbouring trips read neighbouring elements where most time is spent (`as_lanes_if_long`), or if
  each has a loop that ends when it ends (`wait_as_lanes`);
* a loop around one of independent trips goes into it, if an element stays in a register then:
  ``for k: each j: c[j] += a[k] * b[k, j]`` adds up ``c[j]`` before the next ``j``. So it does
  if the trips stay independent through all of it: then threads share them (`into_lanes`);
* two loops change places if the inner one is independent through all trips of the outer one, and
  an element stays in a register then (`exchange`);
* independent trips that take long are shared by threads, and four of them run together if they
  read the same elements: unroll and jam (Callahan, Cocke & Kennedy, "Estimating interlock and
  improving balance for pipelined architectures", 1988) (`shared`, `jam`);
* elements that wait for all before them in a row wait for most of those together, see `triangles`;
* rows whose elements wait for each other run together in the end, see `stagger`, and so do those
  whose elements wait for loops of their own, see `row_groups`.

Each element is computed by the same operations in the same order as before, but for sums of which
nothing says an order (the reductions of `Each`), which are added up one by one, in blocks.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterable, Sequence

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.dead import drop_unused
from autograph.kernels.ir.ir import (
    BOOL,
    DOUBLE,
    LONG,
    Block,
    Buffer,
    Number,
    Operand,
    Statement,
    Var,
)
from autograph.kernels.ir.work import in_lanes
from autograph.kernels.passes.affine import Facts, materialised
from autograph.kernels.passes.conditions import Conditions
from autograph.kernels.passes.copying import Neighbours, substituted
from autograph.kernels.passes.dependence import (
    Access,
    Dependences,
    accesses,
    defined_in,
    is_understood,
)
from autograph.kernels.passes.exchange import exchanged, keeping_elements
from autograph.kernels.passes.forms import number, variable
from autograph.kernels.passes.jam import Slope, jammed
from autograph.kernels.passes.private import private_buffers, with_own
from autograph.kernels.passes.promotion import invariant_elements, promoted
from autograph.kernels.passes.triangles import in_strips

_LEAST = 4  # trips of a loop that becomes lanes
_LEAST_OF_LOOPS = 3  # where there are loops in it: less of a vector that idles
_SHORT = 16  # trips for which it is not worth it, where it is known when they run
_COMPUTED = 8  # scalars for each element that a lane finds by itself, for lanes to gain
_DIVIDING = ("quotient", "rest")
_FAR = 2**31  # trips, of which nothing is known that says that there are fewer
_ROWS = 4  # trips that run together
_SUMMED = {8: 256, 4: 64}  # numbers of so many bytes that are added up one by one
_WORTH_THREADS = 20_000  # nanoseconds of a loop that threads may gain from
_MANY = 16  # trips that keep threads busy which could share each of them instead


class Nests:
    """Changes the nests of a kernel, the inner loops first.

    Attributes:
        changed: whether there were any.
    """

    def __init__(self, body: Block, dependences: Dependences):
        self.body = body
        self.dependences = dependences
        self.facts: Facts = dependences.facts
        self.changed = False
        self.depth = 0  # how many loops are around
        self.outermost: Statement | None = None  # of the kernel's own, that is looked at
        self.met_twice = _touched_twice(body)

    def block(self, block: Block, inside: str) -> None:
        """Change the nests of a block, in place.

        Args:
            inside: the mode of the innermost loop of independent trips around it.
        """
        if ir.is_straight(block):
            return
        made: list[Statement] = []
        for s in list(block):
            if block is self.body:
                self.outermost = s
            is_loop = isinstance(s, ir.For | ir.While | ir.Each)
            self.depth += is_loop
            if isinstance(s, ir.Each):
                if s.mode != "vector":
                    self.block(s.body, s.mode)
            elif isinstance(s, ir.If):
                self.branch(s.then, s.condition, True, inside)
                self.branch(s.orelse, s.condition, False, inside)
            else:
                for inner in ir.blocks(s):
                    self.block(inner, inside)
            self.depth -= is_loop
            if isinstance(s, ir.For) and not s.state and s.freed is None:
                found = self.loop(s, inside)
                if found is not None:
                    self.changed = True
                    made += found
                    continue
            made.append(s)
        block.statements[:] = made
        if self.changed and Neighbours(self.dependences).block(block):
            self.drop_unused(block)  # what only one loop told another

    def branch(self, block: Block, condition: Operand, holds: bool, inside: str) -> None:
        """Change the nests of a branch, in which it is known what its condition says."""
        if ir.is_straight(block):
            return
        undo = [x for form in self.said.said(condition, holds) for x in self.facts.assume(form)]
        self.block(block, inside)
        self.facts.forget(undo)

    @functools.cached_property
    def said(self) -> Conditions:
        """What the bools of the kernel say."""
        return Conditions(self.body, self.facts)

    def drop_unused(self, block: Block) -> None:
        """Take out what nothing needs since a block was changed. That may be anywhere in the
        statement of the kernel's own around it, and nowhere else: to look at the others as well
        each time would take long where they are many."""
        if block is self.body or self.outermost is None:
            drop_unused(self.body, whole=True)
        else:
            drop_unused(Block([self.outermost]), whole=True, shared=self.met_twice)

    def loop(self, s: ir.For, inside: str) -> Sequence[Statement] | None:
        """What comes in the place of a loop; None if it stays."""
        if self.facts.form(s.count) is None:
            return None
        if not is_understood(s.body):
            if not is_understood(s.body, endless=True):
                return None
            if self.wait_as_lanes(s) and self.dependences.independent(s.index, s.body.statements):
                return self.as_lanes_if_long(s)
            return self.shared(s, inside)
        swapped = self.exchanged(s)
        if swapped is not None:
            self.depth += 1
            self.block(swapped.body, inside)
            self.depth -= 1
            return self.loop(swapped, inside) or [swapped]
        eaches = [x for x in s.body if isinstance(x, ir.Each)]
        alone = len(eaches) == 1 and self.is_alone(s.body, eaches[0])
        again = self.depth > 0  # what is read is mostly read again, and near by then
        if alone and again and self.keeps_elements(s, eaches[0]) and self.goes_in(s, eaches[0]):
            return [self.into_lanes(s, eaches[0])]
        if self.are_lanes(s) and self.dependences.independent(s.index, s.body.statements):
            return self.as_lanes_if_long(s)
        if not eaches:
            strips = in_strips(s, self.dependences)
            return self.shared(s, inside) if strips is None else strips
        shares = alone and self.shares(s, eaches[0])
        if shares and self.dependences.independent(s.index, s.body.statements):
            return self.jammed(s, eaches[0], inside)
        if alone and self.has_loops(eaches[0].body) and self.goes_in(s, eaches[0]):
            found = self.shared(s, inside)
            return [self.into_lanes(s, eaches[0])] if found is None else found
        return self.shared(s, inside)

    def exchanged(self, s: ir.For) -> ir.For | None:
        """A loop and the one in it in the other order, if an element stays in a register then."""
        nested = [x for x in s.body if isinstance(x, ir.For | ir.Each)]
        eaches = [x for loop in nested for x in loop.body if isinstance(x, ir.Each)]
        if not eaches:
            return keeping_elements(s, self.dependences)
        if len(eaches) != 1 or not self.is_alone(nested[0].body, eaches[0]):
            return None
        swapped = exchanged(s, self.dependences)
        if swapped is None:
            return None
        (moved,) = swapped.body
        assert isinstance(moved, ir.For)
        keeps = self.keeps_elements(moved, eaches[0]) and self.goes_in(moved, eaches[0])
        return swapped if keeps else None

    # -- a loop whose trips become lanes -----------------------------------------------------------

    def are_lanes(self, s: ir.For) -> bool:
        """Whether a vector may run trips of a loop at once, and walks memory better then."""
        least = _LEAST_OF_LOOPS if self.has_loops(s.body) else _LEAST
        if isinstance(s.count, Number) and s.count.value < least:
            return False
        if not self.in_step(s):
            return False
        found = list(accesses(s.body, self.facts))
        if not _in_steps_of_one(found, s.index):
            return False
        return not any(
            isinstance(x, ir.Each) and _in_steps_of_one(list(accesses(x.body, self.facts)), x.index)
            for x in ir.walk(s.body)
        )

    def in_step(self, s: ir.For) -> bool:
        """Whether all trips of a loop make the same trips of the counted loops in it."""
        varying = self.varying(s)
        for x in ir.walk(s.body):
            if (
                isinstance(x, ir.If)
                and x.condition in varying
                and any(
                    isinstance(y, ir.For | ir.Each)
                    for block in ir.blocks(x)
                    for y in ir.walk(block)
                )
            ):
                return False
            if isinstance(x, ir.For | ir.Each) and x.count in varying:
                return False
        return True

    def wait_as_lanes(self, s: ir.For) -> bool:
        """Whether a vector may run trips of a loop at once in which loops end when they end. There
        each trip waits for the one before, and lanes wait together, until the last of them is done.
        They gain by what registers hold: not by elements at places that each trip finds, nor by
        quotients of integers, for which there is no vector instruction."""
        if isinstance(s.count, Number) and s.count.value < _LEAST:
            return False
        if any(isinstance(x, ir.Each) for x in ir.walk(s.body)) or not self.in_step(s):
            return False
        varying = self.varying(s)
        computed = found = 0
        for loop in ir.walk(s.body):
            if not isinstance(loop, ir.While):
                continue
            for block in ir.blocks(loop):
                for x in ir.walk(block):
                    if isinstance(x, ir.Compute):
                        if x.function in _DIVIDING and not _is_shift(x.operands[1]):
                            return False
                        computed += 1
                for access in accesses(block, self.facts):
                    if access.form is None or varying & (access.form.variables - {s.index}):
                        return False
                    step = access.form.of(s.index)
                    if access.writes and step != 1:
                        return False
                    found += step not in (0, 1)
        return found * _COMPUTED <= computed

    def as_lanes_if_long(self, s: ir.For) -> list[Statement]:
        """A loop as lanes. What is run again and again for nobody knows how many trips, as the
        stages of a Fourier transform are, runs in order where there are few: that begins sooner."""
        count = self.facts.form(s.count)
        assert count is not None
        if not self.depth or all(map(self.has_bound, count.variables)):
            return [self.as_lanes(s)]
        in_order = substituted(s, {v: Var(v.dtype, v.name) for v in defined_in([s])})
        is_long = Var(BOOL)
        asked = ir.Compute(is_long, ">=", (s.count, Number(_SHORT, LONG)))
        return [asked, ir.If(is_long, Block([self.as_lanes(s)]), Block([in_order]), (), (), ())]

    def has_bound(self, var: Var) -> bool:
        """Whether a scalar is a length, or less than one, or than a number. What loops carry is
        mostly far from its bounds."""
        if self.facts.is_length(var):
            return True
        highs, carried = self.facts.highs(var), self.facts.carried
        if var in carried or any(carried & high.variables for high in highs):
            return False
        return any(
            all(map(self.has_bound, high.variables)) if high.variables else high.constant < _FAR
            for high in highs
        )

    def varying(self, s: ir.For) -> set[Operand]:
        """The scalars that differ between the trips of a loop."""
        varying: set[Operand] = {s.index}
        size = 0
        while size != len(varying):
            size = len(varying)
            for x in ir.walk(s.body):
                given: Iterable[Operand] = uses.operands(x)
                if isinstance(x, ir.For | ir.Each):
                    given = [v for v in given if v is not x.count]
                if isinstance(x, ir.Compute | ir.Load | ir.For | ir.If | ir.Each):
                    if any(v in varying for v in given):
                        varying.update(uses.results(x))
                    if isinstance(x, ir.For) and any(v in varying for v in given):
                        varying.update(x.state)
                elif isinstance(x, ir.While) and any(v in varying for v in given):
                    varying.update((*x.state, *x.results))
        return varying

    def as_lanes(self, s: ir.For) -> Statement:
        body = self.one_by_one(s.body)
        return ir.Each(s.index, s.count, body, "vector", (), max(in_lanes(body), 0.2))

    def one_by_one(self, block: Block) -> Block:
        """A block whose loops of independent trips run in order."""
        made: list[Statement] = []
        for s in block:
            match s:
                case ir.Each():
                    made += self.in_order(dataclasses.replace(s, body=self.one_by_one(s.body)))
                case ir.For():
                    made.append(dataclasses.replace(s, body=self.one_by_one(s.body)))
                case ir.If():
                    then, orelse = self.one_by_one(s.then), self.one_by_one(s.orelse)
                    made.append(dataclasses.replace(s, then=then, orelse=orelse))
                case _:
                    made.append(s)
        return Block(made)

    def in_order(self, s: ir.Each) -> list[Statement]:
        """A loop of independent trips as one in order; sums of many floats in blocks, as exact as
        those of lanes are."""
        rounds = [r for r in s.reductions if r.out.dtype.kind == "f" and r.combine in "+*"]
        length = min((_SUMMED[r.out.dtype.itemsize] for r in rounds), default=0)
        count = self.facts.form(s.count)
        if not rounds or (count is not None and self.facts.greatest(count) <= length):
            return [_reducing(s.index, s.count, s.body, s.reductions)]
        made: list[Statement] = []

        def compute(function: str, *operands: Operand) -> Var:
            out = Var(LONG)
            into.append(ir.Compute(out, function, operands))
            return out

        into = made
        up = compute("+", s.count, Number(length - 1, LONG))
        blocks = compute("quotient", up, Number(length, LONG))
        number, into = Var(LONG, "block"), []
        first = compute("*", number, Number(length, LONG))
        rest = compute("-", s.count, first)
        here = compute("min", rest, Number(length, LONG))
        index = Var(LONG, s.index.name)
        body = Block([ir.Compute(s.index, "+", (first, index)), *s.body])
        parts = [dataclasses.replace(r, out=Var(r.out.dtype)) for r in s.reductions]
        into.append(_reducing(index, here, body, parts))
        wide = [r in rounds and r.combine == "+" and r.out.dtype == ir.SINGLE for r in s.reductions]
        dtypes = [DOUBLE if w else r.out.dtype for r, w in zip(s.reductions, wide)]
        totals = [Var(dtype) for dtype in dtypes]
        following: list[Var] = []
        for r, part, total in zip(s.reductions, parts, totals):
            value: Var = part.out
            if value.dtype != total.dtype:
                value = Var(total.dtype)
                into.append(ir.Compute(value, "cast", (part.out,)))
            following.append(Var(total.dtype))
            into.append(ir.Compute(following[-1], r.combine, (total, value)))
        results = [Var(dtype) if w else r.out for r, w, dtype in zip(s.reductions, wide, dtypes)]
        init = [Number(r.start.value, dtype) for r, dtype in zip(s.reductions, dtypes)]
        loop = ir.For(
            number,
            blocks,
            Block(into),
            tuple(totals),
            tuple(init),
            tuple(following),
            tuple(results),
        )
        made.append(loop)
        for r, result in zip(s.reductions, results):
            if result is not r.out:
                made.append(ir.Compute(r.out, "cast", (result,)))
        return made

    # -- a loop that goes into lanes ---------------------------------------------------------------

    @staticmethod
    def is_alone(block: Block, each: ir.Each) -> bool:
        """Whether what else is in a block may run once for each trip of a loop in it."""
        return (
            each.mode == "vector"
            and not each.reductions
            and all(s is each or isinstance(s, ir.Compute | ir.Load | ir.Check) for s in block)
        )

    @staticmethod
    def has_loops(block: Block) -> bool:
        return any(isinstance(s, ir.For) for s in ir.walk(block))

    def goes_in(self, s: ir.For, each: ir.Each) -> bool:
        """Whether lanes may run all trips of a loop around them, each its own."""
        inner = {s.index, *defined_in(s.body)}
        count = self.facts.form(each.count)
        if count is None or each.count in inner or inner.intersection(count.variables):
            return False
        if any(isinstance(x, ir.Check) for x in s.body) and self.facts.least(count) < 1:
            return False  # what is checked once for each trip would not be checked at all
        return self.dependences.independent(each.index, self.flat(s, each))

    @staticmethod
    def flat(s: ir.For, each: ir.Each) -> list[Statement]:
        """What one lane would do, for the analysis: a loop around the trip of another."""
        body = Block([x for y in s.body for x in (each.body if y is each else [y])])
        return [dataclasses.replace(s, body=body)]

    def keeps_elements(self, s: ir.For, each: ir.Each) -> bool:
        """Whether a loop that goes into another one writes the same element in each trip."""
        if self.has_loops(each.body):
            return False
        (loop,) = self.flat(s, each)
        assert isinstance(loop, ir.For)
        return bool(invariant_elements(loop, self.dependences))

    def into_lanes(self, s: ir.For, each: ir.Each) -> Statement:
        (loop,) = self.flat(s, each)
        assert isinstance(loop, ir.For)
        loop = keeping_elements(loop, self.dependences) or loop
        body = Block(promoted(loop, self.dependences))
        return dataclasses.replace(each, body=body, work=max(in_lanes(body), 0.2))

    # -- independent trips around vectors ----------------------------------------------------------

    def shared(self, s: ir.For, inside: str) -> list[Statement] | None:
        """A loop of independent trips, each of which is long, shared by threads."""
        if inside or not self.is_worth_threads(s):
            return None
        private = private_buffers(s, self.body, self.dependences)
        if not self.dependences.independent(s.index, s.body.statements, private):
            return None
        body = with_own(s.body, private)
        return [ir.Each(s.index, s.count, body, "parallel", (), in_lanes(s.body))]

    @staticmethod
    def is_worth_threads(s: ir.For) -> bool:
        """Whether threads may gain from a loop, and more than from the loops in it."""
        loops = [x for x in ir.walk(s.body) if isinstance(x, ir.For | ir.Each | ir.While)]
        if not loops or not isinstance(s.count, Number):
            return bool(loops)
        if s.count.value * in_lanes(s.body) < _WORTH_THREADS:
            return False
        inner = [(x.count, x.work) for x in loops if isinstance(x, ir.Each)]
        known = [float(n.value) * work for n, work in inner if isinstance(n, Number)]
        longest = max(known, default=0.0)
        return longest < _WORTH_THREADS or s.count.value >= _MANY

    def shares(self, s: ir.For, each: ir.Each) -> bool:
        """Whether trips of a loop read the same vectors, in loops of the same length."""
        if isinstance(s.count, Number):
            if s.count.value < 2 * _ROWS:
                return False
        elif not self.facts.is_of_lengths(s.count):
            return False
        varying = self.varying(s)
        inner = [x for x in ir.walk(each.body) if isinstance(x, ir.For | ir.Each)]
        slope = self.slope(s, each)
        if slope is None or not inner or any(x.count in varying for x in inner):
            return False
        deepest = [a.form for a in _deepest(list(accesses(each.body, self.facts))) if a.form]
        along = variable(each.index)
        if slope < 0:  # the last elements of the rows are those that they share
            along = along.plus(variable(s.index), -1)
        return any(
            form.of(each.index) == 1 and s.index not in form.replaced(each.index, along).variables
            for form in deepest
        )

    def slope(self, s: ir.For, each: ir.Each) -> int | None:
        """By how many trips a loop is longer in each trip of the loop around it than in the one
        before: 0, 1 or -1, or None if such trips are not to run together."""
        if each.count not in self.varying(s):
            return 0
        count = self.facts.form(each.count)
        if count is None or count.of(s.index) not in (1, -1):
            return None
        if any(v is not s.index and v in defined_in(s.body) for v in count.variables):
            return None
        if self.facts.least(count) < 0 or any(isinstance(x, ir.Check) for x in ir.walk([each])):
            return None
        return count.of(s.index)

    def jammed(self, s: ir.For, each: ir.Each, inside: str) -> list[Statement]:
        """A loop of which several trips run together."""
        slope, before = self.slope(s, each), list[Statement]()
        steep: Slope | None = None
        if slope:
            count = self.facts.form(each.count)
            assert count is not None
            before, first = materialised(count.replaced(s.index, number(0)), self.facts)
            steep = Slope(each, first, slope)
        work = in_lanes(s.body)
        return [*before, *jammed(s, _ROWS, "" if inside else "parallel", work, steep)]


def _reducing(
    index: Var,
    count: Operand,
    body: Block,
    reductions: Sequence[ir.Reduction],
) -> ir.For:
    """A loop in order that reduces the values of its trips."""
    state = [Var(r.out.dtype, r.out.name) for r in reductions]
    combined = [Var(r.out.dtype, r.out.name) for r in reductions]
    body = Block(
        [
            *body,
            *(
                ir.Compute(out, r.combine, (total, r.value))
                for out, r, total in zip(combined, reductions, state)
            ),
        ]
    )
    results = tuple(r.out for r in reductions)
    starts = tuple(r.start for r in reductions)
    return ir.For(index, count, body, tuple(state), starts, tuple(combined), results)


def _touched_twice(body: Block) -> tuple[Buffer, ...]:
    """The memory that more than one of a block's own statements touch."""
    first: dict[Buffer, Statement] = {}
    shared: dict[Buffer, None] = {}
    for own in body:
        for buffer in uses.touched([own]):
            if first.setdefault(buffer, own) is not own:
                shared[buffer] = None
    return tuple(shared)


def _is_shift(divisor: Operand) -> bool:
    """Whether a vector divides integers by a number quickly: by a power of two."""
    return isinstance(divisor, Number) and int(divisor.value).bit_count() == 1


def _deepest(found: Sequence[Access]) -> list[Access]:
    most = max((a.depth for a in found), default=0)
    return [a for a in found if a.depth == most]


def _in_steps_of_one(found: Sequence[Access], index: Var) -> bool:
    """Whether neighbouring trips of a loop touch the same or neighbouring elements, where the most
    loops are around."""
    steps = [None if a.form is None else a.form.of(index) for a in _deepest(found)]
    return 1 in steps and all(step in (0, 1) for step in steps)
