"""Which variables of a loop are always equal.

Variables that start equal are taken to be equal as long as nothing speaks against it: those whose
next values are then computed in different ways are told apart, until that changes nothing (Alpern,
Wegman & Zadeck 1988, "Detecting equality of variables in programs"). The gradient of a gradient
counts the trips of a loop twice, and stacks the same residuals twice; this finds out.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from autograph.graph.graph import Node, Value
from autograph.graph.wiring import Loop
from ops.control import regions

Identity = Callable[[Value], Hashable]


def find_twins(loop: Loop, positions: Sequence[int], identity: Identity) -> dict[int, int]:
    """The variables that another one, earlier among ``positions``, always equals.

    Args:
        positions: of the variables to be compared.
        identity: is equal for values from outside the loop that are equal.

    Returns:
        For the position of each such variable, the position of the other one.
    """
    state, body = loop.state, loop.body
    groups = _grouped(positions, lambda k: (state[k].type, identity(loop.start[k])))
    while len(groups) < len(positions):
        known: dict[Value, Hashable] = {}
        for number, group in enumerate(groups):
            known.update((state[k], ("state", number)) for k in group)
        numbers: dict[Hashable, int] = {}
        for node in body.nodes:
            key = _computed(node, known, identity)
            number = id(node) if key is None else numbers.setdefault(key, id(node))
            known.update((v, (number, i)) for i, v in enumerate(node.outputs))
        keys = {
            k: (number, _known(body.outputs[k], known, identity))
            for number, group in enumerate(groups)
            for k in group
        }
        finer = _grouped(positions, keys.__getitem__)
        if len(finer) == len(groups):
            break
        groups = finer
    return {k: group[0] for group in groups for k in group[1:]}


def _grouped(positions: Sequence[int], key: Callable[[int], Hashable]) -> list[list[int]]:
    groups: dict[Hashable, list[int]] = {}
    for k in positions:
        groups.setdefault(key(k), []).append(k)
    return [*groups.values()]


def _known(value: Value, known: dict[Value, Hashable], identity: Identity) -> Hashable:
    return known[value] if value in known else identity(value)


def _computed(node: Node, known: dict[Value, Hashable], identity: Identity) -> Any:
    """What a node computes; None if no other node is taken to compute the same."""
    if node.regions or node.op.effect or node.op is regions.call:
        return None
    operands = tuple(_known(v, known, identity) for v in node.inputs)
    return node.op.name, operands, exact(tuple(sorted(node.attrs.items())))


def exact(attr: Any) -> Any:
    """An attribute such that 1, 1.0 and True differ, as do 0.0 and -0.0."""
    if type(attr) is tuple:
        return type(attr), *map(exact, attr)
    return type(attr), repr(attr) if isinstance(attr, (float, complex)) else attr
