"""Recording one region: running a function so that what it computes becomes a nested graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from autograph.errors import Location
from autograph.graph.builder import Builder, current_builder
from autograph.graph.graph import Graph
from autograph.signals import raised_by_handler
from autograph.source.load import is_converted
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.exact_types import converted
from autograph.staging.border.endings import refuse_to_end
from autograph.staging.border.failures import failure, promoted_in
from autograph.staging.containers.containers import Contents, contents
from autograph.staging.containers.structure import Flattener
from autograph.staging.containers.watch import Watch
from autograph.staging.ground.errors import is_mistake, raise_site
from autograph.staging.ground.identity import ByIdentity
from autograph.staging.ground.naming import assignment_in
from autograph.staging.ground.recorder import RegionChanges, recorder
from autograph.staging.joins.sides import Side
from autograph.staging.joins.variables import Variable
from autograph.staging.lists.inner_lists import InnerList
from autograph.staging.values.maybe import MaybeNone, MaybeUndefined
from autograph.staging.values.promoted import each_in_its_type
from ops.control import effects
from ops.core.types import ArrayType


class Region:
    """A region being recorded: its nodes run inside `recording`, its outputs are given to `finish`.

    Attributes:
        builder: holds the nodes.
        slots: what each variable holds at the region's end, by name.
        failure: the exception that the user's code raises in it, if it does.
        is_caught: whether that is handled by the function.
        written: the arrays from outside that the region changed, with the values they have at its
            end.
        changed: the containers from outside that the region changed, with what they contain at its
            end.
        names: what the user may call the containers from outside.
        viewed: the views from outside that the region reads.
    """

    def __init__(self, name: str):
        self.builder: Builder = recorder().builder(name)
        self.slots: list[tuple[str, Any]] = []
        self.written = ByIdentity()
        self.changed = ByIdentity()
        self.names = ByIdentity()
        self.viewed: list[GraphArray] = []
        self.failure: Exception | None = None
        self.is_caught = False
        self._frame: RegionChanges | None = None
        self._values = ByIdentity()

    @contextmanager
    def recording(self, function: Callable, *roots: Any) -> Iterator[None]:
        """Record what runs inside.

        Args:
            function: the one that will be run.
            roots: what else its code can reach containers from: other functions, its arguments.
        """
        self._function = function
        watch = self._watch = Watch([function, *roots])
        self.names = watch.names
        try:
            with self.builder, recorder().new_frame() as self._frame:
                yield
                watch.refuse_changed_errors()
                recorder().frozen.check()
                self.written = ByIdentity((a, a.value) for a in self._frame.written())
                self.viewed = list(self._frame.viewed)
                self._keep_values()
        except BaseException as error:
            refuse_to_end(error)
            raise
        finally:
            self.changed = watch.finish()
            for container in self.changed:
                recorder().frozen.refresh(container)

    def leave(self, names: Sequence[str], contents: Sequence[Any]) -> None:
        """Keep what the variables hold; called at the end of the recording."""
        self.slots = list(zip(names, contents))

    def _keep_values(self) -> None:
        """Note the values of arrays that are from outside, or share memory with such, before
        changes to them are undone."""
        self._values.update(self.written)  # also of arrays that only callees know
        flattener = Flattener()
        roots = [content for _, content in self.slots]
        roots += [content.content for content in roots if isinstance(content, MaybeUndefined)]
        # Without changes to arrays, only what was put into containers can be of another value.
        assert self._frame is not None
        containers = self.names if self._frame.before else self._watch.changed()
        roots += [value for container in containers for value in contents(container).values]
        for root in roots:
            for leaf in flattener.flatten(root)[0]:
                self._keep_value(leaf)
        for container in flattener.containers:
            if isinstance(container, InnerList) and container.home is not None:
                container.settle(self._frame)

    def _keep_value(self, leaf: Any) -> None:
        if isinstance(leaf, MaybeNone):
            self._keep_value(leaf.content)
            self._keep_value(leaf.present)
        elif isinstance(leaf, MaybeUndefined):  # an attribute
            for part in Flattener().flatten((leaf.flag, leaf.content))[0]:
                self._keep_value(part)
        elif isinstance(leaf, GraphArray) and (self._is_older(leaf) or leaf._view is not None):
            try:
                self._values[leaf] = leaf.value
            except Exception as error:  # it cannot be used, which matters if it is
                if raised_by_handler(error) or is_mistake(error):
                    raise
                self._values[leaf] = error

    def value_of(self, array: GraphArray) -> Any:
        """The graph value that an array has at the region's end."""
        value = self._values.get(array)
        if isinstance(value, Exception):
            raise value
        return array.value if value is None else value

    def fail(self, error: Exception) -> None:
        """End the region by raising ``error`` when the program runs."""
        self.failure = error
        with self.builder:
            record_failure(error)

    def catch(self, error: Exception) -> None:
        """End the region by raising ``error``, which the function handles; called in it.

        Raises:
            UnsupportedConstructError: it has changed containers, which would have to stay changed.
        """
        self.failure, self.is_caught = error, True
        attempt = recorder().attempt
        assert attempt is not None
        if self._watch.changed():
            attempt.refuse_changes()
        attempt.raised(error)

    def found(self) -> Iterator[tuple[Any, Contents]]:
        """The containers from outside, with what they contained at the region's beginning."""
        return self._watch.found()

    def end_of(self, container: Any) -> Contents:
        """What a container contains at the region's end."""
        return self.changed.get(container) or contents(container)

    def side(self, slots: Sequence[tuple[str, Any]]) -> Side:
        """The contents of some variables at the region's end."""
        return Side(
            slots,
            is_older=self._is_older,
            is_leaf=self._watch.is_older,
            contents_of=self.end_of,
            value_of=self.value_of,
        )

    def site(self, name: str, content: Any) -> Location | None:
        """Where a variable got what it holds at the region's end."""
        code = getattr(self._function, "__code__", None)
        if code is None or not is_converted(code):
            return site_of(content)
        return site_of(content) or assignment_in(code, name)

    def is_older(self, item: Any) -> bool:
        """Whether an array or container is from outside."""
        if isinstance(item, GraphArray):
            return self._is_older(item)
        return self._watch.is_older(item)

    def _is_older(self, array: GraphArray) -> bool:
        return array._frame is not self._frame

    def finish(
        self,
        side: Side,
        joined: Sequence[Variable],
        written: Sequence[tuple[GraphArray, ArrayType]],
    ) -> Graph:
        """The finished graph: its outputs carry the variables, then the arrays written to."""
        with self.builder:
            values = side.outputs(joined)
            for array, type in written:
                values.append(converted(self.written.get(array, array), type))
            return self.builder.finish(values)


def record_failure(error: Exception, place: Location | None = None) -> None:
    """Make the program raise ``error`` here; ``place`` is where the user's code does."""
    attempt = recorder().attempt
    if attempt is not None and attempt.raised(error):
        return
    recorder().refuse_handling("this exception is raised", (type(error),))
    site = place or raise_site(error)

    def fail(known: ByIdentity) -> None:
        operands, attrs = failure(error, known)
        builder = current_builder()
        with builder.at(site):
            builder.apply(effects.fail, operands, attrs)

    each_in_its_type(promoted_in(error), fail)


def site_of(content: Any) -> Location | None:
    """Where in the user's source the content of a variable was computed, if the graph tells."""
    if isinstance(content, MaybeUndefined):
        content = content.content
    for leaf in Flattener().flatten(content)[0]:
        value = leaf._value if isinstance(leaf, GraphArray) else leaf
        producer = getattr(value, "producer", None)
        if producer is not None and producer.location is not None:
            return producer.location
    return None
