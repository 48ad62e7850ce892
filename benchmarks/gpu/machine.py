"""Versions, and what the device can do at most: copies of memory, products of matrices, and
arithmetic as kernels have it, where no product and sum are one operation."""

from __future__ import annotations

import importlib.metadata
import platform
import sys
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

import autograph as ag
from benchmarks import machine
from benchmarks.gpu import device
from benchmarks.gpu.records import FAILED, MEASURED, Records

PACKAGES = (
    "numpy",
    "cupy-cuda13x",
    "cupy-cuda12x",
    "nvidia-cuda-nvrtc",
    "llvmlite",
    "jax",
    "torch",
)
COPY = "copy of memory"
PRODUCT = "product of matrices, "
ARITHMETIC = "arithmetic, "
_TRIPS = 256


def chained(x):
    """Two operations in each trip, without memory."""
    for _ in range(_TRIPS):
        x = x * 0.75 + 0.25
    return x


def main(path: str) -> None:
    """Write what is known of the machine. What cannot be measured leaves the rest as it is."""
    records = Records(path, "machine")
    records.begin("versions")
    cupy = device.cupy()
    records.add("versions", MEASURED, **_versions(cupy))
    checks: list[tuple[str, Callable[[], dict[str, float]]]] = [(COPY, lambda: _copy(cupy))]
    for dtype in ("float32", "float64"):
        checks.append((PRODUCT + dtype, lambda dtype=dtype: _product(cupy, dtype)))
    for dtype in ("float32", "float64"):
        checks.append((ARITHMETIC + dtype, lambda dtype=dtype: _arithmetic(cupy, dtype)))
    for name, check in checks:
        records.begin(name)
        try:
            records.add(name, MEASURED, **check())
        except Exception:
            records.add(name, FAILED, error=traceback.format_exc())


def _copy(cupy: Any) -> dict[str, float]:
    source = cupy.ones(2**12 if device.rehearsing() else 2**28, np.float32)
    to = cupy.empty_like(source)

    def copy():
        to[...] = source

    copy()
    return {"GB/s": 2 * source.nbytes / device.seconds(copy) / 1e9}


def _product(cupy: Any, dtype: str) -> dict[str, float]:
    """Of random numbers: those of equal ones take less power, and less time."""
    n = 64 if device.rehearsing() else 8192
    drawn = np.random.default_rng(0).standard_normal(min(n * n, 2**20))
    a = cupy.resize(cupy.asarray(drawn.astype(dtype)), (n, n))
    product = lambda: a @ a
    product()
    return {"TFLOP/s": 2 * n**3 / device.seconds(product) / 1e12}


def _arithmetic(cupy: Any, dtype: str) -> dict[str, float]:
    """Of a kernel without memory.

    Raises:
        AssertionError: it is no kernel of one launch.
    """
    lanes = ag.to_graph(ag.vmap(chained))
    x = cupy.ones(2**10 if device.rehearsing() else 2**24, dtype)
    with device.launches() as made:
        lanes(x)
    if len(made) != 1:
        raise AssertionError(f"it is no kernel of one launch, but {made}")
    return {"TFLOP/s": 2 * _TRIPS * x.size / device.seconds(lambda: lanes(x)) / 1e12}


def _versions(cupy) -> dict[str, str]:
    runtime = cupy.cuda.runtime
    properties = runtime.getDeviceProperties(0)
    found = {
        "GPU": properties["name"].decode(),
        "compute capability": f"{properties['major']}.{properties['minor']}",
        "multiprocessors": str(properties["multiProcessorCount"]),
        "memory": f"{properties['totalGlobalMem'] / 2**30:.1f} GiB",
        "CUDA runtime": str(runtime.runtimeGetVersion()),
        "CUDA driver": str(runtime.driverGetVersion()),
        "processor": machine.processor(),
        "Python": platform.python_version(),
    }
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


if __name__ == "__main__":
    main(sys.argv[1])
