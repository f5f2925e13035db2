"""make learn: working copies that are never overwritten, and a start page."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest
from nbformat import v4

from authoring import learn, start_page
from authoring.course import all_pages
from authoring.minutes import minutes
from tests.authoring.courses import built


@pytest.fixture
def work(root, tmp_path) -> Path:
    learn.copy_notebooks(root, tmp_path)
    return tmp_path


def without_links(path: Path) -> str:
    return re.sub(r"\]\((?:[^()]|\([^()]*\))*\)", "]()", path.read_text(encoding="utf-8"))


def links(path: Path) -> list[str]:
    """Return the links to files in a notebook's prose, without what stands behind #."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    prose = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return re.findall(r"(?<=\]\()(?!https?:)[^)#]+", prose)


def test_a_copy_differs_in_its_links_which_lead_to_the_same_page(root, work):
    for folder, begins in learn.COPIES.items():
        for source in (root / folder).glob("*.ipynb"):
            copy = work / (begins + source.name)
            assert without_links(copy) == without_links(source)
            pairs = zip(links(source), links(copy), strict=True)
            for old, new in pairs:
                there, here = (source.parent / old).resolve(), (copy.parent / new).resolve()
                assert there.is_file(), f"{source}: {old}"
                if there == root / "README.md":
                    assert here == work / "start.md"
                else:
                    assert here == work / (learn.COPIES[there.parent.name] + there.name) and here.is_file()
            assert len(links(source)) > 2


@pytest.mark.parametrize(
    ("folder", "link", "wanted"),
    [
        ("notebooks", "../exercises/01_a.ipynb#Exercise-01.2:-x", "../01_a.ipynb#Exercise-01.2:-x"),
        ("notebooks", "../README.md", "../start.md"),
        ("solutions", "../notebooks/01_a.ipynb#1-B", "../lessons/lesson_01_a.ipynb#1-B"),
        ("notebooks", "https://example.org/exercises/01_a.ipynb", "https://example.org/exercises/01_a.ipynb"),
        ("notebooks", "../exercises/01_a.html", "../exercises/01_a.html"),
        ("notebooks", "../reference/literature.md#a-1901", "../reference/literature.md#a-1901"),
        ("exercises", "../reference/literature.md#a-1901", "reference/literature.md#a-1901"),
        ("solutions", "../reference/literature.md#a-1901", "../reference/literature.md#a-1901"),
        ("reference", "literature.md#a-1901", "literature.md#a-1901"),
    ],
)
def test_a_link_in_work(folder, link, wanted):
    assert learn.relinked(f'"[x]({link})\\n",', folder) == f'"[x]({wanted})\\n",'


def test_what_is_there_is_never_overwritten_and_what_is_missing_comes_back(root, work):
    mine, *_ = sorted(work.glob("*.ipynb"))
    mine.write_text("my work")
    lesson, *_ = sorted(work.glob("lessons/*.ipynb"))
    lesson.unlink()
    copied, _ = learn.copy_notebooks(root, work)
    assert copied == [lesson] and mine.read_text() == "my work"


def test_what_is_looked_up_leads_to_cells_that_are_there(root, work):
    seen = 0
    for page in (work / "reference").glob("*.md"):
        text = page.read_text(encoding="utf-8")
        for file, end in re.findall(r"\]\(([\w./]+\.ipynb)(#\S*?)?\)(?=[\s,.|;:)]|$)", text):
            if end:
                seen += 1
                cells = json.loads((page.parent / file).read_text(encoding="utf-8"))["cells"]
                assert end.removeprefix("#cell-id=") in {cell["id"] for cell in cells}, f"{page.name}: {file}{end}"
    assert seen > 100


def test_folders_that_jupyter_leaves_are_not_copied_and_not_listed(tmp_path):
    course, work = built(tmp_path / "course"), tmp_path / "work"
    for folder in (course / "notebooks", work / "reference"):
        (folder / ".ipynb_checkpoints").mkdir(parents=True)
    (work / "reference/map.md").write_text("")
    copied, _ = learn.copy_notebooks(course, work)
    assert copied and all(path.is_file() for path in copied)
    page = start_page.start_page(start_page.read_pages(course), work)
    assert "[map](reference/map.md)." in page and "checkpoints" not in page


