"""`for` loops over ranges, arrays and Python containers."""

import numpy as np

from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_for(call):
    call.run()


@programs.smooth(np.array([1.0, 2.0, 3.0]))
def sum_of_elements(x):
    total = 0.0
    for v in x:
        total += v * v
    return total


@programs(np.zeros(0))
@programs(np.ones(3))
def int_accumulator(x):
    total = 0
    for v in x:
        total += v
    return total


@programs(np.arange(6.0).reshape(2, 3))
def rows(x):
    total = np.zeros(3)
    for row in x:
        total += row
    return total


@programs(np.arange(6.0).reshape(2, 3))
def rows_are_views(x):
    for row in x:
        row[0] = -1
    return x


@programs(4)
@programs(0)
@programs(-2)
def traced_range(n):
    total = 0
    for i in range(n):
        total += i
    return total


@programs(2, 10, 3)
@programs(10, 2, -3)
@programs(2, 2, 1)
@programs(10, 2, 3)
@programs(2, 10, 0)
def range_with_step(start, stop, step):
    total, count = 0, 0
    for i in range(start, stop, step):
        total += i
        count += 1
    return total, count


@programs(5)
@programs(0)
def loop_variable_after_the_loop(n):
    i = -1
    for i in range(n):
        pass
    return i


@programs(5)
@programs(0)
def loop_variable_undefined_without_trips(n):
    for i in range(n):
        pass
    return i


@programs(5)
def body_rebinds_the_loop_variable(n):
    total = 0
    for i in range(n):
        i = i * 2
        total += i
    return total, i


@programs(5)
def body_changes_the_bound(n):
    total = 0
    for i in range(n):
        n = n - 1
        total += i
    return total, n


@programs(np.array([1.0, 2.0, 3.0]))
def body_changes_the_array(x):
    total = 0.0
    for i, v in enumerate(x):
        x[len(x) - 1 - i] = 10.0
        total += v
    return total


@programs(np.array([1.0, 2.0, 3.0]))
def body_rebinds_the_array(x):
    total = 0.0
    for v in x:
        x = x * 2
        total += v
    return total, x


@programs(np.array([1.0, 2.0]), np.array([3.0, 4.0, 5.0]))
def zip_is_as_long_as_the_shortest(x, y):
    total = 0.0
    for a, b in zip(x, y):
        total += a * b
    return total, a


@programs(np.array([1.0, 2.0, 4.0]))
def enumerate_from(x):
    total = 0.0
    for i, v in enumerate(x, 1):
        total += i * v
    return total


@programs(np.array([1.0, 2.0, 4.0]))
def reversed_array(x):
    total = 0.0
    for v in reversed(x):
        total = total * 2 + v
    return total


@programs(5)
def reversed_range(n):
    total = 0
    for i in reversed(range(n)):
        total = total * 2 + i
    return total


@programs(2.0)
def python_list(x):
    total = 0.0
    for w in [1.0, 2.0, x]:
        total += w * x
    return total


@programs(2.0)
def list_of_layers(x):
    for f in (np.sin, np.cos, abs, lambda v: v * 2):
        x = f(x)
    return x


@programs(2.0)
def items_of_a_dict(x):
    total = 0.0
    for name, w in {"a": 1.0, "b": 2.0}.items():
        total += w * x if name == "a" else w
    return total


@programs(np.array([1.0, 2.0]))
def comprehension(x):
    return [v * 2 for v in x], [i + 1 for i in range(3)], sum(v for v in x)


@programs(2.0)
def comprehension_with_condition(x):
    return [x * i for i in range(6) if i % 2 == 0]


@programs({"a": 1.0, "b": np.ones(2)})
def comprehension_over_a_dict(params):
    return {k: v * 2 for k, v in params.items()}


@programs(np.arange(4.0))
def appends_in_a_static_loop(x):
    out = []
    for i in range(len(x)):
        out.append(x[i] * i)
    return np.array(out)


@programs(np.arange(4.0))
def appends_over_an_array(x):
    out = []
    for v in x:
        out.append(v * 2)
    return out


@programs(3, 4)
@programs(0, 4)
@programs(3, 0)
def nested_ranges(n, m):
    total = 0
    for i in range(n):
        for j in range(i, m):
            total += i * j
    return total


