"""Kernels as LLVM IR.

    i32 @name(ptr %inputs, ptr %outputs)

``inputs`` is an array of slots of 8 bytes, one for each input of the kernel: the address of a
buffer's first element, or a scalar in the first bytes. ``outputs`` are addresses. The result is 0,
or the sum of 1 if a `Check` failed, 2 if there was no memory, 4 if Python raised KeyboardInterrupt
or what else a handler of signals raises.

What the text calls is in `autograph.kernels.native.runtime`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Buffer, Kernel, Var
from autograph.kernels.ir.reserved import bytes_reserved, least_reserved
from autograph.kernels.ir.temporaries import TemporaryPlacement
from autograph.kernels.llvm import text
from autograph.kernels.llvm.each import Loops
from autograph.kernels.llvm.effort import LARGE
from autograph.kernels.llvm.frame import FunctionFrame
from autograph.kernels.llvm.freestanding import FreestandingFrame
from autograph.kernels.llvm.functions import Functions
from autograph.kernels.llvm.mask_registers import without_mask_registers
from autograph.kernels.llvm.rooms import Rooms
from autograph.kernels.llvm.target import Target
from ops.core.records import dataclass

_SMALL = 60  # statements of a routine that is built in where it calls itself
_MOST_NESTED = 3  # calls of itself that such a one has
_IN_REGISTERS = 3  # numbers that a function returns
_SMALL_ACTIVATION = 512  # bytes of arrays on the stack of a function that calls itself
_SEPARATE = 40  # buffers; with more, the notes on which differ would be longer than the kernel


def print_llvm(kernel: Kernel, target: Target, comments: bool = False) -> str:
    """The text of a module that defines a kernel, with its routines.

    Args:
        comments: whether the text shows the lines of the user's file. That is for readers: compiled
            code is kept by its text, and should stay valid if lines move.

    Raises:
        NotImplementedError: the kernel has a function, or a statement where it stands, for which
            there is no native code.
    """
    parts = (kernel, *kernel.routines.values())
    module = _module(parts, kernel.name, target, comments)
    for name, routine in kernel.routines.items():
        module.routines[name] = _function_of(routine, module.name(name))
    for routine in kernel.routines.values():
        _define(routine, module, target, "internal ")
    return _kernel(kernel, module, target)


def print_apart(kernel: Kernel, target: Target, brief: Collection[ir.Each] = ()) -> str:
    """The text of a module that defines a kernel, in which its routines are only declared; see
    `print_llvm`.

    Args:
        brief: the loops that are gone through one by one, see `effort.brief_loops`.
    """
    module = _module((kernel,), kernel.name, target)
    module.brief = brief
    _declare(module, kernel.routines)
    return _kernel(kernel, module, target)


def print_routine(routine: Kernel, routines: Mapping[str, Kernel], target: Target) -> str:
    """The text of a module that defines a routine, in which others are only declared; see
    `print_llvm`."""
    module = _module((routine,), routine.name, target)
    others = {name: other for name, other in routines.items() if name != routine.name}
    _declare(module, {n: r for n, r in others.items() if n in _called(routine)})
    module.routines[routine.name] = _function_of(routine, f"@{routine.name}")
    _define(routine, module, target)
    return f"{_head(target)}{module}"


@dataclass(frozen=True)
class AloneFunction:
    """The text of a module that needs no runtime.

    Attributes:
        text: LLVM IR.
        memory: how many bytes of variables the module has.
        needed: the functions of C that it calls.
    """

    text: str
    memory: int
    needed: tuple[str, ...]


def print_alone(
    kernel: Kernel, target: Target, constants: Mapping[int, np.ndarray], memory: int = 0
) -> AloneFunction:
    """A module that defines a function of C, ``int name(...)``, of a kernel without routines: of
    scalars, and addresses of the elements of inputs, then of those of results.

    Args:
        constants: inputs that are tables in the module, by their positions.
        memory: how many bytes it may reserve, if it is known only at run time how many it needs.

    Raises:
        UnsupportedFunctionError: it reserves memory, and may not; see `bytes_reserved`.
        NotImplementedError: there is no native code for a function or a statement of it.
    """
    room = bytes_reserved(kernel, memory)
    module = _module((kernel,), kernel.name, target)
    frame = FreestandingFrame(module, target, kernel.name, "", uses.used(kernel.body))
    parameters = []
    for position, x in enumerate((*kernel.inputs, *kernel.outputs)):
        if isinstance(x, Buffer) and position in constants:
            data = constants[position].ravel()
            frame.pointers[x] = module.table(Buffer(x.dtype, x.size, "constant", x.name, data=data))
        else:
            parameters.append(_parameter(x, frame, "ptr"))
    for given, written in kernel.shared:
        frame.pointers[given] = frame.pointers[written]
    declared = f"{target.convention} i32 @{kernel.name}({', '.join(parameters)})".lstrip()
    frame.function.header = f"define {declared} nounwind"
    _body(kernel, frame, (lambda: frame.begin(room)) if room else lambda: None)
    return AloneFunction(f"{_head(target)}{module}", room + frame.static_bytes, module.needed)


def _parameter(x: Buffer | Var, frame: FunctionFrame, pointer: str) -> str:
    """A parameter of a function, which is the buffer or scalar in it."""
    own = frame.function.name(x.name)
    if isinstance(x, Buffer):
        frame.pointers[x] = own
        return f"{pointer} {own}"
    frame.values[x] = own
    return f"{_parameter_type(x)} {own}"


def _module(
    parts: Sequence[Kernel], name: str, target: Target, comments: bool = False
) -> text.LlvmModule:
    """A module to which the parts, the first with this name, will be printed."""
    statements = sum(1 for part in parts for _ in ir.walk(part.body))
    module = text.LlvmModule(comments, statements > LARGE)
    module.name(name)
    functions = {name: function for part in parts for name, function in part.functions.items()}
    module.callable = Functions(module, target, functions)
    return module


def _called(kernel: Kernel) -> set[str]:
    return {s.routine for s in ir.walk(kernel.body) if isinstance(s, ir.RoutineCall)}


def _declare(module: text.LlvmModule, routines: Mapping[str, Kernel]) -> None:
    """Declare functions that are defined elsewhere."""
    for name, routine in routines.items():
        module.name(name)
        function = module.routines[name] = _function_of(routine, f"@{name}")
        types = [_parameter_type(x) for x in _passed(routine, function)]
        types = ["ptr", *types] if function.recursive else types
        module.declare(function.type, name, *types, attributes=" nounwind")


def _function_of(routine: Kernel, name: str) -> text.RoutineFunction:
    """What the function of a routine is like: numbers that one which calls itself gives are in
    registers, if they are few."""
    if not routine.recursive:
        return text.RoutineFunction(name)
    changed = routine.changed
    numbers = [k for k, b in enumerate(routine.outputs) if b.size == 1 and k not in changed]
    returned = tuple(numbers[:_IN_REGISTERS])
    types = [text.memory_type(routine.outputs[k].dtype) for k in returned]
    type_ = text.returned_type(types)
    return text.RoutineFunction(name, type_, returned, True, routine.leaves_records)


def _passed(routine: Kernel, function: text.RoutineFunction) -> list[Buffer | Var]:
    """The inputs and outputs of a routine that are parameters of its function."""
    written = [b for k, b in enumerate(routine.outputs) if k not in function.returned]
    return [*routine.inputs, *written]


def _kernel(kernel: Kernel, module: text.LlvmModule, target: Target) -> str:
    """Print a kernel; the text of all of the module."""
    header = f"define i32 @{kernel.name}(ptr noalias %inputs, ptr noalias %outputs) nounwind"
    frame = FunctionFrame(module, target, kernel.name, header, uses.used(kernel.body))
    _body(kernel, frame, lambda: _parameters(kernel, frame))
    place = f"; {kernel.location}\n" if module.comments and kernel.location else ""
    if not module.comments:
        module.attributes = without_mask_registers(kernel, target)
    return f"{place}{_head(target)}{module}"


def _head(target: Target) -> str:
    return f'target triple = "{target.triple}"\n\n' if target.triple else ""


def _parameter_type(parameter: Buffer | Var) -> str:
    return "ptr" if isinstance(parameter, Buffer) else text.scalar_type(parameter.dtype)


def _routine(
    routine: Kernel,
    module: text.LlvmModule,
    target: Target,
    function: text.RoutineFunction,
    linkage: str = "",
    *,
    nested: bool = False,
) -> None:
    """Print a routine, a function of addresses and scalars.

    Args:
        nested: whether it is for an activation of the same routine, in which it is built in.
    """
    frame = FunctionFrame(module, target, routine.name, "", uses.used(routine.body))
    frame.leaves_records = function.leaves_records
    parameters = [_parameter(x, frame, "ptr noalias") for x in _passed(routine, function)]
    # It is there to be compiled once. A call that became a jump would not take room on the stack.
    attributes = "alwaysinline" if nested else "noinline"
    shared = frame.function.name("activations") if function.recursive else ""
    if function.recursive:
        parameters.insert(0, f"ptr noalias {shared}")
        attributes += ' "disable-tail-calls"="true"'
        frame.small = _SMALL_ACTIVATION

    keeps = any(isinstance(s, ir.Keep) for s in routine.body)

    def begin() -> None:
        if not function.recursive:
            return
        values = []
        for position in function.returned:
            buffer = routine.outputs[position]
            type_ = text.memory_type(buffer.dtype)
            frame.pointers[buffer] = frame.function.alloca(type_, 1, 8, buffer.name)
            values.append((frame.pointers[buffer], type_))
        frame.be_activation(shared, values, counts=not nested)
        if keeps:
            frame.mark_entry()

    header = f"define {linkage}{function.type} {function.name}({', '.join(parameters)})"
    frame.function.header = f"{header} nounwind {attributes}"
    _body(routine, frame, begin)


def _define(routine: Kernel, module: text.LlvmModule, target: Target, linkage: str = "") -> None:
    """Print the function of a routine, which the module has a name for. Of a small one that calls
    itself, every other call is built in where it is: it is no activation of its own."""
    function = module.routines[routine.name]
    calls = sum(1 for s in ir.walk(routine.body) if isinstance(s, ir.RoutineCall))
    statements = sum(1 for _ in ir.walk(routine.body))
    alone = _called(routine) == {routine.name}
    if not alone or calls > _MOST_NESTED or statements > _SMALL:
        _routine(routine, module, target, function, linkage)
        return
    nested = function._replace(name=module.name(f"{routine.name}.nested"))
    _routine(routine, module, target, nested, "internal ", nested=True)
    module.routines[routine.name] = nested
    _routine(routine, module, target, function, linkage)
    module.routines[routine.name] = function


def _body(kernel: Kernel, frame: FunctionFrame, begin: Callable[[], None]) -> None:
    """Print what a function does, after what it begins with."""
    rooms = Rooms(kernel)
    kernel = rooms.kernel
    frame.used |= uses.used(kernel.body)
    frame.first_bytes["kernel"] = least_reserved(kernel.body)
    plan = TemporaryPlacement(kernel, frame.hosted)
    groups, shared = _groups(kernel, plan), [*plan.overlapping, *rooms.overlapping]
    frame.module.separate(groups, shared, noted=len(groups) <= _SEPARATE)
    frame.module.examples.update(kernel.examples)
    begin()
    _temporaries(plan, frame)
    Loops(frame).block(kernel.body)
    frame.module.functions.append(frame.finish())


def _parameters(kernel: Kernel, frame: FunctionFrame) -> None:
    """Read the slots."""
    let = frame.function.let
    for array, parameters in (("%inputs", kernel.inputs), ("%outputs", kernel.outputs)):
        for k, parameter in enumerate(parameters):
            at = let(f"getelementptr inbounds i64, ptr {array}, i64 {k}")
            if isinstance(parameter, Buffer):
                frame.pointers[parameter] = let(
                    f"load ptr, ptr {at}, align 8, !invariant.load "
                    f"{frame.module.shared_metadata('!{}')}",
                    parameter.name,
                )
                continue
            value = let(
                f"load {text.memory_type(parameter.dtype)}, ptr {at}, align 8", parameter.name
            )
            if parameter.dtype.kind == "b":
                value = let(f"icmp ne i8 {value}, 0")
            frame.values[parameter] = value


def _temporaries(plan: TemporaryPlacement, frame: FunctionFrame) -> None:
    """Find memory for the temporaries."""
    if not plan.offsets:
        return
    start = ""
    if plan.nbytes <= frame.small:
        if plan.nbytes:
            start = frame.function.alloca("i8", plan.nbytes, 64, "temporaries")
    else:
        start = frame.scratch(plan.nbytes, "temporaries")
    for buffer, offset in plan.offsets.items():
        room = plan.room.get(buffer)
        at = start if room is None else frame.pointers[room]
        frame.pointers[buffer] = frame.function.let(
            f"getelementptr inbounds i8, ptr {at}, i64 {offset}", buffer.name
        )


def _groups(kernel: Kernel, plan: TemporaryPlacement) -> list[list[Buffer]]:
    """The kernel's buffers, those that may be the same memory together, but for temporaries. What
    is only read is together as well: it is enough to know that no store changes it."""
    together = {b: [b] for b in (*kernel.outputs, *plan.offsets)}
    read = [b for b in kernel.inputs if isinstance(b, Buffer)]
    together.update(dict.fromkeys(read, read))
    for s in ir.walk(kernel.body):
        if isinstance(s, ir.Local):
            together.setdefault(s.buffer, [s.buffer])
    touched = dict.fromkeys(uses.touched(kernel.body))
    # What a trip has reserved is free after it: memory of others may start there in the next one.
    lasting = {v for s in kernel.body for v in uses.results(s)}
    reserved = [b for b in touched if b.kind == "reserved"]
    together.update((b, [b]) for b in reserved if b.base in lasting)
    records = [b for b in touched if b.kind == "record"]
    records += [b for b in reserved if b.base not in lasting]
    together.update(dict.fromkeys(records, records))

    def join(a: Buffer, b: Buffer) -> None:
        if together[a] is not together[b]:
            merged = together[a] + together[b]
            together.update(dict.fromkeys(merged, merged))

    for given, written in kernel.shared:
        read.remove(given)
        together[given] = [given]
        join(given, written)
    return list({id(group): group for group in together.values()}.values())
