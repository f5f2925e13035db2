"""What the exercises of excursion 08a give each experiment: small data, and different from case to case."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from utils.lesson_08.flaw_draws import SMALL, Data, one_arm, put_out, wave
from utils.lesson_08.flaws import equal_width


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
    """Return validation and held-out errors [2, 30] that nobody measured; some settings may be better than others."""
    level = rng.uniform(0.25, 0.45) + rng.choice([0.0, 0.05]) * rng.normal(size=(2, 30))
    validation, held_out = np.clip(level + 0.05 * rng.normal(size=(2, 2, 30)), 0, 1).round(4)
    return {"validation": validation, "held_out": held_out}


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
    "I": lambda rng: one_arm(rng, 60, 100, rng.uniform(0.2, 0.4)),
    "J": lambda rng: two_shapes(rng, 12, 24, 48),
    "K": table_of_rates,
    "N": lambda rng: with_rates(rng, SMALL),
}
