"""``python -m benchmarks.gpu``: all stages, or one; see the package."""

from __future__ import annotations

import argparse
import datetime
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.gpu import records
from benchmarks.gpu.device import REHEARSES, ROOT
from benchmarks.gpu.report import report
from benchmarks.gpu.stages import STAGES, Stage

_LONGER = 10  # times as long as a GPU may a CPU take, in a rehearsal


def main() -> int:
    """Run the stages; 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu", description=__doc__)
    parser.add_argument("--stage", choices=[x.name for x in STAGES], help="one stage only")
    parser.add_argument("--folder", default=str(ROOT / "build" / "gpu"), help="of the results")
    parser.add_argument("--rehearse", action="store_true", help="on a CPU, at small sizes")
    chosen = parser.parse_args()
    if not chosen.rehearse and not _finds_a_gpu():
        return 2
    folder = Path(chosen.folder).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    date = datetime.date.today().isoformat()
    path = folder / f"{date}-gpu.jsonl"
    stages = [x for x in STAGES if chosen.stage in (None, x.name)]
    if chosen.stage is None:
        path.unlink(missing_ok=True)
    for stage in stages:
        _run(stage, path, chosen.rehearse)
    known = records.read(path)
    text = report(known, date)
    path.with_suffix(".md").write_text(text)
    print(f"\n{text}\nwritten to {path.with_suffix('.md')} and {path}")
    return any(x["state"] in records.TROUBLE for x in known)


def _finds_a_gpu() -> bool:
    """Whether there is a GPU; if not, says why."""
    look = "from benchmarks.gpu import device; device.cupy()"
    try:
        done = subprocess.run([sys.executable, "-c", look], cwd=ROOT, timeout=60)
    except subprocess.TimeoutExpired:
        print("CuPy did not answer within a minute", file=sys.stderr)
        return False
    return not done.returncode


def _run(stage: Stage, path: Path, rehearses: bool) -> None:
    """Run a stage in a process of its own, which is ended with all that it started when its time
    is over: what a GPU never ends cannot be ended otherwise."""
    record = records.Records(path, stage.name)
    name = "the stage"
    record.begin(name)
    if rehearses and not stage.rehearses:
        record.add(name, records.ABSENT, why="needs a GPU")
        return
    environment = dict(os.environ)
    if rehearses:
        environment[REHEARSES] = "1"
    # Where JAX and CuPy share a GPU, JAX must not take three quarters of its memory.
    environment["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    seconds = stage.seconds * (_LONGER if rehearses else 1)
    started = time.perf_counter()
    command = [sys.executable, "-m", f"benchmarks.gpu.{stage.name}", str(path)]
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        _, errors = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        _, errors = process.communicate()
        record.add(name, records.FAILED, error=f"took more than {seconds} s\n{errors[-2000:]}")
        return
    taken = round(time.perf_counter() - started, 1)
    if process.returncode:
        error = f"ended with {process.returncode}\n{errors[-3000:]}"
        record.add(name, records.FAILED, seconds=taken, error=error)
    else:
        record.add(name, records.RIGHT, seconds=taken)


if __name__ == "__main__":
    sys.exit(main())
