"""The claims of lesson 05 about shallow students."""

from __future__ import annotations

import numpy as np

from utils.claims.definition import Claim, Experiment
from utils.comparison import PARTS, TRAINING
from utils.lesson_05 import students
from utils.lesson_05.students import NARROW, SAMPLES, UNITS, WIDTHS, extrapolated, fitted, held_out, steepness_at_one

MOST = SAMPLES[-1]
BY_SIGMA = Experiment(
    "05_sigmas", students.measure_sigmas,
    {"sigma": students.SIGMAS, "width": students.TEACHER_WIDTHS, "part": students.SHOWN}, seeds=students.TEACHERS,
    minutes=5,
    chunk=2,
    unstable={"same": 0.25},  # what a search that does not reach zero ends with, at the largest σ
)
BLAME = Experiment(
    "05_blame", students.measure_blame,
    {"units": WIDTHS, "points": SAMPLES, "part": PARTS, "epochs": students.EPOCHS, "rate": students.RATES},
    seeds=students.TEACHERS,
    minutes=10, chunk=2,
)

CLAIMS = [
    Claim("05.smooth-narrow", BY_SIGMA, "Teachers of width 5: across σ = 1 the error rises less than twice as steeply.",
          lambda data: steepness_at_one(data, NARROW),
          "steepness of the shallow error's logarithm across σ = 1 over its mean, teachers of width 5", high=2),
    Claim("05.smooth-wide", BY_SIGMA, "Teachers of width 100: across σ = 1 it rises less than twice as steeply, too.",
          lambda data: steepness_at_one(data, students.WIDE),
          "steepness of the shallow error's logarithm across σ = 1 over its mean, teachers of width 100", high=2),
    Claim("05.linear-small", BY_SIGMA, "At σ = .4 a linear map explains all but a twentieth of a narrow teacher.",
          lambda data: held_out(data, NARROW, students.SIGMAS[0], "linear"),
          "held-out error of the best linear map, teachers of width 5, σ = .4", high=0.05),
    Claim("05.linear-large", BY_SIGMA, "At σ = 2 it leaves at least a quarter.",
          lambda data: held_out(data, NARROW, students.SIGMA, "linear"),
          "held-out error of the best linear map, teachers of width 5, σ = 2", low=0.25),
    Claim("05.easy-missed", BY_SIGMA, "Of teachers below σ = 1 the search recovers none, or hardly any.",
          lambda data: students.recovered(data, 0.8), "teachers of width 5 and σ = .8 that were recovered", high=0.25,
          statistic="share"),
    Claim("05.hard-found", BY_SIGMA, "Of teachers at σ = 1.6 it recovers at least half.",
          lambda data: students.recovered(data, 1.6), "teachers of width 5 and σ = 1.6 that were recovered", low=0.5,
          statistic="share"),
    Claim("05.too-few", BLAME, "With 1,000 points, 135 units memorise them: ten times the training error.",
          lambda data: fitted(data, WIDTHS[-1], SAMPLES[0]) / fitted(data, WIDTHS[-1], SAMPLES[0], TRAINING),
          "held-out over training error of 135 units, 1,000 points", low=10),
    Claim("05.more-units", BLAME, "Three times the units, with points enough, take at least three tenths off.",
          lambda data: fitted(data, WIDTHS[-1], MOST) / fitted(data, UNITS, MOST),
          "held-out error on 16,000 points, 135 units over 45", high=0.7),
    Claim("05.longer", BLAME, "Four restarts of twice the steps leave the error where it is, within a fifth.",
          lambda data: data["longer"].sel(part="held-out", drop=True) / fitted(data, UNITS, students.POINTS),
          "held-out error of 45 units, 4 restarts of 200 steps over one of 100", low=0.8, high=1.2),
    Claim("05.adam-equal", BLAME, "Adam at its best rate, in about the same time, ends with a larger error.",
          lambda data: students.by_adam(data, students.EPOCHS[0]) / fitted(data, UNITS, students.POINTS),
          "held-out error of 45 units, 20,000 steps of Adam over 100 of Levenberg-Marquardt", low=1),
    Claim("05.extrapolated", BLAME, "Extrapolated, a millionth takes more than ten thousand units.",
          lambda data: np.log10(extrapolated(data)),
          "decimal logarithm of the width for a relative error of 1e-6, from four widths", low=4),
    Claim("05.other-points", BLAME, "Leaving out the widest or the narrowest gives answers a factor of three apart.",
          lambda data: np.abs(np.log10(extrapolated(data, WIDTHS[:3]) / extrapolated(data, WIDTHS[1:]))),
          "decades between the widths extrapolated from the three narrowest and from the three widest", low=0.5),
]
