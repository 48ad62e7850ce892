"""From a function and the types of its arguments to a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import optree

from autograph.backends.select import is_array
from autograph.errors import Location, MutationError
from autograph.graph.builder import Builder
from autograph.graph.graph import Constant, Module, Value, walk
from autograph.staging.array import GraphArray
from autograph.staging.dispatch import Recorder
from autograph.staging.errors import raised_by_user
from autograph.staging.region import record_failure
from autograph.staging.tracer import Tracer
from autograph.staging.variables import flatten
from autograph.staging.watch import unchanged_arguments
from ops.types import ArrayType


@dataclass
class Traced:
    """A recorded function.

    Attributes:
        module: its graph. The inputs are the traced leaves of the arguments; the outputs are the
            traced leaves of the result, then the new contents of arrays that the function changed
            in place.
        structure: the nesting of the result.
        leaves: for each leaf of the result, None if it is the next output, a position if it is
            that leaf of the arguments, an array that the function changed, else (the object
            itself,).
        changed: where the contents after the result go: the position of an argument's leaf, or an
            array from outside the function.
        outside: the arrays from outside the function that it refers to, by identity.
        guards, exceptions: see `Tracer`.
    """

    module: Module
    structure: optree.PyTreeSpec
    leaves: list[tuple | int | None]
    changed: list[int | Any] = field(default_factory=list)
    outside: dict[int, Any] = field(default_factory=dict)
    guards: list[Callable[[], bool]] = field(default_factory=list)
    exceptions: dict[str, type[Exception]] = field(default_factory=dict)

    def result(self, outputs: Sequence[Any], arguments: Sequence[Any] = ()) -> Any:
        """The function's result, given the values of the graph's outputs and the leaves of the
        arguments."""
        outputs = iter(outputs)
        leaves = []
        for leaf in self.leaves:
            if leaf is None:
                leaves.append(next(outputs))
            else:
                leaves.append(arguments[leaf] if isinstance(leaf, int) else leaf[0])
        return optree.tree_unflatten(self.structure, leaves)


def trace(
    function: Callable,
    name: str,
    structure: optree.PyTreeSpec,
    leaves: Sequence[Any],
    types: Sequence[ArrayType | None],
    names: Sequence[str],
    *,
    unroll_limit: int,
    location: Location | None = None,
) -> Traced:
    """Record a function.

    Args:
        function: called as ``function(tracer, args, kwargs)``.
        name: of the graph.
        structure: the nesting of ``(args, kwargs)``.
        leaves: the leaves of the arguments.
        types: for each leaf the type to trace it with, or None for a static one.
        names: a name for each leaf.
        unroll_limit: see `Tracer`.
        location: where the function is defined.

    Raises:
        SpecializeArguments: some of the inputs have to become static.
    """
    tracer = Recorder(name, unroll_limit)
    with tracer.active(), Builder(name, tracer.locate) as builder:
        inputs: list[Value] = []
        boxes: list[tuple[int, GraphArray]] = []
        contents = []
        for position, (leaf, type, label) in enumerate(zip(leaves, types, names)):
            if type is None:
                contents.append(tracer.capture(label, leaf))
                continue
            inputs.append(builder.input(type, label))
            box = GraphArray(inputs[-1])
            box.is_array = type.shape == () and is_array(leaf)
            contents.append(box)
            boxes.append((position, box))
        tracer.inputs.update((value, i) for i, value in enumerate(inputs))
        args, kwargs = optree.tree_unflatten(structure, contents)
        try:
            with unchanged_arguments(args, kwargs, location=location):
                result = function(tracer, args, kwargs)
        except Exception as error:
            # What the function does before it raises, or which of its exceptions it raises, the
            # program has to find out. Without any of this it raises while it is recorded.
            decided = not any(node.op.effect or node.regions for node in builder.nodes)
            if decided or not raised_by_user(error):
                raise
            record_failure(tracer, error)
            result = None
        rewritten = [
            (position, box) for (position, box), v in zip(boxes, inputs) if box.value is not v
        ]
        for array, box in tracer.captured.values():
            value = box.value
            if not (isinstance(value, Constant) and value.data is array):
                rewritten.append((array, box))
        values, result_structure, result_leaves = _leave(tracer, result, rewritten)
        changed = [target for target, _ in rewritten]
        values += [box.value for _, box in rewritten]
        tracer.refuse_changed_objects(location)
        graph = builder.finish(values)
        graph.location = location
    module = Module(graph, dict(builder.graphs))
    outside = {key: array for key, (array, _) in tracer.captured.items()}
    return Traced(
        module,
        result_structure,
        result_leaves,
        changed,
        outside,
        tracer.guards,
        tracer.exceptions,
    )


def _leave(
    tracer: Tracer, result: Any, rewritten: Sequence[tuple[int | Any, GraphArray]] = ()
) -> tuple[list[Value], optree.PyTreeSpec, list]:
    """The values of a result's traced leaves, its structure, and its other leaves: see `Traced`.

    Args:
        rewritten: the arrays that the function changed, as in `Traced.changed`, with what stood for
            them. If one is returned, it is that very array.
    """
    leaves, structure = flatten(tracer.defined(result))
    targets = {id(box): target for target, box in rewritten}
    values: list[Value] = []
    kept: list[tuple | int | None] = []
    for leaf in leaves:
        leaf = tracer.original(leaf)
        value = leaf.value if isinstance(leaf, GraphArray) else None
        target = targets.get(id(leaf))
        if target is not None:
            kept.append(target if isinstance(target, int) else (target,))
        elif value is None or (isinstance(value, Constant) and _is_captured(tracer, value)):
            kept.append((leaf if value is None else value.data,))
        else:
            kept.append(None)
            values.append(value)
    return values, structure, kept


def _is_captured(tracer: Tracer, constant: Constant) -> bool:
    """Whether a constant is an array from outside: the function returns that very array."""
    return id(constant.data) in tracer.captured


def subgraph(
    tracer: Tracer, function: Callable, name: str, args: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[Traced, list[GraphArray]]:
    """Record a call of ``function`` as a graph of its own, inside a recording.

    Returns:
        (traced, arguments): the inputs of the graph stand for ``arguments``, the symbolic leaves of
        the arguments. The graph may refer to values of the recording around it.

    Raises:
        MutationError: the function changes an array from outside in place.
    """
    leaves, structure = optree.tree_flatten((tuple(args), kwargs), none_is_leaf=True)
    arguments = [leaf for leaf in leaves if isinstance(leaf, GraphArray)]
    outer = [argument.value for argument in arguments]
    with Builder(name, tracer.locate) as builder, tracer.new_frame() as frame:
        inputs = [builder.input(value.type, value.name) for value in outer]
        tracer.aliases.update(zip(inputs, outer))
        boxes = [GraphArray(value) for value in inputs]
        remaining = iter(boxes)
        contents = [next(remaining) if isinstance(v, GraphArray) else v for v in leaves]
        new_args, new_kwargs = optree.tree_unflatten(structure, contents)
        with unchanged_arguments(new_args, new_kwargs):
            result = tracer.call(tracer.unbound(function), new_args, new_kwargs)
        if frame.written() or any(b.value is not v for b, v in zip(boxes, inputs)):
            raise MutationError(
                "a function that is differentiated changes an array from outside in place",
                tracer.location(),
                fix="work on a copy: x = x.copy()",
            )
        values, result_structure, kept = _leave(tracer, result)
        graph = builder.finish(values)
    for node in walk(graph):
        # A transform may drop what does not contribute to its result, though it might raise.
        node.required = False
    return Traced(Module(graph), result_structure, kept), arguments
