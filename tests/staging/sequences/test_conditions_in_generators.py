"""Generator expressions over what is known, of which the run decides what they take."""

import itertools

from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    call.run()


class Polynomial:
    def __init__(self, *coefficients):
        self.coefficients = coefficients

    def __repr__(self):
        return " + ".join(f"{a}x^{i}" for i, a in enumerate(self.coefficients) if a)


@programs(2.0, 0.0)
@programs(0.0, 0.0)
@programs(1.0, 3.0)
def joined(x, y):
    p = Polynomial(x, y, 3.0)
    print(p)
    return repr(p), f"{p}"


@programs(2.0, 0.0)
@programs(0.0, 0.0)
@programs(1.0, 3.0)
def collected(x, y):
    c = [x, y, 3.0]
    d = {"a": x, "b": y}
    return (
        list(i for i, a in enumerate(c) if a),
        list(k for k, v in d.items() if v),
        dict((i, a) for i, a in enumerate(c) if a),
        set(i for i, a in enumerate(c) if a),
        sorted(v for i, v in enumerate(c) if v != y),
    )


@programs(2.0, 0.0)
@programs(0.0, 0.0)
@programs(1.0, 3.0)
def reduced(x, y):
    c = [x, y, 3.0]
    return (
        sum(a * b for a, b in zip(c, [1, 2, 3]) if a > b),
        any(a > b for a, b in zip(c, c[1:]) if b),
        min((a, i) for i, a in enumerate(c) if a),
        max((a for i, a in enumerate(c) if a > 5), default=0.0),
    )


@programs(2.0, 0.0)
@programs(0.0, 0.0)
@programs(1.0, 3.0)
def first_ones(x, y):
    c = [x, y, 3.0, 4.0]
    last = next((v for v in reversed(c) if v < 3), -1)
    return next((i for i, v in enumerate(c) if v > 2), None), last


@programs(2.0, 0.0)
@programs(1.0, 3.0)
def one_after_the_other(x, y):
    c = [x, y, 3.0, 4.0]
    found = (i for i, a in enumerate(c) if a > 0.5)
    return next(found), next(found), list(found), list(found)


@programs(2.0, 0.0)
@programs(1.0, 3.0)
def looped(x, y):
    total = 0.0
    for i, a in ((i, a) for i, a in enumerate([x, y, 3.0, 4.0]) if a > 0.5):
        if i == 3:
            break
        total += a * i
        print(i, a)
    return total


@programs(2.0, 0.0)
@programs(0.0, 0.0)
def what_is_added_before(x, y):
    c = [x, y, 3.0]
    found = (a for i, a in enumerate(c) if a > 0.5)
    c.append(9.0)
    return list(found)


@programs(2.0, 0.0)
@programs(0.0, 0.0)
def effects_in_their_order(x, y):
    def shown(a):
        print("shown", a)
        return a > 0.5

    c = [x, y, 3.0]
    some = any(shown(a) for i, a in enumerate(c) if a > 1)
    return some, all(shown(a) for i, a in enumerate(c) if a < 1)


@programs(2.0, 0.0)
@programs(0.0, 1.0)
@programs(1.0, 3.0)
def where_the_first_elements_are_known(x, y):
    """They tell nothing of the others."""
    c = [1.0, 2.0, 3.0, 4.0, x, y]
    return (
        sum(a for a in c if a > 1.5),
        max(a for a in c if a),
        any(a > 4 for a in c if a < 3),
        {int(a): i for i, a in enumerate(c) if a > 0.5},
    )


@programs(2.0, 0.0)
@programs(0.0, 1.0)
@programs(1.0, 3.0)
def dicts_of_some(x, y):
    d = {"a": x, "b": y, "c": 3.0}
    lists = {1: [x], 2: [y, x], 3: []}
    return (
        {k: 2 * v for k, v in d.items() if v > 0.5},
        len({k: v for k, v in zip("abc", (x, y, 1.0)) if v}),
        {k: len(v) for k, v in lists.items() if sum(v) > 1.5},
        sum({i: x * i for i in range(4) if x * i > 1.5}.values()),
    )


class Robot:
    def __init__(self, speed, target):
        self.speed, self.target, self.score = speed, target, None


def robots(x):
    made = [Robot(s, None) for s in (0.1, 0.2, 0.5, 1.75, 1.8)] + [Robot(0.3, (1.0, 2.0))]
    for robot in made:
        if robot.speed > x:
            robot.target = (robot.speed, robot.speed * x)
            robot.score = robot.speed
    return made


@programs(0.15)
@programs(1.77)
@programs(3.0)
def of_what_may_be_none(x):
    """A tuple that is not there is false, and no error."""
    found = robots(x)
    return (
        sum(r.target[0] for r in found if r.target),
        sum(r.speed for r in filter(lambda r: r.target, found)),
        sum(r.speed for r in itertools.filterfalse(lambda r: r.target, found)),
        any(r.target for r in found),
        sum(bool(r.target) for r in found),
        next(r.speed for r in found if r.target),
        len([r for r in found if not r.target]),
        sum((r.target or (0.0, 1.0))[1] for r in found),
        {r.speed: r.target[1] for r in found if r.target},
        sum(r.score or 0.5 for r in found),
    )


@programs.smooth(2.0, 0.7)
def derivative_where_the_first_elements_are_known(x, y):
    return sum(a * a for a in (1.0, 2.0, 3.0, 4.0, x, y) if a > 1.5)
