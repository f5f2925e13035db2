"""Estimates with intervals, and one way to print them.

An estimate reads "0.031 [0.024, 0.039]". Intervals are at 95 % unless told otherwise. A run that diverged is no
number: it is refused here, so that a report of the rest says so.
"""

import functools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.stats

from utils.checks import one_of, real_number, whole_number

RESAMPLES = 9_999  # SciPy's default; the Monte Carlo error of a 95 % limit is then about 1 % of the interval
ELEMENTS_AT_ONCE = 1_000_000  # 8 MB of resampled values


@dataclass(frozen=True)
class Estimate:
    """A value with its interval [low, high], which is infinite when the value comes from too few numbers."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        if math.isinf(self.low) and math.isinf(self.high):
            return f"{three_digits(self.value)} [no interval from so few values]"
        return f"{three_digits(self.value)} [{three_digits(self.low)}, {three_digits(self.high)}]"

    @property
    def rounded(self) -> str:
        """Return the value to as many digits, at most three, as its interval leaves certain, as "about 0.35".

        "about 83" for 83.2 [47.3, 293]: two digits wherever the sign is certain; one where it is not.
        """
        wide, size = (self.high - self.low) / 2, abs(self.value)
        if wide == 0 or size == 0:
            return ("about " if wide else "") + three_digits(self.value)
        least = 2 if self.low * self.high > 0 else 1
        certain = 2 if math.isinf(wide) else 1 + math.floor(math.log10(size)) - math.floor(math.log10(wide))
        value = float(f"{self.value:.{min(max(certain, least), 3) - 1}e}")
        if not 1e-4 <= abs(value) < 1e6:
            return f"about {self.value:.0e}"
        return "about " + (f"{value:,.0f}" if abs(value) >= 1000 else np.format_float_positional(value, trim="-"))


def median(values: Any, *, confidence: float = 0.95, method: str = "bootstrap") -> Estimate:
    """Return the median and its interval.

    values: n numbers, list, array or tensor. method: "bootstrap" is the percentile bootstrap (Efron &
    Tibshirani 1993, section 13.3), always with the same resampling; with fewer than about
    ten values the interval is too narrow, with one it is infinite. "order" is the sign test's interval, from
    the k-th smallest to the k-th largest value: as the count on one side of the median is binomial, it
    covers the median of any distribution with at least the stated probability. It is infinite where n is too
    small for that: below 6 values at 95 %, below 11 at 99.9 %.
    Raises TypeError or ValueError when a value is missing, NaN or infinite, or an argument out of range.
    """
    one_of("method", method, ("bootstrap", "order"))
    numbers, level = _numbers("values", values), _checked_confidence(confidence)
    return _between_order_statistics(numbers, level) if method == "order" else _bootstrap(numbers, level)


def mean(values: Any, *, confidence: float = 0.95) -> Estimate:
    """Return the mean and Student's interval, mean ± t·s/√n: exact for normal values, close for many others.

    values: n numbers, list, array or tensor; one value has an infinite interval.
    Raises TypeError or ValueError when a value is missing, NaN or infinite, or an argument out of range.
    """
    numbers = _numbers("values", values)
    level = _checked_confidence(confidence)
    middle = float(numbers.mean())
    if len(numbers) == 1:
        return Estimate(middle, -math.inf, math.inf)
    standard_error = numbers.std(ddof=1) / math.sqrt(len(numbers))
    half = scipy.stats.t.ppf((1 + level) / 2, len(numbers) - 1) * standard_error
    return Estimate(middle, float(middle - half), float(middle + half))


def proportion(successes: int, n: int, *, confidence: float = 0.95) -> Estimate:
    """Return the share successes/n and Wilson's interval, which stays within [0, 1] (Wilson 1927).

    Raises TypeError or ValueError unless 0 ≤ successes ≤ n and n ≥ 1 are whole numbers.
    """
    successes, n = whole_number("successes", successes, least=0), whole_number("n", n)
    if successes > n:
        raise ValueError(f"successes is {successes}: wanted at most n, which is {n}")
    level = _checked_confidence(confidence)
    limits = scipy.stats.binomtest(successes, n).proportion_ci(level, method="wilson")
    return Estimate(successes / n, float(limits.low), float(limits.high))


def three_digits(number: float) -> str:
    """Return a number with at most three significant digits: "0.0312", "1,230", "4.5e-07"."""
    rounded = float(f"{number:.3g}") + 0.0  # the sum turns -0.0 into 0.0
    if 1000 <= abs(rounded) < 1e6:
        return f"{rounded:,.0f}"
    return f"{rounded:.3g}"


def _bootstrap(numbers: np.ndarray, level: float) -> Estimate:
    value = float(np.median(numbers))
    if len(numbers) == 1:
        return Estimate(value, -math.inf, math.inf)
    limits = scipy.stats.bootstrap(
        (numbers,),
        np.median,
        n_resamples=RESAMPLES,
        batch=max(1, ELEMENTS_AT_ONCE // len(numbers)),
        confidence_level=level,
        method="percentile",
        rng=np.random.default_rng(0),
    ).confidence_interval
    # SciPy interpolates as (1 - g)·a + g·b, which for a = b is at times one bit beside them, and a may be the value.
    return Estimate(value, min(float(limits.low), value), max(float(limits.high), value))


def _between_order_statistics(numbers: np.ndarray, level: float) -> Estimate:
    rank, ordered = _sign_test_rank(len(numbers), level), np.sort(numbers)
    low, high = (ordered[rank - 1], ordered[-rank]) if rank else (-math.inf, math.inf)
    return Estimate(float(np.median(numbers)), float(low), float(high))


@functools.cache
def _sign_test_rank(n: int, level: float) -> int:
    """Return the largest k such that at least k of n values lie on each side of the median with probability `level`.

    The k-th smallest and the k-th largest value then enclose it. 0 where no k is enough.
    """
    fewer = scipy.stats.binom.cdf(np.arange((n + 1) // 2), n, 0.5)  # the probability of at most 0, 1, … on one side
    return int(np.searchsorted(fewer, (1 - level) / 2, side="right"))


def _numbers(name: str, values: Any) -> np.ndarray:
    try:
        numbers = np.asarray(values, dtype=float)
    except (TypeError, ValueError, RuntimeError):
        raise TypeError(f"{name} is {values!r}: wanted a list of numbers") from None
    if numbers.ndim != 1 or len(numbers) == 0:
        raise ValueError(f"{name} has shape {numbers.shape}: wanted a list of at least one number")
    bad = np.flatnonzero(~np.isfinite(numbers))
    if len(bad):
        raise ValueError(
            f"{name}[{bad[0]}] is {numbers[bad[0]]}, and {len(bad)} of {len(numbers)} are not finite: "
            "wanted finite numbers; leave out runs that diverged, and say how many"
        )
    return numbers


def _checked_confidence(confidence: float) -> float:
    level = real_number("confidence", confidence, above=0)
    if level >= 1:
        raise ValueError(f"confidence is {confidence!r}: wanted a share between 0 and 1, such as 0.95")
    return level
