"""The claims of lesson 02 about depth and width on the digits."""

from __future__ import annotations

from utils.claims.definition import Claim, Experiment
from utils.comparison import PARTS, TRAINING
from utils.lesson_02.digits import (
    EPOCHS,
    LINEAR,
    LONGER,
    PASSES,
    RATES,
    SHAPES,
    TRAINED_LONGER,
    at_budget,
    budget_name,
    digits,
    grid,
    longer,
    measure_digits,
    measure_longer,
    narrow_gap,
)

DIGITS = Experiment("02_digits", measure_digits, {"network": SHAPES, "rate": RATES, "part": PARTS}, seeds=20, minutes=2)
DIGITS_LONGER = Experiment(
    "02_digits_longer", measure_longer,
    {"network": TRAINED_LONGER, "passes": PASSES, "rate": RATES, "part": PARTS}, minutes=1,
)  # fmt: skip

CLAIMS = [
    Claim("02.digits-line", DIGITS, "On the digits a network without hidden layers is right nearly always.",
          lambda data: digits(data, LINEAR), "held-out accuracy", low=0.93, high=0.98),
    Claim("02.digits-layer", DIGITS, "On the digits one hidden layer of 64 units is right more often than none.",
          lambda data: grid(data, 1, 64) - digits(data, LINEAR),
          "held-out accuracy, 64 hidden units minus none", low=0.005),
    Claim("02.digits-one-layer", DIGITS, "On the digits one hidden layer of 64 units is right nearly always.",
          lambda data: grid(data, 1, 64), "held-out accuracy", low=0.96, high=0.99),
    Claim("02.digits-width", DIGITS, "On the digits, with one hidden layer, 32 units are much better than 4.",
          lambda data: grid(data, 1, 32) - grid(data, 1, 4),
          "held-out accuracy, 32 units minus 4", low=0.03),
    Claim("02.digits-enough", DIGITS, "On the digits, with one hidden layer, 128 units buy little over 32.",
          lambda data: grid(data, 1, 128) - grid(data, 1, 32),
          "held-out accuracy, 128 units minus 32", low=-0.01, high=0.015),
    Claim("02.digits-depth", DIGITS, "On the digits three hidden layers more buy nothing at width 64.",
          lambda data: grid(data, 4, 64) - grid(data, 1, 64),
          "held-out accuracy, four hidden layers minus one, each of 64 units", low=-0.01, high=0.01),
    Claim("02.digits-narrow", DIGITS, "On the digits three hidden layers more do harm at width 4.",
          lambda data: grid(data, 1, 4) - grid(data, 4, 4),
          "held-out accuracy, one hidden layer minus four, each of 4 units", low=0.02),
    Claim("02.digits-5000", DIGITS,
          "On the digits 5,000 parameters do a little worse in four hidden layers than in one.",
          lambda data: at_budget(data, 5000, 4) - at_budget(data, 5000, 1),
          "held-out accuracy, four hidden layers minus one", low=-0.02, high=0),
    Claim("02.digits-1000", DIGITS, "On the digits 1,000 parameters do worse in four hidden layers than in one.",
          lambda data: at_budget(data, 1000, 1) - at_budget(data, 1000, 4),
          "held-out accuracy, one hidden layer minus four", low=0.005),
    Claim("02.digits-longer", DIGITS_LONGER,
          "After 120 passes over the digits four hidden layers of 4 units are still behind one.",
          lambda data: narrow_gap(data, LONGER),
          "held-out accuracy, one hidden layer minus four, each of 4 units", low=0.02),
    Claim("02.digits-narrow-shrinks", DIGITS_LONGER, "That is less than after 30.",
          lambda data: narrow_gap(data, EPOCHS) - narrow_gap(data, LONGER),
          "one hidden layer's lead over four, each of 4 units, after 30 passes minus after 120", low=0.02),
    Claim("02.digits-by-heart", DIGITS_LONGER,
          "After 120 passes 1,000 parameters in four hidden layers know nearly all of their training digits.",
          lambda data: longer(data, budget_name(1000, 4), TRAINING), "training accuracy", low=0.985),
    Claim("02.digits-generalise", DIGITS_LONGER,
          "After 120 passes 1,000 parameters in four hidden layers are worse on held-out digits than in one.",
          lambda data: longer(data, budget_name(1000, 1)) - longer(data, budget_name(1000, 4)),
          "held-out accuracy, one hidden layer minus four", low=0.005),
]  # fmt: skip
