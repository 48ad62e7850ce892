"""Functions that change something and raise an exception, called where that is handled: what they
changed by then stays changed."""

import heapq

import numpy as np
import pytest

import autograph as ag
from autograph.errors import UnsupportedConstructError
from tests.support.oracle import Programs

programs = Programs()


class Short(Exception):
    def __init__(self, need, have):
        super().__init__(f"need {need:.2f}, have {have:.2f}")
        self.need, self.have = need, have


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.moves = 0

    def withdraw(self, amount, *, fee=0.5):
        self.moves += 1
        total = amount + fee
        if total > self.balance:
            raise Short(total, self.balance)
        self.balance -= total
        self.moves += 10
        return self.balance


@programs.smooth(3.0)
@programs.smooth(30.0)
def method_that_counts(x):
    account = Account(10.0)
    try:
        left = account.withdraw(x)
    except Short as error:
        left = (error.have - error.need) * x
    return left + account.balance * account.moves


@programs(3.0)
@programs(30.0)
@programs(-1.0)
def all_parts_of_a_try(x):
    account, log = Account(10.0), []
    try:
        if x < 0:
            raise ValueError("negative")
        account.withdraw(x)
    except Short as error:
        print(f"{error} (short by {error.need - error.have:.1f})")
    except ValueError as error:
        raise RuntimeError("bad amount") from error
    else:
        print("left", account.balance)
    finally:
        log.append(account.moves)
    return log, account


class Stack:
    def __init__(self, room):
        self.items, self.size = np.zeros(room), 0

    def push(self, x):
        if self.size >= len(self.items):
            raise OverflowError(f"full at {self.size}")
        self.items[self.size] = x
        self.size += 1

    def pop(self):
        if self.size == 0:
            raise IndexError("empty")
        self.size -= 1
        return self.items[self.size]


@programs(np.array([1.0, 2.0, 3.0, -1.0, 4.0]))
@programs(np.array([-1.0, 2.0, -1.0, -1.0]))
def stack_in_a_loop(xs):
    stack, got = Stack(2), 0.0
    for x in xs:
        try:
            if x < 0:
                got += stack.pop()
            else:
                stack.push(x)
        except OverflowError as error:
            print(error)
            got += 100
        except IndexError:
            got += 1000
        else:
            got += 0.5
    return got, stack


def add(items, x):
    items.append(x)
    items.append(1 / x)


@programs(2.0)
@programs(0.0)
def list_half_way(x):
    items = []
    try:
        add(items, x)
    except ZeroDivisionError:
        items.append(-3.0)
    return items


def fill(a, x):
    a[0] = x
    if x < 0:
        a[1] = 99.0
        raise ValueError("negative")
    a[2] = 5.0


@programs.smooth(2.0)
@programs.smooth(-2.0)
def array_half_way(x):
    a = np.zeros(3)
    try:
        fill(a, x)
    except ValueError:
        a = a * x
    return np.sum(a**2)


@programs(3)
@programs(10)
def closure_half_way(n):
    total = 0

    def step(k):
        nonlocal total
        total += k
        if total > 5:
            raise Short(total, k)
        return total

    for i in range(n):
        try:
            step(i)
        except Short as error:
            total -= error.have
            break
    else:
        total += 100
    return total


class Countdown:
    def __init__(self, n):
        self.n = n

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n


@programs(3)
@programs(0)
def iterator_by_hand(n):
    countdown, total = Countdown(n), 0
    while True:
        try:
            k = next(countdown) if n > 100 else countdown.__next__()
        except StopIteration:
            break
        total += k
    return total, countdown.n


class Tally:
    def __init__(self):
        self.calls, self.total, self.seen = 0, 0.0, []


def outer(tally, x):
    tally.calls += 1
    if x > 3:
        raise Short(x, 3.0)
    tally.total += inner(tally, x)


def inner(tally, x):
    tally.seen.append(x)
    y = 1 / x
    tally.seen.append(y)
    return y


@programs(np.array([1.0, 2.0, 0.0, 5.0, 3.0]))
def through_two_calls(xs):
    tally, bad = Tally(), 0.0
    for x in xs:
        try:
            outer(tally, float(x))
        except Short as error:
            bad += error.need
        except ArithmeticError:
            bad -= 1
    return tally, bad


@programs(0.5)
@programs(1.5)
@programs(3.0)
def cause_with_values(x):
    try:
        try:
            if x > 1:
                raise Short(x, 2.0)
            y = x
        except Short as error:
            if error.need > 2:
                raise ValueError(f"{error.need} is too much") from error
            y = error.need
    except ValueError as error:
        print(error)
        y = -1.0
    return y


