"""The claims of lesson 06, initialization, in the order of the lesson."""

from __future__ import annotations

import numpy as np

from utils.claims import Claim
from utils.lesson_06 import defaults, edge, gains, zoo
from utils.lesson_06.edge import CHAOTIC, EDGE, ORDERED, longer, ratio_to_theory, trainable, trainable_depth
from utils.lesson_06.first_aid import BEST, aid, best_without_gain
from utils.lesson_06.gains import HE, RELU, TANH, passing
from utils.lesson_06.hundred import hundred, reached
from utils.lesson_06.zoo import DEPTHS, LAYERS, ZOO, best_scores, gap, text_listed, text_starts

BELOW, ABOVE = edge.LONGER_GAINS
NARROW, EQUAL, WIDE = edge.WIDTHS
SHALLOW, DEEP = DEPTHS
BUT_SIGMOID = [activation for activation in ZOO if activation != "sigmoid"]

CLAIMS = [
    # the path
    Claim("06.signal-kept", passing, "At gain √2 a ReLU layer keeps the signal's mean square.",
          lambda data: gains.select(data, "signal", RELU, HE),
          "factor of the signal's mean square in a layer, ReLU, gain √2, width 300", low=0.97, high=1.03),
    Claim("06.chi-gradient", passing, "Each layer multiplies the gradient's mean square by χ₁, for ReLU and for tanh.",
          lambda data: np.abs(gains.error_vs_theory(data)).max(["activation", "gain"]),
          "largest departure of the measured factor from χ₁, as a share of it, over both and eight gains", high=0.1),
    Claim("06.tanh-explodes", passing, "At gain 2 the gradient of a tanh network of 50 layers explodes.",
          lambda data: gains.select(data, "back", TANH, 2.0),
          "size of the gradient in layer 1 over that in layer 50, tanh, gain 2", low=100),
    Claim("06.tanh-fades", passing, "At gain 1 a tanh network's signal fades slowly, close to theory's 1/√(2l).",
          lambda data: gains.select(data, "size", TANH, 1.0),
          "size of the signal after 20 layers, tanh, gain 1, width 300", low=0.14, high=0.2),
    Claim("06.slide-vanishes", defaults.slide, "At factor 1.5 the gradient shrinks by three decades at least.",
          lambda data: np.log10(defaults.growth(data, defaults.FACTOR)),
          "decades from the first layer's gradient at 2 hidden layers to that at 50, factor 1.5", high=-3),
    Claim("06.aid-others", aid, "No repair that leaves the gain gets more than a third of the digits right.",
          best_without_gain,
          "best held-out accuracy with PyTorch's gain: unrepaired, wider, longer, zero biases, tanh", high=0.33),
    Claim("06.aid-root", aid, "With gain √2 the network trains.",
          lambda data: aid.best(data, repair=BEST),
          "held-out accuracy of 30 ReLU layers, gain √2", low=0.75),
    Claim("06.aid-one", aid, "With gain 1 it trains, too, but less well.",
          lambda data: aid.best(data, repair=BEST) - aid.best(data, repair="gain 1"),
          "difference in held-out accuracy, gain √2 minus gain 1", low=0.02),
    Claim("06.hundred-orthogonal", hundred, "A hundred tanh layers train from orthogonal weights.",
          lambda data: reached(data, "orthogonal"),
          "held-out accuracy of 100 tanh layers of width 32, orthogonal weights", low=0.9),
    Claim("06.hundred-gaussian", hundred, "From Gaussian weights of the same gain they get less than half right.",
          lambda data: reached(data, "Gaussian"),
          "held-out accuracy of 100 tanh layers of width 32, Gaussian weights", high=0.5),
    Claim("06.hundred-longer", hundred, "With four times the steps they are still behind.",
          lambda data: reached(data, "orthogonal") - reached(data, "longer"),
          "held-out accuracy, orthogonal weights minus Gaussian ones with four times the steps", low=0.1),
    # 06a, the activation zoo
    Claim("06.zoo-sigmoid", zoo.signal,
          "Sigmoid's gradient loses at least 40 powers of ten in the second moment.",
          lambda data: data["gradient"].sel(activation="sigmoid", layer=1, drop=True),
          "decades from the second moment of sigmoid's gradient in layer 100 to that in layer 1, width 300", high=-40),
    Claim("06.zoo-gelu", zoo.signal, "GELU's second moment is off by at least a factor of 100 after 100 layers.",
          lambda data: np.abs(data["moment"].sel(activation="gelu", layer=LAYERS, drop=True)),
          "decades by which the second moment of GELU has left 1 in layer 100, width 300", low=2),
    Claim("06.zoo-back", zoo.dead, "In layers 2 and 3 units come back, in at least half of the networks.",
          lambda data: (data["back"].sel(rate=zoo.DEAD_RATES[-1], layer=[2, 3]).sum("layer") > 0).astype(float),
          "1 where a unit of layers 2 and 3 was off after an epoch and is not after 20, rate 1", low=0.5,
          statistic="share"),
    Claim("06.zoo-text", zoo.text_starts, "At the text's rate the small start ends at least twice as high as He's.",
          lambda data: text_listed(data, "σ = 0.01") / text_listed(data, "He"),
          "training error at the text's rate, σ = 0.01 over He", low=2),
    Claim("06.zoo-text-tuned", zoo.text_starts,
          "Tuned, the small start's held-out error is at least ten times lower than He's.",
          lambda data: np.log10(text_starts.best(data, start="He") / text_starts.best(data, start="σ = 0.01")),
          "decades by which He's held-out error exceeds that of σ = 0.01, both tuned", low=1),
    Claim("06.zoo-flip", zoo.flip, "On the flip, tanh's best error is at least three times ReLU's, at 2 layers.",
          lambda data: np.log10(best_scores(data, "tanh", SHALLOW) / best_scores(data, "relu", SHALLOW)),
          "decades by which tanh's held-out error exceeds ReLU's, 2 hidden layers, both tuned", low=0.5),
    Claim("06.zoo-two", zoo.digits, "On digits at 2 layers, the best activation is at most .02 ahead of the worst.",
          lambda data: gap(data, SHALLOW, [*ZOO]),
          "held-out accuracy of the best activation less the worst's, 2 hidden layers, tuned", low=-0.02, high=0.02),
    Claim("06.zoo-twenty", zoo.digits, "At 20 layers, sigmoid aside, it is at most .05 ahead of the worst.",
          lambda data: gap(data, DEEP, BUT_SIGMOID),
          "held-out accuracy of the best activation but sigmoid less the worst's, 20 layers, tuned",
          low=-0.05, high=0.05),
    Claim("06.zoo-default", zoo.digits, "At 20 layers, ReLU loses at least .3 with PyTorch's default weights.",
          lambda data: best_scores(data, "relu", DEEP, "he") - best_scores(data, "relu", DEEP, "default"),
          "held-out accuracy of ReLU, He less PyTorch's default, 20 hidden layers, both tuned", low=0.3),
    Claim("06.zoo-gated", zoo.blocks, "At equal parameters SwiGLU and GELU are within .02 of each other on digits.",
          lambda data: zoo.blocks.best(data, block="SwiGLU") - zoo.blocks.best(data, block="GELU"),
          "held-out accuracy, SwiGLU less GELU, 12,288 weights in the block, both tuned", low=-0.02, high=0.02),
    # 06b, the edge again
    Claim("06.edge-deepest", trainable, "At the edge, networks learn three times as deep as far away from it.",
          lambda data: trainable_depth(data, EDGE)
          / np.maximum(trainable_depth(data, ORDERED[0]), trainable_depth(data, CHAOTIC[-1])),
          "trainable depth at the edge over the larger of those at σ_w = 0.7 and 4", low=3),
    Claim("06.edge-ordered", trainable, "Below the edge, the trainable depth is 6 ξ_c within a factor of 1.5.",
          lambda data: ratio_to_theory(data, ORDERED),
          "trainable depth over 6 ξ_c, geometric mean of five gains below the edge", low=1 / 1.5, high=1.5),
    Claim("06.edge-power", trainable, "Below the edge, it grows more slowly than ξ_c.",
          lambda data: edge.power_of_theory(data, ORDERED),
          "power of ξ_c with which the trainable depth grows, five gains below the edge", low=0.4, high=0.9),
    Claim("06.edge-chaotic", trainable, "Above the edge, the trainable depth falls short of 6 ξ_c.",
          lambda data: ratio_to_theory(data, CHAOTIC),
          "trainable depth over 6 ξ_c, geometric mean of five gains above the edge", low=0.3, high=0.9),
    Claim("06.edge-gradient", longer, "Above the edge, it is 6/ln χ₁ within a factor of 1.5: the gradient's scale.",
          lambda data: trainable_depth(data, ABOVE, epochs=edge.EPOCHS) / edge.gradient_reach(ABOVE),
          "trainable depth over 6/ln χ₁, σ_w = 2.5, fresh seeds", low=1 / 1.5, high=1.5),
    Claim("06.longer-ordered", longer, "Below the edge, four times the steps reach at least a fifth deeper.",
          lambda data: edge.depth_gained(data, BELOW),
          "trainable depth after four times the steps over that before, σ_w = 0.9", low=1.2),
    Claim("06.longer-chaotic", longer, "Above the edge, they reach at least a fifth deeper, too.",
          lambda data: edge.depth_gained(data, ABOVE),
          "trainable depth after four times the steps over that before, σ_w = 2.5", low=1.2),
    Claim("06.orthogonal-narrow", edge.widths, "Width 25, 100 layers: orthogonal weights lead by at least a tenth.",
          lambda data: edge.orthogonal_lead(data, NARROW),
          "held-out accuracy of orthogonal minus Gaussian weights, width 25", low=0.1),
    Claim("06.orthogonal-equal", edge.widths, "Width 100: they lead by at least a tenth.",
          lambda data: edge.orthogonal_lead(data, EQUAL),
          "held-out accuracy of orthogonal minus Gaussian weights, width 100", low=0.1),
    Claim("06.orthogonal-wide", edge.widths, "Width 200, twice the depth: they lead by at least a tenth.",
          lambda data: edge.orthogonal_lead(data, WIDE),
          "held-out accuracy of orthogonal minus Gaussian weights, width 200", low=0.1),
]
