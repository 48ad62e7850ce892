"""What random programs use: functions to call, a class of objects, a context manager."""

from __future__ import annotations

from typing import Any

import numpy as np


def clipped(t, low=-1.0):
    if t < low:
        return low
    elif t > 1.0:
        t = 1.0
    return t


def squared(t):
    return np.tanh(t * t)


def nested_sine(t, depth):
    """Recursion with a result."""
    if depth <= 0:
        return t
    return np.sin(t + nested_sine(t * 0.5, depth - 1))


def fill(array, first, value):
    """Changes its argument, by recursion."""
    if first < 3:
        array[first] += value
        fill(array, first + 1, value * 0.5)


def first_above(array, bound):
    for position, t in enumerate(array):
        if t > bound:
            return position
    return -1


def exchanged(s, t):
    return t, s


def push_if(stack, t, limit):
    """Appends to its argument, or not."""
    if t > 0 and len(stack) < limit:
        stack.append(t)
        return True
    return False


def deepest(stack, n):
    """Recursion that appends to its argument and takes that away again."""
    if n <= 0:
        return sum(stack) + len(stack)
    stack.append(n * 0.5)
    result = deepest(stack, n - 1)
    stack.pop()
    return result


def exchanged_below(array, n):
    """Recursion that changes an element of its argument, and puts the old one back."""
    if n <= 0:
        return np.sum(np.sin(array))
    old = array[n % 3]
    array[n % 3] = n * 0.25
    result = exchanged_below(array, n - 1)
    array[n % 3] = old
    return result


def counted_below(table, n):
    """The same for a value of a dict; one change stays."""
    table["w"] += 1
    if n <= 0:
        return table["u"] * 0.5
    old = table["u"]
    table["u"] = np.tanh(old + n)
    result = counted_below(table, n - 1)
    table["u"] = old
    return result


class Particle:
    """An object with attributes and methods that change them."""

    def __init__(self, position, trace):
        self.position = position
        self.trace = trace
        self.moves = 0

    def move(self, step):
        self.position = np.tanh(self.position + step)
        self.moves += 1
        return self

    def mark(self, index, value):
        self.trace[index] = value

    def copy(self):
        return Particle(self.position, self.trace.copy())

    def __add__(self, step):
        return Particle(np.tanh(self.position + step), self.trace * 0.5)

    def __call__(self, t):
        return np.sin(self.position * t) + self.moves % 3

    @property
    def speed(self):
        return self.position * 0.5

    @speed.setter
    def speed(self, value):
        if value > 0.0:
            self.position = np.tanh(value)

    @property
    def energy(self):
        return self.position * self.position + np.sum(np.sin(self.trace))


class Scope:
    """A context manager whose beginning and end can be seen."""

    def __init__(self, name: str):
        self.name = name

    def __enter__(self) -> Scope:
        print("enter", self.name)
        return self

    def __exit__(self, *error: Any) -> None:
        print("leave", self.name)


def weight(value: Any) -> Any:
    """A float that depends smoothly on all numbers in a result."""
    if isinstance(value, (tuple, list)):
        return sum([weight(v) for v in value])
    if isinstance(value, dict):
        return sum([weight(v) for v in value.values()])
    if isinstance(value, Particle):
        return value.energy
    if value is None or isinstance(value, str):
        return 0.0
    if np.iscomplexobj(value):
        value = np.real(value) + 0.5 * np.imag(value)
    return np.sum(np.sin(value * 1.0))


# -- functions that leave early --------------------------------------------------------------------


def value_above(array, bound):
    for t in array:
        if t > bound:
            return t
    return bound


def found_pair(array, bound):
    for i in range(len(array)):
        for j in range(i, len(array)):
            if array[i] + array[j] > bound:
                return i, array[j]
            if array[j] > 1.5:
                break
    else:
        return -2, bound * 0.5
    return -1, 0.5


def halved_until(t, bound):
    """Leaves its only loop from inside, with a number or an array."""
    while True:
        if np.sum(np.abs(t)) <= abs(bound) + 0.1:
            return t
        t = t / 2


def steps_down(n, t):
    steps = 0
    while n > 0:
        n -= 1
        steps += 1
        if t > 0.5 and steps > 1:
            return steps * 2
        t = np.sin(t * 1.5)
    else:
        steps -= 1
    return steps


def none_or(array, bound):
    best = None
    for t in array:
        if t > bound and (best is None or t < best):
            best = t
    return best


def has_above(array, bound):
    for t in array:
        if t > bound:
            return True
    return False


# -- functions that raise, functions that handle it ------------------------------------------------


def refused_below(t, bound):
    if t < bound:
        raise ValueError(f"at {t:.4f}")
    return np.sin(t - bound)


def or_else(t, bound):
    try:
        return refused_below(t, bound)
    except ValueError:
        return bound * 0.5


# -- arguments and generators ----------------------------------------------------------------------


def largest_of(first, *others, last=-1.0):
    for t in others:
        if t > first:
            first = t
    return first if first > last else last


def combined(**numbers):
    return numbers["low"] * 0.5 - numbers["high"]


def halves(array):
    for t in array:
        yield t * 0.5


def pairs_of(n):
    for i in range(n):
        for j in range(i):
            yield i, j
