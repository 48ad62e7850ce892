"""Lists of numbers among the arguments: loops over them are loops of the program, whatever their
length."""

import itertools
import math

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check

LENGTHS = (18, 40, 5, 300, 18, 1)


def squares(u):
    total = 0
    for x in u:
        total += x * x
    return total


def in_pairs(u):
    total = 0
    for i, (a, b) in enumerate(zip(u, reversed(u))):
        if a > b:
            total += a - b
        elif i % 3 == 0:
            continue
        else:
            total -= i
    return total


def nested(u):
    rows = [sum(x * y for y in u) for x in u]
    return max(rows), rows.index(max(rows)), rows


def bubbles(u):
    for i in range(len(u)):
        for j in range(len(u) - 1 - i):
            if u[j] > u[j + 1]:
                u[j], u[j + 1] = u[j + 1], u[j]
    return u


def changed(u):
    u.append(u[0])
    u[0] = u.pop(1)
    u.insert(1, u[-1])
    return len(u), u[2:4], u


def halves(u):
    if len(u) <= 1:
        return u
    middle = len(u) // 2
    a, b, merged = halves(u[:middle]), halves(u[middle:]), []
    i = j = 0
    while i < len(a) and j < len(b):
        if a[i] <= b[j]:
            merged.append(a[i])
            i += 1
        else:
            merged.append(b[j])
            j += 1
    return merged + a[i:] + b[j:]


def library(u):
    first = list(itertools.pairwise(u))[:3], list(map(abs, u)), list(filter(lambda x: x > 2, u))
    return first, math.sqrt(sum(u)), sorted(u, reverse=True)[:1], len(set(u)), u.count(u[0])


def as_arrays(u):
    return np.array(u), np.mean(u), np.asarray(u) * 2, u[::2] + u[1::2]


