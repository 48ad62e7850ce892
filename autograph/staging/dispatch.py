"""Where recorded code arrives: from `ops.control`, and from the methods of symbolic arrays.

Nothing happens here but the choice of who does it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.errors import AutographError
from autograph.source.load import is_converted
from autograph.staging import (
    builtins,
    calls,
    catching,
    comprehensions,
    control,
    identities,
    lookups,
    loops,
    protocols,
    subscripts,
    text,
)
from autograph.staging.array import GraphArray
from autograph.staging.choice import Choice
from autograph.staging.errors import located
from autograph.staging.lists import TrackedList, is_rows
from autograph.staging.maybe import MaybeUndefined, NoneOr, OnlyTruth
from autograph.staging.ownership import is_user_class
from autograph.staging.ranges import without_ranges
from autograph.staging.region import Region
from autograph.staging.tracer import Tracer


class Recorder(Tracer):
    """The tracer that is active while a function is recorded."""

    # -- from ops.control -------------------------------------------------------------------------

    def cond(self, predicate: Any, then: Callable, orelse: Callable, names: tuple) -> Any:
        then, orelse = self.runnable(then), self.runnable(orelse)
        return control.cond(self, predicate, then, orelse, names)

    def while_loop(self, test: Callable, body: Callable, init: tuple, names: tuple) -> tuple:
        test, body = self.runnable(test), self.runnable(body)
        return loops.while_loop(self, test, body, init, names)

    def for_loop(
        self, iterable: Any, body: Callable, init: tuple, names: tuple, test: Any
    ) -> tuple:
        test = None if test is None else self.runnable(test)
        return loops.for_loop(self, iterable, self.runnable(body), init, names, test)

    def runnable(self, function: Callable) -> Callable:
        """A function that is run as a region: one that the user passed is converted."""
        code = getattr(function, "__code__", None)
        if code is not None and (is_converted(code) or calls.belongs_to_library(function)):
            return function
        return lambda *args: self.call(function, args, {})

    def located(self, error: Exception) -> Exception:
        """An error of an operator, at the user's line."""
        try:
            with located():
                raise error
        except AutographError as found:
            return found

    def tried(self, function: Callable) -> Any:
        """What a function returns, of which only the types matter: nothing of it is recorded."""
        region = Region(self, "tried")
        with region.recording(function):
            return function()

    # -- from ops.exceptions ----------------------------------------------------------------------

    def sites(self) -> Any:
        return catching.RecordedSites()

    def attempted(self, sites: Any, kinds: Callable, function: Callable) -> tuple:
        return catching.attempted(self, sites, kinds, function)

    def raising(self, sites: Any, error: BaseException) -> Any:
        return catching.raising(self, sites, error)

    def handles(self, sites: Any, error: Any, kinds: Callable) -> Any:
        return catching.handles(self, sites, error, kinds)

    def caught(self, sites: Any, error: Any) -> Any:
        return catching.caught(self, sites, error)

    def of_python(self, error: BaseException) -> None:
        catching.of_python(error)

    def reraised(self, sites: Any, error: Any) -> BaseException:
        return catching.reraised(self, sites, error)

    def passed(self, outer: Any, sites: Any, error: Any) -> Any:
        return catching.passed(self, outer, sites, error)

    def stored(self, owner: Any, place: Any, value: Any) -> None:
        catching.stored(self, owner, place, value)

    # -- from ops.control -------------------------------------------------------------------------

    def and_(self, left: Any, right: Callable) -> Any:
        if not _is_symbolic(left):
            return left and right()
        return control.either(self, left, right, lambda: left, if_false=False)

    def or_(self, left: Any, right: Callable) -> Any:
        if not _is_symbolic(left):
            return left or right()
        return control.either(self, left, lambda: left, right, if_true=True)

    def not_(self, operand: Any) -> Any:
        if not _is_symbolic(operand):
            return not operand
        return control.negation(self, operand)

    def in_(self, item: Any, container: Any) -> Any:
        return builtins.contains(container, item)

    def item_of(self, container: Any, index: Any) -> Any:
        return lookups.item_of(container, index)

    def text(self, template: str, values: tuple) -> Any:
        return text.from_template(template, *values)

    def percent(self, template: str, values: Any) -> Any:
        return text.from_percent(template, values)

    def is_(self, left: Any, right: Any) -> Any:
        return identities.is_same(self, left, right)

    def tracked(self, value: Any) -> Any:
        return TrackedList(value) if type(value) is list else value

    def collect(self, function: Callable, iterable: Any, where: Any, flat: bool) -> list:
        return comprehensions.collect(self, function, iterable, where, flat)

    def generate(self, function: Callable, iterable: Any, where: Any, flat: bool) -> Any:
        return comprehensions.generate(self, function, iterable, where, flat)

    def call(self, function: Callable, args: tuple, kwargs: dict) -> Any:
        return calls.call(self, function, args, kwargs)

    # -- from symbolic arrays ---------------------------------------------------------------------

    def apply_ufunc(self, ufunc: np.ufunc, method: str, inputs: tuple, kwargs: dict) -> Any:
        inputs = tuple(map(without_ranges, inputs))
        return protocols.apply_ufunc(ufunc, method, inputs, kwargs)

    def apply_function(self, function: Any, args: tuple, kwargs: dict) -> Any:
        return protocols.apply_function(function, tuple(map(without_ranges, args)), kwargs)

    def read(self, array: GraphArray, index: Any) -> GraphArray:
        return subscripts.read(array, index)

    def assign(self, array: GraphArray, index: Any, value: Any) -> None:
        subscripts.assign(array, index, value)


def _is_symbolic(value: Any) -> bool:
    """Whether the truth of a value may depend on the run."""
    if is_user_class(type(value)) and hasattr(type(value), "__bool__"):
        return True
    return isinstance(value, (Choice, GraphArray, MaybeUndefined, NoneOr, OnlyTruth)) or is_rows(
        value
    )
