"""Objects of several classes that the function makes, of which data decide which is of which class;
see `autograph.staging.ground.families`."""

import math

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs, check, check_grad

programs = Programs()
X = np.array([0.5, 1.5, 2.5])


@programs.test
def test_program(call):
    call.run()


class Shape:
    sides = 0

    def __init__(self, name):
        self.name = name
        self.uses = 0

    def area(self):
        raise NotImplementedError

    def twice(self):
        self.uses += 1
        return 2 * self.area()

    @property
    def half(self):
        return self.area() / 2


class Circle(Shape):
    def __init__(self, r):
        super().__init__("circle")
        self.r = r

    def area(self):
        return math.pi * self.r**2


class Rect(Shape):
    sides = 4

    def __init__(self, w, h):
        super().__init__("rect")
        self.w, self.h = w, h

    def area(self):
        return self.w * self.h


class Square(Rect):
    def __init__(self, s):
        super().__init__(s, s)
        self.name = "square"

    def twice(self):
        return super().twice() + 1.0


def shape_of(x):
    if x < 1.0:
        return Circle(x)
    elif x < 2.0:
        return Rect(x, 2.0)
    return Square(x)


@programs.smooth(0.5)
@programs.smooth(1.5)
@programs.smooth(2.5)
def one_of_several(x):
    shape = shape_of(x)
    return shape.twice() + shape.half


@programs([0.5, 1.5, 2.5])
@programs(np.array([0.5, 1.5, 2.5, 0.1]))
@programs([])
def lists_of_several(xs):
    shapes = []
    for x in xs:
        shapes.append(shape_of(x))
    total = 0.0
    for shape in shapes:
        total += shape.twice()
    circles = sum(1 for s in shapes if isinstance(s, Circle))
    return total, circles, sum(s.sides for s in shapes), sum(s.uses for s in shapes)


@programs([0.5, 1.5, 2.5])
def comprehensions_of_several(xs):
    shapes = [Circle(x) if x < 1.0 else Square(x) for x in xs]
    largest = max(shapes, key=lambda s: s.area())
    return largest.area(), largest.name, [s.name for s in shapes], sum(s.half for s in shapes)


@programs([0.5, 1.5, 2.5], 1)
@programs([0.5, 1.5, 2.5], 0)
def what_comes_out(xs, i):
    shapes = [shape_of(x) for x in xs]
    shapes[i].twice()
    return shapes, shapes[i], shape_of(xs[0])


@programs(7, 0.5)
@programs(40, 0.25)
def classes_one_after_the_other(n, x):
    shapes = []
    while len(shapes) < n:
        shapes.append(Circle(x * len(shapes)))
        if shapes[-1].area() > x:
            shapes.append(Rect(x, x))
    return sum(s.area() for s in shapes), len(shapes)


@programs([3.0, 0.5, 2.5])
def sorted_by_area(xs):
    shapes = [shape_of(x) for x in xs]
    shapes.sort(key=lambda s: s.area())
    best = None
    for s in shapes:
        if best is None or s.area() > best.area():
            best = s
    return [s.area() for s in shapes], best.area()


@programs([0.5, 1.5, 2.5])
@programs([1.5])
def matched(xs):
    total = 0.0
    for x in xs:
        match shape_of(x):
            case Circle(r=r):
                total += r
            case Square(w=w):
                total += 10 * w
            case Rect(w=w, h=h):
                total += 100 * w * h
    return total


@programs([0.5, 1.5, 2.5])
@programs([1.5])
def a_list_of_two_classes_grows(xs):
    shapes = [Circle(1.0), Rect(1.0, 2.0)]
    for x in xs:
        if x > 1.0:
            shapes.append(Circle(x))
    others = []
    for x in xs:
        if x > 1.0:
            others.append(Circle(x))
    for x in xs:
        if x < 1.0:
            others.append(Square(x))
    return sum(s.area() for s in shapes), sum(s.area() for s in others)


class Arrival:
    def __init__(self, time):
        self.time = time

    def happens(self, queue, x):
        queue.append((self.time + x, Departure(self.time + x, 2)))
        return 1


class Departure:
    def __init__(self, time, count):
        self.time = time
        self.count = count

    def happens(self, queue, x):
        return self.count


@programs([3.0, 1.0, 2.0], 0.25)
@programs([1.0], 2.5)
def events_in_tuples(times, x):
    queue = [(t, Arrival(t)) for t in times]
    total = 0.0
    while queue:
        first = 0
        for i in range(len(queue)):
            if queue[i][0] < queue[first][0]:
                first = i
        time, event = queue.pop(first)
        total += event.happens(queue, x) * time
    return total


