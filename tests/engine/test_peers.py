"""The engine beside what requirements-peers.txt installs: relucent's regions, JAX's gradients."""

from __future__ import annotations

from copy import deepcopy

import numpy as np
import pytest
from torch import nn

from benchmarks import ensemble
from tests.generators import seeded
from utils.models import mlp
from utils.regions import count_regions
from utils.training import train

pytestmark = pytest.mark.peers
STEPS = 200


@pytest.mark.parametrize("seed", range(3))
def test_relucent_finds_as_many_regions(seed):
    import relucent

    model = mlp([2, 6, 5, 1], init="he", bias_std=0.5, generator=seeded(seed)).double()
    complex_ = relucent.Complex(model)
    complex_.bfs(nworkers=1, verbose=0)
    assert len(complex_) == count_regions(model, ((-1e4, 1e4), (-1e4, 1e4)))


@pytest.mark.parametrize(
    "case",
    [ensemble.Case([2, 15, 15, 2], 100), ensemble.Case([3, 8, 1], 50, "tanh"), ensemble.Case([2, 6, 2], 40, "gelu")],
    ids=str,
)
def test_jax_trains_alike(case):
    """Adam's losses, step by step, by automatic differentiation of another kind."""
    import jax
    import jax.numpy as jnp

    (model, *_), X, y = ensemble.problem(case)
    linears = [layer for layer in deepcopy(model) if isinstance(layer, nn.Linear)]
    parameters = [
        tuple(jnp.asarray(getattr(linear, name).detach().numpy()) for name in ensemble.NAMES) for linear in linears
    ]
    zeros = jax.tree.map(jnp.zeros_like, parameters)
    step = ensemble.jax_step(case, jnp.asarray(X.numpy()), jnp.asarray(y.numpy()))
    _, theirs = jax.lax.scan(step, (parameters, zeros, zeros, jnp.zeros(())), None, STEPS)
    ours = train(model, X, y, epochs=STEPS, lr=ensemble.LR, progress=False).loss
    np.testing.assert_allclose(ours, np.asarray(theirs), rtol=1e-4)
    assert ours[-1] < 0.99 * ours[0]


def test_the_benchmark_measures_jax_too():
    case = ensemble.Case([2, 3, 1], 8, models=2)
    sides = {"usual loop": ensemble.usual_loop, "this engine": ensemble.this_engine, "JAX": ensemble.jax_loop}
    row = ensemble.measure_case(case, sides, rounds=1, seconds=0.05)
    assert all(speed > 0 for speed in row["steps_per_second"].values()) and "JAX" in row["ratio"]
