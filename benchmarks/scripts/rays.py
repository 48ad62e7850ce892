"""A ray marcher: distances to a sphere and a plane, for each pixel."""

from either import compiled, np


def scene(p):
    sphere = np.sqrt(np.sum((p - np.array([0.0, 0.3, 3.0])) ** 2, axis=-1)) - 1.0
    box = np.max(np.abs(p - np.array([1.3, -0.3, 3.5])) - 0.5, axis=-1)
    plane = p[..., 1] + 1.0
    return np.minimum(np.minimum(sphere, box), plane)


def normal(p):
    e = 1e-4
    d = np.stack(
        [scene(p + np.eye(3)[k] * e) - scene(p - np.eye(3)[k] * e) for k in range(3)], axis=-1
    )
    return d / np.sqrt(np.sum(d**2, axis=-1, keepdims=True))


@compiled
def render(width, height, light):
    ys, xs = np.meshgrid(np.linspace(0.8, -0.8, height), np.linspace(-1, 1, width), indexing="ij")
    d = np.stack([xs, ys, np.ones_like(xs)], axis=-1)
    d = d / np.sqrt(np.sum(d**2, axis=-1, keepdims=True))
    t = np.zeros(xs.shape)
    for _ in range(40):
        t = np.minimum(t + scene(t[..., None] * d), 20.0)
    p = t[..., None] * d
    shade = np.maximum(np.sum(normal(p) * light, axis=-1), 0.0)
    return np.where(t < 20.0, 0.1 + 0.9 * shade, 0.0)


light = np.array([0.5, 0.8, -0.6])
picture = render(160, 120, light / np.sqrt(np.sum(light**2)))
for row in picture[::12, ::8]:
    print("".join(" .:-=+*#%@"[min(int(v * 9.99), 9)] for v in row))
print(f"{picture.mean():.6f}")
