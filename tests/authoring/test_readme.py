"""The README says what is so: every page with its minutes, badges once there is an address, and commands that exist."""

from __future__ import annotations

import json
import re
import runpy
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from authoring.course import Address, Lesson, address, all_lessons, all_pages
from authoring.learn import copy_notebooks
from authoring.readme import with_lessons
from authoring.start_page import read_pages, start_page
from utils.exercises.checking import report
from utils.exercises.definition import find


def listed(root: Path) -> dict[str, str]:
    """Return the README's rows by the lesson's number."""
    lines = (root / "README.md").read_text(encoding="utf-8").splitlines()
    return {line[2:4]: line for line in lines if re.match(r"\| \d\d ", line)}


def minutes_by_headings(root: Path, file: str) -> int:
    """Return the minutes beside a built page's headings, found in the file's own text."""
    return sum(map(int, re.findall(r'"## [^\n]*\((\d+) min\)', (root / file).read_text(encoding="utf-8"))))


def test_every_page_is_listed_with_its_minutes_in_the_row_of_its_lesson(root):
    rows = listed(root)
    assert len(rows) == len(all_lessons(root))
    for page in all_pages(root):
        file = f"notebooks/{page.stem}.ipynb"
        assert f"]({file}), {minutes_by_headings(root, file)} min" in rows[page.number]
    for lesson in all_lessons(root):
        assert f"](exercises/{lesson.stem}.ipynb), " in rows[lesson.number]
        assert rows[lesson.number].count("](notebooks/") == rows[lesson.number].count(" min") - 2


def test_the_hours_are_the_sums_of_the_table(root):
    cells = [row.split("|") for row in listed(root).values()]
    kinds = [(2, r"\), (\d+) min"), (3, r"\), (\d+) min"), (3, r"and (\d+) min"), (4, r"\), (\d+) min")]
    hours = [sum(int(n) for row in cells for n in re.findall(pattern, row[at])) / 60 for at, pattern in kinds]
    readme = (root / "README.md").read_text(encoding="utf-8")
    said = [int(found) for found in re.findall(r"about (\d+) hours", readme)]
    assert len(said) == 4 and all(abs(one - other) <= 0.5 for one, other in zip(hours, said, strict=True))


def test_minutes_are_the_same_wherever_they_stand(root, tmp_path):
    """In the README, on the start page, beside the headings, below the titles, and on the exercises' page."""
    copy_notebooks(root, tmp_path)
    start, rows = start_page(read_pages(root), tmp_path), listed(root)
    for page in all_pages(root):
        file = f"notebooks/{page.stem}.ipynb"
        wanted = minutes_by_headings(root, file)
        assert re.search(rf"\(lessons/lesson_{page.stem}\.ipynb\).*\| {wanted} min[;| ].*\|", start, re.M)
        intro = intro_of(root / file)
        assert re.search(r"(\d+) minutes", intro)[1] == str(wanted), file
        if isinstance(page, Lesson):
            said = intro_of(root / "exercises" / f"{page.stem}.ipynb")
            tasks = [int(one) for one in re.findall(r"about (\d+) minutes", said)]
            all_of_them = f"{tasks[0]} min, and {tasks[1]} min for more"
            assert f"](exercises/{page.stem}.ipynb), {all_of_them} |" in rows[page.number]
            assert f"{wanted} min; exercises {all_of_them} |" in start
            assert f"about {tasks[0]} more for the exercises" in intro, file


def intro_of(path: Path) -> str:
    """Return what stands below a notebook's title, in one line."""
    cells = ("".join(cell["source"]) for cell in json.loads(path.read_text(encoding="utf-8"))["cells"])
    return " ".join(next(text for text in cells if text.startswith("# ")).split())


def test_badges_come_with_an_address_only(root):
    where = address(root)
    text = (root / "README.md").read_text(encoding="utf-8")
    assert ("google.com/github" in text) == (where is not None)
    assert with_lessons(text, root, where) == text
    stamped = with_lessons(text, root, Address("https://github.com/someone/course", "v7"))
    notebooks = re.findall(r"\]\((\w+/\w+\.ipynb)\)", stamped)
    badges = re.findall(r"\]\(https://colab\.research\.google\.com/github/someone/course/blob/v7/([^)]*)\)", stamped)
    assert badges == notebooks and len(badges) == len(all_pages(root)) + len(all_lessons(root))
    assert "`git clone -b v7 https://github.com/someone/course`" in stamped
    assert with_lessons(stamped, root, where) == text


def test_links_to_files_lead_somewhere(root):
    for name in ("README.md", "CONTRIBUTING.md"):
        for link in re.findall(r"\]\((?!http)([^)#]+)\)", (root / name).read_text(encoding="utf-8")):
            assert (root / link).exists(), f"{name}: {link}"


def test_the_address_is_the_same_everywhere(root):
    course = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["course"]
    citation = (root / "CITATION.cff").read_text()
    if course["repository"]:
        version = course["tag"].removeprefix("v")
        assert f"repository-code: {course['repository']}\n" in citation and f'version: "{version}"\n' in citation
    else:
        assert course["tag"] == "" and "repository-code" not in citation


def test_no_file_names_an_address_that_anybody_could_register(root):
    """While there is no address, no page, no badge and no set-up cell may name a repository of a course."""
    if address(root) is None:
        for path in [*root.glob("*/*.ipynb"), *(root / name for name in ("README.md", "CITATION.cff"))]:
            text = path.read_text(encoding="utf-8")
            assert "git clone" not in text and "google.com/github" not in text and "your-name" not in text, path


@pytest.mark.filterwarnings("ignore:.*found in sys.modules")
@pytest.mark.slow
def test_commands_that_the_readme_names_exist(root, monkeypatch, capsys):
    readme = (root / "README.md").read_text(encoding="utf-8")
    commands = set(re.findall(r"python -m ((?!venv|pip)[a-z_.]+(?: [a-z]+)?)", readme))
    assert len(commands) > 3
    for command in commands:
        monkeypatch.setattr(sys, "argv", [*command.split(), "--help"])
        with pytest.raises(SystemExit) as ended:
            runpy.run_module(command.split()[0], run_name="__main__")
        assert ended.value.code == 0, command
    makefile = (root / "Makefile").read_text()
    for target in set(re.findall(r"`?make ([a-z-]+)", readme)):
        assert re.search(rf"^{target}:", makefile, re.M), target


def test_the_message_shown_in_the_readme_is_what_check_prints(root):
    printed = report(find("01.2"), lambda knots, values: np.diff(values) / np.diff(knots))
    shown = re.search(r"```\n(✗ Exercise.*?)```", (root / "README.md").read_text(encoding="utf-8"), re.S)[1]
    assert shown.split() == printed.split()
