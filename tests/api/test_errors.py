"""Every error names the user's file, line and column, shows the line, and proposes a fix, unless it
is one of NumPy's own.

The line of an error is the one marked ``# here``; a second site is marked ``# there``.
"""

import traceback
from types import SimpleNamespace

import numpy as np
import pytest

import autograph as ag
from autograph import errors
from tests.support.lines import line_of

CASES = []


def fails(kind, *args, says, **options):
    """A decorator: called with ``args``, the function fails with this kind of error."""

    def add(function):
        CASES.append(pytest.param(function, args, kind, says, options, id=function.__name__))
        return function

    return add


def message_of(function, args, kind, **options):
    with pytest.raises(kind) as caught:
        ag.to_graph(function, **options)(*args)
    return str(caught.value), caught.value


@pytest.mark.parametrize("function, args, kind, says, options", CASES)
def test_error(function, args, kind, says, options):
    message, error = message_of(function, args, kind, **options)
    assert isinstance(error, errors.AutographError)
    assert message.startswith(f"[{error.id}] ") and error.id
    assert says in message
    assert f"{__file__}:{line_of(function)}" in message
    there = line_of(function, "# there")
    assert there is None or f"{__file__}:{there}" in message
    assert "# here" in message, "the source line is shown"
    assert "^" in message or error.location.column is None
    assert "\n  Fix: " in message or error.__cause__ is not None, "NumPy's own errors have none"


X = np.arange(3.0)

# -- refused because of an argument ----------------------------------------------------------------


@fails(
    TypeError,
    {"layers": [SimpleNamespace(w=X.astype(np.longdouble))]},
    says=f"params['layers'][0].w is an array of dtype {np.dtype(np.longdouble)}",
)
def has_an_argument_of_many_bits(params):  # here
    return params["layers"][0].w


# -- refused before anything runs ------------------------------------------------------------------


@fails(NotImplementedError, 1.0, says="asynchronous function")
def defines_a_coroutine(x):
    async def inner():  # here
        pass

    return x


@fails(NotImplementedError, 1.0, says="global variable 'STATE'")
def assigns_a_global_that_a_variable_hides(x):
    STATE = x

    def assign():
        global STATE  # here
        STATE = x

    assign()
    return STATE


@fails(errors.UnsupportedConstructError, 1.0, says="locals")
def looks_at_its_frame(x):
    return locals()  # here


# -- values that are needed while recording --------------------------------------------------------


@fails(TypeError, X, says="known only at run time")
def shape_from_the_data(x):
    return np.eye(int(x.sum()))  # here


@fails(TypeError, X, says="contents of a text")
def text_of_the_data(x):
    return len(f"{x[0]}")  # here


@fails(ValueError, X, says="truth value of an array")
def truth_of_an_array(x):
    if x > 1:  # here
        return x
    return -x


# -- control flow ----------------------------------------------------------------------------------


@fails(TypeError, X, says="variable 'y'")
def branches_of_two_shapes(x):
    if x[0] > 1:  # here
        y = np.stack([x, x])  # there
    else:
        y = x * 2
    return y


@fails(TypeError, X, says="types that do not fit")
def branches_of_two_structures(x):
    if x[0] > 1:  # here
        y = (x, x)
    else:
        y = x * 1  # there
    return y


@fails(TypeError, 3.0, says="'y' changes from one trip of the loop to the next")
def loop_changes_a_shape(n):
    y = np.zeros(1)  # there
    while n > 0:  # here
        y = np.stack([y, y])
        n = n - 1
    return y


@fails(TypeError, 3.0, says="'y' changes")
def loop_changes_a_structure(n):
    y = 0.0
    while n > 0:  # here
        y = (y, 1.0)
        n = n - 1
    return y


@fails(UnboundLocalError, 1.0, says="variable 'y' is read before it is assigned")
def never_assigned(x):
    if x is None:
        y = 1
    return x + y  # here


@fails(RuntimeError, 1.0, says="more than 10 trips", unroll_limit=10)
def unrolled_too_far(x):
    parts = [1.0] * 20
    for part in parts:  # here
        x = x + part
    return x


@fails(TypeError, 3, says="result type of the recursive function")
def recursion_without_an_end(n):
    return recursion_without_an_end(n - 1)  # here


@fails(errors.UnsupportedConstructError, 1.0, says="with a list in it")
def raises_with_a_list(x):
    if x > 0:
        raise ValueError("bad", [x])  # here
    return x


class Box:
    content = 1.0


BOX = Box()


# -- operators -------------------------------------------------------------------------------------


@fails(TypeError, 1.0, says="unsupported operand type(s) for +: 'float' and 'str'")
def adds_a_text(x):
    return x + "1"  # here


@fails(TypeError, 1.0, says="unsupported operand type(s) for -: 'NoneType' and 'float'")
def subtracts_from_none(x):
    return None - x  # here


@fails(TypeError, 1, says="'<' not supported between instances of 'int' and 'NoneType'")
def compares_with_none(x):
    return x < None  # here


@fails(TypeError, 1.0, says="'float' object is not subscriptable")
def indexes_a_number(x):
    return x[0]  # here


@fails(TypeError, 1, says="'int' object is not iterable")
def goes_through_a_number(x):
    for part in x:  # here
        x = part
    return x


