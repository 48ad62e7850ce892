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

#include "threads.h"

#include <stdatomic.h>
#include <stdbool.h>

/* CBLAS' numbers. */
enum { ROW_MAJOR = 101, PLAIN = 111, TRANSPOSED = 112, UPPER = 121 };

enum { BLOCK = 32 }; /* columns of a triangle that are copied together */

extern const int32_t ag_library_bits;    /* the width of the library's integers */
extern const int32_t ag_library_threads; /* whether it can be told how many threads to use */
extern int32_t ag_threads;

int32_t library_threads(void);
void library_set_threads(int32_t);
int32_t sched_yield(void);

static _Atomic int32_t changing = 0; /* 1 while a thread changes what follows */
static int32_t multiplying = 0;      /* threads that multiply, each within a job of its own */
static int32_t before = 0;           /* the threads that the library had, if it has one now */

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t divided_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* How many threads the library uses; 0 if it cannot be told. */
static int32_t threads_of_library(void)
{
    return ag_library_threads ? library_threads() : 0;
}

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

/* Let the library compute on the threads that ask, until the last one of them is ready. */
static void enter(void)
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

static void leave(void)
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
    leave();
}

/* How many groups of 24 rows there are. */
static int64_t groups_of(int64_t rows)
{
    return (rows + 12) / 24;
}

/* How many parts of rows, with `each` multiplications in a row, there are. */
static int64_t parts_of_rows(int64_t rows, int64_t each)
{
    /* one row more, up to 12 less in the last part, rounded up */
    int64_t least = (1000000 / each + 36) / 24;
    int64_t most = groups_of(rows) / least;
    int64_t needed = (rows + 3071) / 3072;
    int64_t fair = divided_up(needed, ag_threads) * ag_threads;
    return larger(smaller(fair, most), needed);
}

/* The row with which a part begins, or after the last part the number of rows. */
static int64_t first_row(int64_t part, int64_t parts, int64_t rows)
{
    return part == parts ? rows : part * groups_of(rows) / parts * 24;
}

/* How many columns, with `each` multiplications in a column, a part has. */
static int64_t columns_of_a_part(int64_t columns, int64_t each)
{
    int64_t enough = 1000000 / each + 1;
    return divided_up(larger(divided_up(columns, ag_threads), enough), 16) * 16;
}

#define JOIN(before, letter, after) before##letter##after
#define JOINED(before, letter, after) JOIN(before, letter, after)

#define TYPE float
#define LETTER s
#include "product.h"

#define TYPE double
#define LETTER d
#include "product.h"
