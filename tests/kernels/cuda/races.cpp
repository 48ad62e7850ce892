// Data races of kernels, by the rules of CUDA's memory model: two threads touch a byte, at least one
// of them writes, not both by an atomic or volatile access, and nothing orders them.
//
// * __syncthreads orders the threads of a block, __syncwarp those of a warp. Shuffles and votes of a
//   warp order nothing.
// * What a thread did before a fence (__threadfence) is ordered before what another one does after a
//   fence of its own, if it reads between, by an atomic or volatile access, what the first one wrote
//   by such an access after its fence. So are a release and the acquire that reads it. All of this is
//   transitive. Fences, and atomics, of a block order the threads of that block only.
//
// ("Parallel Thread Execution ISA", memory consistency model; Lustig, Sahasrabuddhe, Giroux, "A formal
// analysis of the NVIDIA PTX memory consistency model", 2019.) What a thread knows to be over is a
// vector clock, of blocks rather than threads, since barriers order all of a block (Eizenberg et al.,
// "BARRACUDA: binary-level analysis of runtime races in CUDA programs", 2017).
//
// Kernels are compiled with -fsanitize=thread, so that each load and store of memory calls a function
// of those below, in place of the sanitizer's. Of each byte the last accesses are kept that may race
// with a later one. Where no thread waits for another block's by a flag, what is found does not depend
// on the order in which fibres ran.

#include "races.h"

#include <stdint.h>
#include <stdlib.h>

#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

extern Place threadIdx;
extern char __ehdr_start[] __attribute__((visibility("hidden")));
extern char __start_shared_memory[] __attribute__((weak, visibility("hidden")));
extern char __stop_shared_memory[] __attribute__((weak, visibility("hidden")));

