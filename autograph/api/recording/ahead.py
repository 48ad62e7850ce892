"""Compiling ahead of time: a function recorded for arguments of given types, then compiled.

`GraphFunction.lower` gives a `Lowered`, whose `Lowered.compile` gives an `Executable`, which takes
arguments of that signature and no others.
"""

from __future__ import annotations

import keyword
from collections.abc import Callable, Collection, Hashable
from os import PathLike
from types import ModuleType
from typing import Any

import numpy as np

from autograph.api.calls import bets
from autograph.api.calls.compiled import Compiled
from autograph.api.calls.quick import QuickCaller
from autograph.api.calls.signature import RecordedSignature, in_order
from autograph.api.calls.tracebacks import leaves_compiler
from autograph.api.pipeline import Compilation, optimized
from autograph.api.recording.symbolic import OpenShapes, likeness
from autograph.api.saving.writing import save
from autograph.backends.select import is_array
from autograph.codegen.program import Program
from autograph.collector import collector_waits
from autograph.errors import Location, OptionError, SignatureError
from autograph.graph.capabilities import Capabilities
from autograph.graph.graph import Module
from autograph.source.tree.options import PLAIN, ConversionOptions
from autograph.staging.border.endings import leaving
from autograph.staging.border.signature import CallParts, flatten_call
from autograph.staging.ground.recorder import active_recorder
from autograph.staging.trace import Traced
from ops.core.lazy import lazy
from ops.core.records import dataclass
from ops.core.symbolic_lengths import SymbolicLength, Symbols, example_of
from ops.core.types import type_of

# What a length with a name is taken to be where something has to be expected.
_EXPECTED = 1000


@dataclass(frozen=True)
class ShapeDtypeStruct:
    """The shape and dtype of an array, in place of one, for `GraphFunction.lower`; as in JAX.

    Args:
        shape: a tuple of ints. One without a length, ``()``, stands for a NumPy scalar. A text,
            such as ``"n"``, is a length that may be any from 2 on; where it stands twice, these
            lengths are the same.
        dtype: what NumPy takes for a dtype.

    Examples:
        >>> f = ag.to_graph(lambda x: np.sum(x, axis=0))
        >>> f.lower(ag.ShapeDtypeStruct((5, 2), "float64")).graph.main.output_types
        (ArrayType(dtype=dtype('float64'), shape=(2,), weak=False),)
        >>> compiled = f.lower(ag.ShapeDtypeStruct(("n", 2), "float64")).compile()
        >>> compiled(np.ones((3, 2))), compiled(np.ones((5, 2)))
        (array([3., 3.]), array([5., 5.]))
    """

    shape: tuple[int | str, ...]
    dtype: Any


def is_spec(leaf: Any) -> bool:
    """Whether a leaf is no array but tells the shape and dtype of one."""
    if is_array(leaf) or type_of(leaf) is not None or isinstance(leaf, type):
        return False
    return hasattr(leaf, "shape") and hasattr(leaf, "dtype")


class StandIns:
    """Arrays in place of specs.

    Attributes:
        symbols: of lengths that have names.
        shapes: those with symbols in them, by the positions of leaves.
    """

    def __init__(self) -> None:
        self.symbols = Symbols(chooses=False)
        self.shapes: dict[int, tuple[Any, ...]] = {}
        self._made: dict[str, SymbolicLength] = {}

    def of(self, position: int, spec: Any) -> Any:
        """An array of the shape and dtype of a spec, which takes no memory.

        Raises:
            OptionError: the shape is no tuple of lengths.
        """
        shape = tuple(spec.shape)
        if any(isinstance(length, str) for length in shape):
            self.shapes[position] = tuple(map(self._length, shape))
            shape = tuple(map(example_of, self.shapes[position]))
        return stand_in(shape, spec.dtype)

    def _length(self, length: Any) -> Any:
        if not isinstance(length, str):
            return length
        if not (length.isidentifier() and not keyword.iskeyword(length)):
            raise OptionError(
                f"a shape for 'lower' has {length!r} for the name of a length",
                id="AG0362",
                fix='name it as a variable, as in ShapeDtypeStruct(("n", 3), float)',
            )
        if length not in self._made:
            self._made[length] = self.symbols.new(length, _EXPECTED + len(self._made))
        return self._made[length]

    @property
    def open_shapes(self) -> OpenShapes | None:
        return OpenShapes(self.symbols, self.shapes) if self.shapes else None


