"""A module of graphs as a model."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from autograph.export.onnx_model import arrays, control, functions, order, quantized, subscripts
from autograph.export.onnx_model.nodes import IR_VERSION, LONG, OPSET, Nodes, used_names
from autograph.export.onnx_model.refusals import refuse
from autograph.export.onnx_model.terms import Tensor, known
from autograph.export.onnx_model.writer import ModelWriter
from autograph.export.results import Exported, Place
from autograph.graph.graph import Graph
from ops.core.types import ArrayType, type_of

RULES_OF = (arrays, control, functions, order, quantized, subscripts)  # whose import enters them


def model(onnx: ModuleType, made: Exported, name: str) -> Any:
    """The model of a function.

    Args:
        onnx: the library.
        made: the function as graphs.
        name: of the main one.
    """
    module, named = made.module, made.named
    nodes, main = Nodes(onnx), module.main
    nodes.place = main.location
    writer = ModelWriter(nodes, main, module.graphs)
    inputs = []
    for value, as_named, path in zip(main.inputs, named.inputs, made.inputs):
        found = Tensor(nodes, nodes.new(path), _array_type(main, value.type).dtype)
        writer.held[value] = found
        inputs.append(nodes.described(found.name, found.dtype, as_named.type.shape))
    nodes.alive = _alive(main, writer)
    found_outputs = writer.write(main)
    nodes.place = main.location
    flag = nodes.guard(nodes.scope)
    place = nodes.missing(flag) if flag else None
    outputs = []
    for label, position in made.results:
        if isinstance(position, Place):
            type = _array_type(main, named.outputs[position.number].type)
            term = found_outputs[position.number]
        else:
            known_type = type_of(position)
            assert known_type is not None
            type, term = known_type, known(nodes, position)
        given = nodes.guarded(term.name, place) if place else term.name
        label = nodes.new(label)
        nodes.scope.nodes.append(onnx.helper.make_node("Identity", [given], [label], name=label))
        outputs.append(nodes.described(label, type.dtype, type.shape))
    graph = nodes.graph(name, nodes.scope, inputs, outputs)
    needed = {used for node in graph.node for used in used_names(node)}
    for label in nodes.constants:
        if label in needed:
            graph.initializer.append(nodes.initializer(label))
    opsets = [onnx.helper.make_opsetid("", OPSET)]
    return onnx.helper.make_model(
        graph,
        opset_imports=opsets,
        ir_version=IR_VERSION,
        producer_name="autograph",
    )


def _array_type(main: Graph, type: Any) -> ArrayType:
    if not isinstance(type, ArrayType):
        raise refuse(f"'{main.name}' has an argument or result that is no array", main.location)
    return type


def _alive(main: Graph, writer: ModelWriter) -> str | None:
    """A flag that is true, of which runtimes do not know it ahead of the run."""
    for value in main.inputs:
        if value.type.is_static and value.type.size:
            x = writer.array(value).flattened().gathered(0).cast(LONG)
            return x.made("Equal", x, dtype="bool").name
    return None
