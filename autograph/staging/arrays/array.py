"""The symbolic array: what a converted function computes with while its graph is recorded.

A `GraphArray` behaves like the NumPy array (or Python number) it stands for. It is a *box* that
holds the graph value it currently stands for, see `autograph.staging.arrays.box`.
"""

from __future__ import annotations

import functools
import opcode
import operator
import sys
import types
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

import ops
from autograph.errors import (
    ConcreteValueError,
    MutationError,
    OperandShapeError,
    OperandTypeError,
    OperandValueError,
)
from autograph.graph.graph import Constant, Value
from autograph.staging.arrays.attributes import attribute
from autograph.staging.arrays.box import Box
from autograph.staging.arrays.known import known
from autograph.staging.arrays.views import MaybeShared, UncertainArray, View
from autograph.staging.ground.errors import user_location
from autograph.staging.ground.examples import example
from autograph.staging.ground.ownership import is_user_class
from autograph.staging.ground.recorder import recorder
from autograph.staging.ground.restarts import NeedsComparisons, NeedsTuples
from autograph.staging.ground.sparse_kinds import fix_in, is_of_scipy
from ops.core.lengths import RunLength, symbolic
from ops.core.numpy_table import FUNCTIONS
from ops.core.operands import Symbolic
from ops.core.registry import Op
from ops.core.symbolic_lengths import is_length, is_symbolic
from ops.core.types import ArrayType, may_agree, type_of
from ops.names.operators import Operators
from ops.structure.reshaping import count

_Error = TypeVar("_Error", bound=Exception)


