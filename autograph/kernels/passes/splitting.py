"""Index set splitting: a loop in which comparisons of its index decide which elements are read
becomes several loops, in each of which these comparisons are known.

What ``np.roll``, ``np.concatenate``, ``np.pad`` or ``x[1:-1] = y`` read depends on where the index
is: ``x[j - 1]``, but ``x[j - 1 + n]`` for the first ``j``. Lanes of a vector would have to gather
their elements, or compute both sides of a conditional. Between two places where a comparison
changes, all elements come from one place, and neighbours are neighbours (Griebl, Feautrier &
Lengauer, "Index set splitting", 2000). A loop whose length only the run knows has three parts: what
is near its begin, what is near its end, where nothing is known, and what is between them. So has
one that clamps places by what only the run knows, see `clamps`. Loops in which something decides
that no trip changes become two first, see `unswitching`.

It is done to what is printed as LLVM IR: threads of a GPU read single elements anyway.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from autograph.closure import closure
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.dead import drop_unused
from autograph.kernels.ir.ir import LONG, Block, Number, Operand, Var
from autograph.kernels.ir.uses import operands
from autograph.kernels.passes.affine import Facts
from autograph.kernels.passes.clamps import Scope, between
from autograph.kernels.passes.forms import variable
from autograph.kernels.passes.peeling import unless_negative
from autograph.kernels.passes.unswitching import unswitched
from ops.core.records import NamedTuple

_LEAST = 32  # trips of a loop that is worth it
_MOST_PARTS = 8
_MOST_STATEMENTS = 600  # of all parts together
_FAR = 2**40
_NEAR = 64  # trips from the begin, or from the end, of a loop of unknown length

_COMPARED: dict[str, Callable[[int], bool]] = {
    "<": lambda difference: difference < 0,
    "<=": lambda difference: difference <= 0,
    ">": lambda difference: difference > 0,
    ">=": lambda difference: difference >= 0,
    "==": lambda difference: difference == 0,
    "!=": lambda difference: difference != 0,
}

# A number that depends on the index of a loop: ``slope * index + ends * length + offset``, where
# the length is that of the loop if known only at run time.
_Line = tuple[int, int, int]
_Known = Callable[[Var], "bool | None"]
_Least = Mapping[Var, int]  # what lengths are at least


def split(kernel: ir.Kernel) -> ir.Kernel:
    """A kernel whose vector loops are split where that helps; itself if there is none. The given
    kernel's blocks are left as they are; other blocks, `Var` and `Buffer` objects are shared."""
    kernel = kernel.with_routines(split)
    body = _split_block(kernel.body, {}, _least(kernel))
    return kernel if body is kernel.body else dataclasses.replace(kernel, body=body)


def _least(kernel: ir.Kernel) -> _Least:
    """What the symbols of a kernel's lengths are at least."""
    if not kernel.symbols:
        return {}
    arrays = [x for x in (*kernel.inputs, *kernel.outputs) if isinstance(x, ir.Buffer)]
    facts = Facts(kernel.symbols, arrays)
    return {symbol: facts.least(variable(symbol)) for symbol in kernel.symbols.values()}


def _split_block(block: Block, around: Scope, least: _Least) -> Block:
    if ir.is_straight(block):
        return block
    made: list[ir.Statement] = []
    scope = dict(around)
    scope.update((s.out, s) for s in block if isinstance(s, ir.Compute))
    for statement in block:
        if isinstance(statement, ir.Each) and statement.mode == "vector":
            made += _parts(statement, scope, least)
            continue
        inner: dict[str, Any] = {}
        if ir.blocks(statement):
            inner = {
                field.name: found
                for field in dataclasses.fields(statement)
                if isinstance(value := getattr(statement, field.name), Block)
                and (found := _split_block(value, scope, least)) is not value
            }
        made.append(dataclasses.replace(statement, **inner) if inner else statement)
    same = len(made) == len(block.statements) and all(map(_is, made, block.statements))
    return block if same else Block(made)


def _is(a: object, b: object) -> bool:
    return a is b


