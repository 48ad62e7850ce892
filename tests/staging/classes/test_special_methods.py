"""Methods of the user's classes that Python calls by itself."""

import contextlib

import pytest

import autograph as ag
from tests.support.oracle import Programs, check

programs = Programs()


class Account:
    """Its special methods and properties depend on the data."""

    def __init__(self, balance):
        if balance < 0:
            balance = 0.0
        self._balance = balance

    @property
    def balance(self):
        return self._balance if self._balance > 1 else 1.0

    @balance.setter
    def balance(self, value):
        if value < 0:
            value = 0.0
        self._balance = value

    def __add__(self, other):
        print("adding")
        return Account(self._balance + other) if other > 0 else Account(self._balance)

    def __contains__(self, value):
        return value > self._balance

    def __bool__(self):
        return self._balance > 2

    def __getitem__(self, i):
        return self._balance * i if i > 0 else self._balance

    def __lt__(self, other):
        return self._balance < other._balance

    def __enter__(self):
        print("open")
        if self._balance > 2:
            self._balance -= 1.0
        return self

    def __exit__(self, *error):
        print("closed")


class Savings(Account):
    def __init__(self, balance, rate=0.5):
        super().__init__(balance)
        self.rate = rate

    @property
    def balance(self):
        return super().balance * (1 + self.rate)


@programs(3.0)
@programs(-3.0)
def special_methods(x):
    a = Account(x)
    a.balance = x - 5
    b = a + x
    result = b.balance
    if x in b:
        result += 1
    if b:
        result += 10
    if a < b:
        result += 100
    return result, b[x], b


@programs(3.0)
@programs(-3.0)
def inherited(x):
    account = Savings(x)
    with account as opened:
        y = opened.balance
    return y, (account + x).balance


@programs.test
def test_special_methods(call):
    call.run()


def test_the_classes_are_as_they_were():
    before = dict(vars(Account))
    ag.to_graph(special_methods)(3.0)
    assert dict(vars(Account)) == before


class Swallows:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is ValueError


class LetsPass(Swallows):
    def __exit__(self, kind, error, trace):
        return False


def raising(manager, x):
    y = 0.0
    with manager:
        if x < 0:
            raise ValueError("negative")
        y = x
    return y


def test_an_exception_that_a_manager_may_swallow():
    for x in (1.0, -1.0):
        check(lambda x: raising(Swallows(), x), x)


def test_an_exception_that_a_manager_lets_pass():
    f = ag.to_graph(lambda x: raising(LetsPass(), x))
    assert f(1.0) == 1.0
    with pytest.raises(ValueError, match="negative"):
        f(-1.0)


@pytest.mark.parametrize("kind", [ValueError, Exception])
def test_a_suppressed_exception(kind):
    def f(x):
        y = 0.0
        with contextlib.suppress(kind):
            if x < 0:
                raise ValueError("negative")
            y = x
        return y

    for x in (1.0, -1.0):
        check(f, x)


def test_errors_name_the_property_that_cannot_be_assigned():
    class Circle:
        def __init__(self, radius):
            self.radius = radius

        @property
        def area(self):
            return 3.0 * self.radius**2

    def assigned(x):
        Circle(x).area = x

    def deleted(x):
        del Circle(x).area

    for function in (assigned, deleted):
        messages = []
        for called in (function, ag.to_graph(function)):
            with pytest.raises(AttributeError) as raised:
                called(2.0)
            messages.append(str(raised.value))
        assert messages[0] == messages[1]
