/* How much of the stack functions that call themselves may use.
 *
 * A kernel that has such functions asks once, when it begins, for the lowest address that the stack
 * may come to. Of the stack of a thread a quarter is left to what is called besides, such as a
 * handler of signals in Python. Where the system does not tell where a stack ends, all have the
 * size that is usual.
 */

#include <stdint.h>

#define USUAL (1u << 19) /* bytes, of any thread that Python makes where the system does not tell */

typedef struct {
    uint64_t words[16]; /* a pthread_attr_t has 7 of glibc's or musl's, 8 on aarch64 */
} Attributes;

uint64_t pthread_self(void);
int32_t pthread_getattr_np(uint64_t, Attributes *);
int32_t pthread_attr_getstack(const Attributes *, uint64_t *, uint64_t *);
int32_t pthread_attr_destroy(Attributes *);

extern uint64_t ag_main_thread;

extern const int32_t ag_stack_is_known; /* whether the functions above are there */
static uint64_t known = 0;     /* the thread of which the lowest address is known: the main one, */
static uint64_t known_low = 0; /* for which the system takes long to tell */

/* The lowest address for a thread of which the stack was told. */
static uint64_t lowest(uint64_t thread, uint64_t usual)
{
    Attributes attributes;
    uint64_t start = 0, size = 0;
    if (pthread_getattr_np(thread, &attributes))
        return usual;
    int32_t failed = pthread_attr_getstack(&attributes, &start, &size);
    pthread_attr_destroy(&attributes);
    return failed || !size ? usual : start + size / 4;
}

/* The lowest address that the stack may come to, in a function that has something at `here` in it;
 * at most so many bytes below. */
uint64_t ag_stack_floor(uint64_t here, uint64_t bytes)
{
    uint64_t furthest = here > bytes ? here - bytes : 0;
    uint64_t usual = here > USUAL ? here - USUAL : 0;
    uint64_t found = usual;
    if (ag_stack_is_known) {
        uint64_t thread = pthread_self();
        if (thread == __atomic_load_n(&known, __ATOMIC_ACQUIRE)) {
            found = __atomic_load_n(&known_low, __ATOMIC_RELAXED);
        } else {
            found = lowest(thread, usual);
            if (thread == ag_main_thread) {
                __atomic_store_n(&known_low, found, __ATOMIC_RELAXED);
                __atomic_store_n(&known, thread, __ATOMIC_RELEASE);
            }
        }
    }
    return found > furthest ? found : furthest;
}
