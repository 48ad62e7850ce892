"""Lists that attributes of the caller's objects are; see
`autograph.staging.lists.given_object_lists`."""

import numpy as np
import pytest

import autograph as ag
from tests.support.objects_of_callers import agree

pytestmark = pytest.mark.usefixtures("heaps_from_the_first_call_on")


class Node:
    """A node of a tree of any fan-out."""

    def __init__(self, value, children=None):
        self.value = value
        self.children = [] if children is None else children

    def total(self):
        found = self.value
        for child in self.children:
            found += child.total()
        return found

    def add(self, value):
        made = Node(value)
        self.children.append(made)
        return made


class Vertex:
    def __init__(self, weight):
        self.weight = weight
        self.neighbours = []
        self.distance = -1


class Body:
    def __init__(self, x, v):
        self.x = x
        self.v = v
        self.trail = []


def tree(depth, seed=0):
    rng = np.random.default_rng(seed)

    def grown(depth):
        count = int(rng.integers(1, 4)) if depth else 0
        return Node(float(rng.normal()), [grown(depth - 1) for _ in range(count)])

    return grown(depth)


def graph(count, seed=0):
    rng = np.random.default_rng(seed)
    vertices = [Vertex(float(rng.normal())) for _ in range(count)]
    for i, vertex in enumerate(vertices):
        vertex.neighbours += [vertices[(i + 1) % count], vertices[int(rng.integers(count))]]
    return vertices


def bodies(count, seed=0):
    rng = np.random.default_rng(seed)
    return [Body(float(rng.normal()), float(rng.normal())) for _ in range(count)]


TREES = [tree(d, d) for d in (2, 3, 4, 5)]


def test_recursion_over_children():
    def total(node):
        found = node.value
        for child in node.children:
            found += total(child)
        return found

    def depth(node):
        best = 0
        for child in node.children:
            best = max(best, depth(child))
        return best + 1

    def leaves(node):
        if not node.children:
            return 1
        return sum(leaves(child) for child in node.children)

    agree(total, [(t,) for t in TREES], recordings=1)
    agree(depth, [(t,) for t in TREES], recordings=1)
    agree(leaves, [(t,) for t in TREES])


def test_a_recursive_method_over_children():
    agree(lambda t: t.total(), [(t,) for t in TREES], recordings=1)


def test_a_stack_of_children():
    def total(root):
        todo, found = [root], 0.0
        while todo:
            node = todo.pop()
            found += node.value
            todo.extend(node.children)
        return found

    def widest(root):
        level, best = [root], 1
        while level:
            following = []
            for node in level:
                for child in node.children:
                    following.append(child)
            best = max(best, len(following))
            level = following
        return best

    agree(total, [(t,) for t in TREES], recordings=1)
    agree(widest, [(t,) for t in TREES], recordings=1)


def test_children_by_their_number():
    def last(root):
        node, count = root, 0
        while len(node.children) > 0:
            node = node.children[len(node.children) - 1]
            count += 1
        return node, count

    def way(root, steps):
        node = root
        for step in steps:
            node = node.children[step]
        return node.value

    agree(last, [(t,) for t in TREES], recordings=1)
    agree(way, [(t, np.array(s)) for t in TREES for s in ([0, 0], [0, 1], [0, -1, 0], [7])])


def test_children_are_changed():
    def grow(root):
        node = root
        while node.children:
            node = node.children[0]
        node.children.append(Node(2.5))

    def grow_by_method(root, x):
        node = root
        while node.children:
            node = node.children[0]
        made = node.add(x)
        made.add(x + 1.0)
        return made

    def prune(node, limit):
        kept = []
        for child in node.children:
            if child.value > limit:
                prune(child, limit)
                kept.append(child)
        node.children = kept

    def shorten(root):
        todo = [root]
        while todo:
            node = todo.pop()
            if len(node.children) > 1:
                node.children.pop()
            for child in node.children:
                todo.append(child)

    def mirror(node):
        node.children.reverse()
        for child in node.children:
            mirror(child)

    agree(grow, [(t,) for t in TREES])
    agree(grow_by_method, [(t, 0.5) for t in TREES])
    agree(prune, [(t, -0.5) for t in TREES])
    agree(shorten, [(t,) for t in TREES])
    agree(mirror, [(t,) for t in TREES])


def test_neighbours_of_a_graph():
    def distances(vertices, start):
        vertices[start].distance = 0
        todo = [vertices[start]]
        while todo:
            following = []
            for u in todo:
                for v in u.neighbours:
                    if v.distance < 0:
                        v.distance = u.distance + 1
                        following.append(v)
            todo = following
        return vertices[0].distance

    def smoothed(vertices):
        found = []
        for u in vertices:
            total = 0.0
            for v in u.neighbours:
                total += v.weight
            found.append(total / len(u.neighbours))
        return found

    def connect(vertices, i, j):
        vertices[i].neighbours.append(vertices[j])
        vertices[j].neighbours.append(vertices[i])

    graphs = [graph(n, n) for n in (3, 5, 9, 20)]
    agree(distances, [(g, np.int64(1)) for g in graphs], recordings=1)
    agree(smoothed, [(g,) for g in graphs], recordings=1)
    agree(connect, [(g, np.int64(0), np.int64(2)) for g in graphs], recordings=1)


