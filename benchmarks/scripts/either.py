"""What the scripts of this folder take from NumPy and autograph, or, where the environment has
``SCRIPTS=plain``, from the package `autograd`, and without it if they only compute forwards."""

import os

__all__ = ["adam", "compiled", "grad", "hessian", "np", "value_and_grad"]

if os.environ.get("SCRIPTS") == "plain":

    def compiled(function):
        return function

    try:
        import autograd.numpy as np
        from autograd import grad, hessian, value_and_grad
    except ImportError:  # what computes forwards needs none of it
        import numpy as np

        grad = hessian = value_and_grad = None
else:
    import numpy as np

    import autograph

    compiled = autograph.to_graph
    grad, hessian = autograph.grad, autograph.hessian
    value_and_grad = autograph.value_and_grad


def adam(value_and_gradient, parameters, steps, rate, told):
    """Parameters after some steps of Adam; every ``told``-th value is printed.

    Args:
        value_and_gradient: of the parameters and the number of the step.
        parameters: an array.
    """
    m, v = np.zeros_like(parameters), np.zeros_like(parameters)
    for k in range(steps):
        value, gradient = value_and_gradient(parameters, k)
        m = 0.9 * m + 0.1 * gradient
        v = 0.999 * v + 0.001 * gradient**2
        step = m / (1 - 0.9 ** (k + 1)) / (np.sqrt(v / (1 - 0.999 ** (k + 1))) + 1e-8)
        parameters = parameters - rate * step
        if k % told == 0:
            print(k, f"{value:.6f}")
    return parameters
