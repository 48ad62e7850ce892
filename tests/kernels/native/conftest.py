"""How kernels become functions that Python calls."""

import pytest


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
