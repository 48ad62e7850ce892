"""Objects among the arguments, of which there may be any number; see
`autograph.staging.lists.given_objects`."""

import numpy as np
import pytest

import autograph as ag
from autograph.api.recording import object_forms
from autograph.errors import AutographError
from tests.support.objects_of_callers import agree


@pytest.fixture(autouse=True)
def heaps_from_the_first_call_on(request, monkeypatch):
    if "later" not in request.node.name:
        monkeypatch.setattr(object_forms, "_MANY", object_forms._FEW)


class Split:
    """A node of a decision tree."""

    def __init__(self, value, feature=None, threshold=None, left=None, right=None):
        self.value = value
        self.feature = feature
        self.threshold = threshold
        self.left = left
        self.right = right

    def predict(self, x):
        if self.left is None:
            return self.value
        if x[self.feature] <= self.threshold:
            return self.left.predict(x)
        return self.right.predict(x)


class Link:
    """A node of a linked list."""

    __slots__ = ("next", "value")

    def __init__(self, value, next=None):
        self.value = value
        self.next = next


class Particle:
    def __init__(self, x, v, mass=1):
        self.x = x
        self.v = v
        self.mass = mass

    @property
    def energy(self):
        return 0.5 * self.mass * self.v**2

    def move(self, dt):
        self.x += self.v * dt


class World:
    def __init__(self, particles):
        self.particles = particles
        self.time = 0.0

    def step(self, dt):
        for p in self.particles:
            p.x += p.v * dt
        self.time += dt
        return self.time


def tree(depth, seed=0):
    rng = np.random.default_rng(seed)

    def grown(depth):
        value = float(rng.normal())
        if depth == 0:
            return Split(value)
        parts = grown(depth - 1), grown(max(0, depth - 1 - int(rng.integers(2))))
        return Split(value, int(rng.integers(3)), float(rng.normal()), *parts)

    return grown(depth)


def chain(values):
    first = None
    for value in reversed(values):
        first = Link(value, first)
    return first


def particles(count, seed=0):
    rng = np.random.default_rng(seed)
    return [Particle(float(rng.normal()), float(rng.normal()), i + 1) for i in range(count)]


POINTS = [np.array(x) for x in ([0.0, 0.0, 0.0], [1.0, -1.0, 0.5], [-2.0, 0.3, 2.0])]


def test_data_decide_the_way_through_a_tree():
    def predict(root, x):
        node = root
        while node.left is not None:
            node = node.left if x[node.feature] <= node.threshold else node.right
        return node.value

    trees = [tree(3), tree(5, 1), tree(7, 2), tree(1)]
    agree(predict, [(root, x) for root in trees for x in POINTS], recordings=1)


def test_data_decide_the_way_through_a_tree_by_a_recursive_function():
    def predict(node, x):
        if node.left is None:
            return node.value
        if x[node.feature] <= node.threshold:
            return predict(node.left, x)
        return predict(node.right, x)

    agree(predict, [(tree(n, n), x) for n in (2, 4) for x in POINTS], recordings=1)


def test_data_decide_the_way_through_a_tree_by_a_recursive_method():
    agree(lambda root, x: root.predict(x), [(tree(n, n), x) for n in (2, 4) for x in POINTS], 1)


def test_a_forest_is_a_list_of_trees():
    def predict(forest, rows):
        total = np.zeros(len(rows))
        for i in range(len(rows)):
            for root in forest:
                node = root
                while node.left is not None:
                    node = node.left if rows[i, node.feature] <= node.threshold else node.right
                total[i] += node.value
        return total / len(forest)

    rows = np.stack(POINTS)
    agree(predict, [([tree(3, i) for i in range(n)], rows) for n in (2, 5, 3)], recordings=1)


def test_a_linked_list_is_walked():
    def total(n):
        t = 0.0
        while n is not None:
            t += n.value
            n = n.next
        return t

    def largest(n):
        best = n
        while n:
            if n.value > best.value:
                best = n
            n = n.next
        return best

    lists = [chain([float(i % 7) for i in range(n)]) for n in (2, 3, 50, 9)]
    agree(total, [(first,) for first in lists], recordings=1)
    agree(largest, [(first,) for first in lists], recordings=1)


