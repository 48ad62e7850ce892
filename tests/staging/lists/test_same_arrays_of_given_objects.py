"""Arrays that are attributes of objects among the arguments, of which there may be any number: what
in Python is the same array is no copy."""

import dataclasses

import numpy as np
import pytest

import autograph as ag
from tests.support.objects_of_callers import agree

pytestmark = pytest.mark.usefixtures("heaps_from_the_first_call_on")


class Body:
    def __init__(self, place, mass=1.0, next=None):
        self.place = place
        self.mass = mass
        self.next = next


def bodies(count):
    return [Body(np.array([float(i), 1.0]), i + 0.5) for i in range(count)]


def chain(count):
    first = None
    for item in bodies(count):
        item.next = first
        first = item
    return first


def returned(items):
    return items[1].place


def largest(items):
    found = items[0].place
    for item in items:
        if item.place[0] > found[0]:
            found = item.place
    return found


def part(items):
    return items[1].place[:1], np.asarray(items[0].place)


def in_a_list(items):
    return [item.place for item in items]


def in_another_object(items):
    return Body(items[0].place, 2.0)


def moved(items):
    items[0].place, items[1].place = items[1].place, items[0].place


def handed_on(items):
    before = items[-1].place
    for item in items:
        item.place, before = before, item.place


def put_twice(items):
    new = items[0].place + 1.0
    items[0].place = new
    items[1].place = new


def put_in_all(items):
    new = items[0].place + 1.0
    for item in items:
        item.place = new


def put_and_returned(items):
    new = items[0].place + 1.0
    items[0].place = new
    return new


def put_and_changed(items):
    new = items[0].place + 1.0
    items[0].place = new
    new[0] = 7.0


def compared(items):
    return items[0].place is items[0].place, items[0].place is items[1].place


def called(items):
    return returned(items)


@pytest.mark.parametrize(
    "program",
    [
        returned,
        largest,
        part,
        in_a_list,
        in_another_object,
        moved,
        handed_on,
        put_twice,
        put_in_all,
        put_and_returned,
        put_and_changed,
        compared,
        called,
    ],
)
def test_arrays_stay_what_they_are(program):
    agree(program, [(bodies(n),) for n in (2, 3, 4)])


def test_the_last_array_of_a_chain():
    def last(node):
        while node.next is not None:
            node = node.next
        return node.place

    agree(last, [(chain(n),) for n in (2, 3, 4)])


def test_arguments_that_are_put():
    def put(items, x):
        items[0].place = x
        x[0] = 3.0
        return items[0].place is x

    agree(put, [(bodies(n), np.zeros(2)) for n in (2, 3, 4)])
    x = np.zeros(2)
    agree(lambda items, x: items[0].place is x, [([Body(x), *bodies(n)], x) for n in (2, 3, 4)])


def test_what_is_computed_with_them_is_in_heaps():
    def computed(items):
        total = np.zeros(2)
        for item in items:
            item.place = 2.0 * item.place + 1.0
            total += item.place
        return total, items[0].place.copy(), items[1].place[0], np.stack([total, items[1].place])

    agree(computed, [(bodies(n),) for n in (2, 3, 4)], recordings=1)


def test_arrays_without_axes():
    def doubled(items):
        for item in items:
            item.place = item.place * 2
        return items[0].place, items[1].mass

    agree(doubled, [([Body(np.array(float(i))) for i in range(n)],) for n in (2, 3, 4)])


def test_objects_in_rings():
    def far(first):
        node, count = first.next, 1
        while node is not first and node.mass < 2.0:
            node = node.next
            count += 1
        return count

    def ring(count):
        first = last = chain(count)
        while last.next is not None:
            last = last.next
        last.next = first
        return first

    agree(far, [(ring(n),) for n in (2, 3, 5)], recordings=1)


@dataclasses.dataclass(frozen=True)
class Frozen:
    x: float
    next: object = None


def test_frozen_objects():
    def assigned(items):
        for item in items:
            item.x = 1.0

    def own(xs):
        first = None
        for x in xs:
            if x > 0:
                first = Frozen(float(x), first)
        if first is not None and first.x > 2.0:
            first.x = 1.0
        return xs[0]

    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        ag.to_graph(assigned)([Frozen(1.0), Frozen(2.0)])
    compiled = ag.to_graph(own)
    assert compiled(np.array([1.0, -1.0])) == 1.0
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'x'"):
        compiled(np.array([1.0, 3.0]))
