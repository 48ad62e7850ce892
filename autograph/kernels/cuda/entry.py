"""One ``__global__`` function: how the trips of a segment are shared among threads, what threads
combine, and where they wait for each other.

Trips go around in grid-stride loops, so that any grid computes the same. A *team* is a warp or a
block, whose threads (*lanes*) share the trips of loops inside; what is outside of those loops every
lane computes, and the first lane stores. Lanes wait where one reads or writes what another wrote, or
writes what another read, since they last waited.
"""

from __future__ import annotations

from autograph.kernels import ir
from autograph.kernels.cuda import helpers, uses
from autograph.kernels.cuda.expressions import CALLED, Expression, Expressions, number
from autograph.kernels.cuda.helpers import ctype
from autograph.kernels.cuda.names import Names, identifier
from autograph.kernels.cuda.plan import ROOM, STATUS, Argument, Count, Entry, Launch, Scratch
from autograph.kernels.cuda.ranges import MOST_TRIPS
from autograph.kernels.cuda.split import Segment, Split
from autograph.kernels.cuda.statements import Statements
from autograph.kernels.ir import Buffer, Number, Operand, Reduction, Var

WARP = 32
_MOST_SHARED = 40_000  # bytes of a block; the rest of 48 KiB is for reductions


class Module:
    """What the entries of a kernel have in common.

    Attributes:
        expressions: prints computations, and keeps the helpers that they call.
        tables: the text of constant buffers.
        entries: the text of entries.
        reserving: the level at which the kernel reserves memory: ``"thread"``, ``"team"``,
            ``"kernel"`` or None.
    """

    def __init__(self, kernel: ir.Kernel, split: Split):
        self.kernel = kernel
        self.split = split
        self.expressions = Expressions()
        self.tables: list[str] = []
        self.entries: list[str] = []
        self.names = Names(CALLED)
        self.reserving = _reserving(kernel)
        self._constants: dict[Buffer, str] = {}
        self._same = {given: written for given, written in kernel.shared}

    def constant(self, buffer: Buffer) -> str:
        """The name of a table."""
        if buffer not in self._constants:
            name = self._constants[buffer] = self.names.new(buffer.name, "table")
            numbers = ", ".join(number(x).text for x in buffer.data)
            self.tables.append(
                f"static __device__ const {ctype(buffer.dtype)} {name}[{buffer.size}] = "
                f"{{{numbers}}};\n"
            )
        return self._constants[buffer]

    def memory(self, buffer: Buffer) -> Buffer | str:
        """What tells a buffer's memory from others'."""
        return "records" if buffer.kind == "record" else self._same.get(buffer, buffer)


def _reserving(kernel: ir.Kernel) -> str | None:
    """At which level a kernel reserves memory.

    Raises:
        NotImplementedError: at several.
    """
    found: set[str] = set()

    def look(block: ir.Block, level: str) -> None:
        for s in block:
            if isinstance(s, ir.Reserve):
                found.add(level)
            inside = level
            if isinstance(s, ir.Each):
                inside = "team" if uses.has_each(s.body) else "thread"
            for inner in ir.blocks(s):
                look(inner, inside)

    look(kernel.body, "kernel")
    if len(found) > 1:
        raise NotImplementedError(f"memory reserved at several levels: {', '.join(sorted(found))}")
    return found.pop() if found else None


class EntryPrinter(Statements):
    """Prints a segment.

    Attributes:
        team: ``"thread"`` where a thread runs for itself, ``"warp"`` or ``"block"`` where several
            run the same statements.
    """

    def __init__(self, module: Module, segment: Segment, position: int):
        self.module = module
        self.segment = segment
        self._all = [*segment.prologue, *segment.statements]
        taken = CALLED | module.names.taken()
        super().__init__(module.expressions, Names(taken), self._all)
        base = identifier(module.kernel.name, "kernel")
        self.name = module.names.new(base if position == 0 else f"{base}_{position + 1}")
        self.parameters: list[tuple[Argument, str]] = []
        self._declared: list[str] = []
        self._pointers: dict[Argument, str] = {}
        self._read = {module.memory(b) for b in uses.reads(self._all)}
        self._wrote = {module.memory(b) for b in self.written}
        self._shared_bytes = 0
        self._waiting: tuple[set, set] = (set(), set())  # read and written since the last wait
        self._own_locals: set[Buffer] = set()  # of a thread
        self._team_locals: list[Buffer] = []
        self._failed: str | None = None
        self.threads, self.team = self._shape()
        self.cooperative = False

    def _shape(self) -> tuple[int, str]:
        """The threads of a block, and who runs the statements outside of loops."""
        segment = self.segment
        if segment.kind == "threads":
            return _threads(segment.statements[0]), "thread"
        longest = _longest(segment.statements)
        if segment.kind == "teams":
            if longest is not None and longest <= 4 * WARP:
                return 4 * WARP, "warp"
            return (128 if longest is not None and longest <= 1024 else 256), "block"
        if segment.combined:
            return 256, "block"
        if not uses.has_each(segment.statements):
            return 1, "thread"
        return min(-(-max(longest or 0, 1) // WARP) * WARP, 512), "block"

    # -- the function ------------------------------------------------------------------------------

    def launch(self) -> Launch:
        """Print the entry into the module; how to launch it."""
        segment, module = self.segment, self.module
        for buffer in self._ordered_buffers():
            self.pointer(buffer)
        single = segment.kind == "single"
        launch = Launch(Entry(self.name, self.parameters, self.threads), rooms=self._rooms())
        self._begin()
        with self.trip():
            if single:
                for each in _combined(segment):
                    self._combine_blocks(each)
                self.statements(self._all)
                self._keep_cursor()
            else:
                (each,) = segment.statements
                self.statements(segment.prologue)
                self._grid(each)
                launch.trips = each.count if module.split.is_known(each.count) else None
                launch.per_block = self._teams() if self.team != "thread" else self.threads
                launch.covers = True
                launch.ordered = bool(each.reductions)
        launch.entry.cooperative = self.cooperative
        module.entries.append(self._function())
        return launch
