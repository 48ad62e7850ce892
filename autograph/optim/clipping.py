"""Gradients that are cut where they are large."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.api.leafwise import cast_like, needed, of_updates, refuse_option
from autograph.optim.base import GradientTransformation, leaf_by_leaf, stateless
from autograph.optim.numerics import global_norm


def clip(max_delta: float) -> GradientTransformation:
    """Each number of the updates, between ``-max_delta`` and ``max_delta``.

    Examples:
        >>> ag.optim.clip(1.0).update(np.array([3.0, -0.5]), ag.optim.EmptyState())[0]
        array([ 1. , -0.5])
    """
    return leaf_by_leaf(lambda u: np.clip(u, -max_delta, max_delta))


def clip_by_global_norm(max_norm: float) -> GradientTransformation:
    """Updates that are shortened, all by one factor, until `global_norm` of them is at most
    ``max_norm`` (Pascanu, Mikolov, Bengio 2013).

    Examples:
        >>> clipped = ag.optim.clip_by_global_norm(1.0)
        >>> clipped.update({"a": np.array([3.0]), "b": np.array([4.0])}, clipped.init(0.0))[0]
        {'a': array([0.6]), 'b': array([0.8])}
    """

    def clipped(updates: Any, params: Any) -> Any:
        factor = max_norm / np.maximum(global_norm(updates), max_norm)
        return of_updates(lambda u: u * cast_like(factor, u), updates)

    return stateless(clipped)


def clip_by_block_rms(threshold: float) -> GradientTransformation:
    """Each leaf of the updates, shortened until the root of its mean square is at most
    ``threshold`` (Shazeer and Stern 2018).

    Examples:
        >>> clipped = ag.optim.clip_by_block_rms(1.0)
        >>> clipped.update({"a": np.array([2.0, -2.0]), "b": np.array([0.5])}, clipped.init(0.0))[0]
        {'a': array([ 1., -1.]), 'b': array([0.5])}
    """

    def of_leaf(update: Any) -> Any:
        excess = np.mean(np.square(update)) / threshold**2
        is_long = excess > 1.0
        return np.where(is_long, update / np.sqrt(np.where(is_long, excess, 1.0)), update)

    return leaf_by_leaf(of_leaf)


def adaptive_grad_clip(
    clipping: float, eps: float = 1e-3, axis: int | tuple[int, ...] | None = None
) -> GradientTransformation:
    """The updates of each unit, shortened until they are ``clipping`` times as long as its
    parameters (Brock et al., "High-performance large-scale image recognition without
    normalization", 2021).

    Args:
        clipping: the largest ratio of the norms.
        eps: the least norm of parameters.
        axis: the axes along which the parameters of one unit lie: by default, all of a vector or
            number, the first of an array with 2 or 3 axes, all but the last with 4 or 5.

    Raises:
        OptionError: (of ``update``) there are no parameters; or an array has more axes.

    Examples:
        >>> clipped, params = ag.optim.adaptive_grad_clip(0.1), np.array([[3.0, 0.3], [4.0, 0.4]])
        >>> clipped.update(np.ones((2, 2)), clipped.init(params), params)[0].round(4)
        array([[0.3536, 0.0354],
               [0.3536, 0.0354]])
    """

    def clipped(updates: Any, params: Any) -> Any:
        needed(params, "adaptive_grad_clip")
        return of_updates(of_leaf, updates, params, what="parameters")

    def of_leaf(update: Any, param: Any) -> Any:
        axes = _axes_of_unit(np.shape(param)) if axis is None else axis
        squared = np.sum(np.square(param), axis=axes, keepdims=True)
        most = clipping * np.sqrt(np.maximum(squared, eps * eps))
        length = np.sum(np.square(update), axis=axes, keepdims=True)
        is_long = length >= most * most
        norm = np.sqrt(np.where(is_long, np.maximum(length, 1e-12), 1.0))
        return np.where(is_long, update * (most / norm), update)

    return stateless(clipped)


def _axes_of_unit(shape: tuple[int, ...]) -> tuple[int, ...]:
    axes = len(shape)
    if len([size for size in shape if size != 1]) <= 1:
        return tuple(range(axes))
    if axes > 5:
        refuse_option(
            f"adaptive_grad_clip does not know the units of an array with {axes} axes",
            "name the axes of a unit with axis=",
        )
    return (0,) if axes <= 3 else tuple(range(axes - 1))
