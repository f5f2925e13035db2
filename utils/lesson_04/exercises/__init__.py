"""The exercises of lesson 04, depth efficiency: each in a module that has its answer's name."""

from utils.lesson_04.exercises.breakpoints import BREAKPOINTS
from utils.lesson_04.exercises.came_from_deep import CAME_FROM_DEEP
from utils.lesson_04.exercises.fewest_hinges import HINGES
from utils.lesson_04.exercises.folding_layers import FOLDING
from utils.lesson_04.exercises.more_regions import MORE_REGIONS
from utils.lesson_04.exercises.most_regions import REGIONS
from utils.lesson_04.exercises.pieces_along import PIECES
from utils.lesson_04.exercises.square_network import SQUARE

# in the page's order
EXERCISES = [REGIONS, HINGES, PIECES, MORE_REGIONS, FOLDING, SQUARE, CAME_FROM_DEEP, BREAKPOINTS]
