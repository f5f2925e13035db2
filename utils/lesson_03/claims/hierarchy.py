"""The claims of lesson 03 about hierarchies and depth."""

from __future__ import annotations

from utils.claims.definition import Claim, Experiment
from utils.comparison import UNSEEN
from utils.lesson_03 import hierarchy
from utils.lesson_03.hierarchy import RANDOM, ROTATED, control_gap, missed, times_less, trees_halved

TARGETS = Experiment(
    "03_targets", hierarchy.measure_targets,
    {"target": hierarchy.NODES, "version": hierarchy.VERSIONS, "depth": hierarchy.DEPTHS, "rate": hierarchy.RATES,
     "part": UNSEEN}, minutes=2,
    unstable={"missed": 0.25},  # last bits of rotated inputs are the processor's: 121 to 127 of 576 were others on one
)
MOVES = Experiment(
    "03_moves", hierarchy.measure_moves, {"depth": hierarchy.ALL_DEPTHS, "rate": hierarchy.RATES, "part": UNSEEN},
    minutes=0.3
)

CLAIMS = [
    Claim("03.game-deep", TARGETS, "Of a game of three moves three hidden layers miss far less than one.",
          lambda data: times_less(data),
          "share of variance missed, one layer of 104 over three of 20", low=10),
    Claim("03.game-two", MOVES, "Two hidden layers lie in between: they miss more of it than three.",
          lambda data: missed(data, 2) / missed(data, 3),
          "share of variance missed, two hidden layers over three", low=2),
    Claim("03.game-control", TARGETS, "Of random functions as rough as the game three layers miss more than one.",
          lambda data: missed(data, 3, version=RANDOM) - missed(data, 1, version=RANDOM),
          "share of variance missed, three hidden layers minus one", low=0.02),
    Claim("03.game-rotated", TARGETS, "The lead stays where a rotation of the inputs hides the game's tree.",
          lambda data: times_less(data, version=ROTATED),
          "share of variance missed, one layer of 104 over three of 20", low=10),
    Claim("03.saturating-deep", TARGETS, "Depth leads on a smooth tree, of tanh(a + b + ab), too.",
          lambda data: times_less(data, "saturating"),
          "share of variance missed, one layer of 104 over three of 20", low=3),
    Claim("03.product", TARGETS, "On the product of eight inputs depth buys nothing.",
          lambda data: missed(data, 3, "product") - missed(data, 1, "product"),
          "share of variance missed, three hidden layers minus one", low=-0.05, high=0.05),
    Claim("03.product-plus", TARGETS, "On the tree of ab + a depth does not halve what is missed.",
          lambda data: times_less(data, "product plus"),
          "share of variance missed, one layer of 104 over three of 20", high=2),
    Claim("03.trees", TARGETS, "Of eight trees depth halves what is missed in some, not in all.",
          trees_halved, "trees, of eight, of which three layers miss at most half as much as one", low=2, high=6),
    Claim("03.controls", TARGETS, "Over all roughnesses three layers miss no less of random functions than one.",
          control_gap, "share of variance missed, three hidden layers minus one, mean over eight roughnesses", low=0),
]
