"""`make gpu`: what is written and reported, and stages rehearsed on the stand-in for CuPy."""

import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.cuda import compile as nvrtc
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.cuda.told import described
from autograph.kernels.selection.parts import select
from benchmarks.gpu import __main__ as command
from benchmarks.gpu import (
    cases,
    choices,
    corpus,
    device,
    machine,
    needed,
    processes,
    records,
    rows,
    sanitizer,
    stages,
    watchdog,
)
from benchmarks.gpu.report import report
from benchmarks.gpu.stages import STAGES, Stage
from tests.kernels.cuda.cupy_stand_in import StandIn
from tests.support.tree import ROOT


def rehearsed(tmp_path, stage, **environment):
    """The records of a stage, run on the stand-in."""
    made = subprocess.run(
        [sys.executable, "-m", "benchmarks.gpu", "--rehearse", "--stage", stage]
        + ["--folder", str(tmp_path)],
        cwd=ROOT,
        env=dict(os.environ, **environment),
        capture_output=True,
        text=True,
    )
    (path,) = tmp_path.glob("*.jsonl")
    found = records.read(path)
    assert made.returncode == 0, made.stdout + made.stderr
    (page,) = tmp_path.glob("*.md")
    assert page.read_text() in made.stdout
    return found


def test_the_whole_takes_eight_minutes_at_most():
    assert sum(stage.seconds for stage in STAGES) <= 8 * 60


def test_smoke(tmp_path):
    found = rehearsed(tmp_path, "smoke")
    assert {x["name"] for x in found} >= {"selu", "softmax", "scan", "while", "Ctrl-C", "the stage"}
    assert {x["state"] for x in found} == {records.RIGHT}


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["machine", "corpus", "rows", "choices", "overhead"])
def test_other_stages(tmp_path, stage):
    found = rehearsed(tmp_path, stage)
    assert len(found) > 3 and not [x for x in found if x["state"] in records.TROUBLE]


@pytest.mark.slow
@pytest.mark.skipif(not nvrtc.available(), reason="CuPy or NVRTC is not installed")
def test_the_tests_of_kernels(tmp_path):
    """What executes them on a GPU has run."""
    check_tests(tmp_path, "50")


@pytest.mark.exhaustive
@pytest.mark.skipif(not nvrtc.available(), reason="CuPy or NVRTC is not installed")
def test_all_tests_of_kernels(tmp_path):
    """As many as a quarter of an hour has room for."""
    check_tests(tmp_path, "1")


def check_tests(tmp_path, share):
    found = {x["name"]: x for x in rehearsed(tmp_path, "cases", AUTOGRAPH_TESTS_SHARE=share)}
    assert " passed" in found["all tests"]["summary"]
    states = {x["state"] for name, x in found.items() if "::" in name}
    assert records.RIGHT in states and not states & set(records.TROUBLE)


