"""The tests that need a GPU, and those of CUDA kernels, which execute each kernel on it twice."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time

from benchmarks.gpu import device
from benchmarks.gpu.device import ROOT
from benchmarks.gpu.processes import said_by
from benchmarks.gpu.pytest_plugin import ENDS, RECORDS
from benchmarks.gpu.records import FAILED, RIGHT, Records
from benchmarks.gpu.stages import end_of

_FOLDER = "tests/kernels/cuda"
_ON_GPU = (
    "tests.kernels.cuda.machine",
    "tests.kernels.cuda.compare",
    "cupy_stand_in import",
    "(gpu",
)
# Those of the shim itself, and of this command, which would run itself.
_OTHERS = ("test_shim.py", "test_races.py", "test_gpu_command.py")
_ALL = "all tests"
_SPARE = 8  # seconds of the stage that are left for the report
_LAST = 15  # seconds that the last test may take


def files() -> list[str]:
    """The tests of CUDA kernels that can execute them on a GPU."""
    found = []
    for file in sorted((ROOT / _FOLDER).glob("test_*.py")):
        text = file.read_text()
        if file.name not in _OTHERS and any(name in text for name in _ON_GPU):
            found.append(str(file.relative_to(ROOT)))
    return found


def main(path: str) -> None:
    """Run the tests with all their variants, the slow ones last, in what time is left."""
    end = end_of("cases") - _SPARE
    records = Records(path, "cases")
    records.begin(_ALL)
    command = [sys.executable, "-m", "pytest", "-q", "--tb=short", "-p", "no:cacheprovider"]
    command += ["-p", "benchmarks.gpu.pytest_plugin", "tests/api/test_gpu.py", *files()]
    if importlib.util.find_spec("xdist"):
        command += ["-n", str(device.processes())]
    environment = dict(os.environ, AUTOGRAPH_TEST_CUDA="gpu", AUTOGRAPH_VERIFY="1")
    environment[ENDS] = str(end - _LAST)
    environment[RECORDS] = path
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    said, has_ended = said_by(process, end - time.time())
    if not has_ended:
        records.add(_ALL, FAILED, error=f"out of time\n{said[-2000:]}")
        return
    lines = said.rstrip().splitlines()
    summary = lines[-1] if lines else ""
    if process.returncode:  # what failed is a result of its own, but for what cannot be imported
        records.add(_ALL, FAILED, summary=summary, error="\n".join(lines[-60:]))
    else:
        records.add(_ALL, RIGHT, summary=summary)


if __name__ == "__main__":
    main(sys.argv[1])
