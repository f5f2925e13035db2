"""The claims of lesson 02 about the sawtooth: what training finds of it, and what it keeps."""

from __future__ import annotations

from utils.claims.definition import Claim, Experiment
from utils.comparison import UNSEEN
from utils.lesson_02 import sawtooth
from utils.lesson_02.sawtooth import AS_WIDE, NARROW, WIDE, missed, returned

SHAPED = Experiment(
    "02_saw_shapes", sawtooth.measure_shapes,
    {"shape": sawtooth.SHAPES, "folds": sawtooth.FOLDS, "rate": sawtooth.RATES, "part": UNSEEN},
    seeds=80, minutes=4, chunk=10,
)
KEPT = Experiment(
    "02_saw_kept", sawtooth.measure_kept,
    {"folds": sawtooth.KEPT_FOLDS, "noise": sawtooth.NOISES, "rate": sawtooth.KEPT_RATES, "part": UNSEEN}, minutes=1
)

CLAIMS = [
    Claim("02.saw-narrow", SHAPED, "From random weights the architecture that can draw 8 pieces misses nearly all.",
          lambda data: missed(data, NARROW, 3), "share of variance missed, 2 wide, 3 deep", low=0.85, high=1.1),
    Claim("02.saw-wide-four-ahead", SHAPED,
          "Of 16 pieces four layers of eight units miss less than one layer with as many parameters.",
          lambda data: missed(data, AS_WIDE, 4) - missed(data, WIDE, 4),
          "share of variance missed, one layer of 80 minus 8 wide and 4 deep", low=0),
    Claim("02.saw-lost-six", KEPT, "Shaken by 0.03, the hand-built network of 64 pieces is not trained back.",
          lambda data: returned(data, 6, 0.03), "share missed after training, k = 6, noise 0.03", low=0.2),
]
