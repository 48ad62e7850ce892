"""`to_graph`: from a Python function to a compiled one, once per signature of its arguments."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Concatenate, overload

from autograph.api.calls.compiled import Compiled
from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.methods import BoundGraphFunction
from autograph.api.pickling import by_value, goes_by_name, is_named
from autograph.api.recording.ahead import Lowered, is_spec
from autograph.api.recording.cached import CachedFunction
from autograph.api.recording.options import ArgumentSelection
from autograph.api.recording.recorded import Options, source_of
from autograph.api.type_parameters import Object, P, Q, R
from autograph.backends.select import backend_named
from autograph.codegen.program import Program
from autograph.collector import collector_waits
from autograph.errors import OptionError, SaveError
from autograph.graph.graph import Module
from autograph.html import SourceText
from autograph.kernels.program import Kernels
from autograph.passes import Stages
from autograph.settings import DISABLED
from autograph.source.forwarding import forwarding, is_library_function
from autograph.source.load import definition, text_of
from autograph.source.tree.free import Lookup
from autograph.source.tree.libraries import python_function
from autograph.source.tree.shipped import made_with, texts_of
from autograph.staging.border.signature import CallParts, flatten_call

if TYPE_CHECKING:
    from autograph.api.explaining import Explanation
    from autograph.api.profiling import Profile


class GraphFunction(CachedFunction[P, R]):
    """A function that is compiled when it is called; made by `to_graph` and by the transforms.

    Args:
        function: what is recorded. It is converted, unless it is a transform of ``source``.
        backend: "numpy", "cupy", or None: where the arguments are.
        unroll_limit: how many trips a loop may make that has to run as Python.
        recording_limit: how many operations may be recorded, see `autograph.staging.ground.effort`.
        source: the user's function, if ``function`` is a transform of it.
        name: of the generated program; by default that of the function.
        static: the arguments whose values are part of the signature.
        donated: the arguments whose memory callers give up.
        fast_math: whether native code may round products and sums together.
        takes_lists: whether lists among the arguments may be taken as arrays, also of a transform.

    Attributes:
        made_by: what transform has made it, a function of a module, and of what: for pickling.
    """

    def __init__(
        self,
        function: Callable[P, R],
        *,
        backend: str | None = None,
        unroll_limit: int = 256,
        recording_limit: int = 20_000,
        source: Callable | None = None,
        name: str | None = None,
        static: ArgumentSelection | None = None,
        donated: ArgumentSelection | None = None,
        fast_math: bool = False,
        takes_lists: bool = False,
    ):
        source = function if source is None else source
        wrapped: Any = source
        functools.update_wrapper(self, wrapped)
        options = Options(
            None if backend is None else backend_named(backend),
            unroll_limit,
            recording_limit,
            bool(fast_math),
            static,
            donated,
        )
        own: Any = getattr(source, "__name__", "function")
        super().__init__(function, source, name or own, options, takes_lists)
        self.made_by: tuple[Callable[..., Any], tuple] | None = None

    @overload
    def __get__(self, instance: None, owner: type) -> GraphFunction[P, R]: ...

    @overload
    def __get__(
        self: GraphFunction[Concatenate[Object, Q], R],
        instance: Object,
        owner: type | None = None,
    ) -> BoundGraphFunction[Q, R]: ...

    @overload
    def __get__(self, instance: Any, owner: type | None = None) -> GraphFunction[P, R]: ...

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else BoundGraphFunction(self, instance)

    def __copy__(self) -> GraphFunction[P, R]:
        return self  # as for a function

    def __deepcopy__(self, memo: dict[int, Any]) -> GraphFunction[P, R]:
        return self

    @leaves_compiler
    def __reduce__(self) -> str | tuple:
        """See `autograph.api.pickling`."""
        valued, name = by_value(), str(getattr(self, "__qualname__", self.name))
        if goes_by_name(self, valued):
            return name
        made = self.made_by
        if made is None and self._is_plain():
            options = self._options
            made = _rebuilt, (self._function, self.options, options.static, options.donated)
        if made is not None:
            function = made[1][0]
            if valued:
                return made_with, (texts_of(function), *made)
            if not isinstance(function, types.FunctionType) or is_named(function):
                return made
        raise SaveError(
            f"'{self.name}' cannot be pickled: in its module it is not what '{name}' names",
            definition(source_of(self)),
            fix="pickle it with cloudpickle, or pickle the function and compile it where it is "
            "loaded, or write it with save(path, *args)",
        )

    def share(self, variables: Mapping[str, Lookup]) -> None:
        super().share(variables)
        if self.made_by is None:
            self._lists.take_objects()

    def _is_plain(self) -> bool:
        """Whether `to_graph` has made it."""
        return self._function is self._source or isinstance(self._function, GraphFunction)

    def made_of(self) -> tuple[Callable[..., Any], tuple[Any, ...]] | None:
        options = self._options
        if self.made_by is not None or not self._is_plain() or options.static or options.donated:
            return self.made_by
        return _remade, (self._function, *self.options.items())

    def __repr__(self) -> str:
        if self._function is not self._source:  # a transform of it
            return f"<compiled {self.name}>"
        return f"<compiled {getattr(self._source, '__qualname__', self._source)}>"

    # -- what the compiler made -------------------------------------------------------------------

    @property
    def converted(self) -> str:
        """The converted source: the user's function with its control flow as `ops` calls; as it was
        last recorded, where that makes a difference.

        Examples:
            >>> @ag.to_graph
            ... def f(x):
            ...     while x > 1.0:
            ...         x = x / 2
            ...     return x
            >>> print(f.converted, end="")
            def f(x):
                def test_0(x_0):
                    return x_0 > 1.0
                def body_0(x_0):
                    x_1 = x_0 / 2
                    return (x_1,)
                (x_2,) = ops.while_loop(test_0, body_0, (x,), names=('x',))
                return x_2
        """
        return SourceText(text_of(source_of(self._source), self._conversion))

    @leaves_compiler
    def graph(self, *args: P.args, **kwargs: P.kwargs) -> Module:
        """The simplified graph for these arguments; its ``str`` is the text.

        Here, for `program`, and for `kernels`, a `ShapeDtypeStruct` may stand for an array.

        Examples:
            >>> f = ag.to_graph(lambda x: np.sum(x * x) + 1.0)
            >>> print(f.graph(np.ones(3)))
            graph <lambda>(x: f64[3]) -> f64[]
                t0: f64[3] = multiply(x, x)
                t1: f64[] = sum(t0, axis=None, dtype=None, keepdims=False)
                t2: f64[] = add(t1, 1.0)
                return t2
        """
        return self._made_for(args, kwargs).module

    @leaves_compiler
    def program(self, *args: P.args, **kwargs: P.kwargs) -> Program:
        """The generated program for these arguments; its ``str`` is the source.

        Examples:
            >>> f = ag.to_graph(lambda x: np.sum(x * x) + 1.0)
            >>> program = f.program(np.ones(3))
            >>> "np.sum(x * x) + 1.0" in str(program)
            True
        """
        return self._made_for(args, kwargs).program

    @leaves_compiler
    def kernels(self, *args: P.args, **kwargs: P.kwargs) -> Kernels:
        """The native kernels for these arguments, by name; their ``str`` is the text: LLVM IR, or
        CUDA C for the backend "cupy".

        Examples:
            >>> f = ag.to_graph(lambda x: np.sum(x * x) + 1.0)
            >>> kernels = f.kernels(np.ones(3))
            >>> list(kernels)  # where there is native code
            ['lambda_1']
        """
        return self._made_for(args, kwargs).native_kernels()

    def _made_for(self, args: tuple, kwargs: dict[str, Any]) -> Compiled:
        """What is compiled for a call, or for shapes and dtypes in the place of its arrays."""
        leaves, _ = flatten_call(CallParts(args, kwargs))
        if any(map(is_spec, leaves)):
            return self.lower(*args, **kwargs).compiled()
        return self._compile_for(args, kwargs)

    @leaves_compiler
    def stages(self, *args: P.args, **kwargs: P.kwargs) -> Stages:
        """What each pass of the compiler makes of the function for arguments like these.

        It is recorded and compiled for that once more. Functions that it calls are stages of the
        graph only.

        Args:
            args, kwargs: as for `lower`.

        Returns:
            A mapping from the names of the passes, in order, to stages: each has ``before`` and
            ``after``, whose ``str`` are texts, ``changed``, and ``seconds``. Its ``str`` is a list,
            that of a stage shows both texts.

        Examples:
            >>> f = ag.to_graph(lambda x: x * 1.0 + 0)
            >>> stages = f.stages(np.ones(2))
            >>> [name for name, stage in stages.items() if stage.changed][:4]
            ['record', 'simplify', 'kernels', 'generate']
        """
        from autograph.api.stages import stages_of  # few ask for it

        return stages_of(self.lower(*args, **kwargs))

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

        Examples:
            >>> f = ag.to_graph(lambda x: x + np.sum(x))
            >>> lowered = f.lower(ag.ShapeDtypeStruct((3,), np.float32))
            >>> lowered.compile()(np.ones(3, np.float32))
            array([4., 4., 4.], dtype=float32)
        """
        from autograph.api.recording.forms_ahead import lowered_for  # few need it

        return lowered_for(self, args, kwargs, as_calls=True)

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

        Examples:
            >>> import os, tempfile
            >>> f = ag.to_graph(lambda x: x * x)
            >>> path = os.path.join(tempfile.mkdtemp(), "square.ag")
            >>> f.save(path, 3.0)
            >>> ag.load(path)(5.0)
            25.0
        """
        from autograph.api.recording.forms_ahead import lowered_apart  # few need it

        lowered_apart(self, args, kwargs).save(path)

    @leaves_compiler
    def explain(self, *args: Any, **kwargs: Any) -> Explanation:
        """What is made of the function for arguments like these: what is traced and what is static
        and why, what the graph depends on outside, the size of graph, constants and residuals,
        what native kernels do, and which lines are no part of one, why, and what would change it.

        It is recorded for that once more, and not run.

        Args:
            args, kwargs: as for `lower`.

        Returns:
            An `autograph.api.explaining.Explanation`; its ``str`` is a report, and notebooks show
            it as tables.

        Examples:
            >>> f = ag.to_graph(lambda x, n: np.sort(np.sin(x) * 2.0 + 0j).reshape(n, -1))
            >>> report = f.explain(np.ones(6), 2)
            >>> [(argument.name, argument.traced) for argument in report.arguments]
            [('x', True), ('n', False)]
            >>> {part.reason for part in report.plain if "sort" in part.operators}
            {'operator'}
        """
        from autograph.api.explaining import explain  # which takes long to import, and few need

        return explain(lambda: self.lower(*args, **kwargs), self.compiled_forms())

    @leaves_compiler
    def profile(self, *args: Any, repeat: int = 1, **kwargs: Any) -> Profile:
        """Run the function, and tell how long each line of its source and each kernel takes.

        It runs as a program with marks between the lines, which computes the same, with the same
        kernels. What the function prints, raises and changes happens at each run.

        Args:
            args, kwargs: as for a call.
            repeat: how often it is run; the times are those of all runs together.

        Returns:
            An `autograph.api.profiling.Profile`: its ``rows`` are lines and kernels, the slowest
            first, its times are in seconds, its ``str`` is a table, and ``result`` what the last
            run has returned. Notebooks show it with bars, ``save(path)`` writes that to a file.

        Raises:
            OptionError: ``repeat`` is no int of 1 or more.

        Examples:
            >>> f = ag.to_graph(lambda x: np.sum(np.abs(np.linalg.eigvals(np.sin(x) + 0j))))
            >>> report = f.profile(np.ones((40, 40)), repeat=10)
            >>> float(report.result.round(2))
            33.66
            >>> slowest = report.rows[0]
            >>> slowest.kind, slowest.count, slowest.share > 0.5
            ('line', 10, True)
        """
        from autograph.api.profiling import profile  # as above

        return profile(self, args, kwargs, repeat)


def _rebuilt(
    function: Callable,
    options: dict[str, Any],
    static: ArgumentSelection | None,
    donated: ArgumentSelection | None,
) -> GraphFunction:
    """A compiled function that was pickled."""
    source = function._source if isinstance(function, GraphFunction) else None
    return GraphFunction(function, source=source, static=static, donated=donated, **options)


def _remade(function: Callable, *options: tuple[str, Any]) -> GraphFunction:
    """A compiled function like another one."""
    return _rebuilt(function, dict(options), None, None)


@overload
def to_graph(
    function: None = None,
    *,
    backend: str | None = None,
    unroll_limit: int = 256,
    recording_limit: int = 20_000,
    static_argnums: int | Sequence[int] = (),
    static_argnames: str | Iterable[str] = (),
    donate_argnums: int | Sequence[int] = (),
    donate_argnames: str | Iterable[str] = (),
    fast_math: bool = False,
) -> Callable[[Callable[P, R]], GraphFunction[P, R]]: ...


@overload
def to_graph(
    function: Callable[P, R],
    *,
    backend: str | None = None,
    unroll_limit: int = 256,
    recording_limit: int = 20_000,
    static_argnums: int | Sequence[int] = (),
    static_argnames: str | Iterable[str] = (),
    donate_argnums: int | Sequence[int] = (),
    donate_argnames: str | Iterable[str] = (),
    fast_math: bool = False,
) -> GraphFunction[P, R]: ...


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
        ``graph(*args)``, ``program(*args)``, ``stages(*args)``, ``explain(*args)`` and
        ``profile(*args)`` that show what was made of it, ``lower(*args)`` that compiles ahead of
        time, and ``save(path, *args)``.

    Raises:
        NoSourceError: there is no Python source to convert.
        GeneratorFunctionError, UnsupportedConstructError: the function contains what can't be
            converted.
        OptionError: an option has a value that it cannot have, or names an argument that the
            function does not have.

    Examples:
        >>> @ag.to_graph
        ... def halvings(x):
        ...     count = 0
        ...     while x > 1.0:
        ...         x, count = x / 2, count + 1
        ...     return count
        >>> halvings(100.0)
        7
    """
    options: dict[str, Any] = {
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
    if not DISABLED:
        with collector_waits():
            definition(source_of(function))
    static = ArgumentSelection(function, "static", static_argnums, static_argnames)
    donated = ArgumentSelection(function, "donate", donate_argnums, donate_argnames)
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
