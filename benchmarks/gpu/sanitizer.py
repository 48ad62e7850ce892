"""compute-sanitizer, where there is one, on what `sanitized` runs: its four tools at once."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.gpu.device import ROOT
from benchmarks.gpu.processes import said_by
from benchmarks.gpu.records import ABSENT, FAILED, RIGHT, WRONG, Records
from benchmarks.gpu.stages import end_of

TOOLS = ("memcheck", "racecheck", "synccheck", "initcheck")
_SPARE = 5  # seconds of the stage that are left
_SUMMARY = re.compile(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)")
_REFUSES = "Device not supported"  # as some virtual machines do not let it at the device
_FOLDERS = ("CUDA_HOME", "CUDA_PATH")  # variables that say where a toolkit is
_TOOLKIT = Path("/usr/local/cuda")  # where it is unless one says otherwise


def main(path: str) -> None:
    """Write what each tool found."""
    records = Records(path, "sanitizer")
    program = _program()
    if program is None:
        why = "no compute-sanitizer on the PATH, nor in a toolkit, nor its package"
        records.add("all", ABSENT, why=why)
        return
    end = end_of("sanitizer") - _SPARE
    running = {}
    for tool in TOOLS:
        records.begin(tool)
        watched = [sys.executable, "-m", "benchmarks.gpu.sanitized"]
        command = [program, "--tool", tool, "--error-exitcode", "3", *watched]
        running[tool] = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
    for tool, process in running.items():
        said, has_ended = said_by(process, end - time.time())
        if not has_ended:
            records.add(tool, FAILED, error=f"out of time\n{said[-1500:]}")
            continue
        summary = _SUMMARY.search(said)
        if _REFUSES in said:
            records.add(tool, ABSENT, why=f"it says: {_REFUSES}")
        elif summary is None:
            records.add(tool, FAILED, error=said[-1500:])
        elif process.returncode or int(summary[1]):
            records.add(tool, WRONG, error=said[:4000])
        else:
            records.add(tool, RIGHT)


def _program() -> str | None:
    """Where compute-sanitizer is: on the PATH, in a toolkit whose programs are not on it, or in
    NVIDIA's package for Python."""
    toolkits = [os.environ[x] for x in _FOLDERS if os.environ.get(x)]
    folders = [str(Path(x) / "bin") for x in (*toolkits, _TOOLKIT)]
    found = shutil.which("compute-sanitizer")
    found = found or shutil.which("compute-sanitizer", path=os.pathsep.join(folders))
    if found is None:
        try:
            spec = importlib.util.find_spec("nvidia")
        except (ImportError, ValueError):
            return None
        for place in (spec and spec.submodule_search_locations) or ():
            for file in Path(place).rglob("compute-sanitizer"):
                if file.is_file():
                    return str(file)
    return found


if __name__ == "__main__":
    main(sys.argv[1])
