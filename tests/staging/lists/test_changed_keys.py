"""Dicts that lose keys and get others while a loop goes through them, as many as there were."""

import pytest

import autograph as ag


def counted(n):
    d = {}
    for i in range(n):
        d[i] = i * 2
    return d


def renamed(n, old):
    d = counted(n)
    for key, value in d.items():
        if value == old:
            d[key + 100] = d.pop(key)
            break
    return d


def moved(n, old):
    d = counted(n)
    for key in d:
        d[key] = d.pop(key) + 1
        if key >= old:
            return d, "early"
    return d


def replaced(n, old):
    d = counted(n)
    for place, key in enumerate(d):
        if key == old:
            del d[key]
            d[key + 100] = place
    return d


def first_replaced(n, old):
    d = counted(n)
    for key, value in d.items():
        if value == old:
            del d[0]
            d[100] = 1
    return d


def replaced_ahead(n, old):
    d = counted(n)
    t = 0
    for value in d.values():
        t += value
        if t == old:
            d.pop(n - 1)
            d[100] = 1
    return d, t


def known_first(n, old):
    d = {5: 1, 6: 2}
    for key in d:
        if key == old:
            d.pop(key)
            d[n] = 1
    return d


def known_texts(n, old):
    d = {"a": 1, "b": 2, "c": 3}
    for key in d:
        if d[key] == old:
            d[key + "x"] = d.pop(key)
    return d


def in_a_function(n, old):
    def replace(d, key):
        d[key + 100] = d.pop(key)

    d = counted(n)
    for key in d:
        if key == old:
            replace(d, key)
    return d


PROGRAMS = [
    renamed,
    moved,
    replaced,
    first_replaced,
    replaced_ahead,
    known_first,
    known_texts,
    in_a_function,
]


def outcome(function, *args):
    try:
        return repr(function(*args))
    except RuntimeError as error:
        return str(error)


@pytest.mark.parametrize("program", PROGRAMS)
def test_python_says_that_keys_changed(program):
    compiled = ag.to_graph(program)
    for args in [(4, 2), (4, 0), (3, 4), (1, 1), (9, 6), (5, 5), (4, 3)]:
        assert outcome(compiled, *args) == outcome(program, *args), args
