"""Exercise 08.9: experiments J, K and N of excursion 08a, each to be accused or not, and mended."""

from __future__ import annotations

from utils.lesson_08.exercises.mending import exercise, reference

__all__ = ["MEND_THIRD", "reference"]

MEND_THIRD = exercise("JKN", id="08.9", answer_name="mend_third", points=4, seconds=5)
