"""The machine code of the kernels of one program.

What a program does in several places, it has several kernels for, each with a name of its own;
alike ones are compiled once. So is a routine, however many kernels call it: its object file is
linked to each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from autograph.kernels.later import making
from autograph.kernels.native import Code, compile_kernel, python_api
from autograph.kernels.native.kernels import Recipe, Routine
from autograph.kernels.native.tiers import quick_time

if TYPE_CHECKING:
    from autograph.kernels.ir import ir

_ENTRY = "kernel"  # what all kernels are called in machine code


class Codes:
    """What has been compiled of a program.

    Args:
        functions: of the program, which kernels call, by name; see
            `autograph.kernels.native.python_calls.receiver`.
    """

    def __init__(self, functions: Mapping[str, Any] = MappingProxyType({})) -> None:
        self.functions = functions
        self._kernels: dict[tuple[str, bool, tuple[Routine, ...]], Code] = {}
        self._routines: dict[ir.Kernel, Routine] = {}
        self._stored: dict[tuple[str, ...], Code | None] = {}

    def of(self, kernel: ir.Kernel, *, can_stop: bool = True) -> Code:
        """The machine code of a kernel.

        Args:
            can_stop: whether a call may be given up that takes long, and begin again.

        Raises:
            NotImplementedError: there is no native code for it.
            RuntimeError, ValueError: LLVM refuses it.
        """
        routines = tuple(self._routine(r, kernel) for r in kernel.routines.values())
        text = making().text_of(kernel, _ENTRY)
        key = (*text, routines)
        if key not in self._kernels:
            time = None
            if python_api.usable() and not routines:  # which would need more of the stack
                time = quick_time(
                    text.llvm,
                    lambda: making().longest(kernel),
                    lambda: making().in_libraries(kernel),
                    can_stop,
                )
            self._kernels[key] = compile_kernel(
                text.llvm,
                _ENTRY,
                quickly=text.quickly,
                routines=routines,
                time=time,
                functions=self.functions,
            )
        return self._kernels[key]

    def optimised(self, kernel: ir.Kernel) -> Code:
        """The machine code of a kernel, optimised at once.

        Raises:
            NotImplementedError, RuntimeError, ValueError: see `of`.
        """
        routines = tuple(self._routine(r, kernel) for r in kernel.routines.values())
        text = making().text_of(kernel, _ENTRY)
        given = {"quickly": text.quickly, "routines": routines, "functions": self.functions}
        return compile_kernel(text.llvm, _ENTRY, **given)

    def stored(self, recipe: Recipe, optimised: Callable[[], Code]) -> Code | None:
        """The machine code of a kernel on disk; None if it is not there.

        Args:
            optimised: see `Recipe.load`.
        """
        key = tuple(recipe.objects)
        if key not in self._stored:
            self._stored[key] = recipe.load(optimised, self.functions)
        return self._stored[key]

    def _routine(self, routine: ir.Kernel, kernel: ir.Kernel) -> Routine:
        if routine not in self._routines:
            made = Routine(*making().routine_text(routine, kernel))
            alike = (other for other in self._routines.values() if other.text == made.text)
            self._routines[routine] = next(alike, made)
        return self._routines[routine]
