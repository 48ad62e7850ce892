"""Texts that are attributes of objects of which only the run knows how many there are in lists."""

import pytest

from tests.support.oracle import check


class Job:
    def __init__(self, work, kind, state="new"):
        self.work, self.kind, self.state = work, kind, state


def jobs(x):
    return [Job(x, "a"), Job(2 * x, "b", "old"), Job(1.0, "c")]


def taken_in_turns(x):
    queue, order, last = jobs(x), [], "none"
    while queue:
        job = queue.pop(0)
        job.work -= 1
        if job.work > 0:
            queue.append(job)
        else:
            order.append(job.kind + "!")
            last = job.kind
    return order, last


def compared(x):
    queue, count = jobs(x), 0
    while queue:
        job = queue.pop()
        print(job.kind, job.work)
        if job.kind == "b":
            count += 1
        job.work -= 1
        if job.work > 0:
            queue.append(job)
    return count


def assigned(x):
    queue, done = jobs(x), []
    while queue:
        job = queue.pop(0)
        job.work -= 1
        if job.work > 0:
            job.state = "running"
            queue.append(job)
        else:
            job.state = "done" if job.state == "running" else "short"
            done.append(job)
    return [job.state for job in done], [job.work for job in done]


@pytest.mark.parametrize("x", [3.3, 0.2])
@pytest.mark.parametrize("program", [taken_in_turns, compared, assigned])
def test_texts(program, x):
    check(program, x)
