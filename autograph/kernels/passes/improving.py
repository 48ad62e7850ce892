"""What is done to the loops of a kernel, one pass after another.

Each pass asks what is known of the statements as they are, so that is found anew whenever one has
changed them.
"""

from __future__ import annotations

import dataclasses

from autograph.kernels.ir import ir
from autograph.kernels.ir.dead import drop_unused
from autograph.kernels.passes.ahead import ahead, has_dear, written_out
from autograph.kernels.passes.alternation import alternate
from autograph.kernels.passes.bit_loops import without_bit_loops
from autograph.kernels.passes.carrying import carry_all
from autograph.kernels.passes.copying import CopiesRead, Neighbours
from autograph.kernels.passes.dependence import BufferGroups, Dependences
from autograph.kernels.passes.derived import has_large, without_derived
from autograph.kernels.passes.extrema import without_notes
from autograph.kernels.passes.guarding import guarded
from autograph.kernels.passes.in_place import InPlace
from autograph.kernels.passes.invariants import without_invariants
from autograph.kernels.passes.joining import SmallLoops
from autograph.kernels.passes.known_arrays import without_known_arrays
from autograph.kernels.passes.known_trips import written_out as written_out_if_known
from autograph.kernels.passes.low_bits import unchecked
from autograph.kernels.passes.nests import Nests
from autograph.kernels.passes.own_memory import with_own_memory
from autograph.kernels.passes.peeling import first_trips_apart
from autograph.kernels.passes.promotion import promote_all
from autograph.kernels.passes.reducing import as_vectors
from autograph.kernels.passes.results import in_results
from autograph.kernels.passes.rotation import rotate
from autograph.kernels.passes.rounds import Rounds
from autograph.kernels.passes.row_groups import group_rows
from autograph.kernels.passes.sinking import sink
from autograph.kernels.passes.stagger import stagger
from autograph.kernels.passes.standing import without_standing

_LEVELS = 3  # loops in each other whose first trips are apart


def improved(kernel: ir.Kernel) -> ir.Kernel:
    """A kernel whose nests of loops are in a better order; itself if it has no loops in order. The
    given kernel's blocks are left as they are; `Var` and `Buffer` objects are shared."""
    kernel = kernel.with_routines(improved)
    kernel = dataclasses.replace(kernel, body=without_known_arrays(kernel))
    if not any(isinstance(s, ir.For | ir.While) for s in ir.walk(kernel.body)):
        return kernel
    now = _Statements(kernel)
    if written_out_if_known(now.body):
        now.renew()
    if guarded(now.body, now.facts) | without_invariants(now.body):
        now.renew()
    if any(isinstance(s, ir.For) for s in ir.walk(now.body)):
        _improve(now, kernel)
    return dataclasses.replace(kernel, body=now.body)


class _Statements:
    """The statements of a kernel between two passes, and what is known of them."""

    def __init__(self, kernel: ir.Kernel):
        self._rounds = Rounds(kernel)
        self._memory = BufferGroups(kernel)
        body = with_own_memory(without_standing(kernel.body))
        self.body = unchecked(without_bit_loops(body))
        self.renew()

    def renew(self) -> None:
        """Find out what is known after a change of loops."""
        self.body, self.facts = self._rounds.simplified(self.body)
        self.dependences = Dependences(self.facts, self._memory)

    def drop_unused(self) -> None:
        """Take out what nothing needs after a change."""
        drop_unused(self.body, whole=True)


def _improve(now: _Statements, kernel: ir.Kernel) -> None:
    if CopiesRead(now.body, now.dependences).block(now.body):
        now.drop_unused()
    if has_large(now.body) and without_derived(now.body, CopiesRead(now.body, now.dependences)):
        now.drop_unused()
        now.renew()
    in_results(now.body, kernel, now.dependences)
    Neighbours(now.dependences).block(now.body)
    SmallLoops(now.dependences).block(now.body)
    InPlace(now.body, now.dependences).block(now.body)
    now.drop_unused()
    if rotate(now.body, now.dependences):
        now.drop_unused()
        now.renew()
    if alternate(now.body, now.dependences):
        now.drop_unused()
        now.renew()
    nests = Nests(now.body, now.dependences)
    nests.block(now.body, inside="")
    if nests.changed:
        now.drop_unused()
        now.renew()
    if stagger(now.body, now.dependences):
        now.renew()
    for _ in range(_LEVELS):
        if not first_trips_apart(now.body, now.facts):
            break
        now.drop_unused()
        now.renew()
    dear = has_dear(now.body)
    if dear and written_out(now.body):
        now.renew()
    if dear and ahead(now.body, now.dependences):
        now.drop_unused()
        now.renew()
    if dear and sink(now.body):
        now.drop_unused()
        now.renew()
    if group_rows(now.body, now.dependences):
        now.renew()
    promote_all(now.body, now.dependences)
    carry_all(now.body, now.dependences)
    if without_notes(now.body):
        now.drop_unused()
    if as_vectors(now.body, now.dependences, kernel.symbols):
        now.renew()
    now.drop_unused()
