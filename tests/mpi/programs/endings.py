"""Something happens to rank 1 while the others go on to a collective: what, says the argument."""

import os
import signal
import sys
import threading
import time

import numpy as np

import tests.mpi.light  # noqa: F401
from autograph.errors import CollectiveError
from autograph.parallel.mpi import Call, world

case = sys.argv[1]
if case == "before" and os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("PMI_RANK")) == "1":
    sys.exit(0)
print("ends", time.time(), flush=True)
everyone = world()
rank = everyone.rank
x = np.ones(3)
HERE = lambda: Call("psum", f"{__file__}:{sys._getframe(1).f_lineno}")


def ends():
    print("ends", time.time(), flush=True)


def one():
    if case == "operator":
        ends()
        everyone.gather(x, Call("all_gather", HERE().location))  # the line of rank 1
    elif case == "method":  # of the same name, at the same line
        ends()
        everyone.gather(x, OTHERS)
    elif case == "line":
        ends()
        everyone.sum([x], HERE())  # another line
    elif case == "shape":
        ends()
        return np.ones(4)
    elif case == "dtype":
        ends()
        return np.ones(3, np.float32)
    elif case == "many":
        return [x, np.ones(4)]
    elif case == "raise":
        ends()
        raise ValueError("only here")
    elif case == "interrupt":
        ends()
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(60)
    elif case == "exit":
        ends()
        sys.exit(3)  # the line of rank 1
    elif case == "exit in finally":
        try:
            ends()
            raise SystemExit(0)
        finally:
            time.sleep(0.1)
    elif case == "end":
        ends()
        return None
    elif case == "_exit":
        ends()
        os._exit(0)
    elif case == "kill":
        ends()
        os.kill(os.getpid(), signal.SIGKILL)
    elif case == "stop":
        ends()
        os.kill(os.getpid(), signal.SIGSTOP)
    elif case == "late":
        ends()
        time.sleep(60)  # the line of rank 1
    elif case == "thread":
        thread = threading.Thread(target=in_a_thread)
        thread.start()
        time.sleep(60)
    elif case == "caught":
        return np.ones(5)
    return x


OTHERS = Call("psum", "a.py:1")


def in_a_thread():
    everyone.sum([x], Call("psum", "in a thread"))
    ends()
    raise KeyError("in a thread")


def everywhere():
    if case == "all raise":
        ends()
        raise ValueError("everywhere")
    if case == "split":
        group = everyone.split(rank % 2, 0)
        group.sum([x], HERE())
        if rank == 1:
            print("leaves", time.time(), flush=True)
            sys.exit(3)
        if group.size > 1:  # without rank 1 these can go on
            for _ in range(50):
                group.sum([x], HERE())
                time.sleep(0.02)
    if case == "slow end":
        time.sleep(1.0 if rank == 1 else 0.0)
        ends()
        sys.exit(0)
    if case == "same exit":
        ends()
        sys.exit(4)


everyone.sum([x], HERE())  # the last line of all
everywhere()
if case == "thread" and rank != 1:
    everyone.sum([x], Call("psum", "in a thread"))
if case == "method" and rank != 1:
    everyone.sum([x], OTHERS)
operand = one() if rank == 1 else [x, x] if case == "many" else x
if operand is not None:
    try:
        if rank != 1:
            ends()
        everyone.sum(operand if case == "many" else [operand], HERE())  # the line of the others
    except CollectiveError:
        if case != "caught":
            raise
        ends()
        everyone.barrier(Call("barrier", "b.py:1"))
print("came to the end of", rank)