class Idle:
    def __init__(self):
        self.rests = 0

    def after(self, x):
        return Busy(x) if x > 1.0 else self


class Busy:
    def __init__(self, left):
        self.left = left

    def after(self, x):
        self.left -= 0.5
        return Idle() if self.left <= 0 else self


@programs([0.5, 1.5, 0.1, 2.5, 3.0, 0.2, 0.3])
def states(xs):
    state, busy = Idle(), 0
    for x in xs:
        state = state.after(x)
        if isinstance(state, Busy):
            busy += 1
    return busy, state


class Board:
    def __init__(self):
        self.pieces = []
        self.active = None

    def add(self, piece):
        self.pieces.append(piece)
        self.active = piece


@programs([0.5, 1.5, 2.5])
@programs([0.1])
def an_attribute_of_several(xs):
    board = Board()
    for x in xs:
        board.add(shape_of(x))
    board.pieces = [p for p in board.pieces if p.area() > 1.0]
    return board, board.active.area(), len(board.pieces)


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.log = []

    def month(self):
        pass


class Savings(Account):
    def __init__(self, balance, rate):
        super().__init__(balance)
        self.rate = rate

    def month(self):
        self.balance += self.balance * self.rate
        self.log.append(self.balance)


class Checking(Account):
    def __init__(self, balance, fee):
        super().__init__(balance)
        self.fee = fee
        self.fees = [fee]
        self.last = None

    def month(self):
        if self.balance < self.fee:
            raise ValueError(f"no more than {self.balance}")
        self.balance -= self.fee
        self.fees.append(self.fee)
        self.last = self.balance


@programs([(0, 10.0, 0.5), (1, 5.0, 1.0)], 3)
@programs([(1, 10.0, 0.5), (1, 1.0, 1.0)], 3)
@programs([(0, 10.0, 0.5)], 2)
def other_attributes_in_each(spec, months):
    accounts = []
    for kind, balance, more in spec:
        if kind == 0:
            accounts.append(Savings(balance, more))
        else:
            accounts.append(Checking(balance, more))
    for _ in range(months):
        for a in accounts:
            a.month()
    fees = sum(sum(a.fees) for a in accounts if isinstance(a, Checking))
    return accounts, fees, sum(len(a.log) for a in accounts)


class Leaf:
    def __init__(self, value):
        self.value = value

    def evaluate(self, x):
        return self.value * x


class Sum:
    def __init__(self, left, right):
        self.left, self.right = left, right

    def evaluate(self, x):
        return self.left.evaluate(x) + self.right.evaluate(x)


class Product:
    def __init__(self, left, right):
        self.left, self.right = left, right

    def evaluate(self, x):
        return self.left.evaluate(x) * self.right.evaluate(x)


def built(xs, low, high):
    if high - low == 1:
        return Leaf(xs[low])
    middle = (low + high) // 2
    left, right = built(xs, low, middle), built(xs, middle, high)
    return Sum(left, right) if xs[low] < 1.0 else Product(left, right)


@pytest.mark.slow
@pytest.mark.parametrize("xs", [[0.5, 1.5, 2.5], [1.5, 0.5, 2.5, 1.0, 0.1], [2.0]])
def test_trees_of_several(xs):
    def evaluated(xs, x):
        return built(xs, 0, len(xs)).evaluate(x)

    check(evaluated, xs, 0.75)


def areas(xs):
    shapes = []
    for x in xs:
        if x < 1.0:
            shapes.append(Circle(x))
        else:
            shapes.append(Square(x))
    total = 0.0
    for s in shapes:
        total += s.area() * s.area()
    return total


def test_derivatives():
    check_grad(areas, X)


def test_lanes():
    xs = np.array([[0.5, 1.5], [1.5, 2.5], [0.1, 0.2]])
    assert np.allclose(ag.vmap(areas)(xs), [areas(x) for x in xs])


def test_forward():
    _, tangent = ag.jvp(areas, (X,), (np.ones(3),))
    assert np.allclose(tangent, np.sum(ag.grad(areas)(X)))


def test_nothing_is_asked_of_objects_that_are_only_appended():
    """What tells columns from elements asked them for an attribute of its own, in a loop's body."""

    class Rod:
        def __init__(self, element):
            self.element = element

    def unused(x, n, y):
        first = []
        for j in range(n):
            first.append(Rod(1.0) if x[j] > 0.7 else Square(y))
        second = []
        for j in range(3):
            second.append(Rod(1.0 + n) if x[j] > 0.5 else Square(0.5))
        return len(first)

    compiled = ag.to_graph(unused)
    x = np.array([0.5, 1.5, 0.2, 1.0, 3.0])
    assert [compiled(x, n, 0.3) for n in (3, 4, 5)] == [3, 4, 5]
