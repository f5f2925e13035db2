"""Lesson 03's hierarchies: trees are what they say, controls are as rough, and races are fair."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

from tests.generators import seeded
from tests.made_up import made_up
from utils.data import measure_roughness, tree
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
        (worth,) = tree(NODES[GAME], torch.tensor([ends])).flatten().tolist()
        # the one who moves last moves first, too; the tree's number is the other player's gain
        assert worth == pytest.approx(-best_play(list(ends), mine=True))


@pytest.mark.parametrize("name", NODES)
def test_a_formula_says_what_its_node_does(name):
    words = FORMULAS[name].replace("−", "-").replace("ab", "a*b")
    for function in ("tanh", "sin", "cos"):
        words = words.replace(f"{function} ", function)
    forms = {
        "1.41 sin1.5a cos1.5b": "1.41*sin(1.5*a)*cos(1.5*b)",
        "1.5 tanh2a*b": "1.5*tanh(2*a*b)",
        "|a - b| - 1.13": "abs(a - b) - 1.13",
        "1.41 sin(a + b)": "1.41*sin(a + b)",
    }
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
    assert hierarchy.roughness(GAME) == pytest.approx(1 / tree(NODES[GAME], X).var().item(), rel=0.02)
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
    alike = [np.corrcoef(rotated.flatten(), tree(NODES[GAME], of).flatten())[0, 1] for of in (turned, plain)]
    assert alike[0] == pytest.approx(1) and abs(alike[1]) < 0.9


def test_the_mirrors_are_in_the_classes_that_they_are_said_to_be_in(X):
    """Slopes lie in the span of the first layer's weights; one layer bends nowhere but where a unit does."""
    along = torch.linspace(-9, 9, 20_001, dtype=torch.float64)[:, None] * X[:1] + X[1:2]
    for name, (width, *deeper) in hierarchy.MIRRORS.items():
        teacher = hierarchy.target_of(name, TREE, generator=seeded(5))
        points = X[:300].clone().requires_grad_()
        (slopes,) = torch.autograd.grad(teacher(points).sum(), points)
        assert torch.linalg.matrix_rank(slopes).item() == min(width, hierarchy.INPUTS)
        assert all(other == width < hierarchy.sizes(3)[1] for other in deeper)  # which three layers of 20 contain
        if not deeper:
            bends = np.flatnonzero(teacher(along).detach().flatten().diff(n=2).abs() > 1e-9)
            assert 0 < (np.diff(bends, prepend=-9) > 2).sum() <= width


def test_four_times_the_steps_are_four_times_the_epochs(monkeypatch):
    taken = []
    monkeypatch.setattr(hierarchy, "sweep", lambda *_, **options: taken.append(options["epochs"]))
    hierarchy.race([1], 3)
    hierarchy.race([1], 3, longer=hierarchy.LONGER)
    assert taken[1] == 4 * taken[0]


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
    worth = tree(NODES[GAME], torch.tensor(ends)[None]).item()
    assert ax.texts[-1].get_text() == f"{worth:.1f}".replace("-", "−") and len(ax.texts) == 15
    assert sum(line.get_linewidth() > 2 for line in ax.lines) == 7  # of each pair one is taken
    assert sum(text.get_fontweight() == "bold" for text in ax.texts) == 7
