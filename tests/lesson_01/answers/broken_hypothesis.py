"""Answers to exercise 01.5, right and wrong."""

from __future__ import annotations

import numpy as np
import torch

from tests.answers import AnswerSuite, Wrong


def is_zero(numbers):
    return bool(np.abs(numbers).max() < 1e-8)


def by_fits(x, target, networks, fitted, tolerance):
    """In torch, with a parabola fitted and the odd part taken away, of the widest network alone."""
    x, target, g = (torch.as_tensor(part) for part in (x, target, networks[-1]))
    parabolas = torch.stack([x**0, x, x**2], dim=1)
    no_parabola = g - parabolas @ torch.linalg.lstsq(parabolas, g[:, None]).solution[:, 0]
    error = (g - target).abs()
    signs = {
        "none": error.max() <= tolerance,
        "polynomial activation": no_parabola.abs().max() < 1e-6,
        "no bias": (g + g.flip(0)).abs().max() < 1e-6,
        "not compact": error[x.abs() <= fitted[1] + 1e-9].max() <= tolerance,
    }
    return next((name for name, holds in signs.items() if holds), "discontinuous target")


def by_statistics(x, target, networks, fitted, tolerance):
    """By how the errors go with the width, and by what the networks do at single points."""
    errors = [[abs(g - f) for g, f in zip(row, target, strict=True)] for row in networks.tolist()]
    jump = max(abs(b - a) for a, b in zip(target, target[1:], strict=False))
    if max(errors[-1]) <= tolerance:
        return "none"
    if abs(networks[0] - networks[-1]).max() < 1e-8:
        return "polynomial activation"
    if all(abs(np.mean(row**3)) < 1e-9 for row in networks):
        return "no bias"
    if jump > 1 and all(max(row) > 0.35 * jump for row in errors) and np.mean(errors[-1]) < 0.5 * np.mean(errors[0]):
        return np.str_("discontinuous target")
    return "not compact"


def ruled(**other):
    """By what errors and networks look like, with some ``other`` ideas of what to look at."""
    look = {
        "failed": lambda x, f, g, tolerance: np.abs(g[-1] - f).max() > tolerance,
        "polynomial": lambda x, f, g: is_zero(np.diff(g, n=3, axis=1)),
        "odd": lambda x, f, g: is_zero(g + g[:, ::-1]),
        "jumps": lambda x, f, g: np.abs(np.diff(f)).max() > 1,
        **other,
    }

    def answer(x, target, networks, fitted, tolerance):
        if not look["failed"](x, target, networks, tolerance):
            return "none"
        if look["polynomial"](x, target, networks):
            return "polynomial activation"
        if look["odd"](x, target, networks):
            return "no bias"
        return "discontinuous target" if look["jumps"](x, target, networks) else "not compact"

    return answer


by_rules = ruled()


def by_the_jump_first(x, target, networks, fitted, tolerance):
    """In another order, since one reason alone is at work; slopes of parabolas are polynomials of degree 1."""
    if np.allclose(networks[-1], target, rtol=0, atol=tolerance):
        return "none"
    if np.ptp(np.stack([target[1:], target[:-1]]), axis=0).max() > 0.7:
        return "discontinuous target"
    if np.allclose(networks[:, ::-1], -networks, rtol=0, atol=1e-7):
        return "no bias"
    slopes = np.gradient(networks, x, axis=1)[:, 1:-1]
    lines = np.polynomial.polynomial.polyfit(x[1:-1], slopes.T, 1)
    is_polynomial = np.allclose(np.polynomial.polynomial.polyval(x[1:-1], lines), slopes, rtol=0, atol=1e-6)
    return "polynomial activation" if is_polynomial else "not compact"


def in_plain_python(x, target, networks, fitted, tolerance):
    """By the errors alone for "not compact", and by single points for the rest."""
    widest, wanted = networks[-1].tolist(), target.tolist()
    off = [place for place, g, f in zip(x.tolist(), widest, wanted, strict=True) if abs(g - f) > tolerance]
    if not off:
        return "none"
    if all(place < fitted[0] or place > fitted[1] for place in off):
        return "not compact"
    if all(abs(widest[60 + i] + widest[60 - i]) < 1e-8 for i in range(61)):
        return "no bias"
    thirds = [widest[i + 3] - 3 * widest[i + 2] + 3 * widest[i + 1] - widest[i] for i in range(118)]
    return "polynomial activation" if max(map(abs, thirds)) < 1e-8 else "discontinuous target"


