"""Modules as JSON and arrays; see docs/saved-graphs.md for the format, `deserialize` for the way
back."""

from __future__ import annotations

import base64
import functools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograph.errors import Location, SaveError
from autograph.graph.graph import Constant, Graph, Module, Node, Value
from autograph.graph.named_functions import name_of
from ops.arrays.indexing import Bound
from ops.control.effects import Slot
from ops.control.regions import PACK
from ops.core.symbolic_lengths import Factor, Quotient, SymbolicLength, Symbols, is_length
from ops.core.types import ArrayType, PackType, StackType, Type, is_supported
from ops.random.numpy_streams import GivenGenerator

# Python's types and kinds of bit generators that a file may name.
PYTHON_TYPES: dict[str, type] = {
    kind.__name__: kind for kind in (bool, int, float, complex, str, tuple, list)
}
BIT_GENERATORS = ("MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64")


class Writer:
    """Turns modules and attributes into JSON.

    Args:
        generators: the positions of the arguments that some generators of random numbers are.

    Attributes:
        arrays: the arrays that the JSON refers to, by name.
        constants, generators: tables that it refers to by position.
    """

    def __init__(self, arguments: Mapping[GivenGenerator, int] = {}):
        self.arrays: dict[str, np.ndarray] = {}
        self.constants: list[Any] = []
        self.generators: list[Any] = []
        self._arguments = arguments
        self._numbers: dict[Value, int] = {}
        self._entries: dict[Value, int] = {}  # of the constants
        self._places: dict[int, tuple[Any, Any]] = {}  # of arrays and generators, kept alive

    def module(self, module: Module) -> dict[str, Any]:
        """A module as JSON."""
        graphs = {name: self._graph(graph) for name, graph in module.graphs.items()}
        return {"main": self._graph(module.main), "graphs": graphs}

    def _graph(self, graph: Graph) -> dict[str, Any]:
        return {
            "name": graph.name,
            "inputs": self._define(graph.inputs),
            "nodes": [self._node(node) for node in graph.nodes],
            "outputs": [self._operand(value) for value in graph.outputs],
            "at": _location(graph.location),
        }

    def _node(self, node: Node) -> dict[str, Any]:
        form: dict[str, Any] = {
            "op": node.op.name,
            "inputs": [self._operand(value) for value in node.inputs],
        }
        try:
            attrs = {key: self.attribute(value) for key, value in node.attrs.items()}
        except SaveError as error:
            raise SaveError(
                f"the operator '{node.op.name}' has an attribute that a file cannot hold: "
                f"{error.message}",
                node.location,
                fix=error.fix,
            ) from None
        if attrs:
            form["attrs"] = attrs
        if node.regions:
            form["regions"] = [self._graph(region) for region in node.regions]
        form["outputs"] = self._define(node.outputs)
        form["at"] = _location(node.location)
        if node.required:
            form["required"] = True
        return form

    def _define(self, values: tuple[Value, ...]) -> list[Any]:
        for value in values:
            self._numbers[value] = len(self._numbers)
        return [[self._numbers[v], type_form(v.type), v.name] for v in values]

    def _operand(self, value: Value) -> int | str:
        if not isinstance(value, Constant):
            return self._numbers[value]
        if value in self._entries:  # by identity: what is one constant stays one
            return f"c{self._entries[value]}"
        if value.data is None:
            form = {"empty": "pack" if isinstance(value.type, PackType) else "stack"}
        elif isinstance(value.data, tuple):
            raise SaveError(
                "the function refers to what a forward pass has left, which a file cannot hold",
                id="AG0613",
                fix="call vjp in the function itself",
            )
        elif value.is_scalar:
            form = {"value": self.attribute(value.data)}
        else:
            form = self.array(value.data, value.name)
        self._entries[value] = len(self.constants)
        self.constants.append(form)
        return f"c{self._entries[value]}"

    def array(self, data: Any, name: str | None = None) -> dict[str, Any]:
        """An array, to be found by its name."""
        if id(data) not in self._places:
            key = f"a{len(self.arrays)}"
            host = np.asarray(data.get() if hasattr(data, "get") else data)
            form = {"array": key, "dtype": host.dtype.name, "name": name}
            # NumPy's files know NumPy's own dtypes only; the others' elements are saved as bytes.
            self.arrays[key] = host if host.dtype.kind != "V" else host.view(np.uint16)
            self._places[id(data)] = data, form
        return self._places[id(data)][1]

    def place(self, value: Any) -> int | None:
        """The number of something outside that a graph may change; None if it may not."""
        return None

    def own_class(self, kind: type) -> str:
        """What names a class that stands for one of Python's, of lists and dicts of which only the
        run knows how long they are.

        Raises:
            SaveError: files of saved functions have no names for these.
        """
        raise SaveError(
            "what it takes or returns has keys, or is lists of lengths, known only at run time, "
            "which a file cannot hold",
            id="AG0613",
            fix="return arrays, or lists of numbers, as in list(d) and list(d.values())",
        )

    def attribute(self, value: Any) -> Any:
        """A static value as JSON.

        Raises:
            SaveError: it is of none of the kinds that can be read back.
        """
        if is_length(value):  # for `match` it is an int
            return length_form(value)
        match value:
            case None | bool():
                return value
            case np.generic():
                expect_saved(is_supported(value.dtype), value)
                return {"scalar": [value.dtype.name, self.attribute(value.item())]}
            case str():
                return str.__str__(value)
            case int():
                return int.__int__(value)
            case float():
                return _float_form(float.__float__(value))
            case complex():
                return {"complex": [_float_form(value.real), _float_form(value.imag)]}
            case bytes():
                return {"bytes": base64.b64encode(value).decode()}
            case ArrayType() | PackType() | StackType():
                return {"type": type_form(value)}
            case Slot(template, tables):
                return {"slot": [template, self.attribute(tables)]}
            case Bound(position):
                return {"bound": position}
            case slice():
                return {"slice": [self.attribute(x) for x in (value.start, value.stop, value.step)]}
            case range():
                return {"range": [value.start, value.stop, value.step]}
            case np.dtype() if is_supported(value):
                return {"dtype": value.name}
            case GivenGenerator():
                return {"generator": self._generator(value)}
        if value is Ellipsis:
            return {"ellipsis": True}
        if type(value) is tuple:
            return [self.attribute(item) for item in value]
        if type(value) in (frozenset, set):
            items = [self.attribute(item) for item in sorted(value, key=repr)]
            return {type(value).__name__: items}
        if isinstance(value, type):
            if PYTHON_TYPES.get(value.__name__) is value:
                return {"class": value.__name__}
            if issubclass(value, np.generic) and is_supported(np.dtype(value)):
                return {"dtype_class": np.dtype(value).name}
        name = name_of(value)
        expect_saved(name, value)
        return {"function": name}

    def _generator(self, handle: GivenGenerator) -> Any:
        if id(handle) not in self._places:
            expect_saved(issubclass(handle.kind, np.random.Generator), handle.kind)
            if handle in self._arguments:
                form: dict[str, Any] = {"argument": self._arguments[handle]}
            else:
                assert isinstance(handle.given, np.random.Generator)
                bits = handle.given.bit_generator
                expect_saved(type(bits).__name__ in BIT_GENERATORS, bits)
                form = {"bits": type(bits).__name__, "state": self._state(bits.state)}
            self._places[id(handle)] = handle, len(self.generators)
            self.generators.append(form)
        return self._places[id(handle)][1]

    def _state(self, state: Any) -> Any:
        """The state of a generator: a nest of dicts, numbers, texts and arrays."""
        if isinstance(state, dict):
            return {key: self._state(part) for key, part in state.items()}
        if isinstance(state, np.ndarray):
            return self.array(state)
        return state.item() if isinstance(state, np.generic) else state


