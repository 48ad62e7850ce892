"""Integers, graphs and searches: loops whose branches depend on data, with arrays as heaps, trees
and tables."""

from __future__ import annotations

import numpy as np

from benchmarks.programs.program import MANY, Program


def collatz(n):
    """How many steps each number takes to 1."""
    lengths = np.zeros(n, dtype=np.int64)
    for start in range(1, n):
        x = start
        steps = 0
        while x != 1:
            if x % 2 == 0:
                x = x // 2
            else:
                x = 3 * x + 1
            steps += 1
        lengths[start] = steps
    return lengths


def strong_primes(numbers):
    """Which numbers Miller and Rabin's test takes for primes, of up to 62 bits."""
    found = np.zeros(len(numbers), dtype=np.bool_)
    for i in range(len(numbers)):
        n = int(numbers[i])
        d = n - 1
        twos = 0
        while d % 2 == 0:
            d //= 2
            twos += 1
        is_prime = True
        for base in (2, 3, 5, 7):
            x = 1
            power = base
            e = d
            while e > 0:
                if e & 1:
                    x = x * power % n
                power = power * power % n
                e >>= 1
            if x == 1 or x == n - 1:
                continue
            passes = False
            for _ in range(twos - 1):
                x = x * x % n
                if x == n - 1:
                    passes = True
                    break
            if not passes:
                is_prime = False
                break
        found[i] = is_prime
    return found


def odd_numbers(n, draw=0):
    return (np.random.default_rng((15, draw)).integers(2**60, 2**61, n) * 2 + 1,)


def dijkstra(starts, targets, lengths, source):
    """Shortest paths, with a heap in two arrays; -1 where there is none."""
    n = len(starts) - 1
    paths = np.full(n, np.inf)
    done = np.zeros(n, dtype=np.bool_)
    keys = np.zeros(len(targets) + 1)
    nodes = np.zeros(len(targets) + 1, dtype=np.int64)
    nodes[0] = source
    paths[source] = 0.0
    size = 1
    while size > 0:
        path = keys[0]
        u = nodes[0]
        size -= 1
        if size > 0:
            key = keys[size]
            node = nodes[size]
            i = 0
            while 2 * i + 1 < size:
                child = 2 * i + 1
                if child + 1 < size and keys[child + 1] < keys[child]:
                    child += 1
                if keys[child] >= key:
                    break
                keys[i] = keys[child]
                nodes[i] = nodes[child]
                i = child
            keys[i] = key
            nodes[i] = node
        if done[u]:
            continue
        done[u] = True
        for k in range(starts[u], starts[u + 1]):
            v = targets[k]
            longer = path + lengths[k]
            if longer < paths[v]:
                paths[v] = longer
                i = size
                size += 1
                while i > 0:
                    parent = (i - 1) // 2
                    if keys[parent] <= longer:
                        break
                    keys[i] = keys[parent]
                    nodes[i] = nodes[parent]
                    i = parent
                keys[i] = longer
                nodes[i] = v
    return np.where(done, paths, -1.0)


def random_graph(n, draw=0):
    rng = np.random.default_rng((16, draw))
    starts = np.concatenate(([0], np.cumsum(rng.permutation(np.arange(n) % 8 + 1))))
    return starts, rng.integers(0, n, starts[-1]), rng.random(starts[-1]), 0


def components(image):
    """The parts of an image that hang together, by union and find."""
    h, w = image.shape
    labels = np.zeros((h, w), dtype=np.int64)
    parent = np.arange(h * w + 1)
    count = 0
    for i in range(h):
        for j in range(w):
            if image[i, j] == 0:
                continue
            above = labels[i - 1, j] if i > 0 else 0
            left = labels[i, j - 1] if j > 0 else 0
            if above == 0 and left == 0:
                count += 1
                labels[i, j] = count
            elif above == 0 or left == 0:
                labels[i, j] = max(above, left)
            else:
                while parent[above] != above:
                    above = parent[above]
                while parent[left] != left:
                    left = parent[left]
                parent[max(above, left)] = min(above, left)
                labels[i, j] = min(above, left)
    for i in range(h):
        for j in range(w):
            label = labels[i, j]
            while parent[label] != label:
                label = parent[label]
            labels[i, j] = label
    return labels


def blobs(n, draw=0):
    return ((np.random.default_rng((17, draw)).random((n, n)) < 0.55).astype(np.int64),)


def discordant(x, y):
    """Kendall's rank correlation by pairs, and where the greatest numbers are."""
    n = len(x)
    concordant = 0
    ties = 0
    for i in range(n):
        for j in range(i):
            if x[i] == x[j] or y[i] == y[j]:
                ties += 1
            elif (x[i] < x[j]) == (y[i] < y[j]):
                concordant += 1
    best = 0
    where = 0
    for i in range(n):
        if x[i] > best:
            best = x[i]
            where = i
    return concordant, ties, where


def ranks(n, draw=0):
    return tuple(np.random.default_rng((18, draw)).integers(0, 1000, (2, n)))


