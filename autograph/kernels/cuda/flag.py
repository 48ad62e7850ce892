"""The flag that kernels look at while they run, and waiting for the device so that Ctrl-C is heard.

The flag is an int32 in pinned memory of the host, which a device reads where it is ("CUDA C++
Programming Guide", mapped memory). Each thread of the host has one for each device: it sets it for
the kernels that it has launched itself, and only after that waits for them, so that they leave.

A call of CUDA's that waits cannot be interrupted: Python handles a signal when it is back. So the
host asks again and again whether the device is done, first at once, then after pauses of a tenth of
the time that it has waited: so long it may be late.
"""

from __future__ import annotations

import ctypes
import threading
import time
from typing import Any

_BUSY = 200e-6  # seconds without a pause
_LONGEST_PAUSE = 1e-3
_NOT_READY = 600  # cudaErrorNotReady
_LANDING_AT = 64  # the bytes after the flag into which results are copied
LANDING_BYTES = 192


class Flag:
    """The flag of a thread for a device, and beside it a place for numbers from there.

    Attributes:
        address: of the flag, for the host and the device alike.
        landing: the address of that place.
    """

    def __init__(self, cupy: Any):
        runtime = cupy.cuda.runtime
        kinds = runtime.hostAllocMapped | runtime.hostAllocPortable
        self._memory = cupy.cuda.PinnedMemory(_LANDING_AT + LANDING_BYTES, kinds)
        self.address = int(self._memory.ptr)
        self.landing = self.address + _LANDING_AT
        self._number = ctypes.c_int32.from_address(self.address)
        self._number.value = 0

    @property
    def is_set(self) -> bool:
        """Whether kernels are told to end."""
        return bool(self._number.value)

    def set(self) -> None:
        """Tell kernels to end."""
        self._number.value = 1

    def clear(self) -> None:
        """Let kernels run."""
        self._number.value = 0


_flags = threading.local()
_left_set: list[Flag] = []  # whose kernels have not left when nobody waited any more


def flag_of(cupy: Any, device: int) -> Flag:
    """The flag of this thread for a device. It is not set."""
    known = _flags.__dict__.setdefault("by_device", {})
    flag = known.get(device)
    if flag is not None and flag.is_set:
        _left_set.append(flag)  # its memory must stay
        flag = None
    if flag is None:
        flag = known[device] = Flag(cupy)
    return flag


def wait(cupy: Any, stream: Any) -> None:
    """Wait until all is done that was launched on a stream.

    CuPy's `Stream.done` is False after an error of the device as well, and stays so: who asks it
    waits for ever. So the status is looked at.

    Raises:
        KeyboardInterrupt: the user wants that; the device goes on.
        RuntimeError: the device reports an error.
    """
    start = time.perf_counter()
    while (status := cupy.cuda.runtime.streamQuery(stream.ptr)) == _NOT_READY:
        waited = time.perf_counter() - start
        time.sleep(0 if waited < _BUSY else min(waited / 10, _LONGEST_PAUSE))  # others may run
    if status:
        stream.synchronize()  # raises it
