// Functions that call themselves, by hand. `__init__.py` beside this compiles and calls them.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef int64_t integer;

static void sort_part(double *a, integer low, integer high) {
    if (low >= high) return;
    double pivot = a[high];
    integer i = low;
    for (integer j = low; j < high; j++)
        if (a[j] < pivot) {
            double kept = a[i];
            a[i] = a[j];
            a[j] = kept;
            i++;
        }
    a[high] = a[i];
    a[i] = pivot;
    sort_part(a, low, i - 1);
    sort_part(a, i + 1, high);
}

static void merge_parts(double *a, double *other, integer low, integer high) {
    if (high - low < 2) return;
    integer middle = (low + high) / 2;
    merge_parts(a, other, low, middle);
    merge_parts(a, other, middle, high);
    integer i = low, j = middle;
    for (integer k = low; k < high; k++)
        other[k] = i < middle && (j >= high || a[i] <= a[j]) ? a[i++] : a[j++];
    for (integer k = low; k < high; k++) a[k] = other[k];
}

static integer place(integer *board, integer n, integer row) {
    if (row == n) return 1;
    integer count = 0;
    for (integer column = 0; column < n; column++) {
        bool free = true;
        for (integer other = 0; other < row; other++)
            if (board[other] == column || std::llabs(board[other] - column) == row - other) {
                free = false;
                break;
            }
        if (free) {
            board[row] = column;
            count += place(board, n, row + 1);
        }
    }
    return count;
}

static double wave(double x, double k) { return std::sin(k * x * x); }

static double simpson(double a, double b, double fa, double fm, double fb, double tolerance,
                      double k) {
    double middle = (a + b) / 2, h = b - a;
    double fl = wave((a + middle) / 2, k), fr = wave((middle + b) / 2, k);
    double whole = h / 6 * (fa + 4 * fm + fb);
    double parts = h / 12 * (fa + 4 * fl + fm) + h / 12 * (fm + 4 * fr + fb);
    if (std::abs(parts - whole) <= 15 * tolerance) return parts + (parts - whole) / 15;
    return simpson(a, middle, fa, fl, fm, tolerance / 2, k) +
           simpson(middle, b, fm, fr, fb, tolerance / 2, k);
}

extern "C" {

integer fibonacci(integer n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

integer takeuchi(integer x, integer y, integer z) {
    if (y >= x) return z;
    return takeuchi(takeuchi(x - 1, y, z), takeuchi(y - 1, z, x), takeuchi(z - 1, x, y));
}

double tree(const integer *left, const integer *right, const double *value, integer i) {
    if (i < 0) return 0.0;
    double below = tree(left, right, value, left[i]) + tree(left, right, value, right[i]);
    return value[i] + 0.5 * below;
}

void quicksort(const double *x, double *out, integer n) {
    std::memcpy(out, x, n * sizeof(double));
    sort_part(out, 0, n - 1);
}

void mergesort(const double *x, double *out, integer n) {
    std::vector<double> other(n);
    std::memcpy(out, x, n * sizeof(double));
    merge_parts(out, other.data(), 0, n);
}

integer queens(integer n) {
    std::vector<integer> board(n);
    return place(board.data(), n, 0);
}

double quadrature(double k, double a, double b, double tolerance) {
    return simpson(a, b, wave(a, k), wave((a + b) / 2, k), wave(b, k), tolerance, k);
}
}
