"""Lesson 03's hierarchies: trees are what they say, controls are as rough, races are fair, and reading is by name."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

from tests.choices import assert_right
from tests.generators import seeded
from tests.made_up import made_up
from utils.data import measure_roughness
from utils.lesson_03 import hierarchy, hierarchy_figures
from utils.lesson_03.hierarchy import ALL_DEPTHS, FORMULAS, GAME, NODES, RANDOM, ROTATED, TREE, VERSIONS
from utils.models import count_flops, mlp, mlp_parameters


@pytest.fixture(scope="module")
def X():
    return torch.randn(40_000, hierarchy.INPUTS, generator=seeded(1), dtype=torch.float64)


# --- trees and their controls -----------------------------------------------------------------------------


def best_play(ends: list[float], mine: bool) -> float:
    """What the ends are worth to one player, found by looking at all play: to each of the two in turn it is a gain."""
    if len(ends) == 1:
        return ends[0]
    halves = ends[: len(ends) // 2], ends[len(ends) // 2 :]
    return (max if mine else min)(best_play(half, not mine) for half in halves)


def test_the_game_is_worth_what_best_play_makes_of_it():
    for ends in itertools.islice(itertools.permutations(np.linspace(-1, 2, 8).tolist()), 0, 40_320, 997):
        (worth,) = hierarchy.tree(NODES[GAME], torch.tensor([ends])).flatten().tolist()
        # the one who moves last moves first, too; the tree's number is the other player's gain
        assert worth == pytest.approx(-best_play(list(ends), mine=True))


@pytest.mark.parametrize("name", NODES)
def test_a_formula_says_what_its_node_does(name):
    words = FORMULAS[name].replace("−", "-").replace("ab", "a*b")
    for function in ("tanh", "sin", "cos"):
        words = words.replace(f"{function} ", function)
    forms = {"1.41 sin1.5a cos1.5b": "1.41*sin(1.5*a)*cos(1.5*b)", "1.5 tanh2a*b": "1.5*tanh(2*a*b)",
             "|a - b| - 1.13": "abs(a - b) - 1.13", "1.41 sin(a + b)": "1.41*sin(a + b)"}
    words = forms.get(words, words)
    a, b = torch.randn(2, 50, generator=seeded(), dtype=torch.float64)
    known = {"max": torch.maximum, "tanh": torch.tanh, "sin": torch.sin, "cos": torch.cos, "abs": torch.abs}
    torch.testing.assert_close(eval(words, {**known, "a": a, "b": b}), NODES[name](a, b), rtol=0.005, atol=0.003)


def test_a_rotation_keeps_lengths_and_mixes_all_inputs(X):
    turn = hierarchy.rotation(8, generator=seeded(3))
    torch.testing.assert_close((X @ turn).norm(dim=1), X.norm(dim=1))
    assert (turn.abs() > 0.001).all()


def test_roughness_is_what_is_known_of_the_game_and_of_the_product(X):
    """The game's slope is 1 everywhere, since its worth is one of the ends; the product has degree 1 in each of 8."""
    assert hierarchy.roughness(GAME) == pytest.approx(1 / hierarchy.tree(NODES[GAME], X).var().item(), rel=0.02)
    assert hierarchy.roughness("product") == pytest.approx(8, rel=0.04)


@pytest.mark.slow
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", [GAME, "saturating"])
def test_versions_of_a_tree_are_equally_rough_and_scaled_alike(name, version, X):
    target = hierarchy.target_of(name, version, generator=seeded(7))
    assert measure_roughness(target, X) == pytest.approx(hierarchy.roughness(name), rel=0.05)
    y = target(X)
    assert (y.mean().item(), y.std().item()) == pytest.approx((0, 1), abs=0.05)


def test_a_rotated_tree_is_the_tree_of_rotated_inputs(X):
    rotated = hierarchy.target_of(GAME, ROTATED, generator=seeded(7))(X)
    turned, plain = X @ hierarchy.rotation(8, generator=seeded(7)), X
    alike = [np.corrcoef(rotated.flatten(), hierarchy.tree(NODES[GAME], of).flatten())[0, 1] for of in (turned, plain)]
    assert alike[0] == pytest.approx(1) and abs(alike[1]) < 0.9


def test_parts_are_drawn_apart_of_one_target_and_each_seed_draws_another():
    parts = hierarchy.target_parts(GAME, RANDOM, generator=seeded(2))
    assert [len(X) for X, _ in parts] == list(hierarchy.POINTS)
    target, other = (hierarchy.target_of(GAME, RANDOM, generator=seeded(seed)) for seed in (2, 3))
    for X, y in parts:
        torch.testing.assert_close(y, target(X))
    assert not torch.equal(parts[0][0][:100], parts[1][0][:100])
    assert not torch.allclose(other(parts[0][0]), parts[0][1])


def test_all_depths_have_the_parameters_that_the_lesson_says():
    assert [hierarchy.sizes(depth)[1] for depth in ALL_DEPTHS] == [104, 27, 20, 16]
    counts = [mlp_parameters(hierarchy.sizes(depth)) for depth in ALL_DEPTHS]
    assert hierarchy.step_flops(3) == count_flops(mlp(hierarchy.sizes(3)), torch.zeros(1, 8)).step
    assert max(counts) == counts[0] == counts[2] == hierarchy.BUDGET and min(counts) > 0.93 * hierarchy.BUDGET


# --- reading, and what is drawn -----------------------------------------------------------------------------


