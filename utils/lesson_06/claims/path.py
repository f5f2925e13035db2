"""The claims of lesson 06's path, from PyTorch's default on."""

from __future__ import annotations

import numpy as np

from utils.claims.definition import Claim, Experiment
from utils.comparison import PARTS
from utils.lesson_06 import defaults, first_aid, hundred

SLIDE = Experiment(
    "06_slide", defaults.measure_slide, {"factor": defaults.FACTORS, "depth": defaults.DEPTHS}, minutes=0.1,
    unstable={"loss": 0.1, "sum": 0.1},  # fifty chaotic layers make of another processor's last bits up to 30 %
)
AID = Experiment(
    "06_aid", first_aid.measure_aid, {"repair": first_aid.MEASURED, "rate": first_aid.RATES, "part": PARTS}, seeds=12,
    minutes=2, chunk=2,
)
HUNDRED = Experiment(
    "06_hundred", hundred.measure_hundred, {"kind": hundred.KINDS, "rate": hundred.RATES, "part": PARTS}, seeds=12,
    minutes=3, chunk=2, unstable={"accuracy": 0.25},  # on another processor 5 or 6 of 42
)

CLAIMS = [
    Claim("06.slide-vanishes", SLIDE, "At factor 1.5 the gradient shrinks by three decades at least.",
          lambda data: np.log10(defaults.growth(data, defaults.FACTOR)),
          "decades from the first layer's gradient at 2 hidden layers to that at 50, factor 1.5", high=-3),
    Claim("06.aid-others", AID, "No repair that leaves the gain gets more than a third of the digits right.",
          first_aid.best_without_gain,
          "best held-out accuracy with PyTorch's gain: unrepaired, wider, longer, zero biases, tanh", high=0.33),
    Claim("06.aid-root", AID, "With gain √2 the network trains.",
          lambda data: first_aid.after(data, first_aid.BEST),
          "held-out accuracy of 30 ReLU layers, gain √2", low=0.75),
    Claim("06.aid-one", AID, "With gain 1 it trains, too, but less well.",
          lambda data: first_aid.after(data, first_aid.BEST) - first_aid.after(data, "gain 1"),
          "difference in held-out accuracy, gain √2 minus gain 1", low=0.02),
    Claim("06.hundred-orthogonal", HUNDRED, "A hundred tanh layers train from orthogonal weights.",
          lambda data: hundred.reached(data, "orthogonal"),
          "held-out accuracy of 100 tanh layers of width 32, orthogonal weights", low=0.9),
    Claim("06.hundred-gaussian", HUNDRED, "From Gaussian weights of the same gain they get less than half right.",
          lambda data: hundred.reached(data, "Gaussian"),
          "held-out accuracy of 100 tanh layers of width 32, Gaussian weights", high=0.5),
    Claim("06.hundred-longer", HUNDRED, "With four times the steps they are still behind.",
          lambda data: hundred.reached(data, "orthogonal") - hundred.reached(data, "longer"),
          "held-out accuracy, orthogonal weights minus Gaussian ones with four times the steps", low=0.1),
]
