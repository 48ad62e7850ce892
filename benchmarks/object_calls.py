"""What calls with the caller's objects, lists and variables cost, which are read before the program
runs, and written after it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograph as ag
from benchmarks.table import Table, duration
from benchmarks.timing import interleaved

calls = 0


class Node:
    def __init__(self, value: float, next: Node | None):
        self.value = value
        self.next = next
        self.total = 0.0


class Body:
    def __init__(self, x: float):
        self.x = x
        self.v = 0.0
        self.m = 1.0 + x


def chain(count: int) -> Node | None:
    head = None
    for k in range(count):
        head = Node(0.5 * k, head)
    return head


def walked(node):
    total = 0.0
    while node is not None:
        total = total * 0.5 + node.value * node.value
        node = node.next
    return total


def written(node):
    total = 0.0
    while node is not None:
        total = total * 0.5 + node.value
        node.total = total
        node = node.next
    return total


def pushed(bodies):
    for a in bodies:
        for b in bodies:
            d = a.x - b.x
            a.v += b.m * d / (d * d + 1.0)


def appended(log, n):
    for _ in range(n):
        log.append(log[-1] * 0.5)


def appended_along(node, log):
    while node is not None:
        log.append(node.value + 0.5 * log[-1])
        node = node.next


def counted():
    global calls
    calls += 1


def cases() -> dict[str, tuple[Callable, Callable[[], tuple[Any, ...]]]]:
    """Functions, each with what gives the arguments of a call."""
    numbers = [1.0] * 2000
    chains = {count: chain(count) for count in (3, 100, 1000)}
    bodies = [Body(0.1 * k) for k in range(100)]
    return {
        **{f"walk over {n} objects": (walked, lambda n=n: (chains[n],)) for n in chains},
        **{
            f"the same, writing an attribute, {n}": (written, lambda n=n: (chains[n],))
            for n in chains
        },
        "each of 100 objects with each": (pushed, lambda: (bodies,)),
        "copy 2,000 numbers, append 1,000": (appended, lambda: (numbers.copy(), 1000)),
        "the same, append for each of 1,000 objects": (
            appended_along,
            lambda: (chains[1000], numbers.copy()),
        ),
        "count += 1 of a global variable": (counted, tuple),
    }


def run() -> Table:
    rows = []
    for name, (function, arguments) in cases().items():
        compiled = ag.to_graph(function)
        if function in (walked, written, appended_along):  # for any number of objects
            for count in range(3, 9):
                compiled(chain(count), *arguments()[1:])
        timings = interleaved(
            {
                "Python": lambda function=function, given=arguments: function(*given()),
                "compiled": lambda compiled=compiled, given=arguments: compiled(*given()),
            }
        )
        rows.append(
            (
                name,
                duration(timings.seconds("Python")),
                duration(timings.seconds("compiled")),
                f"{timings.ratio('compiled', 'Python'):.1f}",
            )
        )
    return Table(
        "Calls with objects and lists",
        "Objects in heaps, lists as arrays, variables outside, with what reads and writes them.",
        ("call", "Python", "compiled", "ratio"),
        rows,
    )