def test_trees_count_as_won_where_depth_halves_what_is_missed():
    """One layer misses 0.4 of everything, and three miss 0.4 over the tree's ratio."""
    data = made_up(hierarchy.targets, "missed")
    data["missed"][:] = 0.4
    for target, ratio in {GAME: 30, "fold": 2.1, "product": 1.9, "saturating": 0.5}.items():
        data["missed"].loc[{"target": target, "version": TREE, "depth": 3}] = 0.4 / ratio
    assert hierarchy.trees_won(data) == {"trees": 8, "won": 2, "controls": 0}
    assert (hierarchy.trees_halved(data) == 2).all()
    np.testing.assert_allclose(hierarchy.times_less(data), 30)
    np.testing.assert_allclose(hierarchy.control_gap(data), 0)
    data["missed"].loc[{"target": "fold", "version": RANDOM, "depth": 3}] = 0.48
    np.testing.assert_allclose(hierarchy.control_gap(data), 0.01)
    assert hierarchy.medians_of(data, TREE) == pytest.approx({"one": 0.4, "three": 0.4 / 30, "times": 30})


def test_the_played_game_ends_at_what_the_tree_is_worth():
    ends = np.random.default_rng(5).normal(size=8)
    (ax,) = hierarchy_figures.played(ends).axes
    worth = hierarchy.tree(NODES[GAME], torch.tensor(ends)[None]).item()
    assert ax.texts[-1].get_text() == f"{worth:.1f}".replace("-", "−") and len(ax.texts) == 15
    assert sum(line.get_linewidth() > 2 for line in ax.lines) == 7  # of each pair one is taken
    assert sum(text.get_fontweight() == "bold" for text in ax.texts) == 7


def test_slices_show_all_functions_on_one_plane_and_one_scale():
    figure = hierarchy_figures.slices({"a": lambda x: 5 + 3 * x[..., 0], "b": lambda x: x[..., 0]})
    first, second = (ax.images[0].get_array() for ax in figure.axes[:2])
    np.testing.assert_allclose(first, second)
    assert np.ptp(first) > 1 and [ax.get_title() for ax in figure.axes[:2]] == ["a", "b"]
    np.testing.assert_allclose(np.diff(first, 2, axis=0), 0, atol=1e-12)  # straight along each direction


def test_what_is_missed_is_read_at_the_rate_that_is_best_for_the_least_error():
    data, moves = made_up(hierarchy.targets, "missed"), made_up(hierarchy.moves, "missed")
    cells = data["missed"].sel(target=GAME, version=RANDOM), moves["missed"]
    cells = [cell.sel(depth=3, rate=0.01) for cell in cells]  # views of what they were selected from
    for cell in cells:
        cell.loc[{"part": "validation"}] = -1
    cells = [cell.sel(part="held-out") for cell in cells]
    assert hierarchy.medians_of(data, RANDOM)["three"] == cells[0].median()
    assert hierarchy.medians_by_depth(moves)["three"] == cells[1].median()
    figures = hierarchy_figures.missed_by_version(data, [TREE, RANDOM]), hierarchy_figures.missed_by_depth(moves)
    for figure, place, cell in zip(figures, (3, 2), cells, strict=True):
        drawn = [line.get_ydata() for line in figure.axes[0].lines if len(line.get_ydata()) == 9]
        assert len(drawn) == 4
        np.testing.assert_array_equal(drawn[place], cell)


def test_leads_are_sorted_and_stand_beside_their_trees():
    data = made_up(hierarchy.targets, "missed")
    (ax,) = hierarchy_figures.leads(data).axes
    trees = ax.containers[0].lines[0].get_xdata()
    names = [label.get_text().split(":")[0] for label in ax.get_yticklabels()]
    assert list(trees) == sorted(trees) == [np.median(hierarchy.times_less(data, name)) for name in names]


@pytest.mark.slow
def test_the_table_has_every_tree_with_its_numbers(capsys):
    data = made_up(hierarchy.targets, "missed")
    hierarchy_figures.print_targets(data)
    _, *rows = capsys.readouterr().out.splitlines()
    for row, name in zip(rows, NODES, strict=True):
        assert row.startswith(FORMULAS[name])
        cells = [(depth, name, version) for version in (TREE, RANDOM) for depth in (1, 3)]
        wanted = [hierarchy.roughness(name), *(float(hierarchy.missed(data, *cell).median()) for cell in cells)]
        assert [float(number) for number in row[24:].split()] == pytest.approx(wanted, rel=0.006)


@pytest.mark.parametrize(
    ("key", "measured", "right"),
    [
        ("03a.moves", {"one": 0.08, "two": 0.01, "three": 0.0009, "four": 0.001}, "three layers"),
        ("03a.moves", {"one": 0.08, "two": 0.001, "three": 0.009, "four": 0.01}, "two layers"),
        ("03a.moves", {"one": 0.01, "two": 0.1, "three": 0.09, "four": 0.1}, "one layer"),
        ("03a.moves", {"one": 0.1, "two": 0.09, "three": 0.08, "four": 0.09}, "all within"),
        *((f"03a.{key}", {"times": times, "one": 0, "three": 0}, said) for key in ("control", "rotated")
          for times, said in ((90, "it stays"), (4, "it shrinks"), (0.7, "there is none"))),
        *(("03a.trees", {"won": won, "trees": 8, "controls": 0}, said) for won, said in
          ((8, "all eight"), (5, "five to seven"), (4, "three or four"), (2, "one or two"))),
    ],
)
def test_the_right_choice_of_a_prediction_is_what_was_measured(key, measured, right):
    assert_right(key, measured, right)
