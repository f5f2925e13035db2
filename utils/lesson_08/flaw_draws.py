"""What the experiments of excursion 08a take: as they are met in the wild, and drawn anew for its exercises."""

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
RATES, SHORT = (0.003, 0.01, 0.03, 0.1, 0.3), (0.0003, 0.001, 0.003)
COARSE = (0.001, 0.01, 0.1, 1.0)
SEEDS = 10
SETTINGS, TOSSES = 40, 400  # of networks that toss coins
ROWS, INPUTS, CHOSEN = 50, 1000, 10
ARM, UNITS, NOISE = 200, 500, 0.8  # points of a spiral's arm, tanh units
CHAIN = {"width": 5, "layers": 30, "std": (2 / 5) ** 0.5, "networks": 200}  # He's weights


def seeds_of(rng: np.random.Generator, count: int = SEEDS) -> list[int]:
    """Return so many seeds."""
    return rng.integers(2**31, size=count).tolist()


# --- as they are met ----------------------------------------------------------------------------------------


def wild(name: str, rng: np.random.Generator) -> Data:
    """Return what the experiment of this name takes, as it is met; networks' errors are those of trained ones."""
    return _WILD[name](rng)


def on_few_sets(rng: np.random.Generator) -> Data:
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
    """Return validation and held-out errors [1 + settings] of networks that nothing could be taught."""
    validation, held_out = rng.binomial(TOSSES, 0.5, size=(2, 1 + SETTINGS)) / TOSSES
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
    "A": on_few_sets,
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
    "N": lambda rng: {"width": WIDTH, "narrow": equal_width(WIDTH), "rates": [*SHORT], "seeds": seeds_of(rng)},
}


# --- for the exercises: small, and different from case to case ----------------------------------------------


def drawn(name: str, rng: np.random.Generator) -> Data:
    """Return what the experiment of this name takes, small, and such that now the one side leads, now the other."""
    return _DRAWN[name](rng)


def table_of_sets(rng: np.random.Generator) -> Data:
    """Return errors [2, 6, 20] that nobody measured, in which a training set counts for much."""
    level = rng.uniform(0.15, 0.3, (2, 1, 1)) + 0.05 * rng.normal(size=(2, 6, 1))
    return {"errors": np.abs(level + 0.01 * rng.normal(size=(2, 6, 20))).round(4)}


def table_of_runs(rng: np.random.Generator) -> Data:
    """Return held-out errors that nobody measured, of some networks of one layer and of many of three."""
    counts, level = (5, 40), rng.uniform(0.15, 0.25) + rng.uniform(-0.04, 0.04, 2)
    one, three = (np.abs(at + 0.04 * rng.normal(size=count)).round(4) for at, count in zip(level, counts, strict=True))
    return {"one": one, "three": three}


def table_of_rates(rng: np.random.Generator) -> Data:
    """Return errors [2, 6 rates, 5 seeds] that nobody measured; each side has its best rate elsewhere."""
    best = rng.permutation([1, 2, 3, 4])[:2]
    level = rng.uniform(0.1, 0.2, 2)[:, None] + 0.04 * np.abs(np.arange(6) - best[:, None])
    shifted = level + rng.uniform(-0.02, 0.02, (2, 6))  # what is best on validation data is not always so on others
    noise = 0.02 * rng.normal(size=(2, 2, 6, 5))
    validation, held_out = (np.abs(one[..., None] + off) for one, off in zip((level, shifted), noise, strict=True))
    return {"validation": validation.round(4), "held_out": held_out.round(4)}


def table_of_settings(rng: np.random.Generator) -> Data:
    """Return validation and held-out errors [1 + 30] that nobody measured; some settings may be better than others."""
    level = rng.uniform(0.25, 0.45) + rng.choice([0.0, 0.05]) * rng.normal(size=31)
    validation, held_out = np.clip(level + 0.05 * rng.normal(size=(2, 31)), 0, 1).round(4)
    return {"validation": validation, "held_out": held_out}


def a_chain(rng: np.random.Generator) -> Data:
    """Return a chain of layers for which the limit holds in the mean, and not for most networks."""
    width = int(rng.integers(5, 10))
    std = round(float((rng.uniform(1.0, 1.4) * 2 / width) ** 0.5), 2)
    return {
        "width": width,
        "layers": int(rng.integers(6, 13)),
        "std": std,
        "networks": 200,
        "seed": int(rng.integers(10**6)),
    }


def a_width(rng: np.random.Generator, *widths: int) -> Data:
    """Return the width of one layer, and few seeds."""
    return {"width": int(rng.choice(widths)), "seeds": rng.integers(10**6, size=5).tolist()}


def two_shapes(rng: np.random.Generator, *widths: int) -> Data:
    """Return the width of one layer, that of three with about as many parameters, and few seeds."""
    data = a_width(rng, *widths)
    return {"width": data["width"], "narrow": equal_width(data["width"]), "seeds": data["seeds"]}


def with_rates(rng: np.random.Generator, rates: tuple[float, ...]) -> Data:
    """Return two shapes, few seeds and these rates."""
    data = two_shapes(rng, 16, 24, 32)
    return {"width": data["width"], "narrow": data["narrow"], "rates": [*rates], "seeds": data["seeds"]}


_DRAWN: dict[str, Callable[[np.random.Generator], Data]] = {
    "A": table_of_sets,
    "B": lambda rng: wave(rng, int(rng.integers(15, 31)), rng.uniform(2, 7), rng.uniform(0.1, 0.4)),
    "C": lambda rng: put_out(rng, int(rng.choice([200, 350, 500])), 25),
    "D": lambda rng: a_width(rng, 8, 12, 16, 48),
    "E": table_of_runs,
    "F": table_of_rates,
    "G": table_of_settings,
    "H": lambda rng: many_inputs(rng, 30, 90, 4, rng.choice([0.0, 0.7])),
    "I": lambda rng: one_arm(rng, 60, 100, rng.uniform(0.3, 0.45)),
    "J": lambda rng: two_shapes(rng, 12, 24, 48),
    "K": table_of_rates,
    "L": a_chain,
    "M": lambda rng: with_rates(rng, RATES),
    "N": lambda rng: with_rates(rng, SHORT),
}
