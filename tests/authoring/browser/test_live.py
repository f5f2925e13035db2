"""Trainings to watch, and figures to play, in JupyterLab as a reader sees and clicks them, in headless Chromium."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import nbformat
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.authoring.browser import WATCH, Lab, photographed
from utils.progress import SECONDS

pytestmark = pytest.mark.full
CELLS = (
    "import sys\nsys.path.insert(0, '..')\n"
    "from utils.figures import use_style\nfrom utils.lesson_02 import explorers\n"
    "from utils.live_training import LiveTraining, live_training\nfrom utils.widgets import live_figure\nuse_style()",
    "live_training(explorers.fit, explorers.fitted, **explorers.fit_controls())",
    "print('training' if LiveTraining._training else 'not training')",
    "live_figure(explorers.forward_pass, **explorers.architecture_controls())",
    f"import time\nfrom utils.progress import bar\nfor _ in bar(range(4)):\n    time.sleep({SECONDS})",
)
STOPPED_WITHIN, TRIES = 0.5, 5  # seconds; the best try counts, as other work on the machine may hold up one of them
SOON = 30_000  # milliseconds


@pytest.fixture(scope="module")
def notebook(jupyterlab) -> Lab:
    """A notebook with a live training and a figure to play, all its cells run."""
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    metadata = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=metadata), jupyterlab.work / "live.ipynb")
    lab = jupyterlab.start()
    lab.open_path("live.ipynb")
    lab.run_all()
    assert lab.errors() == []
    return lab


@pytest.fixture
def training(notebook) -> Iterator[Locator]:
    """The live training, at its beginning."""
    (cell,) = notebook.cells("live_training(explorers")
    notebook.run(cell)
    box = cell.locator(".widget-vbox").first
    expect(words(box)).to_contain_text("after 0 of 5,000 steps", timeout=SOON)
    box.evaluate("box => box.scrollIntoView({block: 'center'})")
    with photographed(notebook.page):
        yield box
    stop = box.get_by_role("button", name="Stop")
    if stop.count() and stop.is_enabled():
        stop.click()


def words(box: Locator) -> Locator:
    return box.locator(".widget-html-content").last


def start(box: Locator) -> None:
    box.get_by_role("button", name="Start").click()


def steps_in(text: str) -> int:
    return int(re.search(r"after ([\d,]+) of", text)[1].replace(",", ""))


def watch(box: Locator) -> None:
    box.evaluate(WATCH)


def seen(page: Page) -> list[dict]:
    """Return the frames since `watch`."""
    return page.evaluate("() => { window.watching = false; return window.frames_seen }")


def changes(frames: list[dict], what: str) -> list[dict]:
    """Return the frames in which it is another than in the one before."""
    return [after for before, after in zip(frames, frames[1:], strict=False) if before[what] != after[what]]


def test_the_picture_changes_while_it_trains_once_however_often_start_is_clicked(training):
    watch(training)
    training.get_by_role("button", name="Start").dblclick()
    expect(words(training)).to_contain_text("after 5,000 of 5,000", timeout=4 * SOON)
    frames = seen(training.page)
    steps = [steps_in(frame["words"]) for frame in changes(frames, "words")]
    assert len(steps) > 20 and steps == sorted(set(steps)), "each number of steps once, in order"
    assert len(changes(frames, "source")) > 20
    expect(training.get_by_role("button", name="Start")).to_be_enabled()
    expect(training.get_by_role("button", name="Stop")).to_be_disabled()


def test_the_pictures_box_never_changes_its_size(training):
    watch(training)
    start(training)
    training.page.wait_for_function("new Set(window.frames_seen.map(frame => frame.source)).size > 5", timeout=SOON)
    sizes = {(frame["width"], frame["height"]) for frame in seen(training.page)}
    assert len(sizes) == 1 and min(sizes.pop()) > 100


def test_stop_stops_at_once(training):
    def seconds_on() -> float:
        start(training)
        training.page.wait_for_timeout(1000)
        watch(training)
        clicked = training.page.evaluate("performance.now()")
        training.get_by_role("button", name="Stop").click()
        training.page.wait_for_timeout(1500)
        times = [frame["time"] for frame in changes(seen(training.page), "words")]
        expect(training.get_by_role("button", name="Stop")).to_be_disabled()
        return (max(times, default=clicked) - clicked) / 1000

    assert any(seconds_on() < STOPPED_WITHIN for _ in range(TRIES))
    assert 0 < steps_in(words(training).text_content()) < 5000


def test_the_kernel_runs_another_cell_meanwhile(notebook, training):
    start(training)
    expect(words(training)).not_to_contain_text("after 0 of")
    (other,) = notebook.cells("print('training'")
    assert notebook.run(other).strip() == "training"
    before = words(training).text_content()
    expect(words(training)).not_to_have_text(before)


def test_a_move_of_a_slider_starts_anew_and_trains_on(training):
    start(training)
    expect(words(training)).not_to_contain_text("after 0 of")
    slider = training.locator(".widget-hslider").filter(has_text="depth").get_by_role("slider")
    slider.focus()
    slider.press("ArrowRight")
    expect(words(training)).to_contain_text("4 × 8 relu units")
    expect(training.get_by_role("button", name="Stop")).to_be_enabled()
    expect(words(training)).not_to_contain_text("after 0 of")


def test_it_stops_where_its_output_is_deleted(notebook, training):
    start(training)
    expect(words(training)).not_to_contain_text("after 0 of")
    (cell,) = notebook.cells("live_training(explorers")
    cell.locator(".jp-InputPrompt").click()
    notebook.page.evaluate("jupyterapp.commands.execute('notebook:clear-cell-output')")
    expect(cell.locator(".widget-vbox")).to_have_count(0)
    (other,) = notebook.cells("print('training'")
    said = (notebook.run(other).strip() for _ in range(TRIES))
    assert "not training" in said


@pytest.mark.parametrize("width", [1280, 800])
def test_nothing_is_cut_off(notebook, training, width):
    page = notebook.page
    page.set_viewport_size({"width": width, "height": 900})
    try:
        for box in (training, played(notebook)):
            box.evaluate("box => box.scrollIntoView({block: 'center'})")
            page.wait_for_timeout(500)
            if folder := os.environ.get("SCREENSHOTS"):
                page.screenshot(path=f"{folder}/{'live' if box is training else 'played'}-{width}.png")
            assert box.evaluate("box => box.scrollWidth <= box.clientWidth + 1"), "wider than its place"
            room = box.evaluate("box => box.closest('.jp-OutputArea-output').getBoundingClientRect().right")
            picture = box.locator("img").bounding_box()
            assert picture["x"] + picture["width"] <= room + 1
    finally:
        page.set_viewport_size({"width": 1280, "height": 900})


def played(notebook: Lab) -> Locator:
    """The figure to play."""
    (cell,) = notebook.cells("live_figure(explorers")
    return cell.locator(".widget-vbox").first


def test_a_figure_is_played_to_its_end_and_again(notebook):
    box = played(notebook)
    box.evaluate("box => box.scrollIntoView({block: 'center'})")
    steps = box.locator(".widget-hslider").filter(has_text="layers computed").get_by_role("slider")
    with photographed(notebook.page):
        for _ in range(2):
            watch(box)
            play = box.locator(".widget-play button").first
            expect(play.locator("i")).to_have_class(re.compile("fa-play"))  # at its end it waits for a last moment
            play.click()
            expect(words(box)).to_contain_text("First unit of hidden layer 1", timeout=SOON)
            expect(words(box)).to_contain_text("The output layer adds up", timeout=SOON)
            expect(steps).to_have_attribute("aria-valuenow", re.compile(r"^4(\.0)?$"))
            assert len(changes(seen(notebook.page), "source")) >= 4
        units = box.locator(".widget-hslider").filter(has_text="hidden layer 3").get_by_role("slider")
        units.focus()
        units.press("Home")  # a network of one layer less: its last step is the third
        expect(steps).to_have_attribute("aria-valuenow", re.compile(r"^3(\.0)?$"))
        expect(words(box)).to_contain_text("= 8 + 20 + 5 = 33")


def test_of_a_bar_nothing_is_left_to_be_saved(notebook):
    """Not even the name of its widget, which would be an error on another evening."""
    outputs = notebook.page.evaluate("() => jupyterapp.shell.currentWidget.model.toJSON().cells.at(-1).outputs")
    assert [output["data"] for output in outputs] == [{"text/plain": ""}]
