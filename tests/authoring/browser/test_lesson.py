"""The first lesson and its exercises in JupyterLab, as a learner sees, clicks and types: in headless Chromium."""

from __future__ import annotations

import base64
import contextlib
import io
import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.authoring.browser import WATCH, Lab, photographed
from utils.exercises import Exercise, load_lesson, stored_cases
from utils.exercises.cells import exercise_id
from utils.exercises.scoring import CONSTANT_HINT

pytestmark = pytest.mark.slow
of_the_whole_path = pytest.mark.full  # it is run here in a browser, which takes two minutes of computing
LESSON = "01"
STEPS, RELEASED_AT = 60, 0.7  # how a slider is dragged: moves of the mouse, and the part of its track where it ends
CHANGE_SECONDS = 30
SECONDS_TO_SETTLE, TRIES = 1.0, 5  # the best try counts: other work on the machine may hold up one of them

IDLE = "() => jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'"
# The picture's digest, and the sentence.
SHOWN = """async box => {
    const bytes = await (await fetch(box.querySelector('img').src)).arrayBuffer();
    const digest = await crypto.subtle.digest('SHA-256', bytes);
    return [Array.from(new Uint8Array(digest)).join(),
            [...box.querySelectorAll('.widget-html-content')].at(-1).textContent];
}"""


@pytest.fixture(scope="module")
def lesson(jupyterlab) -> Lab:
    """The lesson, all its cells run."""
    lab = jupyterlab.start()
    lab.open(LESSON, "lesson")
    lab.run_all()
    return lab


@pytest.fixture(scope="module")
def exercises(jupyterlab) -> Lab:
    """The lesson's exercises, all cells run."""
    lab = jupyterlab.start()
    lab.open(LESSON, "exercises")
    lab.run_all()
    return lab


@of_the_whole_path
def test_the_lesson_runs_without_an_error(lesson):
    with photographed(lesson.page):
        assert lesson.errors() == [] and lesson.crashes == []
        figures = lesson.page.locator(".jp-Notebook:visible .jp-OutputArea-output img")
        assert figures.count() >= 3 and all(figure.evaluate("img => img.naturalWidth") for figure in figures.all())


@of_the_whole_path
def test_a_saved_page_shows_the_next_evening_what_it_showed(lesson, jupyterlab):
    lesson.page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    saved = next((jupyterlab.work / "lessons").glob(f"lesson_{LESSON}_*.ipynb"))
    copy = saved.with_name("saved.ipynb")  # which has no kernel of its own yet
    copy.write_bytes(saved.read_bytes())
    again = jupyterlab.start()
    again.open_path(f"lessons/{copy.name}")
    with photographed(again.page):
        cell = again.cells("live_figure(")[0]
        cell.scroll_into_view_if_needed()
        expect(cell.locator(".widget-image").first).to_be_visible()
        assert "Error displaying widget" not in again.page.inner_text("body")


@of_the_whole_path
def test_a_prediction_is_committed_to_by_clicking(lesson):
    (cell, *_) = [cell for cell in lesson.cells("predict(") if cell.get_by_role("radio").count()]
    with photographed(lesson.page):
        choice = cell.get_by_role("radio").nth(1)
        cell.get_by_role("button", name="Commit").click()
        expect(cell).to_contain_text("Choose first.")
        choice.click()
        words = choice.evaluate("input => input.labels[0].textContent")
        cell.get_by_role("button", name="Commit").click()
        expect(cell.locator(".widget-html-content").first).to_have_text(f"Committed to: {words}")
        expect(choice).to_be_disabled()


@of_the_whole_path
def test_an_answer_comes_where_it_is_waited_for_when_a_reader_commits_and_fits_a_narrow_page(lesson):
    (question,), (answer,) = lesson.cells('predict("01.doubling"'), lesson.cells('reveal("01.doubling"')
    with photographed(lesson.page):
        lesson.page.set_viewport_size({"width": 800, "height": 900})
        expect(answer).to_contain_text("Commit to your prediction first")
        assert answer.locator("img").count() == 0 and "of the old error" not in answer.inner_text()
        question.get_by_role("radio").nth(1).click()
        question.get_by_role("button", name="Commit").click()
        expect(answer).to_contain_text("That is what you predicted.")
        figure, room = (found.bounding_box() for found in (answer.locator("img"), answer.locator(".jp-OutputArea")))
        assert figure["width"] > 300 and figure["x"] + figure["width"] <= room["x"] + room["width"]
        lesson.page.set_viewport_size({"width": 1280, "height": 900})


