"""Loads and stores of the lanes of a vector loop.

Elements of a buffer at a linear index of step 1 are neighbours: one vector. What each lane has for
itself, its local buffers and what it reserved, is interleaved: element ``e`` of all lanes, then
element ``e + 1`` of all lanes, so that an index that is uniform gives one vector too. What is a few
elements apart is shuffled, see `interleaving`. Everything else is gathered and scattered, or loaded
and stored element by element where the machine does that faster.
"""

from __future__ import annotations

from autograph.kernels.ir import ir
from autograph.kernels.ir.ir import LONG, Buffer, Operand
from autograph.kernels.llvm import interleaving, text
from autograph.kernels.llvm.lane_values import LaneValues
from autograph.kernels.llvm.shapes import UNIFORM, VARYING


class LaneMemory:
    """Prints the accesses to memory of the body of a vector loop.

    Attributes:
        groups: those of the present block that are printed together.
    """

    def __init__(self, lanes: LaneValues):
        self.lanes = lanes
        self.groups: dict[ir.Load | ir.Store, interleaving.AccessGroup] = {}
        self._loaded: dict[ir.Load, str] = {}  # of groups, before their turn
        self._owners: dict[Operand, str | None] = {}  # the mask under which each was reserved

    # -- memory of the lanes' own ------------------------------------------------------------------

    def local(self, buffer: Buffer) -> None:
        """Room for a buffer in each lane."""
        frame = self.lanes.frame
        if buffer not in frame.pointers:
            frame.pointers[buffer] = frame.memory(
                text.memory_type(buffer.dtype),
                buffer.dtype.itemsize,
                buffer.size * self.lanes.lanes,
                buffer.name,
            )

    def reserve(self, s: ir.Reserve) -> None:
        """One block for all lanes, of what the one that wants the most wants."""
        lanes = self.lanes
        if lanes.shapes[s.size] == UNIFORM:
            size = lanes.scalar(s.size)
        else:
            type_ = lanes.vectors.type(LONG)
            sizes = lanes.vector(s.size)
            if lanes.mask is not None:
                sizes = lanes.blend(lanes.mask, type_, sizes, "zeroinitializer")
            size = lanes.function.let(
                lanes.vectors.intrinsic("vector.reduce.umax", "i64", [(type_, sizes)], [type_])
            )
        total = lanes.function.let(f"mul i64 {size}, {lanes.lanes}")
        lanes.values[s.out] = lanes.frame.reserve(total)
        self._owners[s.out] = lanes.mask

    # -- where elements are ------------------------------------------------------------------------

    def _together(self, buffer: Buffer, index: Operand) -> str | None:
        """Where the elements of all lanes start, if they are neighbours."""
        lanes, shape = self.lanes, self.lanes.shapes[index]
        type_ = text.memory_type(buffer.dtype)
        if not lanes.shapes.is_private(buffer):
            if shape != 1:
                return None
            # Lane 0 may be not active, and its element outside: this is not "inbounds".
            start, number = lanes.start(buffer), lanes.scalar(index)
            return lanes.function.let(f"getelementptr {type_}, ptr {start}, i64 {number}")
        if shape != UNIFORM:
            return None
        if buffer.base is None:  # a local
            return self._element(buffer, lanes.start(buffer), index)
        if lanes.shapes[buffer.base] != UNIFORM:
            return None
        start = self._record_start(buffer, lanes.scalar(buffer.base))
        return self._element(buffer, start, index)

    def _element(self, buffer: Buffer, start: str, index: Operand) -> str:
        """Where the elements of all lanes at a uniform index start."""
        lanes, type_ = self.lanes, text.memory_type(buffer.dtype)
        number = lanes.function.let(f"mul i64 {lanes.scalar(index)}, {lanes.lanes}")
        return lanes.function.let(f"getelementptr inbounds {type_}, ptr {start}, i64 {number}")

    def _record_start(self, buffer: Buffer, base: str) -> str:
        lanes = self.lanes
        if buffer.offset:
            base = lanes.function.let(f"add i64 {base}, {buffer.offset * lanes.lanes}")
        return lanes.function.let(f"inttoptr i64 {base} to ptr", buffer.name)

    def _apart(self, buffer: Buffer, index: Operand) -> str:
        """A vector of the addresses of the elements."""
        lanes, let = self.lanes, self.lanes.function.let
        longs = lanes.vectors.type(LONG)
        pointers = lanes.vectors.vector_of("ptr")
        type_ = text.memory_type(buffer.dtype)
        numbers = lanes.vector(index)
        if not lanes.shapes.is_private(buffer):
            start = lanes.start(buffer)
            return let(f"getelementptr {type_}, ptr {start}, {longs} {numbers}")
        width = lanes.vectors.number("i64", lanes.lanes)
        numbers = let(f"mul {longs} {numbers}, {width}")
        numbers = let(f"add {longs} {numbers}, {lanes.iota()}")
        if buffer.base is None:  # a local
            start = lanes.start(buffer)
            return let(f"getelementptr {type_}, ptr {start}, {longs} {numbers}")
        bases = lanes.vector(buffer.base)
        if buffer.offset:
            offset = lanes.vectors.number("i64", buffer.offset * lanes.lanes)
            bases = let(f"add {longs} {bases}, {offset}")
        starts = let(f"inttoptr {longs} {bases} to {pointers}")
        return let(f"getelementptr {type_}, {pointers} {starts}, {longs} {numbers}")

    # -- loads -------------------------------------------------------------------------------------

    def load(self, s: ir.Load) -> str:
        """The value of a load, of the shape that it has."""
        lanes = self.lanes
        if lanes.shapes[s.out] is not VARYING:
            return lanes.load_scalar(s.buffer, lanes.scalar(s.index), s.out.name)
        if s in self._loaded:
            return self._loaded.pop(s)
        group = self.groups.get(s)
        if group is not None and lanes.mask is None:
            self._loaded.update(interleaving.load(lanes, group))
            return self._loaded.pop(s)
        type_ = lanes.vectors.vector_of(text.memory_type(s.buffer.dtype))
        note = lanes.module.note(s.buffer)
        align = s.buffer.dtype.itemsize
        at = self._together(s.buffer, s.index)
        if at is None and self._one_by_one(s):
            instruction = self._load_one_by_one(s, type_, note)
            note = ""
        elif at is not None:
            # What is the lanes' own may be read in all of them.
            if lanes.mask is None or lanes.shapes.is_private(s.buffer):
                instruction = f"load {type_}, ptr {at}, align {align}"
            else:
                instruction = self._masked_load("load", type_, "ptr", at, align)
        elif s.buffer.kind == "record" and lanes.shapes[s.index] == UNIFORM:
            instruction = self._load_record(s, type_)
            note = ""
        else:
            instruction = self._gather(s, type_)
        value = lanes.function.let(instruction + note, s.out.name)
        if s.buffer.dtype.kind == "b":
            return lanes.function.let(f"icmp ne {type_} {value}, zeroinitializer")
        return value

    def _gather(self, s: ir.Load, type_: str) -> str:
        pointers = self.lanes.vectors.vector_of("ptr")
        at = self._apart(s.buffer, s.index)
        return self._masked_load("gather", type_, pointers, at, s.buffer.dtype.itemsize)

    def _one_by_one(self, s: ir.Load | ir.Store) -> bool:
        """Whether lanes load or store for themselves: all of them do, and it takes less time."""
        lanes = self.lanes
        slow = lanes.frame.target.slow_gathers
        return slow and lanes.mask is None and not lanes.shapes.is_private(s.buffer)

    def _addresses(self, s: ir.Load | ir.Store) -> list[str]:
        """Where each lane's element is."""
        lanes, let = self.lanes, self.lanes.function.let
        longs, numbers = lanes.vectors.type(LONG), lanes.vector(s.index)
        start, type_ = lanes.start(s.buffer), text.memory_type(s.buffer.dtype)
        places = [f"extractelement {longs} {numbers}, i64 {k}" for k in range(lanes.lanes)]
        at = f"getelementptr inbounds {type_}, ptr {start}, i64"
        return [let(f"{at} {let(place)}") for place in places]

    def _load_one_by_one(self, s: ir.Load, type_: str, note: str) -> str:
        """What puts the last of the elements that the lanes load to those before it."""
        let, element = self.lanes.function.let, text.memory_type(s.buffer.dtype)
        instruction, loaded = "", "poison"
        for lane, at in enumerate(self._addresses(s)):
            loaded = let(instruction) if instruction else loaded
            one = let(f"load {element}, ptr {at}, align {s.buffer.dtype.itemsize}{note}")
            instruction = f"insertelement {type_} {loaded}, {element} {one}, i64 {lane}"
        return instruction

    def _store_one_by_one(self, s: ir.Store, type_: str, value: str, note: str) -> None:
        """Store in the order of the lanes, as scatters do."""
        function, element = self.lanes.function, text.memory_type(s.buffer.dtype)
        for lane, at in enumerate(self._addresses(s)):
            one = function.let(f"extractelement {type_} {value}, i64 {lane}")
            align = s.buffer.dtype.itemsize
            function.do(f"store {element} {one}, ptr {at}, align {align}{note}")

    def _load_record(self, s: ir.Load, type_: str) -> str:
        """Load from the records of the lanes: mostly they are parts of one, see `Lanes.for_`."""
        lanes, function = self.lanes, self.lanes.function
        note = lanes.module.note(s.buffer)
        assert s.buffer.base is not None
        agreed, base = self._agreed(s.buffer.base)
        self._load_lead(s)
        one, several, loaded = map(function.new_label, ("one", "several", "loaded"))
        known = lanes.known_here()
        function.branch(agreed, one, several, lanes.frame.likely())
        function.start(one)
        start = self._record_start(s.buffer, base)
        at = self._element(s.buffer, start, s.index)
        together = function.let(f"load {type_}, ptr {at}, align {s.buffer.dtype.itemsize}{note}")
        from_one = function.label
        function.jump(loaded)
        function.start(several)
        apart = function.let(self._gather(s, type_) + note)
        from_several = function.label
        function.start(loaded)
        lanes.restore(known)
        return f"phi {type_} [ {together}, %{from_one} ], [ {apart}, %{from_several} ]"

    def _load_lead(self, s: ir.Load) -> None:
        """Load what leads further back for the lane that goes there first."""
        lanes, lead = self.lanes, self.lanes.lead
        if lead is None or lead.mask != lanes.mask or s.out.dtype != LONG:
            return
        if s.buffer.base in lead.known:
            start = self._record_start(s.buffer, lead.known[s.buffer.base])
            at = self._element(s.buffer, start, s.index)
            at = lanes.function.let(f"getelementptr inbounds i64, ptr {at}, i64 {lead.lane}")
            note = lanes.module.note(s.buffer)
            lead.known[s.out] = lanes.function.let(f"load i64, ptr {at}, align 8{note}")

    def _agreed(self, base: Operand) -> tuple[str, str]:
        """Whether all active lanes have the same address, and which."""
        lanes, let = self.lanes, self.lanes.function.let
        if base not in lanes.agreed:
            longs, addresses = lanes.vectors.type(LONG), lanes.vector(base)
            address = None if lanes.lead is None else lanes.lead.known.get(base)
            if address is None:
                active = addresses
                if lanes.mask is not None:
                    active = lanes.blend(lanes.mask, longs, addresses, "zeroinitializer")
                highest = lanes.vectors.intrinsic(
                    "vector.reduce.umax", "i64", [(longs, active)], [longs]
                )
                address = let(highest, "address")
            other = let(f"icmp ne {longs} {addresses}, {lanes.spread(LONG, address)}")
            differ = lanes.vectors.any(lanes.both(lanes.mask, other))
            lanes.agreed[base] = let(f"xor i1 {differ}, true", "agreed"), address
        return lanes.agreed[base]

    def _masked_load(self, name: str, type_: str, pointers: str, at: str, align: int) -> str:
        lanes = self.lanes
        mask = lanes.mask or "splat (i1 true)"
        operands = [
            (pointers, at),
            ("i32", str(align)),
            (lanes.vectors.vector_of("i1"), mask),
            (type_, "zeroinitializer"),
        ]
        return lanes.vectors.intrinsic(f"masked.{name}", type_, operands, [type_, pointers])

    # -- stores ------------------------------------------------------------------------------------

    def store(self, s: ir.Store) -> None:
        """Print a store."""
        lanes = self.lanes
        private = lanes.shapes.is_private(s.buffer)
        if not private and lanes.shapes[s.index] == UNIFORM:
            lanes.store_scalar(s.buffer, lanes.scalar(s.index), self._one(s.value))
            return
        group = self.groups.get(s)
        if group is not None and lanes.mask is None:
            if s is group.ordered[-1]:
                interleaving.store(lanes, group)
            return
        type_ = lanes.vectors.vector_of(text.memory_type(s.buffer.dtype))
        note = lanes.module.note(s.buffer)
        align = s.buffer.dtype.itemsize
        value = lanes.vector(s.value)
        if s.buffer.dtype.kind == "b":
            value = lanes.function.let(f"zext {lanes.vectors.vector_of('i1')} {value} to {type_}")
        at = self._together(s.buffer, s.index)
        if at is None and self._one_by_one(s):
            self._store_one_by_one(s, type_, value, note)
            return
        if at is None:
            pointers = lanes.vectors.vector_of("ptr")
            at = self._apart(s.buffer, s.index)
            lanes.function.do(
                self._masked_store("scatter", type_, value, pointers, at, align) + note
            )
            return
        if lanes.first is not None and lanes.mask == lanes.first[0] and not private:
            self._store_first(s.buffer, type_, value, at, lanes.first[1])
            return
        if lanes.mask is not None and not private:
            lanes.function.do(self._masked_store("store", type_, value, "ptr", at, align) + note)
            return
        base = s.buffer.base
        owner = None if base is None else self._owners.get(base)
        if lanes.mask is not None and owner != lanes.mask:
            # Nobody else sees this memory, but the lane itself had something there.
            old = lanes.function.let(f"load {type_}, ptr {at}, align {align}{note}")
            value = lanes.blend(lanes.mask, type_, value, old)
        lanes.function.do(f"store {type_} {value}, ptr {at}, align {align}{note}")

    def _store_first(self, buffer: Buffer, type_: str, value: str, at: str, count: int) -> None:
        """Store the first lanes, whose number is known: in parts that are powers of two, since what
        was stored under a mask is not loaded again before it is in the cache."""
        let, element = self.lanes.function.let, text.memory_type(buffer.dtype)
        note, align = self.lanes.module.note(buffer), buffer.dtype.itemsize
        begin = 0
        while begin < count:
            size = 1 << ((count - begin).bit_length() - 1)
            numbers = ", ".join(f"i32 {k}" for k in range(begin, begin + size))
            taken = f"shufflevector {type_} {value}, {type_} poison, <{size} x i32> <{numbers}>"
            here = let(f"getelementptr {element}, ptr {at}, i64 {begin}")
            part = f"<{size} x {element}> {let(taken)}"
            self.lanes.function.do(f"store {part}, ptr {here}, align {align}{note}")
            begin += size

    def _one(self, value: Operand) -> str:
        """The value of a lane that is active. They all have the same, or one of them counts."""
        lanes = self.lanes
        if lanes.shapes[value] == UNIFORM:
            return lanes.scalar(value)
        type_ = lanes.vectors.type(value.dtype)
        vector = lanes.vector(value)
        lane = "0"
        if lanes.mask is not None:
            bits = lanes.function.let(
                f"bitcast {lanes.vectors.vector_of('i1')} {lanes.mask} to i{lanes.lanes}"
            )
            lane = lanes.function.let(
                lanes.scalars.intrinsic(
                    "cttz",
                    f"i{lanes.lanes}",
                    [(f"i{lanes.lanes}", bits), ("i1", "false")],
                    [f"i{lanes.lanes}"],
                )
            )
            return lanes.function.let(f"extractelement {type_} {vector}, i{lanes.lanes} {lane}")
        return lanes.function.let(f"extractelement {type_} {vector}, i64 {lane}")

    def _masked_store(
        self, name: str, type_: str, value: str, pointers: str, at: str, align: int
    ) -> str:
        lanes = self.lanes
        mask = lanes.mask or "splat (i1 true)"
        operands = [
            (type_, value),
            (pointers, at),
            ("i32", str(align)),
            (lanes.vectors.vector_of("i1"), mask),
        ]
        return lanes.vectors.intrinsic(f"masked.{name}", "void", operands, [type_, pointers])
