"""The claims of lesson 02 on the diagonal flip."""

from __future__ import annotations

from collections.abc import Callable

import xarray as xr

from utils.axes import over
from utils.claims.definition import Claim, Experiment
from utils.lesson_02.flip import (
    ACTIVATIONS,
    LEVEL,
    NARROW,
    PLACES,
    RATES,
    WIDTHS,
    at_best,
    flip_floor,
    flipped,
    measure_narrow,
    measure_not_narrow,
    measure_widths,
    narrowed,
)
from utils.types import Data

WIDTH = Experiment(
    "02_flip_widths", measure_widths, {"activation": ACTIVATIONS, "width": WIDTHS, "rate": RATES},
    seeds=100, minutes=1, chunk=25,
)  # fmt: skip
NARROWED = Experiment(
    "02_flip_narrow", measure_narrow, {"activation": ACTIVATIONS, "place": PLACES, "width": NARROW, "rate": RATES},
    seeds=100, minutes=3, chunk=25,
)  # fmt: skip
NOT_NARROW = Experiment("02_flip_wide", measure_not_narrow, {"rate": RATES}, seeds=100, minutes=0.2, chunk=25)
NEAR = 0.1 * LEVEL  # within this an error counts as on a level
GREY_CONSTANT = 1 / 24  # half of the variance of a shade of grey: half-MSE of the best constant on grey images


def reaches_floor(data: Data, activation: str, width: int) -> xr.DataArray:
    """By seed, whether training came down to the floor of this width."""
    return (flipped(data, activation, width) - flip_floor(width) < NEAR).astype(float)


def on_level_of_alive(data: Data, width: int) -> xr.DataArray:
    """By seed, whether ReLU training ended on the floor of as many units as are not constant."""
    alive = width - flipped(data, "relu", width, "dead")
    floors = alive.copy(data=[flip_floor(int(units)) for units in alive])
    return (abs(flipped(data, "relu", width) - floors) < NEAR).astype(float)


def at_all(so: Callable[[int], xr.DataArray], *widths: int) -> xr.DataArray:
    """By seed, whether so(width) is 1 at all of these widths."""
    return over(so, width=widths).min("width")


CLAIMS = [
    Claim("02.flip-linear", WIDTH, "Without an activation the flip's error comes down to the rank floor of its width.",
          lambda data: at_all(lambda width: reaches_floor(data, "identity", width), 2, 3, 4),
          "starts that come within 0.1/32 of the floor with two, three and four units", low=0.9, statistic="share"),
    Claim("02.flip-relu-three", WIDTH, "With three ReLU units many starts end above the floor.",
          lambda data: 1 - reaches_floor(data, "relu", 3),
          "starts that end more than 0.1/32 above the floor", low=0.1, statistic="share"),
    Claim("02.flip-relu-four", WIDTH, "Four ReLU units could flip without error, and many starts do not get there.",
          lambda data: 1 - reaches_floor(data, "relu", 4),
          "starts that end more than 0.1/32 above 0", low=0.1, statistic="share"),
    Claim("02.flip-alive", WIDTH, "ReLU training ends on the floor of the units that are left alive.",
          lambda data: at_all(lambda width: on_level_of_alive(data, width), 2, 3, 4),
          "starts that end within 0.1/32 of the floor for the units not constant, of two, of three and of four",
          low=0.8, statistic="share"),
    Claim("02.flip-leaky", WIDTH, "With a leak, which keeps units alive, two, three and four units reach their floors.",
          lambda data: at_all(lambda width: reaches_floor(data, "leaky_relu", width), 2, 3, 4),
          "starts that come within 0.1/32 of the floor with two, three and four units", low=0.8, statistic="share"),
    Claim("02.flip-spare", WIDTH, "Sixteen ReLU units have units to spare: they learn the flip.",
          lambda data: flipped(data, "relu", 16) / LEVEL, "half-MSE in units of 1/32", high=0.05),
    Claim("02.flip-grey-wide", WIDTH, "Sixteen ReLU units, trained on the sixteen images, flip grey ones as well.",
          lambda data: flipped(data, "relu", 16, "grey") / GREY_CONSTANT,
          "half-MSE on grey images over the best constant's", high=0.1),
    Claim("02.flip-middle-linear", NARROWED,
          "Without activations two units in the middle cost what they cost at the end.",
          lambda data: (narrowed(data, "identity", "middle", 2) - flip_floor(2)) / LEVEL,
          "half-MSE of 16, 2, 16 units minus the floor 2/32, in units of 1/32", low=-0.1, high=0.1),
    Claim("02.flip-middle", NARROWED, "A single leaky unit in the middle gets far below the floor of a last layer.",
          lambda data: narrowed(data, "leaky_relu", "middle", 1) / flip_floor(1),
          "half-MSE of 16, 1, 16 leaky units over 3/32", high=0.5),
    Claim("02.flip-middle-two", NARROWED, "Through two leaky units in the middle most starts learn the flip.",
          lambda data: (narrowed(data, "leaky_relu", "middle", 2) < NEAR).astype(float),
          "starts with half-MSE below 0.1/32, 16, 2, 16 leaky units", low=0.5, statistic="share"),
    Claim("02.flip-middle-not-zero", NARROWED,
          "Zero is possible with one unit in the middle, and training hardly ever finds it.",
          lambda data: (narrowed(data, "leaky_relu", "middle", 1) < NEAR).astype(float),
          "starts with half-MSE below 0.1/32, 16, 1, 16 leaky units", high=0.1, statistic="share"),
    Claim("02.flip-middle-dies", NARROWED, "With a lone ReLU in the middle some starts end as a constant.",
          lambda data: (narrowed(data, "relu", "middle", 1) > flip_floor(0) - NEAR).astype(float),
          "starts with half-MSE above 3.9/32, 16, 1, 16 ReLU units", low=0.05, statistic="share"),
    Claim("02.flip-code", NARROWED, "What two leaky units in the middle have learned does not flip grey images.",
          lambda data: narrowed(data, "leaky_relu", "middle", 2, "grey") / GREY_CONSTANT,
          "half-MSE of 16, 2, 16 leaky units on grey images over the best constant's", low=1),
    Claim("02.flip-not-narrow", NOT_NARROW, "With sixteen units in the middle instead, the same network does.",
          lambda data: at_best(data, "grey") / GREY_CONSTANT,
          "half-MSE of 16, 16, 16 leaky units on grey images over the best constant's", high=0.2),
]  # fmt: skip
