"""Excursion 06c: the reader's lines, what is measured at random weights, and how it is read."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import xarray as xr
from torch import nn

from tests.generators import seeded
from tests.made_up import made_up
from utils.attention import NORMS, apart
from utils.comparison import HELD_OUT, VALIDATION
from utils.exercises import blanks
from utils.lesson_06 import page, transformers, transformers_figures
from utils.lesson_06.transformers import ALONE, FED, POST, PRE, SIX, SKIPPED, TWO
from utils.reviews import MAX_LENGTH, reviews


def test_the_readers_line_is_pytorchs_attention():
    Q, K, V = torch.randn(3, 6, 4, generator=seeded(1), dtype=torch.float64)
    wanted = nn.functional.scaled_dot_product_attention(Q[None], K[None], V[None])[0]
    found = blanks.reference("06c.attention")(Q.numpy(), K.numpy(), V.numpy())
    np.testing.assert_allclose(found, wanted.numpy(), rtol=1e-12)


def test_the_readers_share_is_that_of_the_measurement():
    x = torch.randn(6, 4, generator=seeded(6), dtype=torch.float64)
    assert blanks.reference("06c.apart")(x.numpy()) == pytest.approx(apart(x).item())


def test_what_a_layer_leaves_is_the_third_power_within_the_pages_bound():
    """The proposition of section 2, held against attention itself."""
    rng = np.random.default_rng(1)
    attention = blanks.reference("06c.attention")
    Wq, Wk, Wv = rng.normal(size=(3, 8, 8)) / 8**0.5
    x, R = rng.normal(size=8), rng.normal(size=(6, 8))
    lefts = []
    for size in (0.1, 0.01):
        X, W = x + size * R, Wq @ Wk.T / 8**0.5
        p = np.exp(size * R @ W.T @ x)
        p /= p.sum()
        P = attention(X @ Wq, X @ Wk, np.eye(6))
        E = np.abs(size**2 * R @ W @ R.T).max()
        assert np.all(np.abs(P - p) <= p * (np.exp(2 * E) - 1) * (1 + 1e-9))
        out = attention(X @ Wq, X @ Wk, X @ Wv)
        rest = (P - p) @ (size * R) @ Wv
        np.testing.assert_allclose(out - rest, np.broadcast_to((x + p @ (size * R)) @ Wv, out.shape), atol=1e-12)
        lefts.append(np.linalg.norm(out - out.mean(0)))
    assert np.log10(lefts[0] / lefts[1]) == pytest.approx(3, abs=0.15)


def test_without_skips_rows_grow_alike_and_with_them_they_do_not():
    found = transformers.alike.measure([1], having=[ALONE, FED, SKIPPED], sharper=[1])
    for having in (ALONE, FED):
        assert transformers.decades_apart(found, 8, having).item() < -12
        assert 3 <= transformers.layers_apart(found, having).item() <= 6
    assert transformers.decades_apart(found, 8, SKIPPED).item() > -1
    assert transformers.layers_apart(found, SKIPPED).item() == transformers.LAYERS + 1


def test_the_power_is_that_of_the_last_drop_which_rounding_leaves():
    shares = xr.DataArray([[0.5, 1e-1, 1e-2, 1e-5, 1e-15, 1e-16]], dims=["seed", "layer"])
    found = transformers.power(xr.Dataset({"apart": shares.expand_dims(having=[ALONE], sharper=[1])}, {"seed": [0]}))
    assert found.item() == pytest.approx(3)


@pytest.mark.parametrize("norm", NORMS)
def test_a_gradients_size_is_that_of_one_text_after_another(norm):
    X, y = reviews(3, generator=seeded(1))
    X = X[:, -transformers.LENGTH :]
    model = transformers.reader(3, norm, generator=seeded(2)).double()
    found = transformers.gradient_sizes(model, X, y)
    for block, size in zip((model.blocks[0], model.blocks[-1]), found, strict=True):
        squares = []
        for text, label in zip(X, y, strict=True):
            loss = nn.functional.cross_entropy(model(text[None]), label[None])
            (gradient,) = torch.autograd.grad(loss, block.linear2.weight)
            squares.append(gradient.square().sum().item())
        assert size == pytest.approx(np.mean(squares) ** 0.5, rel=1e-9)


def test_the_power_of_the_depth_is_that_between_8_and_24_blocks():
    data = made_up(transformers.norms, "gradient")
    data["gradient"].loc[{"depth": 8}] = 2.0
    data["gradient"].loc[{"depth": 24}] = 2 / 3**0.5
    np.testing.assert_allclose(transformers.depth_power(data, PRE), -0.5)


def test_what_is_read_is_a_reviews_end_with_the_last_clause_in_it():
    parts = transformers.review_parts(generator=seeded(1))
    assert [tuple(X.shape) for X, _ in parts] == [(2048, 12), (500, 12), (500, 12)]
    assert transformers.LENGTH == (MAX_LENGTH - 2) // 2


def test_races_are_read_at_the_rate_that_validation_chooses():
    data = made_up(transformers.reads, "accuracy", seeds=3)
    validation = data["accuracy"].sel(part=VALIDATION)
    validation.loc[{"rate": 0.005}] = 2
    data["accuracy"].loc[{"part": VALIDATION}] = validation
    wanted = data["accuracy"].sel(part=HELD_OUT, rate=0.005)
    for depth in (TWO, SIX):
        found = transformers.reads.best(data, norm=POST, depth=depth)
        np.testing.assert_array_equal(found, wanted.sel(norm=POST, depth=depth))


def test_figures_and_answers_are_drawn_from_any_measurement():
    alike, norms = made_up(transformers.alike, "apart"), made_up(transformers.norms, "gradient")
    reads, cold = made_up(transformers.reads, "accuracy"), made_up(transformers.cold, "accuracy")
    for figure in (
        page.parts(alike),
        page.last_gradients(norms),
        page.accuracies(reads, cold),
        page.mixtures([np.eye(3)] * 2),
    ):
        assert figure.axes
    assert set(page.parts_answer(alike)) == {"alone", "fed", "skipped", "both"}
    assert set(page.gradient_answer(norms)) == {"pre", "post"}
    assert set(transformers_figures.train_answer(reads, cold)) == {"pre", "post", "pre_cold", "post_cold"}
