"""Compiling leaves the collector of cyclic garbage as it was."""

import gc

import numpy as np
import pytest

import autograph as ag


@pytest.mark.parametrize("enabled", [True, False])
def test_it_waits_and_goes_on(enabled):
    seen = []

    def f(x):
        seen.append(gc.isenabled())
        return np.sin(x)

    before = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        ag.grad(f)(0.5)
        assert gc.isenabled() == enabled
        with pytest.raises(TypeError):
            ag.grad(lambda x: np.sin(x, "no"))(0.5)
        assert gc.isenabled() == enabled
    finally:
        (gc.enable if before else gc.disable)()
    assert seen == [False]
