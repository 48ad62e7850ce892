"""PyTorch, of fifteen rows: whole arrays, `torch.func` for derivatives, `torch.compile` where no
loop stands in the way, which it would unroll."""

from __future__ import annotations

import numpy as np
from torch import Tensor

from benchmarks.programs.peers.torch import arrays, derivatives
from benchmarks.programs.rows import FORWARD, PROGRAMS

PACKAGE = "torch"
MAKERS = arrays.MAKERS | derivatives.MAKERS
NOTES = arrays.NOTES | derivatives.NOTES
REFUSES = {
    name: "not written: fifteen rows are"
    for name in (*PROGRAMS, *(f"{name} forward" for name in FORWARD))
    if name not in MAKERS
}


def to_numpy(value: object) -> np.ndarray:
    return value.detach().numpy() if isinstance(value, Tensor) else np.asarray(value)
