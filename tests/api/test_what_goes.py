"""What functions hold goes with them, and nothing grows with the number of functions, classes and
signatures that there were."""

import gc
import threading
import weakref
from collections import Counter

import numpy as np
import pytest

import autograph as ag
from autograph import collector
from autograph.api.calls.compiled import Compiled
from autograph.backends import foreign
from autograph.staging.ground import fixed, ownership
from ops.core.symbolic_lengths import LengthAssumption, Symbols


def of_closure(array):
    ag.to_graph(lambda x: np.sum(x * array))(array)


def of_default(array):
    def f(x, weight=array):
        return np.sum(x * weight)

    ag.to_graph(f)(array)


def of_inner_function(array):
    def inner(x):
        return x * array

    def outer(x):
        return np.sum(inner(x))

    ag.to_graph(outer)(array)


def of_effects(array):
    def f(x):
        print("", end="")
        return np.sum(x * array)

    ag.to_graph(f)(array)


def of_exception(array):
    def f(x):
        if np.sum(x * array) < 1e9:
            raise ValueError("no")
        return x

    with pytest.raises(ValueError, match="no"):
        ag.to_graph(f)(array)


@pytest.mark.parametrize(
    "use", [of_closure, of_default, of_inner_function, of_effects, of_exception]
)
def test_arrays_of_functions_of_one_code_go_at_once(use):
    """Python has no circle there, so that they go before the collector comes."""
    for _ in range(3):
        use(np.ones(3))
    gc.collect()
    array = np.ones(3)
    known = weakref.ref(array)
    enabled = gc.isenabled()
    gc.disable()
    try:
        use(array)
        del array
        assert known() is None
    finally:
        if enabled:
            gc.enable()


class Model:
    def __init__(self, weight):
        self.weight = weight

    def loss(self, x):
        return np.sum(self.weight * x)


def of_gradient(array):
    ag.grad(lambda x: np.sum(x * array))(array)


def of_method(array):
    ag.grad(Model(array).loss)(array)


def of_recording(array):
    ag.to_graph(lambda x: np.sum(x * array)).lower(array)


@pytest.mark.parametrize("use", [of_gradient, of_method, of_recording])
def test_arrays_go_once_memory_has_grown(use, monkeypatch, quick_collections):
    peaks = [1 << 30]
    monkeypatch.setattr(collector, "peak_memory", lambda: peaks[-1])
    monkeypatch.setattr(collector, "_most_memory", 2 << 30)
    known = []
    for _ in range(3):
        array = np.ones(3)
        known.append(weakref.ref(array))
        use(array)
        del array
    peaks.append(3 << 30)
    use(np.ones(3))
    assert [ref() for ref in known] == [None] * 3
    assert collector._most_memory > 3 << 30  # so that it is not done again at once


def test_memory_is_left_alone_while_nothing_is_collected(monkeypatch):
    monkeypatch.setattr(collector, "peak_memory", lambda: 3 << 30)
    monkeypatch.setattr(collector, "_most_memory", 1)
    enabled = gc.isenabled()
    gc.disable()
    try:
        collector.look_at_memory()
        assert collector._most_memory == 1
    finally:
        if enabled:
            gc.enable()


def test_classes_go_with_what_is_compiled_for_them(monkeypatch, quick_collections):
    monkeypatch.setenv("AUTOGRAPH_SIGNATURES", "1")
    tables = [
        *(foreign._has_protocol, ownership.is_user_class, ownership.slots_of),
        *(ownership.is_made_of_attributes, fixed.static_fields),
    ]

    def use():
        class Point:
            def __init__(self, x):
                self.x = x

            def twice(self):
                return Point(self.x * 2.0)

        def last(n):
            points = []
            for k in range(n):
                points.append(Point(k * 1.5))
            return points[-1].x

        assert ag.to_graph(lambda p: p.twice().x)(Point(np.ones(2))).tolist() == [2.0, 2.0]
        assert ag.to_graph(last)(4) == 4.5
        return weakref.ref(Point)

    use()
    gc.collect()
    sizes = [len(table) for table in tables]
    known = [use() for _ in range(6)]
    gc.collect()
    assert sum(ref() is not None for ref in known) <= 2
    assert all(len(table) <= size + 2 for table, size in zip(tables, sizes))


def counted():
    gc.collect()
    kinds = (Compiled, Symbols, LengthAssumption)
    return Counter(type(item) for item in gc.get_objects() if type(item) in kinds)


def test_signatures_do_not_add_up(monkeypatch, quick_collections):
    monkeypatch.setenv("AUTOGRAPH_SIGNATURES", "8")
    rows = ag.to_graph(lambda x, n: np.sum(x.reshape(n, -1), axis=0))
    text = ag.to_graph(lambda x, s: (x * len(s), s + "!"))
    named = ag.to_graph(lambda d: {k: v * 2.0 for k, v in d.items()})

    def use(numbers):
        for n in numbers:
            assert rows(np.ones(3 * n), n).tolist() == [n] * 3
            assert text(1.5, f"{n}") == (1.5 * len(f"{n}"), f"{n}!")
            assert named({f"k{n}": 1.5}) == {f"k{n}": 3.0}

    use(range(2, 16))
    before = counted()
    use(range(16, 46))
    after = counted()
    assert after[Compiled] <= before[Compiled] + 1
    assert after[Symbols] <= before[Symbols] + 1
    assert after[LengthAssumption] <= before[LengthAssumption] + 8


def test_later_calls_assume_nothing_of_what_is_compiled(quick_collections):
    """It would not be for other lengths any more, for which it was made."""
    f = ag.to_graph(lambda x: x + np.sum(x))
    for n in (5, 6):
        f(np.ones(n, np.float32))
    form = next(form for form in f.compiled_forms() if form.open_shapes is not None)
    before = list(form.open_shapes.symbols.assumptions)
    for n in (7, 8):
        f(np.ones(n))
    assert list(form.open_shapes.symbols.assumptions) == before


def test_threads_with_other_shapes_at_each_call(monkeypatch, quick_collections):
    """They get their results, and what is compiled does not add up."""
    monkeypatch.setenv("AUTOGRAPH_SIGNATURES", "4")
    total = ag.to_graph(lambda x: np.sum(x * x, axis=-1))
    rows = ag.to_graph(lambda x, n: np.sum(x.reshape(n, -1), axis=0))
    errors = []

    def work(first):
        try:
            for k in range(first, first + 40, 4):
                x = np.arange(k * (k % 5 + 2) * 1.0).reshape(k, -1)
                np.testing.assert_allclose(total(x), np.sum(x * x, axis=-1))
                np.testing.assert_allclose(rows(np.ones(3 * k), k), np.full(3, k))
                np.testing.assert_allclose(ag.grad(lambda y, k=k: np.sum(y * k))(x), x * 0 + k)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(k,), daemon=True) for k in range(2, 10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not errors
    assert not any(thread.is_alive() for thread in threads)
    assert max(len(total.compiled_forms()), len(rows.compiled_forms())) <= 4 + len(threads)
