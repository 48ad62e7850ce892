"""A model as the text of a module with one class, and as an object of that class."""

from __future__ import annotations

import hashlib
import linecache
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from autograph.api.function import to_graph
from autograph.html import SourceText
from autograph.interop.onnx_operators.checks import checked
from autograph.interop.onnx_source import operators
from autograph.interop.onnx_source.blocks import NamedValue, Scope, StatementWriter
from autograph.interop.onnx_source.control import CONTROL
from autograph.interop.onnx_source.definitions import (
    Operator,
    is_defined,
    missing,
    with_definitions,
)
from autograph.interop.onnx_source.literals import MOST, numpy_text, value_text
from autograph.interop.onnx_source.parts import ProgramParts
from autograph.interop.onnx_source.reading import all_nodes, check, domain_of, versions
from autograph.interop.onnx_source.refusals import malformed, refuse, shown


def imported(onnx: Any, model: Any, floats: np.dtype | None) -> Any:
    """An object that computes what a model does.

    Args:
        onnx: the library.
        model: an ``onnx.ModelProto``.
        floats: what all dtypes of floats are replaced with, or None.
    """
    opsets = versions(model.opset_import)
    _refuse(name for name in missing(model, opsets) if not is_defined(onnx, name, opsets))
    check(onnx, model)
    model = with_definitions(onnx, model, opsets)
    _refuse(missing(model, opsets))
    parts = ProgramParts(onnx, model.functions, floats, CONTROL, _function_lines)
    graph = model.graph
    name = parts.names.new(graph.name, "model")
    method, static = _method(graph, StatementWriter(parts, opsets, is_model=True))
    return _made("\n".join(_lines(parts, name, method)), name, parts, static)


def _refuse(missing: Iterable[Operator]) -> None:
    """Refuse a model that uses what has no form, all of it at once."""
    names = [shown(f"{domain}.{name}" if domain else name) for domain, name in missing]
    if names:
        more = f" and {len(names) - 8} more" if len(names) > 8 else ""
        word = "operator" if len(names) == 1 else "operators"
        raise refuse(f"the model uses the {word} {', '.join(names[:8])}{more}")


def _method(graph: Any, block: StatementWriter) -> tuple[list[str], list[str]]:
    """The lines of what computes the outputs of the model's graph, and the names of the arguments
    that decide shapes. These are lists of numbers in a method of their own, which is compiled for
    each of their values."""
    scope: Scope = {}
    held = {tensor.name for tensor in graph.initializer}
    given = [value for value in graph.input if value.name not in held]
    deciding = _deciding(graph, block.versions.get("", 0))
    labels = [block.new(value.name, scope) for value in given]
    static = []
    for value, label in zip(given, labels):
        if value.name in deciding and _is_small(value):
            array = block.parts.names.new(f"{label}_array")
            dtype = _dtype(block.parts, value)
            block.line(f"{array} = np.array({label}, {numpy_text(dtype)})", array)
            scope[value.name] = NamedValue(array, None, label)
            static.append(label)
        else:
            block.line(f"{label} = {_checked(block.parts, value, label)}")
    block.graph(graph, scope)
    results = [block.read(output.name, scope, "the result") for output in graph.output]
    block.line(f"return {', '.join(results)}")
    block.parts.keep_fields(block.is_used)
    arguments = ", ".join(["self", *labels])
    lines = [f"    def {'compute' if static else '__call__'}({arguments}):", *block.text(2)]
    if static:
        passed = [
            f"{_checked(block.parts, value, label)}.tolist()" if label in static else label
            for value, label in zip(given, labels)
        ]
        lines += ["", f"    def __call__({arguments}):"]
        lines += [f"        return self.compute({', '.join(passed)})"]
    return lines, static


