"""``python -m benchmarks.gpu``: all stages, or one; see the package."""

from __future__ import annotations

import argparse
import datetime
import math
import os
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.gpu import records
from benchmarks.gpu.device import LONGER, REHEARSES, ROOT
from benchmarks.gpu.processes import said_by
from benchmarks.gpu.report import report
from benchmarks.gpu.stages import ENDS, STAGES, Stage

_MOST = 8 * 60  # seconds that all takes, with what is done before the first stage


def main() -> int:
    """Run the stages; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu", description=__doc__)
    parser.add_argument("--stage", choices=[x.name for x in STAGES], help="one stage only")
    parser.add_argument("--folder", default=str(ROOT / "build" / "gpu"), help="of the results")
    parser.add_argument("--rehearse", action="store_true", help="on a CPU, at small sizes")
    chosen = parser.parse_args()
    end = time.perf_counter() + _MOST * (LONGER if chosen.rehearse else 1)
    if not chosen.rehearse and not _finds_a_gpu():
        return 2
    folder = Path(chosen.folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    date = datetime.date.today().isoformat()
    path = folder / f"{date}-gpu.jsonl"
    stages = [x for x in STAGES if chosen.stage in (None, x.name)]
    if chosen.stage is None:
        path.unlink(missing_ok=True)
    try:
        for stage in stages:
            _run(stage, path, chosen.rehearse, end)
    finally:  # also of what is known when the user does not wait
        known = records.read(path)
        text = report(known, date)
        path.with_suffix(".md").write_text(text)
        print(f"\n{text}\nwritten to {path.with_suffix('.md')} and {path}")
    return any(x["state"] in records.TROUBLE for x in known)


def _finds_a_gpu() -> bool:
    """Whether there is a GPU on which CuPy computes; if not, says why."""
    look = "from benchmarks.gpu import device; device.probe()"
    try:
        done = subprocess.run([sys.executable, "-c", look], cwd=ROOT, timeout=60)
    except subprocess.TimeoutExpired:
        print("CuPy did not answer within a minute", file=sys.stderr)
        return False
    return not done.returncode


def _run(stage: Stage, path: Path, rehearses: bool, end: float = math.inf) -> None:
    """Run a stage in a process of its own, which is ended with all that it started when its time
    is over, or that of all stages: what a GPU never ends cannot be ended otherwise."""
    record = records.Records(path, stage.name)
    name = "the stage"
    record.begin(name)
    environment = dict(os.environ)
    if rehearses:
        environment[REHEARSES] = "1"
    # Where JAX and CuPy share a GPU, JAX must not take three quarters of its memory.
    environment["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    started = time.perf_counter()
    seconds = min(stage.seconds * (LONGER if rehearses else 1), end - started)
    if seconds <= 0:
        record.add(name, records.FAILED, error="no time is left")
        return
    environment[ENDS] = str(time.time() + seconds)
    command = [sys.executable, "-m", f"benchmarks.gpu.{stage.name}", str(path)]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    errors, has_ended = said_by(process, seconds)
    taken = round(time.perf_counter() - started, 1)
    if not has_ended:
        error = f"took more than {seconds:.0f} s\n{errors[-2000:]}"
        record.add(name, records.FAILED, error=error)
    elif process.returncode:
        error = f"ended with {process.returncode}\n{errors[-3000:]}"
        record.add(name, records.FAILED, seconds=taken, error=error)
    else:
        record.add(name, records.RIGHT, seconds=taken)


if __name__ == "__main__":
    sys.exit(main())
