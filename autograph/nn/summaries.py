"""What a model is made of, as a table."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from autograph import tree
from autograph.staging.containers.containers import attributes
from autograph.staging.ground.ownership import is_user_object


class Row(NamedTuple):
    """One layer.

    Attributes:
        path: the way to it, empty for the model.
        kind: its class.
        shape: of what it gave, of the last call; None if it was not called.
        parameters: how many numbers it holds, layers in it included.
        nbytes: how many bytes.
    """

    path: str
    kind: str
    shape: tuple[int, ...] | None
    parameters: int
    nbytes: int


class Summary(list[Row]):
    """The layers of a model, the model first; printed as a table."""

    def __str__(self) -> str:
        head = ("layer", "class", "result", "parameters", "bytes")
        rows = [
            (
                row.path or "the model",
                row.kind,
                "" if row.shape is None else str(row.shape),
                f"{row.parameters:,}",
                f"{row.nbytes:,}",
            )
            for row in self
        ]
        widths = [max(map(len, column)) for column in zip(head, *rows)]
        return "\n".join(_line(row, widths) for row in (head, *rows))

    __repr__ = __str__


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    cells = [
        cell.ljust(width) if i < 3 else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(row, widths))
    ]
    return "  ".join(cells).rstrip()


def summary(model: Any, *args: Any, **kwargs: Any) -> Summary:
    """The layers of a model with what they hold, and the shapes of what they give.

    Args:
        model: an object that is called, and holds others.
        args, kwargs: what the model is called with, as plain Python; without them it is not called.

    Examples:
        >>> model = nn.MLP.make(ops.random.key(0), [2, 3, 1])
        >>> nn.summary(model, np.ones((4, 2), np.float32))
        layer      class  result  parameters  bytes
        the model  MLP    (4, 1)          13     52
        layers[0]  Dense  (4, 3)           9     36
        layers[1]  Dense  (4, 1)           4     16
    """
    found: dict[str, Any] = {}
    shapes: dict[str, tuple[int, ...]] = {}
    watched = _watched(model, "", found, shapes)
    if args or kwargs:
        watched(*args, **kwargs)
    rows = Summary()
    for path, layer in found.items():
        held = [np.asarray(leaf) for leaf in tree.leaves(layer)]
        size, nbytes = sum(leaf.size for leaf in held), sum(leaf.nbytes for leaf in held)
        name = type(layer).__name__
        rows.append(Row(path.removeprefix("."), name, shapes.get(path), size, nbytes))
    return rows


def _watched(part: Any, path: str, found: dict[str, Any], shapes: dict[str, Any]) -> Any:
    """A part of a model with a `_Watched` around each of its layers."""
    if isinstance(part, (list, tuple)) and not hasattr(part, "_fields"):
        items = [_watched(x, f"{path}[{i}]", found, shapes) for i, x in enumerate(part)]
        return type(part)(items)
    if isinstance(part, dict):
        return {key: _watched(x, f"{path}[{key!r}]", found, shapes) for key, x in part.items()}
    if not is_user_object(part):
        return part
    if callable(part):
        found[path] = part
    made = copy.copy(part)
    for name, value in attributes(part):
        object.__setattr__(made, name, _watched(value, f"{path}.{name}", found, shapes))
    return _Watched(made, path, shapes) if callable(part) else made


class _Watched:
    """A layer that notes the shape of what it gives."""

    def __init__(self, layer: Callable[..., Any], path: str, shapes: dict[str, Any]):
        self._layer = layer
        self._path = path
        self._shapes = shapes

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        result = self._layer(*args, **kwargs)
        arrays = tree.leaves(result)
        if arrays:
            self._shapes[self._path] = np.shape(arrays[0])
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(self._layer, name)
