"""Lists of which only the run knows how many items they have, unpacked into variables."""

from tests.support.oracle import Programs

programs = Programs()


def counted_down(n):
    items = []
    while n > 0:
        items.append(n)
        n -= 1
    return items


@programs(1.0)
@programs(2.0)
@programs(0.0)
def one(n):
    [x] = counted_down(n)
    return x


@programs(2.0)
@programs(1.0)
@programs(3.0)
def two(n):
    items = counted_down(n)
    a, b = items
    items[0] = 7.0
    return a - b, items


@programs(2.0)
@programs(1.0)
def handled(n):
    try:
        a, b = counted_down(n)
    except ValueError as error:
        return -1.0, str(error)
    return a - b, ""


@programs(2.0)
def in_a_loop(n):
    total = 0.0
    while n < 5:
        (a, b), c = counted_down(2.0), n
        total += a * b + c
        n += 1
    return total


@programs.test
def test_unpacking(call):
    call.run()
