"""Exercises: their definitions, their checks, and the plain data that both travel in.

A lesson's exercises are defined in its room, ``utils/lesson_NN/exercises``; the cases that ``check`` uses, with the
solution's values for them, are stored in ``cases/NN.json`` when the notebooks are built.
"""

from utils.exercises.blanks import yours
from utils.exercises.checking import check, show
from utils.exercises.definition import Exercise, FreeText, UnknownExercise, find, load_lesson
from utils.exercises.history import remember_cells
from utils.exercises.points import progress

__all__ = ["Exercise", "FreeText", "UnknownExercise", "check", "find", "load_lesson", "progress", "show", "yours"]

remember_cells()
