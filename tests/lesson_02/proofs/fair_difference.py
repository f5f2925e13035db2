"""Proof of exercise 02.7."""

from __future__ import annotations

import math
import statistics

import numpy as np
import torch
import xarray as xr

from tests.proofs import Proof, Wrong
from utils.comparison import best_rate


def best_column(table, middle=np.median):
    """The usable rate with the best middle over the seeds."""
    usable = [j for j in range(table.shape[1]) if not np.isnan(table[:, j]).any()]
    return max(usable, key=lambda j: middle(table[:, j]))


def in_numpy(deep, deep_test, shallow, shallow_test):
    return np.median(deep_test[:, best_column(deep)] - shallow_test[:, best_column(shallow)])


def in_plain_python(deep, deep_test, shallow, shallow_test):
    def scores(validation, held_out):
        medians = {}
        for rate, column in enumerate(zip(*validation.tolist(), strict=True)):
            if not any(math.isnan(value) for value in column):
                medians[rate] = statistics.median(column)
        best = sorted(medians, key=medians.get)[-1]
        return [row[best] for row in held_out.tolist()]

    pairs = zip(scores(deep, deep_test), scores(shallow, shallow_test), strict=True)
    return statistics.median([a - b for a, b in pairs])


def in_torch(deep, deep_test, shallow, shallow_test):
    chosen = []
    for table, test in ((deep, deep_test), (shallow, shallow_test)):
        medians = torch.quantile(torch.as_tensor(table), 0.5, dim=0).nan_to_num(-math.inf)
        chosen.append(torch.as_tensor(test)[:, medians.argmax()])
    return (chosen[0] - chosen[1]).quantile(0.5)


def by_masking(deep, deep_test, shallow, shallow_test):
    """Columns that hold a nan are taken out of both tables first."""

    def clean(table, test):
        whole = np.isfinite(table).all(axis=0)
        table, test = table[:, whole], test[:, whole]
        return test[np.arange(len(test)), np.median(table, axis=0).argmax()]

    return float(np.median(clean(deep, deep_test) - clean(shallow, shallow_test)))


def with_the_courses_help(deep, deep_test, shallow, shallow_test):
    chosen = []
    for table, test in ((deep, deep_test), (shallow, shallow_test)):
        scores = xr.DataArray([table, test], {"rate": range(table.shape[1])}, ["part", "seed", "rate"])
        chosen.append(scores[1].sel(rate=best_rate(scores[0], larger_is_better=True)))
    return np.median(chosen[0] - chosen[1])


def with_rates(pick, middle=np.median):
    """The comparison with another way to choose: ``pick`` takes a validation table and a held-out table."""

    def answer(deep, deep_test, shallow, shallow_test):
        return middle(deep_test[:, pick(deep, deep_test)] - shallow_test[:, pick(shallow, shallow_test)])

    return answer


def at_one_rate(of_deep):
    def answer(deep, deep_test, shallow, shallow_test):
        rate = best_column(deep if of_deep else shallow)
        return np.median(deep_test[:, rate] - shallow_test[:, rate])

    return answer


def filled(value):
    """Tables with a number in the place of nan."""
    return lambda *given: in_numpy(*[np.nan_to_num(table, nan=value) for table in given])


def rate_for_each_seed(deep, deep_test, shallow, shallow_test):
    rows = np.arange(len(deep))
    worst = [np.where(np.isnan(table).any(axis=0), -1, table) for table in (deep, shallow)]
    deep_scores, shallow_scores = deep_test[rows, worst[0].argmax(1)], shallow_test[rows, worst[1].argmax(1)]
    return np.median(deep_scores - shallow_scores)


def best_of_each_seed(deep, deep_test, shallow, shallow_test):
    best = [np.where(np.isnan(table).any(axis=0), -1, table).max(axis=1) for table in (deep_test, shallow_test)]
    return np.median(best[0] - best[1])


def unpaired(deep, deep_test, shallow, shallow_test):
    return np.median(deep_test[:, best_column(deep)]) - np.median(shallow_test[:, best_column(shallow)])


def of_maxima(deep, deep_test, shallow, shallow_test):
    return deep_test[:, best_column(deep)].max() - shallow_test[:, best_column(shallow)].max()


def seeds_dropped(*given):
    whole = np.all([~np.isnan(table).any(axis=1) for table in given], axis=0)
    return in_numpy(*[table[whole] for table in given])


def differences(deep, deep_test, shallow, shallow_test):
    return deep_test[:, best_column(deep)] - shallow_test[:, best_column(shallow)]


def out_for_both(deep, deep_test, shallow, shallow_test):
    left = ~(np.isnan(deep) | np.isnan(shallow)).any(axis=0)
    return in_numpy(*[table[:, left] for table in (deep, deep_test, shallow, shallow_test)])