@programs(0.0)
@programs(-1.5)
@programs(9.0)
def one_class_other_values(x):
    try:
        if x < 0:
            raise ValueError(x, 1.0)
        if x > 5:
            raise ValueError(2.0, x)
    except ValueError as error:
        x = error.args[0] * 10 + error.args[1]
    return x


def found_in_a_loop(x):
    for i in range(3):
        if x == i:
            raise KeyError(i)
    return x


@programs(2.0)
@programs(2.5)
def value_of_a_loop(x):
    try:
        return found_in_a_loop(x) + 1
    except KeyError as error:
        print(error)
        return -1


@programs(1.0)
@programs(-1.0)
@programs(3.0)
def some_of_them_handled(x):
    def checked(x):
        try:
            if x < 0:
                raise ValueError("negative")
            if x > 2:
                raise KeyError("large")
        except IndexError:
            x = 0.0
        return x

    try:
        y = checked(x)
    except ValueError:
        y = -1.0
    return y


@programs(0.2)
@programs(0.7)
@programs(2.0)
def handled_before_what_is_not(x):
    def third(x, items):
        if x < 0.5:
            x = x * 2
        else:
            if x > 1:
                raise ValueError("large")
            x = items[3]
        return x

    try:
        y = third(x, [1.0])
    except ValueError:
        y = -1.0
    return y


@programs(0.5)
@programs(2.0)
def read_in_a_text_amid_a_finally(x):
    y = 0.0
    try:
        if x > 1:
            raise Short(x, 1.0)
        y += x
    except Short as error:
        print(f"{error} {error.need:.1f}")
    finally:
        y += 10
    return y


class Bad(Exception):
    def __init__(self, place, text="bad"):
        super().__init__(text, place)
        self.place = place


@programs(np.array([1.0, 4.0, 2.0, 5.0]))
@programs(np.array([1.0]))
def exception_whose_class_calls_super(x):
    seen, places = [], 0

    def look(v):
        seen.append(v)
        if v > 3:
            raise Bad(len(seen))
        return v

    for v in x:
        try:
            places += look(v)
        except Bad as error:
            places -= error.place
    return places, seen


@programs(np.array([5, 4, 3, 2, 1]))
@programs(np.array([5.5, 4.0, 3.0]))
@programs(np.array([5.5, np.nan, 3.0]))
def integer_of_an_integer_never_fails(x):
    total = 0
    for v in x:
        try:
            total += int(v)
            if total > 10:
                raise ValueError("large")
        except ValueError:
            total = 0
    return total


@programs(np.array([1, 2, -1, 0, -2, -1, -1, 5]))
@programs(np.array([-2, 4, 2, -2]))
def stack_that_may_be_empty(codes):
    stack, faults = [], 0
    for code in codes:
        try:
            if code >= 0:
                stack.append(float(code))
            elif code == -1:
                b = stack.pop()
                a = stack.pop()
                stack.append(a + b)
            else:
                stack.append(stack.pop() / stack[-1])
        except IndexError:
            faults += 1
            stack = []
        except ZeroDivisionError:
            faults += 100
    return stack, faults


@programs(np.array([5, 1, 4, 8, 2, 2, 7, 10]))
@programs(np.array([2, 4]))
def heap_that_may_be_empty(x):
    heap, out = [], []
    for v in x:
        try:
            if v % 2:
                heapq.heappush(heap, int(v))
            else:
                out.append(heapq.heappop(heap))
        except IndexError:
            out.append(-1)
    return out, sorted(heap)


@programs(np.array([0.0, 2.0, 1.5]))
@programs(np.array([3.0, 2.0, -1.0]))
def places_that_are_no_integers(x):
    items, total = [1.0], 0.0
    for v in x:
        if v > 1:
            items.append(v)
    for place in (x[2], int(x[0]) + 1):
        try:
            total += items[place]
        except IndexError:
            total -= 10.0
        except TypeError:
            total -= 100.0
    return total


@programs.test
def test_callees_that_change(call):
    call.run()


def test_a_comprehension_is_no_statement_of_its_own():
    @ag.to_graph
    def both(x):
        items = []
        try:
            [add(items, y) for y in (x, x - 1)]
        except ZeroDivisionError:
            items.append(0.0)
        return items

    with pytest.raises(UnsupportedConstructError) as caught:
        both(2.0)
    assert caught.value.id == "AG0363"


@pytest.mark.parametrize("x", [2.0, -2.0])
def test_second_derivative(x):
    def cubed(x):
        a = np.zeros(3)
        try:
            fill(a, x**2)
            fill(a, x)
        except ValueError:
            a = a * x
        return np.sum(a**2)

    ag.check_grads(cubed, (x,), order=2)
