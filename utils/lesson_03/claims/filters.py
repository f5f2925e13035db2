"""The claims of lesson 03 about what a small convolutional network sees."""

from __future__ import annotations

import xarray as xr

from utils.claims.definition import Claim, Experiment
from utils.comparison import UNSEEN
from utils.lesson_03 import filters
from utils.lesson_03.filters import TRAINED, UNTRAINED, probes, selectivity, shaped
from utils.types import Data

READINGS = Experiment(
    "03_readings", filters.measure_readings, {"weights": filters.WEIGHTS, "layer": filters.LAYERS,
    "unit": range(filters.CHANNELS)}, minutes=0.6
)
FIGHT = Experiment(
    "03_filters", filters.measure_shapes, {"shape": filters.SHAPES, "rate": filters.RATES, "part": UNSEEN}, seeds=12,
    minutes=4, chunk=4
)


def sharpened(data: Data, layer: int) -> xr.DataArray:
    """By seed, by how much training raises the median selectivity of a layer's units."""
    return selectivity(data, TRAINED, layer) - selectivity(data, UNTRAINED, layer)


CLAIMS = [
    Claim("03.filters-tuned-one", READINGS, "Training does not make the first layer's filters more selective.",
          lambda data: sharpened(data, 1),
          "median selectivity of layer 1's units, trained minus untrained", high=0.1),
    Claim("03.filters-tuned-two", READINGS, "It does not make the second layer's units more selective, either.",
          lambda data: sharpened(data, 2),
          "median selectivity of layer 2's units, trained minus untrained", low=-0.1, high=0.1),
    Claim("03.filters-tuned-three", READINGS, "Nor, by much, those of the third layer.",
          lambda data: sharpened(data, 3),
          "median selectivity of layer 3's units, trained minus untrained", low=-0.1, high=0.1),
    Claim("03.filters-probe-random", READINGS, "A probe reads more from untrained filters than from the pixels.",
          lambda data: probes(data, UNTRAINED, 1) - probes(data, UNTRAINED, 0),
          "held-out accuracy of a linear probe, on untrained layer 1 minus on the pixels", low=0.01),
    Claim("03.filters-probe-stale", READINGS, "Two more untrained layers add nothing that a probe can read.",
          lambda data: probes(data, UNTRAINED, 3) - probes(data, UNTRAINED, 1),
          "held-out accuracy of a linear probe, untrained layer 3 minus untrained layer 1", high=0.01),
    Claim("03.filters-probe-depth", READINGS, "In the trained network the probe does better after the third layer.",
          lambda data: probes(data, TRAINED, 3) - probes(data, TRAINED, 1),
          "held-out accuracy of a linear probe, trained layer 3 minus trained layer 1", low=0),
    Claim("03.filters-probe-gap", READINGS, "After the third layer training is worth less than four points in 100.",
          lambda data: probes(data, TRAINED, 3) - probes(data, UNTRAINED, 3),
          "held-out accuracy of a linear probe on layer 3, trained minus untrained", low=0, high=0.04),
    Claim("03.filters-deep", FIGHT, "Read out at every place, three layers are no better than one.",
          lambda data: shaped(data, "three of 3×3") - shaped(data, "one of 3×3"),
          "held-out accuracy, three layers of 3×3 minus one, all places read", low=-0.01, high=0.01),
    Claim("03.filters-deep-means", FIGHT, "Where only means are read out, three layers of 3×3 beat one of 3×3.",
          lambda data: shaped(data, "three of 3×3, means") - shaped(data, "one of 3×3, means"),
          "held-out accuracy, three layers of 3×3 minus one of 3×3, means read", low=0.03),
    Claim("03.filters-field", FIGHT, "One layer of 7×7, which sees as much, is at least as good as three of 3×3.",
          lambda data: shaped(data, "one of 7×7, means") - shaped(data, "three of 3×3, means"),
          "held-out accuracy, one layer of 7×7 minus three of 3×3, means read", low=-0.01),
]