def types(u):
    return u[0], [-x for x in u], [x // 2 for x in u], [x / 2 for x in u], isinstance(u[0], float)


PROGRAMS = [squares, in_pairs, nested, bubbles, changed, halves, library, as_arrays, types]
KINDS = {
    "ints": lambda n: [(k * 7919) % 23 for k in range(n)],
    "floats": lambda n: [(k * 7919) % 23 / 4 for k in range(n)],
    "doubles": lambda n: [np.float64((k * 7919) % 23 / 4) for k in range(n)],
    "bools": lambda n: [k % 3 == 0 for k in range(n)],
    "mixed": lambda n: [k if k % 2 else k / 2 for k in range(n)],
    "large": lambda n: [2**70 + k for k in range(n)],
}


@pytest.mark.parametrize("kind", ["ints", "floats", "doubles"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_lists_of_any_length(program, kind):
    for length in LENGTHS:
        if length > 1 or program is not changed:
            check(program, KINDS[kind](length))


@pytest.mark.parametrize("kind", ["bools", "mixed", "large"])
def test_elements_of_other_kinds_stay_what_they_are(kind):
    def ends(u):
        u.append(u[0])
        return u[0], u[-1], u[1:3], len(u)

    for length in LENGTHS[:4]:
        check(ends, KINDS[kind](length))


def degrees(edges, n):
    found = [0] * n
    for a, b in edges:
        found[a] += 1
        found[b] += 1
    return found


def neighbours(edges, n):
    found = {}
    for a, b in edges:
        found.setdefault(a, []).append(b)
    return found


def lightest(edges, n):
    edges.sort(key=lambda edge: -edge[1])
    return edges[:2], edges[-1], [(b, a) for a, b in edges if a < b], (3, 4) in edges


@pytest.mark.parametrize("program", [degrees, neighbours, lightest], ids=lambda f: f.__name__)
def test_lists_of_tuples(program):
    for length in LENGTHS:
        check(program, [(k * 7 % 11, k * 5 % 11) for k in range(length)], 11)


def test_tuples_of_several_types():
    def path(edges):
        return sum(a + weight for a, _, weight in edges), edges[0], np.array(edges)

    compiled = ag.to_graph(path)
    for length in (20, 30):
        edges = [(k, k + 1, k / 4) for k in range(length)]
        result, expected = compiled(edges), path(edges)
        assert result[:2] == expected[:2]
        assert [type(x) for x in result[1]] == [int, int, float]
        np.testing.assert_array_equal(result[2], expected[2])


def test_one_recording_serves_all_lengths():
    @ag.to_graph
    def total(u):
        result = 0.0
        for x in u:
            result += x
        return result

    for length in (20, 30, 300, 21, 25):
        assert total([0.5] * length) == 0.5 * length
    assert len(total.compiled_forms()) == 1


def test_a_short_list_is_packed_once_it_has_another_length():
    @ag.to_graph
    def total(u):
        return sum([x * 2 for x in u])

    for length in (3, 4, 5, 6, 7, 12):
        assert total([0.5] * length) == length
    assert len(total.compiled_forms()) == 2


def test_numbers_of_other_types_in_a_list_keep_these():
    """As far as elements can be recorded one by one."""

    def some(u):
        kept = [x if x > 3 else 0 for x in u]
        u.append(1)
        return kept, u

    check(some, [(k * 7) % 23 / 4 for k in range(40)])


def prefix_sums(u):
    sums = [0]
    for x in u:
        sums.append(sums[-1] + x)
    return sums


def test_a_list_of_the_function_keeps_the_types_of_its_numbers():
    """A list to which a loop adds floats begins with an int."""
    for lengths in ((17, 30, 3), (1, 2, 3, 17)):
        compiled = ag.to_graph(prefix_sums)
        for length in lengths:
            items = [0.5 * k for k in range(length)]
            sums = compiled(items)
            assert sums == prefix_sums(items)
            assert list(map(type, sums)) == [int] + [float] * length


def test_more_elements_than_can_be_recorded_are_promoted():
    items = [0.5] * 300
    compiled = ag.to_graph(prefix_sums)
    assert compiled(items) == prefix_sums(items)
    assert compiled.lower(items).compile()(items) == prefix_sums(items)


def test_lists_of_objects_and_of_outside():
    class Buffer:
        def __init__(self, items):
            self.items = items
            self.count = 0

        def push(self, x):
            self.items.append(x)
            self.count += len(self.items)
            return sum(self.items)

    ours, theirs = Buffer([0.5] * 20), Buffer([0.5] * 20)
    push = ag.to_graph(Buffer.push)
    for k in range(30):
        assert push(ours, float(k)) == Buffer.push(theirs, float(k))
    assert (ours.items, ours.count) == (theirs.items, theirs.count)


def test_the_same_list_twice_and_lists_of_equal_lengths():
    def both(u, v):
        u[0] = v[1] + 1
        return [a * b for a, b in zip(u, v)], u is v, len(u) + len(v)

    for n, m in ((20, 20), (30, 30), (30, 25), (25, 30), (20, 20)):
        u, v = [0.5 * k for k in range(n)], [1.5 * k for k in range(m)]
        check(both, u, v)
    u, v = [0.5 * k for k in range(20)], [0.5 * k for k in range(20)]
    assert ag.to_graph(both)(u, u) == both(v, v)
    assert u == v


def test_errors_are_those_of_python():
    def beyond(u, k):
        return u[k]

    def first(u):
        if u[0] < 0:
            raise ValueError("negative", u[0])
        return u[0]

    compiled = ag.to_graph(beyond)
    items = [0.5] * 20
    assert compiled(items, 19) == compiled(items, -20) == 0.5
    for k in (20, -21):
        with pytest.raises(IndexError, match="list index out of range"):
            compiled(items, k)
    with pytest.raises(ValueError) as caught:
        ag.to_graph(first)([-0.5] * 20)
    assert caught.value.args == ("negative", -0.5)


def test_another_kind_of_elements_is_another_signature():
    compiled = ag.to_graph(squares)
    for items in ([1.5] * 20, [2] * 20, [1.5] * 20, [1.5] * 19 + [2], [2] * 30, [2.5] * 7):
        for _ in range(5):  # quick calls, too
            result = compiled(items)
            assert (result, type(result)) == (squares(items), type(squares(items)))


def test_what_is_known_ahead_of_time():
    compiled = ag.to_graph(squares)
    items = [0.5] * 300
    assert "u: f64[n]" in str(compiled.explain(items))
    ahead = compiled.lower(items).compile()
    assert ahead(items) == squares(items)
    assert ahead([0.5] * 200) == squares([0.5] * 200)
    with pytest.raises(ag.errors.SignatureError):
        ahead([1] * 300)


def fitted(samples, w):
    loss = 0.0
    for x, k in samples:
        loss += (w * x - k) ** 2
    return loss


def filled(u):
    for k, x in enumerate(u):
        u[k] = 2 * x
    return u[-1]


@pytest.mark.parametrize("kind", ["ints", "floats", "doubles"])
def test_a_function_of_a_long_list_is_saved(kind, tmp_path):
    numbers = KINDS[kind]
    ag.to_graph(squares).save(tmp_path / "f.ag", numbers(300))
    loaded = ag.load(tmp_path / "f.ag")
    for n in (300, 20, 2, 1000):
        result, wanted = loaded(numbers(n)), squares(numbers(n))
        assert result == pytest.approx(wanted, rel=1e-13)
        assert type(result) is type(wanted)
    other = KINDS["ints" if kind == "floats" else "floats"]
    for items in (other(300), np.array(numbers(300)), numbers(1), [], [*numbers(299), 2.5j]):
        with pytest.raises(ag.errors.SignatureError):
            loaded(items)


def test_saved_functions_of_long_lists_of_tuples_and_with_gradients(tmp_path):
    samples = lambda n: [(0.1 * k, k) for k in range(n)]
    ag.to_graph(fitted).save(tmp_path / "f.ag", samples(300), 2.0)
    ag.grad(fitted, argnums=1).save(tmp_path / "g.ag", samples(300), 2.0)
    ag.grad(squares).save(tmp_path / "h.ag", KINDS["floats"](300))
    f, g, h = (ag.load(tmp_path / f"{name}.ag") for name in "fgh")
    for n in (300, 7):
        assert f(samples(n), 2.0) == pytest.approx(fitted(samples(n), 2.0))
        slope = sum(2 * x * (2.0 * x - k) for x, k in samples(n))
        assert g(samples(n), 2.0) == pytest.approx(slope)
        assert h(KINDS["floats"](n)) == [2 * x for x in KINDS["floats"](n)]
    with pytest.raises(ag.errors.SignatureError):
        f([(0.5, 1.5)] * 300, 2.0)


def test_a_saved_function_changes_the_list_that_it_is_given(tmp_path):
    ag.to_graph(filled, unroll_limit=10).save(tmp_path / "f.ag", KINDS["ints"](30))
    loaded = ag.load(tmp_path / "f.ag")
    for n in (30, 5):
        ours, theirs = KINDS["ints"](n), KINDS["ints"](n)
        assert loaded(ours) == filled(theirs)
        assert ours == theirs


def test_arrays_are_of_any_length_where_loops_would_be_too_long():
    def table(x):
        doubled = [2 * v for v in x]
        return sum(a * b for a in doubled for b in doubled)

    x = np.arange(200.0)
    assert ag.to_graph(table)(x) == table(x)


def test_lists_of_long_arrays():
    """Of more elements than loops that run as Python make trips."""

    def grown(x):
        items = list(x)
        items.append(x[0])
        return sum(v * v for v in items), len(items), items[3], sorted(items)[:3]

    def rows(x):
        return [row.sum() for row in list(x)], len(list(x))

    for length in (300, 400, 10):
        check(grown, np.sin(np.arange(length)))
        check(rows, np.sin(np.arange(3 * length)).reshape(length, 3))


def triples(xs):
    """Comes to as many operations as there are elements times themselves times themselves."""
    best, found = 0.5, (0, 0)
    for i, x in enumerate(xs):
        for j, y in enumerate(xs):
            total = 0.0
            for z in xs:
                if z > x - y:
                    total += abs(x * y - z)
                else:
                    total -= 0.25
            if total < best:
                best, found = total, (i, j)
    return best, found


def triples_of_tuples(points):
    return triples([a - b for a, b in points]), points[0]


def triples_of_rows(rows):
    best = 0.5
    for a in rows:
        for b in rows:
            total = 0.0
            for c in rows:
                for k in range(len(c)):
                    total += abs(a[k] * b[k] - c[k]) if c[k] > a[k] - b[k] else -0.25
            best = min(best, total)
    return best


def triples_written_down(xs):
    found = triples(xs)
    for i in range(len(xs)):
        xs[i] = found[0]
    return found


def triples_in_words(xs):
    """Needs the elements one by one."""
    return triples(xs), [str(x) for x in xs]


@pytest.mark.parametrize(
    "function, rows",
    [
        (triples, False),
        (triples_of_tuples, True),
        (triples_of_rows, True),
        (triples_written_down, False),
        (triples_in_words, False),
    ],
)
def test_short_lists_are_arrays_where_their_elements_take_long(function, rows):
    values = np.random.default_rng(0).uniform(size=(14, 2)).tolist()
    if function is triples_of_tuples:
        values = list(map(tuple, values))
    given = values if rows else [v[0] for v in values]
    check(function, given)
    check(function, given[:5])


def halves_of_pairs(xs):
    best, groups = 1e9, None
    for x in xs:
        left, right = [], []
        for r in xs:
            (left if r < x else right).append(r)
        if abs(len(left) - len(right)) < best:
            best, groups = abs(len(left) - len(right)), (left, right)
    return best, groups


def test_short_lists_are_arrays_where_their_elements_are_refused():
    xs = np.random.default_rng(0).uniform(size=5).tolist()
    check(halves_of_pairs, xs)
    check(halves_of_pairs, xs[:3])
    check(halves_of_pairs, np.array(xs))


def test_what_arrays_do_not_help_with_is_refused_as_before():
    def shown(xs):
        return np.eye(3) if xs[0] > 0.5 else xs

    with pytest.raises(ag.errors.BranchMismatchError, match="f64"):
        ag.to_graph(shown)([0.25, 0.5])


def test_an_array_stands_for_a_short_list_where_its_elements_take_long():
    xs = np.random.default_rng(0).uniform(size=14).tolist()
    assert "(xs: f64[n])" in str(ag.to_graph(triples).graph(xs))
    assert "(xs_0: float, xs_1: float," in str(ag.to_graph(triples).graph(xs[:4]))


@pytest.mark.parametrize("xs", [[1, 2, 3], [7, 1, 2], []])
def test_a_short_list_that_grows_while_it_is_enumerated(xs):
    def grown(xs):
        for i, x in enumerate(xs):
            if x < 6:
                xs.append(x + i + 2)
        return xs

    check(grown, xs)
