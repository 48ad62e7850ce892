"""What is recorded once for a function, and copied or called where that is called again.

A sampler takes the gradient of one density in many places, and a loop is recorded several times
until the types of its state are known. What was recorded at the first call is copied at the others,
if nothing could tell that from recording it again: the function sees the same, the arguments are of
the same types, the call stands in the same line of the user's, and what was recorded uses nothing
else. Where that is not sure it is recorded again.

What is much to compile, and little to compute, becomes a named graph that all of the calls call:
see `autograph.graph.shared`.
"""

from __future__ import annotations

import contextlib
import itertools
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from autograph.errors import MutationError
from autograph.graph.builder import copy_nodes, current_builder, graph_of
from autograph.graph.graph import Constant, Graph, Node, Value, free_values, walk_nodes
from autograph.graph.shared import share
from autograph.staging.arrays.array import GraphArray
from autograph.staging.calls.calls_alike import with_named_calls
from autograph.staging.calls.noted_calls import CALLED, NotedCalls
from autograph.staging.calls.surroundings import Seen, TooMuch, is_of_library, seen_by
from autograph.staging.calls.worth import LARGE, calls_settled, has_effect, is_large
from autograph.staging.ground.handling import may_handle
from autograph.staging.ground.recorder import recorder
from ops.control.regions import call as named_call
from ops.core.recording import raises_as_python
from ops.core.records import NamedTuple
from ops.core.types import PYTHON_SCALARS

_PLAIN = (*PYTHON_SCALARS, str, type(None))


class _Box(NamedTuple):
    """A symbolic array of a result, as it was made: the user may have changed it since."""

    value: Value
    is_array: bool
    is_made: bool


class _Part:
    """What was recorded in a call.

    Attributes:
        seen: what the function saw then.
        inputs: the values of the arguments.
        nodes: what was added.
        result: what was returned, with boxes in the place of symbolic arrays.
        location: of the call.
        is_large: whether a named graph of the nodes pays.
        calls: whether they call one.
    """

    def __init__(self, seen: Seen, inputs: list[Value], nodes: tuple[Node, ...], result: Any):
        self.location = _here()
        self.seen = seen
        self.inputs = inputs
        self.nodes = nodes
        self.result = result
        arrays = [box for box in _leaves(result) if box.value.type.shape]
        # Of two, nobody would know that they share no memory.
        self.is_large = is_large(nodes) and len(arrays) <= 1
        self.calls = any(node.op is named_call for node in nodes)
        self._named: tuple[str, list[Value], list[Value]] | None = None

    def copied(self, inputs: Sequence[Value]) -> Any:
        """The result for other arguments, of copies of the nodes."""
        effort, env = recorder().effort, dict(zip(self.inputs, inputs))
        for node in walk_nodes(self.nodes):
            effort.add(node.location)
        location = _here()
        moved = location != self.location
        nodes = [
            replace(node, location=location) if moved and node.location == self.location else node
            for node in self.nodes
        ]
        copy_nodes(nodes, (), env)
        return _mapped(self.result, lambda box: _delivered(box, env))

    def called(self, inputs: Sequence[Value], name: str, function: Any) -> Any:
        """The result for other arguments, of a call of a graph of the nodes.

        Args:
            name: what to call the graph.
            function: what it is the graph of.
        """
        if self._named is None:
            self._named = self._as_graph(name)
            graph = current_builder().graphs[self._named[0]]
            recorder().state(NotedCalls).named[graph] = function
        callee, outputs, others = self._named
        results = current_builder().add(
            named_call,
            (*inputs, *others),
            {"callee": callee},
            [v.type for v in outputs],
            names=[v.name for v in outputs],
            required=any(node.required for node in self.nodes),
        )
        env = dict(zip(outputs, results))
        return _mapped(self.result, lambda box: _delivered(box, env))

    def _as_graph(self, base: str) -> tuple[str, list[Value], list[Value]]:
        """Enter a graph of the nodes: its name, what it gives, what it takes besides arguments."""
        graphs = current_builder().graphs
        base = base if base.isidentifier() else "function"  # a lambda has no name
        for number in itertools.count(1):
            name = base if number == 1 else f"{base}_{number}"
            if name not in graphs and name != recorder().name:
                break
        outputs = [box.value for box in _leaves(self.result)]
        others: list[Value] = list(free_values(self.inputs, self.nodes, outputs))
        others += _array_constants(self.nodes)
        inputs, location = (*self.inputs, *others), self.nodes[0].location
        recorded = Graph(name, inputs, self.nodes, tuple(outputs), location)
        graph = with_named_calls(recorded)
        if graph is recorded:
            graph = graph_of(name, inputs, self.nodes, outputs, location)
        graphs[name] = share(graph)
        return name, outputs, others


