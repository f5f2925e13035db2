"""What a reader of lesson 03 draws, and which unit they change."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ipywidgets import Dropdown, IntSlider, Layout, Textarea, Widget
from matplotlib.figure import Figure
from torch import Tensor, nn

from utils.clicking import run_beside
from utils.comparison import score
from utils.environment import building
from utils.lesson_03.folding import CHANGES, SIDE, changed, disc_in_ring, points_of
from utils.lesson_03.folding_figures import beside

DONE = {"keep": "kept", "zero": "set to zero", "reverse": "reversed"}


class Drawing:
    """A sheet to draw two kinds of points on, and the points that were drawn.

    What is drawn is a text of o, x and dots, in a text widget that a kernel can read everywhere. The sheet itself is
    drawn by the page, and writes that text; where scripts do not run, the text can be typed.
    """

    def __init__(self) -> None:
        self.text = Textarea(rows=SIDE // 2, layout=Layout(width="20em"), placeholder=f"{SIDE} rows of o, x and dots")

    def points(self, n: int = 300) -> tuple[Tensor, Tensor]:
        """Return about n points X and their classes y as drawn; a disc in a ring where a kind is missing, said so."""
        try:
            return points_of(self.text.value, n)
        except ValueError as error:
            said = f"{str(error).capitalize()}." if self.text.value.strip(" .\n") else "Nothing is drawn yet."
            print(said, "Taken instead: a disc in a ring.")
            return disc_in_ring(n)


def draw_points() -> Drawing:
    """Return a sheet to draw two kinds of points on, and display it; not in a built page, which has nobody to draw."""
    from IPython.display import display

    drawing = Drawing()
    if building():
        print("Run this cell, and a sheet to draw on appears here.")
    else:
        run_beside(drawing.text, Path(__file__).with_name("drawing.js"), "A sheet to draw on.", side=SIDE)
        display(drawing.text)
    return drawing


def change_unit(model: nn.Sequential, X: Tensor, y: Tensor) -> Callable[..., tuple[Figure, str]]:
    """Return what draws the boundary and the last plane with one unit changed, and says how many points are right."""
    draw, before = beside(model, X, y), score(model, X, y)

    def changed_by(block: int, unit: int, change: str) -> tuple[Figure, str]:
        other = changed(model, block, unit, change)
        said = f"Block {block}, unit {unit} {DONE[change]}: {score(other, X, y):.1%} of the points are on their side"
        return draw(other), f"{said}; {before:.1%} as it was trained (grey)."

    return changed_by


def change_controls(model: nn.Sequential) -> dict[str, Widget]:
    """Return the controls of `change_unit`."""
    units = min(block[-1].in_features for block in model[:-1])
    return {
        "block": IntSlider(2, 1, len(model) - 1, description="block"),
        "unit": IntSlider(5, 1, units, description="unit"),
        "change": Dropdown(options=list(CHANGES), value="zero", description="its output weights"),
    }
