"""What Python asks objects of several classes for by itself; see
`autograph.staging.lists.family_operators`."""

import dataclasses
import math

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from tests.support.objects_of_callers import agree

pytestmark = pytest.mark.usefixtures("heaps_from_the_first_call_on")


class Money:
    def __init__(self, amount):
        self.amount = amount

    def __add__(self, other):
        return Money(self.amount + other)

    def __radd__(self, other):
        return Money(other + 2 * self.amount)

    def __isub__(self, other):
        self.amount -= other
        return self

    def __divmod__(self, other):
        return divmod(self.amount, other)

    def __lt__(self, other):
        return self.amount < other.amount

    def __eq__(self, other):
        return self.amount == other.amount

    def __neg__(self):
        return Money(-self.amount)

    def __abs__(self):
        return abs(self.amount)

    def __len__(self):
        return int(self.amount)

    def __getitem__(self, i):
        return self.amount * i

    def __setitem__(self, i, value):
        self.amount = i + value

    def __contains__(self, x):
        return self.amount == x

    def __bool__(self):
        return self.amount > 1.5

    def __call__(self, x, k=1):
        return self.amount * x * k

    def __float__(self):
        return self.amount

    def __round__(self, digits=None):
        return self.amount // 1.0

    def __str__(self):
        return f"{self.amount} coins"

    def __repr__(self):
        return f"{type(self).__name__}({self.amount})"

    def __format__(self, spec):
        return f"{self.amount:{spec}} coins" if spec else str(self)

    def __hash__(self):
        return 1

    def __iter__(self):
        yield self.amount


class Points(Money):
    def __add__(self, other):
        return Points(self.amount - other)

    def __isub__(self, other):
        self.amount *= other
        return self

    def __divmod__(self, other):
        return other, self.amount

    def __lt__(self, other):
        return self.amount > other.amount

    def __eq__(self, other):
        return self.amount == 2 * other.amount

    def __neg__(self):
        return Points(self.amount * 3)

    def __abs__(self):
        return 10.0 - self.amount

    def __len__(self):
        return 7

    def __getitem__(self, i):
        return self.amount + i

    def __setitem__(self, i, value):
        self.amount = i - value

    def __contains__(self, x):
        return self.amount == x + 1

    def __bool__(self):
        return self.amount < 1.5

    def __call__(self, x, k=1):
        return self.amount + x + k

    def __float__(self):
        return 2 * self.amount

    def __round__(self, digits=None):
        return self.amount * 2.0

    def __str__(self):
        return f"{self.amount} points"

    def __format__(self, spec):
        return f"{self.amount:{spec}} points" if spec else str(self)


def best(items):
    found = items[0]
    for item in items:
        if item.amount > found.amount:
            found = item
    return found


def purses():
    some = [Money(1.0), Points(3.0), Money(2.0), Points(0.5)]
    return [some], [[Money(1.0), Points(1.0), Money(4.0)]], [some + [Points(4.5), Money(0.0)]]


def arithmetic(items):
    item = best(items)
    item -= 2.0
    return (best(items) + 1).amount, (1 + best(items)).amount, (-item).amount, abs(item)


def quotients(items):
    return [divmod(item, 2.0) for item in items], divmod(best(items), 3.0), round(best(items))


def comparisons(items):
    pairs = list(zip(items, items[1:]))
    chosen = best(items)
    ordered = [a < b for a, b in pairs], [a > b for a, b in pairs], chosen < items[0]
    return ordered, [a == b for a, b in pairs], chosen != items[1], chosen == items[0]


def searches(items):
    return items[0] in items[1:], best(items) in items, items.index(best(items))


def orders(items):
    return [x.amount for x in sorted(items)], max(items).amount, min(items).amount


def parts(items):
    item = best(items)
    item[3] = 1.5
    return item[2], [x[i] for i, x in enumerate(items)], 2.0 in item, [3.0 in x for x in items]


def lengths(items):
    return len(best(items)), sum(len(item) for item in items), float(best(items))


def truths(items):
    count = 0
    for item in items:
        if item:
            count += 1
        if not item:
            count += 10
    return count, bool(best(items)), sum(len(item) for item in items if item)


def called(items):
    return best(items)(3.0), sum(item(2.0, k=3) for item in items)


def texts(items):
    print(best(items), "and", items[0])
    item = best(items)
    return str(item), repr(item), f"<{item}>", f"{item:.2f}"


@pytest.mark.parametrize(
    "function",
    [
        *(arithmetic, quotients, comparisons, searches, orders, parts, lengths, truths, called),
        texts,
    ],
)
def test_each_class_is_asked(function):
    agree(function, [tuple(call) for call in purses()])


class Shape:
    def __init__(self, size):
        self.size = size

    def __lt__(self, other):
        return self.area() < other.area()

    def __eq__(self, other):
        if not isinstance(other, Shape):
            return NotImplemented
        return self.area() == other.area()

    def __add__(self, other):
        if isinstance(other, Shape):
            return self.area() + other.area()
        return NotImplemented

    def __radd__(self, other):
        return other + self.area()

    def __str__(self):
        return f"{type(self).__name__}({self.size})"


class Circle(Shape):
    def area(self):
        return 3.0 * self.size**2


class Square(Shape):
    def area(self):
        return self.size**2

    def __len__(self):
        return int(self.size)


class Special(Square):
    """Its method is asked first, since it derives from the class of the left operand."""

    def __radd__(self, other):
        if isinstance(other, Shape):
            return 1000.0 + other.area()
        return 5.0 + other


