"""The exercises of lesson 03, hierarchical features: each in a module that has its answer's name."""

from utils.lesson_03.exercises.explained_variance import VARIANCE
from utils.lesson_03.exercises.fold_layer import FOLD
from utils.lesson_03.exercises.hidden_activations import ACTIVATIONS
from utils.lesson_03.exercises.kind_of_features import FEATURES
from utils.lesson_03.exercises.linear_stack import LINEAR_STACK
from utils.lesson_03.exercises.one_layer_kernel import KERNEL
from utils.lesson_03.exercises.probe_accuracy import PROBE
from utils.lesson_03.exercises.separated_from import SEPARATED

EXERCISES = [FOLD, ACTIVATIONS, PROBE, SEPARATED, FEATURES, LINEAR_STACK, VARIANCE, KERNEL]  # in the page's order
