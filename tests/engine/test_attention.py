"""Attention: PyTorch's own parts with weights from a generator, held against formulas written out in NumPy."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.optimize import minimize
from scipy.special import softmax
from torch import nn

from tests.generators import seeded
from utils.attention import NORMS, Bare, apart, draw, transformer
from utils.training import train_ensemble

SIZES = {"words": 7, "length": 5, "outputs": 3, "depth": 2, "width": 8}


def in_numpy(layer: nn.Module) -> dict[str, np.ndarray]:
    return {name: values.detach().double().numpy() for name, values in layer.named_parameters()}


def attended(p: dict[str, np.ndarray], x: np.ndarray) -> np.ndarray:
    """One head, by the formula."""
    d = x.shape[1]
    Q, K, V = (
        x @ W.T + b for W, b in zip(np.split(p["in_proj_weight"], 3), np.split(p["in_proj_bias"], 3), strict=True)
    )
    return softmax(Q @ K.T / d**0.5, axis=1) @ V @ p["out_proj.weight"].T + p["out_proj.bias"]


def normed(x: np.ndarray) -> np.ndarray:
    return (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + 1e-5)


def fed(p: dict[str, np.ndarray], x: np.ndarray) -> np.ndarray:
    hidden = nn.functional.gelu(torch.tensor(x @ p["linear1.weight"].T + p["linear1.bias"])).numpy()
    return hidden @ p["linear2.weight"].T + p["linear2.bias"]


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("training", [True, False])
def test_a_transformer_is_what_its_formula_says(norm, training):
    model = transformer(**SIZES, norm=norm, generator=seeded(2)).double().train(training)
    words = torch.tensor([[3, 0, 6, 2, 2]])
    with torch.no_grad():
        found = model(words)[0].numpy()
    x = (model.words.weight[words[0]] + model.places.weight).detach().numpy()
    for block in model.blocks:
        p, a = in_numpy(block), in_numpy(block.self_attn)
        if norm == "pre":
            x = x + attended(a, normed(x))
            x = x + fed(p, normed(x))
        else:
            x = normed(x + attended(a, x))
            x = normed(x + fed(p, x))
    last = normed(x)[-1] if norm == "pre" else x[-1]
    out = in_numpy(model.out)
    np.testing.assert_allclose(found, out["weight"] @ last + out["bias"], rtol=1e-8)


@pytest.mark.parametrize("skips", [True, False])
@pytest.mark.parametrize("feeds", [True, False])
def test_a_bare_block_has_the_parts_that_it_is_asked_for(skips, feeds):
    block = draw(Bare(8, skips=skips, feeds=feeds), generator=seeded(3)).double()
    x = torch.randn(1, 5, 8, generator=seeded(4), dtype=torch.float64)
    with torch.no_grad():
        found = block(x)[0].numpy()
    h = x[0].numpy()
    h = skips * h + attended(in_numpy(block.self_attn), normed(h))
    if feeds:
        h = skips * h + fed(in_numpy(block), normed(h))
    np.testing.assert_allclose(found, h, rtol=1e-9)


def test_all_weights_come_from_the_generator_with_the_variance_that_is_said():
    sizes = {**SIZES, "width": 64}
    state = torch.random.get_rng_state()
    model = transformer(**sizes, norm="pre", gain=0.5, generator=seeded(5))
    again = transformer(**sizes, norm="pre", gain=0.5, generator=seeded(5))
    assert torch.equal(state, torch.random.get_rng_state())
    for (name, one), other in zip(model.named_parameters(), again.parameters(), strict=True):
        assert torch.equal(one, other)
        if "norm" in name:
            assert torch.all(one == (1 if name.endswith("weight") else 0))
        elif name.endswith("bias"):
            assert not one.any()
        elif "words" not in name and "places" not in name and one.numel() > 1000:
            assert one.std().item() == pytest.approx(0.5 / one.shape[1] ** 0.5, rel=0.05)


def test_apart_is_the_least_that_any_row_leaves():
    x = torch.randn(3, 6, 4, generator=seeded(6), dtype=torch.float64)
    for matrix, found in zip(x.numpy(), apart(x).tolist(), strict=True):
        least = minimize(lambda row, m=matrix: np.sum((m - row) ** 2), np.zeros(4)).fun
        assert found == pytest.approx((least / np.sum(matrix**2)) ** 0.5, rel=1e-6)
    assert apart(torch.ones(5, 3)).item() == 0


@pytest.mark.parametrize(
    ("wrong", "message"), [({"norm": "both"}, "norm"), ({"width": 0}, "width"), ({"depth": 0}, "depth")]
)
def test_a_transformer_refuses_what_is_out_of_range(wrong, message):
    with pytest.raises((TypeError, ValueError), match=message):
        transformer(**{**SIZES, "norm": "pre", **wrong}, generator=seeded(1))


def test_many_transformers_train_at_once_as_one_by_one():
    X, y = torch.arange(20).reshape(4, 5) % 7, torch.tensor([0, 1, 2, 0])

    def made() -> list[nn.Module]:
        return [transformer(**SIZES, norm="post", generator=seeded(seed)).double() for seed in (1, 2)]

    together, alone = made(), made()
    train_ensemble(together, X, y, lr=[0.01, 0.02], epochs=3, progress=False)
    for model, rate in zip(alone, (0.01, 0.02), strict=True):
        train_ensemble([model], X, y, lr=rate, epochs=3, progress=False)
    for one, other in zip(together, alone, strict=True):
        for p, q in zip(one.parameters(), other.parameters(), strict=True):
            torch.testing.assert_close(p, q, rtol=1e-6, atol=1e-9)
