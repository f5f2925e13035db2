"""What prose says of exercises, excursions and publications becomes links, and each exercise leads back."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest

from authoring.building import plan
from authoring.course import Address, Lesson, Page, address, all_lessons, all_pages
from authoring.diagnostics import AuthoringError
from authoring.links import REMINDER, TAG, at_home
from authoring.notebook import cell_id
from tests.authoring.courses import EXCURSION, EXCURSION_STEM, LESSON, SOLUTION, STEM, edit, sources

PROSE = "The same cell twice: their ids differ."
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:)([^)#\s]+?\.ipynb)(?:#cell-id=([0-9a-f]+))?\)")


def said(root: Path, text: str, folder: str = "notebooks") -> str:
    """Return what the build makes of this prose in the small lesson's first section."""
    edit(sources(root), LESSON, PROSE, text) if folder == "notebooks" else edit(
        sources(root), SOLUTION, "Return twice the number.", text
    )
    built = plan(Lesson(root, STEM), address(root)).built[folder]
    prose = [
        one for one in built.notebook.cells if one.cell_type == "markdown" and TAG not in one.metadata.get("tags", ())
    ]
    return at_home("\n".join(cell.source for cell in prose), folder)


WORKS = """
["Cho & Saul 2009"]
also = ["Cho, Weiß & Saul 2009", "In 2009 Cho and others"]
authors = "Y. Cho, L. K. Saul"
title = "Kernels"
where = "Somewhere, 2009"
doi = "10.1/0(9)8"
checked = ""

["Vlačić et al. 2021"]
authors = "V. Vlačić"
title = "Symmetries"
where = "Elsewhere, 2021"
checked = ""

[next.01]
"Cho & Saul 2009" = "First."
"Vlačić et al. 2021" = "Second."
"In 2009 Cho and others" = "Third."

[exceptions]
"Python 2020" = "a version"
"""


def literate(root: Path, old: str = "", new: str = "") -> Path:
    """Return ``root`` with a literature of two works, in which ``old`` reads ``new``."""
    (root / "reference").mkdir()
    (root / "reference/literature.toml").write_text(WORKS.replace(old, new) if old else WORKS, encoding="utf-8")
    return root


def first_cell(root: Path, beginning: str, folder: str = "exercises", stem: str = STEM) -> str:
    """Return the id of the built cell in which a line begins so."""
    page = Lesson(root, stem) if stem == STEM else Page(root, stem)
    cells = plan(page, address(root)).built[folder].notebook.cells
    return next(cell.id for cell in cells if re.search(rf"(?m)^{re.escape(beginning)}", cell.source))


@pytest.mark.parametrize(
    ("text", "labels"),
    [
        ("*→ Now do exercise 01.1: twice.*", ["exercise 01.1"]),
        ("Exercises 01.1 and 01.2 are short. And 01.2.", ["Exercises 01.1", "01.2", "01.2"]),
        ("For more, excursion 01a.", ["excursion 01a"]),
        ("Equal: 01a, (exercise\n01.2)", ["01a", "exercise\n01.2"]),
        ("Nothing of `exercise 01.1`, $01.1$ or [exercise 01.1](there), 01.10, 101.1, 01.1-x, 01.word and 0.011", []),
        ("```\nexercise 01.1\n```", []),
        ("### On exercise 01.1 (1 min)", []),
        ("It takes 02.5 of 01.7 seconds.", []),  # numbers, as far as anybody can tell
    ],
)
def test_what_becomes_a_link(tmp_path, text, labels):
    made = said(tmp_path, text)
    found = [(label, file, at) for label, file, at in LINK.findall(made) if label in labels]
    assert [label for label, _, _ in found] == labels
    for label, file, at in found:
        number = re.search(r"01(\.\d|a)", label)[0]
        if number == "01a":
            assert (file, at) == (f"{EXCURSION_STEM}.ipynb", "")
        else:
            wanted = first_cell(tmp_path, f"## Exercise {number}")
            assert (file, at) == (f"../exercises/{STEM}.ipynb", wanted)
    if not labels:
        assert text in made


@pytest.mark.parametrize(
    ("text", "told"), [("exercise 01.9", "exercise 01.9"), ("Exercises 02.1", "exercise 02.1"), ("excursion 01c", None)]
)
@pytest.mark.parametrize("folder", ["notebooks", "solutions"])
def test_what_there_is_not_is_refused(tmp_path, text, told, folder):
    with pytest.raises(AuthoringError) as caught:
        said(tmp_path, f"One line.\nThen {text}.", folder)
    file, line = (LESSON, 19) if folder == "notebooks" else (SOLUTION, 19)
    text = f"there is no {told or text}. Mend the id."
    assert text in str(caught.value) and str(caught.value).startswith(f"{file}:{line}: ")


