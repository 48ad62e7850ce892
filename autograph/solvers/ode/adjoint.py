"""Reverse mode by the adjoint equations: Pontryagin et al., "The mathematical theory of optimal
processes" (1962); Chen, Rubanova, Bettencourt & Duvenaud, "Neural ordinary differential equations",
NeurIPS 2018, appendix B.

With the cotangent ``a(t)`` of the state, ``da/dt = -a df/dy``, and that of the parameters grows by
``a df/dp`` as time runs backwards; at each time at which the state was asked for its cotangent is
added to ``a``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.solvers.ode.endings import require_returned


def sweep(
    slope: Callable,
    back: Callable,
    times: Any,
    states: Any,
    cotangents: Any,
    parameters: Any,
    rtol: Any,
) -> tuple[Any, Any, Any]:
    """The cotangents of the parameters, the times and the state at the first time.

    Args:
        slope: the right-hand side.
        back: ``back(t, t_before, y, a, p)`` integrates from one time to the one before, and returns
            what ``y``, ``a`` and ``p`` are there.
        times, states, cotangents: where states were asked for, these, and their cotangents.
        parameters: a vector of zeros, as long as the parameters are.
        rtol: of the integration.
    """
    a = np.zeros_like(states[0])
    by_times = np.zeros_like(times)
    for i in range(len(times) - 1, 0, -1):
        a = a + cotangents[i]
        by_times[i] = np.sum(slope(times[i], states[i]) * cotangents[i])
        y, a, parameters = back(times[i], times[i - 1], states[i], a, parameters)
        distance = np.max(np.abs(y - states[i - 1]))
        size = np.max(np.abs(states[i])) + np.max(np.abs(states[i - 1]))
        require_returned(distance, size, np.sqrt(rtol), times[i], times[i - 1])
    by_times[0] = -np.sum(slope(times[0], states[0]) * a)
    return parameters, by_times, a + cotangents[0]


def moved(slope: Callable, times: Any, states: Any, changes: Any, time_changes: Any) -> Any:
    """How fast states at times change that move themselves.

    Args:
        changes: how fast they change at times that stay.
        time_changes: how fast the times move.
    """
    found = np.zeros_like(changes)
    for i in range(len(times)):
        found[i] = changes[i] + time_changes[i] * slope(times[i], states[i])
    return found
