"""What CUDA asks of a launch: "CUDA C++ Programming Guide", technical specifications per compute
capability, and what the driver's ``cuLaunchKernel`` refuses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograph.kernels.cuda.plan import Entry

MOST_THREADS = 1024  # of a block
MOST_BLOCKS = 2**31 - 1  # of a grid, along x
MOST_BYTES = 4096  # of all parameters, before CUDA 12.1

_C_TYPES = {
    "bool": 1,
    "char": 1,
    "int8": 1,
    "uint8": 1,
    "int16": 2,
    "uint16": 2,
    "int": 4,
    "uint32": 4,
    "int64": 8,
    "uint64": 8,
    "float": 4,
    "double": 8,
    "void": 1,
}
_POINTER = re.compile(r"(?:const |volatile )*([\w ]+?) ?\*")


def check_launch(entry: Entry, blocks: int, arguments: Sequence[Any], most: int) -> None:
    """Look whether a device would run an entry.

    Args:
        most: how many blocks of it run at once. ``cuLaunchCooperativeKernel`` refuses more
            (``CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE``).

    Raises:
        AssertionError: it would not, and why.
    """
    name = entry.name
    assert type(blocks) is int or isinstance(blocks, np.integer), (name, blocks)
    assert 1 <= blocks <= MOST_BLOCKS, f"{name}: {blocks} blocks"
    assert not entry.together or blocks <= most, f"{name}: {blocks} blocks run at once, of {most}"
    assert 1 <= entry.threads <= MOST_THREADS, f"{name}: {entry.threads} threads"
    assert len(arguments) == len(entry.parameters), f"{name}: {len(arguments)} arguments"
    place = 0
    for argument, (_, kind) in zip(arguments, entry.parameters):
        pointer = _POINTER.match(kind)
        if pointer:
            size, value = 8, int(argument)
            align = _C_TYPES[pointer[1].strip()]
            assert value % align == 0, f"{name}: {kind} at {value:#x} is not aligned"
            assert value != 0, f"{name}: {kind} at no place"
        else:
            size = _C_TYPES[kind.replace("const ", "").strip()]
            assert isinstance(argument, np.generic), f"{name}: {argument!r} for {kind}"
            assert argument.nbytes == size, f"{name}: {argument.dtype} for {kind}"
        place = -(-place // size) * size + size
    assert place <= MOST_BYTES, f"{name}: {place} bytes of parameters"
