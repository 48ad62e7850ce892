"""`to_graph`: from a Python function to a compiled one, once per signature of its arguments."""

from __future__ import annotations

import functools
import time
import types
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograph.backends.select import backend_named, backend_of
from autograph.codegen.program import Program
from autograph.compiled import Compiled, Specialized
from autograph.errors import Location, NoSourceError
from autograph.graph.graph import Module
from autograph.log import log
from autograph.source.forwarding import forwarding, is_library_function
from autograph.source.load import convert, definition
from autograph.staging.retracing import Summary, differences, summary
from autograph.staging.signature import (
    argument_names,
    call_key,
    flatten_call,
    traced_type,
)
from autograph.staging.trace import trace
from autograph.staging.tracer import SpecializeArguments
from ops.registry import active_tracer

# How many recordings a function remembers, to say why it is recorded again.
_REMEMBERED = 20

# How many graphs a function keeps. Static arguments that count by identity, like functions that are
# made for each call, would otherwise add one with each call.
_KEPT = 1024


class GraphFunction:
    """A function that is compiled when it is called; made by `to_graph` and by the transforms.

    Args:
        function: what is recorded. It is converted, unless it is a transform of ``source``.
        backend: "numpy", "cupy", or None: where the arguments are.
        unroll_limit: how many trips a loop may make that has to run as Python.
        source: the user's function, if ``function`` is a transform of it.
        name: of the generated program; by default that of the function.
    """

    def __init__(
        self,
        function: Callable,
        *,
        backend: str | None = None,
        unroll_limit: int = 256,
        source: Callable | None = None,
        name: str | None = None,
    ):
        functools.update_wrapper(self, function if source is None else source)
        self._function = function
        self._source = function if source is None else source
        self.name = name or getattr(self._source, "__name__", "function")
        self._backend = None if backend is None else backend_named(backend)
        self._unroll_limit = unroll_limit
        self._cache: dict[Any, Compiled | Specialized] = {}
        self._recordings: list[Summary] = []  # what it was recorded for, for the log

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        tracer = active_tracer()
        if tracer is not None:
            return self._recorded(tracer, args, kwargs)
        leaves, structure = flatten_call(args, kwargs)
        compiled = self._compiled(leaves, structure)
        try:
            return compiled(leaves, (args, kwargs))
        except Exception as error:
            translated = compiled.translated(error)
            if translated is error:
                raise
            raise translated from translated.__cause__

    def _recorded(self, tracer: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        """What a call does while recording."""
        if self._function is not self._source:
            return self._function(*args, **kwargs)
        return tracer.call(tracer.unbound(self._function), args, kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else BoundGraphFunction(self, instance)

    @property
    def options(self) -> dict[str, Any]:
        """The options it was made with, for a transform of it."""
        backend = None if self._backend is None else self._backend.name
        return {"backend": backend, "unroll_limit": self._unroll_limit}

    def __repr__(self) -> str:
        return f"<compiled {getattr(self._source, '__qualname__', self._source)}>"

    # -- what the compiler made -------------------------------------------------------------------

    @property
    def converted(self) -> str:
        """The converted source: the user's function with its control flow as `ops` calls."""
        return convert(source_of(self._source)).text

    def graph(self, *args: Any, **kwargs: Any) -> Module:
        """The simplified graph for these arguments; its ``str`` is the text."""
        return self._compile_for(args, kwargs).module

    def program(self, *args: Any, **kwargs: Any) -> Program:
        """The generated program for these arguments; its ``str`` is the source."""
        return self._compile_for(args, kwargs).program

    # -- compilation ------------------------------------------------------------------------------

    def _compile_for(self, args: tuple, kwargs: dict[str, Any]) -> Compiled:
        return self._compiled(*flatten_call(args, kwargs))

    def _compiled(self, leaves: list, structure: Any) -> Compiled:
        key = call_key(leaves, structure)
        found = self._found(key, leaves, structure)
        if found.traced.changed:
            same = found.repeated(leaves)
            if same:  # what it changes is then one array that the function knows by several names
                return self._found((key, same), leaves, structure, dict(same))
        return found

    def _found(self, base: Any, leaves: list, structure: Any, same: Mapping = {}) -> Compiled:
        """What is compiled for these leaves, now if there is nothing yet.

        Args:
            base: the cache's key.
            same: the positions of leaves that are an earlier one, with that one's position.
        """
        found = self._cache.get(base)
        static: tuple[int, ...] = ()
        if isinstance(found, Specialized):
            static = found.positions
            found = self._cache.get(found.key(base, leaves))
        if found is None:
            return self._compile(base, set(static), leaves, structure, same=same)
        if found.meets(leaves):
            why = "a generator among the arguments is one that the function also finds outside"
            static = (*static, *found.traced.generators)
            return self._compile(base, set(static), leaves, structure, why, same)
        if not found.is_valid():
            why = found.invalidated_by()
            return self._compile(base, set(static), leaves, structure, why, same)
        return found

    def _compile(
        self,
        base: Any,
        static: set[int],
        leaves: list,
        structure: Any,
        why: str = "",
        same: Mapping[int, int] = {},
    ) -> Compiled:
        """Record and compile for arguments with these leaves.

        Args:
            static: the positions of leaves whose values are needed.
            why: what outside the function has changed, if it was compiled for them before.
            same: see `_found`.
        """
        start = time.perf_counter()
        names = argument_names(self._source, structure)
        why = why or differences(summary(names, leaves, static), self._recordings)
        while True:
            self._log_recording(why)
            types_ = [None if i in static else traced_type(v) for i, v in enumerate(leaves)]
            positions = tuple(i for i, t in enumerate(types_) if t is not None and i not in same)
            bound = {
                i
                for i, leaf in enumerate(leaves)
                if isinstance(leaf, np.random.Generator) and i not in static
            }
            try:
                traced = trace(
                    self._recorded,
                    self.name,
                    structure,
                    leaves,
                    types_,
                    names,
                    bound=bound,
                    same=same,
                    unroll_limit=self._unroll_limit,
                    location=self._location(),
                )
                break
            except SpecializeArguments as needed:
                wanted = sorted(needed.positions)
                static.update(wanted)
                listed = ", ".join(f"'{names[i]}' ({leaves[i]})" for i in wanted)
                why = f"the value of {listed} is needed at {needed.location}: it becomes static"
        statics = [leaf for i, leaf in enumerate(leaves) if types_[i] is None and i not in bound]
        backend = self._backend or backend_of((*leaves, *traced.outside.values()))
        compiled = Compiled(traced, backend, positions, statics)
        recorded = summary(names, leaves, static)
        self._recordings.append(recorded)
        del self._recordings[:-_REMEMBERED]
        signature = ", ".join(f"{name}: {part.text}" for name, part in recorded.items())
        elapsed = 1e3 * (time.perf_counter() - start)
        log.info("%s: compiled for (%s) in %.1f ms", self.name, signature, elapsed)
        if static:
            specialized = self._cache[base] = Specialized(tuple(sorted(static)))
            self._cache[specialized.key(base, leaves)] = compiled
        else:
            self._cache[base] = compiled
        while len(self._cache) > _KEPT:  # the oldest goes; it is compiled again if it is needed
            self._cache.pop(next(iter(self._cache)), None)
        return compiled

    def _log_recording(self, why: str) -> None:
        again = f" again, because {why}" if why else ""
        log.debug("%s (%s): recording%s", self.name, self._location(), again)

    def _location(self) -> Location | None:
        try:
            return definition(source_of(self._source))
        except NoSourceError:
            return None


class BoundGraphFunction:
    """A compiled function as a method: the instance is its first argument."""

    def __init__(self, function: GraphFunction, instance: Any):
        functools.update_wrapper(self, function)
        self._function = function
        self._instance = instance
        self.__self__ = instance
        self.__func__ = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(self._instance, *args, **kwargs)

    @property
    def converted(self) -> str:
        return self._function.converted

    def graph(self, *args: Any, **kwargs: Any) -> Module:
        return self._function.graph(self._instance, *args, **kwargs)

    def program(self, *args: Any, **kwargs: Any) -> Program:
        return self._function.program(self._instance, *args, **kwargs)


def source_of(function: Callable) -> Callable:
    """The Python function behind a compiled function, a method or a partial application; of a
    library's function one that calls it."""
    while True:
        if isinstance(function, GraphFunction):
            function = function._source
        elif isinstance(function, (types.MethodType, BoundGraphFunction)):
            function = function.__func__
        elif isinstance(function, functools.partial):
            function = function.func
        else:
            if is_library_function(function):
                return forwarding(function)
            # An instance whose class has a `__call__` written in Python.
            method = getattr(type(function), "__call__", None)  # noqa: B004
            return method if isinstance(method, types.FunctionType) else function


def to_graph(
    function: Callable | None = None, *, backend: str | None = None, unroll_limit: int = 256
) -> Any:
    """Compile a function of NumPy arrays and numbers, control flow and all.

    The function is converted when it is decorated and recorded when it is called with arguments of
    a new signature: the structure of the arguments, the dtypes and shapes of arrays, and the values
    of everything that is neither an array nor a number (Python bools included).

    Args:
        function: a function, lambda or method written in Python. Without it, a decorator is
            returned.
        backend: "numpy" or "cupy"; by default the arguments say it: CuPy arrays run on the GPU.
        unroll_limit: how many trips a loop may make that has to run as Python while recording.

    Returns:
        A `GraphFunction`: called like ``function``, with the properties and methods ``converted``,
        ``graph(*args)`` and ``program(*args)`` that show what was made of it.

    Raises:
        NoSourceError: there is no Python source to convert.
        GeneratorFunctionError, UnsupportedConstructError: the function contains what can't be
            converted.
    """
    if function is None:
        return functools.partial(to_graph, backend=backend, unroll_limit=unroll_limit)
    if isinstance(function, (staticmethod, classmethod)):
        inner = to_graph(function.__func__, backend=backend, unroll_limit=unroll_limit)
        return type(function)(inner)
    if isinstance(function, GraphFunction):
        return GraphFunction(
            function, backend=backend, unroll_limit=unroll_limit, source=function._source
        )
    if is_library_function(function):
        function = forwarding(function)
    definition(source_of(function))
    return GraphFunction(function, backend=backend, unroll_limit=unroll_limit)
