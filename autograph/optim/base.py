"""What an optimiser is: a pair of functions, one that makes a state and one that makes a step of a
gradient. Names and meanings are Optax's (DeepMind 2020)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autograph.api.leafwise import of_updates, updated


class GradientTransformation(NamedTuple):
    """Makes something else of gradients.

    Attributes:
        init: ``init(params)`` is the first state.
        update: ``update(updates, state, params=None)`` makes of gradients, or of what another
            transformation has made of them, other updates, and the next state.
    """

    init: Callable[..., Any]
    update: Callable[..., Any]


class GradientTransformationExtraArgs(GradientTransformation):
    """A `GradientTransformation` whose ``update`` takes arguments by name besides, such as the
    ``value`` of the loss: ``update(updates, state, params=None, **extra)``."""


ScalarOrSchedule = float | Callable[[Any], Any]


class EmptyState(NamedTuple):
    """The state of what needs none."""


def with_extra_args_support(tx: GradientTransformation) -> GradientTransformationExtraArgs:
    """A transformation as one that takes arguments by name, and ignores them if it knows none.

    Examples:
        >>> sgd = ag.optim.with_extra_args_support(ag.optim.scale(-0.1))
        >>> sgd.update(np.ones(2), sgd.init(np.ones(2)), value=3.0)[0]
        array([-0.1, -0.1])
    """
    if isinstance(tx, GradientTransformationExtraArgs):
        return tx

    def update(updates: Any, state: Any, params: Any = None, **extra: Any) -> tuple[Any, Any]:
        return tx.update(updates, state, params)

    return GradientTransformationExtraArgs(tx.init, update)


def stateless(f: Callable[[Any, Any], Any]) -> GradientTransformation:
    """A transformation without a state.

    Args:
        f: makes of updates and parameters (or None) other updates.

    Examples:
        >>> signs = ag.optim.stateless(lambda updates, params: ag.tree.map(np.sign, updates))
        >>> signs.update({"w": np.array([-3.0, 0.5])}, signs.init({"w": np.ones(2)}))[0]
        {'w': array([-1.,  1.])}
    """

    def init(params: Any) -> EmptyState:
        return EmptyState()

    def update(updates: Any, state: Any, params: Any = None) -> tuple[Any, EmptyState]:
        return f(updates, params), state

    return GradientTransformation(init, update)


def leaf_by_leaf(function: Callable[[Any], Any]) -> GradientTransformation:
    """A transformation without a state, of each leaf of the updates by itself."""

    def mapped(updates: Any, params: Any) -> Any:
        return of_updates(function, updates)

    return stateless(mapped)


def identity() -> GradientTransformation:
    """The transformation that changes nothing.

    Examples:
        >>> ag.optim.identity().update(np.ones(2), ag.optim.EmptyState())[0]
        array([1., 1.])
    """
    return stateless(lambda updates, params: updates)


def set_to_zero() -> GradientTransformation:
    """Updates that are zero: parameters with it are frozen; see `partition`.

    Examples:
        >>> ag.optim.set_to_zero().update(np.ones(2), ag.optim.EmptyState())[0]
        array([0., 0.])
    """
    return leaf_by_leaf(lambda u: np.zeros_like(u))


def apply_updates(params: Any, updates: Any) -> Any:
    """The parameters with updates added, in their own dtypes; those without an update stay.

    Args:
        params: of any structure that `autograph.tree` takes.
        updates: nested and shaped likewise.

    Raises:
        OperandShapeError: they are not.

    Examples:
        >>> params, updates = {"w": np.ones(2), "n": 3}, {"w": np.array([0.5, -1.0]), "n": None}
        >>> ag.optim.apply_updates(params, updates)
        {'w': array([1.5, 0. ]), 'n': 3}
    """
    return updated(params, updates, lambda param, update: param + update)