@fails(TypeError, 1.0, says="object of type 'float' has no len()")
def length_of_a_number(x):
    return len(x)  # here


@fails(ValueError, X, says="side must be 'left' or 'right'")
def argument_that_does_not_exist(x):
    return np.searchsorted(x, 1.0, side="both")  # here


@fails(NotImplementedError, X, says="the argument 'like' is not supported")
def argument_that_is_not_supported(x):
    return np.full(3, x[0], like=x)  # here


@fails(ValueError, X, says="(2,)")
def shapes_that_do_not_fit(x):
    return x + x[1:]  # here


@fails(IndexError, X, says="index 7")
def static_index_out_of_range(x):
    return x[7]  # here


@fails(IndexError, X, says="too many indices")
def too_many_indices(x):
    return x[0, 1]  # here


@fails(TypeError, X, says="cannot cast")
def float_into_int_array(x):
    y = np.zeros(3, dtype=int)
    y += x  # here
    return y


@fails(NotImplementedError, X, says="np.roots is not supported")
def unsupported_function(x):
    return np.roots(x)  # here


@fails(NotImplementedError, X, says="another result at each call")
def random_numbers(x):
    return x + np.random.rand(3)  # here


@fails(TypeError, X, says="Box")
def operand_that_is_no_array(x):
    return np.sin(x) + np.multiply(x, BOX)  # here


@fails(TypeError, X, says="copy")
def view_or_copy(x):
    y = np.outer(x, x)
    z = y.T.reshape(9)
    z[0] = 1.0  # here
    return y.sum() + z.sum()


# -- gradients -------------------------------------------------------------------------------------


@fails(TypeError, X, says="real scalar")
def gradient_of_an_array(x):
    return ag.grad(lambda v: v * v)(x)  # here


@fails(TypeError, X, says="a function that is differentiated changes an array")
def gradient_of_a_function_with_effects(x):
    def loss(y):
        y[0] = 0.0  # here
        return np.sum(y)

    return ag.grad(loss)(x)


@fails(TypeError, X, says="argument 0")
def gradient_by_an_integer(x):
    return ag.grad(lambda n: n * 1.0)(3)  # here


# -- what has no line ------------------------------------------------------------------------------


def test_no_source():
    for function in (dict, eval("lambda x: x"), np.float64):
        with pytest.raises(errors.NoSourceError, match="Fix: "):
            ag.to_graph(function)


def test_generator_functions():
    def generator(x):
        yield x

    async def coroutine(x):
        return x

    for function in (generator, coroutine):
        with pytest.raises(errors.GeneratorFunctionError, match="Fix: "):
            ag.to_graph(function)


def test_the_source_has_changed(tmp_path):
    file = tmp_path / "changing.py"
    file.write_text("def f(x):\n    return x + 1\n")
    namespace = {}
    exec(compile(file.read_text(), str(file), "exec"), namespace)
    file.write_text("def f(x):\n    return x + 2\n")
    with pytest.raises(errors.ChangedSourceError, match="changed"):
        ag.to_graph(namespace["f"])


# -- errors when the program runs ------------------------------------------------------------------


def divides(n):
    m = n - 1
    return 10 // m  # here


def indexes(x, i):
    y = x * 2
    return y[i]  # here


def raises(x):
    for i in range(3):
        if x > i:
            raise ValueError("too large")  # here
    return x


def asserts(x):
    assert x > 0, "must be positive"  # here
    return x


RUNTIME = [
    (divides, (1,), ZeroDivisionError, "integer division or modulo by zero"),
    (indexes, (X, 5), IndexError, "index 5 is out of bounds"),
    (raises, (1.0,), ValueError, "too large"),
    (asserts, (-1.0,), AssertionError, "must be positive"),
]


@pytest.mark.parametrize("function, args, kind, says", RUNTIME)
def test_runtime_errors_point_at_the_users_line(function, args, kind, says):
    with pytest.raises(kind, match=says) as caught:
        ag.to_graph(function)(*args)
    shown = "".join(traceback.format_exception(caught.value))
    assert f"{__file__}:{line_of(function)}" in shown


def test_the_traceback_of_recording_goes_through_the_users_lines():
    with pytest.raises(ValueError) as caught:
        ag.to_graph(shapes_that_do_not_fit)(X)
    frames = traceback.extract_tb(caught.value.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == __file__]
    assert line_of(shapes_that_do_not_fit, "# here") in lines


def test_sequences_do_not_become_arrays():
    with pytest.raises(TypeError):
        ag.to_graph(lambda x: x + [1.0])(2.0)
    with pytest.raises(TypeError):
        ag.to_graph(lambda x: [1.0] * x)(2.0)


@pytest.mark.parametrize(
    "outside",
    [np.array([1.0], ">f8"), np.longdouble(2), np.array(["a"]), np.array([None])],
    ids=lambda x: str(x.dtype),
)
def test_operands_of_dtypes_that_are_not_supported(outside):
    with pytest.raises(errors.OperandTypeError, match=f"an operand has dtype {outside.dtype}"):
        ag.to_graph(lambda x: x + outside)(2.0)


def test_arrays_of_as_many_axes_as_numpy_has():
    x = np.full((1,) * 64, 2.0)
    np.testing.assert_array_equal(ag.to_graph(lambda x: x * x + np.ones(3))(x), x * x + np.ones(3))
