"""Layers: dataclasses of arrays with a ``__call__``."""

from autograph.nn.fields import static

__all__ = ["static"]
