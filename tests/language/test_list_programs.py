"""Programs that build and change lists."""

import numpy as np

from tests.language.corpus import check_program
from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    check_program(call)


@programs.smooth(np.array([0.5, -0.2]), 0.1)
def trajectory(x, dt):
    states = [x]
    for _ in range(6):
        x = x + dt * np.array([x[1], -np.sin(x[0])])
        states.append(x)
    path = np.stack(states)
    return np.sum(path * path)


@programs(1.0, 5)
@programs(1.0, 0)
def append_in_counted_loop(x, n):
    values = []
    for i in range(n):
        values.append(x * i)
    return sum(values)


@programs.smooth(100.0)
@programs.smooth(0.5)
def append_in_while(x):
    halves = [x]
    while x > 1.0:
        x = x / 2
        halves.append(x)
    return sum(halves)


@programs(100.0)
def array_of_unknown_length(x):
    halves = []
    while x > 1.0:
        halves.append(x)
        x = x / 2
    return np.sum(np.array(halves)), len(halves)


@programs(3.0)
@programs(-3.0)
def append_in_one_branch(x):
    log = [0.0]
    if x > 0:
        log.append(x)
    return len(log), log[-1]


@programs(3.0)
@programs(-3.0)
def append_in_both_branches(x):
    log = []
    if x > 0:
        log.append(x)
    else:
        log.append(-x)
    return log


@programs(np.array([2, 3, -1, 4, -2]))
def reverse_polish(codes):
    """Numbers are pushed; -1 adds and -2 multiplies the top two."""
    stack = []
    for c in codes:
        if c == -1:
            b = stack.pop()
            a = stack.pop()
            stack.append(a + b)
        elif c == -2:
            b = stack.pop()
            a = stack.pop()
            stack.append(a * b)
        else:
            stack.append(c)
    return stack[-1], len(stack)


@programs(np.array([1.0, 2.0, 3.0, 4.0]))
def list_as_queue(x):
    queue = [x[0], x[1]]
    out = 0.0
    for v in x[2:]:
        out += queue.pop(0)
        queue.append(v)
    return out, queue


@programs(np.array([1.0, 2.0, 3.0]))
def extend_and_slice(x):
    values = [x[0]]
    values.extend([x[1], x[2]])
    values += [x[0] * 10]
    return values[1:], values[::-1], values[-2]


@programs(np.array([3.0, 1.0, 2.0]))
def list_items_assigned(x):
    values = [0.0, 0.0, 0.0]
    for i in range(3):
        values[i] = x[i] * 2
    values[0], values[2] = values[2], values[0]
    return values


@programs(np.array([1.0, 5.0, 2.0, 7.0]), 3.0)
def collect_above(x, limit):
    kept = []
    for v in x:
        if v > limit:
            kept.append(v)
    return len(kept), sum(kept)


@programs.smooth(np.array([1.0, 5.0, 2.0, 7.0]), 3.0)
def sum_of_collected(x, limit):
    kept = []
    for v in x:
        if v > limit:
            kept.append(v * v)
    return sum(kept)


@programs.smooth(np.array([0.1, 0.2]), np.array([[0.5, 0.1], [0.0, 0.4]]))
def hidden_states(h, w):
    states = []
    for t in range(4):
        h = np.tanh(w @ h + t * 0.1)
        states.append(h)
    first, *_, last = states
    return np.sum(np.array(states)) + np.sum(first * last)


@programs(4)
def pascal(n):
    row = [1]
    for _ in range(n):
        row = [1] + [a + b for a, b in zip(row, row[1:])] + [1]
    return row


@programs(np.array([4.0, 2.0, 9.0]))
def lists_of_lists(x):
    grid = [[0.0, 0.0], [0.0, 0.0]]
    grid[0][1] = x[0]
    grid[1].append(x[1])
    grid.append([x[2]])
    return grid


@programs(2.0)
def two_names_for_a_list(x):
    a = [x]
    b = a
    b.append(x * 2)
    a.append(x * 3)
    return a, len(b), a is b


@programs(2.0, 3)
def list_filled_by_callee(x, n):
    def record(log, value):
        log.append(value)
        return value * 0.5

    log = []
    for _ in range(n):
        x = record(log, x)
    return log, x


@programs([1.0, 2.0], 3.0)
@programs([1.0, 2.0], -3.0)
def argument_list_changed(items, x):
    items.append(x)
    if x > 0:
        items[0] = x * 10
    return len(items)


@programs(np.array([1.0, 2.0, 3.0]))
def inserted_and_removed(x):
    values = list(x)
    values.insert(1, x[0] + x[1])
    del values[0]
    values.reverse()
    return values, [v * 2 for v in values]


@programs(6)
@programs(1)
def memo_table(n):
    memo = [0, 1]
    for i in range(2, n + 1):
        memo.append(memo[i - 1] + memo[i - 2])
    return memo[n]


@programs.smooth(0.3)
def while_with_stack_of_work(x):
    """Integrates by dividing intervals that are not yet good enough."""
    work = [(0.0, 1.0, 0)]
    total = 0.0
    while len(work) > 0:
        a, b, depth = work.pop()
        m = 0.5 * (a + b)
        if depth < 3 and b - a > 0.2:
            work.append((a, m, depth + 1))
            work.append((m, b, depth + 1))
        else:
            total += np.sin(m * x) * (b - a)
    return total


@programs(np.array([1.0, 2.0]))
def repeated_and_joined(x):
    zeros = [0.0] * 3
    joined = zeros + [x[0]]
    return joined, len(joined), x[0] in joined


@programs(np.array([2.0, 1.0, 3.0]))
def best_so_far(x):
    best = []
    for v in x:
        if not best or v > best[-1]:
            best.append(v)
    return len(best), best[-1]
