"""What training finds of what can be written down: four starts, three targets, four widths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from torch import nn
from tqdm.auto import tqdm

from utils.lesson_01.curves import (
    CURVES,
    LARGEST,
    RATES,
    SQUARED,
    Curve,
    at_best_rate,
    built_errors,
    built_network,
    curve_scores,
    spread_network,
    train_on_curve,
)
from utils.models import mlp
from utils.types import Array, Data

TARGET_NAMES = ("sin", "two sines", "sin, four times as wide")
LEARNING_WIDTHS = (10, 20, 40, 80)
LEARNING_RATES = (1e-5, 1e-4, *RATES)  # the same for every start; the written-down one wants small ones
LEARNING_STEPS = 10_000
START_NAMES = ("default", "spread", "steep tanh", "written down")


def start(name: str, target: Curve, width: int) -> Callable[..., nn.Module]:
    """A builder, which takes generator=…, of one of START_NAMES."""
    builders = {
        "default": partial(mlp, [1, width, 1]),
        "spread": partial(spread_network, width),
        "steep tanh": partial(spread_network, width, "tanh", 10.0),
        "written down": partial(built_network, target, width),
    }
    return builders[name]


def measure_learning(seeds: Sequence[int]) -> dict[str, Array]:
    """errors, [seeds, START_NAMES, TARGET_NAMES, LEARNING_WIDTHS, rates, 3] as in `curve_scores`."""
    triples = [(one, name, width) for one in START_NAMES for name in TARGET_NAMES for width in LEARNING_WIDTHS]
    scores = []
    for one, name, width in tqdm(triples, leave=False):
        build = start(one, CURVES[name], width)
        options = {"lrs": LEARNING_RATES, "steps": LEARNING_STEPS}
        scores.append(curve_scores(train_on_curve(name, width, seeds, build=build, **options)))
    grid = np.stack(scores, axis=1)
    return {
        "errors": grid.reshape(len(grid), len(START_NAMES), len(TARGET_NAMES), len(LEARNING_WIDTHS), *grid.shape[2:])
    }


# --- reading what was measured ----------------------------------------------------------------------------


def learned(data: Data, start: str, name: str, width: int, error: int = SQUARED) -> Array:
    """The error after training from a start, [seeds], at the best rate."""
    place = START_NAMES.index(start), TARGET_NAMES.index(name), LEARNING_WIDTHS.index(width)
    return at_best_rate(data["errors"][:, *place], larger_is_better=False, part=0)[:, error]


def built(name: str, width: int, error: int = SQUARED) -> float:
    """The same error of the network that is written down."""
    return built_errors(CURVES[name], width)[0 if error == LARGEST else 1]
