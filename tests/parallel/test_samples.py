"""The samples over lanes: the plain computation in value, gradient and second order; what they
print."""

import re

import numpy as np
import pytest

import autograph as ag
from samples.parallel import (
    data_parallel,
    halo,
    pipeline,
    sharded_weights,
    sweep,
    tensor_parallel,
)
from tests.parallel.sample_cases import CASES, check


@pytest.fixture(autouse=True)
def _without_native_code(request, monkeypatch):
    """Compiling would take most of the time."""
    if request.node.get_closest_marker("variant") is None:
        monkeypatch.setenv("AUTOGRAPH_KERNELS", "0")


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize("name", CASES)
def test_lanes_are_the_plain_computation(name):
    check(name, ag.Mesh.lanes(**CASES[name].axes(3)))


@pytest.mark.variant
@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("name", CASES)
def test_other_numbers_of_lanes_with_native_code(name, count):
    check(name, ag.Mesh.lanes(**CASES[name].axes(count)))


def printed(module, arguments, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", [module.__name__, *arguments.split()])
    module.main()
    return capsys.readouterr().out


# Samples that train, with short runs, and how much smaller the last error is than the first.
TRAINED = {
    "data parallel": (data_parallel, "--epochs 30", 0.5),
    "sharded weights": (sharded_weights, "--rounds 10 --parts 2", 0.7),
    "tensor parallel": (tensor_parallel, "--rounds 10 --sequences 8", 0.9),
    "pipeline": (pipeline, "--rounds 10 --parts 3 --micro-batches 4 --schedule gpipe", 0.9),
    "1f1b": (pipeline, "--rounds 10 --parts 3 --micro-batches 4 --schedule 1f1b", 0.9),
}


@pytest.mark.costly
@pytest.mark.parametrize("name", TRAINED)
def test_errors_fall(name, monkeypatch, capsys):
    module, arguments, share = TRAINED[name]
    text = printed(module, arguments, monkeypatch, capsys)
    errors = [float(found) for found in re.findall(r"(?:loss|error) (\d\.\d+)", text)]
    assert len(errors) >= 2
    assert errors[-1] < share * errors[0]


def test_the_heaters_are_found(monkeypatch, capsys):
    arguments = "--rows 8 --columns 5 --parts 2 --eps 1e-12"
    text = printed(halo, arguments, monkeypatch, capsys)
    found = re.search(r"powers found: \[(.*?)\]", text)[1]
    np.testing.assert_allclose([float(x) for x in found.split()], [0.8, 1.5], rtol=1e-4)


def test_the_oscillators_of_a_sweep(monkeypatch, capsys):
    text = printed(sweep, "--values 4 --parts 2 --end 2 --tolerance 1e-7", monkeypatch, capsys)
    rows = re.findall(r"^ +([\d.]+) +([-\d.]+) +([-\d.]+)$", text, re.MULTILINE)
    assert len(rows) == 2
    for row in rows:
        stiffness, place, slope = map(float, row)
        at = lambda s: fixed_steps(np.float64(s))
        assert place == pytest.approx(at(stiffness), abs=1e-5)
        assert slope == pytest.approx(
            (at(stiffness + 1e-4) - at(stiffness - 1e-4)) / 2e-4, abs=1e-4
        )


def fixed_steps(stiffness, end=2.0, steps=4000):
    """The place of an oscillator at the end, by another method: that of Heun."""
    y, h = np.array([2.0, 0.0]), end / steps
    for _ in range(steps):
        a = sweep.change(y, stiffness)
        y = y + 0.5 * h * (a + sweep.change(y + h * a, stiffness))
    return y[0]


def test_heads_that_parts_do_not_divide():
    mesh = ag.Mesh.lanes(data=1, model=3)
    run = ag.shard_map(tensor_parallel.loss, mesh, (tensor_parallel.DIVIDED, *[ag.P()] * 2), ag.P())
    params, x = tensor_parallel.initial(np.random.default_rng(0)), np.zeros((2, 6, 8))
    with pytest.raises(ag.errors.MeshError, match="not divisible by 3"):
        run(params, x, x)
