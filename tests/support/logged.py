"""What the compiler's log tells of its work."""

from __future__ import annotations

from typing import Any


def recordings(caplog: Any) -> int:
    """How many lines tell of recordings, of those from the disk as well."""
    return sum("recording" in record.getMessage() for record in caplog.records)
