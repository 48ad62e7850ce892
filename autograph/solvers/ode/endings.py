"""How an integration has ended, and the errors where it could not go on."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.errors import IntegrationError

RUNNING, TOO_MANY_STEPS, TOO_SMALL, NOT_FINITE, TOO_MANY_EVENTS = range(5)


def require_ordered(times: Any) -> None:
    """Raise if the times go back and forth.

    Raises:
        IntegrationError: they neither rise nor fall all along, or one of them is NaN.
    """
    steps = np.diff(times)
    if not (np.all(steps >= 0.0) or np.all(steps <= 0.0)):
        raise IntegrationError(
            "the times of odeint neither rise nor fall all along", fix="sort them: np.sort(t)"
        )


def require_ended(status: Any, t: Any, most: int, most_events: int) -> None:
    """Raise if an integration has not come to its end.

    Args:
        status: see above.
        t: where it has come to.
        most, most_events: how many steps and events there may be.

    Raises:
        IntegrationError: see the messages.
    """
    if status == TOO_MANY_STEPS:
        raise IntegrationError(
            f"odeint has come to the time {t} in {most} steps",
            fix="a stiff problem needs method='rodas4'; else raise max_steps, rtol or atol",
        )
    if status == TOO_SMALL:
        raise IntegrationError(
            f"the steps of odeint become too small at the time {t}",
            fix="look whether the solution ends there, or jumps: say when with an event",
        )
    if status == NOT_FINITE:
        raise IntegrationError(
            f"the right-hand side of odeint is not finite after the time {t}",
            fix="look for divisions by zero, roots and logarithms of negative numbers in it",
        )
    if status == TOO_MANY_EVENTS:
        raise IntegrationError(
            f"there have been more than {most_events} events until the time {t}",
            fix="if they accumulate, end there with a terminal event; else raise max_events",
        )


def require_returned(distance: Any, size: Any, tol: Any, t: Any, before: Any) -> None:
    """Raise if the way back of the adjoint equations has led elsewhere than the state came from:
    what shrinks on the way there grows on the way back.

    Args:
        distance, size: from the state that it began with, and of that.
        tol: what the distance may be, relative to the size.
        t, before: the times between which it went.

    Raises:
        IntegrationError: it is farther away.
    """
    if not distance <= tol * size:
        raise IntegrationError(
            f"the adjoint equations, from the time {t} back to {before}, come to another state: "
            f"at a distance of {distance}",
            fix="use gradient='steps', or give more times t in between",
        )


def require_same(count: Any, wanted: Any) -> None:
    """Raise if the equations of the derivative, which take other steps, have seen other events.

    Args:
        count, wanted: how many they have seen, and how many there were.

    Raises:
        IntegrationError: these are not the same.
    """
    if count != wanted:
        raise IntegrationError(
            f"the equations of the derivative see {count} events where there are {wanted}: one is "
            "at the end, or its guard changes its sign twice within a step",
            fix="use gradient='steps', set hmax, or end at another time",
        )
