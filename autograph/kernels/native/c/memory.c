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

#include <stdatomic.h>
#include <stddef.h>

void *malloc(size_t);
void free(void *);

enum { CLASSES = 640, SLOTS = 8 };

uint64_t ag_memory_limit = 1 << 28;         /* how many bytes are kept at most */
_Atomic uint64_t ag_memory_kept = 0;        /* how many are kept now */
uint64_t ag_arena_limit = 1 << 30;          /* how many bytes all arenas may have together */
static _Atomic uint64_t arena_bytes = 0;    /* how many they have */
static _Atomic(void *) slots[CLASSES][SLOTS];
static _Atomic uint64_t big_blocks = 0;     /* how many there were */

/* What stands before a block. */
typedef struct {
    void *base;    /* what malloc returned */
    uint64_t size; /* of the block, in bytes */
} Head;

static uint64_t add(_Atomic uint64_t *sum, uint64_t bytes)
{
    return atomic_fetch_add_explicit(sum, bytes, memory_order_relaxed) + bytes;
}

static void subtract(_Atomic uint64_t *sum, uint64_t bytes)
{
    atomic_fetch_sub_explicit(sum, bytes, memory_order_relaxed);
}

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

static Head *head_of(void *block)
{
    return (Head *)block - 1;
}

static uint64_t block_size(void *block)
{
    return head_of(block)->size;
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

/* -- the same memory for NumPy's arrays: what a PyDataMemAllocator has ------------------------- */

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

/* -- arenas ------------------------------------------------------------------------------------ */

/* Memory that one kernel, or one trip of a loop, takes piece by piece and gives back at once. All
 * zeros at first, but for `least`. Its blocks never move. */
typedef struct Block {
    struct Block *before;
    char room[56]; /* the first piece lies at a multiple of 64 bytes, too */
    char pieces[];
} Block;

typedef struct {
    char *cursor;  /* the next piece */
    char *end;     /* of the block */
    Block *block;  /* the last one, or null */
    uint64_t size; /* of all its blocks */
    uint64_t least; /* how many bytes will be taken at least, as far as is known */
} Arena;

/* Let an arena go on in a block. */
static void go_on(Arena *arena, Block *block, char *cursor)
{
    arena->cursor = cursor;
    arena->end = (char *)block + block_size(block);
    arena->block = block;
}

/* How large the next block of an arena shall be: all that is known to be taken, then a fourth of all
 * that it has, 32 KiB to 64 MiB, and a power of two, so that blocks which loops give back in each trip
 * are of few sizes; with a fourth there are slots for all blocks of a size. */
static uint64_t next_size(const Arena *arena)
{
    if (arena->size < arena->least)
        return arena->least - arena->size + sizeof(Block);
    uint64_t part = arena->size / 4;
    if (part <= 1 << 15)
        return 1 << 15;
    return part >= 1 << 26 ? 1 << 26 : 1ULL << (63 - __builtin_clzll(part));
}

/* A piece of a new block. */
static char *reserve_more(Arena *arena, uint64_t bytes)
{
    if (bytes > 1ULL << 47)
        return NULL;
    uint64_t wanted = next_size(arena), needed = bytes + sizeof(Block);
    uint64_t size = wanted > needed ? wanted : needed;
    Block *block = NULL;
    if (add(&arena_bytes, size) <= ag_arena_limit)
        block = ag_take(size);
    subtract(&arena_bytes, size);
    if (!block)
        return NULL;
    size = block_size(block);
    add(&arena_bytes, size);
    block->before = arena->block;
    arena->size += size;
    go_on(arena, block, block->pieces + bytes);
    return block->pieces;
}

/* The address of a number of bytes, a multiple of 8, that nothing else in the arena uses; null if
 * there is no memory. */
char *ag_reserve(Arena *arena, uint64_t bytes)
{
    char *piece = arena->cursor; /* null at first: a piece of no bytes has an address as well */
    if (!piece || bytes > (uint64_t)(arena->end - piece))
        return reserve_more(arena, bytes);
    arena->cursor += bytes;
    return piece;
}

static void give_block(Block *block)
{
    uint64_t size = block_size(block);
    subtract(&arena_bytes, size);
    ag_give(block, size);
}

/* Give back blocks, from the last one to the first. */
static void give_blocks(Block *block)
{
    while (block) {
        Block *before = block->before;
        give_block(block);
        block = before;
    }
}

/* Begin an arena again: what was reserved is free. The largest block stays, the others are given
 * back. */
void ag_rewind(Arena *arena)
{
    Block *last = arena->block;
    if (!last)
        return;
    give_blocks(last->before);
    last->before = NULL;
    arena->size = block_size(last);
    arena->cursor = last->pieces;
}

/* The block of an arena, not older than `oldest`, in which an address is; null if there is none. */
static Block *block_with(const Arena *arena, const Block *oldest, const char *wanted)
{
    for (Block *block = arena->block; block; block = block->before) {
        if ((uint64_t)wanted - (uint64_t)block < block_size(block))
            return block;
        if (block == oldest)
            break;
    }
    return NULL;
}

/* Free what was reserved since the next piece of an arena was at `cursor` of `block`. But if a
 * record at the address `newest`, of `bytes` or less, was reserved since, it stays, and what is
 * older. If nothing stays, the largest block does. */
void ag_rewind_to(Arena *arena, char *cursor, Block *block, char *newest, uint64_t bytes)
{
    Block *home = block_with(arena, block, newest);
    if (home && !(home == block && newest < cursor)) {
        block = home;
        cursor = newest + bytes;
    }
    if (!block) {
        ag_rewind(arena);
        return;
    }
    while (arena->block != block) {
        Block *last = arena->block;
        arena->block = last->before;
        arena->size -= block_size(last);
        give_block(last);
    }
    char *end = (char *)block + block_size(block);
    go_on(arena, block, cursor < end ? cursor : end);
}

/* What stays of what was reserved: where it is, and how many bytes it has. */
typedef struct {
    char *start;
    uint64_t bytes;
} Piece;

/* How many bytes were reserved since the next piece of an arena was at `cursor` of `block`, with what
 * is left of the blocks before the last one. */
static uint64_t reserved_since(const Arena *arena, const char *cursor, const Block *block)
{
    uint64_t total = 0;
    const char *end = arena->cursor;
    for (Block *newer = arena->block; newer != block; newer = newer->before) {
        total += end - newer->pieces;
        Block *before = newer->before;
        end = before ? (char *)before + block_size(before) : NULL;
    }
    return block ? total + (end - cursor) : total;
}

/* Free what was reserved since the next piece of an arena was at `cursor` of `block`, but for some
 * pieces, which move: pieces that were reserved before stay where they are, as do all if there is
 * little to be freed for what would be copied. So the memory that functions leave which call each
 * other is no more than some times that of their results, and what is copied no more than what they
 * reserved. Returns 0 if there is no memory. */
int32_t ag_keep(Arena *arena, char *cursor, Block *block, Piece *pieces, uint64_t count)
{
    uint64_t kept = 0;
    for (uint64_t k = 0; k < count; k++) {
        Piece *piece = &pieces[k];
        Block *home = piece->bytes ? block_with(arena, block, piece->start) : NULL;
        piece->bytes = (piece->bytes + 7) & -8ULL;
        if (!home || (home == block && piece->start < cursor))
            piece->bytes = 0; /* it stays */
        kept += piece->bytes;
    }
    if (kept && reserved_since(arena, cursor, block) < 2 * kept + 64)
        return 1;
    char few[512];
    char *copies = kept <= sizeof few ? few : ag_take(kept);
    if (!copies)
        return 0;
    char *copy = copies;
    for (uint64_t k = 0; k < count; copy += pieces[k++].bytes)
        __builtin_memcpy(copy, pieces[k].start, pieces[k].bytes);
    ag_rewind_to(arena, cursor, block, NULL, 0);
    int32_t found = 1;
    copy = copies;
    for (uint64_t k = 0; k < count; copy += pieces[k++].bytes) {
        if (!pieces[k].bytes)
            continue;
        char *start = ag_reserve(arena, pieces[k].bytes);
        if (!start) {
            found = 0;
            break;
        }
        __builtin_memcpy(start, copy, pieces[k].bytes);
        pieces[k].start = start;
    }
    if (copies != few)
        ag_give(copies, kept);
    return found;
}

/* Give back all memory of an arena, which can then be used again. */
void ag_release(Arena *arena)
{
    give_blocks(arena->block);
    *arena = (Arena){.least = arena->least};
}
