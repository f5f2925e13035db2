"""The claims of lesson 02 about spirals at matched parameters, and about fair fights."""

from __future__ import annotations

from utils.claims.definition import Claim, Data, Experiment
from utils.comparison import best_rate
from utils.lesson_02.fair import (
    DEPTHS,
    FOUND,
    HELD_OUT,
    RATES,
    SPIRAL_BUDGETS,
    VALIDATION,
    Array,
    Choice,
    fighters,
    measure_fair,
    measure_found,
    measure_spirals,
    spiral_bayes_accuracy,
)

SPIRALS = Experiment("02_spirals", measure_spirals, seeds=20, minutes=2)
FAIR = Experiment("02_fair", measure_fair, seeds=20, minutes=14, chunk=5)
FOUND_AGAIN = Experiment("02_found", measure_found, seeds=60, minutes=7, chunk=10)

UNFAIR = {"start": "zero biases", "tuning": "0.01 for everybody"}
BEST_OF_SIX = {"start": "random biases", "tuning": "the best of six, 0.001 to 0.3"}
PARAMETERS, FLOPS, CLOCK = "parameters and steps", "FLOPs and steps", "parameters and seconds, compiled trainer"


def at_best(scores: Array) -> Array:
    """Held-out accuracies, [seeds], from scores [seeds, rates, validation and held-out]."""
    return scores[:, best_rate(scores[:, :, VALIDATION], larger_is_better=True), HELD_OUT]


def spiral_scores(data: Data, depth: int, budget: int = SPIRAL_BUDGETS[-1]) -> Array:
    """Accuracies on the spirals, [seeds, rates, validation and held-out]."""
    return data["accuracy"][:, SPIRAL_BUDGETS.index(budget), DEPTHS.index(depth)]


def spiral(data: Data, depth: int, budget: int = SPIRAL_BUDGETS[-1], rate: float | None = None) -> Array:
    """Held-out accuracy on the spirals, [seeds], at the best rate or at the one given."""
    scores = spiral_scores(data, depth, budget)
    return at_best(scores) if rate is None else scores[:, RATES.index(rate), HELD_OUT]


def one(data: Data, depth: int, task: str, equal: str = PARAMETERS, **terms: str) -> Array:
    """A shape's held-out accuracy in the lab, [seeds]; terms: start and tuning."""
    return fighters(data, Choice(task=task, equal=equal, **terms))[depth].held_out


def gap(data: Data, deep: int, task: str, equal: str = PARAMETERS, **terms: str) -> Array:
    """Deep minus one hidden layer, [seeds]."""
    return one(data, deep, task, equal, **terms) - one(data, 1, task, equal, **terms)


def found(data: Data, name: str, rate: float | None = None) -> Array:
    """Held-out accuracy of one of FOUND, [seeds], at the best rate or at the one given."""
    scores = data["accuracy"][:, list(FOUND).index(name)]
    return at_best(scores) if rate is None else scores[:, RATES.index(rate), HELD_OUT]