def test_an_exercise_leads_back_to_where_the_path_calls_it_and_else_to_its_excursion(tmp_path):
    edit(sources(tmp_path), EXCURSION, "Of $", "*→ Exercise 01.2 and exercise 01.1.*\n\nOf $")
    edit(tmp_path, LESSON, PROSE, "Perhaps exercise 01.2.\n\n*→ Now do exercise 01.1.*")
    for folder in ("exercises", "solutions"):
        cells = plan(Lesson(tmp_path, STEM), address(tmp_path)).built[folder].notebook.cells
        text = at_home("\n".join(cell.source for cell in cells if cell.cell_type == "markdown"), folder)
        back = dict(re.findall(r"## Exercise (01\.\d)[^\n]*\n\n\*\[← ([^\n]*)\*\n\n", text))
        path = first_cell(tmp_path, "## 1 A sum", "notebooks")
        excursion = first_cell(tmp_path, "## 1 A difference", "notebooks", EXCURSION_STEM)
        assert back == {
            "01.1": f"01, 1 A sum](../notebooks/{STEM}.ipynb#cell-id={path}) · {REMINDER}",
            "01.2": f"01a, 1 A difference](../notebooks/{EXCURSION_STEM}.ipynb#cell-id={excursion}) · {REMINDER}",
        }


def test_the_order_is_the_paths(tmp_path):
    edit(sources(tmp_path), LESSON, PROSE, "*→ Now do exercise 01.2, then 01.1.*")
    with pytest.raises(AuthoringError) as caught:
        plan(Lesson(tmp_path, STEM), address(tmp_path))
    text = "the path calls 01.2, 01.1 in this order, and here they stand as 01.1, 01.2. Move them."
    assert str(caught.value) == f"{SOLUTION}: {text}"


def test_a_link_changes_no_cells_id(tmp_path):
    edit(sources(tmp_path), LESSON, PROSE, "See exercise 01.1.")
    cells = plan(Lesson(tmp_path, STEM), address(tmp_path)).built["notebooks"].notebook.cells
    (one,) = [cell for cell in cells if "See [exercise 01.1]" in cell.source]
    assert one.id == cell_id("markdown", "## 1 A sum (5 min)\n\nSee exercise 01.1.", 1)


@pytest.mark.parametrize(
    ("text", "cited"),
    [
        ("So (Cho & Saul 2009, section 2; vlačić et al.).", ["Cho & Saul 2009"]),
        ("Cho\nand Saul (2009) do, Cho & Saul's (2009) did.", ["Cho\nand Saul (2009)", "Cho & Saul's (2009)"]),
        ("**Theorem** (Y. Cho, Weiß and L. Saul, 2009).", ["Y. Cho, Weiß and L. Saul, 2009"]),
        ("In 2009 Cho and others; for tanh, Vlačić et al. (2021)", ["In 2009 Cho and others", "Vlačić et al. (2021)"]),
        ("For Adam, Vlačić et al. 2021, in Python 2020", ["Vlačić et al. 2021"]),
        ("### Cho & Saul 2009\n\n`Cho & Saul 2009`, $Cho & Saul 2009$, [Cho & Saul 2009](there)", []),
        ("```\nCho & Saul 2009\n```\n<b title='Cho & Saul 2009'>of</b> 2009 <!-- Cho & Saul 2009 -->", []),
        ("<details><summary>Cho & Saul 2009</summary>\n\n1,797 or 20095 of Saul 2009-x\n\n</details>", []),
    ],
)
def test_what_becomes_a_link_to_the_literature(tmp_path, text, cited):
    made = said(literate(tmp_path), text)
    found = re.findall(r"\[([^\]]*)\]\(\.\./reference/literature\.md#(cho-saul-2009|vlacic-et-al-2021)\)", made)
    assert [label for label, _ in found] == cited and made.count("literature.md") == len(cited)
    assert all(anchor.startswith("cho") == ("Cho" in label) for label, anchor in found)
    assert text in re.sub(r"\[([^\]]*)\]\(\.\./reference/[^)]*\)", r"\1", made)


