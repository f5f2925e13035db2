"""Folds, squared paper and networks taken apart: against reflections, hooks, areas and PyTorch itself."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from utils.data import spirals
from utils.lesson_03 import folding, folding_figures, widgets
from utils.lesson_03.folding import fold, identity_block
from utils.models import mlp
from utils.player import player_html
from utils.regions import decision_boundary
from utils.widgets import live_figure, quick_png

angles = st.floats(0, 2 * np.pi)
offsets = st.floats(-1.5, 1.5)
clouds = st.lists(st.tuples(st.floats(-2, 2), st.floats(-2, 2)), min_size=1, max_size=20).map(np.array)


def unit(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle)])


def area(polygon: np.ndarray) -> float:
    """Return the shoelace formula's area."""
    x, y = polygon.T
    return abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


@pytest.fixture(scope="module")
def spiral() -> tuple[nn.Sequential, torch.Tensor, torch.Tensor]:
    """A network that has begun to learn two spirals, and its points."""
    X, y = spirals(200, generator=torch.Generator().manual_seed(0), turns=1, noise=0.05)
    generator = torch.Generator().manual_seed(1)
    model = nn.Sequential(*[identity_block(16, generator) for _ in range(4)], mlp([2, 2], generator=generator)[0])
    return trained(model, X, y), X, y


def trained(model: nn.Sequential, X: torch.Tensor, y: torch.Tensor) -> nn.Sequential:
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(60):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(X), y).backward()
        optimizer.step()
    return model


def fold_network(n: np.ndarray, c: float, reach: float) -> nn.Sequential:
    """Return a fold by three units without a skip, as the path builds it: right for points with |p| ≤ reach.

    Two units make |n · p − c|. The third hands on the coordinate along the crease, pushed up by reach.
    """
    along = np.array([-n[1], n[0]])
    parts = ([n, -n, along], [-c, c, reach]), (np.stack([-n, -n, along], axis=1), c * n - reach * along)
    first, last = nn.Linear(2, 3, dtype=torch.float64), nn.Linear(3, 2, dtype=torch.float64)
    for layer, (weight, bias) in zip((first, last), parts, strict=True):
        layer.weight.data, layer.bias.data = torch.tensor(np.array(weight)), torch.tensor(np.array(bias))
    return nn.Sequential(first, nn.ReLU(), last)


def seen_by_hooks(model: nn.Sequential, X: torch.Tensor, module: nn.Module) -> torch.Tensor:
    """Return what a module of the model hands on for the inputs X."""
    found = []
    handle = module.register_forward_hook(lambda _, inputs, output: found.append(output.detach().clone()))
    with torch.no_grad():
        model(X)
    handle.remove()
    return found[0]


# --- one layer --------------------------------------------------------------------------------------------


@given(clouds, angles, offsets)
def test_a_fold_reflects_what_lies_beyond_and_leaves_the_rest(points, angle, c):
    n = unit(angle)
    folded, beyond = fold(points, n, c), points @ n > c
    np.testing.assert_array_equal(folded[~beyond], points[~beyond])
    along = np.array([-n[1], n[0]])
    mirror = points @ along[:, None] * along + (2 * c - points @ n)[:, None] * n
    np.testing.assert_allclose(folded[beyond], mirror[beyond], atol=1e-12)
    np.testing.assert_allclose(fold(folded, n, c), folded, atol=1e-12)


@settings(deadline=None)
@given(clouds, angles, offsets)
def test_three_units_fold_as_one_with_a_skip_does(points, angle, c):
    with torch.no_grad():
        folded = fold_network(unit(angle), c, reach=3.0)(torch.tensor(points))
    np.testing.assert_allclose(folded, fold(points, unit(angle), c), atol=1e-9)


