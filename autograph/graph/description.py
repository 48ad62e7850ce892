"""Modules described by value, for what is made of them to be found again on disk.

Two modules with one description compute the same by the same nodes, in the same order. Places in
the user's files, names of variables, and what generators of random numbers have drawn are left out.
Lengths that are symbols are described as they are, with what is assumed of them, but not with the
numbers of a call. What has no description by value is refused: operators that are not declared in
`ops`, large arrays.
"""

from __future__ import annotations

import hashlib
import json
import sys
from typing import Any

import numpy as np

from autograph.errors import SaveError
from autograph.graph.graph import Constant, Graph, Module, Node, Value
from autograph.graph.lengths import symbols_in
from autograph.graph.serialize import Writer, symbols_form, type_form
from ops.core.registry import Op
from ops.core.symbolic_lengths import is_symbolic
from ops.core.types import ArrayType, Type
from ops.random.numpy_streams import GivenGenerator

# Arrays in a module with more bytes than this together are not looked through.
_MOST_BYTES = 1 << 24


class NoDescription(Exception):
    """A module has none; its text says why."""


def description(module: Module) -> str:
    """What a module is, as text.

    Raises:
        NoDescription: it has none by value.
    """
    try:
        found = _Describer().module(module)
    except SaveError as error:
        raise NoDescription(error.message) from None
    return json.dumps(found, separators=(",", ":"))


class _Describer:
    """Describes a module."""

    def __init__(self) -> None:
        self._numbers: dict[Value, int] = {}
        self._constants: dict[Value, int] = {}
        self._forms: list[Any] = []  # of the constants
        self._types: dict[Type, int] = {}
        self._symbolic: dict[str, int] = {}  # the types with symbols among them, by their forms
        self._type_forms: list[Any] = []
        self._bytes = 0
        self._attribute = _Attributes().attribute

    def module(self, module: Module) -> Any:
        graphs = [[name, self._graph(graph)] for name, graph in module.graphs.items()]
        main, symbols = self._graph(module.main), symbols_in(module)
        assumed = (
            None if symbols is None else [symbols.chooses, symbols_form(symbols)["assumptions"]]
        )
        return [main, graphs, self._forms, self._type_forms, assumed]

    def _type(self, type: Type) -> int:
        """The number of a type: a graph has few. Lengths that are symbols are not compared, which
        would be noted of them."""
        table: dict[Any, int] = self._types
        key: Any = type
        if isinstance(type, ArrayType) and is_symbolic(type.shape):
            table, key = self._symbolic, json.dumps(type_form(type))
        number = table.get(key)
        if number is None:
            number = table[key] = len(self._type_forms)
            self._type_forms.append(type_form(type))
        return number

    def _graph(self, graph: Graph) -> Any:
        return [
            graph.name,
            self._define(graph.inputs),
            [self._node(node) for node in graph.nodes],
            [self._operand(value) for value in graph.outputs],
        ]

    def _node(self, node: Node) -> Any:
        if not is_own(node.op):
            raise NoDescription(f"the operator '{node.op.name}' is not one of 'ops'")
        return [
            node.op.name,
            [self._operand(value) for value in node.inputs],
            [[key, self._attribute(value)] for key, value in node.attrs.items()],
            [self._graph(region) for region in node.regions],
            self._define(node.outputs),
            node.required,
        ]

    def _define(self, values: tuple[Value, ...]) -> Any:
        for value in values:
            self._numbers[value] = len(self._numbers)
        return [self._type(value.type) for value in values]

    def _operand(self, value: Value) -> int:
        """The number of a value; that of a constant is below zero."""
        if not isinstance(value, Constant):
            return self._numbers[value]
        if value not in self._constants:  # by identity: what is one constant stays one
            self._forms.append([self._type(value.type), self._data(value)])
            self._constants[value] = -len(self._forms)
        return self._constants[value]

    def _data(self, constant: Constant) -> Any:
        data = constant.data
        if data is None:
            return None
        if type(data) in (bool, int, float, complex):
            return [type(data).__name__, *_number(data)]
        if not isinstance(data, (np.ndarray, np.generic)):
            raise NoDescription(f"a constant is of the class '{type(data).__name__}'")
        self._bytes += data.nbytes
        if data.dtype.hasobject or self._bytes > _MOST_BYTES:
            raise NoDescription(f"its constants have more than {_MOST_BYTES} bytes")
        digest = hashlib.sha256(data.tobytes()).hexdigest()
        return [type(data).__name__, data.dtype.str, list(data.shape), list(data.strides), digest]


class _Attributes(Writer):
    """Attributes as JSON."""

    def __init__(self) -> None:
        super().__init__()
        self._handles: dict[GivenGenerator, int] = {}

    def attribute(self, value: Any) -> Any:
        if value is None or type(value) in (bool, int, str):  # most are
            return value
        return super().attribute(value)

    def _generator(self, handle: GivenGenerator) -> Any:
        """Which generator it is, in the order of the nodes, and of what class.

        Raises:
            NoDescription: the class is derived from NumPy's, and may draw otherwise.
        """
        if handle.kind not in (np.random.Generator, np.random.RandomState):
            raise NoDescription(f"it draws from a {handle.kind.__qualname__}")
        number = self._handles.setdefault(handle, len(self._handles))
        return [number, handle.kind.__qualname__, handle.given is None]


def _number(data: complex) -> list[str]:
    """The bits of one of Python's numbers."""
    if isinstance(data, int):
        return [str(data)]
    return [np.float64(part).tobytes().hex() for part in (data.real, data.imag)]


_own: set[Op] = set()


def is_own(op: Op) -> bool:
    """Whether an operator is declared in `ops`, so that its files say all about it."""
    if op not in _own:
        for name, module in list(sys.modules.items()):
            if name.partition(".")[0] == "ops":
                _own.update(v for v in vars(module).values() if isinstance(v, Op))
    return op in _own
