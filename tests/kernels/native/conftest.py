"""How kernels become functions that Python calls."""

import time

import pytest

from ops.core.recording import threads_recording


@pytest.fixture(params=["machine code", "ctypes"])
def entry(request):
    """What makes such a function: the entry, and its reference."""
    from autograph.kernels.native.ctypes_entry import make_with_ctypes
    from autograph.kernels.native.entry import make

    if request.param == "ctypes":
        return lambda name, code, signature, slow, **_: make_with_ctypes(
            name, code, signature, slow
        )
    return make


@pytest.fixture(autouse=True)
def _nobody_records():
    """While a thread records, every call is looked up: threads of tests before may still do."""
    end = time.monotonic() + 10
    while threads_recording.value and time.monotonic() < end:
        time.sleep(0.01)
