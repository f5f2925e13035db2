"""Definitions are read as they lie on the disk, whatever is imported, and leave nothing behind."""

from __future__ import annotations

import sys

from authoring.course import Lesson
from authoring.definitions import read_definitions
from tests.authoring.courses import DOUBLE, STEM, edit, sources
from utils.exercises import find

PACKAGE = "utils.lesson_01.exercises"


def test_a_module_that_was_edited_is_read_anew(tmp_path):
    lesson = Lesson(sources(tmp_path), STEM)
    assert read_definitions(lesson)["01.1"].points == 2
    edit(tmp_path, DOUBLE, "points=2", "points=12")
    assert read_definitions(lesson)["01.1"].points == 12


def test_this_courses_own_exercises_stay_what_they_are(tmp_path):
    own = find("01.1")
    imported = {name: module for name, module in sys.modules.items() if name.startswith(PACKAGE)}
    assert read_definitions(Lesson(sources(tmp_path), STEM))["01.1"].answer_name == "double" != own.answer_name
    assert {name: module for name, module in sys.modules.items() if name.startswith(PACKAGE)} == imported
    assert find("01.1") is own and f"{PACKAGE}.double" not in imported