def shapes():
    return [
        ([Circle(1.0), Square(2.0), Special(0.5), Circle(0.1)],),
        ([Special(1.0), Square(1.0)],),
        ([Circle(float(i)) if i % 2 else Special(i * 1.5) for i in range(7)],),
        ([Square(1.0), Circle(2.0), Special(3.0)],),
    ]


def sums(items):
    return sum(items), [a + b for a in items for b in items], items[0] + items[-1]


def equal(items):
    with_numbers = [a == 3.0 for a in items], [a != 3.0 for a in items]
    return [a == b for a in items for b in items], with_numbers


def shown(items):
    for item in items:
        print(item, f"[{item}]")
    return sorted(items)[0].size


def filled(items):
    """Only some of the classes say how long they are."""
    return [1 if item else 0 for item in items], not items[0]


@pytest.mark.parametrize("function", [sums, equal, shown, filled])
def test_methods_of_the_base_class_and_those_that_do_not_know_the_other(function):
    agree(function, shapes())


def test_the_one_that_derives_is_asked_first_in_any_form():
    """Those whose classes are known meet those of which the run knows it."""
    compiled = ag.to_graph(sums)
    for args in [*shapes(), *shapes()[::-1]]:
        assert compiled(*args) == sums(*args)


class Number:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Sum(self, other)

    def __mul__(self, other):
        return Product(self, other)

    def __call__(self, x):
        return self.value


class Variable(Number):
    def __init__(self):
        self.value = 0.0

    def __call__(self, x):
        return x


class Sum(Number):
    def __init__(self, left, right):
        self.value = 0.0
        self.left = left
        self.right = right

    def __call__(self, x):
        return self.left(x) + self.right(x)


class Product(Sum):
    def __call__(self, x):
        return self.left(x) * self.right(x)


def by_a_tree(coefficients, x):
    tree = Number(coefficients[0])
    for c in coefficients[1:]:
        tree = tree * Variable() + Number(c)
    return tree(x)


def test_operators_that_make_trees():
    calls = [([1.0, 2.0, 3.0], 2.0), ([0.5] * 6, 1.5), ([float(i) for i in range(30)], 0.9)]
    agree(by_a_tree, [*calls, ([float(i) for i in range(25)], 0.8)])


class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __abs__(self):
        return math.sqrt(self.x**2 + self.y**2)


class Polar(Vector):
    def __neg__(self):
        return Polar(self.x, self.y + 3.0)

    def __abs__(self):
        return self.x


def longest(xs, k):
    vectors = [Vector(1.0, k), Polar(k, 2.0)]
    for x in xs:
        vectors.append(Vector(x, k) if x > 1.0 else Polar(x * k, x))
    found = vectors[0]
    for vector in vectors:
        if abs(vector) > abs(found):
            found = vector
    return abs(-found) * abs(found) + (found + found).x * k


@pytest.mark.parametrize("xs", [[0.5, 1.5, 2.5], [0.1, 3.0], [float(i) for i in range(20)]])
def test_derivatives_of_operators_of_several_classes(xs):
    for k in (1.3, 4.0):
        ag.check_grads(lambda k: longest(xs, k), (k,), order=2)
        step = 1e-6
        slope = (longest(xs, k + step) - longest(xs, k - step)) / (2 * step)
        assert math.isclose(ag.grad(longest, argnums=1)(xs, k), slope, rel_tol=1e-6)
        tangent = ag.jvp(lambda k: longest(xs, k), (k,), (1.0,))[1]
        assert math.isclose(tangent, slope, rel_tol=1e-6)
    many = np.array([1.3, 4.0, 0.2])
    lanes = ag.vmap(lambda k: longest(xs, k))(many)
    np.testing.assert_allclose(lanes, [longest(xs, k) for k in many.tolist()])


@dataclasses.dataclass(order=True)
class Cheap:
    price: float


@dataclasses.dataclass(order=True)
class Dear:
    price: float


def bought(prices):
    items = []
    for price in prices:
        items.append(Cheap(price) if price < 2.0 else Dear(price))
    same = [item == items[0] for item in items], Cheap(1.0) in items, items[0] == Cheap(1.0)
    return same, str(items[1]), repr(items[-1]), Cheap(1.0) == items[0]


def test_dataclasses_are_equal_to_those_of_their_class():
    agree(bought, [([1.0, 3.0, 1.0, 2.5],), ([2.0, 3.0, 1.0, 2.5, 3.5],), ([1.0] * 20,)])


class Plain:
    def __init__(self, amount):
        self.amount = amount


def added(items):
    return (best(items) + 1).amount


def test_a_class_without_the_operator():
    """It raises what Python does, or is refused."""
    with pytest.raises((TypeError, AutographError)):
        ag.to_graph(added)([Money(1.0), Plain(3.0), Money(2.0)])


def test_what_is_refused_of_several_classes():
    def gone_through(items):
        return [x for x in best(items)]

    def hashed(items):
        return {best(items): 1.0}

    for function in (gone_through, hashed):
        with pytest.raises(AutographError, match=r"AG0590|AG0591"):
            ag.to_graph(function)(*purses()[0])


class Counter:
    def __init__(self, step):
        self.step = step

    def __call__(self, x):
        self.step += 1.0
        return x * self.step

    def __len__(self):
        return int(self.step)


def counted(counters, x):
    chosen = counters[0]
    for counter in counters:
        if counter.step > chosen.step:
            chosen = counter
    return chosen(x), [1 if c else 0 for c in counters], chosen(x), chosen.step


def test_objects_of_one_class_are_called_and_are_true_by_their_length():
    agree(counted, [([Counter(2.0), Counter(0.0), Counter(1.5)], 2.0)] * 2)
    agree(counted, [([Counter(float(i % 3)) for i in range(9)], 0.5)])
