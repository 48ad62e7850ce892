"""Objects in lists, trees and chains, of which only the run knows how many there are."""

import abc
import dataclasses

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError, UnsupportedFunctionError
from tests.support.oracle import check, check_grad

N = 300  # more than what loops that run as Python do
XS = [float((k * 7919) % 211) for k in range(N)]


class Point:
    def __init__(self, i):
        self.x = i * 0.5
        self.y = 1.0 + i

    def normalize(self):
        norm = (self.x**2 + self.y**2) ** 0.5
        self.x /= norm
        self.y /= norm

    def maximize(self, other):
        self.x = self.x if self.x > other.x else other.x
        return self

    @property
    def twice(self):
        return 2 * self.x

    @classmethod
    def at(cls, i):
        return cls(i)


@dataclasses.dataclass(order=True)
class Item:
    weight: float
    count: int = 2
    found: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Fixed:
    a: float

    def moved(self, d):
        return Fixed(self.a + d)


class Slotted:
    __slots__ = ("u", "v")

    def __init__(self, u, v):
        self.u = u
        self.v = v


class Node:
    def __init__(self, key):
        self.key = key
        self.left = None
        self.right = None
        self.count = 1

    def insert(self, key):
        if key < self.key:
            if self.left is None:
                self.left = Node(key)
            else:
                self.left.insert(key)
        elif key > self.key:
            if self.right is None:
                self.right = Node(key)
            else:
                self.right.insert(key)
        else:
            self.count += 1


class Link:
    def __init__(self, value, after=None):
        self.value = value
        self.after = after


class Ring:
    def __init__(self, value):
        self.value = value
        self.before = self
        self.after = self


class Parent:
    def __init__(self, value):
        self.value = value
        self.children = []
        self.numbers = []


class Pair:
    def __init__(self, point, mass):
        self.point = point
        self.mass = mass
        self.charge = None
        self.name = "light"


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...


class Square(Shape):
    kind = "square"

    def __init__(self, side):
        self.__side = side

    @property
    def side(self):
        return self.__side

    @side.setter
    def side(self, side):
        self.__side = side

    def area(self):
        return self.__side**2


def filled_by_index(n):
    points = [None] * n
    for i in range(n):
        points[i] = Point(i)
    for p in points:
        p.normalize()
    following = points[0]
    for p in points[1:]:
        following = following.maximize(p)
    return following.x, following is points[0], points[-1].y


def changed_through_each_name(n):
    points = [Point.at(i) for i in range(n)]
    some = points[::2]
    for p in some:
        p.x = 0.0
    points[0], points[1] = points[1], points[0]
    points.append(points[3])
    points[3].x = -7.0
    same = sum(1 for p in points if p is points[3])
    return sum(p.twice for p in points), points[1] is some[0], same, points[-1] == points[3]


def found_and_sorted(n):
    points = [Point((i * 7) % n) for i in range(n)]
    best = None
    for p in points:
        if best is None or p.x > best.x:
            best = p
    best.y = -1.0
    points.sort(key=lambda p: -p.x)
    lowest = min(points, key=lambda p: p.y)
    return points[0].x, lowest is best, [p.x for p in sorted(points, key=lambda p: p.y)]


def removed(n):
    points = [p for p in [Point(i) for i in range(n)] if p.x > 3.0]
    del points[0]
    points.insert(0, Point(7))
    points.reverse()
    last = points.pop(0)
    points[0].x = 100.0
    return last.x, len(points), points[-1].x, [p.x for p in points]


def with_none(n):
    points = [None] * n
    for i in range(0, n, 2):
        points[i] = Point(i)
    total = 0.0
    for p in points:
        if p is not None:
            p.x += 1
            total += p.x
    return total, points[1] is None, points


def also_outside_of_the_list(n):
    points = []
    shared = Point(3)
    for i in range(n):
        if i % 5 == 0:
            points.append(shared)
        else:
            points.append(Point(i))
    shared.x = 100.0
    return sum(p.x for p in points), points[0] is shared, shared


def searched_tree(n):
    root = None
    for x in [float((k * 7919) % 211) for k in range(n)]:
        node = Node(x)
        if root is None:
            root = node
            continue
        at = root
        while True:
            if x < at.key:
                if at.left is None:
                    at.left = node
                    break
                at = at.left
            else:
                if at.right is None:
                    at.right = node
                    break
                at = at.right
    total, waiting = 0.0, [root]
    while waiting:
        node = waiting.pop()
        total = total * 0.5 + node.key
        if node.left is not None:
            waiting.append(node.left)
        if node.right is not None:
            waiting.append(node.right)
    return total