def _parts(each: ir.Each, scope: Scope, least: _Least) -> Sequence[ir.Statement]:
    """The loops that a vector loop becomes: itself if it should not be split."""
    copied = (ir.Compute, ir.Load, ir.Store, ir.If, ir.Check)
    count = int(each.count.value) if isinstance(each.count, Number) else None
    if count is not None and count < _LEAST:
        return [each]
    statements = list(ir.walk(each.body))
    if not all(isinstance(s, copied) for s in statements):
        return [each]
    sides = unswitched(each)
    if sides is not None or each.reductions:
        return sides or [each]
    lines = _Lines(each, scope, least)
    builder = KernelBuilder("parts")
    try:
        with builder.block() as made:
            if count is None:
                parts = _of_unknown(builder, lines, each)
            else:
                parts = _of_known(builder, lines, count)
            if len(parts) < 2:
                parts = _of_clamped(builder, each, scope)
            many = len(parts) > _MOST_PARTS or len(parts) * len(statements) > _MOST_STATEMENTS
            if len(parts) < 2 or many:
                return [each]
            for part in parts:
                _add(builder, part, each)
    finally:
        builder.close()
    drop_unused(made)
    return made.statements


class _Part(NamedTuple):
    """A part of a loop's trips: where it begins, how many it has, and what comparisons give.

    Attributes:
        few: whether they are so few that they run one after the other.
    """

    begin: int | Operand
    trips: int | Operand
    known: _Known | None
    few: bool = False


def _add(builder: KernelBuilder, part: _Part, each: ir.Each) -> None:
    """Add the loop of a part."""
    known = part.known or (lambda out: None)
    if not part.few:
        with builder.each(part.trips, "vector", work=each.work) as i:
            _Copy(builder, known, each.index, part.begin, i).statements(each.body)
        return

    def trip(i: Var) -> tuple[Operand, ...]:
        _Copy(builder, known, each.index, part.begin, i).statements(each.body)
        return ()

    builder.for_(part.trips, (), trip)


def _of_known(builder: KernelBuilder, lines: _Lines, count: int) -> list[_Part]:
    """The parts of a loop of so many trips."""
    ends = [0, *sorted(lines.changes(count)), count]
    return [
        _Part(begin, end - begin, functools.partial(lines.known, trip=begin))
        for begin, end in zip(ends, ends[1:])
    ]


def _of_unknown(builder: KernelBuilder, lines: _Lines, each: ir.Each) -> list[_Part]:
    """The parts of a loop of which only the run knows how many trips it has; none if nothing is
    known between its begin and its end."""
    first, last = lines.near_ends()
    if not first and not last:
        return []
    b, count = builder, each.count
    apart = lines.least >= first + last  # what is near the begin is not near the end
    begin = b.long(first) if apart else b.compute("min", count, first)
    end = b.compute("-", count, last)
    end = end if apart else b.compute("max", begin, end)

    def between(out: Var) -> bool | None:
        return lines.known_between(out, first, last)

    def near_begin(out: Var) -> bool | None:
        return lines.known_at(out, 0) if first == 1 and not lines.ends(out) else between_ends(out)

    def between_ends(out: Var) -> bool | None:
        return lines.known_between(out, first, last) if lines.ends(out) else None

    def near_end(out: Var) -> bool | None:
        if lines.ends(out):
            return lines.known_at(out, -1) if last == 1 else None
        return lines.known_between(out, first, last)

    parts = [_Part(begin, b.compute("-", end, begin), between)]
    if first:
        parts.insert(0, _Part(0, begin, near_begin if apart else None, few=True))
    if last:
        trips = b.long(last) if apart else b.compute("-", count, end)
        parts.append(_Part(end, trips, near_end if apart else None, few=True))
    return parts


def _of_clamped(builder: KernelBuilder, each: ir.Each, scope: Scope) -> list[_Part]:
    """The parts of a loop that clamps places near its begin, or its end; none of others."""
    found = between(builder, each, scope)
    if found is None:
        return []
    begin, end, outcomes = found
    b = builder
    return [
        _Part(0, begin, None, few=True),
        _Part(begin, b.compute("-", end, begin), outcomes.get),
        _Part(end, b.compute("-", each.count, end), None, few=True),
    ]


