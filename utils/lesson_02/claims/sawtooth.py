"""The claims of lesson 02 about the sawtooth: what training finds of it, and what it keeps."""

from __future__ import annotations

from utils.claims.definition import Claim, Experiment
from utils.comparison import UNSEEN
from utils.lesson_02.sawtooth import (
    AS_NARROW,
    AS_WIDE,
    FOLDS,
    KEPT_FOLDS,
    KEPT_RATES,
    NARROW,
    NOISES,
    RATES,
    SHAPES,
    SMALLEST,
    SMALLEST_FOLDS,
    WIDE,
    WIDE_DEFAULT,
    measure_kept,
    measure_shapes,
    measure_small,
    missed,
    pieces_found,
    returned,
)

SMALL = Experiment(
    "02_saw_small", measure_small, {"shape": SMALLEST, "folds": SMALLEST_FOLDS, "rate": RATES, "part": UNSEEN},
    seeds=40, minutes=1, chunk=20,
)  # fmt: skip
SHAPED = Experiment(
    "02_saw_shapes", measure_shapes, {"shape": SHAPES, "folds": FOLDS, "rate": RATES, "part": UNSEEN},
    seeds=40, minutes=3, chunk=10,
)  # fmt: skip
KEPT = Experiment(
    "02_saw_kept", measure_kept, {"folds": KEPT_FOLDS, "noise": NOISES, "rate": KEPT_RATES, "part": UNSEEN}, minutes=1
)

CLAIMS = [
    Claim("02.saw-narrow", SMALL,
          "From random weights the very shape that can write 8 pieces misses nearly all of them.",
          lambda data: missed(data, NARROW, 3), "share of variance missed, 2 wide, 3 deep", low=0.85, high=1.1),
    Claim("02.saw-one-layer", SMALL, "One layer with as many parameters, which cannot write them, misses less.",
          lambda data: missed(data, NARROW, 3) - missed(data, AS_NARROW, 3),
          "share of variance missed, 2 wide and 3 deep minus one layer of 6", low=0.02),
    Claim("02.saw-narrow-two", SHAPED, "Two layers of two units miss most of 4 pieces, too.",
          lambda data: missed(data, NARROW, 2), "share of variance missed, 2 wide, 2 deep", low=0.3),
    Claim("02.saw-narrow-four", SHAPED, "Of 16 pieces the very shape finds nothing.",
          lambda data: missed(data, NARROW, 4), "share of variance missed, 2 wide, 4 deep", low=0.9, high=1.1),
    Claim("02.saw-narrow-pieces", SHAPED, "It ends with a fraction of the 16 pieces that it can have.",
          lambda data: pieces_found(data, NARROW, 4), "linear pieces, 2 wide, 4 deep", high=8),
    Claim("02.saw-wide-three", SHAPED, "Three layers of eight units find 8 pieces.",
          lambda data: missed(data, WIDE, 3), "share of variance missed, 8 wide, 3 deep", high=0.05),
    Claim("02.saw-layer-three", SHAPED, "So does one layer with as many parameters.",
          lambda data: missed(data, AS_WIDE, 3), "share of variance missed, one layer of 56", high=0.05),
    Claim("02.saw-wide-four", SHAPED, "Of 16 pieces four layers of eight units miss a good part.",
          lambda data: missed(data, WIDE, 4), "share of variance missed, 8 wide, 4 deep", low=0.1, high=0.7),
    Claim("02.saw-layer-four", SHAPED, "So does one layer with as many parameters.",
          lambda data: missed(data, AS_WIDE, 4), "share of variance missed, one layer of 80", low=0.1, high=0.7),
    Claim("02.saw-wide-four-ahead", SHAPED, "They miss less than that layer.",
          lambda data: missed(data, AS_WIDE, 4) - missed(data, WIDE, 4),
          "share of variance missed, one layer of 80 minus 8 wide and 4 deep", low=0.03),
    Claim("02.saw-wide-five", SHAPED, "Of 32 pieces five layers of eight units miss less than one layer as large.",
          lambda data: missed(data, AS_WIDE, 5) - missed(data, WIDE, 5),
          "share of variance missed, one layer of 104 minus 8 wide and 5 deep", low=0.03),
    Claim("02.saw-wide-six", SHAPED, "Of 64 pieces six layers of eight units find next to nothing.",
          lambda data: missed(data, WIDE, 6), "share of variance missed, 8 wide, 6 deep", low=0.9, high=1.1),
    Claim("02.saw-layer-six", SHAPED, "Nor does one layer of 128 units, twice as many as are needed.",
          lambda data: missed(data, AS_WIDE, 6), "share of variance missed, one layer of 128", low=0.9, high=1.1),
    Claim("02.saw-pieces-enough", SHAPED, "For 16 pieces four layers of eight units end with more than they need.",
          lambda data: pieces_found(data, WIDE, 4) / 16, "linear pieces, 8 wide and 4 deep, over the 16 needed",
          low=1.25),
    Claim("02.saw-start", SHAPED, "For 32 pieces PyTorch's start is the worse one.",
          lambda data: missed(data, WIDE_DEFAULT, 5) - missed(data, WIDE, 5),
          "share of variance missed, 8 wide and 5 deep, PyTorch's start minus He's with random biases", low=0.05),
    Claim("02.saw-lost-six", KEPT, "Shaken by 0.03, the hand-built network of 64 pieces is not trained back.",
          lambda data: returned(data, 6, 0.03), "share missed after training, k = 6, noise 0.03", low=0.2),
]  # fmt: skip
