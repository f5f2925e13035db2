"""The explorer of regions: what it shows of the values of its controls, and the controls."""

from __future__ import annotations

import html

from ipywidgets import FloatSlider, IntSlider, SelectionSlider, Widget
from matplotlib.figure import Figure
from torch import nn

from utils.clicking import ClickedPoint, point_of
from utils.lesson_04.exploring import SQUARE, cell_on, drawn_network, region_at, some
from utils.lesson_04.exploring_figures import PLACE, Chosen, map_and_line
from utils.regions import count_regions, linear_pieces, linear_regions, restrict

WIDTHS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
MOST = 20_000  # regions that are drawn: of more, none would be seen, and drawing them would take seconds
POINT = (0.2, -0.3)


def explore(*, depth: int, width: int, seed: int, gain: float, point: str) -> tuple[Figure, str]:
    """Return a figure of all regions of a random network, with the one at the point, and what it shows in words."""
    model = drawn_network(depth, width, seed, gain)
    count = count_regions(model, SQUARE)
    regions = linear_regions(model, SQUARE) if count <= MOST else None
    try:
        place, said = point_of(point, SQUARE), ""
    except ValueError as error:
        place = (0.0, 0.0)
        said = f"{html.escape(str(error).capitalize(), quote=False)}. Taken instead: the middle.<br>"
    line = restrict(model, origin=(0.0, place[1]), directions=(1.0, 0.0))
    region = None if regions is None else region_at(regions, place)
    cells = len(linear_regions(line, SQUARE[0]))
    chosen = Chosen(place, region, cell_on(line, place[0]), linear_pieces(line, SQUARE[0]), cells)
    return map_and_line(regions, count, chosen), said + in_words(model, count, chosen)


def explorer_controls() -> dict[str, Widget]:
    """Return the controls of `explore`, by name: the network's, and the point, to be clicked."""
    return {
        "depth": IntSlider(1, 1, 6, description="depth (hidden layers)"),
        "width": SelectionSlider(options=WIDTHS, value=24, description="width (units in each)"),
        "seed": IntSlider(0, 0, 19, description="seed"),
        "gain": FloatSlider(1.0, min=0.2, max=2.0, step=0.1, description="gain of the weights"),
        "point": ClickedPoint(POINT, PLACE, SQUARE, "point x₁, x₂ (click)"),
    }


def in_words(model: nn.Sequential, count: int, chosen: Chosen) -> str:
    """Return how many regions, units and pieces there are, and the chosen region's affine map and pattern."""
    units = sum(module.out_features for module in model[:-1] if isinstance(module, nn.Linear))
    pieces, silent = len(chosen.pieces.slopes), ""
    if pieces != chosen.cells:
        silent = (f", which crosses {some(chosen.cells, 'region')}: where a unit switches and no unit that is on "
                  "listens to it, nothing bends")
    said = (f"<b>{some(count, 'region')}</b>, {some(units, 'hidden unit')}, {some(pieces, 'piece')} along the "
            f"line{silent}.<br>")
    if chosen.region is None:
        return f"{said}More than {MOST:,} regions are counted, but not drawn."
    (a, b), c = chosen.region.A[0], chosen.region.c[0]
    signed = [f"{'-' if value < 0 else '+'} {abs(value):.3g}" for value in (b, c)]
    affine = f"f(x) = {a:.3g} x₁ {signed[0]} x₂ {signed[1]}".replace("-", "−")
    rows = ["".join("●" if active else "○" for active in layer) for layer in chosen.region.pattern]
    numbered = "<br>".join(f"layer {i}: {row}" for i, row in enumerate(rows, 1))
    return f"{said}In the orange region, {affine}. Units that are on: ●, off: ○:<br>{numbered}"
