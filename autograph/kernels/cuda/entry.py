"""One ``__global__`` function: how the trips of a segment are shared among threads, what threads
combine, and where they wait for each other.

Trips go around in grid-stride loops, so that any grid computes the same. A *team* is a warp or a
block, whose threads (*lanes*) share the trips of loops inside; what is outside of those loops
every lane computes, and the first lane stores. Lanes wait where one reads or writes what another
wrote, or writes what another read, since they last waited.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from autograph.kernels.cuda import helpers, reserved, shape, stopping
from autograph.kernels.cuda.expressions import CALLED, CExpression
from autograph.kernels.cuda.helpers import ctype
from autograph.kernels.cuda.module import CudaModule
from autograph.kernels.cuda.names import ScopedNames, identifier
from autograph.kernels.cuda.plan import (
    KEPT,
    KEPT_ROOM,
    LANES,
    ROOM,
    ROOMS,
    STATUS,
    STOP,
    Entry,
    Launch,
    LaunchArgument,
    Scratch,
)
from autograph.kernels.cuda.ranges import of_dtype
from autograph.kernels.cuda.split import Segment
from autograph.kernels.cuda.vectors import NBYTES, Vectors, VectorStatements, vectors_of
from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Buffer, Reduction, Var

WARP = 32
TOGETHER = 256  # threads of blocks that wait for each other
_ANY = "__any_sync(0xffffffffu"
_THREADS = 1024  # of a multiprocessor, half of what most have
_MOST_SHARED = 40_000  # bytes of a block; the rest of 48 KiB is for reductions


class EntryPrinter(VectorStatements):
    """Prints a segment.

    Args:
        written: None for one that is a launch. One that blocks run between two barriers of all of
            them is a function, which is told which block it is of how many; what is in this memory
            others of these functions write, so that it must not be taken for the same throughout.

    Attributes:
        team: ``"thread"`` where a thread runs for itself, ``"warp"`` or ``"block"`` where several
            run the same statements.
    """

    def __init__(self, module: CudaModule, segment: Segment, written: set | None = None):
        self.module = module
        self._others = written
        self._block, self._blocks = "blockIdx.x", "gridDim.x"
        if written is not None:
            self._block, self._blocks = "block", "blocks"
        self.segment = segment
        self._all = [*segment.prologue, *segment.statements]
        taken = CALLED | module.names.taken() | {self._block, self._blocks}
        super().__init__(module.expressions, ScopedNames(taken), self._all)
        # CUDA has functions of so many names, but none of these.
        base = identifier(module.kernel.name, "kernel")
        base = base if base.endswith("kernel") else f"{base}_kernel"
        self.name = module.names.new(base)
        self.parameters: list[tuple[LaunchArgument, str]] = []
        self._declared: list[str] = []
        self._passed: dict[LaunchArgument, str] = {}
        self._read = {module.memory(b) for b in uses.reads(self._all)}
        self._wrote = {module.memory(b) for b in self.written}
        self.made = {s.out: s for s in ir.walk(self._all) if isinstance(s, ir.Compute)}
        self._levels = reserved.levels(self._all)  # at which memory is reserved here
        self._level = "kernel"
        self._lane_bases: frozenset = frozenset()
        self._needs_status = False
        self._looked: set[str] = set()  # the counters of loops that look
        self._shared_bytes = 0
        self._waiting: tuple[set, set] = (set(), set())  # read and written since the last wait
        self._failed: str | None = None  # the flag of a lane whose trip failed
        self._cooperative = False
        self.threads, self.team = self._shape()
        self._outer_team = self.team
        self._trips_at_once = self._teams
        self._declare_used()

    def _shape(self) -> tuple[int, str]:
        """The threads of a block, and who runs the statements outside of loops."""
        threads, team = self._alone()
        return (threads if self._others is None or threads == 1 else TOGETHER), team

    def _alone(self) -> tuple[int, str]:
        """The same of a launch."""
        segment = self.segment
        if segment.kind == "threads":
            return shape.threads(segment.statements[0]), "thread"
        longest = shape.longest(segment.statements)
        if segment.kind == "teams":
            if shape.flags(segment) is None and longest is not None and longest <= 4 * WARP:
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
        launch = Launch(Entry(self.name, self.parameters, self.threads))
        if segment.kind == "single":
            self._single()
        else:
            (each,) = segment.statements
            self.statements(segment.prologue)
            width = self._grid(each)
            launch.covers = True
            launch.trips = each.count if module.split.is_known(each.count) else None
            launch.per_block = self._teams * width
            launch.ordered = bool(each.reductions)
            launch.flags = each.flags
        launch.trips_at_once = self._trips_at_once
        launch.entry.cooperative = self._cooperative
        module.entries.append(self._function())
        return launch

    @property
    def _teams(self) -> int:
        """Teams in a block. A thread that runs for itself is one."""
        return {"thread": self.threads, "warp": self.threads // WARP, "block": 1}[self._outer_team]

    def _single(self) -> None:
        """Print what one block does."""
        kept = "kernel" in self._levels
        with self.trip():
            for reduction, scratch in self.segment.combined:
                self._combine_blocks(reduction, scratch)
            if kept:
                self.line("int64 reserved = *(int64 *)(status + 2);")
            self.statements(self._all)
            if kept:
                if self.team == "block":  # all have read it by then
                    self._barrier()
                self.line(self.stored("*(int64 *)(status + 2) = reserved;"))

    def _function(self) -> str:
        """The text."""
        head = []
        if self._outer_team != "thread":
            within = f" % {WARP}" if self._outer_team == "warp" else ""
            head.append(f"const int lane = threadIdx.x{within};")
        if self.segment.after_failure:
            failed = "status[0] | status[1]"
            if self.module.stopping.may_stop(self.module.kernel.body):
                failed += f" | status[{stopping.STATUS_AT}]"
            failed = f"__syncthreads_or({failed})" if self._cooperative else failed
            head.append(f"if ({failed}) return;")
            self._status()
        head += [f"int {name} = {stopping.SPAN};" for name in sorted(self._looked)]
        if self._needs_status:
            # Any thread may set it while others look: between volatile accesses that is no race.
            self._declared.append("volatile int *status")
            self.parameters.append((STATUS, "int *"))
        # One block on a multiprocessor is enough: without that number, ptxas spills to fit more.
        # Where blocks wait for each other, others are to go on meanwhile.
        at_once = 1 if shape.flags(self.segment) is None else max(_THREADS // self.threads, 1)
        bounds = f"__launch_bounds__({self.threads}, {at_once})"
        start = f'extern "C" __global__ void {bounds}\n{self.name}('
        if self._others is not None:
            start = f"static __device__ inline void {self.name}("
            self._declared += [f"unsigned int {x}" for x in (self._block, self._blocks)]
        declared = ", ".join(self._declared)
        if len(self.name) + len(declared) > 97:
            declared = "\n    " + ",\n    ".join(self._declared)
        body = "".join(f"{line}\n" for line in [*(f"    {x}" for x in head), *self.lines])
        return f"{start}{declared})\n{{\n{body}}}\n"

    # -- parameters --------------------------------------------------------------------------------

    def _declare_used(self) -> None:
        """Make parameters of what the segment uses, in the order of the kernel's."""
        kernel, used = self.module.kernel, uses.free(self._all)
        touched = dict.fromkeys(
            x.buffer for x in ir.walk(self._all) if isinstance(x, ir.Load | ir.Store)
        )
        own = {x.buffer for x in ir.walk(self._all) if isinstance(x, ir.Local)}
        for x in kernel.inputs:
            if isinstance(x, Buffer) and x in touched:
                self.pointer(x)
            elif isinstance(x, Var) and x in used:
                self._scalar(x)
        for x in (*kernel.outputs, *touched):
            if x in touched and x not in own and x.kind != "record":
                self.pointer(x)
        for x in self.module.split.indices:
            if x in used:
                self._scalar(x)

    def _scalar(self, var: Var) -> None:
        name = self.names.new(var.name, "n")
        kind = ctype(var.dtype)
        self.parameters.append((var, kind))
        self._declared.append(f"{kind} {name}")
        interval = of_dtype(var.dtype) if var.dtype.kind in "iub" else None
        self.bind(var, CExpression(name, interval=interval, wide=var.dtype == ir.LONG))

    def _pass(self, argument: LaunchArgument, name: str | None, kind: str) -> str:
        """The name of a parameter for an argument."""
        if argument not in self._passed:
            given = self._passed[argument] = self.names.new(name, "buffer", root=True)
            self.parameters.append((argument, kind.replace("__restrict__ ", "")))
            self._declared.append(f"{kind}{given}")
        return self._passed[argument]

    def pointer(self, buffer: Buffer) -> str:
        """The C name of a buffer that is not local."""
        if buffer.kind == "constant":
            return self.module.constant(buffer)
        memory = self.module.memory(buffer)
        const = "" if memory in self._wrote else "const "
        alone = "" if memory in self._wrote and memory in self._read else "__restrict__ "
        if self._others is not None and memory in self._others:
            alone = ""
        return self._pass(buffer, buffer.name, f"{const}{ctype(buffer.dtype)} *{alone}")

    def is_written(self, buffer: Buffer) -> bool:
        """Whether the function writes to a buffer's memory."""
        return self.module.memory(buffer) in self._wrote

    def _status(self) -> None:
        self._needs_status = True

    def give_up(self) -> str:
        """What a thread does when a check fails."""
        self._status()
        return super().give_up()

    def look(self, s: ir.While | ir.For) -> None:
        """Print what a trip of a loop does that nobody knows to end."""
        if not self.module.stopping.looks(s):
            return
        self._status()
        seen = f"*{self._pass(STOP, 'stop', 'volatile int *')}"
        together = self.team != "thread"
        if together:
            self._cooperative = True
            vote = "__syncthreads_or(" if self.team == "block" else f"{_ANY}, "
            seen = f"{vote}{seen})"
        counter = "team_patience" if together else "thread_patience"
        self._looked.add(counter)
        for text in stopping.lines(s, counter, seen, self.leave()):
            self.line(text)

    # -- memory that is reserved -------------------------------------------------------------------

    def reserve(self, s: ir.Reserve) -> None:
        """Print a reservation: the room's next bytes, never at 0."""
        self._status()
        counter = reserved.COUNTERS[self._level]
        long = of_dtype(ir.LONG)
        size = self.operand(s.size).text
        if self._level == "lane":
            room = self._pass(ROOM, "room", "int64 ")
            self.define(s.out, CExpression(f"{counter} + 8", interval=long, wide=True))
            used = f"{counter} + 8"
        else:
            if self._level == "kernel":
                room = self._pass(KEPT_ROOM, "kept_room", "int64 ")
                start = f"{self._pass(KEPT, 'kept', 'char *')} + {counter}"
            else:
                room = self._pass(ROOM, "room", "int64 ")
                memory = self._pass(ROOMS, "memory", "char *")
                team = self._team_number
                if self.team != self._outer_team:  # a small loop whose trips one block has
                    team, self._trips_at_once = "threadIdx.x", self.threads
                start = f"{memory} + (int64)({team}) * {room} + {counter}"
            self.define(s.out, CExpression(f"(int64)({start})", interval=long, wide=True))
            used = counter
        self.line(f"{counter} += {size};")
        self.line(f"if ({used} > {room}) {{ status[1] = 1; {self.leave()} }}")

    def record(self, buffer: Buffer, index: str) -> str:
        """An element of a buffer in reserved memory."""
        start = self.operand(buffer.base).within(70)
        start += f" + {buffer.offset}" if buffer.offset else ""
        kind = ctype(buffer.dtype)
        if buffer.base not in self._lane_bases:
            return f"(({kind} *)({start}))[{index}]"
        memory = self._pass(LANES, "lanes", "char *")
        helper = self.expressions.call(helpers.INTERLEAVED)
        name = helper.text.split("(")[0]
        return f"{name}<{kind}>({memory}, {start}, {index})"

    @contextmanager
    def _trip(self, s: ir.Each) -> Iterator[None]:
        """Print a trip; what that of an outermost loop reserves lasts until its end."""
        before = self._level, self._lane_bases
        if self._level == "kernel":
            for level in ("trip", "lane"):
                if level in self._levels:
                    self.line(f"int64 {reserved.COUNTERS[level]} = 0;")
        self._level = reserved.inside(s)
        self._lane_bases = reserved.bases_of_lanes(s, self.module.levels)
        yield
        self._level, self._lane_bases = before

    # -- waiting -----------------------------------------------------------------------------------

    def _barrier(self) -> None:
        self._cooperative = True
        self.line("__syncwarp();" if self.team == "warp" else "__syncthreads();")
        self._waiting = (set(), set())

    def _touched(self, s: ir.Statement) -> tuple[set, set]:
        """The memory that a statement reads and writes, its own left out."""
        own = {x.buffer for x in ir.walk([s]) if isinstance(x, ir.Local)}
        own |= {b for b in uses.reads([s]) if b.kind == "constant"}
        read = {self.module.memory(b) for b in uses.reads([s]) - own}
        return read, {self.module.memory(b) for b in uses.writes([s]) - own}

    def wait(self, s: ir.Statement) -> None:
        """Let lanes wait before a statement that touches what others may be busy with."""
        if self.team == "thread":
            return
        read, written = self._touched(s)
        have_read, have_written = self._waiting
        if written & (have_read | have_written) or read & have_written:
            self._barrier()
        self._waiting[0].update(read)
        self._waiting[1].update(written)

    @contextmanager
    def side(self) -> Iterator[None]:
        """Print one side of a conditional: afterwards, lanes may or may not have waited there."""
        before = tuple(map(set, self._waiting))
        yield
        self._waiting = (self._waiting[0] | before[0], self._waiting[1] | before[1])

    @contextmanager
    def repeated(self, blocks: Sequence[ir.Block]) -> Iterator[None]:
        """Print the body of a loop: what its end wrote, its start may touch again."""
        before = tuple(map(set, self._waiting))
        yield
        if self.team != "thread" and any(map(self._writes, blocks)):
            self._barrier()
        self._waiting = (self._waiting[0] | before[0], self._waiting[1] | before[1])

    def _writes(self, block: ir.Block) -> bool:
        """Whether a block of a team's writes to memory that other lanes see."""
        for s in block:
            if isinstance(s, ir.Each) and not uses.has_each(s.body):
                if self._touched(s)[1]:
                    return True
            elif isinstance(s, ir.Store) or any(map(self._writes, ir.blocks(s))):
                return True
        return False

    def stored(self, text: str) -> str:
        """A store, by those threads that have to."""
        return text if self.team == "thread" else f"if (lane == 0) {text}"

    def declare_local(self, buffer: Buffer, name: str) -> None:
        """Print the declaration of a local buffer: an array of the thread, or of the block."""
        if self.team == "thread":
            super().declare_local(buffer, name)
            return
        kind, size, teams = ctype(buffer.dtype), max(buffer.size, 1), self._teams
        aligned = f"alignas({NBYTES}) " if size % 2 == 0 else ""  # for vectors
        self._shared_bytes += buffer.nbytes * teams
        if self._shared_bytes > _MOST_SHARED:
            self._shared_bytes -= buffer.nbytes * teams
            scratch = Scratch(f"{name}_of_teams", "block", buffer.nbytes * teams)
            every = self._pass(scratch, scratch.name, f"{kind} *")
            self.line(f"{kind} *{name} = {every} + (int64)({self._team_number}) * {size};")
        elif teams == 1:
            self.line(f"{aligned}__shared__ {kind} {name}[{size}];")
        else:
            every = self.names.new(f"{name}_of_warps")
            self.line(f"{aligned}__shared__ {kind} {every}[{teams}][{size}];")
            self.line(f"{kind} *{name} = {every}[threadIdx.x / {WARP}];")

    @property
    def _team_number(self) -> str:
        """A team's place among all teams of the grid."""
        within = {"thread": "threadIdx.x", "warp": f"threadIdx.x / {WARP}"}
        if self._outer_team == "block":
            return self._block
        return f"{self._block} * {self._teams} + {within[self._outer_team]}"

    # -- loops of independent trips ----------------------------------------------------------------

    def each(self, s: ir.Each) -> None:
        """Print a loop of independent trips. A team runs those that hold others one after the
        other, others on its lanes; a thread by itself has no lanes."""
        inside = uses.has_each(s.body)
        if not inside:
            self.wait(s)
        sums = [self._start(r) for r in s.reductions]
        if inside or self.team == "thread":
            self.unroll(s)
            loop = self.loop(s.index, self.operand(s.count), "0", "++")
            with loop, self._trip(s), self.repeated([s.body]):
                self.block(s.body)
                self._add(sums, s.reductions)
            return
        team, size = self.team, WARP if self.team == "warp" else self.threads
        failing = uses.may_fail(s.body) or self.module.stopping.may_stop(s.body)
        if failing:
            self._failed = self.names.new("any_failed")
            self.line(f"bool {self._failed} = false;")
        self.team = "thread"
        loop = self.trips(s, self._vectors(s, size), "lane", str(size))
        with loop, self._trip(s), self.trip():
            self.block(s.body)
            self._add(sums, s.reductions)
        self.team = team
        if failing:
            failed, self._failed = self._failed, None
            self._cooperative = True
            test = f"__syncthreads_or({failed})" if team == "block" else f"{_ANY}, {failed})"
            self.line(f"if ({test}) {self.leave()}")
        self._combine(s.reductions, sums)

    def _grid(self, s: ir.Each) -> int:
        """Print the segment's loop, whose trips are given to all teams of the grid; how many each
        takes at a time."""
        start, step = self._team_number, self._blocks
        step += f" * {self._teams}" if self._teams > 1 else ""
        sums = [self._start(r) for r in s.reductions]
        vectors = self._vectors(s, 0) if self.team == "thread" else None
        width = vectors.width if vectors else 1
        in_order = s.flags is not None
        with self._numbered(s) if in_order else self.trips(s, vectors, start, step):
            with self._trip(s), self.trip():
                self.block(s.body)
                self._add(sums, s.reductions)
            if self.team != "thread" and (shape.has_own_memory(s.body) or in_order):
                self._barrier()  # before the next trip, which has the same memory
        if not sums:
            return width
        if self.team == "warp":  # each lane has the same sums
            for r, name in zip(s.reductions, sums):
                self.line(f"if (lane != 0) {name} = {self.operand(r.start).text};")
        if self.team != "block":
            self.team = "block"
            self._combine(s.reductions, sums)
        for r, name, scratch in zip(s.reductions, sums, self.segment.partial):
            parts = self._pass(scratch, scratch.name, f"{ctype(r.out.dtype)} *__restrict__ ")
            self.line(f"if (threadIdx.x == 0) {parts}[{self._block}] = {name};")
        return width

    @contextmanager
    def _numbered(self, s: ir.Each) -> Iterator[None]:
        """The loop of a segment whose trips are in order: a block takes the next one's number. So
        whoever has an earlier one has begun, and goes on, whatever blocks a device runs at once,
        and in which order."""
        assert self.team == "block"
        taken, name = self.names.new("taken"), self.names.new(s.index.name, "i")
        self.line(f"__shared__ int {taken};")
        with self.braces("for (;;)"):
            at = f"(int *)&{self._flags(s.flags)}[0]"
            self.line(f"if (threadIdx.x == 0) {taken} = atomicAdd({at}, 1);")
            self._barrier()
            self.line(f"const int {name} = {taken};")
            self.line(f"if ({name} >= {self.operand(s.count).within(65)}) break;")
            self.bind(s.index, CExpression(name, interval=(0, 2**31 - 2)))
            yield

    def _flags(self, flags: Buffer | None) -> str:
        """The parameter with the flags of a loop in order."""
        assert flags is not None
        return self._pass(flags, flags.name or "flags", "volatile int *")

    def announce(self, s: ir.Announce) -> None:
        """Print it, unless one block has all trips, one after the other."""
        if shape.flags(self.segment) is s.flags:
            place = CExpression(self._flags(s.flags))
            call = self.expressions.call(helpers.ANNOUNCE, place, self.operand(s.index))
            self.line(self.stored(f"{call.text};"))

    def await_(self, s: ir.Await) -> None:
        """Print it, unless one block has all trips, one after the other."""
        if shape.flags(self.segment) is s.flags:
            place = CExpression(self._flags(s.flags))
            call = self.expressions.call(helpers.AWAIT, place, self.operand(s.index))
            self.line(f"{call.text};")

    def _vectors(self, s: ir.Each, lanes: int) -> Vectors | None:
        """What the threads of a grid, or of a team, read and write at once in a loop."""
        return vectors_of(s, lanes, self.made, self.module.memory)

    def leave(self) -> str:
        """Leave the trip."""
        failed = f"{self._failed} = true; " if self._failed and self.team == "thread" else ""
        return failed + super().leave()

    # -- reductions --------------------------------------------------------------------------------

    def _start(self, r: Reduction) -> str:
        """Declare what a thread combines into."""
        return self.variable(r.out, r.start, "total")

    def _joined(self, r: Reduction, x: CExpression, y: CExpression) -> CExpression:
        dtype = r.out.dtype
        return self.expressions.compute(r.combine, dtype, dtype, (x, y))

    def _add(self, names: Sequence[str], reductions: Sequence[Reduction]) -> None:
        """Combine with the values of a trip."""
        for name, r in zip(names, reductions):
            joined = self._joined(r, self.operand(r.out), self.operand(r.value))
            self.line(f"{name} = {joined.text};")

    def _of_warp(self, r: Reduction, text: str) -> str:
        """The values of a warp's threads combined."""
        every = of_dtype(r.out.dtype) if r.out.dtype.kind in "iub" else None
        x, y = (CExpression(n, interval=every, wide=r.out.dtype == ir.LONG) for n in "xy")
        helper = helpers.of_warp(r.combine, r.out.dtype, self._joined(r, x, y).text)
        return self.expressions.call(helper, CExpression(text)).text

    def _combine(self, reductions: Sequence[Reduction], names: Sequence[str]) -> None:
        """Combine what the threads of a team have, and let each have the result."""
        if not names:
            return
        self._cooperative = True
        for r, name in zip(reductions, names):
            self.line(f"{name} = {self._of_warp(r, name)};")
        warps = self.threads // WARP
        if self.team == "warp" or warps == 1:
            return
        parts = [self.names.new(f"{name}_of_warps") for name in names]
        for r, part in zip(reductions, parts):
            self.line(f"__shared__ {ctype(r.out.dtype)} {part}[{warps}];")
        self._barrier()
        for part, name in zip(parts, names):
            self.line(f"if (threadIdx.x % {WARP} == 0) {part}[threadIdx.x / {WARP}] = {name};")
        self._barrier()
        for r, part, name in zip(reductions, parts, names):
            lane = f"threadIdx.x % {WARP}"
            given = f"{lane} < {warps} ? {part}[{lane}] : {self.operand(r.start).text}"
            self.line(f"{name} = {self._of_warp(r, given)};")

    def _combine_blocks(self, r: Reduction, scratch: Scratch) -> None:
        """Combine what the blocks of the grid before have."""
        alone = "__restrict__ " if self._others is None else ""  # others write there
        parts = self._pass(scratch, scratch.name, f"const {ctype(r.out.dtype)} *{alone}")
        count = self._pass(self.module.count(scratch), "blocks", "int ")
        name = self._start(r)
        part = self.names.new("part")
        head = f"for (int {part} = lane; {part} < {count}; {part} += {self.threads})"
        with self.braces(head):
            every = self.operand(r.out)
            joined = self._joined(
                r, every, CExpression(f"{parts}[{part}]", interval=every.interval, wide=every.wide)
            )
            self.line(f"{name} = {joined.text};")
        self._combine([r], [name])