def errors(target, networks):
    """The largest error of each width."""
    return np.abs(networks - target).max(axis=1)


def reasons_before_errors(x, target, networks, fitted, tolerance):
    """Looks for a broken hypothesis, and at the errors only where it finds none."""
    if is_zero(np.diff(networks, n=3, axis=1)):
        return "polynomial activation"
    if is_zero(networks + networks[:, ::-1]):
        return "no bias"
    return "not compact" if fitted[1] < x[-1] else by_rules(x, target, networks, fitted, tolerance)


def looked_farther(x, target, networks, fitted, tolerance):
    """Calls it "not compact" wherever they looked farther out and something failed."""
    answer = by_rules(x, target, networks, fitted, tolerance)
    return "not compact" if answer != "none" and x[-1] > fitted[1] else answer


SUITE = AnswerSuite(
    "01.5",
    right={
        "rules": by_rules,
        "fits": by_fits,
        "statistics": by_statistics,
        "the jump first": by_the_jump_first,
        "in plain Python": in_plain_python,
    },
    wrong=[
        Wrong("off by one", ruled(polynomial=lambda x, f, g: is_zero(np.diff(g, n=2, axis=1))), "activation is z²"),
        Wrong("reasons before errors", reasons_before_errors, "without harm"),
        Wrong(
            "half the tolerance",
            ruled(failed=lambda x, f, g, tolerance: np.abs(g[-1] - f).max() > tolerance / 2),
            "and only then",
        ),
        Wrong("the target is odd", ruled(odd=lambda x, f, g: is_zero(f + f[::-1])), "without any bias"),
        Wrong(
            "without outliers",
            ruled(failed=lambda x, f, g, tolerance: np.quantile(np.abs(g[-1] - f), 0.95) > tolerance),
            "few points",
        ),
        Wrong(
            "whatever width fits",
            ruled(failed=lambda x, f, g, tolerance: errors(f, g).min() > tolerance),
            "and only then",
        ),
        Wrong("odd to the tolerance", ruled(odd=lambda x, f, g: np.abs(g + g[:, ::-1]).max() < 0.1), "every pair"),
        Wrong("all are 0 at 0", ruled(odd=lambda x, f, g: is_zero(g[:, 60])), "Being 0 at x = 0"),
        Wrong("any change jumps", ruled(jumps=lambda x, f, g: np.abs(np.diff(f)).max() > 0.05), "where is it off"),
        Wrong("no jumps", ruled(jumps=lambda x, f, g: False), "near a single place"),
        *[
            Wrong(
                f"the widest network jumps by {least}",
                ruled(jumps=lambda x, f, g, least=least: np.abs(np.diff(g[-1])).max() > least),
                "Look at the target itself",
            )
            for least in (0.4, 0.7, 1)
        ],
        Wrong(
            "no more than two points are off",
            ruled(jumps=lambda x, f, g: (np.abs(g[-1] - f) > 0.12).sum() <= 2),
            "Look at the target itself",
        ),
        Wrong("looked farther out", looked_farther, "is not the reason here"),
        Wrong("capitals", lambda *given: by_rules(*given).capitalize(), "letter by letter"),
    ],
    unforeseen={
        "the errors must fall": ruled(
            failed=lambda x, f, g, tolerance: errors(f, g)[-1] > max(1e-6, 0.9 * errors(f, g)[0])
        ),
        "any width": ruled(failed=lambda x, f, g, tolerance: np.abs(g - f).max() > tolerance),
        "mean error": ruled(failed=lambda x, f, g, tolerance: np.abs(g[-1] - f).mean() > tolerance),
        "the ends": ruled(failed=lambda x, f, g, tolerance: np.abs(g[-1] - f)[[0, -1]].max() > tolerance),
        "a polynomial target": ruled(polynomial=lambda x, f, g: is_zero(np.diff(f, n=3))),
        "no parabolas": ruled(polynomial=lambda x, f, g: False),
    },
)