def live_figures(lab: Lab) -> list[Locator]:
    """Return the lesson's live figures, each a box of controls, a picture and a sentence."""
    boxes = [cell.locator(".widget-vbox").first for cell in lab.cells("live_figure(")]
    return [box for box in boxes if box.locator("img").count()]


def sliders(box: Locator) -> dict[str, Locator]:
    """Return the handles of a live figure's sliders by their description."""
    rows = box.locator(".widget-hslider").all()
    return {row.locator(".widget-label").text_content(): row.get_by_role("slider") for row in rows}


def press(handle: Locator, *keys: str) -> None:
    handle.focus()
    for key in keys:
        handle.press(key)


def settled(box: Locator) -> tuple[str, str]:
    """Return the picture's digest and the sentence, once neither has changed for a while and the kernel is idle."""
    before = None
    while (now := tuple(box.evaluate(SHOWN))) != before or not box.page.evaluate(IDLE):
        before = now
        box.page.wait_for_timeout(800)
    return now


def changed(box: Locator, before: tuple[str, str]) -> tuple[str, str]:
    """Return what is shown after ``before``: a picture that trains networks takes a while on a busy machine."""
    for _ in range(CHANGE_SECONDS):
        now = settled(box)
        if now[0] != before[0] and now[1] != before[1]:
            return now
    raise AssertionError(f"still the same picture and sentence after {CHANGE_SECONDS} s: {before[1]}")


@of_the_whole_path
def test_every_slider_is_moved_with_the_keyboard(lesson):
    boxes = live_figures(lesson)
    assert boxes
    with photographed(lesson.page):
        for box in boxes:
            move_to_the_middle(box)
            assert sliders(box) and box.locator("[title=null]:visible").count() == 0
            for name, handle in sliders(box).items():
                press(handle, "End")
                box.page.wait_for_timeout(1000 * SECONDS_TO_SETTLE)
                high, last = handle.get_attribute("aria-valuenow"), settled(box)
                press(handle, "Home")
                low, first = handle.get_attribute("aria-valuenow"), changed(box, last)
                assert low != high, name
                press(handle, "End")
                assert changed(box, first) == last, name


def drag(handle: Locator, box: Locator) -> dict[str, object]:
    """Drag the handle over its whole track and back, and release it elsewhere; return what was seen meanwhile."""
    page, track, grip = handle.page, track_of(handle), handle.bounding_box()
    y = grip["y"] + grip["height"] / 2
    page.mouse.move(grip["x"] + grip["width"] / 2, y)
    page.mouse.down()
    box.evaluate(WATCH)
    for step in range(STEPS):
        page.mouse.move(track["x"] + (1 - abs(1 - 2 * step / STEPS)) * track["width"], y)
        page.wait_for_timeout(25)
    page.mouse.move(track["x"] + RELEASED_AT * track["width"], y)
    page.mouse.up()
    released = page.evaluate("performance.now()")
    page.wait_for_timeout(2000 * SECONDS_TO_SETTLE)
    frames = page.evaluate("() => { window.watching = false; return window.frames_seen }")
    return {"frames": frames, "released": released}


def track_of(handle: Locator) -> dict[str, float]:
    return handle.locator("xpath=ancestor::*[contains(@class, 'noUi-base')]").bounding_box()


def move_to_the_middle(box: Locator) -> None:
    box.evaluate("box => box.scrollIntoView({block: 'center'})")
    box.page.wait_for_timeout(200)


@of_the_whole_path
def test_dragging_a_slider_never_flickers(lesson):
    """Neither the picture's box nor, in what Chromium really paints, the picture itself vanishes for a moment.

    The picture's naturalWidth would not tell: Chromium reports that of the next one, which is not there yet.
    """
    box = live_figures(lesson)[-1]
    handle, *_ = sliders(box).values()
    with photographed(lesson.page):
        press(handle, "Home")
        settled(box)
        move_to_the_middle(box)
        with filmed(lesson.page) as film:
            frames = drag(handle, box)["frames"]
        sizes = {(frame["width"], frame["height"]) for frame in frames}
        assert len(sizes) == 1 and min(sizes.pop()) > 100, "the picture's box changed its size"
        ink = [share_of_ink(shot, box.locator("img").bounding_box()) for shot in film]
        assert len(ink) > 3 and min(ink) > 0.5 * ink[0] > 0, "the picture vanished"


