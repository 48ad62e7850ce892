"""Kernels as CUDA C.

`print_cuda` cuts a kernel into segments (`autograph.kernels.cuda.split`) and prints each as a
``__global__`` function, with what the host has to do around them (`autograph.kernels.cuda.plan`).

    kernel = print_cuda(ir_kernel)
    print(kernel.text)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.errors import UnsupportedFunctionError
from autograph.kernels.cuda.choices import with_choices
from autograph.kernels.cuda.entry import EntryPrinter
from autograph.kernels.cuda.helpers import TYPEDEFS
from autograph.kernels.cuda.interchange import interchanged
from autograph.kernels.cuda.memory import places
from autograph.kernels.cuda.module import CudaModule
from autograph.kernels.cuda.names import identifier
from autograph.kernels.cuda.placed import with_known_places
from autograph.kernels.cuda.plan import (
    Branch,
    CudaKernel,
    HostStep,
    Launch,
    Product,
    Repeat,
    RepeatWhile,
)
from autograph.kernels.cuda.sized import with_given_memory
from autograph.kernels.cuda.small_products import with_small_products
from autograph.kernels.cuda.split import Piece, Segment, Split
from autograph.kernels.cuda.sums import Sums
from autograph.kernels.cuda.together import of_all_blocks, while_of_all_blocks
from autograph.kernels.ir import ir, uses
from autograph.kernels.ir.ir import Buffer, Operand
from autograph.kernels.mathematics import DEFINITIONS
from autograph.kernels.mathematics.expansion import expand
from ops.core.kernels import FUNCTIONS
from ops.core.symbolic_lengths import is_length

# CUDA's functions with an error of more than 2 ulp, by the bytes of their type.
_INACCURATE = {
    4: frozenset(("tan", "sinh", "asinh", "acosh", "atanh", "atan2", "hypot", "pow", "erfc")),
    8: frozenset(("asinh", "acosh", "erfc")),
}
_OWN = ("temporary", "local")


def print_cuda(kernel: ir.Kernel) -> CudaKernel:
    """A kernel in CUDA C, and how to launch it.

    Raises:
        NotImplementedError: it uses a function that CUDA does not have.
        UnsupportedFunctionError: it returns an array of which only the run knows how long it is.
    """
    if any(isinstance(s, ir.Reserve) and s.for_caller for s in ir.walk(kernel.body)):
        raise UnsupportedFunctionError(
            f"'{kernel.name}' returns an array whose length is known only at run time, which "
            "no kernel for CUDA does",
            kernel.location,
            fix="write to an array that is made before the loop: out[i] = x",
        )
    kernel = interchanged(with_small_products(with_given_memory(kernel)))
    kernel = expand(with_known_places(with_choices(kernel)), _DEFINED)
    split = Split(kernel)
    if told := split.tellable():
        split = Split(kernel, told)
    module = CudaModule(kernel, split)
    entries: list[Launch] = []
    together: set[Operand] = set()
    sums = Sums(kernel)

    def step(piece: Piece | HostStep) -> HostStep:
        match piece:
            case Segment():
                entries.append(EntryPrinter(module, piece).launch())
                return entries[-1]
            case Repeat():
                if (loop := of_all_blocks(module, piece)) is not None:
                    entries.extend(x for x in loop.steps if isinstance(x, Launch))
                    together.add(piece.index)
                    return loop
                return Repeat(piece.index, piece.count, steps(piece.steps))
            case RepeatWhile():
                if (launch := while_of_all_blocks(module, piece)) is not None:
                    entries.append(launch)
                    if piece.tested is not None:
                        together.add(piece.tested)
                    return RepeatWhile([launch], piece.condition, [])
                return RepeatWhile(steps(piece.test), piece.condition, steps(piece.steps))
            case Branch():
                return Branch(piece.condition, steps(piece.then), steps(piece.orelse))
        return piece

    def steps(pieces: Sequence[Piece] | Sequence[HostStep]) -> list[HostStep]:
        found: list[HostStep] = []
        for piece in pieces:
            made, before = step(piece), found[-1] if found else None
            if isinstance(before, Product) and before.sum is None and isinstance(piece, Segment):
                before.sum = sums.of(before.statement, piece, entries[-1])
                if before.sum is not None:  # which has the launch
                    continue
            found.append(made)
        return found

    teller = step(split.teller) if told else None
    done = steps(split.pieces)
    own = _own(split, done)
    arena, nbytes = places(done, [x for x in own if not is_length(x.size)])
    return CudaKernel(
        kernel,
        _text(kernel, module),
        [launch.entry for launch in entries],
        done,
        arena,
        nbytes,
        split.host,
        split.values,
        uses.may_fail(kernel.body),
        [x for x in own if is_length(x.size)],
        any(module.stopping.may_stop(s.statements) for s in split.segments),
        teller if isinstance(teller, Launch) else None,
        frozenset(together),
    )


def _accurate(name: str) -> Callable[..., Any]:
    """The function of CUDA, or ours where that is not accurate."""

    def define(*operands: Any) -> Any:
        if name in _INACCURATE[operands[0].dtype.itemsize]:
            return DEFINITIONS[name](*operands)
        return FUNCTIONS[name](*operands)

    return define


_DEFINED = {name: _accurate(name) for name in _INACCURATE[4] if name in DEFINITIONS}


def _text(kernel: ir.Kernel, module: CudaModule) -> str:
    where = f", {kernel.location}" if kernel.location else ""
    head = f"// {identifier(kernel.name)}{where}\n\n{TYPEDEFS}"
    helpers = "\n".join(module.expressions.used.values())
    parts = [head, *([helpers + "\n"] if helpers else []), *module.tables, *module.entries]
    return "\n".join(parts)


def _own(split: Split, steps: Sequence[HostStep]) -> list[Buffer]:
    """The buffers that are the kernel's own."""
    found: dict[Buffer, None] = {}

    def collect(steps: Sequence[HostStep]) -> None:
        for s in steps:
            match s:
                case Launch():
                    given = [x for x, _ in s.entry.parameters if isinstance(x, Buffer)]
                    found.update(dict.fromkeys(x for x in given if x.kind in _OWN))
                case Product():
                    found.update(dict.fromkeys(x for x in s.buffers if x.kind in _OWN))
                case Repeat():
                    collect(s.steps)
                case RepeatWhile():
                    found[s.condition] = None
                    collect([*s.test, *s.steps])
                case Branch():
                    found[s.condition] = None
                    collect([*s.then, *s.orelse])

    collect(steps)
    found.update(dict.fromkeys(split.values.values()))
    return list(found)
