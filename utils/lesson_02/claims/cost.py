"""The claims of lesson 02 about what depth costs at equal parameters."""

from __future__ import annotations

from utils.claims.definition import Claim, Experiment
from utils.lesson_02.cost import BUDGETS, DEPTHS, measure_cost, step

COST = Experiment("02_cost", measure_cost, {"budget": BUDGETS, "depth": DEPTHS}, minutes=0.5, timing=True)

CLAIMS = [
    Claim("02.cost-small", COST, "With 20,000 parameters 16 hidden layers train much more slowly than one.",
          lambda data: step(data, 20_000, 16, 1),
          "time of a training step, 16 hidden layers over one", low=2),
    Claim("02.cost-large", COST,
          "With 1,000,000 parameters a step with 16 hidden layers takes less than twice as long as with one.",
          lambda data: step(data, 1_000_000, 16, 1),
          "time of a training step, 16 hidden layers over one", high=2),
]
