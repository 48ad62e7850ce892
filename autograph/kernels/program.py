"""Kernels in place of the functions of a program that say the same in NumPy's terms."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph import html
from autograph.errors import AutographError, PerformanceWarning
from autograph.graph.given import given_as_results
from autograph.graph.graph import Graph, Module, Value
from autograph.graph.lengths import symbol_places
from autograph.graph.unsigned import UnsignedInts, unsigned_ints
from autograph.kernels import cuda, effects
from autograph.kernels.by_python import generators, python_calls
from autograph.kernels.codes import Codes
from autograph.kernels.later import drawing_from, making
from autograph.kernels.native.entry import make
from autograph.kernels.native.loader import Code
from autograph.kernels.native.signature import (
    NEVER,
    Alias,
    Array,
    GrownArray,
    Into,
    KernelResult,
    KernelScalar,
    KernelSignature,
    LongFrom,
)
from autograph.kernels.stored import Noted, StoredKernel
from autograph.log import log
from autograph.settings import VERIFY
from autograph.signals import raised_by_handler
from ops.core.lazy import lazy
from ops.core.registry import Elementwise
from ops.core.types import ArrayType
from ops.random.numpy_streams import GivenGenerator

if TYPE_CHECKING:
    from autograph.kernels.ir import ir
    from autograph.kernels.selection.parts import Selection

# Where the verifier follows each pass, a kernel that cannot be compiled is an error.

_GAVE_UP = object()

_PLACE = KernelScalar(np.dtype("int64"), ("python",))  # of a generator

_LARGE = 1 << 14  # bytes of arrays, which are not copied at each call


class NativeFunction:
    """A kernel that stands for a function of a program.

    Args:
        name: of the function.
        graph: what the kernel is made from.
        selected: gives the selection that the kernel is one of.
        into: see `autograph.kernels.selection.parts.Selection`.
        fast_math: whether it may round products and sums together.
        stored: the kernel on disk, if it is there.
        noted: what is to be told how the kernel gets into memory, to be stored.
        shows: whether the kernel has effects, see `autograph.kernels.effects`.
        calls: whether it calls Python.
        draws: the generators from outside that it draws from.
    """

    def __init__(
        self,
        name: str,
        graph: Graph,
        selected: Callable[[], Selection],
        into: Mapping[int, int],
        fast_math: bool,
        stored: StoredKernel | None,
        noted: Noted | None,
        shows: bool,
        calls: bool,
        draws: Sequence[GivenGenerator],
    ):
        self.name = name
        self.graph = graph
        self.into = into
        self.fast_math = fast_math
        self._selected = selected
        self._stored = stored
        self._noted = noted
        self.shows = shows
        self.calls = calls
        self.draws = draws

    @lazy
    def kernel(self) -> ir.Kernel:
        """What is computed."""
        return self._contracted(self._with_generators(self._selected().kernels[self.name]))

    def transposed(
        self, positions: Collection[int]
    ) -> tuple[Graph, ir.Kernel, frozenset[int]] | None:
        """See `autograph.kernels.selection.parts.Selection`."""
        found = self._selected().transposed(self.name, positions)
        if found is None:
            return None
        return found[0], self._contracted(self._with_generators(found[1])), found[2]

    def _with_generators(self, kernel: ir.Kernel) -> ir.Kernel:
        """The kernel given where the generators are from which it draws."""
        if not self.draws:
            return kernel
        return making().given_generators(kernel, [handle.number for handle in self.draws])

    def _contracted(self, kernel: ir.Kernel) -> ir.Kernel:
        return making().contracted(kernel) if self.fast_math else kernel

    @property
    def text(self) -> str:
        """The kernel as LLVM IR, as it is compiled, but for its name."""
        return making().whole_text(self.kernel)

    @property
    def llvm(self) -> str:
        """The kernel as LLVM IR for reading, in which functions such as ``exp`` are calls."""
        return making().text_for_reading(self.kernel)

    @property
    def cuda(self) -> str:
        """The kernel as CUDA C, as it is where a GPU has the arguments, with a plan of its
        memory."""
        found = making().for_gpu(self.graph, self.name, self._selected().module.graphs)
        kernel = self.kernel if found is None else self._contracted(found)
        plan = cuda.print_cuda(cuda.with_device_numbers(kernel, self.graph))
        planned = "".join(f"// {line}\n" for line in cuda.described(plan).splitlines())
        return f"{plan.text}\n{planned}" if planned else plan.text

    def __str__(self) -> str:
        return self.llvm

    def load(self, plain: Callable[..., Any], codes: Codes) -> Callable[..., Any]:
        """The kernel as a function.

        Args:
            plain: computes the same. It is called where the kernel is not made for the arguments,
                and where it gives up.
            codes: the machine code of other kernels of the program, to which that of this one is
                added.
        """
        signature = _signature(self.graph, self.into, self.calls, len(self.draws))
        try:
            code, long_from = self._code(codes)
        except Exception as error:  # also a mistake of ours, which NumPy's program has not
            if signature.symbols or _is_told(error):
                raise
            why = f"{type(error).__name__}: {error}"
            warnings.warn(
                f"'{self.name}' runs without native code, which could not be made: {why}",
                PerformanceWarning,
                stacklevel=2,
            )
            return plain
        drawing = drawing_from(self.draws) if self.draws else None
        if drawing is not None:
            plain = _without_last(plain, len(self.draws))
        if drawing is not None and drawing.takes_turns:
            long_from = NEVER

        of_copies = make(self.name, code, signature, lambda *args: _GAVE_UP, long_from=long_from)

        tiers, told = code.tiers, False
        of_transposed = _OfTransposed(self, codes)
        restart = _together(
            effects.restart if self.shows else None, drawing.restart if drawing else None
        )
        only_numbers = _is_of_numbers(self.graph)

        def again(*args: Any) -> Any:
            if tiers is None or not tiers.is_due(code):
                return _GAVE_UP
            tiers.ask(code)
            restart()
            result = of_copies(*args)
            if result is not _GAVE_UP:
                tiers.was_repeated()
            return result

        def slow(*args: Any) -> Any:
            nonlocal told
            result = again(*args)
            if result is not _GAVE_UP:
                return result
            if not told:
                told = True
                log.debug("%s: NumPy computes what the kernel refuses or gives up", self.name)
            restart()
            if only_numbers:  # beyond 64 bits, maybe in each trip of a loop
                return plain(*args)
            result = of_transposed(args)
            if result is not _GAVE_UP:
                return result
            made = tuple(map(_contiguous, args))
            if any(a is not b for a, b in zip(made, args)):
                restart()
                result = of_copies(*made)
                result = again(*made) if result is _GAVE_UP else result
                if result is not _GAVE_UP:
                    return result
            restart()
            with np.errstate(all="ignore"):  # no more is heard of these than from the kernel
                return plain(*args)  # of the arguments themselves, since it may return one

        found = make(self.name, code, signature, slow, long_from=long_from)
        found = effects.repeatable(found) if self.shows else found
        return found if drawing is None else drawing.around(found)

    def _code(self, codes: Codes) -> tuple[Code, LongFrom]:
        """The code of the kernel, from the disk if it is there; and which calls take long."""
        stored = self._stored
        if stored is not None:
            own = stored.recipe.objects[0]
            optimised = lambda: Codes(codes.functions).optimised(self.kernel, own)
            found = codes.stored(stored.recipe, optimised)
            if found is not None:
                return found, stored.long_from
        code = codes.of(self.kernel, can_stop=not self.into)
        long_from = making().long_from(self.kernel)
        if self._noted is not None:
            self._noted.add(self.name, StoredKernel(code.recipe, long_from))
        return code, long_from


def _together(*functions: Callable[[], None] | None) -> Callable[[], None]:
    """What has a kernel begin again: nothing, if it has no effects."""
    found = [function for function in functions if function is not None]

    def restart() -> None:
        for function in found:
            function()

    return restart


def _without_last(function: Callable[..., Any], count: int) -> Callable[..., Any]:
    """A function that is given some arguments more, last, which another one does not take."""
    return lambda *args: function(*args[:-count])


def _is_told(error: Exception) -> bool:
    """Whether what was raised while machine code was made is for the user, although NumPy's program
    could compute the same."""
    return VERIFY or isinstance(error, AutographError | MemoryError) or raised_by_handler(error)


class _OfTransposed:
    """What a kernel computes, by one for arrays in Fortran order: their transposes are in C order.

    It is made when such large arrays have come twice, and copies nothing. Results that are in
    Fortran order there are so here.
    """

    def __init__(self, function: NativeFunction, codes: Codes):
        self._function, self._codes = function, codes
        self._met: set[tuple[int, ...]] = set()
        self._made: dict[tuple[int, ...], Callable[..., Any] | None] = {}

    def __call__(self, args: Sequence[Any]) -> Any:
        """The result; `_GAVE_UP` if there is no such kernel."""
        positions = tuple([i for i, x in enumerate(args) if _is_reversed(x)])
        if not positions:
            return _GAVE_UP
        if positions not in self._met:
            self._met.add(positions)
            return _GAVE_UP
        if positions not in self._made:
            self._made[positions] = self._new(positions)
        run = self._made[positions]
        if run is None:
            return _GAVE_UP
        return run(*[x.T if i in positions else _contiguous(x) for i, x in enumerate(args)])

    def _new(self, positions: Collection[int]) -> Callable[..., Any] | None:
        function = self._function
        found = None if function.into else function.transposed(positions)
        if found is None:
            return None
        graph, kernel, reversed_results = found
        try:
            code = self._codes.optimised(kernel)
        except Exception as error:
            if _is_told(error):
                raise
            return None
        run = make(
            function.name,
            code,
            _signature(graph, {}, function.calls, len(function.draws)),
            lambda *args: _GAVE_UP,
            long_from=making().long_from(kernel),
        )
        if not reversed_results:
            return run
        single = len(graph.outputs) == 1

        def with_reversed(*args: Any) -> Any:
            found = run(*args)
            if found is _GAVE_UP:
                return found
            if single:
                return found.T
            return tuple([x.T if i in reversed_results else x for i, x in enumerate(found)])

        return with_reversed


def _is_of_numbers(graph: Graph) -> bool:
    """Whether all that a graph does are operators of Python's on Python's numbers: there are no
    copies of arguments, and no warnings, which NumPy's own numbers have."""
    values = [*graph.inputs, *(v for node in graph.nodes for v in (*node.inputs, *node.outputs))]
    return all(
        isinstance(v.type, ArrayType) and v.type.weak and v.type.shape == () for v in values
    ) and all(isinstance(n.op, Elementwise) and n.op.python is not None for n in graph.nodes)


