"""Recording one region: running a function so that what it computes becomes a nested graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import optree

from autograph.errors import Location
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Graph
from autograph.source.load import is_converted
from autograph.staging.array import GraphArray
from autograph.staging.errors import raise_site
from autograph.staging.identity import ByIdentity
from autograph.staging.naming import assignment_in
from autograph.staging.undefined import MaybeUndefined
from autograph.staging.variables import Variable, converted, describe, flatten, outputs
from autograph.staging.watch import unchanged
from ops import effects
from ops.control import Undefined
from ops.types import ArrayType

if TYPE_CHECKING:
    from autograph.staging.tracer import Frame, Tracer


class Region:
    """A region being recorded: its nodes run inside `recording`, its outputs are given to `finish`.

    Attributes:
        builder: holds the nodes.
        facts: what is known of each variable at the region's end.
        contents: what each variable holds there, with graph values in place of arrays.
        failure: the exception that the user's code raises in it, if it does.
        written: the arrays from outside that the region changed, with the values they have at its
            end.
    """

    def __init__(self, tracer: Tracer, name: str):
        self.builder: Builder = tracer.builder(name)
        self.facts: list[Variable] = []
        self.contents: list[Any] = []
        self.written = ByIdentity()
        self.failure: Exception | None = None
        self._tracer = tracer
        self._frame: Frame | None = None

    @contextmanager
    def recording(self, *functions: Callable) -> Iterator[None]:
        """Record what runs inside; ``functions`` are those that will be run."""
        self._function = functions[0]
        with self.builder, self._tracer.new_frame() as self._frame, unchanged(functions):
            yield
            self.written = ByIdentity((array, array.value) for array in self._frame.written())

    def leave(self, names: Sequence[str], contents: Sequence[Any]) -> None:
        """Keep what the variables hold; called at the end of the recording."""
        self.facts = [describe(n, c, self._is_older) for n, c in zip(names, contents)]
        self.contents = [_frozen(content) for content in contents]

    def fail(self, error: Exception) -> None:
        """End the region by raising ``error`` when the program runs."""
        self.failure = error
        with self.builder:
            record_failure(self._tracer, error)

    def site(self, position: int) -> Location | None:
        """Where the variable at ``position`` got what it holds at the region's end."""
        code = getattr(self._function, "__code__", None)
        if code is None or not is_converted(code):
            return site_of(self.contents[position])
        return site_of(self.contents[position]) or assignment_in(code, self.facts[position].name)

    def _is_older(self, array: GraphArray) -> bool:
        """Whether the array is from outside."""
        return array._frame is not self._frame

    def finish(
        self, joined: Sequence[Variable], written: Sequence[tuple[GraphArray, ArrayType]]
    ) -> Graph:
        """The finished graph: its outputs carry the variables, then the arrays written to."""
        contents = self.contents
        if self.failure is not None:
            contents = [Undefined(variable.name) for variable in joined]
        with self.builder:
            values = []
            for variable, content in zip(joined, contents):
                values += outputs(variable, content)
            for array, type in written:
                values.append(converted(self.written.get(array, array), type))
            return self.builder.finish(values)


def record_failure(tracer: Tracer, error: Exception) -> None:
    """Make the program raise ``error`` here."""
    tracer.refuse_handling("this exception is raised")
    kind, base = tracer.exception(error)
    builder = current_builder()
    with builder.at(raise_site(error)):
        builder.apply(effects.fail, (), {"error": base, "args": error.args, "kind": kind})


def _frozen(content: Any) -> Any:
    """``content`` with each array replaced by the graph value it has now."""
    if isinstance(content, MaybeUndefined):
        return MaybeUndefined(content.name, _frozen(content.content), _frozen(content.flag))
    leaves, structure = flatten(content)
    leaves = [leaf.value if isinstance(leaf, GraphArray) else leaf for leaf in leaves]
    return optree.tree_unflatten(structure, leaves)


def site_of(content: Any) -> Location | None:
    """Where in the user's source the content of a variable was computed, if the graph tells."""
    for leaf in flatten(content)[0]:
        value = leaf.value if isinstance(leaf, GraphArray) else leaf
        producer = getattr(value, "producer", None)
        if producer is not None and producer.location is not None:
            return producer.location
    return None
