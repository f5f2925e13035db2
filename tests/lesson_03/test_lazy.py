"""Lazy and rich training against a loop as the page has it, and kernels against scikit-learn's ridge regression."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch
from sklearn.kernel_ridge import KernelRidge

from tests.generators import seeded
from utils.comparison import generators
from utils.kernels import relu_kernel
from utils.lesson_03 import lazy


@pytest.mark.parametrize("alpha", [1 / 4, 16.0])
def test_learning_the_shifted_goal_is_learning_with_the_centred_output(alpha, monkeypatch):
    """One batch a step, a fixed rate: by autograd, with the centred output and the loss over α², as the page trains."""
    monkeypatch.setattr(lazy, "RATES", (0.01,))
    monkeypatch.setattr(lazy, "STEPS", 30)
    found = lazy.trained([3], 3, alpha, points=60)
    (X, y), *_, (X_new, y_new) = lazy.parts(lazy.GAME, lazy.TREE, 60, generator=generators(3)[0])
    model = lazy.mlp(lazy.hierarchy.sizes(3), init="he", generator=generators(3)[1])
    before = copy.deepcopy(model)
    optimizer = torch.optim.SGD(model.parameters(), 0.01, momentum=0.9)
    cycle = torch.optim.lr_scheduler.OneCycleLR(optimizer, 0.01, total_steps=30, cycle_momentum=False)
    for _ in range(30):
        loss = ((alpha * (model(X) - before(X).detach()) - y) ** 2).mean() / alpha**2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        cycle.step()
    with torch.no_grad():
        output = alpha * (model(X_new) - before(X_new))
        old, new = before[:-1](X_new), model[:-1](X_new)
    share = ((output - y_new) ** 2).mean() / y_new.var(correction=0)
    assert found["missed"].sel(part="held-out").item() == pytest.approx(share.item(), rel=1e-3)
    assert found["moved"].item() == pytest.approx(((new - old).norm() / old.norm()).item(), rel=1e-3)


def test_a_kernels_errors_are_those_of_ridge_regression(monkeypatch):
    parts = lazy.parts(lazy.GAME, lazy.TREE, 80, generator=seeded())
    known, *others = [(X[:80], y[:80]) for X, y in parts]
    found = lazy.kernel_errors(known, others, 2, 0.3)
    (X, y), (Z, w) = [(X.double().numpy(), y.double().numpy()[:, 0]) for X, y in (known, others[-1])]
    K = relu_kernel(X, X, 2, bias=0.3)
    for ridge, (*_, share) in zip(lazy.RIDGES, found, strict=True):
        model = KernelRidge(alpha=ridge * np.trace(K) / 80, kernel="precomputed").fit(K, y - y.mean())
        error = np.square(model.predict(relu_kernel(Z, X, 2, bias=0.3)) + y.mean() - w).mean()
        assert share == pytest.approx(error / w.var(), rel=1e-6)