@contextlib.contextmanager
def filmed(page: Page) -> Iterator[list[bytes]]:
    """Collect what is painted, frame by frame, as PNG."""
    film, session = [], page.context.new_cdp_session(page)

    def keep(event: dict) -> None:
        film.append(base64.b64decode(event["data"]))
        session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    session.on("Page.screencastFrame", keep)
    session.send("Page.startScreencast", {"format": "png"})
    yield film
    session.send("Page.stopScreencast")


def share_of_ink(shot: bytes, place: dict[str, float]) -> float:
    """Return the part of the place's pixels that are not nearly white."""
    left, top = round(place["x"]), round(place["y"])
    with Image.open(io.BytesIO(shot)) as image:
        clip = image.convert("L").crop((left, top, left + round(place["width"]), top + round(place["height"])))
    return float((np.asarray(clip) < 200).mean())


@of_the_whole_path
def test_dragging_a_slider_follows_and_never_queues_up_work(lesson):
    box = live_figures(lesson)[-1]
    with photographed(lesson.page):
        for name, handle in sliders(box).items():
            tries = (seconds_late(handle, box, name) for _ in range(TRIES))
            assert any(late < SECONDS_TO_SETTLE for late in tries), f"{name}: each time the last picture came too late"
            now, after = handle.get_attribute("aria-valuenow"), settled(box)
            press(handle, "Home")
            assert settled(box) != after
            track = track_of(handle)
            lesson.page.mouse.click(track["x"] + RELEASED_AT * track["width"], track["y"] + track["height"] / 2)
            assert settled(box) == after, f"{name}: the drag ended with another picture than its value has"
            assert handle.get_attribute("aria-valuenow") == now


def seconds_late(handle: Locator, box: Locator, name: str) -> float:
    """Return how long after a drag's end its last picture or sentence came; assert that pictures came all along."""
    press(handle, "Home")
    settled(box)
    move_to_the_middle(box)
    seen = drag(handle, box)
    frames, released = seen["frames"], seen["released"]
    pictures = {frame["source"] for frame in frames}
    assert 3 <= len(pictures), f"{name}: {len(pictures)} pictures in the whole drag"
    pairs = zip(frames, frames[1:], strict=False)
    changes = [b["time"] for a, b in pairs if (a["source"], a["words"]) != (b["source"], b["words"])]
    return (changes[-1] - released) / 1000


def one_number() -> tuple[Exercise, object]:
    """Return an exercise of the lesson that wants a number, and the number that is right for its first case."""
    for exercise in load_lesson(LESSON).values():
        if isinstance(exercise, Exercise):
            expected = stored_cases.case_of(stored_cases.load(exercise)[0]).expected
            if isinstance(expected, (int, float)) and not isinstance(expected, bool):
                return exercise, expected
    raise AssertionError(f"no exercise of lesson {LESSON} wants a number")


def solution(root: Path, one: str) -> str:
    """Return the solution's cell."""
    (path,) = root.glob(f"solutions/{LESSON}_*.ipynb")
    sources = [cell.source for cell in nbformat.read(path, as_version=4).cells]
    return next(source for source in sources if exercise_id(source) == one)


def test_an_exercise_is_not_started_then_wrong_then_right(exercises, root):
    exercise, number = one_number()
    (answer,), (check,) = exercises.cells(f"# exercise {exercise.id}"), exercises.cells(f'check("{exercise.id}"')
    with photographed(exercises.page):
        assert exercises.errors() == [] and exercises.crashes == []
        expect(check).to_contain_text(f"– Exercise {exercise.id}: not started")
        stub = exercises.source(answer)
        wrong = re.sub(r"raise NotImplementedError\(.*\)", f"return {number!r}", stub)
        assert wrong != stub
        exercises.write(answer, wrong)
        said = exercises.run(check)
        assert said.startswith(f"✗ Exercise {exercise.id}: 0 of {exercise.points} points.")
        assert " ".join(CONSTANT_HINT.split()) in " ".join(said.split())
        exercises.write(answer, solution(root, exercise.id))
        said = exercises.run(check)
        assert said.strip() == f"✓ Exercise {exercise.id}: {exercise.points} of {exercise.points} points."
