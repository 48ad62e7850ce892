// Fifteen programs by hand, as loops over contiguous arrays; rows that do not depend on each other
// are shared among threads by OpenMP where that is faster. `__init__.py` beside this compiles and calls them.

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <vector>

using std::vector;
typedef std::complex<double> complex;
typedef int64_t integer;

extern "C" {

void gemm(double alpha, double beta, const double *a, const double *b, const double *c, double *out,
          integer n, integer inner, integer m) {
#pragma omp parallel for
    for (integer i = 0; i < n; i++) {
        for (integer j = 0; j < m; j++) out[i * m + j] = beta * c[i * m + j];
        for (integer k = 0; k < inner; k++) {
            double factor = alpha * a[i * inner + k];
            for (integer j = 0; j < m; j++) out[i * m + j] += factor * b[k * m + j];
        }
    }
}

void symm(double alpha, double beta, const double *a, const double *b, const double *c, double *out,
          integer n, integer m) {
#pragma omp parallel for
    for (integer i = 0; i < n; i++) {
        for (integer j = 0; j < m; j++) out[i * m + j] = beta * c[i * m + j];
        for (integer k = 0; k < n; k++) {
            double factor = alpha * (k <= i ? a[i * n + k] : a[k * n + i]);
            for (integer j = 0; j < m; j++) out[i * m + j] += factor * b[k * m + j];
        }
    }
}

void lu(const double *given, double *a, integer n) {
    std::memcpy(a, given, n * n * sizeof(double));
    for (integer k = 0; k < n; k++)
        for (integer i = k + 1; i < n; i++) {
            double factor = a[i * n + k] /= a[k * n + k];
            for (integer j = k + 1; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
        }
}

void jacobi_2d(integer steps, const double *given, double *a, integer n) {
    std::memcpy(a, given, n * n * sizeof(double));
    vector<double> other(given, given + n * n);
    double *from = a, *to = other.data();
    for (integer t = 0; t < 2 * steps; t++) {
#pragma omp parallel for
        for (integer i = 1; i < n - 1; i++)
            for (integer j = 1; j < n - 1; j++) {
                integer at = i * n + j;
                to[at] = 0.2 * (from[at] + from[at - 1] + from[at + 1] + from[at + n] + from[at - n]);
            }
        std::swap(from, to);
    }
}

void seidel(integer sweeps, const double *given, double *a, integer n) {
    std::memcpy(a, given, n * n * sizeof(double));
    for (integer t = 0; t < sweeps; t++)
        for (integer i = 1; i < n - 1; i++)
            for (integer j = 1; j < n - 1; j++) {
                double *at = a + i * n + j;
                double others = at[-n - 1] + at[-n] + at[-n + 1] + at[0] + at[1] + at[n - 1] + at[n]
                                + at[n + 1];
                at[0] = (at[-1] + others) / 9.0;
            }
}

void nussinov(const integer *sequence, integer *table, integer n) {
    std::memset(table, 0, n * n * sizeof(integer));
    for (integer i = n - 2; i >= 0; i--) {
        integer *row = table + i * n;
        for (integer j = i + 1; j < n; j++) {
            integer best = std::max(row[j - 1], table[(i + 1) * n + j]);
            if (i < j - 1)
                best = std::max(best, table[(i + 1) * n + j - 1] + (sequence[i] + sequence[j] == 3));
            for (integer k = i + 1; k < j; k++)
                best = std::max(best, row[k] + table[(k + 1) * n + j]);
            row[j] = best;
        }
    }
}

void floyd_warshall(const integer *lengths, integer *paths, integer n) {
    std::memcpy(paths, lengths, n * n * sizeof(integer));
    for (integer k = 0; k < n; k++) {
        for (integer i = 0; i < n; i++) {
            integer first = paths[i * n + k];
            for (integer j = 0; j < n; j++)
                paths[i * n + j] = std::min(paths[i * n + j], first + paths[k * n + j]);
        }
    }
}

void n_body(const double *mass, double *position, double *velocity, double dt, integer steps,
            integer n) {
    vector<double> pull(3 * n);
    for (integer t = 0; t < steps; t++) {
        for (integer i = 0; i < n; i++) {
            double total[3] = {0.0, 0.0, 0.0};
            for (integer j = 0; j < n; j++) {
                double apart[3], square = 0.01;
                for (int d = 0; d < 3; d++) {
                    apart[d] = position[3 * j + d] - position[3 * i + d];
                    square += apart[d] * apart[d];
                }
                double factor = mass[j] / (square * std::sqrt(square));
                for (int d = 0; d < 3; d++) total[d] += factor * apart[d];
            }
            for (int d = 0; d < 3; d++) pull[3 * i + d] = total[d];
        }
        for (integer i = 0; i < 3 * n; i++) {
            velocity[i] += dt * pull[i];
            position[i] += dt * velocity[i];
        }
    }
}

void mandelbrot(const double *xs, const double *ys, integer limit, integer *counts, integer n,
                integer m) {
#pragma omp parallel for schedule(dynamic)
    for (integer i = 0; i < m; i++)
        for (integer j = 0; j < n; j++) {
            double x = 0.0, y = 0.0;
            integer count = 0;
            while (count < limit && x * x + y * y <= 4.0) {
                double next = x * x - y * y + xs[j];
                y = 2.0 * x * y + ys[i];
                x = next;
                count++;
            }
            counts[i * n + j] = count;
        }
}

void self_energies(const integer *neighbours, const complex *couplings, const complex *electrons,
                   const complex *phonons, complex *out, integer momenta, integer energies,
                   integer atoms, integer near, integer turns, integer shifts) {
#pragma omp parallel for collapse(2)
    for (integer k = 0; k < momenta; k++)
        for (integer e = 0; e < energies; e++)
            for (integer a = 0; a < atoms; a++) {
                complex total[9] = {};
                for (integer q = 0; q < turns; q++)
                    for (integer w = 0; w < std::min(shifts, e + 1); w++)
                        for (integer b = 0; b < near; b++) {
                            const complex *coupling = couplings + (a * near + b) * 9;
                            integer from = (k - q + momenta) % momenta;
                            const complex *other = electrons
                                + ((from * energies + e - w) * atoms + neighbours[a * near + b]) * 9;
                            complex phonon = phonons[((q * shifts + w) * atoms + a) * near + b];
                            complex left[9] = {};
                            for (int i = 0; i < 3; i++)
                                for (int l = 0; l < 3; l++)
                                    for (int j = 0; j < 3; j++)
                                        left[3 * i + j] += coupling[3 * i + l] * other[3 * l + j];
                            for (int i = 0; i < 3; i++)
                                for (int l = 0; l < 3; l++)
                                    for (int j = 0; j < 3; j++)
                                        total[3 * i + j] +=
                                            phonon * left[3 * i + l] * coupling[3 * l + j];
                        }
                std::copy(total, total + 9, out + ((k * energies + e) * atoms + a) * 9);
            }
}

void crank_nicolson(double *u, integer steps, double ratio, integer n) {
    vector<double> right(n), upper(n);
    for (integer t = 0; t < steps; t++) {
        right[0] = u[0];
        for (integer i = 1; i < n - 1; i++) {
            double explicit_part = u[i] + 0.5 * ratio * (u[i + 1] - 2.0 * u[i] + u[i - 1]);
            double inverse = 1.0 / (1.0 + ratio + 0.5 * ratio * upper[i - 1]);
            upper[i] = -0.5 * ratio * inverse;
            right[i] = (explicit_part + 0.5 * ratio * right[i - 1]) * inverse;
        }
        for (integer i = n - 2; i > 0; i--) u[i] = right[i] - upper[i] * u[i + 1];
    }
}

void azimuthal_integration(const double *image, const double *radii, double *means, integer rings,
                           integer size) {
    double low = *std::min_element(radii, radii + size), high = *std::max_element(radii, radii + size);
    vector<double> edges(rings + 1), counts(rings);
    for (integer k = 0; k <= rings; k++) edges[k] = low + k * ((high - low) / rings);
    edges[rings] = high;
    std::fill(means, means + rings, 0.0);
    for (integer i = 0; i < size; i++) {
        integer ring = std::upper_bound(edges.begin(), edges.end(), radii[i]) - edges.begin() - 1;
        ring = std::min(ring, rings - 1);
        means[ring] += image[i];
        counts[ring] += 1.0;
    }
    for (integer k = 0; k < rings; k++) means[k] /= counts[k];
}

void diagonal_tanh(const double *a, double *out, integer n) {
    double trace = 0.0;
    for (integer i = 0; i < n; i++) trace += std::tanh(a[i * n + i]);
    for (integer i = 0; i < n * n; i++) out[i] = a[i] + trace;
}

static double slope(const double *at, const double *x, const double *labels, double *out, integer n,
                    integer m) {
    double value = 0.0;
    for (integer d = 0; d < m; d++) {
        out[d] = -at[d];
        value -= 0.5 * at[d] * at[d];
    }
    for (integer i = 0; i < n; i++) {
        double score = 0.0;
        for (integer d = 0; d < m; d++) score += x[i * m + d] * at[d];
        double power = std::exp(score), factor = labels[i] - power / (1.0 + power);
        value += labels[i] * score - std::log(1.0 + power);
        for (integer d = 0; d < m; d++) out[d] += factor * x[i * m + d];
    }
    return value;
}

double hamiltonian(double *position, double *momentum, double step, const double *x,
                   const double *labels, integer n, integer m) {
    vector<double> gradient(m);
    slope(position, x, labels, gradient.data(), n, m);
    for (integer d = 0; d < m; d++) momentum[d] += 0.5 * step * gradient[d];
    double energy = 0.0;
    for (int leap = 0; leap < 20; leap++) {
        for (integer d = 0; d < m; d++) position[d] += step * momentum[d];
        energy = slope(position, x, labels, gradient.data(), n, m);
        for (integer d = 0; d < m; d++) momentum[d] += step * gradient[d];
    }
    for (integer d = 0; d < m; d++) {
        momentum[d] -= 0.5 * step * gradient[d];
        energy -= 0.5 * momentum[d] * momentum[d];
    }
    return energy;
}

void logistic(const double *weights, const double *x, double *hessian, integer n, integer m) {
    std::fill(hessian, hessian + m * m, 0.0);
    for (integer i = 0; i < n; i++) {
        double score = 0.0;
        for (integer d = 0; d < m; d++) score += x[i * m + d] * weights[d];
        double share = 1.0 / (1.0 + std::exp(-score)), factor = share * (1.0 - share) / n;
        for (integer c = 0; c < m; c++)
            for (integer d = 0; d < m; d++) hessian[c * m + d] += factor * x[i * m + c] * x[i * m + d];
    }
    for (integer d = 0; d < m; d++) hessian[d * m + d] += 0.02;
}
}
