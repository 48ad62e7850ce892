"""Texts that are made in another way on each path, kept in variables and in lists."""

import contextlib
import io

import numpy as np
import pytest

import autograph as ag


def chosen(x):
    message = f"at {x}" if x > 2 else "low"
    print(message, end="|\n")
    return message, message + "!", f"[{message}]", repr(message)


def both_with_values(x):
    message = f"at {x:.2f}" if x > 2 else f"only {x}, not {2 * x}"
    return message


def by_a_statement(x):
    message = "fine"
    if x > 2:
        message = f"big: {x}"
    elif x < 1:
        message = f"{x} is small"
    return {"message": message, "x": x}


def raised(x):
    message = f"at {x}" if x > 2 else "low"
    raise ValueError(message)


def two_that_meet(x):
    return (f"{x}" if x > 3 else "") + ("" if x < 5 else f"<{x}>")


def in_a_loop(x):
    status = "ok"
    for i in range(int(x)):
        if i > 2:
            status = f"bad at {i}"
    return status


def that_may_be_none(x):
    status = None
    for i in range(int(x)):
        if i > 3:
            status = f"bad at {i}"
        elif i > 1:
            status = "soon"
    return status


def in_a_tuple(x):
    return (f"{x}", 1) if x > 2 else ("none", 0)


class Report:
    def __init__(self):
        self.lines = []
        self.last = ""

    def say(self, i):
        self.last = f"said {i}"
        self.lines.append(self.last)


def of_an_object(x):
    report = Report()
    for i in range(int(x)):
        if i % 2:
            report.say(i)
    return report.lines, report.last


def two_kinds_of_lines(x):
    log = []
    for i in range(int(x)):
        if i % 2:
            log.append(f"step {i}")
        else:
            log.append("even")
    for line in log:
        print(line)
    return log, len(log)


def fizz_buzz(x):
    out = []
    for i in range(1, int(x) + 1):
        if i % 15 == 0:
            out.append("FizzBuzz")
        elif i % 3 == 0:
            out.append("Fizz")
        elif i % 5 == 0:
            out.append("Buzz")
        else:
            out.append(str(i))
    return out


def some_lines(x):
    log = []
    if x > 3:
        log.append(f"too large: {x}")
    if x > 1:
        log.append("large")
    return log


def one_template_of_two_types(x):
    log = []
    for i in range(int(x)):
        log.append(f"{i}")
    for i in range(int(x)):
        log.append(f"{i * 0.5}")
    return log


def another_template_in_each_trip(x):
    log = []
    for i in range(int(x)):
        if i % 2:
            log.append(f"{i}")
            log.append(f"{i * 0.5}")
        else:
            log.append(f"{i * 0.5}")
            log.append(f"{i}")
            log.append("x")
    log.append("end")
    return log


def a_loop_that_is_left(x):
    log = ["start"]
    i = 0
    while i < x:
        log.append(f"i={i}")
        i += 1
        if i > 3:
            log.append("many")
            break
    return log, log[0], log[-1]


def joined_lists(x):
    a, b = [], ["x"]
    for i in range(int(x)):
        a.append(f"{i}")
        b.append(f"{i:03d}")
    return a + b, [*a, "q", *b], b[::-1], a[1:]


def changed_lists(x):
    log = []
    for i in range(int(x)):
        log.append(f"{i}")
    log.insert(0, "new")
    log[-1] = "last"
    log.reverse()
    return log


def names(x):
    found = []
    for i in range(int(x)):
        found.append("odd" if i % 2 else "even")
    odd = 0
    for name in found:
        if name == "odd":
            odd += 1
    return odd, found.count("even"), "odd" in found, "other" in found, sorted(found)


def joined(x):
    log, _ = two_kinds_of_lines(x)
    text = ", ".join(log)
    log.append("more")
    print(text)
    print("a", text, "b", sep="-", end="!\n")
    return text, f"<{text}>", text + "!", len(log)


def joined_numbers(x):
    return "\n".join(f"{i * 0.5:.2f}" for i in range(int(x)))


def pictures(x):
    for i in range(int(x)):
        row = []
        for j in range(i):
            row.append("#" if (i + j) % 2 else ".")
        print("".join(row))


