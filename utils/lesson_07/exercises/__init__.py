"""The exercises of lesson 07, when depth hurts: each in a module that has its answer's name."""

from utils.lesson_07.exercises.deepen import DEEPEN
from utils.lesson_07.exercises.diagnosis import DIAGNOSIS
from utils.lesson_07.exercises.flops_and_memory import FLOPS_AND_MEMORY
from utils.lesson_07.exercises.gradient_correlation import GRADIENT_CORRELATION
from utils.lesson_07.exercises.inverted_dropout import INVERTED_DROPOUT
from utils.lesson_07.exercises.least_norm import LEAST_NORM
from utils.lesson_07.exercises.look_first import LOOK_FIRST
from utils.lesson_07.exercises.receptive_field import RECEPTIVE_FIELD
from utils.lesson_07.exercises.stop_epoch import STOP_EPOCH
from utils.lesson_07.exercises.stream_sizes import STREAM_SIZES
from utils.lesson_07.exercises.what_would_help import WHAT_WOULD_HELP

# in the page's order
EXERCISES = [
    DIAGNOSIS,
    DEEPEN,
    STREAM_SIZES,
    WHAT_WOULD_HELP,
    STOP_EPOCH,
    LOOK_FIRST,
    FLOPS_AND_MEMORY,
    GRADIENT_CORRELATION,
    INVERTED_DROPOUT,
    LEAST_NORM,
    RECEPTIVE_FIELD,
]
