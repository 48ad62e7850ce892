"""How many operations a kernel may have: more where there is nothing to divide it into."""

import numpy as np
import pytest

import autograph as ag
from autograph.kernels.lowering.state import block
from autograph.kernels.native import available
from tests.kernels.selection.test_lanes_of_derivatives import parting_loops
from tests.transforms.lanes import assert_same, by_lane

pytest.importorskip("llvmlite")
if not available():
    pytest.skip("there are no native kernels here", allow_module_level=True)

X = np.random.default_rng(0).normal(size=(6, 3))


@pytest.mark.costly
@pytest.mark.parametrize("most", [10, 1000])
def test_lanes_are_one_kernel_as_long_as_they_may(most, monkeypatch):
    monkeypatch.setattr(block, "MOST_NODES", 10)
    monkeypatch.setattr(block, "MOST_UNDIVIDED", most)
    gradient = ag.grad(lambda x: np.sum(parting_loops(x)))
    found = ag.vmap(gradient)
    refused = "more than 10 operations" in str(found.explain(X))
    assert refused == (most == 10)
    assert_same(found(X), by_lane(gradient, (X,)), 1e-9, 1e-10)
