"""The claims of lesson 01, universal approximation."""

from __future__ import annotations

from utils.claims.definition import Claim, Experiment
from utils.comparison import PARTS, TRAINING
from utils.lesson_01 import learning
from utils.lesson_01.cosines import COSINE_INPUTS, COSINE_UNITS, bell_variance, cosines, measure_cosines
from utils.lesson_01.curves import CURVES, LARGEST, RATES, best_weights_error
from utils.lesson_01.hypotheses import SWITCH_WIDTHS, SWITCHES, above_floor, measure_switches, switch
from utils.lesson_01.learning import built, learned
from utils.lesson_01.planes import PLANE_WIDTHS, PLANES, measure_planes, plane
from utils.lesson_01.rings import RING_RATES, RINGS, measure_rings, ring, ring_bayes_accuracy

RING = Experiment(
    "01_rings", measure_rings, {"network": RINGS, "rate": RING_RATES, "part": PARTS}, seeds=40, minutes=1, chunk=20
)
PLANE = Experiment(
    "01_planes", measure_planes, {"set": PLANES, "width": PLANE_WIDTHS, "rate": RATES, "part": PARTS}, minutes=1
)
SWITCH = Experiment(
    "01_switches", measure_switches, {"switch": SWITCHES, "width": SWITCH_WIDTHS, "rate": RATES}, minutes=1
)
LEARNING = Experiment(
    "01_learning", learning.measure_learning,
    {"start": learning.START_NAMES, "target": learning.TARGET_NAMES, "width": learning.LEARNING_WIDTHS,
     "rate": learning.LEARNING_RATES},
    minutes=25, chunk=5,
)
COSINES = Experiment(
    "01_cosines", measure_cosines, {"inputs": COSINE_INPUTS, "units": COSINE_UNITS}, seeds=40, minutes=0.2
)

