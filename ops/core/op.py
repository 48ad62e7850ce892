"""What each operator says of itself, whatever its derivative, and how a call of it finds its
implementation.

Operands are arrays and scalars, given by position; attributes are static, hashable, and given by
name. An operator's *code* is a template of the Python expression that computes it, with ``np`` for
the array library. A generated program contains that expression; calling the operator on ordinary
arrays evaluates the same expression. So an operator has one implementation for NumPy, for CuPy, for
eager calls and for compiled programs.
"""

from __future__ import annotations

import functools
import inspect
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import Any, Literal

import numpy

from ops.core.eager import array_module, eager_function, symbolic_operand
from ops.core.kernels import Element, Expansion, Fold, InnerLoops, Ordering, Scan
from ops.core.lazy import lazy
from ops.core.reads import Reads, Scattered
from ops.core.recording import active_recording
from ops.core.records import dataclass
from ops.core.symbolic_lengths import mentions_length
from ops.core.types import ArrayType, Type, UnknownLengthError, type_of

REGISTRY: dict[str, Op] = {}

ALL_OPERANDS = range(sys.maxsize)  # the positions of an operator's operands, however many there are

# What an operator does besides computing its result, see `Op`.
Effect = Literal["raises", "shows", "draws", "asks"]

# What low precision means for an operator, see `Op`.
Precision = Literal["low", "exact"]

Errors = tuple[type[BaseException], ...]


@dataclass(frozen=True)
class BatchRule:
    """A ``batch`` rule for several operators: ``rule(op, size, batched, args, **attrs)`` is given
    the one that it is declared for."""

    rule: Callable[..., Any]


