"""The claims of lesson 02, depth versus width, in the order of the lesson."""

from __future__ import annotations

from collections.abc import Callable

import xarray as xr

from utils.axes import over
from utils.claims import Claim
from utils.lesson_02 import cost, digits, fair, sawtooth
from utils.lesson_02.fair import LED, gap, spiral, spirals_fought
from utils.lesson_02.flip import LEVEL, NEAR, flip_floor, flipped, narrow, narrowed, slower, speed, widths
from utils.lesson_02.sawtooth import AS_WIDE, NARROW, WIDE, missed
from utils.types import Data

WHOLE_BOARD = {"task": list(fair.CHOSEN)[1], "start": fair.PYTORCH_START, "tuning": fair.BEST_OF_SIX["tuning"]}
GREY_CONSTANT = 1 / 24  # half of the variance of a shade of grey: half-MSE of the best constant on grey images


def reaches_floor(data: Data, activation: str, width: int) -> xr.DataArray:
    """Return by seed, whether training came down to the floor of this width."""
    return (flipped(data, activation, width) - flip_floor(width) < NEAR).astype(float)


def on_level_of_alive(data: Data, width: int) -> xr.DataArray:
    """Return by seed, whether ReLU training ended on the floor of as many units as are not constant."""
    alive = width - flipped(data, "relu", width, "dead")
    floors = alive.copy(data=[flip_floor(int(units)) for units in alive])
    return (abs(flipped(data, "relu", width) - floors) < NEAR).astype(float)


def ahead_later(data: Data, task: str, depth: int) -> xr.DataArray:
    """Return by seed how far so many layers lead one on a task, each at its best rate, after ten times the steps."""
    return fair.longer.best(data, task=task, depth=depth) - fair.longer.best(data, task=task, depth=1)


def at_all(so: Callable[[int], xr.DataArray], *units: int) -> xr.DataArray:
    """Return by seed, whether so(width) is 1 at all of these widths."""
    return over(so, width=units).min("width")


