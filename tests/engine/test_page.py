"""What reaches the page: figures with words, and sliders that never queue up work."""

from __future__ import annotations

import asyncio
import base64
import subprocess
import sys
from threading import Thread
from types import SimpleNamespace

import matplotlib
import matplotlib.pyplot as plt
import pytest
import torch
from ipywidgets import IntSlider

import utils
from utils import figures
from utils.widgets import drawing_lock, live_figure

matplotlib.use("Agg")


@pytest.fixture
def shown(monkeypatch):
    calls = []
    monkeypatch.setattr("IPython.display.display", lambda *args, **kwargs: calls.append((args, kwargs)))
    return calls


def test_a_figure_carries_its_words_and_is_closed(shown):
    figure = plt.figure()
    figures.show_figure(figure, "A line\n that rises & <falls>.")
    (bundle,), options = shown[0]
    assert bundle["image/png"].startswith(b"\x89PNG") and bundle["text/plain"] == "A line that rises & <falls>."
    assert options["metadata"]["image/png"]["alt"] == "A line that rises & <falls>."
    assert "rises &amp; &lt;falls&gt;." in shown[1][0][0].data
    assert not plt.fignum_exists(figure.number)


def test_a_figure_without_words_is_refused(shown):
    with pytest.raises(ValueError, match="words are empty"):
        figures.show_figure(plt.figure(), "  \n")
    plt.close("all")


def test_the_same_figure_gives_the_same_bytes_without_date_or_version():
    def draw():
        figure, ax = plt.subplots()
        ax.plot([0, 1], [1, 0])
        return figures.png(figure)

    first = draw()
    assert first == draw() and b"tEXt" not in first and b"tIME" not in first


def test_a_moved_slider_changes_the_picture_and_the_words():
    def draw(n):
        figure, ax = plt.subplots()
        ax.plot(range(n + 1))
        return figure, f"{n} steps"

    slider = IntSlider(2, 1, 9)
    box = live_figure(draw, n=slider)
    picture, words = box.children[-2:]
    before = bytes(picture.value)
    slider.value = 5
    assert words.value == "5 steps" and bytes(picture.value) != before and not plt.get_fignums()


def test_a_page_without_a_kernel_shows_the_first_picture_and_its_words():
    def draw(n):
        figure, ax = plt.subplots()
        ax.plot(range(n + 1))
        return figure, f"<b>{n}</b><br>&lt; 9"

    slider = IntSlider(2, 1, 9)
    box = live_figure(draw, n=slider)
    first = base64.b64encode(figures.smaller(bytes(box.children[-2].value))).decode()
    slider.value = 5
    shown = box._repr_mimebundle_()
    assert first in shown["text/html"] and 'alt="2 &lt; 9"' in shown["text/html"] and shown["text/plain"] == "2 < 9"
    assert shown["application/vnd.jupyter.widget-view+json"]["model_id"] == box.model_id


def test_a_move_is_drawn_before_its_message_is_done_with_and_the_same_value_not_again():
    """Colab shows what answers a message; a page sends the next move when the kernel is done with the last one."""
    drawn = []

    def draw(n, again):
        drawn.append(n)
        return plt.figure(), str(n)

    async def move() -> None:
        slider, linked = IntSlider(0, 0, 99), IntSlider(0, 0, 99)
        live_figure(draw, n=slider, again=linked)
        for n in (3, 50):
            slider.value = n
            assert drawn[-1] == n  # at once, though the event loop had no turn
        slider.notify_change({"name": "value", "old": 50, "new": 50, "owner": slider, "type": "change"})

    asyncio.run(move())
    assert drawn == [0, 3, 50]


def test_the_device_is_a_gpu_only_where_there_is_one(monkeypatch):
    for there, kind in ((False, "cpu"), (True, "cuda")):
        monkeypatch.setattr(torch.cuda, "is_available", lambda there=there: there)
        assert utils.device().type == kind


def test_importing_utils_loads_neither_torch_nor_a_compiler(root):
    code = "import sys, utils.exercises; print([m for m in ('torch', 'numba', 'matplotlib') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_picture_waits_while_a_cell_runs(monkeypatch):
    events, drawn = {}, []
    shell = SimpleNamespace(events=SimpleNamespace(register=events.__setitem__))
    monkeypatch.setattr("utils.widgets.get_ipython", lambda: shell)
    drawing_lock.cache_clear()
    try:
        slider = IntSlider(1)
        live_figure(lambda x: drawn.append(x) or (plt.figure(), "words"), x=slider)  # in a cell
        move = Thread(target=lambda: setattr(slider, "value", 3))
        move.start()
        move.join(0.2)
        assert drawn == [1]
        events["post_execute"]()
        move.join(60)
        assert drawn == [1, 3]
        events["pre_execute"]()
        slider.value = 4  # by the cell itself
        events["post_execute"]()
        assert drawn == [1, 3, 4]
    finally:
        drawing_lock.cache_clear()
