"""Programs without derivatives in PyTorch."""

from __future__ import annotations

import torch

from benchmarks.programs.peers.torch.maker import maker

_EAGER = "the loop runs in Python, not compiled"
NOTES = {
    "gemm": "a matrix product in the place of loops",
    "jacobi_2d": _EAGER,
    "floyd_warshall": _EAGER,
    "correlation": "a matrix product",
    "contour_integral": "all points at once, not compiled",
    "self_energies": "sums of products over all atoms at once (einsum), not compiled",
    "azimuthal_integration": "sums by `index_add_` at the ring of each pixel",
}


def gemm(alpha, beta, a, b, c):
    return torch.addmm(c, a, b, beta=beta, alpha=alpha)


def jacobi_2d(steps, a):
    a = a.clone()
    b = a.clone()
    for _ in range(steps):
        for old, new in ((a, b), (b, a)):
            near = old[1:-1, 1:-1] + old[1:-1, :-2]
            near += old[1:-1, 2:]
            near += old[2:, 1:-1]
            near += old[:-2, 1:-1]
            torch.mul(near, 0.2, out=new[1:-1, 1:-1])
    return a


def floyd_warshall(lengths):
    paths = lengths.clone()
    for k in range(len(paths)):
        paths = torch.minimum(paths, paths[:, k : k + 1] + paths[k])
    return paths


def nearest_centres(points, centres):
    distances = torch.sum((points[:, None, :] - centres[None, :, :]) ** 2, dim=2)
    labels = torch.argmin(distances, dim=1)
    members = (labels[:, None] == torch.arange(len(centres))).to(points.dtype)
    counts = torch.sum(members, dim=0)[:, None]
    return labels, torch.where(counts > 0, members.T @ points / counts.clamp(min=1.0), centres)


def one_hot_mixture(scores, table):
    winners = torch.argmax(scores, dim=1)
    one_hot = torch.nn.functional.one_hot(winners, scores.shape[1]).to(table.dtype)
    return winners, table[winners].repeat_interleave(3, dim=0) + (one_hot @ table).tile((3, 1))


def correlation(data):
    mean, deviation = data.mean(0), data.std(0, correction=0)
    deviation = torch.where(deviation <= 0.1, 1.0, deviation)
    data = (data - mean) / (len(data) ** 0.5 * deviation)
    matrix = data.T @ data
    return matrix.fill_diagonal_(1.0)


def contour_integral(matrices, probe, points, radius):
    powers = points[:, None] ** torch.arange(len(matrices))
    solutions = torch.linalg.solve(torch.tensordot(powers, matrices, 1), probe)
    inside = (torch.abs(points) < radius)[:, None, None]
    solutions = torch.where(inside, -solutions, solutions)
    return solutions.sum(0), torch.tensordot(points, solutions, 1)


def self_energies(neighbours, couplings, electrons, phonons):
    out = torch.zeros_like(electrons)
    for q in range(phonons.shape[0]):
        turned = torch.roll(electrons, q, 0)
        for w in range(phonons.shape[1]):
            others = turned[:, : electrons.shape[1] - w, neighbours]
            left = couplings @ others * phonons[q, w][..., None, None]
            out[:, w:] += torch.einsum("keabil,ablm->keaim", left, couplings)
    return out


def azimuthal_integration(image, radii, rings):
    low, high = radii.min(), radii.max()
    share = torch.arange(rings + 1, dtype=radii.dtype) / rings
    edges = low + share * (high - low)
    ring = torch.searchsorted(edges, radii.ravel(), right=True) - 1
    ring = ring.clamp(0, rings - 1)
    sums = torch.zeros(rings, dtype=image.dtype).index_add_(0, ring, image.ravel())
    return sums / torch.bincount(ring, minlength=rings)


MAKERS = {
    "gemm": maker(gemm),
    "jacobi_2d": maker(jacobi_2d, compiled=False),
    "floyd_warshall": maker(floyd_warshall, compiled=False),
    "nearest_centres": maker(nearest_centres),
    "one_hot_mixture": maker(one_hot_mixture),
    "correlation": maker(correlation),
    "contour_integral": maker(contour_integral, compiled=False),
    "self_energies": maker(self_energies, compiled=False),
    "azimuthal_integration": maker(azimuthal_integration, compiled=False),
}
