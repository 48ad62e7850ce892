"""What is imported when something is first recorded. A process that finds all on disk records
nothing."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from ops.core.locks import lock_over_forks

if TYPE_CHECKING:
    from autograph.staging.dispatch import GraphRecorder

_lock = lock_over_forks()  # a process that is forked meanwhile could never import it


@functools.cache
def graph_recorder() -> type[GraphRecorder]:
    """The class `autograph.staging.dispatch.GraphRecorder`."""
    with _lock:
        from autograph.staging.dispatch import GraphRecorder

        return GraphRecorder
