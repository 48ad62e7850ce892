/* Memory for kernels and their results, kept when it is given back: the system would map, clear and
 * unmap the pages of big blocks again and again, which takes longer than most kernels.
 *
 * A block is as large as was asked for, up to a multiple of 64 bytes, at which it lies as well. Blocks
 * of similar size, sixteen classes for each power of two, have eight slots, each with the address of a
 * block that nobody uses, or null. Whoever exchanges the address for null owns the block: there is no
 * lock, and a process that is forked in between loses one block at most. One that is too small for
 * whoever got it makes place for a larger one of its class.
 */

#include "memory.h"

#include <stddef.h>

void *malloc(size_t);
void free(void *);

enum { CLASSES = 640, SLOTS = 8 };

uint64_t ag_memory_limit = 1 << 28;         /* how many bytes are kept at most */
_Atomic uint64_t ag_memory_kept = 0;        /* how many are kept now */
static _Atomic(void *) slots[CLASSES][SLOTS];
static _Atomic uint64_t big_blocks = 0;     /* how many there were */

/* The number of the class of blocks of so many bytes. Class 0 is up to 1024 bytes; then follow those up
 * to 17/32, 18/32 and so on, to 32/32, of each power of two. What is too big has a number of CLASSES or
 * more. */
static uint64_t class_of(uint64_t bytes)
{
    uint64_t less = (bytes > 1024 ? bytes : 1024) - 1;
    uint64_t log = 63 - __builtin_clzll(less);
    uint64_t step = less >> (log - 4) & 15;
    return (16 * log | step) - 159;
}

/* A block from the system; null if there is none. Big blocks start at different places of a page:
 * reading from one and writing to another at the same place is slow. */
static void *new_block(uint64_t bytes)
{
    uint64_t size = (bytes > 1024 ? bytes + 63 : 1024) & -64ULL, into = 0;
    if (size >= 16384)
        into = 512 * ((add(&big_blocks, 1) - 1) % 7 + 1);
    char *base = malloc(size + into + 128);
    if (!base)
        return NULL;
    /* at least 16 bytes before the block are ours */
    void *block = (void *)((((uint64_t)base + 127) & -64ULL) + into);
    *head_of(block) = (Head){base, size};
    return block;
}

/* Free a block that counts as kept. */
static void forget(void *block)
{
    subtract(&ag_memory_kept, block_size(block));
    free(head_of(block)->base);
}

void *ag_take(uint64_t bytes)
{
    uint64_t number = class_of(bytes);
    if (number >= CLASSES)
        return NULL;
    for (int k = 0; k < SLOTS; k++) {
        _Atomic(void *) *slot = &slots[number][k];
        void *kept = atomic_load_explicit(slot, memory_order_relaxed);
        if (!kept || !atomic_compare_exchange_strong_explicit(slot, &kept, NULL, memory_order_acquire,
                                                              memory_order_relaxed))
            continue;
        if (block_size(kept) < bytes) {
            forget(kept);
            continue;
        }
        subtract(&ag_memory_kept, block_size(kept));
        return kept;
    }
    return new_block(bytes);
}

/* The size is not needed: it stands before the block. */
void ag_give(void *block, uint64_t bytes)
{
    (void)bytes;
    if (!block)
        return;
    uint64_t number = class_of(block_size(block));
    if (add(&ag_memory_kept, block_size(block)) <= ag_memory_limit)
        for (int k = 0; k < SLOTS; k++) {
            void *empty = NULL;
            if (atomic_compare_exchange_strong_explicit(&slots[number][k], &empty, block,
                                                        memory_order_release, memory_order_relaxed))
                return;
        }
    forget(block);
}

/* Free all that is kept. */
void ag_trim(void)
{
    for (int number = 0; number < CLASSES; number++)
        for (int k = 0; k < SLOTS; k++) {
            void *block = atomic_exchange_explicit(&slots[number][k], NULL, memory_order_acquire);
            if (block)
                forget(block);
        }
}