def stand_in(shape: tuple[Any, ...], dtype: Any) -> Any:
    """An array of a shape and dtype, which takes no memory.

    Raises:
        OptionError: the shape is no tuple of lengths.
    """
    zero = np.zeros((), dtype)[()]
    for length in shape:
        if not (isinstance(length, (int, np.integer)) and length >= 0):
            raise OptionError(
                f"a shape for 'lower' has {length!r} for a length: {shape}",
                id="AG0362",
                fix="give each length as an int of 0 or more, or a name for one that may be any",
            )
    return np.broadcast_to(zero, shape) if shape else zero


@dataclass
class Lowered:
    """A function recorded for one signature; made by `GraphFunction.lower`.

    Attributes:
        name: of the function.
        function: the `GraphFunction` that it was made of.
        source: the user's function.
        traced: the recording.
        signature: of the arguments.
        backend: a module of `autograph.backends`.
        capabilities: of the machine.
        chosen: its name, if the user has chosen it.
        donated: the positions of the leaves whose memory the caller gives up.
        keywords: of the arguments, in their order.
        conversion: how functions were converted.
        seconds: that the recording took.
        open_shapes: the shapes of arguments with symbols in them, if there are any.
        likeness: what calls have in common with it, if there are.
        takes: takes calls apart where they are not just flattened.
        in_heaps: the names of the classes of objects of the caller that are in heaps.
    """

    name: str
    function: Callable
    source: Callable
    traced: Traced
    signature: RecordedSignature
    backend: ModuleType
    capabilities: Capabilities
    chosen: str | None = None
    donated: Collection[int] = ()
    keywords: tuple[str, ...] = ()
    fast_math: bool = False
    conversion: ConversionOptions = PLAIN
    seconds: float = 0.0
    open_shapes: OpenShapes | None = None
    likeness: Hashable = None
    takes: Callable[[tuple, dict[str, Any]], CallParts] | None = None
    in_heaps: tuple[str, ...] = ()

    @lazy
    def graph(self) -> Module:
        """The simplified graph; its ``str`` is the text."""
        return optimized(self.traced.module, self.compilation)

    @lazy
    def compilation(self) -> Compilation:
        """For what it is compiled."""
        inputs = self.signature.inputs
        return Compilation(
            self.backend,
            self.capabilities,
            self.traced.outside,
            [i for i, position in enumerate(inputs) if position in self.donated],
            self.fast_math,
        )

    @leaves_compiler
    def compile(self) -> Executable:
        """Generate and load the program.

        Raises:
            UnsupportedFunctionError: the backend lacks one of the operators.
            MissingLibraryError: the backend's array library is not installed.
        """
        compiled = self.compiled()
        compiled.native  # noqa: B018, native code is made now
        return Executable(self, compiled)

    @collector_waits()
    def compiled(self) -> Compiled:
        """What runs it."""
        signature = self.signature
        with leaving(self.location):
            return Compiled(
                self.traced,
                self.graph,
                self.compilation,
                signature.inputs,
                tuple(signature.statics.values()),
                self.open_shapes,
                (tuple(signature.fixed), signature.values),
            )

    def check(self, leaves: list[Any], structure: Any) -> None:
        """Check that a call is of the signature that it was recorded for.

        Raises:
            SignatureError: it is not.
        """
        signature, open_shapes = self.signature, self.open_shapes
        is_alike = open_shapes is not None and likeness(leaves, structure) == self.likeness
        if open_shapes is None or not is_alike or not signature.has_values(leaves):
            signature.check(self.name, self.source, leaves, structure)
        elif open_shapes.numbers(leaves) is None:
            raise SignatureError(
                f"'{self.name}' was compiled for arrays of other lengths: {open_shapes}",
                fix="call the function itself, which is compiled for these lengths, or lower it "
                "for them",
            )

    def save(self, path: str | PathLike) -> None:
        """Write it to a file for `autograph.load`; see `GraphFunction.save`."""
        self.require_apart()
        save(
            path,
            self.name,
            self.graph,
            self.traced,
            self.signature,
            backend=self.chosen,
            donated=self.donated,
            symbols=None if self.open_shapes is None else self.open_shapes.symbols,
        )

    def require_numbers(self) -> None:
        """Refuse lengths that are symbols.

        Raises:
            OptionError: there are some.
        """
        if self.open_shapes is not None:
            raise OptionError(
                f"'{self.name}' is to be exported for arrays of any length: {self.open_shapes}",
                id="AG0820",
                fix="give each length as a number, or save it for autograph.load, which knows such "
                "lengths",
            )

    def require_apart(self) -> None:
        """Refuse objects of the caller that are in heaps: what is no Python has no classes.

        Raises:
            OptionError: there are some.
        """
        if self.in_heaps:
            kinds = ", ".join(f"'{name}'" for name in self.in_heaps)
            raise OptionError(
                f"'{self.name}' is to be saved or exported, and takes any number of objects of the "
                f"class {kinds}, which only Python has",
                self.location,
                id="AG0587",
                fix="save or export a function of arrays of what the attributes of the objects "
                "are, or pickle this one, which is compiled where it is loaded",
            )

    @property
    def location(self) -> Location | None:
        return self.traced.module.main.location

    def __repr__(self) -> str:
        return f"<lowered {self.name}>"


