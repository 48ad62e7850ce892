// What translated PTX uses, besides the fibres: see the opcodes of the same names in "Parallel Thread
// Execution ISA".

#include "../device.h"

#include <fenv.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
typedef float f32;
typedef double f64;

template <typename T> struct Signed { typedef T type; };
template <> struct Signed<u8> { typedef s8 type; };
template <> struct Signed<u16> { typedef s16 type; };
template <> struct Signed<u32> { typedef s32 type; };
template <> struct Signed<u64> { typedef s64 type; };

inline void refused(const char *what)
{
    fprintf(stderr, "PTX: %s\n", what);
    abort();
}

// -- memory: addresses are numbers; those of shared memory count from the start of a block's ----------

template <typename T> struct Anything { typedef T __attribute__((may_alias)) type; };
template <typename T> inline T load(u64 at) { return *(typename Anything<T>::type *)at; }
template <typename T> inline T load_volatile(u64 at) { return *(volatile typename Anything<T>::type *)at; }
template <typename T> inline void store(u64 at, T value) { *(typename Anything<T>::type *)at = value; }
template <typename T> inline void store_volatile(u64 at, T value)
{
    *(volatile typename Anything<T>::type *)at = value;
}

extern "C" void together(unsigned long long address, unsigned size);

// Parameters are bytes that no other thread sees.
template <typename T> inline T taken(const void *at)
{
    T value;
    __builtin_memcpy(&value, at, sizeof value);
    return value;
}
template <typename T> inline void given(void *at, T value) { __builtin_memcpy(at, &value, sizeof value); }

// Atomics: what they order, and for whom.
template <typename T, bool acquires, bool of_block> TOLD T load_strong(u64 at)
{
    races_strong((void *)at, sizeof(T), 1, 0, acquires, 0, of_block, CODE);
    return *(typename Anything<T>::type *)at;
}
template <typename T, bool releases, bool of_block> TOLD void store_strong(u64 at, T value)
{
    races_strong((void *)at, sizeof(T), 0, 1, 0, releases, of_block, CODE);
    *(typename Anything<T>::type *)at = value;
}
template <typename T, bool acquires, bool releases, bool of_block> TOLD T add_strong(u64 at, T value)
{
    return add_atomically((T *)at, value, acquires, releases, of_block, CODE);
}

// -- integers -------------------------------------------------------------------------------------------

template <typename T> inline T shifted_left(T x, u32 n) { return n >= 8 * sizeof(T) ? 0 : (T)(x << n); }
template <typename T> inline T shifted_right(T x, u32 n)
{
    if (n >= 8 * sizeof(T)) return x < 0 ? (T)-1 : (T)0;
    return (T)(x >> n);
}
template <typename T> inline T high(T x, T y)
{
    if (sizeof(T) < 8) return (T)(((__int128)x * (__int128)y) >> (8 * sizeof(T)));
    return (T)((T)-1 < 0 ? ((__int128)x * (__int128)y) >> 64
                         : (T)(((unsigned __int128)x * (unsigned __int128)y) >> 64));
}
// A division by zero has any result, but does not end a kernel.
template <typename T> inline T quotient(T x, T y)
{
    if (y == 0) return (T)-1;
    if (y == (T)-1 && (T)-1 < 0) return (T)(0 - (u64)x);
    return (T)(x / y);
}
template <typename T> inline T rest(T x, T y)
{
    if (y == 0) return x;
    if (y == (T)-1 && (T)-1 < 0) return 0;
    return (T)(x % y);
}
template <typename T> inline T inserted(T part, T into, u32 start, u32 length)
{
    const u32 width = 8 * sizeof(T);
    start &= 0xff, length &= 0xff;
    if (start >= width || !length) return into;
    T mask = length >= width ? (T)-1 : (T)(((T)1 << length) - 1);
    mask = (T)(mask << start);
    return (T)((into & ~mask) | ((part << start) & mask));
}
template <typename T> inline T field(T x, u32 start, u32 length)
{
    const u32 width = 8 * sizeof(T);
    start &= 0xff, length &= 0xff;
    if (!length) return 0;
    const u32 last = start + length - 1;
    const bool sign = (T)-1 < 0 && (x >> (last < width ? last : width - 1) & 1);
    T found = start < width ? (T)(x >> start) : (T)(sign ? -1 : 0);
    if (length >= width) return found;
    const T mask = (T)(((T)1 << length) - 1);
    return sign ? (T)(found | ~mask) : (T)(found & mask);
}
inline u32 permuted(u32 a, u32 b, u32 selection)
{
    const u64 both = (u64)b << 32 | a;
    u32 found = 0;
    for (int i = 0; i < 4; i++) {
        const u32 which = selection >> (4 * i) & 15;
        u8 byte = (u8)(both >> (8 * (which & 7)));
        if (which & 8) byte = byte & 0x80 ? 0xff : 0;
        found |= (u32)byte << (8 * i);
    }
    return found;
}
// Parts of two words multiplied and added up: parts of `width` and `other` bits, from a bit of the second.
inline u32 dot(u32 a, u32 b, u32 total, int width, int other, int start, bool a_signed, bool b_signed)
{
    for (int k = 0; k < 32 / width; k++) {
        const u32 x = a >> (width * k) & ((1u << width) - 1), y = b >> (start + other * k) & ((1u << other) - 1);
        const s64 left = a_signed && x >> (width - 1) ? (s64)x - (1ll << width) : (s64)x;
        const s64 right = b_signed && y >> (other - 1) ? (s64)y - (1ll << other) : (s64)y;
        total += (u32)(left * right);
    }
    return total;
}
inline u32 leading_zeros(u32 x) { return x ? __builtin_clz(x) : 32; }
inline u32 leading_zeros(u64 x) { return x ? __builtin_clzll(x) : 64; }
inline u32 ones(u32 x) { return __builtin_popcount(x); }
inline u32 ones(u64 x) { return __builtin_popcountll(x); }
template <typename T> inline T reversed(T x)
{
    T found = 0;
    for (u32 i = 0; i < 8 * sizeof(T); i++) found = (T)(found << 1 | (x >> i & 1));
    return found;
}

