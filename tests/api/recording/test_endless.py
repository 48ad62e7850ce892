"""Recordings each of which finds something that the next one has to know come to an end; see also
`test_programs[one_instance]` in `tests/staging/calls/test_hidden_state.py`."""

import numpy as np
import pytest

import autograph as ag
from autograph.api.recording import ways
from autograph.errors import AutographError


def test_there_are_no_more_than_some(monkeypatch):
    """Were there a mistake by which something is always new."""

    def always(needs, raised):
        return "something is new"

    way = ways.RecordingWay("always", (AutographError,), always)
    monkeypatch.setattr(ways, "WAYS", (way,))
    refused = ag.to_graph(lambda x: np.where(x > 0, {}, x))
    with pytest.raises(AutographError, match="each recording finds something else"):
        refused(np.ones(3))
