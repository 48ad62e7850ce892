"""Python's built-in functions on symbolic values, and ``print``."""

from __future__ import annotations

import abc
import functools
import itertools
import math
import numbers
import operator
import sys
import types
import warnings
from collections.abc import Callable, ItemsView, KeysView
from typing import Any, NoReturn

import numpy as np

import ops
from autograph.errors import ConcreteValueError, OperandTypeError, UnsupportedFunctionError
from autograph.graph.graph import Value
from autograph.staging.arrays.array import GraphArray, located_error
from autograph.staging.arrays.attributes import attribute
from autograph.staging.arrays.random_generators import GraphGenerator
from autograph.staging.border.unknown import Unknown
from autograph.staging.classes import specials
from autograph.staging.classes.presence import refused_attribute, uncertain
from autograph.staging.ground.examples import example
from autograph.staging.ground.families import Family
from autograph.staging.ground.leaves import leaves_of
from autograph.staging.ground.ownership import is_user_class, is_user_object
from autograph.staging.ground.recorder import recorder
from autograph.staging.lists.dict_views import DictView
from autograph.staging.lists.elements import class_of
from autograph.staging.lists.lists import TrackedList, is_rows
from autograph.staging.lists.object_heap import PooledObjects
from autograph.staging.lists.placed_objects import PlacedObject, each_class
from autograph.staging.lists.pooled import PooledList
from autograph.staging.lists.referred_pairs import list_of
from autograph.staging.lists.tables import KeyTable
from autograph.staging.python import (
    aggregates,
    averages,
    comparison_sorts,
    complex_mathematics,
    mathematics,
)
from autograph.staging.python.aggregates import equal, to_bool
from autograph.staging.python.warning_filters import is_ignored, place_of_warning
from autograph.staging.sequences import items, lookups
from autograph.staging.sequences.iteration import is_open, opened
from autograph.staging.sequences.own_iterators import ByIndex
from autograph.staging.values import text
from autograph.staging.values.choice import Choice, looked_up
from autograph.staging.values.maybe import MaybeNone, MaybeUndefined, ObjectOrNone
from autograph.staging.values.promoted import by_kind, types_of
from autograph.staging.values.text_parts import holds_joined, in_parts
from ops.control import effects
from ops.control.effects import Slot
from ops.core.conditions import raised_by
from ops.core.operands import dtype_of
from ops.core.recording import raises_as_python
from ops.core.symbolic_lengths import example_of
from ops.core.types import type_of
from ops.numbers.complex_numbers import complex_of_parts

# -- conversions -----------------------------------------------------------------------------------


def _to_number(kind: type) -> Callable:
    def convert(value: Any = 0, *more: Any) -> Any:
        if more and kind is complex and all(dtype_of(x).kind != "c" for x in (value, *more)):
            parts = [ops.cast(mathematics.to_float(x), dtype="float64") for x in (value, *more)]
            return ops.cast(complex_of_parts(*parts), dtype="complex128", weak=True)
        if more:
            _refuse_parts(kind, value, *more)
        if not isinstance(value, GraphArray):
            return _of_object(kind, f"__{kind.__name__}__", value)
        if kind is int and types_of(value):  # a float may not hold the int
            return by_kind(value, convert)
        if value.type.shape:
            _refuse_arrays(kind, value)
        if value.dtype.kind == "c" and kind is not complex:
            message = f"{kind.__name__}() of a complex number"
            raise located_error(OperandTypeError, message, fix="take its .real, or abs() of it")
        return ops.cast(ops.reshape(value, ()), dtype=np.dtype(kind).name, weak=True)

    return convert


def _of_object(function: Callable, name: str, value: Any) -> Any:
    """What a built-in function gives for a value that is no symbolic one. Python takes no symbolic
    value from the method of an object that it asks; we ask the method ourselves."""
    method = getattr(type(value), name, None)
    if not isinstance(method, types.FunctionType) or not is_user_class(type(value)):
        return function(value)
    result = ops.call(specials.original(method), value)
    if not isinstance(result, GraphArray):
        stand_in = type(type(value).__name__, (), {name: lambda self: result})
        return function(stand_in())  # it says what is wrong with another result
    wanted = int if function is len else function
    kind = type(example(result))
    if not issubclass(kind, wanted):
        shown = kind.__name__ if kind.__module__ == "builtins" else f"numpy.{kind.__name__}"
        message = f"{type(value).__name__}.{name} returned non-{wanted.__name__} (type {shown})"
        raise located_error(OperandTypeError, message, fix=f"let it return {wanted.__name__}(x)")
    if function is len:
        message = "__len__() should return >= 0"
        effects.check(result >= 0, error="ValueError", message=message)
    return _to_number(wanted)(result)


