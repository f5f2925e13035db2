"""Answers to exercise 06.6, right and wrong."""

from __future__ import annotations

import numpy as np
import scipy.linalg
import torch

from tests.answers import AnswerSuite, Wrong


def with_rows(make):
    """The way for wide matrices, from a way for tall and square ones."""

    def answer(normal, gain):
        wide = normal.shape[1] > normal.shape[0]
        made = make(normal.T if wide else normal)
        return gain * (made.T if wide else made)

    return answer


def by_loop(columns):
    made = []
    for column in columns.T:
        left = column.copy()
        for one in made:
            left -= (one @ left) * one
        made.append(left / np.sqrt(left @ left))
    return np.stack(made, axis=1)


def by_cholesky(columns):
    """Z L^{-T}, where Z^T Z = L L^T."""
    return scipy.linalg.solve_triangular(np.linalg.cholesky(columns.T @ columns), columns.T, lower=True).T


def in_torch(columns):
    q, r = torch.linalg.qr(torch.as_tensor(columns).float())
    return (q * r.diagonal().sign()).numpy()


def qr(columns):
    return np.linalg.qr(columns)[0]


def shadows(on, length=1.0):
    """Shadows on some of the columns that are made, all at once, of another length."""

    def make(columns):
        made = columns[:, :1] / np.linalg.norm(columns[:, 0])
        for column in columns.T[1:]:
            left = column - length * made[:, on] @ (made[:, on].T @ column)
            made = np.column_stack([made, left / np.linalg.norm(left)])
        return made

    return with_rows(make)


SUITE = AnswerSuite(
    "06.6",
    right={"loop": with_rows(by_loop), "cholesky": with_rows(by_cholesky), "torch": with_rows(in_torch)},
    wrong=[
        Wrong("off by one", shadows(slice(-1, None)), "the one before it alone"),
        Wrong("signs of Q's diagonal", with_rows(lambda z: qr(z) * np.sign(np.diag(qr(z)))), "Right but for signs"),
        Wrong("no gain", lambda z, gain: with_rows(by_loop)(z, 1.0), "not as long as the gain"),
        Wrong("singular vectors", with_rows(lambda z: np.linalg.svd(z, full_matrices=False)[0]), "not those of these"),
        Wrong("columns alone", lambda z, gain: gain * by_loop(z), "make its rows so"),
    ],
    unforeseen={
        "gain squared": lambda z, gain: gain * with_rows(by_loop)(z, gain),
        "over √columns": lambda z, gain: with_rows(by_loop)(z, gain) / z.shape[1] ** 0.5,
        "shadows added": shadows(slice(None), -1.0),
        "from the last": with_rows(lambda z: by_loop(z[:, ::-1])[:, ::-1]),
        "shadow on the first alone": shadows(slice(1)),
        "half of each shadow": shadows(slice(None), 0.5),
    },
)
