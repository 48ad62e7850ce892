/* What the products of both dtypes have in common: see `products.c`. */

#ifndef PRODUCTS_H
#define PRODUCTS_H

#include "threads.h"

#include <stdbool.h>

/* CBLAS' numbers. */
enum { ROW_MAJOR = 101, PLAIN = 111, TRANSPOSED = 112, UPPER = 121 };

enum { BLOCK = 32 }; /* columns of a triangle that are copied together */

extern const int32_t ag_library_bits;    /* the width of the library's integers */
extern const int32_t ag_library_threads; /* whether it can be told how many threads to use */
extern int32_t ag_threads;

int32_t library_threads(void);

/* Let the library compute on the threads that ask, until the last one of them is ready. */
void ag_enter_products(void);
void ag_leave_products(void);

static inline int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t divided_up(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* How many threads the library uses; 0 if it cannot be told. */
static inline int32_t threads_of_library(void)
{
    return ag_library_threads ? library_threads() : 0;
}

/* How many groups of 24 rows there are. */
static inline int64_t groups_of(int64_t rows)
{
    return (rows + 12) / 24;
}

/* How many parts of rows, with `each` multiplications in a row, there are. */
static inline int64_t parts_of_rows(int64_t rows, int64_t each)
{
    /* one row more, up to 12 less in the last part, rounded up */
    int64_t least = (1000000 / each + 36) / 24;
    int64_t most = groups_of(rows) / least;
    int64_t needed = (rows + 3071) / 3072;
    int64_t fair = divided_up(needed, ag_threads) * ag_threads;
    return larger(smaller(fair, most), needed);
}

/* The row with which a part begins, or after the last part the number of rows. */
static inline int64_t first_row(int64_t part, int64_t parts, int64_t rows)
{
    return part == parts ? rows : part * groups_of(rows) / parts * 24;
}

/* How many columns, with `each` multiplications in a column, a part has. */
static inline int64_t columns_of_a_part(int64_t columns, int64_t each)
{
    int64_t enough = 1000000 / each + 1;
    return divided_up(larger(divided_up(columns, ag_threads), enough), 16) * 16;
}

#define JOIN(before, letter, after) before##letter##after
#define JOINED(before, letter, after) JOIN(before, letter, after)

#endif
