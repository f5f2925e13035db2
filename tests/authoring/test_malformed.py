"""Every way in which a lesson can be malformed is told with file and line, and what to do: malformed.toml."""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path

import pytest

from authoring.__main__ import main
from authoring.building import plan
from authoring.case_generation import generated_text
from authoring.course import Lesson, Page, address, all_lessons, all_pages
from authoring.diagnostics import AuthoringError
from tests.authoring.courses import DEFINITIONS, EXCURSION, EXCURSION_STEM, LESSON, SOLUTION, STEM, edit, sources

FIXTURES = tomllib.loads((Path(__file__).with_name("malformed.toml")).read_text(encoding="utf-8"))


def each(kind: str):
    return pytest.mark.parametrize("fixture", FIXTURES[kind], ids=lambda fixture: fixture["name"])


def malformed(root: Path, fixture: dict) -> Page:
    """Return the small course's lesson, or its excursion, with the fixture's edits."""
    sources(root)
    for file, old, new in fixture["edits"]:
        edit(root, file, old, new)
    return Page(root, EXCURSION_STEM) if file == EXCURSION else Lesson(root, STEM)


def told(function, *arguments) -> list[str]:
    with pytest.raises(AuthoringError) as caught:
        function(*arguments)
    return str(caught.value).splitlines()


@each("plan")
def test_malformed_sources(tmp_path, fixture):
    lesson = malformed(tmp_path, fixture)
    assert told(plan, lesson, address(tmp_path)) == fixture["expected"]


@each("generate")
def test_malformed_cases(tmp_path, fixture):
    assert told(generated_text, malformed(tmp_path, fixture)) == fixture["expected"]


def test_the_small_course_itself_is_well_formed(tmp_path):
    sources(tmp_path)
    plan(Lesson(tmp_path, STEM), address(tmp_path))
    assert '"01.2"' in generated_text(Lesson(tmp_path, STEM))


def test_how_long_a_code_cell_may_be(tmp_path):
    """Fifteen lines; set-up cells and answers may have more, other cells of the solutions may not. And 90 columns."""
    sources(tmp_path)
    lines = "".join(f"x = {number}\n" for number in range(13))
    edit(tmp_path, LESSON, "float(math.pi)\n", f"{lines}\n# and a comment\nfloat(math.pi)\n")  # and the magic
    edit(tmp_path, LESSON, "SEED = 0\n", f"SEED = 0\n{lines}{lines}")
    edit(tmp_path, SOLUTION, "    result = 2 * x\n", "    result = 2 * x\n" + 20 * "    result += 0\n")
    plan(Lesson(tmp_path, STEM), address(tmp_path))
    edit(tmp_path, SOLUTION, '# %%\ncheck("01.1"', f'# %%\n{lines}{lines}\n# %%\ncheck("01.1"')
    expected = [f"{SOLUTION}:61: the cell has 26 lines of code; at most 15 are wanted. Move some into utils/."]
    assert told(plan, Lesson(tmp_path, STEM), address(tmp_path)) == expected
    # A line of code has at most 90 columns, its comment included, in these cells, too; a line of prose may have more.
    sources(tmp_path)
    edit(tmp_path, LESSON, "It adds numbers", f"{'Long ' * 20} It adds numbers")
    edit(tmp_path, LESSON, "SEED = 0\n", f"SEED = 0\nx = {'1' * 86}\nx = {'1' * 87}\n")
    edit(tmp_path, SOLUTION, "    result = 2 * x\n", f"    result = 2 * x  # {'x' * 80}\n")
    advice = "at most 90 are wanted: a screen cuts the rest off. Break it."
    expected = [f"{LESSON}:14: the line has 91 columns; {advice}", f"{SOLUTION}:31: the line has 102 columns; {advice}"]
    assert told(plan, Lesson(tmp_path, STEM), address(tmp_path)) == expected


@pytest.mark.parametrize("file", [LESSON, SOLUTION])
def test_sources_that_are_no_text(tmp_path, file):
    sources(tmp_path)
    (tmp_path / file).write_bytes(b"# %% [markdown]\n\xff")
    expected = [f"{file}: this is not UTF-8 text. Save it in that encoding."]
    assert told(plan, Lesson(tmp_path, STEM), address(tmp_path)) == expected
    (tmp_path / file).write_text("")
    expected = [f"{file}: the file is empty. A source begins with a markdown cell, the title."]
    assert told(plan, Lesson(tmp_path, STEM), address(tmp_path)) == expected


