// A grid of threads on one CPU core: blocks one after the other, a fibre for each thread of a block.
// A fibre runs until a barrier or a shuffle; those that can run are resumed in a random order. When
// none can, a barrier at which all are opens, or the kernel is wrong: that is reported.

#include "races.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#include <algorithm>
#include <random>
#include <vector>

Place threadIdx, blockIdx, blockDim, gridDim;

extern char __start_shared_memory[] __attribute__((weak, visibility("hidden")));
extern char __stop_shared_memory[] __attribute__((weak, visibility("hidden")));

namespace {

enum State { READY, AT_BARRIER, AT_WARP, ENDED };
const size_t STACK = 64 * 1024;
const unsigned WARP = 32;

struct Fibre {
    ucontext_t start;
    jmp_buf resumed;
    std::vector<char> stack;
    bool started;
    State state;
    bool orders;  // whether what it waits for orders accesses to memory
    int line, vote;
    unsigned long long given;
};

std::vector<Fibre *> fibres;
std::vector<unsigned long long> shown;  // what each thread gave to the last shuffle
std::vector<int> votes;                 // the outcome of the last vote, by warp; last, by block
Fibre *current;
jmp_buf scheduler;
ucontext_t unused;
void (*kernel)(void **);
void **arguments;

void wait_as(State state, int line, bool orders)
{
    current->state = state;
    current->orders = orders;
    current->line = line;
    if (!_setjmp(current->resumed)) _longjmp(scheduler, 1);
}

void body()
{
    kernel(arguments);
    current->state = ENDED;
    _longjmp(scheduler, 1);
}

void resume(unsigned thread)
{
    current = fibres[thread];
    threadIdx = {thread, 0, 0};
    races_stack(current->stack.data() + STACK);
    if (_setjmp(scheduler)) return;
    if (current->started) _longjmp(current->resumed, 1);
    current->started = true;
    setcontext(&current->start);
}

// Lets threads from `first` to `last` go on if they all wait in one place.
bool opened(unsigned first, unsigned last, State state)
{
    int line = fibres[first]->line, vote = 0;
    for (unsigned t = first; t < last; t++) {
        if (fibres[t]->state != state || fibres[t]->line != line) return false;
        vote |= fibres[t]->vote;
    }
    if (state == AT_BARRIER) races_block_barrier();
    if (state == AT_WARP && fibres[first]->orders) races_warp_barrier(first / WARP);
    for (unsigned t = first; t < last; t++) {
        fibres[t]->state = READY;
        fibres[t]->vote = 0;
        shown[t] = fibres[t]->given;
    }
    votes[state == AT_WARP ? first / WARP : votes.size() - 1] = vote;
    return true;
}

bool run_block(unsigned threads, std::mt19937_64 &random, char *message, size_t room)
{
    for (char *p = __start_shared_memory; p != __stop_shared_memory; p++) *p = (char)0xCB;
    for (unsigned t = 0; t < threads; t++) {
        Fibre &f = *fibres[t];
        f.started = false;
        f.state = READY;
        f.vote = 0;
        getcontext(&f.start);
        f.start.uc_stack.ss_sp = f.stack.data();
        f.start.uc_stack.ss_size = f.stack.size();
        f.start.uc_link = &unused;
        makecontext(&f.start, body, 0);
    }
    for (;;) {
        std::vector<unsigned> ready;
        unsigned ended = 0;
        for (unsigned t = 0; t < threads; t++) {
            if (fibres[t]->state == READY) ready.push_back(t);
            if (fibres[t]->state == ENDED) ended++;
        }
        if (ended == threads) return true;
        if (ready.empty()) {
            bool any = opened(0, threads, AT_BARRIER);
            for (unsigned t = 0; t + WARP <= threads; t += WARP) any |= opened(t, t + WARP, AT_WARP);
            if (any) continue;
            int length = snprintf(message, room, "block %u: threads wait in vain:", blockIdx.x);
            for (unsigned t = 0; t < threads && length < (int)room - 60; t++)
                length += snprintf(message + length, room - length, " %u in state %d, line %d;", t,
                                   fibres[t]->state, fibres[t]->line);
            return false;
        }
        std::shuffle(ready.begin(), ready.end(), random);
        for (unsigned t : ready) resume(t);
    }
}

}  // namespace

extern "C" {

void fibre_barrier(int line) { wait_as(AT_BARRIER, line, true); }

int fibre_barrier_or(int line, int value)
{
    current->vote = value != 0;
    wait_as(AT_BARRIER, line, true);
    return votes.back();
}

void fibre_warp_barrier(int line) { wait_as(AT_WARP, line, true); }

int fibre_any(int line, int value)
{
    current->vote = value != 0;
    wait_as(AT_WARP, line, false);
    return votes[threadIdx.x / WARP];
}

unsigned long long fibre_exchange(int line, unsigned long long value, unsigned int source)
{
    current->given = value;
    wait_as(AT_WARP, line, false);
    return shown[threadIdx.x / WARP * WARP + source];
}

// Runs a grid. `cooperative`: threads may wait for each other; otherwise they need no fibres.
// Returns 0 and a message if they wait in vain.
__attribute__((visibility("default"))) int run_grid(
    void (*call)(void **), void **given, unsigned blocks, unsigned threads, int cooperative,
    unsigned long long seed, char *message, size_t room)
{
    std::mt19937_64 random(seed);
    kernel = call;
    arguments = given;
    blockDim = {threads, 1, 1};
    gridDim = {blocks, 1, 1};
    while (fibres.size() < threads) fibres.push_back(new Fibre{});
    for (Fibre *f : fibres) f->stack.resize(STACK);
    shown.assign(threads, 0);
    votes.assign(threads / WARP + 2, 0);
    std::vector<unsigned> order(blocks), lanes(threads);
    for (unsigned i = 0; i < blocks; i++) order[i] = i;
    for (unsigned i = 0; i < threads; i++) lanes[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    races_launch(threads);
    for (unsigned block : order) {
        blockIdx = {block, 0, 0};
        races_block(block);
        races_stack(__builtin_frame_address(0));
        if (cooperative) {
            if (!run_block(threads, random, message, room)) return 0;
        } else {
            std::shuffle(lanes.begin(), lanes.end(), random);
            for (unsigned t : lanes) {
                threadIdx = {t, 0, 0};
                call(given);
            }
        }
    }
    return 1;
}
}