def least_seams(energy, count):
    """An image without its least seams: each costs what its pixels and the cheapest way do."""
    h, w = energy.shape
    image = energy.copy()
    width = w
    for _ in range(count):
        cost = np.zeros((h, width))
        cost[0] = image[0, :width]
        for i in range(1, h):
            for j in range(width):
                best = cost[i - 1, j]
                if j > 0 and cost[i - 1, j - 1] < best:
                    best = cost[i - 1, j - 1]
                if j < width - 1 and cost[i - 1, j + 1] < best:
                    best = cost[i - 1, j + 1]
                cost[i, j] = image[i, j] + best
        j = np.argmin(cost[h - 1])
        for i in range(h - 1, -1, -1):
            for k in range(j, width - 1):
                image[i, k] = image[i, k + 1]
            if i > 0:
                best = j
                if j > 0 and cost[i - 1, j - 1] < cost[i - 1, best]:
                    best = j - 1
                if j < width - 1 and cost[i - 1, j + 1] < cost[i - 1, best]:
                    best = j + 1
                j = best
        width -= 1
    return image[:, :width]


def energies(n, draw=0):
    return np.random.default_rng((19, draw)).random((n, n + n // 3)), n // 6


def local_alignment(first, second, same, other, opened, extended):
    """The best local alignment with affine gaps, of which the rows before are not kept."""
    m = len(second)
    scores = np.zeros(m + 1)
    gaps = np.full(m + 1, -1e9)
    best = 0.0
    for i in range(len(first)):
        before = 0.0
        gap = -1e9
        for j in range(1, m + 1):
            gaps[j] = max(gaps[j] - extended, scores[j] - opened)
            gap = max(gap - extended, scores[j - 1] - opened)
            score = before + (same if first[i] == second[j - 1] else other)
            score = max(0.0, score, gaps[j], gap)
            before = scores[j]
            scores[j] = score
            best = max(best, score)
    return best


def bases(n, draw=0):
    rng = np.random.default_rng((20, draw))
    return rng.integers(0, 4, n), rng.integers(0, 4, n + 20), 3.0, -2.0, 5.0, 1.0


def near_pairs(places, reach):
    """Lennard and Jones's forces of the pairs that are near."""
    n = len(places)
    forces = np.zeros((n, 3))
    energy = 0.0
    for i in range(n):
        for j in range(i):
            dx = places[i, 0] - places[j, 0]
            dy = places[i, 1] - places[j, 1]
            dz = places[i, 2] - places[j, 2]
            square = dx**2 + dy**2 + dz**2
            if square < reach**2:
                sixth = square**-3
                energy += 4.0 * (sixth**2 - sixth)
                force = 24.0 * (2.0 * sixth**2 - sixth) / square
                forces[i, 0] += force * dx
                forces[i, 1] += force * dy
                forces[i, 2] += force * dz
                forces[j, 0] -= force * dx
                forces[j, 1] -= force * dy
                forces[j, 2] -= force * dz
    return forces, energy


def near_pairs_arguments(n, draw=0):
    rng = np.random.default_rng((21, draw))
    grid = np.stack(np.meshgrid(*3 * [np.arange(np.ceil(n ** (1 / 3)))]), -1).reshape(-1, 3)[:n]
    return 1.1 * grid + 0.05 * rng.normal(size=grid.shape), 2.5


def recaman(n):
    """Recaman's sequence: back by ``i``, if that is a new number, else forth. Its integers are
    dense."""
    seen = {0}
    x = 0
    total = 0
    for i in range(1, n):
        y = x - i
        x = y if y > 0 and y not in seen else x + i
        seen.add(x)
        total += x
    return total, len(seen)


def polygon_areas(corners, starts):
    """Areas and centres of polygons, of which each has another number of corners."""
    found = np.zeros((len(starts) - 1, 3))
    for k in range(len(starts) - 1):
        p = corners[starts[k] : starts[k + 1]]
        q = np.roll(p, -1, axis=0)
        cross = p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]
        area = 0.5 * np.sum(cross)
        found[k, 0] = area
        found[k, 1:] = np.sum((p + q) * cross[:, None], axis=0) / (6.0 * area)
    return found


def polygons(n, draw=0):
    rng = np.random.default_rng((22, draw))
    counts = rng.permutation(np.arange(n) % 9 + 3)
    angles = [np.sort(rng.random(count)) * 2.0 * np.pi for count in counts]
    corners = [np.stack([np.cos(a), np.sin(a)], 1) + rng.random(2) for a in angles]
    return np.concatenate(corners), np.concatenate(([0], np.cumsum(counts)))


def reflections(starts, directions, centres, radii, bounces):
    """Rays among spheres that reflect them: how far each goes, and how often it hits one."""
    paths = np.zeros(len(starts))
    hits = np.zeros(len(starts), dtype=np.int64)
    for r in range(len(starts)):
        ox, oy, oz = starts[r]
        dx, dy, dz = directions[r]
        for _ in range(bounces):
            nearest = np.inf
            which = -1
            for s in range(len(radii)):
                lx = centres[s, 0] - ox
                ly = centres[s, 1] - oy
                lz = centres[s, 2] - oz
                along = lx * dx + ly * dy + lz * dz
                if along < 0.0:
                    continue
                aside = lx * lx + ly * ly + lz * lz - along * along
                if aside > radii[s] ** 2:
                    continue
                t = along - np.sqrt(radii[s] ** 2 - aside)
                if 1e-6 < t < nearest:
                    nearest = t
                    which = s
            if which < 0:
                break
            paths[r] += nearest
            hits[r] += 1
            ox += nearest * dx
            oy += nearest * dy
            oz += nearest * dz
            nx = (ox - centres[which, 0]) / radii[which]
            ny = (oy - centres[which, 1]) / radii[which]
            nz = (oz - centres[which, 2]) / radii[which]
            turn = 2.0 * (dx * nx + dy * ny + dz * nz)
            dx -= turn * nx
            dy -= turn * ny
            dz -= turn * nz
    return paths, hits


def spheres(n, draw=0):
    rng = np.random.default_rng((23, draw))
    directions = rng.normal(size=(n, 3))
    directions /= np.sqrt(np.sum(directions**2, axis=1, keepdims=True))
    places = 0.01 * rng.normal(size=(n, 3))
    return places, directions, 4.0 * rng.normal(size=(20, 3)), 0.2 + rng.random(20), 5


def stack_machine(code, numbers):
    """Runs a program for a machine with a stack and one register, for each number."""
    results = np.zeros(len(numbers), dtype=np.int64)
    stack = np.zeros(64, dtype=np.int64)
    for k in range(len(numbers)):
        register = numbers[k]
        place = 0
        top = 0
        fuel = 100
        while place < len(code) and fuel > 0:
            operation = code[place, 0]
            given = code[place, 1]
            place += 1
            fuel -= 1
            if operation == 0:
                stack[top] = given
                top += 1
            elif operation == 1:
                stack[top] = register
                top += 1
            elif operation == 2:
                top -= 1
                register = (register + stack[top]) % 65536
            elif operation == 3:
                top -= 1
                register = register * stack[top] % 65536
            elif operation == 4:
                if register > given:
                    place = 0
            else:
                register = register - given if register > given else register // 2
        results[k] = register
    return results


def machine_code(n, draw=0):
    code = [[1, 0], [3, 0], [0, 7], [2, 0], [5, 5000], [4, 900]]
    return np.array(code), np.random.default_rng((24, draw)).integers(0, 60_000, n)


def queens(n):
    """In how many ways queens can stand, by integers whose bits are columns, with a stack."""
    full = (1 << n) - 1
    columns = np.zeros(n + 1, dtype=np.int64)
    left = np.zeros(n + 1, dtype=np.int64)
    right = np.zeros(n + 1, dtype=np.int64)
    free = np.zeros(n + 1, dtype=np.int64)
    free[0] = full
    row = 0
    count = 0
    while row >= 0:
        if free[row] == 0:
            row -= 1
            continue
        bit = free[row] & -free[row]
        free[row] ^= bit
        if row == n - 1:
            count += 1
            continue
        columns[row + 1] = columns[row] | bit
        left[row + 1] = ((left[row] | bit) << 1) & full
        right[row + 1] = (right[row] | bit) >> 1
        row += 1
        free[row] = full & ~(columns[row] | left[row] | right[row])
    return count


PROGRAMS = {
    "collatz": Program("Collatz' numbers up to 20000", collatz, lambda n: (n,), 20_000, 40),
    "strong_primes": Program(
        "Miller and Rabin's test, 61 bits, 2000", strong_primes, odd_numbers, 2000, 20, MANY
    ),
    "dijkstra": Program("Dijkstra, heap in arrays, 5000", dijkstra, random_graph, 5000, 20, MANY),
    "components": Program("parts of an image, 200 x 200", components, blobs, 200, 9, MANY),
    "discordant": Program("pairs in the same order, 1000", discordant, ranks, 1000, 40, MANY),
    "least_seams": Program("10 seams of 60 x 80", least_seams, energies, 60, 8, MANY),
    "local_alignment": Program("local alignment, 400 x 420", local_alignment, bases, 400, 12, MANY),
    "near_pairs": Program(
        "forces of near pairs, 500", near_pairs, near_pairs_arguments, 500, 20, MANY
    ),
    "recaman": Program("Recaman's sequence, 20000", recaman, lambda n: (n,), 20_000, 60),
    "polygon_areas": Program("areas of 2000 polygons", polygon_areas, polygons, 2000, 9, MANY),
    "reflections": Program("2000 rays, 20 spheres, 5 hits", reflections, spheres, 2000, 30, MANY),
    "stack_machine": Program(
        "machine with a stack, 300 runs", stack_machine, machine_code, 300, 8, MANY
    ),
    "queens": Program("10 queens, by bits, with a stack", queens, lambda n: (n,), 10, 5),
}
