"""Kernels whose machine code can't be made, by a mistake of ours: users get NumPy's program with a
warning, which is an error in these tests (`filterwarnings` in ``pyproject.toml``)."""

import warnings

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph as ag
from autograph.errors import PerformanceWarning
from autograph.kernels import making, program


def total(xs, n):
    found = 0.0
    for k in range(n):
        found += xs[k] * k
    return found


@pytest.fixture
def mistaken(monkeypatch):
    def text_of(kernel, name, brief=False):
        raise KeyError("a mistake of ours")

    monkeypatch.setattr(making, "text_of", text_of)
    monkeypatch.setattr(program, "VERIFY", False)


XS = np.linspace(0.0, 1.0, 5)
SAID = "'total' runs without native code, which could not be made: KeyError: 'a mistake of ours'"


def test_users_are_warned(mistaken):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        assert ag.to_graph(total)(XS, 5) == total(XS, 5)
    assert [(x.category, str(x.message)) for x in found] == [(PerformanceWarning, SAID)]


def test_here_it_is_an_error(mistaken):
    with pytest.raises(PerformanceWarning, match="could not be made"):
        ag.to_graph(total)(XS, 5)
