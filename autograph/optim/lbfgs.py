"""L-BFGS as an optimiser: steps of the gradient times what is known of the inverse Hessian."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autograph.api.leafwise import needed, of_updates, refuse_option
from autograph.optim.base import GradientTransformation, ScalarOrSchedule, identity
from autograph.optim.combining import chain
from autograph.optim.line_search import scale_by_zoom_linesearch
from autograph.optim.numerics import safe_increment, zero_count
from autograph.optim.scaling import scale, scale_by_learning_rate
from autograph.optim.vectors import joined, parted
from autograph.solvers.quasi_newton import remembered, two_loops


class ScaleByLBFGSState(NamedTuple):
    """The state of `scale_by_lbfgs`. All parameters are one vector there.

    Attributes:
        count: how many steps there have been, an int32.
        params, updates: the parameters and the gradient at the last step.
        diff_params_memory, diff_updates_memory: rows of the last steps, and of the changes of the
            gradient in them.
        weights_memory: one over the inner products of these.
    """

    count: Any
    params: Any
    updates: Any
    diff_params_memory: Any
    diff_updates_memory: Any
    weights_memory: Any


def scale_by_lbfgs(
    memory_size: int = 10, scale_init_precond: bool = True
) -> GradientTransformation:
    """Gradients times an estimate of the inverse Hessian (Liu and Nocedal 1989).

    Args:
        memory_size: how many steps the estimate is made of.
        scale_init_precond: whether it begins with the curvature along the last step, and not with
            the identity.

    Raises:
        OptionError: ``memory_size`` is not positive; or (of ``update``) there are no parameters.

    Examples:
        >>> lbfgs, params = ag.optim.scale_by_lbfgs(), np.array([1.0, 1.0])
        >>> state = lbfgs.init(params)
        >>> for _ in range(3):
        ...     gradient = np.array([2.0, 20.0]) * params
        ...     update, state = lbfgs.update(gradient, state, params)
        ...     params = params - update
        >>> bool(np.sum(params**2) < 0.1)
        True
    """
    if memory_size < 1:
        refuse_option(f"memory_size is {memory_size}", "give a memory_size of at least 1")

    def init(params: Any) -> ScaleByLBFGSState:
        nothing = np.zeros_like(joined(params))
        memory = np.zeros((memory_size, len(nothing)), nothing.dtype)
        weights = np.zeros(memory_size, nothing.dtype)
        return ScaleByLBFGSState(zero_count(), nothing, nothing, memory, memory, weights)

    def update(
        updates: Any, state: ScaleByLBFGSState, params: Any = None
    ) -> tuple[Any, ScaleByLBFGSState]:
        needed(params, "scale_by_lbfgs")
        params = of_updates(lambda u, p: p, updates, params, what="parameters")
        g, x = joined(updates), joined(params)
        before = (state.count - 1) % memory_size
        is_first = state.count == 0
        move = np.where(is_first, 0.0, x - state.params)
        change = np.where(is_first, 0.0, g - state.updates)
        product = move @ change
        weight = np.where(product == 0.0, 0.0, 1.0 / np.where(product == 0.0, 1.0, product))
        moves = remembered(state.diff_params_memory, before, move)
        changes = remembered(state.diff_updates_memory, before, change)
        weights = remembered(state.weights_memory, before, weight)
        curvature = 1.0
        if scale_init_precond:
            curvature = _first_scale(g, product, change @ change, is_first)
        step = two_loops(g, moves, changes, weights, curvature, state.count % memory_size)
        following = ScaleByLBFGSState(safe_increment(state.count), x, g, moves, changes, weights)
        return of_updates(lambda u, s: s, updates, parted(step, updates)), following

    return GradientTransformation(init, update)


def _first_scale(g: Any, product: Any, squared: Any, is_first: Any) -> Any:
    """The inverse curvature along the last step (Nocedal and Wright 2006, equation 7.20); at first,
    what makes the step no longer than one."""
    is_flat = squared <= 0.0
    known = np.where(is_flat, 1.0, product / np.where(is_flat, 1.0, squared))
    length = np.sqrt(np.sum(np.square(g)))
    return np.where(is_first, 1.0 / np.maximum(length, 1.0), known)


_ZOOM = scale_by_zoom_linesearch(20, initial_guess_strategy="one")


def lbfgs(
    learning_rate: ScalarOrSchedule | None = None,
    memory_size: int = 10,
    scale_init_precond: bool = True,
    linesearch: GradientTransformation | None = _ZOOM,
) -> GradientTransformation:
    """L-BFGS (Liu and Nocedal, "On the limited memory BFGS method for large scale optimization",
    1989), with a search along each step.

    Its ``update`` needs to know the function: ``update(gradient, state, params, value=value,
    grad=gradient, value_fn=function)``. `value_and_grad_from_state` takes value and gradient from
    the search before.

    Args:
        learning_rate: the length of steps before the search, a number or a schedule; 1 by default.
        memory_size, scale_init_precond: see `scale_by_lbfgs`.
        linesearch: `scale_by_zoom_linesearch` or `scale_by_backtracking_linesearch`; None for none.

    Raises:
        OptionError: ``memory_size`` is not positive; or (of ``update``) something is missing.

    Examples:
        >>> def rosenbrock(x):
        ...     return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)
        >>> optimiser = ag.optim.lbfgs()
        >>> @ag.to_graph
        ... def solved(x):
        ...     state = optimiser.init(x)
        ...     value, gradient = ag.value_and_grad(rosenbrock)(x)
        ...     while np.max(np.abs(gradient)) > 1e-8:
        ...         updates, state = optimiser.update(
        ...             gradient, state, x, value=value, grad=gradient, value_fn=rosenbrock
        ...         )
        ...         x = ag.optim.apply_updates(x, updates)
        ...         value, gradient = ag.value_and_grad(rosenbrock)(x)
        ...     return x
        >>> solved(np.array([-1.0, 2.0, 0.0])).round(6)
        array([1., 1., 1.])
    """
    return chain(
        scale_by_lbfgs(memory_size, scale_init_precond),
        scale(-1.0) if learning_rate is None else scale_by_learning_rate(learning_rate),
        identity() if linesearch is None else linesearch,
    )
