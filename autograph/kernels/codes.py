"""The machine code of the kernels of one program.

What a program does in several places, it has several kernels for, each with a name of its own;
alike ones are compiled once. So is a routine, however many kernels call it: its object file is
linked to each of them.
"""

from __future__ import annotations

from dataclasses import replace

from autograph.kernels.ir import ir
from autograph.kernels.llvm import Target, print_apart, print_routine
from autograph.kernels.llvm.effort import needs_little
from autograph.kernels.mathematics import expanded
from autograph.kernels.native import Code, compile_kernel, python_api
from autograph.kernels.native.runtime import Routine
from autograph.kernels.native.tiers import quick_calls
from autograph.kernels.passes.host import for_host

_ENTRY = "kernel"  # what all kernels are called in machine code


class Codes:
    """What has been compiled of a program."""

    def __init__(self) -> None:
        self._kernels: dict[tuple[str, bool, tuple[Routine, ...]], Code] = {}
        self._routines: dict[ir.Kernel, Routine] = {}

    def of(self, kernel: ir.Kernel) -> Code:
        """The machine code of a kernel.

        Raises:
            NotImplementedError: there is no native code for it.
            RuntimeError, ValueError: LLVM refuses it.
        """
        routines = tuple(self._routine(r, kernel) for r in kernel.routines.values())
        body = replace(expanded(for_host(kernel.with_no_routines())), name=_ENTRY)
        text = print_apart(replace(body, routines=kernel.routines), Target.host())
        key = text, needs_little(body), routines
        if key not in self._kernels:
            calls = quick_calls(kernel, text) if python_api.usable() else None
            self._kernels[key] = compile_kernel(
                text, _ENTRY, quickly=key[1], routines=routines, calls=calls
            )
        return self._kernels[key]

    def _routine(self, routine: ir.Kernel, kernel: ir.Kernel) -> Routine:
        if routine not in self._routines:
            body = expanded(for_host(routine))
            text = print_routine(body, kernel.routines, Target.host())
            made = Routine(text, needs_little(body))
            alike = (other for other in self._routines.values() if other.text == text)
            self._routines[routine] = next(alike, made)
        return self._routines[routine]
