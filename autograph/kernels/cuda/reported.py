"""Errors that a device reports, as the project's."""

from __future__ import annotations

from autograph.errors import DeviceError, Location, MemoryLimitError

# CuPy's errors, and what stands for one of cuBLASLt, which is not imported for this.
_MODULES = ("cupy", "autograph.kernels.cuda.products")
# What CUDA says where there is no GPU, or none for this driver and library.
_WITHOUT_GPU = (
    *("cudaErrorNoDevice", "cudaErrorInsufficientDriver", "cudaErrorStubLibrary"),
    *("cudaErrorSystemDriverMismatch", "cudaErrorSystemNotReady", "cudaErrorDevicesUnavailable"),
)


def is_of_device(error: Exception) -> bool:
    """Whether an error is what CUDA has reported, or one of its libraries."""
    return isinstance(error, RuntimeError) and type(error).__module__.startswith(_MODULES)


def is_out_of_memory(error: Exception) -> bool:
    """Whether CuPy has no more memory of the device."""
    return isinstance(error, MemoryError) and type(error).__module__.startswith("cupy")


def reported(error: Exception, name: str, location: Location | None) -> DeviceError:
    """An error of the device: of what runs, or of what ran before it, since the host goes on while
    the device computes.

    Args:
        name, location: of what runs; without a name it is no kernel.
    """
    if any(each in str(error) for each in _WITHOUT_GPU):
        return DeviceError(
            f"CuPy finds no GPU that it can use: {error}",
            location,
            fix="pass arrays of NumPy's, without backend='cupy'; on a machine with a GPU "
            "nvidia-smi tells which CUDA its driver has",
        )
    runs = f"the kernel of '{name}' runs, of this kernel" if name else "this line runs, of this"
    return DeviceError(
        f"the GPU reports '{error}' where {runs} or of what was launched before",
        location,
        fix="start Python anew with CUDA_LAUNCH_BLOCKING=1, which tells whose error it is; "
        "compute-sanitizer python ... tells which access",
    )


def out_of_memory(error: Exception, location: Location | None) -> MemoryLimitError:
    """That there is no more memory of the device, at the user's line."""
    return MemoryLimitError(
        f"the GPU has no more memory: {error}",
        location,
        fix="take less of the data at a time, or a gradient with memory=, which keeps less; "
        "cupy.get_default_memory_pool().free_all_blocks() gives back what is free",
    )
