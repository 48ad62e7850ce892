"""All tables, each by processes that are started for it."""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
from datetime import date
from importlib.metadata import distributions

from benchmarks.collectives.endings import endings
from benchmarks.collectives.rounds import FIRST, PEERS
from benchmarks.machine import machine
from benchmarks.table import Table, duration

_BESIDE = os.path.dirname(sys.executable)
MPIEXEC = shutil.which("mpiexec", path=_BESIDE) or "mpiexec"
# A thread each; and what Open MPI wants as root, and above the number of cores.
THREADS = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "AUTOGRAPH_NUM_THREADS"), "1")
AS_ROOT = dict.fromkeys(("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"), "1")
PACKAGES = ("numpy", "mpi4py", "openmpi", "torch", "jax")
LAUNCHES = 3  # of training, by one process and by two in turn


def launched(count: int, module: str, *arguments: str, guard: bool = True) -> str:
    """What processes print."""
    variables = {"AUTOGRAPH_COLLECTIVE_GUARD": "1" if guard else "0"}
    command = [MPIEXEC, "-n", str(count), sys.executable, "-m", f"benchmarks.collectives.{module}"]
    ran = subprocess.run(
        [*command, *arguments],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=600,
    )
    if ran.returncode:
        raise SystemExit(f"{' '.join(command)} {arguments} has failed:\n{ran.stderr}")
    lines = ran.stdout.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("[Gloo]")).rstrip() + "\n"


def training() -> Table:
    """The throughput of two processes by that of one, which have as many rows each."""
    found: dict[int, list[list[float]]] = {1: [], 2: []}
    for _ in range(LAUNCHES):
        for count in found:
            words = launched(count, "programs", "step").split()
            found[count].append([float(word) for word in words])
    rows = []
    medians, bests = {}, {}
    for count, seconds in found.items():
        medians[count] = statistics.median(median for median, _ in seconds)
        bests[count] = min(best for _, best in seconds)
        rows.append([str(count), duration(medians[count]), duration(bests[count])])
    ratios = [f"{2 * of[1] / of[2]:.2f}" for of in (medians, bests)]
    rows.append(["throughput, 2 by 1", *ratios])
    note = f"Layers of 784, 512, 512, 1 units, 256 rows of float32 for each; {LAUNCHES} launches."
    return Table("A step of data-parallel training", note, ["processes", "median", "best"], rows)


def load() -> str:
    return ", ".join(f"{each:.1f}" for each in os.getloadavg())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.collectives", description=__doc__)
    parser.add_argument("--first", action="store_true", help="before all else on the machine")
    parser.add_argument("--peers", default="", help="a folder of packages with torch and jax")
    parser.add_argument("--endings", action="store_true", help="only how long all take to end")
    options = parser.parse_args()
    os.environ.update(
        THREADS | AS_ROOT | {"PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe"}
    )
    os.environ.update({FIRST: str(int(options.first)), PEERS: os.path.abspath(options.peers)})
    if not options.peers:
        del os.environ[PEERS]
    path = [*sys.path, options.peers] if options.peers else sys.path
    known = {
        found.metadata["Name"]: found.version for found in reversed([*distributions(path=path)])
    }
    versions = ", ".join(f"{name} {known[name]}" for name in PACKAGES if name in known)
    first = ", before all else" if options.first else ""
    print(f"{date.today()}; {machine()}; {versions}; load {load()}{first}\n", flush=True)
    if not options.endings:
        for guard in (True, False):
            for module, *arguments in (("sums",), ("programs", "psum"), ("programs", "heat")):
                print(launched(2, module, *arguments, guard=guard), flush=True)
        print(launched(2, "programs", "peers"), flush=True)
        print(training(), flush=True)
    print(endings(MPIEXEC), flush=True)
    print(f"Load at the end: {load()}.")


if __name__ == "__main__":
    main()
