"""Which of the caller's objects comes out of a function is the object that it is in Python; see
`autograph.staging.border.delivered_objects`."""

import copy

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.support.objects_of_callers import agree


class Particle:
    def __init__(self, x, v, other=None):
        self.x = x
        self.v = v
        self.other = other


class Box:
    def __init__(self, items):
        self.items = items
        self.best = None

    def keep_best(self, t):
        self.best = min(self.items, key=lambda p: abs(p.x - t))
        self.best.v += 1.0

    def drop(self, t):
        self.items = [p for p in self.items if p.x > t]


def particles(count):
    return [Particle(float(i), float(count - i)) for i in range(count)]


def nearest(items, t):
    return min(items, key=lambda p: abs(p.x - t))


def largest(items, t):
    return max(items, key=lambda p: p.x * t)


def by_loop(items, t):
    best = items[0]
    for p in items:
        if abs(p.x - t) < abs(best.x - t):
            best = p
    return best, items[0]


def first(items, t):
    for p in items:
        if p.x > t:
            return p
    return None


def by_next(items, t):
    return next((p for p in items if p.x > t), None)


def some(items, t):
    return [p for p in items if p.x > t]


def kept_with_what_it_is(items, t):
    return {"best": nearest(items, t), "far": (largest(items, t), t)}


def swapped(items, t):
    if t > 0.5:
        items[0], items[1] = items[1], items[0]
    items[0].x += 10.0
    return items[1]


@pytest.mark.parametrize(
    "function",
    [nearest, largest, by_loop, first, by_next, some, kept_with_what_it_is, swapped],
)
def test_one_of_a_list(function):
    agree(function, [(particles(n), t) for n, t in ((3, 1.2), (3, -0.7), (4, 0.1), (2, 0.9))])


def test_one_of_a_tuple_and_of_a_dict():
    calls = [(particles(3), t) for t in (0.2, 1.8)]
    agree(nearest, [(tuple(items), t) for items, t in calls])
    agree(lambda d, t: nearest(d.values(), t), [(dict(enumerate(x)), t) for x, t in calls])
    agree(lambda d, t: nearest(d.values(), t), [({"a": x[0], "b": x[1]}, t) for x, t in calls])


def one_of_two(a, b, t):
    return a if a.x > t else b


def first_of_swapped(a, b, t):
    if t > 0.5:
        a, b = b, a
    a.x = 9.0
    return a, b


def is_the_first(a, b, t):
    c = a if t > 0.5 else b
    return c is a, c is not b


def refers(a, b, t):
    a.other = a if a.x > t else b
    return a.other.x


@pytest.mark.parametrize("function", [one_of_two, first_of_swapped, is_the_first, refers])
def test_one_of_several_arguments(function):
    agree(function, [(*particles(2), t) for t in (-0.5, 0.7)])


def test_attributes_that_hold_one_of_them():
    agree(Box.keep_best, [(Box(particles(3)), t) for t in (0.2, 1.8)])
    agree(Box.drop, [(Box(particles(3)), t) for t in (0.2, 1.8)])


def test_a_method_of_what_is_bound_or_found_outside():
    for t in (0.2, 1.8):
        box, expected = Box(particles(3)), Box(particles(3))
        ag.to_graph(box.keep_best)(t)
        expected.keep_best(t)
        assert box.items.index(box.best) == expected.items.index(expected.best)
        assert [p.v for p in box.items] == [p.v for p in expected.items]
    items = particles(3)
    found = ag.to_graph(lambda t: nearest(items, t))
    assert [found(t) for t in (0.2, 1.8, 0.9)] == [items[0], items[2], items[1]]


def test_what_is_only_computed_of_one_of_them_stays_apart():
    compiled = agree(lambda items, t: nearest(items, t).v, [(particles(3), 1.2)])
    assert not any(form.has_heaps for form in compiled.compiled_forms())
    new = agree(lambda items, t: Particle(nearest(items, t).x, t), [(particles(3), 1.2)])
    assert not any(form.has_heaps for form in new.compiled_forms())