// Sums with a carry, and differences with a borrow; the flag is the thread's.
template <typename T> inline T sum(T x, T y, u32 before, u32 &carry)
{
    const unsigned __int128 all = (unsigned __int128)x + y + before;
    carry = (u32)(all >> (8 * sizeof(T)) & 1);
    return (T)all;
}
template <typename T> inline T less(T x, T y, u32 before, u32 &borrow)
{
    const unsigned __int128 all = (unsigned __int128)x - y - before;
    borrow = (u32)(all >> 127);
    return (T)all;
}

// -- floats ---------------------------------------------------------------------------------------------

template <typename T> inline T flushed(T x)
{
    const T least = sizeof(T) == 4 ? (T)1.17549435e-38f : (T)2.2250738585072014e-308;
    return x < least && x > -least ? (T)copysign(0.0, x) : x;
}
template <typename T> inline T clamped(T x) { return x > 0 ? (x < 1 ? x : (T)1) : (T)0; }
template <typename T> inline T smaller(T x, T y)
{
    if (x != x) return y;
    if (y != y) return x;
    if (x == y) return __builtin_signbit(x) ? x : y;
    return x < y ? x : y;
}
template <typename T> inline T larger(T x, T y)
{
    if (x != x) return y;
    if (y != y) return x;
    if (x == y) return __builtin_signbit(x) ? y : x;
    return x > y ? x : y;
}
inline f32 fused(f32 x, f32 y, f32 z) { return fmaf(x, y, z); }
inline f64 fused(f64 x, f64 y, f64 z) { return fma(x, y, z); }

// An operation rounded in another way than to the nearest.
struct Rounding {
    int before;
    explicit Rounding(int mode) : before(fegetround()) { fesetround(mode); }
    ~Rounding() { fesetround(before); }
};
template <typename T> __attribute__((noinline)) T sum_rounded(T a, T b, int mode)
{
    Rounding kept(mode);
    volatile T x = a, y = b;
    volatile T found = x + y;
    return found;
}
template <typename T> __attribute__((noinline)) T product_rounded(T a, T b, int mode)
{
    Rounding kept(mode);
    volatile T x = a, y = b;
    volatile T found = x * y;
    return found;
}
template <typename T> __attribute__((noinline)) T fused_rounded(T a, T b, T c, int mode)
{
    Rounding kept(mode);
    volatile T x = a, y = b, z = c;
    volatile T found = fused(x, y, z);
    return found;
}
template <typename To, typename From> __attribute__((noinline)) To converted_rounded(From a, int mode)
{
    Rounding kept(mode);
    volatile From x = a;
    volatile To found = (To)x;
    return found;
}
template <typename T> inline T integral(T x, int mode)
{
    if (mode == FE_TONEAREST) return (T)rint(x);
    if (mode == FE_TOWARDZERO) return (T)trunc(x);
    return mode == FE_DOWNWARD ? (T)floor(x) : (T)ceil(x);
}
template <typename To, typename From> inline To integer(From x, int mode)
{
    const To least = (To)-1 < 0 ? (To)((u64)1 << (8 * sizeof(To) - 1)) : (To)0;
    const To most = (To)~least;
    if (x != x) return sizeof(From) < 8 && sizeof(To) < 8 ? (To)0 : (To)((u64)1 << (8 * sizeof(To) - 1));
    const f64 y = (f64)integral(x, mode);
    if (y <= (f64)least) return least;
    if (y >= ldexp(1.0, 8 * sizeof(To) - ((To)-1 < 0))) return most;
    return (To)y;
}

// Approximations, of which a kernel may take the bits that are promised only.
inline f32 some_bits(f32 x) { return same_bits<f32>(same_bits<u32>(x) & ~(u32)1); }
inline f64 upper_bits(f64 x) { return same_bits<f64>(same_bits<u64>(x) & ~(u64)0xffffffff); }
inline f32 reciprocal(f32 x) { return some_bits(1.0f / x); }
inline f64 reciprocal(f64 x) { return upper_bits(1.0 / x); }
inline f32 reciprocal_root(f32 x) { return some_bits((f32)(1.0 / sqrt((f64)x))); }
inline f64 reciprocal_root(f64 x) { return upper_bits(1.0 / sqrt(x)); }

// -- threads that meet ----------------------------------------------------------------------------------

inline void of_whole_warp(u32 mask)
{
    if (mask != 0xffffffffu) refused("lanes that are left out of a shuffle or a vote");
}
inline u32 shuffled(int line, u32 value, u32 step, u32 limits, u32 mask, bool down, bool &inside)
{
    of_whole_warp(mask);
    if (limits != 31) refused("a shuffle of a part of a warp");
    const u32 lane = threadIdx.x % 32;
    u32 source = down ? lane + step : step & 31;
    inside = source < 32;
    return (u32)fibre_exchange(line, value, inside ? source : lane);
}