namespace {

const unsigned WARP = 32;
const uintptr_t PAGE = 1024;  // bytes of memory

// A period lies between two barriers of a block, a phase between two of a warp: no two blocks have
// the same ones. `time` counts the fences of the thread before. `narrow`: an atomic of a block.
struct Access {
    uint32_t period, phase, block, time, code;
    uint32_t thread : 31, narrow : 1;
};

// What is over of a block: periods and a warp's phases before these, and of a thread what it did up to
// a time.
struct Past {
    uint32_t period;
    std::map<unsigned, uint32_t> phases, times;
};
typedef std::map<unsigned, Past> Clock;  // by block
typedef std::shared_ptr<const Clock> Known;

bool is_over(const Past &past, const Access &a)
{
    if (a.period < past.period) return true;
    auto phase = past.phases.find(a.thread / WARP);
    if (phase != past.phases.end() && a.phase < phase->second) return true;
    auto time = past.times.find(a.thread);
    return time != past.times.end() && a.time < time->second;
}

void add(Past &past, const Past &more)
{
    if (more.period > past.period) past.period = more.period;
    for (auto &x : more.phases) past.phases[x.first] = std::max(past.phases[x.first], x.second);
    for (auto &x : more.times) past.times[x.first] = std::max(past.times[x.first], x.second);
}

Known both(const Known &a, const Known &b)
{
    if (!a || a == b) return b;
    if (!b) return a;
    auto made = std::make_shared<Clock>(*a);
    for (auto &x : *b) add((*made)[x.first], x.second);
    return made;
}

// What a thread knows, what those may know who read what it writes (all of them, or those of its
// block), and what it will know after a fence (of the block, or of the device).
struct Thread {
    uint32_t time;
    Known known, told, told_block, heard_block, heard;
};

struct Running {
    uint32_t period, phase;
    bool ended;
    std::vector<uint32_t> phases;  // by warp
    std::vector<Thread> threads;
    Past told;  // to anyone
};

// What comes with what was written by an atomic or volatile access: those of `block` know more.
struct Message {
    Known told, told_block;
    unsigned block;
};

// Enough of the accesses of one kind to tell whether one of them races with a later one: of each block
// two of its last period, by threads of different warps, or of different lanes; one of all blocks that
// are over and have told nobody.
struct Pair {
    Access one, other;
};
struct Accesses {
    Access foreign;
    Pair last;
    std::vector<Pair> *others;
};

struct Atomics {
    Accesses written, read;
};

// What is kept of 4 bytes, or of each of them once one was touched alone.
struct Cell {
    Access written;
    Accesses read;
    Atomics *atomics;
    Cell *bytes;
};
const uintptr_t WORD = 4;

uint32_t period, first_of_launch, phase;
unsigned threads_of_block;
std::vector<std::unique_ptr<Running>> blocks;
Running *running;
unsigned number;  // of the block that runs
std::unordered_map<uintptr_t, Message> messages;
std::unordered_map<uintptr_t, Cell *> pages;
std::vector<Cell *> unused;  // of launches before: what is in them is of periods that are over
std::vector<Cell *> unused_shared;  // of blocks before: what is in them is theirs
std::unordered_map<unsigned, std::vector<uintptr_t>> shared_pages;  // by block
uintptr_t page_start = ~(uintptr_t)0;  // of the page that was used last
Cell *page;
uintptr_t stack_top;
bool watching;  // not when the library is loaded, which fills tables; nor after the first race
bool found;
Race race;
Misaligned misaligned;

void release(Accesses &kept) { delete kept.others; }

void release(Cell &cell)
{
    release(cell.read);
    if (cell.atomics) {
        release(cell.atomics->written);
        release(cell.atomics->read);
        delete cell.atomics;
    }
    for (uintptr_t k = 0; cell.bytes && k < WORD; k++) release(cell.bytes[k]);
    delete[] cell.bytes;
}

void release(Cell *page)
{
    for (uintptr_t i = 0; i < PAGE / WORD; i++) release(page[i]);
    free(page);
}

// Goes before what is above when the library is unloaded.
struct Pages {
    ~Pages()
    {
        for (auto &known : pages) release(known.second);
        for (Cell *known : unused) release(known);
        for (Cell *known : unused_shared) release(known);
    }
} all_pages;

bool is_shared(const void *memory)
{
    return (char *)memory >= __start_shared_memory && (char *)memory < __stop_shared_memory;
}

// What tells an address from all others: each block has shared memory of its own at the same ones.
uintptr_t place(uintptr_t address, bool shared)
{
    return shared ? address + ((uintptr_t)(number + 1) << 48) : address;
}

// Of the word that has an address.
Cell &shadow(uintptr_t address, bool shared)
{
    uintptr_t at = place(address, shared), start = at & ~(PAGE - 1);
    if (start != page_start) {
        Cell *&known = pages[start];
        if (!known) {
            std::vector<Cell *> &from = shared && !unused_shared.empty() ? unused_shared : unused;
            if (from.empty()) from.push_back((Cell *)calloc(PAGE / WORD, sizeof(Cell)));
            known = from.back();
            from.pop_back();
            if (shared) shared_pages[number].push_back(start);
        }
        page_start = start;
        page = known;
    }
    return page[(at - start) / WORD];
}

Access now_at(void *code)
{
    const unsigned thread = threadIdx.x;
    const uint32_t offset = (uint32_t)((char *)code - __ehdr_start);
    return {running->period, running->phases[thread / WARP], number, running->threads[thread].time,
            offset, thread, 0};
}

// Whether an access is of the launch, or for shared memory, of the block.
bool is_current(const Access &a, bool shared)
{
    return a.period >= first_of_launch && (!shared || a.block == number);
}

bool is_unordered(const Access &before, const Access &now, bool shared)
{
    if (!is_current(before, shared)) return false;
    if (before.block == now.block) {
        if (before.thread == now.thread || before.period != now.period) return false;
        if (before.thread / WARP == now.thread / WARP && before.phase != now.phase) return false;
    }
    const Known &known = running->threads[now.thread].known;
    if (!known) return true;
    auto past = known->find(before.block);
    return past == known->end() || !is_over(past->second, before);
}

// An access that is not ordered with one now. `foreign`: of another block, and one of the two is an
// atomic of a block.
const Access *unordered(const Accesses &before, const Access &now, bool shared, bool foreign = false)
{
    auto is = [&](const Access &a) {
        if (foreign && (a.block == now.block || !(a.narrow || now.narrow))) return false;
        return is_unordered(a, now, shared);
    };
    for (const Access *a : {&before.foreign, &before.last.one, &before.last.other})
        if (is(*a)) return a;
    if (before.others)
        for (const Pair &p : *before.others)
            for (const Access *a : {&p.one, &p.other})
                if (is(*a)) return a;
    return nullptr;
}

// Whether no access can be ordered after this one any more.
bool is_left(const Access &a)
{
    const Running &of = *blocks[a.block];
    return of.ended && !is_over(of.told, a);
}

// Let the pair be that of the block that runs.
void turn_to(Accesses &kept, const Access &now)
{
    if (is_current(kept.last.one, false) && kept.last.one.block != now.block) {
        if (!kept.others) kept.others = new std::vector<Pair>;
        kept.others->push_back(kept.last);
    }
    if (!is_current(kept.last.one, false) || kept.last.one.block != now.block) kept.last = {};
    if (!kept.others) return;
    if (!is_current(kept.foreign, false)) kept.foreign = {};
    std::vector<Pair> stay;
    for (Pair &p : *kept.others) {
        if (!is_current(p.one, false)) continue;
        if (p.one.block == now.block) {
            kept.last = p;
            continue;
        }
        if (!is_left(p.one))
            stay.push_back(p);
        else if (!kept.foreign.period)
            kept.foreign = p.one;
    }
    kept.others->swap(stay);
}

void note(Accesses &kept, const Access &now)
{
    if (!is_current(kept.last.one, false) || kept.last.one.block != now.block) turn_to(kept, now);
    Access &one = kept.last.one, &other = kept.last.other;
    if (one.period != now.period) {
        one = now;
        other = {};
        return;
    }
    const unsigned warp = now.thread / WARP, first = one.thread / WARP;
    if (other.period == now.period && other.thread / WARP != first) {
        // Whoever comes is of another warp than one of the two; this warp's last is what counts.
        if (first == warp) one = now;
        if (other.thread / WARP == warp) other = now;
    } else if (first != warp) {
        other = now;
    } else if (one.phase != now.phase) {
        one = now;
        other = {};
    } else if (one.thread != now.thread) {
        other = now;
    }
}

void forget(Accesses &kept)
{
    kept.foreign = {};
    kept.last = {};
    if (kept.others) kept.others->clear();
}

Side side(const Access &a, bool written, bool atomic)
{
    return {a.block, a.thread, written, atomic, a.code};
}

Accesses copied(const Accesses &kept)
{
    Accesses made = kept;
    if (kept.others) made.others = new std::vector<Pair>(*kept.others);
    return made;
}

// Let every byte of a word have a cell of its own.
void split(Cell &cell)
{
    Cell *bytes = new Cell[WORD];
    for (uintptr_t k = 0; k < WORD; k++) {
        bytes[k] = cell;
        bytes[k].read = copied(cell.read);
        if (cell.atomics)
            bytes[k].atomics = new Atomics{copied(cell.atomics->written), copied(cell.atomics->read)};
    }
    cell.bytes = bytes;
}

// Note an access of a cell's memory, or tell with which one before it races.
bool races(Cell &cell, const Access &now, bool written, bool atomic, bool shared, Side &before)
{
    if (is_unordered(cell.written, now, shared)) {
        before = side(cell.written, true, false);
        return true;
    }
    if (const Access *read = written ? unordered(cell.read, now, shared) : nullptr) {
        before = side(*read, false, false);
        return true;
    }
    if (cell.atomics) {
        if (const Access *other = unordered(cell.atomics->written, now, shared, atomic)) {
            before = side(*other, true, true);
            return true;
        }
        if (const Access *read = written ? unordered(cell.atomics->read, now, shared, atomic) : nullptr) {
            before = side(*read, false, true);
            return true;
        }
    }
    if (atomic) {
        if (!cell.atomics) cell.atomics = new Atomics{};
        note(written ? cell.atomics->written : cell.atomics->read, now);
    } else if (written) {
        cell.written = now;
        forget(cell.read);  // what raced with a read before races with this write
    } else {
        note(cell.read, now);
    }
    return false;
}

bool is_local(const void *memory)
{
    const uintptr_t address = (uintptr_t)memory;
    return address < stack_top && address >= (uintptr_t)__builtin_frame_address(0);
}

void access(const void *memory, unsigned size, bool written, const Access &now, bool atomic)
{
    if (!watching) return;
    const uintptr_t address = (uintptr_t)memory, end = address + size;
    const bool shared = is_shared(memory);
    Side before;
    for (uintptr_t p = address, next; p < end && watching; p = next) {
        Cell &cell = shadow(p, shared);
        const bool whole = p % WORD == 0 && p + WORD <= end;
        if (!whole && !cell.bytes) split(cell);
        next = p + (cell.bytes ? 1 : WORD);
        Cell &one = cell.bytes ? cell.bytes[p % WORD] : cell;
        watching = !races(one, now, written, atomic, shared, before);
    }
    if (!watching) {
        found = true;
        race = {shared ? address - (uintptr_t)__ehdr_start : address, size, shared, before,
                side(now, written, atomic)};
    }
}

void plain(const void *memory, unsigned size, bool written, void *code)
{
    if (watching && !is_local(memory)) access(memory, size, written, now_at(code), false);
}

void aligned(const void *memory, unsigned size, bool written, void *code)
{
    if ((uintptr_t)memory % size && !misaligned.size) misaligned = {(uintptr_t)memory, size};
    plain(memory, size, written, code);
}

// What is over for who hears of this thread now.
Known told_by(unsigned index)
{
    Thread &thread = running->threads[index];
    Past own{running->period, {}, {}};
    own.phases[index / WARP] = running->phases[index / WARP];
    own.times[index] = thread.time + 1;
    auto made = thread.known ? std::make_shared<Clock>(*thread.known) : std::make_shared<Clock>();
    add((*made)[number], own);
    add(running->told, own);
    thread.time++;
    return made;
}

void fence(bool of_block)
{
    if (!watching) return;
    Thread &thread = running->threads[threadIdx.x];
    thread.known = both(thread.known, thread.heard_block);
    if (!of_block) thread.known = both(thread.known, thread.heard);
    thread.told_block = told_by(threadIdx.x);
    if (!of_block) thread.told = thread.told_block;
}

// An atomic or volatile access, after which the thread knows what who wrote there let it know.
void strong(const void *memory, unsigned size, bool read, bool written, bool acquires, bool releases,
            bool of_block, void *code)
{
    if (is_local(memory)) return;
    fibre_touches(written);
    if (!watching) return;
    Access now = now_at(code);
    now.narrow = of_block;
    access(memory, size, written, now, true);
    Thread &thread = running->threads[threadIdx.x];
    const uintptr_t at = place((uintptr_t)memory, is_shared(memory));
    auto there = messages.find(at);
    if (read && there != messages.end()) {
        const Message &m = there->second;
        const Known &close = m.block == number ? m.told_block : Known();
        thread.heard_block = both(thread.heard_block, close);
        thread.heard = both(thread.heard, m.told);
        if (acquires) thread.known = both(thread.known, close);
        if (acquires && !of_block) thread.known = both(thread.known, m.told);
    }
    if (!written) return;
    Message next{thread.told, thread.told_block, number};
    if (releases) next.told_block = told_by(threadIdx.x);
    if (releases && !of_block) next.told = next.told_block;
    if (read && there != messages.end()) {  // an atomic goes on with what was told before
        next.told = both(next.told, there->second.told);
        if (there->second.block == number) next.told_block = both(next.told_block, there->second.told_block);
    }
    if (next.told || next.told_block)
        messages[at] = next;
    else if (there != messages.end())
        messages.erase(there);
}

// Threads that know the same from now on.
void meet(unsigned first, unsigned last)
{
    Known all;
    for (unsigned t = first; t < last; t++) all = both(all, running->threads[t].known);
    for (unsigned t = first; t < last; t++) running->threads[t].known = all;
}

}  // namespace

