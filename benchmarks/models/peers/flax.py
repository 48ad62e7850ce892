"""JAX with Flax's layers and Optax's optimisers."""

from __future__ import annotations

from collections.abc import Callable

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np
import optax

from benchmarks.models.weights import BLOCKS, CHARACTERS, HEADS, HIDDEN, VOCABULARY, WIDTH, Arrays

PACKAGE = "jax"
REFUSES: dict[str, str] = {}
NOTES = dict.fromkeys(("cnn",), "images have their channels last")


def to_numpy(value) -> np.ndarray:
    return np.asarray(value)


def training(loss: Callable, params, rule: optax.GradientTransformation, batch, seen) -> Callable:
    """A call that trains for a step; the old state's memory may be used for the new one."""
    batch = jax.tree.map(jnp.asarray, batch)

    def step(params, state, batch):
        value, slope = jax.value_and_grad(loss)(params, *batch)
        updates, state = rule.update(slope, state, params)
        return optax.apply_updates(params, updates), state, value

    step = jax.jit(step, donate_argnums=(0, 1))
    params = jax.tree.map(jnp.array, params)
    state = rule.init(params)

    def call():
        nonlocal params, state
        params, state, value = step(params, state, batch)
        return jax.block_until_ready((value, tuple(x.copy() for x in seen(params))))

    return call


def convolution(x, kernel):
    return jax.lax.conv(x, kernel, (1, 1), "SAME")


def make_convolution(x, kernel):
    x, kernel, function = jnp.asarray(x), jnp.asarray(kernel), jax.jit(convolution)
    return lambda: function(x, kernel).block_until_ready()


def make_convolution_gradient(x, kernel):
    x, kernel = jnp.asarray(x), jnp.asarray(kernel)
    slope = jax.jit(jax.grad(lambda x, k: jnp.sum(convolution(x, k) ** 2), argnums=(0, 1)))
    return lambda: jax.block_until_ready(slope(x, kernel))


def cross_entropy(scores, labels):
    return optax.softmax_cross_entropy_with_integer_labels(scores, labels).mean()


