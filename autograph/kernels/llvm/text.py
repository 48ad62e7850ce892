"""The text of LLVM IR: modules, functions, names, constants, metadata.

Instructions are lines; where a line must be known before its operands are (a phi of what the end of
a loop computes), it is left open, and filled in later.
"""

from __future__ import annotations

import functools
import re
import struct
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol

import numpy as np

from autograph.kernels.ir.ir import Buffer, Each, Number, Operand
from ops.core.records import NamedTuple

# Labels and parameters of functions.
_RESERVED = ("entry", "begin", "leave", "inputs", "outputs", "context", "from", "to")


def scalar_type(dtype: np.dtype) -> str:
    """The type of a scalar in a register."""
    if dtype.kind == "b":
        return "i1"
    if dtype.kind == "f":
        return "float" if dtype.itemsize == 4 else "double"
    return f"i{dtype.itemsize * 8}"


def memory_type(dtype: np.dtype) -> str:
    """The type of an element in memory: a bool is a byte."""
    return "i8" if dtype.kind == "b" else scalar_type(dtype)


def suffix(type_: str) -> str:
    """A type in the name of an intrinsic: ``v8f32`` of ``<8 x float>``."""
    if type_.startswith("<"):
        lanes, element = type_[1:-1].split(" x ")
        return f"v{lanes}{suffix(element)}"
    return {"float": "f32", "double": "f64", "ptr": "p0"}.get(type_, type_)


def vector_type(lanes: int, element: str) -> str:
    """The type of a vector."""
    return f"<{lanes} x {element}>"


def constant(number: Number) -> str:
    """A number. Floats are printed by their bits."""
    if number.dtype.kind == "b":
        return "true" if number.value else "false"
    if number.dtype.kind == "f":
        return float_constant(float(number.value))
    return str(int(number.value))


