"""What lesson 03's pages use, under one name, and what is said of their figures and predictions."""

from utils.lesson_03.folding import fold, fold_network, identity_block, train_blocks
from utils.lesson_03.folding_figures import neuron_maps, play_book, play_sheet, play_spiral, straight_pieces
from utils.lesson_03.widgets import change_controls, change_unit, draw_points
from utils.pages import Prediction, Words, register

__all__ = [
    "change_controls", "change_unit", "draw_points", "fold", "fold_network", "identity_block", "neuron_maps",
    "play_book", "play_sheet", "play_spiral", "straight_pieces", "train_blocks",
]  # fmt: skip

FIGURES = {
    "03.sheet": Words(
        "One unit flattens a half, a fold lays it on the other",
        """Three square sheets of squared paper, with a crease across each: a red half, where z is below 0, and a
        blue one. The affine part turns and shifts the three alike, until the crease is upright at 0. Then ReLU: in
        the first sheet the red half is pressed onto the upright line, and the blue one stays. In the second the part
        below 0 is pressed onto the level line, too, and a corner of paper is left. In the third the red half is laid
        over the blue one, turned as in a mirror.""",
    ),
    "03.book": Words(
        "Three units fold without losing anything",
        """A sheet of squared paper in space, its halves blue and red. It is stood upright, with the crease upright;
        ReLU bends it at the crease into a right angle, like a book half open; the read-out closes the book, the red
        half on the blue one.""",
    ),
    "03.unfolds": Words(
        "Block by block, until a straight line separates the two kinds",
        """Points of two kinds, blue circles and red squares, on a sheet of squared paper, and a green curve that
        separates them. From block to block the sheet is bent, stretched and folded, and the points and the curve with
        it. After the last block the curve is straight: blue lies on one side of it, red on the other. Each plane is
        shifted, turned and stretched to fill the picture, which leaves straight lines straight. What happens inside
        a block, in more than two dimensions, is not shown: the points take the straight way from plane to plane.""",
    ),
    "03.drawn": Words(
        "Your points, until a straight line separates them",
        """Points as they were drawn, or a disc in a ring of the other kind, on a sheet of squared paper, and the green
        curve that the network has put between the two kinds. From block to block the sheet is bent and folded, until
        the curve is straight.""",
    ),
    "03.neuron": Words(
        "A unit deep in the network has a crease with corners, and bends the boundary where they cross",
        """Three squares over the input plane. First a unit's sum before ReLU, red where it is negative and blue where
        it is positive, with its dashed crease between, a line with corners. Then the same after ReLU: white in place
        of red. Then the crease again, and the network's boundary in green with a dot wherever it bends: there is a
        dot where the two cross.""",
    ),
    "03.pieces": Words(
        "The boundary is made of straight pieces, one for each region it passes through",
        """Left, the input plane cut into many small polygons, in each of which the network is one affine map, and the
        boundary as a black line through them. Right, the same line among the points of the two classes, with a dot at
        each end of a straight piece.""",
    ),
}
PREDICTIONS: dict[str, Prediction] = {}
FIGURES_OF_03A: dict[str, Words] = {}
PREDICTIONS_OF_03A: dict[str, Prediction] = {}
FIGURES_OF_03B: dict[str, Words] = {}
PREDICTIONS_OF_03B: dict[str, Prediction] = {}
register(FIGURES, PREDICTIONS)
register(FIGURES_OF_03A, PREDICTIONS_OF_03A)
register(FIGURES_OF_03B, PREDICTIONS_OF_03B)
