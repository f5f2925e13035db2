"""The claims of lesson 02 about spirals at matched parameters, and about fair fights."""

from __future__ import annotations

from utils.claims.definition import Claim, Experiment
from utils.comparison import UNSEEN
from utils.lesson_02 import fair
from utils.lesson_02.fair import BEST_OF_SIX, CHOSEN, FLOPS, PYTORCH_START, SPIRAL_BUDGETS, UNFAIR, found, gap, spiral

SPIRALS = Experiment(
    "02_spirals", fair.measure_spirals,
    {"budget": SPIRAL_BUDGETS, "depth": fair.DEPTHS, "rate": fair.RATES, "part": UNSEEN}, minutes=2
)
FAIR = Experiment(
    "02_fair", fair.measure_fair,
    {"task": fair.TASKS, "start": fair.STARTS, "run": fair.RUNS, "rate": fair.RATES, "part": UNSEEN},
    minutes=14, chunk=5,
)
CHOSEN_FIGHTS = Experiment(
    "02_chosen", fair.measure_chosen,
    {"task": CHOSEN, "start": fair.CHOSEN_STARTS, "depth": fair.DEPTHS, "rate": fair.RATES, "part": UNSEEN},
    seeds=14, minutes=5, chunk=7,
)
LONGER = Experiment(
    "02_longer", fair.measure_longer, {"depth": fair.DEPTHS, "rate": fair.RATES, "part": UNSEEN}, seeds=12, minutes=3,
    chunk=6
)
FOUND_AGAIN = Experiment(
    "02_found", fair.measure_found, {"network": fair.FOUND, "rate": fair.RATES, "part": UNSEEN}, seeds=60, minutes=7
)
WHOLE_BOARD = {"task": list(CHOSEN)[1], "start": PYTORCH_START, "tuning": BEST_OF_SIX["tuning"]}

CLAIMS = [
    Claim("02.spirals-five", SPIRALS, "With about 1,040 parameters five hidden layers do on the spirals what one does.",
          lambda data: spiral(data, 5) - spiral(data, 1),
          "held-out accuracy, five layers of 15 minus one of 207", low=-0.01, high=0.01),
    Claim("02.spirals-ceiling", SPIRALS, "There one hidden layer is nearly as good as any classifier can be.",
          lambda data: fair.spiral_bayes_accuracy() - spiral(data, 1),
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
    Claim("02.fair-swirl-stays", FAIR, "On the swirl a lead of depth is left on the fairest terms.",
          lambda data: gap(data, 5, "swirl", **BEST_OF_SIX),
          "held-out accuracy, five layers of 24 minus one of 510", low=0.03),
    Claim("02.fair-hard-stays", FAIR, "On the checkerboard of frequency 5 three layers lead on the fairest terms, too.",
          lambda data: gap(data, 3, "checkerboard 5", **BEST_OF_SIX),
          "held-out accuracy, three layers of 34 minus one of 510", low=0.05),
    Claim("02.fair-hard-flops", FAIR, "With FLOPs held equal instead of parameters they lead there, too.",
          lambda data: gap(data, 3, "checkerboard 5", FLOPS, **BEST_OF_SIX),
          "held-out accuracy, three layers of 34 minus one of 727", low=0.03),
    Claim("02.fair-hard-longer", LONGER, "On the checkerboard of frequency 5 ten times the steps take that lead away.",
          lambda data: fair.lead_after_longer(data, 3),
          "held-out accuracy after 30,000 steps, three layers of 34 minus one of 510", low=-0.02, high=0.02),
    Claim("02.fair-whole", CHOSEN_FIGHTS,
          "On all points of the checkerboard of frequency 3 at once, from PyTorch's initialisation, one layer leads.",
          lambda data: -gap(data, 5, **WHOLE_BOARD),
          "held-out accuracy, one layer of 272 minus five of 17", low=0.01),
    Claim("02.fair-found-own", FOUND_AGAIN, "On all points at once 502 shallow parameters match 1,362 deep ones.",
          lambda data: found(data, "one layer of 100") - found(data, "four layers of 20"),
          "held-out accuracy, one layer of 100 minus four of 20", low=-0.02),
    Claim("02.fair-found-equal", FOUND_AGAIN, "With 1,362 parameters each the shallow network leads.",
          lambda data: found(data, "one layer of 272") - found(data, "four layers of 20"),
          "held-out accuracy, one layer of 272 minus four of 20", low=0.01),
]