class _Lines:
    """What depends on the index of a loop linearly, and the comparisons of that.

    Args:
        scope: what is computed around the loop.

    Attributes:
        least: trips that a loop has at least of which only the run knows how many it has.
    """

    def __init__(self, each: ir.Each, scope: Scope, least: _Least):
        self._of: dict[Operand, _Line] = {each.index: (1, 0, 0)}
        self._scope = scope
        self.least = 0
        if not isinstance(each.count, Number):
            # The length of which the number of trips is so many more.
            root, more = _root(unless_negative(each.count, scope), scope)
            self._of[each.count] = (0, 1, 0)
            self._of[root] = (0, 1, -more)
            if isinstance(root, Var) and root in least:
                self.least = least[root] + more
        self._compared: dict[Operand, tuple[str, _Line]] = {}
        made: dict[Operand, tuple[Operand, ...]] = {}
        wanted: list[Operand] = []
        for s in ir.walk(each.body):
            match s:
                case ir.Compute():
                    made[s.out] = s.operands
                    self._computed(s)
                case ir.Load() | ir.Store():
                    wanted.append(s.index)
                case ir.If():
                    wanted.append(s.condition)
                    made |= {
                        result: (s.condition, *sides)
                        for result, *sides in zip(s.results, s.then_results, s.else_results)
                    }
                case ir.Check():
                    wanted += operands(s)
        self._deciding = closure(wanted, lambda operand: made.get(operand, ()))

    def _line(self, operand: Operand) -> _Line | None:
        if isinstance(operand, Number):
            return (0, 0, int(operand.value)) if operand.dtype == LONG else None
        if operand not in self._of and operand in self._scope:
            root, more = _root(operand, self._scope)
            if root in self._of:
                slope, ends, offset = self._of[root]
                return slope, ends, offset + more
        return self._of.get(operand)

    def _computed(self, s: ir.Compute) -> None:
        lines = [line for x in s.operands if (line := self._line(x)) is not None]
        if len(lines) != 2 or len(s.operands) != 2:
            return
        (a, m, b), (c, n, d) = lines
        match s.function:
            case "+":
                line = (a + c, m + n, b + d)
            case "-":
                line = (a - c, m - n, b - d)
            case "*" if not a and not m:
                line = (b * c, b * n, b * d)
            case "*" if not c and not n:
                line = (a * d, m * d, b * d)
            case function if function in _COMPARED:
                self._compared[s.out] = (function, (a - c, m - n, b - d))
                return
            case _:
                return
        if max(map(abs, line)) < _FAR and s.out.dtype == LONG:
            self._of[s.out] = line

    def changes(self, count: int) -> set[int]:
        """The trips at which comparisons that decide about elements have changed."""
        found = {
            place
            for out, (function, (slope, _, offset)) in self._compared.items()
            if out in self._deciding
            for place in _changes(function, slope, offset)
        }
        return {place for place in found if 0 < place < count}

    def near_ends(self) -> tuple[int, int]:
        """After how many trips comparisons with numbers have changed for the last time, and before
        how many last trips those with the loop's length have not; of the near ones."""
        first = last = 0
        for out, (function, (slope, ends, offset)) in self._compared.items():
            if out not in self._deciding:
                continue
            for place in _changes(function, slope, offset):
                if not ends and place <= _NEAR:
                    first = max(first, place)
                elif ends == -slope and -place <= _NEAR:
                    last = max(last, -place)
        return first, last

    def known_between(self, out: Var, first: int, last: int) -> bool | None:
        """The outcome of a comparison in all trips but so many first and last ones; None if that is
        not known."""
        if out not in self._compared or out not in self._deciding:
            return None
        function, (slope, ends, offset) = self._compared[out]
        if not slope or (ends and ends != -slope):
            return None
        places = list(_changes(function, slope, offset))
        if not ends and all(place <= first for place in places):
            return _COMPARED[function](slope * first + offset)
        if ends and all(place >= -last for place in places):  # the index counts from the end
            return _COMPARED[function](slope * (-last - 1) + offset)
        return None

    def ends(self, out: Var) -> bool:
        """Whether a comparison is with the loop's length."""
        return out in self._compared and self._compared[out][1][1] != 0

    def known_at(self, out: Var, trip: int) -> bool | None:
        """The outcome of a comparison in one trip, of those with the loop's length in one that is
        counted from the end."""
        if out not in self._compared or out not in self._deciding:
            return None
        function, (slope, ends, offset) = self._compared[out]
        if ends and ends != -slope:
            return None
        return _COMPARED[function](slope * trip + offset)

    def known(self, out: Var, trip: int) -> bool | None:
        """The outcome of a comparison in the part that a trip is in; None of other values."""
        if out not in self._compared or out not in self._deciding:
            return None
        function, (slope, _, offset) = self._compared[out]
        return _COMPARED[function](slope * trip + offset)


