"""The claims of excursion 06a, the activation zoo."""

from __future__ import annotations

import numpy as np

from utils.claims import Claim
from utils.lesson_06 import zoo
from utils.lesson_06.zoo import DEPTHS, LAYERS, ZOO, gap, text_listed, text_starts, tuned

SHALLOW, DEEP = DEPTHS
BUT_SIGMOID = [activation for activation in ZOO if activation != "sigmoid"]

CLAIMS = [
    Claim("06.zoo-sigmoid", zoo.signals_kept,
          "Sigmoid's gradient loses at least 40 powers of ten in the second moment.",
          lambda data: data["gradient"].sel(activation="sigmoid", layer=1, drop=True),
          "decades from the second moment of sigmoid's gradient in layer 100 to that in layer 1, width 300", high=-40),
    Claim("06.zoo-gelu", zoo.signals_kept, "GELU's second moment is off by at least a factor of 100 after 100 layers.",
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
          lambda data: np.log10(tuned(data, "tanh", SHALLOW) / tuned(data, "relu", SHALLOW)),
          "decades by which tanh's held-out error exceeds ReLU's, 2 hidden layers, both tuned", low=0.5),
    Claim("06.zoo-two", zoo.digits, "On digits at 2 layers, the best activation is at most .02 ahead of the worst.",
          lambda data: gap(data, SHALLOW, [*ZOO]),
          "held-out accuracy of the best activation less the worst's, 2 hidden layers, tuned", low=-0.02, high=0.02),
    Claim("06.zoo-twenty", zoo.digits, "At 20 layers, sigmoid aside, it is at most .05 ahead of the worst.",
          lambda data: gap(data, DEEP, BUT_SIGMOID),
          "held-out accuracy of the best activation but sigmoid less the worst's, 20 layers, tuned",
          low=-0.05, high=0.05),
    Claim("06.zoo-default", zoo.digits, "At 20 layers, ReLU loses at least .3 with PyTorch's default weights.",
          lambda data: tuned(data, "relu", DEEP, "he") - tuned(data, "relu", DEEP, "default"),
          "held-out accuracy of ReLU, He less PyTorch's default, 20 hidden layers, both tuned", low=0.3),
    Claim("06.zoo-gated", zoo.blocks, "At equal parameters SwiGLU and GELU are within .02 of each other on digits.",
          lambda data: zoo.blocks.best(data, block="SwiGLU") - zoo.blocks.best(data, block="GELU"),
          "held-out accuracy, SwiGLU less GELU, 12,288 weights in the block, both tuned", low=-0.02, high=0.02),
]
