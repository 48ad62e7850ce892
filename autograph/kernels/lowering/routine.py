"""What a kernel that others call computes for a graph, and how it is called."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field

from autograph.graph.graph import Graph, Value, walk
from autograph.graph.wiring import is_loop, sources_of
from autograph.kernels.ir.ir import Kernel
from autograph.kernels.lowering.analysis.unknown_lengths import changes_list
from autograph.kernels.lowering.values import is_array, is_growing
from ops.control import regions
from ops.core.records import NamedTuple, dataclass


@dataclass(frozen=True)
class Convention:
    """How a routine takes arguments and gives results.

    It takes the graph's inputs but for those that it changes, then the symbols of lengths. It gives
    the graph's outputs, then flags. Of a list that grows it takes, and gives, the numbers that say
    where it is; see `autograph.kernels.lowering.arrays.passed_lists`.

    Attributes:
        changed: the outputs that are arguments, changed where they are: by position, that of the
            input.
        uncertain: the outputs that may be arrays that the routine was given. There is a bool for
            each: whether it is one.
        came_from: the outputs that are lists it is given with rows changed, added or taken away: by
            position, that of the input.
        tables_given, tables_left: the inputs and outputs that are lists in which something is
            looked for.
    """

    changed: Mapping[int, int] = field(default_factory=dict)
    uncertain: tuple[int, ...] = ()
    came_from: Mapping[int, int] = field(default_factory=dict)
    tables_given: frozenset[int] = frozenset()
    tables_left: frozenset[int] = frozenset()

    def places(self, outputs: Sequence[Value]) -> list[int]:
        """Where the results of a graph begin among those of the routine, and where they end."""
        found = [0]
        for position, value in enumerate(outputs):
            found.append(found[-1] + numbers_of(value, position in self.tables_left))
        return found


def numbers_of(value: Value, has_table: bool) -> int:
    """How many arguments or results of a routine there are for one of its graph: of a list that
    grows these numbers, in which `has_table` says whether something is looked for."""
    if not is_growing(value):
        return 1
    return 3 + value.type.shape[1:].count(None) + has_table


class CalledKernel(NamedTuple):
    """A kernel for a named graph.

    Attributes:
        symbols: of lengths, which it takes.
    """

    kernel: Kernel
    convention: Convention = Convention()
    symbols: tuple[str, ...] = ()


def changed_arguments(graph: Graph) -> dict[int, int]:
    """Which arrays a graph gives are, as far as can be seen, ones that it takes, with elements
    changed. Whatever is said here, the results are right: it is where they are put."""
    position = {v: i for i, v in enumerate(graph.inputs)}
    found: dict[int, int] = {}
    for i, value in enumerate(graph.outputs):
        if not is_array(value) or is_growing(value):
            continue
        for source in _origins(value):
            j = position.get(source)
            if j is not None and j not in found.values() and source.type == value.type:
                found[i] = j
                break
    return found


def _origins(value: Value) -> list[Value]:
    """The arrays that one may have been before elements of it were changed."""
    found, pending, seen = [], [value], {value}
    while pending:
        value = pending.pop()
        node = value.producer
        sources: tuple[Value, ...] = ()
        if node is None:
            found.append(value)
        elif node.op.updates:
            sources = node.inputs[:1]
        elif node.op is regions.cond or is_loop(node):
            sources = tuple(sources_of(node)[value])
        pending += [v for v in sources if v not in seen]
        seen.update(sources)
    return found


def uses_lists(graph: Graph) -> bool:
    """Whether a graph has to do with arrays whose lengths are known only at run time."""
    return any(is_growing(v) for node in walk(graph) for v in (*node.inputs, *node.outputs))


def sources_of_lists(graphs: Mapping[str, Graph]) -> dict[str, dict[int, int]]:
    """Which lists that graphs give which call each other are lists that they take, whose rows they
    have changed, added or taken away: for each graph, the outputs that are, by position, with the
    positions of the inputs. An output that may be several, or another list, is none."""
    found: dict[str, dict[int, set[int]]] = {
        name: {i: set() for i, v in enumerate(graph.outputs) if is_growing(v)}
        for name, graph in graphs.items()
    }
    others: set[tuple[str, int]] = set()  # those that may be another list
    joined: dict[Value, tuple[Value, ...]] = {}
    for node in itertools.chain.from_iterable(map(walk, graphs.values())):
        if node.regions:
            joined.update(sources_of(node))
    count = -1
    while count < (count := len(others) + sum(len(x) for o in found.values() for x in o.values())):
        for name, graph in graphs.items():
            position = {v: i for i, v in enumerate(graph.inputs)}
            for output, inputs in found[name].items():
                for source in _lists_before(graph.outputs[output], joined, found, others):
                    if source is None or source not in position:
                        others.add((name, output))
                    else:
                        inputs.add(position[source])
    return {
        name: {i: next(iter(x)) for i, x in of.items() if len(x) == 1 and (name, i) not in others}
        for name, of in found.items()
    }


def _lists_before(
    value: Value,
    joined: Mapping[Value, Sequence[Value]],
    found: Mapping[str, Mapping[int, set[int]]],
    others: Collection[tuple[str, int]],
) -> Iterator[Value | None]:
    """The lists that one may have been before rows of it were changed; None for others.

    Args:
        joined: what values in which paths meet may be.
        found, others: what is known of graphs that are called.
    """
    pending, seen = [value], {value}
    while pending:
        value = pending.pop()
        node = value.producer
        sources: Sequence[Value] = ()
        if value in joined:
            sources = joined[value]
        elif node is None:
            yield value
        elif node.op is regions.call and node.attrs["callee"] in found:
            name, output = node.attrs["callee"], node.place(value)
            sources = [node.inputs[i] for i in found[name][output]]
            if (name, output) in others:
                yield None
        elif changes_list(node):
            sources = node.inputs[:1]
        else:
            yield None
        pending += [v for v in sources if v not in seen]
        seen.update(sources)
