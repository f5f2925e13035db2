"""Lesson 04's construction, shaken: it is exact, noise is what it says, races are fair, and reading is by name."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch
import xarray as xr

from tests.choices import assert_right
from tests.generators import seeded
from tests.made_up import made_up
from utils.comparison import score
from utils.constructions import relu_network
from utils.data import checkerboard
from utils.lesson_04 import returning, returning_figures
from utils.lesson_04.boards import folded_board
from utils.lesson_04.returning import FOLDS, NOISES, SHAPES
from utils.models import count_flops, count_parameters, mlp

DATA = {
    "returned": made_up(
        returning.returned,
        "accuracy",
        same=("folds", "noise", "rate"),
        before=("folds", "noise"),
        same_before=("folds", "noise"),
    ),
    "scratch": made_up(returning.scratch, "accuracy"),
    "rising": made_up(returning.rising, "accuracy", nearest=("folds",)),
    "longer": made_up(returning.longer, "accuracy"),
}


# --- the hand-built network, shaken -------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 6])
def test_the_hand_built_network_colours_every_square_right_with_the_boards_output(k):
    X, y = checkerboard(20_000, generator=seeded(k), frequency=2 ** (k - 1), bounds=(0, 1))
    model = returning.folded_classifier(k)
    assert score(model, X, y) == 1
    torch.testing.assert_close(-model(X).diff(dim=1), returning.SCALE * folded_board(k)(X))


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: returning.folded_classifier(0), ValueError, "k is"),
        (lambda: returning.shaken(2, -0.1, generator=seeded()), ValueError, "noise is"),
        (lambda: returning.shaken(2, "much", generator=seeded()), TypeError, "noise is"),
    ],
)
def test_what_is_no_number_of_folds_and_no_noise_is_refused(call, error, said):
    with pytest.raises(error, match=said):
        call()


@pytest.mark.slow
def test_noise_is_of_the_size_that_it_says_and_the_same_generator_shakes_in_the_same_direction():
    plain = returning.folded_classifier(3)
    many = [returning.shaken(3, 0.1, generator=seeded(seed)) for seed in range(200)]
    twice = returning.shaken(3, 0.2, generator=seeded(0))
    for i, numbers in enumerate(plain.parameters()):
        moved = torch.stack([[*model.parameters()][i] for model in many]) - numbers
        wanted = 0.1 * numbers.square().mean().sqrt()
        torch.testing.assert_close(moved.std(0, correction=0), wanted.expand(numbers.shape), rtol=0.25, atol=0)
        torch.testing.assert_close([*twice.parameters()][i] - numbers, 2 * moved[0], atol=1e-5, rtol=1e-3)


def test_switches_are_what_hooks_see_and_rescaling_leaves_them():
    model, X = mlp([2, 5, 3, 2], generator=seeded(1)), torch.rand(50, 2, generator=seeded(2))
    other, seen = copy.deepcopy(model), []
    for layer in (model[0], model[2]):
        layer.register_forward_hook(lambda layer, inputs, output: seen.append(output > 0))
    on = returning.switches(model, X)
    assert torch.equal(on, torch.cat(seen, 1))
    for parameter in other[0].parameters():
        parameter.data *= 3
    other[2].weight.data /= 3
    assert returning.same_switches(model, other, X) == pytest.approx(1)
    for parameter in other[0].parameters():
        parameter.data[0] *= -1
    assert returning.same_switches(model, other, X) < 0.9


def test_the_nearest_point_decides():
    known = torch.tensor([[0.0, 0], [1, 1]]), torch.tensor([0, 1])
    asked = torch.tensor([[0.1, 0], [0.9, 1], [0.4, 0.3], [0.6, 0.8]]), torch.tensor([0, 1, 1, 1])
    assert returning.nearest_right(known, asked) == 0.75


# --- races ------------------------------------------------------------------------------------------------


def test_all_shapes_have_exactly_the_same_number_of_parameters():
    models = {depth: mlp(returning.sizes(depth)) for depth in SHAPES}
    assert {count_parameters(model) for model in models.values()} == {1362} == {*map(returning.parameters, SHAPES)}
    for depth, model in models.items():
        assert returning.step_flops(depth) == count_flops(model, torch.zeros(1, 2)).step
    wide, narrow = (count_parameters(mlp([2, width, width, width, width, 2])) for width in (16, 4))
    assert returning.times_the_parameters(3) == 11 == round(wide / narrow)


def test_parts_are_boards_drawn_apart():
    for bounds in (returning.UNIT, returning.CENTRED):
        parts = returning.board_parts(3, bounds, generator=seeded(1))
        assert [len(X) for X, _ in parts] == [*returning.POINTS]
        for X, y in parts:
            squares = ((X - bounds[0]) / (bounds[1] - bounds[0]) * 8).floor().long()
            assert torch.equal(squares.sum(1) % 2, y) and {*squares.flatten().tolist()} == {*range(8)}
        assert not torch.equal(parts[0][0][:100], parts[1][0][:100])


def test_a_seeds_numbers_do_not_depend_on_the_others(monkeypatch):
    monkeypatch.setattr(returning, "SHAKEN_EPOCHS", 1)
    monkeypatch.setattr(returning, "POINTS", (400, 100, 200))
    monkeypatch.setattr(returning, "NOISES", (0.0, 0.04))
    both, alone = (returning.returned.measure(seeds, folds=[2]) for seeds in ([3, 8], [8]))
    xr.testing.assert_identical(both.sel(seed=[8]), alone)
    assert not np.array_equal(both["accuracy"].sel(seed=3), both["accuracy"].sel(seed=8))
    unshaken = both.sel(noise=0.0)
    assert (unshaken["same"] == 1).all() and (unshaken["same_before"] == 1).all() and (unshaken["before"] == 1).all()
    assert (both["same_before"].sel(noise=0.04) < 1).all() and (both["same"].sel(noise=0.04) < 1).any()


# --- reading ----------------------------------------------------------------------------------------------


def known(reached: dict[int, float]) -> xr.Dataset:
    """Measurements in which runs come back up to a board's noise, and end with .6 beyond it."""
    data = DATA["returned"].copy(deep=True)
    for k in FOLDS:
        for noise in NOISES:
            data["accuracy"].loc[{"folds": k, "noise": noise}] = 0.99 if noise <= reached[k] else 0.6
    return data


