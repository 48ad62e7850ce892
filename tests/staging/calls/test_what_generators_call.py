"""Functions that generators call print, and change things, when the program runs."""

import numpy as np

from tests.support.oracle import Programs

programs = Programs()


@programs.test
def test_program(call):
    call.run()
    call.run()  # what was done while it was recorded is done again


def shown(v):
    print("shown", v)
    return v * 2.0


FUNCTIONS = [shown]
BY_NAME = {"shown": shown}


def found():
    return shown


def of_containers(x):
    yield FUNCTIONS[0](x)
    yield BY_NAME["shown"](x)
    yield found()(x)
    yield (shown if found else None)(x)
    yield (lambda v: shown(v))(x)
    yield from map(shown, [x])
    yield sum(shown(v) for v in [x, 1.0])


@programs(1.5)
@programs(2.5)
def what_containers_hold(x):
    return list(of_containers(x))


@programs(1.5)
@programs(2.5)
def generators_inside_of_a_function(x):
    def inner():
        print("begin")
        sent = yield x
        print("end", sent)
        return 5

    def outer():
        print("value", (yield from inner()))
        for v in inner():
            yield v + 1.0

    return list(outer())


@programs(1.5, 2)
@programs(2.5, 3)
def recursion_inside_of_a_function(x, n):
    def down(n):
        print("in", n)
        if n > 0:
            yield from down(n - 1)
        yield n * x
        print("out", n)

    return list(down(n))


@programs(1.5, 2)
@programs(2.5, 3)
def functions_beside_them(x, n):
    out, seen = np.zeros(3), []

    def put(i):
        out[i] = x
        seen.append(i * x)
        return i - x

    def items(n):
        for i in range(n):
            yield put(i)

    def all_items():
        for v in items(n):
            yield v + sum(items(1))

    return list(all_items()), out, seen


@programs(1.5)
@programs(2.5)
def a_generator_that_a_function_made(x):
    def made():
        def first():
            print("first")
            yield x
            yield from second()

        def second():
            print("second")
            yield 2.0

        return first

    return [*made()()]
