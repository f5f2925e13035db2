"""Lesson 01's experiments and figures: against simulation, exact integrals, and the floors that the lesson proves."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch
import xarray as xr
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.metrics import r2_score
from sklearn.preprocessing import PolynomialFeatures

from tests.choices import assert_right
from tests.generators import seeded
from tests.made_up import made_up
from utils.claims.records import differences, recorded
from utils.comparison import sweep
from utils.constructions import evaluate_hinges, relu_interpolant
from utils.data import circles
from utils.exercises import blanks
from utils.exercises.blanks import reference
from utils.lesson_01 import cosines, curves, curves_figures, hypotheses, page, rings, widgets
from utils.lesson_01.blanks import BLANKS, relu
from utils.lesson_01.curves import CURVES, LARGEST, Curve, built, built_network, largest_error
from utils.lesson_01.hypotheses import SWITCHES
from utils.models import mlp

# --- rings ------------------------------------------------------------------------------------------------


def test_the_best_circle_and_the_best_line_are_right_for_the_shares_that_the_lesson_says():
    X, y = circles(1_000_000, generator=seeded(), noise=0.35)
    best = pytest.approx(rings.ring_bayes_accuracy(), abs=0.002)
    for numbers, thresholds, wanted in (
        (X.norm(dim=1), np.linspace(0.5, 1.5, 101), best),
        (X[:, 0], np.linspace(0, 1.5, 61), pytest.approx(0.64, abs=0.005)),
    ):
        shares = [((numbers > threshold).long() == y).double().mean().item() for threshold in thresholds]
        assert max(shares) == wanted


def test_the_features_made_by_hand_are_squares():
    (X, _), *_ = rings.ring_parts(generator=seeded(), squares=True)
    assert X.shape == (100, 4) and torch.equal(X[:, 2:], X[:, :2] ** 2)


@pytest.mark.slow
@settings(max_examples=200)
@given(st.lists(st.floats(-3, 3), min_size=9, max_size=9))
def test_two_relu_units_cannot_close_a_region(numbers):
    """Where {g < 0} is not empty it reaches as far out as one looks."""
    w, a, c = np.reshape(numbers[:6], (2, 3)), np.array(numbers[6:8]), numbers[8]

    def g(points):
        return c + np.maximum(points @ w[:, :2].T + w[:, 2], 0) @ a

    line = np.linspace(-5, 5, 41)
    near = g(np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)).min()
    angles = np.linspace(0, 2 * np.pi, 20_001)
    far = min(g(radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)).min() for radius in (1e2, 1e3, 1e4))
    assert near >= -1e-2 or far < 0


def test_three_relu_units_can():
    angles = 2 * np.pi * np.arange(3) / 3
    normals = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    circle = np.stack([np.cos(np.linspace(0, 7, 500)), np.sin(np.linspace(0, 7, 500))], axis=1)
    g = lambda points: np.maximum(points @ normals.T, 0).sum(axis=1) - 0.9  # noqa: E731
    assert (g(0.5 * circle) < 0).all() and (g(1.5 * circle) > 0).all()


def test_the_rate_is_chosen_in_one_part_and_reported_in_another():
    """By validation accuracy, or by training loss, also where several rates are right on all training points."""
    data = 0 * made_up(rings.on_rings, "accuracy", "loss", seeds=3).sel(rate=[0.01, 0.1])
    accuracy, loss = data["accuracy"], data["loss"]
    accuracy.loc[{"rate": 0.01, "part": "validation"}] = 1  # validation prefers this rate, training the other one
    loss.loc[{"rate": 0.01, "part": "training"}] = 1
    accuracy.loc[{"part": "held-out"}] = xr.DataArray([0.7, 0.6], dims="rate")
    loss.loc[{"part": "held-out"}] = xr.DataArray([0.3, 0.9], dims="rate")
    assert rings.ring(data, "3 units").values.tolist() == [0.7] * 3
    assert rings.ring(data, "3 units", by="training").values.tolist() == [0.6] * 3
    assert rings.ring(data, "line", by="training", what="loss").values.tolist() == [0.9] * 3


def test_features_up_to_a_degree_are_scikit_learns():
    X = torch.randn(6, 2, generator=seeded(1))
    wanted = PolynomialFeatures(4).fit_transform(X.double().numpy())
    order = np.lexsort(wanted), np.lexsort(rings.powers(X, 4).numpy())
    np.testing.assert_allclose(rings.powers(X, 4).numpy()[:, order[1]], wanted[:, order[0]], rtol=1e-6)


def test_a_penalty_is_chosen_on_validation_points_by_the_other_seeds():
    data = 0 * made_up(rings.on_features, "accuracy", seeds=3)
    accuracy = data["accuracy"]
    accuracy.loc[{"degree": 12, "C": 1.0, "part": "validation"}] = 0.9
    accuracy.loc[{"degree": 12, "C": 1.0, "part": "held-out"}] = [0.7, 0.8, 0.6]
    accuracy.loc[{"degree": 12, "C": rings.LOOSE, "part": "held-out"}] = 0.5
    accuracy.loc[{"degree": 12, "C": 10.0, "part": "held-out"}] = 0.95
    assert rings.on_degree(data, 12).values.tolist() == [0.7, 0.8, 0.6]
    assert rings.on_degree(data, 12, rings.LOOSE).values.tolist() == [0.5] * 3


def test_what_is_said_of_spirals_and_of_rates_is_the_records(capsys):
    planes = made_up(rings.on_planes, "accuracy")
    planes["accuracy"].loc[{"part": "held-out"}] = 0.9
    for width, worst in ((16, 0.8), (32, 0.85)):
        planes["accuracy"].loc[{"part": "held-out", "set": "two spirals", "width": width, "seed": 4}] = worst
    assert rings.spirals_answer(planes) == pytest.approx({"sixteen": 0.8, "most": 0.85})
    data = 0 * made_up(rings.on_rings, "accuracy", "loss", seeds=5)
    data["accuracy"].loc[{"part": "validation", "rate": 0.0001}] = 1
    data["loss"].loc[{"part": "held-out"}] = 0.5
    data["loss"].loc[{"part": "training"}] = 1
    data["loss"].loc[{"part": "training", "rate": 0.1}] = 0
    data["loss"].loc[{"part": "held-out", "rate": 0.1, "network": "30 units"}] = 1.0
    assert rings.rate_answer(data) == {"rate": 0.0001}
    rings.print_wrong_choice(data)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6 and lines[4].startswith(" 30 units: 2.0 times") and lines[5].startswith("100 units: 1.0")


def test_trained_units_get_the_points_of_the_waves_scaled(monkeypatch):
    monkeypatch.setattr(cosines, "OTHER_POINTS", (60, 30, 40))
    parts = cosines.other_parts(generator=torch.Generator().manual_seed(3))
    assert [X.shape for X, _ in parts] == [(60, 100), (30, 100), (40, 100)]
    assert max(X.norm(dim=1).max() for X, _ in parts) <= 20 and parts[0][0].square().mean() == pytest.approx(
        4 / 3, rel=0.3
    )
    rate = [y.std(correction=0) / (X[:, :1] / 10).abs().std(correction=0) for X, y in parts]
    assert rate[0] == pytest.approx(rate[1]) == pytest.approx(rate[2])  # the same scale for all
    assert parts[0][1].mean() == pytest.approx(0, abs=1e-9) and parts[0][1].std(correction=0) == pytest.approx(1)
    exact = mlp([100, 2, 1], generator=torch.Generator().manual_seed(0)).double()
    with torch.no_grad():
        for parameter in exact.parameters():
            parameter.zero_()
        exact[0].weight[0, 0], exact[0].weight[1, 0] = 1.0, -1.0
        exact[2].weight.fill_(rate[0].item() / 10)
        exact[2].bias.fill_(-(rate[0] * parts[0][0][:, 0].abs().mean() / 10).item())
    assert cosines.left_over(exact, *parts[2]) == pytest.approx(0, abs=1e-12)


# --- random waves -----------------------------------------------------------------------------------------


def test_barrons_bound_has_the_mean_length_of_the_waves_frequencies():
    rng = np.random.default_rng(0)
    for n_in in (1, 10, 100):
        length = np.linalg.norm(rng.standard_normal((50_000, n_in)), axis=1).mean()
        assert cosines.barron_bound(n_in, 500) == pytest.approx((4 * length) ** 2 / 500, rel=0.02)


def test_waves_are_fitted_to_one_coordinate_as_scikit_learn_does_it(monkeypatch):
    monkeypatch.setattr(cosines, "OTHER_POINTS", (60, 30, 40))
    monkeypatch.setattr(cosines, "OTHER_UNITS", 25)
    found = cosines.fitted_waves.measure([3], inputs=[10])["missed"].sel(seed=3, inputs=10)
    rng = np.random.default_rng([3, 10])
    waves, phases = rng.normal(size=(10, 25)), rng.uniform(0, 2 * np.pi, 25)
    train, validation, held_out = (cosines.ball_points(n, 10, rng) for n in (60, 30, 40))
    target = np.abs(train[:, 0])
    ridge = Ridge(alpha=1.0, fit_intercept=False).fit(np.cos(train @ waves + phases), target - target.mean())
    for part, X in (("validation", validation), ("held-out", held_out)):
        y_hat = ridge.predict(np.cos(X @ waves + phases)) + target.mean()
        wanted = 1 - r2_score(np.abs(X[:, 0]), y_hat)
        assert found.sel(penalty=1.0, part=part).item() == pytest.approx(wanted)


# --- curves -----------------------------------------------------------------------------------------------


def test_the_written_down_network_is_the_interpolant():
    curve = CURVES["two sines"]
    knots = np.linspace(-5, 5, 21)
    network = relu_interpolant(knots, curve.f(knots))
    x = curve.grid(501)
    with torch.no_grad():
        y_hat = built_network(curve, 20)(torch.as_tensor(x / 5, dtype=torch.float32)[:, None])[:, 0]
    np.testing.assert_allclose(y_hat, evaluate_hinges(x, *network), atol=2e-5)
    missed = lambda t: np.abs(curve.f(t) - np.interp(t, knots, curve.f(knots)))  # noqa: E731
    assert built("two sines", 20, LARGEST) == pytest.approx(missed(np.linspace(-5, 5, 50_001)).max(), rel=1e-3)
    exact = quad(lambda t: missed(t) ** 2 / 10, -5, 5, limit=500)[0]
    assert built("two sines", 20) == pytest.approx(exact, rel=1e-3)


def test_crowded_hinges_follow_the_root_like_one_over_twice_the_square():
    x = np.linspace(0, 1, 400_001) ** 4  # as crowded as the knots
    for n in (5, 40):
        knots = (np.arange(n + 1) / n) ** 4
        missed = np.abs(np.interp(x, knots, np.sqrt(knots)) - np.sqrt(x)).max()
        assert 0.95 / (2 * n**2) <= missed <= 1 / (2 * n**2)
    even = np.arange(161) / 160
    missed_evenly = np.abs(np.interp(x, even, np.sqrt(even)) - np.sqrt(x)).max()
    assert missed_evenly == pytest.approx(1 / (4 * np.sqrt(160))) and missed_evenly == pytest.approx(0.02, rel=0.02)


def test_the_best_output_weights_leave_what_the_page_says():
    knots, x = np.linspace(-5, 5, 41), np.linspace(-5, 5, 20_001)
    columns = np.maximum(x[:, None] - knots[:-1], 0)
    model = LinearRegression().fit(columns, np.sin(x))
    ratio = np.square(model.predict(columns) - np.sin(x)).mean() / built("sin", 40)
    assert curves_figures.kept_answer()["weights"] == pytest.approx(ratio, rel=1e-3)


@pytest.mark.parametrize("curve", [CURVES["sin"], Curve(np.abs, 2.0)])
def test_the_quadratic_floor_is_the_projections(curve):
    L = curve.half_width
    mean = lambda g: quad(lambda x: g(x) / (2 * L), -L, L, limit=200, points=[0])[0]  # noqa: E731
    legendre = [lambda u: 1.0, lambda u: u, lambda u: (3 * u**2 - 1) / 2]
    explained = sum((2 * k + 1) * mean(lambda x, p=p: curve.f(x) * p(x / L)) ** 2 for k, p in enumerate(legendre))
    assert hypotheses.quadratic_floor(curve) == pytest.approx(mean(lambda x: curve.f(x) ** 2) - explained, rel=1e-3)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, switch in SWITCHES.items() if switch.largest or switch.squared])
@pytest.mark.parametrize("width", [1, 7, 60])
def test_no_network_of_the_kind_gets_below_its_floor(name, width):
    """Neither random ones nor those whose output layer is fitted to the whole curve by least squares."""
    switch = SWITCHES[name]
    *_, (u, y) = curves.curve_parts(CURVES[switch.curve], generator=seeded())
    for seed in range(5):
        model = mlp([1, width, 1], switch.activation, bias=switch.bias, init=("normal", 3.0), generator=seeded(seed))
        with torch.no_grad():
            hidden = model.double()[:2](u.double())
        hidden = torch.cat([hidden, torch.ones(len(u), int(switch.bias))], dim=1)
        fitted = hidden @ torch.linalg.lstsq(hidden, y.double(), driver="gelsd").solution
        errors = (fitted - y).abs()
        step = 10 / 20_000  # what a grid may miss of the largest error of a steep network
        assert errors.square().mean() >= switch.squared - 1e-6
        assert errors.max() >= switch.largest * (1 - 20 * step)


def test_largest_error_and_scores_are_what_they_say():
    X, y = torch.tensor([[0.0], [1.0], [2.0]]), torch.tensor([[1.0], [1.0], [-3.0]])
    assert largest_error(lambda X: X, X, y) == 5.0
    swept = curves.train_on_curve("sin", 3, [0], lrs=(0.01,), steps=5)
    model, (_, validation, (u, y)) = swept.model(0), swept.parts[0]
    with torch.no_grad():
        errors, unseen = model(u) - y, model(validation[0]) - validation[1]
    scores = curves.curve_scores(swept).sel(seed=0, rate=0.01)
    assert scores["squared"].item() == pytest.approx(errors.square().mean().item(), rel=1e-5)
    assert scores["largest"].item() == pytest.approx(errors.abs().max().item(), rel=1e-5)
    assert scores["validation"].item() == pytest.approx(unseen.square().mean().item(), rel=1e-5)
    assert len(u) == 20_001 and u.min() == -1 and not torch.equal(validation[0], swept.parts[0][0][0])


@pytest.mark.parametrize(("activation", "steepness"), [("relu", 1.0), ("tanh", 10.0)])
def test_spread_units_bend_inside_and_pytorchs_own_in_half_of_the_cases(activation, steepness):
    def bends(model):
        return (-model[0].bias / model[0].weight[:, 0]).detach().numpy()

    spread = curves.spread_network(4000, activation, steepness, generator=seeded())
    assert (np.abs(bends(spread)) <= 1 + 1e-6).all() and abs(bends(spread).mean()) < 0.05
    assert np.allclose(spread[0].weight.abs().detach(), steepness) and (spread[0].weight > 0).double().mean() < 0.55
    default = mlp([1, 4000, 1], generator=seeded())
    assert np.mean(np.abs(bends(default)) <= 1) == pytest.approx(0.5, abs=0.03)


def test_a_quarter_of_pytorchs_units_are_0_on_the_whole_interval_and_stay_as_they_are():
    model = mlp([1, 4000, 1], generator=seeded())
    u = torch.linspace(-1, 1, 2001)[:, None]
    zero = (model[:2](u) == 0).all(dim=0)
    lines = (model[0](u) > 0).all(dim=0)
    assert [part.double().mean().item() for part in (zero, lines)] == pytest.approx([0.25, 0.25], abs=0.03)
    torch.nn.functional.mse_loss(model(u), torch.sin(5 * u)).backward()
    assert not model[0].weight.grad[zero].any() and not model[0].bias.grad[zero].any()
    assert not model[2].weight.grad[:, zero].any() and model[0].weight.grad[lines].all()


@pytest.mark.parametrize("name", curves.TARGET_NAMES)
def test_the_best_output_weights_make_the_best_polyline(name):
    curve = CURVES[name]
    best = curves.best_weights_error(name, 10)
    assert best < built(name, 10)
    x, knots = curve.grid(), curve.grid(11)
    hats = np.stack([np.interp(x, knots, values) for values in np.eye(11)], axis=1)  # which span the same functions
    fitted = hats @ np.linalg.solve(hats.T @ hats, hats.T @ curve.f(x))
    assert best == pytest.approx(np.square(fitted - curve.f(x)).mean(), rel=1e-6)


def test_the_bells_variance_is_its_integrals():
    mean = quad(lambda r: np.exp(-(r**2) / 2) / 2, 0, 2)[0]
    square = quad(lambda r: np.exp(-(r**2)) / 2, 0, 2)[0]
    assert cosines.bell_variance() == pytest.approx(square - mean**2, rel=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("n_in", [1, 5])
def test_random_cosines_err_as_the_formula_says_on_average(n_in):
    pairs = np.array([cosines.cosine_errors(n_in, 20, seed, n_points=200) for seed in range(3000)])
    assert pairs[:, 0].mean() == pytest.approx(pairs[:, 1].mean(), rel=0.1)
    assert (pairs[:, 1] <= 1 / 40).all()


@pytest.mark.slow
def test_measuring_has_the_axes_that_claims_rely_on(monkeypatch):
    parts = partial(curves.curve_parts, CURVES["sin"])
    swept = sweep(partial(mlp, [1, 3, 1]), parts, seeds=[0, 1], lrs=[0.01], epochs=2, progress=False)
    monkeypatch.setattr(curves, "train_on_curve", lambda *a, **o: swept)
    for experiment in (hypotheses.switched, curves.learning):
        data = experiment.measure([0, 1])
        assert differences(replace(experiment, axes={**experiment.axes, "rate": [0.01]}), data) == []
        assert data["seed"].values.tolist() == [0, 1] and {*data} == {"validation", "squared", "largest"}


def test_every_start_begins_with_the_width_asked_for_and_a_set_not_bounded_is_reported_on_more():
    for start in curves.STARTS.values():
        assert start(CURVES["sin"], 7)(generator=seeded())[0].out_features == 7
    u, y = curves.curve_parts(CURVES["sin"], generator=seeded(), beyond=2.0)[2]
    assert (u.min(), u.max()) == (-2, 2) and y[-1] == pytest.approx(np.sin(10), abs=1e-6)


def test_three_ramps_make_a_hexagon_whose_sides_are_the_threshold_away():
    fence = reference("01.fence")
    angles = 2 * np.pi * np.arange(3) / 3
    normals = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    sides, corners = np.pi / 3 * np.arange(6), np.pi / 6 + np.pi / 3 * np.arange(6)
    for turns, distance in ((sides, 0.8), (corners, 0.8 / np.cos(np.pi / 6))):
        places = distance * np.stack([np.cos(turns), np.sin(turns)], axis=1)
        np.testing.assert_allclose(fence(places, normals, 0.8), 0, atol=1e-12)
    (X, y), *_ = rings.rings(0)
    *_, drawn = page.ramps_and_fence(fence, normals, 0.8, X, y).axes
    boundary = np.concatenate([path.vertices for path in drawn.collections[1].get_paths()])
    np.testing.assert_allclose(fence(boundary, normals, 0.8), 0, atol=0.02)


@pytest.mark.slow
@settings(max_examples=100)
@given(st.integers(0, 10_000), st.sampled_from([np.square, np.exp, np.cos]))
def test_no_odd_network_gets_below_the_floor_and_the_odd_part_reaches_it(seed, f):
    rng, x = np.random.default_rng(seed), np.linspace(0, 1, 51)
    floor = reference("01.floor")(f(x), f(-x))
    w, a = rng.normal(size=(2, 20)) * 3
    g = np.tanh(np.outer(x, w)) @ a
    assert (np.maximum(np.abs(f(x) - g), np.abs(f(-x) + g)) >= floor - 1e-9).all()
    np.testing.assert_allclose(np.abs(f(x) - (f(x) - f(-x)) / 2), floor, atol=1e-12)


# --- blanks -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", BLANKS)
def test_each_way_to_go_wrong_gets_the_hint_that_is_meant_for_it(key, monkeypatch):
    monkeypatch.setattr(blanks, "SECONDS", 60)
    lent = reference(key)
    for rule, hint in BLANKS[key].remarks:
        for at, way in enumerate(getattr(rule, "ways", ())):
            said = blanks._judged(BLANKS[key], way, lent)
            assert " ".join(hint.split()) in " ".join(said.split()), (hint, at)


WRITTEN = {  # what is not a value of the right shape, and what looks right in another way
    ("01.network", "one number per point"): [lambda x, t, w, b: relu(x - t) @ w + b, lambda x, t, w, b: w.sum() + b],
    ("01.hand-built", "Only the first"): [lambda t, y: np.diff(np.diff(y) / np.diff(t), prepend=y[0])],
    ("01.hand-built", "one place too early"): [lambda t, y: np.diff(np.diff(y) / np.diff(t), append=0)],
    ("01.hand-built", "in the right order"): [lambda t, y: -np.diff(np.diff(y) / np.diff(t), prepend=0)],
    ("01.hand-built", "one weight per hinge"): [lambda t, y: np.diff(y) / t],
    ("01.certified", "not give one number"): [lambda m, a, b, n: m * np.linspace(a, b, n) ** 2 / 8],
    ("01.fence", "Nothing is below 0"): [lambda p, v, s: relu(p @ v.T - s).sum(axis=1)],
    ("01.fence", "one score per point"): [lambda p, v, s: relu(p @ v.T).sum(axis=1) < s, lambda p, v, s: relu(p @ v)],
    ("01.floor", "each pair"): [lambda right, left: np.abs(right + left).max() / 2, lambda *two: max(*two)],
}


@pytest.mark.parametrize(("key", "words"), WRITTEN)
def test_a_shape_or_a_place_that_is_wrong_is_named(key, words, monkeypatch):
    monkeypatch.setattr(blanks, "SECONDS", 60)
    assert all(
        words in " ".join(blanks._judged(BLANKS[key], one, reference(key)).split()) for one in WRITTEN[key, words]
    )


@pytest.mark.parametrize(
    ("key", "line"),
    [
        (
            "01.network",
            lambda x, hinges, weights, bias: sum(w * relu(x - t) for w, t in zip(weights, hinges, strict=True)) + bias,
        ),
        ("01.hand-built", lambda t, y: np.diff(np.append(0, (y[1:] - y[:-1]) / (t[1:] - t[:-1])))),
        ("01.certified", lambda m, a, b, n: m / 2 * ((a - b) / 2 / n) ** 2),
        ("01.fence", lambda p, v, s: relu(v @ p.T).sum(axis=0) - s),
        ("01.floor", lambda right, left: np.maximum(right + left, -right - left) / 2),
    ],
)
def test_a_line_that_is_as_right_as_the_courses_is_taken(key, line):
    assert blanks._judged(BLANKS[key], line, reference(key)) == ""


# --- figures and widgets ----------------------------------------------------------------------------------


def test_fits_draws_networks_and_functions_over_their_curves():
    network = mlp([1, 4, 1], generator=seeded())
    panels = {"a": ("sin", {"net": network, "function": np.cos}), "b": ("step", {"net": network})}
    figure = curves_figures.fits(panels, beyond={"b": 3.0})
    target, net, function = figure.axes[0].lines
    np.testing.assert_allclose(target.get_ydata(), np.sin(target.get_xdata()))
    np.testing.assert_allclose(function.get_ydata(), np.cos(target.get_xdata()))
    with torch.no_grad():
        expected = network(torch.as_tensor(net.get_xdata() / 5, dtype=torch.float32)[:, None])[:, 0]
    np.testing.assert_allclose(net.get_ydata(), expected)
    step, net = figure.axes[1].lines[:2]
    assert (figure.axes[1].get_title(), step.get_xdata()[0], net.get_xdata()[-1]) == ("b", -3, 3)
    assert len(figure.legends) == 1


@pytest.mark.slow
def test_the_width_slider_says_the_errors_of_what_it_draws():
    figure, words = widgets.width_slider("sin", 5)
    target, best, worst = figure.axes[0].lines
    errors = [np.abs(line.get_ydata() - target.get_ydata()).max() for line in (best, worst)]
    said = words.split("best ")[1].split(",")[0]
    assert float(said) == pytest.approx(errors[0], rel=0.02)
    assert f"hand-built {built('sin', 5, LARGEST):.3g}" in words
    assert widgets.width_slider("sin", 5)[1] == words


@pytest.mark.slow
def test_the_switchboard_names_the_floors():
    _, words = widgets.switchboard("no bias", 4)
    assert all(part in words for part in ("does it fall below 1.", "does it fall below 0.2.", "without biases"))
    assert "no width" not in widgets.switchboard("all hypotheses hold", 4)[1]


@pytest.mark.parametrize("target", widgets.TARGETS)
@pytest.mark.parametrize("places", [(-3, -1, 0.75, 4), (4, -1, 0.75, 0.75), (0, 0, 0, 0)])
def test_the_hinge_builder_says_the_error_it_draws(target, places):
    """Hinges in any order, two or all of them in one place."""
    figure, words = widgets.hinge_builder(target, **{f"hinge_{at}": place for at, place in enumerate(places)})
    x, f = np.linspace(-5, 5, 20_001), widgets.TARGETS[target]
    knots, even = sorted({-5.0, *places, 5.0}), np.linspace(-5, 5, 6)
    errors = [np.abs(np.interp(x, some, f(np.array(some))) - f(x)).max() for some in (knots, even)]
    said = re.fullmatch(
        r"Your hinges are at (.*)\. Their largest error is (.*); that of evenly spaced hinges is (.*)\.", words
    ).groups()
    assert [float(place) for place in said[0].split(", ")] == knots[1:-1]
    assert [float(number) for number in said[1:]] == pytest.approx(errors, rel=5e-3, abs=1e-12)
    assert figure.axes[0].lines[2].get_xdata().tolist() == knots


def test_the_hinges_are_evenly_spaced_at_first_none_is_at_an_end_and_one_can_meet_the_kink():
    _, *sliders = widgets.hinge_controls().values()
    assert [slider.value for slider in sliders] == np.linspace(-5, 5, 6)[1:-1].tolist()
    assert all(slider.min > -5 and slider.max < 5 for slider in sliders)
    assert (0.75 - sliders[0].min) % sliders[0].step == 0
    assert "largest error is 0;" in widgets.hinge_builder("kink", hinge_1=0.75)[1]


def test_the_hinges_add_up_to_the_polyline(monkeypatch):
    scenes = []
    monkeypatch.setattr(widgets, "play", lambda scene, labels, words, **more: scenes.append((scene, labels)))
    knots = np.array([-2.0, -1.0, 0.5, 3.0])
    widgets.play_hinges(knots, np.cos)
    (_, sums, _), labels = scenes[0]
    assert labels == ["no hinge", "1 hinge", "2 hinges", "3 hinges"] and len(sums.frames) == 4
    for count, frame in enumerate(sums.frames[:, 0]):
        x, y = frame.T
        behind = x >= knots[count]  # with its last hinge the line goes on in the direction that it has there
        np.testing.assert_allclose(y[~behind], np.interp(x, knots, np.cos(knots))[~behind], atol=1e-9)
        np.testing.assert_allclose(np.diff(y[behind], 2), 0, atol=1e-9)


def test_the_training_ratio_is_the_records():
    ratio = curves_figures.learning_ratio()["ratio"]
    record = recorded("01_learning")
    chosen = record["validation"].sel(start="default", target="sin", width=80).median("seed").idxmin("rate")
    trained = record["largest"].sel(start="default", target="sin", width=80, rate=chosen).median("seed")
    assert ratio == pytest.approx(float(trained) / built("sin", 80, LARGEST))
    measured = {"least": 0.05, "most": 0.1, "built": 0.002}
    for times, choice in ((ratio, "more than ten"), (3, "two to ten"), (1, "about the same"), (0.5, "it is smaller")):
        assert_right("01.learning", {"ratio": times, **measured}, choice)


def test_a_staircase_is_drawn_over_the_sine_and_bounds_over_what_was_measured():
    for ax in curves_figures.staircases().axes:
        target, network = (line.get_ydata() for line in ax.lines)
        assert 0.1 < np.abs(target - network).max() < 0.35
    units = np.array([5, 10])
    for figure, bounds in (
        (curves_figures.errors_by_units(units, 1 / units), 100 / (8 * units**2)),
        (curves_figures.root_errors(units, 1 / units), 1 / (4 * np.sqrt(units))),
    ):
        bound, measured = figure.axes[0].lines
        np.testing.assert_allclose(bound.get_ydata(), bounds)
        np.testing.assert_allclose(measured.get_ydata(), 1 / units)
