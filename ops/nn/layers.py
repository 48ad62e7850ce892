"""Layers as functions of their parameters: products, look-ups, normalisation, attention."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ops.arrays.contraction import matmul
from ops.arrays.rearrange import take
from ops.core.operands import dtype_of, ndim_of, shape_of
from ops.elementwise import add, divide, logical_and, multiply, not_equal, sqrt, square, subtract
from ops.elementwise.conversion import astype, where
from ops.nn.activations import masked_softmax
from ops.random.distributions import bernoulli
from ops.special import softmax
from ops.special.sums import as_inexact
from ops.statistics.moments import mean, var
from ops.structure.permuting import swapaxes
from ops.structure.reshaping import reshape

__all__ = [
    "batch_norm",
    "dropout",
    "embedding",
    "group_norm",
    "layer_norm",
    "linear",
    "rms_norm",
    "scaled_dot_product_attention",
]


def linear(x: Any, weight: Any, bias: Any = None) -> Any:
    """``x @ weight.T + bias``.

    Args:
        x: ``(..., inputs)``.
        weight: ``(outputs, inputs)``, or ``(inputs,)`` for one output without an axis.
        bias: ``(outputs,)`` or None.
    """
    if ndim_of(weight) == 2:
        weight = swapaxes(weight, 0, 1)
    product = matmul(x, weight)
    return product if bias is None else add(product, bias)


def embedding(ids: Any, weight: Any) -> Any:
    """The rows of ``weight`` at the positions ``ids``: of shape ``(*ids.shape, width)``.

    Raises:
        IndexError: an id is out of range.
    """
    return take(weight, ids, 0)


def dropout(key: Any, x: Any, rate: float = 0.5, training: bool = True) -> Any:
    """``x`` with elements set to 0 at random, and the others divided by the share that is kept.

    Args:
        key: a key of `ops.random`.
        x: an array.
        rate: the known probability of 0, from 0 to 1.
        training: False to return ``x`` as it is.

    Raises:
        ValueError: the rate is not a probability.
    """
    if not 0 <= rate <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {rate}")
    if not training or rate == 0:
        return x
    x = as_inexact(x)
    zero = dtype_of(x).type(0)
    if rate == 1:
        return multiply(x, zero)
    kept = bernoulli(key, 1.0 - rate, shape_of(x))
    return where(kept, divide(x, 1.0 - rate), zero)


# -- normalisation ---------------------------------------------------------------------------------


def _standardised(x: Any, axes: Any, eps: float) -> Any:
    centred = subtract(x, astype(mean(x, axes, keepdims=True), dtype_of(x)))
    variance = astype(mean(square(centred), axes, keepdims=True), dtype_of(x))
    return divide(centred, sqrt(add(variance, eps)))


def _affine(x: Any, weight: Any, bias: Any) -> Any:
    x = x if weight is None else multiply(x, weight)
    return x if bias is None else add(x, bias)


def layer_norm(
    x: Any, weight: Any = None, bias: Any = None, axis: Any = -1, eps: float = 1e-5
) -> Any:
    """``x`` with mean 0 and variance 1 along ``axis``, times ``weight``, plus ``bias``.

    Args:
        x: an array.
        weight, bias: arrays that broadcast with ``x``, or None.
        axis: an axis or a tuple of axes.
        eps: is added to the variance.
    """
    return _affine(_standardised(as_inexact(x), axis, eps), weight, bias)


def rms_norm(x: Any, weight: Any = None, axis: Any = -1, eps: float = 1e-6) -> Any:
    """``x`` divided by the root of the mean of its squares along ``axis``, times ``weight``."""
    x = as_inexact(x)
    squares = astype(mean(square(x), axis, keepdims=True), dtype_of(x))
    return _affine(divide(x, sqrt(add(squares, eps))), weight, None)


def _of_channels(values: Any, ndim: int) -> Any:
    return values if values is None else reshape(values, (-1, *[1] * (ndim - 2)))


def group_norm(x: Any, groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """`layer_norm` of each group of channels.

    Args:
        x: ``(batch, channels, *lengths)``.
        groups: how many groups; as many as there are channels make it an instance norm.
        weight, bias: ``(channels,)`` or None.
        eps: is added to the variance.

    Raises:
        ValueError: the groups do not divide the channels.
    """
    x = as_inexact(x)
    batch, channels, *lengths = shape_of(x)
    if groups < 1 or channels % groups:
        raise ValueError(f"{channels} channels can't be divided into {groups} groups")
    grouped = reshape(x, (batch, groups, channels // groups * math.prod(lengths)))
    normal = reshape(_standardised(grouped, -1, eps), shape_of(x))
    ndim = len(lengths) + 2
    return _affine(normal, _of_channels(weight, ndim), _of_channels(bias, ndim))


def batch_norm(
    x: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> tuple[Any, Any, Any]:
    """``x`` standardised for each channel, and the new running statistics.

    Args:
        x: ``(batch, channels, *lengths)``.
        running_mean, running_var: ``(channels,)``: what is used, and returned unchanged, if not
            ``training``. Else the statistics of the batch are used and their share in the running
            ones, where the variance is the unbiased one, is ``momentum``.
        weight, bias: ``(channels,)`` or None.
        training, momentum, eps: see above; ``eps`` is added to the variance.

    Returns:
        (result, running mean, running variance).

    Raises:
        ValueError: there is only one value for each channel to train with.
    """
    x = as_inexact(x)
    shape = shape_of(x)
    ndim, dtype = len(shape), dtype_of(x)
    weight, bias = _of_channels(weight, ndim), _of_channels(bias, ndim)
    if not training:
        centred = subtract(x, _of_channels(running_mean, ndim))
        scale = sqrt(add(_of_channels(running_var, ndim), eps))
        return _affine(divide(centred, scale), weight, bias), running_mean, running_var
    axes = (0, *range(2, ndim))
    count = math.prod(shape[i] for i in axes)
    if count <= 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got {shape}")
    average = astype(mean(x, axes), dtype)
    variance = astype(var(x, axes, ddof=1), dtype)
    new = [
        add(multiply(1.0 - momentum, old), multiply(momentum, found))
        for old, found in ((running_mean, average), (running_var, variance))
    ]
    return _affine(_standardised(x, axes, eps), weight, bias), *new


# -- attention -------------------------------------------------------------------------------------


def scaled_dot_product_attention(
    query: Any,
    key: Any,
    value: Any,
    mask: Any = None,
    is_causal: bool = False,
    scale: Any = None,
    dropout_rate: float = 0.0,
    dropout_key: Any = None,
) -> Any:
    """The values, weighted by the softmax of the products of queries and keys.

    A query that may not attend to anything gives zeros, with a derivative of 0.

    Args:
        query: ``(..., queries, width)``.
        key: ``(..., keys, width)``.
        value: ``(..., keys, features)``.
        mask: broadcasts to ``(..., queries, keys)``: booleans, True where a query may attend to a
            key, or floats that are added to the products, minus infinity included.
        is_causal: query ``i`` attends to keys up to ``i`` only.
        scale: what the products are multiplied by; by default ``1 / sqrt(width)``.
        dropout_rate: of the weights.
        dropout_key: a key of `ops.random` for that.

    Returns:
        ``(..., queries, features)``.
    """
    query = as_inexact(query)
    if scale is None:
        scale = 1.0 / math.sqrt(shape_of(query)[-1])
    scores = matmul(multiply(query, scale), swapaxes(key, -1, -2))
    allowed = None
    if mask is not None and dtype_of(mask).kind == "b":
        allowed = mask
    elif mask is not None:
        scores = add(scores, mask)
        allowed = not_equal(scores, -np.inf)
    if is_causal:
        rows, columns = shape_of(scores)[-2:]
        causal = np.tri(rows, columns, dtype=bool)
        allowed = causal if allowed is None else logical_and(allowed, causal)
    weights = softmax(scores, -1) if allowed is None else masked_softmax(scores, allowed, -1)
    if dropout_rate:
        weights = dropout(dropout_key, weights, dropout_rate)
    return matmul(weights, value)