def _is_reversed(x: Any) -> bool:
    """Whether something is a large array in Fortran order, and not in C order."""
    large = type(x) is np.ndarray and x.nbytes >= _LARGE and x.ndim > 1
    return large and x.flags.fnc and x.flags.aligned


class Kernels(html.Shown, Mapping[str, NativeFunction]):
    """The native kernels of a compiled function, by the names of what they stand for in its
    program. ``str`` is their text.

    Attributes:
        language: ``"llvm"`` or ``"cuda"``.
    """

    def __init__(self, kernels: Mapping[str, NativeFunction], language: str):
        self._kernels = dict(kernels)
        self.language = language

    def __getitem__(self, name: str) -> NativeFunction:
        return self._kernels[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)

    def __str__(self) -> str:
        if not self._kernels:
            return f"{self._comment} no part of the function is a native kernel\n"
        return "\n".join(getattr(kernel, self.language) for kernel in self._kernels.values())

    def _repr_html_(self) -> str:
        return html.block(str(self), self._comment)

    @property
    def _comment(self) -> str:
        return "//" if self.language == "cuda" else ";"


def _signature(
    graph: Graph, into: Mapping[int, int], calls: bool, generators: int
) -> KernelSignature:
    """What a kernel takes and returns.

    Args:
        into: the results that are written to an argument, with the positions of these.
        calls: see `NativeFunction`.
        generators: how many it is given the places of.
    """
    ints = unsigned_ints(graph)
    results: list[KernelResult] = []
    for position, value in enumerate(graph.outputs):
        if position in into:
            results += [Into(into[position]), Alias(into[position])]
        elif ints is not None and ints.are_bits(value):
            results.append(_unsigned(value, ints))
        else:
            results.append(_result(value))
    as_results = given_as_results(graph, calls=calls)
    parameters = tuple(
        _unsigned(value, ints)
        if ints is not None and ints.are_bits(value)
        else _parameter(value, value in as_results)
        for value in graph.inputs
    )
    parameters += (_PLACE,) * generators
    single = len(graph.outputs) == 1
    return KernelSignature(parameters, tuple(results), single, symbol_places(graph))


