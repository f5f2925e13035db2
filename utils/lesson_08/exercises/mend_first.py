"""Exercise 08.7: experiments A to E of excursion 08a, each to be accused or not, and mended."""

from __future__ import annotations

from utils.lesson_08.exercises.mending import exercise, reference

__all__ = ["MEND_FIRST", "reference"]

MEND_FIRST = exercise("ABCDE", id="08.7", answer_name="mend_first", points=4, seconds=3)
