"""Generates a lesson's cases in a process of its own: fresh, one thread; no other lesson leaves a trace in them.

A case that differs from the stored one by rounding alone stays as it is stored: linear algebra has other last digits on
another processor, and a diff shall show what has changed for the learner.

``python -m authoring.case_generation ROOT STEM SCRATCH`` writes SCRATCH/NN.json, or SCRATCH/diagnostics.json.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np

from authoring.course import Lesson
from authoring.definitions import complaint, read_definitions
from authoring.diagnostics import AuthoringError, Diagnostic, from_exception, one_line, refuse, relative
from authoring.execution import build_environment
from authoring.exercise_cells import PlacedExercise, place_exercises
from authoring.solutions import answers
from authoring.source import read_source
from utils.exercises import Exercise, serialization, stored_cases

SECONDS = 600
NOTHING = 1e-24  # the squared error of a fit that is exact but for rounding


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
    before = _stored(lesson)
    cases, diagnostics = {}, []
    for one in placed:
        if isinstance(one.exercise, Exercise):
            try:
                rng = stored_cases.public_rng(one.exercise.id)
                generated = stored_cases.sample_cases(one.exercise, functions[one.exercise.id], rng)
                cases[one.exercise.id] = keep_stored(generated, before.get(one.exercise.id, []))
                diagnostics += _diagnostics(lesson, one, cases[one.exercise.id])
            except Exception as error:  # an author's cases, solution or verify may raise anything
                doing = f"generating the cases of {one.exercise.id}"
                found = from_exception(error, lesson.root, lesson.definitions, doing)
                diagnostics.append(found if found.line else complaint(lesson, one.exercise.id, found.text))
    if diagnostics:
        raise AuthoringError(diagnostics)
    return stored_cases.text(cases)


def _stored(lesson: Lesson) -> dict[str, list[dict[str, object]]]:
    """Return the cases that are stored, none where the file cannot be read: then all are new."""
    try:
        return dict(json.loads(lesson.cases.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return {}


def keep_stored(generated: list[dict[str, object]], before: list[dict[str, object]]) -> list[dict[str, object]]:
    """Return the generated cases, each as it was ``before`` where only rounding sets them apart."""
    return [next((old for old in before if _same(old, new)), new) for new in generated]


def _same(old: object, new: object) -> bool:
    """Return whether two cases, or parts of them in JSON's types, are alike but for rounding."""
    if isinstance(old, float) or isinstance(new, float):
        return isinstance(old, float) and isinstance(new, float) and _close(np.array(old), np.array(new))
    if isinstance(old, dict) and isinstance(new, dict):
        if "data" in new and not {"array", "tensor"}.isdisjoint(new):
            return _same_arrays(old, new)
        return old.keys() == new.keys() and all(_same(old[name], new[name]) for name in new)
    if isinstance(old, list) and isinstance(new, list):
        return len(old) == len(new) and all(map(_same, old, new))
    return type(old) is type(new) and old == new


def _same_arrays(old: dict[str, object], new: dict[str, object]) -> bool:
    about = [{name: part for name, part in array.items() if name != "data"} for array in (old, new)]
    try:
        return about[0] == about[1] and _close(*(np.asarray(serialization.decode(array)) for array in (old, new)))
    except serialization.NotSerializable:  # somebody has edited the file
        return False


def _close(old: np.ndarray, new: np.ndarray) -> bool:
    """Return whether two arrays of one form differ by less than half the digits of their type."""
    if old.dtype.kind not in "fc":
        return np.array_equal(old, new)
    small = np.sqrt(np.finfo(new.dtype).eps)
    largest = np.max(np.abs(new), where=np.isfinite(new), initial=0)
    return np.allclose(old, new, rtol=0, atol=max(small * largest, NOTHING), equal_nan=True)


def _diagnostics(lesson: Lesson, placed: PlacedExercise, records: list[dict[str, object]]) -> list[Diagnostic]:
    """Return what is wrong with one exercise's cases; verify may raise anything."""
    exercise = placed.exercise
    if not records:
        return [complaint(lesson, exercise.id, f"{exercise.id} has no cases: anything would pass. Yield some.")]
    for count, record in enumerate(records, 1):
        case = stored_cases.case_of(record)
        if tuple(case.given) != placed.arguments:
            names, wanted = ", ".join(case.given), ", ".join(placed.arguments)
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
