"""Lion: the sign of an average."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autograph.api.leafwise import cast_like, of_updates, refuse_option
from autograph.optim.base import GradientTransformation, ScalarOrSchedule
from autograph.optim.combining import chain
from autograph.optim.decay import add_decayed_weights
from autograph.optim.numerics import safe_increment, update_moment, zero_count, zeros_like
from autograph.optim.scaling import scale_by_learning_rate

_MODES = ("hard", "smooth", "refined")


class ScaleByLionState(NamedTuple):
    """The state of `scale_by_lion`.

    Attributes:
        count: how many steps there have been, an int32.
        mu: the moving average of the gradients.
    """

    count: Any
    mu: Any


def scale_by_lion(
    b1: float = 0.9,
    b2: float = 0.99,
    mu_dtype: Any = None,
    *,
    mode: str = "hard",
    smooth_beta: float = 1.0,
) -> GradientTransformation:
    """The sign of an average of the gradient and of those before (Chen et al. 2023).

    Args:
        b1: how much of those before is in the average.
        b2: how slowly the average that is kept forgets.
        mu_dtype: its dtype; that of the parameters by default.
        mode: what is made of the average ``x``: ``"hard"``, its sign; ``"smooth"``,
            ``tanh(smooth_beta * x)``; or ``"refined"``, ``x`` itself between -1 and 1, and its sign
            elsewhere.
        smooth_beta: how steep the smooth one is.

    Raises:
        OptionError: there is no such mode.

    Examples:
        >>> lion = ag.optim.scale_by_lion()
        >>> lion.update(np.array([3.0, -0.1]), lion.init(np.zeros(2)))[0]
        array([ 1., -1.])
    """
    if mode not in _MODES:
        refuse_option(f"lion knows no mode {mode!r}", f"choose from {', '.join(map(repr, _MODES))}")

    def step(x: Any) -> Any:
        if mode == "smooth":
            return np.tanh(cast_like(smooth_beta, x) * x)
        sign = np.sign(x)
        return np.where(np.abs(x) < 1.0, x, sign) if mode == "refined" else sign

    def init(params: Any) -> ScaleByLionState:
        return ScaleByLionState(zero_count(), zeros_like(params, mu_dtype))

    def update(
        updates: Any, state: ScaleByLionState, params: Any = None
    ) -> tuple[Any, ScaleByLionState]:
        made = of_updates(lambda g, m: step((1.0 - b1) * g + b1 * m), updates, state.mu)
        mu = update_moment(updates, state.mu, b2, 1)
        return made, ScaleByLionState(safe_increment(state.count), mu)

    return GradientTransformation(init, update)


def lion(
    learning_rate: ScalarOrSchedule,
    b1: float = 0.9,
    b2: float = 0.99,
    mu_dtype: Any = None,
    weight_decay: ScalarOrSchedule = 1e-3,
    mask: Any = None,
) -> GradientTransformation:
    """Lion (Chen et al., "Symbolic discovery of optimization algorithms", 2023). All steps have one
    size, so the learning rate is about a tenth of that of `adamw`, and the decay ten times as much.

    Args:
        learning_rate: a number or a schedule.
        b1, b2, mu_dtype: see `scale_by_lion`.
        weight_decay, mask: see `add_decayed_weights`.

    Examples:
        >>> optimiser, params = ag.optim.lion(0.1, weight_decay=0.0), np.zeros(2)
        >>> optimiser.update(np.array([3.0, -0.1]), optimiser.init(params), params)[0]
        array([-0.1,  0.1])
    """
    return chain(
        scale_by_lion(b1, b2, mu_dtype),
        add_decayed_weights(weight_decay, mask),
        scale_by_learning_rate(learning_rate),
    )
