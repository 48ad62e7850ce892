"""What functions have changed before exceptions; see `autograph.api.calls.replays`."""

import contextlib
import copy

import numpy as np
import pytest

import autograph as ag

LOG = []
OTHERS = (IndexError, AssertionError, NotImplementedError)
COUNT = 0


class Account:
    def __init__(self):
        self.balance = 1.0


def changes_all(x, array, items, table, account):
    global COUNT
    array[0] = 5.0
    items.append(x)
    table["k"] = x
    account.balance += x
    COUNT += 1
    LOG.append(x)
    if x > 0:
        array[1] = 6.0
        raise ValueError(x)
    array[2] = 7.0


def changes_what_is_changed_on_no_other_path(x, array, items, table, account):
    if x > 0:
        items.append(x)
        raise KeyError("k")


def raises_an_error_of_the_run(x, array, items, table, account):
    account.balance = x
    array[int(x) + 2] = 1.0
    items.append(x)


def has_a_finally(x, array, items, table, account):
    try:
        changes_all(x, array, items, table, account)
    finally:
        items.append(-1.0)


def asserts(x, array, items, table, account):
    account.balance = 4.0
    assert x < 0, "positive"


def always_raises(x, array, items, table, account):
    account.balance = x
    raise NotImplementedError("later")


def raises_before_a_loop(x, array, items, table, account):
    items.append(x)
    if x > 0:
        raise ValueError(x)
    for i in range(3):
        array[i] += x


def ending(function, x, known):
    global COUNT
    LOG.clear()
    COUNT = 0
    own = copy.deepcopy(known)
    raises = contextlib.nullcontext() if x < 0 else pytest.raises((ValueError, KeyError, *OTHERS))
    with raises:
        function(x, *own)
    array, items, table, account = own
    return array.tolist(), items, table, account.balance, list(LOG), COUNT


FUNCTIONS = [
    changes_all,
    changes_what_is_changed_on_no_other_path,
    raises_an_error_of_the_run,
    has_a_finally,
    asserts,
    raises_before_a_loop,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_they_stay_changed(function):
    compiled = ag.to_graph(function)
    known = (np.zeros(3), [1.0], {}, Account())
    for x in (-1.0, 2.0, -2.0, 3.0, 4.0):
        assert ending(compiled, x, known) == ending(function, x, known), x


def test_what_always_raises():
    known = (np.zeros(3), [1.0], {}, Account())
    compiled = ag.to_graph(always_raises)
    for x in (2.0, 3.0):
        assert ending(compiled, x, known) == ending(always_raises, x, known)


def test_a_method():
    class Counter:
        def __init__(self):
            self.calls = 0

        @ag.to_graph
        def step(self, x):
            self.calls += 1
            if x > 0:
                raise ValueError(x)
            return x

    counter = Counter()
    for x in (-1.0, 1.0, 2.0, -2.0, 3.0):
        if x > 0:
            with pytest.raises(ValueError, match=str(x)):
                counter.step(x)
        else:
            counter.step(x)
    assert counter.calls == 5


def test_nothing_is_run_again_that_has_run_a_loop_or_printed(capsys):
    def looped(x, items):
        items.append(x)
        total = 0.0
        while total < 10.0:
            total += x
        if total > 11.0:
            raise ValueError(total)
        return total

    def printed(x, items):
        print("once")
        items.append(x)
        if x > 0:
            raise ValueError(x)

    for function in (looped, printed):
        items = []
        with pytest.raises(ValueError):
            ag.to_graph(function)(3.0, items)
        assert items == []
    assert capsys.readouterr().out == "once\n"
