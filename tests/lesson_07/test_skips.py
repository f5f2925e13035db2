"""Lesson 07's excursion 07a: slopes, cosines and blocks are what they say."""

from __future__ import annotations

import copy
from itertools import pairwise

import numpy as np
import pytest
import torch
from torch import nn

from tests.choices import assert_right
from tests.generators import seeded
from tests.made_up import made_up
from utils.comparison import HELD_OUT, score
from utils.lesson_07 import skips
from utils.lesson_07.skips import BLOCKS, KINDS, PERMUTED, PLAIN, ROTATED, SCALED, SKIP, START
from utils.meanfield import correlation_map


def test_slopes_of_a_hinge_are_nought_and_its_weight():
    hinge = nn.Sequential(nn.Linear(1, 1), nn.ReLU(), nn.Linear(1, 1))
    with torch.no_grad():
        for parameter, value in zip(hinge.parameters(), (1.0, -0.5, 3.0, 7.0), strict=True):
            parameter.fill_(value)
    assert skips.slopes(hinge, points=5).tolist() == [0, 0, 0, 3, 3]


def test_a_correlation_is_that_of_neighbours():
    x = torch.arange(4000.0)
    assert skips.correlation(torch.sin(x * np.pi / 40), lag=4) == pytest.approx(np.cos(np.pi / 10), abs=0.01)
    assert skips.correlation(torch.randn(4000, generator=seeded(1)) + 5) == pytest.approx(0, abs=0.05)


@pytest.mark.parametrize("kind", KINDS)
def test_with_zero_biases_a_slope_changes_at_nought_alone(kind):
    model = skips.one_input(kind, 6, 40, 0.0, generator=seeded(2))
    left, right = skips.slopes(model, points=10).split(5)
    for side in (left, right):
        torch.testing.assert_close(side, side[:1].expand(5), rtol=1e-3, atol=0)
    assert abs(left[0] - right[0]) > 1e-3 * abs(left[0])
    assert len(set(skips.slopes(skips.one_input(kind, 6, 40, generator=seeded(2)), points=10).tolist())) > 2


@pytest.mark.parametrize("f", [1.0, 0.5])
def test_a_block_multiplies_the_expected_square_by_what_the_page_proves(f):
    n, draws = 4, 40_000
    h = torch.tensor([1.0, -2.0, 0.5, 3.0])
    W, V = ((2 / n) ** 0.5 * torch.randn(draws, n, n, generator=seeded(seed)) for seed in (1, 2))
    after = h + f * (V @ torch.relu(W @ h)[..., None])[..., 0]
    assert (after.square().sum(1).mean() / h.square().sum()).item() == pytest.approx(1 + 2 * f**2, rel=0.03)


def test_cosines_are_those_of_the_course_theory_and_of_two_wide_inputs():
    for before, after in pairwise(skips.cosines(PLAIN)[:6]):
        for _ in range(2):  # layers in a block
            before = correlation_map(before, 2**0.5, 0.0, "relu", q=2.0)
        assert after == pytest.approx(before, abs=1e-5)
    measured = skips.angles.measure([1, 2, 3, 4], kind=[SKIP, SCALED]).median("seed")["cosine"]
    for kind in (SKIP, SCALED):
        np.testing.assert_allclose(measured.sel(kind=kind), skips.cosines(kind), atol=0.12)


def test_skips_alone_hold_the_length_and_are_the_undivided_ones_but_for_it():
    held, X = skips.network(SKIP, 6, width=400, n_in=400, generator=seeded(1)), torch.randn(9, 400, generator=seeded(2))
    whole = held[0](X)
    for block in held[1:-1]:
        whole = whole + block.branch(whole)  # of zero biases
        assert block(X).square().mean().item() == pytest.approx(X.square().mean().item(), rel=0.2)
    torch.testing.assert_close(held[:-1](X), whole / 27)
    assert len(skips.in_blocks(held)) == 8


def test_layers_near_a_rotation_are_those_near_the_identity_turned():
    turned, near = (skips.network(kind, 4, generator=seeded(1)) for kind in (ROTATED, START))
    assert torch.equal(turned[0].weight, near[0].weight) and torch.equal(turned[-1].weight, near[-1].weight)
    turns = []
    for after, before in zip(turned[2:-1:2], near[2:-1:2], strict=True):
        Q = after.weight @ torch.linalg.inv(before.weight) / 2**0.5
        torch.testing.assert_close(Q @ Q.T, torch.eye(32), atol=1e-3, rtol=0)
        turns.append(Q)
    assert all((one - other).abs().max() > 0.1 for one, other in pairwise(turns))


