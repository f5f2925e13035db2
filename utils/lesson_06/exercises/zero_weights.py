"""Exercise 06.5: a short text on zero as a start for weights and for biases."""

from utils.exercises.definition import FreeText

ZERO_WEIGHTS = FreeText(
    id="06.5",
    points=2,
    rubric="Half a point for each of four statements, however they are worded: units of a layer that begin alike (with "
    "the same weights in and out) compute the same and get the same gradient, so they stay alike however long one "
    "trains, and the layer can do no more than one with a single unit; zero is worse than another constant, for signal "
    "and gradient are multiplied by it: nothing reaches the layers behind, and no gradient passes back (with tanh or "
    "ReLU units only the output's bias ever moves); biases may all begin at zero since random weights have broken the "
    "symmetry: units with different weights get different gradients, and so do their biases; zero biases add nothing "
    "to the mean square, so a gain that was derived from the weights alone stays right (or: random biases would add "
    "their variance in each layer). A quarter for a statement that is named without a reason. Half a point instead of "
    "one of them for a case in which zero weights do no harm, with its reason: a linear model has no hidden units that "
    "could be alike, and a residual branch of which the last layer alone is zero gets a gradient there. Nothing is "
    "taken off for what else is said, but half a point for saying that zero weights fail because they are a minimum of "
    "the loss, or only because they are small.",
)