class Cnn(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.max_pool(nn.relu(nn.Conv(16, (5, 5), name="first")(x)), (2, 2), (2, 2))
        x = nn.max_pool(nn.relu(nn.Conv(32, (5, 5), name="second")(x)), (2, 2), (2, 2))
        return nn.Dense(10, name="out")(x.reshape(len(x), -1))


def dense(w: Arrays, name: str) -> Arrays:
    return {"kernel": w[name].T, "bias": w[f"{name}_bias"]}


def make_cnn(weights, x, labels):
    def conv(name):
        kernel = weights[name].transpose(2, 3, 1, 0)
        return {"kernel": kernel, "bias": weights[f"{name}_bias"]}

    out = dense(weights, "out")
    out["kernel"] = out["kernel"].reshape(32, 7, 7, 10).transpose(1, 2, 0, 3).reshape(-1, 10)
    params = {"first": conv("first"), "second": conv("second"), "out": out}
    model = Cnn()

    def loss(params, x, labels):
        return cross_entropy(model.apply({"params": params}, x), labels)

    batch = x.transpose(0, 2, 3, 1), labels
    seen = lambda params: (params["first"]["bias"], params["out"]["bias"])
    return training(loss, params, optax.adam(1e-3), batch, seen)


class Lstm(nn.Module):
    @nn.compact
    def __call__(self, xs):
        cell = nn.OptimizedLSTMCell(HIDDEN, name="cell")
        (_, hidden), _ = nn.RNN(cell, time_major=True, return_carry=True)(xs)
        return nn.Dense(10, name="out")(hidden)


def make_lstm(weights, x, labels):
    cell = {}
    for kind, name in (("i", "weight_ih"), ("h", "weight_hh")):
        for gate, rows in zip("ifgo", np.split(weights[name], 4)):
            cell[kind + gate] = {"kernel": rows.T}
    biases = np.split(weights["bias_ih"] + weights["bias_hh"], 4)
    for gate, bias in zip("ifgo", biases):
        cell["h" + gate]["bias"] = bias
    model = Lstm()

    def loss(params, x, labels):
        return cross_entropy(model.apply({"params": params}, x), labels)

    params = {"cell": cell, "out": dense(weights, "out")}
    return training(
        loss, params, optax.adam(1e-3), (x, labels), lambda params: (params["out"]["bias"],)
    )


class Block(nn.Module):
    def setup(self):
        self.query, self.key, self.value, self.out, self.narrow = (
            nn.Dense(WIDTH) for _ in range(5)
        )
        self.wide = nn.Dense(4 * WIDTH)
        self.norm_1, self.norm_2 = (nn.LayerNorm(1e-5) for _ in range(2))

    def heads(self, x):
        return x.reshape(*x.shape[:-1], HEADS, -1)

    def rest(self, x, found):
        x = x + self.out(found.reshape(*found.shape[:-2], WIDTH))
        return x + self.narrow(nn.gelu(self.wide(self.norm_2(x))))

    def __call__(self, x):
        y = self.norm_1(x)
        q, k, v = self.heads(self.query(y)), self.heads(self.key(y)), self.heads(self.value(y))
        return self.rest(x, jax.nn.dot_product_attention(q, k, v, is_causal=True))

    def following(self, x, cache, place):
        y = self.norm_1(x)
        q, k, v = self.heads(self.query(y)), self.heads(self.key(y)), self.heads(self.value(y))
        keys = jax.lax.dynamic_update_slice(cache[0], k, (place, 0, 0))
        values = jax.lax.dynamic_update_slice(cache[1], v, (place, 0, 0))
        seen = (jnp.arange(len(keys)) <= place)[None, None]
        return self.rest(x, jax.nn.dot_product_attention(q, keys, values, mask=seen)), (
            keys,
            values,
        )


class Transformer(nn.Module):
    def setup(self):
        self.table = nn.Embed(VOCABULARY, WIDTH)
        self.places = self.param("places", nn.initializers.zeros, (CHARACTERS, WIDTH))
        self.blocks = [Block() for _ in range(BLOCKS)]
        self.norm = nn.LayerNorm(1e-5)

    def __call__(self, text):
        x = self.table(text) + self.places
        for block in self.blocks:
            x = block(x)
        return self.table.attend(self.norm(x))

    def following(self, character, place, caches):
        x, after = (self.table(character) + self.places[place])[None], []
        for block, cache in zip(self.blocks, caches):
            x, cache = block.following(x, cache, place)
            after.append(cache)
        return self.table.attend(self.norm(x))[0], after


def transformer_params(w: Arrays) -> dict:
    def norm(name):
        return {"scale": w[name], "bias": w[f"{name}_bias"]}

    params = {"table": {"embedding": w["table"]}, "places": w["places"], "norm": norm("norm")}
    for k in range(BLOCKS):
        names = ("query", "key", "value", "out", "wide", "narrow")
        params[f"blocks_{k}"] = {name: dense(w, f"{k}.{name}") for name in names}
        params[f"blocks_{k}"] |= {name: norm(f"{k}.{name}") for name in ("norm_1", "norm_2")}
    return params


def make_transformer(weights, text):
    model = Transformer()

    def loss(params, text):
        return cross_entropy(model.apply({"params": params}, text[:, :-1]), text[:, 1:])

    params = transformer_params(weights)
    return training(
        loss, params, optax.adamw(1e-3), (text,), lambda params: (params["norm"]["bias"],)
    )


def make_generation(weights, character):
    model = Transformer()

    def following(params, *args):
        return model.apply({"params": params}, *args, method=Transformer.following)

    @jax.jit
    def written(params, character):
        def step(carry, place):
            last, caches = carry
            scores, caches = following(params, last, place, caches)
            last = jnp.argmax(scores)
            return (last, caches), last

        shape = (CHARACTERS, HEADS, WIDTH // HEADS)
        caches = [(jnp.zeros(shape), jnp.zeros(shape)) for _ in range(BLOCKS)]
        begin = jnp.asarray(character, jnp.int32), caches
        return jax.lax.scan(step, begin, jnp.arange(CHARACTERS))[1]

    params = jax.tree.map(jnp.asarray, transformer_params(weights))
    return lambda: written(params, character).block_until_ready()


MAKERS = {
    "convolution": make_convolution,
    "convolution_gradient": make_convolution_gradient,
    "cnn": make_cnn,
    "lstm": make_lstm,
    "transformer": make_transformer,
    "generation": make_generation,
}
