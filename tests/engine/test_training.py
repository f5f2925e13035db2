"""The compiled training path against plain PyTorch in float64, and its exactness to the bit."""

import copy
import itertools
import math
import threading
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from tests.engine.training_oracle import data, network, networks, same_bits, usual_loop, weights
from utils import training
from utils.engine import compiled_run
from utils.engine.torch_run import TorchRun
from utils.training import Trainer, train, train_ensemble

ACTIVATIONS = {
    "relu": nn.ReLU,
    "leaky_relu": lambda: nn.LeakyReLU(0.2),
    "tanh": nn.Tanh,
    "sigmoid": nn.Sigmoid,
    "gelu": nn.GELU,
    "swish": nn.SiLU,
    "identity": nn.Identity,
}
QUIET = {"progress": False}


def assert_close(model: nn.Module, expected: nn.Module, tolerance: float = 1e-10) -> None:
    assert torch.allclose(weights(model), weights(expected), rtol=tolerance, atol=tolerance)


@pytest.fixture(autouse=True)
def only_compiled(monkeypatch):
    """Fails a test of this file whose training goes through PyTorch unnoticed."""
    monkeypatch.setattr(TorchRun, "__init__", None)


@pytest.fixture(autouse=True)
def one_thread():
    """PyTorch's threads slow the oracle's tiny networks down where something else is running."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@pytest.mark.parametrize("labels", [True, False])
@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_losses_and_weights_follow_pytorch(activation, labels):
    model = network([3, 9, 6, 4], ACTIVATIONS[activation])
    X, y = data(70, 3, 4, labels=labels)
    expected, losses = usual_loop(model, X, y, epochs=100, lr=0.01)
    history = train(model, X, y, epochs=100, lr=0.01, **QUIET)
    assert_close(model, expected)
    np.testing.assert_allclose(history.loss, losses, rtol=1e-11)


def test_square_of_the_models_module_is_compiled():
    models = pytest.importorskip("utils.models")
    model = network([2, 6, 1], models.Square)
    X, y = data(40, 2, 1, labels=False)
    expected, _ = usual_loop(model, X, y, epochs=30, lr=0.01)
    train(model, X, y, epochs=30, lr=0.01, **QUIET)
    assert_close(model, expected)


@pytest.mark.parametrize(
    "options",
    [
        {"optimizer": "sgd"},
        {"optimizer": "sgd", "momentum": 0.9},
        {"optimizer": "sgd", "momentum": 0.5, "weight_decay": 0.1},
        {"weight_decay": 0.1},
        {"optimizer": "adamw", "weight_decay": 0.1},
        {"optimizer": "adamw", "weight_decay": 0.0},
    ],
    ids=str,
)
@pytest.mark.parametrize("batch_size", [None, 32])
def test_optimisers_follow_torch_optim(options, batch_size):
    model = network([2, 8, 3], nn.Tanh)
    X, y = data(75, 2, 3, labels=True)
    same = {"epochs": 30, "lr": 0.03, "batch_size": batch_size, **options}
    expected, losses = usual_loop(model, X, y, seed=5, **same)
    history = train(model, X, y, generator=torch.Generator().manual_seed(5), **same, **QUIET)
    assert_close(model, expected)
    np.testing.assert_allclose(history.loss, losses, rtol=1e-10)


@pytest.mark.parametrize(
    ("schedule", "in_torch"),
    [
        ("cosine", lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, T_max=60)),
        (
            "one-cycle",
            lambda o: torch.optim.lr_scheduler.OneCycleLR(o, 0.05, total_steps=61, cycle_momentum=False),
        ),
        (None, None),
    ],
)
def test_schedules_follow_torch(schedule, in_torch):
    model = network([2, 8, 1], nn.Tanh)
    X, y = data(60, 2, 1, labels=False)
    if schedule == "one-cycle":  # torch's scheduler is asked for one step more than it may take
        in_torch = lambda o: torch.optim.lr_scheduler.LambdaLR(o, one_cycle_of_torch(60))  # noqa: E731
    expected, _ = usual_loop(model, X, y, epochs=20, lr=0.05, batch_size=20, schedule=in_torch)
    train(model, X, y, epochs=20, lr=0.05, batch_size=20, schedule=schedule, **QUIET)
    assert_close(model, expected)


def one_cycle_of_torch(steps):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, 1.0, total_steps=steps, cycle_momentum=False)
    factors = []
    for _ in range(steps):
        factors.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        if len(factors) < steps:
            scheduler.step()
    return lambda step: factors[min(step, steps - 1)]


@settings(max_examples=60)
@given(
    sizes=st.lists(st.integers(1, 21), min_size=2, max_size=5),
    points=st.integers(1, 300),
    bias=st.booleans(),
    labels=st.booleans(),
    activation=st.sampled_from(sorted(ACTIVATIONS)),
    seed=st.integers(0, 1000),
)
def test_gradients_of_any_shape_are_autograds(sizes, points, bias, labels, activation, seed):
    model = network(sizes, ACTIVATIONS[activation], bias=bias, seed=seed)
    X, y = data(points, sizes[0], sizes[-1], labels=labels, seed=seed)
    loss = nn.functional.cross_entropy if labels else nn.functional.mse_loss
    value = loss(model(X), y)
    gradients = torch.cat([g.flatten() for g in torch.autograd.grad(value, list(model.parameters()))])
    before = weights(model)
    history = train(model, X, y, epochs=1, lr=1.0, optimizer="sgd", **QUIET)
    assert torch.allclose(before - weights(model), gradients, rtol=1e-10, atol=1e-12)
    assert history.loss[0] == pytest.approx(value.item(), rel=1e-12, abs=1e-14)


def test_activation_after_the_last_layer_and_layers_without_one():
    model = nn.Sequential(nn.Linear(3, 5), nn.Linear(5, 4), nn.ReLU(), nn.Linear(4, 2), nn.Sigmoid()).double()
    X, y = data(50, 3, 2, labels=False)
    expected, _ = usual_loop(model, X, y, epochs=50, lr=0.01)
    train(model, X, y, epochs=50, lr=0.01, **QUIET)
    assert_close(model, expected)


def test_layers_that_are_frozen_stay():
    model = network([2, 6, 6, 1], nn.Tanh)
    model[0].requires_grad_(False)
    model[2].bias.requires_grad_(False)
    X, y = data(50, 2, 1, labels=False)
    expected, _ = usual_loop(model, X, y, epochs=50, lr=0.01, weight_decay=0.1)
    train(model, X, y, epochs=50, lr=0.01, weight_decay=0.1, **QUIET)
    assert_close(model, expected)


@pytest.mark.parametrize("labels", [True, False])
@pytest.mark.parametrize("own_X", [True, False])
def test_every_model_can_have_a_learning_rate_and_data_of_its_own(labels, own_X):
    models = networks(3, [2, 7, 3])
    sets = [data(50, 2, 3, labels=labels, seed=seed) for seed in range(3)]
    rates = [0.01, 0.1, 0.001]
    if not own_X:
        sets = [(sets[0][0], y) for _, y in sets]
    expected = [
        usual_loop(model, *own, epochs=40, lr=lr, batch_size=16)[0]
        for model, own, lr in zip(models, sets, rates, strict=True)
    ]
    X = torch.stack([X for X, _ in sets]) if own_X else sets[0][0]
    train_ensemble(models, X, torch.stack([y for _, y in sets]), epochs=40, lr=rates, batch_size=16, **QUIET)
    for model, one in zip(models, expected, strict=True):
        assert_close(model, one)


def test_accuracy_is_the_share_of_right_labels_and_a_tie_goes_to_the_first():
    model = network([2, 5, 3], nn.Tanh)
    X, y = data(100, 2, 3, labels=True)
    right = (model(X).argmax(1) == y).double().mean().item()
    assert train(model, X, y, epochs=1, lr=0.01, **QUIET).accuracy[0] == pytest.approx(right)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
    share_of_zeros = (y == 0).double().mean().item()
    assert train(model, X, y, epochs=1, lr=0.01, **QUIET).accuracy[0] == pytest.approx(share_of_zeros)


def test_validation_is_the_loss_on_the_other_data_at_the_stated_steps():
    X, y = data(90, 2, 3, labels=True)
    held_out = data(33, 2, 3, labels=True, seed=9)
    start = network([2, 7, 3], nn.ReLU)
    history = train(copy.deepcopy(start), X, y, epochs=450, lr=0.01, batch_size=40, validation=held_out, **QUIET)
    assert history.validation_steps[0] == 0 and history.validation_steps[-1] == history.steps == 1350
    assert len(history.validation_steps) <= 201
    at = 7
    epochs = history.validation_steps[at] // 3
    half, _ = usual_loop(start, X, y, epochs=int(epochs), lr=0.01, batch_size=40)
    outputs = half(held_out[0])
    assert history.validation_loss[at] == pytest.approx(nn.functional.cross_entropy(outputs, held_out[1]).item())
    assert history.validation_accuracy[at] == pytest.approx((outputs.argmax(1) == held_out[1]).double().mean().item())


def test_a_history_of_regression_has_no_accuracy_and_none_of_what_was_not_asked_for():
    X, y = data(20, 2, 1, labels=False)
    history = train(network([2, 3, 1], nn.Tanh), X, y, epochs=7, lr=0.01, **QUIET)
    assert history.accuracy is history.validation_steps is history.validation_loss is None
    assert history.steps == len(history.loss) == 7 and history.seconds > 0 and not history.diverged


# --- to the bit -------------------------------------------------------------------------------------------

ONE_BATCH_OR_MANY = pytest.mark.parametrize("batch_size", [None, 30])


def trained(models, dtype, batch_size, threads=None, slices=None, validation=True):
    """Copies of the models after 60 epochs, and their histories."""
    models = [copy.deepcopy(model).to(dtype) for model in models]
    X, y = data(100, 3, 4, labels=True)
    trainer = Trainer(
        models,
        X,
        y,
        epochs=60,
        lr=0.02,
        batch_size=batch_size,
        threads=threads,
        schedule="cosine",
        validation=data(50, 3, 4, labels=True, seed=1) if validation else None,
    )
    for epochs in slices or [None]:
        trainer.run(epochs)
    assert trainer.done
    return models, trainer.histories


@ONE_BATCH_OR_MANY
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("activation", ["relu", "tanh", "gelu"])
def test_alone_or_together_on_one_core_or_two_in_one_go_or_in_slices(activation, dtype, batch_size):
    models = networks(5, [3, 10, 7, 4], ACTIVATIONS[activation])
    expected, histories = trained(models, dtype, batch_size)
    runs = [
        trained(models, dtype, batch_size, threads=1),
        trained(models, dtype, batch_size, threads=2),
        trained(models, dtype, batch_size, threads=7),
        trained(models, dtype, batch_size, slices=[1, 2, 30, 27]),
        trained(models, dtype, batch_size, validation=False),
    ]
    alone = [trained([model], dtype, batch_size) for model in models]
    runs.append(([one[0][0] for one in alone], [one[1][0] for one in alone]))
    for others, other_histories in runs:
        for model, other, history, other_history in zip(expected, others, histories, other_histories, strict=True):
            assert same_bits(model, other)
            np.testing.assert_array_equal(history.loss, other_history.loss)
            np.testing.assert_array_equal(history.accuracy, other_history.accuracy)
    np.testing.assert_array_equal(histories[2].validation_loss, runs[3][1][2].validation_loss)
    assert weights(expected[0]).dtype == dtype


def test_float32_is_trained_in_float32():
    model = network([2, 8, 1], nn.Tanh)
    X, y = data(50, 2, 1, labels=False)
    single, expected = copy.deepcopy(model).float(), copy.deepcopy(model).float()
    train(single, X, y, epochs=20, lr=0.01, **QUIET)
    train(model, X, y, epochs=20, lr=0.01, **QUIET)
    expected, _ = usual_loop(expected, X.float(), y.float(), epochs=20, lr=0.01)
    assert_close(single, expected, 1e-4)
    assert not torch.equal(weights(single).double(), weights(model))


def test_a_short_call_time_changes_nothing(monkeypatch):
    models = networks(3, [3, 10, 7, 4])
    expected, _ = trained(models, torch.float32, 30)
    monkeypatch.setattr(compiled_run, "SECONDS_PER_CALL", 0)
    monkeypatch.setattr(compiled_run, "NUMBERS_PER_BLOCK", 100)
    assert all(map(same_bits, expected, trained(models, torch.float32, 30)[0]))


@pytest.mark.parametrize("cores", [1, 2])
def test_an_interrupt_leaves_the_latest_weights_and_the_rest_can_follow(monkeypatch, cores):
    """A second thread is held in its first call until the first one, interrupted, has told it to stop."""
    monkeypatch.setattr(compiled_run, "SECONDS_PER_CALL", 0)
    monkeypatch.setattr(compiled_run, "available_cores", lambda: cores)
    models = networks(3, [3, 10, 7, 4])
    expected, histories = trained(models, torch.float64, 30)
    X, y = data(100, 3, 4, labels=True)
    copies = copy.deepcopy(models)
    held_out = data(50, 3, 4, labels=True, seed=1)
    trainer = Trainer(copies, X, y, epochs=60, lr=0.02, batch_size=30, schedule="cosine", validation=held_out)
    calls, stopping, call = iter(range(9)), threading.Event(), compiled_run.CompiledRun._call

    def interrupt():
        if next(calls) == 8:
            raise KeyboardInterrupt

    def held_call(run, *arguments):
        assert threading.current_thread() is threading.main_thread() or stopping.wait(60)
        return call(run, *arguments)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(compiled_run.CompiledRun, "_call", held_call)
        patch.setattr(compiled_run, "threading", SimpleNamespace(**vars(threading) | {"Event": lambda: stopping}))
        trainer._run.run(60, interrupt)
    assert all(0 < history.steps < 240 for history in trainer.histories)
    assert not any(map(same_bits, models, copies))
    trainer.run()
    assert all(map(same_bits, expected, copies))
    np.testing.assert_array_equal(trainer.histories[1].loss, histories[1].loss)


@pytest.mark.slow
def test_a_slice_of_seconds_ends_in_time_and_the_rest_gives_the_same(monkeypatch):
    """By a clock that goes on by a second with each look at it."""
    models = networks(2, [3, 10, 7, 4])
    X, y = data(100, 3, 4, labels=True)
    expected = copy.deepcopy(models)
    train_ensemble(expected, X, y, epochs=20_000, lr=0.01, **QUIET)
    trainer = Trainer(models, X, y, epochs=20_000, lr=0.01)
    with monkeypatch.context() as patch:
        patch.setattr(training, "time", SimpleNamespace(perf_counter=itertools.count().__next__))
        trainer.run(seconds=10)
    assert not trainer.done and trainer.histories[0].steps == trainer.histories[1].steps
    assert 8 <= trainer.seconds <= 12
    trainer.run()
    assert all(map(same_bits, expected, models))


def test_weights_changed_between_slices_are_trained_on():
    model = network([2, 5, 1], nn.Tanh)
    X, y = data(30, 2, 1, labels=False)
    trainer = Trainer([model], X, y, epochs=2, lr=0.01)
    trainer.run(1)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.zero_()
    trainer.run()
    assert trainer.histories[0].loss[1] == pytest.approx((y**2).mean().item())


# --- divergence -------------------------------------------------------------------------------------------


def test_a_model_that_diverges_stops_and_touches_no_other():
    models = networks(4, [2, 6, 1], nn.ReLU)
    X, y = data(40, 2, 1, labels=False)
    expected = [usual_loop(model, X, y, epochs=200, lr=1e-2, optimizer="sgd")[0] for model in models]
    histories = train_ensemble(models, X, y, epochs=200, lr=[1e-2, 1e6, 1e-2, 1e-2], optimizer="sgd", **QUIET)
    assert [history.diverged for history in histories] == [False, True, False, False]
    assert histories[1].steps < 30 and histories[0].steps == 200
    for number in (0, 2, 3):
        assert_close(models[number], expected[number])


def test_a_diverged_model_has_the_last_weights_with_a_finite_loss():
    model = network([1, 3, 1], nn.ReLU)
    X, y = data(10, 1, 1, labels=False)
    history = train(model, X, y, epochs=500, lr=1e3, optimizer="sgd", **QUIET)
    assert history.diverged and torch.isfinite(weights(model)).all()
    final = nn.functional.mse_loss(model(X), y).item()
    finite = history.loss[np.isfinite(history.loss)]
    assert math.isfinite(final) and final == pytest.approx(finite[-1], rel=1e-9)


def test_nan_weights_are_a_divergence_at_the_first_step_and_stay():
    models = networks(2, [2, 4, 1])
    with torch.no_grad():
        models[0][0].weight[0, 0] = math.nan
    before = weights(models[0])
    X, y = data(20, 2, 1, labels=False)
    histories = train_ensemble(models, X, y, epochs=10, lr=0.01, **QUIET)
    assert histories[0].diverged and histories[0].steps == 1 and not histories[1].diverged
    assert torch.equal(torch.nan_to_num(before, 7.0), torch.nan_to_num(weights(models[0]), 7.0))


def test_when_all_have_diverged_nothing_is_left_to_do():
    trainer = Trainer(
        networks(2, [1, 3, 1], nn.ReLU), *data(10, 1, 1, labels=False), epochs=10**7, lr=1e9, optimizer="sgd"
    )
    trainer.run()
    assert trainer.done and all(history.diverged for history in trainer.histories)