class GraphArray(Box, Operators, Symbolic):
    """An array, or a Python or NumPy number, that is known only by its type while recording."""

    __slots__ = ("is_array", "is_carried", "is_made")
    apply_priority = 1

    def __init__(self, value: Value, view: View | MaybeShared | UncertainArray | None = None):
        super().__init__(value, view)
        # Of no dimensions: an array, which can change, rather than a number, which cannot?
        self.is_array = False
        # Is it a new object in NumPy as well, which no name from outside can be of?
        self.is_made = False
        # Is it given to each trip of a loop, or each call of a named graph? Then only the run knows
        # whether it is the same object as another one.
        self.is_carried = False

    @property
    def type(self) -> ArrayType:
        return self._value.type

    def contents(self) -> Any:
        value = self.value
        if isinstance(value, Constant) and not recorder().outside.is_captured(value):
            return value.data
        return None

    def as_length(self) -> Any:
        if self.ndim or self.dtype.kind not in "iu":
            return self.__index__()
        if isinstance(self.value, Constant) and self.value.is_scalar:
            return operator.index(self.value.data)
        found = known(self.value, recorder().outside.is_captured)
        if found is not None:
            return operator.index(found)
        length = symbolic(self.value)
        if length is not None:
            return length
        recorder().inputs.demand(self.value)
        return self

    # -- recording --------------------------------------------------------------------------------

    def __apply__(self, op: Op, args: Sequence[Any], attrs: dict[str, Any]) -> Any:
        return recorder().record(op, args, attrs)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return recorder().apply_ufunc(ufunc, method, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: tuple, kwargs: dict) -> Any:
        return recorder().apply_function(function, args, kwargs)

    def __array_namespace__(self, *, api_version: str | None = None) -> types.ModuleType:
        """The functions of the Python array API standard for this array.

        Raises:
            ValueError: they are not there in the version asked for.
        """
        if api_version is not None and api_version > ops.__array_api_version__:
            raise ValueError(f"version '{api_version}' of the array API standard is not supported")
        return recorder().array_namespace()

    # -- NumPy's attributes and methods -----------------------------------------------------------

    @property
    def shape(self) -> tuple[Any, ...]:
        """Symbolic ints for lengths known only at run time. See `type` for None in their place."""
        return tuple(map(symbolic_int, ops.lengths_of(self)))

    @shape.setter
    def shape(self, shape: Any) -> None:
        recorder().assign_shape(self, shape)

    @property
    def size(self) -> Any:
        return symbolic_int(count(ops.lengths_of(self)))

    @property
    def nbytes(self) -> Any:
        return self.size * self.type.dtype.itemsize

    @property
    def T(self) -> GraphArray:
        return ops.transpose(self)

    @property
    def _is_python_bool(self) -> bool:
        """Whether it is an int, too."""
        return self.type.weak and self.dtype.kind == "b"

    @property
    def real(self) -> GraphArray:
        if self.dtype.kind == "c":
            return ops.real(self)
        return ops.positive(self) if self._is_python_bool else self

    @property
    def imag(self) -> GraphArray:
        if self.dtype.kind == "c" or not self.ndim:
            return ops.imag(self)
        return ops.zeros_like(self)

    def conjugate(self) -> GraphArray:
        if self.dtype.kind != "c":
            return ops.positive(self) if self._is_python_bool else self
        return ops.cast(ops.conjugate(self), dtype=self.dtype.name, weak=self.type.weak)

    @property
    def flat(self) -> GraphArray:
        return attribute(self, "flat")

    @flat.setter
    def flat(self, value: Any) -> None:
        self.flat[:] = value

    def fill(self, value: Any) -> None:
        self[...] = value

    def sort(
        self, axis: int = -1, kind: Any = None, order: Any = None, *, stable: Any = None
    ) -> None:
        self[...] = FUNCTIONS[np.sort](self, operator.index(axis), kind, order, stable)

    def partition(
        self, kth: Any, axis: int = -1, kind: str = "introselect", order: Any = None
    ) -> None:
        self[...] = ops.partition(self, kth, operator.index(axis), kind, order)

    def __getattr__(self, name: str) -> Any:
        return attribute(self, name)

    def __copy__(self) -> GraphArray:
        if not self.ndim and not self.is_array:
            return self
        result = ops.copy(self)
        result.is_array = self.is_array
        return result

    def __deepcopy__(self, memo: dict) -> GraphArray:
        return self.__copy__()

    def __len__(self) -> int:
        if not self.ndim:
            raise self._no_elements("object of type '{}' has no len()", "len() of unsized object")
        return operator.index(self.shape[0])

    def __iter__(self) -> Iterator[GraphArray]:
        if not self.ndim:
            raise self._no_elements("'{}' object is not iterable", "iteration over a 0-d array")
        limit, rows = recorder().unroll_limit, len(self)
        if rows > limit:
            raise located_error(
                ConcreteValueError,
                f"Python iterates over a traced array of {rows} rows here, "
                f"more than unroll_limit ({limit})",
                id="AG0309",
                fix="loop over it with a `for` statement, which becomes a graph loop",
            )
        return (self[i] for i in range(rows))

    def __getitem__(self, index: Any) -> GraphArray:
        if self.type.weak:
            raise self._no_elements("'{}' object is not subscriptable")
        return recorder().read(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if self.type.weak:
            raise self._no_elements("'{}' object does not support item assignment")
        producer = self._value.producer
        if not (self.ndim or self.is_array) and producer is not None and producer.op is ops.getitem:
            message = f"'numpy.{self.dtype}' object does not support item assignment"
            fix = "assign to the array that it was taken from, or index it with an Ellipsis too"
            raise located_error(OperandTypeError, message, fix=fix)
        recorder().assign(self, index, value)

    def _no_elements(self, of_number: str, of_array: str = "") -> Exception:
        """The error for a scalar that is used as if it had elements."""
        message = of_number.format(self.type.scalar.__name__) if self.type.weak else of_array
        return located_error(OperandTypeError, message, fix="pass an array or a list")

    # -- where Python needs a concrete value ------------------------------------------------------

    def __delitem__(self, index: Any) -> None:
        raise located_error(
            OperandValueError,
            "cannot delete array elements",
            fix="use np.delete, which makes a new array",
        )

    def __bool__(self) -> bool:
        is_of_elements = _is_doing(sys._getframe(1), _COMPARISON)
        return self._concrete(
            bool,
            "AG0301",
            "the truth of a traced value is needed here, in code that is not converted",
            "decide with np.where, or move the code into a function that is converted",
            is_of_elements=is_of_elements,
        )

    def __index__(self) -> int:
        return self._index(_is_doing(sys._getframe(1), _SUBSCRIPT))

    def as_place(self) -> int:
        """The plain number, for an element of a container of Python's own."""
        return self._index(True)

    def _index(self, is_place: bool) -> int:
        fix = "pass the integer as an argument of its own, or compute it from shapes"
        if is_place:
            fix = "index an array: np.array(...)[i], or decide with 'if' for each index"
        return self._concrete(
            int,
            "AG0302",
            "a plain integer is needed here, but the value is known only at run time",
            fix,
        )

    def __int__(self) -> int:
        return self.__index__()

    def __float__(self) -> float:
        return self._concrete(
            float,
            "AG0303",
            "a plain float is needed here, but the value is known only at run time",
            "use a NumPy function in place of the one that takes Python floats only",
        )

    def __hash__(self) -> int:
        """For a key of the user's; what the compiler knows of arrays is kept `ByIdentity`."""
        if self.ndim:
            fix = "use a tuple of numbers as the key, or an index into an array"
            raise located_error(OperandTypeError, "unhashable type: 'numpy.ndarray'", fix=fix)
        return self._concrete(
            hash,
            "AG0304",
            "a traced value is used as a key, or looked up in a dict or set",
            "index an array by it: seen = np.zeros((rows, columns), bool), "
            "memo = np.full(n, np.nan), counts = np.zeros(n, int)",
            may_wait=True,
        )

    def __complex__(self) -> complex:
        return complex(self.__float__())

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        known = self.contents()
        if known is not None:
            return np.array(known, dtype)
        if not recorder().conversion.takes_tuples:
            raise NeedsTuples(recorder().location())
        fix = fix_in(sys._getframe(1).f_globals.get("__name__", ""))
        fix = fix or "use a function of NumPy's that is supported on traced arrays"
        message = "a library function wants the contents of a traced array"
        return self._concrete(np.asarray, "AG0305", message, fix)

    def __reduce_ex__(self, protocol: int) -> Any:
        return self._concrete(
            lambda value: value.__reduce_ex__(protocol),
            "AG0305",
            "a library function wants the contents of a traced array",
            "use a function of NumPy's that is supported on traced arrays",
        )

    def _concrete(
        self,
        convert: Any,
        id: str,
        message: str,
        fix: str,
        may_wait: bool = False,
        is_of_elements: bool = False,
    ) -> Any:
        """The value as something of Python's, if it is known.

        Args:
            may_wait: whether another recording may do without, before arguments become known.
            is_of_elements: whether Python compares tuples or lists that have it in them.

        Raises:
            NeedsComparisons: another recording may do that as the program runs.
        """
        if isinstance(self.value, Constant) and self.value.is_scalar:
            return convert(self.value.data)
        found = known(self.value, recorder().outside.is_captured)
        if found is not None:
            return convert(found)
        if is_of_elements and not recorder().conversion.compares:
            raise NeedsComparisons(recorder().location())
        if not (may_wait and recorder().queues.waits()):
            recorder().inputs.demand(self.value)
        raise located_error(ConcreteValueError, message, id=id, fix=fix)

    def __str__(self) -> str:
        return self.__format__("")

    def __format__(self, spec: str) -> str:
        raise located_error(
            ConcreteValueError,
            "a traced value cannot be formatted into text",
            id="AG0306",
            fix="print it with print(value), which runs when the program runs",
        )

    def __repr__(self) -> str:
        name = self._value.name
        return f"GraphArray({name + ': ' if name else ''}{self.type})"


def symbolic_int(n: Any) -> Any:
    """A length as the user's code sees it: an int, or the symbolic int for one."""
    if isinstance(n, RunLength):
        return n.value
    if is_length(n):
        return recorder().record(ops.extent, (), {"length": n})
    return n


def symbolic_ints(result: Any) -> Any:
    """What a function that counts elements gives, as the user's code sees it."""
    if is_length(result):
        return symbolic_int(result)
    if type(result) in (tuple, list) and is_symbolic(result):
        return type(result)(map(symbolic_int, result))
    return result


def _is_doing(frame: types.FrameType, instruction: int | None) -> bool:
    """Whether an instruction is what a frame stands at. What it calls for that, of Python's own
    containers, has no frame."""
    return frame.f_code.co_code[frame.f_lasti] == instruction


def located_error(kind: type[_Error], message: str, **details: Any) -> _Error:
    return kind(message, user_location(), **details)


def _not_defined(name: str, array: GraphArray, other: Any) -> Any:
    """The error of an operator of a scalar with a text or None: only equality is defined."""
    kinds = [f"'{type(x).__name__}'" for x in (example(array), other)]
    stem = name.strip("_")
    if stem not in _SYMBOLS and stem not in _COMPARISONS:  # the reflected form
        stem = stem.removeprefix("r")
        kinds.reverse()
    message = f"unsupported operand type(s) for {_SYMBOLS.get(stem)}: {' and '.join(kinds)}"
    if stem in _COMPARISONS:
        symbol = _COMPARISONS[stem]
        message = f"'{symbol}' not supported between instances of {' and '.join(kinds)}"
    raise located_error(OperandTypeError, message, fix="give both operands as numbers or arrays")


_COMPARISON = opcode.opmap.get("COMPARE_OP")  # of tuples: only these ask for a truth
_SUBSCRIPT = opcode.opmap.get("BINARY_SUBSCR")
_NO_NUMBERS = (list, tuple, str, bytes, type(None))


def _has_its_own(name: str, number: GraphArray, other: Any) -> bool:
    """Whether an object to the right of an operator says itself what that does, and Python asks it:
    always if a Python number is to its left, and by its own wish if it is one of NumPy's."""
    kind = type(other)
    if is_of_scipy(kind):
        return True
    if not is_user_class(kind) or not hasattr(kind, f"__r{name[2:]}"):
        return False
    if getattr(kind, "__array_ufunc__", kind) is None:
        return True
    return number.type.weak and type_of(other) is None


def _with_others(name: str) -> Any:
    """An operator of a scalar with a list, a text or None, which is Python's own affair."""
    operation = getattr(Operators, name)

    @functools.wraps(operation)
    def method(self: GraphArray, other: Any) -> Any:
        if name in ("__eq__", "__ne__") and getattr(other, "may_equal_none", False):
            return NotImplemented  # it says itself what it equals
        if name in ("__eq__", "__ne__") and isinstance(other, (str, bytes, type(None))):
            if self.ndim:  # no element is equal to it
                return ops.full_like(self, name == "__ne__", bool)
            return np.bool_(name == "__ne__") if self.is_array else NotImplemented
        if _has_its_own(name, self, other):
            return NotImplemented
        if self.ndim or self.is_array or not isinstance(other, _NO_NUMBERS):
            return operation(self, other)
        if name in ("__mul__", "__rmul__") and other is not None and self.dtype.kind in "iu":
            if isinstance(other, list):
                return ops.tracked(other).__mul__(self)
            return other * self.__index__()
        if (
            name in ("__mul__", "__rmul__")
            and isinstance(other, (list, tuple))
            and not self.type.weak
        ):
            message = f"can't multiply sequence by non-int of type 'numpy.{self.dtype.name}'"
            raise located_error(OperandTypeError, message, fix="make an array of it: np.array(...)")
        if not isinstance(other, (list, tuple)):
            return _not_defined(name, self, other)
        if self.type.weak:
            return NotImplemented
        return operation(self, other)  # a NumPy scalar takes a list for an array

    return method


for _name, _operation in list(vars(Operators).items()):
    if isinstance(_operation, types.FunctionType) and _operation.__code__.co_argcount == 2:
        setattr(GraphArray, _name, _with_others(_name))


def _in_place(name: str) -> Any:
    """``x += v`` and its like: arrays change in place, as in NumPy; numbers are rebound."""
    operation = getattr(GraphArray, f"__{name}__")

    def method(self: GraphArray, other: Any) -> GraphArray:
        is_part = self.is_array and isinstance(self._view, View) and self._view.base.ndim > 0
        if self.is_array and not is_part:
            raise located_error(
                MutationError,
                "an array of no dimensions is changed in place",
                id="AG0329",
                fix=f"write `x = x {_SYMBOLS[name]} v` if nobody else has to see the change, or "
                "give it one dimension",
            )
        result = operation(self, other)
        if not (self.ndim or is_part) or result is NotImplemented:
            return result
        if not may_agree(result.type.shape, self.type.shape):
            raise located_error(
                OperandShapeError,
                f"non-broadcastable output operand with shape {self.type.shape} "
                f"doesn't match the broadcast shape {result.type.shape}",
                fix=f"write `x = x {_SYMBOLS[name]} v` to make a new array",
            )
        if not np.can_cast(result.dtype, self.dtype, "same_kind"):
            raise located_error(
                OperandTypeError,
                f"cannot cast the result from {result.dtype} to {self.dtype} in place",
                fix=f"write `x = x {_SYMBOLS[name]} v`, or give x the dtype {result.dtype}",
            )
        if is_part:  # what NumPy computes of it is a number, it stays an array
            recorder().assign(self, ..., result)
            return self
        value = result if result.dtype == self.dtype else ops.cast(result, dtype=self.dtype.name)
        if not (value.type.is_static and self.type.is_static) and np.ndim(other):
            value = ops.reshape(value, ops.lengths_of(self))  # fails if `other` is longer
        self.write(value.value)
        return self

    return method


def _refuse_setting(name: str) -> Any:
    """A property that NumPy lets one assign."""

    def refuse(self: GraphArray, value: Any) -> None:
        raise located_error(
            MutationError,
            f"the attribute '{name}' of an array is assigned",
            id="AG0335",
            fix="make a new array: x.astype(...), or x + 1j * y",
        )

    return getattr(GraphArray, name).setter(refuse)


def _set_part(name: str) -> Any:
    """The real or the imaginary part, which NumPy lets one assign."""
    refused = _refuse_setting(name)

    def assign(self: GraphArray, value: Any) -> None:
        if not self.ndim:
            refused.fset(self, value)
        if name == "imag" and self.dtype.kind != "c":
            message = "array does not have imaginary part to set"
            raise located_error(OperandTypeError, message, fix="make it complex: x.astype(complex)")
        part = getattr(ops, name)(self) if self.dtype.kind == "c" else self
        part[...] = value

    return getattr(GraphArray, name).setter(assign)


GraphArray.dtype = _refuse_setting("dtype")
for _name in ("real", "imag"):
    setattr(GraphArray, _name, _set_part(_name))

_COMPARISONS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_SYMBOLS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "pow": "**",
    "matmul": "@",
    "and": "&",
    "or": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
}
for _name in _SYMBOLS:
    setattr(GraphArray, f"__i{_name}__", _in_place(_name))
