"""Sheets, squared paper and networks taken apart: against areas, hooks and PyTorch itself."""

from __future__ import annotations

import re

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from utils.data import spirals
from utils.lesson_03 import folding, folding_figures, widgets
from utils.lesson_03.folding import identity_block
from utils.models import mlp
from utils.player import player_html
from utils.regions import decision_boundary


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
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(60):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(X), y).backward()
        optimizer.step()
    return model, X, y


@pytest.fixture
def played(monkeypatch):
    """What plays a film, and returns its scene and labels."""
    shown = []
    monkeypatch.setattr(folding_figures, "play", lambda *film, **settings: shown.append((film, settings)))

    def of(film, *arguments):
        film(*arguments)
        (scene, labels, _), settings = shown.pop()
        settings.pop("answers", None)
        assert player_html(scene, labels, "words", **settings)
        return scene, labels

    return of


# --- a sheet of paper -------------------------------------------------------------------------------------


def test_the_sheets_are_what_their_titles_say(played):
    scene, _ = played(folding_figures.play_sheet)
    wanted = {
        "(relu(z), s)": lambda z, s: (z.clip(0), s),
        "(relu(z), relu(s))": lambda z, s: (z.clip(0), s.clip(0)),
        "(|z|, s)": lambda z, s: (abs(z), s),
    }
    for (title, shape), (name, moved) in zip(scene.items(), wanted.items(), strict=True):
        sheet, affine, after = shape.frames
        assert title == name and sum(map(area, sheet)) == pytest.approx(4) == sum(map(area, affine))
        np.testing.assert_allclose(after, np.stack(moved(*np.moveaxis(affine, -1, 0)), axis=-1))
        assert (affine[..., 0].min(axis=1) >= -1e-9)[shape.groups == 0].all()
        assert (affine[..., 0].max(axis=1) <= 1e-9)[shape.groups == 1].all()


def test_the_book_is_a_sheet_in_space_that_three_units_bend_and_the_read_out_closes(played):
    shape, _ = played(folding_figures.play_book)
    sheet, sums, hidden, read_out = (np.moveaxis(frame, -1, 0) for frame in shape.frames)
    lengths = (np.hypot(*(np.diff(one) for one in pair)) for pair in (sheet[:2], sums[::2]))
    np.testing.assert_allclose(*lengths, atol=1e-12)
    z, minus_z, s = sums
    np.testing.assert_array_equal(hidden, [z.clip(0), (-z).clip(0), s])
    np.testing.assert_allclose(read_out, [abs(z) / 2, abs(z) / 2, s])
    assert (sheet[2] == 0).all() and (minus_z == -z).all()


# --- a stack of blocks ------------------------------------------------------------------------------------


@pytest.mark.slow
@given(st.integers(2, 12), st.integers(0, 99))
def test_an_identity_block_leaves_every_point_where_it_is(pairs, seed):
    generator = torch.Generator().manual_seed(seed)
    block, X = identity_block(2 * pairs, generator).double(), torch.randn(50, 2, generator=generator).double()
    directions = block[0].weight[:pairs].detach()
    loss = np.linalg.cond(directions.numpy()) * 1e-5  # the block's weights are rounded to float32
    torch.testing.assert_close(block(X), X, atol=loss, rtol=0)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda _: identity_block(2, torch.Generator()), "at least 4"),
        (lambda _: identity_block(7, torch.Generator()), "even"),
        (lambda model: folding.changed(model, 1, 17, "zero"), "unit is 17"),
        (lambda model: folding.neuron(model, 0, 1), "block is 0"),
    ],
)
def test_what_a_reader_may_ask_for_and_there_is_not_is_refused(spiral, call, text):
    with pytest.raises(ValueError, match=text):
        call(spiral[0])


def test_views_fill_the_picture_even_of_one_point_and_the_input_is_not_turned():
    stages = [*np.random.default_rng(0).normal(size=(3, 30, 2)), np.ones((30, 2))]
    views = folding.views(stages)
    seen = [abs(view(points)).max() for view, points in zip(views, stages, strict=True)]
    np.testing.assert_allclose(seen, [1, 1, 1, 0])
    np.testing.assert_array_equal(views[0].matrix, views[0].matrix[0, 0] * np.eye(2))


