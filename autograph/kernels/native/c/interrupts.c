/* Ctrl-C while a kernel runs.
 *
 * Loops of kernels ask now and then whether to go on. In the main thread, where Python handles
 * signals, ag_poll lets it do so, but not more often than every 50 milliseconds: another thread may
 * hold the GIL for a while. If a handler raised, the kernel ends, and the exception waits in
 * Python's state of the thread. Threads that Python does not know are workers of the pool; they
 * stop if the thread that they work for does. Other threads of Python go on.
 */

#include "threads.h"

void *PyGILState_GetThisThreadState(void);
int32_t PyGILState_Ensure(void);
void PyGILState_Release(int32_t);
int32_t PyErr_CheckSignals(void);

uint64_t ag_main_thread = 0; /* Python's number of the main thread */
static uint64_t polled = 0;  /* when the main thread looked last, in nanoseconds */

__attribute__((preserve_most)) int32_t ag_poll(void)
{
    if (!PyGILState_GetThisThreadState())
        return result_so_far() & INTERRUPTED;
    if (PyThread_get_thread_ident() != ag_main_thread)
        return 0;
    uint64_t now = time_now();
    if (now - polled <= 50000000)
        return 0;
    polled = now;
    int32_t gil = PyGILState_Ensure();
    int32_t raised = PyErr_CheckSignals();
    PyGILState_Release(gil);
    return raised ? INTERRUPTED : 0;
}
