"""The claims of lesson 06 about gains: which one keeps a signal, and which one a gradient."""

from __future__ import annotations

import numpy as np

from utils.claims.definition import Claim, Experiment
from utils.lesson_06.gains import ACTIVATIONS, GAINS, HE, RELU, TANH, at, measure_gains, off

PASSED = Experiment("06_gains", measure_gains, {"activation": ACTIVATIONS, "gain": GAINS}, minutes=0.5, chunk=5)

CLAIMS = [
    Claim("06.signal-kept", PASSED, "At gain √2 a ReLU layer keeps the signal's mean square.",
          lambda data: at(data, "signal", RELU, HE),
          "factor of the signal's mean square in a layer, ReLU, gain √2, width 300", low=0.97, high=1.03),
    Claim("06.chi-gradient", PASSED, "Each layer multiplies the gradient's mean square by χ₁, for ReLU and for tanh.",
          lambda data: np.abs(off(data)).max(["activation", "gain"]),
          "largest departure of the measured factor from χ₁, as a share of it, over both and eight gains", high=0.1),
    Claim("06.tanh-explodes", PASSED, "At gain 2 the gradient of a tanh network of 50 layers explodes.",
          lambda data: at(data, "back", TANH, 2.0),
          "size of the gradient in layer 1 over that in layer 50, tanh, gain 2", low=100),
    Claim("06.tanh-fades", PASSED, "At gain 1 a tanh network's signal fades slowly, close to theory's 1/√(2l).",
          lambda data: at(data, "size", TANH, 1.0),
          "size of the signal after 20 layers, tanh, gain 1, width 300", low=0.14, high=0.2),
]
