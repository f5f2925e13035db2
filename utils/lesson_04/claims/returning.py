"""The claims of lesson 04 about training from the hand-built network, and to what it draws."""

from __future__ import annotations

from utils.claims.definition import Claim, Experiment
from utils.comparison import UNSEEN
from utils.lesson_04 import returning
from utils.lesson_04.returning import came_back, ended, lead, same_after, short_of_neighbours

RETURNING = Experiment(
    "04_returning", returning.measure_returning,
    {"folds": returning.FOLDS, "noise": returning.NOISES, "rate": returning.SHAKEN_RATES, "part": UNSEEN}, minutes=1.5,
)
SCRATCH = Experiment(
    "04_scratch", returning.measure_scratch,
    {"folds": returning.FOLDS, "width": returning.WIDTHS, "spread": returning.SPREADS, "rate": returning.RATES,
     "part": UNSEEN}, seeds=12, minutes=2.5, chunk=4,
)
RISE = Experiment(
    "04_rising", returning.measure_rising,
    {"folds": returning.RISING, "depth": returning.SHAPES, "spread": returning.SPREADS, "rate": returning.RATES,
     "part": UNSEEN}, seeds=12, minutes=4, chunk=4,
)
LONG = Experiment(
    "04_longer", returning.measure_longer,
    {"folds": returning.LONGER, "depth": returning.SHAPES, "spread": returning.SPREADS, "rate": returning.RATES,
     "part": UNSEEN}, seeds=12, minutes=6, chunk=4,
)

CLAIMS = [
    Claim("04.shaken", RETURNING, "Shaken by a hundredth, the network of three folds loses a tenth and more.",
          lambda data: data["before"].sel(folds=3, noise=0.01, drop=True),
          "held-out accuracy of three folds shaken by .01, before training", high=0.9),
    Claim("04.back-near", RETURNING, "Shaken by two hundredths, the network of three folds comes back.",
          lambda data: came_back(data, 3, 0.02),
          "runs with three folds and noise .02 that training brings back to .97", low=0.8, statistic="share"),
    Claim("04.back-three", RETURNING, "The noise from which two folds come back is too much for three.",
          lambda data: ended(data, 2, noise=0.08) - ended(data, 3, noise=0.08),
          "held-out accuracy after training, shaken by .08, two folds minus three", low=0.1),
    Claim("04.back-four", RETURNING, "The noise from which three folds come back is too much for four.",
          lambda data: ended(data, 3, noise=0.04) - ended(data, 4, noise=0.04),
          "held-out accuracy after training, shaken by .04, three folds minus four", low=0.1),
    Claim("04.same-network", RETURNING, "What comes back is what training makes of the unshaken network.",
          lambda data: same_after(data, 3, 0.02),
          "units and points that agree with the unshaken twin, both trained, three folds, noise .02", low=0.95),
    Claim("04.scratch-same", SCRATCH, "From random weights the architecture of three folds hardly learns the board.",
          lambda data: ended(data, 3, width=4),
          "held-out accuracy of four hidden layers of 4 on 8 × 8 squares", high=0.7),
    Claim("04.scratch-wide", SCRATCH, "Layers four times as wide learn most of it.",
          lambda data: ended(data, 3, width=16),
          "held-out accuracy of four hidden layers of 16 on 8 × 8 squares", low=0.8),
    Claim("04.rising-equal", RISE, "On 8 × 8 squares four layers lead one by little, if at all, after 3,000 steps.",
          lambda data: lead(data, 3),
          "held-out accuracy, four layers of 20 minus one of 272, 3,000 steps", low=-0.05, high=0.15),
    Claim("04.rising-fine", RISE, "On 16 × 16 squares four layers lead one after 3,000 steps.",
          lambda data: lead(data, 4),
          "held-out accuracy, four layers of 20 minus one of 272, 16 × 16 squares, 3,000 steps", low=0.02),
    Claim("04.rising-longer", LONG, "After four times the steps four layers have no lead either.",
          lambda data: lead(data, 3),
          "held-out accuracy, four layers of 20 minus one of 272, 12,000 steps", high=0.02),
    Claim("04.rising-stop", RISE, "On 16 × 16 squares all three shapes stop far short of the nearest neighbour.",
          lambda data: short_of_neighbours(data, 4),
          "held-out accuracy, nearest neighbour minus the best of three shapes, 3,000 steps", low=0.2),
]
