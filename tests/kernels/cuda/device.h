// CUDA C for a host compiler: what printed kernels use of the language and of its functions.
// Threads are fibres (fibres.cpp); they change at barriers and shuffles only.

#define __global__
#define __device__
#define __launch_bounds__(...)
// In a section of its own, so that it can be filled with garbage before each block.
#define __shared__ static __attribute__((section("shared_memory")))

struct Place {
    unsigned int x, y, z;
};
extern const Place threadIdx, blockIdx, blockDim, gridDim;

extern "C" {
void fibre_barrier(int line);
int fibre_barrier_or(int line, int value);
void fibre_warp_barrier(int line);
int fibre_any(int line, int value);
unsigned long long fibre_exchange(int line, unsigned long long value, unsigned int source);
void races_fence(int of_block);
void races_strong(const void *memory, unsigned int size, int read, int written, int acquires,
                  int releases, int of_block, void *code);
}
#define __syncthreads() fibre_barrier(__LINE__)
#define __syncthreads_or(value) fibre_barrier_or(__LINE__, (value))
#define __syncwarp() fibre_warp_barrier(__LINE__)
#define __any_sync(mask, value) (of_all_lanes<(mask)>(), fibre_any(__LINE__, (value)))
#define __shfl_sync(mask, value, source) (of_all_lanes<(mask)>(), exchanged(__LINE__, (value), (source)))
#define __shfl_down_sync(mask, value, step) \
    __shfl_sync(mask, value, threadIdx.x % 32 + (step) < 32 ? threadIdx.x % 32 + (step) : threadIdx.x % 32)

template <unsigned int mask>
inline void of_all_lanes()
{
    static_assert(mask == 0xffffffffu, "lanes that are left out of a shuffle or a vote");
}

template <typename T>
inline T exchanged(int line, T value, unsigned int source)
{
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a type that shuffles take");
    unsigned long long bits = 0;
    __builtin_memcpy(&bits, &value, sizeof value);
    bits = fibre_exchange(line, bits, source);
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}

#define __threadfence_block() races_fence(1)
#define __threadfence() races_fence(0)
#define __threadfence_system() races_fence(0)

// No other fibre runs between the two accesses to memory of an atomic. What it orders is told here, and
// in a function of its own, so that the compiler tells nothing besides.
#define TOLD __attribute__((noinline, no_sanitize_thread))
template <typename T>
TOLD T add_atomically(T *at, T value, bool acquires, bool releases, bool of_block, void *code)
{
    races_strong(at, sizeof(T), 1, 1, acquires, releases, of_block, code);
    const T before = *at;
    *at = before + value;
    return before;
}
#define CODE __builtin_return_address(0)
template <typename T> TOLD T atomicAdd(T *at, T value)
{
    return add_atomically(at, value, false, false, false, CODE);
}
template <typename T> TOLD T atomicAdd_block(T *at, T value)
{
    return add_atomically(at, value, false, false, true, CODE);
}

template <typename To, typename From>
inline To same_bits(From x)
{
    static_assert(sizeof(To) == sizeof(From), "of one width");
    To result;
    __builtin_memcpy(&result, &x, sizeof x);
    return result;
}
inline float __int_as_float(int x) { return same_bits<float>(x); }
inline int __float_as_int(float x) { return same_bits<int>(x); }
inline double __longlong_as_double(long long x) { return same_bits<double>(x); }
inline long long __double_as_longlong(double x) { return same_bits<long long>(x); }
inline int __popc(unsigned int x) { return __builtin_popcount(x); }
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
    return (unsigned long long)(((unsigned __int128)x * y) >> 64);
}
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline long long __mul64hi(long long x, long long y) { return (long long)(((__int128)x * y) >> 64); }

// Conversions saturate; NaN becomes 0 where both have 32 bits, and else the number of the highest bit.
template <typename To, typename From>
inline To saturated(From x, To low, To high, double above, To nan)
{
    if (x != x) return nan;
    if (x <= (From)low) return low;
    return x >= (From)above ? high : (To)x;
}
const long long LOWEST = -9223372036854775807LL - 1;
#define CONVERSIONS(from, nan)                                                                     \
    inline int __##from##2int_rz(from x)                                                           \
    {                                                                                              \
        return saturated<int>(x, -2147483647 - 1, 2147483647, 2147483648.0, nan);                  \
    }                                                                                              \
    inline long long __##from##2ll_rz(from x)                                                      \
    {                                                                                              \
        return saturated<long long>(x, LOWEST, ~LOWEST, 9223372036854775808.0, LOWEST);            \
    }                                                                                              \
    inline unsigned long long __##from##2ull_rz(from x)                                            \
    {                                                                                              \
        return saturated<unsigned long long>(x, 0, ~0ull, 18446744073709551616.0, 1ull << 63);     \
    }
CONVERSIONS(float, 0)
CONVERSIONS(double, -2147483647 - 1)

extern "C" {
#define ONE(name) double name(double); float name##f(float);
#define TWO(name) double name(double, double); float name##f(float, float);
ONE(acos) ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(cbrt) ONE(ceil) ONE(cos) ONE(cosh)
ONE(erf) ONE(erfc) ONE(exp) ONE(exp2) ONE(expm1) ONE(fabs) ONE(floor) ONE(log) ONE(log10) ONE(log1p)
ONE(log2) ONE(rint) ONE(sin) ONE(sinh) ONE(sqrt) ONE(tan) ONE(tanh) ONE(trunc)
TWO(atan2) TWO(copysign) TWO(fmod) TWO(hypot) TWO(nextafter) TWO(pow)
double fma(double, double, double);
float fmaf(float, float, float);
double ldexp(double, int);
float ldexpf(float, int);
double frexp(double, int *);
float frexpf(float, int *);
}
