"""Where boxes that arrows join are drawn: in layers, each below what its boxes come from.

The steps are those of Sugiyama, Tagawa and Toda, "Methods for visual understanding of hierarchical
system structures" (1981): each box is put below its predecessors; arrows that pass a layer get a
place in it; the order in a layer is by the means of the neighbours' places, layer by layer, down
and up some times; and the boxes are moved towards their neighbours without changing the order. The
last step minimises the squares of the distances in a layer, by pooling neighbours that would
overlap (isotonic regression).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

GAP, BETWEEN = 16.0, 30.0  # beside each other, and from layer to layer
_SWEEPS = 6


@dataclass(eq=False)
class Placed:
    """A box, or a place where an arrow passes a layer (without a size).

    Attributes:
        x, y: of the upper left corner, once it has a place.
        bottom: of its layer.
        first: whether it stands in the first layer, whatever needs it.
    """

    width: float
    height: float
    x: float = 0.0
    y: float = 0.0
    bottom: float = 0.0
    layer: int = 0
    first: bool = False
    before: list[Placed] = field(default_factory=list)
    after: list[Placed] = field(default_factory=list)

    @property
    def centre(self) -> float:
        return self.x + self.width / 2


@dataclass
class Layout:
    """Where boxes are, and by which points arrows go."""

    width: float
    height: float
    arrows: list[list[tuple[float, float]]]


def laid_out(boxes: Sequence[Placed], arrows: Sequence[tuple[Placed, Placed]]) -> Layout:
    """Give boxes their places.

    Args:
        boxes: in an order in which arrows only lead to later ones.
        arrows: from and to which they lead.
    """
    incoming: dict[Placed, list[Placed]] = {box: [] for box in boxes}
    outgoing: dict[Placed, list[Placed]] = {box: [] for box in boxes}
    for start, end in arrows:
        incoming[end].append(start)
        outgoing[start].append(end)
    for box in boxes:
        box.layer = max((p.layer + 1 for p in incoming[box]), default=0)
    for box in reversed(boxes):  # what comes from nothing stands near to what needs it
        if not incoming[box] and outgoing[box] and not box.first:
            box.layer = min(p.layer for p in outgoing[box]) - 1
    layers: list[list[Placed]] = [[] for _ in range(max((b.layer for b in boxes), default=-1) + 1)]
    for box in boxes:
        layers[box.layer].append(box)
    chains = [_chain(start, end, layers) for start, end in arrows]
    _order(layers)
    _place(layers)
    height = 0.0
    for layer in layers:
        tallest = max(box.height for box in layer)
        for box in layer:
            box.y, box.bottom = height, height + tallest
            if not box.width:
                box.height = tallest
        height += tallest + BETWEEN
    width = max((box.x + box.width for layer in layers for box in layer), default=0.0)
    return Layout(width, max(height - BETWEEN, 0.0), [_points(chain) for chain in chains])


def _chain(start: Placed, end: Placed, layers: list[list[Placed]]) -> list[Placed]:
    """What an arrow goes by, with a place in each layer between its ends."""
    chain = [start]
    for number in range(start.layer + 1, end.layer):
        chain.append(Placed(0.0, 0.0, layer=number))
        layers[number].append(chain[-1])
    chain.append(end)
    for one, other in zip(chain, chain[1:]):
        one.after.append(other)
        other.before.append(one)
    return chain


def _order(layers: Sequence[list[Placed]]) -> None:
    """Sort the layers such that few arrows cross."""
    place: dict[Placed, float] = {}
    for layer in layers:
        place.update((box, float(i)) for i, box in enumerate(layer))
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        for layer in layers if down else reversed(layers):
            means = {}
            for box in layer:
                near = box.before if down else box.after
                means[box] = sum(place[b] for b in near) / len(near) if near else place[box]
            layer.sort(key=lambda box: means[box])
            place.update((box, float(i)) for i, box in enumerate(layer))


def _place(layers: Sequence[Sequence[Placed]]) -> None:
    """Move the boxes of each layer towards their neighbours."""
    for layer in layers:
        x = 0.0
        for box in layer:
            box.x = x
            x += box.width + GAP
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        for layer in layers if down else reversed(layers):
            wanted = []
            for box in layer:
                near = box.before if down else box.after
                wanted.append(sum(b.centre for b in near) / len(near) if near else box.centre)
            for box, centre in zip(layer, _apart(wanted, [box.width for box in layer])):
                box.x = centre - box.width / 2
    left = min((box.x for layer in layers for box in layer), default=0.0)
    for layer in layers:
        for box in layer:
            box.x -= left


def _apart(wanted: Sequence[float], widths: Sequence[float]) -> list[float]:
    """The centres next to those that are wanted of boxes that stay in order and do not overlap."""
    offsets = [0.0]
    for one, other in zip(widths, widths[1:]):
        offsets.append(offsets[-1] + (one + other) / 2 + GAP)
    pools: list[tuple[float, int]] = []  # sums, and how many
    for centre, offset in zip(wanted, offsets):
        total, count = centre - offset, 1
        while pools and pools[-1][0] / pools[-1][1] >= total / count:
            more, others = pools.pop()
            total, count = total + more, count + others
        pools.append((total, count))
    means = [total / count for total, count in pools for _ in range(count)]
    return [mean + offset for mean, offset in zip(means, offsets)]


def _points(chain: Sequence[Placed]) -> list[tuple[float, float]]:
    """The points of an arrow: from below its start, down to where no box of its layer is in the
    way, to above its end."""
    start, *between, end = chain
    points = [(start.centre, start.y + start.height), (start.centre, start.bottom)]
    for place in between:
        points += [(place.centre, place.y), (place.centre, place.y + place.height)]
    return [*points, (end.centre, end.y)]
