"""Functions in lists, dicts, tuples and attributes of arguments: calls with other ones of the same
code share what is compiled, unless somebody looks which functions they are."""

import copy
import dataclasses
import functools
import inspect
import logging
import operator
import types
from typing import Any

import numpy as np
import pytest

import autograph as ag
from tests.support.logged import recordings


@dataclasses.dataclass
class Problem:
    f: Any
    start: float = 1.0


class Solver:
    def __init__(self, f):
        self.f = f

    def step(self, x):
        return x - 0.1 * self.f(x)

    def solve(self, x):
        for _ in range(5):
            x = self.step(x)
        return x


class Scale:
    def __init__(self, a):
        self.a = a

    def of(self, x):
        return x * self.a


def times(a, x):
    return a * x


def twice(x):
    return 2 * x


GIVEN = {
    "lambda": lambda a: lambda x: x * a,
    "default": lambda a: lambda x, a=a: x * a,
    "method": lambda a: Scale(a).of,
    "partial": lambda a: functools.partial(times, a),
}
PLACES = {
    "dict": (lambda d, x: d["f"](x), lambda f: {"f": f}),
    "list": (lambda fs, x: sum([f(x) for f in fs]), lambda f: [f, f, twice]),
    "tuple": (lambda fs, x: fs[1](x), lambda f: (twice, f)),
    "dataclass": (lambda p, x: p.f(p.start) + x, Problem),
    "attribute": (lambda solver, x: solver.solve(x), Solver),
    "nested": (lambda d, x: d["all"][0].f(x), lambda f: {"all": [Problem(f)]}),
    "none": (lambda d, x: x if d["g"] is None else d["f"](x), lambda f: {"f": f, "g": twice}),
}


@pytest.fixture(autouse=True)
def logged(caplog):
    caplog.set_level(logging.DEBUG, logger="autograph")


@pytest.mark.parametrize("kind", GIVEN)
@pytest.mark.parametrize("place", PLACES)
def test_others_of_the_same_code(place, kind, caplog):
    use, put = PLACES[place]
    compiled = ag.to_graph(use)
    for i in range(6):
        if i == 3:
            caplog.clear()
        f = GIVEN[kind](2.0 + i)
        assert compiled(put(f), 1.5 + i) == pytest.approx(use(put(f), 1.5 + i), rel=1e-14)
    assert not recordings(caplog)


def value(p, x):
    return p.f(x) * x


def tangent(p, x):
    of_x = lambda y: value(p, y)
    return ag.jvp(of_x, (x,), (1.0,))[1]


def checkpointed(p, x):
    of_x = lambda y: value(p, y)
    return ag.checkpoint(of_x)(x)


