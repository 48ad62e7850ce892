"""Networks beside other frameworks: ``python -m benchmarks models``.

`weights` draws what all begin with, laid out as PyTorch has it; `rows` says what is timed; each
module of `peers` has the same models as the users of one framework write them, with its own layers
and optimisers.
"""

from benchmarks.beside.suite import Suite
from benchmarks.models.rows import ROWS

SUITE = Suite(
    "models",
    "Networks beside other frameworks",
    ROWS,
    {"autograph": "ours", "JAX": "flax", "torch": "torch_compiled", "torch, eager": "torch_eager"},
    once="convolution",
)
