"""What is done once where parts of a program are selected and printed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import autograph as ag
from autograph.codegen.driver import ProgramWriter
from autograph.kernels.native import available
from autograph.kernels.selection import parts
from benchmarks import array_lines
from tests.support.processes import file_of, printed

pytest.importorskip("llvmlite")
if not available():
    pytest.skip("there are no native kernels here", allow_module_level=True)


def steps(x):
    for _ in range(3):
        x = np.tanh(x * 0.5) + np.cumsum(x) * 0.1 - np.max(x) * np.exp(-x * x)
    return x


def long(x):
    y = steps(x)
    for k in (1.0, 2.0, 3.0, 4.0):  # as Python, since they are no range
        y = steps(y * k)
    return y


def test_each_node_is_asked_once_whether_it_is_native(monkeypatch):
    asked: Counter = Counter()

    def refusal(node):
        asked[node] += 1
        return before(node)

    before = parts.refusal
    monkeypatch.setattr(parts, "refusal", refusal)
    monkeypatch.setattr(parts, "_MOST_COPIES", 0)
    monkeypatch.setattr(parts, "most_nodes", lambda nodes: 8)  # it is halved again and again
    x = np.linspace(-1.0, 1.0, 5)
    compiled = ag.to_graph(long)
    np.testing.assert_allclose(compiled(x), long(x), rtol=1e-12)
    assert len(asked) > 20 and set(asked.values()) == {1}
    assert str(compiled.kernels(x)).count("define i32") > 2


def test_the_program_of_one_kernel_is_written_when_it_is_needed(monkeypatch):
    written = []

    def source(writer, *left_out):
        written.append(writer)
        return before(writer, *left_out)

    before = ProgramWriter._source
    monkeypatch.setattr(ProgramWriter, "_source", source)
    compiled = ag.to_graph(steps)
    x = np.linspace(-1.0, 1.0, 7)
    np.testing.assert_allclose(compiled(x), steps(x), rtol=1e-12)
    assert not written
    assert "np.cumsum" in str(compiled.program(x)) and len(written) == 1
    assert "np.cumsum" in str(compiled.program(x)) and len(written) == 1


def solved(x, k):
    a = np.outer(np.tanh(x), np.cos(x)) + 3.0 * np.eye(len(x))
    b = np.linalg.qr(a)[1]
    c = np.exp(-b * b) @ x
    return c[k] + np.sum(np.sin(c) * c)


def test_what_numpy_would_do_for_a_kernel_is_written_when_one_gives_up():
    x = np.linspace(0.5, 1.0, 4)
    executable = ag.to_graph(solved).lower(x, 1).compile()
    program = executable.program
    np.testing.assert_allclose(executable(x, 1), solved(x, 1), rtol=1e-12)
    assert program.kernels and program.name not in program.kernels
    names = program.native_namespace
    assert "_source" not in vars(program) and set(program.kernels) < set(names)
    with pytest.raises(IndexError, match="index 9 is out of bounds") as caught:
        executable(x, 9)
    assert "_source" in vars(program)
    if hasattr(caught.value, "__notes__"):
        assert "test_work.py" in caught.value.__notes__[0]
        assert "c[k]" in caught.value.__notes__[0]
    np.testing.assert_allclose(executable(x, 2), solved(x, 2), rtol=1e-12)


def refused(x):
    y = np.tanh(x) * x
    return np.sin(np.linalg.inv(np.outer(y, y))) + 1.0


def test_an_error_around_kernels_shows_the_line():
    x = np.zeros(3)
    compiled = ag.to_graph(refused)
    with pytest.raises(np.linalg.LinAlgError, match="Singular") as caught:
        compiled(x)
    if hasattr(caught.value, "__notes__"):
        assert "np.linalg.inv" in caught.value.__notes__[0]


WORK = """
import sys
import autograph as ag
from benchmarks import array_lines
from benchmarks.compile_time import fresh_module
from pathlib import Path
from tests.support.call_counts import count_calls

def work(how, path):
    function = fresh_module(Path(path)).f
    return count_calls(lambda: getattr(ag, how)(function)(*array_lines.arguments()))["call"]

for how in ("to_graph", "grad"):
    counts = [work(how, path) for path in sys.argv[1:]]
    print(counts[2] - counts[1])
"""


def test_the_work_for_lines_of_array_code(tmp_path):
    """Counted in calls of Python functions, by which a first call of a hundred lines has more
    than one of fifty. It was 306,000 and 660,000 once."""
    texts = {lines: array_lines.text(lines) for lines in (20, 50, 100)}
    files = [file_of(tmp_path / f"lines_{lines}.py", text) for lines, text in texts.items()]
    off = dict.fromkeys(("AUTOGRAPH_CACHE_DIR", "AUTOGRAPH_TIER", "AUTOGRAPH_VERIFY"), "")
    more, more_of_gradient = map(int, printed("-c", WORK, *files, **off).split())
    assert more <= 148_000
    assert more_of_gradient <= 331_000
