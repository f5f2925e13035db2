"""Exercise 05.6: a short text on what an extrapolated width means."""

from utils.exercises.definition import FreeText

EXTRAPOLATED = FreeText(
    id="05.6",
    points=2,
    rubric="Half a point for each of four limits, however they are worded: a straight line in logarithms describes the "
    "widths that were measured, and nothing says that it goes on so far beyond them (the width is many powers of ten "
    "larger than any that was trained); a small change of the slope becomes a large one of the width, so the number is "
    "nothing without an interval, over teachers or seeds, and that interval knows nothing of a line that bends; the "
    "errors that were fitted are not the best that a width can do, but what this many examples and this optimiser made "
    "of it, so more data or longer training may change the slope (capacity, sample size and optimiser are mixed up); "
    "it holds for this teacher, or for teachers of this shape and σ, and for inputs of this kind, and says nothing "
    "about deep networks in general (a lower σ is enough to make a shallow student do). A quarter for a limit that is "
    "named without a reason. Half a point instead of one of them for saying what the number does show: that along this "
    "line width is an expensive way to make the error smaller, against a student of the teacher's shape. Nothing is "
    "taken off for what else is said, but half a point for saying that such a network was shown to be needed, or to "
    "be enough: neither was.",
)