def test_other_biases_have_the_networks_of_the_deepest_cell():
    found = skips.shatter_biases.measure([5], kind=[PLAIN], bias_std=[0.1])
    model = skips.one_input(PLAIN, BLOCKS, 200, 0.1, generator=seeded(5))
    correlation = skips.correlation(skips.slopes(model))
    assert skips.with_biases(found, PLAIN, 0.1).item() == pytest.approx(correlation, abs=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_blocks_are_the_same_network_cut_in_two_by_two_matrices(kind):
    model, X = skips.network(kind, 3, generator=seeded(1)), torch.randn(5, 64, generator=seeded(2))
    parts = skips.in_blocks(model)
    torch.testing.assert_close(parts(X), model(X))
    assert [sum(p.ndim == 2 for p in part.parameters()) for part in parts] == [1, 2, 2, 2, 1]
    assert torch.equal(parts[:1](X), X @ model[0].weight.T if kind in (SKIP, SCALED) else parts[0](X))


def test_layers_near_a_permutation_are_those_near_the_identity_with_units_numbered_anew():
    """So undoing the permutations one after the other leaves the same function, and weights near I."""
    model, X = skips.network(PERMUTED, 5, generator=seeded(1)), torch.randn(9, 64, generator=seeded(2))
    same, order = copy.deepcopy(model), torch.arange(32)
    with torch.no_grad():
        for layer in same[2:-1:2]:
            layer.weight.copy_(layer.weight[:, order])  # what comes in has the numbers of before
            order = layer.weight.abs().argmax(0)  # the large one of each column
            layer.weight.copy_(layer.weight[order])
        same[-1].weight.copy_(same[-1].weight[:, order])
        torch.testing.assert_close(same(X), model(X), rtol=1e-3, atol=1e-4)
    far, near = ((layer.weight.diagonal().mean().item() for layer in of[2:-1:2]) for of in (model, same))
    assert max(far) < 0.4 and min(near) > 0.7


def test_near_a_permutation_what_is_lost_is_read_from_held_out_accuracies(monkeypatch):
    monkeypatch.setattr(skips, "EPOCHS", 1)
    monkeypatch.setattr(skips, "BLOCKS", 2)
    found = skips.permuted.measure([3, 4])
    assert set(found) == {"accuracy", "without"} and dict(found.sizes) == {"seed": 2}
    trained = skips._learned([4], PERMUTED, 1)
    X, y = trained.parts[0][-1]
    right = (trained.model(4)(X).argmax(1) == y).double().mean().item()
    assert found["accuracy"].sel(seed=4).item() == pytest.approx(right)


def test_what_is_taken_out_or_exchanged_is_a_block():
    add, double = (nn.Linear(1, 1) for _ in range(2))
    with torch.no_grad():
        for layer, weight, bias in ((add, 1.0, 1.0), (double, 2.0, 0.0)):
            layer.weight.fill_(weight), layer.bias.fill_(bias)
    parts = nn.Sequential(nn.Identity(), add, double, nn.Identity())

    def share_of(model: nn.Module, x: float, y: float) -> float:
        return float(model(torch.tensor([[x]])) == y)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(skips, "in_blocks", lambda model: model)
        patch.setattr(skips, "score", share_of)
        assert skips.without_one(parts, 3.0, 6.0) == [1, 0] and skips.without_one(parts, 3.0, 4.0) == [0, 1]
        assert skips.with_two_exchanged(parts, 3.0, 7.0) == [1] and skips.with_two_exchanged(parts, 3.0, 8.0) == [0]


def test_branches_that_do_nothing_can_go():
    model = skips.network(SCALED, 4, generator=seeded(3))
    X, y = torch.randn(30, 64, generator=seeded(4)), torch.randint(10, (30,), generator=seeded(5))
    for block in model[1:-1]:
        nn.init.zeros_(block.branch[-1].weight)
    assert skips.without_one(model, X, y) == [score(model, X, y)] * 4
    assert skips.WITHOUT.of(model, X, y) == skips.EXCHANGED.of(model, X, y) == score(model, X, y)


def test_what_is_lost_is_the_whole_less_what_is_left_of_held_out_accuracy():
    data = made_up(skips.removed, "accuracy", "without", "exchanged")
    at = {"kind": START, "part": HELD_OUT, "rate": skips.RATE}
    np.testing.assert_array_equal(skips.lost(data, START), data["accuracy"].sel(at) - data["without"].sel(at))


@pytest.mark.parametrize(
    ("key", "measured", "right"),
    [
        ("07a.shatter", {"skip": 0.9, "scaled": 0.9, "near": 0.3}, "only the two"),
        ("07a.shatter", {"skip": 0.6, "scaled": 0.9, "near": 0.3}, "only the scaled"),
        ("07a.shatter", {"skip": 0.6, "scaled": 0.9, "near": 0.9}, "the scaled skip, and"),
        ("07a.shatter", {"skip": 0.9, "scaled": 0.9, "near": 0.9}, "all three"),
        ("07a.angle", {"skip": 0.1, "scaled": 0.1}, "about 0"),
        ("07a.angle", {"skip": 0.9, "scaled": 0.4}, "below 0.5"),
        ("07a.angle", {"skip": 0.4, "scaled": 0.9}, "above 0.8 for f = 1/"),
        ("07a.angle", {"skip": 0.9, "scaled": 0.9}, "above 0.8 for both"),
        ("07a.removed", {"plain": 0.5, "near": 0.5, "skip": 0, "scaled": 0}, "the two with"),
        ("07a.removed", {"plain": 0.5, "near": 0.5, "skip": 0.5, "scaled": 0}, "only the scaled"),
        ("07a.removed", {"plain": 0.5, "near": 0, "skip": 0.5, "scaled": 0}, "the scaled skip, and"),
        ("07a.removed", {"plain": 0, "near": 0, "skip": 0, "scaled": 0}, "all four"),
    ],
)
def test_the_right_choice_is_what_was_measured(key, measured, right):
    numbers = {"plain": 0.4, "near": 0.9, "longer": 0.4, "yours": [0.4, 0.9], "seeds": 12}
    kinds = ("plain", "near", "skip", "scaled")
    others = {f"{which}_{name}": 0.5 for which in ("whole", "small", "large") for name in kinds}
    assert_right(key, {**numbers, **others, **measured}, right)


def test_all_blocks_are_fifty_one_layers():
    assert skips.layers_of(BLOCKS) == 51
