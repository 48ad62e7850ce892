"""Operators that hold graphs, as Python's own statements: `if`, `for` and `while`.

Each function here has the name of its operator, and writes a node of it. Graphs see the variables
around them, as blocks of Python do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph.interop.known_numbers import truth
from autograph.interop.onnx_source.blocks import (
    NamedValue,
    Scope,
    StatementWriter,
    assigned,
    described,
)
from autograph.interop.onnx_source.literals import value_text
from autograph.interop.onnx_source.reading import all_nodes
from autograph.interop.onnx_source.refusals import malformed, refuse, shown


def If(block: StatementWriter, node: Any, scope: Scope) -> None:
    """One graph or the other."""
    (test,) = block.reads(node, scope)
    outer = dict(scope)
    targets = block.targets(node, scope)
    block.parts.imports(truth)
    for header, name in ((f"if truth({test}):", "then_branch"), ("else:", "else_branch")):
        graph = _graph(block, node, name)
        inner = dict(outer)
        block.begin(header)
        block.graph(graph, inner)
        found = _results(block, graph, inner, node)
        if len(found) < len(targets):
            raise malformed(f"the {name} of {described(node)} has too few results")
        block.line(assigned(targets, found) or "pass")
        block.end()


def Loop(block: StatementWriter, node: Any, scope: Scope) -> None:
    """A graph again and again: as often as is said, while a condition holds, or both."""
    body = _graph(block, node, "body")
    reader = described(node)
    most, test, *initial = [*block.reads(node, scope), None, None][: max(len(node.input), 2)]
    if len(body.input) != 2 + len(initial) or len(body.output) < 1 + len(initial):
        raise malformed(f"the body of {reader} does not take and give what is carried")
    if most is not None:
        known = block.value(node.input[0], scope, reader).known
        most = value_text(known.item()) if known is not None else f"int(np.reshape({most}, ()))"
    inner = dict(scope)
    carried = [block.new(given.name, inner) for given in body.input[2:]]
    for name, value in zip(carried, initial):
        block.line(f"{name} = {value}")
    stacked = _new_lists(block, body.output[1 + len(initial) :])
    always = test is None and _goes_on(body)
    index, keep = body.input[0].name, body.input[1].name
    is_counted = most is not None or any(index in inner.input for inner in all_nodes(body))
    count = block.parts.names.new(f"{index}_count")
    if always and most is not None:
        block.begin(f"for {count} in range({most}):")
        block.line(f"{block.new(index, inner)} = np.array({count})")
        block.hold(keep, np.array(True), inner, weight=False)
        block.graph(body, inner)
        found = _results(block, body, inner, node)[1:]
    else:
        going = block.new(keep, inner, "going")
        block.line(f"{going} = {test or 'np.array(True)'}")
        tests = [going] if most is None else [f"{count} < {most}", going]
        if is_counted:
            block.line(f"{count} = 0")
        block.begin(f"while {' and '.join(tests)}:")
        if is_counted:
            block.line(f"{block.new(index, inner)} = np.array({count})")
            block.line(f"{count} += 1")
        block.graph(body, inner)
        found = _results(block, body, inner, node)
        carried.insert(0, going)
    _append(block, stacked, found[len(carried) :])
    step = assigned(carried, found)
    if step is not None:
        block.line(step)
    elif not stacked:
        block.line("pass")
    block.end()
    _deliver(block, node, scope, carried[len(carried) - len(initial) :], stacked, [(0, 0)])


def _goes_on(body: Any) -> bool:
    """Whether the condition that a body gives is always true: what it is given, or a constant."""
    name = body.output[0].name
    for node in reversed(body.node):
        if name in node.output and node.op_type == "Identity":
            name = node.input[0]
    return bool(name == body.input[1].name)


def Scan(block: StatementWriter, node: Any, scope: Scope) -> None:
    """A graph for each row of some arrays."""
    if block.versions.get("", 0) < 9:
        raise refuse("the model uses the operator 'Scan' as it was before the operator set 9")
    body, attributes = _graph(block, node, "body"), block.given_attributes(node)
    values = [x or "None" for x in block.reads(node, scope)]
    count = attributes["num_scan_inputs"].i if "num_scan_inputs" in attributes else 0
    states = len(values) - count
    if not 0 < count <= len(values) or len(body.input) != len(values):
        raise malformed(f"{described(node)} does not have what its body takes")
    inner = dict(scope)
    carried = [block.new(given.name, inner) for given in body.input[:states]]
    for name, value in zip(carried, values):
        block.line(f"{name} = {value}")
    stacked = _new_lists(block, body.output[states:])
    axes = _numbers(attributes, "scan_input_axes", count)
    directions = _numbers(attributes, "scan_input_directions", count)
    rows = []
    for value, axis, backwards in zip(values[states:], axes, directions):
        moved = value if axis == 0 else f"np.moveaxis({value}, {axis}, 0)"
        rows.append(f"{moved}[::-1]" if backwards else moved)
    elements = [block.new(given.name, inner) for given in body.input[states:]]
    over = rows[0] if count == 1 else f"zip({', '.join(rows)})"
    block.begin(f"for {', '.join(elements)} in {over}:")
    block.graph(body, inner)
    found = _results(block, body, inner, node)
    _append(block, stacked, found[states:])
    step = assigned(carried, found)
    if step is not None:
        block.line(step)
    elif not stacked:
        block.line("pass")
    block.end()
    out_axes = _numbers(attributes, "scan_output_axes", len(stacked))
    out_directions = _numbers(attributes, "scan_output_directions", len(stacked))
    _deliver(block, node, scope, carried, stacked, list(zip(out_axes, out_directions)))


def _graph(block: StatementWriter, node: Any, name: str) -> Any:
    attributes = block.given_attributes(node)
    found = attributes.get(name)
    if found is None or found.type != block.parts.onnx.AttributeProto.GRAPH:
        raise malformed(f"{described(node)} has no graph {name!r}")
    return found.g


def _results(block: StatementWriter, graph: Any, inner: Scope, node: Any) -> list[str]:
    reader = f"a graph of {described(node)}"
    return [block.read(output.name, inner, reader) for output in graph.output]


def _numbers(attributes: dict[str, Any], name: str, count: int) -> list[int]:
    found = list(attributes[name].ints) if name in attributes else [0] * count
    if len(found) != count:
        raise malformed(f"a Scan has {len(found)} {shown(name)} for {count} arrays")
    return found


def _new_lists(block: StatementWriter, outputs: Any) -> list[str]:
    names = [block.parts.names.new(f"{output.name}_rows") for output in outputs]
    for name in names:
        block.line(f"{name} = []")
    return names


def _append(block: StatementWriter, stacked: list[str], found: list[str]) -> None:
    for name, value in zip(stacked, found):
        block.line(f"{name}.append({value})")


def _deliver(
    block: StatementWriter,
    node: Any,
    scope: Scope,
    carried: list[str],
    stacked: list[str],
    layouts: list[tuple[int, int]],
) -> None:
    """The outputs of a loop: what it carried last, and its rows, along an axis, maybe backwards."""
    layouts = layouts * len(stacked) if len(layouts) == 1 else layouts
    names = [*node.output, *[""] * (len(carried) + len(stacked) - len(node.output))]
    for name, found in zip(names, carried):
        if name:
            scope[name] = NamedValue(found)
    for name, found, (axis, backwards) in zip(names[len(carried) :], stacked, layouts):
        if name:
            along = f", axis={axis}" if axis else ""
            rows = f"{found}[::-1]" if backwards else found
            block.line(f"{block.new(name, scope)} = np.stack({rows}{along})")


CONTROL = {function.__name__: function for function in (If, Loop, Scan)}
