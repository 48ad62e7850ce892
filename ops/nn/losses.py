"""Losses, with the names, defaults and formulas of ``torch.nn.functional``.

``reduction`` is "mean", "sum" or "none". Where classes have weights, the mean is weighted.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ops.arrays.rearrange import take, take_along_axis
from ops.core.operands import dtype_of, ndim_of, shape_of
from ops.elementwise import (
    absolute,
    add,
    divide,
    equal,
    exp,
    less,
    less_equal,
    log,
    logaddexp,
    multiply,
    negative,
    not_equal,
    square,
    subtract,
)
from ops.elementwise.conversion import astype, where
from ops.special import log_softmax, xlogy
from ops.special.sums import as_inexact
from ops.statistics.moments import mean
from ops.structure.broadcasting import sum
from ops.structure.reshaping import expand_dims, reshape, squeeze

__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cross_entropy",
    "huber_loss",
    "kl_div_loss",
    "l1_loss",
    "mse_loss",
    "nll_loss",
    "smooth_l1_loss",
]


def _reduced(losses: Any, reduction: str) -> Any:
    if reduction == "mean":
        return mean(losses)
    if reduction == "sum":
        return sum(losses)
    if reduction == "none":
        return losses
    raise ValueError(f"{reduction} is not a valid value for reduction")


def _pair(input: Any, target: Any) -> tuple[Any, Any]:
    """Both operands as floats of one shape.

    Raises:
        ValueError: the shapes differ.
    """
    if shape_of(input) != shape_of(target):
        raise ValueError(
            f"the target has another shape, {shape_of(target)}, than the input, {shape_of(input)}"
        )
    return as_inexact(input), as_inexact(target)


def mse_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    """The squared differences."""
    input, target = _pair(input, target)
    return _reduced(square(subtract(input, target)), reduction)


def l1_loss(input: Any, target: Any, reduction: str = "mean") -> Any:
    """The absolute differences."""
    input, target = _pair(input, target)
    return _reduced(absolute(subtract(input, target)), reduction)


def huber_loss(input: Any, target: Any, reduction: str = "mean", delta: float = 1.0) -> Any:
    """Half the squared differences up to ``delta``, ``delta * (abs(d) - delta / 2)`` beyond.

    Raises:
        ValueError: ``delta`` is not positive.
    """
    if delta <= 0:
        raise ValueError(f"huber_loss: delta has to be positive, but got {delta}")
    input, target = _pair(input, target)
    difference = subtract(input, target)
    size = absolute(difference)
    near, far = multiply(0.5, square(difference)), multiply(delta, subtract(size, 0.5 * delta))
    return _reduced(where(less(size, delta), near, far), reduction)


def smooth_l1_loss(input: Any, target: Any, reduction: str = "mean", beta: float = 1.0) -> Any:
    """`huber_loss` divided by ``beta``; `l1_loss` where that is 0.

    Raises:
        ValueError: ``beta`` is negative.
    """
    if beta < 0:
        raise ValueError(f"smooth_l1_loss: beta must not be negative, but got {beta}")
    if beta == 0:
        return l1_loss(input, target, reduction)
    return divide(huber_loss(input, target, reduction, beta), beta)


def kl_div_loss(input: Any, target: Any, reduction: str = "mean", log_target: bool = False) -> Any:
    """The divergence of the probabilities whose logarithms ``input`` are from ``target``.

    Args:
        input: logarithms of probabilities.
        target: probabilities, or with ``log_target`` their logarithms.
        reduction: also "batchmean", the sum divided by the first length.
    """
    input, target = _pair(input, target)
    if log_target:
        losses = multiply(exp(target), subtract(target, input))
    else:
        losses = subtract(xlogy(target, target), multiply(target, input))
    if reduction == "batchmean":
        return divide(sum(losses), shape_of(input)[0])
    return _reduced(losses, reduction)


def binary_cross_entropy(
    input: Any, target: Any, weight: Any = None, reduction: str = "mean"
) -> Any:
    """``-(y * log(p) + (1 - y) * log(1 - p))``, with logarithms not below -100; the derivative of
    those is 0.

    Args:
        input: probabilities ``p``.
        target: ``y``, of the same shape.
        weight: of each element; broadcasts.
        reduction: see above.
    """
    p, y = _pair(input, target)
    yes, no = _bounded_log(p), _bounded_log(subtract(1, p))
    losses = negative(add(multiply(y, yes), multiply(subtract(1, y), no)))
    return _reduced(losses if weight is None else multiply(losses, weight), reduction)


def _bounded_log(p: Any) -> Any:
    """``log(p)`` but not below -100, where the derivative is 0."""
    dtype = dtype_of(p)
    low = less_equal(p, math.exp(-100) if dtype == np.float64 else 0)
    return where(low, dtype.type(-100), log(where(low, dtype.type(1), p)))


def binary_cross_entropy_with_logits(
    input: Any,
    target: Any,
    weight: Any = None,
    reduction: str = "mean",
    pos_weight: Any = None,
) -> Any:
    """`binary_cross_entropy` of the sigmoid of ``input``, accurate for large ones.

    Args:
        input: logits.
        target: probabilities, of the same shape.
        weight: of each element; broadcasts.
        reduction: see above.
        pos_weight: of what is positive; broadcasts.
    """
    x, y = _pair(input, target)
    rest = logaddexp(negative(x), 0)
    if pos_weight is None:
        losses = add(multiply(subtract(1, y), x), rest)
    else:
        factor = add(multiply(subtract(pos_weight, 1), y), 1)
        losses = add(multiply(subtract(1, y), x), multiply(factor, rest))
    return _reduced(losses if weight is None else multiply(losses, weight), reduction)


# -- classes ---------------------------------------------------------------------------------------


def _class_axis(input: Any) -> int:
    if ndim_of(input) == 0:
        raise ValueError("the input needs an axis of classes")
    return 0 if ndim_of(input) == 1 else 1


def nll_loss(
    input: Any,
    target: Any,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Any:
    """Minus the element of ``input`` at the class that ``target`` says.

    Args:
        input: logarithms of probabilities, ``(batch, classes, *lengths)`` or ``(classes,)``.
        target: integers, ``(batch, *lengths)`` or a number.
        weight: of each class.
        ignore_index: a class that does not count.
        reduction: see above; the mean is over the classes that count.

    Raises:
        TypeError: the target is not integers.
        ValueError: the shapes do not fit.
        IndexError: a class is out of range.
    """
    input = as_inexact(input)
    axis = _class_axis(input)
    batch = tuple(n for i, n in enumerate(shape_of(input)) if i != axis)
    if dtype_of(target).kind not in "iu":
        raise TypeError(f"the classes have to be integers, not {dtype_of(target)}")
    if shape_of(target) != batch:
        raise ValueError(
            f"classes of shape {shape_of(target)} for scores of shape {shape_of(input)}, whose "
            f"axis {axis} is that of the classes: they are to have shape {batch}"
        )
    counted = not_equal(target, ignore_index)
    target = where(counted, target, 0)
    picked = squeeze(take_along_axis(input, expand_dims(target, axis), axis), axis)
    zero = dtype_of(input).type(0)
    if weight is None:
        weights = astype(counted, dtype_of(input))
    else:
        weights = where(counted, take(weight, target, 0), zero)
    losses = where(counted, negative(multiply(weights, picked)), zero)
    if reduction != "mean":
        return _reduced(losses, reduction)
    return divide(sum(losses), sum(weights))


def cross_entropy(
    input: Any,
    target: Any,
    weight: Any = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Any:
    """Minus the logarithm of the softmax of ``input`` at the class that ``target`` says.

    Args:
        input: logits, ``(batch, classes, *lengths)`` or ``(classes,)``.
        target: integers, ``(batch, *lengths)`` or a number; or probabilities in the shape of
            ``input``.
        weight: of each class.
        ignore_index: a class that does not count, of integers.
        reduction: see above; of probabilities, the mean is over the batch.
        label_smoothing: the share of the uniform distribution that is mixed to the target.

    Raises:
        ValueError: the shapes do not fit, or the share is not between 0 and 1.
        IndexError: a class is out of range.
    """
    if not 0 <= label_smoothing <= 1:
        raise ValueError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}")
    input = as_inexact(input)
    axis = _class_axis(input)
    classes = shape_of(input)[axis]
    logarithms = log_softmax(input, axis)
    shape = [-1 if i == axis else 1 for i in range(ndim_of(input))]
    by_class = None if weight is None else reshape(weight, shape)
    if dtype_of(target).kind == "f":
        if shape_of(target) != shape_of(input):
            raise ValueError(f"probabilities of shape {shape_of(target)}, not {shape_of(input)}")
        target = add(multiply(1 - label_smoothing, target), label_smoothing / classes)
        target = target if by_class is None else multiply(target, by_class)
        losses = negative(sum(_product(target, logarithms), axis))
        return _reduced(losses, reduction)
    plain = nll_loss(logarithms, target, weight, ignore_index, reduction)
    if not label_smoothing:
        return plain
    weighted = logarithms if by_class is None else multiply(logarithms, by_class)
    counted = not_equal(target, ignore_index)
    smooth = where(counted, negative(sum(weighted, axis)), dtype_of(input).type(0))
    if reduction == "mean":
        if weight is None:
            total = sum(astype(counted, dtype_of(input)))
        else:
            picked = take(weight, where(counted, target, 0), 0)
            total = sum(where(counted, picked, dtype_of(input).type(0)))
        smooth = divide(sum(smooth), total)
    else:
        smooth = _reduced(smooth, reduction)
    return add(multiply(1 - label_smoothing, plain), multiply(label_smoothing / classes, smooth))


def _product(target: Any, logarithms: Any) -> Any:
    """``target * logarithms``, and 0 where the target is 0, also of minus infinity."""
    zero = equal(target, 0)
    return multiply(target, where(zero, dtype_of(logarithms).type(0), logarithms))
