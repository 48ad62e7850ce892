"""Data races that races.cpp finds in kernels on the CPU, told in terms of their text."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograph.kernels.cuda.plan import Entry


class _Side(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint) for name in ("block", "thread", "written", "atomic")]
    _fields_ += [("code", ctypes.c_ulonglong)]


class Race(ctypes.Structure):
    """A race, as races.h has it."""

    _fields_ = [
        ("address", ctypes.c_ulonglong),
        ("size", ctypes.c_uint),
        ("shared", ctypes.c_uint),
        ("before", _Side),
        ("now", _Side),
    ]


def instrumentation(compiler: str) -> tuple[str, ...]:
    """The flags by which loads and stores call the functions of races.cpp, volatile ones others."""
    volatile = ("--param", "tsan-distinguish-volatile=1")
    if "clang" in compiler:
        volatile = ("-mllvm", "-tsan-distinguish-volatile=1")
    return ("-fsanitize=thread", "-g1", *volatile)


def described(race: Race, library: str, entry: Entry, arguments: Sequence[Any]) -> str:
    """What threads do to which element, and where."""
    element = (_shared if race.shared else _global)(race, library, entry, arguments)
    sides = [_told(side, library) for side in (race.before, race.now)]
    return "\n".join([f"a data race in {entry.name} on {element}:", *sides])


def _told(side: _Side, library: str) -> str:
    access = ("reads", "writes")[side.written] + " atomically" * side.atomic
    return f"  thread {side.thread} of block {side.block} {access}: {_line(side.code, library)}"


def _line(code: int, library: str) -> str:
    """The line of a kernel's text that has an instruction."""
    source = library.removesuffix("so") + "cpp"
    command = ["addr2line", "-i", "-e", library, hex(code - 1)]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for place in found.splitlines():  # the innermost function first, then who it is inlined into
        path, _, number = place.split(" ")[0].rpartition(":")
        if path == source and number.isdigit():
            return (
                f"line {number}, {Path(source).read_text().splitlines()[int(number) - 1].strip()}"
            )
    return found.strip()


def _element(name: str, offset: int, size: int) -> str:
    """An element, as large as what was accessed."""
    return f"{name}[{offset // size}]" if offset % size == 0 else f"byte {offset} of {name}"


def _global(race: Race, library: str, entry: Entry, arguments: Sequence[Any]) -> str:
    """The argument that starts last before the address."""
    starts = [
        (int(given), argument.name or "a buffer")
        for given, (argument, kind) in zip(arguments, entry.parameters)
        if kind.endswith("*") and int(given) <= race.address
    ]
    start, name = max(starts, default=(0, "memory"))
    return _element(name, race.address - start, race.size)


def _shared(race: Race, library: str, entry: Entry, arguments: Sequence[Any]) -> str:
    """The array in shared memory that has the address, by the symbols of the library."""
    command = ["nm", "-C", "-S", "--defined-only", library]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for line in found.splitlines():
        start, *rest = line.split(" ", 3)
        if len(rest) == 3 and int(start, 16) <= race.address < int(start, 16) + int(rest[0], 16):
            name = rest[2].rpartition("::")[2]
            return "shared " + _element(name, race.address - int(start, 16), race.size)
    return f"shared memory at {race.address}"
