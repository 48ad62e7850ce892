"""Objects that keep their state to themselves, and arrays of other classes, are passed on or
refused."""

import abc
import ctypes
import dataclasses
import functools
import gc
import operator
import threading
from typing import Generic, TypeVar

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError
from autograph.staging.ground.ownership import shows_all

# -- objects that keep their state to themselves -----------------------------------------------


def test_an_unknown_object_is_passed_on():
    def f(x, c):
        return x, c, [c], isinstance(c, ctypes.c_double), type(c), c is None

    g = ag.to_graph(f)
    for number in (ctypes.c_double(1.0), ctypes.c_double(2.0)):
        found, expected = g(1.0, number), f(1.0, number)
        assert found[1] is number and found[2][0] is number
        assert found[3:] == expected[3:]


def test_unknown_objects_share_a_compilation_and_are_not_kept(caplog):
    class Counted(ctypes.Structure):
        _fields_ = (("x", ctypes.c_double),)

        def __del__(self):
            deleted.append(1)

    deleted = []
    f = ag.to_graph(lambda x, c: x * 2.0)
    with caplog.at_level("INFO", logger="autograph"):
        for _ in range(5):
            f(1.0, Counted(1.0))
    gc.collect()
    compiled = [record for record in caplog.records if "compiled for" in record.getMessage()]
    assert len(compiled) == 1 and len(deleted) == 5


@pytest.mark.parametrize(
    "use",
    [
        lambda x, c: x + c,
        lambda x, c: c.value,
        lambda x, c: c[0],
        lambda x, c: c(x),
        lambda x, c: len(c),
        lambda x, c: [v for v in c],
        lambda x, c: x if c else -x,
        lambda x, c: f"{c}",
        lambda x, c: print(c),
        lambda x, c: c == 1.0,
        lambda x, c: {c: x},
        lambda x, c: np.sum(c),
        lambda x, c: operator.attrgetter("value")(c),
    ],
)
def test_an_unknown_object_is_not_read(use):
    with pytest.raises(AutographError, match=r"AG0350.*'c' is a ctypes.c_double"):
        ag.to_graph(use)(1.0, ctypes.c_double(1.0))


class Holder:
    def __init__(self, number, held):
        self.number = number
        self.held = held


def test_an_object_holds_an_unknown_one():
    f = ag.to_graph(lambda x, h: x * h.number)
    assert [f(2.0, Holder(3.0, ctypes.c_double(n))) for n in (1.0, 2.0)] == [6.0, 6.0]
    with pytest.raises(AutographError, match="AG0350"):
        ag.to_graph(lambda x, h: x * h.held.value)(2.0, Holder(3.0, ctypes.c_double(1.0)))


def test_a_frame_of_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1.0, 2.0]})
    for use in (lambda d: d["a"].sum(), lambda d: d.a.values.sum(), lambda d: np.sum(d["a"])):
        with pytest.raises(AutographError, match="AG0350"):
            ag.to_graph(use)(frame)
    with pytest.raises(AutographError, match="AG0350"):
        ag.to_graph(lambda x: x * frame["a"])(1.0)
    assert ag.to_graph(lambda x: np.sum(x))(frame["a"].to_numpy()) == 3.0


def test_a_tensor_of_torch():
    torch = pytest.importorskip("torch")
    with pytest.raises(AutographError, match="AG0350"):
        ag.to_graph(lambda x: x * 2.0)(torch.ones(2))


# -- arrays of other classes -------------------------------------------------------------------


class Own(np.ndarray):
    pass


OTHERS = {
    "masked": np.ma.masked_array([1.0, 2.0], [True, False]),
    "matrix": np.asmatrix(np.eye(2)),
    "own": np.ones(2).view(Own),
    "record": np.rec.array([(1.0, 2)], dtype=[("a", float), ("b", int)]),
    "texts": np.char.array(["a", "b"]),
}


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@pytest.mark.parametrize("kind", OTHERS)
def test_arrays_of_other_classes_are_refused(kind):
    array = OTHERS[kind]
    for f, args in (
        (lambda x: np.sum(x), (array,)),
        (lambda x: x[0], ([array],)),
        (lambda x: (x, array), (1.0,)),
    ):
        with pytest.raises(AutographError, match="AG0352") as caught:
            ag.to_graph(f)(*args)
        assert caught.value.location


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@pytest.mark.parametrize("function", [operator.mul, np.multiply, lambda a, b: b * a])
def test_arrays_of_other_classes_made_inside_are_refused(function):
    with pytest.raises(AutographError, match=r"AG0352|AG0305"):
        ag.to_graph(lambda x: function(x, np.ma.masked_array([1.0, 2.0], [True, False])))(1.0)
    with pytest.raises(AutographError, match=r"AG0352"):
        ag.to_graph(lambda x: function(x, np.matrix([[1.0, 2.0]])))(np.ones((1, 2)))


def test_a_mapped_file_is_an_array(tmp_path):
    array = np.memmap(tmp_path / "array", dtype=float, shape=(3,), mode="w+")
    array[:] = 2.0
    f = ag.to_graph(lambda x: np.sum(x * x))
    assert f(array) == 12.0


class WithSlots:
    __slots__ = ("x", "y")


class WithMoreSlots(WithSlots):
    __slots__ = ("__weakref__", "__z")


class WithSlotsAndMore(WithMoreSlots):
    pass


@dataclasses.dataclass
class Record(abc.ABC, Generic[TypeVar("T")]):
    x: float = 0.0


@pytest.mark.parametrize("kind", [WithSlots, WithMoreSlots, WithSlotsAndMore, Record])
def test_classes_of_which_attributes_are_all_there_is(kind):
    assert shows_all(kind)


@pytest.mark.parametrize("kind", [functools.partial, threading.local, bytearray, ValueError])
def test_classes_of_which_c_code_keeps_a_state(kind):
    assert not shows_all(kind)
    assert not shows_all(type("Derived", (kind,), {}))