def _root(operand: Operand, scope: Scope) -> tuple[Operand, int]:
    """The number that one is computed from by adding constants, and their sum."""
    more = 0
    while (made := scope.get(operand)) is not None and made.function in ("+", "-"):
        if len(made.operands) == 1:  # a sign
            break
        x, y = made.operands
        if made.function == "+" and isinstance(x, Number):
            x, y = y, x
        if not isinstance(y, Number) or isinstance(x, Number) or y.dtype != LONG:
            break
        more += int(y.value) if made.function == "+" else -int(y.value)
        operand = x
    return operand, more


def _changes(function: str, slope: int, offset: int) -> Iterator[int]:
    """The trips at which a comparison of ``slope * trip + offset`` with 0 has changed."""
    if slope == 0:
        return
    if function != "<=" and function != ">":  # the first trip on the other side of "< 0"
        yield -(offset // slope) if slope > 0 else offset // -slope + 1
    if function != "<" and function != ">=":
        offset -= 1
        yield -(offset // slope) if slope > 0 else offset // -slope + 1


class _Copy:
    """The body of a loop for one part of its trips."""

    def __init__(
        self, builder: KernelBuilder, known: _Known, index: Var, begin: int | Operand, trip: Var
    ):
        self.builder = builder
        self.known = known
        self.copies: dict[Operand, Operand] = {index: builder.compute("+", trip, begin)}

    def of(self, operand: Operand) -> Operand:
        return self.copies.get(operand, operand)

    def statements(self, block: Block) -> None:
        """Add the statements of a block."""
        b = self.builder
        for s in block:
            match s:
                case ir.Compute():
                    b.place = s.location
                    self.copies[s.out] = self.computed(s)
                case ir.Load():
                    self.copies[s.out] = b.load(s.buffer, self.of(s.index), s.out.name)
                case ir.Store():
                    b.store(s.buffer, self.of(s.index), self.of(s.value))
                case ir.Check():
                    b.place = s.location
                    b.check(self.of(s.condition))
                case ir.If():
                    self.conditional(s)

    def computed(self, s: ir.Compute) -> Operand:
        """The result of a computation."""
        known = self.known(s.out)
        if known is not None:
            return Number(known, s.out.dtype)
        given = tuple(map(self.of, s.operands))
        if s.function == "cast":
            return self.builder.cast(given[0], s.out.dtype)
        found = self.builder.compute(s.function, *given)
        if isinstance(found, Var) and found.name is None:
            found.name = s.out.name
        return found

    def conditional(self, s: ir.If) -> None:
        """Add a conditional, or the side of it that runs."""

        def side(block: Block, results: Sequence[Operand]) -> Sequence[Operand]:
            self.statements(block)
            return tuple(map(self.of, results))

        found = self.builder.if_(
            self.of(s.condition),
            lambda: side(s.then, s.then_results),
            lambda: side(s.orelse, s.else_results),
            [v.name for v in s.results],
        )
        self.copies.update(zip(s.results, found))
