"""Assigned attributes of which a property, or ``__setattr__``, makes something that raises."""

from tests.support.oracle import Programs

programs = Programs()


class Temperature:
    """In degrees Celsius, also as degrees Fahrenheit."""

    def __init__(self, celsius):
        self.celsius = celsius
        self.__changes = 0

    @property
    def fahrenheit(self):
        return self.celsius * 9 / 5 + 32

    @fahrenheit.setter
    def fahrenheit(self, value):
        if value < -459.67:
            raise ValueError("below absolute zero")
        self.celsius = (value - 32) * 5 / 9
        self.__changes += 1

    def try_all(self, value):
        before = after = 0.0
        try:
            before, self.fahrenheit = self.celsius, value
            self.before, self.__changes = before, self.__changes + 1
            self.fahrenheit = after = value - 100
        except ValueError:
            return before, after, self.__changes
        return before, after, -self.__changes


class Positive:
    def __setattr__(self, name, value):
        if name == "x" and value < 0:
            raise AttributeError("negative")
        object.__setattr__(self, name, value)


@programs(100.0, 50.0)
@programs(0.0, -500.0)
def assigned(celsius, fahrenheit):
    one = Temperature(celsius)
    try:
        one.fahrenheit = fahrenheit
    except ValueError as error:
        return 1.0, one.celsius, error.args[0] == "below absolute zero"
    return 0.0, one.celsius, False


@programs(100.0, 50.0)
@programs(0.0, -600.0)
@programs(0.0, -400.0)
def in_place(celsius, change):
    one, done = Temperature(celsius), 0
    try:
        one.fahrenheit += change
        done += 1
        one.fahrenheit -= 100
        done += 1
    except ValueError:
        done += 10
    return done, one.celsius


@programs(1.0, 50.0)
@programs(1.0, -500.0)
@programs(1.0, -400.0)
def several_targets(celsius, fahrenheit):
    return Temperature(celsius).try_all(fahrenheit)


def set_it(one, value):
    one.fahrenheit = value
    return 1.0


@programs(1.0, 50.0)
@programs(1.0, -500.0)
def in_a_callee(celsius, fahrenheit):
    one = Temperature(celsius)
    try:
        return set_it(one, fahrenheit), one.celsius
    except ValueError:
        return -1.0, one.celsius


@programs(100.0, -500.0)
@programs(-100.0, 40.0)
def in_a_loop(celsius, fahrenheit):
    one, count = Temperature(celsius), 0
    while fahrenheit < 50:
        try:
            one.fahrenheit = fahrenheit
            count += 1
        except ValueError:
            count -= 1
        finally:
            fahrenheit += 30
    return count, one.celsius


@programs(2.0)
@programs(-1.0)
def by_setattr(x):
    one = Positive()
    one.x = 1.0
    try:
        one.y = x
        one.x = x
    except AttributeError:
        return -1.0, one.y
    return one.x, one.y


@programs.test
def test_exceptions_of_attributes(call):
    call.run()
