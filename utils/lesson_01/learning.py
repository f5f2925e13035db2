"""What training finds of what can be written down: four starts, three targets, four widths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import xarray as xr
from torch import nn

from utils.axes import over
from utils.lesson_01.curves import (
    CURVES,
    LARGEST,
    RATES,
    SQUARED,
    Curve,
    at_best_curve,
    built_errors,
    built_network,
    curve_scores,
    spread_network,
    train_on_curve,
)
from utils.models import mlp
from utils.types import Data

TARGET_NAMES = ("sin", "two sines", "sin, four times as wide")
LEARNING_WIDTHS = (10, 20, 40, 80)
LEARNING_RATES = (1e-5, 1e-4, *RATES)  # the same for every start; the written-down one wants small ones
LEARNING_STEPS = 10_000
START_NAMES = ("default", "spread", "steep tanh", "written down")


def builder(name: str, target: Curve, width: int) -> Callable[..., nn.Module]:
    """A builder, which takes generator=…, of one of START_NAMES."""
    builders = {
        "default": partial(mlp, [1, width, 1]),
        "spread": partial(spread_network, width),
        "steep tanh": partial(spread_network, width, "tanh", 10.0),
        "written down": partial(built_network, target, width),
    }
    return builders[name]


def measure_learning(seeds: Sequence[int]) -> Data:
    """What `curve_scores` has, by seed, start, target, width and rate."""
    options = {"lrs": LEARNING_RATES, "steps": LEARNING_STEPS}

    def errors(start: str, target: str, width: int) -> Data:
        build = builder(start, CURVES[target], width)
        return curve_scores(train_on_curve(target, width, seeds, build=build, **options))

    return over(errors, start=START_NAMES, target=TARGET_NAMES, width=LEARNING_WIDTHS)


# --- reading what was measured ----------------------------------------------------------------------------


def learned(data: Data, start: str, target: str, width: int, error: str = SQUARED) -> xr.DataArray:
    """The error after training from a start, by seed, at the best rate."""
    return at_best_curve(data.sel(start=start, target=target, width=width), error)


def built(name: str, width: int, error: str = SQUARED) -> float:
    """The same error of the network that is written down."""
    return built_errors(CURVES[name], width)[0 if error == LARGEST else 1]