void races_launch(unsigned count, unsigned threads)
{
    misaligned = {};
    threads_of_block = threads;
    first_of_launch = period + 1;
    blocks.clear();
    blocks.resize(count);
    messages.clear();
    found = false;
    watching = true;
    for (auto &known : pages) unused.push_back(known.second);
    for (Cell *known : unused_shared) unused.push_back(known);
    pages.clear();
    unused_shared.clear();
    shared_pages.clear();
    page_start = ~(uintptr_t)0;
}

void races_block_starts(unsigned block)
{
    Running *made = new Running{};
    made->period = ++period;
    made->phases.assign(threads_of_block / WARP + 1, 0);
    for (uint32_t &p : made->phases) p = ++phase;
    made->threads.resize(threads_of_block);
    blocks[block].reset(made);
}

void races_block_runs(unsigned block)
{
    running = blocks[block].get();
    number = block;
}

void races_block_ends(unsigned block)
{
    blocks[block]->ended = true;
    blocks[block]->threads = {};
    for (uintptr_t start : shared_pages[block]) {
        unused_shared.push_back(pages[start]);
        pages.erase(start);
    }
    shared_pages.erase(block);
    page_start = ~(uintptr_t)0;
}

void races_stack(const void *top) { stack_top = (uintptr_t)top; }

