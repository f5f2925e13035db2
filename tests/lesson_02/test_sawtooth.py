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
from utils.exercises.layers import with_one_input
from utils.lesson_02 import page
from utils.lesson_02 import sawtooth as lesson
from utils.lesson_02 import sawtooth_figures as figures
from utils.lesson_02.claims.sawtooth import KEPT, SHAPED
from utils.lesson_02.exercises import count_pieces, sawtooth_layers
from utils.models import count_flops, count_parameters, mlp
from utils.regions import count_regions, linear_pieces, linear_regions


def tent(x):
    x = np.asarray(x)
    return np.minimum(2 * x, 2 - 2 * x)


# --- hand-built -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 3, 6, 12])
def test_the_hand_built_network_is_the_tent_k_times_without_rounding(k):
    x = np.random.default_rng(k).integers(0, 2**20 + 1, 2000) / 2**20
    expected = x
    for _ in range(k):
        expected = tent(expected)
    model = sawtooth_network(k)
    with torch.no_grad():
        np.testing.assert_array_equal(model(torch.as_tensor(x, dtype=torch.float32)[:, None])[:, 0], expected)
    assert [layer.out_features for layer in model[::2]] == [2] * k + [1]
    assert count_parameters(model) == 6 * k + 1
    knots, slopes, _ = linear_pieces(model, (0, 1))
    np.testing.assert_array_equal(knots, np.arange(2**k + 1) / 2**k)
    np.testing.assert_array_equal(slopes[:, 0], 2.0**k * (-1.0) ** np.arange(2**k))
    assert lesson.count_pieces(model) == 2**k


@pytest.mark.parametrize("k", [1, 4, 8])
def test_one_layer_does_it_with_as_many_units_as_pieces(k):
    model, x = lesson.one_layer_sawtooth(k), torch.linspace(0, 1, 3001, dtype=torch.float64)[:, None]
    assert model[0].out_features == 2**k and count_parameters(model) == 3 * 2**k + 1
    with torch.no_grad():
        torch.testing.assert_close(model.double()(x), sawtooth(x, k), atol=1e-9, rtol=0)
    assert lesson.count_pieces(model) == 2**k


@pytest.mark.parametrize("k", [1, 2, 3])
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


@settings(max_examples=30, deadline=None)
@drawn_from(st.integers(1, 30), st.integers(0, 10_000))
def test_one_layer_has_at_most_a_piece_more_than_units(width, seed):
    model = mlp([1, width, 1], init="he", bias_std=0.5, generator=seeded(seed))
    assert lesson.count_pieces(model) <= count_regions(model, (0, 1)) <= width + 1


# --- what few pieces must miss ----------------------------------------------------------------------------


@settings(max_examples=12, deadline=None)
@drawn_from(st.integers(2, 4), st.integers(0, 6), st.integers(0, 10_000))
def test_polylines_keep_the_proved_distance(k, bends, seed):
    rng = np.random.default_rng(seed)
    knots = np.concatenate([[0], np.sort(rng.uniform(0, 1, bends)), [1]])
    values = rng.uniform(-0.5, 1.5, bends + 2)
    breaks = np.unique([*knots, *(np.arange(2**k + 1) / 2**k)])
    difference = sawtooth(torch.as_tensor(breaks), k).numpy() - np.interp(breaks, knots, values)
    a, b, lengths = difference[:-1], difference[1:], np.diff(breaks)  # linear in between
    square = (lengths * (a * a + a * b + b * b) / 3).sum()
    assert square / lesson.VARIANCE >= 1 - bends / 2 ** (k - 1) - 1e-9


def test_a_constant_misses_all_and_the_network_itself_nothing():
    *_, (x, y) = lesson.sawtooth_parts(4, generator=seeded())
    assert lesson.share_missed(lambda X: torch.full_like(X, 0.5), x, y) == pytest.approx(1, abs=1e-3)
    assert lesson.share_missed(lesson.centred(sawtooth_network(4)), x, y) == 0


# --- experiments ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", lesson.FOLDS)
def test_what_the_deep_shape_costs_over_the_shallow_one_is_what_pytorch_counts(k):
    deep, shallow = (count_flops(mlp(lesson.SHAPES[name].sizes(k)), torch.zeros(1, 1)).step
                     for name in (lesson.WIDE, lesson.AS_WIDE))
    assert lesson.arithmetic(k) == pytest.approx(deep / shallow)


def test_deep_and_shallow_shapes_have_as_many_parameters():
    for k in lesson.FOLDS:
        shapes = [mlp(shape.sizes(k), **shape.start) for shape in lesson.SHAPES.values()]
        narrow, wide, as_wide = map(count_parameters, shapes)
        assert narrow == count_parameters(sawtooth_network(k)) and wide == as_wide


