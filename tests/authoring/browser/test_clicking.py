"""Lesson 04's explorer of regions, as a reader clicks on it: JupyterLab in headless Chromium."""

from __future__ import annotations

import os
import re

import nbformat
import pytest
from playwright.sync_api import Locator, expect

from tests.authoring.browser import Lab, photographed
from utils.lesson_04.exploring_figures import PLACE

pytestmark = pytest.mark.slow
CELLS = (
    "import sys\nsys.path.insert(0, '..')\nfrom utils.figures import use_style\nfrom utils.lesson_04 import page\n"
    "from utils.widgets import live_figure\nuse_style()",
    "live_figure(page.explore, **page.explorer_controls())",
)


@pytest.fixture(scope="module")
def notebook(jupyterlab) -> Lab:
    """A notebook with the explorer, all its cells run."""
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=metadata), jupyterlab.work / "clicking.ipynb")
    lab = jupyterlab.start()
    lab.open_path("clicking.ipynb")
    lab.run_all()
    assert lab.errors() == []
    return lab


@pytest.fixture
def explorer(notebook) -> Locator:
    """The explorer as it is at first."""
    (cell,) = notebook.cells("live_figure(")
    notebook.run(cell)
    box = cell.locator(".widget-vbox").first
    with photographed(notebook.page):
        expect(box.locator("img")).to_have_css("cursor", "crosshair")
        box.locator("img").scroll_into_view_if_needed()
        yield box


def click(explorer: Locator, across: float, up: float) -> None:
    """Click on the map, at these parts of its width and height, once the picture is there."""
    expect(explorer.locator("img")).to_have_js_property("complete", True)
    frame = explorer.locator("img").bounding_box()
    left, bottom, width, height = PLACE
    place = {
        "x": (left + across * width) * frame["width"],
        "y": (1 - bottom - up * height) * frame["height"],
    }
    explorer.locator("img").click(position=place)


def point(explorer: Locator) -> list[float]:
    return [float(part) for part in explorer.locator("input[type=text]").input_value().split(",")]


def words(explorer: Locator) -> Locator:
    return explorer.locator(".widget-html-content").last


@pytest.mark.parametrize("width", [1280, 800])
def test_a_click_chooses_the_region_that_is_clicked(notebook, explorer, width):
    notebook.page.set_viewport_size({"width": width, "height": 900})
    try:
        for across, up in ((0.25, 0.75), (0.9, 0.1)):
            before = words(explorer).inner_text()
            click(explorer, across, up)
            expect(words(explorer)).not_to_have_text(before, use_inner_text=True)
            assert point(explorer) == pytest.approx([2 * across - 1, 2 * up - 1], abs=0.02)
        explorer.get_by_role("slider").first.press("ArrowRight")
        expect(words(explorer)).to_contain_text("48 hidden units")
        expect(words(explorer)).to_contain_text(re.compile(r"layer 2: [●○]{24}"))
        if folder := os.environ.get("SCREENSHOTS"):
            notebook.page.wait_for_timeout(1000)
            notebook.page.screenshot(path=f"{folder}/explorer-{width}.png")
            explorer.screenshot(path=f"{folder}/explorer-{width}-box.png")
        assert explorer.evaluate("box => box.scrollWidth <= box.clientWidth + 1"), "wider than its place"
    finally:
        notebook.page.set_viewport_size({"width": 1280, "height": 900})


def test_a_click_beside_the_map_chooses_nothing(explorer):
    before = point(explorer)
    click(explorer, 0.5, -0.3)
    click(explorer, -0.1, 0.5)
    assert point(explorer) == before


def test_arrow_keys_move_the_point_and_leave_the_cell_alone(notebook, explorer):
    click(explorer, 0.5, 0.5)
    x, y = point(explorer)
    active = "jupyterapp.shell.currentWidget.content.activeCellIndex"
    cell = notebook.page.evaluate(active)
    before = words(explorer).inner_text()
    picture = explorer.locator("img")
    picture.focus()
    for key in ("ArrowLeft", "ArrowUp", "Shift+ArrowRight", "Shift+ArrowRight"):
        picture.press(key)
    assert point(explorer) == pytest.approx([x + 0.38, y + 0.02], abs=0.005)
    expect(words(explorer)).not_to_have_text(before, use_inner_text=True)
    assert notebook.page.evaluate(active) == cell
    for _ in range(12):
        picture.press("Shift+ArrowDown")
    assert point(explorer)[1] == -1


def test_the_point_can_be_typed_and_what_is_none_is_told(explorer):
    text, first = explorer.locator("input[type=text]"), words(explorer).inner_text()
    text.fill("there")
    text.press("Enter")
    expect(words(explorer)).to_contain_text("wanted two numbers")
    text.fill("0.2, −0.3")  # with a minus sign, as it was at first
    text.press("Enter")
    expect(words(explorer)).to_have_text(first, use_inner_text=True)