def test_what_is_compiled_ahead_gives_the_object():
    compiled = ag.to_graph(nearest).lower(particles(3), 0.5).compile()
    items = particles(5)
    assert compiled(items, 3.2) is items[3]


def test_derivatives_beside_one_of_them():
    def loss(x, items):
        best = nearest(items, x)
        return (x - best.v) ** 2, best

    x, items = 1.2, particles(3)
    (value, best), slope = ag.value_and_grad(loss, has_aux=True)(x, items)
    assert (value, slope) == ((x - 2.0) ** 2, 2 * (x - 2.0))
    assert (best.x, best.v) == (1.0, 2.0)
    assert np.allclose(ag.vmap(lambda x: loss(x, items)[0])(np.array([0.2, 1.9])), [7.84, 0.81])


class Layer:
    def __init__(self, weights):
        self.weights = weights


def test_the_error_is_of_what_is_refused_and_not_of_heaps():
    def f(layers, x):
        for layer in layers:
            x = np.tanh(layer.weights @ x)
        return np.zeros(int(np.sum(x)) + 3).reshape(-1, int(x[0] * 0 + 2))[0].tolist().pop

    layers = [Layer(np.ones((2, 3))), Layer(np.ones((3, 2)))]
    with pytest.raises(AutographError) as plain:
        ag.to_graph(lambda x: f([Layer(np.ones((2, 3))), Layer(np.ones((3, 2)))], x))(np.ones(3))
    for _ in range(2):
        with pytest.raises(AutographError) as told:
            ag.to_graph(f)(layers, np.ones(3))
        assert told.value.id == plain.value.id != "AG0586"


def test_an_attribute_that_no_array_holds_is_told_where_data_decide_on_objects():
    def f(layers, x):
        layer = layers[0]
        while x > 1.0:
            layer = layer.next
            x /= 2.0
        return layer.weights["first"]

    compiled = ag.to_graph(f)
    layers = [Layer({"first": 1.0}), Layer({"first": 2.0, "second": 3.0})]
    layers[0].next, layers[1].next = layers[1], layers[0]
    for _ in range(2):
        with pytest.raises(AutographError, match="AG0586"):
            compiled(layers, 3.0)


best_of_all = Particle(0.0, 0.0)


class Record:
    best = Particle(0.0, 0.0)


def a_global(items, p, t):
    global best_of_all
    if items[-1].x < t:
        items.append(Particle(t, 0.0))
    else:
        best_of_all = p
    return p


def an_attribute_of_a_class(items, p, t):
    if items[-1].x < t:
        items.append(Particle(t, 0.0))
    else:
        Record.best = p
    return p


@pytest.mark.parametrize("function", [a_global, an_attribute_of_a_class])
def test_what_is_stored_outside_is_the_argument(function):
    global best_of_all
    compiled = ag.to_graph(function)
    for n, t in ((3, 1.5), (3, 2.5), (101, 1.5), (4, 7.5)):
        best_of_all = Record.best = before = Particle(0.0, 0.0)
        items, p = particles(n), Particle(7.0, 8.0)
        assert compiled(items, p, t) is p
        stored = best_of_all if function is a_global else Record.best
        assert stored is (before if t > n - 1 else p)
        assert len(items) == n + (t > n - 1)


def test_copies_are_refused_where_heaps_are():
    def f(a, b, t):
        c = copy.copy(a)
        return a if a.x > t else b, c.x

    compiled = ag.to_graph(f)
    for _ in range(2):
        with pytest.raises(AutographError, match=r"AG0349.*\n.*\n.*a if a.x"):
            compiled(*particles(2), 0.5)


def test_new_objects_are_no_copies_of_those_beside_them():
    def f(a, b, t):
        c = copy.copy(a)
        new = Particle(t, 1.0) if t > 0.5 else Particle(2.0, t)
        return new, (a if t > 0.3 else b).x, c.x

    agree(f, [(*particles(2), t) for t in (0.2, 0.4, 0.9)])
