"""Exercise 04.6: a short text on what "exponentially more regions" does not mean."""

from utils.exercises.definition import FreeText

MORE_REGIONS = FreeText(
    id="04.6",
    points=2,
    rubric="Half a point for each of four limits, however they are worded: it is about a maximum, reached by weights "
    "that somebody chose, so it says what can be and nothing about a typical network; random networks of the same "
    "number of units have about as many regions deep as shallow, and trained ones come nowhere near the maximum; more "
    "regions are no better accuracy, for they have to lie where the task needs them, and a task without such a "
    "structure gains nothing (or: the same board takes a shallow network 4·2^k − 5 units, not 4^k, so regions are no "
    "measure of the units that are needed); it says nothing about learning, since weights that exist need not be found "
    "by training, nor about held-out data. A quarter for a limit that is named without a reason. Nothing is taken off "
    "for what else is said, but half a point for saying that depth buys nothing: the maximum is proved, and the folded "
    "board reaches exponentially many.",
)
