/* Memory that is taken piece by piece: see `arenas.c`. */

#ifndef ARENAS_H
#define ARENAS_H

#include "memory.h"

#include <stddef.h>

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

extern _Atomic uint64_t ag_arena_bytes; /* how many bytes all arenas have */

/* The address of a number of bytes, a multiple of 8, that nothing else in the arena uses; null if
 * there is no memory. */
char *ag_reserve(Arena *arena, uint64_t bytes);

/* Begin an arena again: what was reserved is free. The largest block stays, the others are given
 * back. */
void ag_rewind(Arena *arena);

/* Let an arena go on in a block. */
static inline void go_on(Arena *arena, Block *block, char *cursor)
{
    arena->cursor = cursor;
    arena->end = (char *)block + block_size(block);
    arena->block = block;
}

static inline void give_block(Block *block)
{
    uint64_t size = block_size(block);
    subtract(&ag_arena_bytes, size);
    ag_give(block, size);
}

#endif
