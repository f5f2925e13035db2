"""The PyTorch path: batched or one after the other, against the plain loop; and what leads to which path."""

import copy
import math

import numpy as np
import pytest
import torch
from torch import nn

from tests.engine.training_oracle import data, network, networks, same_bits, usual_loop, weights
from utils.engine import compiled_run, torch_run
from utils.training import Trainer, train, train_ensemble

QUIET = {"progress": False}


@pytest.fixture(autouse=True)
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


class Residual(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.block, self.last = nn.Linear(3, 6), nn.Linear(6, 6), nn.Linear(6, 4)

    def forward(self, x):
        x = self.first(x)
        return self.last(x + torch.tanh(self.block(x)))


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding, self.cells, self.last = (
            nn.Embedding(10, 5),
            nn.GRU(5, 6, batch_first=True),
            nn.Linear(6, 4),
        )

    def forward(self, x):
        return self.last(self.cells(self.embedding(x))[0][:, -1])


def convolutional():
    return nn.Sequential(nn.Conv2d(1, 3, 3), nn.ReLU(), nn.Flatten(), nn.Linear(3 * 4 * 4, 4))


def normalised():
    return nn.Sequential(nn.Linear(3, 6), nn.BatchNorm1d(6), nn.ReLU(), nn.Linear(6, 4))


def several(make, count=3):
    models = []
    for seed in range(count):
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            models.append(make().double())
    return models


def points_for(make):
    X, y = data(60, 3, 4, labels=True)
    if make is Recurrent:
        X = torch.randint(0, 10, (60, 7), generator=torch.Generator().manual_seed(0))
    if make is convolutional:
        X = torch.randn(60, 1, 6, 6, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    return X, y


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("make", [Residual, Recurrent, convolutional, normalised])
def test_every_kind_of_network_follows_the_usual_loop(make, count):
    models, (X, y) = several(make, count), points_for(make)
    rates = [0.02, 0.01, 0.005][:count]
    expected = [
        usual_loop(model.train(), X, y, epochs=8, lr=lr, batch_size=25, seed=4)
        for model, lr in zip(models, rates, strict=True)
    ]
    generator = torch.Generator().manual_seed(4)
    histories = train_ensemble(models, X, y, epochs=8, lr=rates, batch_size=25, generator=generator, **QUIET)
    for model, history, (trained, losses) in zip(models, histories, expected, strict=True):
        assert torch.allclose(weights(model), weights(trained), rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(history.loss, losses, rtol=1e-9)
        for buffer, other in zip(model.buffers(), trained.buffers(), strict=True):
            assert torch.allclose(buffer.double(), other.double(), rtol=1e-9)


@pytest.mark.parametrize(
    "options",
    [
        {"optimizer": "sgd"},
        {"optimizer": "sgd", "momentum": 0.9, "weight_decay": 0.1},
        {"weight_decay": 0.1},
        {"optimizer": "adamw", "weight_decay": 0.1},
    ],
    ids=str,
)
@pytest.mark.parametrize("count", [1, 3])
def test_optimisers_of_both_ways_follow_torch_optim(options, count):
    models, (X, y) = several(Residual, count), points_for(Residual)
    for model in models:
        model.first.requires_grad_(False)
    expected = [usual_loop(model, X, y, epochs=20, lr=0.02, **options)[0] for model in models]
    train_ensemble(models, X, y, epochs=20, lr=0.02, **options, **QUIET)
    for model, one in zip(models, expected, strict=True):
        assert torch.allclose(weights(model), weights(one), rtol=1e-9, atol=1e-9)


@pytest.mark.slow
def test_batched_and_compiled_agree():
    """A loss without a name sends a plain network through PyTorch; everything else is the same."""
    models = networks(3, [3, 8, 4])
    copies = copy.deepcopy(models)
    X, y = data(70, 3, 4, labels=True)
    same = {
        "epochs": 450,
        "lr": [0.1, 0.01, 0.001],
        "validation": data(30, 3, 4, labels=True, seed=5),
        **QUIET,
    }
    batch = {"batch_size": 40, "schedule": "one-cycle"}
    first = train_ensemble(models, X, y, **same, **batch)
    second = train_ensemble(copies, X, y, loss=lambda *pair: nn.functional.cross_entropy(*pair), **same, **batch)
    for model, other, one, two in zip(models, copies, first, second, strict=True):
        assert torch.allclose(weights(model), weights(other), rtol=1e-7, atol=1e-7)
        for name in ("loss", "accuracy", "validation_loss", "validation_accuracy", "validation_steps"):
            np.testing.assert_allclose(getattr(one, name), getattr(two, name), rtol=1e-7)


@pytest.mark.parametrize("labels", [True, False])
def test_data_per_model_in_batched_products(labels):
    models = several(Residual)
    sets = [data(40, 3, 4, labels=labels, seed=seed) for seed in range(3)]
    expected = [
        usual_loop(model, *one, epochs=10, lr=0.02, batch_size=16)[0] for model, one in zip(models, sets, strict=True)
    ]
    X, y = (torch.stack(parts) for parts in zip(*sets, strict=True))
    train_ensemble(models, X, y, epochs=10, lr=0.02, batch_size=16, **QUIET)
    for model, one in zip(models, expected, strict=True):
        assert torch.allclose(weights(model), weights(one), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("make", [Residual, Recurrent, normalised])
def test_slices_give_the_same_bits(make):
    models, (X, y) = several(make), points_for(make)
    copies = copy.deepcopy(models)
    train_ensemble(models, X, y, epochs=6, lr=0.02, batch_size=25, **QUIET)
    trainer = Trainer(copies, X, y, epochs=6, lr=0.02, batch_size=25)
    trainer.run(1)
    trainer.run(3)
    trainer.run()
    assert trainer.done and all(map(same_bits, models, copies))


def test_dropout_is_on_in_training_and_off_in_validation_and_modes_are_kept():
    models = several(lambda: nn.Sequential(nn.Linear(3, 50), nn.ReLU(), nn.Dropout(0.5), nn.Linear(50, 4)))
    models[1].eval()
    X, y = points_for(Residual)
    before = [nn.functional.cross_entropy(copy.deepcopy(model).eval()(X), y).item() for model in models]
    with torch.random.fork_rng():
        torch.manual_seed(0)
        histories = train_ensemble(models, X, y, epochs=3, lr=1e-9, validation=(X, y), **QUIET)
    for history, loss in zip(histories, before, strict=True):
        assert history.validation_loss[0] == pytest.approx(loss)
        assert abs(history.loss[0] - loss) > 1e-3
        assert len(set(np.round(history.loss, 5))) == 3
    assert [model.training for model in models] == [True, False, True]


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 3])
def test_divergence_is_kept_to_its_model(count):
    class Deep(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.Sequential(nn.Linear(3, 6), nn.ReLU(), nn.Linear(6, 4))

        def forward(self, x):
            return self.inner(x)

    models = several(Deep, count)
    X, y = data(60, 3, 4, labels=False)
    expected = [usual_loop(model, X, y, epochs=300, lr=0.01, optimizer="sgd")[0] for model in models]
    rates = [1e9, 0.01, 0.01][:count]
    histories = train_ensemble(models, X, y, epochs=300, lr=rates, optimizer="sgd", **QUIET)
    assert histories[0].diverged and histories[0].steps < 300 and torch.isfinite(weights(models[0])).all()
    final = nn.functional.mse_loss(models[0](X), y).item()
    assert math.isfinite(final) and final == pytest.approx(histories[0].loss[np.isfinite(histories[0].loss)][-1])
    for model, one, history in list(zip(models, expected, histories, strict=True))[1:]:
        assert torch.allclose(weights(model), weights(one), rtol=1e-9) and history.steps == 300


def way(models, **options):
    X, y = data(20, 3, 4, labels=True)
    return type(Trainer(models, X, y, epochs=1, lr=0.1, **options)._run)


def test_which_models_take_which_way():
    compiled, separate, batched = compiled_run.CompiledRun, torch_run.SeparateRun, torch_run.BatchedRun
    assert way(networks(2, [3, 5, 4])) is compiled
    assert way(networks(1, [3, 5, 4], bias=False)) is compiled
    assert way(networks(1, [3, 1000, 1000, 4])) is separate
    assert way(networks(1, [3, 1000, 1000, 4]), batch_size=4) is compiled
    assert way(networks(1, [3, 300, 4])) is compiled
    assert way([nn.Sequential(nn.Linear(3, 4), nn.GELU(approximate="tanh"))]) is separate
    assert way([nn.Sequential(nn.Linear(3, 4), nn.Softplus())]) is separate
    assert way([nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.1))]) is separate
    assert way([nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Tanh())]) is separate
    assert way(several(Residual)) is batched
    tied = nn.Linear(4, 4)
    assert way([nn.Sequential(nn.Linear(3, 4), tied, tied)]) is separate
    hooked = network([3, 5, 4], nn.Tanh)
    hooked[0].register_forward_hook(lambda *arguments: None)
    assert way([hooked]) is separate


def test_a_hook_is_called_in_training():
    seen = []
    model = network([3, 5, 4], nn.Tanh)
    model[1].register_forward_hook(lambda module, inputs, outputs: seen.append(outputs.shape))
    X, y = data(20, 3, 4, labels=True)
    train(model, X, y, epochs=3, lr=0.1, **QUIET)
    assert seen.count((20, 5)) == 3
