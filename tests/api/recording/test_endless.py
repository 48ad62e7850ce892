"""Recordings each of which finds something that the next one has to know come to an end."""

import numpy as np
import pytest

import autograph as ag
from autograph.api.recording import ways
from autograph.errors import AutographError


def test_a_class_that_each_recording_makes_is_no_news():
    def counted(n):
        class Single:
            instance = None

            def __new__(cls):
                if cls.instance is None:
                    cls.instance = super().__new__(cls)
                    cls.instance.k = 0
                return cls.instance

        for _ in range(n):
            Single().k += 1
        return Single().k

    assert ag.to_graph(counted)(3) == 3


def test_there_are_no_more_than_some(monkeypatch):
    """Were there a mistake by which something is always new."""

    def always(needs, raised):
        return "something is new"

    way = ways.RecordingWay("always", (AutographError,), always)
    monkeypatch.setattr(ways, "WAYS", (way,))
    refused = ag.to_graph(lambda x: np.where(x > 0, {}, x))
    with pytest.raises(AutographError, match="each recording finds something else"):
        refused(np.ones(3))
