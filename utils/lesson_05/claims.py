"""The claims of lesson 05, students, teachers and chaos, in the order of the lesson."""

from __future__ import annotations

import numpy as np

from utils.claims import Claim
from utils.comparison import TRAINING
from utils.lesson_05 import students, teachers, theory
from utils.lesson_05.students import NARROW, SAMPLES, UNITS, WIDTHS, extrapolated, fitted, held_out, steepness_at_one
from utils.lesson_05.teachers import EQUAL, OTHER, SAME, WIDEST, after_adam
from utils.lesson_05.theory import BESIDE, CHAOTIC, EDGE, FADING, WIDE, reach, reach_in_theory, settling, stretch_error

ERRORS, STRETCH, REACH = theory.widths, theory.stretches, theory.depth_scales
LEARNED, RECOVERY, LONG = teachers.learned, teachers.recovery, teachers.long_adam
BY_SIGMA, BLAME = students.by_sigma, students.blame
MOST = SAMPLES[-1]

CLAIMS = [
    # theory against networks that are drawn
    Claim("05.error-falls", ERRORS, "The error falls with the square root of the width.",
          lambda data: theory.falling(data, CHAOTIC, 10, 1000),
          "power of the width, from 10 to 1,000, with which the length's error falls, σ_w = 2.5", low=-0.6, high=-0.4),
    Claim("05.error-settles", ERRORS, "In the chaotic phase depth does not add to the length's error.",
          lambda data: settling(data, CHAOTIC, 100),
          "error of the length in layer 20 over layer 5, σ_w = 2.5, width 100", low=0.8, high=1.25),
    Claim("05.edge-settles", ERRORS, "At the edge with biases depth does not add to the length's error either.",
          lambda data: settling(data, EDGE, 100),
          "error of the length in layer 20 over layer 5, at the edge with σ_b = 0.3, width 100", low=0.8, high=1.25),
    Claim("05.error-grows", ERRORS, "Without biases, at σ_w = 1, the length's error grows with depth.",
          lambda data: settling(data, FADING, 100),
          "error of the length in layer 20 over layer 5, σ_w = 1 without biases, width 100", low=1.4),
    Claim("05.narrow-angle", ERRORS, "Without biases, at σ_w = 1, angles in a narrow network leave theory.",
          lambda data: theory.error(data, "cosine", FADING, 20),
          "error of the cosine in layer 20, σ_w = 1 without biases, width 20", low=0.2),
    Claim("05.lyapunov", STRETCH, "At width 500 the Lyapunov exponent is half the logarithm of χ₁.",
          lambda data: np.abs(stretch_error(data, "gap", WIDE)).max("sigma"),
          "largest distance between the two, over four values of σ_w", high=0.05),
    Claim("05.narrow-ordered", STRETCH, "Networks of width 5 bring neighbours together, whatever the weights' spread.",
          lambda data: data["gap"].sel(width=theory.NARROW, drop=True).max("sigma"),
          "the largest Lyapunov exponent over four values of σ_w, width 5", high=0),
    Claim("05.curve-grows", STRETCH, "Each layer makes a curve √χ₁ times as long.",
          lambda data: np.exp(stretch_error(data, "curve", WIDE)).sel(sigma=2.5, drop=True),
          "growth of a curve in one layer over √χ₁, σ_w = 2.5, width 500", low=0.95, high=1.05),
    Claim("05.reach-theory", REACH, "Angles are forgotten at the rate that theory gives.",
          lambda data: reach(data, 2.5) / reach_in_theory(2.5),
          "measured depth scale of angles over theory's, σ_w = 2.5", low=0.8, high=1.25),
    Claim("05.reach-edge", REACH, "Near the edge, networks of width 300 forget angles sooner than theory says.",
          lambda data: reach(data, BESIDE) / reach_in_theory(BESIDE),
          "measured depth scale of angles over theory's, σ_w = 1.5", high=0.75),
    # what students learn of a deep teacher, and what recovers it
    Claim("05.linear", LEARNED, "A linear function leaves a good part of the teacher unexplained.",
          lambda data: data["linear"], "relative held-out error of the linear baseline, σ = 2", low=0.2),
    Claim("05.students-equal", LEARNED, "At equal parameters and steps, the teacher's shape is far ahead of one layer.",
          lambda data: after_adam(data, EQUAL) / after_adam(data, SAME),
          "relative held-out error, one layer of 18 over the teacher's shape, Adam", low=10),
    Claim("05.students-wide", LEARNED, "One layer with nearly eight times the parameters stays behind, too.",
          lambda data: after_adam(data, WIDEST) / after_adam(data, SAME),
          "relative held-out error, one layer of 135 over the teacher's shape, Adam", low=3),
    Claim("05.students-deep", LEARNED, "Three hidden layers that are not the teacher's are far ahead of one, too.",
          lambda data: after_adam(data, EQUAL) / after_adam(data, OTHER),
          "relative held-out error, one layer of 18 over three of 6, 6 and 5, Adam", low=3),
    Claim("05.recovered", RECOVERY, "Three quarters of teachers are recovered within twenty seconds of one core.",
          lambda data: teachers.recovered_within(data, teachers.LIMIT),
          "teachers recovered to a relative held-out error of 1e-20", low=0.75, statistic="share"),
    Claim("05.recovered-weights", RECOVERY, "The search finds the teacher's weights, up to order and signs.",
          lambda data: data["gap"], "largest difference of a weight, order and signs undone", high=1e-8),
    Claim("05.adam", LONG, "After a million steps, Adam is still far from the last digits.",
          LONG.best, "relative held-out error of the teacher's shape, Adam", low=1e-12),
    # shallow students
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