void races_block_barrier()
{
    running->period = ++period;
    for (uint32_t &p : running->phases) p = ++phase;
    meet(0, threads_of_block);
}

void races_warp_barrier(unsigned warp)
{
    running->phases[warp] = ++phase;
    meet(warp * WARP, warp * WARP + WARP);
}

extern "C" {

#define EXPORTED __attribute__((visibility("default")))
EXPORTED const Race *found_race() { return found ? &race : nullptr; }
EXPORTED const Misaligned *found_misaligned() { return misaligned.size ? &misaligned : nullptr; }
// For accesses of several words at once, which are made one by one here.
void together(unsigned long long address, unsigned size)
{
    if (address % size && !misaligned.size) misaligned = {address, size};
}

void races_fence(int of_block) { fence(of_block); }
void races_strong(const void *memory, unsigned size, int read, int written, int acquires, int releases,
                  int of_block, void *code)
{
    if ((uintptr_t)memory % size && !misaligned.size) misaligned = {(uintptr_t)memory, size};
    strong(memory, size, read, written, acquires, releases, of_block, code);
}

#define CODE __builtin_return_address(0)
#define HOOKS(size)                                                                                \
    void __tsan_read##size(void *p) { aligned(p, size, false, CODE); }                            \
    void __tsan_write##size(void *p) { aligned(p, size, true, CODE); }                            \
    void __tsan_unaligned_read##size(void *p) { plain(p, size, false, CODE); }                    \
    void __tsan_unaligned_write##size(void *p) { plain(p, size, true, CODE); }                    \
    void __tsan_volatile_read##size(void *p) { strong(p, size, 1, 0, 0, 0, 0, CODE); }            \
    void __tsan_volatile_write##size(void *p) { strong(p, size, 0, 1, 0, 0, 0, CODE); }
HOOKS(1) HOOKS(2) HOOKS(4) HOOKS(8) HOOKS(16)
void __tsan_read_range(void *p, unsigned long size) { plain(p, size, false, CODE); }
void __tsan_write_range(void *p, unsigned long size) { plain(p, size, true, CODE); }
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
}
