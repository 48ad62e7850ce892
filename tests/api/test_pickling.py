"""Compiled functions in other processes."""

import pickle

import pytest

import autograph as ag
from autograph import errors
from autograph.source.tree import shipped
from tests.support.processes import file_of, printed

PROGRAM = """
    import sys, subprocess, types
    import cloudpickle, numpy as np, autograph as ag

    @ag.to_graph(static_argnums=1)
    def power(x, n):
        return x if n == 1 else x * power(x, n - 1)

    @ag.custom_vjp
    def cube(x):
        return x ** 3

    cube.defvjp(lambda x: (cube(x), x), lambda x, ct: (30.0 * x * x * ct,))

    class Model:
        def __init__(self, scale):
            self.scale = scale

        @ag.to_graph
        def loss(self, x):
            total = 0.0
            for v in x:
                if v > 1.0:
                    total += self.scale * v * v
            return total

    def doubled(x):
        return 2.0 * x if np.sum(x) > 0 else x

    def outer(scale):
        return ag.to_graph(lambda x: np.sum(x * scale))

    model, x = Model(3.0), np.array([1.0, 2.0])
    uses = [
        (power, (2.0, 3)), (ag.grad(power), (2.0, 3)), (ag.vmap(cube), (x,)),
        (ag.grad(cube), (2.0,)), (model.loss, (x,)), (ag.grad(model.loss), (x,)),
        (Model.loss, (model, x)), (outer(2.0), (x,)), (ag.value_and_grad(outer(2.0)), (x,)),
        (ag.hessian(lambda x: np.sum(x ** 3)), (x,)), (ag.jacrev(cube), (2.0,)),
        (ag.to_graph(lambda x: doubled(x) + 1.0), (x,)),
        (ag.to_graph(ag.grad(lambda x: x * x)), (2.0,)), (ag.vmap(ag.grad(cube), 0), (x,)),
    ]
"""
ELSEWHERE = """
    text = "import pickle, sys; print([f(*a) for f, a in pickle.load(sys.stdin.buffer)])"
    done = subprocess.run([sys.executable, "-c", text], input=cloudpickle.dumps(uses),
                          capture_output=True)
    assert not done.returncode, done.stderr.decode()
    assert done.stdout.decode().strip() == str([f(*a) for f, a in uses])
    print("the same")
"""
LOKY = """
    from joblib import Parallel, delayed

    found = Parallel(n_jobs=2)(delayed(f)(*a) for f, a in uses[:5])
    assert str(found) == str([f(*a) for f, a in uses[:5]])
    print("the same")
"""


def test_cloudpickle_takes_them_by_value(tmp_path):
    pytest.importorskip("cloudpickle")
    assert printed(file_of(tmp_path / "program.py", PROGRAM + ELSEWHERE)) == "the same\n"


def test_in_workers_of_joblib(tmp_path):
    pytest.importorskip("joblib")
    assert printed(file_of(tmp_path / "program.py", PROGRAM + LOKY)) == "the same\n"


def test_code_that_does_not_say_where_it_is_from(tmp_path, monkeypatch):
    """As that which cloudpickle makes anew in another process."""
    monkeypatch.setattr(shipped, "_texts", {})
    file = tmp_path / "program.py"
    file.write_text("import numpy as np\n\n\ndef f(x):\n    return g(x) if x > 0 else x[1, 2]\n")
    text = file.read_text().replace("x[1, 2]", "-x")  # the file has changed since
    names = {"g": lambda x: 3.0 * x}
    exec(compile(text, "<dynamic-code>", "exec"), names)
    with pytest.raises(errors.NoSourceError):
        ag.grad(names["f"])
    gradient = shipped.made_with({str(file): text}, ag.grad, (names["f"],))
    assert gradient(2.0) == 3.0 and gradient(-2.0) == -1.0
    assert "program.py>:5" in ag.to_graph(names["f"]).converted


def weighted(x):
    return 3.0 * x * x


@ag.to_graph
def compiled(x):
    return 3.0 * x * x


@pytest.mark.parametrize("function", [weighted, compiled])
@pytest.mark.parametrize("transform", [ag.grad, ag.vmap, ag.jacfwd, ag.hessian, ag.to_graph])
def test_of_functions_of_modules_they_are_made_again(transform, function):
    made = transform(function)
    again = pickle.loads(pickle.dumps(made))
    argument = [1.0, 2.0] if transform is ag.vmap else 2.0
    if transform is ag.vmap:
        import numpy as np

        argument = np.array(argument)
    assert str(again(argument)) == str(made(argument))


def test_pickle_itself_takes_no_inner_functions():
    for made in (ag.to_graph(lambda x: x), ag.grad(lambda x: x)):
        with pytest.raises(errors.SaveError, match="cannot be pickled") as caught:
            pickle.dumps(made)
        assert __file__ in str(caught.value) and "cloudpickle" in caught.value.fix
