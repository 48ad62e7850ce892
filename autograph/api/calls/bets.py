"""Slices that were taken for inside of their axes, and turn out not to be when the program runs.

A slice of known length at a place known only at run time, ``x[i : i + 100]``, is recorded as just
so many elements, which is what makes loops over parts of arrays fast. Where it reaches past an end
Python gives fewer. The program notices that, raises an IndexError, and the function is recorded
again with slices whose lengths only the run knows; then it runs again. A program that does what
can't be undone, like printing, is recorded so at once, if that can be done. So it is with lengths
that are hoped for (`ops.registry.Op`): `np.bincount` mostly gives as many counts as are asked for.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator

from autograph.codegen.program import Program
from autograph.errors import AutographError, Location, OperandIndexError
from autograph.graph.graph import walk
from autograph.staging.trace import Traced

MAY_MISS = "a slice may reach past the end of its axis, and the program could not be run again"
MISSED = "a slice reaches past the end of its axis"

_HARMLESS = (None, "raises", "asks")  # effects that may be had twice


def repeatable(traced: Traced, donated: Collection[int]) -> bool:
    """Whether a program that raised an exception can be run again as if it had not been run.

    Args:
        donated: the positions of arguments whose memory it may write to.
    """
    graphs = (traced.module.main, *traced.module.graphs.values())
    nodes = (node for graph in graphs for node in walk(graph))
    return not donated and not any(n.op.effect not in _HARMLESS for n in nodes)


def is_miss(error: IndexError) -> bool:
    """Whether an exception says that a slice is not inside of its axis."""
    return hasattr(error, "__autograph_slice__")


def missed(
    error: IndexError, location: Location | None, refusal: AutographError | None = None
) -> OperandIndexError:
    """What is raised where such a slice can't be had.

    Args:
        error: what the program raised.
        location: of the slice.
        refusal: why the function can't be recorded with such slices; None if it can't be recorded
            or run again.
    """
    why = "what has been done and compiled by then stays as it is"
    others: tuple[tuple[str, Location | None], ...] = ()
    if refusal is not None:
        why = f"the function can't be recorded with slices of unknown length: {refusal.message}"
        others = (("that is refused", refusal.location),)
    text = str(error).partition("\n")[0]
    gives = getattr(error, "__autograph_slice__", "fewer elements")
    there = "there" if is_miss(error) else "where a slice reaches past the end of its axis"
    return OperandIndexError(
        f"{text}; Python gives {gives} {there}, and {why}",
        location,
        others=others,
        id="AG0365",
        fix="let slices end inside of the array: with np.minimum(start, len(x) - length), by "
        "padding the array, or by a mask in place of the slice; and ask for enough counts",
    )


@contextlib.contextmanager
def misses_refused(program: Program) -> Iterator[None]:
    """Run a program of what was compiled ahead of time, and can't be recorded again, in here."""
    try:
        yield
    except IndexError as error:
        if not is_miss(error):
            raise
        raise missed(error, program.location_of(error)) from None
