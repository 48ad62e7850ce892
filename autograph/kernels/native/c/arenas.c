/* Memory that a kernel, or a trip of a loop, takes piece by piece and gives back at once. What stays of
 * it while the rest is given back is in `records.c`, as few kernels leave something. */

#include "arenas.h"

uint64_t ag_arena_limit = 1 << 30;   /* how many bytes all arenas may have together */
_Atomic uint64_t ag_arena_bytes = 0; /* how many they have */

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
    if (add(&ag_arena_bytes, size) <= ag_arena_limit)
        block = ag_take(size);
    subtract(&ag_arena_bytes, size);
    if (!block)
        return NULL;
    size = block_size(block);
    add(&ag_arena_bytes, size);
    block->before = arena->block;
    arena->size += size;
    go_on(arena, block, block->pieces + bytes);
    return block->pieces;
}

char *ag_reserve(Arena *arena, uint64_t bytes)
{
    char *piece = arena->cursor; /* null at first: a piece of no bytes has an address as well */
    if (!piece || bytes > (uint64_t)(arena->end - piece))
        return reserve_more(arena, bytes);
    arena->cursor += bytes;
    return piece;
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

/* Give back all memory of an arena, which can then be used again. */
void ag_release(Arena *arena)
{
    give_blocks(arena->block);
    *arena = (Arena){.least = arena->least};
}
