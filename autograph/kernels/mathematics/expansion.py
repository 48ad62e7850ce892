"""Replacing functions by the statements that compute them.

What is applied often becomes a function of the kernel's (`ir.ScalarFunction`), so that the time to
compile a kernel does not grow by the size of the definition with each application.
"""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Any

import numpy as np

from autograph.kernels.ir import ir
from autograph.kernels.ir.builder import KernelBuilder, block_apart
from autograph.kernels.ir.dead import drop_unused
from autograph.kernels.ir.ir import Block, Operand, Var


def expand(
    kernel: ir.Kernel, definitions: Mapping[str, Callable[..., Any]], often: int | None = None
) -> ir.Kernel:
    """A kernel with each application of a defined function to float32 or float64 replaced by what
    its definition computes; the kernel itself if there is none.

    The given kernel's blocks are left as they are; `Var` and `Buffer` objects are shared with it.

    Args:
        often: of a function that is applied more often, to the same dtypes, the definition becomes
            one of the kernel's functions; None: of none. Applications to a number are not counted
            and not changed to calls: definitions may know something simpler there.
    """
    kernel = kernel.with_routines(lambda routine: expand(routine, definitions, often))
    uses = Counter(_name(s) for s in ir.walk(kernel.body) if _defined(s, definitions))
    if not uses:
        return kernel
    called = {n for n, count in uses.items() if n and often is not None and count > often}
    with block_apart(kernel.name) as (builder, body):
        expansion = _Expansion(builder, definitions, called)
        expansion.statements(kernel.body)
    drop_unused(body)
    functions = {**kernel.functions, **expansion.functions}
    return dataclasses.replace(kernel, body=body, functions=functions)


def _defined(statement: ir.Statement, definitions: Mapping[str, Callable[..., Any]]) -> bool:
    return (
        type(statement) is ir.Compute
        and statement.function in definitions
        and statement.operands[0].dtype in (ir.SINGLE, ir.DOUBLE)
    )


def _name(s: ir.Compute) -> str | None:
    """What the function for an application would be called; None if it should not be one."""
    if not all(isinstance(x, Var) for x in s.operands):
        return None
    return ".".join([s.function, *(x.dtype.name for x in s.operands)])


@functools.cache  # nobody changes functions: kernels share them
def _as_function(
    definition: Callable[..., Any], name: str, dtypes: tuple[np.dtype, ...]
) -> ir.ScalarFunction:
    """The definition of what is applied to scalars of some dtypes."""
    parameters = tuple(Var(dtype, "x") for dtype in dtypes)
    with block_apart(name) as (_, body):
        result = definition(*parameters)
    return ir.ScalarFunction(parameters, body, result)


class _Expansion:
    def __init__(
        self,
        builder: KernelBuilder,
        definitions: Mapping[str, Callable[..., Any]],
        called: Collection[str],
    ):
        self.builder = builder
        self.definitions = definitions
        self.called = called
        self.functions: dict[str, ir.ScalarFunction] = {}
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
            if not _defined(statement, self.definitions):
                self.builder.add(self.rebuilt(statement))
            elif (name := _name(statement)) in self.called:
                self.call(name, statement)
            else:
                self.define(statement)

    def call(self, name: str, statement: ir.Compute) -> None:
        """Add a call of a function for what a statement applies."""
        if name not in self.functions:
            definition = self.definitions[statement.function]
            dtypes = tuple(x.dtype for x in statement.operands)
            self.functions[name] = _as_function(definition, statement.function, dtypes)
        call = dataclasses.replace(statement, function=name)
        self.builder.add(self.rebuilt(call))

    def define(self, statement: ir.Compute) -> None:
        """Add what computes the result of a defined function."""
        self.builder.place = statement.location
        result = self.definitions[statement.function](*self.of(statement.operands))
        if isinstance(result, Var) and result.name is None:
            result.name = statement.out.name
        self.replaced[statement.out] = result

    def rebuilt(self, s: ir.Statement) -> ir.Statement:
        """A statement with its blocks expanded and its operands replaced."""
        of = self.of
        match s:
            case ir.Compute():
                if self.replaced.keys().isdisjoint(s.operands):
                    return s
                return ir.Compute(s.out, s.function, of(s.operands), s.location)
            case ir.Load():
                index = of(s.index)
                return s if index is s.index else ir.Load(s.out, s.buffer, index)
            case ir.Store():
                index, value = of(s.index), of(s.value)
                same = index is s.index and value is s.value
                return s if same else ir.Store(s.buffer, index, value)
            case ir.Each():
                body = self.block(s.body)
                reductions = tuple(
                    [ir.Reduction(r.out, r.combine, r.start, of(r.value)) for r in s.reductions]
                )
                return ir.Each(s.index, of(s.count), body, s.mode, reductions, s.work, s.flags)
        fields = dataclasses.fields(s)
        inner = {
            field.name: self.block(value)
            for field in fields
            if isinstance(value := getattr(s, field.name), Block)
        }
        outer = {
            field.name: of(value)
            for field in fields
            if isinstance(value := getattr(s, field.name), Operand) or type(value) is tuple
        }
        return dataclasses.replace(s, **inner, **outer)
