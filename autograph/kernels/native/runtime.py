"""What kernels call: scratch memory, threads, matrix products. One piece of code per process.

It is in C, in the files of `autograph.kernels.native.c`. These get into memory when something in
them is first asked for: most kernels need neither threads nor products, and machine code of a
thousand lines takes 10 ms to make, 40 ms where it is optimised (`autograph.kernels.native.parts`).

==================================================  ================================================
``ptr ag_take(i64 bytes)``                          scratch memory; null if there is none
``void ag_give(ptr, i64 bytes)``                    give it back
``i64 ag_reserve(ptr arena, i64 bytes)``            a piece of an arena; 0 if there is no memory
``void ag_rewind(ptr arena)``                       free all of its pieces
``void ag_rewind_to(ptr arena, i64 cursor,``        free those since its first and third word were
``ptr block, i64 newest, i64 bytes)``               these, but for one and those before it
``i32 ag_keep(ptr arena, i64 cursor, ptr block,``   the same but for some pieces, which may move:
``ptr pieces, i64 count)``                          addresses and bytes; 0 if there is no memory
``void ag_release(ptr arena)``                      free them and give the memory back
``i32 ag_parallel(ptr f, ptr context,``             ``i32 f(ptr context, i64 begin, i64 end)`` for
``i64 count, i64 grain)``                           chunks of ``grain`` trips, on several threads
``i32 ag_parallel_awake(ptr f, ptr context,``       with fewer than ``many`` trips on those that are
``i64 count, i64 grain, i64 many)``                 awake, see ``threads.h``
``i32 ag_poll()``                                   0, or 4: the user wants the kernel to end
``i64 ag_stack_floor(i64 here, i64 bytes)``         the lowest address that the stack may come to
``void cblas_sgemm(...)``, ``void cblas_dgemm``     as in CBLAS, with 64-bit integers, row by row
``void cblas_small_sgemm(...)``, ``..._dgemm``      the same with few multiplications: ``product.h``
==================================================  ================================================
"""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from autograph.kernels.native import compiler, python_api
from autograph.kernels.native.blas import SHARING, blas_available, link_products, link_sharing
from autograph.kernels.native.parts import link_c
from autograph.settings import number_from
from ops.core.locks import around_forks
from ops.core.memory import machine_memory

_ARRAY_MEMORY = ("ag_array_malloc", "ag_array_calloc", "ag_array_realloc", "ag_array_free")

# Files that get into memory together; what kernels may call of them, and what is asked for besides.
_PARTS: dict[tuple[str, ...], tuple[tuple[str, ...], tuple[str, ...]]] = {
    ("memory",): (("ag_take", "ag_give", "ag_trim"), ("ag_memory_limit", "ag_memory_kept")),
    ("arrays",): ((), _ARRAY_MEMORY),
    ("arenas",): (
        ("ag_reserve", "ag_rewind", "ag_release"),
        ("ag_arena_limit", "ag_arena_bytes"),
    ),
    ("records",): (("ag_rewind_to", "ag_keep"), ()),
    ("threads", "interrupts"): (
        ("ag_parallel", "ag_parallel_awake", "ag_poll", "ag_pause", "ag_resume"),
        ("ag_threads", "ag_main_thread"),
    ),
    ("stack",): (("ag_stack_floor",), ()),
}
_PART_OF = {name: part for part, names in _PARTS.items() for name in sum(names, ())}
_FUNCTIONS = tuple(name for functions, _ in _PARTS.values() for name in functions)
_LARGE_PRODUCTS = {"cblas_sgemm": "ag_sgemm", "cblas_dgemm": "ag_dgemm"}
_SMALL_PRODUCTS = {"cblas_small_sgemm": "ag_small_sgemm", "cblas_small_dgemm": "ag_small_dgemm"}
_PRODUCTS = {**_LARGE_PRODUCTS, **_SMALL_PRODUCTS}

