"""Searches along the direction of an update for how far to go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autograph.api.derivatives.gradients import value_and_grad
from autograph.api.leafwise import cast_like, field_of, floats, needed, of_updates, refuse_option
from autograph.optim.base import GradientTransformationExtraArgs
from autograph.optim.numerics import dot, moved, zeros_like
from autograph.solvers.zoom import SearchSettings, zoom


class ZoomLinesearchInfo(NamedTuple):
    """How a search ended.

    Attributes:
        num_linesearch_steps: how many times the function was evaluated.
        decrease_error, curvature_error: by how much the conditions are missed.
    """

    num_linesearch_steps: Any
    decrease_error: Any
    curvature_error: Any


class ScaleByZoomLinesearchState(NamedTuple):
    """The state of `scale_by_zoom_linesearch`.

    Attributes:
        learning_rate: the length of the last step.
        value, grad: where it led.
        info: how the search ended.
    """

    learning_rate: Any
    value: Any
    grad: Any
    info: ZoomLinesearchInfo


def scale_by_zoom_linesearch(
    max_linesearch_steps: int,
    max_learning_rate: float | None = None,
    tol: float = 0.0,
    increase_factor: float = 2.0,
    slope_rtol: float = 1e-4,
    curv_rtol: float = 0.9,
    approx_dec_rtol: float | None = 1e-6,
    stepsize_precision: float = 1e-5,
    initial_guess_strategy: str = "keep",
) -> GradientTransformationExtraArgs:
    """Updates times a step that meets the strong conditions of Wolfe, by interpolation in an
    interval (Nocedal and Wright, "Numerical optimization", 2006, algorithms 3.5 and 3.6).

    Args:
        max_linesearch_steps: the most evaluations.
        max_learning_rate: the longest step.
        tol: by how much the conditions may be missed.
        increase_factor: how fast the step grows at first.
        slope_rtol, curv_rtol: the parts of the slope that have to be gained, and may be left.
        approx_dec_rtol: where slopes show a decrease, the value may rise by this part (Hager and
            Zhang 2005); None if they do not count.
        stepsize_precision: the shortest interval.
        initial_guess_strategy: ``"one"``, or ``"keep"`` the last step as the first trial.

    Raises:
        OptionError: there is no such strategy, or no positive number of evaluations; or (of
            ``update``) something is missing.

    Examples:
        >>> search, function = ag.optim.scale_by_zoom_linesearch(20), lambda x: np.sum(x**4)
        >>> x = np.array([1.0, -2.0])
        >>> value, gradient = ag.value_and_grad(function)(x)
        >>> update, state = search.update(
        ...     -gradient, search.init(x), x, value=value, grad=gradient, value_fn=function
        ... )
        >>> bool(function(x + update) < function(x))
        True
    """
    _require_steps(max_linesearch_steps)
    if initial_guess_strategy not in ("one", "keep"):
        refuse_option(
            f"a line search knows no first step {initial_guess_strategy!r}",
            "choose 'one' or 'keep'",
        )
    settings = SearchSettings(
        max_linesearch_steps,
        max_learning_rate,
        tol,
        increase_factor,
        slope_rtol,
        curv_rtol,
        approx_dec_rtol,
        stepsize_precision,
    )

    def init(params: Any) -> ScaleByZoomLinesearchState:
        nothing = _zero_of(params)
        info = ZoomLinesearchInfo(0, nothing + np.inf, nothing + np.inf)
        return ScaleByZoomLinesearchState(nothing + 1.0, nothing + np.inf, zeros_like(params), info)

    def update(
        updates: Any,
        state: ScaleByZoomLinesearchState,
        params: Any = None,
        *,
        value: Any = None,
        grad: Any = None,
        value_fn: Any = None,
        **extra: Any,
    ) -> tuple[Any, ScaleByZoomLinesearchState]:
        _require(params, value, grad, value_fn)
        grad = of_updates(lambda u, g: g, updates, grad)

        def at(length: Any) -> tuple[Any, Any, Any]:
            place = moved(params, length, updates)
            found, slopes = value_and_grad(lambda p: value_fn(p, **extra))(place)
            slopes = of_updates(lambda u, g: g, updates, slopes)
            return cast_like(found, state.value), dot(slopes, updates), slopes

        first = np.ones_like(state.value)
        if initial_guess_strategy == "keep":
            first = state.learning_rate
        found = zoom(at, cast_like(value, state.value), dot(grad, updates), grad, first, settings)
        length, reached, gradient, steps, decrease, curvature = found
        made = of_updates(lambda u: cast_like(length, u) * u, updates)
        info = ZoomLinesearchInfo(steps, decrease, curvature)
        return made, ScaleByZoomLinesearchState(length, reached, gradient, info)

    return GradientTransformationExtraArgs(init, update)


class BacktrackingLinesearchInfo(NamedTuple):
    """How a search ended.

    Attributes:
        num_linesearch_steps: how many times the function was evaluated.
        decrease_error: by how much the condition is missed.
    """

    num_linesearch_steps: Any
    decrease_error: Any


class ScaleByBacktrackingLinesearchState(NamedTuple):
    """The state of `scale_by_backtracking_linesearch`.

    Attributes:
        learning_rate: the length of the last step.
        value: where it led.
        grad: the gradient there, with ``store_grad``.
        info: how the search ended.
    """

    learning_rate: Any
    value: Any
    grad: Any
    info: BacktrackingLinesearchInfo


def scale_by_backtracking_linesearch(
    max_backtracking_steps: int,
    slope_rtol: float = 1e-4,
    decrease_factor: float = 0.8,
    increase_factor: float = 1.5,
    max_learning_rate: float = 1.0,
    atol: float = 0.0,
    rtol: float = 0.0,
    store_grad: bool = False,
) -> GradientTransformationExtraArgs:
    """Updates times a step that is shortened until the value falls by a part of what the slope
    promises (Armijo 1966).

    Args:
        max_backtracking_steps: how many times it is shortened at most.
        slope_rtol: the part.
        decrease_factor: how much shorter it becomes.
        increase_factor: how much longer the first trial is than the last step.
        max_learning_rate: the longest step.
        atol, rtol: by how much the condition may be missed, also relative to the value.
        store_grad: whether the state has the gradient, for `value_and_grad_from_state`.

    Raises:
        OptionError: there is no positive number of evaluations; or (of ``update``) something is
            missing.

    Examples:
        >>> function = lambda x: np.sum(x**4)
        >>> search = ag.optim.scale_by_backtracking_linesearch(20)
        >>> x = np.array([1.0, -2.0])
        >>> value, gradient = ag.value_and_grad(function)(x)
        >>> update, state = search.update(
        ...     -gradient, search.init(x), x, value=value, grad=gradient, value_fn=function
        ... )
        >>> round(float(state.learning_rate), 6), bool(state.value < value)
        (0.107374, True)
    """
    _require_steps(max_backtracking_steps)

    def init(params: Any) -> ScaleByBacktrackingLinesearchState:
        nothing = _zero_of(params)
        return ScaleByBacktrackingLinesearchState(
            nothing + 1.0,
            nothing + np.inf,
            zeros_like(params) if store_grad else None,
            BacktrackingLinesearchInfo(0, nothing + np.inf),
        )

    def update(
        updates: Any,
        state: ScaleByBacktrackingLinesearchState,
        params: Any = None,
        *,
        value: Any = None,
        grad: Any = None,
        value_fn: Any = None,
        **extra: Any,
    ) -> tuple[Any, ScaleByBacktrackingLinesearchState]:
        _require(params, value, grad, value_fn)
        slope = dot(of_updates(lambda u, g: g, updates, grad), updates)
        value = cast_like(value, state.value)
        length = np.minimum(increase_factor * state.learning_rate, max_learning_rate)
        reached, error, steps = value, np.inf + 0.0 * value, 0
        while steps <= max_backtracking_steps and not error <= atol:
            if steps > 0:
                length = decrease_factor * length
            reached = cast_like(value_fn(moved(params, length, updates), **extra), value)
            error = reached - (1.0 + rtol) * value - length * slope_rtol * slope
            error = np.where(np.isnan(error), np.inf, np.maximum(error, 0.0))
            steps += 1
        length = np.where(np.isinf(error), 0.0, length)
        gradient = None
        if store_grad:
            place = moved(params, length, updates)
            gradient = value_and_grad(lambda p: value_fn(p, **extra))(place)[1]
            gradient = of_updates(lambda u, g: g, updates, gradient)
        made = of_updates(lambda u: cast_like(length, u) * u, updates)
        info = BacktrackingLinesearchInfo(steps, error)
        return made, ScaleByBacktrackingLinesearchState(length, reached, gradient, info)

    return GradientTransformationExtraArgs(init, update)


def value_and_grad_from_state(value_fn: Callable[..., Any]) -> Callable[..., tuple[Any, Any]]:
    """`autograph.value_and_grad`, of what a line search has found already if it has.

    Args:
        value_fn: the function.

    Returns:
        A function of the parameters, of further arguments of the function, and of ``state``, that
        of an optimiser with a line search.

    Raises:
        OptionError: (when it is called) the state holds no value and gradient.

    Examples:
        >>> function, optimiser = lambda x: np.sum((x - 3.0) ** 2), ag.optim.lbfgs()
        >>> value_and_grad = ag.optim.value_and_grad_from_state(function)
        >>> x = np.zeros(2)
        >>> state = optimiser.init(x)
        >>> for _ in range(3):
        ...     value, gradient = value_and_grad(x, state=state)
        ...     update, state = optimiser.update(
        ...         gradient, state, x, value=value, grad=gradient, value_fn=function
        ...     )
        ...     x = ag.optim.apply_updates(x, update)
        >>> x.round(6)
        array([3., 3.])
    """

    def found(params: Any, *args: Any, state: Any, **extra: Any) -> tuple[Any, Any]:
        value, gradient = field_of(state, "value"), field_of(state, "grad")
        if gradient is None:
            refuse_option(
                "the line search keeps no gradient",
                "make it by scale_by_backtracking_linesearch(..., store_grad=True)",
            )
        if not np.isfinite(value):
            value, gradient = value_and_grad(lambda p: value_fn(p, *args, **extra))(params)
        return value, gradient

    return found


def _zero_of(params: Any) -> Any:
    """A zero with the precision of the parameters."""
    return np.zeros((), np.result_type(*floats(params)))


def _require_steps(steps: int) -> None:
    if steps < 1:
        refuse_option(f"a line search of {steps} steps", "give a positive number of steps")


def _require(params: Any, value: Any, grad: Any, value_fn: Any) -> None:
    needed(params, "a line search")
    if value is None or grad is None or value_fn is None:
        refuse_option(
            "a line search needs the function, its value and its gradient",
            "call optimiser.update(gradient, state, params, value=value, grad=gradient, "
            "value_fn=function)",
        )
