"""The claims of lesson 06 about trainable depth around the edge, and about orthogonal weights at a hundred layers."""

from __future__ import annotations

import numpy as np

from utils.claims.definition import Claim, Experiment
from utils.comparison import PARTS, UNSEEN
from utils.lesson_06 import edge
from utils.lesson_06.edge import CHAOTIC, EDGE, LONGER_GAINS, ORDERED, orthogonal_lead, ratio_to_theory, trainable_depth

TRAINABLE = Experiment(
    "06_edge", edge.measure_edge, {"gain": edge.GAINS, "depth": edge.DEPTHS, "rate": edge.RATES, "part": PARTS},
    seeds=12, minutes=2,
    chunk=1,
)
LONGER = Experiment(
    "06_longer", edge.measure_longer,
    {"epochs": edge.BOTH_EPOCHS, "gain": LONGER_GAINS, "depth": edge.LONGER_DEPTHS, "rate": edge.RATES, "part": UNSEEN},
    seeds=12,
    minutes=1.2, chunk=1,
)
HUNDRED = Experiment(
    "06_widths", edge.measure_layers,
    {"width": edge.WIDTHS, "init": edge.INITS, "rate": edge.LAYERS_RATES, "part": UNSEEN}, seeds=12,
    minutes=1.7, chunk=1,
    unstable={"accuracy": 0.25},  # with a processor without AVX-512 6 and 13 of 72 were others
)
NARROW, EQUAL, WIDE = edge.WIDTHS

CLAIMS = [
    Claim("06.edge-deepest", TRAINABLE, "At the edge, networks learn three times as deep as far away from it.",
          lambda data: trainable_depth(data, EDGE)
          / np.maximum(trainable_depth(data, ORDERED[0]), trainable_depth(data, CHAOTIC[-1])),
          "trainable depth at the edge over the larger of those at σ_w = 0.7 and 4", low=3),
    Claim("06.edge-ordered", TRAINABLE, "Below the edge, the trainable depth is 6 ξ_c within a factor of 1.5.",
          lambda data: ratio_to_theory(data, ORDERED),
          "trainable depth over 6 ξ_c, geometric mean of five gains below the edge", low=1 / 1.5, high=1.5),
    Claim("06.edge-power", TRAINABLE, "Below the edge, it grows more slowly than ξ_c.",
          lambda data: edge.power_of_theory(data, ORDERED),
          "power of ξ_c with which the trainable depth grows, five gains below the edge", low=0.4, high=0.9),
    Claim("06.edge-chaotic", TRAINABLE, "Above the edge, the trainable depth falls short of 6 ξ_c.",
          lambda data: ratio_to_theory(data, CHAOTIC),
          "trainable depth over 6 ξ_c, geometric mean of five gains above the edge", low=0.3, high=0.9),
    Claim("06.edge-gradient", LONGER, "Above the edge, it is 6/ln χ₁ within a factor of 1.5: the gradient's scale.",
          lambda data: trainable_depth(data, LONGER_GAINS[1], epochs=edge.BOTH_EPOCHS[0])
          / edge.gradient_reach(LONGER_GAINS[1]),
          "trainable depth over 6/ln χ₁, σ_w = 2.5, fresh seeds", low=1 / 1.5, high=1.5),
    Claim("06.longer-ordered", LONGER, "Below the edge, four times the steps reach at least a fifth deeper.",
          lambda data: edge.depth_gained(data, LONGER_GAINS[0]),
          "trainable depth after four times the steps over that before, σ_w = 0.9", low=1.2),
    Claim("06.longer-chaotic", LONGER, "Above the edge, they reach at least a fifth deeper, too.",
          lambda data: edge.depth_gained(data, LONGER_GAINS[1]),
          "trainable depth after four times the steps over that before, σ_w = 2.5", low=1.2),
    Claim("06.orthogonal-narrow", HUNDRED, "Width 25, 100 layers: orthogonal weights lead by at least a tenth.",
          lambda data: orthogonal_lead(data, NARROW),
          "held-out accuracy of orthogonal minus Gaussian weights, width 25", low=0.1),
    Claim("06.orthogonal-equal", HUNDRED, "Width 100: they lead by at least a tenth.",
          lambda data: orthogonal_lead(data, EQUAL),
          "held-out accuracy of orthogonal minus Gaussian weights, width 100", low=0.1),
    Claim("06.orthogonal-wide", HUNDRED, "Width 200, twice the depth: they lead by at least a tenth.",
          lambda data: orthogonal_lead(data, WIDE),
          "held-out accuracy of orthogonal minus Gaussian weights, width 200", low=0.1),
]