@pytest.mark.slow
def test_what_a_sanitizer_watches(tmp_path):
    program = tmp_path / "compute-sanitizer"
    program.write_text('#!/bin/sh\nshift 4\n"$@" && echo "ERROR SUMMARY: 0 errors"\n')
    program.chmod(0o755)
    found = rehearsed(tmp_path, "sanitizer", PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert {x["name"] for x in found} == {*sanitizer.TOOLS, "the stage"}
    assert {x["state"] for x in found} == {records.RIGHT}


@pytest.mark.slow
def test_samples(tmp_path):
    pytest.importorskip("sklearn")
    found = {x["name"]: x for x in rehearsed(tmp_path, "samples")}
    assert "epochs in" in found["digits"]["said"] and "on cupy" in found["digits"]["said"]


# What stands for compute-sanitizer, and says what its tools may.
SANITIZER = """#!/bin/sh
case $2 in
    synccheck) sleep 600;;
    initcheck) echo "no driver"; exit 255;;
    racecheck) echo "RACECHECK SUMMARY: 2 hazards displayed (2 errors, 0 warnings)"; exit 3;;
    *) echo "ERROR SUMMARY: 0 errors";;
esac
"""


def test_a_sanitizer(tmp_path, monkeypatch):
    """Each tool has a line: what is right, what it found, that it died, that it did not end, though
    what it started holds its pipe."""
    program = tmp_path / "compute-sanitizer"
    program.write_text(SANITIZER)
    program.chmod(0o755)
    monkeypatch.setenv(stages.ENDS, str(time.time() + 15))
    monkeypatch.setattr(processes, "_PATIENCE", 0.1)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    path = tmp_path / "x.jsonl"
    sanitizer.main(str(path))
    found = {x["name"]: x for x in records.read(path)}
    assert {name: x["state"] for name, x in found.items()} == {
        "memcheck": records.RIGHT,
        "racecheck": records.WRONG,
        "synccheck": records.FAILED,
        "initcheck": records.FAILED,
    }
    assert "2 hazards" in found["racecheck"]["error"] and "driver" in found["initcheck"]["error"]
    assert "out of time" in found["synccheck"]["error"]


def test_a_sanitizer_that_the_device_does_not_let_at_it(tmp_path, monkeypatch):
    """As in some virtual machines: nothing is wrong. Its folder is not on the PATH."""
    program = tmp_path / "bin" / "compute-sanitizer"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\necho "========= Error: Device not supported"; exit 1\n')
    program.chmod(0o755)
    monkeypatch.setattr(sanitizer.shutil, "which", not_on_the_path(sanitizer.shutil.which))
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    sanitizer.main(str(tmp_path / "x.jsonl"))
    found = records.read(tmp_path / "x.jsonl")
    assert {x["name"]: x["state"] for x in found} == dict.fromkeys(sanitizer.TOOLS, records.ABSENT)


def not_on_the_path(which):
    return lambda name, path=None: which(name, path=path) if path else None


def test_without_a_sanitizer(tmp_path, monkeypatch):
    monkeypatch.setattr(sanitizer, "_program", lambda: None)
    sanitizer.main(str(tmp_path / "x.jsonl"))
    (found,) = records.read(tmp_path / "x.jsonl")
    assert found["state"] == records.ABSENT


@pytest.mark.parametrize("choice", choices.CHOICES, ids=lambda x: x.title)
def test_a_choice_is_measured_beside_another_one(choice):
    texts = []
    for way in (contextlib.nullcontext, choice.otherwise):
        with way():
            arguments = [np.zeros(shape, np.float32) for shape in choice.shapes]
            graph = ag.to_graph(device.anew(choice.program)).graph(*arguments)
            plans = map(print_cuda, select(graph, host=False).kernels.values())
            texts += [plan.text + described(plan) for plan in plans]
    assert len(texts) == 2 and texts[0] != texts[1]


def test_a_wrong_result_comes_first(tmp_path):
    path = tmp_path / "x.jsonl"
    some = records.Records(path, "rows")
    some.begin("selu")
    some.add("selu", records.MEASURED, ms=2.5)
    some.begin("columns")
    some.add("columns", records.WRONG, error="1.0 in the place of 2.0")
    some.begin("scan")  # and the process ends
    with path.open("a") as file:
        file.write('{"stage": "rows", "na')
    text = report(records.read(path), "2026-01-01")
    wrong = text.index("rows, columns: **wrong**")
    assert wrong < text.index("rows, scan: **did not end**") < text.index("| selu | 2.5 |")
    assert "1.0 in the place of 2.0" in text
    assert "| rows | programs beside other libraries | 1 measured, 1 wrong, 1 begun |" in text


def test_a_stage_that_does_not_end_is_ended(tmp_path, monkeypatch):
    """With what it started, and the next one runs."""
    monkeypatch.setattr(command.sys, "executable", "sleep")
    monkeypatch.setattr(command.subprocess, "Popen", sleeping(command.subprocess.Popen))
    path = tmp_path / "x.jsonl"
    command._run(Stage("smoke", 1, "nothing"), path, False)
    (found,) = records.read(path)
    assert found["state"] == records.FAILED and "more than 1 s" in found["error"]


def test_no_stage_begins_after_the_time_of_all(tmp_path):
    path = tmp_path / "x.jsonl"
    command._run(STAGES[0], path, True, end=0.0)
    (found,) = records.read(path)
    assert found["state"] == records.FAILED and found["error"] == "no time is left"


def test_what_a_stage_leaves_is_ended(tmp_path):
    """Such as the processes of tests whose first one has died."""
    made = ["sh", "-c", "sleep 60 >/dev/null 2>&1 & echo $! >&2; exit 1"]
    process = subprocess.Popen(made, stderr=subprocess.PIPE, text=True, start_new_session=True)
    said, has_ended = processes.said_by(process, 60)
    assert has_ended and process.returncode == 1
    state = Path(f"/proc/{said.strip()}/stat")
    deadline = time.monotonic() + 60
    while state.exists() and " Z " not in state.read_text() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not state.exists() or " Z " in state.read_text()


def test_what_is_known_is_reported_when_the_user_does_not_wait(tmp_path, monkeypatch, capsys):
    def interrupted(stage, path, *rest):
        records.Records(path, stage.name).begin("selu")
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_run", interrupted)
    monkeypatch.setattr(sys, "argv", ["gpu", "--rehearse", "--folder", str(tmp_path)])
    with pytest.raises(KeyboardInterrupt):
        command.main()
    assert "machine, selu: **did not end**" in capsys.readouterr().out


def sleeping(popen):
    return lambda arguments, **options: popen(["sh", "-c", "sleep 60 & wait"], **options)


def test_what_a_row_takes_at_least(tmp_path):
    """Its memory, its products or its arithmetic, as far as the first stage has measured them."""
    path = tmp_path / "x.jsonl"
    some = records.Records(path, "machine")
    some.add(machine.COPY, records.MEASURED, **{"GB/s": 1000.0})
    some.add(f"{machine.ARITHMETIC}float64", records.MEASURED, **{"TFLOP/s": 2.0})
    known = rows.ceilings(path)
    assert known.least(5e9, 1e9, 6e9, "float64") == pytest.approx(
        {"memory": 5e-3, "products": 0.0, "arithmetic": 3e-3}
    )
    assert known.least(5e9, 1e9, 6e9, "float32")["arithmetic"] == 0.0


def test_trips_are_counted():
    """Of as many as the loops really have."""
    (starts,) = next(x for x in rows.ROWS if x.name == "newton_lanes").arguments(1e-6)
    trips = 0
    for a in starts:
        x = a
        while abs(x * x - a) > 1e-10 * a:
            x, trips = 0.5 * (x + a / x), trips + 1
    assert rows._of_starts((starts,), None) == trips * (3 * rows._DIVISION + 12)


@pytest.mark.parametrize("row", rows.ROWS, ids=lambda x: x.name)
def test_rows_have_floats_of_one_kind(row):
    """By which their arithmetic is compared with what the device does."""
    assert len({x.dtype for x in rows._arrays(row.arguments(1e-5)) if x.dtype.kind == "f"}) == 1


def test_what_an_interpreter_lacks():
    """Is told in a line, with what to do where there is no network."""
    command = [sys.executable, "-S", "-m", "benchmarks.gpu.needed"]
    environment = {key: x for key, x in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 1 and len(done.stderr.splitlines()) == 1
    assert all(package in done.stderr for package in needed.PACKAGES.values())
    assert "pip download" in done.stderr and "PYTHONPATH" in done.stderr


def test_nothing_is_lacking(monkeypatch, capsys):
    monkeypatch.setattr(needed, "PACKAGES", {"numpy": "numpy", "pytest": "pytest"})
    assert needed.main() == 0 and not capsys.readouterr().err


def test_an_error_of_a_ceiling_leaves_the_others(tmp_path, monkeypatch):
    def fails(*_):
        raise RuntimeError("no cuBLAS")

    monkeypatch.setenv(device.REHEARSES, "1")
    monkeypatch.setattr(device, "cupy", lambda: None)
    monkeypatch.setattr(machine, "_versions", lambda cupy: {})
    monkeypatch.setattr(machine, "_copy", lambda cupy: {"GB/s": 1.0})
    monkeypatch.setattr(machine, "_product", fails)
    monkeypatch.setattr(machine, "_arithmetic", lambda cupy, dtype: {"TFLOP/s": 2.0})
    machine.main(str(tmp_path / "x.jsonl"))
    found = {x["name"]: x["state"] for x in records.read(tmp_path / "x.jsonl")}
    wrong = {f"{machine.PRODUCT}{x}" for x in ("float32", "float64")}
    assert {name for name, state in found.items() if state == records.FAILED} == wrong
    assert found[machine.COPY] == found[f"{machine.ARITHMETIC}float64"] == records.MEASURED


def test_after_an_error_that_loses_the_device_programs_go_on_elsewhere(tmp_path, monkeypatch):
    """In a process that has it anew; those before are not run again."""
    ran = []

    def program(k):
        def check():
            ran.append(k)
            if k == 1:
                raise RuntimeError("cudaErrorIllegalAddress: an illegal memory access")
            return ""

        return check

    class Executed(BaseException):
        pass

    def execute(program, arguments):
        assert arguments[1:3] == ["-m", "benchmarks.gpu.corpus"]
        raise Executed(arguments[3:])

    path = str(tmp_path / "x.jsonl")
    monkeypatch.setattr(device, "cupy", lambda: None)
    for name in ("_operators", "_uses", "_programs"):
        made = [(f"{name} {k}", program(k)) for k in range(3)] if name == "_uses" else []
        monkeypatch.setattr(corpus, name, lambda *_, made=made: iter(made))
    monkeypatch.setattr(corpus.random.Random, "shuffle", lambda self, x: None)
    monkeypatch.setattr(corpus.os, "execv", execute)
    with pytest.raises(Executed) as caught:
        corpus.part(path, 0, 1)
    assert caught.value.args[0] == [path, "0", "1", "2"] and ran == [0, 1]
    corpus.part(path, 0, 1, 2)
    assert ran == [0, 1, 2]
    states = [x["state"] for x in records.read(path)]
    assert states == [records.RIGHT, records.FAILED, records.RIGHT]


def test_a_program_that_does_not_end_leaves_the_others(tmp_path, monkeypatch):
    """They go on in another process."""
    executed = threading.Event()

    def execute(program, arguments):
        assert arguments[1:3] == ["-m", "benchmarks.gpu.corpus"]
        assert arguments[3:] == [path, "0", "1", "1"]
        executed.set()

    path = str(tmp_path / "x.jsonl")
    monkeypatch.setattr(device, "cupy", lambda: None)
    monkeypatch.setattr(watchdog, "_LONGEST", 0.1)
    monkeypatch.setattr(corpus, "_operators", lambda cupy: [("endless", waits_for(executed))])
    monkeypatch.setattr(corpus, "_uses", lambda: [])
    monkeypatch.setattr(corpus, "_programs", lambda: [])
    monkeypatch.setattr(corpus.os, "execv", execute)
    corpus.part(path, 0, 1)
    known = map(json.loads, Path(path).read_text().splitlines())
    failed = [x["error"] for x in known if x["state"] == records.FAILED]
    assert len(failed) == 1 and "more than 0.1 s" in failed[0] and "waits_for" in failed[0]


def waits_for(event):
    def waits_for():
        assert event.wait(60)
        return ""

    return waits_for


def test_a_stage_ends_when_its_processes_are_told(tmp_path, monkeypatch):
    """Not so long after it was imported."""
    monkeypatch.setenv(stages.ENDS, "12.5")
    assert stages.end_of("corpus") == 12.5
    monkeypatch.delenv(stages.ENDS)
    assert stages.end_of("corpus") > time.time() + 30


def test_long_lines_of_several_processes_are_not_mixed(tmp_path):
    """As errors with their programs are."""
    text = "from benchmarks.gpu import records; import sys; made = records.Records(*sys.argv[1:])\n"
    text += "for k in range(40): made.end(f'{sys.argv[2]} {k}', 'failed', error='e' * 50_000)"
    path = str(tmp_path / "x.jsonl")
    command = [sys.executable, "-c", text, path]
    running = [subprocess.Popen([*command, str(k)], cwd=ROOT) for k in range(3)]
    assert [x.wait() for x in running] == [0, 0, 0]
    assert len(records.read(path)) == 120


def test_every_line_is_written_at_once(tmp_path):
    path = tmp_path / "x.jsonl"
    some = records.Records(path, "smoke")
    some.begin("selu")
    assert json.loads(path.read_text()) == {"stage": "smoke", "name": "selu", "state": "begun"}


def test_memory_that_is_read_too_early_is_a_difference(monkeypatch):
    """Both runs are compared, each in memory with other contents."""
    made = StandIn()
    for name, module in made.modules().items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(device, "_pool", device._pool.__wrapped__)
    empty = sys.modules["cupy"].empty
    seen = []

    def check():
        seen.append(int(empty(3, np.uint8)[0]))
        return "another result" if seen[-1] == corpus._POISONS[1] else ""

    assert corpus._twice(check) == "in memory full of 0x5c: another result"
    assert seen == list(corpus._POISONS)


def test_cases_are_the_tests_that_execute_kernels():
    found = {file.rpartition("/")[2] for file in cases.files()}
    assert found >= {"test_printed.py", "test_random.py", "test_function.py", "test_scalars.py"}
    assert not found & {"test_shim.py", "test_races.py", "test_launch.py", "test_gpu_command.py"}


def test_without_a_gpu_it_says_so(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.gpu", "--folder", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if done.returncode != 2:
        pytest.skip("there is a GPU")
    assert "no GPU" in done.stderr or "no CuPy" in done.stderr
    assert not list(tmp_path.iterdir())


def test_where_cupy_cannot_compute_it_says_so(monkeypatch):
    """As without the headers of CUDA: not each stage by itself."""

    def fails(*_):
        raise RuntimeError("Failed to find CUDA headers.\nmore")

    monkeypatch.setattr(device, "cupy", lambda: SimpleNamespace(arange=fails))
    with pytest.raises(SystemExit) as caught:
        device.probe()
    said = str(caught.value)
    assert "RuntimeError: Failed to find CUDA headers.)" in said and "[ctk]" in said


@pytest.mark.parametrize(
    ("cores", "gibibytes", "expected"), [(16, 140, 16), (64, 140, 16), (16, 6, 6), (4, 0.5, 1)]
)
def test_processes_share_a_device_as_far_as_its_memory_goes(
    monkeypatch, cores, gibibytes, expected
):
    properties = {"totalGlobalMem": int(gibibytes * 2**30)}
    runtime = SimpleNamespace(getDeviceProperties=lambda number: properties)
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(cuda=SimpleNamespace(runtime=runtime)))
    monkeypatch.setattr(device.os, "cpu_count", lambda: cores)
    monkeypatch.delenv(device.REHEARSES, raising=False)
    assert device.processes() == expected


# What the tests may use besides, which a machine with a GPU need not have.
NOT_NEEDED = """
import importlib.abc, sys
class Refused(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in (
            "hypothesis", "array_api_strict", "cloudpickle", "joblib", "ml_dtypes", "mpmath",
            "onnx", "onnxruntime", "safetensors", "nbclient", "ipykernel", "sklearn", "xdist",
            "matplotlib", "torch", "jax",
        ):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Refused())
"""


def test_programs_need_no_other_packages():
    """Than those of which `benchmarks.gpu.needed` says that they are lacking."""
    text = f"{NOT_NEEDED}\nfrom benchmarks.gpu import corpus\n"
    text += "print(len([*corpus._uses(), *corpus._programs()]))"
    done = subprocess.run([sys.executable, "-c", text], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert int(done.stdout) > 1000


def test_tests_that_come_too_late_are_skipped(tmp_path):
    (tmp_path / "test_one.py").write_text("def test_one(): assert False\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "benchmarks.gpu.pytest_plugin"]
        + ["-p", "no:cacheprovider", str(tmp_path)],
        cwd=ROOT,
        env=dict(os.environ, AUTOGRAPH_TESTS_END="1"),
        capture_output=True,
        text=True,
    )
    assert "1 skipped" in done.stdout and done.returncode == 0


def test_slow_tests_come_last(tmp_path):
    slow = "@pytest.mark.slow\ndef test_one(): pass\n"
    (tmp_path / "test_both.py").write_text(f"import pytest\n\n{slow}\ndef test_two(): pass\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "-p", "benchmarks.gpu.pytest_plugin"]
        + ["-p", "no:cacheprovider", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.stdout.index("::test_two PASSED") < done.stdout.index("::test_one PASSED")


def cases_in(tmp_path, text, *options):
    """The results of tests, and what pytest says, as the stage has them."""
    (tmp_path / "conftest.py").write_text(
        "from benchmarks.gpu import watchdog\n\nwatchdog._LONGEST = 3\n"
    )
    (tmp_path / "test_some.py").write_text(text)
    path = tmp_path / "x.jsonl"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "benchmarks.gpu.pytest_plugin"]
        + ["-p", "no:cacheprovider", *options, str(tmp_path)],
        cwd=ROOT,
        env={
            **{key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")},
            "AUTOGRAPH_TESTS_RECORDS": str(path),
        },
        capture_output=True,
        text=True,
    )
    return {x["name"].rpartition("::")[2]: x for x in records.read(path)}, done


SOME = """import time
import pytest

def test_right(): pass
def test_wrong(): assert 1 == 2
def test_absent(): pytest.skip("no device")
def test_endless(): time.sleep(600)
@pytest.mark.slow
def test_last(): pass
"""


def test_what_each_test_came_to_is_known_at_once(tmp_path):
    """Also of one that does not end, after which xdist runs the others in another process."""
    pytest.importorskip("xdist")
    found, done = cases_in(tmp_path, SOME, "-n", "1")
    assert {name: x["state"] for name, x in found.items()} == {
        "test_right": records.RIGHT,
        "test_wrong": records.FAILED,
        "test_absent": records.ABSENT,
        "test_endless": records.FAILED,
        "test_last": records.RIGHT,
    }, done.stdout
    assert "assert 1 == 2" in found["test_wrong"]["error"]
    assert "no device" in found["test_absent"]["why"]
    error = found["test_endless"]["error"]
    assert "more than 3 s" in error and "time.sleep(600)" in error


def test_a_lost_device_is_the_result_of_the_test(tmp_path):
    text = "def test_one(): raise RuntimeError('cudaErrorIllegalAddress')\ndef test_two(): pass\n"
    found, _ = cases_in(tmp_path, text)
    assert {name: x["state"] for name, x in found.items()} == {"test_one": records.FAILED}


def test_a_lost_device_ends_the_process(tmp_path):
    text = "def test_one(): raise RuntimeError('cudaErrorIllegalAddress')\ndef test_two(): pass\n"
    (tmp_path / "test_two.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "benchmarks.gpu.pytest_plugin"]
        + ["-p", "no:cacheprovider", str(tmp_path)],
        cwd=ROOT,
        env={key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1 and "the device is lost after" in done.stdout + done.stderr
    assert "passed" not in done.stdout
