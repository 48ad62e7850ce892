"""`make gpu`: what is written and reported, and stages rehearsed on the stand-in for CuPy."""

import contextlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.cuda.printer import print_cuda
from autograph.kernels.selection.parts import select
from benchmarks.gpu import __main__ as command
from benchmarks.gpu import cases, choices, device, records
from benchmarks.gpu.report import report
from benchmarks.gpu.stages import STAGES, Stage
from tests.support.tree import ROOT


def rehearsed(tmp_path, stage):
    """The records of a stage, run on the stand-in."""
    made = subprocess.run(
        [sys.executable, "-m", "benchmarks.gpu", "--rehearse", "--stage", stage]
        + ["--folder", str(tmp_path)],
        cwd=ROOT,
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


@pytest.mark.parametrize("choice", choices.CHOICES, ids=lambda x: x.title)
def test_a_choice_is_measured_beside_another_one(choice):
    texts = []
    for way in (contextlib.nullcontext, choice.otherwise):
        with way():
            arguments = [np.zeros(shape, np.float32) for shape in choice.shapes]
            graph = ag.to_graph(device.anew(choice.program)).graph(*arguments)
            texts += [print_cuda(x).text for x in select(graph, host=False).kernels.values()]
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


def sleeping(popen):
    return lambda arguments, **options: popen(["sh", "-c", "sleep 60 & wait"], **options)


def test_every_line_is_written_at_once(tmp_path):
    path = tmp_path / "x.jsonl"
    some = records.Records(path, "smoke")
    some.begin("selu")
    assert json.loads(path.read_text()) == {"stage": "smoke", "name": "selu", "state": "begun"}


def test_cases_are_the_tests_that_execute_kernels():
    found = {file.rpartition("/")[2] for file in cases.files()}
    assert found >= {"test_printed.py", "test_random.py", "test_function.py", "test_scalars.py"}
    assert not found & {"test_shim.py", "test_races.py", "test_launch.py"}


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
