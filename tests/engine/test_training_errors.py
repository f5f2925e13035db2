"""Arguments that make no sense: the error says which one, what it was, and what is wanted."""

import math

import numpy as np
import pytest
import torch
from torch import nn

from tests.engine.training_oracle import data, network, networks, weights
from utils.training import Trainer, train, train_ensemble

X, y = data(20, 3, 4, labels=True)
X2, targets = data(20, 3, 4, labels=False)
spoiled = X.clone()
spoiled[4, 1] = math.nan

CASES = {
    "X is a list": ({"X": [[1.0]]}, TypeError, "X is a list: wanted a tensor"),
    "NaN in X": ({"X": spoiled}, ValueError, r"X\[4, 1\] is nan: wanted finite"),
    "NaN in y": ({"y": targets / 0}, ValueError, r"y\[0, 0\] is -?inf: wanted finite"),
    "too large for float32": (
        {"X": X * 1e300, "single": True},
        ValueError,
        "X has numbers up to .*too large",
    ),
    "fewer points in X": ({"X": X[:7]}, ValueError, r"X has shape \(7, 3\), y \(20,\).*as many points"),
    "wrong features": ({"X": X[:, :2]}, ValueError, r"X has points of shape \(2,\)"),
    "X without features": ({"X": X[:, 0]}, ValueError, r"X has shape \(20,\)"),
    "no points": ({"X": X[:0], "y": y[:0]}, ValueError, "at least one point"),
    "complex X": ({"X": X + 1j}, TypeError, "X has dtype torch.complex128"),
    "labels too high": ({"y": y + 1}, ValueError, "y has labels from 1 to 4: wanted 0 to 3"),
    "labels negative": ({"y": y - 1}, ValueError, "y has labels from -1 to 2: wanted 0 to 3"),
    "labels in a column": ({"y": y[:, None]}, ValueError, r"y has shape \(20, 1\) for 2 models"),
    "targets flat": (
        {"y": targets[:, 0]},
        ValueError,
        r"y has shape \(20,\) and holds torch.float64.*outputs",
    ),
    "targets narrow": (
        {"y": targets[:, :2]},
        ValueError,
        r"y has points of shape \(2,\), the model outputs.*\(4,\)",
    ),
    "loss for labels": (
        {"loss": "mse"},
        ValueError,
        "y holds torch.int64 with loss='mse': wanted float targets",
    ),
    "loss for targets": ({"y": targets, "loss": "cross-entropy"}, ValueError, "wanted integer labels"),
    "unknown loss": ({"loss": "hinge"}, ValueError, "loss is 'hinge': wanted one of 'cross-entropy', 'mse'"),
    "unknown optimizer": ({"optimizer": "lion"}, ValueError, "optimizer is 'lion': wanted one of"),
    "unknown schedule": ({"schedule": "up"}, ValueError, "schedule is 'up': wanted one of"),
    "momentum for Adam": ({"momentum": 0.9}, ValueError, "momentum is 0.9 with optimizer='adam'"),
    "negative decay": ({"weight_decay": -1}, ValueError, "weight_decay is -1: wanted"),
    "three rates": ({"lr": [0.1, 0.1, 0.1]}, ValueError, "lr has 3 numbers for 2 models"),
    "rate of zero": ({"lr": 0}, ValueError, "lr is 0: wanted"),
    "rate NaN": ({"lr": [0.1, math.nan]}, ValueError, "lr is nan"),
    "rate text": ({"lr": "fast"}, TypeError, "lr is 'fast'"),
    "no epochs": ({"epochs": 0}, ValueError, "epochs is 0: wanted"),
    "half epochs": ({"epochs": 1.5}, TypeError, "epochs is 1.5: wanted"),
    "empty batches": ({"batch_size": 0}, ValueError, "batch_size is 0: wanted"),
    "generator a seed": ({"generator": 3}, TypeError, "generator is 3: wanted a torch.Generator"),
    "validation a tensor": ({"validation": 3}, TypeError, r"validation is a int: wanted a pair"),
    "validation labels": ({"validation": (X, y + 1)}, ValueError, "validation y has labels from 1 to 4"),
    "validation NaN": ({"validation": (spoiled, y)}, ValueError, r"validation X\[4, 1\] is nan"),
    "validation kind": (
        {"validation": (X, targets)},
        ValueError,
        "validation y holds torch.float64, y torch.int64",
    ),
    "data per model for 3": (
        {"X": X.expand(3, 20, 3)},
        ValueError,
        r"X has shape \(3, 20, 3\).* for 2 models",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_error_names_argument_value_and_what_is_wanted(case):
    changes, kind, message = CASES[case]
    changes = dict(changes)
    models = networks(2, [3, 5, 4])
    if changes.pop("single", False):
        models = [model.float() for model in models]
    before = [weights(model) for model in models]
    arguments = {"X": X, "y": y, "epochs": 3, "lr": 0.1, "progress": False, **changes}
    with pytest.raises(kind, match=message):
        train_ensemble(models, arguments.pop("X"), arguments.pop("y"), **arguments)
    assert all(torch.equal(weights(model), old) for model, old in zip(models, before, strict=True))


@pytest.mark.parametrize(
    ("models", "kind", "message"),
    [
        ([], ValueError, "models is empty"),
        (network([3, 5, 4], nn.Tanh), TypeError, "models is one Sequential"),
        ([network([3, 5, 4], nn.Tanh), 5], TypeError, r"models\[1\] is 5"),
        (
            [network([3, 5, 4], nn.Tanh), network([3, 6, 4], nn.Tanh)],
            ValueError,
            r"(?s)models\[1\] is.*one architecture",
        ),
        (
            [network([3, 5, 4], nn.Tanh), network([3, 5, 4], nn.ReLU)],
            ValueError,
            r"(?s)models\[1\] is.*one architecture",
        ),
        (
            [network([3, 5, 4], nn.Tanh), network([3, 5, 4], nn.Tanh).float()],
            ValueError,
            "one architecture, dtype",
        ),
        ([network([3, 5, 4], nn.Tanh)] * 2, ValueError, r"models\[1\] shares parameters with models\[0\]"),
        ([network([3, 4], nn.Tanh).half()], ValueError, "torch.float16"),
        ([nn.Sequential(nn.ReLU())], ValueError, "models has no parameters to train"),
        ([network([3, 4], nn.Tanh).requires_grad_(False)], ValueError, "models has no parameters to train"),
    ],
)
def test_models_that_do_not_go_together(models, kind, message):
    with pytest.raises(kind, match=message):
        train_ensemble(models, X, y, epochs=1, lr=0.1, progress=False)


def test_train_takes_one_model():
    with pytest.raises(TypeError, match=r"(?s)model is .* wanted an nn.Module"):
        train(networks(2, [3, 5, 4]), X, y, epochs=1, lr=0.1)


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64])
def test_arrays_and_other_number_types_are_taken_as_they_are_meant(kind):
    model = network([3, 5, 4], nn.Tanh)
    history = train(model, (X * 3).round().numpy().astype(kind), y.numpy().astype(np.uint8), epochs=2, lr=0.1)
    assert history.steps == 2 and history.accuracy is not None


def test_slices_must_be_whole_epochs():
    trainer = Trainer(networks(2, [3, 5, 4]), X, y, epochs=3, lr=0.1)
    with pytest.raises(TypeError, match="epochs is 0.5"):
        trainer.run(0.5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epoch": 3, "lr": 0.1}, "there is no option 'epoch': wanted some of epochs, lr, loss"),
        ({"lr": 0.1}, "epochs missing"),
        ({}, "epochs and lr missing"),
    ],
)
def test_an_option_that_there_is_not_and_one_that_is_missing_are_named(options, message):
    with pytest.raises(TypeError, match=message):
        train_ensemble(networks(2, [3, 5, 4]), X, y, progress=False, **options)