def test_lists_of_numbers_in_attributes():
    def moved(bodies, dt):
        for b in bodies:
            b.x += dt * b.v
            b.trail.append(b.x)

    def traced(bodies, steps):
        for k in range(steps):
            for b in bodies:
                b.x += 0.5 * b.v
                b.trail.append(b.x)
        return bodies[0].trail

    def length(bodies):
        return sum(len(b.trail) for b in bodies)

    def far(bodies):
        found = 0.0
        for b in bodies:
            for x in b.trail:
                found = max(found, x)
        return found

    sets = [bodies(n, n) for n in (2, 3, 5)]
    for found in sets[1:]:
        for i, b in enumerate(found):
            b.trail += [float(k) for k in range(i)]
    agree(moved, [(s, 0.5) for s in sets])
    agree(traced, [(s, 3) for s in sets])
    agree(length, [(s,) for s in sets])
    agree(far, [(s,) for s in sets])


def test_lists_are_the_ones_that_they_are():
    def shared(a, b, items):
        a.children.append(Node(1.0))
        b.children.append(a)
        return a.children is b.children, a.children, len(items), items

    calls = []
    for n in (1, 2, 3):
        first, second = Node(0.5, [Node(float(i)) for i in range(n)]), Node(1.5)
        second.children.append(Node(2.5, [Node(3.5)]))
        calls += [(first, second, first.children), (first, second, [second, first])]
        calls.append((first, Node(0.0, first.children), [first]))
    agree(shared, calls)


def test_a_new_list_stays_the_list_that_it_is():
    def by_its_name(root):
        kids = []
        made = Node(7.0)
        made.children = kids
        kids.append(Node(1.0))
        made.children.append(Node(2.0))
        root.children.append(made)
        return len(kids)

    def in_several(root):
        kids = [root]
        root.children[0].children = kids
        root.children = kids
        made = Node(0.5, kids)
        made.children.append(made)
        return len(kids), made

    def of_the_caller(root, kids):
        root.children[0].children = kids
        kids.append(Node(3.0))
        root.children[0].children.append(Node(4.0))
        return len(kids)

    agree(by_its_name, [(t,) for t in TREES])
    agree(in_several, [(t,) for t in TREES])
    agree(of_the_caller, [(t, kids) for t in TREES for kids in ([], [Node(1.0)])])


def test_lists_without_items_get_objects():
    def connect(vertices, i):
        vertices[i].neighbours.append(vertices[0])
        vertices[i].neighbours.append(vertices[1])
        return vertices[i].neighbours[-1]

    alone = [[Vertex(0.5 * i) for i in range(n)] for n in (2, 3, 5)]
    agree(connect, [(vertices, np.int64(1)) for vertices in alone], recordings=1)


def test_what_lists_do_as_attributes():
    def sorted_children(root):
        root.children.sort(key=lambda child: -child.value)
        return [child.value for child in sorted(root.children, key=lambda child: child.value)]

    def other_children(root):
        root.children = root.children[1:] + [Node(1.0)]
        root.children += [Node(2.0)]
        root.children.insert(0, Node(3.0))
        return root.children[:1]

    def without(root):
        child = root.children[0]
        root.children.remove(child)
        return child in root.children, child

    def swapped(root):
        child = root.children[0]
        child.children, root.children = root.children, child.children

    def asked(root):
        found = max(root.children, key=lambda child: child.value)
        weights = [i * child.value for i, child in enumerate(root.children)]
        return found, weights, any(child.value > 0 for child in root.children)

    for function in (sorted_children, other_children, without, swapped, asked):
        agree(function, [(t,) for t in TREES])


def test_trees_are_built():
    def doubled(node):
        return Node(2 * node.value, [doubled(child) for child in node.children])

    def copied(node):
        made = Node(node.value)
        for child in node.children:
            made.children.append(copied(child))
        return made

    def found(node, value):
        if node.value == value:
            return node
        for child in node.children:
            met = found(child, value)
            if met is not None:
                return met
        return None

    agree(doubled, [(t,) for t in TREES])
    agree(copied, [(t,) for t in TREES])
    agree(found, [(t, x) for t in TREES for x in (t.value, t.children[0].value, 100.0)])


def test_what_has_changed_where_an_exception_is_raised():
    def check(root, limit):
        todo = [root]
        while todo:
            node = todo.pop()
            todo.extend(node.children)
            node.children.append(Node(9.0))
            if node.value < limit:
                raise ValueError("too little")

    agree(check, [(t, limit) for t in TREES for limit in (-9.0, -0.5, 0.0, 9.0)])


def test_there_may_be_none_among_children():
    def count(node):
        found = 1
        for child in node.children:
            if child is not None:
                found += count(child)
        return found

    def tree(n):
        return Node(1.0, [None, Node(2.0, [None, None]), Node(3.0, [None] * n)])

    agree(count, [(tree(n),) for n in (1, 2, 3)], recordings=1)


def test_derivatives_and_lanes_beside_children():
    def weighed(node, x):
        found = np.sin(x * node.value)
        for child in node.children:
            found += weighed(child, x) * x
        return found

    x = 0.7
    for t in TREES[:3]:
        h = 1e-5
        slope = (weighed(t, x + h) - weighed(t, x - h)) / (2 * h)
        assert np.allclose(ag.grad(weighed, argnums=1)(t, x), slope)
        bend = (weighed(t, x + 1e-3) - 2 * weighed(t, x) + weighed(t, x - 1e-3)) / 1e-6
        assert np.allclose(ag.hessian(weighed, argnums=1)(t, x), bend, rtol=1e-3)
        xs = np.array([0.1, 0.5, 0.9])
        lanes = ag.vmap(weighed, (None, 0))(t, xs)
        assert np.allclose(lanes, [weighed(t, x) for x in xs])


def test_children_get_those_of_another_node():
    def extend(node, stop):
        first = node
        while node.value < stop and len(node.children) > 0:
            node.children.extend(first.children)
            node = node.children[0]
        return node

    agree(extend, [(tree, 2.5) for tree in TREES[:3]])
