"""Independent loops brought outside of loops in order, and joined, for a thread to do more at once.

    for row in range(n):                 each column:
        each column:             ->          total[column] = 0
            total[column] += x[row, column]  for row in range(n):
                                                 total[column] += x[row, column]

The left side suits a CPU, which reads along rows; on a GPU it would have all threads wait for each
other after each row. Both are the same if each trip of the independent loops has elements of its
own: of each buffer that is written, one, at a place that depends on the trip alone (Allen &
Kennedy, Optimizing Compilers for Modern Architectures, 2001, section 5.2).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from autograph.kernels.cuda.indices import Made, Place, place_of
from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Block, Buffer, Kernel, Number, Operand, Statement, Var


def interchanged(kernel: Kernel) -> Kernel:
    """The kernel with its independent loops outside and joined, where that is the same. The given
    kernel's blocks are left as they are."""
    same = dict(kernel.shared)
    return dataclasses.replace(kernel, body=_Interchange(same).block(kernel.body))


class _Interchange:
    def __init__(self, same: dict[Buffer, Buffer]):
        self.same = same
        self.made: Made = {}

    def block(self, block: Block) -> Block:
        """A block with its loops exchanged and joined."""
        done: list[Statement] = []
        for s in block:
            if isinstance(s, ir.Compute):
                self.made[s.out] = s
            s = self.inside(s)
            if isinstance(s, ir.For):
                s = self.exchanged(s)
            if done and (joined := self.joined(done[-1], s)):
                done[-1] = joined
            else:
                done.append(s)
        return Block(done)

    def inside(self, s: Statement) -> Statement:
        """A statement with what is in its blocks exchanged."""
        match s:
            case ir.Each() if not uses.has_each(s.body):
                for x in ir.walk(s.body):
                    if isinstance(x, ir.Compute):
                        self.made[x.out] = x
                return s
            case ir.For() | ir.Each():
                return dataclasses.replace(s, body=self.block(s.body))
            case ir.While():
                return dataclasses.replace(s, test=self.block(s.test), body=self.block(s.body))
            case ir.If():
                return dataclasses.replace(s, then=self.block(s.then), orelse=self.block(s.orelse))
        return s

    def exchanged(self, s: ir.For) -> Statement:
        """A loop in order inside of those that it held."""
        loops = [x for x in s.body if isinstance(x, ir.Each)]
        simple = all(self._is_simple(x) for x in loops) and not s.state and bool(loops)
        if not (simple and all(_same_number(x.count, loops[0].count) for x in loops)):
            return s
        written = uses.writes(loops)
        for x in s.body:
            pure = isinstance(x, ir.Compute) and not x.function.endswith("_checked")
            read = isinstance(x, ir.Load) and x.buffer not in written
            if not (pure or read or isinstance(x, ir.Each)):
                return s
        defined = {var for x in ir.walk([s]) for var in uses.results(x)} | {s.index}
        if loops[0].count in defined or not self._has_own_elements(loops, defined):
            return s
        index = loops[0].index
        statements: list[Statement] = []
        for x in s.body:
            statements += self._inlined(x, index) if isinstance(x, ir.Each) else [x]
        trips = int(s.count.value) if isinstance(s.count, Number) else 100
        inner = dataclasses.replace(s, body=Block(statements))
        work = sum(x.work for x in loops) * max(trips, 1)
        return dataclasses.replace(loops[0], body=Block([inner]), work=work)

    def joined(self, first: Statement, second: Statement) -> ir.Each | None:
        """Two independent loops as one."""
        if not (isinstance(first, ir.Each) and isinstance(second, ir.Each)):
            return None
        if not (self._is_simple(first) and self._is_simple(second, sums=True)):
            return None
        if not _same_number(first.count, second.count):
            return None
        if not self._has_own_elements([first, second], set()):
            return None
        body = Block([*first.body, *self._inlined(second, first.index)])
        work = first.work + second.work
        return dataclasses.replace(first, body=body, reductions=second.reductions, work=work)

    @staticmethod
    def _is_simple(s: ir.Each, sums: bool = False) -> bool:
        """Whether a loop is one of lanes, and reserves nothing."""
        plain = s.mode == "vector" and not uses.has_each(s.body) and (sums or not s.reductions)
        return plain and not any(
            isinstance(x, ir.Reserve)
            or (isinstance(x, ir.Load | ir.Store) and x.buffer.kind == "record")
            for x in ir.walk(s.body)
        )

    def _inlined(self, s: ir.Each, index: Var) -> list[Statement]:
        """The statements of a trip of a loop whose index is another's."""
        if s.index is index:
            return list(s.body)
        alias = self.made[s.index] = ir.Compute(s.index, "cast", (index,))
        return [alias, *s.body]

    # -- places ------------------------------------------------------------------------------------

    def _has_own_elements(self, loops: Sequence[ir.Each], changing: set[Var]) -> bool:
        """Whether each trip has its own element of each buffer that is written: the same one in
        all loops, whatever the scalars in ``changing`` are."""
        own = {x.buffer for x in ir.walk(loops) if isinstance(x, ir.Local)}
        written = {self._memory(b) for b in uses.writes(loops) - own}
        places: dict[Buffer, Place] = {}
        for loop in loops:
            inner = {var for x in ir.walk(loop.body) for var in uses.results(x)}
            for x in ir.walk(loop.body):
                if not isinstance(x, ir.Load | ir.Store) or x.buffer in own:
                    continue
                memory = self._memory(x.buffer)
                if memory not in written:
                    continue
                place = place_of(x.index, loop.index, self.made)
                if place is None or not place.get(None):
                    return False
                if any(var in changing or var in inner for var in place if isinstance(var, Var)):
                    return False
                if places.setdefault(memory, place) != place:
                    return False
        return True

    def _memory(self, buffer: Buffer) -> Buffer:
        return self.same.get(buffer, buffer)


def _same_number(x: Operand, y: Operand) -> bool:
    if isinstance(x, Number) and isinstance(y, Number):
        return int(x.value) == int(y.value)
    return x is y