def _here() -> Any:
    """Where the nodes of a call are that have no other place."""
    return current_builder().location or recorder().location()


def _array_constants(nodes: Sequence[Node]) -> list[Value]:
    """The arrays that nodes hold, each once."""
    found: dict[int, Value] = {}
    for node in walk_nodes(nodes):
        values = [*node.inputs, *(v for region in node.regions for v in region.outputs)]
        found.update((id(v), v) for v in values if isinstance(v, Constant) and v.is_array)
    return list(found.values())


def _delivered(box: _Box, env: Mapping[Value, Value]) -> GraphArray:
    made = GraphArray(env[box.value])
    made.is_array, made.is_made = box.is_array, box.is_made
    return made


class _Parts:
    """What was recorded by now.

    Attributes:
        by_place: by what calls have in common of which one is as good as the other, in one line.
        anywhere: by what they have in common in any line, if a named graph is called. What else
            there is has then the name of a variable in one of these lines.
        sizes: how many nodes the first call of a function came to, by its code.
    """

    def __init__(self) -> None:
        self.by_place: dict[Any, _Part] = {}
        self.anywhere: dict[Any, _Part] = {}
        self.sizes: dict[Any, int] = {}


def reused(
    record: Callable[..., Any], function: Callable, options: Any, args: tuple, name: str
) -> Any:
    """What a call returns, recorded now or taken from an earlier call in this recording.

    Args:
        record: records it, given the arguments.
        function: what decides, besides the arguments, what is recorded.
        options: what tells from each other what is recorded of the function.
        args: positional arguments.
        name: of a graph of what is recorded.
    """
    key = seen = None
    code = getattr(function, "__code__", id(function))
    with contextlib.suppress(TooMuch):
        key, seen = _key(function, options, args), seen_by(function)
    if seen is None:
        return record(*args)
    parts, builder = recorder().state(_Parts), current_builder()
    inputs = [box.value for box in _boxes(args)]
    place = key, *_place(args)
    for part in (parts.anywhere.get(key), parts.by_place.get(place)):
        if part is not None and part.seen.same(seen):
            if part.is_large:
                return part.called(inputs, name, (code, options))
            return part.copied(inputs)
    start = len(builder.nodes)
    result, now = record(*args), None
    with contextlib.suppress(TooMuch):
        now = seen_by(function)  # arrays from outside may have been met
    if now is None or not _are_unchanged(args, inputs):
        return result
    nodes = tuple(builder.nodes[start:])
    if not (_is_unchanged(seen, now, nodes) and _is_closed(nodes, inputs, now)):
        return result
    if not _is_new(result, nodes):
        return result
    kept = _mapped(result, lambda box: _Box(box._value, box.is_array, box.is_made))
    part = parts.by_place[place] = _Part(now, inputs, nodes, kept)
    if part.calls or part.is_large:
        parts.anywhere[key] = part
    # For a transform the first call stays what it is: most functions are called once, and would be
    # built in again.
    if part.is_large and not recorder().transformed.graphs:
        del builder.nodes[start:]
        return part.called(inputs, name, (code, options))
    return result


