"""Some of a model's parameters, and other layers in the place of some."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

import ops
from autograph.api import trees
from autograph.errors import OptionError
from autograph.nn import init
from autograph.nn.checks import require
from autograph.nn.dense import Dense
from autograph.nn.fields import static

Model = TypeVar("Model")

# Which leaves: texts that their paths begin with, or what tells by the path and the leaf.
Where = str | list[str] | tuple[str, ...] | Callable[[str, Any], Any]


def partition(model: Model, where: Where) -> tuple[Model, Model]:
    """Those leaves of a model that are chosen, and the others: two models with None in the place of
    what the other one has, which `merge` puts together.

    What `ag.grad` is taken by the first one of is trained, the rest is frozen.

    Args:
        model: any structure that `ag.tree` takes.
        where: the way to what is chosen, as ``"layers[0]"`` or several of such; or a function that
            is called with the way to each leaf, as ``"layers[0].bias"``, and the leaf.

    Raises:
        OptionError: no leaf is chosen.

    Examples:
        >>> model = nn.MLP.make(ops.random.key(0), [2, 3, 1])
        >>> biases, rest = nn.partition(model, lambda path, leaf: path.endswith("bias"))
        >>> len(ag.tree.leaves(biases)), len(ag.tree.leaves(rest))
        (2, 2)
        >>> last, rest = nn.partition(model, "layers[1]")
        >>> x = np.ones((4, 2), np.float32)
        >>> gradient = ag.grad(lambda last: np.sum(nn.merge(last, rest)(x)))(last)
        >>> gradient.layers[0].weight is None, gradient.layers[1].bias
        (True, array([4.], dtype=float32))
    """
    leaves, nesting = trees.flatten(model, _always, prepared=trees.plain)
    paths = [path.removeprefix(".") for path in nesting.paths("")]
    pairs = list(zip(paths, leaves))
    chosen = [leaf is not None and _is_chosen(where, path, leaf) for path, leaf in pairs]
    if not any(chosen):
        shown = ", ".join([path for path, leaf in pairs if leaf is not None][:8])
        raise OptionError(
            f"no leaf is chosen by {where!r}",
            id="AG0721",
            fix=f"choose from the leaves, such as {shown}",
        )
    first = nesting.unflatten([leaf if c else None for leaf, c in zip(leaves, chosen)])
    return first, nesting.unflatten([None if c else leaf for leaf, c in zip(leaves, chosen)])


def _always(leaf: Any) -> bool:
    return True


def _is_chosen(where: Where, path: str, leaf: Any) -> bool:
    if callable(where):
        return bool(where(path, leaf))
    starts = [where] if isinstance(where, str) else where
    return any(_begins(path, start.removeprefix(".")) for start in starts)


def _begins(path: str, start: str) -> bool:
    return path == start or path.startswith((f"{start}.", f"{start}["))


def merge(*parts: Model) -> Model:
    """What `partition` has divided, together again: at each place the first that is not None.

    Raises:
        OptionError: they are nested in different ways.

    Examples:
        >>> nn.merge({"a": 1.0, "b": None}, {"a": None, "b": 2.0})
        {'a': 1.0, 'b': 2.0}
    """
    taken = [trees.flatten(part, _always, prepared=trees.plain) for part in parts]
    nesting = taken[0][1]
    for _, other in taken[1:]:
        if other != nesting:
            raise OptionError(
                f"models that are nested in different ways: {nesting} and {other}",
                id="AG0722",
                fix="merge what nn.partition has made of one model",
            )
    rows = zip(*(leaves for leaves, _ in taken))
    return nesting.unflatten([next((x for x in row if x is not None), None) for row in rows])


def replace(
    model: Model, chosen: type | Callable[[Any], Any], function: Callable[[str, Any], Any]
) -> Model:
    """A model with other layers in the place of some.

    Args:
        model: any structure that `ag.tree` takes.
        chosen: a class of layers, or what tells by the layer.
        function: is called with the way to a layer, as ``"layers[0]"``, and the layer.

    Raises:
        OptionError: there is no such layer.

    Examples:
        >>> model = nn.Sequential([nn.Dense.make(ops.random.key(0), 2, 2), np.tanh])
        >>> model = nn.replace(model, nn.Dense, lambda path, layer: nn.Residual(layer))
        >>> type(model.layers[0]).__name__
        'Residual'
    """

    def is_chosen(part: Any) -> bool:
        return bool(isinstance(part, chosen) if isinstance(chosen, type) else chosen(part))

    leaves, nesting = trees.flatten(model, _always, is_chosen, prepared=trees.plain)
    found = [is_chosen(leaf) for leaf in leaves]
    if not any(found):
        raise OptionError(
            f"there is no layer of class {getattr(chosen, '__name__', chosen)} in the model",
            id="AG0723",
            fix="choose one of the classes that nn.summary(model) lists",
        )
    paths = [path.removeprefix(".") for path in nesting.paths("")]
    made = [
        function(path, leaf) if is_layer else leaf
        for path, leaf, is_layer in zip(paths, leaves, found)
    ]
    return nesting.unflatten(made)


@dataclass
class LoRA:
    """A dense layer, and a correction of low rank to its weight. Hu et al., arXiv:2106.09685.

    Train what is in ``down`` and ``up`` alone: ``nn.partition(model, nn.LoRA.is_correction)``.

    Attributes:
        layer: as it was.
        down: ``(rank, inputs)``.
        up: ``(outputs, rank)``, zeros at first.
        scale: what the correction is multiplied by.

    Examples:
        >>> first, second = ops.random.split(ops.random.key(0))
        >>> layer = nn.Dense.make(first, 8, 8)
        >>> adapted = nn.LoRA.make(second, layer, 2)
        >>> x = np.ones((3, 8), np.float32)
        >>> bool(np.all(adapted(x) == layer(x)))
        True
    """

    layer: Dense
    down: Any
    up: Any
    scale: float = static(default=1.0)

    @classmethod
    def make(
        cls,
        key: Any,
        layer: Dense,
        rank: int,
        *,
        scale: float = 1.0,
        initial: Callable = init.he_uniform,
    ) -> LoRA:
        """A layer that computes what ``layer`` does, before it is trained."""
        outputs, inputs = layer.weight.shape
        require(
            0 < rank <= min(inputs, outputs), f"a correction of rank {rank}", "choose a lower one"
        )
        dtype = layer.weight.dtype
        down, up = initial(key, (rank, inputs), dtype), np.zeros((outputs, rank), dtype)
        return cls(layer, down, up, scale)

    @staticmethod
    def is_correction(path: str, leaf: Any) -> bool:
        """Whether a leaf is part of a correction, for `nn.partition`."""
        return path.endswith((".down", ".up"))

    def merged(self) -> Dense:
        """The dense layer that computes the same."""
        weight = self.layer.weight + self.scale * (self.up @ self.down)
        return Dense(weight.astype(self.layer.weight.dtype), self.layer.bias)

    def __call__(self, x: Any) -> Any:
        """``(..., inputs)`` to ``(..., outputs)``."""
        correction = ops.nn.linear(ops.nn.linear(x, self.down), self.up)
        return self.layer(x) + self.scale * correction
