"""Exercise 03.7: a short text on why a deeper linear network cannot unroll the spiral."""

from utils.exercises.definition import FreeText

LINEAR_STACK = FreeText(
    id="03.7",
    points=2,
    rubric="Two thirds of a point each: a chain of affine maps is one affine map, whatever its depth and widths "
    "(W₂(W₁x + b₁) + b₂ = W₂W₁x + W₂b₁ + b₂); so what it says is decided by one straight line in the plane of the "
    "data, and no straight line parts the two arms (an affine map turns, stretches, shears, shifts and projects, but "
    "keeps lines straight and never folds); so neither width, nor more training, nor another optimiser helps, since "
    "it is no matter of finding weights: there are none, and a nonlinearity between the layers is what is missing. "
    "Half of a third part for naming the missing nonlinearity without saying why it is needed.",
)
