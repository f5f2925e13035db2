"""What an exercise's proof consists of; the proofs themselves are the files in lesson_NN/proofs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from utils.exercises.definition import Given
from utils.exercises.scoring import CONSTANT_HINT

__all__ = ["CONSTANT_HINT", "Proof", "Wrong", "of_seed"]


@dataclass(frozen=True)
class Wrong:
    """A wrong answer that students really give, and a part of the hint that is meant for it."""

    name: str
    answer: Callable
    hint: str


@dataclass(frozen=True)
class Proof:
    """An exercise's proof: right answers written differently, and wrong ones with their hints.

    ``right`` holds at least three, ``wrong`` at least six, "off by one" among them. ``unforeseen`` holds at least six
    wrong answers that no rule is made for: the hint of a mistake would name one that they do not make.
    """

    exercise_id: str
    right: Mapping[str, Callable]
    wrong: Sequence[Wrong]
    unforeseen: Mapping[str, Callable]


def of_seed(cases: Callable, seed: int) -> list[Given]:
    """Return what an exercise's ``cases`` gives the answer for this seed."""
    return [given for given, _ in cases(np.random.default_rng(seed))]
