"""Places: functions that put a value somewhere outside of a function that reads it there."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.staging.border.freezing.classes import (
    Plain,
    Settings,
    library,
    of_user,
    other_library,
)


@dataclass
class Place:
    """A value put where a function finds it.

    Attributes:
        function: of one number; reads the value.
        args, kwargs: gives what it is called with besides.
        put: puts another value there.
    """

    function: Callable
    put: Callable[[Any], None]
    args: Callable[[], tuple] = tuple
    kwargs: Callable[[], dict] = dict


PLACES: dict[str, Callable[[Any, Callable], Place]] = {}


def place(make):
    PLACES[make.__name__.replace("_", " ")] = make
    return make


class Cell:
    def __init__(self, value):
        self.value = value

    def put(self, value):
        self.value = value


@place
def argument(value, read):
    held = Cell(value)

    def f(x, v):
        return x + read(v)

    return Place(f, held.put, lambda: (held.value,))


@place
def keyword(value, read):
    held = Cell(value)

    def f(x, *, v):
        return x + read(v)

    return Place(f, held.put, kwargs=lambda: {"v": held.value})


@place
def default(value, read):
    def f(x, v=value):
        return x + read(v)

    return Place(f, lambda new: setattr(f, "__defaults__", (new,)))


@place
def keyword_default(value, read):
    def f(x, *, v=value):
        return x + read(v)

    return Place(f, lambda new: f.__kwdefaults__.update(v=new))


@place
def default_of_a_callee(value, read):
    def g(v=value):
        return read(v)

    return Place(lambda x: x + g(), lambda new: setattr(g, "__defaults__", (new,)))


HELD: Any = None


@place
def global_variable(value, read):
    def put(new):
        global HELD
        HELD = new

    put(value)
    return Place(lambda x: x + read(HELD), put)


@place
def cell(value, read):
    def put(new):
        nonlocal value
        value = new

    return Place(lambda x: x + read(value), put)


@place
def cell_of_a_callee(value, read):
    def put(new):
        nonlocal value
        value = new

    def g():
        return read(value)

    return Place(lambda x: x + g(), put)


@place
def attribute_of_a_module(value, read):
    of_user.value = value
    return Place(lambda x: x + read(of_user.value), lambda new: setattr(of_user, "value", new))


@place
def attribute_of_a_library(value, read):
    other_library.value = value
    return Place(
        lambda x: x + read(other_library.value), lambda new: setattr(other_library, "value", new)
    )


@place
def attribute_of_a_class(value, read):
    class Owner:
        pass

    Owner.value = value
    return Place(lambda x: x + read(Owner.value), lambda new: setattr(Owner, "value", new))


@place
def attribute_of_a_class_of_a_library(value, read):
    Settings.value = value
    return Place(
        lambda x: x + read(library.Settings.value), lambda new: setattr(Settings, "value", new)
    )


@place
def attribute_of_an_instance(value, read):
    owner = Plain(value)

    def f(x, owner):
        return x + read(owner.number)

    return Place(f, lambda new: setattr(owner, "number", new), lambda: (owner,))


@place
def attribute_of_an_instance_outside(value, read):
    owner = Plain(value)
    return Place(lambda x: x + read(owner.number), lambda new: setattr(owner, "number", new))


@place
def attribute_of_a_function(value, read):
    def owner():
        pass

    owner.value = value
    return Place(lambda x: x + read(owner.value), lambda new: setattr(owner, "value", new))


@place
def attribute_of_an_object_of_a_library(value, read):
    owner = Settings(1.0)
    owner.value = value
    return Place(lambda x: x + read(owner.value), lambda new: setattr(owner, "value", new))


def put_first(items, value):
    items[0] = value


@place
def element_of_a_list(value, read):
    items = [value]
    return Place(lambda x, v: x + read(v[0]), lambda new: put_first(items, new), lambda: (items,))


@place
def element_of_a_list_outside(value, read):
    items = [value]
    return Place(lambda x: x + read(items[0]), lambda new: put_first(items, new))


@place
def element_of_a_dict_outside(value, read):
    items = {"a": value}
    return Place(lambda x: x + read(items["a"]), lambda new: items.update(a=new))


@place
def element_of_a_tuple_outside(value, read):
    items = (value, 1)

    def put(new):
        nonlocal items
        items = (new, 1)

    return Place(lambda x: x + read(items[0]), put)


@place
def result_of_a_partial_application(value, read):
    items = [value]
    applied = functools.partial(read_first, items)
    return Place(lambda x: x + read(applied()), lambda new: put_first(items, new))


def read_first(items):
    return items[0]


@place
def given_to_a_function_of_a_library(value, read):
    items = [value]

    def g(_):
        return read(items[0])

    return Place(
        lambda x: x + functools.reduce(first_of, map(g, [0])), lambda new: put_first(items, new)
    )


def first_of(a, b):
    return a
