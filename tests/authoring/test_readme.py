"""The README says what is so: every lesson with badges of the stamped address, and commands that exist."""

from __future__ import annotations

import re
import runpy
import sys
import tomllib

import numpy as np
import pytest

from authoring.course import Lesson, address, all_pages
from authoring.learn import INDENT, title_and_time
from authoring.notebook import badge
from utils.exercises.checking import report
from utils.exercises.definition import find


def test_every_page_is_listed_with_its_minutes_its_notebooks_and_badges(root):
    lines = (root / "README.md").read_text(encoding="utf-8").splitlines()
    listed = [line for line in lines if "/blob/" in line]
    for page, line in zip(all_pages(root), listed, strict=True):
        title, time = title_and_time(page.notebook("notebooks"))
        indent = "" if isinstance(page, Lesson) else INDENT
        assert line.startswith(f"| {indent}{title} | ") and line.endswith(f" | {time} |")
        folders = [folder for folder in page.folders if folder != "solutions"]
        for folder in folders:
            made = badge(address(root), f"{folder}/{page.stem}.ipynb")
            target = re.search(r"\((https://colab[^)]*/blob/[^)]*)\)", made)[1]
            assert f"]({folder}/{page.stem}.ipynb)" in line and f"]({target})" in line
        assert line.count("/blob/") == len(folders)


def test_links_to_files_lead_somewhere(root):
    for name in ("README.md", "CONTRIBUTING.md"):
        for link in re.findall(r"\]\((?!http)([^)#]+)\)", (root / name).read_text(encoding="utf-8")):
            assert (root / link).exists(), f"{name}: {link}"


def test_the_address_is_the_same_everywhere(root):
    course = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["course"]
    citation = (root / "CITATION.cff").read_text()
    version = course["tag"].removeprefix("v")
    assert f"repository-code: {course['repository']}\n" in citation and f'version: "{version}"\n' in citation


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
