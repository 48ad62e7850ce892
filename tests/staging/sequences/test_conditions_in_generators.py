"""Generator expressions over what is known, of which the run decides what they take."""

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
