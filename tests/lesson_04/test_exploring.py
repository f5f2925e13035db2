"""The explorer of regions: against PyTorch's forward pass and gradient, polygons, and pixels."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.path import Path
from torch import nn

from utils.figures import use_style
from utils.lesson_04 import exploring, exploring_figures, page, widgets
from utils.pages import prediction
from utils.regions import linear_regions, restrict
from utils.statistics import Estimate
from utils.widgets import quick_png

VALUES = {"depth": 3, "width": 8, "seed": 3, "gain": 1.0, "point": "0.3, -0.4"}
networks = st.builds(exploring.drawn_network, st.integers(1, 4), st.integers(1, 12), st.integers(0, 99),
                     st.floats(0.5, 2))
inside = st.tuples(st.floats(-1, 1), st.floats(-1, 1))


def active_at(model: nn.Sequential, point: tuple[float, float]) -> list[list[bool]] | None:
    """Return by a forward pass in float64 which units are active, layer by layer; None on a crease."""
    z, rows = torch.tensor(point, dtype=torch.float64), []
    for module in model.double():
        z = module(z)
        if isinstance(module, nn.Linear):
            rows.append(z.detach())
    if min(row.abs().min().item() for row in rows[:-1]) < 1e-9:
        return None
    return [(row > 0).tolist() for row in rows[:-1]]


def gradient_at(model: nn.Sequential, point: tuple[float, float]) -> tuple[np.ndarray, float]:
    """Return PyTorch's gradient at the point and the value there, in float64."""
    x = torch.tensor(point, dtype=torch.float64, requires_grad=True)
    y = model.double()(x)
    y.backward()
    return x.grad.numpy(), y.item()


# --- one region of many -----------------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(networks, inside)
def test_the_region_at_a_point_has_its_pattern_and_its_map(model, point):
    region = exploring.region_at(linear_regions(model, exploring.SQUARE), point)
    wanted = active_at(model, point)
    if wanted is None:  # on a crease either side will do
        return
    assert [layer.tolist() for layer in region.pattern] == wanted
    slopes, value = gradient_at(model, point)
    np.testing.assert_allclose(region.A[0], slopes, atol=1e-9)
    assert region([point])[0, 0] == pytest.approx(value, abs=1e-9)


def test_a_point_on_an_edge_gets_a_region_that_touches_it():
    regions = linear_regions(exploring.drawn_network(2, 8), exploring.SQUARE)
    for point in (*regions.vertices[::7], (1.0, 1.0), (-1.0, 0.0)):
        polygon = Path(exploring.region_at(regions, point).polygon)
        assert any(polygon.contains_point(point, radius=radius) for radius in (1e-9, -1e-9))


@settings(deadline=None, max_examples=40)
@given(networks, st.floats(-0.99, 0.99), st.floats(-0.99, 0.99))
def test_a_cell_on_a_line_ends_where_the_pattern_changes(model, x, height):
    low, high = exploring.cell_on(restrict(model, (0.0, height), (1.0, 0.0)), x)
    assert low - 1e-9 <= x <= high + 1e-9
    if high - low < 1e-5:
        return
    step = 1e-3 * (high - low)
    own = active_at(model, ((low + high) / 2, height))
    for near, beyond in ((low + step, low - 1e-7), (high - step, high + 1e-7)):
        assert active_at(model, (near, height)) == own
        assert abs(beyond) >= 1 or active_at(model, (beyond, height)) != own


def test_the_gain_multiplies_the_weights_and_leaves_the_biases():
    one, two = (exploring.drawn_network(2, 5, seed=1, gain=gain) for gain in (1.0, 2.0))
    for a, b in zip(one[::2], two[::2], strict=True):
        torch.testing.assert_close(2 * a.weight, b.weight)
        torch.testing.assert_close(a.bias, b.bias)
    with pytest.raises(ValueError, match="gain"):
        exploring.drawn_network(2, 5, gain=-1.0)


# --- what is drawn and said -------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_words_are_the_networks_numbers():
    """Of patterns on a grid, which misses the smallest regions, of PyTorch's gradient, and of second differences."""
    figure, words = widgets.explore(**VALUES)
    model = exploring.drawn_network(3, 8, 3).double()
    z = torch.cartesian_prod(*[torch.linspace(-1, 1, 1500, dtype=torch.float64)] * 2)
    found = []
    with torch.no_grad():
        for module in model:
            z = module(z)
            if isinstance(module, nn.ReLU):
                found.append(z > 0)
    patterns = torch.cat(found, dim=1).double() @ (2.0 ** torch.arange(24)).double()
    count = int(re.match(r"<b>(\d+) regions</b>, 24 hidden units", words)[1])
    assert 0.95 * count <= len(patterns.unique()) <= count
    assert figure.axes[0].get_title(loc="left") == f"{count} regions"
    a, b, c = (float(part.replace("−", "-").replace(" ", "")) for part in re.search(
        r"f\(x\) = (−?[\d.]+) x₁ ([+−] [\d.]+) x₂ ([+−] [\d.]+)\.", words).groups())
    slopes, value = gradient_at(model, (0.3, -0.4))
    assert [a, b] == pytest.approx(slopes.tolist(), rel=0.01)
    assert 0.3 * a - 0.4 * b + c == pytest.approx(value, abs=0.01)
    rows = re.findall(r"layer \d: ([●○]+)", words)
    assert [[letter == "●" for letter in row] for row in rows] == active_at(model, (0.3, -0.4))
    x = torch.linspace(-1, 1, 20_001, dtype=torch.float64)
    with torch.no_grad():
        y = model(torch.stack([x, torch.full_like(x, -0.4)], dim=1))[:, 0].numpy()
    bends = np.flatnonzero(np.abs(np.diff(y, 2)) > 1e-12)
    bends = x.numpy()[1:-1][bends[np.append(True, np.diff(bends) > 1)]]
    below = figure.axes[1]
    np.testing.assert_allclose(below.lines[-1].get_xdata(), bends, atol=2e-4)
    assert f"{len(bends) + 1} pieces along the line" in words
    np.testing.assert_allclose(np.interp(x, *below.lines[-2].get_data()), y, atol=1e-9)


