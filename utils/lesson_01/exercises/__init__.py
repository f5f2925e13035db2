"""The exercises of lesson 01, universal approximation: each in a module that has its answer's name."""

from utils.lesson_01.exercises.broken_hypothesis import HYPOTHESIS
from utils.lesson_01.exercises.bump import BUMP
from utils.lesson_01.exercises.certified_hinges import CERTIFIED
from utils.lesson_01.exercises.collapse import COLLAPSE
from utils.lesson_01.exercises.guarantee import GUARANTEE
from utils.lesson_01.exercises.left_weights import LEFT
from utils.lesson_01.exercises.polynomial_floor import FLOOR
from utils.lesson_01.exercises.read_sweep import READ_SWEEP

EXERCISES = [LEFT, CERTIFIED, COLLAPSE, READ_SWEEP, HYPOTHESIS, FLOOR, BUMP, GUARANTEE]  # in the page's order
