"""The claims of lesson 02 about what depth costs at equal parameters."""

from __future__ import annotations

from utils.claims.definition import Claim, Experiment
from utils.lesson_02.cost import BUDGETS, DEPTHS, PRODUCT_WIDTHS, measure_cost, rate, step

COST = Experiment(
    "02_cost", measure_cost, {"budget": BUDGETS, "depth": DEPTHS, "width": PRODUCT_WIDTHS}, minutes=0.5, timing=True
)

CLAIMS = [
    Claim("02.cost-small", COST, "With 20,000 parameters 16 hidden layers train much more slowly than one.",
          lambda data: step(data, 20_000, 16, 1),
          "time of a training step, 16 hidden layers over one", low=2),
    Claim("02.cost-large", COST,
          "With 1,000,000 parameters a step with 16 hidden layers takes one to two times as long as with two.",
          lambda data: step(data, 1_000_000, 16, 2),
          "time of a training step, 16 hidden layers over two", low=1, high=2),
    Claim("02.cost-narrow", COST, "The same arithmetic takes longer when it is cut into many small products.",
          lambda data: rate(data, 16),
          "arithmetic per second, products of width 16 over one of width 1,024", high=0.5),
]  # fmt: skip