def _refuse_arrays(kind: type, value: GraphArray) -> None:
    """Raise what NumPy does, of some versions also if there is one element."""
    try:
        kind(example(value))
    except TypeError as error:
        fix = "take one of its elements, or use its method astype"
        raise located_error(OperandTypeError, str(error), fix=fix) from None


def _refuse_parts(kind: type, *parts: Any) -> NoReturn:
    """``complex(x, y)`` of complex parts; ``int(text, base)``."""
    raise located_error(
        UnsupportedFunctionError,
        f"{kind.__name__}() of {len(parts)} values known only at run time",
        fix="write x + 1j * y" if kind is complex else "give it one number",
    )


def to_list(iterable: Any = ()) -> list:
    """``list``."""
    if is_rows(iterable):
        made = TrackedList()
        made.become_like(iterable)
        return made
    if isinstance(iterable, PooledList):
        return iterable.copy()
    listed = list_of(iterable)
    if listed is not None:
        return listed
    if isinstance(iterable, DictView) and iterable.kind is KeysView:
        iterable = iterable.table
    if isinstance(iterable, KeyTable) and iterable.is_ordered and not iterable.is_seen:
        return to_list(iterable.order) if iterable.keeps_keys else ops.collect(_same, iterable)
    is_unseen = isinstance(iterable, DictView) and not iterable.is_seen
    if isinstance(iterable, GraphArray) and iterable.ndim:
        length = iterable.type.shape[0]
        is_unseen = length is None or example_of(length) > recorder().unroll_limit
    if isinstance(iterable, (items.Filtered, items.Items)) or is_unseen:
        return ops.collect(_same, iterable)
    return TrackedList(iterable)


def _same(item: Any) -> Any:
    return item


to_float = _to_number(float)
to_int = _to_number(int)

# -- numbers ---------------------------------------------------------------------------------------


@raises_as_python
def rounded(number: Any, ndigits: Any = None) -> Any:
    """``round``: to even; of a scalar, an int if no digits are asked for."""
    if not isinstance(number, GraphArray):
        return round(number, operator.index(ndigits))
    if types_of(number):
        return by_kind(number, lambda number: rounded(number, ndigits))
    kind = type(example(number))
    if not hasattr(kind, "__round__"):
        name = kind.__name__ if number.type.weak else f"numpy.{kind.__name__}"
        message = f"type {name} doesn't define __round__ method"
        raise located_error(OperandTypeError, message, fix="use np.round")
    if ndigits is not None:
        if number.type.weak:
            return ops.elementwise.round_number(number, ndigits=operator.index(ndigits))
        return np.round(number, ndigits)
    if number.dtype.kind not in "biu":  # those are whole, and larger than floats tell apart
        number = ops.rint(number)
    return ops.cast(number, dtype="int64", weak=True)


def divided(a: Any, b: Any) -> tuple:
    """``divmod``."""
    kinds = [x.type if isinstance(x, GraphArray) else type_of(x) for x in (a, b)]
    known = all(kind is not None and kind.weak for kind in kinds)
    if known and "f" in (kind.dtype.kind for kind in kinds):  # `//` says something else
        message = str(raised_by(divmod, 1.0, 0.0))
        effects.check(ops.not_equal(b, 0), error="ZeroDivisionError", message=message)
    return a // b, a % b


def power(base: Any, exp: Any, mod: Any = None) -> Any:
    """``pow``; with three integers by repeated squaring."""
    if mod is None:
        return base**exp
    if not all(is_instance(number, int) for number in (base, exp, mod)):
        raise TypeError("pow() 3rd argument not allowed unless all arguments are integers")
    if not isinstance(exp, GraphArray) and exp < 0:
        raise located_error(
            UnsupportedFunctionError,
            "pow() of a negative exponent and a modulus",
            fix="compute the inverse with the extended Euclidean algorithm",
        )
    message = "pow() 3rd argument cannot be 0"
    effects.check(ops.not_equal(mod, 0), error="ValueError", message=message)
    message = "pow() of a negative exponent and a modulus is not supported"
    effects.check(ops.greater_equal(exp, 0), error="ValueError", message=message)

    def body(base: Any, exp: Any, result: Any) -> tuple:
        result = ops.cond(exp % 2 == 1, lambda: result * base % mod, lambda: result)
        return base * base % mod, exp // 2, result

    state = (base % mod, exp, 1 % mod)
    names = ("base", "exponent", "result")
    return ops.while_loop(lambda base, exp, result: exp > 0, body, state, names)[2]


