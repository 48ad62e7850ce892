"""Kinds of values: how one is made, how a number of it is read, and how it is changed in place."""

from __future__ import annotations

import array
import collections
import ctypes
import datetime
import decimal
import enum
import fractions
import functools
import re
import types
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.staging.border.freezing.classes import (
    Frame,
    OwnArray,
    OwnDict,
    OwnFloat,
    OwnList,
    OwnText,
    Pair,
    Plain,
    Record,
    Settings,
    Slotted,
)


@dataclass
class Kind:
    """A kind of value.

    Attributes:
        make: gives a value that holds a number.
        read: reads the number.
        change: puts a number into a value; None if only another value can be made.
        refused: whether it has to be.
    """

    make: Callable[[float], Any]
    read: Callable[[Any], Any]
    change: Callable[[Any, float], None] | None = None
    refused: bool = False


def own_float(number):
    made = OwnFloat(1.0)
    made.number = number
    return made


def function(number):
    def made(x=number):
        return x

    return made


def keyword_function(number):
    def made(*, x=number):
        return x

    return made


def one_of_each():
    return 1.0


def another():
    return 9.0


def with_code(number):
    def made():
        return 1.0

    if number != 1.0:
        made.__code__ = another.__code__
    return made


def class_of(number):
    class Made:
        total = number

    return Made


def member(number):
    class Made(enum.Enum):
        ONE = [number]  # noqa: RUF012

    return Made.ONE


def module(number):
    made = types.ModuleType("made")
    made.__file__ = __file__
    made.number = number
    return made


def filled(dtype, shape=(2,)):
    return lambda number: np.full(shape, number).astype(dtype)


def fill(value, number):
    value[...] = np.full(value.shape, number).astype(value.dtype)


def put(value, number):
    value[0] = number


def first(value):
    return value[0]


def summed(value):
    return np.sum(value)


def number_in_text(value):
    return float(value[0])


def number_of(value):
    return value.number


def set_number(value, number):
    value.number = number


def itself(value):
    return value


def called(value):
    return value()


def structured(number):
    return np.array([(number, 2)], dtype=[("a", float), ("b", int)])


def set_field(value, number):
    value["a"][0] = number


def bound_builtin(number):
    return [number].__getitem__


def view(number):
    return memoryview(bytearray([int(number)]))


def proxy(number):
    return types.MappingProxyType({"a": number})


def keys(number):
    return {number: 1.0}.keys()


def ordered(number):
    return collections.OrderedDict(a=number)


def default_dict(number):
    return collections.defaultdict(float, a=number)


def counter(number):
    return collections.Counter(a=int(number))


def put_a(value, number):
    value["a"] = int(number) if isinstance(value, collections.Counter) else number


def get_a(value):
    return value["a"]


def replace_set(value, number):
    value.clear()
    value.add(number)


def biggest(value):
    return max(value)


def holder(number):
    return Pair([number], 0)


def set_left(value, number):
    value.left[0] = number


def get_left(value):
    return value.left[0]


def partial(number):
    return functools.partial(first, [number])


def partial_of_array(number):
    return functools.partial(first, np.array([number]))


def set_partial(value, number):
    value.args[0][0] = number


def bound_method(number):
    return Plain(number).total


def method_of_arrays(number):
    return Plain(np.array([number])).total


def set_self(value, number):
    value.__self__.number = number


def set_self_array(value, number):
    value.__self__.number[0] = number


def set_defaults(value, number):
    value.__defaults__ = (number,)


def set_kwdefaults(value, number):
    value.__kwdefaults__["x"] = number


def set_code(value, number):
    value.__code__ = another.__code__


def set_total(value, number):
    value.total = number


def get_total(value):
    return value.total


def total(value):
    return value.total()


def item(value):
    return value["x"]


def get_value(value):
    return value.value[0]


def set_value(value, number):
    value.value[0] = number


def masked(number):
    return np.ma.masked_array([number, 5.0], [False, True])


def nested(number):
    made = np.empty(1, object)
    made[0] = np.array([number])
    return made


def nested_first(value):
    return value[0][0]


def put_nested(value, number):
    value[0][0] = number


def cached(number):
    @functools.lru_cache
    def made():
        return number

    return made


def reference(number):
    made = weakref.WeakKeyDictionary()
    made[Plain] = number
    return made


def get_plain(value):
    return value[Plain]


def put_plain(value, number):
    value[Plain] = number


def iterated(value):
    return next(value)


def frozen(number):
    return frozenset([number])


def as_number(value):
    return float(value)


def length(value):
    return len(value)


def pattern_length(value):
    return len(value.pattern)


def year(value):
    return value.year


def years(value):
    return len(value) + dict.__len__(value)


def int_string(number):
    return "a" * int(number)


def own_text(number):
    return OwnText("a" * int(number))


def raw_bytes(number):
    return b"a" * int(number)


def date(number):
    return datetime.date(int(number), 1, 1)


def pattern(number):
    return re.compile("a" * int(number))


def ctypes_array(number):
    return (ctypes.c_double * 1)(number)


def decimal_of(number):
    return decimal.Decimal(int(number))


def fraction_of(number):
    return fractions.Fraction(int(number), 2)


def range_of(number):
    return range(int(number))


def slice_of(number):
    return slice(0, int(number))


def stop(value):
    return value.stop


def own_list(number):
    return OwnList([0.0] * int(number))


