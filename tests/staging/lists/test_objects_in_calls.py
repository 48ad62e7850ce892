"""Objects of the caller are found in whatever holds them; see
`autograph.staging.lists.objects_in_calls`."""

import collections
import copy
import typing

import pytest

import autograph as ag
from autograph.api.recording import object_forms


@pytest.fixture(autouse=True)
def heaps_from_the_first_call_on(monkeypatch):
    monkeypatch.setattr(object_forms, "_MANY", object_forms._FEW)


class Particle:
    def __init__(self, x, v):
        self.x = x
        self.v = v


def particles(count):
    return [Particle(0.5 * i - 1.0, 1.0) for i in range(count)]


class Named(typing.NamedTuple):
    node: object
    weight: float


NEWEST = Particle(1.0, 2.0)


def test_objects_in_containers_beside_lists():
    """All that is taken apart is walked for objects, whatever kind of container they are in."""

    def total(items, beside, n):
        return items[n].x

    items = [Particle(float(i), 1.0) for i in range(4)]
    for one in (Particle(5.0, 1.0), items[2]):
        kinds = (
            Named(one, 1.0),
            [Named(one, 1.0)],
            collections.OrderedDict(one=one),
            collections.defaultdict(list, one=one),
            collections.deque([one]),
        )
        for beside in kinds:
            assert ag.to_graph(total)(items, beside, 1) == 1.0


def test_an_object_in_a_heap_becomes_a_global_variable(monkeypatch):
    def latest(items, n):
        global NEWEST
        before = NEWEST
        NEWEST = items[n]
        NEWEST.x += 1.0
        return before.x, before

    for items in (particles(3), particles(5)):
        found = []
        for function in (latest, ag.to_graph(latest)):
            monkeypatch.setitem(globals(), "NEWEST", Particle(1.0, 2.0))
            own = copy.deepcopy(items)
            results = [function(own, n)[0] for n in (1, 1, 0)]
            found.append((results, [NEWEST is item for item in own], [item.x for item in own]))
        assert found[0] == found[1]
