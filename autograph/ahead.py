"""Compiling ahead of time: a function recorded for arguments of given types, then compiled.

`GraphFunction.lower` gives a `Lowered`, whose `Lowered.compile` gives an `Executable`, which takes
arguments of that signature and no others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from types import ModuleType
from typing import Any

import numpy as np

from autograph import bets
from autograph.backends.select import is_array
from autograph.codegen.program import Program
from autograph.collector import collector_waits
from autograph.compiled import Compiled, optimized, repeated
from autograph.errors import Location, OptionError, SignatureError
from autograph.graph.graph import Module
from autograph.quick_calls import QuickCaller
from autograph.staging.constancy import static_key
from autograph.staging.endings import leaving
from autograph.staging.retracing import Summary, differences, summary
from autograph.staging.signature import (
    CallStructure,
    argument_names,
    call_key,
    flatten_call,
)
from autograph.staging.trace import Traced
from autograph.tracebacks import leaves_compiler
from ops.lazy import lazy
from ops.registry import active_tracer
from ops.types import type_of


@dataclass(frozen=True)
class ShapeDtypeStruct:
    """The shape and dtype of an array, in place of one, for `GraphFunction.lower`; as in JAX.

    Args:
        shape: a tuple of ints. One without a length, ``()``, stands for a NumPy scalar.
        dtype: what NumPy takes for a dtype.
    """

    shape: tuple[int, ...]
    dtype: Any


def is_spec(leaf: Any) -> bool:
    """Whether a leaf is no array but tells the shape and dtype of one."""
    if is_array(leaf) or type_of(leaf) is not None or isinstance(leaf, type):
        return False
    return hasattr(leaf, "shape") and hasattr(leaf, "dtype")


def stand_in(spec: Any) -> Any:
    """An array of the shape and dtype of ``spec``, which takes no memory.

    Raises:
        OptionError: a shape is no tuple of lengths.
    """
    zero = np.zeros((), spec.dtype)[()]
    shape = tuple(spec.shape)
    for length in shape:
        if not (isinstance(length, (int, np.integer)) and length >= 0):
            raise OptionError(
                f"a shape for 'lower' has {length!r} for a length: {shape}",
                id="AG0362",
                fix="give each length as an int of 0 or more; a function is compiled for arrays of "
                "known shapes",
            )
    return np.broadcast_to(zero, shape) if shape else zero


def in_order(kwargs: dict[str, Any], keywords: Sequence[str]) -> dict[str, Any]:
    """Keyword arguments in the order of ``keywords``, if they have these."""
    return {k: kwargs[k] for k in keywords} if kwargs.keys() == {*keywords} else kwargs


@dataclass(frozen=True)
class Signature:
    """What a recording depends on of the arguments it was made for.

    Attributes:
        structure: of ``(args, kwargs)``.
        names: of their leaves.
        key: from `call_key`.
        summary: what it depends on of each leaf, in words.
        inputs: the positions of the leaves that are traced.
        fixed: the positions of leaves whose values count besides their types, with the reason.
        values: the keys of these.
        statics: the leaves that are not traced.
        repeated: the positions of arrays that are an earlier one, with that one's position.
    """

    structure: CallStructure
    names: list[str]
    key: Hashable
    summary: Summary
    inputs: tuple[int, ...]
    fixed: Mapping[int, str]
    values: tuple[Hashable, ...]
    statics: dict[int, Any]
    repeated: tuple[tuple[int, int], ...] = ()

    def check(
        self, name: str, source: Any, leaves: Sequence[Any], structure: CallStructure
    ) -> None:
        """Check that a call is of this signature.

        Args:
            name: of the function.
            source: the function, for the names of its parameters.
            leaves, structure: of the call's arguments.

        Raises:
            SignatureError: it is not.
        """
        if call_key(leaves, structure) == self.key:
            values = tuple(static_key(leaves[i]) for i in self.fixed)
            if values == self.values:
                return
        now = summary(argument_names(source, structure), leaves, self.fixed)
        raise SignatureError(
            f"'{name}' was compiled for other arguments: {differences(now, [self.summary])}",
            fix="call the function itself, which is compiled for each signature, or lower it again",
        )

    def is_repeated(self, leaves: Sequence[Any]) -> bool:
        """Whether of the arrays of a call just those are the same that were when it was
        recorded."""
        return repeated(leaves, sorted((*self.inputs, *dict(self.repeated)))) == self.repeated


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
        chosen: its name, if the user has chosen it.
        donated: the positions of the leaves whose memory the caller gives up.
        keywords: of the arguments, in their order.
    """

    name: str
    function: Callable
    source: Callable
    traced: Traced
    signature: Signature
    backend: ModuleType
    chosen: str | None = None
    donated: Collection[int] = ()
    keywords: tuple[str, ...] = ()
    fast_math: bool = False

    @lazy
    def graph(self) -> Module:
        """The simplified graph; its ``str`` is the text."""
        return optimized(self.traced)

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

    @collector_waits
    def compiled(self) -> Compiled:
        """What runs it."""
        signature = self.signature
        with leaving(self.location):
            return Compiled(
                self.traced,
                self.backend,
                signature.inputs,
                tuple(signature.statics.values()),
                module=self.graph,
                donated=self.donated,
                fast_math=self.fast_math,
            )

    def save(self, path: str | PathLike) -> None:
        """Write it to a file for `autograph.load`; see `GraphFunction.save`."""
        from autograph.saving.writing import save

        save(path, self)

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
        if active_tracer() is not None:  # as part of another function, its program is another one
            return lowered.function(*args, **kwargs)
        ordered = in_order(kwargs, lowered.keywords)
        if list(ordered) != list(kwargs):
            return self(*args, **ordered)
        leaves, structure = flatten_call(args, kwargs)
        lowered.signature.check(lowered.name, lowered.source, leaves, structure)
        if compiled.traced.changed and not lowered.signature.is_repeated(leaves):
            raise SignatureError(
                f"'{lowered.name}' changes arrays, and was not compiled for a call in which it is "
                "given one array by several names, or was compiled for just that",
                fix="pass a copy, or lower it with the same arguments",
            )
        if compiled.meets(leaves) or not compiled.is_valid():
            why = compiled.invalidated_by() or "a generator is also found outside"
            raise SignatureError(
                f"what '{lowered.name}' depends on outside is no longer what it was: {why}",
                fix="lower it again",
            )
        self._try_first(compiled.record((args, kwargs), leaves))
        with bets.misses_refused(compiled):
            return compiled.run(leaves, (args, kwargs))

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
