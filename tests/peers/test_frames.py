"""Data frames and labelled arrays: their NumPy arrays are arguments; they themselves are refused,
or are what Python makes of them."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError

pandas = pytest.importorskip("pandas")
xarray = pytest.importorskip("xarray")


def energy(v):
    return np.sum(np.sin(v) ** 2)


def frame():
    return pandas.DataFrame({"x": [1.0, 2.0, 3.0], "y": [4.0, 5.0, 6.0]})


def labelled():
    return xarray.DataArray(np.arange(6.0).reshape(2, 3), dims=("a", "b"))


@pytest.mark.parametrize("array", [frame()["x"].to_numpy(), frame().to_numpy(), labelled().values])
def test_their_arrays_are_arguments(array):
    np.testing.assert_allclose(ag.to_graph(energy)(array), energy(array), rtol=1e-15)
    np.testing.assert_allclose(ag.grad(energy)(array), np.sin(2 * array), rtol=1e-12)


TAKEN = {"compiled": ag.to_graph, "gradient": ag.grad, "lanes": lambda f: ag.vmap(lambda v: v * 2)}


@pytest.mark.parametrize("name", TAKEN)
@pytest.mark.parametrize("make", [lambda: frame()["x"], frame, labelled])
def test_they_are_no_arguments(name, make):
    with pytest.raises(AutographError) as raised:
        TAKEN[name](energy)(make())
    if make is not labelled:
        assert "to_numpy()" in str(raised.value)


def test_a_frame_from_outside_is_refused_with_a_way_out():
    data = frame()
    with pytest.raises(AutographError, match="AG0350") as raised:
        ag.to_graph(lambda v: np.sum(data["x"].to_numpy() * v))(2.0)
    assert "to_numpy()" in str(raised.value)


def test_an_array_of_a_frame_from_outside():
    column = frame()["x"].to_numpy()
    assert ag.to_graph(lambda v: np.sum(column * v))(2.0) == 12.0


def test_a_labelled_array_from_outside_is_seen_as_it_is():
    data = labelled()
    total = ag.to_graph(lambda v: np.sum(data.values * v))
    assert total(2.0) == 30.0
    data[0, 0] = 50.0
    assert total(1.0) == float(np.sum(data.values))
