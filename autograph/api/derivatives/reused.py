"""Derivatives that are recorded once, and copied where the same function is differentiated again.

A sampler takes the gradient of one density in many places, and a loop is recorded several times
until the types of its state are known. What was recorded at the first call is copied at the others,
if nothing could tell that from recording it again: the function sees the same, the arguments are of
the same types, the call stands in the same line of the user's, and what was recorded uses nothing
else. Where that is not sure it is recorded again.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from autograph.api.derivatives.decided import note_taken
from autograph.closure import closure
from autograph.graph.builder import copy_nodes, current_builder
from autograph.graph.graph import Constant, Node, Value, called, free_values, walk
from autograph.staging.arrays.array import GraphArray
from autograph.staging.calls.recursion import Recursion
from autograph.staging.calls.surroundings import Seen, TooMuch, seen_by
from autograph.staging.ground.handling import may_handle
from autograph.staging.ground.recorder import recorder
from ops.control.regions import call as named_call
from ops.core.types import PYTHON_SCALARS

_PLAIN = (*PYTHON_SCALARS, str, type(None))


class _Box(NamedTuple):
    """A symbolic array of a result, as it was made: the user may have changed it since."""

    value: Value
    is_array: bool
    is_made: bool


class _Part(NamedTuple):
    """What was recorded in a call.

    Attributes:
        seen: what the function saw then.
        inputs: the values of the arguments.
        nodes: what was added.
        result: what was returned, with boxes in the place of symbolic arrays.
    """

    seen: Seen
    inputs: list[Value]
    nodes: tuple[Node, ...]
    result: Any

    def copied(self, inputs: Sequence[Value]) -> Any:
        """The result for other arguments, of copies of the nodes."""
        effort, env = recorder().effort, dict(zip(self.inputs, inputs))
        for node in _walked(self.nodes):
            effort.add(node.location)
        copy_nodes(self.nodes, (), env)
        note_taken()
        return _mapped(self.result, lambda box: _delivered(box, env))


def _delivered(box: _Box, env: Mapping[Value, Value]) -> GraphArray:
    made = GraphArray(env[box.value])
    made.is_array, made.is_made = box.is_array, box.is_made
    return made


class _Parts:
    """What was recorded by now, by what calls have in common."""

    def __init__(self) -> None:
        self.by_key: dict[Any, _Part] = {}


def reused(record: Callable[..., Any], function: Callable, options: Any, args: tuple) -> Any:
    """The derivative of a call, recorded now or copied from an earlier call in this recording.

    Args:
        record: records it, given the arguments.
        function: what is differentiated.
        options: what tells derivatives of the function apart.
        args: positional arguments.
    """
    key = seen = None
    with contextlib.suppress(TooMuch):
        key, seen = _key(function, options, args), seen_by(function)
    if seen is None:
        return record(*args)
    parts, builder = recorder().state(_Parts).by_key, current_builder()
    inputs = [box.value for box in _boxes(args)]
    part = parts.get(key)
    if part is not None and part.seen.same(seen):
        return part.copied(inputs)
    start = len(builder.nodes)
    result, now = record(*args), None
    with contextlib.suppress(TooMuch):
        now = seen_by(function)  # arrays from outside may have been met
    if now is None:
        return result
    nodes = tuple(builder.nodes[start:])
    if now.same_objects(seen) and _is_closed(nodes, inputs, now) and _is_new(result, nodes):
        kept = _mapped(result, lambda box: _Box(box._value, box.is_array, box.is_made))
        parts[key] = _Part(now, inputs, nodes, kept)
    return result


def _key(function: Callable, options: Any, args: tuple) -> Any:
    """What calls have in common of which one is as good as the other.

    Raises:
        TooMuch: there is more that it may depend on.
    """
    recording, builder = recorder(), current_builder()
    if recording.handling or recording.attempt is not None or len(recording.managers):
        raise TooMuch
    if may_handle(sys._getframe(1), (Exception,)):
        raise TooMuch
    transformed = recording.transformed
    if not all(type(size) is int for size in transformed.axes.values()):
        raise TooMuch
    around = (
        transformed.derivatives,
        transformed.lanes,
        tuple(transformed.axes.items()),
        transformed.checkpointed_loops,
    )
    place = recording.location(), builder.location
    return id(function), options, _described(args), around, place


def _described(item: Any) -> Any:
    """What of an argument a recording depends on."""
    if type(item) is GraphArray and item.type.inexact and item.type.is_static:
        return GraphArray, item.type, item.is_array, item.value.name
    if type(item) in _PLAIN:
        return type(item), repr(item)
    if type(item) is tuple:
        return tuple, *map(_described, item)
    if type(item) is dict and all(type(key) is str for key in item):
        return dict, *((key, _described(part)) for key, part in item.items())
    raise TooMuch


def _is_closed(nodes: Sequence[Node], inputs: Sequence[Value], seen: Seen) -> bool:
    """Whether nodes depend on nothing but what a function is given and sees, and do nothing else.

    Args:
        inputs: the values of the arguments, which must be different.
        seen: what the function sees.
    """
    if len(set(inputs)) < len(inputs) or any(isinstance(value, Constant) for value in inputs):
        return False
    names = [node.attrs["callee"] for node in _walked(nodes) if node.op is named_call]
    if not _are_settled(names) or any(map(_has_effect, _walked(nodes))):
        return False
    return {*inputs, *seen.values}.issuperset(free_values((), nodes, ()))


def _are_settled(names: Sequence[str]) -> bool:
    """Whether named graphs, and those that they call, stay what they are and do nothing but compute
    their results. Those that transforms have made do stay; a recursive function may be recorded
    again."""
    graphs = current_builder().graphs
    recorded = {id(named.graph) for named in recorder().state(Recursion).named.values()}
    for name in closure(names, lambda name: called(graphs.get(name))):
        graph = graphs.get(name)
        if graph is None or graph.captures or id(graph) in recorded:
            return False
        if any(map(_has_effect, walk(graph))):
            return False
    return True


def _has_effect(node: Node) -> bool:
    """Whether a node, what it calls aside, does more than to compute its results or to raise."""
    return node.op is not named_call and node.op.effect not in (None, "raises")


def _is_new(result: Any, nodes: Sequence[Node]) -> bool:
    """Whether a result is numbers and arrays that nodes have made, each another one, in tuples and
    dicts."""
    if not _is_nested(result):
        return False
    made = {value for node in nodes for value in node.outputs}
    boxes = list(_boxes(result))
    values = {box._value for box in boxes}
    return len(values) == len(boxes) and values <= made and all(map(_is_usual, boxes))


def _is_nested(result: Any) -> bool:
    if type(result) is tuple:
        return all(map(_is_nested, result))
    if type(result) is dict:
        return all(map(_is_nested, result.values()))
    return result is None or type(result) is GraphArray


def _is_usual(box: GraphArray) -> bool:
    """Whether a symbolic array is what its value tells."""
    return box._view is None and not (box.is_kept or box.is_carried) and box.type.is_static


def _boxes(tree: Any) -> Iterator[GraphArray]:
    """The symbolic arrays in tuples and dicts."""
    if type(tree) is GraphArray:
        yield tree
    elif type(tree) is tuple:
        for part in tree:
            yield from _boxes(part)
    elif type(tree) is dict:
        for part in tree.values():
            yield from _boxes(part)


def _mapped(tree: Any, change: Callable[[Any], Any]) -> Any:
    """Tuples and dicts with something else in the place of each symbolic array or box."""
    if type(tree) is tuple:
        return tuple(_mapped(part, change) for part in tree)
    if type(tree) is dict:
        return {key: _mapped(part, change) for key, part in tree.items()}
    return tree if tree is None else change(tree)


def _walked(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        yield node
        for region in node.regions:
            yield from walk(region)
