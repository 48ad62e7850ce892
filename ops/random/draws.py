"""The mark of a random draw: which distribution a value has, for transforms that ask for it.

In programs it is the value itself. What is drawn from a discrete distribution by comparing, like
the position of the largest of some numbers, does not show its probabilities; those are operands of
the mark.
"""

from __future__ import annotations

from typing import Any

from ops.core import kernels
from ops.core.operands import Symbolic
from ops.core.registry import Custom
from ops.structure.lanes import all_with_lanes

LIKELIHOOD = "likelihood"  # marks no draw, but the logarithm of how likely some draws were

drawn: Custom = Custom(
    "drawn",
    lambda x, *parameters, distribution: (x,),
    "{0}",
    vjp=lambda cts, args, outs, distribution: (cts[0], *(None for _ in args[1:])),
    jvp=lambda tangents, args, outs, distribution: (tangents[0],),
    linear=(0,),
    zeros="kept",
    view=True,
    unknown_lengths=True,
    batch=lambda size, batched, args, distribution: drawn(
        *all_with_lanes(size, batched, args), distribution=distribution
    ),
    native=kernels.Element(kernels.itself),
    doc="""``x`` itself, a draw from a distribution.

    Args:
        x: what is drawn.
        parameters: of the distribution; the lengths of ``x`` are their first ones.
        distribution: its name, as in `autograph.transforms.scores.distributions`, or
            `LIKELIHOOD`.
    """,
    keeps_shape=True,
    writable=True,
    stands_for=0,
)


def marked(distribution: str, x: Any, *parameters: Any) -> Any:
    """A draw with its mark, if it is recorded."""
    if not isinstance(x, Symbolic):
        return x
    return drawn(x, *parameters, distribution=distribution)
