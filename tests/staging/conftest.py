"""What the direct tests of parts of `staging` share."""

import pytest

from tests.support.recording import recording_of_test


@pytest.fixture
def recording():
    """An active recording, without a function that is recorded."""
    with recording_of_test() as made:
        yield made
