"""Sums and products of which only the lowest bits are read need not be looked at whether they leave
64 bits.

``(x * 31 + c) & 1023`` is the same of the integers without end and of those that wrap, and so is
what is added, multiplied and moved up before a mask that is not negative. That which bits are read
is found from the masks backwards is well known: "demanded bits" (Budiu, Sakr, Walker & Goldstein,
"BitValue inference: detecting and exploiting narrow bitwidth computations", 2000). Ints without a
sign, see `autograph.graph.unsigned`, are found so before; here are those that are int64.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import LONG, Block, Number, Operand, Var

_WRAPPING = {"add_checked": "+", "subtract_checked": "-", "multiply_checked": "*"}
_OF_LOW_BITS = {*_WRAPPING, "+", "-", "*", "^", "|", "&", "~"}  # as many bits as of the operands


def unchecked(block: Block) -> Block:
    """A block in which such sums wrap; itself if there are none. It is left as it is."""
    computed = [s for s in ir.walk(block) if type(s) is ir.Compute]
    sums = [s for s in computed if s.function in _WRAPPING]
    if not sums or not any(s.function == "&" and s.out.dtype == LONG for s in computed):
        return block
    users = _Users(block)
    wrapping = {s for s in sums if users.read_low_bits(s.out)}
    return _with(block, wrapping) if wrapping else block


class _Users:
    """What computes with the integers of a block."""

    def __init__(self, block: Block):
        self._computed: dict[Operand, list[ir.Compute]] = {}
        self._exact: set[Operand] = set()  # of which something else reads all
        self._found: dict[Var, bool] = {}
        for s in ir.walk(block):
            for x in uses.operands(s):
                if isinstance(s, ir.Compute) and s.out.dtype == LONG:
                    self._computed.setdefault(x, []).append(s)
                elif isinstance(x, Var):
                    self._exact.add(x)

    def read_low_bits(self, var: Var) -> bool:
        """Whether only the lowest 63 bits of an integer matter, or fewer."""
        found = self._found.get(var)
        if found is None:
            computed = self._computed.get(var, [])
            found = var not in self._exact and all(self._reads_low_bits(s, var) for s in computed)
            self._found[var] = found
        return found

    def _reads_low_bits(self, s: ir.Compute, var: Var) -> bool:
        if s.function == "&" and any(
            isinstance(x, Number) and x.value >= 0 for x in s.operands if x is not var
        ):
            return True
        return s.function in _OF_LOW_BITS and self.read_low_bits(s.out)


def _with(block: Block, wrapping: set[ir.Compute]) -> Block:
    """A block in which some statements wrap."""
    made: list[ir.Statement] = []
    for s in block:
        if isinstance(s, ir.Compute) and s in wrapping:
            s = dataclasses.replace(s, function=_WRAPPING[s.function])
        elif ir.blocks(s):
            inner: dict[str, Any] = {
                f.name: found
                for f in dataclasses.fields(s)
                if isinstance(value := getattr(s, f.name), Block)
                and (found := _with(value, wrapping)) is not value
            }
            s = dataclasses.replace(s, **inner) if inner else s
        made.append(s)
    same = all(a is b for a, b in zip(made, block.statements))
    return block if same else Block(made)
