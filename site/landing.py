"""What the landing page says of the course, taken from the built pages; and what is done to all pages at last."""

from __future__ import annotations

import re
import runpy
import shutil
from functools import partial
from pathlib import Path

import browser_python
import nbformat

from authoring.course import Address, Page, all_pages
from authoring.links import in_colab
from authoring.minutes import exercise_parts, minutes, title

JOINING = "utils/playground/joining.py"  # makes one script of the playground: a page opened as a file imports no module
MENDED = (  # what in the theme's and docutils' HTML is no help to a screen reader, and what is
    ('role="heading">', 'role="heading" aria-level="2">'),
    ('<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="all pages">'),
    ('<aside class="toc-drawer', '<aside aria-label="this page" class="toc-drawer'),
    ('<th class="head"><p></p></th>', "<td></td>"),
)
# Formulas within a paragraph, which a div would end.
WRAPPED = re.compile(r'<div class="math-wrapper docutils container">\s*(.*?)\s*</div>', re.DOTALL)


def setup(app, root: Path, where: Address | None, editors: bool) -> None:
    """Have Sphinx fill in the landing page; mend the written pages, copy the playground, and Python."""
    app.connect("html-page-context", partial(_fill, root, where, editors))
    app.connect("build-finished", partial(_finish, root, editors))


def _fill(
    root: Path, where: Address | None, editors: bool, app, name: str, template: str, context: dict, doctree
) -> None:
    if name != "index":
        return
    pages = [_said(one) for one in all_pages(root)]
    lessons = [
        (path, [one for one in pages if one["number"][:2] == path["number"] and one != path])
        for path in pages
        if path["exercises"]
    ]
    claims = (root / "reference/claims.md").read_text(encoding="utf-8")
    context.update(
        lessons=lessons,
        editors=editors,
        repository=where and where.repository,
        colab=where and in_colab(where, f"notebooks/{pages[0]['stem']}.ipynb"),
        claims=len(re.findall(r"^\| \*\*", claims, re.MULTILINE)),
        still_open=claims.count("**open** |"),
    )


def _said(page: Page) -> dict:
    """Return what the landing page says of a page: its number, title and minutes, and those of its exercises."""
    built, exercises = (
        nbformat.read(page.notebook(folder), as_version=4) if folder in page.folders else None
        for folder in ("notebooks", "exercises")
    )
    number, words = title(built).split(" ", 1)
    return {
        "stem": page.stem,
        "number": number,
        "title": words,
        "minutes": minutes(built),
        "exercises": exercises and str(exercise_parts(exercises)),
    }


def _finish(root: Path, editors: bool, app, exception: Exception | None) -> None:
    if exception:
        return
    for path in Path(app.outdir).rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for found, wanted in MENDED:
            text = text.replace(found, wanted)
        text = WRAPPED.sub(r"\1", text)
        path.write_text(text, encoding="utf-8")
    # beside all that it is to keep: it serves nothing above its own folder
    shutil.move(Path(app.outdir) / "_static/service-worker.js", Path(app.outdir) / "service-worker.js")
    if editors:
        browser_python.add(root, Path(app.outdir))
    join = runpy.run_path(str(root / JOINING))["script"]  # by its path: its package wants torch
    joined = join(mounting="mountOnSite")
    (Path(app.outdir) / "_static/playground.js").write_text(f"const mountPlayground = {joined};\n", encoding="utf-8")
