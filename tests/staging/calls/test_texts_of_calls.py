"""Texts that a recursive function assigns, made in another way on each path."""

import numpy as np
import pytest

from tests.support.oracle import check


class Log:
    def __init__(self):
        self.message = "start"

    def after(self, k, x):
        if k <= 0:
            return 0
        found = self.after(k - 1, x * 2) + 1
        self.message = f"at {x}" if x > 1 else "ok"
        return found


def of_an_attribute(x):
    log = Log()
    return log.after(int(x[0]), x[1]), log.message


def of_a_variable(x):
    message = "none"

    def go(k, v):
        nonlocal message
        if k <= 0:
            return v
        message = f"got {v}"
        found = go(k - 1, v * 2)
        message = f"{message}" if v > 1 else f"back {k}"
        return found

    return go(int(x[0]), x[1]), message


def of_a_dict(x):
    messages = {"last": "none"}

    def go(k, v):
        if k <= 0:
            return v
        messages["last"] = f"got {v}"
        found = go(k - 1, v * 2)
        if v > 1:
            messages["last"] = "back"
        return found

    return go(int(x[0]), x[1]), messages


@pytest.mark.parametrize("program", [of_an_attribute, of_a_variable, of_a_dict])
@pytest.mark.parametrize("x", [np.array([3.0, 0.5]), np.array([5.0, 1.5])])
def test_assigned_texts(program, x):
    check(program, x)
