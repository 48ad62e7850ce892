"""As a process ends, it does all that it would do without the package, but goes through no objects
where nobody sees it."""

import pytest

from tests.support.processes import file_of, printed

# The function has no part in the variables of the program, which go as ever.
BEFORE = """
exec('''
import gc, sys

def freeze(freeze=gc.freeze):
    if sys._getframe(1).f_code.co_name == "_leave":
        print("left")
    freeze()

gc.freeze = freeze
''', {})
"""

PLAIN = """
import numpy as np
import scipy.special

class Ring:
    def __init__(self):
        self.own = self

def f(x):
    for _ in range(3):
        x = np.sin(x)
    return x

ring, iterator, finished = Ring(), iter([1]), (n for n in ())
list(finished)
with open(__file__) as file:
    text = file.read()
"""

IMPORT = """
import autograph as ag
"""

# What is seen as objects go that are in circles; each says "bye".
SEEN = {
    "a method": """
class Ring:
    def __init__(self):
        self.own = self

    def __del__(self):
        print("bye")

ring = Ring()
""",
    "a method of a base": """
class Base:
    def __del__(self):
        print("bye")

class Ring(Base):
    pass

ring = Ring()
ring.own = ring
""",
    "what a class holds": """
class Told:
    def __del__(self):
        print("bye")

class Holder:
    told = Told()
""",
    "an object that the collector does not know": """
class Told:
    __slots__ = ()

    def __del__(self):
        print("bye")

class Holder:
    told = Told()
""",
    "a class of a metaclass": """
class Meta(type):
    def __del__(cls):
        print("bye")

    def __getattr__(cls, name):
        raise RuntimeError(name)

    __hash__ = None

class Made(metaclass=Meta):
    pass
""",
    "a generator": """
def steps(own):
    try:
        yield 1
    finally:
        print("bye")

own = []
own += [steps(own), own]
next(own[0])
""",
    "a file": """
import sys

class Ring:
    def __init__(self):
        self.own, self.file = self, open("/dev/stdout", "w")
        self.file.write("bye\\n")

ring = Ring()
sys.stdout.flush()
""",
    "a function that waits": """
import weakref

class Ring:
    def __init__(self):
        self.own = self

ring = Ring()
waits = weakref.ref(ring, lambda reference: print("bye"))
del ring
""",
    "a function that waits with a proxy": """
import weakref

class Ring:
    def __init__(self):
        self.own = self

ring = Ring()
waits = weakref.proxy(ring, lambda reference: print("bye"))
del ring
""",
    "a function that waits with a method": """
import weakref

class Ring:
    def __init__(self):
        self.own = self

    def method(self):
        pass

ring = Ring()
waits = weakref.WeakMethod(ring.method, lambda reference: print("bye"))
del ring
""",
    "a debugger": """
def told(phase, info):
    if phase == "start" and not said:
        said.append(print("bye"))

import gc
said = []
gc.callbacks.append(told)
""",
}


def ending(tmp_path, program):
    """The lines that it prints, of which Python may have collected some before."""
    return sorted(printed(file_of(tmp_path / "program.py", program), together=True).splitlines())


@pytest.mark.parametrize("called", ["", "f(0.5)", "ag.to_graph(f)(0.5)", "ag.grad(f)(0.5)"])
def test_nothing_is_gone_through_where_nobody_sees_it(tmp_path, called):
    assert ending(tmp_path, BEFORE + IMPORT + PLAIN + called) == ["left"]


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("first", [False, True])
def test_what_is_seen_happens(tmp_path, seen, first):
    """Whatever was imported first."""
    expected = ending(tmp_path, BEFORE + SEEN[seen])
    assert expected == ["bye"]
    program = SEEN[seen] + IMPORT if first else IMPORT + SEEN[seen]
    assert ending(tmp_path, BEFORE + program) == expected


def test_a_coroutine_that_nobody_awaited_is_told(tmp_path):
    program = """
async def later(own):
    pass

own = []
own += [later(own), own]
"""
    lines = ending(tmp_path, BEFORE + IMPORT + program)
    assert "left" not in lines and any("never awaited" in line for line in lines)


def test_streams_of_the_process_may_be_others(tmp_path):
    program = """
import io, sys
sys.stdout = io.TextIOWrapper(sys.stdout.detach(), "utf-8")
sys.stderr = io.TextIOWrapper(sys.stderr.detach(), "utf-8")
closed = open(__file__)
closed.close()
"""
    assert ending(tmp_path, BEFORE + IMPORT + program) == ["left"]


def test_modules_that_wait_are_not_run(tmp_path):
    program = """
import importlib.util, sys

spec = importlib.util.find_spec("this")
spec.loader = importlib.util.LazyLoader(spec.loader)
sys.modules["this"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["this"])
sys.modules["no_module"] = type("Refusing", (), {"__getattr__": None})()
"""
    assert ending(tmp_path, BEFORE + IMPORT + program) == ["left"]


def test_objects_of_others_extension_modules_go_as_ever(tmp_path):
    """They may write files as they go, which nobody could tell."""
    program = "import sys, types; sys.modules['other'] = types.ModuleType('other')\n"
    program += "sys.modules['other'].__file__ = '/other.abi3.so'\n"
    assert ending(tmp_path, BEFORE + IMPORT + program) == []


@pytest.mark.parametrize("name", ["_sqlite3", "_dbm", "_gdbm"])
def test_databases_tidy_up_their_files(tmp_path, name):
    program = f"import sys, types; sys.modules[{name!r}] = types.ModuleType({name!r})\n"
    assert ending(tmp_path, BEFORE + IMPORT + program) == []


def test_what_is_done_at_the_end_may_leave_something_to_objects_in_circles(tmp_path):
    before = """
import atexit

class Ring:
    def __init__(self):
        self.own = self

ring = Ring()

def at_end():
    ring.file = open("/dev/stdout", "w")
    ring.file.write("bye")

atexit.register(at_end)
"""
    assert ending(tmp_path, BEFORE + before + IMPORT) == ["bye"]
    assert ending(tmp_path, BEFORE + IMPORT + before) == ["bye"]


def test_objects_that_were_frozen_stay_so_and_others_go_as_ever_where_the_collector_is_debugged(
    tmp_path,
):
    program = "import gc; gc.set_debug(gc.DEBUG_UNCOLLECTABLE)\n"
    assert ending(tmp_path, BEFORE + IMPORT + program) == []
