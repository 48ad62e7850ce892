/* Products of matrices from several threads.
 *
 * Kernels call `cblas_sgemm` and `cblas_dgemm`, and find these functions. The threads of a BLAS
 * library are not those of kernels: OpenBLAS' wait for the next product by asking for the CPU again
 * and again, while kernels want it for something else. So a large product is cut into one part for
 * each thread of the kernels, and the library computes each part on the thread that asks, if it can
 * be told to. That is a setting of the whole process, which is put back when no kernel multiplies
 * any more.
 *
 * The number of threads does not change the result where the rows of it are cut. OpenBLAS goes
 * through them in groups, of 3 times 2, 4 or 8 rows or less, which are rounded differently from
 * what is left in the end: parts are whole multiples of 24 rows. It begins again after some
 * thousands of rows: parts are shorter than that, for one thread as well. It rounds products of up
 * to a million multiplications in another way: no part is so small, unless all that there can be
 * are. Where columns are cut, for products of few rows, no such numbers keep the result the same.
 *
 * Vectors go to the function for vectors, as in NumPy: it does not copy the matrix. A matrix times
 * its own transpose goes to the function for that, as in NumPy, as a whole: it computes half of the
 * elements, and rounds them in another way.
 */

#include "products.h"

#include <stdatomic.h>

void library_set_threads(int32_t);
int32_t sched_yield(void);

static _Atomic int32_t changing = 0; /* 1 while a thread changes what follows */
static int32_t multiplying = 0;      /* threads that multiply, each within a job of its own */
static int32_t before = 0;           /* the threads that the library had, if it has one now */

static void set_threads_of_library(int32_t count)
{
    if (ag_library_threads)
        library_set_threads(count);
}

static void lock(void)
{
    while (atomic_exchange_explicit(&changing, 1, memory_order_acquire))
        sched_yield();
}

static void unlock(void)
{
    atomic_store_explicit(&changing, 0, memory_order_release);
}

void ag_enter_products(void)
{
    lock();
    if (multiplying++ == 0) {
        int32_t threads = threads_of_library();
        if (threads > 1) {
            before = threads;
            set_threads_of_library(1);
        }
    }
    unlock();
}

void ag_leave_products(void)
{
    lock();
    if (multiplying > 0)
        multiplying--;
    if (multiplying == 0 && before) {
        set_threads_of_library(before);
        before = 0;
    }
    unlock();
}

/* Before a fork: no thread is amid changing the library's threads. It would hold a lock of the
 * library's, which nobody in the forked process could ever release. */
void ag_hold_products(void)
{
    lock();
}

/* After a fork, in the process that forked. */
void ag_let_products(void)
{
    unlock();
}

/* After a fork, in the forked process: it has none of the threads that were multiplying, but for the
 * one that forked it if that did so amid a product: it leaves once more. */
void ag_forget_products(void)
{
    unlock();
    multiplying = 1;
    ag_leave_products();
}
