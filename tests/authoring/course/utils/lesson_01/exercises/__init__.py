"""The exercises of a small lesson."""

from utils.lesson_01.exercises.double import DOUBLE
from utils.lesson_01.exercises.positive_sum import POSITIVE_SUM

from utils.exercises.definition import FreeText

EXERCISES = [DOUBLE, POSITIVE_SUM, FreeText(id="01.3", points=3, rubric="A reason: 3 points.")]