def float_constant(value: float) -> str:
    """A float32 or float64, which LLVM prints alike."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def splat(lanes: int, element: str, text: str) -> str:
    """A constant vector of equal elements."""
    if text in ("0", "false", "0x0000000000000000"):
        return "zeroinitializer"
    return f"splat ({element} {text})"


class OwnFunctions(Protocol):
    """The functions that a kernel defines for itself, by the names that it calls them."""

    def __contains__(self, name: object) -> bool: ...

    def parameters(self, name: str) -> list[np.dtype]:
        """The dtypes of what a function takes."""
        ...

    def branches(self, name: str) -> bool:
        """Whether a function has control flow."""
        ...

    def called(self, name: str, lanes: int | None) -> str:
        """The name, with its ``@``, of a function of vectors, or of scalars."""
        ...


def returned_type(types: Sequence[str]) -> str:
    """What a function returns: a status, and numbers of some types."""
    return f"{{{', '.join(['i32', *types])}}}" if types else "i32"


class RoutineFunction(NamedTuple):
    """The function that a routine is.

    Attributes:
        name: with its ``@``.
        type: of what it returns.
        returned: the positions of outputs that it returns, rather than write them to memory.
        recursive: whether it takes what activations share.
        leaves_records: see `autograph.kernels.ir.ir.Kernel`.
    """

    name: str
    type: str = "i32"
    returned: tuple[int, ...] = ()
    recursive: bool = False
    leaves_records: bool = False


class LlvmModule:
    """A module: functions, and what they declare.

    Attributes:
        functions: the text of each.
        attributes: that all of them have, besides their own.
        callable: the kernel's own functions.
        routines: the functions that its routines are, by the names of these.
        comments: whether they show the lines of the user's file.
        large: whether compiling takes so long that loops should not become more code.
        brief: the loops of independent trips that are gone through one by one.
        examples: see `autograph.kernels.ir.ir.Kernel`; of all that is printed so far.
    """

    def __init__(self, comments: bool, large: bool) -> None:
        self.comments = comments
        self.large = large
        self.brief: Collection[Each] = ()
        self.examples: dict[Operand, int] = {}
        self.functions: list[str] = []
        self.attributes = ""
        self.callable: OwnFunctions
        self.routines: dict[str, RoutineFunction] = {}
        self._declarations: dict[str, str] = {}
        self._helpers: dict[str, str] = {}
        self._shared: dict[str, str] = {}
        self._tables: dict[Buffer, str] = {}
        self._globals: list[str] = []
        self._metadata: list[str] = []
        self._names: dict[str, int] = {}
        self._notes: dict[Buffer, str] = {}
        self._groups: dict[Buffer, int] = {}
        self._meeting: list[set[int]] = []  # of each group, those with the same memory at times

    def name(self, hint: str) -> str:
        """A name of a global that no other has, with its ``@``."""
        return _unique(hint, self._names, "@")

    def declare(self, result: str, name: str, *parameters: str, attributes: str = "") -> str:
        """Declare a function of C or LLVM.

        Returns:
            The name with its ``@``.
        """
        self._declarations.setdefault(
            name, f"declare {result} @{name}({', '.join(parameters)}){attributes}"
        )
        return "@" + name

    def outside(self, name: str) -> str:
        """Declare memory that is not of the module's.

        Returns:
            The name with its ``@``.
        """
        self._declarations.setdefault(name, f"@{name} = external global i8")
        return "@" + name

    def helper(self, hint: str, define: Callable[[str], str]) -> str:
        """A function that is defined once.

        Args:
            define: gives its text, from its name.

        Returns:
            The name with its ``@``.
        """
        if hint not in self._helpers:
            self._helpers[hint] = self.name("lanes." + hint)
            self.functions.append(define(self._helpers[hint]))
        return self._helpers[hint]

    def table(self, buffer: Buffer) -> str:
        """The name of a constant array with the elements of a buffer."""
        if buffer not in self._tables and buffer.data is not None:
            name = self._tables[buffer] = self.name(buffer.name or "table")
            type_ = memory_type(buffer.dtype)
            numbers = [Number(x, buffer.dtype) for x in buffer.data]
            if buffer.dtype.kind == "b":
                items = [f"i8 {int(x.value)}" for x in numbers]
            else:
                items = [f"{type_} {constant(x)}" for x in numbers]
            self._globals.append(
                f"{name} = private unnamed_addr constant [{len(items)} x {type_}] "
                f"[{', '.join(items)}], align 64"
            )
        return self._tables[buffer]

    def define(self, text: str) -> None:
        """Add a variable of the module's."""
        self._globals.append(text)

    @property
    def needed(self) -> tuple[str, ...]:
        """The functions of C that it calls."""
        return tuple(name for name in self._declarations if not name.startswith("llvm."))

    def metadata(self, text: str) -> str:
        """Add a node of metadata.

        Returns:
            Its name.
        """
        self._metadata.append(f"!{len(self._metadata)} = {text}")
        return f"!{len(self._metadata) - 1}"

    def shared_metadata(self, text: str) -> str:
        """A node of metadata that is the same for all who ask."""
        if text not in self._shared:
            self._shared[text] = self.metadata(text)
        return self._shared[text]

    def plain_loop(self) -> str:
        """A note on a branch back: the loop is not to be unrolled or made a vector loop."""
        node = f"!{len(self._metadata)}"
        self._metadata.append("")
        rules = [
            self.shared_metadata('!{!"llvm.loop.unroll.disable"}'),
            self.shared_metadata('!{!"llvm.loop.vectorize.enable", i1 false}'),
        ]
        self._metadata[int(node[1:])] = f"{node} = distinct !{{{node}, {', '.join(rules)}}}"
        return f", !llvm.loop {node}"

    def separate(
        self,
        groups: Sequence[Sequence[Buffer]],
        shared: Iterable[tuple[Buffer, Buffer]] = (),
        noted: bool = True,
    ) -> None:
        """Say which buffers are different memory: those of different groups.

        Args:
            shared: of different groups, at different times the same memory all the same.
            noted: whether the text says so.
        """
        self._groups = {buffer: k for k, group in enumerate(groups) for buffer in group}
        self._meeting = meeting = [{k} for k in range(len(groups))]
        for a, b in shared:
            one, other = self._groups[a], self._groups[b]
            meeting[one].add(other)
            meeting[other].add(one)
        if len(groups) < 2 or not noted:
            return
        domain = f"!{len(self._metadata)}"
        self.metadata(f'distinct !{{{domain}, !"buffers"}}')
        scopes = []
        for group in groups:
            scope = f"!{len(self._metadata)}"
            self.metadata(f'distinct !{{{scope}, {domain}, !"{_clean(group[0].name or "")}"}}')
            scopes.append(scope)
        for k, group in enumerate(groups):
            own = self.metadata(f"!{{{scopes[k]}}}")
            others = ", ".join(s for j, s in enumerate(scopes) if j not in meeting[k])
            note = f", !alias.scope {own}"
            if others:
                note += f", !noalias {self.metadata(f'!{{{others}}}')}"
            for buffer in group:
                self._notes[buffer] = note

    def group(self, buffer: Buffer) -> int:
        """A number that buffers have in common if they may be the same memory. -1: a constant."""
        return self._groups.get(buffer, -1)

    def groups_at(self, buffer: Buffer) -> set[int]:
        """The numbers of what is the same memory as a buffer, be it at other times."""
        group = self.group(buffer)
        return {group} if group < 0 else self._meeting[group]

    def note(self, buffer: Buffer) -> str:
        """The metadata of an access to a buffer."""
        return self._notes.get(buffer, "")

    def __str__(self) -> str:
        functions = self.functions
        if self.attributes:
            functions = [f.replace(" {\n", " #0 {\n", 1) for f in functions]
        parts = [
            "\n".join(self._globals),
            "\n\n".join(reversed(functions)),  # the ones that call others first
            "\n".join(self._declarations.values()),
            "\n".join(self._metadata),
            f"attributes #0 = {{ {self.attributes} }}" if self.attributes else "",
        ]
        return "\n\n".join(p for p in parts if p) + "\n"


