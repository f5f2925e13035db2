"""What the experiments of excursion 08a take, as they are met in the wild; its exercises draw their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from utils.comparison import score
from utils.data import checkerboard, split
from utils.lesson_08.flaws import POINTS, RATE, STEPS, equal_width, errors, learned
from utils.models import mlp
from utils.training import train_ensemble

Data = dict[str, Any]
WIDTH, LARGER = 24, 48  # of one hidden layer; three layers of about as many parameters have 6 units each, or 9
RATES, SMALL = (0.003, 0.01, 0.03, 0.1, 0.3), (0.0003, 0.001, 0.003)
COARSE = (0.001, 0.01, 0.1, 1.0)
SEEDS = 10
SETTINGS, TOSSES = 40, 400  # of networks that toss coins
ROWS, INPUTS, CHOSEN = 50, 1000, 10
ARM, UNITS, NOISE = 100, 200, 0.3  # points of a spiral's arm, tanh units
CHAIN = {"width": 5, "layers": 30, "std": (2 / 5) ** 0.5, "networks": 200}  # He's weights


def seeds_of(rng: np.random.Generator, count: int = SEEDS) -> list[int]:
    """Return so many seeds."""
    return rng.integers(2**31, size=count).tolist()


# --- as they are met ----------------------------------------------------------------------------------------


def wild(name: str, rng: np.random.Generator) -> Data:
    """Return what the experiment of this name takes, as it is met; networks' errors are those of trained ones."""
    return _WILD[name](rng)


def on_sets(rng: np.random.Generator) -> Data:
    """Return errors [2, 6 training sets, 5 networks] of one layer and of three, on the board."""
    sets, found = seeds_of(rng, 6), []
    for hidden in ([LARGER], [equal_width(LARGER)] * 3):
        for seed in sets:
            generator = torch.Generator().manual_seed(seed)
            (X, y), _, unseen = split(checkerboard, *POINTS, generator=generator)
            models = [mlp([2, *hidden, 2], init="he", generator=generator) for _ in range(5)]
            train_ensemble(models, X, y, epochs=STEPS, lr=RATE, progress=False)
            found.append([1 - score(model, *unseen) for model in models])
    return {"errors": np.array(found).reshape(2, 6, 5)}


def wave(rng: np.random.Generator, count: int = 20, waves: float = 3.0, noise: float = 0.3) -> Data:
    """Return noisy points of a sine wave, to fit and held out."""
    x = rng.uniform(-1, 1, count)
    x_new = rng.uniform(x.min(), x.max(), 200)
    y, y_new = (np.sin(waves * one) + noise * rng.normal(size=len(one)) for one in (x, x_new))
    return {"x": x, "y": y, "x_new": x_new, "y_new": y_new}


def put_out(rng: np.random.Generator, later: int = 1000, count: int = 100) -> Data:
    """Return held-out outputs [2, points, 2] and labels of five networks for a board of 2×2, at 100 steps and later."""
    seeds, found = seeds_of(rng, 5), []
    for steps in (100, later):
        models, parts = learned([16, 16, 16], seeds, lr=0.01, steps=steps, frequency=1)
        with torch.no_grad():
            rows = [model(X[:count]) for model, (_, _, (X, _)) in zip(models, parts, strict=True)]
        found.append(torch.cat(rows).double().numpy())
    return {"outputs": np.array(found), "labels": np.concatenate([y[:count].numpy() for *_, (_, y) in parts])}


def runs(rng: np.random.Generator) -> Data:
    """Return held-out errors of a few networks of one layer, and of ten times as many of three."""
    hidden = [LARGER], [equal_width(LARGER)] * 3
    one, three = (errors(shape, seeds_of(rng, count))[1] for shape, count in zip(hidden, (4, 40), strict=True))
    return {"one": one, "three": three}


def by_rate(rng: np.random.Generator, width: int = WIDTH, rates: Sequence[float] = RATES) -> Data:
    """Return validation and held-out errors [2, rates, seeds] of one layer and of three."""
    seeds = seeds_of(rng)
    found = [[errors(hidden, seeds, lr=lr) for lr in rates] for hidden in ([width], [equal_width(width)] * 3)]
    validation, held_out = np.moveaxis(np.array(found), 2, 0)
    return {"validation": validation, "held_out": held_out}


def on_settings(rng: np.random.Generator) -> Data:
    """Return validation and held-out errors [2, settings] of networks that nothing could be taught."""
    validation, held_out = rng.binomial(TOSSES, 0.5, size=(2, 2, SETTINGS)) / TOSSES
    return {"validation": validation, "held_out": held_out}


def many_inputs(
    rng: np.random.Generator, rows: int = ROWS, inputs: int = INPUTS, count: int = CHOSEN, signal: float = 0.0
) -> Data:
    """Return normal inputs and labels -1 and 1, of which three inputs know something where there is a ``signal``."""
    y = np.repeat([-1.0, 1.0], rows // 2)[rng.permutation(rows)]
    X = rng.normal(size=(rows, inputs))
    X[:, rng.permutation(inputs)[:3]] += signal * y[:, None]
    return {"X": X, "y": y, "count": count}


def one_arm(rng: np.random.Generator, count: int = ARM, units: int = UNITS, noise: float = NOISE) -> Data:
    """Return noisy points of one arm of a spiral, a random tanh layer, and which of twice as many points are held."""
    angle = 2 * np.pi * rng.random(count)
    arm = (0.3 + 0.27 * angle) * np.array([np.cos(angle), np.sin(angle)])
    held = rng.permutation(2 * count) < 0.6 * count  # three tenths
    return {
        "arm": arm.T + noise * rng.normal(size=(count, 2)),
        "W": 2 * rng.normal(size=(2, units)),
        "b": 2 * rng.normal(size=units),
        "held": held,
    }


_WILD: dict[str, Callable[[np.random.Generator], Data]] = {
    "A": on_sets,
    "B": wave,
    "C": put_out,
    "D": lambda rng: {"width": 12, "seeds": seeds_of(rng)},
    "E": runs,
    "F": by_rate,
    "G": on_settings,
    "H": many_inputs,
    "I": one_arm,
    "J": lambda rng: {"width": WIDTH, "narrow": equal_width(WIDTH), "seeds": seeds_of(rng)},
    "K": lambda rng: by_rate(rng, 64, COARSE),
    "L": lambda rng: {**CHAIN, "seed": seeds_of(rng, 1)[0]},
    "M": lambda rng: {"width": 100, "narrow": equal_width(100), "rates": [*RATES], "seeds": seeds_of(rng)},
    "N": lambda rng: {"width": WIDTH, "narrow": equal_width(WIDTH), "rates": [*SMALL], "seeds": seeds_of(rng)},
}
