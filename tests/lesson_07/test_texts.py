"""Lesson 07's readers: layers against PyTorch's own, what of a review they are given, and how errors are read."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from tests.generators import seeded
from tests.made_up import made_up
from utils.lesson_07 import texts, texts_figures
from utils.lesson_07.readings import BATCH, errors_at
from utils.lesson_07.texts import FEW, LAST, MANY, SHAPES, STEPS
from utils.models import count_parameters
from utils.reviews import decode, reviews


def pytorchs(layer: texts.Recurrent) -> nn.RNN:
    width = layer.back.in_features
    own = nn.RNN(width, width, batch_first=True)
    with torch.no_grad():
        own.weight_ih_l0.copy_(layer.inner.weight)
        own.weight_hh_l0.copy_(layer.back.weight)
        own.bias_ih_l0.copy_(layer.inner.bias)
        own.bias_hh_l0.zero_()
    return own


@pytest.mark.parametrize("depth", [1, 3])
def test_a_reader_is_a_stack_of_pytorchs_recurrent_layers(depth):
    model = texts.reader(depth, 5, generator=seeded(1))
    words = reviews(7, generator=seeded(2))[0]
    x = model[0](words)
    for layer in model[1:-1]:
        x, last = pytorchs(layer)(x)
    torch.testing.assert_close(model(words), model[-1](last[0]))


def test_the_recurrent_weights_are_orthogonal_and_the_seeds_own():
    model, again, other = (texts.reader(2, 6, generator=seeded(seed)) for seed in (1, 1, 2))
    for layer in model[1:-1]:
        torch.testing.assert_close(layer.back.weight @ layer.back.weight.T, torch.eye(6), atol=1e-5, rtol=0)
    pairs = list(zip(model.parameters(), again.parameters(), other.parameters(), strict=True))
    assert all(torch.equal(one, same) and not torch.equal(one, new) for one, same, new in pairs)


def test_the_last_clause_is_never_cut():
    whole = reviews(600, generator=seeded(5))[0]
    (cut, _), *_ = texts.review_parts(600, generator=seeded(5))
    last = [decode(row).replace(" but ", " and ").replace(" , ", " and ").split(" and ")[-1] for row in whole]
    assert all(decode(row).endswith(clause) for row, clause in zip(cut, last, strict=True))
    assert cut.shape[1] == texts.LONGEST_CLAUSE < whole.shape[1]


def test_four_layers_and_one_have_as_many_parameters():
    counts = {shape: count_parameters(texts.reader(*SHAPES[shape], generator=seeded())) for shape in SHAPES}
    assert counts["1 × 27"] == pytest.approx(counts["4 × 16"], rel=0.02)
    assert counts["1 × 16"] < counts["2 × 16"] < counts["4 × 16"]


@pytest.mark.parametrize("count", [FEW, MANY])
def test_epochs_make_up_the_steps(count, monkeypatch):
    asked = []
    monkeypatch.setattr(texts, "errors_at", lambda epochs, *_, **__: asked.extend(epochs))
    texts.learn([1], "1 × 16", count)
    assert [epochs * count / BATCH for epochs in asked] == [*STEPS]


def test_readers_are_trained_side_by_side_as_alone():
    build, parts = (
        (lambda generator: texts.reader(1, 4, generator=generator)),
        lambda generator: texts.review_parts(64, generator=generator),
    )
    both, alone = (errors_at((2,), build, parts, seeds=seeds, rates=(0.01, 0.03))["error"] for seeds in ([1, 2], [2]))
    np.testing.assert_allclose(both.sel(seed=[2]), alone)


def test_a_lag_is_four_layers_less_one_and_a_fit_the_best_of_all_rates():
    data = made_up(texts.many, "error")
    other = texts.lag(data, LAST) + texts.lag(data, LAST, "1 × 16") * -1
    own = texts.best(data, shape="1 × 16", reading=LAST) - texts.best(data, shape="1 × 27", reading=LAST)
    np.testing.assert_allclose(other, own)
    training = data["error"].sel(shape="1 × 16", reading=LAST, part="training")
    np.testing.assert_allclose(texts.fitted(data, "1 × 16"), training.transpose("seed", "rate").values.min(axis=1))


def test_the_figure_shows_few_and_many_reviews():
    figure = texts_figures.stacked_readers(made_up(texts.few, "error"), made_up(texts.many, "error"))
    (ax,) = figure.axes
    assert len(ax.containers) == 4 and len(ax.get_legend().get_texts()) == 3
    assert len(ax.get_xticklabels()) == len(SHAPES)
