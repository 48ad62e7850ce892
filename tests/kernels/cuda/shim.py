"""Runs printed CUDA kernels on the CPU: the same text, through the host's C++ compiler.

`HostDevice` is a device for `autograph.kernels.cuda.run.run`. Memory is filled with garbage and
has guards around it, which `HostDevice.check` looks at.
"""

from __future__ import annotations

import _ctypes
import ctypes
import functools
import os
import shutil
import subprocess
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograph.kernels.cuda.plan import Added, CudaKernel, Entry
from autograph.kernels.ir import ir
from tests.kernels.cuda.races import Race, described, instrumentation
from tests.kernels.cuda.rules import check_launch

_SOURCES = Path(__file__).parent
_GUARD = 256
_FLAGS = (
    "-std=c++17 -O1 -fPIC -fwrapv -ffp-contract=off -fno-builtin -fvisibility=hidden -w".split()
)


@functools.cache
def compiler() -> str:
    """The host's C++ compiler; skips the test if there is none."""
    found = os.environ.get("CXX") or next(filter(None, map(shutil.which, ("g++", "clang++"))), None)
    if not found:
        pytest.skip("there is no C++ compiler (g++, clang++, or CXX)")
    return found


@functools.cache
def _directory() -> tempfile.TemporaryDirectory:
    return tempfile.TemporaryDirectory(prefix="autograph-cuda-")


@functools.cache
def _runtime() -> tuple[str, ...]:
    """The scheduler of fibres and what finds races, compiled."""
    made = []
    for name in ("fibres", "races"):
        made.append(f"{_directory().name}/{name}.o")
        source = str(_SOURCES / f"{name}.cpp")
        subprocess.run([compiler(), *_FLAGS, "-O2", "-c", source, "-o", made[-1]], check=True)
    return tuple(made)


@functools.cache
def _libraries() -> str:
    """An empty library that needs those of C++: what is linked with it finds their functions when
    it is loaded. To go through thousands of names whenever a kernel is linked takes three times
    as long as to compile a small one."""
    empty, library = (f"{_directory().name}/libraries.{end}" for end in ("cpp", "so"))
    Path(empty).write_text("")
    _compile(["-shared", "-Wl,--no-as-needed", empty, "-o", library])
    return library


