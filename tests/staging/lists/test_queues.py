"""Deques of which only the run knows how long they are."""

from collections import deque

import numpy as np
import pytest

import autograph as ag
from autograph.errors import AutographError, MutationError
from tests.support.oracle import check

X = np.random.default_rng(0).normal(size=12)


def distances(linked, start):
    """Breadth first."""
    found = np.full(len(linked), -1)
    found[start] = 0
    waiting = deque([start])
    while waiting:
        u = waiting.popleft()
        for v in range(len(linked)):
            if linked[u, v] and found[v] < 0:
                found[v] = found[u] + 1
                waiting.append(v)
    return found


def maxima(x, width):
    """Of each window, by the places of what may be one."""
    places = deque()
    out = []
    for i in range(len(x)):
        while places and x[places[-1]] <= x[i]:
            places.pop()
        places.append(i)
        if places[0] <= i - width:
            places.popleft()
        if i >= width - 1:
            out.append(x[places[0]])
    return np.array(out)


def from_both_ends(x):
    q = deque([x[0]])
    total = 0.0 * x[0]
    for v in x:
        if v > 0:
            q.append(v)
        elif v < -1:
            q.appendleft(v)
        else:
            q.extend([v, 2 * v])
            q.extendleft([3 * v, 4 * v])
        if len(q) > 5:
            total += q.popleft() - q.pop()
            del q[1]
            q[0] = v
    return total, list(q), np.array(q), len(q), sum(q), q[-1], q.maxlen, bool(q)


def made_of_it(x):
    q = deque()
    for v in x:
        if v > 0:
            q.append(v)
    other = q.copy()
    other.reverse()
    other.insert(1, x[0])
    return isinstance(q, deque), isinstance(q, list), type(q) is deque, other[1], [v + 1 for v in q]


def returned(x):
    q = deque()
    for v in x:
        if v > 0:
            q.append((v, len(q)))
    return q, {"again": q}


def helped(q, v):
    q.append(v)
    return q.popleft()


def passed_on(x):
    q = deque([x[0]])
    total = 0.0 * x[0]
    for v in x:
        if v > 0:
            total += helped(q, v)
        else:
            q.append(v)
    return total, len(q)


class Worker:
    def __init__(self):
        self.tasks = deque()
        self.done = 0.0

    def run(self):
        while self.tasks:
            size = self.tasks.popleft()
            self.done += size
            if size > 1.0:
                self.tasks.append(size / 2)
        return self.done


def of_an_object(x):
    worker = Worker()
    for v in x:
        worker.tasks.append(v)
    return worker.run(), len(worker.tasks)


FUNCTIONS = [from_both_ends, made_of_it, returned, passed_on, of_an_object]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_deques_do(function):
    for x in (X, -X, X[:3]):
        check(function, x)


def test_searches():
    check(distances, np.random.default_rng(1).random((20, 20)) < 0.1, 3)
    for width in (1, 3):
        check(maxima, X, width)


def test_errors_are_those_of_deques():
    def empty(x):
        q = deque()
        for v in x:
            if v > 10:
                q.append(v)
        return q.popleft()

    def outside(x):
        q = deque([x[0]])
        for v in x:
            if v > 0:
                q.append(v)
        return q[len(x) + 3]

    with pytest.raises(IndexError, match="pop from an empty deque"):
        ag.to_graph(empty)(X)
    with pytest.raises(IndexError, match="deque index out of range"):
        ag.to_graph(outside)(X)


def shown(x):
    q = deque()
    for v in x:
        if v > 0:
            q.append(v)
    return f"{q}"


def compared(x):
    q = deque()
    for v in x:
        if v > 0:
            q.append(v)
    return q == [1.0]


def bounded(x):
    q = deque(maxlen=3)
    for v in x:
        if v > 0:
            q.append(v)
    return len(q)


