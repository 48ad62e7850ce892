"""`while` loops on values known at run time."""

import numpy as np

from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_while(call):
    call.run()


@programs.smooth(3.0)
@programs.smooth(0.5)
@programs.smooth(100.0)
def halve_until_small(x):
    while x > 1:
        x = x * 0.5
    return x


@programs(5)
@programs(0)
@programs(1)
def count_down(n):
    total = 0
    while n:
        total += n
        n -= 1
    return total, n


@programs(5)
@programs(0)
def int_becomes_float(n):
    x = 1
    while n > 0:
        x = x * 1.5
        n -= 1
    return x


@programs(3)
@programs(0)
def assigned_only_in_the_loop(n):
    i = 0
    while i < n:
        last = i * 2
        i += 1
    return last


@programs(3)
@programs(0)
def while_else(n):
    i = 0
    while i < n:
        i += 1
    else:
        i = -i
    return i


@programs(10, 3)
@programs(10, 30)
@programs(0, 3)
def while_else_with_break(n, stop):
    i = 0
    while i < n:
        if i == stop:
            break
        i += 1
    else:
        i = -i
    return i


@programs(4, 3)
@programs(0, 3)
@programs(4, 0)
def nested_loops(n, m):
    total, i = 0, 0
    while i < n:
        j = 0
        while j < m:
            total += i * j
            j += 1
        i += 1
    return total, i


@programs(5)
def condition_with_effects_of_the_body(n):
    a = np.zeros(8)
    i = 0
    while a.sum() < n:
        a[i] = i
        i += 1
    return a, i


@programs(np.array([3.0, 1.0]))
def array_state(x):
    while np.max(np.abs(x)) > 0.1:
        x = x / 2
    return x


@programs(7)
def walrus_in_the_test(n):
    total = 0
    while (half := n // 2) > 0:
        total += half
        n = half
    return total, half


@programs(5.0)
@programs(0.0)
def true_with_break(x):
    n = 0
    while True:
        if x < 1:
            break
        x -= 1
        n += 1
    return x, n


@programs(5.0)
def true_with_return(x):
    n = 0
    while True:
        x *= 0.5
        n += 1
        if x < 0.1:
            return x, n


@programs(np.array([1, 2, 0, 4]))
@programs(np.array([1, 2, 3, 4]))
def short_circuit_guards_the_index(a):
    i = 0
    while i < len(a) and a[i] != 0:
        i += 1
    return i


@programs(6)
def swap_each_trip(n):
    a, b = 0.0, 1.0
    while n > 0:
        a, b = b, a
        n -= 1
    return a, b


@programs(6)
@programs(0)
def swap_arrays_each_trip(n):
    a, b = np.zeros(2), np.ones(2)
    while n > 0:
        a, b = b, a + b
        n -= 1
    return a, b


@programs(2.0)
def prints_each_trip(x):
    while x > 0.3:
        print("x is", x)
        x /= 2
    return x


@programs(3)
@programs(0)
def state_in_a_tuple(n):
    state = (0, (1.0, [2]))
    while state[0] < n:
        state = (state[0] + 1, (state[1][0] * 2, [state[1][1][0] + 3]))
    return state


@programs(3)
def state_in_a_dict(n):
    state = {"i": 0, "x": 1.0}
    while state["i"] < n:
        state = {"i": state["i"] + 1, "x": state["x"] * 2}
    return state


@programs(np.float32(10))
def float32_state_stays(x):
    n = 0
    while x > 1:
        x = x / 2
        n += 1
    return x, n


@programs(np.array([10.0, 3.0], dtype=np.float32))
def float32_accumulator_starts_as_int(x):
    total = 0
    i = 0
    while i < len(x):
        total = total + x[i]
        i += 1
    return total


@programs(10)
def static_loop_on_a_list(n):
    layers = [1.0, 2.0, 3.0]
    x = 0.0
    i = 0
    while i < len(layers):
        x = x + layers[i] * n
        i += 1
    return x


@programs(1.0)
def runs_as_python_when_it_must(x):
    parts = []
    k = 0
    while k < 3:
        parts.append(x * k)
        k += 1
    return parts


@programs(5)
@programs(0)
def loop_variable_used_only_after(n):
    i = 0
    seen = -1
    while i < n:
        if i % 2 == 0:
            seen = i
        i += 1
    return seen


@programs(3)
def lambda_made_in_a_loop(n):
    i, total = 0, 0
    while i < n:
        f = lambda v: v + i
        total += f(10)
        i += 1
    return total


@programs(3)
def continue_in_while(n):
    i, total = 0, 0
    while i < 10:
        i += 1
        if i % n == 0:
            continue
        total += i
    return total


@programs(5)
def unchanged_state_is_kept(n):
    name = "text"
    x = np.arange(3.0)
    i = 0
    while i < n:
        i += 1
        name = name
    return name, x, i


@programs(2.0)
@programs(0.1)
def while_in_a_branch(x):
    if x > 1:
        while x > 0.5:
            x /= 3
    else:
        while x < 1:
            x *= 3
    return x


@programs(1.0)
def numpy_float_becomes_state(x):
    y = 1.0
    while x < 5:
        y = np.sqrt(y + x)
        x += 1
    return y, x


@programs(3)
@programs(0)
def bool_state(n):
    found = False
    i = 0
    while i < 5:
        found = found or i == n
        i += 1
    return found


@programs(3)
def flag_ends_the_loop(n):
    done = False
    i = 0
    while not done:
        i += 1
        done = i * i > n
    return i, done


@programs(0)
@programs(4)
def none_until_found(n):
    best = 0
    k = 0
    while k < n:
        best = max(best, (k * 7) % 5)
        k += 1
    return best


@programs(np.arange(8.0))
def shapes_of_a_number_that_doubles(x):
    i, total = 1, 0.0
    while i < len(x):
        total = total + np.sum(x.reshape(i, -1)[0]) + np.sum(np.tile(x[:i], len(x) // i) * x)
        i *= 2
    return total


@programs(np.arange(8.0))
def butterflies(x):
    i = 2
    while i <= len(x):
        blocks = x.reshape(-1, i)
        a, b = blocks[:, : i // 2], blocks[:, i // 2 :]
        x = np.concatenate([a + b, a - b], axis=1).reshape(-1)
        i *= 2
    return x