@given(angles, offsets)
def test_a_square_is_cut_into_two_whose_areas_add_up(angle, c):
    square = np.array([[-1.0, -1], [1, -1], [1, 1], [-1, 1]])
    parts = folding.cut(square, unit(angle), c)
    assert sum(map(area, parts)) == pytest.approx(4)
    for part in parts:
        heights = part @ unit(angle) - c
        assert (heights >= -1e-9).all() or (heights <= 1e-9).all()
    assert len(parts) == 2 or (np.sign(square @ unit(angle) - c) != 0).any()


def test_squares_fill_their_box():
    squares = folding.squared_paper([-1, 0], [3, 2], squares=5)
    assert squares.shape == (25, 4, 2) and sum(map(area, squares)) == pytest.approx(8)
    np.testing.assert_allclose([squares.min((0, 1)), squares.max((0, 1))], [[-1, 0], [3, 2]])


def test_the_sheets_are_what_their_titles_say():
    scene, labels, _ = folding_figures.sheets()
    wanted = {
        "one unit for z: (relu(z), s)": lambda z, s: (z.clip(0), s),
        "one unit each: (relu(z), relu(s))": lambda z, s: (z.clip(0), s.clip(0)),
        "two units for z: (|z|, s)": lambda z, s: (abs(z), s),
    }
    assert list(scene) == list(wanted) and len(labels) == 3
    for title, shape in scene.items():
        sheet, affine, after = shape.frames
        assert sum(map(area, sheet)) == pytest.approx(4) and sum(map(area, affine)) == pytest.approx(4)
        np.testing.assert_allclose(after, np.stack(wanted[title](*np.moveaxis(affine, -1, 0)), axis=-1))
        assert ((affine[..., 0].mean(axis=1) < 0) == shape.groups).all()
        assert (affine[..., 0].min(axis=1) >= -1e-9)[shape.groups == 0].all()
        assert (affine[..., 0].max(axis=1) <= 1e-9)[shape.groups == 1].all()
    flat, _, folded = (sum(map(area, shape.frames[-1][shape.groups == 1])) for shape in scene.values())
    assert flat == pytest.approx(0, abs=1e-9) and folded > 1


def test_the_book_is_the_fold_networks_three_units_and_its_read_out():
    """The third unit without what keeps it positive, and the read-out's plane where z and −z are alike."""
    shape, labels, _ = folding_figures.book()
    sheet, sums, hidden, read_out = shape.frames
    layer = fold_network(folding_figures.NORMAL, folding_figures.CREASE, reach=0.0)[0]
    with torch.no_grad():
        np.testing.assert_allclose(layer(torch.tensor(sheet[..., :2])), sums, atol=1e-9)
    np.testing.assert_allclose(hidden[..., :2], sums[..., :2].clip(0))
    np.testing.assert_array_equal(hidden[..., 2], sums[..., 2])
    np.testing.assert_allclose(read_out[..., 0] + read_out[..., 1], abs(sums[..., 0]))
    assert len(labels) == len(shape.frames) and (sheet[..., 2] == 0).all()


# --- a stack of blocks ------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(deadline=None)
@given(st.integers(2, 12), st.integers(0, 99))
def test_an_identity_block_leaves_every_point_where_it_is(pairs, seed):
    generator = torch.Generator().manual_seed(seed)
    block, X = identity_block(2 * pairs, generator).double(), torch.randn(50, 2, generator=generator).double()
    directions = block[0].weight[:pairs].detach()
    loss = np.linalg.cond(directions.numpy()) * 1e-5  # the block's weights are rounded to float32
    torch.testing.assert_close(block(X), X, atol=loss, rtol=0)


@pytest.mark.parametrize(("width", "text"), [(2, "at least 4"), (7, "even")])
def test_an_identity_block_wants_pairs(width, text):
    with pytest.raises(ValueError, match=text):
        identity_block(width, torch.Generator())


@pytest.mark.slow
def test_the_planes_are_what_the_blocks_hand_on(spiral):
    model, X, _ = spiral
    found = folding.planes(model, X)
    assert len(found) == len(model)
    np.testing.assert_array_equal(found[0], X)
    for plane, block in zip(found[1:], model[:-1], strict=True):
        np.testing.assert_allclose(plane, seen_by_hooks(model, X, block), atol=1e-4)


