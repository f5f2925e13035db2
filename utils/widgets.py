"""Sliders beside a picture: the new picture replaces the old one at once, and fast moves never queue up work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import ipywidgets as widgets
from matplotlib.figure import Figure

from utils.figures import png

COALESCE_SECONDS = 0.03  # moves that arrive within this time are drawn once, in the state of the last


def live_figure(draw: Callable[..., tuple[Figure, str]], **controls: widgets.Widget) -> widgets.VBox:
    """Return the controls above the picture that ``draw(**values)`` makes of their values.

    ``draw`` returns a figure and a sentence that says in words what it shows; it is called with the values
    of the controls, by name, and needs no widget to be tested.
    """
    for control in controls.values():
        control.tooltip = control.description  # without one, ipywidgets 8 shows "null" over the description
        control.style.description_width = "11em"
        control.layout.width, control.layout.max_width = "34em", "100%"
    picture = widgets.Image(format="png", layout=widgets.Layout(max_width="100%", object_fit="contain"))
    sentence = widgets.HTML()

    def render() -> None:
        figure, words = draw(**{name: control.value for name, control in controls.items()})
        picture.value, sentence.value = png(figure), words

    coalesced = _coalesced(render)
    for control in controls.values():
        control.observe(lambda _: coalesced(), names="value")
    render()
    # The picture keeps its own size: stretched to the cell's width it would be blurred.
    return widgets.VBox([*controls.values(), picture, sentence], layout=widgets.Layout(align_items="flex-start"))


def _coalesced(render: Callable[[], None]) -> Callable[[], None]:
    """Return a function that asks for ``render``; asked again before it has run, it still runs once."""
    waiting: list[Any] = []

    def run() -> None:
        waiting.clear()
        render()

    def ask() -> None:
        if waiting:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # outside a notebook nothing can come in meanwhile
            render()
            return
        waiting.append(loop.call_later(COALESCE_SECONDS, run))

    return ask
