// A grid of threads on one CPU core, a fibre for each thread. A fibre runs until a barrier, a shuffle,
// or an access to memory that others may wait for (volatile or atomic); those that can run are resumed
// in a random order. When none of a block can, a barrier at which all are opens, or the kernel is wrong:
// that is reported.
//
// As many blocks run at once as a device has room for, the others start, in a random order, when one
// has ended. So a block may wait for one that has started, and waits in vain for one that has not.
// Whose turn it is is random, and at times it is one block's or thread's again and again: all that CUDA
// promises is that each thread goes on at some time.

#include "races.h"

#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

Place threadIdx, blockIdx, blockDim, gridDim;

extern char __start_shared_memory[] __attribute__((weak, visibility("hidden")));
extern char __stop_shared_memory[] __attribute__((weak, visibility("hidden")));

namespace {

enum State { READY, AT_BARRIER, AT_WARP, ENDED };
const size_t STACK = 64 * 1024;
const unsigned WARP = 32;
const size_t PATIENCE = 20000;  // turns of each block, without a change that others may wait for

struct Fibre {
    ucontext_t start;
    jmp_buf resumed;
    std::unique_ptr<char[]> stack{new char[STACK]};
    bool started;
    State state;
    bool orders;  // whether what it waits for orders accesses to memory
    int line, vote;
    unsigned long long given;
};

struct Block {
    unsigned number;
    std::vector<Fibre *> fibres;
    std::vector<unsigned long long> shown;  // what each thread gave to the last shuffle
    std::vector<int> votes;                 // the outcome of the last vote, by warp; last, by block
    std::vector<char> shared;               // its memory, while another block runs
};

struct Fibres : std::vector<Fibre *> {
    ~Fibres()  // when the library is unloaded
    {
        for (Fibre *f : *this) delete f;
    }
} unused_fibres;
Block *block;    // that runs
Fibre *current;  // that runs; none where threads never wait
size_t changes;  // of what others may wait for
jmp_buf scheduler;
ucontext_t unused;
void (*kernel)(void **);
void **arguments;

size_t shared_bytes() { return __stop_shared_memory - __start_shared_memory; }

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
    changes++;
    _longjmp(scheduler, 1);
}

void resume(unsigned thread)
{
    current = block->fibres[thread];
    threadIdx = {thread, 0, 0};
    races_stack(current->stack.get() + STACK);
    if (_setjmp(scheduler)) {
        current = nullptr;
        return;
    }
    if (current->started) _longjmp(current->resumed, 1);
    current->started = true;
    setcontext(&current->start);
}

// Lets threads from `first` to `last` go on if they all wait in one place.
bool opened(unsigned first, unsigned last, State state)
{
    std::vector<Fibre *> &fibres = block->fibres;
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
        block->shown[t] = fibres[t]->given;
    }
    block->votes[state == AT_WARP ? first / WARP : block->votes.size() - 1] = vote;
    changes++;
    return true;
}

Block *started(unsigned number, unsigned threads)
{
    Block *made = new Block{number};
    made->shown.assign(threads, 0);
    made->votes.assign(threads / WARP + 2, 0);
    made->shared.assign(shared_bytes(), (char)0xCB);
    for (unsigned t = 0; t < threads; t++) {
        if (unused_fibres.empty()) unused_fibres.push_back(new Fibre{});
        Fibre &f = *unused_fibres.back();
        unused_fibres.pop_back();
        f.started = false;
        f.state = READY;
        f.vote = 0;
        getcontext(&f.start);
        f.start.uc_stack.ss_sp = f.stack.get();
        f.start.uc_stack.ss_size = STACK;
        f.start.uc_link = &unused;
        makecontext(&f.start, body, 0);
        made->fibres.push_back(&f);
    }
    races_block_starts(number);
    changes++;
    return made;
}

// Lets a block run in the place of another one.
void enter(Block *next)
{
    if (next == block) return;
    if (block) memcpy(block->shared.data(), __start_shared_memory, shared_bytes());
    block = next;
    memcpy(__start_shared_memory, block->shared.data(), shared_bytes());
    blockIdx = {block->number, 0, 0};
    races_block_runs(block->number);
}

void end()
{
    races_block_ends(block->number);
    for (Fibre *f : block->fibres) unused_fibres.push_back(f);
    delete block;
    block = nullptr;
}

unsigned waiting(char *message, size_t room, unsigned length)
{
    length += snprintf(message + length, room - length, "block %u: threads wait in vain:", block->number);
    for (unsigned t = 0; t < block->fibres.size() && length + 120 < room; t++)
        length += snprintf(message + length, room - length, " %u in state %d, line %d;", t,
                           block->fibres[t]->state, block->fibres[t]->line);
    return length;
}

