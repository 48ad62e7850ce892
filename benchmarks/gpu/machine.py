"""Versions, and what the device can do at most: copies of memory, products of matrices, and
arithmetic as kernels have it, where no product and sum are one operation."""

from __future__ import annotations

import importlib.metadata
import platform
import sys

import numpy as np

import autograph as ag
from benchmarks import machine
from benchmarks.gpu import device
from benchmarks.gpu.records import MEASURED, Records

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
    """Write what is known of the machine."""
    records = Records(path, "machine")
    records.begin("versions")
    cupy = device.cupy()
    records.add("versions", MEASURED, **_versions(cupy))
    small = device.rehearsing()
    records.begin(COPY)
    source = cupy.ones(2**12 if small else 2**28, np.float32)
    to = cupy.empty_like(source)

    def copy():
        to[...] = source

    copy()
    taken = device.seconds(copy)
    records.add(COPY, MEASURED, **{"GB/s": 2 * source.nbytes / taken / 1e9})
    n = 64 if small else 8192
    for dtype in ("float32", "float64"):
        records.begin(PRODUCT + dtype)
        a = cupy.ones((n, n), dtype)
        product = lambda a=a: a @ a
        product()
        records.add(
            PRODUCT + dtype, MEASURED, **{"TFLOP/s": 2 * n**3 / device.seconds(product) / 1e12}
        )
    lanes = ag.to_graph(ag.vmap(chained))
    for dtype in ("float32", "float64"):
        records.begin(ARITHMETIC + dtype)
        x = cupy.ones(2**10 if small else 2**24, dtype)
        with device.launches() as made:
            lanes(x)
        if len(made) != 1:
            raise AssertionError(f"it is no kernel of one launch, but {made}")
        taken = device.seconds(lambda x=x: lanes(x))
        figure = {"TFLOP/s": 2 * _TRIPS * x.size / taken / 1e12}
        records.add(ARITHMETIC + dtype, MEASURED, **figure)


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