# -- what a value is -------------------------------------------------------------------------------


def _of_each_type(value: Any, function: Callable[[Any], Any]) -> Any:
    """``function`` of a value, by the type that a number has that is of another one on each path;
    it asks for nothing but the type."""
    if not types_of(value):
        return function(value)
    return looked_up(value.which, [function(value.of_kind(i)) for i in range(len(value.kinds))])


def _asked(value: Any, question: Callable[[Any], bool]) -> Any:
    """The answer to a question about the kind of a value: a symbolic one if it may be None, and
    that makes a difference, or an object of one of several classes."""
    if isinstance(value, Family):
        value = each_class(value)
        if isinstance(value, Choice):
            return value.each(lambda one: _asked(one, question))
    if not isinstance(value, MaybeNone):
        return _of_each_type(value, lambda value: question(_example(value)))
    there, absent = _asked(value.content, question), question(None)
    if there is absent:
        return there
    return ops.cond(recorder().is_(value, None), lambda: absent, lambda: there)


def is_instance(value: Any, kinds: Any) -> Any:
    """``isinstance`` by what the symbolic value stands for."""
    _may_be_registered(type(value), kinds)
    return _asked(value, lambda known: isinstance(known, kinds))


def is_subclass(kind: Any, kinds: Any) -> bool:
    """``issubclass``, which may be another answer at a later call."""
    _may_be_registered(kind, kinds)
    return issubclass(kind, kinds)


def _may_be_registered(kind: Any, kinds: Any) -> None:
    """Depend on whether a user's class is of an abstract one that it does not derive from."""
    if isinstance(kind, type) and is_user_class(kind):
        for wanted in kinds if isinstance(kinds, tuple) else (kinds,):
            if isinstance(wanted, abc.ABCMeta) and wanted not in kind.__mro__:
                recorder().outside.asked(kind, wanted)


def is_callable(value: Any) -> Any:
    """``callable`` of what the symbolic value stands for."""
    return _asked(value, callable)


def type_of_object(value: Any, *more: Any) -> Any:
    """``type`` of what a symbolic value or a list stands for; one of two if it may be None."""
    if isinstance(value, MaybeNone) and not more:
        kinds = [type_of_object(value.content), type(None)]
        return looked_up(ops.cast(recorder().is_(value, None), dtype="int64"), kinds)
    if isinstance(value, Family):
        value = each_class(value)
    if isinstance(value, Choice) and not more:
        return value.each(type_of_object)
    if types_of(value) and not more:
        return _of_each_type(value, type_of_object)
    kind = type(_example(value), *more)
    if issubclass(kind, PlacedObject):
        return class_of(value)
    if kind is Unknown or issubclass(kind, GraphGenerator):
        return value.__class__
    return kind


def has_attribute(value: Any, name: str) -> Any:
    """``hasattr`` of what the symbolic value stands for."""
    found = uncertain(value, name) if is_user_object(value) else None
    if found is not None:
        return found.flag
    return _asked(value, lambda known: _has(known, name))


def _has(value: Any, name: str) -> bool:
    found = hasattr(value, name)
    recorder().outside.names.add(name)
    recorder().outside.looked_for(value, name)
    return found


def get_attribute(value: Any, name: str, *default: Any) -> Any:
    """``getattr``; a Python number has none of an array's attributes."""
    if isinstance(name, str):
        recorder().outside.names.add(name)  # as in the source: classes are guarded by it
    if isinstance(value, GraphArray) and value.type.weak and not hasattr(_example(value), name):
        return default[0] if default else attribute(value, name)  # which raises
    if isinstance(value, (TrackedList, KeyTable)) and not hasattr(value.kind, name):
        value = _example(value)  # ours have other attributes
    if isinstance(value, MaybeNone) and default:
        there = functools.partial(get_attribute, value.content, name, *default)
        return ops.cond(value.present, there, lambda: getattr(None, name, *default))
    if isinstance(value, MaybeNone) and not hasattr(None, name):
        return get_attribute(value.having(name), name)
    value = each_class(value) if isinstance(value, Family) else value
    if isinstance(value, Choice) and default:
        return value.decide(lambda one: get_attribute(one, name, *default))
    found = uncertain(value, name) if default and is_user_object(value) else None
    if found is None:
        get = value.__getattr__ if isinstance(value, Choice) else None
        found = getattr(value, name, *default) if get is None else get(name)
        recorder().outside.looked_for(value, name)
        return found
    return ops.cond(found.flag, lambda: found.content, lambda: default[0])


