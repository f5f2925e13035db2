"""Proof of exercise 05.5."""

from __future__ import annotations

import math
import statistics

import numpy as np
import torch
from scipy.stats import ttest_1samp, ttest_ind, ttest_rel

from tests.proofs import Proof, Wrong

SAME, SHALLOW, UNCLEAR = "same shape", "shallow", "cannot tell"


def word(t, margin=2):
    return SAME if t > margin else SHALLOW if t < -margin else UNCLEAR


def in_plain_python(errors, parameters, target):
    columns = [list(map(float, column)) for column in zip(*errors, strict=True)]
    medians = [statistics.median(column) for column in columns]
    enough = sorted(p for p, median in zip(parameters, medians, strict=True) if median <= target)
    shallow = min(range(len(columns) - 1), key=medians.__getitem__)
    d = [math.log(a / b) for a, b in zip(columns[shallow], columns[-1], strict=True)]
    t = statistics.fmean(d) / statistics.stdev(d) * math.sqrt(len(d))
    return int(enough[0]) if enough else 0, t, word(t)


def by_scipy(errors, parameters, target):
    """The lead is Student's t of paired samples."""
    order = np.argsort(parameters)
    enough = [parameters[place] for place in order if np.median(errors[:, place]) <= target]
    best = errors[:, np.median(errors[:, :-1], axis=0).argmin()]
    t = ttest_rel(np.log10(best), np.log10(errors[:, -1])).statistic
    return [int((enough + [0])[0]), t, word(t)]


def in_torch(errors, parameters, target):
    errors, parameters = torch.as_tensor(errors), torch.as_tensor(parameters)
    medians = errors.quantile(0.5, dim=0)
    enough = parameters[medians <= target]
    d = (errors[:, medians[:-1].argmin()] / errors[:, -1]).log()
    t = d.mean() / d.std() * len(d) ** 0.5
    return enough.min() if len(enough) else 0, t, word(t)


def lead_of(lead):
    """The right answer with another lead: ``lead`` takes the best shallow student's errors, the others and all."""

    def answer(errors, parameters, target):
        medians = np.median(errors, axis=0)
        t = lead(errors[:, medians[:-1].argmin()], errors[:, -1], errors)
        return in_plain_python(errors, parameters, target)[0], t, word(t)

    return answer


def against(shallow):
    return lead_of(lambda best, same, errors: ttest_rel(np.log(shallow(errors)), np.log(same)).statistic)


def fewest_of(fewest):
    def answer(errors, parameters, target):
        return fewest(errors, parameters, target), *in_plain_python(errors, parameters, target)[1:]

    return answer


def by_seeds(statistic):
    """The smallest student by another statistic of the seeds than the median."""

    def fewest(errors, parameters, target):
        found = [p for p, column in zip(parameters, errors.T, strict=True) if statistic(column) <= target]
        return min(found, default=0)

    return fewest_of(fewest)


def reached(errors, parameters, target):
    return [int(p) for p, column in zip(parameters, errors.T, strict=True) if np.median(column) <= target]


def least_error(errors, parameters, target):
    medians = np.median(errors, axis=0)
    return parameters[medians.argmin()] if medians.min() <= target else 0


def place(errors, parameters, target):
    found = in_plain_python(errors, parameters, target)[0]
    return parameters.tolist().index(found) if found else 0


def first_place(errors, parameters, target):
    good = np.flatnonzero(np.median(errors, axis=0) <= target)
    return good[0] if len(good) else 0


def all_by_means(errors, parameters, target):
    fewest = min(parameters[errors.mean(axis=0) <= target], default=0)
    return fewest, *against(lambda errors: errors[:, errors.mean(axis=0)[:-1].argmin()])(errors, parameters, target)[1:]


def against_largest(errors, parameters, target):
    return against(lambda errors: errors[:, parameters[:-1].argmax()])(errors, parameters, target)


def best_of_all(errors, parameters, target):
    with np.errstate(invalid="ignore"):
        d = np.log(errors[:, np.median(errors, axis=0).argmin()]) - np.log(errors[:, -1])
        t = d.mean() / (d.std(ddof=1) / math.sqrt(len(d)))
    return in_plain_python(errors, parameters, target)[0], t, word(t)


def judging(judge):
    def answer(errors, parameters, target):
        fewest, t, _ = in_plain_python(errors, parameters, target)
        return fewest, t, judge(t)

    return answer


def then(change):
    return lambda *given: change(*in_plain_python(*given))


