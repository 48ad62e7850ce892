"""A generated program: its text, and the function that it defines."""

from __future__ import annotations

import ast
import functools
import itertools
import linecache
import re
import sys
import traceback
import weakref
from collections.abc import Callable, Collection, Mapping
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any

from autograph.codegen import checks
from autograph.codegen.constants import self_contained
from autograph.codegen.growth import Growth
from autograph.codegen.measuring import Meter, with_marks
from autograph.codegen.trampoline import RUN, TooDeep, as_generators, deep_name, run
from autograph.errors import AutographError, Location, NonFiniteError, RecursionDepthError
from autograph.html import Shown
from autograph.kernels.codes import Codes
from autograph.kernels.effects import once
from autograph.kernels.native.python_calls import receiver
from autograph.nonfinite import found_in
from ops.control.regions import pushed
from ops.control.rows import grown
from ops.core.lazy import lazy
from ops.core.memory import growth_limit
from ops.core.records import NamedTuple, dataclass
from ops.core.types import ArrayType
from ops.random.numpy_streams import GivenGenerator

_serial = itertools.count()


# Down to this limit, Python's frames fit the C stack of any thread, where they are on it.
_SAFE_RECURSION_LIMIT = 10_000


@dataclass(frozen=True)
class RecursionFacts:
    """How a program recurses.

    Attributes:
        functions: the names of the program's functions, without its helpers.
        recursive: those that call themselves, directly or through others, with two places in the
            user's source: of the function, and of a call by which it does.
        repeatable: whether nobody notices when the program is run again from the beginning.
    """

    functions: frozenset[str]
    recursive: dict[str, tuple[Location | None, Location | None]]
    repeatable: bool


def _is_numpy_outside(error: BaseException) -> bool:
    """Whether an exception says that an index is out of range."""
    text = str(error) if type(error) is IndexError else ""
    outside = r"index -?\d+ is out of bounds for axis \d+ with size \d+"
    return re.fullmatch(outside, text) is not None


class Source(NamedTuple):
    """What is written of a program.

    Attributes:
        text: the source. It needs the array library and, by name, its array constants.
        constants: the array constants, as given by the user.
        locations: the place in the user's source that a line of the text came from.
        generators: what it knows generators of random numbers by that are outside.
    """

    text: str
    constants: dict[str, Any]
    locations: dict[int, Location]
    generators: tuple[GivenGenerator, ...]


class CalledByKernels(NamedTuple):
    """A function of a program that kernels call.

    Attributes:
        name: of the function.
        types: of its arguments.
        results: of what it returns; nothing, if it has an effect.
    """

    name: str
    types: tuple[ArrayType, ...]
    results: tuple[ArrayType, ...]


