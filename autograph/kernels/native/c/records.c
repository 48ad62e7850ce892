/* What stays in an arena while what was reserved since is given back: records that functions leave for
 * their way back, and results. */

#include "arenas.h"

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
