/* How many bytes a process holds, to the byte: what `malloc` and its like gave, and was not freed.
 * Loaded before the C library (LD_PRELOAD), whose own functions do the work (glibc). What the system
 * says of a process, by contrast, is of whole pages, and late by up to some hundred KiB. */

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static _Atomic long now, most;

static void *given(void *block)
{
    if (!block)
        return block;
    long bytes = malloc_usable_size(block);
    long held = atomic_fetch_add(&now, bytes) + bytes, before = atomic_load(&most);
    while (held > before && !atomic_compare_exchange_weak(&most, &before, held))
        ;
    return block;
}

static void returned(void *block)
{
    if (block)
        atomic_fetch_sub(&now, (long)malloc_usable_size(block));
}

/* Begin again: the bytes held now. */
long held_begin(void)
{
    long held = atomic_load(&now);
    atomic_store(&most, held);
    return held;
}

/* The most bytes held since. */
long held_most(void)
{
    return atomic_load(&most);
}

void *malloc(size_t bytes)
{
    return given(__libc_malloc(bytes));
}

void *calloc(size_t count, size_t bytes)
{
    return given(__libc_calloc(count, bytes));
}

void *realloc(void *block, size_t bytes)
{
    long before = block ? (long)malloc_usable_size(block) : 0;
    void *other = __libc_realloc(block, bytes);
    if (other || !bytes)
        atomic_fetch_sub(&now, before);
    return given(other);
}

void *memalign(size_t alignment, size_t bytes)
{
    return given(__libc_memalign(alignment, bytes));
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    return given(__libc_memalign(alignment, bytes));
}

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    *block = given(__libc_memalign(alignment, bytes));
    return *block || !bytes ? 0 : ENOMEM;
}

void free(void *block)
{
    returned(block);
    __libc_free(block);
}