def _deciding(graph: Any, version: int) -> set[str]:
    """The names of what decides shapes, or is what that is computed from; but of the shape of an
    array nothing else of the array counts."""
    producers = {name: node for node in all_nodes(graph) for name in node.output}
    found: set[str] = set()
    todo: list[str] = []
    for node in all_nodes(graph):
        function = None if domain_of(node) else operators.find(node.op_type, version)
        if function is not None:
            todo += operators.decisive(function, node.input)
    while todo:
        name = todo.pop()
        if name and name not in found:
            found.add(name)
            node = producers.get(name)
            if node is not None and node.op_type not in ("Shape", "Size"):
                todo += node.input
    return found


def _is_small(value: Any) -> bool:
    """Whether an input is one number or a few."""
    dims = value.type.tensor_type.shape.dim
    return len(dims) <= 1 and all(0 <= dim.dim_value <= MOST for dim in dims)


def _dtype(parts: ProgramParts, value: Any) -> np.dtype:
    """Of an input, which has to be an array."""
    what = f"the input {shown(value.name)}"
    if not value.type.HasField("tensor_type"):
        kind = value.type.WhichOneof("value") or "unknown type"
        raise refuse(f"{what} is of the type {kind.removesuffix('_type').replace('_', ' ')}")
    return parts.dtypes.of(value.type.tensor_type.elem_type, what)


def _checked(parts: ProgramParts, value: Any, label: str) -> str:
    """What makes an array of an argument that the model takes."""
    name, dtype = value_text(value.name[:80]), numpy_text(_dtype(parts, value))
    type = value.type.tensor_type
    if not type.HasField("shape"):
        return f"checked({name}, {label}, {dtype})"
    sizes = [dim.dim_value if dim.HasField("dim_value") else None for dim in type.shape.dim]
    return f"checked({name}, {label}, {dtype}, {value_text(sizes)})"


def _function_lines(
    function: Any, attributes: Mapping[str, Any], name: str, parts: ProgramParts
) -> list[str]:
    """The lines of a function of the model."""
    block = StatementWriter(parts, versions(function.opset_import), attributes)
    scope: Scope = {}
    labels = [block.new(given, scope) for given in function.input]
    for node in function.node:
        block.node(node, scope)
    results = [
        block.read(output, scope, f"the function {shown(name)}") for output in function.output
    ]
    block.line(f"return {', '.join(results)}")
    return [f"def {name}({', '.join(labels)}):", *block.text(1), "", ""]


def _lines(parts: ProgramParts, name: str, method: list[str]) -> list[str]:
    parts.imports(checked)
    fields = [
        f"    {field}: Any  # {numpy_text(array.dtype).removeprefix('np.')} {array.shape}"
        for field, array in parts.fields.items()
    ]
    constants = parts.constant_lines()
    return [
        "from dataclasses import dataclass",
        "from typing import Any",
        "",
        "import numpy as np",
        "",
        *(["import ops"] if any("ops." in line for line in (*parts.definitions, *method)) else []),
        *parts.import_lines(),
        *([""] if constants else []),
        *constants,
        "",
        "",
        *parts.definitions,
        "@dataclass",
        f"class {name}:",
        *fields,
        *([""] if fields else []),
        *method,
        "",
    ]


def _made(text: str, name: str, parts: ProgramParts, static: list[str]) -> Any:
    """Run the text of a module, and make an object of its class."""
    # The same text has the same name, whatever else was imported.
    file = f"<onnx {name} {hashlib.sha256(text.encode()).hexdigest()[:8]}>"
    try:
        code = compile(text, file, "exec", dont_inherit=True)
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise malformed(f"the model makes no program: {shown(str(error))}") from None
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    namespace = {"__name__": f"autograph_onnx_{name}", **parts.constants}
    exec(code, namespace)
    made: Any = namespace[name]
    if static:
        made.compute = to_graph(made.compute, static_argnames=static)
    else:
        made.__call__ = to_graph(made.__call__)
    made.source = SourceText(text)
    return made(**parts.fields)
