"""The claims of lesson 02, depth versus width, in the order of the lesson."""

from __future__ import annotations

from utils.claims.lesson_02_parts import cost, digits, fair, flip, sawtooth

CLAIMS = [*flip.CLAIMS, *fair.CLAIMS, *sawtooth.CLAIMS, *cost.CLAIMS, *digits.CLAIMS]