def place_among_the_rest(table, test):
    left = ~np.isnan(table).any(axis=0)
    return np.median(table[:, left], axis=0).argmax()


def zeros_chosen(table, test):
    return np.median(np.nan_to_num(table), axis=0).argmax()


PROOF = Proof(
    "02.7",
    right={"NumPy": in_numpy, "plain Python": in_plain_python, "torch": in_torch, "masking": by_masking,
           "best_rate": with_the_courses_help, "an array of one": lambda *tables: np.array([in_numpy(*tables)]),
           "float32": lambda *tables: in_numpy(*[table.astype(np.float32) for table in tables])},
    wrong=[
        Wrong("off by one", lambda *given: in_numpy(*[table[:, :-1] for table in given]), "One rate is left out"),
        Wrong("held-out chose", with_rates(lambda table, test: best_column(test)), "no longer held out"),
        Wrong("the deep one's rate", at_one_rate(True), "best for the deep one"),
        Wrong("the shallow one's rate", at_one_rate(False), "best for the shallow one"),
        Wrong("best run's rate", with_rates(lambda table, test: best_column(table, np.max)), "one lucky seed"),
        Wrong("a rate for each seed", rate_for_each_seed, "for each seed anew"),
        Wrong("best held-out score of each seed", best_of_each_seed, "has not seen the held-out data"),
        Wrong("maxima", of_maxima, "compares the best seeds"),
        Wrong("all maxima", lambda a, b, c, d: np.nanmax(b) - np.nanmax(d), "compares the best seeds"),
        Wrong("largest difference", lambda *given: differences(*given).max(), "most favourable seed"),
        Wrong("not paired", unpaired, "seed by seed first"),
        Wrong("mean", lambda *given: differences(*given).mean(), "mean of the differences"),
        Wrong("mean chose", with_rates(lambda table, test: best_column(table, np.mean)), "mean over the seeds chose"),
        Wrong("means", with_rates(lambda table, test: best_column(table, np.mean), np.mean),
              "mean over the seeds chose"),
        Wrong("smallest", with_rates(lambda table, test: best_column(-table)), "larger is better"),
        Wrong("validation reported", lambda a, b, c, d: in_numpy(a, a, c, c), "differences of validation scores"),
        Wrong("all rates", lambda a, b, c, d: np.nanmedian(b - d), "one rate for each network first"),
        Wrong("three digits", lambda *given: round(float(in_numpy(*given)), 3), "through by hand"),
        Wrong("nan chosen", with_rates(lambda table, test: np.median(table, axis=0).argmax()), "is nan"),
        Wrong("nan skipped", with_rates(lambda table, test: np.nanmedian(table, axis=0).argmax(), np.nanmedian),
              "are left out here"),
        Wrong("nan skipped in choosing", with_rates(lambda table, test: np.nanmedian(table, axis=0).argmax()),
              "are left out here"),
        Wrong("nan as 0", filled(0.0), "counts as 0"),
        Wrong("nan as 0 in choosing", with_rates(zeros_chosen), "counts as 0"),
        Wrong("nan as 0, then skipped", with_rates(zeros_chosen, np.nanmedian), "counts as 0"),
        Wrong("out for both", out_for_both, "not for the other one"),
        Wrong("place among the rest", with_rates(place_among_the_rest), "Your index counts only"),
        Wrong("rows for columns", lambda *given: in_numpy(*[table.T for table in given]), "Rows are taken"),
        Wrong("percent", lambda *given: 100 * in_numpy(*given), "in percent"),
        Wrong("seeds dropped", seeds_dropped, "keep all seeds"),
        Wrong("sign", lambda a, b, c, d: in_numpy(c, d, a, b), "deep minus shallow"),
        Wrong("all differences", differences, "Return one number"),
    ],
    unforeseen={
        "a ratio": lambda a, b, c, d: np.median(b[:, best_column(a)] / d[:, best_column(c)]),
        "the size": lambda *given: abs(in_numpy(*given)) + 1e-4,
        "to two digits": lambda *given: round(float(in_numpy(*given)), 2) + 1e-5,
        "the upper quartile": lambda *given: np.quantile(differences(*given), 0.75),
        "the spread": lambda *given: differences(*given).std(),
        "the smallest difference": lambda *given: differences(*given).min(),
        "the first rate": with_rates(lambda table, test: 0),
        "the last usable rate": with_rates(lambda table, test: max(
            j for j in range(table.shape[1]) if not np.isnan(table[:, j]).any())),
        "a score above others' medians": with_rates(lambda table, test: best_column(table, np.min)),
        "the seed with the best score": lambda a, b, c, d: (
            b[a[:, best_column(a)].argmax(), best_column(a)] - d[c[:, best_column(c)].argmax(), best_column(c)]),
        "half": lambda *given: in_numpy(*given) / 2,
    },
)
