"""A helper of the fixture course that one exercise withholds."""

from utils.withholding import withholdable


@withholdable
def total_of(values):
    """Return the sum."""
    return sum(values)