@pytest.mark.parametrize("text", ["Cho & Saul 2010", "Weiß (2009)", "Cho et al. 2009", "*Kernels* (2009)", "Java 2020"])
@pytest.mark.parametrize("folder", ["notebooks", "solutions"])
def test_a_citation_of_what_has_no_entry_is_refused(tmp_path, text, folder):
    with pytest.raises(AuthoringError) as caught:
        said(literate(tmp_path), f"One line.\nThen {text}.", folder)
    (found,) = caught.value.diagnostics
    assert (found.path, found.line) == (LESSON if folder == "notebooks" else SOLUTION, 19)
    assert f'{text.removeprefix("*Kernels* ")}" cites what has no entry' in found.text


def test_a_citations_link_changes_no_cells_id_and_leads_to_the_site_from_a_public_copy(tmp_path):
    edit(sources(literate(tmp_path)), LESSON, PROSE, "Cho & Saul 2009, {{= 'Saul 2010'}}.")
    cells = plan(Lesson(tmp_path, STEM), Address("https://github.com/a/b", "v1")).built["notebooks"].notebook.cells
    (one,) = [cell for cell in cells if "Saul 2010" in cell.source]
    assert one.id == cell_id("markdown", "## 1 A sum (5 min)\n\nCho & Saul 2009, {{= 'Saul 2010'}}.", 1)
    assert "[Cho & Saul 2009](https://a.github.io/b/reference/literature.html#cho-saul-2009), Saul 2010." in one.source


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("where =", "place =", "wanted are texts"),
        ("also = [", 'also = ["Vlačić et al. 2021", ', "Vlačić et al. 2021: another entry"),
        ('"In 2009 Cho and others" = "Third."', "", "has 2 works"),
        ("Third.", "word " * 70, "85 words"),
        ('"In 2009 Cho and others" =', '"Saul 2009" =', "Saul 2009, which has no entry"),
    ],
)
def test_literature_that_cannot_be_used_is_refused(tmp_path, old, new, complaint):
    with pytest.raises(AuthoringError, match=f"literature.toml: .*{complaint}"):
        said(literate(tmp_path, old, new), PROSE)


def test_links_of_this_course_lead_to_cells_that_are_there(root):
    """Of every page: the file, and the cell in it, which begins with what the link says or has that heading."""
    cells = {
        path: {cell.id: cell.source for cell in nbformat.read(path, as_version=4).cells}
        for folder in ("notebooks", "exercises", "solutions")
        for path in (root / folder).glob("*.ipynb")
    }
    seen = 0
    for path, own in cells.items():
        for text in own.values():
            for label, file, at in LINK.findall(text):
                there = (path.parent / file).resolve()
                assert there in cells, f"{path}: {file}"
                if at:
                    seen += 1
                    number = re.search(r"\d\d\.\d+", label)
                    words = f"Exercise {number[0]}:" if number else label.split(", ", 1)[1]
                    assert re.search(rf"(?m)^## {re.escape(words)}", cells[there][at]), f"{path}: {label}"
    assert seen > 50


def test_every_page_of_this_course_leads_to_those_around_it(root):
    lessons = all_lessons(root)
    for page in all_pages(root):
        notebook = nbformat.read(page.notebook("notebooks"), as_version=4)
        files = [file for _, file, _ in LINK.findall(notebook.cells[0].source)]
        among = lessons if page in lessons else [one for one in all_pages(root) if one.number == page.number]
        at = among.index(page)
        around = [*among[max(at - 1, 0) : at], *among[at + 1 : at + 2]]
        if page not in lessons:
            around[0] = among[0]
        lesson = page if page in lessons else among[0]
        beside = [one for one in all_pages(root) if one.number == page.number and one != page and page in lessons]
        wanted = [*(f"{one.stem}.ipynb" for one in around), f"../exercises/{lesson.stem}.ipynb"]
        assert files == [*wanted, *(f"{one.stem}.ipynb" for one in beside)]
        assert "[from other texts](../reference/from_other_texts.md)" in notebook.cells[0].source
        assert "(../README.md)" in notebook.cells[0].source and notebook.cells[-1].source.startswith("Next: [")
    for lesson in lessons:
        for folder in ("exercises", "solutions"):
            notebook = nbformat.read(lesson.notebook(folder), as_version=4)
            assert f"](../notebooks/{lesson.stem}.ipynb)" in notebook.cells[0].source
            assert "(../README.md)" in notebook.cells[0].source and notebook.cells[-1].source.startswith("Next: [")
