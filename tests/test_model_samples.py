"""The samples of models run, briefly; and at full length they learn what their pages say."""

import re
import shutil

import pytest

from tests.support.processes import printed
from tests.support.tree import ROOT

pytest.importorskip("sklearn")


@pytest.fixture
def run(tmp_path):
    """A function that runs a copy of a sample, for it writes beside itself; what it prints."""

    def run(sample, *arguments):
        copy = shutil.copy(ROOT / "samples" / f"{sample}.py", tmp_path)
        return printed(copy, *arguments, timeout=600)

    return run


def number(pattern, text):
    return float(re.search(pattern, text)[1])


BRIEFLY = {
    "characters": (("--steps", "3", "--characters", "20"), r"held out: ([\d.]+) nats", 5.5),
    "digits_cnn": (("--epochs", "1"), r"held out: ([\d.]+)%", 101),
    "cartpole": (("--rounds", "2", "--episodes", "4"), r"of 100 other episodes (\d+) last", 101),
    "vae": (("--epochs", "1"), r"held out: -([\d.]+) nats", 46),
    "neural_ode": (("--rounds", "2"), r"after them: .* ([\d.]+)$", 100),
    "gaussian_process": (("--patients", "60"), r"held out: ([\d.]+)%", 101),
}


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize("sample", BRIEFLY)
def test_briefly(run, sample):
    arguments, pattern, most = BRIEFLY[sample]
    assert 0 <= number(pattern, run(sample, *arguments)) < most


@pytest.mark.slow
def test_the_writing_is_one_loop(run):
    shown = run("characters", "--steps", "1", "--characters", "5", "--show")
    assert "ops.while_loop(" in shown


@pytest.mark.slow
def test_the_network_reads_as_well_with_few_bits(run):
    shown = run("digits_cnn", "--epochs", "8", "--bits", "8", "4")
    full = number(r"held out: ([\d.]+)%", shown)
    assert full > 97.5
    for bits in (8, 4):
        assert abs(number(rf"of {bits} bits: ([\d.]+)%", shown) - full) <= 0.5


@pytest.mark.exhaustive
def test_the_network_reads_more_than_99_of_100_digits(run):
    shown = run("digits_cnn", "--seeds", "5")
    assert len(re.findall("^seed", shown, re.MULTILINE)) == 5
    assert number(r"the median of 5: ([\d.]+)%", shown) > 99


@pytest.mark.slow
def test_the_writer_learns_words(run):
    shown = run("characters", "--bits", "8")
    assert number(r"held out: ([\d.]+) nats", shown) < 1.8
    full = number(r"guessed: ([\d.]+)%", shown)
    assert abs(number(r"of 8 bits: ([\d.]+)%", shown) - full) <= 0.5


@pytest.mark.slow
def test_the_pole_is_balanced(run):
    assert number(r"of 100 other episodes (\d+) last", run("cartpole")) > 60


@pytest.mark.slow
def test_new_digits_are_drawn(run):
    assert number(r"held out: -([\d.]+) nats", run("vae")) < 25


@pytest.mark.slow
@pytest.mark.parametrize("gradient", [(), ("--adjoint", "--rounds", "200")])
def test_the_law_of_motion_is_learned(run, gradient):
    shown = run("neural_ode", *gradient)
    assert number(r"seen: .* ([\d.]+)$", shown.splitlines()[-2]) < 0.2
    assert number(r"after them: .* ([\d.]+)$", shown) < 0.5


@pytest.mark.slow
def test_the_process_explains_what_a_line_does(run):
    """A line by least squares explains about 45% of what is held out there."""
    shown = run("gaussian_process")
    assert number(r"held out: ([\d.]+)%", shown) > 40
    assert 85 < number(r"interval of 95%: ([\d.]+)%", shown) <= 100
