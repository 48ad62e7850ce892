"""Executes printed kernels on a GPU, with guards around what they may write."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cupy
import numpy as np

from autograph.kernels.cuda import launch
from autograph.kernels.cuda.compile import CompilationError, binary
from autograph.kernels.cuda.launch import GpuDevice
from autograph.kernels.cuda.plan import CudaKernel, Entry

_GUARD = 256


class Unit:
    """Kernels on the current device.

    Args:
        flags, races: are for the shim.

    Raises:
        CompilationError: NVRTC or the driver refuses one.
    """

    def __init__(
        self, kernels: Sequence[CudaKernel], flags: Sequence[str] = (), races: bool = True
    ):
        self.kernels = list(kernels)  # entries are known by their ids
        architecture = f"sm_{cupy.cuda.Device().compute_capability}"
        for kernel in kernels:
            binary(kernel.text, architecture)
        self.texts = {id(entry): kernel.text for kernel in kernels for entry in kernel.entries}


class Gpu:
    """The current device, for `autograph.kernels.cuda.run.run`.

    Args:
        blocks: how many a grid may have at most where it covers the device; None: as many as the
            device runs at once, as in use.
        seed: is for the shim.
        poison: of each byte of memory that is allocated.
    """

    def __init__(self, unit: Unit, blocks: int | None = 3, seed: int = 0, poison: int = 0xAB):
        self.unit = unit
        self.blocks = blocks
        self.poison = poison
        self.launches: list[tuple[str, int]] = []
        self._memory: list[tuple[cupy.ndarray, int]] = []
        self._devices: dict[str, GpuDevice] = {}

    def _device(self, text: str | None = None) -> GpuDevice:
        """The device with the entries of a text, or of any."""
        text = self.unit.kernels[0].text if text is None else text
        if text not in self._devices:
            self._devices[text] = GpuDevice(text)
        return self._devices[text]

    def allocate(self, nbytes: int, what: object = None) -> int:
        """Memory that is poisoned, between guards."""
        memory = cupy.full(nbytes + 2 * _GUARD, self.poison, cupy.uint8)
        self._memory.append((memory, nbytes))
        return memory.data.ptr + _GUARD

    def check(self) -> None:
        """Look whether anything was written next to an allocation."""
        for memory, nbytes in self._memory:
            assert bool((memory[:_GUARD] == self.poison).all()), "written before the start"
            after = memory[_GUARD + nbytes :]
            assert bool((after == self.poison).all()), "written past the end"

    def put(self, array: np.ndarray) -> int:
        """An array's contents on the device."""
        memory = self.allocate(array.nbytes)
        if array.nbytes:
            kind = cupy.cuda.runtime.memcpyHostToDevice
            cupy.cuda.runtime.memcpy(memory, array.ctypes.data, array.nbytes, kind)
        return memory

    def clear(self, memory: int, nbytes: int) -> None:
        self._device().clear(memory, nbytes)

    def copy(self, to: int, source: int, nbytes: int) -> None:
        self._device().copy(to, source, nbytes)

    def at(self, memory: int, offset: int) -> int:
        return memory + offset

    def read(self, memory: int, dtype: np.dtype, count: int) -> np.ndarray:
        return self._device().read(memory, dtype, count)

    def most_blocks(self, entry: Entry) -> int:
        if self.blocks is not None:
            return self.blocks
        return self._device(self.unit.texts[id(entry)]).most_blocks(entry)

    def launch(self, entry: Entry, blocks: int, arguments: Sequence[Any]) -> None:
        self.launches.append((entry.name, blocks))
        self._device(self.unit.texts[id(entry)]).launch(entry, blocks, arguments)

    def multiply(self, s: Any, a: int, b: int, c: int, added: Any = None) -> bool:
        return self._device().multiply(s, a, b, c, added)

    def stop_flag(self) -> int:
        return self._device().stop_flag()

    def end(self) -> None:
        self._device().end()


class Watched:
    """What programs do on the device, as `tests.kernels.cuda.cupy_stand_in.StandIn` has it.

    Attributes:
        launches: the names of entries, in order.
        copies: to the host, in bytes.
        memory: what kernels may still allocate, in bytes; None: any.
        refused: whether the kernels' text is refused.
    """

    def __init__(self) -> None:
        self.launches: list[str] = []
        self.copies: list[int] = []
        self.memory: int | None = None
        self.refused = False


def watched(monkeypatch) -> Watched:
    """CuPy, with kernels turned on, and a record of what they do."""
    made, functions = Watched(), launch._functions

    class WatchedDevice(GpuDevice):
        def allocate(self, nbytes, what):
            if made.memory is not None:
                made.memory -= nbytes
                if made.memory < 0:
                    raise MemoryError("there is no more")
            return super().allocate(nbytes, what)

        def read(self, memory, dtype, count):
            found = super().read(memory, dtype, count)
            made.copies.append(found.nbytes)
            return found

        def launch(self, entry, blocks, arguments):
            made.launches.append(entry.name)
            super().launch(entry, blocks, arguments)

        def multiply(self, s, a, b, c, added=None):
            is_launched = super().multiply(s, a, b, c, added)
            made.launches += ["a product"] * is_launched
            return is_launched

    def loaded(text, device, architecture):
        if made.refused:
            raise CompilationError("refused", text)
        return functions(text, device, architecture)

    monkeypatch.setenv("AUTOGRAPH_CUDA_KERNELS", "1")
    monkeypatch.setattr(launch, "GpuDevice", WatchedDevice)
    monkeypatch.setattr(launch, "_functions", loaded)
    return made
