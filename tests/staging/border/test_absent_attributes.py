"""Attributes that something outside does not have when a function is recorded, and gets later; and
those that it loses."""

import abc
import sys
import types

import numpy as np
import pytest

import autograph as ag

settings = types.ModuleType("settings")
X = np.ones(2)


def helper():
    pass


class Kind:
    def method(self):
        pass


an_object = Kind()


def module_by_getattr(x):
    return x * getattr(settings, "factor", 7.0)


def module_by_hasattr(x):
    return x * 2.0 if hasattr(settings, "factor") else x * 3.0


def module_by_handler(x):
    try:
        return x * settings.factor
    except AttributeError:
        return x * 9.0


def module_by_dir(x):
    return x * (2.0 if "factor" in dir(settings) else 1.0)


def module_by_dict(x):
    return x * len(settings.__dict__)


def function_by_getattr(x):
    return x * getattr(helper, "factor", 7.0)


def function_by_hasattr(x):
    return x * 2.0 if hasattr(helper, "factor") else x * 3.0


def function_by_handler(x):
    try:
        return x * helper.factor
    except AttributeError:
        return x * 9.0


def function_by_handler_of_a_branch(x):
    try:
        if x[0] > 0.5:
            x = x + 1.0
        x = x * helper.factor
    except AttributeError:
        x = x * 9.0
    return x


def function_by_dict(x):
    return x * helper.__dict__.get("factor", 5.0)


def function_by_vars(x):
    return x * len(vars(helper))


def method_by_getattr(x):
    return x * getattr(Kind.method, "factor", 7.0)


def bound_method_by_getattr(x):
    return x * getattr(an_object.method, "factor", 7.0)


def class_by_getattr(x):
    return x * getattr(Kind, "factor", 7.0)


def object_by_getattr(x):
    return x * getattr(an_object, "factor", 7.0)


def library_by_getattr(x):
    return x * getattr(np, "factor_of_tests", 7.0)


def inside_a_loop(x):
    for i in range(3):
        x = x * getattr(settings, "factor", 7.0) + i * getattr(helper, "factor", 2.0)
    return x


FUNCTIONS = (
    *(module_by_getattr, module_by_hasattr, module_by_handler, module_by_dir, module_by_dict),
    *(function_by_getattr, function_by_hasattr, function_by_handler),
    *(function_by_handler_of_a_branch, function_by_dict, function_by_vars),
    *(method_by_getattr, bound_method_by_getattr, class_by_getattr, object_by_getattr),
    *(library_by_getattr, inside_a_loop),
)


def give(monkeypatch, factor):
    for owner in (settings, helper, Kind.method, Kind, an_object):
        monkeypatch.setattr(owner, "factor", factor, raising=False)
    monkeypatch.setattr(np, "factor_of_tests", factor, raising=False)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("starts_with", (True, False))
def test_as_python(function, starts_with, monkeypatch):
    compiled = ag.to_graph(function)
    derivative = ag.grad(lambda x: np.sum(function(x)))
    for has in (starts_with, not starts_with, starts_with):
        with monkeypatch.context() as given:
            if has:
                give(given, 2.0)
            found, wanted = compiled(X), function(X)
            np.testing.assert_array_equal(found, wanted)
            np.testing.assert_array_equal(derivative(X), function(X + 1.0) - wanted)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_other_values(function, monkeypatch):
    compiled = ag.to_graph(function)
    for factor in (None, 2.0, 3.0):
        if factor is not None:
            give(monkeypatch, factor)
        np.testing.assert_array_equal(compiled(X), function(X))


def imports_a_name(x):
    try:
        from absent_things import factor
    except ImportError:
        factor = 11.0
    return x * factor


def imports_a_module(x):
    try:
        import absent_module as found
    except ImportError:
        return x * 3.0
    return x * found.factor


def calls_what_imports(x):
    try:
        return imports_unprotected(x)
    except ImportError:
        return x * 5.0


def imports_unprotected(x):
    from absent_things import factor

    return x * factor


@pytest.mark.parametrize("function", (imports_a_name, imports_a_module, calls_what_imports))
def test_imports(function, monkeypatch):
    things = types.ModuleType("absent_things")
    monkeypatch.setitem(sys.modules, "absent_things", things)
    compiled = ag.to_graph(function)
    for _ in range(2):
        np.testing.assert_array_equal(compiled(X), function(X))
        things.factor = 2.0
        monkeypatch.setitem(sys.modules, "absent_module", things)
    del things.factor
    monkeypatch.delitem(sys.modules, "absent_module")
    np.testing.assert_array_equal(compiled(X), function(X))


@pytest.mark.parametrize(
    "ask", (lambda kind: isinstance(an_object, kind), lambda kind: issubclass(Kind, kind))
)
@pytest.mark.parametrize("several", (False, True))
def test_classes_that_are_registered(ask, several):
    class Abstract(abc.ABC):  # noqa: B024
        pass

    def function(x):
        return x * 2.0 if ask((int, Abstract) if several else Abstract) else x * 3.0

    compiled = ag.to_graph(function)
    np.testing.assert_array_equal(compiled(X), 3.0 * X)
    Abstract.register(Kind)
    np.testing.assert_array_equal(compiled(X), 2.0 * X)
