"""The claims of lesson 02, depth versus width, in the order of the lesson."""

from utils.lesson_02.claims import cost, digits, fair, flip, sawtooth

CLAIMS = [*flip.CLAIMS, *fair.CLAIMS, *sawtooth.CLAIMS, *cost.CLAIMS, *digits.CLAIMS]