def test_parts_are_the_sawtooth_at_points_of_their_own():
    train, validation, (x, y) = lesson.sawtooth_parts(3, generator=seeded())
    for X, values in (train, validation, (x, y)):
        np.testing.assert_allclose(values[:, 0], tent(tent(tent((X[:, 0].double() + 1) / 2))), atol=1e-5)
    assert len(set(train[0][:, 0].tolist()) & set(validation[0][:, 0].tolist())) < 3
    assert (x.min(), x.max()) == (1 / 4096 - 1, 1 - 1 / 4096)


def test_a_centred_network_is_the_same_for_inputs_in_minus_1_to_1():
    model, x = sawtooth_network(5), torch.linspace(0, 1, 1001)[:, None]
    centred = lesson.centred(model)
    with torch.no_grad():
        torch.testing.assert_close(centred(2 * x - 1), model(x), atol=1e-5, rtol=0)
    assert lesson.count_pieces(centred, lesson.CENTRED) == 32 and centred[0].weight.dtype == torch.float32


def test_shaking_adds_noise_of_the_size_asked_for():
    shaken = [lesson.shaken_network(6, 0.1, generator=seeded(seed)) for seed in range(60)]
    moved = torch.stack([p.flatten()[:1] for net in shaken for p in net.parameters()])
    rest = torch.stack([p.flatten()[:1] for _ in shaken for p in lesson.centred(sawtooth_network(6)).parameters()])
    assert (moved - rest).std().item() == pytest.approx(0.1, rel=0.15)
    assert lesson.share_missed(lesson.shaken_network(6, 0.0, generator=seeded()), *lesson.sawtooth_parts(
        6, generator=seeded())[2]) == 0


def test_what_comes_back_is_counted_over_the_seeds():
    kept = xr.ones_like(made_up(KEPT, "end", seeds=4))
    kept["end"].loc[{"folds": 4, "noise": 0.03, "part": "held-out", "seed": [0, 2, 3]}] = 0.009
    assert lesson.came_back(kept, 0.03) == {"back": {2: 0, 4: 3, 6: 0}, "seeds": 4}


@pytest.mark.parametrize(
    ("back", "right"),
    [
        ((20, 20, 18), "nearly all"),
        ((20, 11, 0), "nearly all with 2 folds, some with 4, hardly any with 6"),
        ((19, 2, 0), "nearly all with 2 folds, hardly any others"),
        ((1, 0, 0), "hardly any"),
    ],
)
def test_the_right_choice_of_what_comes_back_is_what_was_counted(back, right):
    asked = page.PREDICTIONS["02b.kept"]
    measured = {"back": dict(zip(lesson.KEPT_FOLDS, back, strict=True)), "seeds": 20, "before": 2.4}
    assert asked.choices[asked.right(**measured) - 1] == right


# --- figures ----------------------------------------------------------------------------------------------


def test_a_trained_network_is_drawn_over_the_sawtooth():
    target, line = figures.trained(lesson.centred(sawtooth_network(3)), 3).axes[0].lines
    np.testing.assert_allclose(target.get_ydata(), line.get_ydata(), atol=1e-6)
    model = mlp([1, 5, 1], generator=seeded())
    target, line = figures.trained(model, 3).axes[0].lines
    np.testing.assert_allclose(target.get_ydata(), tent(tent(tent(target.get_xdata()))), atol=1e-6)
    with torch.no_grad():
        u = 2 * torch.as_tensor(line.get_xdata())[:, None] - 1
        np.testing.assert_allclose(line.get_ydata(), model(u)[:, 0])


def test_what_was_found_is_counted_over_the_seeds(monkeypatch):
    data = xr.ones_like(made_up(SHAPED, "missed", seeds=4))
    data["missed"].loc[{"shape": lesson.WIDE, "folds": 3, "rate": 0.03, "seed": data["seed"][:3]}] = 0.009
    data["missed"].loc[{"shape": lesson.NARROW, "folds": 3, "seed": data["seed"][:1]}] = 0.001
    monkeypatch.setattr(figures, "recorded", lambda name: data)
    assert [lesson.share_found(data, lesson.WIDE, k) for k in (2, 3)] == [0, 0.75]
    assert figures.found_three() == {"seeds": 4, "found": 1}
    lines = {line.get_label(): line.get_ydata() for line in figures.found_by_folds().axes[0].lines}
    assert list(lines["trained, eight units a layer"]) == [0, 0.75, 0, 0, 0]
    assert list(lines["hand-built, two units a layer"]) == [1] * 5


# --- exercises --------------------------------------------------------------------------------------------


