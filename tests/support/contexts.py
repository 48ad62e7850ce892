"""Other places for a program to stand in, and other arguments to call it with.

A program that is right at top level may be wrong where it is called: what it returns is used, what
it changes belongs to another function, its arguments come in another layout. A `Context` takes a
`Call` and gives another: of a function in which the program stands elsewhere (`PLACES`), or with
arguments of another kind (`LAYOUTS`). Python runs the same function, and is the oracle as always.
What a program is under transforms is compared in `transformed`.

    in_a_list.lift(Call(absolute, (-2.0,)))  # the call of `lambda x: [absolute(x), 1.0]`

Contexts compose: the lifted call can be lifted again.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import optree

from tests.support.oracle import Call, outcome


@dataclass(frozen=True)
class Context:
    """A place for a program.

    Attributes:
        name: of the function that makes it.
        lift: from a call that it applies to.
        applies: whether it can be made of a call; what it excludes means nothing in Python.
    """

    name: str
    lift: Callable[[Call], Call]
    applies: Callable[[Call], bool]

    def __str__(self) -> str:
        return self.name


PLACES: list[Context] = []
LAYOUTS: list[Context] = []


def place(applies: Callable[[Call], bool] = lambda call: True, smooth: bool = True) -> Callable:
    """A decorator that makes a context of a function from programs to functions.

    Args:
        smooth: whether the derivatives of a smooth program are compared in it, too.
    """

    def add(lifted: Callable) -> Context:
        def lift(call: Call) -> Call:
            function = lifted(call.function)
            return replace(call, function=function, smooth=call.smooth and smooth)

        PLACES.append(Context(lifted.__name__, lift, applies))
        return PLACES[-1]

    return add


def counted(count: int, applies: Callable[[Call], bool] = lambda call: True) -> Callable:
    """The same for a function that has one argument more, an int at the end."""

    def add(lifted: Callable) -> Context:
        def lift(call: Call) -> Call:
            return replace(call, function=lifted(call), args=(*call.args, count))

        PLACES.append(Context(lifted.__name__, lift, applies))
        return PLACES[-1]

    return add


def expected(call: Call) -> Any:
    """What Python returns; None if it raises."""
    return outcome(call.function, call.args, call.arrange).result


# -- places ----------------------------------------------------------------------------------------


@place()
def called(program):
    return lambda *args: program(*args)


def is_number(call: Call) -> bool:
    """Whether the result is a number or an array of numbers."""
    result = expected(call)
    return isinstance(result, (int, float, complex, np.generic, np.ndarray)) and (
        np.asarray(result).dtype.kind in "biufc"
    )


@place(is_number)
def in_arithmetic(program):
    return lambda *args: program(*args) * 2 + 1


def has_items(call: Call) -> bool:
    """Whether the result can be indexed, or be an index."""
    result = expected(call)
    if isinstance(result, (tuple, list, dict)):
        return len(result) > 0
    if isinstance(result, np.ndarray):
        return result.ndim > 0 and len(result) > 0
    return isinstance(result, (int, float, np.integer, np.floating)) and math.isfinite(result)


@place(has_items, smooth=False)
def indexed(program):
    """Its items; of a number, what it is the index of."""

    def lifted(*args):
        result = program(*args)
        if isinstance(result, dict):
            return [result[key] for key in result]
        if isinstance(result, (tuple, list)) or np.ndim(result) > 0:
            return result[0], result[-1], result[1:], len(result)
        return np.array([0.5, 1.5, 2.5])[int(result) % 3]

    return lifted


@place(smooth=False)
def in_a_list(program):
    return lambda *args: [program(*args), 1.0]


@place()
def as_a_method(program):
    class Holder:
        def __init__(self):
            self.runs = 0

        def run(self, *args):
            self.runs += 1
            return program(*args)

    return lambda *args: Holder().run(*args)


@place()
def in_a_closure(program):
    def lifted(*args):
        def inner():
            return program(*args)

        return inner()

    return lifted


@place()
def as_a_default(program):
    def apply(args, function=program):
        return function(*args)

    return lambda *args: apply(args)


@counted(2)
def in_a_loop(call):
    """The last of three results; what the program changes, it changes three times."""
    program = call.function

    def lifted(*args):
        *own, n = args
        result = program(*own)
        for _ in range(n):
            result = program(*own)
        return result

    return lifted


@counted(2)
def for_its_effects(call):
    program = call.function

    def lifted(*args):
        *own, n = args
        while n > 0:
            program(*own)
            n -= 1
        return n

    return lifted


def in_one_branch(call):
    """The result of the other branch is what Python returned, a constant."""
    program, other = call.function, expected(call)

    def lifted(*args):
        *own, n = args
        if n > 1:
            return program(*own)
        return other

    return lifted


@counted(2)
def in_the_branch_taken(call):
    return in_one_branch(call)


@counted(0)
def in_the_branch_not_taken(call):
    return in_one_branch(call)


@counted(2)
def at_the_end_of_a_recursion(call):
    program = call.function

    def step(n, own):
        if n <= 0:
            return program(*own)
        return step(n - 1, own)

    return lambda *args: step(args[-1], args[:-1])


@counted(2)
def at_each_step_of_a_recursion(call):
    program = call.function

    def step(n, own):
        result = program(*own)
        if n <= 0:
            return result
        return step(n - 1, own)

    return lambda *args: step(args[-1], args[:-1])


# -- layouts ---------------------------------------------------------------------------------------


def layout(of_leaf: Callable) -> Context:
    """A decorator that makes a context of a function from a leaf of the arguments to another.

    It gives its argument itself where the layout makes no difference.
    """

    def lift(call: Call) -> Call:
        def arrange(args: tuple) -> tuple:
            return optree.tree_map(of_leaf, call.arrange(args))

        return replace(call, arrange=arrange, smooth=False)

    def applies(call: Call) -> bool:
        return any(of_leaf(x) is not x for x in optree.tree_leaves(call.args))

    LAYOUTS.append(Context(of_leaf.__name__, lift, applies))
    return LAYOUTS[-1]


def is_plain(x: Any) -> bool:
    return type(x) is np.ndarray and x.dtype.kind in "biufc"


@layout
def read_only(x):
    if not is_plain(x):
        return x
    x = x.copy()
    x.flags.writeable = False
    return x


@layout
def strided(x):
    """Every other item of an array that is turned around."""
    if not is_plain(x) or x.ndim == 0 or x.size < 2:
        return x
    memory = np.zeros([2 * n for n in x.shape], x.dtype)
    view = memory[(slice(None, None, -2),) * x.ndim]
    view[...] = x
    return view


@layout
def without_axes(x):
    """A Python number as an array of none."""
    return np.array(x) if type(x) in (int, float, bool) and abs(x) < 2**63 else x


@layout
def of_numpy_scalars(x):
    return np.array(x)[()] if type(x) in (int, float, bool) and abs(x) < 2**63 else x


CONTEXTS = [*PLACES, *LAYOUTS]


def lifted(call: Call, *contexts: Context) -> Call | None:
    """The call lifted into one context after the other, or None if one does not apply."""
    call = replace(call, args=copy.deepcopy(call.args))
    for context in contexts:
        if not context.applies(call):
            return None
        call = context.lift(call)
    return call
