"""What is done once where parts of a program are selected and printed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import autograph as ag
from autograph.codegen.driver import ProgramWriter
from autograph.kernels.native import available
from autograph.kernels.selection import parts

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

    def source(writer):
        written.append(writer)
        return before(writer)

    before = ProgramWriter._source
    monkeypatch.setattr(ProgramWriter, "_source", source)
    compiled = ag.to_graph(steps)
    x = np.linspace(-1.0, 1.0, 7)
    np.testing.assert_allclose(compiled(x), steps(x), rtol=1e-12)
    assert not written
    assert "np.cumsum" in str(compiled.program(x)) and len(written) == 1
    assert "np.cumsum" in str(compiled.program(x)) and len(written) == 1
