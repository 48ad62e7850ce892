"""`to_graph`: from a Python function to a compiled one, once per signature of its arguments."""

from __future__ import annotations

import contextlib
import functools
import sys
import time
import types
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

from autograph import bets
from autograph.ahead import Lowered, Signature, is_spec, stand_in
from autograph.backends.select import backend_named, backend_of
from autograph.codegen.program import Program
from autograph.collector import collector_waits
from autograph.compiled import Compiled, Specialized, repeated
from autograph.errors import (
    AutographError,
    CompilerError,
    ConcreteValueError,
    Location,
    NoSourceError,
    OptionError,
    SaveError,
)
from autograph.graph.graph import Module
from autograph.kept import Kept, most_signatures
from autograph.log import log
from autograph.options import Selection, fixed_arguments, refuse_static_arrays
from autograph.quick_calls import QuickCaller
from autograph.source.forwarding import forwarding, is_library_function
from autograph.source.libraries import python_function
from autograph.source.load import convert, definition
from autograph.staging.constancy import stands_for_itself, static_key
from autograph.staging.effort import Effort
from autograph.staging.endings import leaving
from autograph.staging.first_trips import Apart, FirstTripApart
from autograph.staging.retracing import Summary, differences, summary
from autograph.staging.signature import (
    argument_names,
    call_key,
    flatten_call,
    is_bound,
    traced_type,
)
from autograph.staging.trace import trace
from autograph.staging.tracer import NeedsHandlers, SpecializeArguments
from autograph.tracebacks import leaves_compiler
from ops.registry import active_tracer
from ops.types import ArrayType

if TYPE_CHECKING:
    from autograph.explaining import Explanation
    from autograph.kernels.program import Kernels

# How many recordings a function remembers, to say why it is recorded again.
_REMEMBERED = 20