def test_the_reach_is_the_largest_noise_from_which_most_runs_come_back():
    data = known({2: 0.08, 3: 0.04, 4: 0.0})
    data["accuracy"].loc[{"folds": 3, "noise": 0.0}] = 0.993
    said = {"two": 0.08, "three": 0.04, "four": 0, "unshaken": "0.990, 0.993, 0.990"}
    assert returning.reaches(data) == said
    data["accuracy"].loc[{"folds": 2, "noise": 0.02, "seed": [0, 1, 2, 3, 4]}] = 0.9
    assert returning.reach(data, 2) == 0.01  # five of nine do not come back from there
    assert returning.came_back(data, 2, 0.02).values.tolist() == [0] * 5 + [1] * 4
    shares = returning.shares_back(known({2: 0.08, 3: 0.04, 4: 0.0}), 3)
    assert [share.value for share in shares] == [1, 1, 1, 1, 0, 0, 0]


def test_agreement_is_that_at_the_rate_of_the_best_accuracy_of_all_other_seeds():
    cell = DATA["returned"].sel(folds=3, noise=0.02)
    chosen_on = cell["accuracy"].sel(part="validation").transpose("seed", "rate").values
    same = cell["same"].transpose("seed", "rate").values
    wanted = [row[np.median(np.delete(chosen_on, seed, 0), 0).argmax()] for seed, row in enumerate(same)]
    np.testing.assert_array_equal(returning.same_after(DATA["returned"], 3, 0.02), wanted)
    data = known({2: 0.08, 3: 0.02, 4: 0.0})
    data["accuracy"].loc[{"folds": 3, "noise": 0.02, "seed": [0, 1]}] = 0.9  # that did not come back
    wanted = data["same_before"].sel(folds=3, noise=0.02)[2:].median()
    assert returning.same_agreement(data)["before"] == float(wanted)


def test_the_best_start_is_one_of_all_spreads_and_rates():
    data = DATA["scratch"].copy(deep=True)
    place = {"folds": 3, "width": 16, "spread": 0.5, "rate": 0.03}
    data["accuracy"].loc[{**place, "part": "validation"}] = 2
    np.testing.assert_array_equal(returning.ended(data, 3, width=16), data["accuracy"].sel(**place, part="held-out"))


def test_leads_are_differences_of_shapes_and_neighbours_are_compared_with_the_best():
    data = DATA["rising"].copy(deep=True)
    for depth, right in ((1, 0.6), (2, 0.7), (4, 0.55)):
        data["accuracy"].loc[{"folds": 4, "depth": depth}] = right
    np.testing.assert_allclose(returning.lead(data, 4), -0.05)
    np.testing.assert_allclose(returning.short_of_neighbours(data, 4), data["nearest"].sel(folds=4) - 0.7)
    assert returning.medians_of_shapes(data, 4) == {"one": 0.6, "two": 0.7, "four": 0.55}