enum Turn { GOES_ON, IS_OVER, IN_VAIN };

// Lets the threads of the block run that can, of which some may be left out.
Turn turn(std::mt19937_64 &random, bool leaves_out)
{
    std::vector<unsigned> ready;
    const unsigned threads = block->fibres.size();
    unsigned ended = 0;
    for (unsigned t = 0; t < threads; t++) {
        if (block->fibres[t]->state == READY) ready.push_back(t);
        if (block->fibres[t]->state == ENDED) ended++;
    }
    if (ended == threads) return IS_OVER;
    if (ready.empty()) {
        bool any = opened(0, threads, AT_BARRIER);
        for (unsigned t = 0; t + WARP <= threads; t += WARP) any |= opened(t, t + WARP, AT_WARP);
        return any ? GOES_ON : IN_VAIN;
    }
    std::shuffle(ready.begin(), ready.end(), random);
    if (leaves_out) ready.resize(1 + random() % ready.size());
    for (unsigned t : ready) resume(t);
    return GOES_ON;
}

// Runs the blocks of a grid, in the given order, so many at once.
bool run_blocks(const std::vector<unsigned> &order, unsigned threads, unsigned at_once,
                std::mt19937_64 &random, char *message, size_t room)
{
    std::vector<Block *> running;
    const bool leaves_out = random() % 4 == 0;
    const unsigned long longest = 1 + (random() % 3 == 0 ? 200 : random() % 4);  // turns in a row
    size_t next = 0, turns = 0, last_change = 0;
    unsigned long left = 0;
    bool right = true;
    block = nullptr;
    while (right && (next < order.size() || !running.empty())) {
        while (running.size() < at_once && next < order.size())
            running.push_back(started(order[next++], threads));
        if (!left) {
            enter(running[random() % running.size()]);
            left = 1 + random() % longest;
        }
        left--;
        const size_t before = changes;
        const Turn outcome = turn(random, leaves_out);
        turns++;
        if (changes != before) last_change = turns;
        if (outcome == IS_OVER) {
            running.erase(std::find(running.begin(), running.end(), block));
            end();
            left = 0;
        } else if (outcome == IN_VAIN || turns - last_change > PATIENCE * running.size()) {
            unsigned length = 0;
            if (outcome == IN_VAIN) waiting(message, room, length);
            else for (Block *one : running) {
                block = one;
                length = waiting(message, room, length);
            }
            right = false;
        }
    }
    for (Block *one : running) {
        block = one;
        end();
    }
    return right;
}

}  // namespace

void fibre_touches(bool changes_it)
{
    if (!current) return;
    if (changes_it) changes++;
    wait_as(READY, 0, false);
}

extern "C" {

void fibre_barrier(int line) { wait_as(AT_BARRIER, line, true); }

int fibre_barrier_or(int line, int value)
{
    current->vote = value != 0;
    wait_as(AT_BARRIER, line, true);
    return block->votes.back();
}

void fibre_warp_barrier(int line) { wait_as(AT_WARP, line, true); }

int fibre_any(int line, int value)
{
    current->vote = value != 0;
    wait_as(AT_WARP, line, false);
    return block->votes[threadIdx.x / WARP];
}

unsigned long long fibre_exchange(int line, unsigned long long value, unsigned int source)
{
    current->given = value;
    wait_as(AT_WARP, line, false);
    return block->shown[threadIdx.x / WARP * WARP + source];
}

// Runs a grid. `cooperative`: threads may wait for each other, and for those of other blocks, of which
// `at_once` run; otherwise they need no fibres. Returns 0 and a message if they wait in vain.
__attribute__((visibility("default"))) int run_grid(
    void (*call)(void **), void **given, unsigned blocks, unsigned threads, int cooperative,
    unsigned at_once, unsigned long long seed, char *message, size_t room)
{
    std::mt19937_64 random(seed);
    kernel = call;
    arguments = given;
    blockDim = {threads, 1, 1};
    gridDim = {blocks, 1, 1};
    std::vector<unsigned> order(blocks), lanes(threads);
    for (unsigned i = 0; i < blocks; i++) order[i] = i;
    for (unsigned i = 0; i < threads; i++) lanes[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    races_launch(blocks, threads);
    current = nullptr;
    if (cooperative) return run_blocks(order, threads, at_once, random, message, room);
    for (unsigned number : order) {
        blockIdx = {number, 0, 0};
        memset(__start_shared_memory, 0xCB, shared_bytes());
        races_block_starts(number);
        races_block_runs(number);
        races_stack(__builtin_frame_address(0));
        std::shuffle(lanes.begin(), lanes.end(), random);
        for (unsigned t : lanes) {
            threadIdx = {t, 0, 0};
            call(given);
        }
        races_block_ends(number);
    }
    return 1;
}
}