def test_what_is_no_stack_of_planes_is_refused():
    with pytest.raises(ValueError, match="block 1 ends in 3 dimensions"):
        folding.planes(nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 2)), torch.zeros(4, 2))
    with pytest.raises(ValueError, match="wanted blocks"):
        folding.planes(nn.Sequential(nn.Linear(2, 2)), torch.zeros(4, 2))
    with pytest.raises(ValueError, match="the read-out"):
        folding.straight_line(nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 3)))


@given(st.integers(0, 99))
def test_views_fill_the_picture_and_keep_lines_straight(seed):
    generator = np.random.default_rng(seed)
    stages = [generator.normal(size=(30, 2)) @ generator.normal(size=(2, 2)) for _ in range(3)]
    ends, share = generator.normal(size=(2, 2)), generator.uniform(size=(5, 1))
    for number, (view, points) in enumerate(zip(folding.views(stages), stages, strict=True)):
        assert abs(view(points)).max() == pytest.approx(1)
        between = share * ends[0] + (1 - share) * ends[1]
        np.testing.assert_allclose(view(between), share * view(ends[0]) + (1 - share) * view(ends[1]), atol=1e-8)
        if number == 0:
            assert view.matrix[0, 0] == view.matrix[1, 1] > 0 and view.matrix[0, 1] == view.matrix[1, 0] == 0


def test_a_plane_of_one_point_has_a_view():
    view = folding.views([np.random.default_rng(0).normal(size=(9, 2)), np.ones((9, 2))])[1]
    np.testing.assert_allclose(view(np.ones((9, 2))), 0)


def test_on_the_straight_line_both_outputs_are_equal(spiral):
    model, X, _ = spiral
    view = folding.views(folding.planes(model, X))[-1]
    seen = folding.along_line(*folding.straight_line(model), view, reach=2.0)
    assert np.linalg.norm(seen[1] - seen[0]) == pytest.approx(4)
    places = seen @ np.linalg.inv(view.matrix) + view.centre
    outputs = model[-1](torch.tensor(places, dtype=torch.float32)).detach()
    torch.testing.assert_close(outputs[:, 0], outputs[:, 1], atol=1e-3, rtol=1e-4)


@pytest.mark.slow
def test_in_the_film_the_boundary_ends_on_the_straight_line_which_parts_the_classes(spiral):
    model, X, y = spiral
    (paper, line, boundary, dots), labels, settings = folding_figures.unfolding(model, X, y)
    assert len(labels) == len(model) + 1 == len(dots.frames) == len(paper.frames)
    start, end = line.frames[-1, 0]
    across = np.array([start[1] - end[1], end[0] - start[0]]) / np.linalg.norm(end - start)
    inside = abs(boundary.frames[-1]).max(axis=-1) < 2
    np.testing.assert_allclose(((boundary.frames[-1] - start) @ across)[inside], 0, atol=1e-5)
    chosen = np.random.default_rng(0).permutation(len(X))
    said = model(X[chosen]).argmax(dim=1).numpy()
    side = (dots.frames[-1, :, 0] - start) @ across > 0
    assert (side == said).all() or (side != said).all()
    assert (dots.groups == y.numpy()[chosen]).all()
    assert (abs(line.frames[:-1]).max(axis=-1) > folding_figures.EDGE).all(), "it waits outside of the picture"
    player_html((paper, line, boundary, dots), labels, "words", **settings)


def test_a_film_without_a_boundary_is_drawn(spiral):
    model, X, y = spiral
    same = folding.changed(model, 1, 1, "keep")
    with torch.no_grad():
        same[-1].bias.copy_(torch.tensor([1e4, 0.0]))
    scene, _, _ = folding_figures.unfolding(same, X, y)
    assert len(scene) == 3


