"""The project's samples that can run on a GPU, as a user starts them, in a process of their own:
``python -m benchmarks.gpu.samples SCRIPT ...`` is one, with what a rehearsal has in place of CuPy.
"""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys

from benchmarks.gpu import device
from benchmarks.gpu.records import ABSENT, FAILED, RIGHT, Records

_MISSING = re.compile("ModuleNotFoundError: .*")
_EPOCHS = "1" if device.rehearsing() else "2"
_SAMPLES = {"digits": ["samples/digits.py", "--backend", "cupy", "--epochs", _EPOCHS]}


def main(path: str) -> None:
    """Run them."""
    records = Records(path, "samples")
    environment = dict(os.environ, AUTOGRAPH_CUDA_KERNELS="1")
    for name, arguments in _SAMPLES.items():
        records.begin(name)
        rehearses = ["-m", "benchmarks.gpu.samples"] if device.rehearsing() else []
        command = [sys.executable, *rehearses, *arguments]
        done = subprocess.run(
            command, cwd=device.ROOT, env=environment, capture_output=True, text=True
        )
        missing = _MISSING.search(done.stderr)
        if done.returncode and missing:
            records.add(name, ABSENT, why=missing[0])
        elif done.returncode:
            records.add(name, FAILED, error=done.stderr[-3000:])
        else:
            records.add(name, RIGHT, said="; ".join(done.stdout.strip().splitlines()))


def rehearse(arguments: list[str]) -> None:
    """Run a sample on the stand-in."""
    device.cupy()
    sys.argv = arguments
    runpy.run_path(arguments[0], run_name="__main__")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        main(sys.argv[1])
    else:
        rehearse(sys.argv[1:])
