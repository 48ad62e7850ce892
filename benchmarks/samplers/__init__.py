"""The No-U-Turn Sampler beside other libraries': ``python -m benchmarks samplers``.

A call is a chain: draws that adapt the step, and those that are kept. It is the same work for each
library as far as its users can say so: none adapts a mass unless it always does, and all draw in
float64. What a chain is worth is told beside its time, since samplers differ.
"""

from benchmarks.beside.suite import Suite
from benchmarks.samplers.rows import ROWS

SUITE = Suite(
    "samplers",
    "The No-U-Turn Sampler beside other libraries'",
    ROWS,
    {
        "autograph": "loops",
        "autograph, recursion": "recursion",
        "NumPyro": "with_numpyro",
        "BlackJAX": "with_blackjax",
    },
    once="scales",
)
