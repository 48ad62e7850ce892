"""What the entries of a kernel share: names, tables, and what they call."""

from __future__ import annotations

from autograph.kernels.cuda import reserved
from autograph.kernels.cuda.expressions import CALLED, ExpressionPrinter, in_table
from autograph.kernels.cuda.helpers import ctype
from autograph.kernels.cuda.names import ScopedNames
from autograph.kernels.cuda.plan import Count, Scratch
from autograph.kernels.cuda.split import Split
from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import Buffer


class CudaModule:
    """What the entries of a kernel have in common.

    Attributes:
        expressions: prints computations, and keeps the helpers that they call.
        tables: the text of constant buffers.
        entries: the text of entries.
        levels: at which the kernel reserves memory, see `autograph.kernels.cuda.reserved`.
        stopping: which loops look whether the user wants the kernel to end.
    """

    def __init__(self, kernel: ir.Kernel, split: Split):
        self.kernel = kernel
        self.split = split
        self.stopping = split.stopping
        self.expressions = ExpressionPrinter()
        self.tables: list[str] = []
        self.entries: list[str] = []
        self.names = ScopedNames(CALLED)
        self.levels = reserved.levels(kernel.body)
        self._counts: dict[Scratch, Count] = {}
        self._constants: dict[Buffer, str] = {}
        self._same = dict(kernel.shared)
        for s in ir.walk(kernel.body):
            if isinstance(s, ir.Load) and s.buffer.kind == "constant":
                self.constant(s.buffer)  # now, so that no variable has its name

    def constant(self, buffer: Buffer) -> str:
        """The name of a table."""
        if buffer not in self._constants:
            name = self._constants[buffer] = self.names.new(buffer.name, "table")
            assert buffer.data is not None  # of a constant
            numbers = ", ".join(map(in_table, buffer.data))
            self.tables.append(
                f"static __device__ const {ctype(buffer.dtype)} {name}[{buffer.size}] = "
                f"{{{numbers}}};\n"
            )
        return self._constants[buffer]

    def count(self, scratch: Scratch) -> Count:
        """The argument that says how many blocks filled it."""
        return self._counts.setdefault(scratch, Count(scratch))

    def memory(self, buffer: Buffer) -> Buffer | str:
        """What tells a buffer's memory from others'."""
        return "records" if buffer.kind == "record" else self._same.get(buffer, buffer)
