"""The claims of lesson 02 about depth and width on the digits."""

from __future__ import annotations

from utils.claims.definition import Claim, Experiment
from utils.comparison import PARTS
from utils.lesson_02.digits import RATES, SHAPES, at_budget, grid, measure_digits

DIGITS = Experiment("02_digits", measure_digits, {"network": SHAPES, "rate": RATES, "part": PARTS}, seeds=20, minutes=2)
CLAIMS = [
    Claim("02.digits-depth", DIGITS, "On the digits three hidden layers more buy nothing at width 64.",
          lambda data: grid(data, 4, 64) - grid(data, 1, 64),
          "held-out accuracy, four hidden layers minus one, each of 64 units", low=-0.01, high=0.01),
    Claim("02.digits-1000", DIGITS, "On the digits 1,000 parameters do worse in four hidden layers than in one.",
          lambda data: at_budget(data, 1000, 1) - at_budget(data, 1000, 4),
          "held-out accuracy, one hidden layer minus four", low=0.005),
]
