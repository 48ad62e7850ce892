"""The machine code of the kernels of one program.

What a program does in several places, it has several kernels for, each with a name of its own;
alike ones are compiled once. So is a routine, however many kernels call it: its object file is
linked to each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from autograph import versions
from autograph.kernels.later import making
from autograph.kernels.native import Code, compile_kernel, compiler, python_api
from autograph.kernels.native.kernels import Recipe, Routine
from autograph.kernels.native.tiers import OPTIMISED, quick_time, tier

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
        may_be_quick = python_api.usable() and tier() != OPTIMISED
        made_by = versions.files("graph", "kernels") if may_be_quick else None
        text = making().text_of(kernel, _ENTRY, brief=made_by is not None)
        key = (text.llvm, text.quickly, routines)
        if key not in self._kernels:
            time = None
            if may_be_quick:
                time = quick_time(
                    text.llvm,
                    [routine.text for routine in routines],
                    lambda: making().longest(kernel),
                    lambda: making().in_libraries(kernel),
                    can_stop,
                )
            given: dict[str, Any] = {"routines": routines, "functions": self.functions}
            llvm = text.llvm
            if text.whole is not None and time is None:
                llvm = text.whole()
            elif text.whole is not None and made_by is not None:
                given["key"] = compiler.key_of(llvm, text.quickly, made_by)
                given["whole"] = text.whole
            self._kernels[key] = compile_kernel(
                llvm, _ENTRY, quickly=text.quickly, time=time, **given
            )
        return self._kernels[key]

    def optimised(self, kernel: ir.Kernel, key: str | None = None) -> Code:
        """The machine code of a kernel, optimised at once.

        Args:
            key: where it is on disk, if it is known.

        Raises:
            NotImplementedError, RuntimeError, ValueError: see `of`.
        """
        routines = tuple(self._routine(r, kernel) for r in kernel.routines.values())
        text = making().text_of(kernel, _ENTRY)
        given = {"quickly": text.quickly, "routines": routines, "functions": self.functions}
        return compile_kernel(text.llvm, _ENTRY, key=key, **given)

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
            text = making().routine_text(routine, kernel)
            made = Routine(text.llvm, text.quickly)
            alike = (other for other in self._routines.values() if other.text == made.text)
            self._routines[routine] = next(alike, made)
        return self._routines[routine]