def expect_saved(condition: Any, value: Any) -> None:
    """Refuse to save ``value`` unless ``condition`` holds.

    Raises:
        SaveError: it does not.
    """
    if not condition:
        kind = type(value)
        what = getattr(value, "__qualname__", None) or f"{kind.__module__}.{kind.__qualname__}"
        raise SaveError(
            f"{what} is not among what can be read back",
            fix="use numbers, texts, arrays and tuples of them there",
        )


def type_form(type: Type) -> Any:
    """The type of a value as JSON."""
    if not isinstance(type, ArrayType):
        return "pack" if type == PACK else "stack"
    shape = [length_form(n) if is_length(n) else n for n in type.shape]
    return [_dtype_name(type.dtype), shape, *(["weak"] if type.weak else [])]


@functools.cache
def _dtype_name(dtype: np.dtype) -> str:
    return dtype.name  # which NumPy puts together each time


def length_form(length: SymbolicLength) -> dict[str, Any]:
    """A symbolic length as JSON."""
    return {"length": [[count, *map(_factor, term)] for term, count in length.terms.items()]}


def _factor(factor: Factor) -> Any:
    return [length_form(factor.of), factor.by] if isinstance(factor, Quotient) else factor


def symbols_form(symbols: Symbols) -> dict[str, Any]:
    """Symbols as JSON, with what was assumed of them."""
    known = [[length_form(length), relation] for length, relation in symbols.assumptions]
    return {"symbols": symbols.numbers, "assumptions": known}


def _location(location: Location | None) -> Any:
    if location is None:
        return None
    return list(location[:4] if location.outside is None else location)


def _float_form(x: float) -> Any:
    if math.isfinite(x):
        return x
    sign = "-" if math.copysign(1.0, x) < 0 else ""
    return {"float": f"{sign}nan" if math.isnan(x) else f"{sign}inf"}