CLAIMS = [
    Claim(
        "02.flip-linear",
        widths,
        "Without an activation the flip's error comes down to the rank floor of its width.",
        lambda data: at_all(lambda width: reaches_floor(data, "identity", width), 2, 3, 4),
        "networks that come within 0.1/32 of the floor with two, three and four units",
        low=0.9,
        statistic="share",
        range_set="before",
    ),
    Claim(
        "02.flip-alive",
        widths,
        "ReLU training ends on the floor of the units that are left alive.",
        lambda data: at_all(lambda width: on_level_of_alive(data, width), 2, 3, 4),
        "networks that end within 0.1/32 of the floor for the units not constant, of two, of three and of four",
        low=0.8,
        statistic="share",
        range_set="before",
    ),
    Claim(
        "02.flip-spare",
        widths,
        "Sixteen ReLU units have units to spare: they learn the flip.",
        lambda data: flipped(data, "relu", 16) / LEVEL,
        "half-MSE in units of 1/32",
        high=0.05,
        range_set="before",
    ),
    Claim(
        "02.flip-grey-wide",
        widths,
        "Sixteen ReLU units, trained on the sixteen images, flip grey ones as well.",
        lambda data: flipped(data, "relu", 16, "grey") / GREY_CONSTANT,
        "half-MSE on grey images over the best constant's",
        high=0.1,
        tried="With two units in the middle it fails on the same images (02.flip-code).",
        range_set="before",
    ),
    Claim(
        "02.flip-two-slower",
        speed,
        "Two layers of 8 take more steps to learn the flip than one layer of 16.",
        lambda data: slower(data, "two layers of 8", "one layer of 16"),
        "steps until the half-MSE is below 0.1/32, two layers of 8 over one of 16",
        low=1.5,
        tried="As wide as each other: 02.flip-as-wide, and half as wide in one layer: 02.flip-half-wide. From He's "
        "initialisation: 02.flip-two-slower-he, 02.flip-as-wide-he, 02.flip-half-wide-he.",
        range_set="after",
    ),
    Claim(
        "02.flip-two-slower-he",
        speed,
        "From He's initialisation they do so, too.",
        lambda data: slower(data, "two layers of 8", "one layer of 16", "He's"),
        "steps until the half-MSE is below 0.1/32, two layers of 8 over one of 16, He's initialisation",
        low=1.5,
        tried="As wide as each other: 02.flip-as-wide-he, and half as wide in one layer: 02.flip-half-wide-he.",
        range_set="after",
    ),
    *(
        Claim(
            f"02.flip-half-wide{end}",
            speed,
            f"One layer of 8 takes more steps than one of 16{words}.",
            lambda data, init=init: slower(data, "one layer of 8", "one layer of 16", init),
            f"steps until the half-MSE is below 0.1/32, one layer of 8 over one of 16{words}",
            low=1.1,
            tried=f"Its mirror is the number of layers at equal width: 02.flip-as-wide{end}.",
            range_set="before",
        )
        for end, init, words in (("", "PyTorch's", ""), ("-he", "He's", ", He's initialisation"))
    ),
    *(
        Claim(
            f"02.flip-as-wide{end}",
            speed,
            f"Two layers of 16 take at most 1.4 times the steps of one of 16{words}.",
            lambda data, init=init: slower(data, "two layers of 16", "one layer of 16", init),
            f"steps until the half-MSE is below 0.1/32, two layers of 16 over one of 16{words}",
            low=0.7,
            high=1.4,
            range_set="before",
        )
        for end, init, words in (("", "PyTorch's", ""), ("-he", "He's", ", He's initialisation"))
    ),
    Claim(
        "02.flip-middle",
        narrow,
        "A single leaky unit in the middle gets far below the floor of a last layer.",
        lambda data: narrowed(data, "leaky_relu", "middle", 1) / flip_floor(1),
        "half-MSE of 16, 1, 16 leaky units over 3/32",
        high=0.5,
        tried="It does not reach zero, which is possible (02.flip-middle-not-zero).",
        range_set="before",
    ),
    Claim(
        "02.flip-middle-not-zero",
        narrow,
        "Zero is possible with one unit in the middle, and training hardly ever finds it.",
        lambda data: (narrowed(data, "leaky_relu", "middle", 1) < NEAR).astype(float),
        "networks with half-MSE below 0.1/32, 16, 1, 16 leaky units",
        high=0.1,
        statistic="share",
        range_set="before",
    ),
    Claim(
        "02.flip-code",
        narrow,
        "What two leaky units in the middle have learned does not flip grey images.",
        lambda data: narrowed(data, "leaky_relu", "middle", 2, "grey") / GREY_CONSTANT,
        "half-MSE of 16, 2, 16 leaky units on grey images over the best constant's",
        low=1,
        tried="With sixteen units in one layer grey images are flipped (02.flip-grey-wide).",
        range_set="before",
    ),
    Claim(
        "02.spirals-five",
        spirals_fought,
        "With about 1,040 parameters five hidden layers do on the spirals what one does.",
        lambda data: spiral(data, 5) - spiral(data, 1),
        "held-out accuracy, five layers of 15 minus one of 207",
        low=-0.01,
        high=0.01,
        tried="One layer is nearly as good as any classifier can be: 02.spirals-ceiling.",
        range_set="before",
    ),
    Claim(
        "02.spirals-ceiling",
        spirals_fought,
        "There one hidden layer is nearly as good as any classifier can be.",
        lambda data: fair.spiral_bayes_accuracy() - spiral(data, 1),
        "held-out accuracy of the best of all classifiers minus that of one layer of 207",
        high=0.01,
        tried="Nothing can beat the best of all classifiers, whose accuracy is computed, not trained.",
        range_set="before",
    ),
    Claim(
        "02.spirals-untuned",
        spirals_fought,
        "At the rate 0.001 for everybody it looks there as if depth mattered.",
        lambda data: spiral(data, 3, rate=0.001) - spiral(data, 1, rate=0.001),
        "held-out accuracy at the rate 0.001, three layers of 21 minus one of 207",
        low=0.05,
        tried="With the best of six rates for each, the lead is gone (02.spirals-five, for five layers).",
        range_set="before",
    ),
    Claim(
        "02.spirals-small",
        spirals_fought,
        "With about 150 parameters one wide layer beats five narrow ones.",
        lambda data: spiral(data, 1, fair.SPIRAL_BUDGETS[0]) - spiral(data, 5, fair.SPIRAL_BUDGETS[0]),
        "held-out accuracy, one layer of 30 minus five of 5",
        low=0.03,
        tried="Ten times the steps leave less of it (02.spirals-small-longer), three layers of 7 nothing "
        "(02.spirals-small-three).",
        range_set="before",
    ),
    Claim(
        "02.spirals-small-longer",
        fair.spirals_longer,
        "After ten times the steps it still does, if by less.",
        lambda data: fair.spirals_longer.best(data, depth=1) - fair.spirals_longer.best(data, depth=5),
        "held-out accuracy after 20,000 steps, one layer of 30 minus five of 5",
        low=0,
        tried="This is the longer training of 02.spirals-small.",
        range_set="after",
    ),
    Claim(
        "02.spirals-small-three",
        spirals_fought,
        "Three layers of 7 do what one of 30 does.",
        lambda data: spiral(data, 1, fair.SPIRAL_BUDGETS[0]) - spiral(data, 3, fair.SPIRAL_BUDGETS[0]),
        "held-out accuracy, one layer of 30 minus three of 7",
        low=-0.02,
        high=0.02,
        range_set="after",
    ),
    Claim(
        "02.fair-untuned",
        fair.fought,
        "On the checkerboard of frequency 3, with the rate 0.01 and zero biases, five layers beat one by far.",
        lambda data: gap(data, 5, "checkerboard 3", **fair.UNFAIR),
        "held-out accuracy, five layers of 24 minus one of 510",
        low=0.1,
        tried="The best of six rates for each, and random biases, take the lead away (02.fair-tuned).",
        range_set="before",
    ),
    Claim(
        "02.fair-tuned",
        fair.fought,
        "Each with its best rate, from random biases, that lead is gone.",
        lambda data: gap(data, 5, "checkerboard 3", **fair.BEST_OF_SIX),
        "held-out accuracy, five layers of 24 minus one of 510",
        low=-0.02,
        high=0.02,
        range_set="after",
    ),
    Claim(
        "02.fair-swirl-stays",
        fair.fought,
        "On the swirl a lead of depth is left on the fairest terms.",
        lambda data: gap(data, 5, "swirl", **fair.BEST_OF_SIX),
        "held-out accuracy, five layers of 24 minus one of 510",
        low=0.03,
        tried="Ten times the steps leave little of it (02.fair-swirl-longer): most of it was speed. On the finer "
        "board: 02.fair-hard-flops, 02.fair-hard-longer.",
        range_set="before",
    ),
    Claim(
        "02.fair-hard",
        fair.fought,
        "On the checkerboard of frequency 5 three layers lead on the fairest terms, too.",
        lambda data: gap(data, 3, "checkerboard 5", **fair.BEST_OF_SIX),
        "held-out accuracy, three layers of 34 minus one of 510",
        low=0.05,
        tried="Ten times the steps take it away (02.fair-hard-longer): it was speed.",
        range_set="after",
    ),
    Claim(
        "02.fair-hard-flops",
        fair.fought,
        "With FLOPs held equal instead of parameters they lead there, too.",
        lambda data: gap(data, 3, "checkerboard 5", fair.FLOPS, **fair.BEST_OF_SIX),
        "held-out accuracy, three layers of 34 minus one of 727",
        low=0.03,
        tried="Ten times the steps take the lead at equal parameters away (02.fair-hard-longer).",
        range_set="after",
    ),
    Claim(
        "02.fair-hard-longer",
        fair.longer,
        "On the checkerboard of frequency 5 ten times the steps take that lead away.",
        lambda data: ahead_later(data, LED[0], 3),
        "held-out accuracy after 30,000 steps, three layers of 34 minus one of 510",
        high=0.02,
        tried="This is the longer training of 02.fair-hard. Whether one layer ends ahead is not claimed.",
        range_set="before",
    ),
    Claim(
        "02.fair-swirl-longer",
        fair.longer,
        "On the swirl ten times the steps take most of that lead away, too.",
        lambda data: ahead_later(data, LED[1], 5),
        "held-out accuracy after 30,000 steps on the swirl, five layers of 24 minus one of 510",
        low=0,
        high=0.03,
        range_set="before",
    ),
    Claim(
        "02.fair-whole",
        fair.chosen_fought,
        "On all points of the checkerboard of frequency 3 at once, from PyTorch's initialisation, one layer leads.",
        lambda data: -gap(data, 5, **WHOLE_BOARD),
        "held-out accuracy, one layer of 272 minus five of 17",
        low=0.01,
        tried="With other initial weights and one rate for everybody it is the other way round, as the lab shows. "
        "Longer training was not tried: it is said of 2,000 steps.",
        range_set="after",
    ),
    Claim(
        "02.fair-found-own",
        fair.found,
        "On all points at once 502 shallow parameters match 1,362 deep ones.",
        lambda data: (
            fair.found.best(data, network="one layer of 100") - fair.found.best(data, network="four layers of 20")
        ),
        "held-out accuracy, one layer of 100 minus four of 20",
        low=-0.02,
        tried="From He's weights with random biases: 02.fair-found-he. Not tried: more than 2,000 steps.",
        range_set="before",
    ),
    Claim(
        "02.fair-found-equal",
        fair.found,
        "With 1,362 parameters each the shallow network leads.",
        lambda data: (
            fair.found.best(data, network="one layer of 272") - fair.found.best(data, network="four layers of 20")
        ),
        "held-out accuracy, one layer of 272 minus four of 20",
        low=0.01,
        tried="From He's weights with random biases: 02.fair-found-he-equal. Not tried: more than 2,000 steps.",
        range_set="before",
    ),
    Claim(
        "02.fair-found-he",
        fair.found_he,
        "From He's weights with random biases 502 shallow parameters do not lead 1,362 deep ones.",
        lambda data: fair.found_lead(data, "one layer of 100"),
        "held-out accuracy, one layer of 100 minus four of 20, He's weights, random biases",
        high=0,
        tried="It is the other start of 02.fair-found-own. With as many parameters: 02.fair-found-he-equal.",
        range_set="before",
    ),
    Claim(
        "02.fair-found-he-equal",
        fair.found_he,
        "From there, too, the shallow network leads with as many parameters.",
        lambda data: fair.found_lead(data, "one layer of 272"),
        "held-out accuracy, one layer of 272 minus four of 20, He's weights, random biases",
        low=0,
        tried="It is the other start of 02.fair-found-equal. Not tried: more than 2,000 steps.",
        range_set="after",
    ),
    Claim(
        "02.saw-narrow",
        sawtooth.shapes,
        "From random weights the architecture that can draw 8 pieces misses nearly all.",
        lambda data: missed(data, NARROW, 3),
        "share of variance missed, 2 wide, 3 deep",
        low=0.85,
        high=1.1,
        range_set="before",
    ),
    Claim(
        "02.saw-wide-four-ahead",
        sawtooth.shapes,
        "Of 16 pieces four layers of eight units miss less than one layer with as many parameters.",
        lambda data: missed(data, AS_WIDE, 4) - missed(data, WIDE, 4),
        "share of variance missed, one layer of 80 minus 8 wide and 4 deep",
        low=0,
        tried="The sawtooth is made in depth's own class. With two units a layer, the shape that can draw it, depth "
        "finds nothing (02.saw-narrow).",
        range_set="before",
    ),
    Claim(
        "02.cost-small",
        cost.timed,
        "With 20,000 parameters 16 hidden layers train much more slowly than one.",
        lambda data: cost.step(data, 20_000, 16, 1),
        "time of a training step, 16 hidden layers over one",
        low=2,
        tried="With fifty times the parameters the factor is much smaller (02.cost-large).",
        range_set="before",
    ),
    Claim(
        "02.cost-large",
        cost.timed,
        "With 1,000,000 parameters a step with 16 hidden layers takes less than twice as long as with one.",
        lambda data: cost.step(data, 1_000_000, 16, 1),
        "time of a training step, 16 hidden layers over one",
        high=2,
        tried="With fewer parameters the factor is much larger (02.cost-small).",
        range_set="after",
    ),
    Claim(
        "02.digits-depth",
        digits.digits,
        "On the digits three hidden layers more buy nothing at width 64.",
        lambda data: digits.grid(data, 4, 64) - digits.grid(data, 1, 64),
        "held-out accuracy, four hidden layers minus one, each of 64 units",
        low=-0.01,
        high=0.01,
        range_set="before",
    ),
    Claim(
        "02.digits-1000",
        digits.digits,
        "On the digits 1,000 parameters do worse in four hidden layers than in one.",
        lambda data: digits.at_budget(data, 1000, 1) - digits.at_budget(data, 1000, 4),
        "held-out accuracy, one hidden layer minus four",
        low=0.005,
        tried="At width 64 there is no difference (02.digits-depth). Longer training was not tried.",
        range_set="before",
    ),
]
