"""Errors that a device reports, as the project's."""

from __future__ import annotations

from autograph.errors import DeviceError, Location
from autograph.kernels.cuda.products import ProductError


def is_of_device(error: RuntimeError) -> bool:
    """Whether an error is what CUDA has reported, or cuBLAS."""
    return type(error).__module__.startswith("cupy") or type(error) is ProductError


def reported(error: RuntimeError, name: str, location: Location | None) -> DeviceError:
    """An error of the device: of what runs, or of what ran before it, since the host goes on while
    the device computes.

    Args:
        name, location: of what runs.
    """
    return DeviceError(
        f"the GPU reports '{error}' where the kernel of '{name}' runs, of this kernel or "
        "of what was launched before",
        location,
        fix="start Python anew with CUDA_LAUNCH_BLOCKING=1, which tells whose error it is; "
        "compute-sanitizer python ... tells which access",
    )
