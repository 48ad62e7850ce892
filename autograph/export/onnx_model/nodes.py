"""Nodes of a model, written one after the other into the graph, or subgraph, in force.

A subgraph may refer to all that is computed before it in the graphs around. So constants are
initializers of the whole model, and names are unique in all of it.

ONNX has no exceptions. Where Python raises, the model asks for an element that is not there: the
runtime ends the run, and names the node, whose name says what Python would have said. A flag that
each such node gives goes on with the results of the graph, or out of the subgraph as a result of
its own: what nobody needs would not run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np

from autograph.errors import Location
from autograph.export.onnx_model.refusals import refuse
from autograph.places import file_name
from ops.core.symbolic_lengths import is_length
from ops.core.types import ArrayType

OPSET, IR_VERSION = 21, 10  # of which every runtime of the last years knows
_TEMPORARY = "value."  # no name of Python's begins so
LONG, BOOL = np.dtype(np.int64), np.dtype(bool)


class NodeScope:
    """A graph or subgraph that is being written."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.guards: list[str] = []  # flags that are true, or the run has ended


class Nodes:
    """Writes nodes.

    Args:
        onnx: the library.
    """

    def __init__(self, onnx: ModuleType):
        self.onnx = onnx
        self.scope = NodeScope()
        self.place: Location | None = None
        self.constants: dict[str, np.ndarray] = {}
        self.of_4_bits: set[str] = set()  # constants of which two elements share a byte
        self.alive: str | None = None  # a flag that is true, but only the run knows
        self._names: set[str] = set()
        self._counts: dict[str, int] = {}
        self._known: dict[Any, str] = {}

    # -- names and types ---------------------------------------------------------------------------

    def new(self, stem: str | None = None) -> str:
        """A name that nothing has."""
        first = f"{_TEMPORARY}{len(self._names)}" if stem is None else stem
        name = first
        while name in self._names:
            count = self._counts[first] = self._counts.get(first, 0) + 1
            name = f"{first}_{count}"
        self._names.add(name)
        return name

    def element_type(self, dtype: np.dtype) -> int:
        """What ONNX calls a dtype.

        Raises:
            UnsupportedFunctionError: it has no name for it that runtimes compute with.
        """
        if dtype.kind not in "biuf":
            raise refuse(
                f"there is a value of {dtype}, and ONNX has no operators on these",
                self.place,
                fix="compute with real and imaginary parts"
                if dtype.kind == "c"
                else "convert it: x.astype(np.float32)",
            )
        return int(self.onnx.helper.np_dtype_to_tensor_dtype(dtype))

    def described(self, name: str, dtype: np.dtype, shape: Sequence[int | None] | None) -> Any:
        """What is said of an input or result of a graph; a symbolic length by what it is."""
        make = self.onnx.helper.make_tensor_value_info
        said = None if shape is None else [repr(n) if is_length(n) else n for n in shape]
        return make(name, self.element_type(dtype), said)

    # -- nodes -------------------------------------------------------------------------------------

    def many(self, op: str, inputs: Sequence[str], count: int, **attrs: Any) -> list[str]:
        """A node of several results."""
        return self._add(op, inputs, [self.new() for _ in range(count)], attrs)

    def one(self, op: str, *inputs: str, **attrs: Any) -> str:
        """A node of one result."""
        return self._add(op, inputs, [self.new()], attrs)[0]

    def _add(
        self, op: str, inputs: Sequence[str], outputs: list[str], attrs: dict[str, Any]
    ) -> list[str]:
        label = attrs.pop("label", None) or f"{op}_{outputs[0]}"
        node = self.onnx.helper.make_node(op, list(inputs), outputs, name=label, **attrs)
        if self.place is not None:
            node.doc_string = f"{file_name(self.place.file)}:{self.place.line}"
        self.scope.nodes.append(node)
        return outputs

    def renamed(self, name: str, stem: str) -> str:
        """The same value under a name like ``stem``, if the node that was written last gives it."""
        if not self.scope.nodes:
            return name
        last = self.scope.nodes[-1]
        if list(last.output) != [name] or not name.startswith(_TEMPORARY):
            return name
        last.output[0] = self.new(stem)
        return str(last.output[0])

    def constant(self, data: Any, dtype: Any = None, name: str | None = None) -> str:
        """The name of a constant."""
        array = np.ascontiguousarray(np.asarray(data, dtype)).reshape(np.shape(data))
        self.element_type(array.dtype)
        key: Any = (array.dtype.str, array.shape, array.tobytes())
        if key not in self._known:
            self._known[key] = found = self.new(name or "constant")
            self.constants[found] = array
        return self._known[key]

    def integers_of_4_bits(self, data: np.ndarray) -> str:
        """The name of a constant of int8 whose elements take 4 bits."""
        key: Any = ("4 bits", data.shape, data.tobytes())
        if key not in self._known:
            self._known[key] = found = self.new("weight")
            self.constants[found] = data
            self.of_4_bits.add(found)
        return self._known[key]

    def initializer(self, name: str) -> Any:
        """A constant as a part of the model."""
        data = self.constants[name]
        if name not in self.of_4_bits:
            return self.onnx.numpy_helper.from_array(np.array(data), name)
        flat = np.append(data.ravel(), np.zeros(data.size % 2, np.int8))
        packed = ((flat[::2] & 15) | (flat[1::2] << 4)).tobytes()
        kind = self.onnx.TensorProto.INT4
        return self.onnx.helper.make_tensor(name, kind, data.shape, packed, raw=True)

    # -- subgraphs ---------------------------------------------------------------------------------

    @contextmanager
    def subgraph(self) -> Iterator[NodeScope]:
        """Write into a subgraph."""
        around, self.scope = self.scope, NodeScope()
        try:
            yield self.scope
        finally:
            self.scope = around

    def graph(self, name: str, scope: NodeScope, inputs: list[Any], outputs: list[Any]) -> Any:
        """What was written, as a graph, without what nobody needs."""
        needed = {output.name for output in outputs}
        kept = []
        for node in reversed(scope.nodes):
            if needed.intersection(node.output):
                kept.append(node)
                needed.update(used_names(node))
        return self.onnx.helper.make_graph(kept[::-1], name, inputs, outputs)

    # -- exceptions --------------------------------------------------------------------------------

    def require(self, flag: str, message: str) -> None:
        """End the run unless a scalar is true."""
        where = f" ({file_name(self.place.file)}:{self.place.line})" if self.place else ""
        label = self.new(message + where)
        if flag in self.constants:  # what is known would be computed, and fail, ahead of the run
            if self.constants[flag].all():
                return
            flag = self.one("And", flag, self.alive) if self.alive else flag
        found = self.one("Gather", self.constant([True]), self.missing(flag), label=label)
        self.scope.guards.append(found)

    def guard(self, scope: NodeScope) -> str | None:
        """The flag of all that may end the run in a scope, which is the one in force."""
        if not scope.guards:
            return None
        flag, *others = scope.guards
        for other in others:
            flag = self.one("And", flag, other)
        return flag

    def missing(self, flag: str) -> str:
        """The place of the first element if a flag is true; else of one that is not there."""
        return self.one("Cast", self.one("Not", flag), to=self.element_type(LONG))

    def guarded(self, name: str, place: str) -> str:
        """A value that is only there if something at a `missing` place is."""
        return self.one("Gather", self.one("Unsqueeze", name, self.constant([0])), place)


def used_names(node: Any) -> Iterator[str]:
    """What a node, or what is in its subgraphs, needs, and perhaps more."""
    yield from filter(None, node.input)
    for attribute in node.attribute:
        if attribute.HasField("g"):
            for inner in attribute.g.node:
                yield from used_names(inner)
            yield from (output.name for output in attribute.g.output)


def zeros(dtype: np.dtype, shape: Sequence[int | None]) -> np.ndarray:
    """Zeros of a shape, none along axes of unknown length."""
    return np.zeros([n or 0 for n in shape], dtype)


def static(type: ArrayType) -> bool:
    """Whether the whole shape is known."""
    return None not in type.shape