def test_a_changed_unit_is_what_a_hook_makes_of_it(spiral):
    model, X, _ = spiral
    before = model(X).detach()
    for change, factor in (("keep", 1), ("zero", 0), ("reverse", -1)):
        column = torch.ones(16)
        column[4] = factor
        handle = model[1][1].register_forward_hook(lambda _, inputs, output, column=column: output * column)
        wanted = model(X).detach()
        handle.remove()
        torch.testing.assert_close(folding.changed(model, 2, 5, change)(X).detach(), wanted)
    torch.testing.assert_close(model(X).detach(), before, atol=0, rtol=0)


@pytest.mark.parametrize(
    ("block", "unit", "change", "text"),
    [(5, 1, "zero", "block is 5"), (0, 1, "zero", "block is 0"), (1, 17, "zero", "unit is 17"), (1, 1, "no", "change")],
)
def test_a_unit_that_there_is_not_is_refused(spiral, block, unit, change, text):
    with pytest.raises(ValueError, match=text):
        folding.changed(spiral[0], block, unit, change)


def test_a_neurons_map_is_its_sum_before_relu(spiral):
    model, X, _ = spiral
    sums = seen_by_hooks(model, X, model[2][0])[:, 6:7]
    np.testing.assert_allclose(folding.neuron(model, 3, 7)(X.double()).detach(), sums, atol=1e-4)


# --- points that somebody draws ---------------------------------------------------------------------------


def test_each_letter_becomes_points_in_its_cell():
    X, y = folding.points_of("o..\n...\n..X", n=40)
    assert X.dtype == torch.float32 and len(X) == len(y) == 40 and y.tolist().count(1) == 20
    for one, low, high in ((0, [-2, 2 / 3], [-2 / 3, 2]), (1, [2 / 3, -2], [2, -2 / 3])):
        own = X[y == one].numpy()
        assert (own >= np.array(low) - 1e-6).all() and (own <= np.array(high) + 1e-6).all()
        assert len(np.unique(own[:, 0])) == len(own)


@pytest.mark.parametrize(
    ("picture", "text"),
    [("", "no blue circles.* and red squares"), ("oo", "no red squares"), ("..\nx", "no blue circles")],
)
def test_a_picture_of_one_kind_says_which_is_missing(picture, text):
    with pytest.raises(ValueError, match=text):
        folding.points_of(picture)


def test_a_drawing_hands_on_what_its_text_says_and_else_a_disc_in_a_ring(capsys):
    drawing = widgets.Drawing()
    for text, said in (("", "Nothing is drawn yet."), ("...\n", "Nothing is drawn yet."), ("oo", "no red squares")):
        drawing.text.value = text
        X, y = drawing.points()
        assert said in capsys.readouterr().out
        inner, outer = (X[y == one].norm(dim=1).mean() for one in (0, 1))
        assert inner < 0.8 and outer > 1.2
    drawing.text.value = "ox"
    X, y = drawing.points()
    assert capsys.readouterr().out == "" and (X[y == 0, 0] < 0).all() and (X[y == 1, 0] > 0).all()


def test_a_sheet_is_shown_with_its_text_and_in_a_build_it_is_said_what_comes(monkeypatch, capsys):
    shown = []
    monkeypatch.setattr("IPython.display.display", lambda what, **_: shown.append(what))
    drawing = widgets.draw_points()
    (name,) = drawing.text._dom_classes
    assert drawing.text in shown and f'<div id="{name}">' in shown[0]["text/html"]
    shown.clear()
    monkeypatch.setenv("COURSE_BUILD", "1")
    widgets.draw_points()
    assert shown == [] and "Run this cell" in capsys.readouterr().out


# --- a unit, and what the boundary owes to it -------------------------------------------------------------


def test_the_explorer_says_the_accuracy_and_draws_the_boundary_of_the_changed_network(spiral):
    model, X, y = spiral
    figure, words = widgets.change_unit(model, X, y)(block=2, unit=5, change="reverse")
    other = folding.changed(model, 2, 5, "reverse")
    right = [(one(X).argmax(dim=1) == y).double().mean().item() for one in (other, model)]
    assert f"reversed: {right[0]:.1%}" in words and f"{right[1]:.1%} as it was trained" in words
    wanted = decision_boundary(other, folding_figures.around(X))
    np.testing.assert_allclose(figure.axes[0].collections[1].get_segments(), wanted)


