"""Objects of several classes in one list, or in one attribute; see
`autograph.staging.ground.families`."""

import numpy as np
import pytest

import autograph as ag
from tests.support.objects_of_callers import agree

pytestmark = pytest.mark.usefixtures("heaps_from_the_first_call_on")


class Shape:
    """A shape, of which others derive."""

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
        return 3.0 * self.r**2

    def grow(self, factor):
        self.r *= factor


class Rect(Shape):
    sides = 4

    def __init__(self, w, h):
        super().__init__("rect")
        self.w = w
        self.h = h

    def area(self):
        return self.w * self.h

    def grow(self, factor):
        self.w *= factor
        self.h *= factor


class Square(Rect):
    def __init__(self, w):
        super().__init__(w, w)
        self.name = "square"

    def twice(self):
        return super().twice() + 1.0


class Number:
    def __init__(self, value):
        self.value = value

    def at(self, x):
        return self.value

    def size(self):
        return 1


class Variable:
    def at(self, x):
        return x

    def size(self):
        return 1


class Sum:
    def __init__(self, left, right):
        self.left = left
        self.right = right

    def at(self, x):
        return self.left.at(x) + self.right.at(x)

    def size(self):
        return 1 + self.left.size() + self.right.size()


class Product(Sum):
    def at(self, x):
        return self.left.at(x) * self.right.at(x)


class Group:
    """A node with any number of parts, of several classes."""

    def __init__(self, parts):
        self.parts = parts

    def at(self, x):
        found = 1.0
        for part in self.parts:
            found += part.at(x)
        return found


def shapes(count, seed=0):
    rng = np.random.default_rng(seed)
    makers = [
        lambda: Circle(float(rng.random())),
        lambda: Rect(float(rng.random()), float(rng.random())),
        lambda: Square(float(rng.random())),
    ]
    return [makers[i % 3 if i < 3 else int(rng.integers(3))]() for i in range(count)]


def polynomial(coefficients):
    found = Number(coefficients[0])
    for c in coefficients[1:]:
        found = Sum(Product(found, Variable()), Number(c))
    return found


SHAPES = [shapes(n, n) for n in (3, 5, 20)]
TERMS = [polynomial([1.0, -2.0, 0.5, 3.0, 1.5][:n]) for n in (3, 4, 5)]


def test_overridden_methods():
    def total(shapes):
        found = 0.0
        for s in shapes:
            found += s.area()
        return found

    def all_of_it(shapes):
        found = 0.0
        for s in shapes:
            found += s.twice() + s.half + s.sides
        return found

    def grown(shapes, factor):
        for s in shapes:
            s.grow(factor)

    agree(total, [(s,) for s in SHAPES], recordings=1)
    agree(all_of_it, [(s,) for s in SHAPES], recordings=1)
    agree(grown, [(s, 1.5) for s in SHAPES], recordings=1)


def test_data_decide_which_object():
    def largest(shapes):
        best = shapes[0]
        for s in shapes:
            if s.area() > best.area():
                best = s
        return best, best.area()

    def at(shapes, i):
        return shapes[i].twice(), shapes[i]

    def ordered(shapes):
        return sorted(shapes, key=lambda s: s.area())

    def kept(shapes):
        return [s for s in shapes if s.area() > 0.25]

    def best(shapes):
        return max(shapes, key=lambda s: s.area())

    agree(largest, [(s,) for s in SHAPES], recordings=1)
    agree(at, [(s, np.int64(i)) for s in SHAPES for i in (0, 1, -1, 7)])
    agree(ordered, [(s,) for s in SHAPES])
    agree(kept, [(s,) for s in SHAPES], recordings=1)
    agree(best, [(s,) for s in SHAPES])


