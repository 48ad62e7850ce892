"""Transformations of some of the parameters only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from autograph import tree
from autograph.api.leafwise import chosen, marks, where_marked
from autograph.optim.base import (
    GradientTransformation,
    GradientTransformationExtraArgs,
    with_extra_args_support,
)


class MaskedState(NamedTuple):
    """The state of `masked`.

    Attributes:
        inner_state: that of the transformation, which has None for what is masked out.
    """

    inner_state: Any


def masked(inner: GradientTransformation, mask: Any) -> GradientTransformationExtraArgs:
    """A transformation of the updates where a mask is true; the others stay as they are.

    Args:
        inner: the transformation. It sees None in place of what is masked out.
        mask: bools nested like the parameters, or an outer part of them; or a function that makes
            them of parameters, such as `by_path` gives.

    Raises:
        OperandShapeError: (of ``init`` and ``update``) the mask is nested otherwise.

    Examples:
        >>> decay = ag.optim.masked(ag.optim.add_decayed_weights(0.1), {"w": True, "b": False})
        >>> params = {"w": np.ones(2), "b": np.ones(2)}
        >>> decay.update({"w": np.zeros(2), "b": np.zeros(2)}, decay.init(params), params)[0]
        {'w': array([0.1, 0.1]), 'b': array([0., 0.])}
    """
    inner = with_extra_args_support(inner)

    def init(params: Any) -> MaskedState:
        kept = marks(marks_of(mask, params), params)
        return MaskedState(inner.init(where_marked(kept, params)))

    def update(
        updates: Any, state: MaskedState, params: Any = None, **extra: Any
    ) -> tuple[Any, MaskedState]:
        kept = marks(marks_of(mask, updates), updates)
        seen = None if params is None else where_marked(kept, params)
        made, following = inner.update(
            where_marked(kept, updates), state.inner_state, seen, **extra
        )
        return chosen(kept, made, updates), MaskedState(following)

    return GradientTransformationExtraArgs(init, update)


def marks_of(given: Any, params: Any) -> Any:
    """A mask or labels, made of parameters if a function is given."""
    return given(params) if callable(given) else given


def by_path(function: Callable[[str], Any]) -> Callable[[Any], Any]:
    """A mask or labels by the way to a parameter.

    Args:
        function: takes the way to a leaf, as `autograph.tree.map_with_path` has it, a text such as
            ``"['layers'][0].bias"``; returns a bool or a label.

    Returns:
        What `masked` and `partition` take: a function that makes marks of parameters.

    Examples:
        >>> ag.optim.by_path(lambda path: not path.endswith("bias']"))({"w": 1.0, "bias": 2.0})
        {'w': True, 'bias': False}
    """

    def marks_by_path(params: Any) -> Any:
        return tree.map_with_path(lambda path, leaf: function(path), params)

    return marks_by_path