def extend(value, number):
    value.append(number)


def own_dict(number):
    return OwnDict(x=number)


def put_x(value, number):
    value["x"] = number


def complex_of(number):
    return complex(number, 1.0)


def generator_of(number):
    return (x for x in [number, number])


def mapped(dtype):
    def make(number):
        import tempfile

        made = np.memmap(tempfile.TemporaryFile(), dtype=dtype, shape=(2,), mode="w+")
        made[:] = number
        return made

    return make


KINDS = {
    "float": Kind(float, itself),
    "int": Kind(int, itself),
    "complex": Kind(complex_of, itself),
    "text": Kind(int_string, length),
    "bytes": Kind(raw_bytes, length),
    "range": Kind(range_of, length),
    "slice": Kind(slice_of, stop),
    "decimal": Kind(decimal_of, as_number),
    "fraction": Kind(fraction_of, as_number),
    "date": Kind(date, year),
    "pattern": Kind(pattern, pattern_length),
    "frozenset": Kind(frozen, biggest),
    "own text": Kind(own_text, length),
    "own float": Kind(own_float, number_of, set_number),
    "own list": Kind(own_list, length, extend),
    "own dict": Kind(own_dict, item, put_x),
    "bytearray": Kind(lambda n: bytearray([int(n)]), first, lambda v, n: put(v, int(n))),
    "memoryview": Kind(view, first, lambda v, n: put(v, int(n))),
    "array.array": Kind(lambda n: array.array("d", [n]), first, put),
    "ctypes": Kind(ctypes_array, first, put),
    "list": Kind(lambda n: [n], first, put),
    "deque": Kind(lambda n: collections.deque([n]), first, put),
    "set": Kind(lambda n: {n}, biggest, replace_set),
    "dict": Kind(lambda n: {"a": n}, get_a, put_a),
    "ordered dict": Kind(ordered, get_a, put_a),
    "default dict": Kind(default_dict, get_a, put_a),
    "counter": Kind(counter, get_a, put_a),
    "mapping proxy": Kind(proxy, get_a),
    "keys": Kind(keys, biggest),
    "weak dict": Kind(reference, get_plain, put_plain),
    "named tuple": Kind(holder, get_left, set_left),
    "record": Kind(Record, number_of, set_number),
    "object": Kind(Plain, number_of, set_number),
    "slots": Kind(Slotted, number_of, set_number),
    "namespace": Kind(lambda n: types.SimpleNamespace(number=n), number_of, set_number),
    "class": Kind(class_of, get_total, set_total),
    "member": Kind(member, get_value, set_value),
    "module": Kind(module, number_of, set_number),
    "defaults": Kind(function, called, set_defaults),
    "keyword defaults": Kind(keyword_function, called, set_kwdefaults),
    "code": Kind(with_code, called, set_code),
    "cached function": Kind(cached, called),
    "partial": Kind(partial, called, set_partial),
    "partial of an array": Kind(partial_of_array, called, set_partial),
    "method": Kind(bound_method, called, set_self),
    "method of arrays": Kind(method_of_arrays, lambda v: np.sum(v()), set_self_array),
    "method of a list": Kind(bound_builtin, lambda v: v(0)),
    "generator": Kind(generator_of, iterated, refused=True),
    "iterator": Kind(lambda n: iter([n, n]), iterated, refused=True),
    "frame": Kind(Frame, total, set_number, refused=True),
    "item of a frame": Kind(Frame, item, set_number, refused=True),
    "attribute of a frame": Kind(Frame, number_of, set_number, refused=True),
    "settings": Kind(Settings, total, set_number),
    "arrays of settings": Kind(Settings, total, lambda v, n: put(v.table, n)),
    "attribute of settings": Kind(Settings, number_of, set_number),
    "polynomial": Kind(
        lambda n: np.polynomial.Polynomial([n, 1.0]), lambda v: v(2.0), lambda v, n: put(v.coef, n)
    ),
    **{
        f"scalar {name}": Kind(np.dtype(name).type, itself)
        for name in ("float64", "float32", "int8", "uint64", "complex64", "longdouble")
    },
    **{
        f"array {name}": Kind(filled(name), summed, fill)
        for name in (
            *("i1", "u8", "f2", "f4", "f8", "c8", "c16", ">f8", ">i4", ">c16", "O"),
            *("longdouble", "clongdouble"),
        )
    },
    **{f"array {name}": Kind(filled(name), number_in_text, fill) for name in ("U9", "S9")},
    "array of truths": Kind(lambda n: np.array([n > 2.0]), summed, lambda v, n: put(v, n > 2.0)),
    "dates": Kind(filled("M8[s]"), lambda v: v[0].astype(int), fill),
    "spans": Kind(filled("m8[s]"), lambda v: v[0].astype(int), fill),
    "array of no dimensions": Kind(filled("f8", ()), summed, fill),
    "structured": Kind(structured, lambda v: v["a"][0], set_field),
    "void": Kind(lambda n: structured(n)[0], lambda v: v["a"], lambda v, n: v.__setitem__("a", n)),
    "arrays in an array": Kind(nested, nested_first, put_nested),
    "mapped": Kind(mapped("f8"), summed, fill),
    "masked": Kind(masked, summed, put),
    "matrix": Kind(lambda n: np.matrix([[n]]), summed, fill),
    "own array": Kind(lambda n: np.array([n]).view(OwnArray), summed, fill),
}