def test_a_long_list_is_not_too_deep():
    def count(n):
        found = 0
        while n is not None:
            found += 1
            n = n.next
        return found

    assert ag.to_graph(count)(chain(list(range(3000)))) == 3000


def test_a_linked_list_is_changed():
    def reverse(n):
        last = None
        while n is not None:
            following = n.next
            n.next = last
            last = n
            n = following
        return last

    def scale(n, a):
        while n is not None:
            n.value *= a
            n = n.next

    def push(n, value):
        made = Link(value, n)
        return made

    def insert(n, value):
        while n.next is not None and n.next.value < value:
            n = n.next
        n.next = Link(value, n.next)

    def drop(n, value):
        first = n
        last = None
        while n is not None:
            if n.value == value:
                if last is None:
                    first = n.next
                else:
                    last.next = n.next
            else:
                last = n
            n = n.next
        return first

    lists = [chain([float(i) for i in range(n)]) for n in (2, 5, 3)]
    agree(reverse, [(first,) for first in lists], recordings=1)
    agree(scale, [(first, 2.5) for first in lists], recordings=1)
    agree(push, [(first, 2.5) for first in lists])
    agree(insert, [(first, 2.5) for first in lists])
    agree(drop, [(first, 1.0) for first in lists])


def test_objects_of_a_list_are_changed():
    def step(particles, dt):
        for p in particles:
            p.x += p.v * dt

    def move(particles, dt):
        for p in particles:
            p.move(dt)
        return sum(p.energy for p in particles)

    def kick(particles, i, dv):
        particles[i].v += dv
        return particles[i]

    def heaviest(particles):
        return max(particles, key=lambda p: p.mass)

    calls = [particles(n) for n in (2, 4, 3, 40)]
    agree(step, [(ps, 0.25) for ps in calls], recordings=1)
    agree(move, [(ps, 0.25) for ps in calls], recordings=1)
    agree(kick, [(ps, np.int64(1), 0.5) for ps in calls])
    agree(heaviest, [(ps,) for ps in calls])


def test_objects_of_a_list_in_an_object():
    agree(lambda world, dt: world.step(dt), [(World(particles(n)), 0.5) for n in (2, 4, 3)], 1)


def test_lists_of_objects_are_changed():
    def add(particles, x):
        particles.append(Particle(x, 0.0, 3))

    def filtered(particles):
        return [p for p in particles if p.x > 0]

    def ordered(particles):
        return sorted(particles, key=lambda p: p.x)

    def remove(particles):
        kept = []
        for p in particles:
            if p.v > 0:
                kept.append(p)
        particles[:] = kept

    def swap(particles):
        particles[0], particles[1] = particles[1], particles[0]

    calls = [particles(n) for n in (3, 5, 2)]
    agree(add, [(ps, 0.5) for ps in calls], recordings=1)
    agree(filtered, [(ps,) for ps in calls], recordings=1)
    agree(ordered, [(ps,) for ps in calls])
    agree(swap, [(ps,) for ps in calls])


def test_objects_that_are_met_twice_are_one():
    def same(a, b, items):
        a.x += 1.0
        count = 0
        for item in items:
            if item is b:
                count += 1
            item.x *= 2.0
        return count, a is b

    calls = []
    for n in (2, 3, 5):
        ps = particles(n)
        calls += [(ps[0], ps[1], ps), (ps[1], ps[1], [*ps, ps[1]])]
    agree(same, calls, recordings=1)


def test_rings_end_where_they_began():
    def circumference(first):
        total = first.value
        n = first.next
        while n is not first:
            total += n.value
            n = n.next
        return total

    def ring(values):
        first = chain(values)
        last = first
        while last.next is not None:
            last = last.next
        last.next = first
        return first

    agree(circumference, [(ring([1.0, 2.5, 3.0][:n] * n),) for n in (2, 3)], recordings=1)


