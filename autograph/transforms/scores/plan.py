"""Which draws of a graph have a score, and how.

A result that is a smooth function of parameters and draws has the derivative of the program. Where
a draw and a parameter meet in a *jump*, such as a comparison, that misses what the parameter does
to the probabilities. The draw then has a score, in one of three ways:

==========  =====================================  ===============================================
way         draws                                  log-likelihood
==========  =====================================  ===============================================
discrete    of integers, from probabilities        of the integer drawn
interval    that are only compared                 of being where the comparisons say
held        moved and scaled by parameters,        the density at the number, which from there on
            ``mean + width * z``, or of a family   is a constant
==========  =====================================  ===============================================

The first and the second are the same where the probabilities are: a comparison of a uniform number
with ``p`` is a Bernoulli number. Whatever else is random stands still meanwhile, so thresholds may
be random, too. A jump that none of them covers is refused: no derivative would be without a bias.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import ops
from autograph.errors import Location, NonDifferentiableError
from autograph.graph.graph import Graph, Node, Value, callees
from autograph.graph.wiring import all_run
from autograph.transforms.analysis.activity import moving_values, passes, useful_values
from autograph.transforms.analysis.flow import find_needed
from autograph.transforms.scores.distributions import CONTINUOUS
from autograph.transforms.scores.flows import (
    COMPARISONS,
    Cell,
    Compared,
    Flows,
    Group,
    Law,
    Moved,
    Obstacle,
    Step,
    is_affine,
)
from autograph.transforms.scores.kinks import KINKED_DENSITIES, SMOOTH, has_kink, is_probability
from autograph.transforms.scores.sites import Site, is_likelihood, site_of
from ops.control import regions
from ops.control.regions import Structured
from ops.elementwise.conversion import stop_gradient
from ops.elementwise.floating import mantissa
from ops.elementwise.rounding import fraction
from ops.numbers.mathematics import ieee_remainder

_TELL_NOTHING = (ops.isnan, ops.isinf, ops.isfinite, stop_gradient)
# They have derivatives, and jump.
_JUMP_BESIDES = (ops.remainder, ops.fmod, ops.arctan2, fraction, ieee_remainder, mantissa)
_ROUGH = (
    "on a random threshold, whose probability may get to 0 or 1, or to that of another one, which "
    "second derivatives miss"
)
_AGAIN = (
    "take first derivatives, write it without a kink (a probability by scipy.special.expit), or "
    "stop_gradient what is no parameter"
)


class Held(NamedTuple):
    """A number whose value is held while its density moves.

    Attributes:
        site: the draw.
        steps: the operations that move and scale it, one after the other.
    """

    site: Site
    steps: tuple[Step, ...]


class Dependent(NamedTuple):
    """For each input of a named graph whether it depends on parameters, and on draws.

    Attributes:
        laws: how those are distributed that hold a draw, by position.
    """

    moving: tuple[bool, ...]
    random: tuple[bool, ...]
    laws: tuple[tuple[int, Law], ...] = ()

    def of(self, inputs: Sequence[Value]) -> tuple[list[Value], list[Value]]:
        """Those of the inputs that depend on parameters, and on draws."""
        pairs = ([*zip(inputs, flags)] for flags in (self.moving, self.random))
        moving, random = ([v for v, flag in p if flag and v.type.inexact] for p in pairs)
        return moving, random


class Scores(NamedTuple):
    """What has a score in a graph.

    Attributes:
        discrete: draws of integers, by the nodes that draw them.
        held: by the nodes whose results are held.
        compared: by the comparisons.
        cells: those that hold draws which are compared.
        moved: of these draws, by what is moved to other cells.
        calls: calls of named graphs that draw, with what they are called with.
        busy: nodes in whose regions there is something of these.
        twice: whether there are derivatives of derivatives.
    """

    discrete: dict[Node, Site]
    held: dict[Node, Held]
    compared: dict[Node, Compared]
    cells: dict[Value, Cell]
    moved: dict[Value, Moved]
    calls: dict[Node, Dependent]
    busy: set[Node]
    twice: bool

    def has_score(self) -> bool:
        return bool(self.discrete or self.held or self.compared or self.calls)


class Jump(NamedTuple):
    """Where draws and parameters meet without a derivative.

    Attributes:
        node: there.
        operands: of it, that matter.
    """

    node: Node
    operands: tuple[Value, ...]


def running(graph: Graph) -> Iterator[Node]:
    """The nodes of a graph that the program may run, those in regions after the node that holds
    them."""
    for node in graph.nodes:
        yield node
        for region in all_run(node):
            yield from running(region)


def find_plan(
    graph: Graph,
    graphs: Mapping[str, Graph],
    moving: Collection[Value],
    random: Collection[Value] = (),
    given: Mapping[Value, Law] | None = None,
    twice: bool = False,
) -> Scores:
    """What has a score in a graph.

    Args:
        graphs: the named graphs that it may call.
        moving, random: the inputs, and captured values, that depend on parameters, and on draws.
        given: of such a graph, so nobody knows what becomes of its results, how the draws are
            distributed that inputs hold; None if it is none.
        twice: whether there are derivatives of derivatives.

    Raises:
        NonDifferentiableError: some draws need a score, and have none.
    """
    return _Planner(graph, graphs, moving, random, given, twice).plan()


class Survey:
    """What depends on parameters, and on draws, in a graph, and where both meet.

    Args:
        graphs: the named graphs that it may call.
        moving, random: the inputs, and captured values, that depend on parameters, and on draws.
        twice: whether there are derivatives of derivatives, so that kinks matter.
    """

    def __init__(
        self,
        graph: Graph,
        graphs: Mapping[str, Graph],
        moving: Collection[Value],
        random: Collection[Value],
        twice: bool = False,
    ):
        self.twice = twice
        self.graph = graph
        self.graphs = graphs
        self._roots = list(moving)
        self.needed = find_needed(graph)
        self.nodes = [node for node in running(graph) if node in self.needed.nodes]
        sites = [(node, site_of(node)) for node in self.nodes]
        self.sites = {node: site for node, site in sites if site is not None}
        draws = [*random, *(site.value for site in self.sites.values())]
        for node in self.nodes:
            if node.op is regions.call and self._draws(node):
                draws += [v for v in node.outputs if v.type.inexact]
        self.random = moving_values(graph, draws)
        self.kinks = self._kinks() if twice else set()
        self.moving: set[Value] = set()
        self.follow()

    def _kinks(self) -> set[Node]:
        """The nodes of which a result that has a kink goes on to where it matters."""
        ends = [*self.graph.outputs]
        for node in self.nodes:
            if _jumping(node) or node in self.sites or node.op is regions.call:
                ends.extend(node.inputs)
        useful = useful_values(self.graph, ends)
        return {n for n in self.nodes if has_kink(n) and any(v in useful for v in n.outputs)}

    def follow(self, held: Iterable[Node] = ()) -> None:
        """Find what depends on parameters, where some numbers are held."""
        stops = {v for node in held for v in node.outputs}
        self.moving = moving_values(self.graph, self._roots, stops)

    def moves(self, values: Iterable[Value]) -> bool:
        return any(v in self.moving for v in values)

    def jumps(self) -> Iterator[Jump]:
        """Where both meet without a derivative."""
        for node in self.nodes:
            operands = _jumping(node)
            if node in self.kinks:
                operands = tuple(v for v in node.inputs if v.type.inexact)
            if self.moves(operands) and any(v in self.random for v in operands):
                yield Jump(node, operands)

    def discrete(self) -> dict[Node, Site]:
        """The draws of integers whose probabilities depend on parameters."""
        found = {}
        for node, site in self.sites.items():
            if not (site.is_standard or site.is_family) and self.moves(site.parameters):
                found[node] = site
        return found

    def opaque(self) -> Iterator[Node]:
        """Calls of functions with derivatives of their own that draw, and are given parameters."""
        for node in self.nodes:
            if isinstance(node.op, Structured) and node.op.opaque and self.moves(node.uses()):
                inside = (n for region in all_run(node) for n in running(region))
                if any(site_of(n) for n in inside):
                    yield node

    def calls(self) -> dict[Node, Dependent]:
        """The calls of named graphs in which both may meet."""
        found = {}
        for node in self.nodes:
            if node.op is regions.call:
                moving = tuple(v in self.moving for v in node.inputs)
                random = tuple(v in self.random for v in node.inputs)
                if any(moving) and (self._draws(node) or any(random)):
                    found[node] = Dependent(moving, random)
        return found

    def _draws(self, node: Node) -> bool:
        """Whether a call may draw."""
        own = self.graphs[node.attrs["callee"]]
        names = () if own is None else callees(own, self.graphs)
        reached = [own, *(self.graphs[name] for name in names)]
        return any(site_of(n) for graph in reached if graph is not None for n in running(graph))


class _Planner(Survey):
    def __init__(
        self,
        graph: Graph,
        graphs: Mapping[str, Graph],
        moving: Collection[Value],
        random: Collection[Value],
        given: Mapping[Value, Law] | None,
        twice: bool,
    ):
        super().__init__(graph, graphs, moving, random, twice)
        self.called = given is not None
        self.given = given or {}
        self.flows = _flows(self, self.given)
        self.groups = self._find_groups()
        self.held: dict[Node, Held] = {}

    def _find_groups(self) -> list[Group]:
        found: list[Group] = []
        standard = [site.value for site in self.sites.values() if site.is_standard]
        for value in (*self.given, *standard):
            if not any(value in group.cells for group in found):
                found.append(self.flows.group(value))
        return found

    def plan(self) -> Scores:
        for node in self.nodes:
            if is_likelihood(node):
                raise NonDifferentiableError(
                    "the score of a function that takes scores itself",
                    node.location,
                    id="AG0555",
                    fix="differentiate what it returns: ag.grad(ag.score_gradient(f)), or "
                    "ag.hessian(ag.expectation(f)); derivatives of all orders are right",
                )
        while True:
            self.follow(self.held)
            groups = self._compared()
            compared = {node: c for group in groups for node, c in group.compared.items()}
            if not self._hold_more(compared, {node for group in groups for node in group.sites}):
                break
        discrete = self.discrete()
        for node, site in discrete.items():
            if not site.is_known:
                raise _refusal(
                    node, f"is a draw whose likelihood is not written down, {_named(site)}"
                )
        for jump in self.jumps():
            if jump.node not in compared:
                raise self._refused(jump)
        for group in groups if self.twice else ():
            self._require_smooth(group)
        for node in self.opaque():
            raise _refusal(node, "draws in a function with a derivative of its own")
        calls = self._calls(groups)
        cells = {value: cell for group in groups for value, cell in group.cells.items()}
        moved = {value: m for group in groups for value, m in group.moved.items()}
        plan = Scores(discrete, self.held, compared, cells, moved, calls, set(), self.twice)
        moving = {node for node in self.nodes if node.regions and _holds(node, cells)}
        plan.busy.update(moving)
        wanted = {*discrete, *self.held, *compared, *calls, *moving}
        plan.busy.update(_busy(self.graph, wanted))
        return plan

    def _calls(self, groups: Iterable[Group]) -> dict[Node, Dependent]:
        found = self.calls()
        for group in groups:
            for node, laws in group.calls.items():
                flags = (
                    [v in values for v in node.inputs] for values in (self.moving, self.random)
                )
                moving, random = map(tuple, flags)
                known = found.get(node, Dependent(moving, random)).laws
                found[node] = Dependent(
                    moving, random, tuple(sorted({**dict(known), **laws}.items()))
                )
        return found

    # -- draws that are only compared -------------------------------------------------------------

    def _compared(self) -> list[Group]:
        """The groups of draws that are only compared, with something that depends on parameters."""
        found: list[Group] = []
        held = {held.site.node for held in self.held.values()}
        for group in self.groups:
            is_given = any(value in self.given for value in group.cells)
            wanted = is_given or any(self.moves(n.inputs) for n in (*group.compared, *group.calls))
            if not wanted or group.obstacle or not held.isdisjoint(group.sites):
                continue
            if not any(n in other.compared for other in found for n in group.compared):
                found.append(group)
            elif is_given:
                node = next(iter(group.compared))
                raise _refusal(node, "on draws that are compared with each other")
        return found

    def _require_smooth(self, group: Group) -> None:
        """See that no probability has a kink at a place that is random."""
        for node, compared in group.compared.items():
            threshold = node.inputs[1 - compared.place]
            others = self._random_others(compared.steps)
            is_random = threshold in self.random or others
            if is_random and not self._has_no_kink(group, node, threshold, others):
                raise _refusal(node, _ROUGH, (), _AGAIN)
        for moved in group.moved.values():
            if self._random_others(moved.steps):
                raise _refusal(moved.steps[-1][0], _ROUGH, (), _AGAIN)

    def _random_others(self, steps: Iterable[Step]) -> list[Value]:
        """What is random in what is made of a draw, besides that."""
        others = (v for n, place in steps for i, v in enumerate(n.inputs) if i != place)
        return [v for v in others if v in self.random]

    def _has_no_kink(
        self, group: Group, node: Node, threshold: Value, others: Collection[Value]
    ) -> bool:
        """Whether the probability of what a comparison says is smooth: there is no other one of the
        draw, and none that is surely less or more."""
        if not len(group.cells) == len(group.compared) == len(group.sites) == 1 or group.calls:
            return False
        ((value, cell),) = group.cells.items()
        if self._home(node) is not self._home(group.sites[0]):
            return False
        if node.op not in COMPARISONS or node.outputs[0].type.shape != value.type.shape:
            return False
        if cell.law.distribution in SMOOTH:
            return True
        return cell.law == Law("uniform") and not others and is_probability(threshold)

    # -- draws that are held ----------------------------------------------------------------------

    def _hold_more(self, compared: Mapping[Node, Compared], settled: set[Node]) -> bool:
        """Hold what reaches a jump that is not covered otherwise; whether there is more to hold.

        Args:
            settled: the draws that are compared only.
        """
        open_jumps = [jump for jump in self.jumps() if jump.node not in compared]
        ends = {v for jump in open_jumps for v in jump.operands}
        for node in self.nodes:
            if node.op is regions.call:  # it may jump
                ends.update(v for v in node.inputs if v in self.random and v in self.moving)
        if not ends and not self.called:
            return False
        settled = settled | {found.site.node for found in self.held.values()}
        before = len(self.held)
        for node, site in self.sites.items():
            if node in settled:
                continue
            if not self.called and ends.isdisjoint(moving_values(self.graph, [site.value])):
                continue
            held = self._holding(site)
            if held is not None:
                end = held.steps[-1][0] if held.steps else node
                self.held[end] = held
        return len(self.held) > before

    def _holding(self, site: Site) -> Held | None:
        """How a draw can be held; None if it cannot, or does not depend on parameters."""
        if site.is_family:
            return Held(site, ()) if self.moves(site.parameters) else None
        if not site.is_standard or CONTINUOUS[site.distribution].log_density is None:
            return None
        if self.twice and site.distribution in KINKED_DENSITIES:
            return None
        steps: list[Step] = []
        last, value = 0, site.value
        while True:
            uses = self.flows.uses.get(value, ())
            if len(uses) != 1 or value in self.flows.leaves or value in self.flows.moves:
                break
            ((node, place),) = uses
            if not is_affine(node, place) or self._home(node) is not self._home(site.node):
                break
            (result,) = node.outputs
            if self.flows.may_be_broadcast(node, place) or result.type.shape != value.type.shape:
                break
            others = [v for i, v in enumerate(node.inputs) if i != place]
            moves = self.moves(others)
            shifts = node.op in (ops.add, ops.subtract)
            if moves and shifts and not CONTINUOUS[site.distribution].shifts:
                break
            steps.append((node, place))
            value = result
            last = len(steps) if moves else last
        return Held(site, tuple(steps[:last])) if last else None

    def _home(self, node: Node) -> Graph:
        return self.flows.places[node][0]

    # -- what is refused ---------------------------------------------------------------------------

    def _refused(self, jump: Jump) -> NonDifferentiableError:
        operands = set(jump.operands)
        if jump.node in self.kinks:
            return _refusal(
                jump.node, "on a draw, by a kink, which second derivatives miss", (), _AGAIN
            )
        for node, site in self.sites.items():
            if operands & moving_values(self.graph, [site.value]):
                group = next((g for g in self.groups if site.node in g.sites), None)
                obstacle = group.obstacle if group else None
                what, where, fix = obstacle or Obstacle("that is not only compared", None)
                others = [(f"the draw, {_named(site)}", node.location)]
                if where is not None and where[1] != jump.node.location:
                    others.append(where)
                return _refusal(jump.node, f"on {_named(site)} {what}", others, fix)
        return _refusal(jump.node, "on what a recursive function has drawn")


def _flows(
    survey: Survey, given: Mapping[Value, Law], met: frozenset[tuple] = frozenset()
) -> Flows:
    """Where the draws of a graph go.

    Args:
        given: how those are distributed that its inputs hold.
        met: calls of functions, with an operand and its distribution, that only compare it if all
            others do.
    """

    def obstacle_in(node: Node, place: int, law: Law) -> Obstacle | None:
        callee = survey.graphs[node.attrs["callee"]]
        used = Obstacle("that is not only compared", ("it is used", node.location))
        if callee is None:
            return used
        random = tuple(v in survey.random for v in node.inputs)
        call = callee, place, law, random
        if call in met:
            return None
        drawn = [v for v, flag in zip(callee.inputs, random) if flag]
        inner, held = Survey(callee, survey.graphs, (), drawn), callee.inputs[place]
        group = _flows(inner, {held: law}, met | {call}).group(held)
        others = moving_values(callee, [v for v in drawn if v is not held])
        if any(n.inputs[1 - c.place] in others for n, c in group.compared.items()):
            return used  # nobody knows which of both is only compared
        return group.obstacle

    return Flows(
        survey.graph,
        survey.nodes,
        survey.needed.values,
        survey.sites,
        survey.random,
        given,
        obstacle_in,
    )


def _refusal(
    node: Node,
    what: str,
    others: Iterable[tuple[str, Location | None]] = (),
    fix: str | None = None,
) -> NonDifferentiableError:
    return NonDifferentiableError(
        f"no likelihood is known of what happens here: it depends on what is differentiated by, "
        f"and {what}",
        node.location,
        id="AG0554",
        others=tuple(other for other in others if other[1] is not None),
        fix=fix
        or "draw by ops.random.bernoulli or ops.random.categorical, use a draw of its own for "
        "each comparison, or stop_gradient what is no parameter",
    )


def _named(site: Site) -> str:
    article = "an" if site.distribution[0] in "aeiou" and site.distribution != "uniform" else "a"
    return f"{article} {site.distribution} number"


def _holds(node: Node, cells: Collection[Value]) -> bool:
    """Whether control flow makes cells here."""
    inputs = (v for region in all_run(node) for v in region.inputs)
    return any(v in cells for v in (*node.outputs, *inputs))


def _busy(graph: Graph, wanted: Collection[Node]) -> Iterator[Node]:
    """The nodes that hold one of some others in their regions."""
    for node in graph.nodes:
        inside = [n for region in all_run(node) for n in running(region)]
        if any(n in wanted for n in inside):
            yield node
        for region in all_run(node):
            yield from _busy(region, wanted)


def _jumping(node: Node) -> tuple[Value, ...]:
    """The operands at which a node's results may jump."""
    op = node.op
    if node.regions or isinstance(op, Structured) or site_of(node) is not None:
        return ()
    if op in _TELL_NOTHING or not node.outputs:
        return ()
    smooth = any(v.type.inexact for v in node.outputs) and op not in _JUMP_BESIDES
    return tuple(
        v
        for i, v in enumerate(node.inputs)
        if i not in op.by_length and v.type.inexact and not (smooth and passes(node, i))
    )