PROOF = Proof(
    "05.5",
    right={"plain Python": in_plain_python, "SciPy": by_scipy, "torch": in_torch},
    wrong=[
        Wrong("off by one", lead_of(lambda best, same, errors: np.log(best / same).mean()
                                    / np.log(best / same).std() * len(same) ** 0.5), "divides by n, NumPy's default"),
        Wrong("mean", by_seeds(np.mean), "the median is asked for"),
        Wrong("best by mean", against(lambda errors: errors[:, errors.mean(axis=0)[:-1].argmin()]),
              "the median is asked for"),
        Wrong("all by means", all_by_means, "the median is asked for"),
        Wrong("best seed", by_seeds(np.min), "that is luck"),
        Wrong("worst seed", by_seeds(np.max), "only if all of its seeds"),
        Wrong("first seed", by_seeds(lambda column: column[0]), "The first seed alone"),
        Wrong("largest", fewest_of(lambda *given: max(reached(*given), default=0)), "largest student that reaches"),
        Wrong("least error", fewest_of(least_error), "student with the smallest error"),
        Wrong("least error always", fewest_of(lambda errors, parameters, target:
              parameters[np.median(errors, axis=0).argmin()]), "student with the smallest error"),
        Wrong("first in the list", fewest_of(lambda *given: (reached(*given) + [0])[0]), "first student in the list"),
        Wrong("shallow alone", fewest_of(lambda errors, parameters, target: min(
            reached(errors[:, :-1], parameters[:-1], target), default=0)), "among the shallow students alone"),
        Wrong("place", fewest_of(place), "place in the list"),
        Wrong("first place", fewest_of(first_place), "place in the list"),
        Wrong("errors", lead_of(lambda best, same, errors: ttest_rel(best, same).statistic), "Take logarithms first"),
        Wrong("best of each seed", against(lambda errors: errors[:, :-1].min(axis=1)), "luck chooses anew"),
        Wrong("last shallow one", against(lambda errors: errors[:, -2]), "another shallow student"),
        Wrong("first student", against(lambda errors: errors[:, 0]), "another shallow student"),
        Wrong("mean of all", against(lambda errors: np.exp(np.log(errors[:, :-1]).mean(axis=1))),
              "another shallow student"),
        Wrong("largest shallow one", against_largest, "largest shallow student for the best"),
        Wrong("best of all", best_of_all, "compared with itself"),
        Wrong("unpaired", lead_of(lambda best, same, errors: ttest_ind(np.log(best), np.log(same), equal_var=False)
                                  .statistic), "two separate groups"),
        Wrong("deviation", lead_of(lambda best, same, errors: np.log(best / same).mean()
                                   / np.log(best / same).std(ddof=1)), "its standard error is the deviation divided"),
        Wrong("mean alone", lead_of(lambda best, same, errors: np.log(best / same).mean()), "mean of the differences:"),
        Wrong("counted", lead_of(lambda best, same, errors: ((best > same).sum() - (best < same).sum())
                                 / math.sqrt(len(same))), "You count the seeds"),
        Wrong("turned round", lead_of(lambda best, same, errors: ttest_1samp(np.log(same / best), 0).statistic),
              "The wrong way round"),
        Wrong("verdict turned round", judging(lambda t: word(-t)), "The wrong way round"),
        Wrong("no margin", judging(lambda t: word(t, 0)), "whoever is ahead wins"),
        Wrong("one standard error", judging(lambda t: word(t, 1)), "one of three experiments"),
        Wrong("same or not", judging(lambda t: SAME if t > 2 else UNCLEAR), "three verdicts"),
        Wrong("same or shallow", judging(lambda t: SAME if t > 2 else SHALLOW), "three verdicts"),
        Wrong("two alone", then(lambda fewest, t, text: (fewest, text)), "Return three things"),
        Wrong("other words", then(lambda fewest, t, text: (fewest, t, text == SAME)), "Return three things"),
        Wrong("three standard errors", judging(lambda t: word(t, 4)), "The two numbers are right"),
        Wrong("largest difference", lead_of(lambda best, same, errors: np.log(best / same).max()), "the lead is not"),
        Wrong("upper quartile", by_seeds(lambda column: np.quantile(column, 0.75)),
              "Lead and verdict are right"),
    ],
    unforeseen={
        "always the same shape": judging(lambda t: SAME),
        "never sure": judging(lambda t: UNCLEAR),
        "ratios": lead_of(lambda best, same, errors: ttest_1samp(best / same, 1).statistic),
        "median over deviation": lead_of(lambda best, same, errors: np.median(np.log(best / same))
                                         / np.log(best / same).std(ddof=1) * len(same) ** 0.5),
        "one seed fewer": lambda errors, parameters, target: in_plain_python(errors[1:], parameters, target),
        "lower quartile": by_seeds(lambda column: np.quantile(column, 0.25)),
        "seeds minus one": lead_of(lambda best, same, errors: np.log(best / same).mean()
                                   / np.log(best / same).std(ddof=1) * (len(same) - 2) ** 0.5),
        "half of the target": lambda errors, parameters, target: in_plain_python(errors, parameters, target / 2),
        "worst shallow one": against(lambda errors: errors[:, :-1].max(axis=1)),
        "parameters in thousands": then(lambda fewest, t, text: (fewest / 1000, t, text)),
    },
)
