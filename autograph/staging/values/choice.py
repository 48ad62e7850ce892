"""Texts, functions and other static objects of which the run decides which one it is.

After ``state = "busy" if x > 0 else "idle"`` the variable holds a `Choice`: the objects, and the
symbolic position of the one that it is. What is done with it is done with each of them: where the
results are numbers they are looked up in a table, and otherwise a conditional chooses.
"""

from __future__ import annotations

import builtins
import enum
import functools
import operator
import types
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

import ops
from autograph.errors import AutographError, ConcreteValueError
from autograph.graph.graph import Constant
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.ground.bound import GivenFunction
from autograph.staging.ground.errors import is_mistake
from autograph.staging.ground.naming import SeenByUsers
from autograph.staging.ground.ownership import is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.values.members import is_number
from autograph.staging.values.promoted import each_in_its_type, types_of
from ops.control import effects
from ops.core.operands import Symbolic
from ops.core.recording import raises_as_python
from ops.core.special_methods import ARITHMETIC, COMPARISONS, special_methods
from ops.core.types import PYTHON_SCALARS

MOST_OBJECTS = 16  # of which paths that join make one choice
_IMMUTABLE = (str, bytes, *PYTHON_SCALARS, np.generic)
_CHOOSABLE = (
    *(str, bytes, type(None), type, enum.Enum, np.ufunc),
    *(types.BuiltinFunctionType, types.FunctionType, type(np.sum), GivenFunction),
)

_CALLED = (
    *(types.FunctionType, types.MethodType, types.BuiltinFunctionType, np.ufunc, type),
    *(functools.partial, type(np.sum), GivenFunction),
)


def is_same_object(a: Any, b: Any) -> bool:
    """Whether converted code cannot tell two static objects apart."""
    if a is b:
        return True
    if isinstance(a, GraphArray) or type(a) is not type(b):
        return False
    # By their text, which tells -0.0 from 0.0 and takes NaN for itself.
    return (isinstance(a, _IMMUTABLE) or (_tells_all(a) and _tells_all(b))) and repr(a) == repr(b)


def _tells_all(content: Any) -> bool:
    """Whether an object is an exception of Python's that is known by its class and arguments, as
    one that is kept in a variable to be raised later. Each pass over a handler makes another."""
    if not isinstance(content, Exception) or type(content).__module__ != "builtins":
        return False
    plain = all(isinstance(part, (*_IMMUTABLE, type(None))) for part in content.args)
    return plain and not vars(content) and content.__cause__ is None


def is_choosable(content: Any) -> bool:
    """Whether an object never changes and holds nothing that a region may have computed."""
    if not isinstance(content, _CHOOSABLE):
        return _tells_all(content)
    cells = getattr(content, "__closure__", None) or ()
    return not any(isinstance(_contents(cell), Symbolic) for cell in cells)


def is_called(content: Any) -> bool:
    """Whether an object is a function or a class, whatever it holds."""
    return isinstance(content, _CALLED)


