"""Lesson 06's blanks: lines that no single mistake of the room is have the word that is true of them, or are right."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import softmax

from utils import pages
from utils.exercises import yours
from utils.lesson_06 import page  # noqa: F401 (which registers the blanks)


def said_of(capsys, key: str, line: str) -> str:
    """Return what a page says of a blank's line, in one line."""
    name = pages.blank(key).name
    arguments = ", ".join(ARGUMENTS[key])
    namespace = {"np": np, "softmax": softmax, "yours": yours}
    exec(f'def {name}({arguments}):\n    return {line}\n\n{name} = yours("{key}")', namespace)
    return " ".join(capsys.readouterr().out.split())


ARGUMENTS = {
    "06.scaled": ("Z", "gain"),
    "06.factors": ("gain", "n_in", "n_out"),
    "06.back": ("delta", "W", "u"),
    "06.uniform": ("bound", "n_in"),
    "06.direction": ("signals",),
    "06c.attention": ("Q", "K", "V"),
    "06c.apart": ("X",),
}
SINGULAR = "np.linalg.svd(signals, compute_uv=False)"


@pytest.mark.parametrize(
    ("key", "line", "words"),
    [
        ("06.scaled", "gain * np.sqrt(Z.shape[1]) * Z", "not times the right one"),
        ("06.scaled", "gain / np.sqrt(Z.shape[1])", "not Z times one number"),
        ("06.scaled", "gain / np.sqrt(len(Z[0])) * Z", "is right"),
        ("06.factors", "(gain**2 / 2) ** 0.5, (gain**2 / 2 * n_out / n_in) ** 0.5", "leave out the root"),
        ("06.factors", "n_in * gain**2 / 2, n_out * gain**2 / 2", "numbers of terms"),
        ("06.factors", "gain**2, gain**2 / 2 * n_out / n_in", "Backwards it is right"),
        ("06.factors", "gain**2 / 2, gain**2 * n_in / n_out", "Forwards it is right"),
        ("06.factors", "gain**2 / 2", "Two factors are wanted"),
        ("06.back", "(W @ delta) * np.tanh(u)", "W is not transposed"),
        ("06.back", "delta * (1 - np.tanh(u) ** 2)", "weights are missing"),
        ("06.back", "W.T @ delta * 1 - np.tanh(u) ** 2", "in brackets, and a *"),
        ("06.back", "(W.T @ delta) * np.mean(1 - np.tanh(u) ** 2)", "not tanh's slope at u"),
        ("06.back", "(delta @ W) * (1 - np.tanh(u) ** 2)", "Two factors are wanted"),
        ("06.back", "(W.T @ delta) / np.cosh(u) ** 2", "is right"),
        ("06.uniform", "bound * np.sqrt(n_in) / 3", "3 is not where it belongs"),
        ("06.uniform", "bound / np.sqrt(3 * n_in)", "n_in enters in the wrong way"),
        ("06.uniform", "np.sqrt(n_in / 3)", "bound is missing"),
        ("06.uniform", "bound**2 / 3", "has b² in it"),
        ("06.uniform", "(bound * n_in / 3) ** 0.5", "Two steps are wanted"),
        ("06.direction", f"{SINGULAR}[0] / np.sum(signals**2)", "A square is missing"),
        ("06.direction", f"{SINGULAR}[0]", "not a share yet"),
        ("06.direction", "np.max((signals**2).sum(axis=0)) / np.sum(signals**2)", "single unit"),
        ("06.direction", f"({SINGULAR}[0] / {SINGULAR}[1]) ** 2", "compares directions"),
        ("06.direction", f"{SINGULAR} ** 2 / np.sum(signals**2)", "One number is wanted"),
        ("06.direction", f"{SINGULAR}[0] ** 2 / np.sum(signals**2)", "is right"),
        ("06c.attention", "softmax(Q @ K.T / Q.shape[1], axis=1) @ V", "another number than √d"),
        ("06c.attention", "softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V", "axis=1"),
        ("06c.attention", "Q @ K.T / np.sqrt(Q.shape[1]) @ V", "There is no softmax"),
        ("06c.attention", "softmax(Q @ K.T / np.sqrt(Q.shape[1]), axis=1) * V", "V is not mixed yet"),
        ("06c.attention", "softmax(Q @ K / np.sqrt(Q.shape[1]), axis=1) @ V", "wrongly transposed"),
        ("06c.attention", "softmax(Q * K, axis=1) @ V", "Three steps are wanted"),
        ("06c.apart", "np.linalg.norm(X - X.mean(axis=1)) / np.linalg.norm(X)", "mean of all rows"),
        ("06c.apart", "np.linalg.norm(X - X.mean(axis=0)) / len(X)", "divide it by the norm of X"),
        ("06c.apart", "np.linalg.norm(X.mean(axis=0)) / np.linalg.norm(X)", "norm of the mean by itself"),
        ("06c.apart", "np.linalg.norm(X - X.mean(axis=0), 2) / np.linalg.norm(X, 2)", "another norm"),
        ("06c.apart", "X.std(axis=0) / np.linalg.norm(X)", "norm of what is left is missing"),
        ("06c.apart", "np.linalg.norm(X - 1) / np.linalg.norm(X)", "Two norms are wanted"),
    ],
)
def test_a_line_is_told_what_is_true_of_it(capsys, key, line, words):
    assert words in said_of(capsys, key, line)
