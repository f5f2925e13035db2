"""Generates a lesson's cases in a process of its own: fresh, one thread; no other lesson leaves a trace in them.

``python -m authoring.case_generation ROOT STEM SCRATCH`` writes SCRATCH/NN.json, or SCRATCH/diagnostics.json.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

from authoring.course import Lesson
from authoring.definitions import complaint, read_definitions
from authoring.diagnostics import AuthoringError, Diagnostic, from_exception, one_line, refuse, relative
from authoring.execution import build_environment
from authoring.exercise_cells import place_exercises
from authoring.solutions import answers
from authoring.source import read_source
from utils.exercises import Exercise, stored_cases

SECONDS = 600


def generate_cases(lesson: Lesson, scratch: Path) -> str:
    """Return the text of the lesson's cases file, also written to ``scratch``; raises AuthoringError."""
    command = [sys.executable, "-m", "authoring.case_generation", str(lesson.root), lesson.stem, str(scratch)]
    here = str(Path(__file__).parents[1])
    environment = {**build_environment(scratch), "PYTHONPATH": os.pathsep.join([str(lesson.root), here])}
    shown = relative(lesson.definitions, lesson.root)
    try:
        done = subprocess.run(
            command, cwd=lesson.root, env=environment, capture_output=True, text=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        text = f"generating the cases takes longer than {SECONDS} s. Make them smaller."
        raise refuse(shown, None, text) from None
    diagnostics = scratch / "diagnostics.json"
    if diagnostics.exists():
        raise AuthoringError([Diagnostic(**one) for one in json.loads(diagnostics.read_text(encoding="utf-8"))])
    if done.returncode:
        raise refuse(shown, None, f"generating the cases died: {one_line(done.stderr[-300:])}. Mend it.")
    return (scratch / f"{lesson.number}.json").read_text(encoding="utf-8")


def generated_text(lesson: Lesson) -> str:
    """Return the text of the lesson's cases file, generated here and now; raises AuthoringError."""
    source = read_source(lesson.source("solutions"), lesson.root)
    placed = place_exercises(source, read_definitions(lesson))
    functions = answers(lesson.root, lesson.number)
    cases, diagnostics = {}, []
    for one in placed:
        if isinstance(exercise := one.exercise, Exercise):
            try:
                rng = stored_cases.public_rng(exercise.id)
                cases[exercise.id] = stored_cases.sample_cases(exercise, functions[exercise.id], rng)
                diagnostics += _diagnostics(lesson, exercise, one.arguments, cases[exercise.id])
            except Exception as error:  # an author's cases, solution or verify may raise anything
                doing = f"generating the cases of {exercise.id}"
                found = from_exception(error, lesson.root, lesson.definitions, doing)
                diagnostics.append(found if found.line else complaint(lesson, exercise.id, found.text))
    if diagnostics:
        raise AuthoringError(diagnostics)
    return stored_cases.text(cases)


def _diagnostics(
    lesson: Lesson, exercise: Exercise, arguments: tuple[str, ...], records: list[dict[str, object]]
) -> list[Diagnostic]:
    """Return what is wrong with one exercise's cases; verify may raise anything."""
    if not records:
        return [complaint(lesson, exercise.id, f"{exercise.id} has no cases: anything would pass. Yield some.")]
    for count, record in enumerate(records, 1):
        case = stored_cases.case_of(record)
        if tuple(case.given) != arguments:
            names, wanted = ", ".join(case.given), ", ".join(arguments)
            text = f"case {count} of {exercise.id} gives ({names}), {exercise.answer_name} takes ({wanted})."
            return [complaint(lesson, exercise.id, f"{text} Make them equal.")]
        fraction = exercise.verify(case.given, case.hidden, case.expected, case.expected)
        if float(fraction) != 1.0:
            text = f"verify gives the solution {fraction!r}, not 1.0, on case {count} of {exercise.id}."
            return [complaint(lesson, exercise.id, f"{text} Mend one of them.")]
    return []


def main(root: str, stem: str, scratch: str) -> None:
    """Write what was generated, or what was wrong, into the folder ``scratch``."""
    lesson = Lesson(Path(root), stem)
    try:
        text = generated_text(lesson)
    except AuthoringError as error:
        diagnostics = json.dumps([dataclasses.asdict(one) for one in error.diagnostics])
        Path(scratch, "diagnostics.json").write_text(diagnostics, encoding="utf-8")
    else:
        Path(scratch, f"{lesson.number}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
