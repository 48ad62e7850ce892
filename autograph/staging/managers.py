"""Context managers of the user's, in ``with`` statements of converted code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from autograph.staging.ownership import is_user_class

if TYPE_CHECKING:
    from autograph.staging.tracer import Tracer


def managed(tracer: Tracer, manager: Any) -> Any:
    """A context manager that runs the converted methods of ``manager``."""
    manager = tracer.defined(manager)
    return Managed(tracer, manager) if is_user_class(type(manager)) else manager


class Managed:
    """Enters and leaves a context manager by calls that are part of the recording."""

    def __init__(self, tracer: Tracer, manager: Any):
        self._tracer = tracer
        self._manager = manager

    def __enter__(self) -> Any:
        return self._tracer.call(type(self._manager).__enter__, (self._manager,), {})

    def __exit__(self, *error: Any) -> Any:
        return self._tracer.call(type(self._manager).__exit__, (self._manager, *error), {})