class LlvmFunction:
    """A function under construction, instruction by instruction.

    Attributes:
        label: of the block that is being filled.
        ended: whether that has its last instruction.
    """

    def __init__(self, header: str) -> None:
        self.header = header
        self.allocas: list[str] = []
        self.lines: list[str] = []
        self.label = "entry"
        self.ended = False
        self._comment = ""
        self._names: dict[str, int] = dict.fromkeys(_RESERVED, 0)

    # -- names -------------------------------------------------------------------------------------

    def name(self, hint: str | None = None) -> str:
        """A name of a value that no other has, with its ``%``."""
        return _unique(hint or "v", self._names, "%")

    def new_label(self, hint: str) -> str:
        """A name of a block that no other has."""
        return _unique(hint, self._names, "")

    # -- instructions ------------------------------------------------------------------------------

    def comment(self, text: str) -> None:
        """Add a line for the reader, unless it is the same as the last one."""
        if text != self._comment:
            self._comment = text
            self.lines.append(f"  ; {text}")

    def do(self, instruction: str) -> None:
        """Add an instruction without a result."""
        self.lines.append("  " + instruction)

    def let(self, instruction: str, hint: str | None = None) -> str:
        """Add an instruction.

        Returns:
            The name of its result.
        """
        name = self.name(hint)
        self.lines.append(f"  {name} = {instruction}")
        return name

    def alloca(self, type_: str, count: int, align: int, hint: str | None) -> str:
        """Memory of the function's, made when it is entered."""
        name = self.name(hint)
        self.allocas.append(f"  {name} = alloca {type_}, i64 {count}, align {align}")
        return name

    def jump(self, label: str, note: str = "") -> None:
        """End the block."""
        self.do(f"br label %{label}{note}")
        self.ended = True

    def branch(self, condition: str, yes: str, no: str, note: str = "") -> None:
        """End the block."""
        self.do(f"br i1 {condition}, label %{yes}, label %{no}{note}")
        self.ended = True

    def start(self, label: str) -> None:
        """Begin a block; jump to it from the one before, unless that has ended."""
        if not self.ended:
            self.jump(label)
        self.lines.append(f"{label}:")
        self.label = label
        self.ended = False

    def open_phi(self, type_: str, hint: str | None = None) -> Phi:
        """A phi whose operands come later."""
        name = self.name(hint)
        self.lines.append("")
        return Phi(self, len(self.lines) - 1, type_, name)

    def phi(self, type_: str, incoming: Sequence[tuple[str, str]], hint: str | None = None) -> str:
        """The value of the block that one came from."""
        phi = self.open_phi(type_, hint)
        for value, label in incoming:
            phi.add(value, label)
        return phi.name

    def __str__(self) -> str:
        return "\n".join([f"{self.header} {{", "entry:", *self.allocas, *self.lines, "}"])


class Phi:
    """An instruction that is completed as its operands become known."""

    def __init__(self, function: LlvmFunction, line: int, type_: str, name: str) -> None:
        self._function = function
        self._line = line
        self._incoming: list[str] = []
        self.type = type_
        self.name = name

    def add(self, value: str, label: str) -> None:
        """One more operand."""
        self._incoming.append(f"[ {value}, %{label} ]")
        self._function.lines[self._line] = (
            f"  {self.name} = phi {self.type} {', '.join(self._incoming)}"
        )


@functools.lru_cache(maxsize=4096)  # most scalars have one of a few hints
def _clean(hint: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.]", "_", hint)


def _unique(hint: str, taken: dict[str, int], sigil: str) -> str:
    """A name that is not taken: the hint, or the hint and a number."""
    clean = _clean(hint)
    if not clean or clean[0].isdigit():
        clean = "_" + clean
    name = clean
    while name in taken:
        taken[clean] += 1
        name = f"{clean}.{taken[clean]}"
    taken[name] = 0
    return sigil + name
