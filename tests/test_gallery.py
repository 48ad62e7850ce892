"""The programs of the gallery find what they show, at a smaller size; its pictures are there."""

import numpy as np
import pytest

import autograph as ag
from tests.support.tree import ROOT

for library in ("matplotlib", "sklearn", "tqdm"):
    pytest.importorskip(library)

from samples.gallery import (  # noqa: E402
    contacts,
    digits,
    dosing,
    heat,
    mandelbrot,
    mpc,
    nuts,
    orbit,
    pictures,
    survival,
)

NAMES = ("mandelbrot", "orbit", "heat", "digits", "contacts", "nuts", "survival", "dosing", "mpc")


def is_drawn(figure, folder):
    path = pictures.save(figure, "picture", folder)
    return path.read_bytes().startswith(b"\x89PNG")


def test_mandelbrot(tmp_path):
    edges, steps = mandelbrot.compute(24, 18, 300)
    assert np.sum(steps == 0.0) > 0 and len(np.unique(np.floor(steps))) > 50
    left, right, low, high = edges
    x, y = np.linspace(left, right, 24), np.linspace(low, high, 18)
    plain = [[mandelbrot.escape(a, b, 300) for a in x] for b in y]
    np.testing.assert_allclose(steps, plain, rtol=1e-12)
    assert is_drawn(mandelbrot.draw(edges, steps), tmp_path)


@pytest.mark.slow
def test_orbit(tmp_path):
    _, _, path = orbit.compute(count=12, years=1.0, steps=14, noise=0.0)
    assert np.linalg.norm(path[0] - orbit.TRUE) > 0.5
    np.testing.assert_allclose(path[-1], orbit.TRUE, atol=1e-6)
    times, observed, path = orbit.compute(count=12, years=1.0, steps=14)
    assert 1e-6 < np.linalg.norm(path[-1] - orbit.TRUE) < 0.05
    assert is_drawn(orbit.draw(times, observed, path), tmp_path)


@pytest.mark.slow
def test_heat(tmp_path):
    history, powers, values = heat.compute(cells=12, steps=400, trips=150)
    x = (np.arange(12) + 0.5) / 12
    assert np.max(np.abs(history[-1] - heat.target(x))) < 2.0
    assert values[0] > 100.0 * values[-1]
    assert np.all((powers > 0.0) & (powers < heat.MOST))
    assert is_drawn(heat.draw(history, powers, values), tmp_path)


def test_the_rod_keeps_its_warmth():
    """What the heaters give, less what the air takes, is in the rod."""
    history, powers = heat.simulate(np.zeros((2, 4)), 12, 400)
    step = heat.DURATION / 400
    before = np.concatenate([np.zeros((1, 12)), history[:-1]])
    given = step * (np.sum(powers, axis=0) - heat.LOSS * np.sum(before, axis=1))
    np.testing.assert_allclose(np.sum(history, axis=1), np.cumsum(given), rtol=1e-12)
    controls = np.random.default_rng(0).normal(size=(2, 3))
    ag.check_grads(lambda c: heat.deviation(c, 6, 100), (controls,), order=1)


@pytest.mark.slow
def test_digits(tmp_path):
    losses, images, labels, probabilities = digits.compute(epochs=5)
    assert losses[-1] < 0.5 * losses[0]
    np.testing.assert_allclose(np.sum(probabilities, axis=1), 1.0)
    assert np.mean(np.argmax(probabilities, axis=1) == labels) > 0.8
    assert is_drawn(digits.draw(losses, images, labels, probabilities), tmp_path)


@pytest.mark.slow
def test_contacts(tmp_path):
    times, seen, found, errors = contacts.compute(count=24)
    np.testing.assert_allclose(found[0], contacts.TRUE, rtol=0.02)
    assert errors[-1] > 10.0 * errors[0]
    assert is_drawn(contacts.draw(times, seen, found, errors), tmp_path)


@pytest.mark.slow
def test_nuts(tmp_path):
    samples, steps = nuts.compute(chains=2, draws=20)
    assert samples.shape == (2, 20, 2) and np.all(steps > 120)
    assert is_drawn(nuts.draw(samples), tmp_path)


@pytest.mark.slow
def test_survival(tmp_path):
    T, E, Ex, models = survival.compute(200)
    times, alive = survival.kaplan_meier(
        np.array([3.0, 1.0, 2.0, 2.0]), np.array([1.0, 1.0, 1.0, 0.0])
    )
    assert times.tolist() == [1.0, 2.0, 3.0] and np.allclose(alive, [0.75, 0.5, 0.0])
    at = np.array([1.0, 4.0, 8.0])
    for model in models:
        chance, error = survival.band(model, at, Ex)
        np.testing.assert_allclose(chance, np.mean([model.survival(at, x) for x in Ex], axis=0))
        assert np.all((0.0 < error) & (error < 0.1))
    assert is_drawn(survival.draw(T, E, Ex, models), tmp_path)


def test_dosing(tmp_path):
    data, found, errors, path, before, after = dosing.compute(steps=30)
    assert np.all(np.abs(np.log(found / dosing.dosing.TRUE)) < 3.0 * errors)
    assert len(path) > 4 and np.max(np.abs(after - before)) > 1.0
    assert is_drawn(dosing.draw(data, found, path, before, after), tmp_path)


def test_mpc(tmp_path):
    states, forces, plans, counts, seconds = mpc.compute(steps=40, push_at=30)
    assert states.shape == (41, 4) and len(forces) == len(plans) == len(counts) == 40
    assert seconds < 0.5 and np.abs(np.sin(0.5 * states[28, 1])) < 0.2
    assert is_drawn(mpc.draw(states, forces, plans, 30), tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_is_shown_and_small(name):
    picture = ROOT / "docs" / "gallery" / f"{name}.png"
    assert 1000 < picture.stat().st_size < 100_000
    assert f"(gallery/{name}.png)" in (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    _, _, names = (ROOT / "Makefile").read_text(encoding="utf-8").partition("for each in ")
    assert name in names.partition(";")[0].split()
