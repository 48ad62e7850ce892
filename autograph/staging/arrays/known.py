"""What is known while recording of a value that no input has a part in.

A library function may make arrays of numbers and then test values it computes from them; a loop may
compute from known numbers how long an array is. Of a loop only that part is run which the value
depends on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from autograph.closure import closure
from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.graph.wiring import branches_of, is_loop, loop_of
from autograph.signals import raised_by_handler
from autograph.staging.ground.checkpointing import inside
from ops.control import regions

# How many operations are done again for it, outside of loops and in all.
_NODES, _STEPS = 100, 5000


class _NotKnown(Exception):
    """The value depends on more than constants, or on too many of them."""


def known(value: Value, is_captured: Callable[[Constant], bool]) -> Any:
    """The contents of ``value``, computed now; None if they are not known.

    Args:
        is_captured: whether a constant is an array from outside, which may change between calls.
    """
    try:
        with np.errstate(all="ignore"):  # the program will do it again, and warn
            return _Run(is_captured).value(value, {}, _NODES)
    except _NotKnown:
        return None
    except Exception as error:  # so will the program raise
        if raised_by_handler(error):
            raise
        return None


Env = dict[Value, Any]


class _Run:
    """The evaluation of one value.

    Args:
        is_captured: see `known`.
    """

    def __init__(self, is_captured: Callable[[Constant], bool]):
        self._is_captured = is_captured
        self._steps = _STEPS

    def value(self, value: Value, env: Env, depth: int) -> Any:
        """A value, where ``env`` holds those that are known already.

        Args:
            depth: how many operations it may depend on one after the other.
        """
        value = inside(value)
        if isinstance(value, Constant):
            if self._is_captured(value):
                raise _NotKnown
            return value.data
        if value not in env:
            node = value.producer
            if node is None or node.op.effect or not depth or not self._steps:
                raise _NotKnown
            self._steps -= 1
            env.update(self._results(node, value, env, depth - 1))
        return env[value]

    def _results(self, node: Node, wanted: Value, env: Env, depth: int) -> Env:
        """What a node computes, of one with regions that one value."""
        position = node.place(wanted)
        if node.op is regions.cond:
            predicate, then, orelse = branches_of(node)
            chosen = then if self.value(predicate, env, depth) else orelse
            return {wanted: self.value(chosen.outputs[position], dict(env), depth)}
        if is_loop(node):
            return {wanted: self._after(node, position, env, depth)}
        if node.regions or node.op is regions.call:
            raise _NotKnown
        found = node.op.evaluate(np, [self.value(v, env, depth) for v in node.inputs], node.attrs)
        return dict(zip(node.outputs, found if len(node.outputs) > 1 else (found,)))

    def _after(self, node: Node, position: int, env: Env, depth: int) -> Any:
        """One part of the state that a loop leaves."""
        loop = loop_of(node)
        body, test, init, inputs = loop.body, loop.test, loop.start, loop.state
        needed = _needed(body, inputs, [position], test)
        if any(init[i].type.shape for i in needed):  # arrays may be large
            raise _NotKnown
        state = {i: self.value(init[i], env, depth) for i in needed}
        trips = 0
        while self._steps:
            self._steps -= 1
            if test is None:
                (count,) = loop.operands
                go = trips < self.value(count, env, depth)
            else:
                here = {**env, **{test.inputs[i]: state[i] for i in needed}}
                go = self.value(test.outputs[0], here, depth)
            if not go:
                return state[position]
            here = {**env, **{inputs[i]: state[i] for i in needed}}
            if loop.index is not None:
                here[loop.index] = trips
            state = {i: self.value(body.outputs[i], here, depth) for i in needed}
            trips += 1
        raise _NotKnown


def _needed(
    body: Graph, inputs: Sequence[Value], wanted: Sequence[int], test: Graph | None
) -> set[int]:
    """The positions of the parts of a loop's state that some depend on, trip after trip."""
    tested = () if test is None else _read(test.outputs[0], test.inputs)
    return closure((*wanted, *tested), lambda position: _read(body.outputs[position], inputs))


def _read(value: Value, inputs: Sequence[Value]) -> list[int]:
    """The positions of those of a region's inputs that a value in it depends on."""
    positions = {v: i for i, v in enumerate(inputs)}

    def read(value: Value) -> Iterable[Value]:
        node = None if value in positions else value.producer
        return () if node is None else node.uses()

    return [positions[v] for v in closure([value], read) if v in positions]
