"""The smooth programs of the other tests: forward and reverse mode against differences and each
other."""

import copy
import importlib

import pytest

import autograph as ag
from tests.support.oracle import Programs

FILES = [
    *("api.derivatives.test_gradients", "staging.calls.test_recursion"),
    *("staging.lists.test_growing_lists", "api.test_algorithms", "api.test_solvers"),
    *("language.test_conditional_programs", "language.test_exit_programs"),
    *("language.test_for_programs", "language.test_list_programs", "language.test_loop_programs"),
    *("language.test_array_update_programs", "language.test_class_programs"),
    *("language.test_closure_programs", "language.test_whole_programs"),
]


def smooth_calls():
    modules = [importlib.import_module(f"tests.{file}") for file in FILES]
    for module in modules:
        for programs in vars(module).values():
            if isinstance(programs, Programs):
                for param in programs._calls:
                    (call,) = param.values
                    if call.smooth:
                        file = module.__name__.rpartition(".")[2]
                        yield pytest.param(call, id=f"{file}-{param.id}")


@pytest.mark.parametrize("call", [*smooth_calls()])
def test_program(call):
    """By the first argument, as in the tests of gradients; and forward over reverse."""
    first, *rest = copy.deepcopy(call.args)
    by_first = lambda x: call.function(x, *rest)
    ag.check_grads(by_first, (first,), order=1)
    ag.check_grads(lambda x: ag.vjp(by_first, x)[1](1.0), (first,), order=1, modes="fwd")
