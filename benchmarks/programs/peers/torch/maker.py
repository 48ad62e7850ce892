"""What compiles a program with PyTorch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch


def maker(function: Callable, compiled: bool = True) -> Callable:
    """A maker of calls on tensors, compiled or as they run without."""

    def make(*args):
        tensors = [torch.from_numpy(arg) if isinstance(arg, np.ndarray) else arg for arg in args]
        call = torch.compile(function) if compiled else function
        return lambda: call(*tensors)

    return make
