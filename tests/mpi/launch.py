"""Programs under ``mpiexec``, with a limit of time, of which no process is left."""

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import NamedTuple

from tests.support.tree import ROOT

PROGRAMS = Path(__file__).parent / "programs"
_BESIDE = os.path.dirname(sys.executable)
MPIEXEC = importlib.util.find_spec("mpi4py") and (
    shutil.which("mpiexec", path=_BESIDE) or shutil.which("mpiexec")
)

# What Open MPI wants as root, and above the number of cores; others do not look at it.
_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "OMP_NUM_THREADS": "1",
}
_MARK = "AUTOGRAPH_TEST_LAUNCH"


class Outcome(NamedTuple):
    """How a launch has ended."""

    code: int
    output: str
    errors: str
    end: float  # as `time.time` tells

    def since(self, word):
        """Seconds from the time that a program printed after a word, the last if it did so more
        than once, until all had ended."""
        times = re.findall(rf"{word} (\d+\.\d+)", self.output)
        return self.end - max(map(float, times))


def _alive(mark):
    """The processes of a launch."""
    wanted = f"{_MARK}={mark}".encode()
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (path / "environ").read_bytes().split(b"\0"):
                yield int(path.name)
        except OSError:  # it has ended, or is not ours
            continue


def launch(count, program, *arguments, limit=60, folder=PROGRAMS, **environment):
    """Run one of the programs, or one of another folder, with some processes there.

    Raises:
        TimeoutError: it has not ended in time; all of its processes are killed.
    """
    mark = uuid.uuid4().hex
    path = [program]
    if folder == PROGRAMS:
        path = [str(PROGRAMS / program)]
    elif "autograph as ag" not in (folder / program).read_text(encoding="utf-8"):
        path = ["-m", "tests.mpi.light", program]  # without what it need not import
    command = [MPIEXEC, "-n", str(count), sys.executable, *path, *map(str, arguments)]
    variables = {
        **os.environ, **_ENVIRONMENT, "PYTHONPATH": str(ROOT), _MARK: mark, **environment
    }  # fmt: skip
    child = subprocess.Popen(
        command,
        cwd=folder,
        env=variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, errors = child.communicate(timeout=limit)
        end = time.time()
    except subprocess.TimeoutExpired:
        _kill(mark)
        output, errors = child.communicate()
        raise TimeoutError(f"not ended in {limit} s\n{output}\n{errors}") from None
    finally:
        _kill(mark)
    return Outcome(child.returncode, output, errors, end)


def _kill(mark):
    for process in list(_alive(mark)):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            continue
