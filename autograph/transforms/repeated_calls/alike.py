"""Which calls are alike, and worth a name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence

from autograph.graph.aliasing import may_be_given
from autograph.graph.graph import Constant, Node, Value, walk_nodes
from autograph.graph.lengths import lengths_of_node, seen_symbols
from autograph.transforms.repeated_calls.forms import Place
from autograph.transforms.repeated_calls.spans import CallSpan
from autograph.transforms.simplify.identities import constant_key

_MUCH = 100  # nodes less, which are worth a name


class CallsAlike:
    """Calls that are alike, in the order in which they were recorded.

    Attributes:
        spans: of the calls.
        outputs: which of the results of their nodes are used elsewhere, in any of them.
        varying: the places of each input of a graph of them, in each: of each value that is not
            computed there, and of each number that is not the same in all.

    Args:
        varied: at which places there are inputs because of the calls around, and which.
    """

    def __init__(self, spans: Sequence[CallSpan], varied: Mapping[Place, Hashable]):
        self.spans = spans
        self.outputs = sorted({i for span in spans for i in span.given})
        self.varying: dict[Hashable, list[tuple[Place, ...]]] = {}
        for places in zip(*(span.outer for span in spans)):
            outer = [span.outer[place] for span, place in zip(spans, places)]
            keys = tuple(varied.get(one.place) or _key(one.value) for one in outer)
            is_varied = any(one.place in varied for one in outer)
            if is_varied or len(set(keys)) > 1 or not _is_number(outer[0].value):
                self.varying.setdefault(keys, []).append(places)

    @property
    def inputs(self) -> list[Value]:
        """The inputs in the first call."""
        span = self.spans[0]
        return [span.outer[alike[0][0]].value for alike in self.varying.values()]

    @property
    def saved(self) -> int:
        """How many nodes less there are."""
        return (len({id(span.nodes[0]) for span in self.spans}) - 1) * self.spans[0].size

    def is_possible(self) -> bool:
        """Whether a graph can give the results."""
        span = self.spans[0]
        results = [span.results[i] for i in self.outputs]
        arrays = [value for value in results if value.type.shape]
        # Of two, nobody would know that they share no memory.
        if not results or len(arrays) > 1 or any(map(may_be_given, arrays)):
            return False
        names = {name for n in span.nodes for length in lengths_of_node(n) for name in length.names}
        return names <= seen_symbols(self.inputs).keys()


def _is_number(value: Value) -> bool:
    return isinstance(value, Constant) and value.is_scalar


def _key(value: Value) -> Hashable:
    return constant_key(value) if isinstance(value, Constant) else value


def calls_alike(
    spans: Sequence[CallSpan], may_be_named: Callable[[Sequence[Node]], bool]
) -> list[CallsAlike]:
    """The groups of calls that are worth a name, large calls first. Of what is called in these,
    only what the first one calls is left."""
    alike: defaultdict[Hashable, list[CallSpan]] = defaultdict(list)
    for span in spans:
        alike[span.key].append(span)
    groups: list[CallsAlike] = []
    gone: set[int] = set()
    wanted: set[Value] = set()  # what graphs of calls give that may be results of calls in these
    varied: dict[Place, Hashable] = {}
    for every in sorted(alike.values(), key=lambda every: -every[0].weight):
        left = [span for span in every if id(span.place[0]) not in gone]
        if len({id(span.nodes[0]) for span in left}) < 2:  # calls of one graph, as they should be
            continue
        for span in left:
            span.give(wanted)
        group = CallsAlike(left, varied)
        if group.saved < _MUCH or not (group.is_possible() and may_be_named(left[0].nodes)):
            continue
        for span in left[1:]:
            gone.update(id(node) for node in walk_nodes(span.place))
            if span.nodes is not left[0].nodes:
                gone.update(id(node) for node in walk_nodes(span.nodes))
        wanted.update(left[0].results[i] for i in group.outputs)
        for keys, places in group.varying.items():
            varied.update((one[0], (len(groups), keys)) for one in places)
        groups.append(group)
    return groups
