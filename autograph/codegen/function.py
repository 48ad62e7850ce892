"""The statements of one function of a program.

A value without a user's name that is used once is not assigned to a variable: its expression is
*deferred*, and nested into the expression that uses it. Deferred expressions are written out early,
to a temporary, before a statement that they must not move across:

* one that assigns a variable that they read,
* one with an effect, or that changes an array in place,
* a loop or branch,
* one that may raise, if they may raise too,

and where nesting would make a line too long.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager

import ops
from autograph.codegen.expressions import Expression, Skeleton, marker, parse_skeleton
from autograph.codegen.liveness import Liveness, is_flag, is_logical
from autograph.codegen.memory import is_update, plan_memory, takes_over, ufunc_name
from autograph.codegen.names import Variables
from autograph.codegen.shared import Shared
from autograph.errors import Location
from autograph.graph.graph import Constant, Graph, Node, Value
from autograph.graph.lengths import symbol_places
from autograph.graph.purity import has_own_effect, is_speculatable
from autograph.graph.wiring import loop_of
from ops.arrays.indexing import update_statement
from ops.control import regions
from ops.core.records import NamedTuple
from ops.core.registry import Op

_WIDTH = 88
_NOT = parse_skeleton(f"not {marker(0)}")
_AND = parse_skeleton(f"{marker(0)} and {marker(1)}")
_OR = parse_skeleton(f"{marker(0)} or {marker(1)}")
_TERNARY = parse_skeleton(f"{marker(1)} if {marker(0)} else {marker(2)}")
_COPY = parse_skeleton(f"{marker(0)}.copy()")
_RANGE = parse_skeleton(f"range({marker(0)})")


class Line(NamedTuple):
    """A line of a program, and the place in the user's source that it comes from.

    Attributes:
        raises: the places of the operations in it that may raise.
    """

    depth: int
    text: str
    location: Location | None = None
    raises: tuple[Location | None, ...] = ()


class FunctionWriter:
    """Writes the function that computes one graph.

    Args:
        shared: what the functions of the program share.
        graph: a graph without captures.
        apart: whether no expression is nested into another one.
    """

    def __init__(self, shared: Shared, graph: Graph, apart: bool):
        self.shared = shared
        self.graph = graph
        self.apart = apart
        self.live = Liveness(graph)
        self.plan = plan_memory(graph, self.live, shared.callees, shared.donated)
        self.variables = Variables(graph, self.live, shared.reserved)
        self.lines: list[Line] = []
        self.depth = 1
        self.now = 0  # the position of the node being written
        self.deferred: dict[Value, Expression] = {}
        self.readers: dict[str, dict[Value, None]] = {}  # of each variable, among the deferred

    def write(self, name: str) -> list[Line]:
        """The lines of the function."""
        parameters = [self.variables.of(value, 0) for value in self.graph.inputs]
        self._lengths(parameters)
        self._nodes(self.graph)
        self._return(self.graph.outputs)
        types = ", ".join(f"{p}: {v.type}" for p, v in zip(parameters, self.graph.inputs))
        results = ", ".join(str(v.type) for v in self.graph.outputs)
        return [
            Line(0, f"# ({types}) -> ({results})"),
            Line(0, f"def {name}({', '.join(parameters)}):", self.graph.location),
            *self.lines,
        ]

    def _lengths(self, parameters: Sequence[str]) -> None:
        """Assign the symbols that lengths are made of."""
        for symbol, (position, axis, less) in symbol_places(self.graph).items():
            difference = f" - {less}" if less > 0 else f" + {-less}" if less else ""
            self._emit(f"{symbol} = {parameters[position]}.shape[{axis}]{difference}")

    def _return(self, outputs: Sequence[Value]) -> None:
        computed = [v.producer.location for v in outputs if v in self.deferred]
        self._separate(outputs)
        results = [self._take(value) for value in outputs]
        texts = ", ".join(result.text for result in results) or "()"
        raises = tuple(place for result in results for place in result.raises)
        self._emit(f"return {texts}", computed[0] if computed else None, raises)

    # -- statements --------------------------------------------------------------------------------

    def _emit(
        self,
        text: str,
        location: Location | None = None,
        raises: tuple[Location | None, ...] = (),
    ) -> None:
        self.lines.append(Line(self.depth, text, location, raises))

    @contextmanager
    def _block(self) -> Iterator[list[Line]]:
        """Write to a list of its own, one level deeper."""
        outer, self.lines = self.lines, []
        self.depth += 1
        try:
            yield self.lines
        finally:
            self.lines = outer
            self.depth -= 1

    def _assign(
        self,
        copies: Sequence[tuple[str, Value]],
        location: Location | None,
        fresh: Collection[int] = (),
    ) -> None:
        """Assign values to variables as if all at once.

        Args:
            copies: pairs (variable, value).
            location: for those that no node of their own computes.
            fresh: positions of pairs whose variable gets a copy of the array.
        """
        values = {value for _, value in copies}
        readers = {v for name, _ in copies for v in self.readers.get(name, ())}
        self._write_out(v for v in self.deferred if v in readers - values)
        self._write_out(self._raising(values)[:-1])  # whatever the order of the variables is
        todo = []
        for position, (target, value) in enumerate(copies):
            place = value.producer.location if value in self.deferred else location
            expression = self._take(value)
            if position in fresh:
                expression = _COPY.fill([expression])
            if expression.text != target:
                todo.append((target, expression, place))
        self._emit_all(todo)

    def _emit_all(self, todo: Sequence[tuple[str, Expression, Location | None]]) -> None:
        """Assignments as if all at once: each comes after those that read its variable."""
        places = {target: i for i, (target, _, _) in enumerate(todo)}
        awaited = [places.keys() & expression.reads - {target} for target, expression, _ in todo]
        readers = Counter(name for names in awaited for name in names)
        ready = [i for i, (target, _, _) in enumerate(todo) if not readers[target]]
        done = set()
        while ready:
            i = heapq.heappop(ready)
            done.add(i)
            target, expression, place = todo[i]
            self._emit(f"{target} = {expression.text}", place, expression.raises)
            for name in awaited[i]:
                readers[name] -= 1
                if not readers[name]:
                    heapq.heappush(ready, places[name])
        rest = [assignment for i, assignment in enumerate(todo) if i not in done]
        if rest:  # a cycle, as in a, b = b, a
            targets, expressions, locations = zip(*rest)
            texts = ", ".join(expression.text for expression in expressions)
            self._emit(f"{', '.join(targets)} = {texts}", locations[0])

    # -- deferred expressions ----------------------------------------------------------------------

    def _defer(self, value: Value, expression: Expression) -> None:
        self.deferred[value] = expression
        for name in expression.reads:
            self.readers.setdefault(name, {})[value] = None

    def _undefer(self, value: Value) -> Expression:
        expression = self.deferred.pop(value)
        for name in expression.reads:
            del self.readers[name][value]
            if not self.readers[name]:
                del self.readers[name]
        return expression

    def _take(self, value: Value) -> Expression:
        """The expression for a use of a value. A deferred one must be written next."""
        if isinstance(value, Constant):
            return self.shared.constant(value)
        if value in self.deferred:
            return self._undefer(value)
        name = self.variables.of(value, self.now, self.readers)
        return Expression(name, reads=frozenset((name,)))

    def _raising(self, values: Iterable[Value]) -> list[Value]:
        """Those of the values that are deferred and may raise, in the order of the program."""
        found = {v for v in values if v in self.deferred and self.deferred[v].raises}
        return [v for v in self.deferred if v in found] if found else []

    def _write_out(self, values: Iterable[Value]) -> None:
        """Assign deferred values to variables now, in the order in which they were computed. What
        may raise before one of them is among them."""
        wanted = set(values)
        raising = self._raising(self.deferred) if self._raising(wanted) else []
        while raising and raising[-1] not in wanted:
            raising.pop()
        wanted.update(raising)
        for value in [v for v in self.deferred if v in wanted]:
            expression = self._undefer(value)
            # No other deferred expression reads the variable, so none has to be written out first.
            name = self.variables.of(value, self.now, self.readers)
            self._emit(f"{name} = {expression.text}", value.producer.location, expression.raises)

    def _write_out_but(self, kept: Sequence[Value]) -> None:
        kept = set(kept)
        self._write_out(v for v in self.deferred if v not in kept)

    def _drop_all_but(self, kept: Sequence[Value]) -> None:
        """Forget what was deferred for results of a branch that nobody needs."""
        for value in [v for v in self.deferred if v not in set(kept)]:
            expression = self._undefer(value)
            if expression.raises:
                self._emit(f"_ = {expression.text}", value.producer.location, expression.raises)

    def _separate(self, values: Sequence[Value], own: tuple[Location | None, ...] = ()) -> None:
        """Write out those of the values to be used next that may raise, unless all of the user's
        program that may raise then is on one line, and says the same of what is outside of a
        list: the line of an error has to be told, and its text.

        Args:
            own: the place of what uses them, if that may raise.
        """
        raising = self._raising(values)
        places = (*own, *(place for v in raising for place in self.deferred[v].raises))
        if len({place and (*place[:2], place.outside) for place in places}) > 1:
            self._write_out(raising)

    def _keep_order(self, node: Node) -> None:
        """Write out operands of a node that is deferred which may raise before something else
        does that is deferred: with the node they would come after it."""
        operands = self._raising(node.inputs)
        if operands:
            raising = self._raising(self.deferred)
            while operands and operands[-1] is raising[-1]:
                operands.pop()
                raising.pop()
            self._write_out(operands)

    def _make_way(self, node: Node, targets: Collection[str], raises: bool) -> None:
        """Write out what must not move across the statement that computes ``node``."""
        raises = raises or any(self.deferred[v].raises for v in node.inputs if v in self.deferred)
        conflicts = {v for name in targets for v in self.readers.get(name, ())}
        if raises:
            conflicts.update(v for v, e in self.deferred.items() if e.raises)
        conflicts.difference_update(node.inputs)
        self._write_out(v for v in self.deferred if v in conflicts)

    # -- nodes -------------------------------------------------------------------------------------

    def _nodes(self, graph: Graph) -> None:
        nodes = iter(enumerate(graph.nodes))
        for index, node in nodes:
            if node in self.live.dead:
                continue
            self.now = self.live.start[node]
            match node.op:
                case _ if node.regions:
                    self._structured(node)
                case regions.pop if self._is_popped_and_unpacked(graph, index):
                    self._pop_and_unpack(node, graph.nodes[index + 1])
                    next(nodes)
                case _ if is_update(node):
                    self._update(node)
                case _:
                    self._compute(node)

    def _overwrites(self, node: Node) -> bool:
        """Whether a node computes its result in the memory of its first operand."""
        return (takes_over(node) and node not in self.plan.updates) or node in self.plan.reused

    def _skeleton(self, node: Node) -> Skeleton:
        if not self._overwrites(node):
            return self.shared.skeleton(node)
        position = self.plan.reused.get(node, 0)
        if node in self.plan.reused:
            operands = [marker(i) for i in range(len(node.inputs))]
            name = ufunc_name(node.op)
            skeleton = parse_skeleton(f"np.{name}({', '.join(operands)}, out={operands[position]})")
        else:
            skeleton = self.shared.skeleton_in_place(node)
        target = node.inputs[position]
        if not isinstance(target, Constant) and target not in self.deferred:
            self.variables.prefer(node.outputs[0], target)
        return skeleton

    def _compute(self, node: Node) -> None:
        """A node that is computed by an expression."""
        skeleton = self._skeleton(node)
        overwrites = self._overwrites(node)
        effect = has_own_effect(node, self.shared.effectful)
        raises = (node.location,) if effect or not is_speculatable(node) else ()
        nested = not effect and self._is_nested(node)
        targets = [] if nested else self._targets(node)
        if effect or overwrites:
            self._write_out_but(node.inputs)
        elif nested:
            self._keep_order(node)
        else:
            self._make_way(node, targets, bool(raises))
        self._separate(node.inputs, raises)
        self._shorten(node, skeleton)
        expression = skeleton.fill([self._take(value) for value in node.inputs], raises)
        if node in self.plan.views:
            expression = _COPY.fill([expression])
        if nested:
            self._defer(node.outputs[0], expression)
            return
        if targets:
            if node.op in (regions.unpack, regions.unpack_ct):
                targets = [f"({targets[0]},)"] if len(targets) == 1 else targets
            text = f"{', '.join(targets)} = {expression.text}"
            self._emit(text, node.location, expression.raises)
        else:
            self._emit(expression.text, node.location, expression.raises)

    def _is_nested(self, node: Node) -> bool:
        if self.apart or len(node.outputs) != 1 or node.op in (regions.unpack, regions.unpack_ct):
            return False
        if is_update(node) or self._overwrites(node):
            return False
        (value,) = node.outputs
        return value.name is None and self.live.uses(value) == 1

    def _targets(self, node: Node) -> list[str]:
        """Variables for the results of a node, ``_`` for those that nobody needs."""
        end = self.live.end[node]
        return [
            self.variables.of(v, end, self.readers) if self.live.uses(v) else "_"
            for v in node.outputs
        ]

    def _shorten(self, node: Node, skeleton: Skeleton) -> None:
        """Write out operands until the expression fits a line, and those it needs twice."""
        inputs = [v for v in node.inputs if v in self.deferred]
        chosen = {
            v for i, v in enumerate(node.inputs) if v in self.deferred and skeleton.count(i) != 1
        }
        lengths = {v: len(self.deferred[v].text) for v in inputs if v not in chosen}
        length = len(skeleton.text) + sum(lengths.values())
        while lengths and length + 4 * self.depth > _WIDTH:
            longest = max(lengths, key=lengths.get)
            length -= lengths.pop(longest)
            chosen.add(longest)
        if chosen:
            self._write_out(v for v in self.deferred if v in chosen)

    def _update(self, node: Node) -> None:
        """Change elements of an array, after copying it if it is needed unchanged."""
        array, value, *operands = node.inputs
        (result,) = node.outputs
        self._write_out_but(node.inputs)
        self._separate(node.inputs, (node.location,))
        if not isinstance(array, Constant) and array not in self.deferred:
            self.variables.prefer(result, array)
        target = self.variables.of(result, self.live.end[node])
        if not self._is_held_by(target, array):
            # The operands are evaluated after the target is assigned.
            self._write_out(v for v in self.deferred if v in self.readers.get(target, ()))
        base = self._take(array)
        if node in self.plan.updates:
            base = _COPY.fill([base])
        if base.text != target:
            self._emit(f"{target} = {base.text}", node.location)
        statement = update_statement(
            node.attrs["index"],
            [self._take(v).text for v in operands],
            [v.type for v in operands],
            target,
            self._take(value).text,
            add=node.op is ops.index_add,
        )
        self.shared.use_helpers(node.op, statement)
        self._emit(statement, node.location)

    def _is_held_by(self, variable: str, value: Value) -> bool:
        if isinstance(value, Constant) or value in self.deferred:
            return False
        return self.variables.of(value, self.now) == variable

    def _is_popped_and_unpacked(self, graph: Graph, index: int) -> bool:
        """Whether what the node at ``index`` pops is unpacked, and nothing else, by the next node.

        Then it is a real pack from a real stack, not a cotangent that may be None.
        """
        _, top = graph.nodes[index].outputs
        following = graph.nodes[index + 1 : index + 2]
        return self.live.uses(top) == 1 and any(
            node.op is regions.unpack and node.inputs[0] is top for node in following
        )

    def _pop_and_unpack(self, pop: Node, unpack: Node) -> None:
        end = self.live.end[unpack]
        rest = self._targets(pop)[0]
        slots = [
            self.variables.of(v, end, self.readers) if self.live.uses(v) else "_"
            for v in unpack.outputs
        ]
        self._make_way(pop, [rest, *slots], raises=True)
        stack = self._take(pop.inputs[0])
        self._emit(f"{rest}, {tuple_text(slots)} = {stack.text}", pop.location)

    # -- control flow ------------------------------------------------------------------------------

    def _structured(self, node: Node) -> None:
        if node.op not in RULES:
            raise TypeError(f"'{node.op.name}' has no rule in autograph.codegen.function.RULES")
        RULES[node.op](self, node)

    def _cond(self, node: Node) -> None:
        (predicate,) = node.inputs
        self._write_out_but(node.inputs)
        if self._is_choice(node):
            self._choice(node)
            return
        if any(predicate is value for region in node.regions for value in region.captures):
            self._write_out(v for v in self.deferred if v is predicate)
        used = [i for i, v in enumerate(node.outputs) if self.live.uses(v)]
        targets = [self.variables.of(node.outputs[i], self.now, self.readers) for i in used]
        flag = self._take(predicate)
        blocks = []
        for region in node.regions:
            with self._block() as block:
                self._nodes(region)
                results = [region.outputs[i] for i in used]
                self._drop_all_but(results)
                self._assign(list(zip(targets, results)), node.location)
            blocks.append(block)
        self._if(flag, *blocks, node.location)

    def _is_choice(self, node: Node) -> bool:
        """Whether a conditional chooses between two expressions, and reads well as an expression:
        an ``and`` or ``or``, or something that the user gave no name."""
        if len(node.outputs) != 1 or not self.live.uses(node.outputs[0]):
            return False
        if node.outputs[0].name is not None and not is_logical(node):
            return False
        return all(
            self._is_choice(inner) if inner.op is regions.cond else self._is_nested(inner)
            for region in node.regions
            for inner in region.nodes
        )

    def _choice(self, node: Node) -> None:
        """A conditional as an expression, unless that turns out too long."""
        (predicate,), (result,) = node.inputs, node.outputs
        flag = self._take(predicate)
        blocks, results = [], []
        for region, truth in zip(node.regions, (True, False)):
            with self._block() as block:
                if is_flag(region.outputs[0], predicate, truth):
                    results.append(None)  # the flag itself
                else:
                    self._nodes(region)
                    results.append(self._take(region.outputs[0]))
            blocks.append(block)
        then, orelse = results
        if orelse is None:
            choice = _AND.fill([flag, then or flag])
        elif then is None:
            choice = _OR.fill([flag, orelse])
        else:
            choice = _TERNARY.fill([flag, then, orelse])
        if not any(blocks) and len(choice.text) + 4 * self.depth <= _WIDTH:
            if self._is_nested(node):
                self._defer(result, choice)
            else:
                target = self._targets(node)[0]
                self._emit(f"{target} = {choice.text}", node.location, choice.raises)
            return
        if None in results:
            name = self.variables.of(predicate, self.now, self.readers)
            if flag.text != name:
                self._emit(f"{name} = {flag.text}", predicate.producer.location, flag.raises)
            flag = Expression(name)
        target = self.variables.of(result, self.now, self.readers)
        for block, chosen in zip(blocks, results):
            text, _, _, raises = chosen or flag
            if text != target:
                block.append(Line(self.depth + 1, f"{target} = {text}", node.location, raises))
        self._if(flag, *blocks, node.location)

    def _if(
        self,
        flag: Expression,
        then: list[Line],
        orelse: list[Line],
        location: Location | None,
    ) -> None:
        if not then:
            flag, then, orelse = _NOT.fill([flag]), orelse, []
        if not then:
            return
        self._emit(f"if {flag.text}:", location, flag.raises)
        self.lines += then
        if not orelse:
            return
        first, *others = orelse
        inner = self.depth + 1
        if first.text.startswith("if ") and all(
            line.depth > inner or line.text.startswith(("elif ", "else:")) for line in others
        ):
            orelse = [first._replace(text=f"el{first.text}"), *others]
            self.lines += [line._replace(depth=line.depth - 1) for line in orelse]
        else:
            self._emit("else:")
            self.lines += orelse

    def _enter_loop(self, node: Node, state: Sequence[Value], init: Sequence[Value]) -> list[str]:
        """Give the state of a loop its variables and first values."""
        self._write_out_but(node.inputs)
        names = [self.variables.of(value, self.now, self.readers) for value in state]
        fresh = [i for i in range(len(state)) if (node, i) in self.plan.entries]
        self._assign(list(zip(names, init)), node.location, fresh)
        return names

    def _while(self, node: Node) -> None:
        loop = loop_of(node)
        test = loop.test
        names = self._enter_loop(node, loop.state, loop.start)
        with self._block() as before:
            self._nodes(test)
            self._write_out_but(test.outputs)
            flag = self._take(test.outputs[0])
            if before:
                self._emit(f"if {_NOT.fill([flag]).text}:", node.location, flag.raises)
                self.lines.append(Line(self.depth + 1, "break"))
        condition = Expression("True") if before else flag
        self._emit(f"while {condition.text}:", node.location, condition.raises)
        self.lines += before
        self._body(loop.body, names, node, bool(before))

    def _for(self, node: Node) -> None:
        loop = loop_of(node)
        index = loop.index
        names = self._enter_loop(node, loop.state, loop.start)
        name = self.variables.of(index, self.now, self.readers) if self.live.uses(index) else "_"
        self._emit(f"for {name} in {_RANGE.fill([self._take(loop.count)]).text}:", node.location)
        self._body(loop.body, names, node, False)

    def _body(self, body: Graph, names: Sequence[str], node: Node, started: bool) -> None:
        """The body of a loop, and its next state."""
        with self._block() as block:
            self._nodes(body)
            self._assign(list(zip(names, body.outputs)), node.location)
            if not block and not started:
                self._emit("pass")
        self.lines += block


# How operators with regions that run in programs are written.
RULES: dict[Op, Callable[[FunctionWriter, Node], None]] = {
    regions.cond: FunctionWriter._cond,
    regions.while_loop: FunctionWriter._while,
    regions.for_loop: FunctionWriter._for,
}


def tuple_text(parts: Sequence[str]) -> str:
    """A tuple as source text."""
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
