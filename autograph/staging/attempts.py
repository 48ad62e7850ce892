"""Whether an expression raises a certain exception when the program runs, for ``try`` statements
around it; see `autograph.source.attempts`."""

from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

import ops
from autograph.graph.builder import current_builder
from autograph.graph.graph import Value
from autograph.source.libraries import package_of
from autograph.source.load import is_converted
from autograph.staging.array import GraphArray
from autograph.staging.calls import belongs_to_library
from autograph.staging.handling import catches
from autograph.staging.ownership import is_user_class
from autograph.staging.region import Region
from ops import effects
from ops.failures import conditions
from ops.registry import Op
from ops.types import ArrayType

if TYPE_CHECKING:
    from autograph.staging.tracer import Tracer


class _Unknown(ops.Refusal):
    """It can't be told when an operator raises."""


class Attempt:
    """An expression being computed to find out whether it raises an exception.

    Args:
        kinds: the classes of exceptions that are handled.

    Attributes:
        failure: whether there was such an exception so far; None while none was possible.
    """

    def __init__(self, kinds: Any):
        self.kinds = kinds
        self.failure: Any = None
        self.sealed = False  # what is not handled may have been raised since
        self._builder = current_builder()

    def result(self, op: Op, values: Sequence[Value], attrs: dict[str, Any]) -> Any:
        """What stands for the result of an operator that may raise: where it raises what is
        handled, anything. None if it raises nothing that is handled."""
        types = [value.type for value in values]
        if not catches(self.kinds, op.errors_of(types, attrs)):
            if self.failure is not None:
                self.sealed = True
                if op.effect:
                    raise _Unknown
            return None
        found = conditions(op.name, [GraphArray(value) for value in values], attrs)
        if found is None or self.sealed or current_builder() is not self._builder:
            raise _Unknown
        caught = [flag for error, flag in found.items() if issubclass(error, self.kinds)]
        if not caught:
            raise _Unknown
        self.sealed = len(caught) < len(found)
        failure = caught[0]
        for flag in caught[1:]:
            failure = ops.logical_or(failure, flag)
        failure = ops.cast(failure, dtype="bool", weak=True)
        before = self.failure
        self.failure = failure if before is None else ops.or_(before, lambda: failure)
        if op is effects.check:
            return ()
        shown = op.infer(*types, **attrs)
        result = ops.cond(
            failure,
            lambda: tuple(map(_anything, shown)),
            lambda: _results(current_builder().apply(op, list(values), attrs)),
            tuple("result" for _ in shown),
        )
        parts = tuple(part.value for part in result)
        return parts if len(parts) != 1 else parts[0]

    def raised(self, error: Exception) -> None:
        """The user's code raises an exception here, on some path."""
        if self.failure is not None or catches(self.kinds, (type(error),)):
            raise _Unknown

    def called(self, function: Any) -> None:
        """The expression calls a function, which will be called again when it is computed: that is
        as good as once for what has no state that is not seen."""
        while isinstance(function, (types.MethodType, functools.partial)):
            is_method = isinstance(function, types.MethodType)
            function = function.__func__ if is_method else function.func
        if isinstance(function, (types.FunctionType, type)):
            is_own = is_user_class if isinstance(function, type) else _is_user_function
            if is_own(function) or package_of(function) in _STATELESS:
                return
        elif isinstance(function, types.BuiltinFunctionType | np.ufunc):
            owner = getattr(function, "__self__", None)
            known = isinstance(owner, _OWNERS) or package_of(function) in _STATELESS
            if known and function not in (next, iter, open, input):
                return
        elif is_user_class(type(function)) or package_of(type(function)) in _OWN_PACKAGES:
            return
        raise _Unknown


_OWN_PACKAGES = ("numpy", "ops", "autograph")
_STATELESS = (*_OWN_PACKAGES, "builtins", "math", "cmath", "operator", "_operator")
_OWNERS = (list, tuple, dict, set, deque, str, bytes, int, float, complex, np.generic, np.ndarray)


def _is_user_function(function: types.FunctionType) -> bool:
    return is_converted(function.__code__) or not belongs_to_library(function)


def fails(tracer: Tracer, function: Callable, kinds: Callable) -> Any:
    """See `ops.fails`."""
    if tracer.attempt is not None:
        return None
    try:
        handled = kinds()
        region = Region(tracer, "attempt")
        with tracer.losses_undone(), region.recording(function), _attempt(tracer, handled) as found:
            function()
            lasting = any(n.op.effect and n.op is not effects.check for n in region.builder.nodes)
            if found.failure is None or lasting:
                raise _Unknown
        if region.changed or region.written:
            return None
    except (Exception, _Unknown):  # what it is shows again when the statement itself is recorded
        tracer.refusal = None
        return None
    with _attempt(tracer, handled) as found:
        function()
    return found.failure


@contextmanager
def _attempt(tracer: Tracer, kinds: Any) -> Iterator[Attempt]:
    tracer.attempt = Attempt(kinds)
    try:
        yield tracer.attempt
    finally:
        tracer.attempt = None


def _results(found: Any) -> tuple[GraphArray, ...]:
    parts = found if isinstance(found, tuple) else (found,)
    return tuple(GraphArray(part) for part in parts)


def _anything(type: ArrayType) -> Any:
    """A number or array of a type."""
    if not isinstance(type, ArrayType) or not type.is_static:
        raise _Unknown
    return type.scalar(0) if type.weak else GraphArray(ops.zeros(type.shape, type.dtype).value)
