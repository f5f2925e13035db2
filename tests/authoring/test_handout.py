"""What is in the handout, and what is not. tests/doors opens it as a student does."""

from __future__ import annotations

import json
import posixpath
import re
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from authoring import handout
from authoring.__main__ import USAGE, main
from authoring.diagnostics import AuthoringError

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\((?!\w+:)([^)\s#]+)")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def course(tmp_path_factory) -> Path:
    """The handout, unpacked in a folder with a space in its name."""
    folder = tmp_path_factory.mktemp("a student")
    (folder / "an empty folder").mkdir()
    with zipfile.ZipFile(handout.write_handout(ROOT, folder / "course.zip")) as archive:
        archive.extractall(folder / "an empty folder")
    return folder / "an empty folder" / handout.FOLDER


def text_of(path: Path) -> str:
    """Return a file's text, a notebook's cells and outputs as they are read, each line without its indentation."""
    if path.suffix == ".ipynb":
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        printed = [output.get("text", "") for cell in cells for output in cell.get("outputs", ())]
        text = "\n".join("".join(part) for part in [*(cell["source"] for cell in cells), *printed])
    else:
        text = path.read_bytes().decode("utf-8", errors="replace")
    return stripped(text)


def stripped(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines())


def test_it_holds_no_solution(course):
    marked = re.compile(r"# BEGIN SOLUTION\n(.*?)# END SOLUTION", re.DOTALL)
    bodies = [body for path in ROOT.glob("solutions/*.py") for body in marked.findall(path.read_text(encoding="utf-8"))]
    assert len(bodies) > 50
    long = [body for body in map(stripped, bodies) if body.count("\n") > 1]
    assert len(long) > 30
    for path in (one for one in course.rglob("*") if one.is_file()):
        text = text_of(path)
        assert "# BEGIN SOLUTION" not in text, path
        assert not [body for body in long if body in text], path
    assert not {"solutions", "tests", "grading", ".git"} & {one.name for one in course.iterdir()}


def test_all_links_lead_to_what_is_in_it(course):
    pages = [course / "README.md", *course.glob("reference/*.md")]
    texts = {path: path.read_text(encoding="utf-8") for path in pages}
    for path in [*course.glob("notebooks/*.ipynb"), *course.glob("exercises/*.ipynb")]:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        texts[path] = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    links = [(path, link) for path, text in texts.items() for link in LINK.findall(text)]
    assert len(links) > 300
    assert [(path.name, link) for path, link in links if not (path.parent / posixpath.normpath(link)).is_file()] == []


def test_its_readme_and_makefile_name_no_command_that_is_not_there(course):
    readme, makefile = ((course / name).read_text(encoding="utf-8") for name in ("README.md", "Makefile"))
    assert re.findall(r"^([a-z][\w-]*):", makefile, re.MULTILINE) == ["learn"]
    assert set(re.findall(r"\bmake ([a-z-]+)", readme)) - {"a"} == {"learn"}
    assert set(re.findall(r"python -m ([a-z.]+)", readme)) == {"venv", "pip", "authoring.learn", "pytest"}
    assert "not in a handout" not in readme + makefile and "solutions" not in readme
    for heading in ("Lessons", "Start", "Exercises", "Licence"):
        assert f"\n## {heading}\n" in readme
    if shutil.which("make"):
        said = subprocess.run(["make", "-n", "learn"], cwd=course, capture_output=True, text=True, check=True).stdout
        assert "-m authoring.learn" in said


def test_equal_courses_make_equal_bytes_with_git_or_without(course, tmp_path):
    one, other = (handout.write_handout(ROOT, tmp_path / name).read_bytes() for name in ("1.zip", "2.zip"))
    assert one == other
    unpacked = {path.relative_to(course).as_posix() for path in course.rglob("*") if path.is_file()}
    made = {name for name in unpacked if name.startswith("work/") or "__pycache__" in name}
    assert set(handout.packed(course)) == unpacked - made == set(handout.packed(ROOT))


def test_a_stub_with_answers_in_it_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(handout.digests, "load", lambda root: {})
    with pytest.raises(AuthoringError, match="exercises/01_.*somebody changed this stub"):
        handout.write_handout(ROOT, tmp_path / "course.zip")
    assert not (tmp_path / "course.zip").exists()


@pytest.mark.parametrize("rest", [["course.zip"], ["--out"], ["--to", "course.zip"]])
def test_a_call_that_is_none(rest, capsys):
    assert main(["handout", *rest]) == 2
    assert capsys.readouterr().err == f"{USAGE}\n"


def test_what_is_left_out_and_links_to_it():
    names = ["LICENSE", "notebooks/01_a.ipynb"]
    text = "[a](CONTRIBUTING.md#x) [b](LICENSE) [c](#start) [d](notebooks/01_a.ipynb#e) [f](https://g.h)"
    assert handout.with_links(text, names) == text.replace("[a](CONTRIBUTING.md#x)", "a")
