"""Arguments whose values turn out to be needed."""

import numpy as np
import pytest

import ops
from autograph.staging.ground.restarts import SpecializeArguments


@pytest.fixture
def inputs(recording):
    return recording.recorder.inputs


@pytest.fixture
def argument(recording, inputs):
    """An argument at a position."""

    def make(value, position):
        box = recording.given(value)
        inputs.positions[box.value] = position
        return box

    return make


def demanded(demand, box):
    """The positions of the arguments that become part of the signature; None if none do."""
    try:
        demand(box.value)
    except SpecializeArguments as need:
        return need.positions
    return None


def test_integers_alone(inputs, argument):
    n, m = argument(3, 7), argument(True, 2)
    assert demanded(inputs.demand, n) == [7]
    assert demanded(inputs.demand, n * 2 + 1) == [7]
    assert demanded(inputs.demand, n + m) == [2, 7]


def test_floats_are_too_many(inputs, argument):
    n, x = argument(3, 0), argument(2.5, 1)
    assert demanded(inputs.demand, x) is None
    assert demanded(inputs.demand, ops.cast(x, dtype="int64") + n) is None


def test_what_depends_on_no_argument(recording, inputs):
    assert demanded(inputs.demand, recording.given(3)) is None
    assert demanded(inputs.demand, recording.recorder.call(np.arange, (3,), {})) is None


def test_elements_of_arrays_are_read_at_each_call(inputs, argument):
    places = argument(np.array([1, 2]), 0)
    assert demanded(inputs.demand, places[0]) is None
    assert demanded(inputs.demand, places[0] + argument(3, 1)) is None
    assert demanded(inputs.demand, argument(3, 2)) == [2]


def test_inputs_of_graphs_inside(recording, inputs, argument):
    n, inner = argument(3, 5), recording.given(3)
    inputs.aliases[inner.value] = n.value
    assert demanded(inputs.demand, inner + 1) == [5]
