/* Memory for kernels and their results: see `memory.c`. */

#ifndef MEMORY_H
#define MEMORY_H

#include <stdatomic.h>
#include <stdint.h>

/* Memory of some bytes, at a multiple of 64, with any contents; null if there is none. */
void *ag_take(uint64_t bytes);

/* Give back what ag_take gave. Null is nothing. */
void ag_give(void *block, uint64_t bytes);

/* What stands before a block. */
typedef struct {
    void *base;    /* what malloc returned */
    uint64_t size; /* of the block, in bytes */
} Head;

static inline uint64_t add(_Atomic uint64_t *sum, uint64_t bytes)
{
    return atomic_fetch_add_explicit(sum, bytes, memory_order_relaxed) + bytes;
}

static inline void subtract(_Atomic uint64_t *sum, uint64_t bytes)
{
    atomic_fetch_sub_explicit(sum, bytes, memory_order_relaxed);
}

static inline Head *head_of(void *block)
{
    return (Head *)block - 1;
}

static inline uint64_t block_size(void *block)
{
    return head_of(block)->size;
}

#endif
