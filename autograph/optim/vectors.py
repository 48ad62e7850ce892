"""Parameters as one vector."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.api.leafwise import floats, floats_replaced


def joined(tree: Any) -> Any:
    """The floating-point leaves of a tree as one vector."""
    return np.concatenate([np.reshape(leaf, (-1,)) for leaf in floats(tree)])


def parted(vector: Any, like: Any) -> Any:
    """The tree that a vector stands for, of floating-point leaves with the shapes that another tree
    has; None in place of the rest."""
    leaves, start = [], 0
    for leaf in floats(like):
        size = int(np.prod(np.shape(leaf)))
        leaves.append(np.reshape(vector[start : start + size], np.shape(leaf)))
        start += size
    return floats_replaced(like, leaves)
