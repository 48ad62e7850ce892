"""What a function changes outside of itself through the functions that it calls: closure cells,
default arguments, attributes of functions, classes and modules."""

import collections
import contextlib
import threading
import types

import numpy as np
import pytest

import autograph as ag
from autograph.errors import MutationError, UnsupportedFunctionError
from tests.support.oracle import outcome


def check_calls(make, *calls):
    """A function made twice, with the state around it, does the same in a sequence of calls."""
    python, compiled = make(), ag.to_graph(make())
    for args in calls:
        expected, found = outcome(python, args), outcome(compiled, args)
        assert found.result == expected.result
        assert found.printed == expected.printed


def counter():
    n = 0

    def count(step=1):
        nonlocal n
        n += step
        return n

    return count, lambda: n


def test_a_callee_assigns_its_nonlocal_variable():
    def make():
        count, present = counter()

        def f(x):
            if x > 0:
                count()
            count(10)
            return present() * x

        return f

    check_calls(make, (2.0,), (-2.0,), (3.0,))


def test_a_generator_assigns_its_nonlocal_variable():
    def make():
        n = 0

        def numbers(count):
            nonlocal n
            for _ in range(count):
                n += 1
                yield n

        return lambda x: sum(numbers(3)) + x

    check_calls(make, (2.0,), (2.0,))


def test_a_local_generator_changes_what_it_captures():
    def make():
        def f(x):
            seen = []

            def twice(m):
                for i in range(m):
                    seen.append(x)
                    yield i

            return sum(twice(3)), seen

        return f

    check_calls(make, (2.0,), (3.0,))


def test_a_mutable_default_is_shared_by_all_calls():
    def make():
        def add(x, items=[]):  # noqa: B006, what is tested
            items.append(x)
            return len(items)

        return lambda x: add(x) + 10 * add(x)

    check_calls(make, (2.0,), (3.0,))


def test_a_mutable_default_of_a_generator():
    def make():
        def add(x, items=[]):  # noqa: B006, what is tested
            items.append(x)
            yield len(items)

        return lambda x: sum(add(x))

    check_calls(make, (2.0,), (3.0,))


def test_an_object_of_a_namespace_from_outside_is_changed():
    def make():
        settings = types.SimpleNamespace(rate=1.0)

        def f(x):
            if x > 2:
                settings.rate = x
            return settings.rate

        return f

    check_calls(make, (1.0,), (3.0,), (2.0,))


def test_an_attribute_of_a_function_is_read_at_each_call():
    def scaled(x):
        return x * scaled.factor

    scaled.factor = 2.0
    f = ag.to_graph(lambda x: scaled(x))
    assert f(3.0) == 6.0
    scaled.factor = 5.0
    assert f(3.0) == 15.0


def test_an_attribute_of_a_function_is_not_changed():
    def square(x):
        square.calls += 1
        return x * x

    square.calls = 0
    with pytest.raises(MutationError, match=r"the function attribute 'square\.calls'"):
        ag.to_graph(lambda x: square(x))(2.0)
    assert square.calls == 0


def test_what_an_attribute_of_a_function_holds_is_not_changed():
    def square(x):
        square.memo["n"] = x
        return x * x

    square.memo = {}
    with pytest.raises(MutationError, match=r"the function attribute 'square\.memo'"):
        ag.to_graph(lambda x: square(x))(2.0)
    assert square.memo == {}


class Shared:
    """An object whose class has a ``__new__`` of its own."""

    def __new__(cls, *args):
        return super().__new__(cls)

    def __init__(self, n):
        self.n = n


def test_an_object_with_its_own_way_to_be_made_is_changed():
    def make():
        shared = Shared(0)

        def f(given, x):
            shared.n += 1
            given.n = given.n + x
            if x > 0:
                shared.n += 10
            return shared.n * x + given.n

        return f

    check_calls(make, (Shared(1.0), 2.0), (Shared(2.0), -2.0))


def test_a_set_and_a_queue_from_outside_are_read_at_each_call():
    def make():
        seen, latest = set(), collections.deque(maxlen=2)

        def f(name, x):
            latest.append(x)
            if name in seen:
                return -sum(latest)
            seen.add(name)
            return sum(latest)

        return f

    check_calls(make, ("a", 1.0), ("a", 2.0), ("b", 3.0))


def test_a_lock_from_outside_is_held():
    lock = threading.Lock()

    def f(x):
        with lock:
            return x + 1

    assert ag.to_graph(f)(1.0) == 2.0
    assert not lock.locked()


