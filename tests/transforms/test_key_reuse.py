"""Random numbers that are drawn twice from one key."""

import numpy as np
import pytest

import autograph as ag
import ops
from autograph.errors import OperandValueError

KEY = ops.random.key(0)
normal, split, fold_in = ops.random.normal, ops.random.split, ops.random.fold_in


def two_of_a_key(key):
    return normal(key, (3,)) + normal(key, (3,))


def two_kinds(key):
    return ops.random.uniform(key) + normal(key)


def row_twice(key):
    keys = split(key, 3)
    return normal(keys[0]) * normal(keys[0])


def split_twice(key):
    return normal(split(key)[0]) + normal(split(key)[1]) + normal(split(key)[0])


def each_trip(key):
    total = 0.0
    while total < 3.0:
        total += abs(normal(key))
    return total


def each_trip_of_a_subkey(key, x):
    _, own = split(key)
    total = 0.0
    for row in x:
        total += row + normal(own)
    return total


def in_a_function(key):
    return sample(key) + sample(key)


def sample(key):
    return normal(fold_in(key, 3))


def after_a_branch(key, x):
    y = normal(key) if x > 0 else 0.0
    return y + normal(key)


def in_a_gradient(key, x):
    return ag.grad(lambda x: np.sum(x * normal(key, (3,))) * normal(key))(x)


REUSED = {
    two_of_a_key: (),
    two_kinds: (),
    row_twice: (),
    split_twice: (),
    each_trip: (),
    each_trip_of_a_subkey: (np.ones(3),),
    in_a_function: (),
    after_a_branch: (1.0,),
    in_a_gradient: (np.ones(3),),
}


@pytest.mark.parametrize("function", REUSED, ids=lambda f: f.__name__)
def test_a_key_that_is_used_twice(function):
    with pytest.raises(OperandValueError, match="AG0741") as caught:
        ag.debug.check_keys(function, KEY, *REUSED[function])
    assert ("in each trip" in str(caught.value)) == ("trip" in function.__name__)
    assert "test_key_reuse.py" in str(caught.value)


def subkeys(key):
    first, second = split(key)
    return normal(first, (3,)) + normal(second, (3,))


def carried(key):
    total = 0.0
    while total < 3.0:
        key, own = split(key)
        total += abs(normal(own))
    return total


def rows(key):
    return sum(normal(own) for own in split(key, 4))


def numbered(key, x):
    for i in range(len(x)):
        x[i] = normal(fold_in(key, i))
    return x


def one_of_two(key, x):
    return normal(key) if x > 0 else -normal(key)


def with_rejection(key):
    return ops.random.gamma(key, 2.0, (3,))


def checkpointed(key, x):
    noisy = ag.checkpoint(lambda x: np.sin(x + normal(key, (3,))))
    return ag.grad(lambda x: np.sum(noisy(x)))(x)


def in_lanes(key, x):
    keys = split(key, len(x))
    return ag.vmap(lambda k, x: x + normal(k))(keys, x)


def recursive(key, n):
    if n == 0:
        return 0.0
    key, own = split(key)
    return normal(own) + recursive(key, n - 1)


FRESH = {
    subkeys: (),
    carried: (),
    rows: (),
    numbered: (np.ones(3),),
    one_of_two: (1.0,),
    with_rejection: (),
    checkpointed: (np.ones(3),),
    in_lanes: (np.ones(3),),
    recursive: (3,),
}


@pytest.mark.parametrize("function", FRESH, ids=lambda f: f.__name__)
def test_keys_of_their_own(function):
    ag.debug.check_keys(function, KEY, *FRESH[function])