def test_which_class_an_object_is_of():
    def widths(shapes):
        found = 0.0
        for s in shapes:
            if isinstance(s, Circle):
                found += s.r
            elif isinstance(s, Square):
                found += 10 * s.w
            else:
                found += s.w + s.h
        return found

    def counts(shapes):
        circles = squares = rects = 0
        for s in shapes:
            if type(s) is Circle:
                circles += 1
            if isinstance(s, (Square, Circle)):
                squares += 1
            if isinstance(s, Shape) and s.__class__ is Rect:
                rects += 1
        return circles, squares, rects

    def names(shapes):
        found = 0
        for s in shapes:
            if s.name == "circle":
                found += 1
        return found, sum(isinstance(s, Rect) for s in shapes)

    agree(widths, [(s,) for s in SHAPES], recordings=1)
    agree(counts, [(s,) for s in SHAPES], recordings=1)
    agree(names, [(s,) for s in SHAPES], recordings=1)


def test_attributes_that_only_some_classes_have():
    def radii(shapes, limit):
        found = 0.0
        for s in shapes:
            s.uses += 1
            if s.uses > limit:
                found += s.r
        return found

    def halved(shapes):
        for s in shapes:
            if isinstance(s, Rect):
                s.w /= 2
                s.h = s.w
            else:
                s.r = 1.0

    agree(radii, [(s, limit) for s in SHAPES for limit in (0, 1)])
    agree(halved, [(s,) for s in SHAPES], recordings=1)


def test_expressions():
    agree(lambda t, x: t.at(x), [(t, x) for t in TERMS for x in (0.5, -2.0)], recordings=1)
    agree(lambda t: t.size(), [(t,) for t in TERMS], recordings=1)


def test_functions_of_expressions():
    def value(term, x):
        if isinstance(term, Number):
            return term.value
        if isinstance(term, Variable):
            return x
        if isinstance(term, Product):
            return value(term.left, x) * value(term.right, x)
        return value(term.left, x) + value(term.right, x)

    def depth(term):
        if isinstance(term, Sum):
            return 1 + max(depth(term.left), depth(term.right))
        return 0

    agree(value, [(t, x) for t in TERMS for x in (0.5, -2.0)])
    agree(depth, [(t,) for t in TERMS], recordings=1)


def test_lists_of_several_classes_in_attributes():
    calls = [
        (Group([Number(1.0), Variable(), Group([Variable(), t])]), x) for t in TERMS for x in (0.5,)
    ]
    agree(lambda group, x: group.at(x), calls)


def test_expressions_are_changed():
    def simplified(term):
        if isinstance(term, Sum):
            term.left = simplified(term.left)
            term.right = simplified(term.right)
            if isinstance(term.right, Number) and term.right.value == 3.0:
                return term.left
        return term

    def negated(term):
        if isinstance(term, Number):
            term.value = -term.value
        elif isinstance(term, Sum):
            negated(term.left)
            negated(term.right)

    def wrapped(term, c):
        return Sum(term, Number(c))

    agree(simplified, [(t,) for t in TERMS])
    agree(negated, [(t,) for t in TERMS])
    agree(wrapped, [(t, 2.0) for t in TERMS])


def test_lists_of_several_classes_are_changed():
    def added(shapes, x):
        shapes.append(Circle(x))
        if x > 1.0:
            shapes.append(Square(x))
        return shapes[-1].area()

    def replaced(shapes, x):
        for i in range(len(shapes)):
            if shapes[i].area() < x:
                shapes[i] = Rect(x, 2.0)

    agree(added, [(s, x) for s in SHAPES for x in (0.5, 1.5)])
    agree(replaced, [(s, 0.25) for s in SHAPES])


def test_derivatives_and_lanes_beside_several_classes():
    term, x, h = TERMS[2], 0.7, 1e-5

    def value(term, x):
        return np.sin(term.at(x))

    slope = (value(term, x + h) - value(term, x - h)) / (2 * h)
    assert np.allclose(ag.grad(value, argnums=1)(term, x), slope)
    bend = (value(term, x + 1e-3) - 2 * value(term, x) + value(term, x - 1e-3)) / 1e-6
    assert np.allclose(ag.hessian(value, argnums=1)(term, x), bend, rtol=1e-3)
    xs = np.array([0.1, 0.5, 0.9])
    assert np.allclose(ag.vmap(value, (None, 0))(term, xs), [value(term, x) for x in xs])
    slopes = ag.vmap(ag.grad(value, argnums=1), (None, 0))(term, xs)
    assert np.allclose(slopes[1], (value(term, 0.5 + h) - value(term, 0.5 - h)) / (2 * h))


