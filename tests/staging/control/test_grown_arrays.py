"""Arrays that get longer in each trip of a loop: the loop stays one."""

import numpy as np
import pytest

import autograph as ag
from tests.support.oracle import Programs

programs = Programs()


@programs(np.array([0.5, 0.2]), 5)
@programs(np.array([0.5, 0.2]), 0)
def columns(x, n):
    history = x.reshape(-1, 1)
    state = history
    for i in range(n):
        state = np.sin(state) + 0.1 * i
        history = np.hstack((history, state))
    return history


@programs(np.array([0.5, 0.2]), 4)
def rows(x, n):
    history = np.zeros((1, 2))
    for _ in range(n):
        x = np.cos(x)
        history = np.vstack((history, x))
    return history, history[-1], history.shape


@programs(0.5, 20)
def numbers(x, n):
    history = np.array([x])
    for _ in range(n):
        x = np.sin(x)
        history = np.append(history, x)
    return history


@programs(0.5, 20)
@programs(0.5, 0)
def ints_that_become_floats(x, n):
    history = np.array([0])
    for i in range(n):
        history = np.append(history, i * x)
    return history, history.dtype == float


@programs(2, 20)
def ints(k, n):
    history = np.array([0])
    for i in range(n):
        history = np.append(history, i * k)
    return history


@programs(0.5, 20)
def in_brackets(x, n):
    flat, side = np.r_[0.0], np.c_[np.ones(2)]
    for _ in range(n):
        x = np.sin(x)
        flat, side = np.r_[flat, x], np.c_[side, np.ones(2) * x]
    return flat, side


@programs(0.5, 20)
def in_front(x, n):
    history = np.zeros((1, 2))
    for _ in range(n):
        x = np.sin(x)
        history = np.vstack((np.ones(2) * x, history))
    return history


@programs(0.5, 20)
def without_one_at_first(x, n):
    history = []
    for _ in range(n):
        x = np.sin(x)
        history = np.append(history, x)
    return history


@programs(0.5, 5)
def none_at_first(x, n):
    history = None
    for _ in range(n):
        x = np.sin(x)
        row = np.ones((1, 3)) * x
        history = row if history is None else np.vstack((history, row))
    return history


@programs(0.5, 5)
def several_blocks_in_a_nest(x, n):
    history = np.zeros((1, 3))
    for i in range(n):
        for _ in range(2):
            x = np.sin(x)
            history = np.vstack((history, np.ones(3) * x))
        history = np.vstack((history, np.ones(3) * i, np.ones((2, 3)) * x))
    return history


def with_column(history, x):
    return np.concatenate([history, np.full((2, 1), x)], axis=1)


@programs(0.5, 5)
def by_a_function(x, n):
    history = np.zeros((2, 0))
    for _ in range(n):
        x = np.sin(x)
        history = with_column(history, x)
    return history


class Log:
    def __init__(self):
        self.history = np.zeros((2, 1), dtype=int)

    def add(self, x):
        self.history = np.append(self.history, [[x], [2 * x]], axis=1)


@programs(0.5, 5)
def by_a_method(x, n):
    log = Log()
    for _ in range(n):
        x = np.sin(x)
        log.add(x)
    return log.history, log.history[:, -1], log.history.shape


@programs(0.5, 20)
@programs(0.5, 4)
def read_on_the_way(x, n):
    history = np.array([1.0])
    for _ in range(n):
        history = np.append(history, 0.1 * np.sum(history) * x + 0.01 * len(history) + history[-1])
    return history


@programs(0.5, 5)
def columns_read_on_the_way(x, n):
    history = np.ones((2, 1))
    for _ in range(n):
        mean = history.mean(axis=1)
        history = np.c_[history, mean * x + history.shape[1] + history[:, -1]]
    return history


@programs(0.5, 5)
def under_two_names(x, n):
    history = np.zeros((1, 3))
    before = history
    for _ in range(n):
        before = history
        history = np.vstack((history, before[-1] + x))
    return history, before


@programs(0.5, 5)
def changed_in_place(x, n):
    history = np.zeros((1, 3))
    for i in range(n):
        history = np.vstack((history, np.ones(3)))
        history[0] += x
        history[-1, 1] = i
    return history


@programs(0.5, 9)
def on_some_trips(x, n):
    history = np.zeros((3, 1))
    y = x
    for i in range(n):
        y = y + 0.3
        if y > 1.0:
            history = np.hstack((history, np.ones((3, 1)) * x * i))
    return history


@programs(0.5, 9)
def of_data(x, n):
    history = np.zeros((2, 1))
    while x < n:
        x = x + 0.5
        history = np.hstack((history, np.ones((2, 1)) * x))
    return history, history.shape


@programs(0.5)
def as_long_as_a_simulation(x):
    time, history, state = 0.0, np.zeros((2, 1)), np.zeros((2, 1))
    while time < 30.0:
        time += 0.1
        state = state + x
        history = np.hstack((history, state))
    return history, history[0, :].flatten()


@programs(0.5, 20)
def of_other_lengths_in_each_trip(x, n):
    history = np.zeros(1)
    for i in range(n % 5):
        history = np.append(history, np.ones(i) * x)
    return history


@programs.test
def test_grown_arrays(call):
    call.run()


def total(result):
    first = result[0] if isinstance(result, tuple) else result
    return np.sum(first * (np.arange(first.size).reshape(first.shape) + 1.0))


@pytest.mark.parametrize(
    ("f", "n"),
    [
        (numbers, 5),
        (in_brackets, 4),
        (in_front, 20),
        (without_one_at_first, 4),
        (none_at_first, 4),
        (several_blocks_in_a_nest, 3),
        (by_a_function, 4),
        (by_a_method, 4),
        (read_on_the_way, 4),
        (read_on_the_way, 20),
        (columns_read_on_the_way, 3),
        (under_two_names, 4),
        (changed_in_place, 4),
        (on_some_trips, 5),
    ],
)
def test_derivatives(f, n):
    ag.check_grads(lambda x: total(f(x, n)), (0.45,), order=2)


@pytest.mark.parametrize("f", [columns, rows, read_on_the_way, as_long_as_a_simulation])
def test_the_loop_is_recorded_once(f):
    args = {columns: (np.ones(2), 50), rows: (np.ones(2), 50), read_on_the_way: (0.5, 50)}
    graph = ag.to_graph(f).graph(*args.get(f, (0.5,))).main
    loops = [node for node in graph.nodes if node.op.name in ("for_loop", "while_loop")]
    assert len(loops) == 1
    assert sum(node.op.name == "concatenate" for node in graph.nodes) <= 1


def test_any_number_of_trips_is_recorded_once():
    f = ag.to_graph(columns)
    for n in (3, 50, 51, 0):
        assert f(np.ones(2), n).shape == (2, n + 1)
    assert len(f.compiled_forms()) == 1


def test_lanes_are_one_kernel():
    x = np.linspace(0.1, 1.0, 8).reshape(4, 2)
    found = ag.vmap(lambda x: columns(x, 30))(x)
    assert np.allclose(found, [columns(row, 30) for row in x])


def test_a_sum_that_begins_with_a_number_stays_a_loop():
    def summed(x):
        s = 0
        for i in range(100):
            s = s + x * i
        return s

    f = ag.to_graph(summed)
    assert np.array_equal(f(np.ones(3)), summed(np.ones(3)))
    assert any(node.op.name == "for_loop" for node in f.graph(np.ones(3)).main.nodes)
