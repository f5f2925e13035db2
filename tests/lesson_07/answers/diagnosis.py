"""Answers to exercise 07.1, right and wrong."""

from __future__ import annotations

import statistics

import numpy as np

from tests.answers import AnswerSuite, Wrong


def in_plain_python(training, unseen, classes, shallow):
    fit, error = (statistics.median(errors.tolist()[-5:]) for errors in (training, unseen))
    if classes * fit > 0.9 * (classes - 1):
        return "blind"
    if fit <= 0.01:
        return "healthy" if error - shallow <= 0.01 else "worse"
    return "slow"


def by_sorting(training, unseen, classes, shallow):
    fit, error = (np.sort(errors[-5:])[2] for errors in (training, unseen))
    answers = ["healthy", "worse"][int(error > shallow + 0.01)], "slow", "blind"
    return answers[int(fit > 0.01) + int(fit > 0.9 - 0.9 / classes)]


def by_quantile(training, unseen, classes, shallow):
    """A student's questions in another order, each with all of its conditions."""
    fit, error = np.quantile([training[-5:], unseen[-5:]], 0.5, axis=1)
    if 0.01 < fit <= 0.9 * (1 - 1 / classes):
        return "slow"
    if fit <= 0.01 and error <= shallow + 0.01:
        return "healthy"
    return "worse" if fit <= 0.01 else "blind"


def by_a_window(start, stop=None, of=np.median, share=0.9):
    """Another window at the end, or another share of the error of guessing."""

    def answer(training, unseen, classes, shallow):
        fit, error = of(training[start:stop]), of(unseen[start:stop])
        if fit > share * (1 - 1 / classes):
            return "blind"
        if fit > 0.01:
            return "slow"
        return "worse" if error > shallow + 0.01 else "healthy"

    return answer


def renamed(**words):
    return lambda *given: words.get(by_sorting(*given), by_sorting(*given))


SUITE = AnswerSuite(
    "07.1",
    right={
        "plain Python": in_plain_python,
        "sorted": by_sorting,
        "quantile": by_quantile,
        "a window": by_a_window(-5),
        "a list's window": lambda t, u, c, s: by_a_window(len(t) - 5, len(t), statistics.median)(
            list(t), list(u), c, s
        ),
    },
    wrong=[
        Wrong("other words", renamed(worse="overfitted"), "letter by letter"),
        Wrong("no median", lambda t, u, c, s: by_sorting(t[-1:].repeat(5), u[-1:].repeat(5), c, s), "another error at"),
        Wrong("last three", by_a_window(-3), "median over the last five"),
        Wrong("last four", by_a_window(-4), "median over the last five"),
        Wrong("last six", by_a_window(-6), "median over the last five"),
        Wrong("last seven", by_a_window(-7), "median over the last five"),
        Wrong("without the last", by_a_window(-5, -1), "the very last one included"),
        Wrong("more than guessing", by_a_window(-5, share=1), "only if it misses more than guessing"),
        Wrong("gap", lambda t, u, c, s: by_sorting(t, u, c, np.median(t[-5:])), "nearly always a gap"),
    ],
    unforeseen={
        "off by one": lambda t, u, c, s: by_sorting(t, u, c - 1, s) if c > 2 else "slow",
        "exchanged": renamed(blind="slow", slow="blind"),
        "all trained are healthy": renamed(worse="healthy"),
        "no slow ones": renamed(slow="blind"),
        "first epochs": lambda t, u, c, s: by_sorting(t[:5], u[:5], c, s),
        "shallow twice": lambda t, u, c, s: by_sorting(t, u, c, 2 * s),
    },
)
