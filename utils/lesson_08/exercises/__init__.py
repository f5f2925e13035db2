"""The exercises of lesson 08, the design studio: each in a module that has its answer's name."""

from importlib.util import find_spec

from utils.exercises.definition import Exercise, FreeText
from utils.lesson_08.exercises.fair_ratios import FAIR_RATIOS
from utils.lesson_08.exercises.first_flaw import FIRST_FLAW
from utils.lesson_08.exercises.group_folds import GROUP_FOLDS
from utils.lesson_08.exercises.largest_of_four import LARGEST_OF_FOUR
from utils.lesson_08.exercises.nested_errors import NESTED_ERRORS
from utils.lesson_08.exercises.plan import PLAN

# in the page's order
EXERCISES: list[Exercise | FreeText] = [
    LARGEST_OF_FOUR,
    GROUP_FOLDS,
    NESTED_ERRORS,
    FIRST_FLAW,
    FAIR_RATIOS,
    PLAN,
]
if find_spec("torch"):  # A browser's Python has none, and judges those above.
    from utils.lesson_08.exercises.digit_network import DIGIT_NETWORK
    from utils.lesson_08.exercises.mend_first import MEND_FIRST
    from utils.lesson_08.exercises.mend_second import MEND_SECOND
    from utils.lesson_08.exercises.mend_third import MEND_THIRD
    from utils.lesson_08.exercises.spiral_network import SPIRAL_NETWORK
    from utils.lesson_08.exercises.train_student import TRAIN_STUDENT

    EXERCISES += [MEND_FIRST, MEND_SECOND, MEND_THIRD, SPIRAL_NETWORK, TRAIN_STUDENT, DIGIT_NETWORK]
