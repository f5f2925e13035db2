"""Exercise 08.8: experiments F, G and I of excursion 08a, each to be accused or not, and mended."""

from __future__ import annotations

from utils.lesson_08.exercises.mending import exercise, reference

__all__ = ["MEND_SECOND", "reference"]

MEND_SECOND = exercise("FGI", id="08.8", answer_name="mend_second", points=4, seconds=3)
