"""Several transformations as one."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

from autograph.api.leafwise import chosen, marks, refuse_option, where_marked
from autograph.optim.base import (
    GradientTransformation,
    GradientTransformationExtraArgs,
    with_extra_args_support,
)
from autograph.optim.masking import marks_of


def chain(*args: GradientTransformation) -> GradientTransformationExtraArgs:
    """Transformations one after the other, each of what the one before has made.

    Args:
        args: the transformations. What is given to ``update`` by name goes to all that take it.

    Raises:
        OptionError: (of ``update``) the state is one of another number of transformations.

    Examples:
        >>> optimiser = ag.optim.chain(ag.optim.clip(1.0), ag.optim.scale(-0.1))
        >>> optimiser.update(np.array([3.0, 0.5]), optimiser.init(np.zeros(2)))[0]
        array([-0.1 , -0.05])
    """
    transformations = tuple([with_extra_args_support(each) for each in args])

    def init(params: Any) -> tuple[Any, ...]:
        return tuple([each.init(params) for each in transformations])

    def update(
        updates: Any, state: Any, params: Any = None, **extra: Any
    ) -> tuple[Any, tuple[Any, ...]]:
        if len(state) != len(transformations):
            refuse_option(
                f"a chain of {len(transformations)} is given a state of {len(state)}",
                "begin with init(params) of the same chain",
            )
        following = []
        for each, of_each in zip(transformations, state):
            updates, new = each.update(updates, of_each, params, **extra)
            following.append(new)
        return updates, tuple(following)

    return GradientTransformationExtraArgs(init, update)


class PartitionState(NamedTuple):
    """The state of `partition`.

    Attributes:
        inner_states: those of the transformations, by their labels.
    """

    inner_states: dict[Hashable, Any]


def partition(
    transforms: Mapping[Hashable, GradientTransformation], param_labels: Any
) -> GradientTransformationExtraArgs:
    """A transformation of its own for each label of parameters.

    Args:
        transforms: for each label, the transformation.
        param_labels: labels nested like the parameters, or an outer part of them; or a function
            that makes them of parameters, such as `by_path` gives.

    Raises:
        OptionError: (of ``init``) a parameter has a label without a transformation.
        OperandShapeError: (likewise) the labels are nested otherwise.

    Examples:
        >>> params = {"body": np.ones(2), "head": np.ones(2)}
        >>> optimiser = ag.optim.partition(
        ...     {"slow": ag.optim.sgd(0.1), "frozen": ag.optim.set_to_zero()},
        ...     {"body": "frozen", "head": "slow"},
        ... )
        >>> optimiser.update(params, optimiser.init(params))[0]
        {'body': array([0., 0.]), 'head': array([-0.1, -0.1])}
    """
    transformations = {label: with_extra_args_support(each) for label, each in transforms.items()}

    def init(params: Any) -> PartitionState:
        labels = marks(marks_of(param_labels, params), params)
        for label in labels:
            if label is not None and label not in transformations:
                refuse_option(
                    f"there is no transformation for the label {label!r}",
                    f"choose labels from {', '.join(map(repr, transformations))}",
                )
        states = {}
        for label, each in transformations.items():
            mine = [other == label for other in labels]
            states[label] = each.init(where_marked(mine, params))
        return PartitionState(states)

    def update(
        updates: Any, state: PartitionState, params: Any = None, **extra: Any
    ) -> tuple[Any, PartitionState]:
        labels = marks(marks_of(param_labels, updates), updates)
        states = {}
        result = updates
        for label, each in transformations.items():
            mine = [other == label for other in labels]
            seen = None if params is None else where_marked(mine, params)
            of_label, states[label] = each.update(
                where_marked(mine, updates), state.inner_states[label], seen, **extra
            )
            result = chosen(mine, of_label, result)
        return result, PartitionState(states)

    return GradientTransformationExtraArgs(init, update)


multi_transform = partition
