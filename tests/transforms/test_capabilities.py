"""Graphs follow from what is recorded and from the machine that is named, not from where that is
done."""

import ast
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import autograph as ag
from autograph import transforms
from autograph.api import machine
from autograph.api.recording import recorded
from autograph.graph.capabilities import Capabilities

X = np.arange(1.0, 5.0)


def newton(a):
    x = a
    while abs(x * x - a) > 1e-12:
        x = 0.5 * (x + a / x)
    return x


def on(monkeypatch, capabilities):
    """The text of the graph of many lanes for a machine."""
    monkeypatch.setattr(recorded, "capabilities", lambda: capabilities)
    return str(ag.vmap(lambda x: newton(x)).graph(X))


@pytest.mark.parametrize("setting", ["0", ""])
def test_a_graph_is_for_the_machine_that_is_named(setting, monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_KERNELS", setting)
    able = Capabilities(native=True, cuda=False, refuses_lane=lambda *graphs: None)
    assert "lanes(" in on(monkeypatch, able)
    assert "lanes(" not in on(monkeypatch, replace(able, native=False))
    picky = replace(able, refuses_lane=lambda *graphs: "it is of no use")
    assert "lanes(" not in on(monkeypatch, picky)


def test_the_environment_says_what_a_machine_may_do(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_KERNELS", "0")
    monkeypatch.setenv("AUTOGRAPH_CUDA_KERNELS", "1")
    found = machine.capabilities()
    assert not found.native and found.cuda
    monkeypatch.delenv("AUTOGRAPH_CUDA_KERNELS")
    assert not machine.capabilities().cuda


def test_no_transform_knows_of_kernels():
    for path in Path(transforms.__file__).parent.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        imported = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
        assert not any(f"{name}.".startswith("autograph.kernels.") for name in imported), path
