"""Arrays of lengths known only at run time that passes add to a kernel: their memory is reserved
when it begins."""

from __future__ import annotations

from typing import Any

from autograph.kernels.ir import uses
from autograph.kernels.ir.builder import block_apart
from autograph.kernels.ir.ir import Block, Buffer, Operand, Statement, Var
from autograph.kernels.passes.affine import Facts, materialised

_ALIGNMENT = 64  # bytes


class OpenArrays:
    """Such arrays of a kernel, as large as others that it has already: so their bytes are no more
    than 64 bits count."""

    def __init__(self, body: Block, facts: Facts):
        self._body = body
        self._facts = facts
        self._sizes: dict[Any, Operand] = {}  # in elements
        self._made: list[Statement] = []
        self._needed: set[Var] = set()

    def size(self, length: Any) -> Operand:
        """How many elements an array has; `Facts` knows the form of its length."""
        if length not in self._sizes:
            form = self._facts.length(length)
            assert form is not None
            made, self._sizes[length] = materialised(form, self._facts)
            self._made += made
            self._needed |= form.variables
        return self._sizes[length]

    def array(self, like: Buffer) -> Buffer:
        """An array as large as another one."""
        elements = self.size(like.size)
        with block_apart("memory") as (b, made):
            nbytes = b.compute("*", elements, like.dtype.itemsize)
            parts = b.compute("quotient", b.compute("+", nbytes, _ALIGNMENT - 1), _ALIGNMENT)
            base = b.reserve(b.compute("*", parts, _ALIGNMENT))
        self._made += made
        return Buffer(like.dtype, like.size, "reserved", like.name, base)

    def add(self) -> None:
        """Have the kernel reserve their memory, where it knows their lengths."""
        place = 0
        for k, s in enumerate(self._body):
            if not self._needed.isdisjoint(uses.results(s)):
                place = k + 1
        self._body.statements[place:place] = self._made
