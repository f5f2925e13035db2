"""A corpus of hostile submissions: each kind is a function that hands in one student's work for lesson 01.

A kind says what it has honestly earned, and why; ``test_hostile.py`` marks them all as one class and holds
the marking to it. The attackers are strong: they are told where everything lies. And they are bounded: whatever they
start, fill or flood has an end of its own, so that where a defence fails the machine that tests it survives.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

from utils.exercises.cells import call, exercise_id

ROOT = Path(__file__).parents[3]
LESSON = "01"
POINTS = {"01.1": 2, "01.2": 3, "01.3": 2, "01.4": 3, "01.5": 3, "01.6": 2, "01.7": 3}
ON_PATH = ("01.1", "01.2", "01.3", "01.7")  # whose points make the score
SANDBOXES = frozenset({"bubblewrap", "user"})
ALWAYS = SANDBOXES | {"none"}
ONLY_NAMESPACES = frozenset({"bubblewrap"})
ATTACKED, HONEST = "01.2", "01.3"
SIGNATURE = "def left_weights(knots, values):"
WRONG = "return np.zeros(len(knots) - 1)"


@dataclass(frozen=True)
class World:
    """What the strongest attacker knows of the machine: where everything lies, and who listens.

    ``outside`` is a folder that anybody may write to and nobody should have written to; a file in it, and the
    variable GRADER_SECRET in the grader's environment, hold a word that must not come out on any page. ``port`` and
    ``socket`` are where the test listens, on the loopback address and under an abstract name.
    """

    course: Path
    submissions: Path
    out: Path
    seed_file: Path
    outside: Path
    port: int
    socket: str


@dataclass(frozen=True)
class Kind:
    """One kind of hostile work: who hands it in, what it must come to, and why.

    ``points`` are those honestly earned, by exercise, 0 where none are named; ``status`` "absent" means that nothing
    of it may count as anybody's work. ``holds`` are the ways of running students' code that the expectation is
    meant for: what trusts its students does not stop everything. ``hangs`` counts the exercises that are only ended
    by their limit, ``quick`` is part of what every change must pass, ``shown`` is the name in the grades where that is
    not the one handed in.
    """

    name: str
    make: Callable[[World], bytes | None]
    why: str
    points: Mapping[str, float] = field(default_factory=dict)
    status: str = "graded"
    holds: frozenset[str] = ALWAYS
    hangs: int = 0
    quick: bool = False
    shown: str = ""

    def hand_in(self, world: World) -> None:
        """Write what the student hands in, unless the kind puts it in place itself."""
        data = self.make(world)
        if data is not None:
            (world.submissions / f"{self.name}.ipynb").write_bytes(data)

    def row(self) -> dict[str, float | str]:
        """Return what ``grades.csv`` must hold: status, score, and the points of each exercise."""
        if self.status != "graded":
            return {"status": self.status, "score": "", **dict.fromkeys(POINTS, "")}
        points = {exercise: self.points.get(exercise, 0) for exercise in POINTS}
        return {"status": self.status, "score": sum(points[exercise] for exercise in ON_PATH), **points}


CORPUS: dict[str, Kind] = {}


def kind(why: str, *, name: str = "", **about: Any) -> Callable:
    """Enter the decorated function into the corpus, under its own name if no other is given.

    What is not said otherwise: the student has honestly earned the two points of exercise 01.3 and nothing else, so
    that each attack is also a test of whether the rest is still marked.
    """

    def enter(make: Callable[[World], bytes | None]) -> Callable[[World], bytes | None]:
        student = name or make.__name__.replace("_", "-")
        assert student not in CORPUS, student
        points = about.pop("points", {HONEST: POINTS[HONEST]} if about.get("status", "graded") == "graded" else {})
        CORPUS[student] = Kind(student, make, why, points=points, **about)
        return make

    return enter


def read_stub() -> dict[str, Any]:
    """Return the pristine exercise notebook of the lesson, as JSON."""
    return json.loads(next((ROOT / "exercises").glob(f"{LESSON}_*.ipynb")).read_text(encoding="utf-8"))


def solutions() -> dict[str, str]:
    """Return the right answers' cells by exercise."""
    notebook = json.loads(next((ROOT / "solutions").glob(f"{LESSON}_*.ipynb")).read_text(encoding="utf-8"))
    sources = ("".join(cell["source"]) for cell in notebook["cells"])
    return {found: source for source in sources if (found := exercise_id(source))}


def notebook(answers: Mapping[str, str], *, whole: bool = False) -> dict[str, Any]:
    """Return the stub with these answers in it, as JSON, for further changes.

    What was not begun is left out unless ``whole``: there a class is marked as it is, here it spares each student
    four processes.
    """
    made = read_stub()
    kept = []
    for cell in made["cells"]:
        source = "".join(cell["source"])
        called = call(source)
        exercise = exercise_id(source) or (called[1] if called else None)
        if exercise in answers or exercise is None or whole:
            answer = answers.get(exercise_id(source) or "")
            kept.append({**cell, "source": source if answer is None else answer})
    return {**made, "cells": kept}


def saved(made: Mapping[str, Any]) -> bytes:
    """Return the notebook as a file's bytes."""
    return json.dumps(made, indent=1).encode("ascii")


def with_answer(cell: str) -> bytes:
    """Return the notebook of a student whose cell for exercise 01.2 is ``cell``, and whose 01.3 is right."""
    return saved(notebook({ATTACKED: cell, HONEST: solutions()[HONEST]}))


def in_cell(code: str, body: str = WRONG) -> bytes:
    """Return a notebook whose cell runs ``code``, then defines a function with ``body``, a wrong one by default."""
    return with_answer(f"# exercise {ATTACKED}\n{dedent(code).strip()}\n{SIGNATURE}\n{_indented(body)}\n")


def in_call(code: str, body: str = WRONG) -> bytes:
    """Return a notebook whose function runs ``code`` each time it is called, then goes on with ``body``."""
    return with_answer(f"# exercise {ATTACKED}\n{SIGNATURE}\n{_indented(code)}\n{_indented(body)}\n")


def returning(value: str, code: str = "") -> bytes:
    """Return a notebook whose function returns the expression ``value``, after a cell that runs ``code``."""
    return in_cell(code or "pass", f"return {value}")


def _indented(code: str) -> str:
    return indent(dedent(code).strip(), "    ")


def load_corpus() -> dict[str, Kind]:
    """Return all kinds by name."""
    for path in sorted(Path(__file__).parent.glob("[a-z]*.py")):
        import_module(f"{__name__}.{path.stem}")
    return CORPUS
