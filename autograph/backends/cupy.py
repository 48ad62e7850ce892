"""CuPy: arrays in the memory of an NVIDIA GPU.

CuPy is imported when it is first needed, so that this module can be imported, and programs for it
generated and read, on machines without it.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from autograph.errors import MissingLibraryError

name = "cupy"
host = False
kernels = "cuda"


def module() -> ModuleType:
    """The array library.

    Raises:
        MissingLibraryError: CuPy is not installed.
    """
    try:
        import cupy
    except ImportError as error:
        raise MissingLibraryError(
            f"the backend 'cupy' needs CuPy, which cannot be imported ({error})",
            fix="pip install 'autograph-compiler[cuda13]', or [cuda12] for CUDA 12",
        ) from error
    return cupy


def from_host(x: Any) -> Any:
    """A NumPy array or scalar as an array on the current device."""
    return module().asarray(x)


def to_host(x: Any) -> Any:
    """An array on the device as a NumPy array; anything else as it is."""
    return x.get() if is_array(x) else x


def is_array(x: Any) -> bool:
    """Whether ``x`` is a CuPy array. Does not import CuPy: without it nothing is."""
    cupy = sys.modules.get("cupy")
    return cupy is not None and isinstance(x, cupy.ndarray)