# What is used of other parts.
_USED: dict[tuple[str, ...], tuple[str, ...]] = {
    ("arrays",): ("ag_take", "ag_give"),
    ("arenas",): ("ag_take", "ag_give"),
    ("records",): ("ag_take", "ag_give", "ag_reserve", "ag_rewind", "ag_arena_bytes"),
    ("stack",): ("ag_main_thread",),
}
_USED_BY_PRODUCTS = ("ag_threads", "ag_parallel")

# What they call.
_PTHREAD = (
    *("pthread_create", "pthread_detach", "pthread_sigmask"),
    *("pthread_mutex_init", "pthread_mutex_lock", "pthread_mutex_unlock"),
    *("pthread_cond_init", "pthread_cond_wait", "pthread_cond_broadcast"),
)
_OF_STACKS = (
    *("pthread_self", "pthread_getattr_np"),
    *("pthread_attr_getstack", "pthread_attr_destroy"),
)
_LIBRARY = (
    *("malloc", "calloc", "free", "memset", "memcpy", "clock_gettime", "getpid", "sched_yield"),
    *("sigfillset", "sigdelset"),
    *_PTHREAD,
    *_OF_STACKS,
)
_PYTHON = (
    *("PyGILState_GetThisThreadState", "PyGILState_Ensure", "PyGILState_Release"),
    *("PyErr_CheckSignals", "PyThread_get_thread_ident"),
)

# More threads than this are not asked for.
_MOST_THREADS = 1024

# What `threads.c` and `interrupts.c` have to know of the system.
_CONSTANTS = {
    "ag_monotonic": int(time.CLOCK_MONOTONIC),
    "ag_sig_block": int(signal.SIG_BLOCK),
    "ag_sig_setmask": int(signal.SIG_SETMASK),
    "ag_sigbus": int(signal.SIGBUS),
}


class RuntimeSymbols(Mapping[str, int]):
    """The names that kernels may use, and their addresses, which are found when they are asked
    for."""

    def __init__(self, address: Callable[[str], int]):
        self._address = address

    def __getitem__(self, name: str) -> int:
        if name not in set(self):
            raise KeyError(name)
        return self._address(name)

    def __iter__(self) -> Iterator[str]:
        yield from _FUNCTIONS
        if blas_available():
            yield from _PRODUCTS

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def in_objects(self, contents: Collection[bytes]) -> list[str]:
        """Those that some object files name."""
        names = {n: n.encode() for n in (*_FUNCTIONS, *_PRODUCTS)}
        found = [n for n, name in names.items() if any(name in content for content in contents)]
        return [n for n in found if n in _FUNCTIONS or blas_available()]


