"""Memory that a kernel reserves while it runs (`ir.Reserve`): whose it is, and its addresses.

============  ======================================================================================
level         what reserves there
============  ======================================================================================
``"kernel"``  statements outside of all loops of independent trips: memory that lasts until the
              kernel ends. Its address is the machine's, so that other launches, and the host, can
              use it
``"trip"``    a trip of a parallel loop, which a team or a thread runs: a room for each of these.
              Its address is the machine's as well
``"lane"``    a trip of a vector loop, which a thread runs. The rooms of threads interleave, so that
              neighbouring threads touch neighbouring memory; an address counts from the start of
              the room
============  ======================================================================================

How much will be reserved nobody knows before: counters say how much was, and a kernel that runs out
of room runs again with more.
"""

from __future__ import annotations

from collections.abc import Iterable

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Operand, Statement, Var

# The variable of each level that counts bytes.
COUNTERS = {"kernel": "reserved", "trip": "reserved_by_trip", "lane": "reserved_by_lane"}


def inside(each: ir.Each) -> str:
    """The level of a loop's trips."""
    return "lane" if each.mode == "vector" else "trip"


def levels(statements: Iterable[Statement], level: str = "kernel") -> frozenset[str]:
    """The levels at which statements, which stand at one, reserve memory."""
    found: set[str] = set()
    for s in statements:
        if isinstance(s, ir.Reserve):
            found.add(level)
        for block in ir.blocks(s):
            found |= levels(block, inside(s) if isinstance(s, ir.Each) else level)
    return frozenset(found)


def bases_of_lanes(each: ir.Each, every: frozenset[str]) -> frozenset[Operand]:
    """The scalars that are addresses in a lane's room, if they are addresses: those that the body
    of a vector loop defines, if it reserves memory, or if nothing else of the kernel does.

    Args:
        every: the levels of the whole kernel.
    """
    reserves = any(isinstance(s, ir.Reserve) for s in ir.walk(each.body))
    if inside(each) != "lane" or not (reserves or every == {"lane"}):
        return frozenset()
    defined: set[Var] = set()
    for s in ir.walk(each.body):
        defined.update(uses.defined(s))
    return frozenset(defined)
