"""``sum`` of generators of arrays, of which only the run knows how many there are: it has the shape
of the first."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import check, check_grad


class Model:
    def __init__(self, scale):
        self.scale = scale

    def predict(self, x):
        return x * self.scale


def halved(r, x):
    parts = []
    while r > 1:
        r = r / 2
        parts.append(x * r)
    return sum(part * 2 for part in parts)


def of_objects(r, x):
    models = []
    while r > 1:
        r = r / 2
        models.append(Model(r))
    return sum(model.predict(x) for model in models)


def filtered(r, x):
    parts = []
    while r > 1:
        r = r / 2
        parts.append(x * r)
    return sum(part for part in parts if part[0] > 0.5)


@pytest.mark.parametrize("program", [halved, of_objects, filtered])
def test_sums(program):
    check(program, 9.0, np.arange(1.0, 4.0))
    check_grad(lambda x: np.sum(program(9.0, x) ** 2), np.arange(1.0, 4.0))


def test_nothing_has_no_shape():
    with pytest.raises(ValueError, match="the sum of an empty list of arrays is a number"):
        ag.to_graph(halved)(0.5, np.arange(1.0, 4.0))
