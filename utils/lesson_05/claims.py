"""The claims of lesson 05, students, teachers and chaos, in the order of the lesson."""

from __future__ import annotations

import numpy as np

from utils.claims import Claim
from utils.comparison import TRAINING
from utils.lesson_05 import depths, students, teachers, theory
from utils.lesson_05.depths import half_missed
from utils.lesson_05.students import SAMPLES, UNITS, WIDTHS, extrapolated, fitted
from utils.lesson_05.teachers import EQUAL, OTHER, SAME, WIDEST, after_adam
from utils.lesson_05.theory import BESIDE, CHAOTIC, EDGE, FADING, WIDE, reach, settling, stretch_error

ERRORS, STRETCH, REACH = theory.widths, theory.stretches, theory.depth_scales
LEARNED, MIRROR, RECOVERY, LONG = teachers.learned, teachers.mirror, teachers.recovery, teachers.long_adam
LINEAR, BY_SIGMA, BLAME = students.straightness, students.by_sigma, students.blame
LINES, TAUGHT = depths.lines, depths.taught
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
          "error of the length in layer 20 over layer 5, σ_w = 1 without biases, width 100", low=1.4,
          tried="Tried where lengths settle, in the chaotic phase and at the edge with biases (05.error-settles, "
                "05.edge-settles): there it does not grow. At σ_w = 1 no other width was asked for."),
    Claim("05.narrow-angle", ERRORS, "Without biases, at σ_w = 1, angles in a narrow network leave theory.",
          lambda data: theory.error(data, "cosine", FADING, 20),
          "error of the cosine in layer 20, σ_w = 1 without biases, width 20", low=0.2),
    Claim("05.lyapunov", STRETCH, "At width 500 the Lyapunov exponent is half the logarithm of χ₁.",
          lambda data: np.abs(stretch_error(data, "gap", WIDE)).max("sigma"),
          "largest distance between the two at four values of σ_w", high=0.015),
    Claim("05.narrow-ordered", STRETCH, "Networks of width 5 bring neighbours together, whatever the weights' spread.",
          lambda data: data["gap"].sel(width=theory.NARROW, drop=True).max("sigma"),
          "the largest Lyapunov exponent at four values of σ_w, width 5", high=0),
    Claim("05.curve-grows", STRETCH, "Each layer makes a curve √χ₁ times as long.",
          lambda data: np.exp(stretch_error(data, "curve", WIDE)).sel(sigma=2.5, drop=True),
          "growth of a curve in one layer over √χ₁, σ_w = 2.5, width 500", low=0.95, high=1.05),
    Claim("05.reach-theory", REACH, "Angles are forgotten at the rate that theory gives.",
          lambda data: reach(data, 2.5) / theory.reach_in_theory(2.5),
          "measured depth scale of angles over theory's, σ_w = 2.5", low=0.8, high=1.25),
    Claim("05.reach-edge", REACH, "Near the edge, networks of width 300 forget angles as the map does, fitted alike.",
          lambda data: reach(data, BESIDE) / theory.reach_by_map(BESIDE),
          "measured depth scale of angles over that of the map, fitted over the same layers, σ_w = 1.5", low=0.9,
          high=1.1),
    # what students learn of a deep teacher, and what recovers it
    Claim("05.linear", LINEAR, "A linear function leaves a good part of the teacher unexplained.",
          lambda data: data["left"].sel(sigma=students.SIGMA, drop=True),
          "relative held-out error of the best linear map, teachers of width 5, σ = 2", low=0.2),
    Claim("05.students-equal", LEARNED, "At equal parameters and steps, the teacher's shape is far ahead of one layer.",
          lambda data: after_adam(data, EQUAL) / after_adam(data, SAME),
          "relative held-out error, one layer of 18 over the teacher's shape, Adam", low=10,
          tried="With more units, and against another deep shape, most of it stays (05.students-wide, "
                "05.students-deep). Of a teacher of one layer, it turns round (05.students-mirror)."),
    Claim("05.students-wide", LEARNED, "One layer with nearly eight times the parameters stays behind, too.",
          lambda data: after_adam(data, WIDEST) / after_adam(data, SAME),
          "relative held-out error, one layer of 135 over the teacher's shape, Adam", low=3,
          tried="Levenberg-Marquardt leaves it where Adam does (05.wide-exact). Wider ones were not tried."),
    Claim("05.students-deep", LEARNED, "Three hidden layers that are not the teacher's are far ahead of one, too.",
          lambda data: after_adam(data, EQUAL) / after_adam(data, OTHER),
          "relative held-out error, one layer of 18 over three of 6, 6 and 5, Adam", low=3,
          tried="Of teachers of one layer, that layer is ahead of four (05.students-mirror)."),
    Claim("05.students-shape", LEARNED, "The teacher's own shape is better still, by less than a factor of ten.",
          lambda data: after_adam(data, OTHER) / after_adam(data, SAME),
          "relative held-out error, three layers of 6, 6 and 5 over the teacher's shape, Adam", low=1, high=10,
          tried="By Levenberg-Marquardt only the teacher's shape reaches the last digits (05.shape-exact)."),
    Claim("05.students-mirror", MIRROR, "Of teachers of one layer of 18 units, one layer of 18 units learns more.",
          lambda data: MIRROR.best(data, student=SAME) / MIRROR.best(data, student=EQUAL),
          "relative held-out error, four layers of five over one layer of 18, teachers of one layer of 18, Adam", low=3,
          tried="Of deep teachers it is the other way round (05.students-equal)."),
    Claim("05.wide-exact", LEARNED, "Levenberg-Marquardt leaves one layer of 135 where Adam leaves it.",
          lambda data: data["exact"].sel(student=WIDEST, drop=True) / after_adam(data, WIDEST),
          "relative held-out error of one layer of 135, Levenberg-Marquardt over Adam", low=0.5, high=2),
    Claim("05.shape-exact", LEARNED, "By Levenberg-Marquardt three layers of 6, 6 and 5 stay above the last digits.",
          lambda data: data["exact"].sel(student=OTHER, drop=True),
          "relative held-out error of three layers of 6, 6 and 5, Levenberg-Marquardt", low=1e-8),
    Claim("05.recovered", RECOVERY, "Three quarters of teachers are recovered within twenty seconds of one core.",
          lambda data: teachers.recovered_within(data, teachers.LIMIT),
          "teachers recovered to a relative held-out error of 1e-20", low=0.75, statistic="share"),
    Claim("05.recovered-weights", RECOVERY, "The search finds the teacher's weights, up to order and signs.",
          lambda data: data["gap"], "largest difference of a weight, order and signs undone", high=1e-8),
    Claim("05.adam", LONG, "After a million steps, Adam is still far from the last digits.",
          LONG.best, "relative held-out error of the teacher's shape, Adam", low=1e-9),
    # shallow students
    Claim("05.half-deep", LINES, "A line misses half of a teacher of 64 layers at a σ close to 1.",
          lambda data: half_missed(data, 64), "σ at which the best linear map misses half, 64 hidden layers", low=1,
          high=1.25),
    Claim("05.deeper-misses", LINES, "A little above the edge it misses far more of 64 layers than of four.",
          lambda data: depths.left(data, 64, 1.25) - depths.left(data, 4, 1.25),
          "what the best linear map leaves at σ = 1.25, 64 hidden layers minus 4", low=0.2,
          tried="Below the edge depth adds nothing (05.depth-below). By how much the σ of half moves from 16 layers to "
                "64, twelve teachers leave open (05.half-falls)."),
    Claim("05.depth-below", LINES, "Below the edge depth neither adds to what a line leaves nor takes from it.",
          lambda data: depths.left(data, 64, 0.9) - depths.left(data, 4, 0.9),
          "what the best linear map leaves at σ = .9, 64 hidden layers minus 4", low=-0.1, high=0.1),
    Claim("05.half-falls", LINES, "For teachers of 16 layers the σ at which it misses half is larger than for 64.",
          lambda data: half_missed(data, 16) - half_missed(data, 64),
          "σ at which the best linear map misses half, 16 hidden layers minus 64", low=0.1,
          tried="Not tried with other widths than 100, nor with biases, which move the edge."),
    Claim("05.deep-hard", TAUGHT, "Beyond that σ students fail, too, at teachers of 64 layers.",
          lambda data: TAUGHT.best(data, depth=64, sigma=1.25, student=depths.DEEP),
          "held-out error of four hidden layers of 60, teachers of 64 hidden layers, σ = 1.25", low=0.1),
    Claim("05.deep-easy", TAUGHT, "Below 1 they learn nearly all of such a teacher.",
          lambda data: TAUGHT.best(data, depth=64, sigma=0.8, student=depths.DEEP),
          "held-out error of four hidden layers of 60, teachers of 64 hidden layers, σ = .8", high=0.01),
    Claim("05.linear-small", LINEAR, "At σ = .4 a linear map explains all but a twentieth of a narrow teacher.",
          lambda data: data["left"].sel(sigma=students.SIGMAS[0], drop=True),
          "held-out error of the best linear map, teachers of width 5, σ = .4", high=0.05),
    Claim("05.easy-missed", BY_SIGMA, "Of teachers below σ = 1 the search recovers none, or hardly any.",
          lambda data: students.recovered(data, 0.8), "teachers of width 5 and σ = .8 that were recovered", high=0.25,
          statistic="share"),
    Claim("05.hard-found", BY_SIGMA, "Of teachers at σ = 1.6 it recovers at least half.",
          lambda data: students.recovered(data, 1.6), "teachers of width 5 and σ = 1.6 that were recovered", low=0.5,
          statistic="share"),
    Claim("05.too-few", BLAME, "With 1,000 points, 135 units memorise them: ten times the training error.",
          lambda data: fitted(data, WIDTHS[-1], SAMPLES[0]) / fitted(data, WIDTHS[-1], SAMPLES[0], TRAINING),
          "held-out over training error of 135 units, 1,000 points", low=10,
          tried="With 16,000 points 45 units do not memorise (05.enough-points). Not tried with a penalty on weights, "
                "or a search that is stopped early: it is said of a fit to the end."),
    Claim("05.enough-points", BLAME, "With 16,000 points, 45 units err about as much held out as in training.",
          lambda data: fitted(data, UNITS, MOST) / fitted(data, UNITS, MOST, TRAINING),
          "held-out over training error of 45 units, 16,000 points", low=0.8, high=1.25),
    Claim("05.more-units", BLAME, "Three times the units, with points enough, take at least three tenths off.",
          lambda data: fitted(data, WIDTHS[-1], MOST) / fitted(data, UNITS, MOST),
          "held-out error on 16,000 points, 135 units over 45", high=0.7,
          tried="Tried with fewer points: with 1,000 the wider one memorises them (05.too-few). A longer search of the "
                "narrower one does not close the gap (05.longer)."),
    Claim("05.longer", BLAME, "Four restarts of twice the steps leave the error where it is, within a fifth.",
          lambda data: data["longer"].sel(part="held-out", drop=True) / fitted(data, UNITS, students.POINTS),
          "held-out error of 45 units, 4 restarts of 200 steps over one of 100", low=0.8, high=1.2),
    Claim("05.adam-equal", BLAME, "Adam at its best rate, in about the same time, ends with a larger error.",
          lambda data: students.by_adam(data, students.EPOCHS[0]) / fitted(data, UNITS, students.POINTS),
          "held-out error of 45 units, 20,000 steps of Adam over 100 of Levenberg-Marquardt", low=1,
          tried="With five times the steps Adam ends about level (05.adam-longer). More rates than six and other "
                "batches were not tried."),
    Claim("05.adam-longer", BLAME, "Given five times as long, Adam ends about where Levenberg-Marquardt does.",
          lambda data: students.by_adam(data, students.EPOCHS[1]) / fitted(data, UNITS, students.POINTS),
          "held-out error of 45 units, 100,000 steps of Adam over 100 of Levenberg-Marquardt", low=0.8, high=1.2),
    Claim("05.extrapolated", BLAME, "Extrapolated, a millionth takes more than ten thousand units.",
          lambda data: np.log10(extrapolated(data)),
          "decimal logarithm of the width for a relative error of 1e-6, from four widths", low=4),
    Claim("05.other-points", BLAME, "Leaving out the widest or the narrowest gives answers a factor of three apart.",
          lambda data: np.abs(np.log10(extrapolated(data, WIDTHS[:3]) / extrapolated(data, WIDTHS[1:]))),
          "decades between the widths extrapolated from the three narrowest and from the three widest", low=0.5),
]
