"""Exercise 01.8: a short text on what the theorem does not promise."""

from utils.exercises.definition import FreeText

GUARANTEE = FreeText(
    id="01.8",
    points=2,
    rubric="1 point: the theorem says that good weights exist, not that training finds them. Half a point: it has "
    "hypotheses, namely a continuous function on a closed and bounded set, and an activation that is not a "
    "polynomial. Half a point: it says nothing about how wide is wide enough, or nothing about points that "
    "were not in the data.",
)