def _unsigned(value: Value, ints: UnsignedInts) -> KernelScalar:
    """An int that is 64 bits without a sign in the kernel."""
    form = "bits" if value in ints.wrapped else "python"
    return KernelScalar(np.dtype("uint64"), (form,))


def _parameter(value: Value, may_be_result: bool) -> Array | KernelScalar:
    found = _described(value)
    if isinstance(found, KernelScalar) and found.forms == ("numpy",) and not may_be_result:
        return KernelScalar(found.dtype, ("numpy", "array"))
    return found


def _result(value: Value) -> KernelResult:
    type: ArrayType = value.type
    if not type.is_static:
        return GrownArray(type.dtype, type.shape)
    return _described(value)


def _described(value: Value) -> Array | KernelScalar:
    type: ArrayType = value.type
    if type.shape:
        return Array(type.dtype, type.known_shape)
    return KernelScalar(type.dtype, ("python",) if type.weak else ("numpy",))


def _contiguous(x: Any) -> Any:
    """An array in C order; anything else as it is."""
    if type(x) is np.ndarray and x.ndim and not (x.flags.c_contiguous and x.flags.aligned):
        return np.array(x, order="C")
    return x


def native_functions(
    names: Collection[str],
    module: Module,
    into: Mapping[int, int],
    selected: Callable[[], Selection],
    fast_math: bool,
    stored: Mapping[str, StoredKernel] = MappingProxyType({}),
    noted: Noted | None = None,
) -> dict[str, NativeFunction]:
    """The kernels of a program, by the names of the graphs that they stand for.

    Args:
        names: these names.
        module: the program.
        into, selected, fast_math, noted: see `NativeFunction`.
        stored: the kernels on disk, by name.
    """
    main = module.main
    graphs = {main.name: main, **module.graphs}
    called = {name: python_calls(graphs[name], module.graphs) for name in names}
    given = {main.name: into}
    return {
        name: NativeFunction(
            name,
            graphs[name],
            selected,
            given.get(name, MappingProxyType({})),
            fast_math,
            stored.get(name),
            noted,
            shows=any(not graph.outputs for graph in called[name].values()),
            calls=bool(called[name]),
            draws=generators(called[name]),
        )
        for name in names
    }