class Op:
    """One operator.

    Args:
        name: the key in the registry and the name in printed graphs.
        infer: ``infer(*types, **attrs)`` gives the tuple of result types. It raises TypeError,
            ValueError or IndexError, as NumPy would, for operands that do not fit.
        code: the expression that computes the result: a format string with ``{0}``, ``{1}`` ... for
            the operands, ``{args}`` for all of them, ``{name}`` for an attribute; or a function
            ``code(args, types, attrs)`` of the operands' texts and types.
        helpers: functions the expression calls. They may use ``np`` and nothing else from outside.
        made_once: what the expression calls that programs make once, when they are loaded:
            ``made_once(types, attrs)`` gives a name for it and the expression that makes it, which
            may call helpers. ``code`` finds what to write for it as the attribute "made".
        effect: what the operator does besides computing its result, for which it must run, in
            order: it "raises" and does nothing else, "shows" something to whoever runs the program,
            "draws" numbers that others then do not draw, or "asks" for what differs each time.
        raises: it may raise at run time, so it must not run when the program would not have run it;
            where that depends, a function ``raises(types, attrs) -> bool``. See `may_raise`.
        errors: the classes of the exceptions that it then raises; by default it may be any. Where
            that depends, a function ``errors(types, attrs)``.
        conditions: when it raises which exception, as `ops.core.conditions` has it:
            ``conditions(*operands, **attrs)``. Without one, or where that gives None, nobody knows.
        texts: the attributes that are texts of the user's, which the code writes as literals. A
            saved file may hold any text for these, and only words for others.
        classes: the attributes that name a built-in class, which the code looks up, and for each
            the class that it has to be derived from.
        view: the result may share memory with the first operand; a function of types and attributes
            where these decide.
        unknown_lengths: ``infer`` and the code are right for arrays with lengths that only the run
            knows; ``infer`` refuses those that it has to know, see `ArrayType.known`. Other
            operators refuse all.
        hoped: of types and attributes, the attributes with a length that is mostly right where only
            the run knows it, or None. Where it is not the code raises an IndexError that is marked,
            see `autograph.api.calls.bets`, and functions are recorded again without.
        in_place: ``code`` that computes the result in the memory of the first operand. It is used
            where nobody needs that operand, or what shares memory with it, any more, and not for
            numbers.
        creates: it makes a new array from numbers, which is symbolic if a recording is active.
        backends: the names of the backends that have it.
        instead: what users are told to do where it is not there.
        prepare: turns what a user passes into operands and attributes, ``prepare(*args, **kwargs)
            -> (args, attrs)``, for operators whose attributes need normalising.
        by_length: the operands of which only the lengths count, not the elements.
        batch: how the operator is applied to many lanes at once, see `ops.core.batching`.
            Elementwise operators need none; for others without one there is a loop over the lanes.
        native: how the result is computed in kernels, in the scalar language of `ops.core.kernels`:
            element by element, as a reduction, as running totals, by other operators, or by calls
            of NumPy's loops.
        complex_kernel: how an element of the result is computed in kernels of the elements of the
            operands at the same place where one of these, or the result, is complex:
            ``complex_kernel(*operands, **attrs)`` of `ops.core.complex_scalars.ComplexScalar`. An
            operator that is linear and has ``native`` needs none: it is applied to the parts.
        complex_when: whether there is one for some attributes and known operands,
            ``complex_when(attrs, literals)``, with None for what is not known; None if for all.
        cost: of one element of the result, in additions. It decides what is computed again rather
            than stored, and what is worth a kernel.
        cheap: it takes hardly longer than reading its operands, so it is rather computed again
            than kept, and rather for all lanes than for some.
        slow: NumPy takes much longer for it than a kernel, by more than its cost tells; a function
            of types and attributes where these decide.
        aligned: an element of the result is made of those elements of the operands that are,
            broadcast, at the same place.
        keeps_shape: the result has the shape of the first operand.
        writable: what is written to the result, a view, is written to the operand, each element
            to a place of its own.
        put: where that is so for what NumPy gives, ``put(whole, part, *operands, **attrs)`` gives
            the first operand with another result put in; None where NumPy's view cannot be written
            to, as `read_only` says. An operator without may give a view or a copy.
        contiguous: a result of one axis is a new array, whose elements lie one after the other.
        collective: lanes meet in it, see `ops.control.collectives`: its result is the same for
            "all" of them, or one of its own for "each".
        variance: along which axes of a mesh the results vary, where that is not where one of the
            operands does: ``variance(axes, **attrs)``, given where they do.
        stands_for: for marks that transforms leave, which no program contains: the operand that
            takes the place of the result.
        updates: the result is the first operand with some elements changed.
        product: it is a product that takes many multiplications for each element.
        precision: how it is computed where numbers are of low precision, see
            `autograph.transforms.precision`: "low" if its results are rounded where its operands
            are; "exact" if they need not be, as what it does to numbers of few digits, like moving
            them, leaves no more digits. Products are computed low in any case, all others in full.
        reads: which elements of the operands an element of the results may depend on, for operators
            without ``native``, see `ops.core.reads`. By default it is all of them.
        doc: the docstring: shapes, dtypes, errors, source.
    """

    divides = False  # where Python raises, if a divisor is zero

    def __init__(
        self,
        name: str,
        infer: Callable[..., tuple[Type, ...]],
        code: str | Callable[[Sequence[str], Sequence[ArrayType], dict[str, Any]], str],
        *,
        helpers: Sequence[Callable] = (),
        made_once: Callable[[Sequence[ArrayType], dict[str, Any]], tuple[str, str]] | None = None,
        effect: Effect | None = None,
        raises: bool | Callable[[Sequence[ArrayType], dict[str, Any]], bool] = False,
        errors: Errors | Callable[[Sequence[ArrayType], dict[str, Any]], Errors] = (Exception,),
        conditions: Callable[..., Any] | None = None,
        texts: Sequence[str] = (),
        classes: Mapping[str, type] = MappingProxyType({}),
        view: bool | Callable[[Sequence[ArrayType], dict[str, Any]], bool] = False,
        unknown_lengths: bool = False,
        hoped: Callable[[Sequence[ArrayType], dict[str, Any]], dict[str, Any] | None] | None = None,
        in_place: str
        | Callable[[Sequence[str], Sequence[ArrayType], dict[str, Any]], str]
        | None = None,
        creates: bool = False,
        backends: Sequence[str] = ("numpy", "cupy"),
        instead: str = "compute this part with NumPy, outside the function",
        prepare: Callable[..., tuple[Sequence[Any], dict[str, Any]]] | None = None,
        by_length: Sequence[int] = (),
        batch: Callable[..., Any] | BatchRule | None = None,
        native: Element | Fold | Scan | Expansion | InnerLoops | Ordering | None = None,
        complex_kernel: Callable[..., Any] | None = None,
        complex_when: Callable[..., bool] | None = None,
        cost: float = 0.5,
        cheap: bool = False,
        slow: bool | Callable[[Sequence[ArrayType], dict[str, Any]], bool] = False,
        aligned: bool = False,
        keeps_shape: bool = False,
        writable: bool = False,
        put: Callable[..., Any] | None = None,
        contiguous: bool = False,
        collective: Literal["all", "each"] | None = None,
        variance: Callable[..., frozenset] | None = None,
        stands_for: int | None = None,
        updates: bool = False,
        product: bool = False,
        precision: Precision | None = None,
        reads: Reads | Scattered | None = None,
        doc: str = "",
    ):
        self._enlist(name)
        self.name = self.__name__ = self.__qualname__ = name
        self.rule = infer
        self.code = code
        self.helpers = tuple(helpers)
        self.made_once = made_once
        self.effect = effect
        self.raises = raises
        self.errors = errors
        self.conditions = conditions
        self.texts = tuple(texts)
        self.classes = classes
        self.view = view
        self.unknown_lengths = unknown_lengths
        self.hoped = hoped
        self.in_place = in_place
        self.creates = creates
        self.backends = tuple(backends)
        self.instead = instead
        self.prepare = prepare
        self.by_length = tuple(by_length)
        if isinstance(batch, BatchRule):
            batch = functools.partial(batch.rule, self)
        self.batch = batch
        self.element = native.compute if isinstance(native, Element) else None
        self.element_for = native.when if isinstance(native, Element) else None
        self.fold = native if isinstance(native, Fold) else None
        self.scan = native if isinstance(native, Scan) else None
        self.ordering = native if isinstance(native, Ordering) else None
        self.expansion = native.compute if isinstance(native, Expansion) else None
        self.inner_loops = native if isinstance(native, InnerLoops) else None
        self.complex_kernel = complex_kernel
        self.complex_when = complex_when
        self.cost = cost
        self.cheap = cheap
        self.slow = slow
        self.aligned = aligned
        self.keeps_shape = keeps_shape
        self.writable = writable
        self.put = put
        self.contiguous = contiguous
        self.collective = collective
        self.variance = variance
        self.stands_for = stands_for
        self.updates = updates
        self.product = product
        self.precision = precision
        self.reads = reads
        self.__doc__ = doc

    def _enlist(self, name: str) -> None:
        """Let it be found by its name."""
        if name in REGISTRY:
            raise ValueError(f"operator '{name}' is declared twice")
        REGISTRY[name] = self

    def __repr__(self) -> str:
        return f"<op {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _lookup, (self.name,)

    @property
    def __signature__(self) -> inspect.Signature:
        """What a caller passes, for ``help`` and whoever else inspects functions."""
        found = inspect.signature(self.rule if self.prepare is None else self.prepare)
        empty = inspect.Parameter.empty
        parameters = [p.replace(annotation=empty) for p in found.parameters.values()]
        return inspect.Signature(parameters)

    def __call__(self, *args: Any, **attrs: Any) -> Any:
        if self.prepare is not None:
            return self.apply(*self.prepare(*args, **attrs))
        least, most = self._counts
        if not least <= len(args) + len(attrs) <= most:
            takes = f"{least} argument" + "s" * (least != 1)
            raise TypeError(f"{self.name}() takes {takes}; given: {len(args) + len(attrs)}")
        return self.apply(args, attrs)

    @lazy
    def _counts(self) -> tuple[float, float]:
        """How many arguments it takes, at least and at most, operands and attributes."""
        parameters = [*inspect.signature(self).parameters.values()]
        if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters):
            return 0, math.inf
        return sum(p.default is p.empty for p in parameters), len(parameters)

    def apply(self, args: Sequence[Any], attrs: dict[str, Any]) -> Any:
        """Apply the operator to operands and attributes that are prepared."""
        handler = symbolic_operand(args)
        if handler is not None:
            return handler.__apply__(self, args, attrs)
        recording = active_recording()
        if recording is not None and (self.creates or mentions_length((args, attrs))):
            return recording.record(self, args, attrs)
        return self.evaluate(array_module(args), args, attrs)

    def evaluate(self, np: ModuleType, args: Sequence[Any], attrs: dict[str, Any]) -> Any:
        """Apply the operator to ordinary arrays of the library ``np``.

        Raises:
            NotImplementedError: it runs on NumPy only, and that is another library.
        """
        if np is not numpy and "cupy" not in self.backends:
            raise NotImplementedError(
                f"the operator '{self.name}' runs on NumPy's arrays only; {self.instead}"
            )
        types = tuple(type_of(arg) for arg in args) if callable(self.code) else (None,) * len(args)
        return eager_function(self, np, types, tuple(sorted(attrs.items())))(*args)

    def infer(self, *types: Type, **attrs: Any) -> tuple[Type, ...]:
        """The types of the results.

        Raises:
            UnknownLengthError: an operand has a length known only at run time, and the operator
                is not declared to take such.
            TypeError, ValueError, IndexError: the operands do not fit, as in NumPy.
        """
        if not self.unknown_lengths:
            for type in types:
                if isinstance(type, ArrayType) and not type.is_static:
                    raise UnknownLengthError(
                        f"'{self.name}' does not take an array of type {type}, with a "
                        "length known only at run time; use a loop with a known number of trips"
                    )
        return self.rule(*types, **attrs)

    def is_linear(self, positions: Sequence[int]) -> bool:
        """Whether it is linear in the operands at these positions, taken together, while the others
        are held; False where that is not known."""
        return False

    def may_raise(self, types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
        """Whether applied to operands of these types it may raise at run time."""
        return self.raises(types, attrs) if callable(self.raises) else self.raises

    def errors_of(self, types: Sequence[ArrayType], attrs: dict[str, Any]) -> Errors:
        """The classes of the exceptions that it may raise at run time, if it may."""
        return self.errors(types, attrs) if callable(self.errors) else self.errors

    def has_element(self, types: Sequence[ArrayType], attrs: dict[str, Any]) -> bool:
        """Whether `element` says how the result for operands of these types is computed."""
        if self.element is None or not all(isinstance(t, ArrayType) and t.is_static for t in types):
            return False
        return self.element_for is None or self.element_for(types, attrs)

    def has_inner_loops(self, types: Sequence[Type], attrs: dict[str, Any]) -> bool:
        """Whether `inner_loops` compute the result for operands of these types."""
        if self.inner_loops is None:
            return False
        if not all(isinstance(t, ArrayType) and t.is_static for t in types):
            return False
        return self.inner_loops.when(types, attrs)

    def expression(
        self,
        operands: Sequence[str],
        types: Sequence[ArrayType],
        attrs: dict[str, Any],
        in_place: bool = False,
        made: str = "",
    ) -> str:
        """The Python expression that applies the operator to operands given as text.

        Args:
            in_place: whether in the memory of the first, which the operator has to know.
            made: the name of what the program has made once; without one it is made each time.
        """
        code = self.in_place if in_place else self.code
        assert code is not None
        if self.made_once is not None:
            attrs = {**attrs, "made": made or self.made_once(types, attrs)[1]}
        if callable(code):
            return code(operands, types, attrs)
        return code.format(*operands, args=", ".join(operands), **attrs)


class Unlisted(Op):
    """An operator that no graph of a user's contains, and that is not found by its name."""

    def _enlist(self, name: str) -> None:
        pass


def read_only(whole: Any, part: Any, *operands: Any, **attrs: Any) -> None:
    """``put`` of operators that give views which NumPy does not let be written to."""


@dataclass(frozen=True, eq=False)
class Same:
    """A result of a ``batch`` rule that is the same in all lanes, and has no axis for them."""

    value: Any


def _lookup(name: str) -> Op:
    return REGISTRY[name]
