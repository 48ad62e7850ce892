"""What the direct tests of parts of `staging` share."""

import pytest

from autograph.api.recording import object_forms
from tests.support.recording import recording_of_test


@pytest.fixture
def recording():
    """An active recording, without a function that is recorded."""
    with recording_of_test() as made:
        yield made


@pytest.fixture
def heaps_from_the_first_call_on(monkeypatch):
    """Objects among the arguments are in heaps however few there are."""
    monkeypatch.setattr(object_forms, "_MANY", object_forms._FEW)