def attributes_of(value: Any) -> dict[str, Any]:
    """``vars``."""
    found = vars(_example(value))
    if isinstance(value, (type, types.FunctionType)):
        recorder().outside.names.update(found)
    for part in found.values() if is_user_object(value) else ():
        if isinstance(part, MaybeUndefined):
            raise refused_attribute(part.name, "is given to vars()")
    return found


def is_scalar(value: Any) -> Any:
    """``np.isscalar``."""
    return is_instance(value, (np.generic, numbers.Number, str, bytes))


def length(value: Any) -> Any:
    """``len``: a symbolic int if only the run can tell."""
    value = items.unordered(text.one_of_several(value))
    if isinstance(value, Choice) and all(isinstance(item, str) for item in value.objects):
        return value.each(len)
    found = None if isinstance(value, (str, dict)) else items.as_items(value)
    if found is None:
        return _of_object(len, "__len__", value)
    if isinstance(found, items.Arithmetic) and isinstance(found.count, GraphArray):
        message = "Python int too large to convert to C ssize_t"
        effects.check(found.count <= sys.maxsize, error="OverflowError", message=message)
    elif isinstance(value, range):
        return len(value)
    return found.count


def _refused(name: str, fix: str) -> Callable:
    def refuse(*args: Any) -> NoReturn:
        raise located_error(
            UnsupportedFunctionError,
            f"{name}() of a value known only at run time",
            fix=fix,
        )

    return refuse


def to_bits(value: Any) -> str:
    """``bin``."""
    try:
        return bin(value)
    except ConcreteValueError as error:
        error.fix = "n.bit_count() counts the ones; n >> i & 1 is the digit at place i"
        raise


def _example(value: Any) -> Any:
    """A value of the Python type that a symbolic value stands for; others are their own example."""
    if isinstance(value, text.GraphText):
        return ""
    if isinstance(value, (TrackedList, PooledList, KeyTable)):
        return value.kind()
    return example(value) if isinstance(value, GraphArray) else value


def _refused_effect(name: str) -> Callable:
    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        raise located_error(
            UnsupportedFunctionError,
            f"{name}() would be called only once, when the code is recorded",
            fix="call it outside of the function and pass what it gives as an argument",
        )

    return refuse


_OF_KEYS = (dict, set, frozenset, type({}.keys()))


def _found(iterator: Any, item: Any) -> Any:
    """Whether an iterator comes to an item, which is the last that it gives then."""
    is_it = lambda element, _: (to_bool(equal(element, item)),)
    test = lambda found: recorder().not_(found)
    (found,) = ops.for_loop(iterator, is_it, (False,), ("found",), test=test)
    return found


def contains(container: Any, item: Any) -> Any:
    """``item in container``: equality with the elements, one after the other."""
    container, item = text.one_of_several(container), text.one_of_several(item)
    if isinstance(container, ObjectOrNone):
        container = container.checked()
    asks = is_user_class(type(container)) and hasattr(type(container), "__contains__")
    container = container if asks else opened(container)
    if isinstance(container, ByIndex):
        container = list(container)
    if is_open(container):
        return _found(container, item)
    if isinstance(container, GraphArray):
        return to_bool(ops.any(ops.equal(container, item)))
    for value in (container, item):
        if isinstance(value, Choice):
            case = lambda known, value=value: contains(
                *(known if part is value else part for part in (container, item))
            )
            return value.decide(case)
    if asks:
        return to_bool(type(container).__contains__(container, item))
    if isinstance(container, DictView) and container.kind is KeysView:
        container = container.table
    if is_rows(container) or isinstance(container, (KeyTable, PooledObjects)):
        return container.contains(item)
    if isinstance(container, DictView) and container.kind is ItemsView:
        return container.has_pair(item)
    if isinstance(item, GraphArray) and isinstance(container, _OF_KEYS):
        return lookups.has(container, item)
    same = lambda element: item is element or aggregates.equal(item, element)
    if isinstance(container, DictView):
        return aggregates.any_of(items.traced_map(same, container))
    leaves = leaves_of((container, item))
    if not isinstance(container, (list, tuple, range, items.Items)) or not any(
        isinstance(leaf, (GraphArray, items.Items)) for leaf in leaves
    ):
        recorder().consume(container)
        return item in container
    if isinstance(container, (range, items.Arithmetic)):
        return items.as_items(container).contains(item)
    return aggregates.any_of(map(same, container))


# -- printing --------------------------------------------------------------------------------------


