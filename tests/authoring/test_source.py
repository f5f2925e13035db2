"""A source is read as jupytext reads it: the cells, their kinds, their texts."""

from __future__ import annotations

from pathlib import Path

import jupytext
import pytest

from authoring.source import read_source

ROOT = Path(__file__).parents[2]
COURSES = (ROOT, ROOT / "tests" / "authoring" / "course")
PAGES = sorted(page for root in COURSES for name in ("notebooks", "solutions") for page in (root / name).glob("*.py"))
HEAD = '# %% [markdown]\nr"""\n# 01 Title\n"""\n\n# %%\n# set-up\nimport math\n'
ODD = {
    "quoted markers": 'x = """\n# %%\n# %timeit no magic\n"""\n\n# %%\ny = 1\n',
    "in formatted text": 'x = f"""{1}\n# %%\n{2}"""\n',
    "magics": "# %timeit x = 1\nx = 1  # %timeit\n\n\n# %%\n# %%time\nx = 2\n\n# %%\n# !ls\n# %matplotlib inline\n",
    "indented": "if math:\n    # %timeit math\n    pass\n",
    "fenced": '# %% [markdown]\nr"""\n## Words\n\n```\n# %%\n```\n\n\\alpha "quoted"\n"""\n\n# %%\nx = 1',
    "tags": '# %% [markdown] tags=["aha"]\nr"""\n## The point\n"""\n\n# %% tags=["idea"]\nx = 1\n',
}


def as_jupytext_reads(path: Path) -> list[tuple[str, str, tuple[str, ...]]]:
    notebook = jupytext.reads(path.read_text(encoding="utf-8"), fmt="py:percent")
    return [(cell.cell_type, cell.source, tuple(cell.metadata.get("tags", ()))) for cell in notebook.cells]


def as_read(path: Path) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(cell.kind, cell.text, cell.tags) for cell in read_source(path, ROOT).cells]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_the_courses_own_pages(page):
    assert as_read(page) == as_jupytext_reads(page)


@pytest.mark.parametrize("odd", ODD)
def test_odd_cells(odd, tmp_path):
    path = tmp_path / "source.py"
    path.write_text(HEAD + ODD[odd])
    assert as_read(path) == as_jupytext_reads(path)
