"""What exercises share whose answer says a word, or True or False, of each of several things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from utils.exercises.definition import Inputs
from utils.exercises.rules import Rule


@dataclass(frozen=True)
class Verdicts:
    """The form of such an answer: one of these words for each of ``given[things]``."""

    things: str
    words: Sequence

    def fits(self, given: Inputs, value: Any) -> bool:
        """Return whether the value has this form."""
        is_long_enough = isinstance(value, (list, np.ndarray)) and len(value) == len(given[self.things])
        return is_long_enough and all(np.ndim(one) == 0 and one in self.words for one in value)

    def fits_not(self, given: Inputs, value: Any, expected: Any) -> bool:
        """Return whether a value was returned that has another form."""
        return value is not None and not self.fits(given, value)

    def verify(self, given: Inputs, hidden: Any, value: Any, expected: Any) -> float:
        """Return 1.0 where each word is right, else 0.0."""
        return float(self.fits(given, value) and same_words(value, expected))

    def explain(self, given: Inputs, value: Any, expected: Any) -> str:
        """Say which of the things the value is wrong about."""
        if not self.fits(given, value):
            return ""
        return f"Wrong about: {', '.join(map(str, self.wrong(value, expected)))}."

    def wrong(self, value: Sequence, expected: Sequence) -> list[int]:
        """Return the places of the things that the value is wrong about."""
        return [place for place, (one, right) in enumerate(zip(value, expected, strict=True)) if one != right]


def same_words(value: Any, expected: Any) -> bool:
    """Return whether the same is said of each thing."""
    return list(value) == list(expected)


def right_unless(*, said: Any = None, wanted: Any = None) -> Rule:
    """Return a rule: each word is right, but where this one is said, or where this one is wanted."""

    def matches(given: Inputs, value: Any, expected: Any) -> bool:
        return all(one in (said, two) or two == wanted for one, two in zip(value, expected, strict=True))

    return matches
