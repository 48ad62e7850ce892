"""Losses."""

from __future__ import annotations

from typing import Any

import numpy as np

import ops
from autograph.interop.onnx_operators.marks import several


def NegativeLogLikelihoodLoss(
    x: Any,
    target: Any,
    weight: Any = None,
    *,
    ignore_index: int | None = None,
    reduction: str = "mean",
) -> Any:
    """``x`` has the classes along axis 1, the target the numbers of classes."""
    counted = np.ones(target.shape, bool) if ignore_index is None else target != ignore_index
    chosen = np.where(counted, target, 0)
    picked = np.take_along_axis(x, np.expand_dims(chosen, 1), axis=1)[:, 0]
    weights = np.ones(target.shape, x.dtype) if weight is None else weight[chosen]
    weights = np.where(counted, weights, 0)
    losses = -picked * weights
    if reduction == "none":
        return losses
    total = np.sum(losses)
    return total if reduction == "sum" else total / np.sum(weights)


def SoftmaxCrossEntropyLoss(
    scores: Any,
    labels: Any,
    weight: Any = None,
    *,
    ignore_index: int | None = None,
    reduction: str = "mean",
    outputs: int = 1,
) -> Any:
    logs = ops.nn.log_softmax(scores, 1)
    loss = NegativeLogLikelihoodLoss(
        logs, labels, weight, ignore_index=ignore_index, reduction=reduction
    )
    return several((loss, logs), outputs)
