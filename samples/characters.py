"""A small transformer learns to write like Python's documentation, character by character.

    python samples/characters.py                 train for about a minute on two cores, then write
    python samples/characters.py --steps 20      briefly
    python samples/characters.py --bits 8 4      also read with weights of so many bits
    python samples/characters.py --show          also print the converted source of the writing

The text is the help that comes with Python, `pydoc_data.topics`. Writing is one compiled loop: it
keeps the keys and values of the steps before in a cache, and ends at the first empty line.
"""

from __future__ import annotations

import argparse
import pydoc_data.topics
import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import autograph as ag
import ops
from autograph import nn, optim, train

LENGTH = 64  # characters that are seen at once
ALPHABET = "\n" + "".join(map(chr, range(32, 127)))  # what is printed of ASCII


@dataclass
class Writer:
    """Scores of the next character, for each character of a text."""

    table: nn.Embedding
    blocks: list[nn.TransformerBlock]
    norm: nn.RMSNorm

    @classmethod
    def make(cls, key: Any, width: int = 64, blocks: int = 2, heads: int = 4) -> Writer:
        first, *others = ops.random.split(key, 1 + blocks)
        options = {"base": 1000.0, "bias": False, "norm": nn.RMSNorm}
        return cls(
            nn.Embedding.make(first, len(ALPHABET), width),
            [nn.TransformerBlock.make(k, width, heads, **options) for k in others],
            nn.RMSNorm.make(width),
        )

    def __call__(self, text: Any) -> Any:
        """``(..., length)`` ids to ``(..., length, ids)`` scores."""
        x = self.table(text)
        for block in self.blocks:
            x = block(x, causal=True)
        return self.table.attend(self.norm(x))

    def following(self, character: Any, caches: list[nn.Cache]) -> tuple[Any, list[nn.Cache]]:
        """The scores of what follows one character, and the caches with it."""
        x, after = self.table(character)[None], []
        for block, cache in zip(self.blocks, caches):
            x, cache = block(x, cache=cache)
            after.append(cache)
        return self.table.attend(self.norm(x))[0], after


def written(model: Writer, key: Any, prompt: Any, most: int, warmth: float) -> tuple[Any, int]:
    """What the model writes after a prompt, until it writes two line ends, or ``most`` characters.

    Returns:
        ``(most,)`` ids, of which the first are what is written, and how many they are.
    """
    capacity = len(prompt) + most
    caches = [block.attention.cache((), capacity) for block in model.blocks]
    scores = np.zeros(len(ALPHABET), np.float32)
    for character in prompt:
        scores, caches = model.following(character, caches)
    text, count, last = np.zeros(most, np.int64), 0, 1
    while count < most:
        key, own = ops.random.split(key)
        character = ops.random.categorical(own, scores / warmth)
        text[count] = character
        count += 1
        if character == 0 and last == 0:
            break
        last = character
        scores, caches = model.following(character, caches)
    return text, count


class State(NamedTuple):
    """All that changes in training."""

    model: Writer
    moments: Any


def loss(model: Writer, text: Any) -> Any:
    """The mean cross-entropy of each character after those before it, in nats."""
    scores = model(text[:, :-1])
    return ops.nn.cross_entropy(np.reshape(scores, (-1, len(ALPHABET))), np.ravel(text[:, 1:]))


def guessed(model: Any, text: Any) -> float:
    """The share of the characters, each after those before it, that get the highest score."""
    scores = model(text[:, :-1])
    return float(np.mean(np.argmax(scores, axis=-1) == text[:, 1:]))


def optimiser(steps: int) -> optim.GradientTransformation:
    rate = optim.warmup_cosine_decay_schedule(0.0, 4e-3, steps // 20, steps)
    return optim.chain(optim.clip_by_global_norm(1.0), optim.adamw(rate))


def ids(text: str) -> np.ndarray:
    """The characters as numbers; others than those of the alphabet are left out."""
    places = {character: i for i, character in enumerate(ALPHABET)}
    return np.array([places[character] for character in text if character in places])


def windows(text: np.ndarray) -> np.ndarray:
    """Pieces of a text, ``(pieces, LENGTH + 1)``, that overlap by half."""
    return np.lib.stride_tricks.sliding_window_view(text, LENGTH + 1)[:: LENGTH // 2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=800)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--characters", type=int, default=400)
    parser.add_argument("--bits", type=int, nargs="*", default=())
    parser.add_argument("--show", action="store_true", help="print the converted source")
    options = parser.parse_args()

    paragraphs = "\n\n".join(pydoc_data.topics.topics.values()).split("\n\n")
    text = ids("\n\n".join(dict.fromkeys(paragraphs)))  # many are in several topics
    held_out = windows(text[-len(text) // 20 :])
    batches = train.Batches(windows(text[: -len(text) // 20]), 16, seed=options.seed, prefetch=2)
    rule = optimiser(options.steps)

    @ag.to_graph
    def step(state: State, batch: Any) -> tuple[State, dict[str, Any]]:
        value, slope = ag.value_and_grad(loss)(state.model, batch)
        updates, moments = rule.update(slope, state.moments, state.model)
        return State(optim.apply_updates(state.model, updates), moments), {"loss": value}

    first, second = ops.random.split(ops.random.key(options.seed))
    model = Writer.make(first)
    state = State(model, rule.init(model))
    start, done = time.perf_counter(), 0
    while done < options.steps:
        for batch in batches:
            state, metrics = step(state, batch)
            done += 1
            if done % 100 == 0:
                print(f"step {done}: loss {float(metrics['loss']):.3f}")
            if done == options.steps:
                break
    seconds = time.perf_counter() - start
    score = float(ag.to_graph(loss)(state.model, held_out[:64]))
    print(f"{done} steps in {seconds:.1f} s, {seconds / done * 1e3:.1f} ms a step")
    print(f"loss on text that was held out: {score:.3f} nats a character")
    print(f"guessed: {guessed(ag.to_graph(state.model), held_out):.2%}")
    for bits in options.bits:
        coarse = ag.quantize(state.model, [batch], weights=bits, group=32 if bits < 8 else None)
        print(f"with weights of {bits} bits: {guessed(coarse, held_out):.2%}")

    write = ag.to_graph(written)
    if options.show:
        print(write.converted)
    found, count = write(state.model, second, ids("The "), options.characters, 0.6)
    start = time.perf_counter()
    found, count = write(state.model, second, ids("The "), options.characters, 0.6)
    seconds = time.perf_counter() - start
    print(f"{count} characters in {seconds * 1e3:.0f} ms:\n")
    print("The " + "".join(ALPHABET[i] for i in found[:count]))


if __name__ == "__main__":
    main()