def test_a_steeper_start_is_the_same_creases_and_more_of_each_unit():
    usual, steep = (returning.steeper([2, 30, 2], gain, 0.5, generator=seeded(3)) for gain in (1, 16))
    X = torch.randn(50, 2, generator=seeded(4))
    assert torch.equal(returning.switches(usual, X), returning.switches(steep, X))
    torch.testing.assert_close(steep[:2](X), 16 * usual[:2](X))
    torch.testing.assert_close(steep[2].weight, usual[2].weight)


def test_each_shape_has_its_better_start_chosen_on_validation_data():
    data = made_up(returning.steep, "accuracy")
    for depth, gain, spread, rate in ((1, 16, 0.1, 0.03), (4, 1, 0.5, 0.01)):
        data["accuracy"].loc[{"depth": depth, "gain": gain, "spread": spread, "rate": rate, "part": "validation"}] = 2
    held_out = data["accuracy"].sel(part="held-out")
    four = held_out.sel(depth=4, gain=1, spread=0.5, rate=0.01)
    one = held_out.sel(depth=1, gain=16, spread=0.1, rate=0.03)
    np.testing.assert_array_equal(returning.lead_from_better_start(data), four - one)


# --- figures, and what is said of them ----------------------------------------------------------------------


def test_a_panel_shows_the_networks_colours_the_right_way_up():
    (ax,) = returning_figures.boards({"built": returning.folded_classifier(2)}, 2).axes
    assert ax.get_title() == "built\n1.00 right"
    rows, columns = np.meshgrid(range(240), range(240), indexing="ij")
    np.testing.assert_array_equal(ax.images[0].get_array(), (rows // 60 + columns // 60) % 2)
    top = relu_network([(np.array([[0.0, 0], [0, 1]]), np.array([0, -0.75]))])
    shown = returning_figures.boards({"top": top}, 2).axes[0].images[0].get_array()
    assert shown[-1].all() and not shown[0].any()  # x₂ above .75 is the last row, which is drawn at the top


def test_lines_and_columns_have_every_run():
    data = known({2: 0.08, 3: 0.04, 4: 0.0})
    (ax,) = returning_figures.shares(data).axes
    drawn = [container.lines[0].get_ydata().tolist() for container in ax.containers]
    assert drawn == [[1, 1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0]]
    (ax,) = returning_figures.agreements(data).axes
    assert [len(line.get_xdata()) for line in ax.lines[:2]] == [27, 27]  # of six noises three come back
    (ax,) = returning_figures.rising(DATA["rising"]).axes
    drawn = [container.lines[0].get_ydata() for container in ax.containers]
    np.testing.assert_allclose(drawn[0], DATA["rising"]["nearest"].median("seed"))
    assert drawn[1][1] == returning.medians_of_shapes(DATA["rising"], 3)["one"]
    (ax,) = returning_figures.from_scratch(DATA["scratch"], DATA["returned"]).axes
    columns = [line.get_ydata() for line in ax.lines if len(line.get_ydata()) == 9]
    np.testing.assert_array_equal(
        columns[3:6],
        [
            returning.ended(DATA["scratch"], 3, width=4),
            returning.ended(DATA["scratch"], 3, width=16),
            returning.ended(DATA["returned"], 3, noise=0.02),
        ],
    )
    for folds, ax in zip((3, 4), returning_figures.longer(DATA["rising"], DATA["longer"]).axes, strict=True):
        columns = [line.get_ydata() for line in ax.lines if len(line.get_ydata()) == 9]
        np.testing.assert_array_equal(
            columns[:2], [returning.ended(DATA[name], folds, depth=1) for name in ("rising", "longer")]
        )


@pytest.mark.parametrize(
    ("key", "measured", "right"),
    [
        *(
            ("shaken", {"right": share, "seeds": 20}, said)
            for share, said in ((0.98, "nearly all"), (0.92, "from .9"), (0.8, "from .65"), (0.6, "hardly"))
        ),
        *(
            ("returned", {"two": 1, "three": noise, "four": 0, "unshaken": ""}, said)
            for noise, said in ((0, "not even"), (0.02, "up to .01"), (0.04, "up to .04"), (0.16, "up to .16"))
        ),
        *(
            ("same", {"before": 0.8, "after": after}, said)
            for after, said in ((0.7, "fewer"), (0.81, "as many"), (0.97, "more"))
        ),
        *(
            ("scratch", {"wide": share, "narrow": 0, "fine": 0, "seeds": 20}, said)
            for share, said in ((0.98, "nearly all"), (0.9, "from .8"), (0.7, "from .65"), (0.56, "less"))
        ),
        *(
            ("rising", {"one": 0.8, "two": 0.9, "four": four}, said)
            for four, said in ((0.92, "four layers"), (0.65, "one layer"), (0.82, "neither"))
        ),
    ],
)
def test_the_right_choice_of_a_prediction_is_what_was_measured(key, measured, right):
    assert_right(f"04b.{key}", measured, right)
