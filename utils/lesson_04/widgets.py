"""The explorer of regions: what it shows of the values of its controls, and the controls."""

from __future__ import annotations

import html

from ipywidgets import FloatSlider, IntSlider, SelectionSlider, Widget
from matplotlib.figure import Figure
from torch import nn

from utils.clicking import ClickedPoint, point_of
from utils.lesson_04 import exploring
from utils.lesson_04.exploring_figures import PLACE, Chosen, map_and_line
from utils.regions import count_regions, linear_pieces, linear_regions, restrict

WIDTHS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)
MOST = 20_000  # regions that are drawn: of more, none would be seen, and drawing them would take seconds
POINT = (0.2, -0.3)


def explore(*, depth: int, width: int, seed: int, gain: float, point: str) -> tuple[Figure, str]:
    """Return a figure of all regions of a random network, with the one at the point, and what it shows in words."""
    model, bounds = exploring.drawn_network(depth, width, seed, gain), exploring.SQUARE
    count = count_regions(model, bounds)
    regions = linear_regions(model, bounds) if count <= MOST else None
    try:
        place, said = point_of(point, bounds), ""
    except ValueError as error:
        place = (0.0, 0.0)
        said = f"{html.escape(str(error).capitalize(), quote=False)}. Taken instead: the middle.<br>"
    line = restrict(model, origin=(0.0, place[1]), directions=(1.0, 0.0))
    region = None if regions is None else exploring.region_at(regions, place)
    chosen = Chosen(place, region, exploring.cell_on(line, place[0]), linear_pieces(line, bounds[0]))
    return map_and_line(regions, count, chosen), said + in_words(model, count, chosen)


def explorer_controls() -> dict[str, Widget]:
    """Return the controls of `explore`, by name: the network's, and the point, to be clicked."""
    return {
        "depth": IntSlider(1, 1, 6, description="depth (hidden layers)"),
        "width": SelectionSlider(options=WIDTHS, value=24, description="width (units in each)"),
        "seed": IntSlider(0, 0, 19, description="seed"),
        "gain": FloatSlider(1.0, min=0.2, max=2.0, step=0.1, description="gain of the weights"),
        "point": ClickedPoint(POINT, PLACE, exploring.SQUARE, "point x₁, x₂ (click)"),
    }


def in_words(model: nn.Sequential, count: int, chosen: Chosen) -> str:
    """Return how many regions, units and pieces there are, and the chosen region's pattern and affine map."""
    units = sum(module.out_features for module in model[:-1] if isinstance(module, nn.Linear))
    pieces = len(chosen.pieces.slopes)
    said = (f"<b>{exploring.some(count, 'region')}</b>, {exploring.some(units, 'hidden unit')}, "
            f"{exploring.some(pieces, 'piece')} along the line.<br>")
    if chosen.region is None:
        return f"{said}More than {MOST:,} regions are counted, but not drawn."
    rows = "<br>".join(f"layer {i}: {row}" for i, row in enumerate(exploring.pattern_in_words(chosen.region), 1))
    affine = exploring.map_in_words(chosen.region)
    return f"{said}In the orange region, {affine}. Active units are ●, inactive ones ○:<br>{rows}"
