"""Where recorded code arrives: from `ops.control.constructs`, and from the methods of symbolic
arrays.

Nothing happens here but the choice of who does it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import numpy as np

from autograph.errors import AutographError
from autograph.graph.graph import Graph
from autograph.source.load import is_converted
from autograph.staging.arrays import memory_layout, namespace, protocols
from autograph.staging.arrays.array import GraphArray
from autograph.staging.arrays.flat import flat
from autograph.staging.border import endings
from autograph.staging.calls import calls, calls_alike, replacements
from autograph.staging.classes import class_attributes
from autograph.staging.control import catching, caught, control, gone_through, leaving, loops
from autograph.staging.control.region import Region
from autograph.staging.ground import object_kinds
from autograph.staging.ground.errors import located
from autograph.staging.ground.ownership import truth_method
from autograph.staging.lists.dict_views import DictView
from autograph.staging.lists.following import unpacked
from autograph.staging.lists.heap import as_row
from autograph.staging.lists.lists import TrackedList, is_rows, without_rows
from autograph.staging.lists.pooled import PooledList
from autograph.staging.lists.pooled_tuples import pool_of
from autograph.staging.lists.tables import KeyTable
from autograph.staging.python import aggregates, builtins, identities, spreading
from autograph.staging.sequences import (
    comprehensions,
    dicts,
    lookups,
    subscripts,
    walks,
)
from autograph.staging.sequences.ranges import without_ranges
from autograph.staging.tracer import Tracer
from autograph.staging.values import text
from autograph.staging.values.choice import Choice, as_numbers, as_place
from autograph.staging.values.maybe import (
    MaybeUndefined,
    ObjectOrNone,
    OnlyTruth,
    of_known_types,
    stored,
)
from autograph.staging.values.percent import from_percent
from autograph.staging.values.promoted import apart, are_no_places, gives_one_type
from ops.core.recording import raises_as_python, set_recording
from ops.core.registry import Elementwise
from ops.names.ufuncs import operator_of


class GraphRecorder(Tracer):
    """The tracer that is active while a function is recorded."""

    @contextmanager
    def active(self) -> Iterator[None]:
        """Make this what records the calls of the current thread."""
        previous = set_recording(self)
        try:
            yield
        finally:
            set_recording(previous)

    # -- from autograph.staging.trace --------------------------------------------------------------

    @staticmethod
    def with_named_calls(graph: Graph, is_last: bool = False) -> Graph:
        return calls_alike.with_named_calls(graph, is_last)

    # -- from ops.control.constructs ---------------------------------------------------------------

    def cond(self, predicate: Any, then: Callable, orelse: Callable, names: tuple) -> Any:
        then, orelse = self.runnable(then), self.runnable(orelse)
        return control.cond(predicate, then, orelse, names)

    def while_loop(self, test: Callable, body: Callable, init: tuple, names: tuple) -> tuple:
        test, body = self.runnable(test), self.runnable(body)
        return loops.while_loop(test, body, init, names)

    def for_loop(
        self, iterable: Any, body: Callable, init: tuple, names: tuple, test: Any
    ) -> tuple:
        test = None if test is None else self.runnable(test)
        return loops.for_loop(iterable, self.runnable(body), init, names, test)

    def runnable(self, function: Callable) -> Callable:
        """A function that is run as a region: one that the user passed is converted."""
        code = getattr(function, "__code__", None)
        own: Any = function
        if code is not None and (is_converted(code) or calls.belongs_to_library(own)):
            return function
        return lambda *args: self.call(function, args, {})

    def located(self, error: Exception) -> Exception:
        """An error of an operator, at the user's line."""
        try:
            with located():
                raise error
        except AutographError as found:
            return found

    def tried(self, function: Callable, changes: bool = True) -> Any:
        region = Region("tried")
        with region.recording(function):
            found = function()
        return found if changes or not region.changed else None

    # -- from ops.control.exceptions ---------------------------------------------------------------

    def sites(self) -> Any:
        return catching.RecordedSites()

    def unwinding(self) -> Any:
        return catching.unwinding()

    def attempted(self, sites: Any, kinds: Callable, function: Callable) -> tuple:
        return catching.attempted(sites, kinds, function)

    def gone_through(self, kinds: Callable, iterable: Any, puts_off: bool) -> Any:
        return gone_through.gone_through(catching.classes_of(kinds()), iterable, puts_off)

    def item(self, given: Any) -> Any:
        return gone_through.item(given)

    def raising(self, sites: Any, error: Any, *cause: Any) -> Any:
        return catching.raising(sites, error, *cause)

    def to_raise(self, error: Any, *cause: Any) -> BaseException:
        return catching.to_raise(error, *cause)

    def own_class(self, made: Any) -> None:
        object_kinds.note_own(made)

    def handles(self, sites: Any, error: Any, kinds: Callable) -> Any:
        return catching.handles(sites, error, kinds)

    def caught(self, sites: Any, error: Any) -> Any:
        return caught.caught(sites, error)

    def of_python(self, error: BaseException) -> None:
        catching.of_python(error)

    def let_pass(self, error: BaseException) -> None:
        endings.let_pass(error)

    def is_of_program(self, error: BaseException) -> bool:
        return endings.is_of_program(error)

    def reraised(self, sites: Any, error: Any) -> BaseException:
        return catching.reraised(sites, error)

    def passed(self, outer: Any, sites: Any, error: Any) -> Any:
        return catching.passed(outer, sites, error)

    def stored(self, owner: Any, place: Any, value: Any) -> None:
        catching.stored(owner, place, value)

    def stored_attribute(self, owner: Any, name: str, value: Any) -> None:
        class_attributes.stored_attribute(owner, name, value)

    def entered(self, manager: Any) -> Any:
        return leaving.entered(manager)

    def left(self, manager: Any) -> None:
        leaving.left(manager)

    def swallows(self, sites: Any, error: Any, manager: Any) -> Any:
        return leaving.swallows(sites, error, manager)

    def unpacked(self, count: int, value: Any) -> Any:
        is_open = isinstance(value, TrackedList) and not isinstance(value.length, int)
        return unpacked(value, count) if is_open else value

    # -- from ops.control.constructs ---------------------------------------------------------------

    def and_(self, left: Any, right: Callable) -> Any:
        if not _is_symbolic(left):
            return left and right()
        return control.either(left, right, lambda: left, if_false=False)

    def or_(self, left: Any, right: Callable) -> Any:
        if not _is_symbolic(left):
            return left or right()
        return control.either(left, lambda: left, right, if_true=True)

    def not_(self, operand: Any) -> Any:
        if not _is_symbolic(operand):
            return not operand
        return control.negation(operand)

    def in_(self, item: Any, container: Any) -> Any:
        return builtins.contains(container, item)

    def item_of(self, container: Any, index: Any) -> Any:
        return lookups.item_of(container, index)

    def text(self, template: str, values: tuple) -> Any:
        return text.from_template(template, *values)

    def percent(self, template: str, values: Any) -> Any:
        return from_percent(template, values)

    def eq_(self, left: Any, right: Any) -> Any:
        return aggregates.equal(left, right)

    def ne_(self, left: Any, right: Any) -> Any:
        return aggregates.unequal(left, right)

    def compared(self, better: Callable, left: Any, right: Any) -> Any:
        return aggregates.compared(better, left, right)

    def is_(self, left: Any, right: Any) -> Any:
        return identities.is_same(left, right)

    def tracked(self, value: Any) -> Any:
        if type(value) is not list:
            return value
        nested, site = self.nested, self.location()
        kind = nested.pooled(site)
        if kind is not None:
            return pool_of(kind, site, value)
        made = TrackedList(value)
        made.site = site
        for item in value:
            if not isinstance(item, GraphArray):
                made._gets(item)
        return as_row(made)

    def dict_of(self, pairs: Any) -> Any:
        return dicts.display(pairs)

    def entries(self, mapping: Any) -> Any:
        return dicts.entries(mapping)

    def set_of(self, members: Any) -> Any:
        return spreading.set_of(members)

    def arguments(self, iterable: Any) -> Any:
        return spreading.spread(iterable)

    def spliced(self, display: Any) -> Any:
        return spreading.spliced(display)

    def parted(self, iterable: Any, before: int, after: int) -> tuple:
        return spreading.parted(iterable, before, after)

    def collect(
        self, function: Callable, iterable: Any, where: Any, flat: bool, only_read: bool
    ) -> list:
        return comprehensions.collect(function, iterable, where, flat, only_read)

    def generate(self, function: Callable, iterable: Any, where: Any, flat: bool) -> Any:
        return comprehensions.generate(function, iterable, where, flat)

    def walk(self, function: Callable, args: tuple, kwargs: dict) -> Any:
        return walks.walk(function, args, kwargs)

    def walked(self, iterator: Any) -> tuple:
        return walks.walked(iterator)

    def call(self, function: Callable, args: tuple, kwargs: dict) -> Any:
        return calls.call(function, args, kwargs)

    # -- from symbolic arrays ---------------------------------------------------------------------

    def apply_ufunc(self, ufunc: np.ufunc, method: str, inputs: tuple, kwargs: dict) -> Any:
        inputs = tuple(as_numbers(of_known_types(tuple(map(without_ranges, inputs)))))
        apply = protocols.apply_ufunc
        ours = operator_of(ufunc) if method == "__call__" else None
        if isinstance(ours, Elementwise) and gives_one_type(ours, inputs):
            return apply(ufunc, method, inputs, kwargs)
        return apart(apply)(ufunc, method, inputs, kwargs)

    def apply_function(self, function: Any, args: tuple, kwargs: dict) -> Any:
        given = tuple([without_rows(without_ranges(arg)) for arg in args])
        named = {name: without_rows(value) for name, value in kwargs.items()}
        return apart(protocols.apply_function)(function, given, named)

    @raises_as_python
    def apply_to_list(self, function: Any, args: tuple, kwargs: dict) -> Any:
        return (replacements.replacement(function, args, kwargs) or function)(*args, **kwargs)

    def placed(self, made: TrackedList) -> TrackedList:
        if not self.nested.in_pools:
            return made
        made.site = made.site or self.location()
        return as_row(made)

    def array_namespace(self) -> ModuleType:
        return namespace

    def flat(self, array: GraphArray) -> GraphArray:
        return flat(array)

    def strides(self, array: GraphArray) -> tuple[int, ...]:
        return memory_layout.strides(array)

    def flags(self, array: GraphArray) -> Any:
        return memory_layout.flags(array)

    def assign_shape(self, array: GraphArray, shape: Any) -> None:
        memory_layout.assign_shape(array, shape)

    def read(self, array: GraphArray, index: Any) -> GraphArray:
        return _at(index, lambda place: subscripts.read(array, place))

    def assign(self, array: GraphArray, index: Any, value: Any) -> None:
        with located():
            value = stored(as_numbers((array, value))[1], array.dtype)
        _at(index, lambda place: subscripts.assign(array, place, value))


def _at(index: Any, function: Callable[[Any], Any]) -> Any:
    """What a function gives for a place in an array, in the type that its numbers have there."""
    return apart(function, are_no_places)(as_place(index))


def _is_symbolic(value: Any) -> bool:
    """Whether the truth of a value may depend on the run."""
    if truth_method(type(value)) is not None:
        return True
    return (
        isinstance(value, (Choice, GraphArray, MaybeUndefined, ObjectOrNone, OnlyTruth, PooledList))
        or (isinstance(value, (KeyTable, DictView)) and not value.is_seen)
        or is_rows(value)
    )
