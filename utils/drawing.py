"""A sheet on which a reader draws two kinds of points, and the points that were drawn."""

from __future__ import annotations

import json
import uuid
from pathlib import Path

import numpy as np
import torch
from ipywidgets import Layout, Textarea
from torch import Tensor

from utils.checks import whole_number
from utils.data import circles
from utils.environment import building
from utils.types import Part

SIDE = 24  # cells of a drawing, each way
CLASSES = ("o", "x")
SHAPES = ("blue circles (o)", "orange squares (x)")


class Drawing:
    """A sheet to draw two kinds of points on, and the points that were drawn.

    What is drawn is a text of o, x and dots, in a text widget that a kernel can read everywhere. The sheet itself is
    drawn by the page, and writes that text; where scripts do not run, the text can be typed.
    """

    def __init__(self) -> None:
        self.text = Textarea(rows=SIDE // 2, layout=Layout(width="20em"), placeholder=f"{SIDE} rows of o, x and dots")

    def parts(self, n: int = 1000) -> tuple[list[Part], str]:
        """Return about n points X with their classes y as drawn, and as many others of the same cells; and "".

        Where a kind is missing, it is a disc in a ring, and the text says so.
        """
        try:
            return [points_of(self.text.value, n, seed) for seed in (0, 1)], ""
        except ValueError as error:
            said = f"{str(error).capitalize()}." if self.text.value.strip(" .\n") else "Nothing is drawn yet."
            return [disc_in_ring(n, seed) for seed in (0, 1)], f"{said} We take a disc in a ring instead."


def draw_points() -> Drawing:
    """Return a sheet to draw two kinds of points on, and display it; not in a built page, which has nobody to draw."""
    from IPython.display import display

    drawing = Drawing()
    if building():
        print("Run this cell, and a sheet to draw on appears here.")
    else:
        _show_sheet(drawing.text)
        display(drawing.text)
    return drawing


def _show_sheet(text: Textarea) -> None:
    """Display the sheet: a script in the page that finds the text by a class name, and writes into it.

    As a reader would: so every kernel hears of it, in JupyterLab, VS Code and Colab, with ipywidgets 7 and 8.
    """
    from IPython.display import display

    name = f"beside-{uuid.uuid4().hex[:12]}"
    text.add_class(name)
    script = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
    call = f"{script}({json.dumps({'id': name, 'side': SIDE})})"
    words = "A sheet to draw on."
    display({"text/html": f'<div id="{name}"></div><script>{call}</script>', "text/plain": words}, raw=True)


def points_of(picture: str, n: int, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Return points X float32 [about n, 2] between −2 and 2 and their classes y of a picture in letters.

    A line of the picture is a row; o is class 0, x is class 1, anything else is empty. Each letter becomes several
    points, spread over its cell by chance. Raises ValueError where one class is missing.
    """
    rows = picture.strip("\n").split("\n")
    cells = [
        (row, column, CLASSES.index(letter))
        for row, line in enumerate(rows)
        for column, letter in enumerate(line.lower())
        if letter in CLASSES
    ]
    found = {one for _, _, one in cells}
    if len(found) < 2:
        missing = " and ".join(shape for one, shape in enumerate(SHAPES) if one not in found)
        raise ValueError(f"the drawing has no {missing}: draw some of both kinds")
    side = max(len(rows), *map(len, rows))
    row, column, y = np.repeat(np.array(cells), -(-whole_number("n", n) // len(cells)), axis=0).T
    places = np.stack([column, len(rows) - 1 - row], axis=1) + np.random.default_rng(seed).uniform(size=(len(y), 2))
    middle = np.array([max(map(len, rows)), len(rows)]) / 2
    return torch.tensor(4 * (places - middle) / side, dtype=torch.float32), torch.tensor(y)


def disc_in_ring(n: int, seed: int = 0) -> tuple[Tensor, Tensor]:
    """Return points of a disc, class 0, inside a ring, class 1: what is taken where nothing is drawn."""
    return circles(n, generator=torch.Generator().manual_seed(seed), radii=(0.5, 1.5), noise=0.15)
