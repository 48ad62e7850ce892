"""Draws from NumPy's generators: calls of its own functions in C, which give its own numbers.

A generator that the function makes is the words of its state, in memory that a draw changes; of one
from outside the kernel knows the place. What a distribution does not allow gives the kernel up, and
what was drawn is drawn again; see `autograph.kernels.drawing`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.kernels.ir import draws, ir
from autograph.kernels.ir.ir import BOOL, DOUBLE, LONG, Buffer, Number, Operand
from autograph.kernels.lowering.arrays import demand
from autograph.kernels.lowering.arrays.changes import changeable
from autograph.kernels.lowering.rules import drawn_orders
from autograph.kernels.lowering.state import State
from autograph.kernels.lowering.values import Memory, is_array
from autograph.kernels.native import random
from ops.core.records import NamedTuple
from ops.core.symbolic_lengths import is_symbolic
from ops.random.numpy_streams import draw as draw_from_outside
from ops.random.numpy_streams import draw_next

_INTEGERS = frozenset(f"{u}int{bits}" for u in ("", "u") for bits in (8, 16, 32, 64))
_ZERO = Number(0.0, DOUBLE)
_CERTAIN = 1e-9  # so far from one the sum of probabilities may be, whatever NumPy's version
_NO_PARAMETERS = ("size", "dtype", "endpoint", "method", "replace", "shuffle")


class _Form(NamedTuple):
    """How a draw is done natively.

    Attributes:
        function: see `ir.Draw`.
        operands: emits its operands, from what gives a parameter by name.
        write: emits what draws all there is, in the place of these; see `drawn_orders`.
    """

    function: str
    operands: Callable[[State, Mapping[str, Operand]], tuple[Operand, ...]]
    write: drawn_orders.Write | None = None


class NativeDraw(NamedTuple):
    """A draw that a kernel does itself.

    Attributes:
        node: the one node of a named graph that Python would compute for the kernel.
        form: how it is done.
    """

    node: Node
    form: _Form


def draw_of(graph: Graph) -> NativeDraw | None:
    """What a named graph that Python computes for kernels draws, if a kernel can draw it."""
    if len(graph.nodes) != 1 or graph.nodes[0].op not in (draw_from_outside, draw_next):
        return None
    (node,) = graph.nodes
    form = _form(node)
    return None if form is None else NativeDraw(node, form)


def _form(node: Node) -> _Form | None:
    """How a draw is done natively, if it is."""
    method, static = node.attrs["method"], dict(node.attrs["static"])
    if node.op is draw_from_outside:
        kind = node.attrs["generator"].kind  # a class derived from NumPy's may draw otherwise
        if getattr(kind, method, None) is not getattr(np.random.Generator, method, None):
            return None
    if "size" in node.attrs["names"]:
        return None
    size, dtype = static.pop("size", None), static.pop("dtype", None)
    parameters = node.inputs[node.op is draw_next :]
    if method == "choice" and node.attrs["names"] == ("p",):
        return _weighted(node, static) if size is None else None
    if (size is not None and is_symbolic(size)) or any(v.type.shape for v in parameters):
        return None
    if any(v.type.dtype.kind not in "biuf" for v in parameters):
        return None
    result = node.outputs[-1].type
    given = {*node.attrs["names"], *static}
    if method == "integers":
        wanted = np.dtype(dtype or "int64").name
        is_plain = given <= {"low", "high", "endpoint"} and wanted in _INTEGERS
        return _integers(node, static) if is_plain else None
    if method == "permutation" or (method == "choice" and not static.get("replace", True)):
        write = drawn_orders.drawn_order(node, static)
        return None if write is None else _Form("", _no_operands, write)
    if method == "choice":
        is_plain = given <= {"a", "replace", "shuffle"} and static.get("replace", True)
        is_plain = is_plain and result.dtype == LONG
        if "a" in static:
            is_plain = is_plain and type(static["a"]) is int and static["a"] > 0
        return _integers(node, {}) if is_plain else None
    if method == "uniform":
        if not given <= {"low", "high"} or parameters:
            return None
        low, high = float(static.get("low", 0.0)), float(static.get("high", 1.0))
        span = Number(high - low, DOUBLE)
        return _of("random_uniform", lambda state, given: (Number(low, DOUBLE), span))
    if static.pop("method", "zig") != "zig" or result.dtype.name == "float32":
        return None
    if dtype is not None and np.dtype(dtype) != DOUBLE:
        return None
    found = draws.DISTRIBUTIONS.get(method)
    if found is None or result.dtype.name != found.dtype:
        return None
    if not given - {"method"} <= {p.name for p in found.parameters}:
        return None
    return _of(found.function, lambda state, given: _allowed(state, found, given))


def _of(function: str, operands: Callable[..., tuple[Operand, ...]]) -> _Form | None:
    return _Form(function, operands) if random.available(function) else None


def _allowed(
    state: State, distribution: draws.Drawn, given: Mapping[str, Operand]
) -> tuple[Operand, ...]:
    """The parameters of a distribution, where the kernel goes on only with those that it allows."""
    b, found = state.b, []
    for parameter in distribution.parameters:
        x = given.get(parameter.name)
        x = Number(parameter.default, DOUBLE) if x is None else x
        x = b.cast(x, LONG if parameter.allowed == draws.INTEGER else DOUBLE)
        zero = Number(0, x.dtype)
        if parameter.allowed in (draws.POSITIVE, draws.PROBABILITY):
            b.check(b.compute(">", x, zero))
        if parameter.allowed in (draws.NOT_NEGATIVE, draws.INTEGER):
            b.check(b.compute(">=", x, zero))
            if x.dtype == DOUBLE:  # the sign of a negative zero is not allowed, either
                b.check(b.compute("~", b.compute("signbit", x)))
        if parameter.allowed == draws.PROBABILITY:
            b.check(b.compute("<=", x, Number(1.0, DOUBLE)))
        if parameter.name == "lam":
            b.check(b.compute("<", x, Number(draws.MOST_POISSON, DOUBLE)))
        found.append(x)
    return tuple(found)


def _integers(node: Node, static: Mapping[str, Any]) -> _Form | None:
    """Integers within bounds."""
    dtype = np.dtype(dict(node.attrs["static"]).get("dtype", "int64"))
    types = dict(zip(node.attrs["names"], (v.type for v in node.inputs[node.op is draw_next :])))
    if any(t.dtype.kind not in "bi" for t in types.values()) or (dtype.kind != "i" and types):
        return None
    function = draws.filling(dtype)
    if not random.available(function):
        return None
    endpoint = bool(static.get("endpoint", False))
    info: Any = np.iinfo(dtype)
    bits = np.dtype(f"uint{8 * dtype.itemsize}")

    def operands(state: State, given: Mapping[str, Operand]) -> tuple[Operand, ...]:
        b = state.b
        low, high = given.get("low"), given.get("high", given.get("a"))
        low = Number(0, LONG) if low is None else low
        if high is None:
            low, high = Number(0, LONG), low
        if isinstance(low, Number) and isinstance(high, Number):  # NumPy has allowed them
            first, most = int(low.value), int(high.value) - (not endpoint)
            wrap = 1 << 8 * dtype.itemsize
            return Number(first % wrap, bits), Number((most - first) % wrap, bits)
        low, high = (b.cast(x, LONG) for x in (low, high))
        b.check(b.compute("<=" if endpoint else "<", low, high))
        last = high if endpoint else b.compute("-", high, Number(1, LONG))
        if dtype.itemsize < 8:
            b.check(b.compute(">=", low, Number(int(info.min), LONG)))
            b.check(b.compute("<=", last, Number(int(info.max), LONG)))
        return b.cast(low, bits), b.cast(b.compute("-", last, low), bits)

    return _Form(function, operands)


def _weighted(node: Node, static: Mapping[str, Any]) -> _Form | None:
    """The number of an element that is chosen with a probability for each."""
    p, result = node.inputs[-1].type, node.outputs[-1].type
    is_plain = static.get("replace", True) and type(static.get("a")) is int
    is_plain = is_plain and not is_symbolic(p.shape) and p.shape == (static["a"],)
    is_native = is_plain and p.dtype == DOUBLE and result.dtype == LONG
    return _Form("", _no_operands) if is_native else None


def _no_operands(state: State, given: Mapping[str, Operand]) -> tuple[Operand, ...]:
    return ()


def _chosen(state: State, p: Memory, count: int, number: Operand) -> Operand:
    """How many of the sums of the first probabilities, over that of all, a number has reached: what
    NumPy looks up. The kernel is given up where NumPy may say that they are no probabilities."""
    b = state.b

    def add(i: Operand, total: Operand, allowed: Operand) -> tuple:
        x = b.load(p.buffer, b.compute("+", b.long(p.start), i))
        return b.compute("+", total, x), b.compute("&", allowed, b.compute(">=", x, _ZERO))

    total, allowed = b.for_(count, (_ZERO, Number(True, BOOL)), add)
    error = b.compute("fabs", b.compute("-", total, Number(1.0, DOUBLE)))
    b.check(b.compute("&", allowed, b.compute("<=", error, Number(_CERTAIN, DOUBLE))))

    def reach(i: Operand, total_so_far: Operand, place: Operand) -> tuple:
        x = b.load(p.buffer, b.compute("+", b.long(p.start), i))
        so_far = b.compute("+", total_so_far, x)
        reached = b.compute("<=", b.compute("/", so_far, total), number)
        return so_far, b.compute("+", place, b.cast(reached, LONG))

    return b.for_(count, (_ZERO, Number(0, LONG)), reach)[1]


def draw(state: State, call: Node, graph: Graph, native: NativeDraw) -> None:
    """A draw in the place of a call of a named graph, which has only that node."""
    node, form = native
    outer = dict(zip(graph.inputs, call.inputs))
    results = dict(zip(graph.outputs, call.outputs))
    b = state.b
    parameters = node.inputs[node.op is draw_next :]
    static = node.attrs["static"]
    given: dict[str, Operand] = {
        name: _number(value) for name, value in static if name not in _NO_PARAMETERS
    }
    for name, value in zip(node.attrs["names"], parameters):
        if not value.type.shape:
            given[name] = _scalar(state, value, outer)
    demand.flush(state)
    operands = form.operands(state, given)
    drawn = results.get(node.outputs[-1])
    source = _source(state, call, node, outer, results)
    found: Operand | Memory
    if form.write is not None:
        found = _written_by(state, form.write, source, node.outputs[-1], drawn)
    elif node.attrs["method"] == "choice" and node.attrs["names"]:
        p = demand.memory(state, outer[node.inputs[-1]])
        number = _one(state, ir.Draw("", source, (), _new(state, DOUBLE, 1)))
        found = _chosen(state, p, node.inputs[-1].type.size, number)
    elif drawn is not None and is_array(drawn):
        found = state.places.give(drawn)
        _draw_to(state, form, source, operands, found, drawn.type.size)
    else:
        type = node.outputs[-1].type
        memory = _new(state, type.dtype, type.size)
        _draw_to(state, form, source, operands, Memory(*memory), type.size)
        found = b.load(*memory)
    if drawn is not None:
        state.env[drawn] = found


def _written_by(
    state: State,
    write: drawn_orders.Write,
    source: drawn_orders.Source,
    result: Value,
    drawn: Value | None,
) -> Operand | Memory:
    """What several draws write; ``drawn`` is where it is used, if it is."""
    if drawn is not None and is_array(drawn):
        place = state.places.give(drawn)
        write(state, source, place)
        return place
    place = Memory(*_new(state, result.type.dtype, result.type.size))
    write(state, source, place)
    return state.b.load(place.buffer, state.b.long(place.start))


def _new(state: State, dtype: Any, size: int) -> tuple[Buffer, Operand]:
    memory = state.places.allocate(dtype, size)
    return memory.buffer, state.b.long(memory.start)


def _one(state: State, statement: ir.Draw) -> Operand:
    """The number that is drawn."""
    state.b.add(statement)
    state.b.written(statement.result[0])
    return state.b.load(*statement.result)


def _draw_to(
    state: State,
    form: _Form,
    source: tuple[Buffer, Operand] | int,
    operands: tuple[Operand, ...],
    memory: Memory,
    size: int,
) -> None:
    """Draw as many numbers as an array has elements, into its memory."""
    b, start = state.b, state.b.long(memory.start)
    if draws.is_filling(form.function):
        operands = (*operands, b.long(size))

    def one(i: Operand) -> tuple:
        place = memory.buffer, b.compute("+", start, i)
        b.add(ir.Draw(form.function, source, operands, place))
        return ()

    if size == 1 or draws.is_filling(form.function):
        one(b.long(0))
    else:
        b.for_(size, (), one)
    b.written(memory.buffer)


def _source(
    state: State, call: Node, node: Node, outer: Mapping[Value, Value], results: Mapping
) -> tuple[Buffer, Operand] | int:
    """What is drawn from; the new words of its state are where the old ones were."""
    if node.op is draw_from_outside:
        return node.attrs["generator"].number
    words = outer[node.inputs[0]]
    after = results.get(node.outputs[0])
    if after is None:  # nothing is drawn from it any more
        place = demand.memory(state, words)
        copy = state.places.allocate(words.type.dtype, words.type.size, words.name)
        state.loops.copy(place, copy, words.type.size)
        memory = copy
    else:
        memory = changeable(state, call, words, after)
        state.env[after] = memory
        state.env.given[after] = False
    state.b.written(memory.buffer)
    return memory.buffer, memory.start


def _scalar(state: State, value: Value, outer: Mapping[Value, Value]) -> Operand:
    if isinstance(value, Constant):
        return _number(value.data)
    return demand.scalar(state, outer[value])


def _number(value: Any) -> Number:
    """A parameter that is known: of an int the lowest 64 bits, since bounds of uint64 go beyond."""
    number = value.item() if isinstance(value, np.generic | np.ndarray) else value
    if not isinstance(number, int):
        return Number(number, DOUBLE)
    return Number((number + 2**63) % 2**64 - 2**63, LONG)
