"""What kernels call: scratch memory, threads, matrix products. One piece of code per process.

It is in C, in ``memory.c``, ``threads.c``, ``interrupts.c`` and ``stack.c`` of
`autograph.kernels.native.c`:

==================================================  ================================================
``ptr ag_take(i64 bytes)``                          scratch memory; null if there is none
``void ag_give(ptr, i64 bytes)``                    give it back
``i64 ag_reserve(ptr arena, i64 bytes)``            a piece of an arena; 0 if there is no memory
``void ag_rewind(ptr arena)``                       free all of its pieces
``void ag_rewind_to(ptr arena, i64 cursor,``        free those since its first and third word were
``ptr block, i64 newest, i64 bytes)``               these, but for one and those before it
``void ag_release(ptr arena)``                      free them and give the memory back
``i32 ag_parallel(ptr f, ptr context,``             ``i32 f(ptr context, i64 begin, i64 end)`` for
``i64 count, i64 grain)``                           chunks of ``grain`` trips, on several threads
``i32 ag_parallel_awake(ptr f, ptr context,``       with fewer than ``many`` trips on those that are
``i64 count, i64 grain, i64 many)``                 awake, see ``threads.h``
``i32 ag_poll()``                                   0, or 4: the user wants the kernel to end
``i64 ag_stack_floor(i64 here, i64 bytes)``         the lowest address that the stack may come to
``void cblas_sgemm(...)``, ``void cblas_dgemm``     as in CBLAS, with 64-bit integers, row by row
==================================================  ================================================
"""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import threading
import time
from collections.abc import Iterable

from autograph.kernels.native import python_api
from autograph.kernels.native.blas import link_products
from autograph.kernels.native.loader import Code, link_c
from autograph.settings import number_from
from ops.core.memory import machine_memory

_FUNCTIONS = (
    *("ag_take", "ag_give", "ag_trim"),
    *("ag_reserve", "ag_rewind", "ag_rewind_to", "ag_release"),
    *("ag_parallel", "ag_parallel_awake", "ag_poll", "ag_pause", "ag_resume"),
    "ag_stack_floor",
)
_ARRAY_MEMORY = ("ag_array_malloc", "ag_array_calloc", "ag_array_realloc", "ag_array_free")
_VARIABLES = (
    *("ag_memory_limit", "ag_memory_kept", "ag_arena_limit"),
    *("ag_threads", "ag_main_thread"),
)

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


def _do_nothing() -> None:
    pass


class Runtime:
    """The functions in memory.

    Attributes:
        symbols: the names that kernels may use, with their addresses.
        array_memory: the functions of a PyDataMemAllocator of NumPy: malloc, calloc, realloc, free.
    """

    def __init__(self, code: Code, products: Code | None, threads: int):
        self.symbols = {name: code.addresses[name] for name in _FUNCTIONS}
        if products is not None:
            found = products.addresses
            self.symbols |= {"cblas_sgemm": found["ag_sgemm"], "cblas_dgemm": found["ag_dgemm"]}
        self.array_memory = tuple(code.addresses[name] for name in _ARRAY_MEMORY)
        self._threads = ctypes.c_int32.from_address(code.addresses["ag_threads"])
        self._limit = ctypes.c_int64.from_address(code.addresses["ag_memory_limit"])
        self._kept = ctypes.c_int64.from_address(code.addresses["ag_memory_kept"])
        self._arena_limit = ctypes.c_int64.from_address(code.addresses["ag_arena_limit"])
        self._main = ctypes.c_uint64.from_address(code.addresses["ag_main_thread"])
        self._threads.value = threads
        self._limit.value = _memory_limit()
        self._arena_limit.value = arena_limit()
        self._main.value = threading.main_thread().ident or 0
        self._prepare_for_forks(code.addresses, {} if products is None else products.addresses)

    def _prepare_for_forks(self, code: dict[str, int], products: dict[str, int]) -> None:
        """A fork waits until this thread's workers, and then the library's threads, are at rest:
        workers may be multiplying."""
        nothing = ctypes.CFUNCTYPE(None)
        pause, resume = nothing(code["ag_pause"]), nothing(code["ag_resume"])
        hold, let, forget = (
            nothing(products[name]) if products else _do_nothing
            for name in ("ag_hold_products", "ag_let_products", "ag_forget_products")
        )

        def before() -> None:
            pause()
            hold()

        def in_parent() -> None:
            let()
            resume()

        def in_child() -> None:
            """The thread that forked a process is its main thread, and the only one."""
            forget()
            resume()
            self._main.value = threading.get_ident()

        os.register_at_fork(before=before, after_in_parent=in_parent, after_in_child=in_child)

    @property
    def threads(self) -> int:
        """How many threads run parallel loops, with the one that starts them. It counts when the
        first such loop runs."""
        return self._threads.value

    @property
    def memory_kept(self) -> int:
        """How many bytes of scratch memory are kept for the next kernels."""
        return self._kept.value

    def trim(self) -> None:
        """Give the scratch memory that is kept back to the system."""
        ctypes.CFUNCTYPE(None)(self.symbols["ag_trim"])()


@functools.cache
def runtime() -> Runtime:
    """The runtime of this process."""
    addresses = library_addresses(_LIBRARY) | python_api.addresses(_PYTHON)
    threads = thread_count()
    for name in _PTHREAD:
        if name not in addresses:  # with one thread it is never called
            addresses[name], threads = addresses["free"], 1
    constants = {**_CONSTANTS, "ag_stack_is_known": int(addresses.keys() >= {*_OF_STACKS})}
    addresses = dict.fromkeys(_OF_STACKS, addresses["free"]) | addresses
    names = (*_FUNCTIONS, *_ARRAY_MEMORY, *_VARIABLES)
    code = link_c(("memory", "threads", "interrupts", "stack"), names, addresses, constants)
    products = link_products({name: code.addresses[name] for name in ("ag_threads", "ag_parallel")})
    return Runtime(code, products, threads)


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
