"""Random programs for all parts of a mesh do what plain Python does, with derivatives.

Each part is a lane of one graph, or is unrolled; `tests/mpi/programs/random_programs.py` does the
same with processes.
"""

from collections import Counter

import numpy as np
import pytest

import autograph as ag
from tests.fuzz.spmd.comparison import (
    Case,
    Compiled,
    Difference,
    Oracle,
    case_of,
    compare,
    unrolled,
)
from tests.fuzz.spmd.lockstep import DivergedError, Parts
from tests.fuzz.spmd.programs import Program, written

LINE, GRID = {"data": 2}, {"data": 2, "model": 2}
SHAPES = {"line": LINE, "grid": GRID, "three": {"data": 3}}


def compared(seed, shape, orders=1, spoiled=False):
    program = written(seed, tuple(shape), spoiled)
    try:
        return compare(case_of(program, shape), ag.Mesh.lanes(**shape), orders)
    except Exception as error:
        raise AssertionError(f"{type(error).__name__}: {error}\n\n{program.text}") from error


@pytest.mark.costly
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("shape", SHAPES)
def test_random_programs(seed, shape):
    compared(seed + 1000, SHAPES[shape])


@pytest.mark.costly
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("shape", [LINE, GRID], ids=["line", "grid"])
def test_second_order(seed, shape):
    compared(seed, shape, orders=2)


@pytest.mark.costly
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("shape", [LINE, GRID], ids=["line", "grid"])
def test_parts_that_are_unrolled(seed, shape):
    with unrolled():
        compared(seed + 2000, shape)


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 2))])
def test_native_code(seed, monkeypatch):
    monkeypatch.delenv("AUTOGRAPH_KERNELS", raising=False)
    compared(seed + 3000, GRID)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("shape", [LINE, GRID], ids=["line", "grid"])
def test_programs_that_break_a_rule_are_refused(seed, shape):
    """What differs between parts where it should not, or waits for ever, is never silent."""
    compared(seed, shape, orders=0, spoiled=True)


@pytest.mark.exhaustive
@pytest.mark.parametrize("way", ["lanes", "unrolled"])
@pytest.mark.parametrize("part", range(20))
@pytest.mark.parametrize("shape", SHAPES)
def test_many_random_programs(part, shape, way):
    ends: Counter = Counter()
    for seed in range(part * 25, part * 25 + 25):
        if way == "lanes":
            ends += compared(seed, SHAPES[shape], orders=2)
            ends += compared(seed, SHAPES[shape], orders=1, spoiled=True)
        else:
            with unrolled():
                ends += compared(seed, SHAPES[shape], orders=1)
    assert ends["same values"] >= 15, ends


# -- that it would be noticed ----------------------------------------------------------------------


def plain(text, spoiled=False):
    return Case(Program(0, text, ("data",), spoiled), {"data": 2}, (), ())


def test_parts_that_do_not_come_are_found():
    parts = Parts({"data": 2})
    calls = [lambda: parts.meet("psum", "data", 1.0), lambda: 2.0]
    with pytest.raises(DivergedError):
        parts.run(calls)


def test_parts_that_do_something_else_are_found():
    parts = Parts({"data": 2})
    calls = [lambda k=k: parts.meet(k, "data", 1.0) for k in ("psum", "pmax")]
    with pytest.raises(DivergedError):
        parts.run(calls)


def test_a_wrong_result_is_found(monkeypatch):
    program = written(1, ("data",))
    case = case_of(program, LINE)
    right = Compiled.results

    def wrong(self):
        found = right(self)
        found[0][0] = found[0][0] + 1e-3
        return found

    monkeypatch.setattr(Compiled, "results", wrong)
    with pytest.raises(Difference, match="value 0 of S"):
        compare(case, ag.Mesh.lanes(data=2), 0)


def test_a_wrong_gradient_is_found(monkeypatch):
    program = written(1, ("data",))
    case = case_of(program, LINE)
    monkeypatch.setattr(Oracle, "slope", lambda self, directions: 1e6)
    with pytest.raises(Difference, match="gradient and differences"):
        compare(case, ag.Mesh.lanes(data=2), 1)


def test_a_seed_gives_one_program():
    assert written(5, ("data",)).text == written(5, ("data",)).text
    assert len({written(seed, ("data", "model")).text for seed in range(20)}) == 20


def test_the_oracle_adds_and_moves():
    text = "def program(x):\n    return ops.psum(x, 'data') + ops.ppermute(x, 'data', [(0, 1)])\n"
    case = plain(text)._replace(args=(np.array([[1.0], [2.0]]),), specs=(ag.P("data"),))
    found = Oracle(case)._each("program", case.args)
    np.testing.assert_array_equal(np.concatenate(found), [[3.0], [4.0]])
