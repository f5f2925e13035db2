"""The first lesson and its exercises in JupyterLab, as a learner sees, clicks and types: in headless Chromium."""

from __future__ import annotations

import base64
import contextlib
import io
from collections.abc import Iterator

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.authoring.browser import WATCH, Lab, photographed
from tests.doors.day import EXERCISE, POINTS, answers

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


@of_the_whole_path
def test_the_lesson_runs_without_an_error(lesson):
    with photographed(lesson.page):
        assert lesson.errors() == [] and lesson.crashes == []
        figures = lesson.page.locator(".jp-Notebook:visible .jp-OutputArea-output img")
        assert figures.count() >= 3 and all(figure.evaluate("img => img.naturalWidth") for figure in figures.all())


@of_the_whole_path
def test_a_saved_page_shows_the_next_evening_what_it_showed(lesson, jupyterlab):
    """A prediction that hears no click says what to run."""
    expect(lesson.page.locator(".course-asleep").first).to_be_hidden()
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
        expect(again.page.locator(".course-asleep").first).to_be_visible()
        assert "Error displaying widget" not in again.page.inner_text("body")


@pytest.mark.full
def test_links_scroll_to_the_exercise_and_back_to_the_section_that_calls_it(jupyterlab):
    """Of lesson 04: a heading far down, one with a formula; and from there home."""
    linked = "04_depth_efficiency"
    lab = jupyterlab.start()
    lab.page.set_default_timeout(60_000)
    lab.open_path(f"lessons/lesson_{linked}.ipynb")
    shown = lab.page.locator(".jp-Notebook:visible")
    for name, file, heading in [
        ("exercise 04.5", f"{linked}.ipynb", "Exercise 04.5: "),
        ("← 04, 6 A smooth curve", f"lessons/lesson_{linked}.ipynb", "6 A smooth curve"),
        ("exercise 04.3", f"{linked}.ipynb", "Exercise 04.3: the fewest hinges"),
        ("← 04, 4 The shallow side", f"lessons/lesson_{linked}.ipynb", "4 The shallow side"),
        ("all lessons", "start.md", None),
    ]:
        with photographed(lab.page):
            shown.get_by_role("link", name=name, exact=True).first.click()
            lab.page.wait_for_function("path => jupyterapp.shell.currentWidget?.context?.path === path", arg=file)
            if heading:
                expect(shown.locator("h2").filter(has_text=heading)).to_be_in_viewport(timeout=60_000)
    lab.page.close()


@of_the_whole_path
def test_a_bet_is_committed_to_by_clicking_and_its_answer_comes_where_it_is_waited_for_on_a_narrow_page(lesson):
    (question,), (answer,) = lesson.cells('predict("01.doubling"'), lesson.cells('reveal("01.doubling"')
    commit, choice = question.get_by_role("button", name="Commit"), question.get_by_role("radio").nth(1)
    with photographed(lesson.page):
        lesson.page.set_viewport_size({"width": 800, "height": 900})
        expect(answer).to_contain_text("Commit to your prediction first")
        assert answer.locator("img").count() == 0 and "of the old error" not in answer.inner_text()
        commit.click()
        expect(question).to_contain_text("Choose first.")
        choice.click()
        words = choice.evaluate("input => input.labels[0].textContent")
        commit.click()
        expect(question.locator(".widget-html-content").first).to_have_text(f'You have committed to "{words}".')
        expect(choice).to_be_disabled()
        expect(answer).to_contain_text(", and that is the answer.")
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
                handle.press("End")
                box.page.wait_for_timeout(1000 * SECONDS_TO_SETTLE)
                high, last = handle.get_attribute("aria-valuenow"), settled(box)
                handle.press("Home")
                low, first = handle.get_attribute("aria-valuenow"), changed(box, last)
                assert low != high, name
                handle.press("End")
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
        handle.press("Home")
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
            handle.press("Home")
            assert settled(box) != after
            track = track_of(handle)
            lesson.page.mouse.click(track["x"] + RELEASED_AT * track["width"], track["y"] + track["height"] / 2)
            assert settled(box) == after, f"{name}: the drag ended with another picture than its value has"
            assert handle.get_attribute("aria-valuenow") == now


def seconds_late(handle: Locator, box: Locator, name: str) -> float:
    """Return how long after a drag's end its last picture or sentence came; assert that pictures came all along."""
    handle.press("Home")
    settled(box)
    move_to_the_middle(box)
    seen = drag(handle, box)
    frames, released = seen["frames"], seen["released"]
    pictures = {frame["source"] for frame in frames}
    assert 3 <= len(pictures), f"{name}: {len(pictures)} pictures in the whole drag"
    pairs = zip(frames, frames[1:], strict=False)
    changes = [b["time"] for a, b in pairs if (a["source"], a["words"]) != (b["source"], b["words"])]
    return (changes[-1] - released) / 1000


def test_an_exercise_is_not_started_then_wrong_then_right(jupyterlab):
    lab = jupyterlab.start()
    lab.open(LESSON, "exercises")
    *before, answer = (lab.cells(begins)[-1] for begins in ("# set-up: ", "# set-up\n", f"# exercise {EXERCISE}"))
    (check,) = lab.cells(f'check("{EXERCISE}"')
    with photographed(lab.page):
        for cell in (*before, answer):
            lab.run(cell)
        said = [lab.run(check)]
        for written in answers(lab.source(answer)):
            lab.write(answer, written)
            said.append(lab.run(check))
        assert lab.errors() == [] and lab.crashes == []
        assert said[0].startswith(f"– Exercise {EXERCISE}: not started")
        assert said[1].startswith(f"✗ Exercise {EXERCISE}: 0 of {POINTS}") and "These are the slopes" in said[1]
        assert said[2].startswith(f"✓ Exercise {EXERCISE}: {POINTS} of {POINTS} points.")
