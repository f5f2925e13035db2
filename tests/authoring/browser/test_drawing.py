"""Lesson 03's sheet to draw on, and what is made of it, in JupyterLab as a reader sees it, in headless Chromium."""

from __future__ import annotations

import os

import nbformat
import pytest
from playwright.sync_api import Locator, expect

from tests.authoring.browser import Lab, photographed

pytestmark = pytest.mark.full
CELLS = (
    "import sys\nsys.path.insert(0, '..')\nimport torch\nfrom utils.data import spirals\n"
    "from utils.figures import show_figure, use_style\nfrom utils.lesson_03 import page\n"
    "from utils.widgets import live_figure\nuse_style()",
    "drawing = page.draw_points()",
    "((X, y), _), said = drawing.parts()\n"
    "print(said, sorted(set(y.tolist())), [round(v, 1) for v in X[y == 0].mean(0).tolist()])",
    "from torch import nn\ngenerator = torch.Generator().manual_seed(1)\n"
    "model = nn.Sequential(*[page.identity_block(16, generator) for _ in range(4)], nn.Linear(2, 2))\n"
    "page.play_spiral(model, X, y)",
    "live_figure(page.change_unit(model, X, y), **page.change_controls(model))",
    "page.play_sheet()",
    "page.play_book()",
)


@pytest.fixture(scope="module")
def notebook(jupyterlab) -> Lab:
    """A notebook with a sheet to draw on, all its cells run."""
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=metadata), jupyterlab.work / "drawing.ipynb")
    lab = jupyterlab.start()
    lab.open_path("drawing.ipynb")
    lab.run_all()
    assert lab.errors() == []
    return lab


@pytest.fixture
def sheet(notebook) -> Locator:
    """The sheet, empty."""
    (cell,) = notebook.cells("draw_points()")
    notebook.run(cell)
    box = cell.locator(".drawing")
    box.scroll_into_view_if_needed()
    with photographed(notebook.page):
        yield box


def drag(sheet: Locator, *places: tuple[float, float]) -> None:
    """Draw through these places, parts of the sheet's width and height, with the pointer held down."""
    mouse, area = sheet.page.mouse, sheet.locator("canvas").bounding_box()
    for at, (x, y) in enumerate(places):
        mouse.move(area["x"] + x * area["width"], area["y"] + y * area["height"], steps=5)
        if at == 0:
            mouse.down()
    mouse.up()


def points(notebook: Lab) -> str:
    (cell,) = notebook.cells("drawing.parts()")
    return notebook.run(cell).strip()


def test_what_is_drawn_is_what_the_kernel_gets(notebook, sheet):
    drag(sheet, (0.1, 0.49), (0.4, 0.49))
    sheet.get_by_label("orange squares").check()
    drag(sheet, (0.7, 0.1), (0.7, 0.9))
    expect(sheet.get_by_role("status")).to_contain_text("Go on to the next cell.")
    assert points(notebook).startswith("[0, 1] [-1.0, 0.1]")  # the middle of the blue stroke


def test_one_kind_alone_and_an_empty_sheet_are_told_so(notebook, sheet):
    drag(sheet, (0.1, 0.49), (0.4, 0.49))
    assert "no orange squares" in points(notebook)
    sheet.get_by_role("button", name="Clear").click()
    assert "Nothing is drawn yet" in points(notebook)


def test_the_text_can_be_typed_and_is_drawn(notebook, sheet):
    (cell,) = notebook.cells("draw_points()")
    text = cell.locator("textarea:not(.cm-content *)")
    expect(text).to_be_hidden()
    sheet.get_by_label("as text").check()
    before = sheet.locator("canvas").evaluate("canvas => canvas.toDataURL()")
    text.fill("oo\n\nxx")
    text.blur()
    assert sheet.locator("canvas").evaluate("canvas => canvas.toDataURL()") != before
    assert points(notebook).startswith("[0, 1]")


@pytest.mark.parametrize("width", [1280, 800])
def test_nothing_is_cut_off(notebook, sheet, width):
    page = notebook.page
    page.set_viewport_size({"width": width, "height": 900})
    drag(sheet, (0.3, 0.3), (0.3, 0.7), (0.6, 0.7))
    sheet.get_by_label("orange squares").check()
    drag(sheet, (0.5, 0.2), (0.8, 0.5))
    try:
        for text in ("draw_points()", "play_spiral", "live_figure(", "play_sheet", "play_book"):
            (cell,) = notebook.cells(text)
            output = cell.locator(".jp-OutputArea-output").last
            output.scroll_into_view_if_needed()
            page.wait_for_timeout(500)
            if folder := os.environ.get("SCREENSHOTS"):
                cell.screenshot(path=f"{folder}/{text.strip('()')}-{width}.png")
            assert output.evaluate("box => box.scrollWidth <= box.clientWidth + 1"), "wider than its place"
    finally:
        page.set_viewport_size({"width": 1280, "height": 900})
