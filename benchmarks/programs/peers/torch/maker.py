"""What compiles a program with PyTorch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch

from benchmarks.beside.rotation import in_rotation


def maker(function: Callable, compiled: bool = True) -> Callable:
    """A maker of calls on tensors, compiled or as they run without."""

    def given(args):
        return [torch.from_numpy(arg) if isinstance(arg, np.ndarray) else arg for arg in args]

    def make(*args, others=()):
        call = torch.compile(function) if compiled else function
        return in_rotation(call, [given(each) for each in (args, *others)])

    return make
