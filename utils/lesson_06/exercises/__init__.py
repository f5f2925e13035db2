"""The exercises of lesson 06, initialization: each in a module that has its answer's name."""

from utils.lesson_06.exercises.dead_units import DEAD_UNITS
from utils.lesson_06.exercises.gain_from_lengths import GAIN_FROM_LENGTHS
from utils.lesson_06.exercises.gradient_norms import GRADIENT_NORMS
from utils.lesson_06.exercises.orthogonal import ORTHOGONAL
from utils.lesson_06.exercises.residual_scale import RESIDUAL_SCALE
from utils.lesson_06.exercises.weight_std import WEIGHT_STD
from utils.lesson_06.exercises.will_not_train import WILL_NOT_TRAIN
from utils.lesson_06.exercises.zero_weights import ZERO_WEIGHTS

# in the page's order
EXERCISES = [
    WEIGHT_STD,
    GRADIENT_NORMS,
    ZERO_WEIGHTS,
    WILL_NOT_TRAIN,
    GAIN_FROM_LENGTHS,
    ORTHOGONAL,
    DEAD_UNITS,
    RESIDUAL_SCALE,
]