@pytest.mark.slow
def test_the_explorers_controls_reach_every_unit_and_no_other(spiral):
    model, X, y = spiral
    controls = widgets.change_controls(model)
    assert (controls["block"].max, controls["unit"].max) == (4, 16)
    draw = widgets.change_unit(model, X, y)
    live_figure(draw, **controls)
    for block, unit in ((1, 1), (4, 16)):
        figure, words = draw(block=block, unit=unit, change="zero")
        assert quick_png(figure)[1:4] == b"PNG" and f"Block {block}, unit {unit}" in words


def test_a_neurons_maps_are_its_sum_and_what_relu_leaves_of_it(spiral):
    """The crease, in all three panels, runs where PyTorch says that the sum is 0."""
    model, X, _ = spiral
    figure = folding_figures.neuron_maps(model, 2, 3)
    for ax in figure.axes:
        for end in np.concatenate(ax.collections[-1].get_segments()):
            value = folding.neuron(model, 2, 3)(torch.tensor(end)[None]).item()
            inside = abs(end).max() < 2.2 - 1e-6
            assert abs(value) < 1e-9 or not inside
    before, after = (ax.collections[0] for ax in figure.axes[:2])
    assert before.get_array().min() < 0 and before.get_clim() == after.get_clim()


def test_the_pieces_have_a_dot_at_each_end(spiral):
    model, X, y = spiral
    figure = folding_figures.straight_pieces(model, X, y)
    segments = decision_boundary(model, folding_figures.around(X))
    np.testing.assert_allclose(figure.axes[1].lines[-1].get_xydata(), segments.reshape(-1, 2))


@pytest.mark.parametrize("number", [1, 3])
def test_within_a_block_relu_alone_moves_between_the_sums_and_what_it_leaves(spiral, number):
    model, X, y = spiral
    planes = folding.planes(model, X)
    before, sums, left, after = folding.within(model[number - 1], planes[number - 1])
    np.testing.assert_array_equal(before, planes[number - 1])
    np.testing.assert_allclose(after, planes[number])
    np.testing.assert_array_equal(left, sums.clip(0))
    assert np.linalg.matrix_rank(sums - sums.mean(axis=0), tol=1e-8) <= 2 < np.linalg.matrix_rank(left, tol=1e-8)


def test_a_wide_layer_is_seen_along_the_probe_and_along_what_is_spread_most_beside_it():
    """Classes apart along one axis, a long spread along another, in a space that is turned at random."""
    generator = np.random.default_rng(0)
    y = generator.integers(2, size=400)
    places = generator.normal(size=(400, 5)) * [0.1, 3, 0.5, 0.5, 0.5] + np.outer(y, [4, 0, 0, 0, 0])
    turn = np.linalg.qr(generator.normal(size=(5, 5)))[0]
    view = folding.wide_view([2 * places @ turn, places @ turn], y)
    directions = turn @ view.matrix
    assert np.abs(directions[0, 0]) > 0.9 * np.linalg.norm(directions[:, 0])
    assert np.abs(directions[1, 1]) > 0.9 * np.linalg.norm(directions[:, 1])
    seen = np.concatenate([view(2 * places @ turn), view(places @ turn)])
    np.testing.assert_allclose(np.abs(seen).max(axis=0), 1)


@pytest.mark.slow
def test_the_inside_of_a_block_begins_and_ends_where_the_film_of_all_blocks_has_its_planes(spiral):
    model, X, y = spiral
    (_, dots), labels, _ = folding_figures.inside_block(model, 2, X, y)
    whole = folding_figures.unfolding(model, X, y)[0][-1]
    assert len(labels) == len(dots.frames) == 4
    np.testing.assert_allclose(dots.frames[[0, 3]], whole.frames[[1, 2]])
