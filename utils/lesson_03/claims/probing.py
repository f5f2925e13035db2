"""The claims of lesson 03 on what a probe reads off each stage, and on learned and random features."""

from __future__ import annotations

from utils.claims.definition import Claim, Experiment
from utils.comparison import UNSEEN
from utils.lesson_03 import probing
from utils.lesson_03.probing import BEST, BLOCKS, LINE, NEIGHBOUR, OUTER, falls, lead, line, probe, rise

PROBES = Experiment(
    "03_probes", probing.measure_probes,
    {"network": probing.NETWORKS, "turns": probing.TURNS, "reader": probing.READERS, "stage": probing.STAGES},
    seeds=20, minutes=1.5,
)
FEATURES = Experiment(
    "03_features", probing.measure_features,
    {"turns": probing.FEATURE_TURNS, "width": probing.WIDTHS, "rate": probing.RATES,
     "random_width": probing.RANDOM_WIDTHS, "penalty": probing.PENALTIES,
     "part": UNSEEN},
    seeds=20, minutes=1.2,
)
LINED = Experiment(
    "03_lines", probing.measure_lines, {"reader": probing.LINES, "stage": probing.STAGES}, seeds=20, minutes=0.5
)
CLAIMS = [
    Claim("03.probe-rises", PROBES, "A line reads the arms off the last plane far better than off the input.",
          lambda data: rise(probe(data, "blocks", 1.5)),
          "held-out accuracy of the probe after the fourth block minus at the input, 1½ turns", low=0.25),
    Claim("03.probe-falls", LINED, "On the way up the probe falls in many networks.",
          lambda data: falls(line(data, LINE)),
          "networks with a stage at which the probe is more than 0.02 below the stage before, 1½ turns",
          low=0.2, statistic="share"),
    Claim("03.line-falls", LINED, "The line with the most right answers falls in few.",
          lambda data: falls(line(data, BEST)),
          "networks with a stage at which the best line is more than 0.02 below the stage before, 1½ turns",
          high=0.4, statistic="share"),
    Claim("03.probe-untrained", PROBES, "Random blocks do not help a line.",
          lambda data: rise(probe(data, "blocks", 1.5, state="untrained")),
          "held-out accuracy of the probe after the fourth block minus at the input, 1½ turns, untrained", high=0.02),
    Claim("03.probe-neighbour", LINED, "What no line reads off a plane may still be there.",
          lambda data: (line(data, NEIGHBOUR) - line(data, BEST)).sel(stage=1),
          "held-out accuracy of the nearest neighbour minus that of the best line, after the first block, 1½ turns",
          low=0.05),
    Claim("03.probe-unasked", PROBES, "A line also reads off a last layer what the network was never asked for.",
          lambda data: probe(data, "plain", 1.5, OUTER).sel(stage=BLOCKS),
          "held-out accuracy of a probe for the outer half of the arms, on the fourth layer of 16 units, 1½ turns",
          low=0.85),
    Claim("03.random-width", FEATURES, "At equal width a learned layer is far ahead of a random one.",
          lambda data: lead(data, 1.5, 16, equal="width"),
          "held-out accuracy, 16 learned units minus 16 random ones, 1½ turns", low=0.1),
    Claim("03.random-parameters", FEATURES, "At equal trained parameters next to nothing of the lead is left.",
          lambda data: lead(data, 1.5, 16, equal="parameters"),
          "held-out accuracy, 16 learned units minus 40 random ones, 1½ turns", low=-0.03, high=0.03),
]
