"""Arrays of the kernel's own that need not be there, since what is in them is known: the same
number everywhere, or what is in another one.

An element that is read was written before, or it might be anything. So an array to which nothing
but one number is written holds that number wherever it is read: a number known now, or one that a
few operations make of numbers that the kernel is given, which then are its first. And two arrays to
which one statement each writes, in the same place of the kernel, the same scalar at the same place,
hold the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.dead import drop_unused
from autograph.kernels.ir.ir import Block, Buffer, Number, Operand, Var
from autograph.kernels.ir.renaming import reading
from autograph.kernels.passes.copying import OWN, substituted
from ops.core.symbolic_lengths import is_length

_MOST_STEPS = 8  # from numbers that the kernel is given


def without_known_arrays(kernel: ir.Kernel) -> Block:
    """The body of a kernel without such arrays. The given one is left as it is."""
    body = kernel.body
    found = _Uses(kernel)
    numbers = {b: n for b, n in found.numbers.items() if b not in found.others}
    loads = [s for s in ir.walk(body) if type(s) is ir.Load and s.buffer in numbers]
    same = _twins(body, found)
    if not (loads or same):
        return body
    first, known = found.made({s.buffer for s in loads})
    replaced: dict[Operand, Operand] = {s.out: known[s.buffer] for s in loads}
    body = reading(body, {**same, **dict.fromkeys(numbers)})
    body = Block([*first, *(substituted(s, replaced) for s in body)])
    drop_unused(body, whole=True)
    return body


class _Uses:
    """What is done with the arrays of the kernel's own.

    Attributes:
        numbers: of those to which a number is written, which: one that is known, or one that is
            made of what the kernel is given.
        stores: the statements that write elements, by array.
        others: those that something else touches than loads and stores, or in which different
            numbers, or scalars, are written.
    """

    def __init__(self, kernel: ir.Kernel):
        body = kernel.body
        self.numbers: dict[Buffer, Operand] = {}
        self.stores: dict[Buffer, list[ir.Store]] = {}
        self.others: set[Buffer] = set()
        self.called: set[Buffer] = set()
        self.steps: dict[Operand, ir.Compute] = {}
        self.given = {v for v in kernel.inputs if isinstance(v, Var)}
        bases = {b.base for b in uses.touched(body) if b.base is not None}
        for s in ir.walk(body):
            if type(s) is ir.Store and s.buffer.kind in OWN:
                self.stores.setdefault(s.buffer, []).append(s)
                self._store(s)
            elif type(s) is ir.Load:
                if any(s.out is base for base in bases):
                    self.others.add(s.buffer)
            elif type(s) is ir.Compute:
                self.steps[s.out] = s
            elif type(s) is not ir.Store:
                self.called.update(uses.buffers(s))
        self.others |= self.called

    def _store(self, s: ir.Store) -> None:
        if not _is_same(self.numbers.setdefault(s.buffer, s.value), s.value) or not (
            isinstance(s.value, Number) or self._chain(s.value, {})
        ):
            self.others.add(s.buffer)

    def _chain(self, value: Operand, chain: dict[Operand, ir.Compute]) -> bool:
        """Whether a scalar is made of what the kernel is given by a few operations, which are added
        to a table."""
        if isinstance(value, Number) or value in self.given or value in chain:
            return True
        step = self.steps.get(value)
        if step is None or len(chain) == _MOST_STEPS or value.dtype.kind != "f":
            return False
        if not all(self._chain(x, chain) for x in step.operands):
            return False
        chain[value] = step
        return True

    def made(self, buffers: Iterable[Buffer]) -> tuple[list[ir.Compute], dict[Buffer, Operand]]:
        """The numbers in some arrays, and the statements that make them, anew."""
        steps, chain = list[ir.Compute](), dict[Operand, ir.Compute]()
        for buffer in buffers:
            own = dict[Operand, ir.Compute]()
            self._chain(self.numbers[buffer], own)
            chain.update(own)
        fresh: dict[Operand, Operand] = {}
        for out, step in chain.items():
            operands = tuple(fresh.get(x, x) for x in step.operands)
            fresh[out] = made = Var(step.out.dtype, step.out.name)
            steps.append(ir.Compute(made, step.function, operands))
        return steps, {b: fresh.get(self.numbers[b], self.numbers[b]) for b in buffers}


def _is_same(x: Operand, y: Operand) -> bool:
    """Whether two operands are one scalar, or the same number to the bit."""
    if isinstance(x, Number) and isinstance(y, Number):
        return x.dtype == y.dtype and x.value.tobytes() == y.value.tobytes()
    return x is y


def _is_like(x: Buffer, y: Buffer) -> bool:
    """Whether one array may be read in the place of another."""
    sizes = x.size is y.size or (not is_length(x.size) and x.size == y.size)
    return x.dtype == y.dtype and x.kind == y.kind == "temporary" and sizes


def _twins(body: Block, found: _Uses) -> dict[Buffer, Buffer]:
    """Arrays that hold what others do, which are read in their place."""
    once = {b for b, stores in found.stores.items() if len(stores) == 1 and b not in found.called}
    same: dict[Buffer, Buffer] = {}
    for block in _blocks(body):
        before: list[ir.Store] = []
        for s in block:
            if type(s) is ir.Compute:
                continue
            if type(s) is not ir.Store:
                if before and not once.isdisjoint(_read(s)):
                    before = []
                continue
            if s.buffer not in once:
                continue
            for other in before:
                if (
                    _is_same(s.index, other.index)
                    and _is_same(s.value, other.value)
                    and _is_like(s.buffer, other.buffer)
                ):
                    same[s.buffer] = other.buffer
                    break
            else:
                before.append(s)
    return same


def _blocks(body: Block) -> Iterator[Block]:
    yield body
    for s in ir.walk(body):
        if not isinstance(s, ir.Compute | ir.Load | ir.Store):  # nearly all
            yield from ir.blocks(s)


def _read(s: ir.Statement) -> Iterable[Buffer]:
    return (b for x in ir.walk([s]) for b in uses.buffers(x))
