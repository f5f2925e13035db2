"""Proof of exercise 06.6."""

from __future__ import annotations

import numpy as np
import scipy.linalg
import torch

from tests.proofs import Proof, Wrong


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


def by_projection(columns):
    """What is left of each column behind a least-squares fit by those before it."""
    made = []
    for k, column in enumerate(columns.T):
        before = columns[:, :k]
        left = column - before @ np.linalg.lstsq(before, column, rcond=None)[0] if k else column
        made.append(left / np.linalg.norm(left))
    return np.column_stack(made)


def qr(columns):
    return np.linalg.qr(columns)[0]


def polar(columns):
    values, vectors = np.linalg.eigh(columns.T @ columns)
    return columns @ vectors @ np.diag(values**-0.5) @ vectors.T


def signs_on_rows(columns):
    q, r = np.linalg.qr(columns)
    return q * np.sign(np.diag(r))[:, None]


def with_shadows(shadows):
    def make(columns):
        made = []
        for k, column in enumerate(columns.T):
            left = column - sum((shadow(column, one) for shadow, one in shadows(columns, made, k)), 0 * column)
            made.append(left / np.linalg.norm(left))
        return np.stack(made, axis=1)

    return make


def shadow_on(column, one):
    return (column @ one) / (one @ one) * one


def half_shadow(column, one):
    return shadow_on(column, one) / 2


def left_over(columns):
    made = []
    for column in columns.T:
        made.append(column - sum((shadow_on(column, one) for one in made), 0 * column))
    return np.stack(made, axis=1)


def normalised_last(in_turn):
    """Shadows as on columns of length 1, on columns that are normalised only when all of them are made."""

    def make(columns):
        made = []
        for column in columns.T:
            left = column
            for one in made:
                left = left - ((left if in_turn else column) @ one) * one
            made.append(left)
        return np.stack([left / np.linalg.norm(left) for left in made], axis=1)

    return make


def scaled(change):
    return lambda normal, gain: change(with_rows(by_loop)(normal, 1.0), gain, *normal.shape)


def too_many_columns(normal, gain):
    """Columns even where there are more than can be perpendicular, and all of which nothing is left is 0 / 0."""
    rows, columns = normal.shape
    made = np.full((rows, columns), np.nan)
    made[:, :rows] = by_loop(normal[:, :rows])
    return gain * made


PROOF = Proof(
    "06.6",
    right={"loop": with_rows(by_loop), "cholesky": with_rows(by_cholesky), "torch": with_rows(in_torch),
           "projection": with_rows(by_projection)},
    wrong=[
        Wrong("off by one", with_rows(with_shadows(lambda columns, made, k: [(shadow_on, one) for one in made[-1:]])),
              "the one before it alone"),
        Wrong("signs of QR", with_rows(qr), "Right but for signs"),
        Wrong("signs of Q's diagonal", with_rows(lambda z: qr(z) * np.sign(np.diag(qr(z)))), "Right but for signs"),
        Wrong("minus", scaled(lambda q, g, *_: -g * q), "Right but for signs"),
        Wrong("signs of rows", with_rows(signs_on_rows), "multiply its rows"),
        Wrong("signs of rows of square ones",
              with_rows(lambda z: signs_on_rows(z) if len(z) == z.shape[1] else in_torch(z)), "multiply its rows"),
        Wrong("no gain", scaled(lambda q, g, *_: q), "gain is missing"),
        Wrong("gain squared", scaled(lambda q, g, *_: g**2 * q), "neither squared nor its root"),
        Wrong("root of the gain", scaled(lambda q, g, *_: g**0.5 * q), "neither squared nor its root"),
        Wrong("over √columns", scaled(lambda q, g, rows, columns: g * q / columns**0.5), "Independent weights"),
        Wrong("over √rows", scaled(lambda q, g, rows, columns: g * q / rows**0.5), "Independent weights"),
        Wrong("polar", with_rows(polar), "nearest to `normal`"),
        Wrong("singular vectors", with_rows(lambda z: np.linalg.svd(z, full_matrices=False)[0]), "singular vectors"),
        Wrong("unit columns", with_rows(lambda z: z / np.linalg.norm(z, axis=0)), "the shadows are missing"),
        Wrong("unit columns of wide ones", lambda z, gain: gain * z / np.linalg.norm(z, axis=0),
              "the shadows are missing"),
        Wrong("unit rows", with_rows(lambda z: z / np.linalg.norm(z, axis=1)[:, None]), "along the wrong axis"),
        Wrong("from the last", with_rows(lambda z: by_loop(z[:, ::-1])[:, ::-1]), "begin with the last"),
        Wrong("rows of square ones", lambda z, gain: gain * (by_loop(z) if len(z) > z.shape[1] else by_loop(z.T).T),
              "take the rows of square"),
        Wrong("not normalised", with_rows(left_over), "still have the lengths"),
        Wrong("shadows on given columns",
              with_rows(with_shadows(lambda columns, made, k: [(shadow_on, one) for one in columns.T[:k]])),
              "as they were given"),
        Wrong("normalised last", with_rows(normalised_last(in_turn=False)), "do not yet have length 1"),
        Wrong("in turn, normalised last", with_rows(normalised_last(in_turn=True)), "do not yet have length 1"),
        Wrong("left transposed", lambda z, gain: gain * by_loop(z if len(z) >= z.shape[1] else z.T), "is transposed"),
        Wrong("complete", with_rows(lambda z: np.linalg.qr(z, mode="complete")[0]), "as many columns as rows"),
        Wrong("wide by QR", lambda z, gain: gain * in_torch(z), "as many columns as rows"),
        Wrong("too many columns", too_many_columns, "nan or inf"),
        Wrong("flat", lambda z, gain: with_rows(by_loop)(z, gain).ravel(), "Return one matrix"),
    ],
    unforeseen={
        "half of each shadow": with_rows(with_shadows(lambda columns, made, k: [(half_shadow, one) for one in made])),
        "shadow on the first alone":
            with_rows(with_shadows(lambda columns, made, k: [(shadow_on, one) for one in made[:1]])),
        "Gaussian": lambda z, gain: gain * z / np.sqrt(z.shape[1]),
        "as it is": lambda z, gain: gain * z,
        "divided by the norm": lambda z, gain: gain * z / np.linalg.norm(z),
        "divided by the largest singular value": lambda z, gain: gain * z / np.linalg.norm(z, 2),
        "gain twice": scaled(lambda q, g, *_: 2 * g * q),
        "reversed": with_rows(lambda z: by_loop(z)[:, ::-1]),
        "cayley": lambda z, gain: gain * np.eye(*z.shape),
        "over the number of rows": scaled(lambda q, g, rows, columns: g * q / rows),
    },
)
