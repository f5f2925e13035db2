"""The claims of lesson 02 on the diagonal flip."""

from __future__ import annotations

from collections.abc import Callable

import xarray as xr

from utils.axes import over
from utils.claims.definition import Claim, Experiment
from utils.lesson_02 import flip
from utils.lesson_02.flip import LEVEL, NEAR, SPEED_STEPS, flip_floor, flipped, narrowed, quickest
from utils.types import Data

WIDTH = Experiment(
    "02_flip_widths", flip.measure_widths, {"activation": flip.ACTIVATIONS, "width": flip.WIDTHS, "rate": flip.RATES},
    seeds=100, minutes=1, chunk=25,
)
NARROWED = Experiment(
    "02_flip_narrow", flip.measure_narrow,
    {"activation": flip.ACTIVATIONS, "place": flip.PLACES, "width": flip.NARROW, "rate": flip.RATES},
    seeds=100, minutes=3, chunk=25,
)
SPEED = Experiment(
    "02_flip_speed", flip.measure_speed, {"init": flip.INITS, "shape": flip.SHAPES, "rate": flip.SPEED_RATES},
    seeds=100, minutes=1, chunk=25,
)
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
          "networks that come within 0.1/32 of the floor with two, three and four units", low=0.9, statistic="share"),
    Claim("02.flip-alive", WIDTH, "ReLU training ends on the floor of the units that are left alive.",
          lambda data: at_all(lambda width: on_level_of_alive(data, width), 2, 3, 4),
          "networks that end within 0.1/32 of the floor for the units not constant, of two, of three and of four",
          low=0.8, statistic="share"),
    Claim("02.flip-spare", WIDTH, "Sixteen ReLU units have units to spare: they learn the flip.",
          lambda data: flipped(data, "relu", 16) / LEVEL, "half-MSE in units of 1/32", high=0.05),
    Claim("02.flip-grey-wide", WIDTH, "Sixteen ReLU units, trained on the sixteen images, flip grey ones as well.",
          lambda data: flipped(data, "relu", 16, "grey") / GREY_CONSTANT,
          "half-MSE on grey images over the best constant's", high=0.1),
    Claim("02.flip-two-slower", SPEED, "Two layers of 8 take more steps to learn the flip than one layer of 16.",
          lambda data: quickest(data, "PyTorch's", "two layers of 8") / quickest(data, "PyTorch's", "one layer of 16"),
          "steps until the half-MSE is below 0.1/32, two layers of 8 over one of 16", low=1.5),
    Claim("02.flip-two-slower-he", SPEED, "From He's initialisation they do so, too.",
          lambda data: quickest(data, "He's", "two layers of 8") / quickest(data, "He's", "one layer of 16"),
          "steps until the half-MSE is below 0.1/32, two layers of 8 over one of 16", low=1.5),
    Claim("02.flip-two-narrow", SPEED, "Few networks with two layers of 4 learn the flip.",
          lambda data: (quickest(data, "PyTorch's", "two layers of 4") < SPEED_STEPS).astype(float),
          "networks whose half-MSE comes below 0.1/32 within the steps, two layers of 4",
          high=0.3, statistic="share"),
    Claim("02.flip-middle", NARROWED, "A single leaky unit in the middle gets far below the floor of a last layer.",
          lambda data: narrowed(data, "leaky_relu", "middle", 1) / flip_floor(1),
          "half-MSE of 16, 1, 16 leaky units over 3/32", high=0.5),
    Claim("02.flip-middle-not-zero", NARROWED,
          "Zero is possible with one unit in the middle, and training hardly ever finds it.",
          lambda data: (narrowed(data, "leaky_relu", "middle", 1) < NEAR).astype(float),
          "networks with half-MSE below 0.1/32, 16, 1, 16 leaky units", high=0.1, statistic="share"),
    Claim("02.flip-code", NARROWED, "What two leaky units in the middle have learned does not flip grey images.",
          lambda data: narrowed(data, "leaky_relu", "middle", 2, "grey") / GREY_CONSTANT,
          "half-MSE of 16, 2, 16 leaky units on grey images over the best constant's", low=1),
]
