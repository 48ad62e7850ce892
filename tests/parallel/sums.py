"""Functions for one part of a mesh with sums over "data", of an argument of shape (4, 3)."""

import numpy as np

import autograph as ag
import ops


def total(x):
    return ops.psum(x, "data")


def made_here(x):
    return total(np.sin(x))


def of_a_view(x):
    return total(np.sin(x).T)


def of_a_gradient(x):
    return ag.grad(lambda x: np.sum(np.cos(total(np.sin(x)))))(x)


def in_a_loop(x):
    y = x
    for i in range(3):
        y = y + 0.1 * total(np.cos(y * i))
    return y


def in_a_branch(x):
    y = np.cos(x)
    if total(np.sum(x)) > 0:
        y = total(y)
    return y


@ag.to_graph
def in_a_function(x):
    return total(np.exp(-x)) + 1


def of_what_a_function_returns(x):
    return total(in_a_function(x))


def one_after_the_other(x):
    return total(total(np.cos(x)))


def several_of_one(x):
    y = np.cos(x)
    a, b = total((y, y + 1))
    return a - b


def of_an_argument(x):
    return total(x)


def of_a_part_of_an_argument(x):
    return total(x[:2])


def of_an_argument_turned(x):
    return total(x.T)


def of_a_constant(x):
    return total(np.arange(3.0)) + x


def used_after_its_sum(x):
    y = np.sin(x)
    return total(y) * y


def part_of_it_used_after_its_sum(x):
    y = np.sin(x)
    row = y[1]
    return total(y) + row


def returned_beside_its_sum(x):
    y = np.sin(x)
    return total(y) + 0.0, y


def used_by_the_next_trip(x):
    y, z = np.sin(x), x
    for _ in range(3):
        z = z + total(y)
    return z


def used_by_another_branch(x):
    y = np.sin(x)
    z = total(y) if total(np.sum(x)) > 0 else y
    return z + y


def of_the_same_number_everywhere(x):
    return total(np.broadcast_to(x[0, 0] + 1, (4, 3)))


def of_an_argument_that_a_function_returns(x):
    @ag.to_graph
    def same(x, n):
        return x if n == 0 else same(x, n - 1)

    return total(same(x, 2)) + x


IN_PLACE = [
    made_here, of_a_view, of_a_gradient, in_a_loop, in_a_branch, in_a_function,
    of_what_a_function_returns, one_after_the_other,
]  # fmt: skip
COPIED = [
    of_an_argument, of_a_part_of_an_argument, of_an_argument_turned, of_a_constant,
    used_after_its_sum, part_of_it_used_after_its_sum, returned_beside_its_sum,
    used_by_the_next_trip, used_by_another_branch, of_the_same_number_everywhere,
    of_an_argument_that_a_function_returns,
]  # fmt: skip
