"""The claims of lesson 04 about how many linear regions random and trained networks have."""

from __future__ import annotations

from utils.claims.definition import Claim, Experiment
from utils.comparison import UNSEEN
from utils.lesson_04 import counting
from utils.lesson_04.counting import DEEP, HE, PLANE, UNITS, accuracy, change, random_count, shape_sizes, trained_count

COUNTS = Experiment(
    "04_counts", counting.measure_counts,
    {"shape": counting.SHAPES, "init": counting.INITS, "place": counting.PLACES, "rate": counting.RATES,
     "part": UNSEEN},
    minutes=1.5, chunk=5,
)
GROWTH = Experiment(
    "04_growth", counting.measure_growth,
    {"init": counting.INITS, "depth": counting.GROWN_DEPTHS, "units": counting.GROWN}, minutes=0.2
)
SHALLOW, NARROW = "1×32", "8×4"
BUILT = counting.folded_regions(shape_sizes(DEEP)[1:-1], 2)

BOUND = counting.serra_bound(shape_sizes(DEEP)[1:-1], 2)
ONE_LAYER = counting.zaslavsky(UNITS, 2)

CLAIMS = [
    Claim("04.board-learned", COUNTS, "Four layers of 8 units learn the board.",
          lambda data: accuracy(data, DEEP), "held-out accuracy, 4×8", low=0.9),
    Claim("04.trained-bound", COUNTS, "The bound allows over a thousand times what training leaves.",
          lambda data: BOUND / trained_count(data, DEEP),
          "the bound over regions on the board after training, 4×8", low=1000),
    Claim("04.trained-built", COUNTS, "The hand-built network has hundreds of times what training leaves.",
          lambda data: BUILT / trained_count(data, DEEP),
          "regions of the hand-built network over regions on the board after training, 4×8", low=200),
    Claim("04.trained-change", COUNTS, "Training changes the count by less than a factor of ten.",
          lambda data: change(data, DEEP), "regions after training over regions before, 4×8", low=0.1, high=10),
    Claim("04.trained-depth", COUNTS, "After training, depth shows: four layers have several times as many as one.",
          lambda data: trained_count(data, DEEP) / trained_count(data, SHALLOW),
          "regions after training, 4×8 over 1×32", low=2),
    Claim("04.trained-beyond", COUNTS, "Four trained layers have about as many as one layer could have at best.",
          lambda data: trained_count(data, DEEP) / ONE_LAYER,
          "regions after training, 4×8, over the most that one layer of 32 can have", low=0.5, high=2),
    Claim("04.depth-plane", COUNTS, "On the whole plane less is left of what depth adds.",
          lambda data: trained_count(data, DEEP, PLANE) / trained_count(data, SHALLOW, PLANE),
          "regions after training on a square 1,000 times as wide, 4×8 over 1×32", low=1, high=3),
    Claim("04.depth-one-rate", COUNTS, "At one learning rate for both, less is left of what depth adds.",
          lambda data: counting.at_rate(data, DEEP, HE, 0.03) / counting.at_rate(data, SHALLOW, HE, 0.03),
          "regions after training from He's initialisation with rate 0.03, 4×8 over 1×32", low=1, high=3),
    Claim("04.shallow-loses", COUNTS, "Training takes most regions on the board from one layer.",
          lambda data: change(data, SHALLOW), "regions after training over regions before, 1×32", high=0.5),
    Claim("04.shallow-moved", COUNTS, "The trained layer has most of its regions off the board.",
          lambda data: trained_count(data, SHALLOW, PLANE) / trained_count(data, SHALLOW),
          "regions on a square 1,000 times as wide over regions on the board, 1×32 after training", low=2),
    Claim("04.narrow-worst", COUNTS, "Eight layers of 4 learn the board worst.",
          lambda data: accuracy(data, DEEP) - accuracy(data, NARROW), "held-out accuracy, 4×8 minus 8×4", low=0.05),
    Claim("04.trained-plane", COUNTS, "The box is not the trick: the whole plane has at most four times as many.",
          lambda data: trained_count(data, DEEP, PLANE) / trained_count(data, DEEP),
          "regions on a square 1,000 times as wide over regions on the board, 4×8 after training", high=4),
    Claim("04.trained-line", COUNTS, "Along a line, four trained layers have about as many as one layer could have.",
          lambda data: trained_count(data, DEEP, counting.LINE) / (UNITS + 1),
          "regions along a line across the board, 4×8 after training, over the most of one layer of 32",
          low=0.5, high=2),
    Claim("04.random-depth", COUNTS, "At equal units, four layers change the count of a random network by at most two.",
          lambda data: random_count(data, DEEP, HE) / random_count(data, SHALLOW, HE),
          "regions of random networks, He's initialisation, 4×8 over 1×32", low=0.5, high=2),
    Claim("04.random-default", COUNTS, "With PyTorch's initialisation, deep random networks have at most half as many.",
          lambda data: random_count(data, DEEP) / random_count(data, SHALLOW),
          "regions of random networks, PyTorch's initialisation, 4×8 over 1×32", high=0.5),
    Claim("04.random-square", GROWTH, "A random network's regions grow about with the square of its units.",
          lambda data: counting.growth(data, 4),
          "exponent from 32 to 256 units, four hidden layers, He's initialisation", low=1.8, high=2.2),
    Claim("04.random-grown", GROWTH, "With 256 units, too, four layers change the count by at most two.",
          lambda data: counting.deep_over_shallow(data, 4, counting.GROWN[-1]),
          "regions of random networks with 256 units, four layers over one, He's initialisation", low=0.5, high=2),
]
