"""The claims of lesson 05 about what students learn of a deep teacher, and about what recovers it."""

from __future__ import annotations

from utils.claims.definition import Claim, Experiment
from utils.comparison import UNSEEN
from utils.lesson_05 import teachers
from utils.lesson_05.teachers import EQUAL, LIMIT, OTHER, SAME, WIDEST, after_adam, recovered_within

LEARNED = Experiment(
    "05_students", teachers.measure_students, {"student": teachers.STUDENTS, "rate": teachers.RATES, "part": UNSEEN},
    minutes=3.5, chunk=1
)
RECOVERY = Experiment("05_recovery", teachers.measure_recovery, seeds=40, minutes=2, chunk=1, timing=True)
LONG = Experiment("05_adam", teachers.measure_adam, {"rate": teachers.RATES, "part": UNSEEN}, minutes=8, chunk=1)

CLAIMS = [
    Claim("05.linear", LEARNED, "A linear function leaves a good part of the teacher unexplained.",
          lambda data: data["linear"], "relative held-out error of the linear baseline, σ = 2", low=0.2),
    Claim("05.students-equal", LEARNED, "At equal parameters and steps, the teacher's shape is far ahead of one layer.",
          lambda data: after_adam(data, student=EQUAL) / after_adam(data, student=SAME),
          "relative held-out error, one layer of 18 over the teacher's shape, Adam", low=10),
    Claim("05.students-wide", LEARNED, "One layer with nearly eight times the parameters stays behind, too.",
          lambda data: after_adam(data, student=WIDEST) / after_adam(data, student=SAME),
          "relative held-out error, one layer of 135 over the teacher's shape, Adam", low=3),
    Claim("05.students-deep", LEARNED, "Three hidden layers that are not the teacher's are far ahead of one, too.",
          lambda data: after_adam(data, student=EQUAL) / after_adam(data, student=OTHER),
          "relative held-out error, one layer of 18 over three of 6, 6 and 5, Adam", low=3),
    Claim("05.recovered", RECOVERY, "Three quarters of teachers are recovered within twenty seconds of one core.",
          lambda data: recovered_within(data, LIMIT),
          "teachers recovered to a relative held-out error of 1e-20", low=0.75, statistic="share"),
    Claim("05.recovered-weights", RECOVERY, "The search finds the teacher's weights, up to order and signs.",
          lambda data: data["gap"], "largest difference of a weight, order and signs undone", high=1e-8),
    Claim("05.adam", LONG, "After a million steps, Adam is still far from the last digits.",
          lambda data: after_adam(data), "relative held-out error of the teacher's shape, Adam", low=1e-12),
]
