"""Which calls run without a look-up."""

import pytest

from autograph.api.recording import list_forms


@pytest.fixture
def looked_up(monkeypatch):
    """A list that grows with each call that is looked up."""
    calls = []
    flatten = list_forms.flatten_call

    def flatten_call(call):
        calls.append((call.args, call.kwargs))
        return flatten(call)

    monkeypatch.setattr(list_forms, "flatten_call", flatten_call)
    return calls


def is_quick(looked_up, function, *args, **kwargs):
    """Whether a call runs without a look-up."""
    count = len(looked_up)
    function(*args, **kwargs)
    return len(looked_up) == count
