"""What a function returns, and does to the objects among its arguments, compared with Python."""

import copy

import numpy as np

import autograph as ag
from autograph.errors import AutographError


def attributes(item):
    own = {
        name: getattr(item, name) for name in getattr(item, "__slots__", ()) if hasattr(item, name)
    }
    return {**own, **getattr(item, "__dict__", {})}


def is_object(value):
    return type(value).__module__.startswith("tests.")


def met(value, found):
    """The lists, dicts, arrays and objects in something, each once, after some that are known,
    in the order in which they are met."""
    pending, seen = [value], set()
    while pending:
        item = pending.pop(0)
        if isinstance(item, (list, dict, np.ndarray)) or is_object(item):
            if id(item) in seen:
                continue
            seen.add(id(item))
            if not any(item is other for other in found):
                found.append(item)
        if isinstance(item, dict):
            pending += item.values()
        elif isinstance(item, (list, tuple)):
            pending += item
        elif is_object(item):
            pending += attributes(item).values()
    return found


def described(value, known):
    """What something is: values, their types, and which of some known objects are in it."""

    def place(item):
        return next(i for i, other in enumerate(known) if other is item)

    def of(item):
        if isinstance(item, (list, dict, np.ndarray)) or is_object(item):
            return "known", place(item)
        if isinstance(item, tuple):
            return tuple(map(of, item))
        return type(item), repr(item)

    inside = []
    for item in known:
        if isinstance(item, np.ndarray):
            inside.append((item.dtype, item.shape, item.tobytes()))
        elif isinstance(item, list):
            inside.append(list(map(of, item)))
        elif isinstance(item, dict):
            inside.append([(key, of(part)) for key, part in item.items()])
        else:
            inside.append((type(item), [(k, of(v)) for k, v in attributes(item).items()]))
    return of(value), inside


def ending(function, args):
    args = copy.deepcopy(args)
    known = met(args, [])
    try:
        result = function(*args)
    except (IndexError, ValueError, AttributeError, TypeError) as error:
        if isinstance(error, AutographError):
            raise
        return type(error), str(error)
    return described(result, met((result, args, tuple(known)), known))


def agree(function, calls, recordings=None):
    """Calls of the function compiled give, and change, what Python does: the compiled function."""
    compiled = ag.to_graph(function)
    for args in calls:
        assert ending(compiled, args) == ending(function, args), args
    if recordings is not None:
        assert len(compiled.compiled_forms()) == recordings
        assert all(form.has_heaps for form in compiled.compiled_forms())
    return compiled
