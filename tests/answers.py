"""What an exercise is proved with: answers, right and wrong; they are the files in lesson_NN/answers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from utils import withholding
from utils.exercises import serialization, stored_cases
from utils.exercises.definition import Exercise, Inputs, find
from utils.exercises.rules import Solver
from utils.exercises.scoring import CONSTANT_HINT

__all__ = ["CONSTANT_HINT", "AnswerSuite", "Wrong", "of_seed", "of_the_table"]


@dataclass(frozen=True)
class Wrong:
    """A wrong answer that students really give, and a part of the hint that is meant for it."""

    name: str
    answer: Callable
    hint: str


@dataclass(frozen=True)
class AnswerSuite:
    """The answers that prove an exercise: right ones written differently, and wrong ones with their hints.

    ``right`` holds at least three. The definition's own table has the wrong answers that its hints are meant for;
    ``wrong`` holds those of which hint and code are not obviously the same, and those of the remarks.
    ``unforeseen`` holds at least six wrong answers that no rule is made for: the hint of a mistake would name one that
    they do not make.
    """

    exercise_id: str
    right: Mapping[str, Callable]
    unforeseen: Mapping[str, Callable]
    wrong: Sequence[Wrong] = ()

    @property
    def all_wrong(self) -> list[Wrong]:
        """Return the wrong answers of the definition's table, and those that are written here."""
        exercise = find(self.exercise_id)
        names = tuple(stored_cases.case_of(stored_cases.load(exercise)[0]).given)
        return [*of_the_table(exercise, names), *self.wrong]


def of_the_table(exercise: Exercise, names: Sequence[str]) -> list[Wrong]:
    """Return each wrong way of a definition's table as an answer to arguments of these names, with its hint."""
    return [
        Wrong(f"way {number} of: {hint}", _answer(way, names), hint)
        for rule, hint in exercise.misconceptions
        for number, way in enumerate(getattr(rule, "ways", ()), 1)
    ]


def _answer(way: Solver, names: Sequence[str]) -> Callable:
    """Return a way as an answer, which may call what its exercise withholds; of several numbers the first."""

    def answer(*arguments: Any) -> Any:
        given = serialization.loads(serialization.dumps(dict(zip(names, arguments, strict=True))))
        with _released():
            found = way(given)
        return next(iter(found)) if isinstance(found, set) else found

    return answer


@contextlib.contextmanager
def _released() -> Iterator[None]:
    """Let what is withheld be called within the block."""
    held = [
        (function, function.__code__, code)
        for name, codes in withholding._withheld.items()
        for function, code in zip(withholding._withholdable[name], codes, strict=True)
    ]
    for function, _, code in held:
        function.__code__ = code
    try:
        yield
    finally:
        for function, refusal, _ in held:
            function.__code__ = refusal


def of_seed(cases: Callable, seed: int) -> list[Inputs]:
    """Return what an exercise's ``cases`` gives the answer for this seed."""
    return [given for given, _ in cases(np.random.default_rng(seed))]
