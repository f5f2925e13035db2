"""Public names of utils that nothing but tests uses are found, and no others."""

from __future__ import annotations

import pytest

from authoring.unused import unused

SHARED = """
from dataclasses import dataclass

SHOWN, _private, lost = 1, 2, 3
ALONE: int = 4
filled, called_by_name, EXERCISES = (lambda: SHOWN), None, []
filled.attribute = 5

@dataclass
class Used:
    left: int

def again(n):
    return again(n - 1) if n else lonely

def used():
    return Used
"""
PAGE = '''
r"""
It is {{= shared.filled()}}. Of lost and ALONE prose may tell: {{claim 01.again}}.
"""
from utils import shared
way, by_name = shared.used, "shared.called_by_name"  # again, lost
'''


@pytest.fixture
def course(tmp_path):
    for path, text in {
        "utils/shared.py": SHARED,
        "notebooks/01_page.py": PAGE,
        "utils/broken.py": "def",
        "tests/test_it.py": "from utils.shared import ALONE, again, lost",
    }.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


def test_what_nothing_uses(course):
    advice = "Delete it, or use it."
    assert [str(one) for one in unused(course)] == [
        f"utils/shared.py:{line}: nothing but tests uses {name}. {advice}"
        for line, name in ((4, "lost"), (5, "ALONE"), (13, "again"))
    ]


@pytest.mark.parametrize("folder", ["grading", "claims", "utils/lesson_01"])
def test_any_other_code_may_be_what_uses_it(course, folder):
    (course / folder).mkdir()
    (course / folder / "other.py").write_text("from utils.shared import again, ALONE\nprint(shared.lost)")
    assert unused(course) == []