@pytest.mark.slow
def test_in_the_film_the_boundary_ends_on_the_straight_line_which_parts_the_classes(spiral, played):
    model, X, y = spiral
    (paper, line, boundary, dots), labels = played(folding_figures.play_spiral, model, X, y)
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


def test_the_film_of_a_network_that_calls_all_points_alike_has_no_boundary(spiral, played):
    model, X, y = spiral
    same = folding.changed(model, 1, 1, "keep")
    with torch.no_grad():
        same[-1].bias.copy_(torch.tensor([1e4, 0.0]))
    assert len(played(folding_figures.play_spiral, same, X, y)[0]) == 3


# --- a unit, and what the boundary owes to it -------------------------------------------------------------


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


def test_a_neurons_map_is_its_sum_before_relu_and_its_crease_where_that_is_0(spiral):
    model, X, _ = spiral
    single, sums = folding.neuron(model, 3, 7), []
    handle = model[2][0].register_forward_hook(lambda _, inputs, output: sums.append(output.detach()))
    model(X)
    handle.remove()
    np.testing.assert_allclose(single(X.double()).detach(), sums[0][:, 6:7], atol=1e-4)
    figure = folding_figures.neuron_maps(model, 3, 7)
    ends = np.concatenate(figure.axes[2].collections[-1].get_segments())
    values = single(torch.tensor(ends)).detach().numpy()[:, 0]
    assert len(ends) and (abs(values[abs(ends).max(axis=1) < 2.2 - 1e-6]) < 1e-9).all()


@pytest.mark.slow
def test_the_explorer_says_the_accuracy_and_draws_the_boundary_of_the_changed_network(spiral):
    model, X, y = spiral
    draw, controls = widgets.change_unit(model, X, y), widgets.change_controls(model)
    figure, words = draw(block=2, unit=5, change="reverse")
    other = folding.changed(model, 2, 5, "reverse")
    right = [(one(X).argmax(dim=1) == y).double().mean().item() for one in (other, model)]
    assert f"reversed: {right[0]:.1%}" in words and f"{right[1]:.1%} as it was trained" in words
    wanted = decision_boundary(other, folding_figures.around(X))
    np.testing.assert_allclose(figure.axes[0].collections[1].get_segments(), wanted)
    assert "Block 4, unit 16" in draw(block=controls["block"].max, unit=controls["unit"].max, change="zero")[1]


# --- points that somebody draws ---------------------------------------------------------------------------


def drawn(text: str) -> widgets.Drawing:
    drawing = widgets.Drawing()
    drawing.text.value = text
    return drawing


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "Nothing is drawn yet."),
        ("...\n", "Nothing is drawn yet."),
        ("oo", "no orange squares"),
        ("..\nx", "no blue circles"),
        ("n", r"no blue circles \(o\) and orange squares"),
    ],
)
def test_where_a_kind_is_missing_this_is_said_and_a_disc_in_a_ring_is_taken(text, said):
    parts, words = drawn(text).parts()
    assert re.search(said, words) and not torch.equal(parts[0][0], parts[1][0])
    for X, y in parts:
        inner, outer = (X[y == one].norm(dim=1).mean() for one in (0, 1))
        assert inner < 0.8 and outer > 1.2


def test_a_drawing_hands_on_what_its_text_says():
    parts, words = drawn("o..\n...\n..X").parts(40)
    assert words == "" and not torch.equal(parts[0][0], parts[1][0])
    for X, y in parts:
        assert X.dtype == torch.float32 and len(X) == len(y) == 40 and y.tolist().count(1) == 20
        for one, low, high in ((0, [-2, 2 / 3], [-2 / 3, 2]), (1, [2 / 3, -2], [2, -2 / 3])):  # each in its cell
            own = X[y == one].numpy()
            assert (own >= np.array(low) - 1e-6).all() and (own <= np.array(high) + 1e-6).all()
            assert len(np.unique(own[:, 0])) == len(own)
