"""Fourteen short experiments, each as it is told and as it is mended: excursion 08a and its exercises.

Each returns the numbers of two sides, of which a conclusion is read: errors (shares missed), unless it says otherwise.
What it takes is plain data, from `flaw_draws`. An experiment has one flaw of FLAWS, or is sound, and then what is
mended is what is told. No name, comment or table here says which: pages show these functions before readers guess, and
an answer that is marked can read this module. The exercises know it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from utils.comparison import score
from utils.data import checkerboard, split
from utils.models import mlp, mlp_parameters, width_for_parameters
from utils.training import train_ensemble
from utils.withholding import withholdable

SOUND = "sound"
FLAWS = (
    "no held-out data",
    "one draw",
    "best of several draws",
    "chosen on held-out data",
    "held-out data leaked",
    "unequal budgets",
    "two things changed",
    "rates not tuned",
    "wrong loss",
    "theory of another limit",
    SOUND,
)
POINTS, STEPS, RATE = (300, 300, 500), 200, 0.03  # to train on, to choose on, held out
DECK = (42310, 17590, 8950)  # parameters of the networks that a slide deck compares
Sides = list[float]


# --- what several of them use -----------------------------------------------------------------------------


def errors(
    hidden: Sequence[int], seeds: Sequence[int], *, lr: float = RATE, optimizer: str = "adam", steps: int = STEPS
) -> tuple[np.ndarray, np.ndarray]:
    """Return the shares missed on validation and on held-out points, each [seeds], of ReLU networks for a board of 4×4.

    Each seed has points, and He's weights, of its own. All are trained for so many steps, on all points in each.
    """
    return _errors(tuple(hidden), tuple(int(seed) for seed in seeds), float(lr), optimizer, steps)


@cache  # what is told and what is mended train many of the same networks
def _errors(
    hidden: tuple[int, ...], seeds: tuple[int, ...], lr: float, optimizer: str, steps: int
) -> tuple[np.ndarray, np.ndarray]:
    models, parts = learned(hidden, seeds, lr=lr, optimizer=optimizer, steps=steps)
    missed = [[1 - score(model, *part) for part in unseen] for model, (_, *unseen) in zip(models, parts, strict=True)]
    validation, held_out = np.array(missed).T
    for one in (validation, held_out):
        one.flags.writeable = False
    return validation, held_out


def learned(
    hidden: Sequence[int],
    seeds: Sequence[int],
    *,
    lr: float = RATE,
    optimizer: str = "adam",
    steps: int = STEPS,
    frequency: int = 2,
) -> tuple[list[torch.nn.Sequential], list[list[tuple[Tensor, Tensor]]]]:
    """Return trained networks for a board, one for each seed, and the parts of its data, trained on first."""
    generators = [torch.Generator().manual_seed(seed) for seed in seeds]
    parts = [split(checkerboard, *POINTS, generator=generator, frequency=frequency) for generator in generators]
    models = [mlp([2, *hidden, 2], init="he", generator=generator) for generator in generators]
    X, y = (torch.stack(one) for one in zip(*[first for first, *_ in parts], strict=True))
    train_ensemble(models, X, y, epochs=steps, lr=lr, optimizer=optimizer, progress=False)
    return models, parts


def equal_width(width: int) -> int:
    """Return the largest width of three equal layers with no more parameters than one layer of ``width`` units."""
    return width_for_parameters(mlp_parameters([2, width, 2]), 3, 2, 2)


def wide_enough(width: int) -> int:
    """Return the largest width of one layer with no more parameters than three layers of ``width`` units."""
    return width_for_parameters(mlp_parameters([2, width, width, width, 2]), 1, 2, 2)


# --- A to E -----------------------------------------------------------------------------------------------


def experiment_a(errors: np.ndarray) -> Sides:
    one, three = errors[:, 0]  # on one training set, from twenty initialisations
    return [one.mean(), three.mean()]


@withholdable
def mended_a(errors: np.ndarray) -> Sides:
    one, three = errors
    return [one.mean(), three.mean()]


def experiment_b(x: np.ndarray, y: np.ndarray, x_new: np.ndarray, y_new: np.ndarray) -> Sides:
    found = []
    for degree in (3, 9):
        fit = np.polyfit(x, y, degree)
        found.append(np.mean((np.polyval(fit, x) - y) ** 2))
    return found


@withholdable
def mended_b(x: np.ndarray, y: np.ndarray, x_new: np.ndarray, y_new: np.ndarray) -> Sides:
    return [np.mean((np.polyval(np.polyfit(x, y, degree), x_new) - y_new) ** 2) for degree in (3, 9)]


def experiment_c(outputs: np.ndarray, labels: np.ndarray) -> Sides:
    found = []
    for side in torch.as_tensor(outputs):
        p = side.softmax(dim=1)
        found.append(cross_entropy(p, torch.as_tensor(labels)).item())
    return found


@withholdable
def mended_c(outputs: np.ndarray, labels: np.ndarray) -> Sides:
    return [cross_entropy(side, torch.as_tensor(labels)).item() for side in torch.as_tensor(outputs)]


def experiment_d(width: int, seeds: Sequence[int]) -> Sides:
    _, one = errors([width], seeds)
    _, three = errors([width, width, width], seeds)
    return [one.mean(), three.mean()]


@withholdable
def mended_d(width: int, seeds: Sequence[int]) -> Sides:
    return [errors(hidden, seeds)[1].mean() for hidden in ([wide_enough(width)], [width] * 3)]


def experiment_e(one: np.ndarray, three: np.ndarray) -> Sides:
    return [one.min(), three.min()]


@withholdable
def mended_e(one: np.ndarray, three: np.ndarray) -> Sides:
    return [one.mean(), three.mean()]


# --- F to J -----------------------------------------------------------------------------------------------


def experiment_f(validation: np.ndarray, held_out: np.ndarray) -> Sides:
    found = []
    for side in (0, 1):
        rate = validation[side].mean(axis=1).argmin()
        found.append(held_out[side, rate].mean())
    return found


@withholdable
def mended_f(validation: np.ndarray, held_out: np.ndarray) -> Sides:
    return experiment_f(validation, held_out)


def experiment_g(validation: np.ndarray, held_out: np.ndarray) -> Sides:
    one, three = held_out
    return [one[validation[0].argmin()], three.min()]


@withholdable
def mended_g(validation: np.ndarray, held_out: np.ndarray) -> Sides:
    return [side[chooser.argmin()] for chooser, side in zip(validation, held_out, strict=True)]


def experiment_h(X: np.ndarray, y: np.ndarray, count: int) -> Sides:
    best = np.argsort(-np.abs(y @ X))[:count]  # the inputs that go best with y
    found = []
    for inputs in (best, np.arange(X.shape[1])):
        wrong = 0
        for fold in range(5):
            held = np.arange(len(y)) % 5 == fold
            w = np.linalg.lstsq(X[~held][:, inputs], y[~held], rcond=None)[0]
            wrong += np.sum(np.sign(X[held][:, inputs] @ w) != y[held])
        found.append(wrong / len(y))
    return found


@withholdable
def mended_h(X: np.ndarray, y: np.ndarray, count: int) -> Sides:
    wrong = np.zeros(2)
    for fold in range(5):
        held = np.arange(len(y)) % 5 == fold
        best = np.argsort(-np.abs(y[~held] @ X[~held]))[:count]
        for side, inputs in enumerate((best, np.arange(X.shape[1]))):
            w = np.linalg.lstsq(X[~held][:, inputs], y[~held], rcond=None)[0]
            wrong[side] += np.sum(np.sign(X[held][:, inputs] @ w) != y[held])
    return list(wrong / len(y))


def experiment_i(arm: np.ndarray, W: np.ndarray, b: np.ndarray, held: np.ndarray) -> Sides:
    X, y = np.concatenate([arm, -arm]), np.repeat([1, -1], len(arm))
    seen = ~held
    found = []
    for features in (np.tanh(X @ W), np.tanh(X @ W + b)):
        F = features[seen]
        w = np.linalg.solve(F.T @ F + 0.01 * np.eye(len(b)), F.T @ y[seen])
        found.append(np.mean(np.sign(features[held] @ w) != y[held]))
    return found


@withholdable
def mended_i(arm: np.ndarray, W: np.ndarray, b: np.ndarray, held: np.ndarray) -> Sides:
    X, y = np.concatenate([arm, -arm]), np.repeat([1, -1], len(arm))
    seen = ~held & ~np.roll(held, len(arm))
    found = []
    for features in (np.tanh(X @ W), np.tanh(X @ W + b)):
        F = features[seen]
        w = np.linalg.solve(F.T @ F + 0.01 * np.eye(len(b)), F.T @ y[seen])
        found.append(np.mean(np.sign(features[held] @ w) != y[held]))
    return found


def experiment_j(width: int, narrow: int, seeds: Sequence[int]) -> Sides:
    _, one = errors([width], seeds, optimizer="sgd")
    _, three = errors([narrow, narrow, narrow], seeds, optimizer="adam")
    return [one.mean(), three.mean()]


@withholdable
def mended_j(width: int, narrow: int, seeds: Sequence[int]) -> Sides:
    return [errors(hidden, seeds, optimizer="adam")[1].mean() for hidden in ([width], [narrow] * 3)]


# --- K to N -----------------------------------------------------------------------------------------------


def experiment_k(validation: np.ndarray, held_out: np.ndarray) -> Sides:
    rate = validation[0].mean(axis=1).argmin()
    return [held_out[0, rate].mean(), held_out[1, rate].mean()]


@withholdable
def mended_k(validation: np.ndarray, held_out: np.ndarray) -> Sides:
    return experiment_f(validation, held_out)


def experiment_l(width: int, layers: int, std: float, networks: int, seed: int) -> Sides:
    W = std * np.random.default_rng(seed).normal(size=(networks, layers, width, width))
    factor = width * W.var() / 2  # a layer multiplies the mean square by it: ReLU keeps half
    return [factor**2, factor**layers]


@withholdable
def mended_l(width: int, layers: int, std: float, networks: int, seed: int) -> Sides:
    W = std * np.random.default_rng(seed).normal(size=(networks, layers, width, width))
    h, squares = np.ones((networks, width, 1)), []
    for layer in range(layers):
        h = np.maximum(W[:, layer] @ h, 0)
        squares.append(np.median((h**2).mean(axis=(1, 2))))
    return [squares[1], squares[-1]]


def experiment_m(width: int, narrow: int, rates: Sequence[float], seeds: Sequence[int], steps: int = STEPS) -> Sides:
    found = []
    for hidden in ([width], [narrow, narrow, narrow]):
        tried = [errors(hidden, seeds, lr=lr, steps=steps) for lr in rates]
        validation, held_out = min(tried, key=lambda pair: pair[0].mean())
        found.append(held_out.mean())
    return found


@withholdable
def mended_m(width: int, narrow: int, rates: Sequence[float], seeds: Sequence[int]) -> Sides:
    return experiment_m(width, narrow, rates, seeds)


def experiment_n(width: int, narrow: int, rates: Sequence[float], seeds: Sequence[int]) -> Sides:
    found = []
    for hidden in ([width], [narrow, narrow, narrow]):
        tried = [errors(hidden, seeds, lr=lr) for lr in rates]
        validation, held_out = min(tried, key=lambda pair: pair[0].mean())
        found.append(held_out.mean())
    return found


@withholdable
def mended_n(width: int, narrow: int, rates: Sequence[float], seeds: Sequence[int]) -> Sides:
    return [within_grid(partial(errors, hidden, seeds), rates)[1].mean() for hidden in ([width], [narrow] * 3)]


@withholdable
def within_grid(tried: Callable[..., tuple], rates: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Return both errors at the best rate, of a grid that goes on upwards until its last rate is not the best."""
    found = [tried(lr=lr) for lr in rates]
    lr = rates[-1]
    while found[-1][0].mean() <= min(validation.mean() for validation, _ in found):
        lr *= rates[-1] / rates[-2]
        found.append(tried(lr=lr))
    return min(found, key=lambda pair: pair[0].mean())