def model_of(given):
    weights, biases = (map(torch.as_tensor, given[name]) for name in ("weights", "biases"))
    modules = []
    for weight, bias in zip(weights, biases, strict=True):
        linear = torch.nn.Linear(*weight.shape[::-1], dtype=torch.float64)
        linear.weight.data, linear.bias.data = weight, bias
        modules += [linear, torch.nn.ReLU()]
    return torch.nn.Sequential(*modules[:-1])


@pytest.fixture(scope="module")
def networks():
    return [given for seed in range(3) for given, _ in count_pieces.pieces_cases(np.random.default_rng(seed))]


@pytest.mark.slow
def test_pieces_are_those_of_the_exact_regions(networks):
    for given in networks:
        model, bounds = model_of(given), (given["low"], given["high"])
        assert count_pieces.pieces(given) == len(linear_pieces(model, bounds).slopes)
        assert count_pieces.activation_cells(given) == count_regions(model, bounds)
        assert count_pieces.everywhere(given) == len(linear_pieces(model, (-1e4, 1e4)).slopes)


def test_units_of_two_layers_that_switch_together_are_two_switches_and_one_bend():
    given = with_one_input([([[1]], [0]), ([[1]], [0]), ([[1]], [0])], -1, 1)
    ways = count_pieces.one_by_one, count_pieces.activation_cells, count_pieces.pieces
    assert [way(given) for way in ways] == [3, 2, 2]


def test_no_case_is_a_close_call(networks):
    """As the prompt says: bends coincide or are 1/500 of the interval apart, slopes are the same or 0.05 apart."""
    for given in networks:
        bounds = given["low"], given["high"]
        cells = [region.interval for region in linear_regions(model_of(given), bounds)]
        assert min(high - low for low, high in cells) >= 0.999 * (bounds[1] - bounds[0]) / 500
        slopes = linear_pieces(model_of(given), bounds).slopes[:, 0]
        assert (np.abs(np.diff(slopes)) > 0.0499).all()


WRONG_WAYS = (
    count_pieces.activation_cells, count_pieces.one_by_one, count_pieces.everywhere, count_pieces.first_layer_only,
    count_pieces.with_ends, count_pieces.largest_possible,
)


def test_cases_have_what_wrong_ways_of_counting_stumble_over(networks):
    per_seed = len(networks) // 3
    for start in range(0, len(networks), per_seed):
        some = networks[start : start + per_seed]
        for wrong in WRONG_WAYS:
            assert sum(wrong(given) != count_pieces.pieces(given) for given in some) >= 2, wrong.__name__
        assert any(not weight.any(axis=1).all() for given in some for weight in given["weights"][:1])  # a dead unit


@pytest.mark.parametrize(("k", "peak"), [(1, 0.25), (3, 0.5), (4, 0.7), (6, 0.34)])
def test_the_corners_are_those_of_the_tent_composed(k, peak):
    x, given = np.linspace(0, 1, 3001), {"k": k, "peak": peak}
    y = x
    for _ in range(k):
        y = np.where(y <= peak, y / peak, (1 - y) / (1 - peak))
    np.testing.assert_allclose(sawtooth_layers.sawtooth_at(given, x), y, atol=1e-9)
    assert len(sawtooth_layers.corners(given)) == 2**k + 1


def test_a_network_that_is_right_everywhere_but_on_one_piece_is_no_sawtooth():
    given = {"k": 3, "peak": 0.4}
    layers = sawtooth_layers.built(given)
    assert sawtooth_layers.is_sawtooth(given, layers)
    for layer, part, entry in [(0, 1, 0), (1, 0, 0), (1, 1, 1), (2, 0, 3), (3, 0, 1), (3, 1, 0)]:
        moved = [tuple(np.array(one, dtype=float) for one in pair) for pair in layers]
        moved[layer][part].flat[entry] += 0.004
        assert not sawtooth_layers.is_sawtooth(given, moved), (layer, part, entry)


def test_the_check_says_where_a_sawtooth_is_furthest_off_and_what_it_draws():
    given = {"k": 1, "peak": 0.25}
    plateau = sawtooth_layers.built(given, tent=(4.0, -4.0))  # 1 from the peak on: furthest off at x = 1
    assert "x = 1: 1 there, 0 is wanted" in sawtooth_layers.explain_sawtooth(given, plateau, None)
    assert "Sizes [1, 2, 1] are wanted" in sawtooth_layers.explain_sawtooth(given, plateau[:1], None)
    assert "off by more than 1" in sawtooth_layers.plot_sawtooth(given, plateau)[1]


def test_a_drawn_network_runs_through_its_corners():
    given = next(iter(count_pieces.pieces_cases(np.random.default_rng(0))))[0]
    figure, words = count_pieces.plot_pieces(given, 3)
    assert "(-1, 0), (0, 0), (1, 1), (2, 0)" in words and "count: 3" in figure.axes[0].get_title()
