"""Lists that are extended by what reads them; see `autograph.staging.lists.extending`."""

import autograph as ag
from tests.support.oracle import Programs, check

programs = Programs()

LOG = [1.0]


@programs.smooth(0.7, 3)
def by_a_generator_expression(x, n):
    xs = [x]
    xs.extend(xs[-1] * xs[0] + i for i in range(n))
    return sum(xs)


@programs.smooth(0.7)
def of_known_length(x):
    xs = [x]
    xs += (xs[-1] * len(xs) for _ in range(4))
    return sum(xs)


@programs(9.0, 3)
def by_a_function(x, n):
    xs = [x]
    xs.extend(map(lambda i: xs[-1] + i, range(n)))
    return xs


def halved(xs):
    while xs[-1] > 1:
        yield xs[-1] / 2


@programs(9.0)
@programs(0.5)
def as_long_as_the_last_item_says(x):
    xs = [x]
    xs.extend(halved(xs))
    return xs


@programs(2.0, 4)
def under_another_name_in_a_loop(x, n):
    xs = [x]
    same = xs
    for i in range(n):
        xs.extend(same[-1] + len(same) for _ in range(i))
    return xs


@programs(2.0, 4)
def rows(x, n):
    made = []
    for i in range(n):
        row = [x]
        made.append(row)
        row.extend(row[-1] * 2 + len(made) for _ in range(i))
    return made


@programs(2.0, 4)
def by_what_reads_another_list(x, n):
    xs, ys = [x], [x, 1.0]
    xs.extend(ys[-1] + i for i in range(n))
    return xs


@programs.test
def test_extended_lists(call):
    call.run()


class Walk:
    def __init__(self, x):
        self.places = [x]

    def steps(self, n):
        for i in range(n):
            yield self.places[-1] + i


def test_a_list_in_an_attribute():
    def walked(x, n):
        walk = Walk(x)
        walk.places.extend(walk.steps(n))
        return walk.places

    for n in (3, 0, 4):
        check(walked, 0.5, n)


def test_a_list_that_is_found_outside(monkeypatch):
    def noted(x, n):
        LOG.extend(LOG[-1] + x for _ in range(n))

    found = []
    for function in (noted, ag.to_graph(noted)):
        monkeypatch.setitem(globals(), "LOG", [1.0])
        for n in (2, 0, 3):
            function(0.5, n)
        found.append(list(LOG))
    assert found[0] == found[1]