def printed(
    *args: Any, sep: Any = None, end: Any = None, file: Any = None, flush: Any = False
) -> None:
    """``print``, when the program runs and in order with its other effects."""
    if file not in (None, sys.stdout, sys.stderr):
        raise located_error(
            ConcreteValueError,
            "print() into a file in converted code",
            id="AG0336",
            fix="print to sys.stdout or sys.stderr, or write the file outside of the function",
        )
    attrs = {
        "sep": " " if sep is None else str(sep),
        "end": "\n" if end is None else str(end),
        "to_stderr": file is sys.stderr,
        "flush": bool(flush),
    }

    def show(*args: Any) -> None:
        texts, values = _shown(args)
        recorder().apply(effects.print_, values, {"texts": texts, **attrs})

    args = tuple(arg if text.shows_as_it_is(arg) else text.to_text(arg) for arg in args)
    if not any(map(holds_joined, args)):
        text.in_its_type(args, show)
        return
    write = lambda *parts: printed(*parts, sep="", end="", file=file)
    for place, arg in enumerate(args):
        if place:
            write(attrs["sep"])
        in_parts(arg, write)
    printed(end=end, file=file, flush=flush)


def warned(message: Any, category: Any = None, stacklevel: int = 1, **options: Any) -> None:
    """``warnings.warn``, when the program runs."""
    if isinstance(message, Warning):
        message, category = message.args[0], type(message)
    category = category or UserWarning
    if is_ignored(category):
        return
    if options or category.__module__ != "builtins":
        raise located_error(
            UnsupportedFunctionError,
            "warnings.warn with other options or classes than Python's own",
            fix="give it a message and one of Python's classes only",
        )

    place, outer = place_of_warning(stacklevel)

    def show(message: Any) -> None:
        texts, values = _shown((message,))
        where = {"place": place, "outer": outer}
        attrs = {"texts": texts, "category": category.__name__, **where}
        recorder().apply(effects.warn_, values, attrs)

    text.in_its_type((message,), show)


def _shown(args: tuple) -> tuple[tuple, list[Value]]:
    """What ``print`` writes for its arguments, and the values that go into the slots of that."""
    texts: list[Any] = []
    values: list[Value] = []
    for arg in args:
        shown = text.to_text(arg)
        if not isinstance(shown, text.GraphText):
            texts.append(shown)
            continue
        slot, inside = text.slot_of(shown)
        texts.append(Slot() if isinstance(arg, GraphArray) else slot)
        values += inside
    return tuple(texts), values


BUILTINS: dict[Callable, Callable] = {
    **mathematics.FUNCTIONS,
    **complex_mathematics.FUNCTIONS,
    **averages.FUNCTIONS,
    range: items.traced_range,
    enumerate: items.traced_enumerate,
    zip: items.traced_zip,
    reversed: items.traced_reversed,
    itertools.pairwise: items.traced_pairwise,
    bool: to_bool,
    int: to_int,
    float: to_float,
    complex: _to_number(complex),
    min: aggregates.minimum,
    max: aggregates.maximum,
    sum: aggregates.total,
    any: aggregates.any_of,
    all: aggregates.all_of,
    sorted: comparison_sorts.ordered,
    list: to_list,
    round: rounded,
    divmod: divided,
    pow: power,
    len: length,
    isinstance: is_instance,
    issubclass: is_subclass,
    type: type_of_object,
    hasattr: has_attribute,
    callable: is_callable,
    np.isscalar: is_scalar,
    np.ndenumerate: lambda array: ((index, array[index]) for index in np.ndindex(array.shape)),
    str: text.to_text,
    repr: text.to_repr,
    ascii: text.to_repr,
    format: text.formatted,
    bin: to_bits,
    hash: _refused("hash", "keep the values in an array and index that"),
    id: _refused("id", "compare with 'is'"),
    dir: lambda value: dir(_example(value)),
    getattr: get_attribute,
    vars: attributes_of,
}

# What these ask about a value may depend on whether it is None.
ABOUT_KINDS = (isinstance, hasattr, callable)

# These are recorded even when none of their arguments is symbolic.
EFFECTS: dict[Callable, Callable] = {
    print: printed,
    warnings.warn: warned,
    open: _refused_effect("open"),
    input: _refused_effect("input"),
}

# These ask a method of an object, which may give a symbolic value.
OF_OBJECTS = {str, repr, format, len, int, float, complex}

# These compare objects, by methods that may give symbolic values.
OF_ORDERED = {min, max, sorted}

# These may be given an iterator, which does not show whether it gives symbolic values.
OF_ITERATORS = {min, max, sum, any, all, sorted, math.fsum, math.prod, math.dist}
