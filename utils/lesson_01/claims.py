"""The claims of lesson 01, universal approximation."""

from __future__ import annotations

from utils.claims import Claim
from utils.comparison import TRAINING
from utils.lesson_01.cosines import bell_variance, cosines, largest
from utils.lesson_01.curves import LARGEST, best_weights_error, built, learned, learning
from utils.lesson_01.hypotheses import above_floor, switch, switched
from utils.lesson_01.rings import on_planes, on_rings, ring, ring_bayes_accuracy

CLAIMS = [
    Claim("01.line", on_rings, "On the rings logistic regression is hardly better than guessing.",
          lambda data: ring(data, "line"), "held-out accuracy", low=0.45, high=0.6,
          tried="Three linear layers in a row do the same, up to 01.deep-linear."),
    Claim("01.hand-made", on_rings,
          "On the rings logistic regression with squares is nearly as good as any classifier can be.",
          lambda data: ring_bayes_accuracy() - ring(data, "squares"),
          "held-out accuracy of the best of all classifiers minus its own", high=0.025,
          tried="Nothing can beat the best of all classifiers, whose accuracy is computed, not trained."),
    Claim("01.deep-linear", on_rings, "Three linear layers in a row do on the rings what one does.",
          lambda data: ring(data, "deep linear") - ring(data, "line"),
          "held-out accuracy, three linear layers minus one", low=-0.02, high=0.02),
    Claim("01.third-unit", on_rings, "On the rings a third ReLU unit makes much difference.",
          lambda data: ring(data, "3 units") - ring(data, "2 units"), "held-out accuracy, 3 units minus 2", low=0.03,
          tried="Each has its best rate; three fence in a ring, so this task is made for three."),
    Claim("01.learned-features", on_rings, "Ten learned features do nearly as well on the rings as two made by hand.",
          lambda data: ring(data, "squares") - ring(data, "10 units"),
          "held-out accuracy, made by hand minus 10 learned", low=-0.005, high=0.03),
    Claim("01.width-is-harmless", on_rings, "With the rate chosen on validation data 100 units are no worse than 10.",
          lambda data: ring(data, "100 units") - ring(data, "10 units"),
          "held-out accuracy, 100 units minus 10", low=-0.005, high=0.03),
    Claim("01.by-heart", on_rings, "With the rate chosen by training loss 100 units memorise the training points.",
          lambda data: ring(data, "100 units", TRAINING, by=TRAINING), "training accuracy, 100 units", low=0.99),
    Claim("01.overfit", on_rings, "Memorising the points costs 100 units held-out accuracy, but not much.",
          lambda data: ring(data, "100 units") - ring(data, "100 units", by=TRAINING),
          "held-out accuracy of 100 units, rate by validation minus rate by training loss", low=0.005, high=0.06),
    Claim("01.overconfident", on_rings, "Memorising the points multiplies their held-out cross-entropy.",
          lambda data: ring(data, "100 units", by=TRAINING, what="loss") / ring(data, "100 units", what="loss"),
          "held-out cross-entropy of 100 units, rate by training loss over rate by validation", low=1.5,
          tried="The rate chosen on validation data is the control: same network, same steps."),
    Claim("01.flat-for-lines", on_planes, "On two clouds, where a line is enough, more units buy nothing.",
          lambda data: on_planes.best(data, set="two clouds", width=32)
          - on_planes.best(data, set="two clouds", width=0),
          "held-out accuracy on two clouds, 32 units minus none", low=-0.01, high=0.01),
    Claim("01.spirals-sixteen", on_planes, "The spirals need more units: sixteen are far better than four.",
          lambda data: on_planes.best(data, set="two spirals", width=16)
          - on_planes.best(data, set="two spirals", width=4),
          "held-out accuracy on two spirals, 16 units minus 4", low=0.2,
          tried="Both have their best of six rates. On a task in the class of fewer units there is no lead "
          "(01.flat-for-lines)."),
    Claim("01.polynomial", switched, "With the activation z² training for the sine comes close to the floor.",
          lambda data: above_floor(data, "polynomial activation"),
          "mean squared error of 16 units, over the smallest possible, minus 1", low=-0.001, high=0.05),
    Claim("01.odd", switched, "Without biases, training tanh networks for x² comes close to the floor.",
          lambda data: above_floor(data, "no bias"),
          "mean squared error of 16 units, over the smallest possible, minus 1", low=-0.001, high=0.05,
          tried="With biases the same networks learn it (01.odd-repaired)."),
    Claim("01.odd-repaired", switched, "With biases the same tanh networks learn x².",
          lambda data: switch(data, "no bias, repaired"), "mean squared error, 16 units", high=0.001),
    Claim("01.jump", switched, "On the step the largest error stays near one half.",
          lambda data: switch(data, "target not continuous", error=LARGEST),
          "largest error on 20,001 points, 16 units", low=0.49, high=0.8),
    Claim("01.outside", switched, "Networks trained for the sine on [-5, 5] are far off on [-10, 10].",
          lambda data: switch(data, "set not bounded", error=LARGEST), "largest error on [-10, 10], 16 units", low=1),
    Claim("01.dimension", cosines, "In 100 dimensions 1,000 random cosines err as the formula expects.",
          lambda data: largest(data) / largest(data, "expected"),
          "mean squared error, measured over expected", low=0.9, high=1.1, statistic="mean"),
    Claim("01.dimension-free", cosines, "In 100 dimensions 1,000 random cosines explain nearly all of the bell.",
          lambda data: largest(data) / bell_variance(), "mean squared error over the best constant's", high=0.01,
          tried="The bell is in the class for which Barron's bound is small. Nothing is said of other targets."),
    Claim("01.few-units", learning, "With 10 units for two sines, training beats interpolation.",
          lambda data: learned(data, "default", "two sines", 10) / built("two sines", 10),
          "mean squared error, trained over hand-built", high=0.8,
          tried="The hand-built side is given the best output weights for its own hinges: most of the lead is theirs "
          "(01.few-units-weights)."),
    Claim("01.few-units-weights", learning, "Most of that lead is the output weights', not the hinges'.",
          lambda data: (built("two sines", 10) - best_weights_error("two sines", 10))
          / (built("two sines", 10) - learned(data, "default", "two sines", 10)),
          "share of the lead that evenly spaced hinges with the best output weights have, too", low=0.6, high=1.2),
    Claim("01.many-units", learning, "With 80 ReLU units for two sines, training stays far behind building.",
          lambda data: learned(data, "default", "two sines", 80) / built("two sines", 80),
          "mean squared error, trained over hand-built", low=20,
          tried="Other random weights, with steep tanh, beat the hand-built network (01.steep-tanh), and bends inside "
          "the interval help (01.spread): it is these 10,000 steps from PyTorch's weights that stay behind."),
    Claim("01.trained", learning, "80 trained ReLU units miss the sine by far more than 80 hand-built ones.",
          lambda data: learned(data, "default", "sin", 80, LARGEST) / built("sin", 80, LARGEST),
          "largest error for the sine, 80 units, trained over hand-built", low=10,
          tried="On two sines the mean squared error is further behind (01.many-units), but steep tanh units beat "
          "hand-built ReLU (01.steep-tanh). From hand-built weights training improves (01.stays)."),
    Claim("01.spread", learning, "Bends that begin inside the interval help ReLU networks with 80 units for the sine.",
          lambda data: learned(data, "default", "sin", 80, LARGEST) / learned(data, "spread", "sin", 80, LARGEST),
          "largest error for the sine, 80 units, PyTorch's initialisation over bends inside", low=1.5,
          tried="Both have their best rate; it is said of this target alone."),
    Claim("01.tanh-largest", learning, "80 steep tanh units miss the sine by somewhat more than hand-built ReLU.",
          lambda data: learned(data, "steep tanh", "sin", 80, LARGEST) / built("sin", 80, LARGEST),
          "largest error for the sine, 80 units, trained steep tanh over hand-built ReLU", low=1.5, high=10),
    Claim("01.steep-tanh", learning, "80 steep tanh units, initialised at random, beat hand-built ReLU for two sines.",
          lambda data: learned(data, "steep tanh", "two sines", 80) / built("two sines", 80),
          "mean squared error, trained tanh over hand-built ReLU", high=0.5,
          tried="With ReLU units and PyTorch's weights the hand-built network is far ahead (01.many-units): what wins "
          "is the initialisation and the activation, not training as such."),
    Claim("01.stays", learning, "Started at hand-built weights for the sine, 40 ReLU units stay there and improve.",
          lambda data: learned(data, "written down", "sin", 40) / built("sin", 40),
          "mean squared error, after training over before", high=0.5,
          tried="From random weights the same training stays far behind hand-built networks (01.many-units)."),
]