class Agent:
    kind = "agent"

    def __init__(self, x):
        self.x = x
        self.alive = True
        self.friend = None

    def act(self, world):
        self.x += 1.0


class Wolf(Agent):
    kind = "wolf"

    def __init__(self, x):
        super().__init__(x)
        self.hunger = 0
        self.prey = []

    def act(self, world):
        self.hunger += 1
        for other in world:
            if isinstance(other, Sheep) and other.alive and abs(other.x - self.x) < 0.5:
                other.alive = False
                self.hunger = 0
                self.prey.append(other)
        super().act(world)


class Sheep(Agent):
    kind = "sheep"
    limit = 3

    def __init__(self, x):
        super().__init__(x)
        self.wool = 1

    def act(self, world):
        if self.alive:
            self.wool += 1
            if self.wool > self.limit:
                raise ValueError("too much wool")


def world(count):
    rng = np.random.default_rng(count)
    found = [Wolf(0.5), Sheep(0.7)]
    for _ in range(count):
        found.append((Wolf, Sheep)[int(rng.integers(2))](float(rng.random())))
    for agent in found[1:]:
        agent.friend = found[int(rng.integers(count))] if rng.random() < 0.5 else None
    return found


WORLDS = [(world(n),) for n in (1, 3, 9)]


def test_agents_act_on_each_other():
    def days(world, count=2):
        for _ in range(count):
            for agent in world:
                agent.act(world)

    def many_days(world):
        days(world, 5)

    def friends(world):
        found = 0
        for agent in world:
            friend = agent.friend
            if friend is not None:
                found += 1 if friend is agent else 100
                found += 1000 if type(friend) is type(agent) else 0
                friend.x += 0.5
        return found

    def born(world):
        made = []
        for agent in world:
            made.append(Sheep(agent.x) if isinstance(agent, Sheep) else Wolf(agent.x))
        world.extend(made)

    for function in (days, many_days, friends, born):
        agree(function, WORLDS)


def test_questions_about_attributes():
    def asked(world):
        found = 0
        for agent in world:
            found += hasattr(agent, "hunger") + 10 * getattr(agent, "hunger", 5)
            found += 100 * getattr(agent, "limit", 7) + (1000 if agent.kind == "wolf" else 0)
        return found

    def asked_of_friends(world):
        found = 0
        for agent in world:
            found += hasattr(agent.friend, "wool") + 10 * isinstance(agent.friend, Wolf)
            found += 100 * getattr(agent.friend, "hunger", 7)
        return found

    def lacking(world):
        return sum(agent.wool for agent in world)

    def named(world):
        return [type(agent).__name__ for agent in world], [callable(agent) for agent in world]

    for function in (asked, asked_of_friends, lacking, named):
        agree(function, WORLDS)


def measures(shapes):
    return [s.area() for s in shapes], sum(s.half for s in shapes), [s.sides for s in shapes]


def replaced(shapes):
    for i in range(len(shapes)):
        if shapes[i].area() > 2.0:
            shapes[i] = Rect(i, 1.0)
    return shapes[0].area()


@pytest.mark.parametrize("function", [measures, replaced])
def test_calls_with_objects_of_one_of_the_classes(function):
    """What is recorded for them knows which attributes the others have."""
    both = [[Circle(1.0), Rect(2.0, 3.0), Circle(0.5)], [Rect(1.0, 1.0), Circle(2.0)]]
    circles, rects = [Circle(0.5), Circle(2.0)], [Rect(1.0, 4.0), Rect(0.5, 2.0)]
    agree(function, [(shapes,) for shapes in [*both, circles, rects, circles * 2]])


class Slotted:
    __slots__ = ("size", "unused")

    def __init__(self, size):
        self.size = size


class OtherSlotted(Slotted):
    __slots__ = ()


def test_slots_that_no_object_has_assigned():
    def total(items):
        return sum(item.size for item in items)

    agree(total, [([Slotted(1.0), OtherSlotted(2.0), Slotted(0.5)],)])
