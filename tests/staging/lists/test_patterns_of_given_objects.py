"""`match` on the classes of the caller's objects, of which only the run knows which is of which."""

import pytest

import autograph as ag
from autograph.api.recording import object_forms
from tests.support.objects_of_callers import agree


@pytest.fixture(autouse=True, params=["few", "many"])
def heaps_from_the_first_call_on(request, monkeypatch):
    if request.param == "many":
        monkeypatch.setattr(object_forms, "_MANY", object_forms._FEW)


class Circle:
    __match_args__ = ("r",)

    def __init__(self, r):
        self.r = r


class Box:
    __match_args__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b


class Leaf:
    def __init__(self, value):
        self.value = value


class Sum:
    def __init__(self, left, right):
        self.left = left
        self.right = right


class Product(Sum):
    pass


class Negative:
    def __init__(self, inner):
        self.inner = inner


class Link:
    def __init__(self, value, next=None):
        self.value = value
        self.next = next


def shapes(count):
    return [Circle(float(i)) if i % 3 else Box(float(i), 2.0) for i in range(count)]


def areas(items, k):
    total = 0.0
    for item in items:
        match item:
            case Circle(r=r):
                total += 3.0 * r * r
            case Box(a, b):
                total += a * b * k
    return total


def with_guards(items, k):
    total = 0.0
    for item in items:
        match item:
            case Circle(r) if r > k:
                total += r
            case Circle():
                total += 100.0
            case Box(a=a, b=b) as box:
                total += a * b + box.a
            case _:
                total -= 1.0
    return total


def with_alternatives(items, k):
    total = 0.0
    for item in items:
        match item:
            case Circle(r=1.0) | Box(a=3.0):
                total += 10.0
            case Circle(r=size) | Box(a=size):
                total += size * k
    return total


def changed(items, k):
    for item in items:
        match item:
            case Circle(r=r):
                item.r = r + k
            case Box(a, b):
                item.a, item.b = b, a


def largest(items, k):
    found, most = items[0], -1.0
    for item in items:
        match item:
            case Circle(r=r):
                size = 3.0 * r
            case Box(a=a, b=b):
                size = a * b
        if size * k > most:
            found, most = item, size
    return found


def chosen(items, k):
    match items[int(k)]:
        case Circle(r):
            return r
        case Box(a, b):
            return a + b


def the_first(items, k):
    match items:
        case [Circle(r=r), *rest]:
            return r, len(rest)
        case [Box(a=a), *rest]:
            return a * k, len(rest)


@pytest.mark.parametrize(
    "function",
    [areas, with_guards, with_alternatives, changed, largest, chosen, the_first],
)
def test_shapes(function):
    agree(function, [(shapes(n), k) for n, k in ((4, 1.5), (6, 2.5), (9, 0.5), (5, 3.0))])


def value_of(node, k):
    match node:
        case Leaf(value=value):
            return value * k
        case Product(left=left, right=right):
            return value_of(left, k) * value_of(right, k)
        case Sum(left=Leaf(value=value), right=right):
            return value + value_of(right, k)
        case Sum(left=left, right=right):
            return value_of(left, k) + value_of(right, k)
        case Negative(inner=Negative(inner=inner)):
            return value_of(inner, k)
        case Negative(inner=inner):
            return -value_of(inner, k)


def expression(depth, seed=0):
    if depth == 0:
        return Leaf(0.5 + seed)
    if (depth + seed) % 3 == 0:
        return Negative(expression(depth - 1, seed + 1))
    kind = Sum if (depth + seed) % 3 == 1 else Product
    return kind(expression(depth - 1, seed), expression(max(0, depth - 2), seed + 1))


def test_expressions():
    agree(value_of, [(expression(depth), 1.5) for depth in (3, 5, 6, 2)])


def test_linked_nodes_end_with_none():
    def total(node, k):
        found = 0.0
        while True:
            match node:
                case None:
                    return found
                case Link(value=value, next=following):
                    found = found * k + value
                    node = following

    def chain(count):
        node = None
        for number in range(count):
            node = Link(float(number), node)
        return node

    agree(total, [(chain(n), 0.5) for n in (3, 6, 1, 8)])


def test_what_is_no_class_is_asked_for_none():
    @ag.to_graph
    def f(item, kind):
        match item:
            case kind.r():
                return 1.0

    with pytest.raises(TypeError, match="called match pattern must be a class"):
        f(Circle(1.0), Circle(2.0))
