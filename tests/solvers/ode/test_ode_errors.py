"""What `ag.odeint` refuses, and what ends it: the project's errors, with the user's line."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import IntegrationError, OperandShapeError, OperandTypeError, OptionError

WAYS = {
    "plain": lambda f: f,
    "compiled": ag.to_graph,
    "gradient": ag.grad,
    "lanes": lambda f: lambda y: ag.vmap(f)(np.array([y, y])),
}


def explosion(y):
    return ag.odeint(lambda y, t: y * y, y, [0.0, 2.0])[-1]


def too_many(y):
    return ag.odeint(lambda y, t: np.cos(t), y, [0.0, 1e5], max_steps=50)[-1]


def not_finite(y):
    return ag.odeint(lambda y, t: -1.0 - np.sqrt(y - 0.5), y, [0.0, 9.0])[-1]


def not_finite_at_first(y):
    return ag.odeint(lambda y, t: y / t, y, [0.0, 1.0])[-1]


def not_finite_with_fixed_steps(y):
    return ag.odeint(lambda y, t: np.log(y - t), y, [0.0, 9.0], method="rk4", step=0.1)[-1]


def back_and_forth(y):
    return ag.odeint(lambda y, t: -y, y, [0.0, 1.0, 0.5])[-1]


def not_a_time(y):
    return ag.odeint(lambda y, t: -y, y, [0.0, np.nan])[-1]


ENDINGS = {
    explosion: "too small at the time 1.0",
    too_many: "in 50 steps",
    not_finite: "not finite after the time 0.34",
    not_finite_at_first: "not finite after the time 0.0",
    not_finite_with_fixed_steps: "not finite after the time",
    back_and_forth: "neither rise nor fall",
    not_a_time: "neither rise nor fall",
}


@pytest.mark.costly
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("function", ENDINGS)
def test_what_ends_it(function, way):
    with np.errstate(all="ignore"), pytest.raises(IntegrationError) as raised:
        WAYS[way](function)(1.0)
    text = str(raised.value)
    assert "AG0570" in text
    assert ENDINGS[function] in text.replace("0.99999", "1.0")
    assert isinstance(raised.value, ArithmeticError)
    if way != "plain":
        notes = "\n".join(getattr(raised.value, "__notes__", ())) + str(raised.value.__cause__)
        assert "return ag.odeint(" in notes
        assert "autograph/solvers" not in notes


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_flag_in_its_place():
    def maybe(y):
        found = ag.odeint(lambda y, t: y * y, y, [0.0, 1.5], info=True)
        return found.y, found.converged

    found, converged = ag.vmap(maybe)(np.array([0.5, 1.0]))
    assert converged.tolist() == [True, False]
    assert found[0] == pytest.approx(2.0, rel=1e-6)


def test_refused_options():
    f = lambda y, t: -y
    run = lambda **options: ag.odeint(f, 1.0, [0.0, 1.0], **options)
    jump = ag.Event(lambda y, t: y, terminal=True, jump=lambda y, t: y)
    for options in (
        {"method": "euler"},
        {"method": "rk4"},
        {"rtol": -1e-3},
        {"step": 0.0},
        {"hmax": -1.0},
        {"max_steps": 0},
        {"max_steps": 10.5},
        {"max_events": -1},
        {"gradient": "backsolve"},
        {"events": jump},
        {"events": ag.Event(lambda y, t: y, direction=2)},
    ):
        with pytest.raises(OptionError, match="AG0571"):
            run(**options)
    with pytest.raises(TypeError):
        run(mxstep=10)


def test_what_is_no_state_and_what_no_time():
    f = lambda y, t: -y
    for y in (1.0j, "one", None, ()):
        with pytest.raises(OperandTypeError):
            ag.odeint(f, y, [0.0, 1.0])
    for t in (1.0, np.zeros((2, 2)), np.zeros(0), []):
        with pytest.raises((OperandShapeError, OperandTypeError)):
            ag.odeint(f, 1.0, t)
    with pytest.raises(OperandShapeError, match=r"what func returns is of shape .1,."):
        ag.odeint(lambda y, t: y[:1], np.ones(2), [0.0, 1.0])
    with pytest.raises(OperandShapeError, match="what jump returns"):
        jump = ag.Event(lambda y, t: t - 0.5, jump=lambda y, t: y[:1])
        ag.odeint(f, np.ones(2), [0.0, 1.0], events=jump)
    with pytest.raises(OperandShapeError, match="guard"):
        ag.odeint(f, np.ones(2), [0.0, 1.0], events=lambda y, t: y)
    with pytest.raises(OperandTypeError, match="guard"):
        ag.odeint(f, np.ones(2), [0.0, 1.0], events=lambda y, t: y[0] > 0.5)
