"""Programs for a GPU in pieces, each of which may be a graph of CUDA's, where all of a program may
not: a graph, what cannot be in one, and another graph.

    y = np.tanh(x) @ w             y = step_piece(x, w)
    z = np.sort(y)          ->     z = np.sort(y)
    return z / np.sum(z)           return step_piece_2(z)

A piece is a function of the program, made of operators that stand one after the other, in the body
of a loop of the host's as well. `autograph.kernels.cuda.whole` captures it as it does a program: a
sort then waits as before, but the launches around it are started as one. Views of what comes from
outside stay there: a graph's results are copied, and these must not be.

No piece is in a recursive program, nor has one a collective: for those all processes have to start
the same graphs.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence

from autograph.errors import Location
from autograph.graph.graph import Graph, Module, Node, Value, callees
from autograph.kernels import cuda
from autograph.kernels.selection.outlining import CutOut, Outliner, array_constants, call_of, closed
from ops.core.records import NamedTuple
from ops.core.types import ArrayType

_FEWEST = 2  # calls: to start a graph of one saves nothing


class Piece(NamedTuple):
    """What is known of a piece.

    Attributes:
        calls: that a graph of it saves.
        location: of its first operator.
    """

    calls: int
    location: Location | None


def in_pieces(
    module: Module, kernels: Collection[str], donated: Collection[int] = ()
) -> tuple[Module, dict[str, Piece]]:
    """A program with pieces, and what is known of them, by their names; the program itself if it
    may be one graph, or has none.

    Args:
        kernels: the names of the graphs that are kernels.
        donated: see `autograph.kernels.cuda.capturable.capture_of`.
    """
    if not kernels or module.main.name in kernels:
        return module, {}
    if not cuda.capture_of(module, kernels, donated).why_not or _is_recursive(module):
        return module, {}
    cutter = _Cutter(module, kernels)
    made = cutter.outlined()
    return (made, cutter.pieces) if cutter.pieces else (module, {})


def _is_recursive(module: Module) -> bool:
    return any(name in callees(graph, module.graphs) for name, graph in module.graphs.items())


class _Cutter(Outliner):
    """Puts calls of pieces into a program."""

    def __init__(self, module: Module, kernels: Collection[str]):
        super().__init__(module)
        self.pieces: dict[str, Piece] = {}
        self._kernels = kernels
        self._named: Mapping[str, Graph] = module.graphs
        self._name = module.main.name

    def _start(self, name: str) -> None:
        self._name = name

    def _parts(self, graph: Graph, cuts: list[CutOut]) -> Iterator[Node]:
        run: list[Node] = []
        calls = 0
        for node in graph.nodes:
            known = self._calls(node)
            if known is not None:
                run.append(node)
                calls += known
                continue
            yield from self._cut(graph, run, calls)
            run, calls = [], 0
            yield node
        yield from self._cut(graph, run, calls)

    def _calls(self, node: Node) -> int | None:
        """How many calls a graph with a node saves; None if no graph can have it."""
        if self._name in self._kernels:  # which is called where the kernel gives up
            return None
        if not all(isinstance(v.type, ArrayType) for v in (*node.uses(), *node.outputs)):
            return None
        known = cuda.capture_of_node(node, self._named, self._kernels)
        return None if known.why_not or known.meets else known.calls

    def _cut(self, graph: Graph, run: Sequence[Node], calls: int) -> Sequence[Node]:
        """A call of a piece of some nodes, and those that stay; the nodes if it is not worth it."""
        inside = set(run)
        used: set[Value] = set(graph.outputs)
        for node in graph.nodes:
            if node not in inside:
                used.update(node.uses())
        apart: set[Node] = set()  # views, and views of which these are
        for node in reversed(run):
            if node.is_view and not used.isdisjoint(node.outputs):
                apart.add(node)
                used.update(node.uses())
        outputs = [v for node in run if node not in apart for v in node.outputs if v in used]
        if calls < _FEWEST or not outputs:
            return run
        constants = array_constants(run)
        operands = self.operands(run, outputs, constants)
        name = self._new_name()
        self.graphs[name] = closed(name, run, operands, outputs, constants)
        self.pieces[name] = Piece(calls, run[0].location)
        return [
            call_of(name, run, operands, outputs),
            *(node for node in run if node in apart),
        ]

    def _new_name(self) -> str:
        base = f"{self.module.main.name}_piece"
        for number in itertools.count(1):
            name = f"{base}_{number}" if number > 1 else base
            if name not in self.graphs:
                return name
        raise AssertionError