@programs(np.arange(12.0).reshape(3, 4))
def double_loop_over_elements(x):
    total = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            total += x[i, j] * (i + j)
    return total


@programs(10, 3)
@programs(2, 3)
def for_else(n, stop):
    for i in range(n):
        if i == stop:
            result = i
            break
    else:
        result = -1
    return result


@programs(np.array([1.0, -2.0, 3.0]))
def continue_in_for(x):
    total = 0.0
    for v in x:
        if v < 0:
            continue
        total += v
    return total


@programs(np.array([1.0, -2.0, 3.0]))
@programs(np.array([1.0, 2.0, 3.0]))
def break_in_for(x):
    total = 0.0
    for v in x:
        if v < 0:
            break
        total += v
    return total, v


@programs(np.array([1.0, -2.0, 3.0]))
@programs(np.array([1.0, 2.0, 3.0]))
def return_in_for(x):
    for i, v in enumerate(x):
        if v < 0:
            return i
    return -1


@programs(np.array([[1, -1], [-1, 1]]))
@programs(np.array([[1, 1], [1, 1]]))
def return_from_nested_for(x):
    for i in range(2):
        for j in range(2):
            if x[i, j] < 0:
                return i, j
    return -1, -1


@programs(np.array([3.0, 1.0, 2.0]))
def argmax_by_loop(x):
    best, where = -np.inf, 0
    for i in range(len(x)):
        if x[i] > best:
            best, where = x[i], i
    return best, where


@programs(np.array([3, 1, 2]))
def integer_elements_as_indices(index):
    out = np.zeros(5)
    for i in index:
        out[i] += i
    return out


@programs(5)
def index_sets_a_shape(n):
    total = 0.0
    for i in range(1, 4):
        total += np.ones(i).sum() * n
    return total


@programs(5.0)
def index_picks_from_a_list(x):
    weights = [1.0, 2.0, 3.0]
    for i in range(3):
        x = x * weights[i]
    return x


@programs(np.arange(5.0))
def slice_of_growing_length(x):
    total = 0.0
    for i in range(len(x)):
        total += np.sum(x[:i])
    return total


@programs(np.arange(6.0))
def window_of_fixed_length(x):
    out = np.zeros(4)
    for i in range(4):
        out[i] = np.sum(x[i : i + 3])
    return out


@programs(np.arange(6.0))
def writes_a_window(x):
    for i in range(4):
        x[i : i + 2] += 1
    return x


@programs(2.0)
def tuple_unpacking(x):
    total = 0.0
    for a, (b, c) in [(1, (2, 3)), (4, (5, 6))]:
        total += a * b * c * x
    return total


@programs(np.arange(3.0))
def tuple_target_is_an_element(x):
    out = np.zeros(3)
    for i, out[i] in enumerate(x):
        out[i] *= 2
    return out


@programs(300)
def many_trips(n):
    total = 0.0
    for i in range(1000):
        total += i * n
    return total


@programs(np.ones(3))
def zero_trips(x):
    for i in range(0):
        x = x * i
    return x


@programs(2.0)
def power_by_loop(x):
    result = 1
    for _ in range(3):
        result = result * x
    return result


@programs(3.0, 4)
def lambdas_capture_the_variable(x, n):
    fs = []
    for i in range(3):
        fs.append(lambda v: v + i)
    return [f(x) for f in fs]


@programs(3.0)
def lambdas_with_defaults(x):
    fs = [lambda v, k=i: v * k for i in range(3)]
    return [f(x) for f in fs]


@programs(np.arange(4))
def accumulates_counts(x):
    counts = np.zeros(4, dtype=int)
    for v in x:
        counts[v % 2] += 1
    return counts


@programs(np.arange(4.0), np.arange(4.0))
def same_loop_variable_twice(x, y):
    s = 0.0
    for v in x:
        s += v
    for v in y:
        s -= 2 * v
    return s, v


@programs(np.arange(3, dtype=np.int32))
def elements_keep_their_dtype(x):
    last = x[0]
    for v in x:
        last = v
    return last, v


@programs(4)
def prints_in_a_loop(n):
    for i in range(n):
        print(i, end=" ")
    print()
    return n