class Executable(QuickCaller):
    """A function compiled ahead of time, for arguments of one signature.

    Raises (when it is called):
        SignatureError: the arguments are of another signature; or something outside that the
            function depends on has changed since.
    """

    def __init__(self, lowered: Lowered, compiled: Compiled):
        self.__name__ = lowered.name
        self._lowered = lowered
        self._compiled = compiled

    def _look_up(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        lowered, compiled = self._lowered, self._compiled
        if active_recorder() is not None:  # as part of another function, its program is another one
            return lowered.function(*args, **kwargs)
        ordered = in_order(kwargs, lowered.keywords)
        if list(ordered) != list(kwargs):
            return self(*args, **ordered)
        takes = CallParts if lowered.takes is None else lowered.takes
        call = takes(args, kwargs)
        leaves, structure = flatten_call(call)
        lowered.check(leaves, structure)
        if compiled.traced.knows_repeated and not lowered.signature.is_repeated(leaves):
            raise SignatureError(
                f"'{lowered.name}' changes arrays or tells them apart, and was not compiled for a "
                "call in which it is given one array by several names, or was compiled for just "
                "that",
                fix="pass a copy, or lower it with the same arguments",
            )
        if compiled.meets(leaves) or not compiled.is_valid():
            why = compiled.invalidated_by() or "a generator is also found outside"
            raise SignatureError(
                f"what '{lowered.name}' depends on outside is no longer what it was: {why}",
                fix="lower it again",
            )
        if call.given is None:  # of which quick calls know nothing
            self._try_first(compiled.record(call, leaves))
        with bets.misses_refused(compiled.program):
            return compiled.run(leaves, call)

    @property
    def graph(self) -> Module:
        """The simplified graph; its ``str`` is the text."""
        return self._compiled.module

    @property
    def program(self) -> Program:
        """The generated program; its ``str`` is the source."""
        return self._compiled.program

    def save(self, path: str | PathLike) -> None:
        """Write it to a file for `autograph.load`; see `GraphFunction.save`."""
        self._lowered.save(path)

    def __repr__(self) -> str:
        return f"<compiled {self.__name__}>"