class Program(Shown):
    """Python source generated from a graph. ``str`` of the program is the source with definitions
    of the array constants, and runs by itself.

    Attributes:
        name: the name of its main function.
        text, constants, locations: see `Source`. They are written when first asked for.
        kernels: native code for some of its functions, by their names: objects with a method
            ``load(plain, codes)``, to whose second argument each adds its machine code.
        filename: what tracebacks call the text. They show its lines.
        capturable: for a device, tells whether it may be a graph of CUDA's as a whole, see
            `autograph.kernels.cuda.capturable`.
        pieces: of its functions those that may each be a graph, where not all of it may, with what
            `autograph.kernels.pieces` knows of them.

    Args:
        write: writes the source, without functions of some names.
        backend: a module of `autograph.backends`; its library is imported when `function` is first
            used.
        recursion: how it recurses; None if it does not.
        keeps: whether its loops may keep something of each trip, so that its memory is watched.
        called: those of its functions that kernels call, by the names that kernels have for them.
    """

    def __init__(
        self,
        name: str,
        write: Callable[[Collection[str]], Source],
        backend: ModuleType,
        recursion: RecursionFacts | None,
        kernels: dict[str, Any],
        keeps: bool = False,
        called: Mapping[str, CalledByKernels] = MappingProxyType({}),
        pieces: Mapping[str, Any] = MappingProxyType({}),
    ):
        self.name = name
        self._called = called
        self._write = write
        self.backend = backend
        self.recursion = recursion
        self.kernels = kernels
        self.native_namespace: dict[str, Any] = {}
        self.capturable: Callable[[], Any] | None = None
        self.pieces = pieces
        self._growth = Growth() if keeps else None
        self._driver: Source | None = None  # what was written without what is native code
        self.filename = f"<autograph {name} {next(_serial)}>"

    def __str__(self) -> str:
        return self_contained(self.text, self.constants, self._source.generators)

    @lazy
    def _source(self) -> Source:
        return self._write(())

    @property
    def text(self) -> str:
        return self._source.text

    @property
    def constants(self) -> dict[str, Any]:
        return self._source.constants

    @property
    def locations(self) -> dict[int, Location]:
        return self._source.locations

    def location_of(self, error: BaseException) -> Location | None:
        """The place in the user's source whose code was running when ``error`` was raised."""
        found = None
        for frame, line in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_filename == self.filename:
                found = self.locations.get(line, found)
            elif self._driver is not None and frame.f_code.co_filename == self._driver_filename:
                found = self._driver.locations.get(line, found)
        return found

    @property
    def _driver_filename(self) -> str:
        return f"{self.filename[:-1]}, around kernels>"

    def annotate(self, error: BaseException) -> None:
        """Make ``error`` show that place: as a note, or as its cause before Python 3.11."""
        location = self.location_of(error)
        if location is None:
            return
        if location.outside is not None and _is_numpy_outside(error):
            error.args = (location.outside,)
        failed = AutographError("this line of the function failed", location, id="AG0601")
        if hasattr(error, "add_note"):
            error.add_note(str(failed))
        elif error.__cause__ is None:
            if not error.__suppress_context__:  # it is shown before the cause from now on
                failed.__context__ = error.__context__
            error.__cause__ = failed

    def too_deep(self, error: TooDeep) -> RecursionDepthError:
        """The same error for the user."""
        *_, (frame, _) = traceback.walk_tb(error.__traceback__)
        places = {deep_name(name): sites for name, sites in self.recursion.recursive.items()}
        function, site = places[frame.f_code.co_name]
        name = self.name if function is None else function.function
        return RecursionDepthError(
            f"the function '{name}' calls itself too deeply: {error}",
            site,
            fix="let each call come nearer to a case in which it does not call itself, or write a "
            "loop; AUTOGRAPH_RECURSION_DEPTH sets how many may wait",
        )

    @lazy
    def native(self) -> Callable[..., Any]:
        """The main function with kernels in place of functions; `function` if there are none."""
        if not self.kernels:
            return self.function
        whole = self.kernels.get(self.name)
        if whole is not None:  # what NumPy would do is written once the kernel gives up
            codes = self._codes(self.namespace) if self._called else Codes()
            return whole.load(lambda *inputs: self.function(*inputs), codes)
        if self.backend.host and self.recursion is None:
            # What NumPy would do in their place is written once one of them gives up.
            self._driver = self._write(self.kernels.keys())
            names = self.native_namespace = self._loaded(self._driver, self._driver_filename)
            codes = self._codes(names)
            for name, kernel in self.kernels.items():
                names[name] = kernel.load(self._written_later(name), codes)
            return self._watched(names[self.name])
        names = self.native_namespace = dict(self.namespace)
        codes = self._codes(names)
        for name, kernel in self.kernels.items():
            names[name] = kernel.load(self.namespace[name], codes)
        # The functions of the program once more, so that they find the kernels.
        for name, found in names.items():
            if isinstance(found, FunctionType) and found.__globals__ is self.namespace:
                names[name] = FunctionType(found.__code__, names, name, found.__defaults__)
        return self._watched(self._with_recursion(names[self.name], self._deep))

    def _codes(self, names: Mapping[str, Any]) -> Codes:
        """The machine code of the kernels, which call functions of the program.

        Args:
            names: the global variables of the program.
        """
        functions = {}
        for key, (name, types, results) in self._called.items():
            function = names[name] if results else names[name].__wrapped__
            functions[key] = receiver(types, results, function)
        return Codes(functions)

    def _written_later(self, name: str) -> Callable[..., Any]:
        """A function of the program, which is written when it is first called."""
        return lambda *inputs: self.namespace[name](*inputs)

    @lazy
    def namespace(self) -> dict[str, Any]:
        """The global variables of the program, loaded.

        Raises:
            ImportError: the backend's array library is not installed.
        """
        return self._loaded(self._source, self.filename)

    def _loaded(self, source: Source, filename: str) -> dict[str, Any]:
        """The global variables of what is written."""
        self.backend.module()
        namespace: dict[str, Any] = {
            name: data if isinstance(data, tuple) else self.backend.from_host(data)
            for name, data in source.constants.items()
        }
        namespace["__name__"] = filename
        lines = source.text.splitlines(keepends=True)
        linecache.cache[filename] = (len(source.text), None, lines, filename)
        exec(compile(source.text, filename, "exec"), namespace)
        helper = namespace.get(grown.__name__)
        if helper is not None and helper.__defaults__:  # what is printed knows no settings
            helper.__defaults__ = (growth_limit(),)
        helper = namespace.get(pushed.__name__)
        if helper is not None and helper.__defaults__ and self._growth is not None:
            helper.__defaults__ = (self._growth.step,)
        self._count_effects(namespace)
        plain = namespace[self.name]
        # Whoever holds the function may still see a traceback from it.
        weakref.finalize(plain, linecache.cache.pop, filename, None)
        return namespace

    def _count_effects(self, names: dict[str, Any]) -> None:
        """Let functions that kernels call have their effects once, whoever calls them again."""
        for called in self._called.values():
            if not called.results and called.name in names:
                names[called.name] = once(names[called.name])

    @lazy
    def function(self) -> Callable[..., Any]:
        """The main function, compiled.

        Raises:
            ImportError: the backend's array library is not installed.
        """
        return self._watched(self._with_recursion(self.namespace[self.name], self._deep))

    def checked(self, kinds: frozenset[str]) -> Callable[..., Any]:
        """The main function, without kernels, which raises where a line gives what is not finite.

        Args:
            kinds: see `autograph.nonfinite`.
        """
        names = dict(self.namespace)

        def check(value: Any, line: int) -> Any:
            found = found_in(value, kinds)
            if found is not None:
                raise NonFiniteError(
                    f"what this line gives {found}",
                    self.locations[line],
                    fix="look at what goes into the line, which may be so already; choose another "
                    "value with np.where, or a form that is defined there",
                )
            return value

        change = lambda tree: checks.with_checks(tree, self.locations)
        names[checks.CHECK] = check
        self._load(change(ast.parse(self.text)), names)
        deep = lambda: self._deep_in(names, change)
        return self._watched(self._with_recursion(names[self.name], deep))

    def measured(self, meter: Meter, native: bool) -> Callable[..., Any]:
        """The main function, which tells how long its lines take.

        Args:
            meter: is told.
            native: whether it runs with its kernels.
        """
        names = {**self.namespace, **meter.names}

        change = lambda tree: with_marks(tree, self.locations)
        self._load(change(ast.parse(self.text)), names)
        self._count_effects(names)
        codes = self._codes(names)
        for name, kernel in self.kernels.items() if native else ():
            names[name] = meter.kernel(name, kernel.load(names[name], codes))
        deep = lambda: self._deep_in(names, change)
        return self._watched(self._with_recursion(names[self.name], deep))

    def _watched(self, main: Callable[..., Any]) -> Callable[..., Any]:
        """A main function of which the memory is watched, if it keeps what may grow."""
        return main if self._growth is None else self._growth.of(main)

    def _with_recursion(
        self, plain: Callable[..., Any], deep: Callable[[], Callable[..., Any]]
    ) -> Callable[..., Any]:
        """A main function that falls back to the form for deep recursion, which ``deep`` gives,
        where it has to."""
        if self.recursion is None:
            return plain
        shallow = self.recursion.repeatable
        deep = functools.cache(deep)

        @functools.wraps(plain)
        def function(*inputs: Any) -> Any:
            nonlocal shallow
            if shallow and sys.getrecursionlimit() <= _SAFE_RECURSION_LIMIT:
                try:
                    return plain(*inputs)
                except RecursionError:
                    shallow = False
            return deep()(*inputs)

        return function

    def _deep(self) -> Callable[..., Any]:
        return self._deep_in(self.namespace, lambda tree: tree)

    def _deep_in(
        self, names: dict[str, Any], change: Callable[[ast.Module], ast.Module]
    ) -> Callable[..., Any]:
        """The main function in the form for deep recursion; see `autograph.codegen.trampoline`.

        Args:
            names: the global variables that it has.
            change: gives what is compiled in place of its tree.
        """
        assert self.recursion is not None
        tree = as_generators(self.text, self.recursion.functions, self.recursion.recursive)
        names[RUN] = run
        self._load(change(tree), names)
        return names[deep_name(self.name)]

    def _load(self, tree: ast.Module, names: dict[str, Any]) -> None:
        exec(compile(tree, self.filename, "exec"), names)