settings = types.ModuleType("settings")
settings.rate = 1.0


def test_an_attribute_of_a_module_is_not_deleted():
    def f(x):
        del settings.rate
        return x

    with pytest.raises(MutationError, match="of the module 'settings' is deleted"):
        ag.to_graph(f)(2.0)
    assert settings.rate == 1.0


def test_an_object_in_a_module_is_changed_at_each_call():
    settings.state = types.SimpleNamespace(n=0)

    def f(x):
        settings.state.n += 1
        return settings.state.n * x

    assert [ag.to_graph(f)(2.0), ag.to_graph(f)(2.0)] == [2.0, 4.0]
    assert settings.state.n == 2


class Box:
    def __init__(self, x):
        self.x = x

    def get(self):
        return self.x


@pytest.mark.parametrize(
    "function",
    [
        lambda x: lambda y: x * y,
        lambda x: Box(x).get,
        lambda x: (x * i for i in range(3)),
        lambda x: zip([x], [1.0]),
        lambda x: map(lambda v: v * x, [1.0, 2.0]),
        lambda x: settings,
    ],
    ids=["function", "method", "generator", "zip", "map", "module"],
)
def test_what_only_makes_sense_while_recording_is_not_returned(function):
    with pytest.raises(UnsupportedFunctionError, match="AG0345"):
        ag.to_graph(function)(2.0)


def test_a_function_is_not_stored_in_an_object():
    def keep(box, x):
        box.function = lambda y: x * y

    with pytest.raises(UnsupportedFunctionError, match="AG0345"):
        ag.to_graph(keep)(Box(1.0), 2.0)


def test_a_function_without_traced_values_is_returned():
    assert ag.to_graph(lambda x: lambda y: y + 1)(2.0)(3) == 4


def test_callbacks_of_an_exit_stack_are_called_at_each_call():
    def make():
        def f(x):
            with contextlib.ExitStack() as stack:
                stack.callback(print, "left", x)
                x = x + 1
            return x

        return f

    check_calls(make, (1.0,), (2.0,))


TABLE = np.array([1.0, 2.0, 3.0])


def add_to_table(n):
    TABLE[0] = TABLE[0] + n
    TABLE[1:] *= 2.0


def in_a_branch(n):
    if n > 0:
        add_to_table(n)
    return n


def in_a_loop(n):
    while n > 0:
        add_to_table(n)
        n = n - 1.0
    return n


def in_a_recursion(n):
    if n > 0:
        add_to_table(n)
        return in_a_recursion(n - 1.0)
    return n


@pytest.mark.parametrize("function", [in_a_branch, in_a_loop, in_a_recursion])
@pytest.mark.parametrize("n", [2.0, -1.0])
def test_an_array_that_only_a_callee_knows_is_changed_in_control_flow(function, n):
    ends = []
    for run in (function, ag.to_graph(function)):
        TABLE[:] = 1.0, 2.0, 3.0
        ends.append((run(n), TABLE.tolist()))
    assert ends[0] == ends[1]


def test_an_array_that_only_a_callee_knows_is_not_changed_by_what_is_differentiated():
    with pytest.raises(MutationError, match="AG0322"):
        ag.grad(in_a_branch)(2.0)


class Scaled:
    def __init__(self, weights, scale):
        self.weights, self.scale = weights, scale

    @ag.to_graph
    def loss(self, x):
        return np.sum(self.weights * x) * self.scale


@pytest.mark.parametrize("how", ["method", "variable", "attribute", "lambda", "forward"])
def test_a_compiled_method_reads_its_object_at_each_call(how):
    """It is a method of an object from outside: what that holds may be another one."""
    scaled = Scaled(np.ones(3), 2.0)
    method = scaled.loss
    holder = types.SimpleNamespace(method=method)
    x = np.arange(3.0)
    gradient = {
        "method": ag.grad(scaled.loss),
        "variable": ag.grad(lambda x: method(x)),
        "attribute": ag.grad(lambda x: holder.method(x)),
        "lambda": ag.grad(lambda x: scaled.loss(x)),
        "forward": lambda x: ag.jacfwd(scaled.loss)(x),
    }[how]
    assert gradient(x).tolist() == [2.0, 2.0, 2.0]
    scaled.scale = 3.0
    assert gradient(x).tolist() == [3.0, 3.0, 3.0]
    scaled.weights[:] = 5.0
    assert gradient(x).tolist() == [15.0, 15.0, 15.0]
    scaled.weights = np.arange(3.0)
    assert gradient(x).tolist() == [0.0, 3.0, 6.0]
