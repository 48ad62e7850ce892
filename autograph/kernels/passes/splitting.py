"""Index set splitting: a loop in which comparisons of its index decide which elements are read
becomes several loops, in each of which these comparisons are known.

What ``np.roll``, ``np.concatenate``, ``np.pad`` or ``x[1:-1] = y`` read depends on where the index
is: ``x[j - 1]``, but ``x[j - 1 + n]`` for the first ``j``. Lanes of a vector would have to gather
their elements, or compute both sides of a conditional. Between two places where a comparison
changes, all elements come from one place, and neighbours are neighbours (Griebl, Feautrier &
Lengauer, "Index set splitting", 2000).

It is done to what is printed as LLVM IR: threads of a GPU read single elements anyway.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph.closure import closure
from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder
from autograph.kernels.ir.dead import drop_unused
from autograph.kernels.ir.ir import LONG, Block, Number, Operand, Var
from autograph.kernels.ir.uses import operands

_LEAST = 32  # trips of a loop that is worth it
_MOST_PARTS = 8
_MOST_STATEMENTS = 600  # of all parts together
_FAR = 2**40

_COMPARED: dict[str, Callable[[int], bool]] = {
    "<": lambda difference: difference < 0,
    "<=": lambda difference: difference <= 0,
    ">": lambda difference: difference > 0,
    ">=": lambda difference: difference >= 0,
    "==": lambda difference: difference == 0,
    "!=": lambda difference: difference != 0,
}

# A number that depends on the index of a loop: ``slope * index + offset``.
_Line = tuple[int, int]


def split(kernel: ir.Kernel) -> ir.Kernel:
    """A kernel whose vector loops are split where that helps; itself if there is none. The given
    kernel's blocks are left as they are; other blocks, `Var` and `Buffer` objects are shared."""
    kernel, body = kernel.with_routines(split), _split_block(kernel.body)
    return kernel if body is kernel.body else dataclasses.replace(kernel, body=body)


def _split_block(block: Block) -> Block:
    if ir.is_straight(block):
        return block
    made: list[ir.Statement] = []
    for statement in block:
        if isinstance(statement, ir.Each) and statement.mode == "vector":
            made += _parts(statement)
            continue
        inner: dict[str, Any] = {}
        if ir.blocks(statement):
            inner = {
                field.name: found
                for field in dataclasses.fields(statement)
                if isinstance(value := getattr(statement, field.name), Block)
                and (found := _split_block(value)) is not value
            }
        made.append(dataclasses.replace(statement, **inner) if inner else statement)
    same = len(made) == len(block.statements) and all(map(_is, made, block.statements))
    return block if same else Block(made)


def _is(a: object, b: object) -> bool:
    return a is b


def _parts(each: ir.Each) -> Sequence[ir.Statement]:
    """The loops that a vector loop becomes: itself if it should not be split."""
    copied = (ir.Compute, ir.Load, ir.Store, ir.If, ir.Check)
    if not isinstance(each.count, Number) or each.count.value < _LEAST or each.reductions:
        return [each]
    statements = list(ir.walk(each.body))
    if not all(isinstance(s, copied) for s in statements):
        return [each]
    count, lines = int(each.count.value), _Lines(each)
    ends = [0, *sorted(lines.changes(count)), count]
    parts = len(ends) - 1
    if parts == 1 or parts > _MOST_PARTS or parts * len(statements) > _MOST_STATEMENTS:
        return [each]
    builder = KernelBuilder("parts")
    try:
        with builder.block() as made:
            for begin, end in zip(ends, ends[1:]):
                with builder.each(end - begin, "vector", work=each.work) as i:
                    _Copy(builder, lines, each.index, begin, i).statements(each.body)
    finally:
        builder.close()
    drop_unused(made)
    return made.statements


class _Lines:
    """What depends on the index of a loop linearly, and the comparisons of that."""

    def __init__(self, each: ir.Each):
        self._of: dict[Operand, _Line] = {each.index: (1, 0)}
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
            return (0, int(operand.value)) if operand.dtype == LONG else None
        return self._of.get(operand)

    def _computed(self, s: ir.Compute) -> None:
        lines = [line for x in s.operands if (line := self._line(x)) is not None]
        if len(lines) != 2 or len(s.operands) != 2:
            return
        (a, b), (c, d) = lines
        match s.function:
            case "+":
                line = (a + c, b + d)
            case "-":
                line = (a - c, b - d)
            case "*" if a == 0 or c == 0:
                line = (a * d + c * b, b * d)
            case function if function in _COMPARED:
                self._compared[s.out] = (function, (a - c, b - d))
                return
            case _:
                return
        if max(map(abs, line)) < _FAR and s.out.dtype == LONG:
            self._of[s.out] = line

    def changes(self, count: int) -> set[int]:
        """The trips at which comparisons that decide about elements have changed."""
        found = {
            place
            for out, (function, line) in self._compared.items()
            if out in self._deciding
            for place in _changes(function, *line)
        }
        return {place for place in found if 0 < place < count}

    def known(self, out: Var, trip: int) -> bool | None:
        """The outcome of a comparison in the part that a trip is in; None of other values."""
        if out not in self._compared or out not in self._deciding:
            return None
        function, (slope, offset) = self._compared[out]
        return _COMPARED[function](slope * trip + offset)


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

    def __init__(self, builder: KernelBuilder, lines: _Lines, index: Var, begin: int, trip: Var):
        self.builder = builder
        self.lines = lines
        self.begin = begin
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
        known = self.lines.known(s.out, self.begin)
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
