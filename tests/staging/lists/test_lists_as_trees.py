"""Lists that loops have filled are trees of their elements, as other lists are."""

import numpy as np
import pytest

import autograph as ag
from autograph.errors import ConcreteValueError
from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_lists_as_trees(call):
    call.run()


X = np.array([1.0, -2.0, 3.0])


@programs(X)
def leaves(x):
    doubled, pairs = [], []
    for t in x:
        doubled.append(t * 2)
        pairs.append((t, x * t))
    found = ag.tree.leaves((doubled, 1.0))
    paths = [path for path, _ in ag.tree.flatten_with_path(pairs)[0]]
    return len(found), sum(i * leaf for i, leaf in enumerate(found)), paths


@programs(X)
def mapped(x):
    doubled, pairs = [], []
    for t in x:
        doubled.append(t * 2)
        pairs.append((t, x * t))
    sums = ag.tree.map(lambda leaf: np.sum(leaf) + np.ndim(leaf), {"pairs": pairs})
    products = ag.tree.map(lambda a, b: a * b, [1.0, 2.0, 3.0], doubled)
    return sums, products, ag.tree.reduce(lambda total, leaf: total + np.sum(leaf), pairs)


@programs(X)
def structure(x):
    doubled = []
    for t in x:
        doubled.append(t * 2)
    return ag.tree.structure(doubled) == ag.tree.structure([1, 2, 3])


def test_of_a_list_whose_length_only_the_run_knows():
    def f(x):
        positive = []
        for t in x:
            if t > 0:
                positive.append(t)
        return len(ag.tree.leaves(positive))

    with pytest.raises(ConcreteValueError) as error:
        ag.to_graph(f)(X)
    assert error.value.id == "AG0309"
