"""Definitions are read as they lie on the disk, whatever is cached or imported, and leave nothing behind."""

from __future__ import annotations

import os
import sys

from authoring.course import Lesson
from authoring.definitions import read_definitions
from tests.authoring.courses import DOUBLE, STEM, edit, sources
from utils.exercises import find

PACKAGE = "utils.lesson_01.exercises"


def test_a_module_that_was_edited_within_the_second_is_read_anew(tmp_path, monkeypatch):
    lesson = Lesson(sources(tmp_path), STEM)
    module = tmp_path / DOUBLE
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert read_definitions(lesson)["01.1"].points == 2
    before = module.stat()
    edit(tmp_path, DOUBLE, "points=2", "points=4")
    os.utime(module, ns=(before.st_atime_ns, before.st_mtime_ns))  # what a cached file is judged by
    assert module.stat().st_size == before.st_size and read_definitions(lesson)["01.1"].points == 4


def test_this_courses_own_exercises_stay_what_they_are(tmp_path):
    own = find("01.1")
    imported = {name: module for name, module in sys.modules.items() if name.startswith(PACKAGE)}
    assert read_definitions(Lesson(sources(tmp_path), STEM))["01.1"].answer_name == "double" != own.answer_name
    assert {name: module for name, module in sys.modules.items() if name.startswith(PACKAGE)} == imported
    assert find("01.1") is own and f"{PACKAGE}.double" not in imported
