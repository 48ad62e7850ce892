"""The functions that a kernel defines for itself, one for each width of vectors.

They compute without an effect, and in all lanes: what the caller's mask leaves out is 1 when a
function branches, so that no lane takes a slow way for nothing, or branches on poison.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from autograph.kernels.ir import ir, uses
from autograph.kernels.llvm import lanes as lane_printer
from autograph.kernels.llvm import text
from autograph.kernels.llvm.frame import FunctionFrame
from autograph.kernels.llvm.shapes import Shapes
from autograph.kernels.llvm.statements import Statements
from autograph.kernels.llvm.target import Target


class Functions:
    """Prints functions when they are called first."""

    def __init__(
        self, module: text.LlvmModule, target: Target, functions: Mapping[str, ir.ScalarFunction]
    ):
        self._module = module
        self._target = target
        self._functions = functions
        self._branching = {
            name
            for name, function in functions.items()
            if any(isinstance(s, (ir.If, ir.For, ir.While)) for s in ir.walk(function.body))
        }
        self._names: dict[tuple[str, int | None], str] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._functions

    def parameters(self, name: str) -> list[np.dtype]:
        """The dtypes of what a function takes."""
        return [x.dtype for x in self._functions[name].parameters]

    def branches(self, name: str) -> bool:
        """Whether a function has control flow."""
        return name in self._branching

    def called(self, name: str, lanes: int | None) -> str:
        """The name, with its ``@``, of a function of vectors, or of scalars."""
        key = name, lanes
        if key not in self._names:
            self._names[key] = self._module.name(f"{name}.{lanes}" if lanes else name)
            self._module.functions.append(self._printed(key))
        return self._names[key]

    def _printed(self, key: tuple[str, int | None]) -> str:
        name, lanes = key
        function = self._functions[name]
        used = uses.used(function.body) | {function.result}
        frame = FunctionFrame(self._module, self._target, name, "", used)
        if lanes:
            wide = lane_printer.LanePrinter(
                frame, Shapes(function.parameters, function.body), lanes
            )
            block, type_, value = wide.block, wide.vectors.type, wide.vector
        else:
            plain = Statements(frame)
            block, type_, value = plain.block, plain.scalars.type, plain.scalar
        for x in function.parameters:
            frame.values[x] = frame.function.name(x.name)
        parameters = [f"{type_(x.dtype)} {frame.values[x]}" for x in function.parameters]
        result = type_(function.result.dtype)
        # Where LLVM would put it in place of calls, that has been done before.
        frame.function.header = (
            f"define internal {result} {self._names[key]}({', '.join(parameters)}) "
            "noinline nounwind"
        )
        block(function.body)
        return frame.finish_with(f"{result} {value(function.result)}")
