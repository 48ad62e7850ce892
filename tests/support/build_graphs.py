"""Short ways to write graphs down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Constant, Graph, Value, label
from ops.control import regions
from ops.core.types import Type, array, weak

FLOAT, INT, BOOL = weak(float), weak(int), weak(bool)
VECTOR = array("f8", (3,))


def graph_of(function: Callable, name: str | None = None, **inputs: Type) -> Graph:
    """The graph that ``function`` records when it is given these inputs."""
    return _recorded(name or function.__name__, function, inputs.items())


def named(value: Value, name: str) -> Value:
    """``value``, bound to the user's variable ``name``."""
    label(value, name)
    return value


def cond(predicate: Any, then: Callable, orelse: Callable, names: Sequence[str] = ()) -> Any:
    """A ``cond`` node of two functions without arguments."""
    branches = [_recorded("then", then, ()), _recorded("else", orelse, ())]
    return _add(regions.cond, [predicate], branches, branches[0].output_types, names)


def while_loop(test: Callable, body: Callable, *init: Any, names: Sequence[str]) -> Any:
    """A ``while_loop`` node; ``names`` are those of its state."""
    state = [*zip(names, (v.type for v in _lift(init)))]
    parts = [_recorded("test", test, state), _recorded("body", body, state)]
    return _add(regions.while_loop, init, parts, [type for _, type in state], names)


def for_loop(count: Any, body: Callable, *init: Any, names: Sequence[str]) -> Any:
    """A ``for_loop`` node; ``names`` are those of its state."""
    state = [*zip(names, (v.type for v in _lift(init)))]
    part = _recorded("body", body, [("i", INT), *state])
    return _add(regions.for_loop, [count, *init], [part], [type for _, type in state], names)


def call(callee: str, types: Sequence[Type], *args: Any) -> Any:
    """A ``call`` node."""
    return _add(regions.call, args, (), types, (), {"callee": callee})


def unpack(pack: Value, *types: Type) -> Any:
    """An ``unpack`` node, as a tuple of its results."""
    return current_builder().add(regions.unpack, [pack], {"types": types}, types)


def _recorded(name: str, function: Callable, inputs: Any) -> Graph:
    with Builder(name) as builder:
        result = function(*[builder.input(type, name) for name, type in inputs])
        return builder.finish(result if isinstance(result, (tuple, list)) else [result])


def _lift(values: Sequence[Any]) -> list[Value]:
    return [v if isinstance(v, Value) else Constant(v) for v in values]


def _add(op, inputs, parts, types, names, attrs=None) -> Any:
    outputs = current_builder().add(op, _lift(inputs), attrs or {}, types, parts, names)
    return outputs[0] if len(outputs) == 1 else outputs
