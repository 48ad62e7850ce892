"""What a kernel may give where the graph has a value without axes."""

from __future__ import annotations

import numpy as np

import autograph as ag


def left_early(x):
    """Each trip is a branch on the one before, whose value may be either of two."""
    s = 0.0
    for scale in [float(k) for k in range(100)]:
        if s > 1e3:
            break
        s = s * x + np.sin(scale * x)
    return s


def test_a_value_of_many_branches_is_looked_at_once():
    """A walk that goes both ways at each of them does not end."""
    assert np.isclose(ag.to_graph(left_early)(0.5), left_early(0.5), rtol=1e-12)
    e = 1e-5
    slope = (left_early(0.5 + e) - left_early(0.5 - e)) / (2 * e)
    assert np.isclose(ag.grad(left_early)(0.5), slope, rtol=1e-5)
