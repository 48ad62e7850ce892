"""Which objects stay as they are, and what that keeps others from."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import BranchMismatchError
from autograph.staging.ground.object_kinds import OTHER, ObjectKinds, ObjectsOf


class Value:
    def __init__(self, data):
        self.data = data
        self.backward = lambda: None
        self.parents = {data}


class Neuron:
    def __init__(self, weights):
        self.weights = [Value(weight) for weight in weights]
        self.bias = Value(0.0)


def test_what_refers_to_objects_that_stay_as_they_are_does_as_well():
    """It was a mistake of the compiler, that there was no heap for them."""
    kinds = ObjectKinds()
    kinds.meet(Neuron, "bias", {ObjectsOf(Value)})
    assert not kinds.is_refused(Neuron)
    kinds.meet(Value, "parents", {OTHER, ObjectsOf(Neuron)})
    assert kinds.is_refused(Value) and kinds.is_refused(Neuron)


def of_neurons(x):
    neurons = [Neuron([0.5, 1.5]) for _ in range(2)]
    total = sum(value.data for neuron in neurons for value in neuron.weights)
    return np.eye(3) if x > total else x


def test_pools_in_which_there_would_be_nothing_are_not_tried(monkeypatch):
    from autograph.api.recording.recorded import RecordedFunction

    found = []
    monkeypatch.setattr(RecordedFunction, "_log_recording", lambda self, why: found.append(why))
    with pytest.raises(BranchMismatchError):
        ag.to_graph(of_neurons)(2.0)
    assert found and not any("pools" in why for why in found)
