"""The project's samples that can run on a GPU, as a user starts them."""

from __future__ import annotations

import os
import re
import subprocess
import sys

from benchmarks.gpu.device import ROOT
from benchmarks.gpu.records import ABSENT, FAILED, RIGHT, Records

_MISSING = re.compile("ModuleNotFoundError: .*")
_SAMPLES = {"digits": ["samples/digits.py", "--backend", "cupy", "--epochs", "2"]}


def main(path: str) -> None:
    """Run them."""
    records = Records(path, "samples")
    environment = dict(os.environ, AUTOGRAPH_CUDA_KERNELS="1")
    for name, arguments in _SAMPLES.items():
        records.begin(name)
        command = [sys.executable, *arguments]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        missing = _MISSING.search(done.stderr)
        if done.returncode and missing:
            records.add(name, ABSENT, why=missing[0])
        elif done.returncode:
            records.add(name, FAILED, error=done.stderr[-3000:])
        else:
            records.add(name, RIGHT, said=done.stdout.strip().splitlines()[-1])


if __name__ == "__main__":
    main(sys.argv[1])
