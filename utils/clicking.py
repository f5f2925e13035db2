"""Points of a picture, chosen by a click: scripts in the page that write into a text widget.

ipywidgets know no click on a picture. A script can: it finds a text widget by a class name, writes into it as a
reader would by typing, and every kernel hears of it, in JupyterLab, VS Code and Colab, with ipywidgets 7 and 8.
"""

from __future__ import annotations

import json
import uuid
from pathlib import Path

from ipywidgets import DOMWidget, Text

from utils.environment import building

Place = tuple[float, float, float, float]  # left, bottom, width and height of axes, as parts of the picture's
Box = tuple[tuple[float, float], tuple[float, float]]


class ClickedPoint(Text):
    """A control for `utils.widgets.live_figure`: the point of its picture that was clicked, as text "0.25, -0.5".

    It is a line of text in which the point can be typed, too; `point_of` reads it. In the page, a click or a tap on
    the axes writes it, and the arrow keys move it while the picture has the focus (with Shift, ten times as far).
    """

    def __init__(self, point: tuple[float, float], place: Place, bounds: Box, description: str = "point") -> None:
        """place: where the axes lie in the picture. bounds: ((x_low, x_high), (y_low, y_high)), the axes' limits."""
        super().__init__(f"{point[0]:g}, {point[1]:g}", description=description, continuous_update=False)
        self._where = {"place": place, "bounds": bounds}

    def listen(self) -> None:
        """Display the script that hears the clicks, in the cell that shows this control; nothing in a build."""
        if not building():
            run_beside(self, Path(__file__).with_name("clicking.js"), "Click on the picture.", **self._where)


def point_of(text: str, bounds: Box) -> tuple[float, float]:
    """Return the point that "0.25, -0.5" stands for; raises ValueError where it is none within the bounds."""
    try:
        x, y = (float(part.replace("−", "-")) for part in text.split(","))
    except ValueError:
        raise ValueError(f'the point is "{text}": wanted two numbers, such as 0.25, -0.5') from None
    if not all(low <= value <= high for value, (low, high) in zip((x, y), bounds, strict=True)):
        (left, right), (bottom, top) = bounds
        raise ValueError(f'the point is "{text}": wanted {left:g} to {right:g}, and {bottom:g} to {top:g}')
    return x, y


def run_beside(text: DOMWidget, script: Path, words: str, **settings: object) -> None:
    """Display a script of the page, called with {"id": …, **settings}.

    That is the id of an empty <div> that the script may fill, and a class of the text widget by which it is found.
    ``words`` is what a page without scripts shows.
    """
    from IPython.display import display

    name = f"beside-{uuid.uuid4().hex[:12]}"
    text.add_class(name)
    call = f"{script.read_text(encoding='utf-8')}({json.dumps({'id': name, **settings})})"
    display({"text/html": f'<div id="{name}"></div><script>{call}</script>', "text/plain": words}, raw=True)
