"""What of a layer is configuration."""

from __future__ import annotations

import dataclasses
from typing import Any


def static(**options: Any) -> Any:
    """A field of a dataclass that is configuration: sizes, names, small constants, functions.

    What it holds belongs to the class, so to speak: numbers in it are no leaves of trees, have no
    derivative, and a function is compiled for them. It is ``dataclasses.field`` with
    ``metadata={"static": True}``, which any dataclass may have, and what JAX and Equinox call so.

    Args:
        options: ``default`` and what else ``dataclasses.field`` takes. Numbers, texts, functions,
            classes, None, and tuples of these.

    Examples:
        >>> from dataclasses import dataclass
        >>> from autograph import nn
        >>> @dataclass
        ... class Scale:
        ...     weight: np.ndarray
        ...     power: int = nn.static(default=2)
        ...     def __call__(self, x):
        ...         return self.weight * x**self.power
        >>> ag.grad(lambda layer: np.sum(layer(np.array([1.0, 2.0]))))(Scale(np.ones(2)))
        Scale(weight=array([1., 4.]), power=2)
    """
    metadata = {**options.pop("metadata", {}), "static": True}
    return dataclasses.field(metadata=metadata, **options)