def moved_on_the_way(x):
    q = deque()
    for v in x:
        if v > 0:
            q.append(v)
    for v in q:
        q.append(q.popleft())
    return q


def changed_after_iter(x):
    q = deque()
    for v in x:
        if v > 0:
            q.append(v)
    places = iter(q)
    q.append(x[0])
    return next(places)


REFUSED = [shown, compared, bounded, moved_on_the_way, changed_after_iter]


@pytest.mark.parametrize("function", REFUSED)
def test_what_is_refused_says_what_was_refused_of_a_deque(function):
    """Where it does not help that deques are lists, the error is that without."""
    with pytest.raises(AutographError, match=r"the deque 'q'"):
        ag.to_graph(function)(X)


def test_those_of_known_lengths_are_what_they_were():
    def known(x):
        q = deque([1, "two", x])
        q.rotate(1)
        return list(q), q == deque([3]), str(deque([1, 2]))

    check(known, X)


def test_gradients():
    def total(x):
        q = deque([x[0]])
        for v in x:
            if v > 0:
                q.append(v * v)
            else:
                q.append(q.popleft() * v)
        return sum(q)

    ag.check_grads(total, [X], order=2)


def appended_on_the_way(x):
    q = deque()
    for v in x:
        if v > 0:
            q.append(v)
    for v in q:
        if v > 2:
            q.append(v)
    return len(q)


def counted_on_the_way(x):
    q = deque([x[0]])
    for v in x:
        if v > 0:
            q.append(v)
    for i, v in enumerate(q):
        if v > 2:
            q.appendleft(v + i)
    return len(q)


def taken_before_the_end(x):
    q = deque()
    for v in x:
        if v > 0:
            q.append(v)
    for v in q:
        if v > 2:
            q.remove(v)
            break
    for i, _ in enumerate(q):
        if i > 1:
            q.popleft()
            q.pop()
            break
    return q


@pytest.mark.parametrize(
    "function", [appended_on_the_way, counted_on_the_way, taken_before_the_end]
)
def test_none_changes_its_length_while_something_goes_through_it(function):
    for x in (X, -X, X[:3], np.arange(5.0)):
        check(function, x)


def test_what_errors_say_is_what_deques_say():
    def q_of(x):
        q = deque([x[0]])
        for v in x:
            if v > 0:
                q.append(v)
        return q

    def written(x):
        q = q_of(x)
        q[99] = x[0]

    def deleted(x):
        q = q_of(x)
        del q[99]

    def searched(x):
        return q_of(x).index(77.0)

    def removed(x):
        q_of(x).remove(77.0)

    def known(x):
        return deque([1.0, 2.0]).index(x[0] + 77.0)

    for function in (written, deleted, searched, removed, known):
        check(function, X)


def test_it_has_no_attributes_but_those_of_deques():
    def asked(x):
        q = deque()
        for v in x:
            if v > 0:
                q.append(v)
        has = hasattr(q, "sort"), hasattr(q, "rows"), hasattr(q, "popleft"), callable(q)
        return has, getattr(q, "sort", None), dir(q), isinstance(q, deque), type(q) is deque

    check(asked, X)


@pytest.mark.parametrize("x", [-1.5, 1.5])
def test_a_loop_through_a_deque_that_a_branch_changes(x):
    """Python says that it has changed, also where the branch is not taken that was recorded."""

    def turned(x):
        queue, total = deque([1.0, 2.0, x]), 0.0
        for item in queue:
            total += item
            if x > 0:
                queue.rotate(1)
        return total

    with pytest.raises(MutationError, match="AG0788"):
        ag.to_graph(turned)(x)


def test_a_loop_through_a_copy_of_a_deque_that_a_branch_changes():
    def turned(x):
        queue, total = deque([1.0, 2.0, x]), 0.0
        for item in list(queue):
            total += item
            if x > 0:
                queue.rotate(1)
        return total, list(queue)

    for x in (-1.5, 1.5):
        check(turned, x)
