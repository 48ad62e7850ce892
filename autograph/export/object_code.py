"""A compiled function as an object file for any machine that LLVM knows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from autograph.api.calls.tracebacks import leaves_compiler
from autograph.errors import UnsupportedFunctionError
from autograph.export.header import header
from autograph.export.whole import WholeFunction, made_of
from autograph.kernels.c import declared
from autograph.kernels.llvm import Target, print_alone
from autograph.kernels.llvm.printer import AloneFunction
from autograph.kernels.mathematics import expanded
from autograph.kernels.native import available, compiler
from autograph.kernels.passes.splitting import split

# Short names of machines: LLVM's triple, and the processor.
_MACHINES = {
    "wasm32": ("wasm32-unknown-unknown", ""),
    "cortex-m0": ("thumbv6m-none-eabi", "cortex-m0"),
    "cortex-m4": ("thumbv7em-none-eabihf", "cortex-m4"),
    "cortex-m7": ("thumbv7em-none-eabihf", "cortex-m7"),
    "riscv32": ("riscv32-unknown-elf", ""),
    "aarch64": ("aarch64-unknown-linux-gnu", ""),
    "windows": ("x86_64-pc-windows-msvc", ""),
}
# Those whose processor has vectors of 16 bytes without being asked for features.
_HAVE_VECTORS = ("x86_64", "aarch64", "arm64")


@dataclass(frozen=True)
class ObjectCode:
    """A function as an object file.

    Attributes:
        code: the bytes of the file, of the format of the machine's system: ELF, COFF, Mach-O, or a
            WebAssembly module to be linked.
        header: the declaration of the function for C, with what it takes and gives.
        name: what the function is called.
        target: LLVM's name of the machine.
        memory: how many bytes of variables the module has, besides the stack.
        needed: functions of C that the function calls, to be linked with it; mostly there are none.
        text: what it was compiled from, LLVM IR.
    """

    code: bytes
    header: str
    name: str
    target: str
    memory: int
    needed: tuple[str, ...]
    text: str

    def save(self, path: str | Path) -> None:
        """Write the object file, and beside it the header, ``name.h``.

        Args:
            path: of the object file.
        """
        path = Path(path)
        path.write_bytes(self.code)
        path.with_name(f"{self.name}.h").write_text(self.header)

    def __str__(self) -> str:
        return self.text


@leaves_compiler
def object(
    function: Callable[..., Any],
    *args: Any,
    target: str | None = None,
    cpu: str = "",
    features: str = "",
    name: str | None = None,
    memory: int = 0,
    **kwargs: Any,
) -> ObjectCode:
    """A function, and what it calls, as one function in an object file.

    What it takes and gives is that of `autograph.export.c`, whose limits it shares. It needs no
    library: functions such as ``exp`` are part of it, as they are part of kernels. A machine
    without floats of 8 bytes calls those of its C compiler's own library.

    Args:
        function: any that is a native kernel as a whole; gradients and lanes of functions are.
        args, kwargs: arguments like those that it will have, see `GraphFunction.lower`.
        target: the machine: ``"wasm32"``, ``"cortex-m0"``, ``"cortex-m4"``, ``"cortex-m7"``,
            ``"riscv32"``, ``"aarch64"``, ``"windows"``, or LLVM's name of any, such as
            ``"arm64-apple-macos"``; this machine by default.
        cpu, features: LLVM's names of the processor and of what it has, such as ``"+simd128"``.
        name: of the function, by default that of the Python function.
        memory: how many bytes there are for what loops keep whose trips only the run counts, as
            those of a gradient do.

    Raises:
        UnsupportedFunctionError: a line has no native form, more memory is needed than is known,
            LLVM does not know the machine, or it is not installed.

    Examples:
        >>> def bounced(h, v, steps):
        ...     for _ in range(steps):
        ...         v = v - 9.81e-3
        ...         h = h + 1e-3 * v
        ...         if h < 0.0:
        ...             h, v = -h, -0.8 * v
        ...     return h
        >>> made = ag.export.object(bounced, 1.0, 0.0, 1000, target="wasm32")
        >>> made.code[:4], made.target, made.memory
        (b'\\x00asm', 'wasm32-unknown-unknown', 0)
    """
    if not available():
        raise UnsupportedFunctionError(
            "object files are made by LLVM, which cannot be used here",
            id="AG0751",
            fix="install llvmlite: pip install llvmlite; or write C: ag.export.c(f, ...)",
        )
    machine = _machine(target, cpu, features)

    def printed(whole: WholeFunction) -> AloneFunction:
        kernel = expanded(split(whole.kernel))
        return print_alone(kernel, machine, whole.constants, memory)

    whole, alone = made_of(function, args, kwargs, name, printed)
    called = whole.kernel.name
    try:
        code = compiler.object_for(alone.text, machine.triple, machine.cpu, machine.features)
    except ValueError as error:
        raise UnsupportedFunctionError(
            f"there is no code of '{called}' for '{machine.triple}': {error}",
            whole.main.location,
            id="AG0751",
            fix=f"name one of {', '.join(_MACHINES)}, or what LLVM calls the machine",
        ) from None
    declaration = declared(whole.kernel, called, whole.constants)
    return ObjectCode(
        code,
        header(declaration, whole.main),
        called,
        machine.triple,
        alone.memory,
        alone.needed,
        alone.text,
    )


def _machine(target: str | None, cpu: str, features: str) -> Target:
    """What LLVM has to know of a machine."""
    if target is None:
        triple, own = compiler.host().triple, ""
    else:
        triple, own = _MACHINES.get(target, (target, ""))
    machine = Target.of(triple, cpu or own, features)
    if triple.startswith(_HAVE_VECTORS) or "simd" in features or "avx" in features:
        return machine
    return replace(machine, vector_bytes=0)