# --- all of them ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Experiment:
    """An experiment, as it is told and as it is mended; ``told(**data)`` returns both sides' numbers."""

    told: Callable[..., Sides]
    mended: Callable[..., Sides]


EXPERIMENTS = {
    "A": Experiment(experiment_a, mended_a),
    "B": Experiment(experiment_b, mended_b),
    "C": Experiment(experiment_c, mended_c),
    "D": Experiment(experiment_d, mended_d),
    "E": Experiment(experiment_e, mended_e),
    "F": Experiment(experiment_f, mended_f),
    "G": Experiment(experiment_g, mended_g),
    "H": Experiment(experiment_h, mended_h),
    "I": Experiment(experiment_i, mended_i),
    "J": Experiment(experiment_j, mended_j),
    "K": Experiment(experiment_k, mended_k),
    "L": Experiment(experiment_l, mended_l),
    "M": Experiment(experiment_m, mended_m),
    "N": Experiment(experiment_n, mended_n),
}


def told(name: str, data: dict[str, Any]) -> Sides:
    """Return both sides' numbers of an experiment as it is told."""
    return [float(one) for one in EXPERIMENTS[name].told(**data)]


@withholdable
def mended(name: str, data: dict[str, Any]) -> Sides:
    """Return both sides' numbers of an experiment as it is mended; of one that is sound, the same."""
    return [float(one) for one in EXPERIMENTS[name].mended(**data)]
