"""A function of the module under construction, and what it owns: memory, and its exit.

All ways out of a function pass through one block, which gives memory back:

* scratch memory: one block for all that is too large for the stack, taken when the function begins;
* arenas, from which `Reserve` statements take: ``"kernel"`` lasts until the function ends,
  ``"trip"`` is emptied after each trip of the outermost `Each`.

A function returns 0, or the sum of 1 if a check failed, 2 if there is no memory, 4 if it was
interrupted, and Python has an exception.

Activations of functions that call themselves share three words: the lowest address that the stack
may come to, how many trips are left, and where the arena is for records that they leave. Each
counts as a trip. Where the stack has come to its end, a check has failed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from autograph.kernels.ir.ir import Buffer, Operand
from autograph.kernels.llvm.target import Target
from autograph.kernels.llvm.text import LlvmFunction, LlvmModule, returned_type
from autograph.settings import most_waiting_calls

GAVE_UP, NO_MEMORY, INTERRUPTED = 1, 2, 4

_ON_STACK = 1 << 15  # bytes of a block of memory; larger ones are scratch
_ARENA = (
    "[5 x i64]"  # of the runtime's: where the next piece starts, where there is no more room ...
)
_LEAST_AT = 32  # ... how many bytes will be taken at least
_TRIPS = 1 << 20  # of loops between two looks at signals
_ACTIVATIONS = "[3 x i64]"  # the lowest address of the stack, trips that are left, an arena
_TRIPS_AT, _ARENA_AT = 8, 16
_LEAST_FRAME = 8  # bytes of the stack that any call takes, of which one of two may be built in
_LIKELY = '!{!"branch_weights", i32 2000, i32 1}'


class FunctionFrame:
    """A function.

    Attributes:
        name: of the kernel.
        module, target: what it is part of.
        function: its text.
        pointers: where the elements of buffers start.
        values: the names of scalars.
        used: the variables that are read somewhere in the kernel.
        in_each: whether the code that is being printed is in an `Each`.
        hosted: whether there is a runtime, with threads, memory and signals.
        leaves_records: whether what it reserves is its caller's.
        small: how many bytes of temporaries may be on the stack.
        first_bytes: of each kind of arena, how many bytes it shall begin with, if that is known.
    """

    hosted = True
    leaves_records = False
    small = 16 << 10

    def __init__(
        self,
        module: LlvmModule,
        target: Target,
        name: str,
        header: str,
        used: set[Operand],
        outlined: bool = False,
    ):
        self.name = name
        self.module = module
        self.target = target
        self.function = LlvmFunction(header)
        self.pointers: dict[Buffer, str] = {}
        self.values: dict[Operand, str] = {}
        self.used = used
        self.in_each = outlined
        self._exits: list[tuple[str, str]] = []
        self._labels: dict[int, str] = {}
        self._arenas: dict[str, str] = {}
        self.first_bytes: dict[str, int] = {}
        self._scratch_bytes = 0
        self._scratch: str | None = None
        self._on_stack = 0
        self._in_scratch: list[str] = []
        self._trips: str | None = None
        self._activations: str | None = None
        self._is_outermost = True  # of the activations
        self._arena_before = self.function.name("arena.before")
        self._entered: tuple[str, str] | None = None  # where the arena was when it began
        self._values: list[tuple[str, str]] = []  # that it returns besides, with their types
        self.function.lines.append("")  # what comes before, known in the end
        self.function.label = "begin"

    def forget(self, known: int) -> None:
        """Forget all scalars but the first so many that became known: the text that defines the
        others does not reach what follows."""
        while len(self.values) > known:
            self.values.popitem()

    # -- memory ------------------------------------------------------------------------------------

    def memory(self, type_: str, itemsize: int, count: int, hint: str | None = None) -> str:
        """Memory that lasts until the function ends, aligned to a cache line.

        Returns:
            Its address, which may be used anywhere in the function.
        """
        nbytes = itemsize * count
        if nbytes <= _ON_STACK and self._on_stack + nbytes <= 4 * _ON_STACK:
            self._on_stack += nbytes
            return self.function.alloca(type_, count, 64, hint)
        return self.scratch(nbytes, hint)

    def scratch(self, nbytes: int, hint: str | None = None) -> str:
        """Memory that is not on the stack, and lasts until the function ends."""
        if self._scratch is None:
            self._scratch = self.function.name("scratch")
        name = self.function.name(hint)
        self._in_scratch.append(
            f"  {name} = getelementptr inbounds i8, ptr {self._scratch}, i64 {self._scratch_bytes}"
        )
        self._scratch_bytes += -(-nbytes // 64) * 64
        return name

    def reserve(self, nbytes: str) -> str:
        """Memory from an arena.

        Returns:
            Its address as an i64.
        """
        function = self.function
        arena = self._arena("trip" if self.in_each else "kernel")
        cursor = function.let(f"load i64, ptr {arena}, align 8", "cursor")
        end_at = function.let(f"getelementptr inbounds i8, ptr {arena}, i64 8")
        end = function.let(f"load i64, ptr {end_at}, align 8", "end")
        following = function.let(f"add i64 {cursor}, {nbytes}")
        fits = function.let(f"icmp ult i64 {following}, {end}")
        sane = function.let(f"icmp uge i64 {following}, {cursor}")
        fits = function.let(f"and i1 {fits}, {sane}", "fits")
        quick, slow, done = map(function.new_label, ("bump", "refill", "reserved"))
        function.branch(fits, quick, slow, self.likely())
        function.start(quick)
        function.do(f"store i64 {following}, ptr {arena}, align 8")
        function.jump(done)
        function.start(slow)
        reserve = self.module.declare("i64", "ag_reserve", "ptr", "i64", attributes=" nounwind")
        given = function.let(f"call i64 {reserve}(ptr {arena}, i64 {nbytes})")
        self.stop_unless(function.let(f"icmp ne i64 {given}, 0"), NO_MEMORY)
        last = function.label
        function.start(done)
        return function.phi("i64", [(cursor, quick), (given, last)], "reserved")

    def take(self, nbytes: str) -> str:
        """Memory that stays when the function ends; its address as an i64."""
        function = self.function
        take = self.module.declare("ptr", "ag_take", "i64", attributes=" nounwind")
        block = function.let(f"call noalias align 64 ptr {take}(i64 {nbytes})")
        self.stop_unless(function.let(f"icmp ne ptr {block}, null"), NO_MEMORY)
        return function.let(f"ptrtoint ptr {block} to i64", "taken")

    def _arena(self, kind: str) -> str:
        if kind not in self._arenas and kind == "kernel" and self.leaves_records:
            self._arenas[kind] = self.function.name("arena.shared")
        elif kind not in self._arenas:
            self._arenas[kind] = self.function.alloca(_ARENA, 1, 16, f"arena.{kind}")
        return self._arenas[kind]

    def arena_mark(self) -> tuple[str, str]:
        """Where the next piece of the arena would be, for `rewind_arena`."""
        arena = self._arena("trip" if self.in_each else "kernel")
        cursor = self.function.let(f"load i64, ptr {arena}, align 8", "mark")
        block_at = self.function.let(f"getelementptr inbounds i8, ptr {arena}, i64 16")
        return cursor, self.function.let(f"load ptr, ptr {block_at}, align 8", "mark.block")

    def rewind_arena(self, mark: tuple[str, str], newest: str, nbytes: str) -> None:
        """Free what was reserved since a mark, but for a record and those before it.

        Args:
            newest: the address of the record, or 0.
            nbytes: at most so many bytes has it, an i64.
        """
        arena = self._arena("trip" if self.in_each else "kernel")
        types = ("ptr", "i64", "ptr", "i64", "i64")
        called = self.module.declare("void", "ag_rewind_to", *types, attributes=" nounwind")
        operands = (arena, *mark, newest, nbytes)
        given = ", ".join(map(" ".join, zip(types, operands)))
        self.function.do(f"call void {called}({given})")

    def mark_entry(self) -> None:
        """Remember where the next piece of the arena is when the function begins, for `keep`."""
        self._entered = self.arena_mark()

    def keep(self, pieces: Sequence[tuple[str, str]]) -> list[str]:
        """Free what was reserved since the function began, but for some pieces, which may move.

        Args:
            pieces: the address and the number of bytes of each.

        Returns:
            Their addresses then.
        """
        assert self._entered is not None
        function, let = self.function, self.function.let
        arena = self._arena("kernel")
        cursor, block = self._entered
        now = let(f"load i64, ptr {arena}, align 8", "cursor")
        begun = function.label
        some, done = map(function.new_label, ("some_reserved", "kept"))
        function.branch(let(f"icmp eq i64 {now}, {cursor}"), done, some)
        function.start(some)
        if not pieces:
            self.rewind_arena(self._entered, "0", "0")
            function.start(done)
            return []
        table = function.alloca("i64", 2 * len(pieces), 16, "pieces")
        words = [word for piece in pieces for word in piece]
        places = [
            let(f"getelementptr inbounds i64, ptr {table}, i64 {k}") for k in range(len(words))
        ]
        for place, word in zip(places, words):
            function.do(f"store i64 {word}, ptr {place}, align 8")
        types = ("ptr", "i64", "ptr", "ptr", "i64")
        called = self.module.declare("i32", "ag_keep", *types, attributes=" nounwind")
        operands = (arena, cursor, block, table, str(len(pieces)))
        given = ", ".join(map(" ".join, zip(types, operands)))
        self.stop_unless(let(f"icmp ne i32 {let(f'call i32 {called}({given})')}, 0"), NO_MEMORY)
        moved = [let(f"load i64, ptr {place}, align 8") for place in places[::2]]
        last = function.label
        function.start(done)
        return [
            function.phi("i64", [(was, begun), (found, last)], "kept")
            for (was, _), found in zip(pieces, moved)
        ]

    def end_trip(self) -> None:
        """Empty the arena of a trip, if there is one."""
        if "trip" in self._arenas:
            self._on_arena("ag_rewind", "trip")

    def _on_arena(self, name: str, kind: str) -> None:
        called = self.module.declare("void", name, "ptr", attributes=" nounwind")
        self.function.do(f"call void {called}(ptr {self._arenas[kind]})")

    # -- ways out ----------------------------------------------------------------------------------

    def likely(self) -> str:
        """The metadata of a branch that nearly always goes its first way."""
        return f", !prof {self.module.shared_metadata(_LIKELY)}"

    def unpredictable(self) -> str:
        """The metadata of a branch of which nobody can foresee which way it goes."""
        return f", !unpredictable {self.module.shared_metadata('!{}')}"

    def stop_unless(self, condition: str, status: int, *, whole: bool = False) -> None:
        """Leave the function unless a bool holds.

        Args:
            whole: whether that is one branch, also where the bool is made of two: LLVM makes two
                branches of that otherwise, which are as hard to foresee as what each depends on.
        """
        function = self.function
        if status not in self._labels:
            hint = {GAVE_UP: "gave_up", NO_MEMORY: "no_memory"}[status]
            self._labels[status] = function.new_label(hint)
        go_on = function.new_label("go_on")
        note = self.unpredictable() if whole else ""
        function.branch(condition, go_on, self._labels[status], self.likely() + note)
        function.start(go_on)

    def stop_with(self, status: str) -> None:
        """Leave the function if a status, an i32, is not 0."""
        function = self.function
        ok = function.let(f"icmp eq i32 {status}, 0")
        go_on, stop = function.new_label("go_on"), function.new_label("stop")
        function.branch(ok, go_on, stop, self.likely())
        function.start(stop)
        self._exits.append((status, stop))
        function.jump("leave")
        function.start(go_on)

    def poll(self) -> None:
        """Count a trip of a loop that may be endless, and now and then leave the function if the
        user wants that."""
        function = self.function
        more = self.count_trip()
        poll, go_on = function.new_label("poll"), function.new_label("go_on")
        function.branch(more, go_on, poll, self.likely())
        function.start(poll)
        self.ask()
        function.start(go_on)

    def count_trip(self, weight: int = 1) -> str:
        """Count a trip. There is one counter, in a register, for all loops of the function.

        Args:
            weight: how many trips of a small loop it stands for.

        Returns:
            Whether it is too early to `ask`.
        """
        return self.function.let(f"icmp sgt i32 {self._left_after(str(weight))}, 0")

    @property
    def is_activation(self) -> bool:
        """Whether the function calls itself, and this is not the outermost call."""
        return not self._is_outermost

    def _left_after(self, trips: str) -> str:
        function = self.function
        if self._trips is None:
            self._trips = function.alloca("i32", 1, 4, "trips")
        before = function.let(f"load i32, ptr {self._trips}, align 4")
        left = function.let(f"sub i32 {before}, {trips}", "left")
        function.do(f"store i32 {left}, ptr {self._trips}, align 4")
        return left

    def count_trips(self, number: str, work: int) -> None:
        """Count many trips at once, and leave the function if it is time to ask and the user wants
        that.

        Args:
            number: an i64.
            work: how many trips of a small loop one of them stands for; together not many more than
                are made between two looks.
        """
        function = self.function
        number = function.let(f"trunc i64 {number} to i32")
        left = self._left_after(function.let(f"mul i32 {number}, {work}"))
        poll, go_on = function.new_label("poll"), function.new_label("go_on")
        function.branch(function.let(f"icmp sgt i32 {left}, 0"), go_on, poll, self.likely())
        function.start(poll)
        self.ask()
        function.start(go_on)

    def ask(self) -> None:
        """Begin to count again, and leave the function if the user wants that."""
        function = self.function
        function.do(f"store i32 {_TRIPS}, ptr {self._trips}, align 4")
        # What it changes is not what kernels see, and it saves general registers.
        attributes = " nounwind cold memory(inaccessiblemem: readwrite)"
        asked = self.module.declare("preserve_mostcc i32", "ag_poll", attributes=attributes)
        self.stop_with(function.let(f"call preserve_mostcc i32 {asked}()", "interrupted"))

    # -- functions that call themselves ------------------------------------------------------------

    @property
    def activations(self) -> str:
        """What the activations share, for a call of a function that calls itself."""
        if self._activations is None:
            self._activations = self.function.alloca(_ACTIVATIONS, 1, 16, "activations")
        return self._activations

    def be_activation(
        self, shared: str, values: Sequence[tuple[str, str]], *, counts: bool
    ) -> None:
        """Be a function that calls itself, one more activation of those that share something.

        Args:
            values: where it puts numbers that it returns besides, and their types.
            counts: whether it looks for room, and counts as a trip.
        """
        function = self.function
        self._activations, self._is_outermost, self._values = shared, False, list(values)
        if not counts:
            return
        here = function.let(f"ptrtoint ptr {function.alloca('i8', 1, 1, 'here')} to i64")
        lowest = function.let(f"load i64, ptr {shared}, align 8", "lowest")
        self.stop_unless(function.let(f"icmp ugt i64 {here}, {lowest}"), GAVE_UP)
        self.poll()

    def take_records(self) -> None:
        """See to it that records that a function leaves which is called have a place."""
        self._arena("kernel")

    @contextmanager
    def counted_elsewhere(self) -> Iterator[None]:
        """Let a function that is called count the trips."""
        function, _ = self.function, self.activations
        at = self._shared_word(_TRIPS_AT)
        if self._trips is None:
            self._trips = function.alloca("i32", 1, 4, "trips")
        left = function.let(f"load i32, ptr {self._trips}, align 4")
        function.do(f"store i32 {left}, ptr {at}, align 4")
        yield
        left = function.let(f"load i32, ptr {at}, align 4")
        function.do(f"store i32 {left}, ptr {self._trips}, align 4")

    def _returned(self, status: str) -> str:
        """What the function returns."""
        if not self._values:
            return f"i32 {status}"
        let = self.function.let
        type_ = returned_type([type_ for _, type_ in self._values])
        found = let(f"insertvalue {type_} undef, i32 {status}, 0")
        for k, (place, of_one) in enumerate(self._values, 1):
            value = let(f"load {of_one}, ptr {place}")
            found = let(f"insertvalue {type_} {found}, {of_one} {value}, {k}")
        return f"{type_} {found}"

    def finish(self) -> str:
        """End the function.

        Returns:
            Its text.
        """
        function = self.function
        self._exits.append(("0", function.label))
        function.jump("leave")
        for number, label in self._labels.items():
            function.start(label)
            self._exits.append((str(number), label))
            function.jump("leave")
        function.start("leave")
        status = function.phi("i32", self._exits, "status")
        for kind in self._own_arenas:
            self._on_arena("ag_release", kind)
        if self._replaces_arena:
            at = self._shared_word(_ARENA_AT)
            function.do(f"store ptr {self._arena_before}, ptr {at}, align 8")
        if self._scratch is not None:
            give = self.module.declare("void", "ag_give", "ptr", "i64", attributes=" nounwind")
            function.do(f"call void {give}(ptr {self._scratch}, i64 {self._scratch_bytes})")
        if self._trips is not None and not self._is_outermost:
            at = self._shared_word(_TRIPS_AT)
            left = function.let(f"load i32, ptr {self._trips}, align 4")
            function.do(f"store i32 {left}, ptr {at}, align 4")
        function.do(f"ret {self._returned(status)}")
        function.lines[0] = self._beginning()
        return str(function)

    def finish_with(self, result: str) -> str:
        """End a function that has no way out but its end, and no memory.

        Args:
            result: with its type.

        Returns:
            Its text.
        """
        self.function.do(f"ret {result}")
        self.function.lines[0] = self._beginning()
        return str(self.function)

    def _beginning(self) -> str:
        """The instructions that come before those of the body."""
        lines = [
            f"  store {_ARENA} zeroinitializer, ptr {self._arenas[kind]}, align 16"
            for kind in self._own_arenas
        ]
        for kind, nbytes in self.first_bytes.items():
            if nbytes and kind in self._own_arenas:
                at = self.function.name("least.at")
                begin = f"ptr {self._arenas[kind]}, i64 {_LEAST_AT}"
                lines.append(f"  {at} = getelementptr inbounds i8, {begin}")
                lines.append(f"  store i64 {nbytes}, ptr {at}, align 8")
        if self._activations is not None and self._is_outermost:
            lines += self._first_activation()
        if self._trips is not None and self._is_outermost:
            lines.append(f"  store i32 {_TRIPS}, ptr {self._trips}, align 4")
        elif self._trips is not None:
            at, left = self.function.name("left.at"), self.function.name("left")
            lines += [
                f"  {at} = getelementptr inbounds i8, ptr {self._activations}, i64 {_TRIPS_AT}",
                f"  {left} = load i32, ptr {at}, align 4",
                f"  store i32 {left}, ptr {self._trips}, align 4",
            ]
        lines += self._arena_of_activations()
        if self._scratch is None:
            return "\n".join([*lines, "  br label %begin", "begin:"])
        take = self.module.declare("ptr", "ag_take", "i64", attributes=" nounwind")
        missing = self.function.name("missing")
        label = self.function.new_label("no_scratch")
        lines += [
            f"  {self._scratch} = call noalias align 64 ptr {take}(i64 {self._scratch_bytes})",
            f"  {missing} = icmp eq ptr {self._scratch}, null",
            f"  br i1 {missing}, label %{label}, label %begin",
            f"{label}:",
            f"  ret {self._no_memory()}",
            "begin:",
            *self._in_scratch,
        ]
        return "\n".join(lines)

    def _no_memory(self) -> str:
        """What the function returns if there is no memory for it to begin."""
        if not self._values:
            return f"i32 {NO_MEMORY}"
        types = [type_ for _, type_ in self._values]
        others = [f"{type_} undef" for type_ in types]
        return f"{returned_type(types)} {{{', '.join([f'i32 {NO_MEMORY}', *others])}}}"

    def _shared_word(self, offset: int) -> str:
        """Where a word is that activations share."""
        return self.function.let(
            f"getelementptr inbounds i8, ptr {self._activations}, i64 {offset}"
        )

    @property
    def _own_arenas(self) -> list[str]:
        """The kinds of arenas that the function empties when it ends."""
        return [kind for kind in self._arenas if kind != "kernel" or not self.leaves_records]

    @property
    def _replaces_arena(self) -> bool:
        """Whether records of what it calls are to be in an arena of its own, rather than in that of
        the function that calls it."""
        has_own = "kernel" in self._arenas and not self.leaves_records
        return has_own and self._activations is not None and not self._is_outermost

    def _arena_of_activations(self) -> list[str]:
        """Give those that are called an arena, or take it from the caller."""
        arena = self._arenas.get("kernel")
        if arena is None or self._activations is None:
            return []
        at = self.function.name("arena.at")
        lines = [f"  {at} = getelementptr inbounds i8, ptr {self._activations}, i64 {_ARENA_AT}"]
        if self.leaves_records:
            return [*lines, f"  {arena} = load ptr, ptr {at}, align 8"]
        if not self._is_outermost:
            lines.append(f"  {self._arena_before} = load ptr, ptr {at}, align 8")
        return [*lines, f"  store ptr {arena}, ptr {at}, align 8"]

    def _first_activation(self) -> list[str]:
        """Say how far the stack may grow, from a function that does not call itself."""
        here, lowest = self.function.name("here"), self.function.name("lowest")
        floor = self.module.declare("i64", "ag_stack_floor", "i64", "i64", attributes=" nounwind")
        most = _LEAST_FRAME * most_waiting_calls()
        return [
            f"  {here} = ptrtoint ptr {self._activations} to i64",
            f"  {lowest} = call i64 {floor}(i64 {here}, i64 {most})",
            f"  store i64 {lowest}, ptr {self._activations}, align 8",
        ]