def test_files_that_are_missing(tmp_path):
    sources(tmp_path)
    (tmp_path / DEFINITIONS).unlink()
    expected = [f"{DEFINITIONS}: missing. List the exercises of lesson 01 there."]
    assert told(plan, Lesson(tmp_path, STEM), address(tmp_path)) == expected
    (tmp_path / SOLUTION).unlink()
    expected = [f"{SOLUTION}: missing, though there is {LESSON}. Write it."]
    assert told(all_lessons, tmp_path) == expected


def test_names_of_sources(tmp_path):
    sources(tmp_path)
    (tmp_path / "notebooks/Scratch.py").touch()
    forms = 'NN_slug.py, such as "03_some_words.py", nor, for an excursion, "03a_some_words.py"'
    text = f"notebooks/Scratch.py: the name is not of the form {forms}. Rename it."
    assert told(all_lessons, tmp_path) == [text]
    (tmp_path / "notebooks/Scratch.py").unlink()
    for file in (LESSON, SOLUTION):
        shutil.copy(tmp_path / file, (tmp_path / file).with_name("01_tiny.py"))
    text = "notebooks/01_tiny.py: lesson 01 is 01_small already. Give one of the two another number."
    assert told(all_lessons, tmp_path) == [text]


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        (
            "notebooks/02a_far.py",
            "there is no lesson 02 that this could be an excursion of. Rename it, or write the lesson.",
        ),
        ("notebooks/01d_far.py", "a lesson has at most 3 excursions, a, b, c. Rename it, or leave it out."),
        ("notebooks/01a_other.py", "excursion 01a is 01a_more already. Give one of the two another letter."),
        ("solutions/01a_more.py", "an excursion has no exercises of its own. Move them to those of lesson 01."),
        (
            "notebooks/01A_far.py",
            'the name is not of the form NN_slug.py, such as "03_some_words.py", nor, for an '
            'excursion, "03a_some_words.py". Rename it.',
        ),
    ],
)
def test_excursions_that_cannot_be(tmp_path, file, expected):
    sources(tmp_path)
    (tmp_path / file).touch()
    assert told(all_lessons, tmp_path) == [f"{file}: {expected}"]


def test_a_letter_may_be_left_out(tmp_path):
    sources(tmp_path)
    (tmp_path / "notebooks/01c_far.py").touch()
    assert [page.stem for page in all_pages(tmp_path)] == [STEM, EXCURSION_STEM, "01c_far"]
    assert [page.stem for page in all_lessons(tmp_path)] == [STEM]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[tool.course]\nrepository = 3",
        "[tool",
        '[tool.course]\nrepository = "a b"\ntag = "v1"',
        '[tool.course]\nrepository = "https://github.com/a/b"\ntag = "v1; rm"',
        '[tool.course]\nrepository = "https://github.com/a/b\\" + x"\ntag = "v1"',
    ],
)
def test_an_address_that_cannot_be_used(tmp_path, text):
    (tmp_path / "pyproject.toml").write_text(text)
    (diagnostic,) = told(address, tmp_path)
    assert diagnostic.startswith("pyproject.toml: ") and "[tool.course]" in diagnostic


@pytest.mark.parametrize(
    "arguments", [[], ["bild"], ["build", "01", "02"], ["new"], ["new", "09"], ["check", "a", "b"], ["--help"]]
)
def test_a_command_that_cannot_be_understood(tmp_path, capsys, arguments):
    assert main(arguments, tmp_path) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and "`python -m authoring`" in err and "`build NN`" in err


@pytest.mark.parametrize("command", ["build", "check"])
@pytest.mark.parametrize("number", ["07", "1", "x", "../01"])
def test_an_unknown_lesson(tmp_path, capsys, command, number):
    assert main([command, number], sources(tmp_path)) == 1
    assert capsys.readouterr() == ("", f"notebooks: there is no lesson {number}; there are: 01.\n")


def test_an_excursion_is_built_with_its_lesson(tmp_path, capsys):
    assert main(["build", "01a"], sources(tmp_path)) == 1
    assert capsys.readouterr().err.endswith("Excursion 01a is built and checked with lesson 01.\n")