def _compile(command: Sequence[str]) -> None:
    done = subprocess.run([compiler(), *_FLAGS, *command], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{command}\n{done.stderr[:4000]}")


class Unit:
    """Kernels compiled together for the host.

    Args:
        flags: for the compiler.
        races: whether a launch with a data race fails.

    Raises:
        RuntimeError: they do not compile.
    """

    _count = 0

    def __init__(
        self, kernels: Sequence[CudaKernel], flags: Sequence[str] = (), races: bool = True
    ):
        text = self.text(kernels)
        Unit._count += 1
        base = Path(_directory().name) / f"unit{Unit._count}"
        base.with_suffix(".cpp").write_text(text)
        source, compiled, library = (f"{base}.{end}" for end in ("cpp", "o", "so"))
        # In two steps: when it links, the compiler would add the sanitizer's own library.
        sanitized = instrumentation(compiler()) if races else ()
        _compile([*flags, *sanitized, f"-I{_SOURCES}", "-c", source, "-o", compiled])
        needed = ("-nodefaultlibs", "-Wl,--no-as-needed", _libraries())
        _compile(["-shared", compiled, *_runtime(), *needed, "-o", library])
        self.library = ctypes.CDLL(library)
        # Or hundreds of them would keep the stacks of all fibres, and what is known of each byte.
        weakref.finalize(self, _ctypes.dlclose, self.library._handle).atexit = False
        self.library.found_race.restype = ctypes.POINTER(Race)
        self.library.found_misaligned.restype = ctypes.POINTER(ctypes.c_ulonglong * 2)
        self.calls = {
            id(entry): getattr(self.library, f"call_{i}_{entry.name}")
            for i, kernel in enumerate(kernels)
            for entry in kernel.entries
        }
        self.kernels = list(kernels)  # entries are known by their ids

    def text(self, kernels: Sequence[CudaKernel]) -> str:
        """The C++ of all kernels: each entry takes an array of the places of its arguments."""
        text = '#include "device.h"\n'
        for i, kernel in enumerate(kernels):
            own = kernel.text.replace('extern "C" ', "")  # names of several kernels may be equal
            text += f"namespace kernel_{i} {{\n{own}}}\n"
        for i, kernel in enumerate(kernels):
            for entry in kernel.entries:
                given = ", ".join(f"*({c} *)a[{k}]" for k, (_, c) in enumerate(entry.parameters))
                text += (
                    f'extern "C" __attribute__((visibility("default"))) '
                    f"void call_{i}_{entry.name}(void **a) "
                    f"{{ using namespace kernel_{i}; kernel_{i}::{entry.name}({given}); }}\n"
                )
        return text


class HostDevice:
    """A device that is the CPU.

    Args:
        blocks: how many run at once, which the grids of kernels are made for.
        seed: of the order of blocks and threads.
        adds: whether products are computed with what is added to them.
    """

    def __init__(self, unit: Unit | None, blocks: int = 3, seed: int = 0, adds: bool = True):
        self.unit = unit
        self.adds = adds
        self.blocks = blocks
        self.seed = seed
        self.launches: list[tuple[str, int]] = []
        self.flag = ctypes.c_int32(0)
        self._memory: list[tuple[np.ndarray, int]] = []

    def allocate(self, nbytes: int, what: object = None) -> int:
        memory = np.full(nbytes + 2 * _GUARD + 256, 0xAB, np.uint8)
        start = -(-(memory.ctypes.data + _GUARD) // 256) * 256
        self._memory.append((memory, start - memory.ctypes.data, nbytes))
        return start

    def check(self) -> None:
        """Look whether anything was written next to an allocation."""
        for memory, start, nbytes in self._memory:
            assert (memory[:start] == 0xAB).all(), "written before the start"
            assert (memory[start + nbytes :] == 0xAB).all(), "written past the end"

    def put(self, array: np.ndarray) -> int:
        """An array's contents in memory of the device."""
        memory = self.allocate(array.nbytes)
        ctypes.memmove(memory, array.ctypes.data, array.nbytes)
        return memory

    def clear(self, memory: int, nbytes: int) -> None:
        ctypes.memset(memory, 0, nbytes)

    def copy(self, to: int, source: int, nbytes: int) -> None:
        ctypes.memmove(to, source, nbytes)

    def at(self, memory: int, offset: int) -> int:
        return memory + offset

    def view(self, memory: int, dtype: Any, count: int) -> np.ndarray:
        """Memory as an array."""
        nbytes = count * np.dtype(dtype).itemsize
        return np.frombuffer((ctypes.c_char * nbytes).from_address(memory), dtype)

    def read(self, memory: int, dtype: np.dtype, count: int) -> np.ndarray:
        return self.view(memory, dtype, count).copy()

    def most_blocks(self, entry: Entry) -> int:
        return self.blocks

    def launch(self, entry: Entry, blocks: int, arguments: Sequence[Any]) -> None:
        check_launch(entry, blocks, arguments, self.blocks)
        cells = [np.array([x if isinstance(x, np.generic) else np.uint64(x)]) for x in arguments]
        given = (ctypes.c_void_p * len(cells))(*(cell.ctypes.data for cell in cells))
        message = ctypes.create_string_buffer(4000)
        self.seed += 1
        self.launches.append((entry.name, blocks))
        done = self.unit.library.run_grid(
            self.unit.calls[id(entry)],
            given,
            blocks,
            entry.threads,
            int(entry.cooperative),
            self.blocks,
            ctypes.c_uint64(self.seed),
            message,
            ctypes.c_size_t(len(message)),
        )
        assert done, message.value.decode()
        wrong = self.unit.library.found_misaligned()
        assert not wrong, f"{entry.name}: {wrong.contents[1]} bytes at {wrong.contents[0]:#x}"
        race = self.unit.library.found_race()
        assert not race, described(race.contents, self.unit.library._name, entry, arguments)

    def stop_flag(self) -> int:
        return ctypes.addressof(self.flag)

    def end(self) -> None:
        self.flag.value = 0  # each launch has ended when it is back

    def multiply(self, s: ir.Multiply, a: int, b: int, c: int, added: Added | None = None) -> bool:
        if added is not None and not self.adds:
            return False
        item, shift = s.c.dtype.itemsize, added.step if added else 0
        for k in range(s.batch):
            steps = [k * step * item for step in (s.a_step, s.b_step, s.c_step, shift)]
            places = [x + step for x, step in zip((a, b, c), steps)]
            also = added and Added(added.place + steps[-1], added.stride, 0)
            self._multiply_one(s, *places, also)
        return True

    def _multiply_one(self, s: ir.Multiply, a: int, b: int, c: int, added: Added | None) -> None:
        def matrix(memory, dtype, rows, columns, stride):
            flat = self.view(memory, dtype, max((rows - 1) * stride + columns, 0))
            strides = (stride * flat.itemsize, flat.itemsize)
            return np.lib.stride_tricks.as_strided(flat, (rows, columns), strides)

        a_shape = (s.inner, s.rows) if s.a_transposed else (s.rows, s.inner)
        b_shape = (s.columns, s.inner) if s.b_transposed else (s.inner, s.columns)
        x = matrix(a, s.a.dtype, *a_shape, s.a_stride)
        y = matrix(b, s.b.dtype, *b_shape, s.b_stride)
        z = matrix(c, s.c.dtype, s.rows, s.columns, s.c_stride)
        product = (x.T if s.a_transposed else x) @ (y.T if s.b_transposed else y)
        z[...] = s.alpha * product + (s.beta * z if s.beta else 0)
        if added is not None:
            z += matrix(added.place, s.c.dtype, s.rows, s.columns, added.stride)