def _are_unchanged(args: tuple, inputs: Sequence[Value]) -> bool:
    """Whether the arguments of a call are what they were before it."""
    try:
        return all(box.value is value for box, value in zip(_boxes(args), inputs))
    except MutationError:  # only the run knows
        return False


def run(
    function: types.FunctionType, runnable: Callable, args: tuple, kwargs: dict[str, Any]
) -> Any:
    """What a call of a converted function returns: it runs, or what it came to when it was called
    before is taken, if that was much."""
    sizes, code, builder = recorder().state(_Parts).sizes, function.__code__, current_builder()

    @raises_as_python
    def record(*given: Any) -> Any:
        start = len(builder.nodes)
        *args, named = given
        result = runnable(*args, **named)
        if code not in sizes:
            sizes[code] = sum(1 for _ in itertools.islice(walk_nodes(builder.nodes[start:]), LARGE))
        return result

    if sizes.get(code, LARGE) < LARGE or is_of_library(function):
        return record(*args, kwargs)
    given = _in_order(code, args, kwargs)
    return reused(record, function, CALLED, given, function.__name__)


def _in_order(code: types.CodeType, args: tuple, kwargs: Mapping[str, Any]) -> tuple[Any, ...]:
    """The arguments of a call, by position as far as they may be, and a dict of the others."""
    named = dict(kwargs)
    if len(args) >= code.co_posonlyargcount:
        for name in code.co_varnames[len(args) : code.co_argcount]:
            if name not in named:
                break
            args = (*args, named.pop(name))
    return *args, named


def _is_unchanged(before: Seen, now: Seen, nodes: Sequence[Node]) -> bool:
    """Whether a function has seen the same after it has added nodes, but for arrays from outside
    that it has met."""
    made = {value for node in nodes for value in node.outputs}
    return now.same_objects(before) and all(
        x is y or (x is None and y not in made) for x, y in zip(before.values, now.values)
    )


def _key(function: Callable, options: Any, args: tuple) -> Any:
    """What calls have in common of which one is as good as the other, but for their place.

    Raises:
        TooMuch: there is more that it may depend on.
    """
    recording = recorder()
    if recording.handling or recording.attempt is not None or len(recording.managers):
        raise TooMuch
    if may_handle(sys._getframe(1), (Exception,)):
        raise TooMuch
    transformed = recording.transformed
    if transformed.has_mesh:  # what may be done depends on what the parts have in common there
        raise TooMuch
    if not all(type(size) is int for size in transformed.axes.values()):
        raise TooMuch
    around = (
        transformed.derivatives,
        transformed.lanes,
        tuple(transformed.axes.items()),
        transformed.checkpointed_loops,
    )
    return id(function), options, _described(args), around


def _place(args: tuple) -> tuple[Any, ...]:
    """Where a call stands, and what its arguments are called."""
    names = tuple(box.value.name for box in _boxes(args))
    return recorder().location(), current_builder().location, names


def _described(item: Any) -> Any:
    """What of an argument a recording depends on."""
    if type(item) is GraphArray and item.type.inexact and item.type.is_static:
        return GraphArray, item.type, item.is_array
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
    if not calls_settled(nodes) or any(map(has_effect, walk_nodes(nodes))):
        return False
    return {*inputs, *seen.values}.issuperset(free_values((), nodes, ()))


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
    return (leaf for leaf in _leaves(tree) if type(leaf) is GraphArray)


def _leaves(tree: Any) -> Iterator[Any]:
    """What is in tuples and dicts, but for None."""
    if type(tree) is tuple:
        for part in tree:
            yield from _leaves(part)
    elif type(tree) is dict:
        for part in tree.values():
            yield from _leaves(part)
    elif tree is not None:
        yield tree


def _mapped(tree: Any, change: Callable[[Any], Any]) -> Any:
    """Tuples and dicts with something else in the place of each symbolic array or box."""
    if type(tree) is tuple:
        return tuple(_mapped(part, change) for part in tree)
    if type(tree) is dict:
        return {key: _mapped(part, change) for key, part in tree.items()}
    return tree if tree is None else change(tree)