class Runtime:
    """The functions in memory.

    Args:
        outside: the addresses of what is called in the C library and in Python.
        threads: how many threads run parallel loops.

    Attributes:
        symbols: the names that kernels may use, with their addresses.
        threads: how many threads run parallel loops, with the one that starts them. It counts when
            the first such loop runs.
    """

    def __init__(self, outside: Mapping[str, int], threads: int):
        self.symbols = RuntimeSymbols(self.address)
        self.threads = threads
        self._outside = outside
        self._found: dict[str, int] = {}
        around_forks(self._before_fork, self._after_fork, self._in_child)

    def address(self, name: str) -> int:
        """The address of one of the functions or variables."""
        with compiler.lock:  # so that one thread links a part, and no process is forked now
            if name not in self._found:
                if name in _PRODUCTS:
                    self._link_products(name)
                else:
                    self._link(_PART_OF[name])
        return self._found[name]

    def _link(self, part: tuple[str, ...]) -> None:
        constants = {**_CONSTANTS, "ag_stack_is_known": int(self._outside.keys() >= {*_OF_STACKS})}
        outside = dict.fromkeys(_OF_STACKS, self._outside["free"]) | {**self._outside}
        used = {name: self.address(name) for name in _USED.get(part, ())}
        found = link_c(part, sum(_PARTS[part], ()), outside | used, constants).addresses
        if "ag_threads" in found:
            ctypes.c_int32.from_address(found["ag_threads"]).value = self.threads
            main = threading.main_thread().ident or 0
            ctypes.c_uint64.from_address(found["ag_main_thread"]).value = main
        elif "ag_memory_limit" in found:
            _number(found["ag_memory_limit"]).value = _memory_limit()
        elif "ag_arena_limit" in found:
            _number(found["ag_arena_limit"]).value = arena_limit()
        self._found |= found

    def _link_products(self, name: str) -> None:
        """Bring products of one dtype into memory, and what large ones of both share."""
        used: dict[str, int] = {}
        if name in _LARGE_PRODUCTS:
            used = {name: self.address(name) for name in _USED_BY_PRODUCTS}
            if SHARING[0] not in self._found:
                self._found |= link_sharing().addresses
            used |= {name: self._found[name] for name in SHARING}
        self._found[name] = link_products(_PRODUCTS[name], used).address

    # -- forks -------------------------------------------------------------------------------------

    def _before_fork(self) -> None:
        """A fork waits until nothing is linked, and this thread's workers, and then the library's
        threads, are at rest: workers may be multiplying."""
        compiler.lock.acquire()
        self._call("ag_pause")
        self._call("ag_hold_products")

    def _after_fork(self) -> None:
        self._call("ag_let_products")
        self._call("ag_resume")
        compiler.lock.release()

    def _in_child(self) -> None:
        """The thread that forked a process is its main thread, and the only one."""
        self._call("ag_forget_products")
        self._call("ag_resume")
        if "ag_main_thread" in self._found:
            main = threading.get_ident()
            ctypes.c_uint64.from_address(self._found["ag_main_thread"]).value = main
        compiler.lock.release()

    def _call(self, name: str) -> None:
        """Call a function, if it is in memory."""
        if name in self._found:
            ctypes.CFUNCTYPE(None)(self._found[name])()

    # -- memory ------------------------------------------------------------------------------------

    @property
    def array_memory(self) -> tuple[int, ...]:
        """The functions of a PyDataMemAllocator of NumPy: malloc, calloc, realloc, free."""
        return tuple(map(self.address, _ARRAY_MEMORY))

    @property
    def memory_kept(self) -> int:
        """How many bytes of scratch memory are kept for the next kernels."""
        return _number(self.address("ag_memory_kept")).value

    def trim(self) -> None:
        """Give the scratch memory that is kept back to the system."""
        ctypes.CFUNCTYPE(None)(self.address("ag_trim"))()


def _number(address: int) -> ctypes.c_int64:
    """A variable of 64 bits."""
    return ctypes.c_int64.from_address(address)


@functools.cache
def runtime() -> Runtime:
    """The runtime of this process."""
    addresses = library_addresses(_LIBRARY) | python_api.addresses(_PYTHON)
    threads = thread_count()
    for name in _PTHREAD:
        if name not in addresses:  # with one thread it is never called
            addresses[name], threads = addresses["free"], 1
    return Runtime(addresses, threads)


def thread_count() -> int:
    """How many threads a parallel loop may use: ``AUTOGRAPH_NUM_THREADS``, or as many as there are
    CPUs for this process.

    Raises:
        OptionError: the variable is not a positive number.
    """
    if hasattr(os, "sched_getaffinity"):
        usable = len(os.sched_getaffinity(0))
    else:
        usable = os.cpu_count() or 1
    return min(number_from("AUTOGRAPH_NUM_THREADS", usable, 1), _MOST_THREADS)


def library_addresses(names: Iterable[str]) -> dict[str, int]:
    """Where functions of the C library are; those it does not have are left out."""
    library = ctypes.CDLL(None)
    found = {name: getattr(library, name, None) for name in names}
    return {
        name: ctypes.cast(function, ctypes.c_void_p).value or 0
        for name, function in found.items()
        if function is not None
    }


def _memory_limit() -> int:
    """How much scratch memory is kept: a sixteenth of the machine's, at most 1 GiB."""
    return min(machine_memory() // 16, 1 << 30)


def arena_limit() -> int:
    """How many bytes all residuals of loops that run may have together: ``AUTOGRAPH_ARENA_SIZE``,
    or half of the machine's memory. A kernel that needs more ends with MemoryError, before the
    system ends the process.

    Raises:
        OptionError: the variable is not a number.
    """
    return number_from("AUTOGRAPH_ARENA_SIZE", machine_memory() // 2, 0)
