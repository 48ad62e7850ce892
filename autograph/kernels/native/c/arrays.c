/* The same memory for NumPy's arrays: what a PyDataMemAllocator has. */

#include "memory.h"

#include <stddef.h>

void *ag_array_malloc(void *context, uint64_t bytes)
{
    (void)context;
    return ag_take(bytes);
}

void *ag_array_calloc(void *context, uint64_t count, uint64_t bytes)
{
    (void)context;
    uint64_t size;
    if (__builtin_mul_overflow(count, bytes, &size))
        return NULL;
    void *block = ag_take(size);
    if (block)
        __builtin_memset(block, 0, size);
    return block;
}

void *ag_array_realloc(void *context, void *block, uint64_t bytes)
{
    (void)context;
    uint64_t size = block_size(block);
    if (bytes <= size)
        return block;
    void *other = ag_take(bytes);
    if (other) {
        __builtin_memcpy(other, block, size);
        ag_give(block, size);
    }
    return other;
}

void ag_array_free(void *context, void *block, uint64_t bytes)
{
    (void)context;
    ag_give(block, bytes);
}