def lists_of_any_length(x):
    numbers, pairs, texts, arrays = [], [], [], []
    for i in range(int(x)):
        numbers.append(x * i)
        pairs.append((i, i * 0.5))
        texts.append(f"{i}" if i % 2 else "even")
        arrays.append(np.array([i, 2 * i]))
    print(numbers, len(numbers))
    print(f"{pairs} and {texts!r}", arrays, {"numbers": numbers})
    return str(numbers), repr(pairs), str((texts, 1))


def records(x):
    events, total = [], 0.0
    for i in range(int(x)):
        if i % 3 == 0:
            events.append(("buy", i * 1.5))
        else:
            events.append(("sell", i * 2.5))
    for kind, price in events:
        total += -price if kind == "buy" else price
    return total, events


def recursive(x):
    log = []

    def down(n):
        if n >= 0:
            log.append(f"n={n}" if n % 2 else "even")
            down(n - 1)

    down(int(x))
    return log


FUNCTIONS = [
    *(chosen, both_with_values, by_a_statement, raised, two_that_meet, in_a_loop, in_a_tuple),
    *(that_may_be_none, of_an_object, two_kinds_of_lines, fizz_buzz, some_lines),
    *(one_template_of_two_types, another_template_in_each_trip, a_loop_that_is_left),
    *(joined_lists, changed_lists, names, records, recursive),
    *(joined, joined_numbers, pictures, lists_of_any_length),
]


def outcome(function, *args):
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        try:
            found = function(*args)
        except ValueError as error:
            assert not isinstance(error, ag.errors.AutographError), error
            found = str(error)
    return repr(found), shown.getvalue()


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_it_is_what_python_does(function):
    on_arrays = lambda x: function(x[0])
    compiled = ag.to_graph(on_arrays)
    for x in (0, 1, 2, 3, 4, 6, 16):
        assert outcome(compiled, np.array([x])) == outcome(on_arrays, np.array([x])), x


def lines(x):
    found = []
    for i in range(int(x[0])):
        found.append(f"{i}")
    return found


def of_either_type(x):
    found = []
    for i in range(int(x[0])):
        found.append(str(i) if i % 2 else str(i * 0.5))
    return found


def test_texts_of_numbers_of_either_type():
    compiled = ag.to_graph(of_either_type)
    for n in (0, 1, 12):
        assert compiled(np.array([n])) == of_either_type(np.array([n]))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: sorted(lines(x)),
        lambda x: "1" in lines(x),
        lambda x: lines(x).index("1"),
        lambda x: lines(x) == lines(x + 1),
        lambda x: np.array(lines(x)),
        lambda x: sorted([(line, 1) for line in lines(x)]),
        lambda x: ",".join([i for i in range(int(x[0]))]),
        lambda x: ",".join(lines(x)) if x[0] > 3 else "few",
    ],
)
def test_what_needs_the_contents_is_refused(function):
    """Their numbers are in another order than they are, and equal where the texts are not."""
    with pytest.raises(ag.errors.AutographError, match=r"AG0306|AG0311|AG0316"):
        ag.to_graph(function)(np.array([12]))


def test_the_program_can_be_saved(tmp_path):
    on_arrays = lambda x: (chosen(x[0])[0], two_kinds_of_lines(x[0]), joined_numbers(x[0]))
    ag.to_graph(on_arrays).save(tmp_path / "texts", np.array([3]))
    loaded = ag.load(tmp_path / "texts")
    assert outcome(loaded, np.array([3])) == outcome(on_arrays, np.array([3]))


@pytest.mark.parametrize("x", [3.0, 1.0, -1.0])
def test_a_text_by_path_beside_what_may_be_none(x):
    """Each part of the tuple crosses the border in its own way."""

    def parsed(x):
        found, message = (None, f"{x} is no place") if x > 2 else ([x], None)
        name, more = (f"{x:.1f} of {2 * x}", 1) if x > 0 else ("none", 0)
        if found is None:
            print(message)
        return name, more

    assert outcome(ag.to_graph(parsed), x) == outcome(parsed, x)


def test_a_loss_with_a_message():
    def loss(x):
        message = f"at {x}" if x > 2 else "low"
        print(message)
        return x * x

    assert outcome(ag.grad(loss), 3.0) == ("6.0", "at 3.0\n")
    with contextlib.redirect_stdout(io.StringIO()):
        ag.check_grads(loss, (3.0,), order=2)