def _contents(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # not assigned yet
        return None


# What functions and classes are called. Python asks for other names of this kind by itself.
_NAMES = ("__name__", "__qualname__")


@raises_as_python
def _operation(name: str) -> Callable:
    special = f"__{name}__"
    operator_of = getattr(operator, special)

    def operate(self: Choice, other: Any) -> Any:
        if getattr(type(other), "is_text", False):  # it knows how to be joined to this one
            return NotImplemented
        if name in _ARITHMETIC and self.are_numbers() and _is_operand(other):
            return operator_of(*as_numbers((self, other)))
        if any(map(is_user_object, self.objects)):
            return self.decide(lambda mine: operator_of(mine, other))
        if isinstance(other, Choice):
            ranks = _ranks(self, other) if name in COMPARISONS else None
            if ranks is not None:
                return operator_of(*ranks)
            return self.decide(lambda mine: other.decide(lambda theirs: apply(mine, theirs)))
        return self.each(lambda mine: apply(mine, other))

    def apply(mine: Any, theirs: Any) -> Any:
        if name not in COMPARISONS:
            return operator_of(mine, theirs)
        result = getattr(mine, special, lambda _: NotImplemented)(theirs)
        if result is NotImplemented and name in ("eq", "ne"):
            return (mine is theirs) == (name == "eq")
        return result

    return operate


def _ranks(left: Choice, right: Choice) -> tuple[Any, Any] | None:
    """What compares as two texts do: which of all of them in their order each is; None if there is
    something else among them."""
    objects = *left.objects, *right.objects
    kinds = set(map(type, objects))
    if len(kinds) > 1 or not kinds <= {str, bytes}:
        return None
    ranks = {text: rank for rank, text in enumerate(sorted(set(objects)))}
    return tuple(looked_up(one.position, [ranks[t] for t in one.objects]) for one in (left, right))


@raises_as_python
def _reflected(name: str) -> Callable:
    operator_of = getattr(operator, f"__{name}__")

    def operate(self: Choice, other: Any) -> Any:
        if self.are_numbers() and _is_operand(other):
            return operator_of(*as_numbers((other, self)))
        return self.each(lambda mine: operator_of(other, mine))

    return operate


@raises_as_python
def _unary(name: str) -> Callable:
    operator_of = getattr(operator, f"__{name}__")

    def operate(self: Choice) -> Any:
        return operator_of(as_number(self)) if self.are_numbers() else self.each(operator_of)

    return operate


def _is_operand(value: Any) -> bool:
    """Whether an operator takes a value for an array or a number."""
    return isinstance(value, (Choice, enum.Enum, GraphArray, np.ndarray, *_NUMBERS))


_NUMBERS = (np.generic, *PYTHON_SCALARS)
_ARITHMETIC = tuple(name for name in ARITHMETIC if name not in ("divmod", "matmul"))


@special_methods((*COMPARISONS, *_ARITHMETIC, "getitem"), _operation)
@special_methods(_ARITHMETIC, _reflected, prefix="r")
@special_methods(("neg", "pos", "abs", "invert"), _unary)
class Choice(SeenByUsers, Symbolic):
    """One of several objects. Those that are not `is_choosable` may change, or hold what was
    computed around them: then it stays in the region that it was made in.

    Attributes:
        position: the symbolic position of the one that it is.
        objects: all of them.
    """

    __slots__ = ("objects", "position")

    def __init__(self, index: GraphArray, objects: tuple):
        object.__setattr__(self, "position", index)
        object.__setattr__(self, "objects", objects)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if self.are_numbers():
            return recorder().apply_ufunc(ufunc, method, inputs, kwargs)
        if ufunc is np.multiply and isinstance(inputs[0], np.generic):  # a text, repeated
            return self.each(lambda mine: inputs[0].item() * mine)
        return NotImplemented

    def are_numbers(self) -> bool:
        """Whether the objects are members of enums that compute as their ints do."""
        return all(map(is_number, self.objects))

    @raises_as_python
    def each(self, function: Callable[[Any], Any]) -> Any:
        """``function`` of the object, when that has no effects.

        Where it raises an exception for some of the objects, the program raises it if the object is
        one of those.
        """
        results: dict[int, Any] = {}
        errors: dict[int, Exception] = {}
        for position, item in enumerate(self.objects):
            try:
                results[position] = function(item)
            except AutographError:
                raise
            except Exception as error:
                if is_mistake(error):
                    raise
                errors[position] = error
        if not errors:
            return looked_up(self.position, list(results.values()))
        last = next(iter(errors.values()))
        for position, raised in errors.items():
            if results or not _is_same_error(raised, last):
                self._check(position, raised)
        if not results:  # whichever it is
            raise last
        possible = next(iter(results.values()))
        return looked_up(
            self.position, [results.get(i, possible) for i in range(len(self.objects))]
        )

    def _check(self, position: int, error: Exception) -> None:
        """Let the program raise ``error`` if it is the object at this position."""
        kind, text = type(error), error.args[0] if len(error.args) == 1 else None
        if getattr(builtins, kind.__name__, None) is not kind or not isinstance(text, str):

            def fails() -> NoReturn:
                raise error

            ops.cond(ops.equal(self.position, position), fails, lambda: None)
            return
        is_other = ops.not_equal(self.position, position)
        effects.check(is_other, error=kind.__name__, message=text)

    def decide(self, function: Callable[[Any], Any], start: int = 0) -> Any:
        """``function`` of the object, by a conditional for each of them."""
        item = self.objects[start]
        if start == len(self.objects) - 1:
            return function(item)
        is_it = ops.equal(self.position, start)
        return ops.cond(is_it, lambda: function(item), lambda: self.decide(function, start + 1))

    @raises_as_python
    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and name not in _NAMES:
            raise AttributeError(name)
        get = lambda item: getattr(item, name)
        return self.each(get) if self._all_hold(name) else self.decide(get)

    def _all_hold(self, name: str) -> bool:
        """Whether an attribute is there to be read, without code of the user's."""
        kinds = [type(item) for item in self.objects if is_user_object(item)]
        computed = ("__getattr__", "__getattribute__")
        found = [getattr(kind, name, None) for kind in kinds]
        own = {method for kind in kinds for owner in kind.__mro__[:-1] for method in vars(owner)}
        found = [a for a in found if not isinstance(a, types.FunctionType)]
        return own.isdisjoint(computed) and not any(hasattr(type(a), "__get__") for a in found)

    def texts(self, function: Callable[[Any], str]) -> Any:
        """What ``function`` makes of it, one of several texts."""
        if any(map(is_user_object, self.objects)):
            str(self)  # which is refused
        return self.each(function)

    def movable(self) -> tuple:
        """The objects, if a variable that holds one of them may be used where paths join.

        Raises:
            ConcreteValueError: some may change, or hold what was computed in a branch or loop.
        """
        if all(map(is_choosable, self.objects)):
            return self.objects
        raise located_error(
            ConcreteValueError,
            "one of several objects or functions, chosen at run time, is what a variable holds "
            "where paths join, or is returned",
            id="AG0368",
            fix="keep its index, and take it from its list where it is used",
        )

    def __setattr__(self, name: str, value: Any) -> None:
        self.decide(lambda item: setattr(item, name, value))

    def __hash__(self) -> int:
        raise _refused("is used as a key, or looked up in a dict or set", "compare with each key")

    def __bool__(self) -> bool:
        raise _refused("decides in code that is not converted", "convert that code")

    def __len__(self) -> int:
        raise _refused("needs a length in code that is not converted", "convert that code")

    def __iter__(self) -> Any:
        raise _refused("is gone through item by item", "loop over each of them in an `if`")

    def __str__(self) -> str:
        raise _refused("is formatted into text", "print it with print(value), or use an `if`")

    def __format__(self, spec: str) -> str:
        return str(self)

    def __repr__(self) -> str:
        return f"Choice{self.objects}"


def looked_up(index: GraphArray, results: Sequence[Any]) -> Any:
    """The result at a symbolic position."""
    first = results[0]
    if all(is_same_object(first, result) for result in results):
        return first
    kind = type(first)
    if kind in PYTHON_SCALARS and all(type(result) is kind for result in results):
        item = GraphArray(Constant(np.array(results)))[index]
        if index.ndim:  # of several positions at once
            return item
        return ops.cast(item, dtype=np.dtype(kind).name, weak=True)
    if all(is_choosable(result) or is_called(result) for result in results):
        return Choice(index, tuple(results))
    return Choice(index, tuple(range(len(results)))).decide(lambda position: results[position])


def as_number(value: Any) -> Any:
    """The int that a member of an enum is, or one of several members of which the run knows which
    one it is; everything else as it is."""
    if isinstance(value, Choice) and value.are_numbers():
        return looked_up(value.position, [int(member) for member in value.objects])
    is_member = isinstance(value, enum.Enum) and is_number(value)
    return int(value) if is_member else value


def as_numbers(operands: Sequence[Any]) -> Sequence[Any]:
    """The same for the operands of an operator: among arrays and NumPy's numbers it is one, and
    beside a number that may be NumPy's it is so where that one is."""
    for x in operands:
        if isinstance(x, (enum.Enum, Choice)):
            break
    else:  # as nearly always
        return operands
    found = [as_number(x) for x in operands]
    others = [x for x, operand in zip(found, operands) if x is operand]
    mixed = [x for x in others if types_of(x)]
    is_python = all(_is_python(x) for x in others if not types_of(x))
    if is_python and not mixed:
        return found

    def beside(number: Any) -> Any:
        as_it_is = lambda own: is_python and all(map(_is_python, own.values()))
        return each_in_its_type(mixed, lambda own: number if as_it_is(own) else _of_numpy(number))

    return [x if x is operand else beside(x) for x, operand in zip(found, operands)]


def as_place(index: Any) -> Any:
    """The same for a subscript."""
    if type(index) is tuple:
        return tuple(map(as_place, index))
    if type(index) is slice:
        return slice(*map(as_number, (index.start, index.stop, index.step)))
    return as_number(index) if isinstance(index, (enum.Enum, Choice)) else index


def _is_python(value: Any) -> bool:
    if isinstance(value, GraphArray):
        return bool(value.type.weak)
    return type(value) in (bool, int, float, complex)


def _of_numpy(number: Any) -> Any:
    """An int as an int64."""
    return ops.cast(number, dtype="int64") if isinstance(number, GraphArray) else np.int64(number)


def _is_same_error(a: Exception, b: Exception) -> bool:
    return type(a) is type(b) and repr(a) == repr(b)


def _refused(doing: str, fix: str) -> ConcreteValueError:
    return located_error(
        ConcreteValueError,
        f"an object that depends on traced values {doing}",
        id="AG0344",
        fix=fix,
    )


@raises_as_python
def with_choices(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """``function(*args, **kwargs)`` for each object that an argument may be; None if no argument is
    a `Choice`. The result is a tuple of one item, to tell it from None."""
    arguments = [*args, *kwargs.values()]
    chosen = next((arg for arg in arguments if isinstance(arg, Choice)), None)
    if chosen is None:
        return None

    def call(item: Any) -> Any:
        known_args = tuple(item if arg is chosen else arg for arg in args)
        known_kwargs = {k: item if arg is chosen else arg for k, arg in kwargs.items()}
        return recorder().call(function, known_args, known_kwargs)

    return (chosen.decide(call),)
