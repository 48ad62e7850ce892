"""Calls of Python's module logging in compiled functions."""

import io
import logging

import numpy as np
import pytest

import autograph as ag
from autograph import errors

LOGGER = logging.getLogger("tests.logged")
X = np.array([0.3, 1.7, 4.1, 3.2])


@pytest.fixture
def records():
    """What is logged, but by the compiler."""
    found = []

    class Handler(logging.Handler):
        def emit(self, record):
            if record.name.startswith("autograph"):
                return
            place = record.pathname, record.lineno, record.funcName
            found.append((record.name, record.levelno, record.getMessage(), *place))

    handler, root = Handler(), logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield found
    root.removeHandler(handler)
    root.setLevel(before)


def by_module_and_logger(x):
    logging.warning("x is %s", x[0])
    LOGGER.info("%.2f %d %s %r %s", x[1], 3, "q", x[:2], None)
    LOGGER.debug("not wanted %s", x)
    LOGGER.critical(x[0])
    LOGGER.log(logging.WARNING, "plain 100%")
    return x


def in_a_loop(x):
    for i in range(x.shape[0]):
        if x[i] > 3:
            LOGGER.error("x[%d] is %.2f", i, x[i])
    return x.sum()


def made_texts(x):
    logger = logging.getLogger("tests.logged.inside")
    logger.info(f"sum {x.sum():.3f}")
    logger.info("list %s", [x[0], 1])
    logger.info("%(a)s %(b).1f", {"a": 1, "b": x[1]})
    logger.info(None)
    return x


def by_a_bound_method(x):
    for _ in range(2):
        INFO("bound %s", x[2])
    return x


def in_a_recursion(x):
    def down(n):
        LOGGER.info("n = %d", n)
        return 1 if n < 1 else down(n - 1) + n

    return down(int(x[3]))


INFO = LOGGER.info


@pytest.mark.parametrize(
    "function", (by_module_and_logger, in_a_loop, made_texts, by_a_bound_method, in_a_recursion)
)
def test_what_is_logged(records, function):
    function(X)
    expected = records.copy()
    compiled = ag.to_graph(function)
    for _ in range(2):
        records.clear()
        compiled(X)
        assert records == expected and expected


def test_the_level_is_that_of_the_run(records):
    @ag.to_graph
    def function(x):
        LOGGER.info("x is %s", x)
        return x

    LOGGER.setLevel(logging.ERROR)
    function(1.0)
    LOGGER.setLevel(logging.NOTSET)
    function(2.0)
    assert [record[2] for record in records] == ["x is 2.0"]


def test_under_a_gradient(records):
    def function(x):
        LOGGER.info("x is %s", x)
        return x * x

    assert ag.grad(function)(3.0) == 6.0
    assert [record[2] for record in records] == ["x is 3.0"]


def test_arrays_in_records_stay_as_they_were():
    kept = []

    class Handler(logging.Handler):
        def emit(self, record):
            kept.append(record.args[0])

    @ag.to_graph
    def function(x):
        y = x + 1.0
        LOGGER.error("y is %s", y)
        return y * 2.0

    handler = Handler()
    LOGGER.addHandler(handler)
    function(np.zeros(3))
    LOGGER.removeHandler(handler)
    np.testing.assert_array_equal(kept[0], np.ones(3))


def test_functions_of_the_module_set_logging_up(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(logging.root, "handlers", [])
    monkeypatch.setattr(logging, "lastResort", None)
    monkeypatch.setattr(logging, "basicConfig", lambda: stream.write("set up"))
    ag.to_graph(lambda x: logging.warning("x is %s", x))(1.0)
    assert stream.getvalue() == "set up"


@pytest.mark.parametrize(
    "function",
    (
        lambda x: LOGGER.exception("x"),
        lambda x: LOGGER.info("x", exc_info=True),
        lambda x: LOGGER.setLevel(10),
        lambda x: LOGGER.isEnabledFor(10),
        lambda x: logging.Logger("unknown").info("x"),
        lambda x: logging.LoggerAdapter(LOGGER, {}).info("x"),
    ),
)
def test_refused(function):
    with pytest.raises(errors.UnsupportedFunctionError) as caught:
        ag.to_graph(function)(1.0)
    assert caught.value.id and caught.value.location


def test_a_logger_among_many():
    """What other modules' loggers hold is nothing to it."""
    for i in range(600):
        logging.getLogger(f"tests.logged.others.{i}").addHandler(logging.NullHandler())
    ag.to_graph(by_module_and_logger)(np.array([1.0, 2.0, 3.0]))


def test_settings_are_read_at_each_call(monkeypatch):
    f = ag.to_graph(lambda x: x * LOGGER.level)
    for level in (logging.INFO, logging.ERROR):
        monkeypatch.setattr(LOGGER, "level", level)
        assert f(1.0) == level
