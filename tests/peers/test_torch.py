"""`to_torch`, beside torch's own gradients; and torch's tensors as arguments."""

import numpy as np
import pytest

import autograph as ag
from autograph.interop import to_torch

torch = pytest.importorskip("torch")


def loss(params, x):
    total = 0.0
    for row in x:
        y = np.tanh(params["w"] @ row + params["b"])
        if np.sum(y) > 0.0:
            total += np.sum(y * y)
        else:
            total -= np.sum(y)
    return total, {"mean": np.mean(x), "count": len(x), "w": params["w"] * 2.0}


def torch_loss(params, x):
    total = 0.0
    for row in x:
        y = torch.tanh(params["w"] @ row + params["b"])
        total = total + ((y * y).sum() if y.sum() > 0.0 else -y.sum())
    return total, {"mean": x.mean(), "count": len(x), "w": params["w"] * 2.0}


def arguments(dtype):
    generator = torch.Generator().manual_seed(0)
    w, b, x = (
        torch.randn(shape, generator=generator, dtype=dtype) for shape in ((3, 4), (3,), (5, 4))
    )
    return {"w": w.requires_grad_(), "b": b.requires_grad_()}, x.requires_grad_()


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_values_and_gradients_are_torchs(dtype):
    gradients = []
    for function in (to_torch(loss), torch_loss):
        params, x = arguments(dtype)
        total, rest = function(params, x)
        assert total.dtype == dtype and rest["count"] == 5
        (total * 3.0 + rest["mean"] + rest["w"].sum()).backward()
        gradients.append([total.detach(), params["w"].grad, params["b"].grad, x.grad])
    for found, expected in zip(*gradients):
        assert found.dtype == expected.dtype
        torch.testing.assert_close(found, expected)


def test_complex_numbers():
    gradients = []
    for function in (to_torch(lambda z: z * z * (1.0 + 2.0j)), lambda z: z * z * (1.0 + 2.0j)):
        z = torch.tensor([1.0 + 1.0j, 2.0 - 0.5j], dtype=torch.complex128, requires_grad=True)
        (function(z) * (0.5 + 1.0j)).abs().sum().backward()
        gradients.append(z.grad)
    torch.testing.assert_close(*gradients)


def test_torch_checks_it():
    f = to_torch(lambda x, y: np.sum(np.sin(x) * y))
    x, y = (torch.rand(3, dtype=torch.float64, requires_grad=True) for _ in range(2))
    assert torch.autograd.gradcheck(f, (x, y))
    assert f(x.detach(), y.detach()).requires_grad is False


def test_second_derivatives():
    x = torch.rand(3, dtype=torch.float64, requires_grad=True)
    found = []
    for f in (to_torch(lambda x: np.sum(x**3) * x[0]), lambda x: (x**3).sum() * x[0]):
        (first,) = torch.autograd.grad(f(x), x, create_graph=True)
        (second,) = torch.autograd.grad((first * x).sum(), x)
        found.append(second)
    torch.testing.assert_close(*found)
    g = to_torch(lambda x, y: np.sum(np.sin(x) * y))
    assert torch.autograd.gradgradcheck(g, (x, x.detach().clone().requires_grad_()))


def test_a_step_of_training():
    layer = torch.nn.Linear(4, 1, dtype=torch.float64)
    optimizer = torch.optim.SGD(layer.parameters(), lr=0.1)
    hinge = to_torch(lambda y: np.sum(np.maximum(0.0, 1.0 - y)))
    x = torch.rand(8, 4, dtype=torch.float64)
    before = hinge(layer(x)).item()
    for _ in range(5):
        optimizer.zero_grad()
        hinge(layer(x)).backward()
        optimizer.step()
    assert hinge(layer(x)).item() < before


def test_tensors_are_arguments_without_a_copy():
    x = torch.ones(3, dtype=torch.float64)

    @ag.to_graph
    def double(x):
        x *= 2.0
        return np.sum(x)

    assert double(x) == 6.0
    assert x[0] == 2.0
    with pytest.raises(TypeError, match="AG0376"):
        ag.grad(lambda x: np.sum(x))(x.requires_grad_())


# -- torch.func --------------------------------------------------------------------------------


def waves(x):
    y = x
    for i in range(4):
        y = np.sin(y * (i + 1.0)) if np.sum(y) > 0 else y * y
    return np.sum(y * x)


def waves_torch(x):
    y = x
    for i in range(4):
        y = torch.where(torch.sum(y) > 0, torch.sin(y * (i + 1.0)), y * y)
    return torch.sum(y * x)


TRANSFORMS = {
    "grad": lambda f: torch.func.grad(f),
    "jacrev of grad": lambda f: torch.func.jacrev(torch.func.grad(f)),
    "vmap": lambda f: torch.func.vmap(f),
    "vmap of grad": lambda f: torch.func.vmap(torch.func.grad(f)),
    "grad of vmap": lambda f: torch.func.grad(lambda xs: torch.func.vmap(f)(xs).sum()),
    "vmap of vmap": lambda f: torch.func.vmap(torch.func.vmap(f)),
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_functions_of_functions(name):
    shape = (4, 3, 2) if name == "vmap of vmap" else (3, 2) if "vmap" in name else (2,)
    x = torch.tensor(np.random.default_rng(0).normal(size=shape) + 0.3)
    found = TRANSFORMS[name](to_torch(waves))(x)
    torch.testing.assert_close(found, TRANSFORMS[name](waves_torch)(x))


def test_lanes_of_some_arguments_along_any_axis():
    f = to_torch(lambda p, x, name: {"y": p["w"] @ x + p["b"], "n": len(name)})
    p = {"w": torch.ones(3, 2, dtype=torch.float64), "b": torch.zeros(3, dtype=torch.float64)}
    xs = torch.arange(8, dtype=torch.float64).reshape(2, 4)
    found = torch.func.vmap(lambda x: f(p, x, "abc")["y"], in_dims=1)(xs)
    torch.testing.assert_close(found, (p["w"] @ xs).T)


def test_lanes_are_batched_at_once():
    compiled = ag.to_graph(waves)
    torch.func.vmap(to_torch(compiled))(torch.ones(100, 2, dtype=torch.float64))
    assert "compiled by calls so far: 0 signatures" in str(compiled.explain(np.ones(2)))