def test_an_interrupted_copy_is_made_again(root, work, monkeypatch):
    mine, *_ = sorted(work.glob("*.ipynb"))
    mine.unlink()
    with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
        patched.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        learn.copy_notebooks(root, work)
    copied, _ = learn.copy_notebooks(root, work)
    assert copied == [mine] and json.loads(mine.read_text())


def test_the_start_page_lists_every_page_with_links_that_lead_somewhere(root, work):
    page = learn.write_start_page(learn.read_pages(root), work)
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    looked_up = {link for link in links if link.startswith("reference/")}
    assert len(looked_up) == 8 and len({*links} - looked_up) == sum(len(one.folders) for one in all_pages(root)) > 0
    assert all((work / link).is_file() for link in links)
    rows = [line for line in text.splitlines() if line.startswith("|") and "ipynb" in line]
    assert len(rows) == len(all_pages(root)) and all(re.search(r"\| \d+ min[^|]*\|  \|$", row) for row in rows)


def test_excursions_stand_below_their_lesson(tmp_path):
    course, work = built(tmp_path / "course"), tmp_path / "work"
    learn.copy_notebooks(course, work)
    page = start_page.start_page(start_page.read_pages(course), work)
    assert "Excursions are for the curious" in page
    assert [line for line in page.splitlines() if line.startswith("|") and "ipynb" in line] == [
        "| 01 Small: how small can a lesson be? | [lesson](lessons/lesson_01_small.ipynb) · [exercises](01_small.ipynb)"
        " · [solutions](solutions/solutions_01_small.ipynb) | 5 min |  |",
        "| &emsp;↳ 01a More: how much smaller? | [excursion](lessons/lesson_01a_more.ipynb) | 3 min |  |",
    ]
    shutil.rmtree(work / "solutions")  # as in a handout
    assert "solutions" not in start_page.start_page(start_page.read_pages(course), work)


def test_minutes_of_a_page():
    for prose, wanted in (
        ("## 1 A (5 min)\n\ntext\n\n## 2 B (12 min)\n### C (3 min)", 17),
        ("```\n## 1 A (5 min)\n```", None),
    ):
        cells = [v4.new_markdown_cell(prose), v4.new_code_cell("# ## 3 (7 min)")]
        assert minutes(v4.new_notebook(cells=cells)) == wanted


def test_a_start_page_that_the_reader_made_their_own_stays(root, work):
    page = learn.write_start_page(learn.read_pages(root), work)
    page.write_text("mine", encoding="utf-8")
    assert learn.write_start_page([], work).read_text(encoding="utf-8") == "mine"
    page.write_text(f"old\n{start_page.WRITTEN}\n", encoding="utf-8")
    assert learn.write_start_page([], work).read_text(encoding="utf-8").startswith("# What does depth buy")


def test_settings_of_jupyterlab_are_added_to_not_replaced(tmp_path):
    (tmp_path / "overrides.json").write_text('{"other": 1, "@jupyterlab/docmanager-extension:plugin": {"x": 2}}')
    learn.settle_jupyterlab(tmp_path)
    overrides = json.loads((tmp_path / "overrides.json").read_text())
    plugin = overrides["@jupyterlab/docmanager-extension:plugin"]
    assert overrides["other"] == 1 and plugin == {"x": 2, "defaultViewers": {"markdown": "Markdown Preview"}}
    assert overrides["@jupyter-widgets/jupyterlab-manager:plugin"] == {"saveState": True}
    kernels = overrides["@jupyterlab/apputils-extension:kernels-settings"]
    assert kernels == {"commsOverSubshells": "disabled"}  # or a widget would draw in a thread of its own


@pytest.mark.parametrize("port", ["eighty", "0", "70000", "-1"])
def test_a_port_that_is_none_gets_one_sentence(port, capsys):
    assert learn.main([f"--port={port}"]) == 2
    assert "must be a number from 1 to 65535" in capsys.readouterr().err