CLAIMS = [
    Claim("01.line", RING, "On the rings logistic regression is hardly better than guessing.",
          lambda data: ring(data, "line"), "held-out accuracy", low=0.45, high=0.6),
    Claim("01.hand-made", RING,
          "On the rings logistic regression with squares is nearly as good as any classifier can be.",
          lambda data: ring_bayes_accuracy() - ring(data, "squares"),
          "held-out accuracy of the best of all classifiers minus its own", high=0.025),
    Claim("01.deep-linear", RING, "Three linear layers in a row do on the rings what one does.",
          lambda data: ring(data, "deep linear") - ring(data, "line"),
          "held-out accuracy, three linear layers minus one", low=-0.02, high=0.02),
    Claim("01.third-unit", RING, "On the rings a third ReLU unit makes much difference.",
          lambda data: ring(data, "3 units") - ring(data, "2 units"),
          "held-out accuracy, 3 units minus 2", low=0.03),
    Claim("01.learned-features", RING, "Ten learned features do nearly as well on the rings as two made by hand.",
          lambda data: ring(data, "squares") - ring(data, "10 units"),
          "held-out accuracy, made by hand minus 10 learned", low=-0.005, high=0.03),
    Claim("01.width-is-harmless", RING, "With the rate chosen on validation data 100 units are no worse than 10.",
          lambda data: ring(data, "100 units") - ring(data, "10 units"),
          "held-out accuracy, 100 units minus 10", low=-0.005, high=0.03),
    Claim("01.by-heart", RING, "With the rate chosen by training loss 100 units memorise the training points.",
          lambda data: ring(data, "100 units", TRAINING, by=TRAINING), "training accuracy, 100 units", low=0.99),
    Claim("01.overfit", RING, "Memorising the points costs 100 units held-out accuracy, but not much.",
          lambda data: ring(data, "100 units") - ring(data, "100 units", by=TRAINING),
          "held-out accuracy of 100 units, rate by validation minus rate by training loss", low=0.005, high=0.06),
    Claim("01.overconfident", RING, "Memorising the points multiplies their held-out cross-entropy.",
          lambda data: ring(data, "100 units", by=TRAINING, what="loss") / ring(data, "100 units", what="loss"),
          "held-out cross-entropy of 100 units, rate by training loss over rate by validation", low=1.5),
    Claim("01.flat-for-lines", PLANE, "On two clouds, where a line is enough, more units buy nothing.",
          lambda data: plane(data, "two clouds", 32) - plane(data, "two clouds", 0),
          "held-out accuracy on two clouds, 32 units minus none", low=-0.01, high=0.01),
    Claim("01.spirals-sixteen", PLANE, "The spirals need more units: sixteen are far better than four.",
          lambda data: plane(data, "two spirals", 16) - plane(data, "two spirals", 4),
          "held-out accuracy on two spirals, 16 units minus 4", low=0.2),
    Claim("01.polynomial", SWITCH, "With the activation z² training for the sine comes close to the floor.",
          lambda data: above_floor(data, "polynomial activation"),
          "mean squared error of 16 units, over the smallest possible, minus 1", low=-0.001, high=0.05),
    Claim("01.odd", SWITCH, "Without biases, training tanh networks for x² comes close to the floor.",
          lambda data: above_floor(data, "no bias"),
          "mean squared error of 16 units, over the smallest possible, minus 1", low=-0.001, high=0.05),
    Claim("01.odd-repaired", SWITCH, "With biases the same tanh networks learn x².",
          lambda data: switch(data, "no bias, repaired"), "mean squared error, 16 units", high=0.001),
    Claim("01.jump", SWITCH, "On the step the largest error stays near one half.",
          lambda data: switch(data, "target not continuous", error=LARGEST),
          "largest error on 20,001 points, 16 units", low=0.49, high=0.8),
    Claim("01.outside", SWITCH, "Networks trained for the sine on [-5, 5] are far off on [-10, 10].",
          lambda data: switch(data, "set not bounded", error=LARGEST),
          "largest error on [-10, 10], 16 units", low=1),
    Claim("01.dimension", COSINES, "In 100 dimensions 1,000 random cosines err as the formula expects.",
          lambda data: cosines(data) / cosines(data, "expected"),
          "mean squared error, measured over expected", low=0.9, high=1.1, statistic="mean"),
    Claim("01.dimension-free", COSINES, "In 100 dimensions 1,000 random cosines explain nearly all of the bell.",
          lambda data: cosines(data) / bell_variance(),
          "mean squared error over the best constant's", high=0.01),
    Claim("01.few-units", LEARNING, "With 10 units for two sines, training beats interpolation.",
          lambda data: learned(data, "default", "two sines", 10) / built("two sines", 10),
          "mean squared error, trained over hand-built", high=0.8),
    Claim("01.few-units-weights", LEARNING, "Most of that lead is the output weights', not the hinges'.",
          lambda data: (built("two sines", 10) - best_weights_error(CURVES["two sines"], 10))
          / (built("two sines", 10) - learned(data, "default", "two sines", 10)),
          "share of the lead that evenly spaced hinges with the best output weights have, too", low=0.6, high=1.2),
    Claim("01.many-units", LEARNING, "With 80 ReLU units for two sines, training stays far behind building.",
          lambda data: learned(data, "default", "two sines", 80) / built("two sines", 80),
          "mean squared error, trained over hand-built", low=20),
    Claim("01.spread", LEARNING, "Bends that begin inside the interval help ReLU networks with 80 units for the sine.",
          lambda data: learned(data, "default", "sin", 80) / learned(data, "spread", "sin", 80),
          "mean squared error, PyTorch's initialisation over bends inside", low=1.5),
    Claim("01.steep-tanh", LEARNING, "80 steep tanh units, initialised at random, beat hand-built ReLU for two sines.",
          lambda data: learned(data, "steep tanh", "two sines", 80) / built("two sines", 80),
          "mean squared error, trained tanh over hand-built ReLU", high=0.5),
    Claim("01.stays", LEARNING, "Started at hand-built weights for the sine, 40 ReLU units stay there and improve.",
          lambda data: learned(data, "written down", "sin", 40) / built("sin", 40),
          "mean squared error, after training over before", high=0.5),
]
