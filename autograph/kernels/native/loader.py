"""Object files to functions in memory, by LLVM's JITLink: all parts of an object in one piece of
memory, calls out of it through tables beside it."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from autograph.kernels.native import compiler

# A library that was unloaded leaves some kilobytes in the linker that loaded it, which gets slower.
# So after so many libraries there is another linker.
_LIBRARIES = 16


class _Linker:
    """LLVM's linker, freed when it is full and none of what it has linked is used any more.

    Attributes:
        count: of libraries so far.
        used: those that are, by their numbers.
    """

    def __init__(self) -> None:
        import llvmlite.binding as llvm

        compiler.host()
        self._linker = llvm.create_lljit_compiler(compiler.new_machine(), use_jit_link=True)
        self.count = 0
        self.used: dict[int, Any] = {}

    def link(self, builder: Any) -> tuple[int, Any]:
        """Bring a library into memory; its number, and LLVM's tracker of it."""
        number = self.count = self.count + 1
        self.used[number] = None  # for other threads
        try:
            tracker = self.used[number] = builder.link(self._linker, f"kernel{number}")
        except BaseException:
            del self.used[number]
            raise
        return number, tracker

    def unload(self, number: int) -> None:
        """Free a library; called while nothing else is done with LLVM."""
        self.used.pop(number).close()
        self.free_if_done()

    def free_if_done(self) -> None:
        if self.count < _LIBRARIES or self.used:
            return
        with contextlib.suppress(KeyError):  # another thread does it
            _linkers.remove(self)
            self._linker.close()


# All that are in use, so that no garbage collector comes upon linkers and libraries before the code
# that needs them; they stay until the process ends, when code may still run in other threads.
_linkers: set[_Linker] = set()
_current: list[_Linker] = []

# Libraries of which the code is gone, until they are freed, when the next one is linked. Python
# drops what a handler of a signal raises in `__del__`, which is to take as little time as it can.
_unused: deque[tuple[_Linker, int]] = deque()


def _linker() -> _Linker:
    """A linker that is not full."""
    if not _current or _current[0].count >= _LIBRARIES:
        full = _current.copy()
        _current[:] = [_Linker()]
        _linkers.update(_current)
        for linker in full:
            linker.free_if_done()
    return _current[0]


class Code:
    """Machine code in memory, which stays there as long as this object lives.

    Attributes:
        addresses: of the functions and variables that were asked for.
        address: of the first one.
        tiers: of a kernel that was made quickly, what becomes of it.
        recipe: how it gets into memory in another process, if it is a kernel.
        kept: Python objects that it refers to.
    """

    def __init__(self, linker: _Linker, number: int, addresses: dict[str, int]):
        self._linker: _Linker | None = linker
        self._number = number
        self.addresses = addresses
        self.address = next(iter(addresses.values()))
        self.tiers: Any = None
        self.recipe: Any = None
        self.kept: list[Any] = []

    def keep(self) -> None:
        """Let it stay in memory until the process ends, whatever happens to this object."""
        self._linker = None

    def __del__(self) -> None:
        if self._linker is not None:
            _unused.append((self._linker, self._number))

    def __repr__(self) -> str:
        return f"<code of {', '.join(self.addresses)}>"


def free_unused() -> None:
    """Free the libraries of which the code is gone."""
    with compiler.at_work():
        while _unused:
            linker, number = _unused.popleft()
            linker.unload(number)


def link(contents: Iterable[bytes], names: Iterable[str], symbols: Mapping[str, int]) -> Code:
    """Bring object files into memory.

    Args:
        contents: of the object files.
        names: the functions and variables in them that are asked for.
        symbols: what they may refer to, and their addresses. Anything else is looked up among what
            the process has loaded, like the functions of the C library.

    Raises:
        RuntimeError: an object refers to something that is not there.
    """
    import llvmlite.binding as llvm

    builder = llvm.JITLibraryBuilder().add_current_process()
    for content in contents:
        builder.add_object_img(content)
    for name, address in symbols.items():
        builder.import_symbol(name, address)
    names = tuple(names)
    for name in names:
        builder.export_symbol(name)
    with compiler.at_work():
        free_unused()
        linker = _linker()
        number, tracker = linker.link(builder)
        return Code(linker, number, {name: tracker[name] for name in names})