def inserted(node, key):
    if node is None:
        return Node(key)
    if key < node.key:
        node.left = inserted(node.left, key)
    elif key > node.key:
        node.right = inserted(node.right, key)
    else:
        node.count += 1
    return node


def recursive_tree(xs):
    root = None
    for x in xs:
        root = inserted(root, x)
    return root


def chain(n):
    head = None
    for i in range(n):
        head = Link(i * 1.5, head)
    before = None
    while head is not None:
        after = head.after
        head.after = before
        before = head
        head = after
    total, count = 0.0, 0
    while before is not None:
        total = total * 0.5 + before.value
        count += 1
        before = before.after
    return total, count


def counted_out(n, k):
    head = Ring(0)
    at = head
    for i in range(1, n):
        new = Ring(i)
        new.before = at
        new.after = at.after
        at.after.before = new
        at.after = new
        at = new
    at = head
    while at.after is not at:
        for _ in range(k - 1):
            at = at.after
        at.before.after = at.after
        at.after.before = at.before
        at = at.after
    return at.value


def children(n):
    nodes = [Parent(i) for i in range(n)]
    for i in range(1, n):
        nodes[(i - 1) // 2].children.append(nodes[i])
        nodes[i % 7].numbers.append(i)
    total = 0
    for node in nodes:
        for child in node.children:
            total += child.value * node.value
    return total, nodes[0], nodes[3].numbers, len(nodes[2].children)


def parts_of_objects(n):
    pairs = [Pair(Point(i), i) for i in range(n)]
    for i in range(0, n, 3):
        pairs[i].charge = i * 0.5
        pairs[i].name = "heavy"
    total = 0.0
    for pair in pairs:
        pair.point.normalize()
        pair.mass += 1
        if pair.charge is not None:
            total += pair.charge
    heavy = 0
    for pair in pairs:
        if pair.name == "heavy":
            heavy += 1
    return total, heavy, pairs[1].charge, pairs[3]


def of_several_makes(n):
    items = [Item(float((i * 7) % n)) for i in range(n)]
    fixed = [Fixed(i * 1.0) for i in range(n)]
    slotted = [Slotted(i, 2.0 * i) for i in range(n)]
    squares = [Square(i) for i in range(n)]
    for i in range(n):
        items[i].found.append(i)
        fixed[i] = fixed[i].moved(1.0)
        slotted[i].u += 1
        squares[i].side += 1
    rising = sum(1 for i in range(n - 1) if items[i] < items[i + 1])
    return (
        *(rising, items[1], items[0] == items[1], fixed[0], sum(s.u for s in slotted)),
        *(sum(s.area() for s in squares), squares[0].side, squares[1].kind),
    )


def asked_about(n):
    points = [None] * n
    for i in range(n):
        points[i] = Point(i)
    p = points[n // 2]
    names = p.__class__.__name__, type(p).__name__, hasattr(p, "x"), hasattr(p, "z")
    setattr(p, "x", 5.0)  # noqa: B010
    return names, isinstance(p, Point), type(p) is Point, getattr(p, "x", 1), getattr(p, "z", 2)


def in_zip(n):
    some, others = [Point(i) for i in range(n)], [Point(2 * i) for i in range(n)]
    for p, q in zip(some, others):
        p.x, q.x = q.x, p.x
    for i, p in enumerate(some):
        p.y += i
    return [p.x for p in some], [q.x for q in others], [p.y for p in reversed(some)]


def stopped(n):
    points = [Point(i) for i in range(n)]
    found = None
    for p in points:
        if p.x * p.x > n:
            found = p
            break
    found.x = 0.0
    return found, [p.x for p in points]


class Curve:
    def __init__(self, points):
        self.points = points

    def at(self, u):
        first = 0
        while first < 2 and u > 0.5 * (first + 1):
            first += 1
        near = [self.points[first + i] for i in range(3)]
        for k in range(1, 3):
            for i in range(2, k - 1, -1):
                near[i] = near[i - 1].between(near[i], u)
        return near[2]


class Knot:
    def __init__(self, x):
        self.x = x

    def between(self, other, u):
        return Knot(self.x * (1.0 - u) + other.x * u)


def of_a_curve(n):
    curve = Curve([Knot(0.0), Knot(2.0), Knot(1.0), Knot(5.0), Knot(3.0)])
    total = 0.0
    for i in range(n):
        point = curve.at(i / n)
        if total < 1e6:
            point.x += 1.0
        total += point.x
    return total, [knot.x for knot in curve.points]


PROGRAMS = (
    *(filled_by_index, changed_through_each_name, found_and_sorted, removed, with_none),
    *(also_outside_of_the_list, searched_tree, chain, children, parts_of_objects),
    *(of_several_makes, asked_about, in_zip, stopped, of_a_curve),
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_as_many_objects_as_the_run_says(program):
    for n in (N, N + 20):
        check(program, n)


def test_a_tree_that_a_recursive_function_changes():
    check(recursive_tree, XS[:280])


@pytest.mark.slow
def test_a_tree_whose_method_calls_itself():
    def total(xs):
        root = Node(100.5)
        for x in xs:
            root.insert(x)
        return root.key, root.left.key, root.right.key, root.left.count

    assert ag.to_graph(total)(XS) == total(XS)


def test_a_ring_from_which_objects_are_taken():
    check(counted_out, N, 3)


class Ball:
    def __init__(self, x, v):
        self.x = x
        self.v = v


def energies(xs, k):
    balls = []
    for x in xs:
        if x > 0.3:
            balls.append(Ball(x * k, 1.0))
    for ball in balls:
        ball.v *= ball.x
    return sum(ball.v * ball.v for ball in balls)


def weighed_chain(xs, k):
    head = None
    for x in xs:
        head = Link(x * k, head)
    total = 0.0
    while head is not None:
        total = total * 0.5 + head.value * head.value
        head = head.after
    return total


@pytest.mark.parametrize("function", [energies, weighed_chain])
def test_derivatives_and_lanes(function):
    xs = np.linspace(0.1, 1.0, 9)
    check_grad(function, xs, 2.0)
    lanes = np.stack([xs, 1.5 * xs])
    wanted = [function(row, 2.0) for row in lanes]
    np.testing.assert_allclose(ag.vmap(function, (0, None))(lanes, 2.0), wanted)
    slope = ag.grad(function, 1)
    each = [slope(row, 2.0) for row in lanes]
    np.testing.assert_allclose(ag.vmap(slope, (0, None))(lanes, 2.0), each)


def test_what_is_refused():
    def hashed(n):
        points = [None] * n
        for i in range(n):
            points[i] = Point(i)
        return hash(points[0])

    with pytest.raises(UnsupportedFunctionError, match=r"AG0591.*the hash of objects of the class"):
        ag.to_graph(hashed)(N)


def test_arrays_in_objects_are_not_changed_in_place():
    class Body:
        def __init__(self, i):
            self.place = np.array([i * 1.0, 2.0])

    def moved(n, inside):
        bodies = [Body(i) for i in range(n)]
        for body in bodies:
            if inside:
                body.place[0] = 7.0
            else:
                body.place = body.place * 2.0
        return sum(body.place[0] for body in bodies)

    assert ag.to_graph(lambda n: moved(n, False))(N) == moved(N, False)
    with pytest.raises(AutographError, match="an array is changed in place"):
        ag.to_graph(lambda n: moved(n, True))(N)


def local_tree(xs):
    class Leaf:
        def __init__(self, value):
            self.value = value
            self.left = None

    def insert(leaf, value):
        if leaf is None:
            return Leaf(value)
        leaf.left = insert(leaf.left, value)
        return leaf

    root = None
    for x in xs:
        root = insert(root, x)
    return root.value


def test_classes_that_each_recording_makes_anew_are_not_kept_in_heaps():
    """What one recording knows of them says nothing of those of the next one, for ever."""

    def many(n):
        class Local:
            pass

        points = [None] * n
        for i in range(n):
            points[i] = Local()
        return len(points)

    compiled = ag.to_graph(local_tree)
    for xs in ([3, 1, 2], [5, 4, 3, 2, 1]):
        assert compiled(xs) == local_tree(xs)
    with pytest.raises(AutographError, match="AG0330"):
        ag.to_graph(many)(300)
