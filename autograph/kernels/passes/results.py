"""Arrays of the kernel's own that are copied whole to a result, and used no more: they are made in
the result from the beginning, as what one loop leaves for another one whose result is returned."""

from __future__ import annotations

from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Block, Buffer, Statement
from autograph.kernels.ir.renaming import renamed
from autograph.kernels.passes.copying import OWN, copying_loops
from autograph.kernels.passes.dependence import Dependences
from autograph.kernels.passes.forms import variable
from ops.core.symbolic_lengths import is_same


def in_results(body: Block, kernel: ir.Kernel, dependences: Dependences) -> bool:
    """Change the block of a kernel, in place. Returns whether there was something to change."""
    given = {b for _, b in kernel.shared} | {kernel.outputs[k] for k in kernel.changed}
    results = set(kernel.outputs) - given
    changed = False
    place = 0
    while place < len(body.statements):
        found = _copied(body.statements[place], dependences)
        if found is not None and found[1] in results and _is_apart(*found, body, place):
            before = Block(body.statements[:place])
            body.statements[: place + 1] = renamed(before, {found[0]: found[1]}).statements
            changed = True
        else:
            place += 1
    return changed


def _copied(s: Statement, dependences: Dependences) -> tuple[Buffer, Buffer] | None:
    """An array of the kernel's own and the one to which a loop copies all of it, and does nothing
    else."""
    found = copying_loops(s)
    if found is None or len(found[0]) != 1:
        return None
    (loop,), load, store = found
    source, target = load.buffer, store.buffer
    alike = source.dtype == target.dtype and is_same((source.size,), (target.size,))
    if source.kind not in OWN or not alike:
        return None
    facts = dependences.facts
    count, size = facts.form(loop.count), facts.length(source.size)
    if count is None or size is None or not count.same(size):
        return None
    places = [facts.form(load.index), facts.form(store.index)]
    index = variable(loop.index)
    return (source, target) if all(p is not None and p.same(index) for p in places) else None


def _is_apart(source: Buffer, target: Buffer, body: Block, place: int) -> bool:
    """Whether nothing touches the result before the copy, nor the other array after it, and that
    is only loaded and stored."""
    before, after = body.statements[:place], body.statements[place + 1 :]
    touching = [s for s in ir.walk(before) if source in uses.buffers(s)]
    return (
        target not in uses.touched(before)
        and source not in uses.touched(after)
        and all(isinstance(s, ir.Load | ir.Store) for s in touching)
    )
