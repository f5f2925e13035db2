"""The exercises of lesson 05, students, teachers and chaos: each in a module that has its answer's name."""

from utils.lesson_05.exercises.best_student import STUDENT
from utils.lesson_05.exercises.extrapolated_width import EXTRAPOLATED
from utils.lesson_05.exercises.linear_share import LINEAR
from utils.lesson_05.exercises.order_or_chaos import ORDER_OR_CHAOS
from utils.lesson_05.exercises.separation_rate import SEPARATION
from utils.lesson_05.exercises.sigma_at_rest import SIGMA_AT_REST
from utils.lesson_05.exercises.teach import TEACH
from utils.lesson_05.exercises.weights_apart import WEIGHTS_APART
from utils.lesson_05.exercises.width_needed import WIDTH

# in the page's order
EXERCISES = [SEPARATION, SIGMA_AT_REST, ORDER_OR_CHAOS, TEACH, STUDENT, EXTRAPOLATED, WEIGHTS_APART, LINEAR, WIDTH]
