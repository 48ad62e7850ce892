"""Objects of which nobody can tell whether they have changed: all use is refused."""

import copy
import math
import operator

import numpy as np
import pytest

from autograph.errors import Location, UnsupportedFunctionError
from autograph.staging.border.unknown import Unknown, refuse


class Frame:
    columns = ("x",)


@pytest.fixture
def frame():
    return Unknown("data", Frame())


USES = {
    "attribute": lambda x: x.columns,
    "assigned": lambda x: setattr(x, "columns", ()),
    "deleted": lambda x: delattr(x, "columns"),
    "item": lambda x: x["x"],
    "stored": lambda x: operator.setitem(x, "x", 1),
    "call": lambda x: x(),
    "sum": lambda x: x + 1,
    "reflected": lambda x: 1 - x,
    "negative": lambda x: -x,
    "equal": lambda x: x == 1,
    "less": lambda x: x < 1,
    "truth": bool,
    "length": len,
    "iterated": iter,
    "in": lambda x: 1 in x,
    "float": float,
    "text": str,
    "repr": repr,
    "format": lambda x: f"{x}",
    "hash": hash,
    "floor": math.floor,
    "reversed": reversed,
    "copied": copy.copy,
    "listed": dir,
    "entered": lambda x: x.__enter__(),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_uses_are_refused(frame, use):
    with pytest.raises(UnsupportedFunctionError) as caught:
        use(frame)
    error = caught.value
    assert error.id == "AG0350" and error.fix
    assert error.message.startswith(f"'data' is a {__name__}.Frame, and nobody can tell")


@pytest.mark.parametrize(
    "use, says",
    [
        (lambda x: x.columns, "here the attribute 'columns' is read"),
        (lambda x: setattr(x, "columns", ()), "here the attribute 'columns' is assigned"),
        (lambda x: delattr(x, "columns"), "here the attribute 'columns' is deleted"),
        (len, "here its '__len__' is used"),
        (np.sin, "here it is taken for an array"),
    ],
)
def test_errors_say_what_is_done(frame, use, says):
    with pytest.raises(UnsupportedFunctionError, match=says):
        use(frame)


def test_what_it_can_be_asked(frame):
    assert isinstance(frame, Frame) and type(frame) is Unknown
    assert frame is frame
    assert [frame, 1][0] is frame  # it can be passed on


def test_where_it_is_refused(frame):
    place = Location("f.py", 3)
    with pytest.raises(UnsupportedFunctionError) as caught:
        refuse(frame, "it is an operand", place)
    assert caught.value.location == place
    assert caught.value.message.endswith("here it is an operand")
