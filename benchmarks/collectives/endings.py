"""How long all processes take to end after something happens to one."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.table import Table

ENDINGS = """
import os, signal, sys, time
import numpy as np
from autograph.parallel.mpi import Call, world
processes, x = world(), np.ones(3)
what = Call("psum", "endings.py:1")
processes.sum([x], what)
if processes.rank == 1:
    time.sleep(0.5)
    print(time.time(), flush=True)
    if sys.argv[1] == "raises": raise ValueError
    if sys.argv[1] == "leaves": sys.exit()
    if sys.argv[1] == "is killed": os.kill(os.getpid(), signal.SIGKILL)
    if sys.argv[1] == "calls another": processes.gather(x, what)
processes.sum([x], what)
"""


def endings(mpiexec: str) -> Table:
    """How long all take to end after something happens to one."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "endings.py")
        path.write_text(ENDINGS)
        for case in ("raises", "leaves", "is killed", "calls another"):
            found = []
            for _ in range(3):
                command = [mpiexec, "-n", "2", sys.executable, str(path), case]
                ran = subprocess.run(command, capture_output=True, text=True)
                found.append(time.time() - float(ran.stdout.split()[0]))
            rows.append([case, ", ".join(f"{seconds:.2f} s" for seconds in found)])
    note = "From what happens to the end of `mpiexec`, three times."
    return Table("One of two processes ends, and the other waits in `psum`", note, ["", ""], rows)
