from __future__ import annotations

import pytest

from autograph.api.recording.recorded import RecordedFunction


@pytest.fixture
def recordings(monkeypatch):
    """Why each recording takes place."""
    found, log = [], RecordedFunction._log_recording

    def logged(self, why):
        found.append(why)
        log(self, why)

    monkeypatch.setattr(RecordedFunction, "_log_recording", logged)
    return found
