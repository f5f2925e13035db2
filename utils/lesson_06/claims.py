"""The claims of lesson 06, initialization, in the order of the lesson."""

from __future__ import annotations

import numpy as np

from utils.claims import Claim
from utils.lesson_06 import defaults, edge, gains, zoo
from utils.lesson_06.edge import CHAOTIC, EDGE, ORDERED, longer, ratio_to_theory, trainable, trainable_depth
from utils.lesson_06.first_aid import BEST, aid, best_without_gain, epsilon
from utils.lesson_06.gains import HE, RELU, TANH, passing
from utils.lesson_06.hundred import at_best_gain, hundred, reached
from utils.lesson_06.zoo import DEPTHS, LAYERS, ZOO, best_scores, gap, text_listed, text_starts

BELOW, ABOVE = edge.LONGER_GAINS
NARROW, _, WIDE = edge.WIDTHS
SHALLOW, DEEP = DEPTHS
BUT_SIGMOID = [activation for activation in ZOO if activation != "sigmoid"]
SIGMOID_DECADES = (LAYERS - 1) * float(np.log10(zoo.gradient_factor("sigmoid")))

CLAIMS = [
    # the path
    Claim("06.signal-kept", passing, "At gain √2 a ReLU layer keeps the signal's mean square.",
          lambda data: gains.select(data, "signal", RELU, HE),
          "factor of the signal's mean square in a layer, ReLU, gain √2, width 300", low=0.97, high=1.03),
    Claim("06.chi-gradient", passing, "Each layer multiplies the gradient's mean square by χ₁, for ReLU and for tanh.",
          lambda data: np.abs(gains.error_vs_theory(data)).max(["activation", "gain"]),
          "largest departure of the measured factor from χ₁, as a share of it, over both and eight gains", high=0.1,
          tried="The theory at the depth that was measured: tanh at gain 1 is far off, since lengths have not "
          "settled, and there that theory is closer (departure from it: 06.chi-unsettled)."),
    Claim("06.chi-unsettled", passing, "At gain 1 tanh is within .02 of theory at the depth that was measured.",
          lambda data: gains.select(data, "gradient", TANH, 1.0) / (1 + gains.departure()) - 1,
          "departure of tanh's factor at gain 1 from that of an infinitely wide network there, as a share of it",
          low=-0.02, high=0.02),
    Claim("06.tanh-explodes", passing, "At gain 2 the gradient of tanh explodes as theory says, within a factor 1.5.",
          lambda data: gains.select(data, "back", TANH, 2.0),
          "size of the gradient in layer 1 over that in layer 50, tanh, gain 2",
          low=gains.growth(2.0) / 1.5, high=gains.growth(2.0) * 1.5),
    Claim("06.tanh-fades", passing, "At gain 1 a tanh network's signal fades slowly, close to theory's 1/√(2l).",
          lambda data: gains.select(data, "size", TANH, 1.0),
          "size of the signal after 20 layers, tanh, gain 1, width 300", low=0.14, high=0.2),
    Claim("06.slide-vanishes", defaults.slide, "At factor 1.5 the gradient shrinks at least as χ₁ says.",
          lambda data: np.log10(defaults.growth(data, defaults.FACTOR)),
          "decades from the first layer's gradient at 2 hidden layers to that at 50, factor 1.5",
          high=(defaults.DEPTHS[-1] - defaults.DEPTHS[0]) / 2 * float(np.log10(defaults.slide_chi(defaults.FACTOR)))),
    Claim("06.aid-others", aid, "Of the five other repairs none gets more than a third of the digits right.",
          best_without_gain,
          "best held-out accuracy with PyTorch's gain: unrepaired, wider, longer, zero biases, tanh", high=0.33),
    Claim("06.aid-root", aid, "With gain √2 the network trains.",
          lambda data: aid.best(data, repair=BEST),
          "held-out accuracy of 30 ReLU layers, gain √2", low=0.75,
          tried="Gain 1 trains as well, and is behind (06.aid-one)."),
    Claim("06.aid-one", aid, "With gain 1 it trains, too, but less well.",
          lambda data: aid.best(data, repair=BEST) - aid.best(data, repair="gain 1"),
          "difference in held-out accuracy, gain √2 minus gain 1", low=0.02,
          tried="Each at its own best rate. Not tried beyond this budget of steps: it is said of them alone."),
    Claim("06.aid-epsilon", epsilon, "With an ε of next to nothing the unrepaired network passes that third.",
          epsilon.best, "held-out accuracy of the unrepaired network, Adam with ε = 1e-24", low=0.33),
    Claim("06.hundred-orthogonal", hundred, "A hundred tanh layers train from orthogonal weights.",
          lambda data: reached(data, "orthogonal"),
          "held-out accuracy of 100 tanh layers of width 32, orthogonal weights", low=0.9),
    Claim("06.hundred-gaussian", hundred, "From Gaussian weights of the same gain they get less than half right.",
          lambda data: reached(data, "Gaussian"),
          "held-out accuracy of 100 tanh layers of width 32, Gaussian weights", high=0.5),
    Claim("06.hundred-tuned", hundred, "With the best of four gains Gaussian weights are still a fifth behind.",
          lambda data: reached(data, "orthogonal") - at_best_gain(data),
          "held-out accuracy, orthogonal weights minus Gaussian ones of the gain that is best", low=0.2,
          tried="At gain 1 the lead is larger (06.hundred-lead); more steps as well: 06.hundred-longer."),
    Claim("06.hundred-lead", hundred, "At gain 1 Gaussian weights are a fifth behind.",
          lambda data: reached(data, "orthogonal") - reached(data, "Gaussian"),
          "held-out accuracy, orthogonal weights minus Gaussian ones, both of gain 1", low=0.2,
          tried="Other gains for Gaussian weights (06.hundred-tuned)."),
    Claim("06.hundred-longer", hundred, "With gain 1.1 and four times the steps they are a tenth behind.",
          lambda data: reached(data, "orthogonal") - reached(data, "longer"),
          "held-out accuracy, orthogonal weights minus Gaussian ones, gain 1.1, four times the steps", low=0.1,
          tried="It has the gain that was best among four, and more steps; the gain alone leaves a larger lead "
          "(06.hundred-tuned). More units, and few steps: 06.orthogonal-narrow, 06.orthogonal-wide."),
    # 06a, the activation zoo
    Claim("06.zoo-sigmoid", zoo.signal,
          "Sigmoid's gradient loses in the second moment what χ says, within 5 %.",
          lambda data: data["gradient"].sel(activation="sigmoid", layer=1, drop=True),
          "decades from the second moment of sigmoid's gradient in layer 100 to that in layer 1, width 300",
          low=1.05 * SIGMOID_DECADES, high=0.95 * SIGMOID_DECADES),
    Claim("06.zoo-gelu", zoo.signal, "GELU's second moment is off by at least a factor of 100 after 100 layers.",
          lambda data: np.abs(data["moment"].sel(activation="gelu", layer=LAYERS, drop=True)),
          "decades by which the second moment of GELU has left 1 in layer 100, width 300", low=2),
    Claim("06.zoo-back", zoo.dead, "In layers 2 and 3 units come back, in at least half of the networks.",
          lambda data: (data["back"].sel(rate=zoo.DEAD_RATES[-1], layer=[2, 3]).sum("layer") > 0).astype(float),
          "1 where a unit of layers 2 and 3 was off after an epoch and is not after 20, rate 1", low=0.5,
          statistic="share"),
    Claim("06.zoo-text", zoo.text_starts, "At the chapter's rate the small start ends at least twice as high as He's.",
          lambda data: text_listed(data, "σ = 0.01") / text_listed(data, "He"),
          "training error at the chapter's rate, σ = 0.01 over He", low=2,
          tried="Other rates, the best for each: the order turns round (06.zoo-text-tuned)."),
    Claim("06.zoo-text-tuned", zoo.text_starts,
          "Tuned, the small start's held-out error is at least ten times lower than He's.",
          lambda data: np.log10(text_starts.best(data, start="He") / text_starts.best(data, start="σ = 0.01")),
          "decades by which He's held-out error exceeds that of σ = 0.01, both tuned", low=1,
          tried="The chapter's own rate, at which it is behind (06.zoo-text), and one more hidden layer, with which it "
          "never learns (06.zoo-text-deep)."),
    Claim("06.zoo-text-deep", zoo.deeper_text,
          "With one more hidden layer the small start's error is higher by half of the variance at least.",
          lambda data: zoo.deeper_text.best(data, start="σ = 0.01", depth=2)
          - zoo.deeper_text.best(data, start="He", depth=2),
          "held-out error of σ = 0.01 less He's, two hidden layers, both tuned", low=0.5),
    Claim("06.zoo-flip", zoo.flip, "On the flip, tanh's best error is at least three times ReLU's, at 2 layers.",
          lambda data: np.log10(best_scores(data, "tanh", SHALLOW) / best_scores(data, "relu", SHALLOW)),
          "decades by which tanh's held-out error exceeds ReLU's, 2 hidden layers, both tuned", low=0.5,
          tried="Each has the best of four initialisations and ten rates. On digits the lead is gone (06.zoo-two). Not "
          "tried beyond these steps."),
    Claim("06.zoo-two", zoo.digits, "On digits at 2 layers, the best activation is at most .02 ahead of the worst.",
          lambda data: gap(data, SHALLOW, [*ZOO]),
          "held-out accuracy of the best activation less the worst's, 2 hidden layers, tuned", low=-0.02, high=0.02),
    Claim("06.zoo-twenty", zoo.digits, "At 20 layers, sigmoid aside, it is at most .05 ahead of the worst.",
          lambda data: gap(data, DEEP, BUT_SIGMOID),
          "held-out accuracy of the best activation but sigmoid less the worst's, 20 layers, tuned",
          low=-0.05, high=0.05,
          tried="SwiGLU, which has three matrices, beside GELU at equal parameters in one block (06.zoo-gated)."),
    Claim("06.zoo-centred", zoo.centred, "Twenty sigmoid layers train once gain and centring make them tanh's equal.",
          lambda data: zoo.centred.best(data, start="gain and centring"),
          "held-out accuracy of 20 sigmoid layers from 4V and −2V·1, V orthogonal", low=0.9,
          tried="The gain alone (06.zoo-gain-alone), centring alone (06.zoo-centring-alone), and tanh from the same V, "
          "less this (06.zoo-tanh-beside)."),
    Claim("06.zoo-gain-alone", zoo.centred, "With the gain alone they get less than half of the digits right.",
          lambda data: zoo.centred.best(data, start="gain alone"),
          "held-out accuracy of 20 sigmoid layers from 4V, biases zero", high=0.5),
    Claim("06.zoo-centring-alone", zoo.centred, "With centring alone, too.",
          lambda data: zoo.centred.best(data, start="centring alone"),
          "held-out accuracy of 20 sigmoid layers from V and −V·1/2", high=0.5),
    Claim("06.zoo-tanh-beside", zoo.centred, "Tanh from the same V is at most .03 away.",
          lambda data: zoo.centred.best(data, start="tanh") - zoo.centred.best(data, start="gain and centring"),
          "held-out accuracy, tanh less sigmoid made its equal, 20 layers, both tuned", low=-0.03, high=0.03),
    Claim("06.zoo-default", zoo.digits, "At 20 layers, ReLU loses at least .3 with PyTorch's default weights.",
          lambda data: best_scores(data, "relu", DEEP, "he") - best_scores(data, "relu", DEEP, "default"),
          "held-out accuracy of ReLU, He less PyTorch's default, 20 hidden layers, both tuned", low=0.3,
          tried="Each at the best of seven rates. With two layers all choices are close (06.zoo-two). Not tried beyond "
          "twenty epochs."),
    Claim("06.zoo-gated", zoo.blocks, "At equal parameters SwiGLU and GELU are within .02 of each other on digits.",
          lambda data: zoo.blocks.best(data, block="SwiGLU") - zoo.blocks.best(data, block="GELU"),
          "held-out accuracy, SwiGLU less GELU, 12,288 weights in the block, both tuned", low=-0.02, high=0.02),
    # 06b, the edge again
    Claim("06.edge-deepest", trainable, "At the edge, networks learn three times as deep as far away from it.",
          lambda data: trainable_depth(data, EDGE)
          / np.maximum(trainable_depth(data, ORDERED[0]), trainable_depth(data, CHAOTIC[-1])),
          "trainable depth at the edge over the larger of those at σ_w = 0.7 and 4", low=3,
          tried="Four times the steps, at gains nearer to the edge, move what is reached on both sides "
          "(06.longer-ordered, 06.longer-chaotic). Not tried with Adam, nor with orthogonal weights."),
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
          "trainable depth after four times the steps over that before, σ_w = 0.9", low=1.2,
          tried="Rates tuned again for both budgets. Not tried beyond three depths, between which it is read off."),
    Claim("06.longer-chaotic", longer, "Above the edge, they reach at least a fifth deeper, too.",
          lambda data: edge.depth_gained(data, ABOVE),
          "trainable depth after four times the steps over that before, σ_w = 2.5", low=1.2,
          tried="The same as below the edge (06.longer-ordered)."),
    Claim("06.orthogonal-narrow", edge.widths, "Width 25, 100 layers: orthogonal weights lead by at least a tenth.",
          lambda data: edge.orthogonal_lead(data, NARROW),
          "held-out accuracy of orthogonal minus Gaussian weights, width 25", low=0.1,
          tried="At width 32, the gain of Gaussian weights (06.hundred-tuned), and more steps besides "
          "(06.hundred-longer). Not tried at these widths."),
    Claim("06.orthogonal-wide", edge.widths, "Width 200, twice the depth: they lead by at least a tenth.",
          lambda data: edge.orthogonal_lead(data, WIDE),
          "held-out accuracy of orthogonal minus Gaussian weights, width 200", low=0.1,
          tried="The same (06.hundred-tuned, 06.hundred-longer)."),
]
