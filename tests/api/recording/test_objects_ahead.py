"""Functions of the caller's objects that are compiled ahead of time, explained, saved and exported;
see `autograph.api.recording.forms_ahead`."""

import pickle

import numpy as np
import pytest

import autograph as ag
from tests.support.objects_of_callers import ending


class Node:
    def __init__(self, value, left=None, right=None):
        self.value = value
        self.left = left
        self.right = right

    def at(self, x):
        return way(self, x)


class Particle:
    def __init__(self, x, v):
        self.x = x
        self.v = v


def grown(depth):
    """A tree that is deeper on the left, so that no branch has objects alike."""
    if depth == 0:
        return Node(0.25)
    return Node(float(depth), grown(depth - 1), grown(max(0, depth - 2)))


def chain(count):
    node = None
    for number in range(count):
        node = Node(float(number), node)
    return node


def particles(count):
    return [Particle(float(i), float(count - i)) for i in range(count)]


def way(node, x):
    while node.left is not None:
        node = node.left if x < node.value else node.right
        x = x * 1.5
    return node.value + x


def fastest(items, limit):
    found = items[0]
    for item in items:
        if item.v > found.v * limit:
            found = item
    found.x = limit
    return found.v


def sums(node):
    total = 0.0
    while node is not None:
        total += node.value
        node.value = total
        node = node.left
    return total


def run_ahead(function, examples, calls):
    compiled = ag.to_graph(function).lower(*examples).compile()
    for args in calls:
        assert ending(compiled, args) == ending(function, args), args


def test_what_is_compiled_ahead_takes_any_number_of_objects():
    trees = [(grown(depth), x) for depth, x in ((3, 0.5), (5, 0.3), (1, 9.0))]
    run_ahead(way, trees[0], trees)
    run_ahead(fastest, (particles(3), 0.5), [(particles(n), 1.5) for n in (1, 3, 7)])
    run_ahead(sums, (chain(2000),), [(chain(5),), (chain(50),)])


def test_other_arguments_are_shapes_and_dtypes():
    compiled = ag.to_graph(way).lower(grown(3), ag.ShapeDtypeStruct((), float)).compile()
    assert compiled(grown(4), np.float64(2.0)) == way(grown(4), np.float64(2.0))

    def along(node, x):
        return np.sum(x) * way(node, x[0])

    compiled = ag.to_graph(along).lower(grown(3), ag.ShapeDtypeStruct(("n",), float)).compile()
    for length in (2, 5):
        x = np.linspace(0.5, 3.0, length)
        assert compiled(grown(5), x) == along(grown(5), x)


def test_a_call_that_does_not_fit_leaves_it_as_it_is():
    compiled = ag.to_graph(way).lower(grown(3), 0.5).compile()
    other = grown(3)
    other.left.value = "a text"
    with pytest.raises(ag.errors.SignatureError):
        compiled(other, 0.5)
    with pytest.raises(ag.errors.SignatureError):
        compiled(grown(3), 1)
    assert compiled(grown(3), 0.5) == way(grown(3), 0.5)


def test_objects_outside_and_what_a_method_is_bound_to():
    tree = grown(4)
    compiled = ag.to_graph(lambda x: way(tree, x)).lower(0.5).compile()
    bound = ag.to_graph(tree.at).lower(0.5).compile()
    for x in (0.5, 2.5):
        assert compiled(x) == bound(x) == way(tree, x)
    tree.left.value = 0.1
    assert compiled(2.5) == way(tree, 2.5)


def test_derivatives_are_compiled_ahead():
    compiled = ag.grad(way, 1).lower(grown(3), 0.5).compile()
    for depth in (2, 4):
        assert compiled(grown(depth), 0.3) == ag.grad(way, 1)(grown(depth), 0.3)


@pytest.mark.parametrize("are_many", [False, True])
def test_all_that_is_asked_of_a_function_is_what_calls_do(are_many):
    function = (lambda items: sum(p.x * p.v for p in items)) if are_many else fastest
    args = (particles(150),) if are_many else (particles(4), 1.5)
    compiled = ag.to_graph(function)
    asked = (
        *(compiled.explain(*args), compiled.lower(*args).graph, compiled.graph(*args)),
        *(compiled.stages(*args), compiled.program(*args), compiled.kernels(*args)),
    )
    assert all(map(str, asked))
    assert "items_places" in str(asked[0])
    assert str(asked[1]) == str(asked[2])


def test_explaining_tells_of_the_form_that_calls_have_come_to():
    compiled = ag.to_graph(lambda items: sum(p.x for p in items))
    assert "places" not in str(compiled.explain(particles(3)))
    for count in (2, 3, 4):
        compiled(particles(count))
    assert "places" in str(compiled.explain(particles(3)))


def test_files_and_exports_have_no_objects_in_heaps(tmp_path):
    compiled, args = ag.to_graph(way), (grown(3), 0.5)
    for written in (
        lambda: compiled.save(tmp_path / "way.ag", *args),
        lambda: compiled.lower(*args).save(tmp_path / "way.ag"),
        lambda: ag.export.c(compiled, *args),
        lambda: ag.export.stablehlo(compiled, *args),
    ):
        with pytest.raises(ag.errors.OptionError, match=r"\[AG0587\] .* the class 'Node'"):
            written()
    loaded = pickle.loads(pickle.dumps(sums_compiled))  # as the error says
    assert loaded(chain(4)) == sums(chain(4))


sums_compiled = ag.to_graph(sums)


def test_many_objects_that_need_no_heaps_are_saved_one_by_one(tmp_path):
    compiled = ag.to_graph(lambda items: sum(p.x for p in items))
    compiled.save(tmp_path / "sum.ag", particles(120))
    assert ag.load(tmp_path / "sum.ag")(particles(120)) == sum(range(120))


def test_what_heaps_do_not_help_is_refused_as_before():
    def kept(items, i):
        return items[i].x if i > 0 else {items[0]}

    compiled = ag.to_graph(kept)
    with pytest.raises(ag.errors.AutographError) as by_call:
        compiled(particles(3), 0.5)
    with pytest.raises(ag.errors.AutographError) as ahead:
        ag.to_graph(kept).lower(particles(3), 0.5)
    assert ahead.value.id == by_call.value.id


def test_values_that_count_are_those_of_each_call():
    compiled = ag.to_graph(lambda x, k: x[: k * 2].reshape(k, -1))
    compiled = compiled.lower(ag.ShapeDtypeStruct(("n",), float), 2).compile()
    assert compiled(np.arange(9.0), 2).shape == (2, 2)
    with pytest.raises(ag.errors.SignatureError, match="argument 'k' was 2, is 3"):
        compiled(np.arange(9.0), 3)