def test_attributes_of_several_types():
    def total(items):
        t = 0.0
        for item in items:
            t += item.x
            if item.mass is not None:
                t += item.mass
        return t, items[len(items) // 2].x

    mixed = [Particle(x, 0.0, m) for x, m in ((1, None), (2.5, 2), (3, 1), (True, None))]
    agree(total, [(mixed[:n],) for n in (2, 3, 4)])


def test_attributes_become_of_another_type():
    def halve(items):
        for item in items:
            item.mass = item.mass / 2

    def forget(items):
        for item in items:
            if item.x > 0:
                item.mass = None

    agree(halve, [(particles(n),) for n in (2, 3, 4)])
    agree(forget, [(particles(n),) for n in (2, 3, 4)])


def test_texts_and_other_things_that_are_not_read():
    class Named:
        def __init__(self, name, x):
            self.name = name
            self.x = x
            self.notes = {}
            self.kind = "point"

    def total(items):
        t = 0.0
        for item in items:
            t += item.x if item.kind == "point" else 0.0
        return t

    made = [Named(name, float(i)) for i, name in enumerate("abcde")]
    compiled = ag.to_graph(total)
    for n in (4, 5):
        assert compiled(made[:n]) == total(made[:n])
    assert len(compiled.compiled_forms()) == 1


def test_exceptions_of_objects():
    def check(items, limit):
        for item in items:
            item.x += 1.0
            if item.x > limit:
                raise ValueError(f"{item.mass} is out")

    agree(check, [(particles(n), limit) for n in (3, 6) for limit in (0.5, 1.5, 9.0)])


def test_none_is_no_node():
    def second(n):
        return n.next.next.value

    agree(second, [(chain([1.0, 2.0, 3.0]),), (chain([1.0, 2.0]),)])


def test_there_may_be_one_or_none():
    def count(first, items):
        n = 0
        while first is not None:
            n += 1
            first = first.next
        return n + len(items)

    calls = [(chain([1.0] * n), particles(m)) for n in (0, 1, 2, 5) for m in (0, 1, 2, 4)]
    agree(count, calls)


def test_few_objects_are_taken_apart_and_many_are_not_later():
    def few(items):
        t = 0.0
        for item in items:
            t += item.x
        return t

    def many(items):
        t = 0.0
        for item in items:
            t += item.v
        return t

    def several(items):
        t = 1.0
        for item in items:
            t *= item.x
        return t

    assert not any(f.has_heaps for f in agree(few, [(particles(3),)]).compiled_forms())
    agree(many, [(particles(130),), (particles(131),)], recordings=1)
    forms = agree(several, [(particles(n),) for n in (2, 3, 4, 5, 6)]).compiled_forms()
    assert [form.has_heaps for form in forms] == [False, False, True]


OUTSIDE = tree(4, 7)


def walked(node, x):
    while node.left is not None:
        node = node.left if x[node.feature] <= node.threshold else node.right
    return node.value * x[0] ** 2


def walked_outside(x):
    return walked(OUTSIDE, x)


def counted_outside(x):
    node = OUTSIDE
    while node.left is not None:
        node.value += 1.0
        node = node.left if x[node.feature] <= node.threshold else node.right
    return node.value


class Model:
    def __init__(self, root):
        self.root = root
        self.scale = 2.0

    def predict(self, x):
        return self.scale * walked(self.root, x)


def test_objects_that_are_found_outside():
    compiled = ag.to_graph(walked_outside)
    for x in POINTS:
        assert compiled(x) == walked_outside(x)
    OUTSIDE.left, OUTSIDE.right = OUTSIDE.right, OUTSIDE.left  # other data, the same recording
    for x in POINTS:
        assert compiled(x) == walked_outside(x)
    assert len(compiled.compiled_forms()) == 1


def test_objects_that_are_found_outside_are_changed(monkeypatch):
    values = []
    for function in (counted_outside, ag.to_graph(counted_outside)):
        monkeypatch.setitem(globals(), "OUTSIDE", tree(4, 7))
        values.append([function(x) for x in POINTS] + [OUTSIDE.value, OUTSIDE.left.value])
    assert values[0] == values[1]


def test_objects_of_what_a_method_is_bound_to():
    model = Model(tree(4, 3))
    compiled = ag.to_graph(model.predict)
    for x in POINTS:
        assert compiled(x) == model.predict(x)
    model.root = tree(3, 4)
    model.scale = 0.5
    for x in POINTS:
        assert compiled(x) == model.predict(x)


def moved(node, x):
    node.value += 1.0
    return counted_outside(x)


def test_an_argument_may_be_what_is_found_outside(monkeypatch):
    values = []
    for function in (moved, ag.to_graph(moved)):
        monkeypatch.setitem(globals(), "OUTSIDE", tree(4, 7))
        found = [function(root, POINTS[1]) for root in (tree(2, 5), OUTSIDE, OUTSIDE.left)]
        values.append([*found, OUTSIDE.value, OUTSIDE.left.value])
    assert values[0] == values[1]


def test_derivatives_and_lanes_of_other_arguments():
    root, x = tree(5, 2), POINTS[1]
    expected = 2 * walked(root, x) / x[0]
    for function in (walked, ag.to_graph(walked)):
        assert np.allclose(ag.grad(function, argnums=1)(root, x), [expected, 0.0, 0.0])
    assert np.allclose(ag.hessian(walked, argnums=1)(root, x)[0, 0], expected / x[0])
    lanes = ag.vmap(walked, (None, 0))(root, np.stack(POINTS))
    assert np.allclose(lanes, [walked(root, p) for p in POINTS])
    slopes = ag.vmap(ag.grad(walked, argnums=1), (None, 0))(root, np.stack(POINTS))
    assert np.allclose(slopes[1], [expected, 0.0, 0.0])
    with pytest.raises(AutographError):
        ag.grad(walked)(root, x)


def test_derivatives_by_objects_are_those_of_each():
    def loss(items, a):
        t = 0.0
        for item in items:
            t += a * item.x * item.v
        return t

    items = particles(5)
    found = ag.grad(loss)(items, 2.0)
    assert [(p.x, p.v) for p in found] == [(2.0 * p.v, 2.0 * p.x) for p in items]
    assert np.allclose(ag.grad(loss, argnums=1)(items, 2.0), loss(items, 1.0))


class Term:
    """A node of an expression."""

    def __init__(self, kind, value=0.0, left=None, right=None):
        self.kind = kind
        self.value = value
        self.left = left
        self.right = right


def test_texts_say_what_an_object_is():
    def evaluated(term, x):
        if term.kind == "number":
            return term.value
        if term.kind == "x":
            return x
        left, right = evaluated(term.left, x), evaluated(term.right, x)
        return left + right if term.kind == "+" else left * right

    def polynomial(coefficients):
        found = Term("number", coefficients[0])
        for c in coefficients[1:]:
            found = Term("+", 0.0, Term("*", 0.0, found, Term("x")), Term("number", c))
        return found

    terms = [polynomial([1.0, -2.0, 0.5, 3.0][:n]) for n in (2, 4, 3)]
    agree(evaluated, [(term, x) for term in terms for x in (0.5, -2.0)], recordings=1)


def test_an_attribute_that_no_array_holds_is_named():
    def noted(node, x):
        while node.left is not None:
            node = node.left if x[node.feature] <= node.threshold else node.right
        return node.notes["rate"]

    def with_notes(node):
        node.notes = {"rate": node.value}
        for part in (node.left, node.right):
            if part is not None:
                with_notes(part)
        return node

    with pytest.raises(AutographError, match=r"AG0586.*'notes'"):
        ag.to_graph(noted)(with_notes(tree(3)), POINTS[0])


class Defaulted:
    scale = 2.0

    def __init__(self, x):
        self.x = x


def test_what_only_the_class_has():
    def total(items):
        t = 0.0
        for item in items:
            t += item.scale * item.x
        return t

    plain = [Defaulted(float(i)) for i in range(3)]
    own = [Defaulted(float(i)) for i in range(3)]
    for item in own:
        item.scale = 3.0
    agree(total, [(own,), (plain,), (own[:2],), (plain[:2],)])


def test_methods_of_several_objects_are_recorded_once():
    compiled = [ag.to_graph(Forest(tree(depth, depth)).predict) for depth in (3, 5, 2, 4)]
    for x in (0.5, -0.5):
        row = np.array([x, 0.2, -0.1])
        for function in compiled:
            assert function(row) == function.__wrapped__(row)
    assert [len(function.compiled_forms()) for function in compiled] == [1, 0, 0, 0]


class Forest:
    def __init__(self, root):
        self.root = root

    def predict(self, row):
        node = self.root
        while node.left is not None:
            node = node.left if row[node.feature] <= node.threshold else node.right
        return node.value
