"""Object files to functions in memory, by LLVM's JITLink: all parts of an object in one piece of
memory, calls out of it through tables beside it."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Mapping
from typing import Any

from autograph.kernels.native import compiler

_numbers = itertools.count()


class Code:
    """Machine code in memory, which stays there as long as this object lives.

    Attributes:
        addresses: of the functions and variables that were asked for.
        address: of the first one.
    """

    def __init__(self, tracker: Any, addresses: dict[str, int]):
        self._tracker = tracker
        self.addresses = addresses
        self.address = next(iter(addresses.values()))

    def keep(self) -> None:
        """Let it stay in memory until the process ends, whatever happens to this object."""
        self._tracker.detach()

    def __repr__(self) -> str:
        return f"<code of {', '.join(self.addresses)}>"


@functools.cache
def _linker() -> Any:
    """LLVM's linker, which stays until the process ends: code may still run in other threads when
    the interpreter is finished."""
    import llvmlite.binding as llvm

    compiler.host()
    linker = llvm.create_lljit_compiler(compiler.new_machine(), use_jit_link=True)
    linker._owned = True  # never disposed of
    return linker


def link(contents: bytes, names: Iterable[str], symbols: Mapping[str, int]) -> Code:
    """Bring an object file into memory.

    Args:
        contents: of the object file.
        names: the functions and variables in it that are asked for.
        symbols: what it may refer to, and their addresses. Anything else is looked up among what
            the process has loaded, like the functions of the C library.

    Raises:
        RuntimeError: the object refers to something that is not there.
    """
    import llvmlite.binding as llvm

    builder = llvm.JITLibraryBuilder().add_object_img(contents).add_current_process()
    for name, address in symbols.items():
        builder.import_symbol(name, address)
    names = tuple(names)
    for name in names:
        builder.export_symbol(name)
    with compiler.lock:
        tracker = builder.link(_linker(), f"kernel{next(_numbers)}")
    return Code(tracker, {name: tracker[name] for name in names})


def compile_kernel(text: str, name: str, quickly: bool = False) -> Code:
    """A kernel as machine code.

    Args:
        text: LLVM IR, which may call what `autograph.kernels.native.runtime` has.
        name: of the function, ``i32 name(ptr inputs, ptr outputs)``.
        quickly: see `autograph.kernels.llvm.effort`.

    Raises:
        ValueError: the text is not valid.
        RuntimeError: it calls a function that does not exist.
    """
    with compiler.lock:  # a process that is forked meanwhile could never import it
        from autograph.kernels.native.runtime import runtime

        symbols = runtime().symbols
    return link(compiler.object_code(text, quickly), (name,), symbols)
