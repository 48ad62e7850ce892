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
const uintptr_t PAGE = 1024;        // bytes of memory
const size_t MOST_PAGES = 1 << 12;  // kept from one launch to the next

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

struct Byte {
    Access written;
    Accesses read;
};

struct Atomics {
    Accesses written, read;
};

uint32_t period, first_of_launch, first_of_block, phase;
std::vector<uint32_t> phases;    // by warp
std::vector<unsigned> blocks;    // in the order in which they ran
std::vector<uint32_t> starts;    // the first period of each of them
std::unordered_map<uintptr_t, Byte *> pages;
std::unordered_map<uintptr_t, Atomics> atomics;  // by the byte
uintptr_t page_start = ~(uintptr_t)0;            // of the page that was used last
Byte *page;
uintptr_t stack_top;
bool watching;  // not when the library is loaded, which fills tables; nor after the first race
bool found;
Race race;

Byte *shadow(uintptr_t address)
{
    uintptr_t start = address & ~(PAGE - 1);
    if (start != page_start) {
        Byte *&known = pages[start];
        if (!known) known = (Byte *)calloc(PAGE, sizeof(Byte));
        page_start = start;
        page = known;
    }
    return page + (address - start);
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

void access(const void *memory, unsigned size, bool written, bool atomic, void *code)
{
    const uintptr_t address = (uintptr_t)memory;
    const bool local = address < stack_top && address >= (uintptr_t)__builtin_frame_address(0);
    if (!watching || local) return;
    const bool shared =
        (char *)memory >= __start_shared_memory && (char *)memory < __stop_shared_memory;
    const unsigned thread = threadIdx.x;
    const uint32_t place = (uint32_t)((char *)code - __ehdr_start);
    const Access now{period, phases[thread / WARP], thread, place};
    for (uintptr_t p = address; p < address + size; p++) {
        Byte &byte = *shadow(p);
        const Access *before = is_unordered(byte.written, now, shared) ? &byte.written : nullptr;
        bool before_written = before, before_atomic = false;
        if (!before && written) before = unordered(byte.read, now, shared);
        if (!atomics.empty() || atomic) {
            const auto kept = atomics.find(p);
            if (kept != atomics.end() && !before && !atomic) {
                before = unordered(kept->second.written, now, shared);
                before_written = before_atomic = before;
                if (!before && written) {
                    before = unordered(kept->second.read, now, shared);
                    before_atomic = before;
                }
            }
        }
        if (before) {
            found = true;
            watching = false;
            race = {shared ? address - (uintptr_t)__ehdr_start : address, size, shared,
                    side(*before, before_written, before_atomic), side(now, written, atomic)};
            return;
        }
        if (atomic)
            note(written ? atomics[p].written : atomics[p].read, now);
        else if (!written)
            note(byte.read, now);
        else
            byte = {now, {}};  // what raced with a read before races with this write
    }
}

}  // namespace

void races_launch(unsigned threads)
{
    phases.assign(threads / WARP + 1, 0);
    first_of_launch = period + 1;
    blocks.clear();
    starts.clear();
    atomics.clear();
    found = false;
    watching = true;
    if (pages.size() > MOST_PAGES) {
        for (auto &known : pages) free(known.second);
        pages.clear();
        page_start = ~(uintptr_t)0;
    }
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

#define CODE __builtin_return_address(0)
#define HOOKS(size)                                                                                \
    void __tsan_read##size(void *p) { access(p, size, false, false, CODE); }                      \
    void __tsan_write##size(void *p) { access(p, size, true, false, CODE); }                      \
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
