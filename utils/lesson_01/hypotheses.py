"""The theorem with one hypothesis switched off: what is trained on what, and the proved floors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import xarray as xr
from torch import nn

from utils.claims import experiment
from utils.comparison import VALIDATION, Sweep
from utils.lesson_01 import curves
from utils.lesson_01.curves import CURVES, SQUARED, Curve, at_best_curve, curve_scores
from utils.models import mlp
from utils.types import Data


@dataclass(frozen=True)
class Switch:
    """A hypothesis of the theorem switched off, or none: what is trained on what, and the proved floors.

    squared, largest: no network of this kind, however wide, has a smaller error, by a proof in the lesson. 0 where
    there is no floor. beyond: how many times as wide as the interval of training the set is that counts.
    """

    curve: str
    activation: str = "relu"
    bias: bool = True
    squared: float = 0.0
    largest: float = 0.0
    beyond: float = 1.0


def quadratic_floor(target: Curve) -> float:
    """Return the smallest mean squared error on the interval that any polynomial of degree 2 has (a projection)."""
    return curves.least_squares_error(np.polynomial.legendre.legvander(curves.U, 2), target)


SWITCHES = {
    "all hypotheses hold": Switch("sin"),
    "polynomial activation": Switch("sin", "square", squared=quadratic_floor(CURVES["sin"])),
    "no bias": Switch("square", "tanh", bias=False, squared=1 / 5, largest=1.0),
    "no bias, repaired": Switch("square", "tanh"),
    "target not continuous": Switch("step", largest=0.5),
    "set not bounded": Switch("sin", beyond=2.0),
}
SWITCH_WIDTHS = (4, 16)


def train_switch(switch: Switch, width: int, seeds: Sequence[int], **options: object) -> Sweep:
    """Train as `train_on_curve` does for one of SWITCHES, 1,500 steps unless told otherwise."""
    build = partial(mlp, [1, width, 1], switch.activation, bias=switch.bias)
    options = {"steps": 1500, "build": build, "beyond": switch.beyond, **options}
    return curves.train_on_curve(switch.curve, width, seeds, **options)


@experiment("01_switches", switch=SWITCHES, width=SWITCH_WIDTHS, within={"rate": curves.RATES})
def switched(seeds: Sequence[int], switch: str, width: int) -> Data:
    """Return `curve_scores` of networks with one of SWITCHES."""
    return curve_scores(train_switch(SWITCHES[switch], width, seeds))


def examples() -> dict[str, tuple[str, dict[str, nn.Module]]]:
    """Return for each hypothesis that is switched off the curve, and the best of ten networks that were not tuned.

    The curve of the polynomial activation is the cosine: the best parabola for the sine is a straight line.
    """
    panels = {}
    for name in ("polynomial activation", "no bias", "target not continuous", "set not bounded"):
        switch = replace(SWITCHES[name], curve="cos") if name == "polynomial activation" else SWITCHES[name]
        swept = train_switch(switch, SWITCH_WIDTHS[-1], range(10), lrs=[0.1])
        errors = curve_scores(swept).sel(rate=0.1)
        panels[name] = switch.curve, {"network": swept.model(errors[VALIDATION].idxmin())}
    return panels


def switch(data: Data, name: str, error: str = SQUARED) -> xr.DataArray:
    """Return the error of the widest networks with one of SWITCHES, by seed, at the best rate."""
    return at_best_curve(data.sel(switch=name, width=SWITCH_WIDTHS[-1]), error)


def above_floor(data: Data, name: str) -> xr.DataArray:
    """Return by what share of it the widest networks' squared error exceeds the smallest that is possible."""
    return switch(data, name) / SWITCHES[name].squared - 1
