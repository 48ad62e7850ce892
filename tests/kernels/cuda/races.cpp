// Data races of kernels, by the rules of CUDA's memory model: two threads touch a byte, at least one
// of them writes, not both by an atomic or volatile access, and no barrier stands between. Nothing
// orders the blocks of a launch; __syncthreads orders the threads of a block, __syncwarp those of a
// warp. Shuffles, votes of a warp, and atomics order nothing.
//
// Kernels are compiled with -fsanitize=thread, so that each load and store of memory calls a function
// of those below, in place of the sanitizer's. Of each byte the last accesses are kept that may race
// with a later one. What is found does not depend on the order in which fibres ran.

#include "races.h"

#include <stdint.h>
#include <stdlib.h>

#include <unordered_map>
#include <vector>

extern Place threadIdx;
extern char __ehdr_start[] __attribute__((visibility("hidden")));
extern char __start_shared_memory[] __attribute__((weak, visibility("hidden")));
extern char __stop_shared_memory[] __attribute__((weak, visibility("hidden")));

namespace {

const unsigned WARP = 32;
const uintptr_t PAGE = 1024;  // bytes of memory

// A period lies between two barriers of a block, a phase between two of a warp. Both are counted
// from one launch and one block to the next.
struct Access {
    uint32_t period, phase, thread, code;
};

// Enough of the accesses of one kind to tell whether one of them races with a later one: any of
// earlier blocks, and of this block's period, two by threads of different warps, or of different
// lanes.
struct Accesses {
    Access foreign, one, other;
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

uint32_t period, first_of_launch, first_of_block, phase;
std::vector<uint32_t> phases;    // by warp
std::vector<unsigned> blocks;    // in the order in which they ran
std::vector<uint32_t> starts;    // the first period of each of them
std::unordered_map<uintptr_t, Cell *> pages;
std::vector<Cell *> unused;  // of launches before: what is in them is of periods that are over
uintptr_t page_start = ~(uintptr_t)0;  // of the page that was used last
Cell *page;
uintptr_t stack_top;
bool watching;  // not when the library is loaded, which fills tables; nor after the first race
bool found;
Race race;
Misaligned misaligned;

// Of the word that has an address.
Cell &shadow(uintptr_t address)
{
    uintptr_t start = address & ~(PAGE - 1);
    if (start != page_start) {
        Cell *&known = pages[start];
        if (!known && unused.empty()) unused.push_back((Cell *)calloc(PAGE / WORD, sizeof(Cell)));
        if (!known) {
            known = unused.back();
            unused.pop_back();
        }
        page_start = start;
        page = known;
    }
    return page[(address - start) / WORD];
}

// Whether an access is of the launch, or for shared memory, of the block.
bool is_current(const Access &a, bool shared)
{
    return a.period >= (shared ? first_of_block : first_of_launch);
}

bool is_unordered(const Access &before, const Access &now, bool shared)
{
    if (!is_current(before, shared)) return false;
    if (before.period < first_of_block) return true;
    if (before.thread == now.thread || before.period != now.period) return false;
    return before.thread / WARP != now.thread / WARP || before.phase == now.phase;
}

const Access *unordered(const Accesses &before, const Access &now, bool shared)
{
    for (const Access *a : {&before.foreign, &before.one, &before.other})
        if (is_unordered(*a, now, shared)) return a;
    return nullptr;
}

void note(Accesses &kept, const Access &now)
{
    if (kept.one.period < first_of_block && kept.one.period >= first_of_launch)
        kept.foreign = kept.one;
    if (kept.one.period != now.period) {
        kept.one = now;
        kept.other = {};
        return;
    }
    const unsigned warp = now.thread / WARP, one = kept.one.thread / WARP;
    if (kept.other.period == now.period && kept.other.thread / WARP != one) {
        // Whoever comes is of another warp than one of the two; this warp's last is what counts.
        if (one == warp) kept.one = now;
        if (kept.other.thread / WARP == warp) kept.other = now;
    } else if (one != warp) {
        kept.other = now;
    } else if (kept.one.phase != now.phase) {
        kept.one = now;
        kept.other = {};
    } else if (kept.one.thread != now.thread) {
        kept.other = now;
    }
}

Side side(const Access &a, bool written, bool atomic)
{
    size_t k = starts.size() - 1;
    while (starts[k] > a.period) k--;
    return {blocks[k], a.thread, written, atomic, a.code};
}

// Let every byte of a word have a cell of its own.
void split(Cell &cell)
{
    Cell *bytes = new Cell[WORD];
    for (uintptr_t k = 0; k < WORD; k++) {
        bytes[k] = cell;
        if (cell.atomics) bytes[k].atomics = new Atomics(*cell.atomics);
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
    if (cell.atomics && !atomic) {
        if (const Access *other = unordered(cell.atomics->written, now, shared)) {
            before = side(*other, true, true);
            return true;
        }
        if (const Access *read = written ? unordered(cell.atomics->read, now, shared) : nullptr) {
            before = side(*read, false, true);
            return true;
        }
    }
    if (atomic) {
        if (!cell.atomics) cell.atomics = new Atomics{};
        note(written ? cell.atomics->written : cell.atomics->read, now);
    } else if (written) {
        cell.written = now;
        cell.read = {};  // what raced with a read before races with this write
    } else {
        note(cell.read, now);
    }
    return false;
}

void access(const void *memory, unsigned size, bool written, bool atomic, void *code)
{
    const uintptr_t address = (uintptr_t)memory, end = address + size;
    const bool local = address < stack_top && address >= (uintptr_t)__builtin_frame_address(0);
    if (!watching || local) return;
    const bool shared =
        (char *)memory >= __start_shared_memory && (char *)memory < __stop_shared_memory;
    const unsigned thread = threadIdx.x;
    const uint32_t place = (uint32_t)((char *)code - __ehdr_start);
    const Access now{period, phases[thread / WARP], thread, place};
    Side before;
    for (uintptr_t p = address, next; p < end && watching; p = next) {
        Cell &cell = shadow(p);
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

void aligned_access(const void *memory, unsigned size, bool written, bool atomic, void *code)
{
    if ((uintptr_t)memory % size && !misaligned.size) misaligned = {(uintptr_t)memory, size};
    access(memory, size, written, atomic, code);
}

}  // namespace

void races_launch(unsigned threads)
{
    misaligned = {};
    phases.assign(threads / WARP + 1, 0);
    first_of_launch = period + 1;
    blocks.clear();
    starts.clear();
    found = false;
    watching = true;
    for (auto &known : pages) unused.push_back(known.second);
    pages.clear();
    page_start = ~(uintptr_t)0;
}

void races_block(unsigned block)
{
    races_block_barrier();
    first_of_block = period;
    blocks.push_back(block);
    starts.push_back(period);
}

void races_stack(const void *top) { stack_top = (uintptr_t)top; }

void races_block_barrier()
{
    period++;
    for (uint32_t &p : phases) p = ++phase;
}

void races_warp_barrier(unsigned warp) { phases[warp] = ++phase; }

extern "C" {

#define EXPORTED __attribute__((visibility("default")))
EXPORTED const Race *found_race() { return found ? &race : nullptr; }
EXPORTED const Misaligned *found_misaligned() { return misaligned.size ? &misaligned : nullptr; }
// For accesses of several words at once, which are made one by one here.
void together(unsigned long long address, unsigned size)
{
    if (address % size && !misaligned.size) misaligned = {address, size};
}

#define CODE __builtin_return_address(0)
#define HOOKS(size)                                                                                \
    void __tsan_read##size(void *p) { aligned_access(p, size, false, false, CODE); }                      \
    void __tsan_write##size(void *p) { aligned_access(p, size, true, false, CODE); }                      \
    void __tsan_unaligned_read##size(void *p) { access(p, size, false, false, CODE); }            \
    void __tsan_unaligned_write##size(void *p) { access(p, size, true, false, CODE); }            \
    void __tsan_volatile_read##size(void *p) { access(p, size, false, true, CODE); }              \
    void __tsan_volatile_write##size(void *p) { access(p, size, true, true, CODE); }
HOOKS(1) HOOKS(2) HOOKS(4) HOOKS(8) HOOKS(16)
void __tsan_read_range(void *p, unsigned long size) { access(p, size, false, false, CODE); }
void __tsan_write_range(void *p, unsigned long size) { access(p, size, true, false, CODE); }
void __tsan_init() {}
void __tsan_func_entry(void *) {}
void __tsan_func_exit() {}
}
