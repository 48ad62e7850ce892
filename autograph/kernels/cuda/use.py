"""Whether a GPU's kernels are wanted, and where they can stand."""

from __future__ import annotations

import os

from autograph.graph.graph import Graph


def enabled() -> bool:
    """Whether CUDA kernels run. Off unless ``AUTOGRAPH_CUDA_KERNELS=1``: they are compiled, and
    run on CPUs, by the tests, but have not been run on a GPU yet."""
    return os.environ.get("AUTOGRAPH_CUDA_KERNELS", "") == "1"


def captures() -> bool:
    """Whether launches of a kernel are put together to a graph of CUDA's. Off if
    ``AUTOGRAPH_CUDA_GRAPHS=0``."""
    return os.environ.get("AUTOGRAPH_CUDA_GRAPHS", "1") not in ("", "0")


def captures_programs() -> bool:
    """Whether all launches of a program are. Off if ``AUTOGRAPH_CUDA_GRAPHS`` is ``0``, or
    ``kernels``: each kernel has its own graph then."""
    return enabled() and captures() and os.environ.get("AUTOGRAPH_CUDA_GRAPHS", "") != "kernels"


def uses_cublaslt() -> bool:
    """Whether products of matrices are cuBLASLt's, if it is there. Off if
    ``AUTOGRAPH_CUBLASLT=0``."""
    return os.environ.get("AUTOGRAPH_CUBLASLT", "1") not in ("", "0")


def is_usable(graph: Graph) -> bool:
    """Whether a kernel for a graph leaves no number that has to be on the host: that would be a
    transfer that nobody sees."""
    return not any(v.type.weak for v in graph.outputs)
