"""Tables whose changes can be taken back."""

import random

from autograph.kernels.passes.trail import Table, Trail


def test_what_tables_were_comes_back():
    """After changes at random, and marks within marks."""
    choose, trail = random.Random(0), Trail()
    tables = [Table({k: k for k in range(4)}, trail) for _ in range(2)]
    marks = [(trail.mark(), [dict(t) for t in tables])]
    for _ in range(2000):
        table, key = choose.choice(tables), choose.randrange(8)
        match choose.randrange(9):
            case 0:
                marks.append((trail.mark(), [dict(t) for t in tables]))
            case 1 if len(marks) > 1:
                mark, before = marks.pop()
                trail.take_back(mark)
                assert [dict(t) for t in tables] == before
            case 2:
                table.setdefault(key, choose.random())
            case 3:
                table.pop(key, None)
            case 4:
                table.update({key: choose.random()})
            case 5:
                table |= {key: choose.random()}
            case 6 if key in table:
                del table[key]
            case 7 if table:
                table.popitem()
            case 8 if choose.random() < 0.1:
                table.clear()
            case _:
                table[key] = choose.random()
    mark, before = marks[0]
    trail.take_back(mark)
    assert [dict(t) for t in tables] == before


def test_noting_takes_no_longer_for_large_tables():
    trail = Trail()
    table = Table(dict.fromkeys(range(1000)), trail)
    mark = trail.mark()
    table[3] = 5
    table.setdefault(3, 6)
    assert trail.mark() == mark + 1
    trail.take_back(mark)
    assert table[3] is None and trail.mark() == mark