def test_a_click_on_the_picture_is_the_point_that_is_drawn():
    """Where the axes lie in the picture is what the script in the page is told."""
    use_style()
    point = (-0.3, -0.7)
    figure, _ = widgets.explore(**{**VALUES, "point": "-0.3, -0.7"})
    quick_png(figure)  # it is drawn
    above = figure.axes[0]
    x, y = figure.transFigure.inverted().transform(above.transData.transform(point))
    left, bottom, width, height = widgets.explorer_controls()["point"]._where["place"]
    assert (2 * (x - left) / width - 1, 2 * (y - bottom) / height - 1) == pytest.approx(point)
    assert above.lines[-1].get_xydata()[0] == pytest.approx(point)
    assert Path(above.patches[0].get_xy()).contains_point(point)
    assert above.get_xlim() == figure.axes[1].get_xlim() == (-1, 1)


def test_what_is_no_point_is_told_and_the_middle_is_taken():
    _, words = widgets.explore(**{**VALUES, "point": "<b>, 1"})
    assert words.startswith('The point is "&lt;b&gt;, 1": wanted two numbers, such as 0.25, -0.5. Taken instead')
    assert words.endswith(widgets.explore(**{**VALUES, "point": "0, 0"})[1])


def test_the_units_beside_the_map_are_those_that_are_on():
    figure, _ = widgets.explore(**{**VALUES, "width": 12})
    units = figure.axes[2]
    on, off = ({tuple(point) for line in units.lines[part::2] for point in line.get_xydata()} for part in (0, 1))
    rows = active_at(exploring.drawn_network(3, 12, 3), (0.3, -0.4))
    top = [text.get_position()[1] + 1 for text in units.texts]
    places = [{(unit % 8, first + unit // 8) for unit, state in enumerate(row) if state is wanted}
              for wanted in (True, False) for first, row in zip(top, rows, strict=True)]
    assert on == set.union(*places[:3]) and off == set.union(*places[3:]) and len(on | off) == 36


def test_regions_that_the_line_crosses_without_a_bend_are_explained():
    """Of two units in a row the first one's crease is none where the second is off."""
    silent = 0
    for seed in range(20):
        _, words = widgets.explore(**{**VALUES, "depth": 2, "width": 2, "seed": seed})
        line = restrict(exploring.drawn_network(2, 2, seed), (0.0, -0.4), (1.0, 0.0))
        pieces, cells = int(re.search(r"(\d+) pieces? along", words)[1]), len(linear_regions(line, (-1.0, 1.0)))
        assert (f"which crosses {exploring.some(cells, 'region')}: where" in words) == (cells > pieces)
        silent += cells > pieces
    assert silent


def test_too_many_regions_are_counted_and_not_drawn(monkeypatch):
    drawn, words = widgets.explore(**VALUES)
    count = len(drawn.axes[0].collections[0].get_paths())
    monkeypatch.setattr(widgets, "MOST", count)
    assert len(widgets.explore(**VALUES)[0].axes[0].collections) == 1
    monkeypatch.setattr(widgets, "MOST", count - 1)
    figure, words = widgets.explore(**VALUES)
    assert not figure.axes[0].collections and not figure.axes[0].patches and len(figure.axes[1].lines) == 3
    assert f"<b>{count} regions</b>" in words and "counted, but not drawn" in words and "●" not in words


def test_both_ends_of_each_control_show_something_else():
    controls = widgets.explorer_controls()
    values = {name: control.value for name, control in controls.items()} | {"width": 4}
    ends = {name: (controls[name].min, controls[name].max) for name in ("depth", "seed", "gain")}
    for name, pair in {**ends, "width": (1, 32), "point": ("-0.9, -0.9", "0.9, 0.9")}.items():
        one, other = (widgets.explore(**{**values, name: value})[1] for value in pair)
        assert one != other, name


@pytest.mark.slow
def test_five_hundred_regions_are_redrawn_in_less_than_three_tenths_of_a_second():
    taken = []
    for number in range(6):
        start = time.thread_time()
        figure, words = widgets.explore(**{**VALUES, "width": 16, "seed": 0, "point": f"0.{number}, 0.1"})
        quick_png(figure)
        taken.append(time.thread_time() - start)
    assert int(re.match(r"<b>(\d+)", words)[1]) > 500 and min(taken) < 0.3


def test_the_maps_show_every_region():
    model = exploring.drawn_network(3, 8, 3)
    count = len(linear_regions(model, exploring.SQUARE))
    (ax,) = exploring_figures.region_map(model).axes
    assert len(ax.collections[0].get_paths()) == count and ax.get_title() == f"{count} regions"
    axes = page.region_maps({"one": exploring.drawn_network(1, 3), "two": model}, exploring.SQUARE).axes
    assert [ax.get_title().split(":")[0] for ax in axes] == ["one", "two"]
    assert len(axes[1].collections[0].get_paths()) == count


def test_the_right_choice_follows_from_what_is_measured():
    choose = prediction("04.depth").right
    assert [choose(times=Estimate(value, 0, 9)) for value in (10, 3, 1.1, 0.9, 0.6)] == [1, 2, 3, 3, 4]
    assert "{times.rounded}" in prediction("04.depth").answer
