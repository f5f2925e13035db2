"""Sliders beside a picture: the new picture replaces the old one at once, and fast moves never queue up work.

A picture is drawn while the message of the move is handled, not later: Colab shows what a kernel sends in answer to
a message, and drops what it sends in its own time. Nothing queues up, since a page sends the next move of a slider
only when the kernel is done with the last one, and leaves out those in between.
"""

from __future__ import annotations

import html
import io
import re
import sys
import threading
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import ipywidgets as widgets
import matplotlib.pyplot as plt
import numpy as np
from IPython import get_ipython
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from utils.figures import DPI, in_html, smaller

# Colab's pages lack the font that ipywidgets' Play has its symbols from.
SYMBOLS = "https://cdnjs.cloudflare.com/ajax/libs/font-awesome/4.7.0/css/font-awesome.min.css"

AGAIN = "Does nothing move? Then run all cells above, and then this one."  # its kernel may be of another evening
ALL = "calc(100% - 4px)"  # of the width: ipywidgets leave 2 px free on each side of everything


def live_figure(draw: Callable[..., tuple[Figure, str]], **controls: widgets.Widget) -> widgets.VBox:
    """Return the controls above the picture that ``draw(**values)`` makes of their values.

    ``draw`` returns a figure and a sentence that says in words what it shows; it is called with the values
    of the controls, by name, and needs no widget to be tested. A Play gets a slider beside it, for readers who
    would rather go step by step.
    """
    rows, inputs = laid_out(controls)
    picture = Picture()
    drawn: list[dict[str, Any]] = []

    def render() -> None:
        values = values_of(inputs)
        if drawn != [values]:  # a control may move another one
            drawn[:] = [values]
            with drawing_lock():
                picture.show(*draw(**values))

    for control in inputs.values():
        control.observe(lambda _: render(), names="value")
    render()
    return beside(picture, *rows)


@cache
def drawing_lock() -> threading.RLock:
    """Return the lock of who draws: a cell from its beginning to its end, and a widget's picture.

    JupyterLab has the kernel answer a move or a click in a thread of its own, while a cell may run. pyplot knows of no
    threads: either one's figure could end up blank, or in the other's output. To be called first from a cell.
    """
    lock, shell = threading.RLock(), get_ipython()
    if shell is not None:
        lock.acquire()  # for the cell that runs now
        shell.events.register("pre_execute", lambda: lock.acquire())
        shell.events.register("post_execute", lambda: lock.release())
    return lock


def laid_out(
    controls: Mapping[str, widgets.Widget],
) -> tuple[list[widgets.Widget], dict[str, widgets.Widget]]:
    """Return what is to be shown of the controls, row by row, and by name the widgets that hold their values."""
    rows, inputs = [], {}
    for name, control in controls.items():
        row = shown = control
        if isinstance(control, widgets.Play):
            shown = _slider_of(control)
            row = widgets.HBox(
                [shown, control, *_symbols()], layout=widgets.Layout(flex_flow="row wrap", max_width=ALL)
            )
        shown.tooltip = shown.description  # without one, ipywidgets 8 shows "null" over the description
        shown.style.description_width = "11em"
        shown.layout.width, shown.layout.max_width = "34em", ALL
        rows.append(row)
        inputs[name] = shown
    return rows, inputs


def values_of(inputs: Mapping[str, widgets.Widget]) -> dict[str, Any]:
    """Return the widgets' values by name."""
    return {name: control.value for name, control in inputs.items()}


class Picture:
    """A picture and, below it, a sentence; both change at once.

    ``first`` are the first picture, as PNG, and its sentence: for pages that are only read.
    """

    def __init__(self) -> None:
        self.first: tuple[bytes, str] | None = None
        self.image = widgets.Image(format="png", layout=widgets.Layout(max_width=ALL, object_fit="contain"))
        self.sentence = widgets.HTML()
        self.parts = (self.image, self.sentence)

    def show(self, figure: Figure, words: str) -> None:
        """Show the figure, and close it."""
        self.image.value, self.sentence.value = quick_png(figure), words
        if self.first is None:
            self.first = smaller(self.image.value), _plain(words)


def quick_png(figure: Figure) -> bytes:
    """Return the figure as PNG, and close it; three times as large as `utils.figures.png`, a tenth of its time."""
    figure.set_dpi(DPI)
    canvas, small = FigureCanvasAgg(figure), io.BytesIO()
    canvas.draw()
    plt.close(figure)
    Image.fromarray(np.asarray(canvas.buffer_rgba())).convert("RGB").save(small, "PNG", compress_level=1)
    return small.getvalue()


def in_a_column(*parts: widgets.Widget, kind: type[widgets.VBox] = widgets.VBox) -> widgets.VBox:
    """Return the parts one below the other."""
    # The picture keeps its own size: stretched to the cell's width it would be blurred.
    return kind(parts, layout=widgets.Layout(align_items="flex-start"))


class _Live(widgets.VBox):
    """Controls and their picture; a page that has no kernel, and no widgets kept, shows the first picture."""

    picture: Picture

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        assert self.picture.first is not None  # a page gets this with its first picture
        picture, words = self.picture.first
        read = {"text/html": in_html(picture, words), "text/plain": words}
        return {**super()._repr_mimebundle_(**options), **read}


def _plain(words: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", words)).split())


def beside(picture: Picture, *controls: widgets.Widget) -> widgets.VBox:
    """Return the controls above their picture, and a line for a reader who opens the page on another evening."""
    live = in_a_column(*controls, widgets.HTML(f"<small>{AGAIN}</small>"), *picture.parts, kind=_Live)
    live.picture = picture
    return live


def _slider_of(play: widgets.Play) -> widgets.IntSlider:
    slider = widgets.IntSlider(play.value, play.min, play.max, description=play.description)
    for trait in ("min", "max", "value"):
        widgets.link((play, trait), (slider, trait))  # by way of the kernel: Colab did not always know jslink
    return slider


def _symbols() -> list[widgets.Widget]:
    return [widgets.HTML(f'<link rel="stylesheet" href="{SYMBOLS}">')] if "google.colab" in sys.modules else []