class GraphFunction(QuickCaller):
    """A function that is compiled when it is called; made by `to_graph` and by the transforms.

    Args:
        function: what is recorded. It is converted, unless it is a transform of ``source``.
        backend: "numpy", "cupy", or None: where the arguments are.
        unroll_limit: how many trips a loop may make that has to run as Python.
        recording_limit: how many operations may be recorded, see `autograph.staging.effort`.
        source: the user's function, if ``function`` is a transform of it.
        name: of the generated program; by default that of the function.
        static: the arguments whose values are part of the signature.
        donated: the arguments whose memory callers give up.
        fast_math: whether native code may round products and sums together.
    """

    def __init__(
        self,
        function: Callable,
        *,
        backend: str | None = None,
        unroll_limit: int = 256,
        recording_limit: int = 20_000,
        source: Callable | None = None,
        name: str | None = None,
        static: Selection | None = None,
        donated: Selection | None = None,
        fast_math: bool = False,
    ):
        functools.update_wrapper(self, function if source is None else source)
        self._function = function
        self._source = function if source is None else source
        self.name = name or getattr(self._source, "__name__", "function")
        self._backend = None if backend is None else backend_named(backend)
        self._unroll_limit = unroll_limit
        self._recording_limit = recording_limit
        self._fast_math = bool(fast_math)
        self._static = static
        self._donated = donated
        self._cache: Kept[Compiled | Specialized] = Kept()
        self._clipping: set[Hashable] = set()  # the keys for which slices reach past the ends
        self._recordings: list[Summary] = []  # what it was recorded for, for the log
        self._handling = False  # whether it was converted such that the program handles exceptions

    def _look_up(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        tracer = active_tracer()
        if tracer is not None:
            return self._recorded(tracer, args, kwargs)
        leaves, structure = flatten_call(args, kwargs)
        compiled = self._compiled(leaves, structure)
        self._try_first(compiled.record((args, kwargs), leaves))
        try:
            return compiled.run(leaves, (args, kwargs))
        except IndexError as error:
            if not compiled.traced.bets:
                raise
            compiled = self._without_bets(compiled, error, leaves, structure)
        return compiled.run(leaves, (args, kwargs))

    def _recorded(self, tracer: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        """What a call does while recording."""
        if self._static:
            args, kwargs = fixed_arguments(self._static, tracer, self.name, args, kwargs)
        if self._function is not self._source:
            return self._function(*args, **kwargs)
        return tracer.call(tracer.unbound(self._function), args, kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else BoundGraphFunction(self, instance)

    def __copy__(self) -> GraphFunction:
        return self  # as for a function

    def __deepcopy__(self, memo: dict[int, Any]) -> GraphFunction:
        return self

    def __reduce__(self) -> str:
        """Pickled as a function is: by the name under which its module has it."""
        found: Any = sys.modules.get(getattr(self, "__module__", None))
        qualname = getattr(self, "__qualname__", "")
        for part in qualname.split("."):
            found = getattr(found, part, None)
        if found is self:
            return qualname
        raise SaveError(
            f"'{self.name}' cannot be pickled: in its module it is not what '{qualname}' names",
            definition(source_of(self)),
            fix="pickle the function and compile it where it is loaded, or write it with "
            "save(path, *args)",
        )

    @property
    def options(self) -> dict[str, Any]:
        """The options it was made with, for a transform of it."""
        backend = None if self._backend is None else self._backend.name
        return {
            "backend": backend,
            "unroll_limit": self._unroll_limit,
            "recording_limit": self._recording_limit,
            "fast_math": self._fast_math,
        }

    def __repr__(self) -> str:
        if self._function is not self._source:  # a transform of it
            return f"<compiled {self.name}>"
        return f"<compiled {getattr(self._source, '__qualname__', self._source)}>"

    # -- what the compiler made -------------------------------------------------------------------

    @property
    def converted(self) -> str:
        """The converted source: the user's function with its control flow as `ops` calls; as it was
        last recorded, where that makes a difference."""
        return convert(source_of(self._source), self._handling).text

    @leaves_compiler
    def graph(self, *args: Any, **kwargs: Any) -> Module:
        """The simplified graph for these arguments; its ``str`` is the text."""
        return self._compile_for(args, kwargs).module

    @leaves_compiler
    def program(self, *args: Any, **kwargs: Any) -> Program:
        """The generated program for these arguments; its ``str`` is the source."""
        return self._compile_for(args, kwargs).program

    @leaves_compiler
    def kernels(self, *args: Any, **kwargs: Any) -> Kernels:
        """The native kernels for these arguments, by name; their ``str`` is the text: LLVM IR, or
        CUDA C for the backend "cupy"."""
        return self._compile_for(args, kwargs).native_kernels()

    # -- ahead of time ----------------------------------------------------------------------------

    @leaves_compiler
    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        """Record the function for arguments like these, without running it.

        Args:
            args, kwargs: arguments, or in place of an array anything with a ``shape`` and a
                ``dtype``, like `ShapeDtypeStruct`.

        Returns:
            A `Lowered`: its ``graph`` is the simplified graph, its ``compile()`` gives a function
            for arguments of this signature.

        Raises:
            ConcreteValueError: the value of an argument is needed of which only the dtype and shape
                are given.
        """
        leaves, structure = flatten_call(args, kwargs)
        specs = {i for i, leaf in enumerate(leaves) if is_spec(leaf)}
        with leaving(self._location()):
            leaves = [stand_in(leaf) if i in specs else leaf for i, leaf in enumerate(leaves)]
        lowered = self._record((), leaves, structure, specs=specs)
        if lowered.traced.changed:
            same = repeated(leaves, lowered.signature.inputs)
            if same:
                lowered = self._record((), leaves, structure, same=dict(same), specs=specs)
        lowered.keywords = tuple(kwargs)
        return lowered

    @leaves_compiler
    def save(self, path: str | PathLike, *args: Any, **kwargs: Any) -> None:
        """Write the function, compiled for arguments like these, to a file for `autograph.load`.

        The file holds the graph with its constants, and arrays from outside as they are now. What
        it looks like is described in docs/saved-graphs.md.

        Args:
            path: of the file; an existing one is replaced.
            args, kwargs: as for `lower`.

        Raises:
            SaveError: the function refers to something that a file cannot hold.
        """
        self.lower(*args, **kwargs).save(path)

    @leaves_compiler
    def explain(self, *args: Any, **kwargs: Any) -> Explanation:
        """What is made of the function for arguments like these: what is traced and what is static
        and why, what the graph depends on outside, the size of graph, constants and residuals.

        Args:
            args, kwargs: as for `lower`.

        Returns:
            An `autograph.explaining.Explanation`; its ``str`` is a report.
        """
        from autograph.explaining import explain

        return explain(self.lower(*args, **kwargs), self._cached())

    def _cached(self) -> list[Compiled]:
        """The compiled forms that calls may find."""
        return [found for found in self._cache.values() if isinstance(found, Compiled)]

    # -- compilation ------------------------------------------------------------------------------

    def _compile_for(self, args: tuple, kwargs: dict[str, Any]) -> Compiled:
        return self._compiled(*flatten_call(args, kwargs))

    def _compiled(self, leaves: list, structure: Any) -> Compiled:
        try:
            key = call_key(leaves, structure)
        except AutographError as error:
            error.location = error.location or self._location()
            raise
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
            why = "an object among the arguments is one that the function also finds outside"
            static = (*static, *found.traced.bound)
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
        if why:  # a quick call may be for what is compiled again now
            self._forget()
        lowered = self._record(static, leaves, structure, why, same, clips=base in self._clipping)
        if lowered.traced.bets and not bets.repeatable(lowered.traced, lowered.donated):
            with contextlib.suppress(AutographError):
                fixed = set(lowered.signature.fixed)
                lowered = self._record(fixed, leaves, structure, bets.MAY_MISS, same, clips=True)
        compiled = lowered.compiled()
        compiled.base = base
        recorded = lowered.signature.summary
        self._recordings.append(recorded)
        del self._recordings[:-_REMEMBERED]
        signature = ", ".join(f"{name}: {part.text}" for name, part in recorded.items())
        elapsed = 1e3 * (time.perf_counter() - start)
        log.info("%s: compiled for (%s) in %.1f ms", self.name, signature, elapsed)
        if lowered.signature.fixed:
            specialized = self._cache[base] = Specialized(tuple(lowered.signature.fixed))
            self._cache[specialized.key(base, leaves)] = compiled
        else:
            self._cache[base] = compiled
        # What goes is compiled again if it is needed.
        if self._cache.shrink(most_signatures(), self._is_tried):
            self._clipping = {key for key in self._clipping if key in self._cache}
        return compiled

    def _is_tried(self, found: Compiled | Specialized) -> bool:
        """Whether quick calls may be for it, of which the cache does not know."""
        return isinstance(found, Compiled) and found.is_tried(getattr(self, "_records", ()))

    def _without_bets(
        self, compiled: Compiled, error: IndexError, leaves: list, structure: Any
    ) -> Compiled:
        """What is compiled in place of what raised ``error``, maybe since a slice is not inside of
        its axis: with slices whose lengths only the run knows.

        Raises:
            OperandIndexError: it can't be had; Python may raise an IndexError as well.
            IndexError: it can't be run, and Python may raise ``error`` as well.
        """
        base, refusal = compiled.base, None
        if bets.repeatable(compiled.traced, compiled.donated):
            self._clipping.add(base)
            found = self._cache.get(base)
            static = set(found.positions) if isinstance(found, Specialized) else set()
            same = dict(compiled.repeated(leaves)) if compiled.traced.changed else {}
            try:
                return self._compile(base, static, leaves, structure, bets.MISSED, same)
            except AutographError as refused:
                self._clipping.discard(base)
                refusal = refused
        if not bets.is_miss(error) and refusal is None:
            raise error
        raise bets.missed(error, compiled.program.location_of(error), refusal) from None

    @collector_waits
    def _record(
        self,
        static: Iterable[int],
        leaves: list,
        structure: Any,
        why: str = "",
        same: Mapping[int, int] = {},
        specs: Collection[int] = (),
        clips: bool = False,
    ) -> Lowered:
        """Record the function for arguments with these leaves.

        Args:
            static, why, same: see `_compile`.
            specs: the positions of leaves that only stand for arrays.
            clips: see `autograph.staging.tracer.Tracer`.
        """
        names = argument_names(self._source, structure)
        location = self._location()
        fixed = dict.fromkeys(static, "its value was needed before")
        chosen = self._static.leaves(structure) if self._static else ()
        fixed.update(dict.fromkeys(chosen, "the options say that it is static"))
        refuse_static_arrays(chosen, leaves, names, location)
        why = why or differences(summary(names, leaves, fixed), self._recordings)
        effort = Effort(self._recording_limit)
        handling, refusal, earlier, apart = False, None, None, Apart()
        while True:
            self._log_recording(why)
            types_ = [None if i in fixed else traced_type(v) for i, v in enumerate(leaves)]
            bound = {i for i, leaf in enumerate(leaves) if i not in fixed and is_bound(leaf)}
            try:
                with leaving(location):
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
                        effort=effort,
                        clips=clips,
                        handling=handling,
                        apart=apart,
                        location=location,
                        earlier=earlier,
                    )
                if not traced.unsure:
                    break
                earlier, effort = traced.unsure, Effort(self._recording_limit)
                why = "that tells which of the objects that it returns it makes"
            except CompilerError:
                if refusal is None:
                    raise
                raise refusal from None
            except NeedsHandlers as needed:
                handling, refusal = True, needed.refusal
                why = f"the program has to handle exceptions: {refusal.location}"
            except FirstTripApart as needed:
                apart.grow(needed.loop)
                why = f"the first trip of the loop at {needed.loop} is recorded apart"
            except SpecializeArguments as needed:
                wanted = sorted(needed.positions)
                self._refuse_specs(specs.intersection(wanted) if specs else (), names, needed)
                fixed.update(dict.fromkeys(wanted, f"its value is needed at {needed.location}"))
                listed = ", ".join(f"'{names[i]}' ({leaves[i]})" for i in wanted)
                why = f"the value of {listed} is needed at {needed.location}: it becomes static"
        self._handling = handling
        fixed = dict(sorted(fixed.items()))
        signature = Signature(
            structure,
            names,
            call_key(leaves, structure),
            summary(names, leaves, fixed),
            tuple(i for i, t in enumerate(types_) if t is not None and i not in same),
            fixed,
            tuple(static_key(leaves[i]) for i in fixed),
            {i: leaves[i] for i in _kept(leaves, types_, bound)},
            tuple(same.items()),
        )
        backend = self._backend or backend_of((*leaves, *traced.outside.values()))
        return Lowered(
            self.name,
            self,
            self._source,
            traced,
            signature,
            backend,
            self.options["backend"],
            self._given_up(types_, structure),
            fast_math=self._fast_math,
        )

    def _given_up(self, types: Sequence[ArrayType | None], structure: Any) -> frozenset[int]:
        """The positions of the arrays whose memory the caller gives up."""
        chosen = self._donated.leaves(structure) if self._donated else ()
        return frozenset(i for i in chosen if types[i] is not None and types[i].shape)

    @staticmethod
    def _refuse_specs(
        wanted: Iterable[int], names: Sequence[str], needed: SpecializeArguments
    ) -> None:
        for position in wanted:
            raise ConcreteValueError(
                f"the value of '{names[position]}' is needed, but only its shape and dtype are "
                "given",
                needed.location,
                id="AG0611",
                fix="pass the value itself",
            )

    def _log_recording(self, why: str) -> None:
        again = f" again, because {why}" if why else ""
        log.debug("%s (%s): recording%s", self.name, self._location(), again)

    def _location(self) -> Location | None:
        try:
            return definition(source_of(self._source))
        except NoSourceError:
            return None


def _kept(
    leaves: Sequence[Any], types: Sequence[ArrayType | None], bound: Collection[int]
) -> list[int]:
    """The positions of static leaves that the graph may refer to."""
    return [
        i
        for i, leaf in enumerate(leaves)
        if types[i] is None and not (i in bound and stands_for_itself(leaf))
    ]


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

    def kernels(self, *args: Any, **kwargs: Any) -> Kernels:
        return self._function.kernels(self._instance, *args, **kwargs)

    def lower(self, *args: Any, **kwargs: Any) -> Lowered:
        return self._function.lower(self._instance, *args, **kwargs)

    def save(self, path: str | PathLike, *args: Any, **kwargs: Any) -> None:
        self._function.save(path, self._instance, *args, **kwargs)

    def explain(self, *args: Any, **kwargs: Any) -> Explanation:
        return self._function.explain(self._instance, *args, **kwargs)


class Wrapper:
    """Base of callables of ours, other than compiled ones, that stand for a function of the user's:
    ``wrapped``."""

    wrapped: Callable


def source_of(function: Callable) -> Callable:
    """The Python function behind a compiled function, a method or a partial application; of a
    library's function one that calls it."""
    while True:
        if isinstance(function, GraphFunction):
            function = function._source
        elif isinstance(function, Wrapper):
            function = function.wrapped
        elif isinstance(function, (types.MethodType, BoundGraphFunction)):
            function = function.__func__
        elif isinstance(function, functools.partial):
            function = function.func
        elif python_function(function) is not function:
            function = python_function(function)
        else:
            if is_library_function(function):
                return forwarding(function)
            # An instance whose class has a `__call__` written in Python.
            method = getattr(type(function), "__call__", None)  # noqa: B004
            return method if isinstance(method, types.FunctionType) else function


@leaves_compiler
def to_graph(
    function: Callable | None = None,
    *,
    backend: str | None = None,
    unroll_limit: int = 256,
    recording_limit: int = 20_000,
    static_argnums: int | Sequence[int] = (),
    static_argnames: str | Iterable[str] = (),
    donate_argnums: int | Sequence[int] = (),
    donate_argnames: str | Iterable[str] = (),
    fast_math: bool = False,
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
        recording_limit: how many operations may be recorded, such as those of the elements of a
            list of lists, one by one. The first fortieth of it is free for each line.
        static_argnums, static_argnames: the positions and names of arguments whose values are part
            of the signature, numbers too, as in JAX: the function is recorded for each value. They
            may be nested tuples, lists, dicts and objects of anything but arrays.
        donate_argnums, donate_argnames: the positions and names of arguments that callers give up:
            the program may change the arrays in them in place, where it would have made others.
            After a call they, and all arrays that share their memory, hold unspecified values.
            NumPy has no means to keep a caller from reading them. An array that is read-only or
            shares memory with another argument is copied instead.
        fast_math: whether native code may compute ``x * y + z`` with one rounding. It is off: then
            each operation is rounded as NumPy rounds it.

    Returns:
        A `GraphFunction`: called like ``function``, with the properties and methods ``converted``,
        ``graph(*args)``, ``program(*args)`` and ``explain(*args)`` that show what was made of it,
        ``lower(*args)`` that compiles ahead of time, and ``save(path, *args)``.

    Raises:
        NoSourceError: there is no Python source to convert.
        GeneratorFunctionError, UnsupportedConstructError: the function contains what can't be
            converted.
        OptionError: an option has a value that it cannot have, or names an argument that the
            function does not have.
    """
    options = {
        "backend": backend,
        "unroll_limit": unroll_limit,
        "recording_limit": recording_limit,
        "static_argnums": static_argnums,
        "static_argnames": static_argnames,
        "donate_argnums": donate_argnums,
        "donate_argnames": donate_argnames,
        "fast_math": fast_math,
    }
    if function is None:
        return functools.partial(to_graph, **options)
    if isinstance(function, (staticmethod, classmethod)):
        return type(function)(to_graph(function.__func__, **options))
    function = python_function(function)
    if is_library_function(function):
        function = forwarding(function)
    source = function._source if isinstance(function, GraphFunction) else None
    definition(source_of(function))
    static = Selection(function, "static", static_argnums, static_argnames)
    donated = Selection(function, "donate", donate_argnums, donate_argnames)
    if static.overlaps(donated):
        raise OptionError(
            "an argument is both static and donated",
            id="AG0609",
            fix="leave it out of one of the two: there is no memory to reuse in a static argument",
        )
    return GraphFunction(
        function,
        backend=backend,
        unroll_limit=unroll_limit,
        recording_limit=recording_limit,
        source=source,
        static=static or None,
        donated=donated or None,
        fast_math=fast_math,
    )
