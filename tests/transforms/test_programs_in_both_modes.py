"""The smooth programs of the other tests: forward and reverse mode against differences and each
other."""

import copy
import importlib
import sys
from pathlib import Path

import pytest
from oracle import Programs

import autograph as ag

TESTS = Path(__file__).parents[1]
FILES = [
    *("api/test_algorithms", "api/test_gradients", "api/test_growing_lists", "api/test_recursion"),
    *("api/test_solvers", "language/test_conditional_programs", "language/test_exit_programs"),
    *("language/test_for_programs", "language/test_list_programs", "language/test_loop_programs"),
    *("language/test_array_update_programs", "language/test_class_programs"),
    *("language/test_closure_programs", "language/test_whole_programs"),
]


def smooth_calls():
    folders = [str(TESTS / name) for name in ("language", "api", "source")]
    before = list(sys.path)
    sys.path[:0] = folders
    try:
        modules = [importlib.import_module(file.rpartition("/")[2]) for file in FILES]
    finally:
        sys.path[:] = before
    for module in modules:
        for programs in vars(module).values():
            if isinstance(programs, Programs):
                for param in programs._calls:
                    (call,) = param.values
                    if call.smooth:
                        yield pytest.param(call, id=f"{module.__name__}-{param.id}")


@pytest.mark.parametrize("call", [*smooth_calls()])
def test_program(call):
    """By the first argument, as in the tests of gradients; and forward over reverse."""
    first, *rest = copy.deepcopy(call.args)
    by_first = lambda x: call.function(x, *rest)
    ag.check_grads(by_first, (first,), order=1)
    ag.check_grads(lambda x: ag.vjp(by_first, x)[1](1.0), (first,), order=1, modes="fwd")
