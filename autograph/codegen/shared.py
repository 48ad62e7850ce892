"""What the functions of one program share: names, constants, the expressions of operators."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType

import numpy as np

from autograph.codegen.constants import NAMES
from autograph.codegen.expressions import (
    NUMBER,
    Expression,
    Skeleton,
    literal,
    marker,
    parse_skeleton,
)
from autograph.codegen.memory import Callees, is_update
from autograph.codegen.names import ModuleNames
from autograph.errors import UnsupportedFunctionError
from autograph.graph.graph import Constant, Module, Node, walk
from autograph.graph.lengths import symbols_of
from autograph.graph.purity import effectful_graphs
from ops.control import regions
from ops.control.regions import Structured
from ops.core.registry import Op


def _has_expression(node: Node) -> bool:
    """Whether a node is computed by the expression of its operator."""
    return not (isinstance(node.op, Structured) or is_update(node))


class Shared:
    """What the functions of one program share.

    Args:
        module: the graphs that the program computes.
        backend: a module of `autograph.backends`.
        donated: the positions of inputs of the main graph whose memory the program may write to.

    Attributes:
        main: the name of the function for the main graph.
        functions: that for each named graph.
        callees: what calls of the named graphs return.
        effectful: the named graphs that do more than compute their results.
        keeps: whether loops may keep something of each trip.
        reserved: names that no local variable may have.
        constants: those that are global variables, by their names.
        helpers: the functions of operators that what was written so far calls.
        made: what it calls that is made when the program is loaded: names, and what makes them.
    """

    def __init__(self, module: Module, backend: ModuleType, donated: Iterable[int]):
        self.backend = backend
        self.donated = [module.main.inputs[i] for i in donated]
        self.effectful = effectful_graphs(module)
        self.callees = Callees(module.graphs)
        self._graphs = (module.main, *module.graphs.values())
        self._check_backend()
        self._made: dict[Node, tuple[str, str]] = {}
        own = {n: n.op.made_once for n in self.nodes() if _has_expression(n)}
        self._skeletons = {n: self._parse(n) for n, made_once in own.items() if made_once is None}
        self.helpers: dict[Callable, None] = {}
        self.made: dict[str, str] = {}
        used = {name for skeleton in self._skeletons.values() for name in skeleton.names}
        helpers = {helper for node in own for helper in node.op.helpers}
        self.keeps = regions.pushed in helpers
        used |= {helper.__name__ for helper in helpers}
        names = ModuleNames({"np", *NAMES, *used, *dir(builtins)})
        self.main = names.give(module.main.name)
        self.functions = {name: names.give(name) for name in module.graphs}
        for node, made_once in own.items():
            if made_once is not None:
                name, text = made_once([value.type for value in node.inputs], node.attrs)
                self._made[node] = names.give(name), text
                self._skeletons[node] = self._parse(node)
        self._constants: dict[int, tuple[str, Constant]] = {}
        for constant in self._global_constants():
            if id(constant.data) not in self._constants:
                name = names.give(constant.name or f"c_{len(self._constants)}")
                self._constants[id(constant.data)] = (name, constant)
        given = {self.main, *self.functions.values(), *self.constants}
        given |= {name for name, _ in self._made.values()}
        self.reserved = given | used | {"np", "range", "float", "complex", "_"}
        self.reserved |= {symbol for graph in self._graphs for symbol in symbols_of(graph)}

    @property
    def constants(self) -> Mapping[str, Constant]:
        return dict(self._constants.values())

    def forget_uses(self) -> None:
        """Begin to write anew."""
        self.helpers.clear()
        self.made.clear()

    def _check_backend(self) -> None:
        """Refuse operators whose code a device's library cannot run; in the host's memory it is
        always NumPy that runs."""
        for node in () if self.backend.host else self.nodes():
            if "cupy" not in node.op.backends:
                raise UnsupportedFunctionError(
                    f"the operator '{node.op.name}' does not run on the backend "
                    f"'{self.backend.name}'",
                    node.location,
                    fix=node.op.instead,
                )

    def nodes(self) -> Iterator[Node]:
        """All nodes of the program."""
        for graph in self._graphs:
            yield from walk(graph)

    def _global_constants(self) -> Iterator[Constant]:
        for graph in self._graphs:
            values = [*graph.outputs]
            for node in walk(graph):
                values += node.inputs
                for region in node.regions:
                    values += region.outputs
            for value in values:
                if isinstance(value, Constant) and self._inline(value) is None:
                    yield value

    def _inline(self, constant: Constant) -> Expression | None:
        """A constant as a literal, or None if it has to be a global variable.

        A NumPy scalar lives on the host; elsewhere it is an array, like every other scalar with a
        dtype.
        """
        if isinstance(constant.data, (np.ndarray, tuple)):
            return None
        if isinstance(constant.data, np.generic) and not self.backend.host:
            return None
        return literal(constant.data)

    def constant(self, constant: Constant) -> Expression:
        """A constant as an expression."""
        inline = self._inline(constant)
        return Expression(self._constants[id(constant.data)][0]) if inline is None else inline

    def _parse(self, node: Node) -> Skeleton:
        """The expression of a node's operator.

        Non-negative literals stand for themselves: an operator's code may look at them.
        """
        operands = []
        for position, value in enumerate(node.inputs):
            inline = self._inline(value) if isinstance(value, Constant) else None
            if inline is None or inline.level < NUMBER:
                operands.append(marker(position))
            else:
                operands.append(inline.text)
        return parse_skeleton(self._expression(node, operands))

    def _expression(self, node: Node, operands: list[str], in_place: bool = False) -> str:
        types = [value.type for value in node.inputs]
        made, _ = self._made.get(node, ("", ""))
        return node.op.expression(operands, types, node.attrs, in_place, made)

    def skeleton(self, node: Node) -> Skeleton:
        """The expression of a node, with markers for its operands."""
        if node.op is regions.call:
            operands = ", ".join(map(marker, range(len(node.inputs))))
            return parse_skeleton(f"{self.functions[node.attrs['callee']]}({operands})")
        skeleton = self._skeletons[node]
        self._use(node, skeleton)
        return skeleton

    def skeleton_in_place(self, node: Node) -> Skeleton:
        """The expression that computes a node in the memory of its first operand."""
        operands = [marker(i) for i in range(len(node.inputs))]
        skeleton = parse_skeleton(self._expression(node, operands, in_place=True))
        self._use(node, skeleton)
        return skeleton

    def _use(self, node: Node, skeleton: Skeleton) -> None:
        self.use_helpers(node.op, skeleton.text)
        if node in self._made:
            name, text = self._made[node]
            self.made[name] = text
            self.use_helpers(node.op, text)

    def use_helpers(self, op: Op, text: str) -> None:
        """Put those helpers of an operator that ``text`` calls, and those that they call
        themselves, into the program."""
        called = [h for h in op.helpers if re.search(rf"\b{h.__name__}[(,]", text)]
        for helper in called:
            inner = helper.__code__.co_names
            called += [h for h in op.helpers if h.__name__ in inner and h not in called]
        self.helpers.update(dict.fromkeys(called))
