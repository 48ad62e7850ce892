"""Rules that replace one application of an operator by something simpler.

Every rule is exact for all operands: it gives the same bits, NaN, infinities and negative zeros
included, and the same type. So ``x * 1``, ``x / 1`` and ``x - 0`` are ``x`` for real numbers, but
``x + 0`` is not (``-0.0 + 0`` is ``0.0``), ``x * 0`` is not 0 (for NaN), and no rule is for complex
products (``inf * (1 + 0j)`` has a NaN in it).

There is one exception. Adding an array that is zero but for some elements is done by adding those
elements alone, which keeps negative zeros among the others and may sum duplicates in another order.
Without it, a loop that reads one element per trip would have a gradient that adds whole arrays.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import ops
from autograph.errors import Location
from autograph.graph.graph import Constant, Value
from autograph.signals import raised_by_handler
from ops.control import regions
from ops.control.regions import Structured
from ops.core.records import NamedTuple
from ops.core.registry import Op
from ops.core.symbolic_lengths import is_length
from ops.core.types import PYTHON_SCALARS, ArrayType, Type, is_type, type_of, weak


class Application(NamedTuple):
    """An operator applied to operands: a node that is not in a graph yet. Nor need the nodes be
    that its operands come from.

    Attributes:
        location: the place it comes from, if that is not the place of what it stands in for.
    """

    op: Op
    inputs: tuple[Value, ...]
    attrs: dict[str, Any]
    location: Location | None = None


class Term(NamedTuple):
    """An application, some of whose operands may be applications themselves."""

    op: Op
    inputs: tuple[Value | Term, ...]
    attrs: dict[str, Any]
    location: Location | None = None

    def types(self) -> tuple[Type, ...]:
        """The types of its results."""
        inputs = (v.types()[0] if isinstance(v, Term) else v.type for v in self.inputs)
        return self.op.infer(*inputs, **self.attrs)


Replacement = Sequence[Value] | Term | None


def simpler(application: Application, types: Sequence[Type]) -> Replacement:
    """What may stand in place of an application whose results have the given types.

    Returns:
        Existing values or constants, one for each result; or simpler applications; or None.
    """
    constant = _folded(application, types)
    if constant is not None:
        return [constant]
    rule = _RULES.get(application.op)
    if rule is None and application.op.fold is not None:
        rule = _of_transposed
    result = None if rule is None else rule(application)
    if result is None:
        return None
    given = result.types() if isinstance(result, Term) else (v.type for v in result)
    return result if list(given) == list(types) else None


# -- constants -------------------------------------------------------------------------------------


def _folded(application: Application, types: Sequence[Type]) -> Constant | None:
    """The value of an operator applied to scalar constants, if it can be had now.

    Arrays are not folded: they are the user's memory and may change between calls.
    """
    op, inputs, attrs, _ = application
    for value in inputs:
        if not isinstance(value, Constant):  # as most are
            return None
    if op.effect or isinstance(op, Structured) or len(types) != 1 or not inputs:
        return None
    constants = [v.data for v in inputs if isinstance(v, Constant) and v.is_scalar]
    if len(constants) < len(inputs):
        return None
    if op in (ops.power, ops.left_shift) and types[0] == weak(int):
        return None  # the number could be of any length
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            result = op.evaluate(np, constants, attrs)
    except Exception as error:  # it raises whatever it raises, when the program runs
        if raised_by_handler(error):
            raise
        return None
    is_scalar = isinstance(result, (*PYTHON_SCALARS, np.generic))
    return Constant(result) if is_scalar and type_of(result) == types[0] else None


def constant_key(constant: Constant) -> tuple:
    """A key that is equal for constants with the same bits: an array is equal to itself only."""
    data = constant.data
    if data is None:
        return constant.type, None
    if not constant.is_scalar:
        return constant.type, id(data)
    # Python's ints may be too long for an array.
    bits = data if isinstance(data, int) else np.asarray(data).tobytes()
    return constant.type, type(data), bits


def _number(value: Value) -> Any:
    """The number that all elements of a value are known to be, or None."""
    while (node := value.producer) and node.op in (ops.full, ops.broadcast_to, ops.reshape):
        value = node.inputs[0]
    return value.data if isinstance(value, Constant) and value.is_scalar else None


def _is_one(value: Value) -> bool:
    number = _number(value)
    return number is not None and bool(number == 1)


def _is_positive_zero(value: Value) -> bool:
    number = _number(value)
    if number is None or number != 0:
        return False
    return not np.signbit(np.real(number)) and not np.signbit(np.imag(number))


def _is_real(value: Value) -> bool:
    return value.type.dtype.kind != "c"


def _source(value: Value, op: Op) -> Value | None:
    """The first operand of the node that computes ``value``, if that applies this operator."""
    node = value.producer
    return node.inputs[0] if node is not None and node.op is op else None


# -- arithmetic ------------------------------------------------------------------------------------


def _multiply(application: Application) -> Replacement:
    x, y = application.inputs
    if _is_one(y) and _is_real(x):
        return [x]
    return [y] if _is_one(x) and _is_real(y) else None


def _divide_or_power(application: Application) -> Replacement:
    x, y = application.inputs
    return [x] if _is_one(y) and _is_real(x) else None


def _subtract(application: Application) -> Replacement:
    x, y = application.inputs
    return [x] if _is_positive_zero(y) else None


def _equal(application: Application) -> Replacement:
    """Which of two numbers a branch has left tells which branch it was: so recorded code asks which
    type a number has that is of one of two."""
    op, (x, number), attrs, _ = application
    node = x.producer
    if node is None or node.op is not regions.cond or not isinstance(number, Constant):
        return None
    (position,) = (k for k, output in enumerate(node.outputs) if output is x)
    (wanted,) = op.infer(x.type, number.type, **attrs)
    assert isinstance(wanted, ArrayType)
    answers = [
        _folded(Application(op, (region.outputs[position], number), attrs), [wanted])
        for region in node.regions
    ]
    if any(answer is None for answer in answers):
        return None
    then, orelse = (bool(answer.data) for answer in answers if answer is not None)
    if then == orelse:
        return [Constant(then)] if wanted.weak else None
    (predicate,) = node.inputs
    attrs = {"dtype": wanted.dtype.name, "weak": wanted.weak}
    if then:
        is_it = is_type(predicate.type, wanted)
        return [predicate] if is_it else Term(ops.cast, (predicate,), attrs)
    opposite = Term(ops.logical_not, (predicate,), {})
    is_it = is_type(opposite.types()[0], wanted)
    return opposite if is_it else Term(ops.cast, (opposite,), attrs)


def _negative(application: Application) -> Replacement:
    x = _source(application.inputs[0], ops.negative)
    return None if x is None else [x]


def _add(application: Application) -> Replacement:
    """``acc + index_add(zeros, v, ...)`` is ``index_add(acc, v, ...)``, also for several parts."""
    x, y = application.inputs
    return _with_parts(x, y) or _with_parts(y, x)


def _with_parts(acc: Value, other: Value) -> Replacement:
    parts = []
    while (node := other.producer) and node.op is ops.index_add and is_type(acc.type, other.type):
        parts.append(node)
        other = node.inputs[0]
    if not parts or not _is_positive_zero(other):
        return None
    total: Term | None = None
    for node in reversed(parts):
        first = acc if total is None else total
        total = Term(node.op, (first, *node.inputs[1:]), node.attrs, node.location)
    return total


def _cast(application: Application) -> Replacement:
    return application.inputs


# -- shapes ----------------------------------------------------------------------------------------


def _reshape_or_broadcast(application: Application) -> Replacement:
    """Only the last of two counts; to the shape that is there already, none."""
    op, (x, *lengths), attrs, _ = application
    if not x.type.is_static:
        return None
    source = _source(x, op)
    if source is not None and source.type.is_static:
        return Term(op, (source, *lengths), attrs)
    return [x] if tuple(attrs["shape"]) == x.type.shape else None


def _length(application: Application) -> Replacement:
    """A length that the type tells."""
    known = application.inputs[0].type.shape[application.attrs["axis"]]
    if known is None:
        return None
    if is_length(known):
        return Term(ops.extent, (), {"length": known})
    return [Constant(known)]


def _transpose(application: Application) -> Replacement:
    op, (x,), attrs, _ = application
    axes = attrs["axes"]
    if axes == tuple(range(len(axes))):
        return [x]
    node = x.producer
    if node is None or node.op is not op:
        return None
    inner = node.attrs["axes"]
    return Term(op, node.inputs, {"axes": tuple(inner[axis] for axis in axes)})


def _of_transposed(application: Application) -> Replacement:
    """A reduction of a transpose is one along other axes, where the others stay in order. NumPy
    goes over the elements in the order in which they lie, so that it rounds as before."""
    op, (x, *others), attrs, _ = application
    node = x.producer
    if node is None or node.op is not ops.transpose or others or attrs.get("keepdims", True):
        return None
    axes = node.attrs["axes"]
    if attrs["axis"] is None:
        return Term(op, node.inputs, attrs)
    kept = [axes[i] for i in range(len(axes)) if i not in attrs["axis"]]
    if kept != sorted(kept):
        return None
    along = tuple(sorted(axes[i] for i in attrs["axis"]))
    return Term(op, node.inputs, {**attrs, "axis": along})


# What an index says of an axis, or several, that it takes as a whole.
_WHOLE = (("ellipsis",), ("slice", None, None, None))


def _getitem(application: Application) -> Replacement:
    """A row of a transpose is a column, which is read without the transpose."""
    op, (x, *operands), attrs, _ = application
    node = x.producer
    if node is None or node.op is not ops.transpose or operands:
        return None
    axes, index = node.attrs["axes"], attrs["index"]
    entries = [*index, *[_WHOLE[1]] * (len(axes) - len(index))]
    kinds = [entry[0] for entry in entries]
    if not {"int", "slice"}.issuperset(kinds) or kinds.count("slice") > 1:
        return None
    found = dict(zip(axes, entries))
    return Term(op, node.inputs, {"index": tuple(found[axis] for axis in range(len(axes)))})


def _index_update(application: Application) -> Replacement:
    """What replaces all elements is the result: so recorded code ends a change in place."""
    _, value, *places = application.inputs
    is_whole = not places and all(part in _WHOLE for part in application.attrs["index"])
    # An array without axes would become one of NumPy's numbers.
    return [value] if is_whole and value.type.shape and value.type.is_static else None


# -- packs and stacks ------------------------------------------------------------------------------


def _is_nothing(value: Value) -> bool:
    return isinstance(value, Constant) and value.data is None


def _add_ct(application: Application) -> Replacement:
    x, y = application.inputs
    if _is_nothing(x):
        return [y]
    return [x] if _is_nothing(y) else None


def _unpack(application: Application) -> Sequence[Value] | None:
    """The slots of a pack. One that stands for a zero cotangent has not the type wanted, and then
    they are not taken."""
    node = application.inputs[0].producer
    return node.inputs if node is not None and node.op is regions.pack else None


def _unpack_cotangents(application: Application) -> Replacement:
    """The same. A slot that is asked for as a pack where there is an array is not used: it belongs
    to a value that has no derivative on the side that asks."""
    slots = _unpack(application)
    if slots is None:
        return None

    def found(slot: Value, wanted: Type) -> Value:
        unused = isinstance(slot.type, ArrayType) and not isinstance(wanted, ArrayType)
        return Constant(None, wanted) if unused else slot

    return [*map(found, slots, application.attrs["types"])]


def _pop(application: Application) -> Replacement:
    node = application.inputs[0].producer
    return node.inputs if node is not None and node.op is regions.push else None


_RULES: dict[Op, Callable[[Application], Replacement]] = {
    ops.add: _add,
    regions.add_ct: _add_ct,
    ops.add_same: _add,
    ops.broadcast_to: _reshape_or_broadcast,
    ops.cast: _cast,
    ops.divide: _divide_or_power,
    ops.equal: _equal,
    ops.getitem: _getitem,
    ops.index_update: _index_update,
    ops.length: _length,
    ops.multiply: _multiply,
    ops.negative: _negative,
    regions.pop: _pop,
    ops.power: _divide_or_power,
    ops.reshape: _reshape_or_broadcast,
    ops.subtract: _subtract,
    ops.transpose: _transpose,
    regions.unpack: _unpack,
    regions.unpack_ct: _unpack_cotangents,
}
