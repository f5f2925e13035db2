"""Lesson 02's sawtooth: hand-built exactly, what few pieces must miss, and what its experiments return."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch
import xarray as xr
from hypothesis import given as drawn_from
from hypothesis import settings
from hypothesis import strategies as st

from tests.generators import seeded
from tests.made_up import made_up
from utils.constructions import sawtooth_network
from utils.data import sawtooth
from utils.lesson_02 import sawtooth as lesson
from utils.lesson_02 import sawtooth_figures as figures
from utils.models import count_parameters, mlp
from utils.regions import count_regions, linear_pieces


def tent(x):
    x = np.asarray(x)
    return np.minimum(2 * x, 2 - 2 * x)


# --- hand-built -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 3, 12])
def test_the_hand_built_network_is_the_tent_k_times_without_rounding(k):
    x = np.random.default_rng(k).integers(0, 2**20 + 1, 2000) / 2**20
    expected = x
    for _ in range(k):
        expected = tent(expected)
    model = sawtooth_network(k)
    with torch.no_grad():
        np.testing.assert_array_equal(model(torch.as_tensor(x, dtype=torch.float32)[:, None])[:, 0], expected)
    assert [layer.out_features for layer in model[::2]] == [2] * k + [1]
    knots, slopes, _ = linear_pieces(model, (0, 1))
    np.testing.assert_array_equal(knots, np.arange(2**k + 1) / 2**k)
    np.testing.assert_array_equal(slopes[:, 0], 2.0**k * (-1.0) ** np.arange(2**k))


@pytest.mark.parametrize("k", [1, 8])
def test_one_layer_does_it_with_as_many_units_as_pieces(k):
    model, x = lesson.one_layer_sawtooth(k), torch.linspace(0, 1, 3001, dtype=torch.float64)[:, None]
    assert model[0].out_features == 2**k and count_parameters(model) == 3 * 2**k + 1
    with torch.no_grad():
        torch.testing.assert_close(model.double()(x), sawtooth(x, k), atol=1e-9, rtol=0)


@pytest.mark.parametrize("k", [1, 3])
def test_one_layer_with_a_unit_less_cannot(k):
    """With 2^k − 1 units each has its bend at a corner of its own, and opens to the left or to the right."""
    corners, x = np.arange(1, 2**k) / 2**k, np.linspace(0, 1, 40 * 2**k + 1)
    y = np.interp(x, np.arange(2**k + 1) / 2**k, np.arange(2**k + 1) % 2)
    errors = []
    for signs in itertools.product([-1, 1], repeat=len(corners)):
        columns = np.column_stack([np.ones_like(x), np.maximum(np.array(signs) * (x[:, None] - corners), 0)])
        errors.append(np.square(columns @ np.linalg.lstsq(columns, y, rcond=None)[0] - y).mean())
    assert min(errors) > 1e-3
    free = np.column_stack([columns, x])  # a straight line for nothing
    assert np.square(free @ np.linalg.lstsq(free, y, rcond=None)[0] - y).mean() < 1e-20


@settings(max_examples=30)
@drawn_from(st.integers(1, 30), st.integers(0, 10_000))
def test_one_layer_has_at_most_a_piece_more_than_units(width, seed):
    model = mlp([1, width, 1], init="he", bias_std=0.5, generator=seeded(seed))
    assert count_regions(model, (0, 1)) <= width + 1


def test_a_constant_misses_all_and_the_network_itself_nothing():
    *_, (x, y) = lesson.sawtooth_parts(4, generator=seeded())
    assert lesson.share_missed(lambda X: torch.full_like(X, 0.5), x, y) == pytest.approx(1, abs=1e-3)
    assert lesson.share_missed(lambda X: sawtooth_network(4)((X + 1) / 2), x, y) == 0


# --- experiments ------------------------------------------------------------------------------------------


def test_deep_and_shallow_shapes_have_as_many_parameters():
    for k in lesson.FOLDS:
        narrow, wide, as_wide = (mlp(sizes(k)) for sizes in lesson.SHAPES.values())
        assert count_parameters(narrow) == count_parameters(sawtooth_network(k))
        assert count_parameters(wide) == count_parameters(as_wide)


def test_parts_are_the_sawtooth_at_points_of_their_own():
    train, validation, (x, y) = lesson.sawtooth_parts(3, generator=seeded())
    for X, values in (train, validation, (x, y)):
        np.testing.assert_allclose(values[:, 0], tent(tent(tent((X[:, 0].double() + 1) / 2))), atol=1e-5)
    assert len(set(train[0][:, 0].tolist()) & set(validation[0][:, 0].tolist())) < 3
    assert (x.min(), x.max()) == (1 / 4096 - 1, 1 - 1 / 4096)


# --- figures ----------------------------------------------------------------------------------------------


def test_what_was_found_is_counted_over_the_seeds(monkeypatch):
    data = xr.ones_like(made_up(lesson.shapes, "missed", seeds=4))
    data["missed"].loc[{"shape": lesson.WIDE, "folds": 3, "rate": 0.03, "seed": data["seed"][:3]}] = 0.009
    data["missed"].loc[{"shape": lesson.NARROW, "folds": 3, "seed": data["seed"][:1]}] = 0.001
    monkeypatch.setattr(figures, "recorded", lambda name: data)
    assert [lesson.share_found(data, lesson.WIDE, k) for k in (2, 3)] == [0, 0.75]
    assert figures.found_three() == {"seeds": 4, "found": 1}
    lines = {line.get_label(): line.get_ydata() for line in figures.found_by_folds().axes[0].lines}
    assert list(lines["trained, eight units a layer"]) == [0, 0.75, 0, 0, 0]
    assert list(lines["hand-built, two units a layer"]) == [1] * 5
