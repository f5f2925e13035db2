"""The experiment of an exercise: a search over networks on labels that are coin flips, with nested validation."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure

from utils.figures import COLOURS

ROWS, N_IN = 120, 10
OUTER, INNER = 5, 4  # folds
DEPTHS, WIDTHS = (1, 2, 3), (4, 24)  # hidden layers; hidden units, from and to


def noise_search(n_settings: int, *, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return inner validation errors and outer held-out errors [outer folds, settings] of networks on coin flips.

    A setting is a ReLU network whose hidden layers are drawn, and stay; its last layer is fitted by least squares.
    The labels have nothing to do with the inputs, so that no network is right more often than half of the time.
    """
    X, y = rng.normal(size=(ROWS, N_IN)), rng.choice([-1.0, 1.0], ROWS)
    inner, outer = np.empty((OUTER, n_settings)), np.empty((OUTER, n_settings))
    for setting in range(n_settings):
        features = hidden(X, int(rng.choice(DEPTHS)), int(rng.integers(*WIDTHS)), rng)
        for fold, (rest, held_out) in enumerate(folds(np.arange(ROWS), OUTER)):
            pairs = folds(rest, INNER)
            inner[fold, setting] = np.mean([error(features, y, train, score) for train, score in pairs])
            outer[fold, setting] = error(features, y, rest, held_out)
    return inner, outer


def hidden(X: np.ndarray, depth: int, width: int, rng: np.random.Generator) -> np.ndarray:
    """Return what hidden layers that are drawn make of X, and a column of ones [rows, width + 1]."""
    for _ in range(depth):
        X = np.maximum(X @ rng.normal(size=(X.shape[1], width)) * (2 / X.shape[1]) ** 0.5 + rng.normal(size=width), 0)
    return np.column_stack([X, np.ones(len(X))])


def folds(rows: np.ndarray, n_folds: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield for each fold the rows that are not in it and those that are."""
    for fold in range(n_folds):
        held_out = np.arange(len(rows)) % n_folds == fold
        yield rows[~held_out], rows[held_out]


def error(features: np.ndarray, y: np.ndarray, train: np.ndarray, score: np.ndarray) -> float:
    """Return the share of the rows ``score`` that the least squares fit on the rows ``train`` gets wrong."""
    weights = np.linalg.lstsq(features[train], y[train], rcond=None)[0]
    return float(np.mean(np.sign(features[score] @ weights) != y[score]))


def search_dots(inner: np.ndarray, outer: np.ndarray) -> tuple[Figure, str]:
    """Return a figure of outer over inner errors, with the setting that each outer fold chooses, and its words."""
    figure, ax = plt.subplots(figsize=(6, 4))
    chosen = np.arange(len(inner)), inner.argmin(axis=1)
    ax.plot(inner.ravel(), outer.ravel(), ".", color=COLOURS["grey"], alpha=0.4, label="a network in an outer fold")
    ax.plot(inner[chosen], outer[chosen], "D", color=COLOURS["red"], label="chosen in its outer fold")
    ax.axhline(0.5, color=COLOURS["black"], linestyle=":", label="a coin")
    ax.set(xlabel="inner validation error", ylabel="outer held-out error")
    figure.legend(loc="outside lower center", ncols=3)
    figure.suptitle("What is chosen for a small inner error, and its outer error")
    pairs = ", ".join(f"{one:.2f} and {other:.2f}" for one, other in zip(inner[chosen], outer[chosen], strict=True))
    return figure, f"Inner and outer errors of the networks that the outer folds choose: {pairs}."
