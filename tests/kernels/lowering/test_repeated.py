"""What is read again and again need not be in memory, if all of it is read."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")
import autograph as ag
from autograph.kernels.ir import ir, uses
from tests.kernels.kernel_check import check

TABLE = np.arange(600.0).reshape(30, 20)
PLACES = np.array([3, 29, -1, 0, -30, 7])


def repeated(table, places):
    return np.repeat(table[places], 3, axis=0) * 2.0


def tiled(table, places):
    return np.tile(table[places], (4, 1)) - 1.0


def rolled(table, places):
    return np.roll(table[places], 2) + 0.5


@pytest.mark.parametrize("function", [repeated, tiled, rolled])
def test_rows_that_are_looked_up_are_read_where_they_are(function):
    check(function, TABLE, PLACES, kernels=1)
    (made,) = ag.to_graph(function).kernels(TABLE, PLACES).values()
    assert all(b.kind != "temporary" for b in uses.touched(made.kernel.body))
    assert sum(1 for s in made.kernel.body if isinstance(s, ir.Each)) == 1


@pytest.mark.parametrize("function", [repeated, tiled, rolled])
def test_a_place_outside_raises(function):
    with pytest.raises(IndexError, match="30 is out of bounds"):
        ag.to_graph(function)(TABLE, np.array([2, 30]))


@pytest.mark.parametrize("times", [0, 1, 2])
def test_a_place_outside_raises_though_it_may_be_read_no_times(times):
    """As NumPy does, which looks all rows up first."""
    function = ag.to_graph(lambda table, places: np.repeat(table[places], times, axis=0))
    with pytest.raises(IndexError, match="30 is out of bounds"):
        function(TABLE, np.array([2, 30]))
