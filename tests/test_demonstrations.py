"""The demonstrations among the samples find what is there to be found, with right derivatives."""

import numpy as np
import pytest

import autograph as ag
from samples import contacts


def central(f, x, step=1e-6):
    """The Jacobian of a function of a vector, [m, n], by differences."""
    return np.stack([(f(x + step * e) - f(x - step * e)) / (2.0 * step) for e in np.eye(len(x))], -1)


# -- contacts --------------------------------------------------------------------------------------

TIMES = np.linspace(0.0, 3.0, 46)
THROWS = {
    "bounces and the wall": contacts.TRUE,
    "slides against its spin": np.array([1.0, 0.2, 40.0, 0.3, 0.2]),
    "comes to rest at the wall": np.array([4.0, 0.5, 60.0, 0.4, 0.5]),
    "backwards": np.array([-1.0, 1.0, 20.0, 0.5, 0.1]),
}


@pytest.mark.parametrize("name", THROWS)
def test_a_throw(name):
    throw = THROWS[name]
    plain = contacts.simulate(throw, TIMES)
    np.testing.assert_allclose(ag.to_graph(contacts.simulate)(throw, TIMES), plain, rtol=1e-12)
    assert np.all(plain[:, 1] > contacts.RADIUS - 1e-9)
    assert np.all(plain[:, 0] < contacts.WALL - contacts.RADIUS + 1e-9)
    film = lambda p: contacts.film(p, TIMES)
    expected = central(film, throw)
    np.testing.assert_allclose(ag.jacfwd(film)(throw), expected, atol=1e-6)
    np.testing.assert_allclose(ag.jacrev(film)(throw), expected, atol=1e-6)


def test_what_a_contact_keeps():
    """It turns no more than it rubs; it slips as friction lets it, or not at all."""
    for friction in (0.05, 5.0):
        normal, along, spin = contacts.impact(-2.0, 1.0, -30.0, 0.7, friction)
        assert normal == pytest.approx(1.4)
        rub = along - 1.0
        assert spin + 30.0 == pytest.approx(-rub * contacts.RADIUS / contacts.INERTIA)
        slip = along - contacts.RADIUS * spin
        assert abs(rub) == pytest.approx(0.05 * 3.4) if friction < 1.0 else abs(slip) < 1e-12


def test_the_throw_is_found():
    seen = contacts.film(contacts.TRUE, TIMES)
    found, error = contacts.fitted(1.02 * contacts.TRUE, TIMES, seen)
    assert error < 1e-18
    np.testing.assert_allclose(found, contacts.TRUE, rtol=1e-7)


def test_standard_errors_are_the_spread_of_fits():
    rng = np.random.default_rng(1)
    seen = contacts.film(contacts.TRUE, TIMES)
    fits = [
        contacts.fitted(contacts.TRUE, TIMES, seen + 3e-3 * rng.normal(size=len(seen)))
        for _ in range(60)
    ]
    found = np.array([parameters for parameters, _ in fits])
    expected = contacts.standard_errors(*fits[0], TIMES)
    np.testing.assert_allclose(np.std(found, axis=0), expected, rtol=0.3)


def test_lanes_of_throws():
    throws = np.array(list(THROWS.values()))
    film = lambda p: contacts.film(p, TIMES)
    total = lambda p: np.sum(film(p) ** 2)
    found = ag.vmap(ag.grad(total))(throws)
    expected = [ag.grad(total)(throw) for throw in throws]
    np.testing.assert_allclose(found, expected, rtol=1e-9)