# With the derivatives of a * x**3 that they compute.
TRANSFORMS = {
    "grad": (ag.grad(value, argnums=1), lambda a, x: 3 * a * x**2),
    "vmap": (ag.vmap(value, in_axes=(None, 0)), lambda a, x: a * x**3),
    "jvp": (ag.to_graph(tangent), lambda a, x: 3 * a * x**2),
    "second": (ag.grad(ag.grad(value, argnums=1), argnums=1), lambda a, x: 6 * a * x),
    "checkpoint": (ag.grad(checkpointed, argnums=1), lambda a, x: 3 * a * x**2),
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_under_transforms(name, caplog):
    use, expected = TRANSFORMS[name]
    for i in range(6):
        if i == 3:
            caplog.clear()
        a, x = 2.0 + i, np.array([0.5, 1.5]) if name == "vmap" else 1.5
        found = use(Problem(lambda y: a * y * y), x)
        np.testing.assert_allclose(found, expected(a, x), rtol=1e-12)
    assert not recordings(caplog)


def test_in_recursion(caplog):
    def descend(p, x, depth):
        if depth <= 0:
            return x
        return descend(p, p.f(x), depth - 1)

    slope = ag.grad(descend, argnums=1)
    compiled = ag.to_graph(descend)
    for i in range(6):
        if i == 3:
            caplog.clear()
        a = 1.0 + i
        p = Problem(lambda x: a * x)
        assert compiled(p, 2.0, 3) == 2 * a**3
        assert slope(p, 2.0, 3) == pytest.approx(a**3)
    assert not recordings(caplog)


def test_the_same_function_twice(caplog):
    def both(fs, g, x):
        return fs[0](x) + 2 * g(x), fs[0] is g, fs[0] is fs[1]

    compiled = ag.to_graph(both)
    for i in range(8):
        if i == 6:
            caplog.clear()
        f, g = (lambda x: x * i), (lambda x: x - i)
        for fs, other in (((f, f), f), ((f, g), f), ((f, g), g), ((f, f), g)):
            assert compiled(list(fs), other, 1.5) == both(list(fs), other, 1.5)
    assert not recordings(caplog)


def test_code_that_differs_from_call_to_call(caplog):
    use, put = PLACES["attribute"]
    compiled = ag.to_graph(use)
    made = (lambda a: lambda x: x * a, lambda a: lambda x: x - a, lambda a: abs)
    for i in range(12):
        if i == 9:
            caplog.clear()
        f = made[i % 3](1.0 + i)
        assert compiled(put(f), 1.5) == use(put(f), 1.5)
    assert not recordings(caplog)


def test_variables_that_others_write():
    use, put = PLACES["dict"]
    compiled = ag.to_graph(use)
    for i in range(5):
        factor = 1.0 + i

        def change(by):
            nonlocal factor
            factor += by

        given = put(lambda x: x * factor)
        for _ in range(3):
            assert compiled(given, 2.0) == use(given, 2.0)
            change(1.0)


def test_functions_that_change_their_variables():
    def call(d, x):
        return d["f"](x) + d["f"](x)

    compiled = ag.to_graph(call)
    for i in range(5):
        counts = []
        for run in (call, compiled):
            n, seen = i, []

            def f(x):
                nonlocal n
                n += 1
                seen.append(x)
                return x * n

            counts.append((run({"f": f}, 2.0), n, list(seen)))
        assert counts[0] == counts[1]


def test_what_is_given_changes_beside_a_function():
    class Counted:
        def __init__(self, f):
            self.f, self.n = f, 0

        def at(self, x):
            self.n += 1
            return self.f(x)

    def run(c, x):
        return c.at(x) + c.at(x + 1)

    compiled = ag.to_graph(run)
    for i in range(6):
        one, other = Counted(lambda x: x * i), Counted(lambda x: x * i)
        assert compiled(one, 1.5) == run(other, 1.5)
        assert one.n == other.n == 2


def _handled(f):
    try:
        return f + 1
    except TypeError as error:
        return str(error)


def _matched(f):
    match f:
        case types.FunctionType(__name__=name):
            return name
    return ""


@functools.cache
def _remembered(f):
    return f(1.0)


class _Shown:
    def __init__(self, f):
        self.f = f

    def __eq__(self, other):
        return self.f == other.f

    __hash__ = None


# Each is given a function in a dict, one that it is in every second call, and a number.
SEEN = {
    "is": lambda d, known, x: d["f"] is known[0],
    "equal": lambda d, known, x: (d["f"] == known[0], d["f"] != known[0]),
    "in": lambda d, known, x: (d["f"] in known, known[0] in d.values()),
    "equal dicts": lambda d, known, x: d == {"f": known[0]},
    "equal objects": lambda d, known, x: _Shown(d["f"]) == _Shown(known[0]),
    "key": lambda d, known, x: {known[0]: 1.0}.get(d["f"], x),
    "place": lambda d, known, x: [*known, d["f"]].index(d["f"]),
    "members": lambda d, known, x: len({d["f"], known[0]}),
    "any": lambda d, known, x: any(f is known[0] for f in d.values()),
    "name": lambda d, known, x: [f.__name__ for f in d.values()],
    "get": lambda d, known, x: (getattr(d["f"], "explain", 1), hasattr(d["f"], "graph")),
    "attrgetter": lambda d, known, x: operator.attrgetter("__name__")(d["f"]),
    "code": lambda d, known, x: d["f"].__code__.co_argcount,
    "variables": lambda d, known, x: d["f"].__closure__ is None,
    "class": lambda d, known, x: (type(d["f"]).__name__, d["f"].__class__.__name__),
    "instance": lambda d, known, x: isinstance(d["f"], types.FunctionType),
    "match": lambda d, known, x: _matched(d["f"]),
    "signature": lambda d, known, x: str(inspect.signature(d["f"])),
    "text": lambda d, known, x: (str(d["f"]), f"{d['f']} {x}", f"{d}"),
    "objects shown": lambda d, known, x: repr(Problem(d["f"])),
    "truth": lambda d, known, x: (bool(d["f"]), not d["f"], d["f"] == None),  # noqa: E711
    "error": lambda d, known, x: _handled(d["f"]),
    "copy": lambda d, known, x: copy.deepcopy(d)["f"](x),
    "as dict": lambda d, known, x: dataclasses.asdict(Problem(d["f"]))["f"](x),
    "replaced": lambda d, known, x: dataclasses.replace(Problem(d["f"]), start=x).f(x),
    "remembered": lambda d, known, x: _remembered(d["f"]),
    "returned": lambda d, known, x: [d["f"], d["f"](x)],
    "stored": lambda d, known, x: d.setdefault("g", d["f"])(x),
    "wrapped": lambda d, known, x: functools.wraps(d["f"])(lambda y: y).__name__,
}


@pytest.mark.parametrize("way", SEEN)
def test_who_looks_at_a_function_sees_the_one_that_is_given(way):
    use = SEEN[way]
    known = [twice]
    compiled = ag.to_graph(lambda d, x: use(d, known, x))
    for i in range(6):
        f = lambda x: x * i
        known[0] = f if i % 2 else twice
        one, other = {"f": f}, {"f": f}
        assert compiled(one, 2.0) == use(other, known, 2.0)
        assert one == other


def test_what_comes_out_and_calls_what_is_given():
    ways = {
        "inner": lambda d, x: lambda y: d["f"](y) + x,
        "object": lambda d, x: Solver(d["f"]),
        "object that holds": lambda d, x: Solver(lambda y: d["f"](y)),
        "derivative": lambda d, x: ag.grad(d["f"]),
    }
    for way, use in ways.items():
        compiled = ag.to_graph(use)
        for i in range(5):
            f = lambda y: y * y * i
            try:
                found = compiled({"f": f}, 2.0)
            except ag.errors.AutographError as error:
                assert way in ("inner", "object that holds") and error.fix
                continue
            if way == "derivative":
                assert found(3.0) == 6.0 * i
            else:
                assert getattr(found, "f", found)(3.0) == getattr(use({"f": f}, 2.0), "f", f)(3.0)


def test_functions_of_modules_are_those_that_they_are(caplog):
    def use(fs, x):
        return fs[0] is twice, fs[0](x) + fs[1](x)

    compiled = ag.to_graph(use)
    for i in range(8):
        if i == 6:
            caplog.clear()
        fs = [twice if i % 2 else abs, lambda x: x * i]
        assert compiled(fs, 1.5) == use(fs, 1.5)
    assert not recordings(caplog)


def test_one_of_several_that_the_run_chooses(caplog):
    def use(fs, x):
        f = fs[0] if x > 2.0 else fs[1]
        for _ in range(3):
            x = f(x)
            if x > 50.0:
                f = twice
        return x

    compiled = ag.to_graph(use)
    for i in range(6):
        if i == 3:
            caplog.clear()
        for x in (1.0, 3.0):
            fs = (lambda y: y * i, lambda y: y - i)
            assert compiled(fs, x) == use(fs, x)
    assert not recordings(caplog)


def test_numbers_in_variables_are_inputs_in_calls_of_all_signatures(caplog):
    use, put = PLACES["attribute"]
    compiled = ag.to_graph(use)
    for i in range(7):
        if i == 4:
            caplog.clear()
        for x in (1.5, np.float32(1.5), np.arange(3.0)):
            f = lambda y: y * i
            np.testing.assert_array_equal(compiled(put(f), x), use(put(f), x))
    assert not recordings(caplog)


class Calling:
    def __init__(self, a):
        self.a, self.callback = a, self.on

    def on(self, x):
        return x * self.a

    def run(self, x):
        return self.callback(x) + self.a


def solved(solver, x):
    return solver.solve(x)


# Each makes something of a solver that finds the function in its variables.
FINDING = {
    "method": lambda solver: ag.to_graph(solver.solve),
    "lambda": lambda solver: ag.to_graph(lambda x: solver.solve(x)),
    "partial": lambda solver: ag.to_graph(functools.partial(solved, solver)),
    "default": lambda solver: ag.to_graph(lambda x, solver=solver: solver.solve(x)),
    "derivative": lambda solver: ag.grad(lambda x: solver.solve(x) ** 2),
    "lanes": lambda solver: ag.vmap(lambda x: solver.solve(x)),
}


@pytest.mark.parametrize("way", FINDING)
def test_new_functions_that_find_others_in_their_variables(way, caplog):
    make = FINDING[way]
    x = np.array([0.5, 2.0]) if way == "lanes" else 1.5
    for i in range(6):
        if i == 3:
            caplog.clear()
        solver = Solver(lambda y: y * i)
        found, shrunk = make(solver)(x), (1 - 0.1 * i) ** 5
        expected = 2 * x * shrunk**2 if way == "derivative" else x * shrunk
        np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert not recordings(caplog)


@pytest.mark.parametrize("way", FINDING)
def test_what_variables_hold_is_changed_between_calls(way):
    make = FINDING[way]
    x = np.array([0.5, 2.0]) if way == "lanes" else 1.5

    def same(solver, compiled, times):
        for _ in range(times):
            expected = FINDING[way](Solver(solver.f))(x)
            np.testing.assert_allclose(compiled(x), expected, rtol=1e-12)

    for i in range(3):
        solver = Solver(lambda y: y * i)
        compiled = make(solver)
        same(solver, compiled, 12)  # by then calls are quick
        for j in (2.0, 3.0):
            solver.f = lambda y: y * j
            same(solver, compiled, 2)
        solver.f = twice
        same(solver, compiled, 2)
        solver.f = np.sin
        same(solver, compiled, 2)


def test_methods_in_attributes_of_their_own_objects(caplog):
    compiled = ag.to_graph(Calling.run)
    for i in range(6):
        if i == 3:
            caplog.clear()
        assert compiled(Calling(1.0 + i), 1.5) == Calling(1.0 + i).run(1.5)
    assert not recordings(caplog)


@pytest.mark.parametrize("way", SEEN)
def test_who_looks_at_a_function_that_a_variable_holds(way):
    use = SEEN[way]
    for i in range(5):
        f = lambda x: x * i
        known = [f if i % 2 else twice]
        one, other = {"f": f}, {"f": f}
        assert ag.to_graph(lambda x: use(one, known, x))(2.0) == use(other, known, 2.0)
        assert one == other
