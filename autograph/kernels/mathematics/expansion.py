"""Replacing functions by the statements that compute them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from autograph.kernels import ir
from autograph.kernels.builder import KernelBuilder
from autograph.kernels.dead import drop_unused
from autograph.kernels.ir import Block, Operand, Var


def expand(kernel: ir.Kernel, definitions: Mapping[str, Callable[..., Any]]) -> ir.Kernel:
    """A kernel with each application of a defined function to float32 or float64 replaced by what
    its definition computes; the kernel itself if there is none.

    The given kernel's blocks are left as they are; `Var` and `Buffer` objects are shared with it.
    """
    if not any(_defined(s, definitions) for s in ir.walk(kernel.body)):
        return kernel
    builder = KernelBuilder(kernel.name)
    try:
        with builder.block() as body:
            _Expansion(builder, definitions).statements(kernel.body)
    finally:
        builder.close()
    drop_unused(body)
    return dataclasses.replace(kernel, body=body)


def _defined(statement: ir.Statement, definitions: Mapping[str, Callable[..., Any]]) -> bool:
    return (
        isinstance(statement, ir.Compute)
        and statement.function in definitions
        and statement.operands[0].dtype in (ir.SINGLE, ir.DOUBLE)
    )


class _Expansion:
    def __init__(self, builder: KernelBuilder, definitions: Mapping[str, Callable[..., Any]]):
        self.builder = builder
        self.definitions = definitions
        self.replaced: dict[Operand, Operand] = {}

    def of(self, value: Any) -> Any:
        """An operand, or a tuple of operands, after the replacement."""
        if type(value) is tuple:
            return tuple(map(self.of, value))
        return self.replaced.get(value, value) if isinstance(value, Operand) else value

    def block(self, block: Block) -> Block:
        with self.builder.block() as new:
            self.statements(block)
        return new

    def statements(self, block: Block) -> None:
        """Add the statements of a block."""
        for statement in block:
            if _defined(statement, self.definitions):
                self.define(statement)
            else:
                self.builder.add(self.rebuilt(statement))

    def define(self, statement: ir.Compute) -> None:
        """Add what computes the result of a defined function."""
        self.builder.place = statement.location
        result = self.definitions[statement.function](*self.of(statement.operands))
        if isinstance(result, Var) and result.name is None:
            result.name = statement.out.name
        self.replaced[statement.out] = result

    def rebuilt(self, statement: ir.Statement) -> ir.Statement:
        """A statement with its blocks expanded and its operands replaced."""
        inner = {
            field.name: self.block(value)
            for field in dataclasses.fields(statement)
            if isinstance(value := getattr(statement, field.name), Block)
        }
        outer = {
            field.name: self.of(value)
            for field in dataclasses.fields(statement)
            if isinstance(value := getattr(statement, field.name), Operand) or type(value) is tuple
        }
        if isinstance(statement, ir.Each):
            outer["reductions"] = tuple(
                dataclasses.replace(r, value=self.of(r.value)) for r in statement.reductions
            )
        return dataclasses.replace(statement, **inner, **outer)
