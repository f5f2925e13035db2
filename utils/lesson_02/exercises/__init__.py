"""The exercises of lesson 02, depth versus width: each in a module that has its answer's name."""

from utils.lesson_02.exercises.count_pieces import PIECES
from utils.lesson_02.exercises.fair_difference import FAIR
from utils.lesson_02.exercises.first_questions import QUESTIONS
from utils.lesson_02.exercises.found_up_to import FOUND
from utils.lesson_02.exercises.gradients import BACKWARD
from utils.lesson_02.exercises.held_equal import HELD_EQUAL
from utils.lesson_02.exercises.parameters import PARAMETERS
from utils.lesson_02.exercises.rank_floor import RANK
from utils.lesson_02.exercises.sawtooth_layers import SAWTOOTH
from utils.lesson_02.exercises.widest import WIDEST

EXERCISES = [  # in the page's order
    SAWTOOTH,
    FOUND,
    PARAMETERS,
    QUESTIONS,
    WIDEST,
    PIECES,
    BACKWARD,
    RANK,
    HELD_EQUAL,
    FAIR,
]
