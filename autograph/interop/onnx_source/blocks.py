"""A graph as statements: one for each node."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from autograph.interop.onnx_source import operators
from autograph.interop.onnx_source.literals import MOST, array_text, numpy_text, value_text
from autograph.interop.onnx_source.operators import GivenArgument, TakenParameter
from autograph.interop.onnx_source.parts import ProgramParts
from autograph.interop.onnx_source.reading import domain_of
from autograph.interop.onnx_source.refusals import malformed, refuse, shown

_DEEPEST = 12  # nested blocks: their number may double with each


class NamedValue(NamedTuple):
    """What stands for a name of the model.

    Attributes:
        text: an expression.
        known: the array that it is, if the model says that.
        numbers: what is a list of its numbers, if there is such a variable.
    """

    text: str
    known: np.ndarray | None = None
    numbers: str | None = None


class _Line(NamedTuple):
    depth: int
    text: str
    constant: str | None  # the identifier, if it is a constant, which may not be needed


Scope = dict[str, NamedValue]


class StatementWriter:
    """The statements of a function.

    Args:
        parts: of the program around it.
        versions: of the operator sets that its nodes are of.
        attributes: what a function of the model is called with.
        is_model: whether initializers of floats are fields of the model.
    """

    def __init__(
        self,
        parts: ProgramParts,
        versions: Mapping[str, int],
        attributes: Mapping[str, Any] | None = None,
        is_model: bool = False,
    ):
        self.parts = parts
        self.versions = versions
        self.attributes = attributes
        self._is_model = is_model
        self._lines: list[_Line] = []
        self._used: set[str] = set()
        self._depth = 0

    # -- lines -------------------------------------------------------------------------------------

    def line(self, text: str, constant: str | None = None) -> None:
        """Add a statement."""
        self._lines.append(_Line(self._depth, text, constant))

    def begin(self, header: str) -> None:
        """Begin a block within this one."""
        self.line(header)
        self._depth += 1
        if self._depth > _DEEPEST:
            raise refuse(f"graphs are nested more than {_DEEPEST} deep")

    def end(self) -> None:
        """End the block within this one."""
        self._depth -= 1

    def text(self, depth: int) -> list[str]:
        """The lines, without constants that nothing reads."""
        needed = [x for x in self._lines if x.constant is None or x.constant in self._used]
        return [f"{'    ' * (depth + line.depth)}{line.text}" for line in needed]

    def is_used(self, text: str) -> bool:
        """Whether some statement reads a variable or field."""
        return text in self._used

    # -- values ------------------------------------------------------------------------------------

    def value(self, name: str, scope: Scope, reader: str) -> NamedValue:
        """What stands for a name of the model.

        Raises:
            LoadError: nothing before it computes that.
        """
        found = scope.get(name)
        if found is None:
            raise malformed(f"{reader} reads {shown(name)}, which nothing before it computes")
        return found

    def read(self, name: str, scope: Scope, reader: str) -> str:
        """What stands for a name of the model, as it is used in a statement."""
        found = self.value(name, scope, reader).text
        self._used.add(found)
        return found

    def hold(self, name: str, array: np.ndarray, scope: Scope, weight: bool) -> None:
        """Let a name stand for an array that the model holds: a field, if it is a weight; written
        out, if it is small; else a variable of the module."""
        is_small = array.size <= MOST
        if weight and self._is_model and array.dtype.kind in "fc":
            scope[name] = NamedValue(self.parts.field(name, array), array if is_small else None)
        elif is_small:
            label = self.parts.names.new(name)
            self.line(f"{label} = {array_text(array)}", label)
            scope[name] = NamedValue(label, array)
        else:
            scope[name] = NamedValue(self.parts.constant(name, array))

    def new(self, name: str, scope: Scope, otherwise: str = "x") -> str:
        """A variable that stands for a name of the model from now on."""
        label = self.parts.names.new(name, otherwise)
        scope[name] = NamedValue(label)
        return label

    # -- graphs and nodes --------------------------------------------------------------------------

    def graph(self, graph: Any, scope: Scope) -> None:
        """The statements of a graph, whose inputs the scope has already."""
        if graph.sparse_initializer:
            raise refuse("the model holds sparse tensors")
        for tensor in graph.initializer:
            what = f"the initializer {shown(tensor.name)}"
            self.hold(tensor.name, self.parts.dtypes.array(tensor, what), scope, weight=True)
        for node in graph.node:
            self.node(node, scope)

    def node(self, node: Any, scope: Scope) -> None:
        """The statements of a node."""
        for name in node.output:
            if name and name in scope:
                raise malformed(f"{shown(name)} is computed twice")
        operator, domain = node.op_type, domain_of(node)
        function = self.parts.function_of(node)
        if function is not None:
            self._call_of(function, node, scope)
        elif domain:
            raise refuse(f"the model uses the operator {shown(f'{domain}.{operator}')}")
        elif operator == "Constant":
            self._constant(node, scope)
        elif operator in self.parts.control:
            self.parts.control[operator](self, node, scope)
        else:
            self._operator(node, scope)

    def targets(self, node: Any, scope: Scope) -> list[str]:
        """New variables for the outputs of a node."""
        names = list(node.output)
        while names and not names[-1]:
            names.pop()
        otherwise = node.op_type.lower() if node.op_type.isalnum() else "x"
        return [self.new(name, scope, otherwise) if name else "_" for name in names]

    def reads(self, node: Any, scope: Scope) -> list[str | None]:
        """What the inputs of a node are; None where one is left out."""
        reader = described(node)
        return [self.read(name, scope, reader) if name else None for name in node.input]

    def given_attributes(self, node: Any) -> dict[str, Any]:
        """The attributes of a node; those of the function around it in the place of references."""
        found = {}
        for attribute in node.attribute:
            if not attribute.ref_attr_name:
                found[attribute.name] = attribute
            elif self.attributes and attribute.ref_attr_name in self.attributes:
                found[attribute.name] = self.attributes[attribute.ref_attr_name]
        return found

    def _call_of(self, function: Any, node: Any, scope: Scope) -> None:
        name = self.parts.written(function, self.given_attributes(node), described(node))
        given = ", ".join(text or "None" for text in self.reads(node, scope))
        targets = self.targets(node, scope)
        missing = ["_"] * (len(function.output) - len(targets))
        self.line(f"{', '.join((*targets, *missing))} = {name}({given})")

    def _constant(self, node: Any, scope: Scope) -> None:
        attributes = self.given_attributes(node)
        if len(attributes) != 1 or len(node.output) != 1:
            raise malformed(f"{described(node)} does not have one value")
        ((name, attribute),) = attributes.items()
        kind = {"value_float": np.float32, "value_floats": np.float32}.get(name, np.int64)
        if name == "value":
            found = self.parts.dtypes.array(attribute.t, described(node))
        elif name in ("value_float", "value_floats", "value_int", "value_ints"):
            dtype = self.parts.dtypes.replaced(np.dtype(kind))
            found = np.array(self.parts.onnx.helper.get_attribute_value(attribute), dtype)
        else:
            raise refuse(f"{described(node)} holds a {shown(name)}")
        self.hold(node.output[0], found, scope, weight=found.size > MOST)

    def _operator(self, node: Any, scope: Scope) -> None:
        function = operators.find(node.op_type, self.versions.get("", 0))
        if function is None:
            raise refuse(f"the model uses the operator {shown(node.op_type)}")
        arguments = self._arguments(function, node, scope)
        targets = self.targets(node, scope)
        counted = [p for p in operators.parameters(function) if p.name == "outputs"]
        if counted and counted[0].default != len(targets):
            arguments.append(GivenArgument("outputs", str(len(targets)), True))
        elif not counted and len(targets) != 1:
            raise refuse(f"{described(node)} has {len(targets)} results")
        text, is_call = operators.call_text(function, arguments)
        if is_call:
            self.parts.imports(function)
        self.line(f"{', '.join(targets)} = {text}")
        if node.op_type == "Identity":
            (x,), (y,) = node.input, node.output
            scope[y] = NamedValue(scope[y].text, scope[x].known)

    def _arguments(self, function: Any, node: Any, scope: Scope) -> list[GivenArgument]:
        taken = operators.parameters(function)
        given = self._inputs(taken, node, scope)
        for name, attribute in self.given_attributes(node).items():
            fitting = [p for p in taken if p.name == name and name != "outputs"]
            if not fitting:
                raise refuse(f"{described(node)} has the attribute {shown(name)}")
            if any(argument.name == name for argument in given):
                raise malformed(f"{described(node)} has {shown(name)} twice")
            given.append(GivenArgument(name, self._attribute(fitting[0], attribute, node), True))
        for p in taken:
            is_needed = p.default is inspect.Parameter.empty and p.kind != p.kind.VAR_POSITIONAL
            if is_needed and not any(argument.name == p.name for argument in given):
                raise malformed(f"{described(node)} is given no {p.name!r}")
        return given

    def _inputs(
        self, taken: Sequence[TakenParameter], node: Any, scope: Scope
    ) -> list[GivenArgument]:
        places = [p for p in taken if p.kind is not p.kind.KEYWORD_ONLY]
        names = list(node.input)
        while names and not names[-1]:
            names.pop()
        given, skipped = [], False
        for i, name in enumerate(names):
            if places and places[-1].kind is inspect.Parameter.VAR_POSITIONAL:
                place = places[min(i, len(places) - 1)]
            elif i < len(places):
                place = places[i]
            else:
                raise refuse(f"{described(node)} has {len(names)} inputs")
            if not name:
                skipped = True
                continue
            found = self.value(name, scope, described(node))
            if "Known" in place.marked and found.known is not None:
                text = value_text(found.known.tolist())
            elif "Known" in place.marked and found.numbers is not None:
                text = found.numbers
            else:
                text = self.read(name, scope, described(node))
            given.append(GivenArgument(place.name, text, skipped))
        return given

    def _attribute(self, parameter: TakenParameter, attribute: Any, node: Any) -> str:
        """An attribute as text."""
        what = f"the attribute {shown(attribute.name)} of {described(node)}"
        kinds = self.parts.onnx.AttributeProto
        if "Dtype" in parameter.marked and attribute.type == kinds.INT:
            return numpy_text(self.parts.dtypes.of(attribute.i, what))
        if attribute.type == kinds.TENSOR:
            array = self.parts.dtypes.array(attribute.t, what)
            return array_text(array) if array.size <= MOST else self.parts.constant("value", array)
        if attribute.type in (kinds.FLOAT, kinds.INT, kinds.FLOATS, kinds.INTS):
            return value_text(self.parts.onnx.helper.get_attribute_value(attribute))
        if attribute.type in (kinds.STRING, kinds.STRINGS):
            found = self.parts.onnx.helper.get_attribute_value(attribute)
            is_one = attribute.type == kinds.STRING
            return value_text(_decoded(found) if is_one else list(map(_decoded, found)))
        raise refuse(f"{what} is a {shown(kinds.AttributeType.Name(attribute.type))}")


def _decoded(text: bytes) -> str:
    return text.decode(errors="replace")


def described(node: Any) -> str:
    """A node in a message."""
    name = f" {shown(node.name)}" if node.name else ""
    return f"the node{name} of operator {shown(node.op_type)}"


def assigned(targets: Iterable[str], values: Iterable[str]) -> str | None:
    """An assignment of some values at once, but of what is the same already."""
    pairs = [(t, v) for t, v in zip(targets, values) if t != v]
    if not pairs:
        return None
    return f"{', '.join(t for t, _ in pairs)} = {', '.join(v for _, v in pairs)}"
