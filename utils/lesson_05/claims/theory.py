"""The claims of lesson 05 about how far the theory of infinitely wide networks holds for those that are drawn."""

from __future__ import annotations

import numpy as np

from utils.claims.definition import Claim, Experiment
from utils.lesson_05 import theory
from utils.lesson_05.theory import BESIDE, CHAOTIC, EDGE, FADING, WIDE, reach, reach_in_theory, settling, stretch_error

ERRORS = Experiment(
    "05_widths", theory.measure_widths, {"width": theory.WIDTHS, "setting": theory.SETTINGS, "layer": theory.LAYERS},
    minutes=1.3, chunk=5
)
STRETCH = Experiment(
    "05_stretch", theory.measure_stretch, {"sigma": theory.STRETCHED, "width": theory.STRETCHED_WIDTHS}, minutes=0.5,
    chunk=5
)
REACH = Experiment(
    "05_reach", theory.measure_reach, {"sigma": theory.REACHED, "of": theory.FORGOTTEN}, minutes=0.7, chunk=5
)

CLAIMS = [
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
          lambda data: theory.cosine_error(data, FADING, 20),
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
]
