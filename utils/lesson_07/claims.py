"""The claims of lesson 07."""

from __future__ import annotations

from utils.claims import Claim
from utils.lesson_07 import tasks
from utils.lesson_07.budgets import LONG, SHORT, at_least, fastest, long, missed, short
from utils.lesson_07.tasks import BOARD, DIGITS, GAME, neighbours

BUDGET = f"{SHORT} steps, the best of seven rates"
MORE = f"{LONG:,} steps, tuned"
RACE, LONG_RACE = (f"as many parameters, {steps:,} steps, tuned" for steps in (tasks.STEPS, tasks.LONGER))

CLAIMS = [
    # the path
    Claim("07.one", short, "One hidden layer of 32 units misses at most .05 of the held-out digits.",
          lambda data: missed(data, "he 1"), "held-out error of one hidden layer, tuned", high=0.05),
    Claim("07.slow", short, "Fifty-one plain layers from He's weights still miss a twentieth of what they are taught.",
          lambda data: missed(data, "he 51", "training"), f"training error of 51 plain layers, He, {BUDGET}", low=0.05,
          tried="With skips: 07.skip. With LayerNorm: 07.layer-norm."),
    Claim("07.healed", long, "After ten times the steps they miss at most .02 of it.",
          lambda data: missed(data, "he 51", "training"), f"training error of 51 plain layers, He, {MORE}",
          high=0.02),
    Claim("07.healed-unseen", long, "Then they miss at least .02 more of the held-out digits than one layer.",
          lambda data: missed(data, "he 51") - missed(data, "he 1"),
          f"held-out error of 51 plain layers minus that of one, He, {MORE}", low=0.02,
          tried="Other initialisations: 07.near-longer, 07.fitted."),
    Claim("07.blind", long, "From PyTorch's weights 51 layers still guess after ten times the steps.",
          lambda data: missed(data, "default 51", "training"),
          f"training error of 51 plain layers, PyTorch's weights, {MORE}", low=0.8),
    Claim("07.fitted", long, "Twenty-one layers from PyTorch's weights fit, and miss .02 more than one layer.",
          lambda data: missed(data, "default 21") - missed(data, "he 1"),
          f"held-out error of 21 layers, PyTorch's weights, minus that of one layer, {MORE}", low=0.02,
          tried="It is the longer budget. Not tried: other widths."),
    Claim("07.skip", short, "With skips 51 layers miss at most .01 of what they are taught.",
          lambda data: missed(data, "skip 51", "training"), f"training error of 51 layers with skips, {BUDGET}",
          high=0.01),
    Claim("07.near", short, "Plain layers that start near the identity do, too.",
          lambda data: missed(data, "near 51", "training"),
          f"training error of 51 plain layers from I + He/√depth, {BUDGET}", high=0.01,
          tried="Wider: 07.near-wider. Deeper: 07.near-deeper."),
    Claim("07.near-wider", short, "With 64 units in a layer, too.",
          lambda data: missed(data, "near, wider", "training"),
          f"training error of 51 plain layers of 64 units from I + He/√depth, {BUDGET}", high=0.01),
    Claim("07.near-deeper", short, "With 201 layers they miss at most .05.",
          lambda data: missed(data, "near, deeper", "training"),
          f"training error of 201 plain layers from I + He/√depth, {BUDGET}", high=0.05),
    Claim("07.skip-unseen", short, "On held-out digits the skips are at least .01 ahead of the start alone.",
          lambda data: missed(data, "near 51") - missed(data, "skip 51"),
          f"held-out error of 51 plain layers near the identity minus that with skips, {BUDGET}", low=0.01,
          tried="Ten times the steps: 07.near-longer. Not tried: other widths."),
    Claim("07.near-longer", long, "After ten times the steps the plain network near the identity is behind one layer.",
          lambda data: missed(data, "near 51") - missed(data, "he 1"),
          f"held-out error of 51 plain layers near the identity minus that of one layer, {MORE}", low=0,
          tried="It is the longer budget. Not tried: other widths."),
    Claim("07.until", short, "At 21 layers a plain network takes at least twice the steps of one with skips.",
          lambda data: at_least(fastest(data, "he 21"), SHORT) / fastest(data, "skip 21"),
          "steps until 1 % training error (never: the whole budget), 21 plain layers from He's weights over 21 with "
          "skips, each at its fastest rate", low=2,
          tried="Near the identity: 07.until-near."),
    Claim("07.until-near", short, "Near the identity a plain network takes less than four times as many.",
          lambda data: fastest(data, "near 21") / fastest(data, "skip 21"),
          "steps until 1 % training error, 21 plain layers near the identity over 21 with skips, each at its fastest "
          "rate", low=0.5, high=4),
    Claim("07.layer-norm", short, "LayerNorm on every layer of the plain network does not heal it.",
          lambda data: missed(data, "he, LayerNorm", "training"),
          f"training error of 51 plain layers with LayerNorm, He, {BUDGET}", low=0.05),
    Claim("07.board-lead", tasks.tasks, "On the board five layers miss at least .02 less than one after 2,000 steps.",
          lambda data: tasks.missed(data, BOARD, 1) - tasks.missed(data, BOARD, 5),
          f"held-out error of one layer minus that of five on the board, {RACE}", low=0.02,
          tried="Four times the steps: 07.board-longer."),
    Claim("07.board-longer", tasks.longer, "After four times as many one layer is level, within .03.",
          lambda data: tasks.missed(data, BOARD, 1) - tasks.missed(data, BOARD, 5),
          f"held-out error of one layer minus that of five on the board, {LONG_RACE}", low=-0.03, high=0.03,
          tried="Twenty layers: 07.board-twenty."),
    Claim("07.board-twenty", tasks.longer, "Twenty plain layers miss at least .02 more than five.",
          lambda data: tasks.missed(data, BOARD, 20) - tasks.missed(data, BOARD, 5),
          f"held-out error of twenty plain layers minus that of five on the board, {LONG_RACE}", low=0.02,
          tried="It is the longer budget. From He's weights only."),
    Claim("07.game-lead", tasks.tasks, "In the game one and five layers are within a factor of 3 after 2,000 steps.",
          lambda data: tasks.missed(data, GAME, 1) / tasks.missed(data, GAME, 5),
          f"share of variance missed by one layer over that by five, {RACE}", low=1 / 3, high=3),
    Claim("07.game-longer", tasks.longer, "After four times as many, at most a third.",
          lambda data: tasks.missed(data, GAME, 1) / tasks.missed(data, GAME, 5),
          f"share of variance missed by one layer over that by five, {LONG_RACE}", low=3,
          tried="Fewer steps: 07.game-lead. Digits: 07.digits. A teacher with one layer: lesson 03."),
    Claim("07.digits", tasks.longer, "On digits five layers are not ahead of one with as many parameters.",
          lambda data: tasks.missed(data, DIGITS, 5) - tasks.missed(data, DIGITS, 1),
          f"held-out error of five layers minus that of one on digits, {LONG_RACE}", low=0.0,
          tried="It is the longer budget; after fewer steps it is the same."),
    Claim("07.neighbours", neighbours, "Three nearest neighbours miss at most .03.",
          lambda data: data["error"], "held-out error of three nearest neighbours, on the same digits", high=0.03),

    # 07a, why skips help

    # 07b, fitting too well

    # 07c, depth in images and in text
]
