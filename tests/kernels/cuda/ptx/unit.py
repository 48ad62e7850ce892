"""Kernels as NVRTC compiles them, on the CPU, in the place of the shim's."""

from __future__ import annotations

from collections.abc import Sequence

from autograph.kernels.cuda.compile import available, ptx
from autograph.kernels.cuda.plan import CudaKernel
from tests.kernels.cuda import shim
from tests.kernels.cuda.ptx.parse import parse
from tests.kernels.cuda.ptx.translate import translate

ARCHITECTURE = "sm_90"
available()  # loads CuPy's binding now: tests put something else in the place of CuPy


class Unit(shim.Unit):
    """Kernels compiled by NVRTC for a GPU, and its PTX for the host.

    Args:
        flags: for the host's compiler.
        races: whether a launch with a data race fails.

    Raises:
        ValueError: the PTX has something that is not translated.
        RuntimeError: the translation does not compile.
    """

    def text(self, kernels: Sequence[CudaKernel]) -> str:
        """The C++ of all kernels."""
        text = '#include "ptx/ptx.h"\n'
        for i, kernel in enumerate(kernels):
            module = parse(ptx(kernel.text, ARCHITECTURE))
            text += f"namespace kernel_{i} {{\n{translate(module, f'call_{i}_')}}}\n"
        return text