CLAIMS = [
    Claim("02.spirals-five", SPIRALS, "With about 1,040 parameters five hidden layers do on the spirals what one does.",
          lambda data: spiral(data, 5) - spiral(data, 1),
          "held-out accuracy, five layers of 15 minus one of 207", low=-0.01, high=0.01),
    Claim("02.spirals-three", SPIRALS, "With about 1,040 parameters three hidden layers do, too.",
          lambda data: spiral(data, 3) - spiral(data, 1),
          "held-out accuracy, three layers of 21 minus one of 207", low=-0.01, high=0.01),
    Claim("02.spirals-ceiling", SPIRALS, "There one hidden layer is nearly as good as any classifier can be.",
          lambda data: spiral_bayes_accuracy() - spiral(data, 1),
          "held-out accuracy of the best of all classifiers minus that of one layer of 207", high=0.01),
    Claim("02.spirals-untuned", SPIRALS, "At the rate 0.001 for everybody it looks there as if depth mattered.",
          lambda data: spiral(data, 3, rate=0.001) - spiral(data, 1, rate=0.001),
          "held-out accuracy at the rate 0.001, three layers of 21 minus one of 207", low=0.05),
    Claim("02.spirals-small", SPIRALS, "With about 150 parameters one wide layer beats five narrow ones.",
          lambda data: spiral(data, 1, SPIRAL_BUDGETS[0]) - spiral(data, 5, SPIRAL_BUDGETS[0]),
          "held-out accuracy, one layer of 30 minus five of 5", low=0.03),
    Claim("02.fair-untuned", FAIR,
          "On the checkerboard of frequency 3, with the rate 0.01 and zero biases, five layers beat one by far.",
          lambda data: gap(data, 5, "checkerboard 3", **UNFAIR),
          "held-out accuracy, five layers of 24 minus one of 510", low=0.1),
    Claim("02.fair-vanishes", FAIR, "Each with its best rate, from random biases, that lead is gone.",
          lambda data: gap(data, 5, "checkerboard 3", **BEST_OF_SIX),
          "held-out accuracy, five layers of 24 minus one of 510", low=-0.02, high=0.02),
    Claim("02.fair-three-vanishes", FAIR, "Nor do three layers lead there.",
          lambda data: gap(data, 3, "checkerboard 3", **BEST_OF_SIX),
          "held-out accuracy, three layers of 34 minus one of 510", low=-0.02, high=0.02),
    Claim("02.fair-rate-alone", FAIR, "The rates alone take away most of the lead.",
          lambda data: gap(data, 5, "checkerboard 3", start="zero biases", tuning=BEST_OF_SIX["tuning"])
          / gap(data, 5, "checkerboard 3", **UNFAIR),
          "share of five layers' lead that is left with the best of six rates, zero biases", high=0.5),
    Claim("02.fair-biases-alone", FAIR, "The biases alone take away most of it, too.",
          lambda data: gap(data, 5, "checkerboard 3", start="random biases", tuning=UNFAIR["tuning"])
          / gap(data, 5, "checkerboard 3", **UNFAIR),
          "share of five layers' lead that is left with random biases, rate 0.01", high=0.5),
    Claim("02.fair-shallow-gains", FAIR, "The fairer terms lift the shallow network.",
          lambda data: one(data, 1, "checkerboard 3", **BEST_OF_SIX) - one(data, 1, "checkerboard 3", **UNFAIR),
          "held-out accuracy of one layer of 510, fair minus unfair", low=0.1),
    Claim("02.fair-deep-gains", FAIR, "They do next to nothing for the deep one.",
          lambda data: one(data, 5, "checkerboard 3", **BEST_OF_SIX) - one(data, 5, "checkerboard 3", **UNFAIR),
          "held-out accuracy of five layers of 24, fair minus unfair", low=-0.02, high=0.02),
    Claim("02.fair-flops", FAIR, "There, with FLOPs held equal instead of parameters, the lead is gone as well.",
          lambda data: gap(data, 5, "checkerboard 3", FLOPS, **BEST_OF_SIX),
          "held-out accuracy, five layers of 24 minus one of 727", low=-0.02, high=0.02),
    Claim("02.fair-width", FAIR,
          "On the checkerboard of frequency 3, with only the width held equal, five layers win by far.",
          lambda data: gap(data, 5, "checkerboard 3", "width and steps", **BEST_OF_SIX),
          "held-out accuracy, five layers of 24 minus one of 24", low=0.2),
    Claim("02.fair-clock", FAIR, "On the swirl the compiled trainer's clock is kinder to depth than equal steps are.",
          lambda data: gap(data, 5, "swirl", CLOCK, **BEST_OF_SIX) - gap(data, 5, "swirl", **BEST_OF_SIX),
          "held-out accuracy, five layers' lead over one at equal seconds minus at equal steps", low=0.005),
    Claim("02.fair-swirl-shrinks", FAIR, "On the swirl the fairer terms take away more than half of the lead.",
          lambda data: gap(data, 5, "swirl", **BEST_OF_SIX) / gap(data, 5, "swirl", **UNFAIR),
          "share of five layers' lead over one that is left on the fair terms", high=0.5),
    Claim("02.fair-swirl-stays", FAIR, "What is left on the swirl is a lead of depth.",
          lambda data: gap(data, 5, "swirl", **BEST_OF_SIX),
          "held-out accuracy, five layers of 24 minus one of 510", low=0.03),
    Claim("02.fair-swirl-three", FAIR, "So it is with three layers.",
          lambda data: gap(data, 3, "swirl", **BEST_OF_SIX),
          "held-out accuracy, three layers of 34 minus one of 510", low=0.03),
    Claim("02.fair-hard-stays", FAIR, "On the checkerboard of frequency 5 three layers lead on the fairest terms, too.",
          lambda data: gap(data, 3, "checkerboard 5", **BEST_OF_SIX),
          "held-out accuracy, three layers of 34 minus one of 510", low=0.05),
    Claim("02.fair-hard-five", FAIR, "So do five.",
          lambda data: gap(data, 5, "checkerboard 5", **BEST_OF_SIX),
          "held-out accuracy, five layers of 24 minus one of 510", low=0.05),
    Claim("02.fair-found-own", FOUND_AGAIN, "On all points at once 502 shallow parameters match 1,362 deep ones.",
          lambda data: found(data, "one layer of 100") - found(data, "four layers of 20"),
          "held-out accuracy, one layer of 100 minus four of 20", low=-0.02),
    Claim("02.fair-found-equal", FOUND_AGAIN, "With 1,362 parameters each the shallow network leads.",
          lambda data: found(data, "one layer of 272") - found(data, "four layers of 20"),
          "held-out accuracy, one layer of 272 minus four of 20", low=0.01),
    Claim("02.fair-found-narrow", FOUND_AGAIN, "Four layers with 453 parameters are behind one with 502.",
          lambda data: found(data, "one layer of 100") - found(data, "four layers of 11"),
          "held-out accuracy, one layer of 100 minus four of 11", low=0.03),
]  # fmt: skip
