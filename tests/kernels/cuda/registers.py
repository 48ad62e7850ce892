"""What the threads of printed kernels use, as NVRTC says, which needs no GPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.cuda import compile as nvrtc
from autograph.kernels.cuda.compile import Resources
from autograph.kernels.cuda.plan import CudaKernel, Entry
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.selection.parts import select

ARCHITECTURES = ["sm_80", "sm_90", "sm_100"]


def kernel_of(program: Any, *shape: int, dtype: Any = np.float64) -> CudaKernel:
    """The kernel for a GPU of a program of one array, printed."""
    graph = ag.to_graph(program).graph(np.zeros(shape, dtype))
    (kernel,) = select(graph, host=False).kernels.values()
    return print_cuda(kernel)


def used_by(printed: CudaKernel, architecture: str) -> list[tuple[Entry, Resources]]:
    """What each entry uses; skips the test where this NVRTC does not know the architecture."""
    if architecture not in nvrtc.architectures():
        pytest.skip(f"this NVRTC does not know {architecture}")
    found = nvrtc.compile_cuda(printed.text, architecture).resources
    return [(entry, found[entry.name]) for entry in printed.entries]
