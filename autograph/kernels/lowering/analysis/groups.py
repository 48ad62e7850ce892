"""Which arrays are computed together, in one pass over their elements.

The *domain* of a root is what its loops run over: its own shape, or the shape of what it reduces.

=============  ===================================================================================
a group of     has
=============  ===================================================================================
``"map"``      roots of one shape
``"row"``      roots of a domain ``rows + columns``: arrays of that shape and reductions along
               ``columns``, and arrays of the shape ``rows``. One row after the other is computed,
               in as many passes over the row as reductions need each other: a softmax is one group
               that reads memory once
``"column"``   reductions along leading axes, and arrays of the shape that they reduce
``"other"``    one reduction along other axes
=============  ===================================================================================

A root joins a group if all roots that it reads come before that group, or are in it and are read
where they are computed at the same time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field

from autograph.graph.graph import Constant, Node, Value
from autograph.kernels.lowering.analysis.access import ANY, Form, identity, through
from autograph.kernels.lowering.analysis.nodes import is_reduction
from autograph.kernels.lowering.values import Deferred, Held, shape_of
from ops.core.kernels import Fold
from ops.core.records import dataclass
from ops.core.symbolic_lengths import is_same

Shape = tuple[int, ...]

# In a group: a loop that writes more arrays than there are registers for their addresses takes long
# to compile, and is not faster than several.
_MOST_ROOTS = 32


@dataclass(eq=False)
class Root:
    """An array to be computed.

    Attributes:
        axes: those that are reduced; None for an array that is not a reduction.
        reads: how it reads other roots and arrays in memory, by value.
    """

    value: Value
    node: Node
    domain: Shape
    axes: tuple[int, ...] | None
    reads: dict[Value, set[Form]] = field(default_factory=dict)
    level: int = 0

    @property
    def fold(self) -> Fold:
        """How a reduction combines elements."""
        fold = self.node.op.fold
        assert fold is not None
        return fold

    @property
    def rows(self) -> int | None:
        """How many leading axes are kept if all that are reduced are the last ones."""
        kept = len(self.domain) - len(self.axes)
        return kept if set(self.axes) == set(range(kept, len(self.domain))) else None

    @property
    def is_column(self) -> bool:
        """Whether the axes that are reduced are the first ones, but not all."""
        return set(self.axes) == set(range(len(self.axes))) and len(self.axes) < len(self.domain)


@dataclass(eq=False)
class FusionGroup:
    """Roots that are computed together. ``rows`` is how many axes of the domain are outer ones."""

    kind: str
    domain: Shape
    rows: int
    roots: list[Root] = field(default_factory=list)

    def levels(self) -> list[list[Root]]:
        """The roots by the number of passes over a row that come before."""
        last = max(root.level for root in self.roots)
        return [[root for root in self.roots if root.level == n] for n in range(last + 1)]


def root_of(
    value: Value, held_of: Callable[[Value], Held | None], is_root: Callable[[Value], bool]
) -> Root:
    """A root with what it reads."""
    node = value.producer
    if is_reduction(node):
        source = node.inputs[0]
        domain = shape_of(source)
        axes = node.op.fold.axes(source.type, node.attrs)
        root = Root(value, node, domain, tuple(sorted(axes)))
        pending = [(source, identity(domain))]
    else:
        root = Root(value, node, shape_of(value), None)
        form = identity(root.domain)
        pending = [(v, through(node, i, form)) for i, v in enumerate(node.inputs)]
    seen = set()
    while pending:
        read, form = pending.pop()
        if (read, form) in seen or isinstance(read, Constant):
            continue
        seen.add((read, form))
        held = held_of(read)
        if is_root(read) or not isinstance(held, Deferred):
            root.reads.setdefault(read, set()).add(form)
            continue
        pending += [(v, through(held.node, i, form)) for i, v in enumerate(held.node.inputs)]
    return root


def grouped(roots: Iterable[Root]) -> list[FusionGroup]:
    """The groups, in an order in which they can be computed.

    Args:
        roots: in an order in which they can be computed.
    """
    groups: list[FusionGroup] = []
    place: dict[Value, int] = {}
    by_value: dict[Value, Root] = {}
    for root in roots:
        by_value[root.value] = root
        first = max((place[v] for v in root.reads if v in place), default=0)
        for position in range(first, len(groups)):
            group = groups[position]
            if len(group.roots) < _MOST_ROOTS and _joins(root, group, by_value):
                break
        else:
            position = len(groups)
            groups.append(_alone(root))
        groups[position].roots.append(root)
        place[root.value] = position
    for group in groups:
        _set_levels(group)
    return groups


def _alone(root: Root) -> FusionGroup:
    if root.axes is None:
        return FusionGroup("map", root.domain, 0)
    if root.rows is not None:
        return FusionGroup("row", root.domain, root.rows)
    return FusionGroup("column" if root.is_column else "other", root.domain, len(root.axes))


def _joins(root: Root, group: FusionGroup, by_value: Mapping[Value, Root]) -> bool:
    """Whether a root can join a group; turns a group of maps into one of rows or columns if that
    is what it takes."""
    kind, rows = group.kind, group.rows
    if kind == "other" or (root.axes is not None and not is_same(root.domain, group.domain)):
        return False
    if root.axes is not None:
        own = _alone(root)
        if own.kind == "other" or (kind != "map" and (own.kind, own.rows) != (kind, rows)):
            return False
        kind, rows = own.kind, own.rows
    elif not is_same(root.domain, group.domain) and not (kind == "row" and _is_row(root, group)):
        return False
    members = {other.value for other in group.roots}
    for value in members & root.reads.keys():
        if not _is_read_in_step(by_value[value], root.reads[value], kind, group.domain, rows):
            return False
    group.kind, group.rows = kind, rows
    return True


def _is_row(root: Root, group: FusionGroup) -> bool:
    """Whether an array has one element for each row of a group."""
    ones = (1,) * (len(root.domain) - group.rows)
    return is_same(root.domain, group.domain[: group.rows] + ones)


def _is_read_in_step(root: Root, forms: set[Form], kind: str, domain: Shape, rows: int) -> bool:
    """Whether a root of a group is only read where it is computed at that time."""
    if ANY in forms:
        return False
    if root.axes is not None and kind == "column":
        return False
    own = identity(domain)
    if root.axes is not None or not is_same(root.domain, domain):
        own = own[:rows]
    wanted = [axis for axis in own if axis is not None]
    return all([axis for axis in form if axis is not None] == wanted for form in forms)


def _set_levels(group: FusionGroup) -> None:
    levels: dict[Value, int] = {}
    for root in group.roots:
        for value in root.reads:
            for other in group.roots:
                if other.value is value:
                    after = levels[value] + (other.axes is not None)
                    root.level = max(root.level, after)
        levels[root.value] = root.level
