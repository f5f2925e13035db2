"""Estimates and intervals, against formulas, exact enumeration and coverage."""

import itertools
import math
import subprocess
import sys
import tracemalloc
import warnings
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from utils import statistics
from utils.statistics import Estimate, mean, median, proportion, three_digits

NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=12)


@pytest.fixture(autouse=True)
def warnings_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_median_interval_is_the_exact_bootstrap_distributions():
    """All 5⁵ resamples, counted, instead of a sample of them."""
    values = [1.0, 2.0, 4.0, 8.0, 16.0]
    medians = [np.median(sample) for sample in itertools.product(values, repeat=5)]
    exact = np.quantile(medians, [0.1, 0.9])
    estimate = median(values, confidence=0.8)
    assert (estimate.value, estimate.low, estimate.high) == (4.0, *exact)


@pytest.mark.slow
def test_median_interval_covers_at_its_level():
    source = np.random.default_rng(5)
    samples = source.exponential(size=(200, 25))
    hits = sum(e.low <= math.log(2) <= e.high for e in map(median, samples))
    assert scipy.stats.binomtest(hits, 200, 0.95).pvalue > 1e-3


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_order_statistics_enclose_the_median_as_closely_as_their_coverage_allows(confidence):
    """Against sums of binomial coefficients: the rank is the largest whose interval covers with `confidence`."""
    for n in range(1, 60):
        values = np.random.default_rng(n).permutation(n) + 1  # the k-th smallest is k
        tails = [Fraction(sum(math.comb(n, i) for i in range(k)), 2**n) for k in range(n + 1)]
        enough = [k for k in range(n // 2 + 1) if 1 - 2 * tails[k] >= confidence]
        estimate = median(values, confidence=confidence, method="order")
        k = max(enough)
        wanted = (k, n + 1 - k) if k else (-math.inf, math.inf)
        assert (estimate.value, estimate.low, estimate.high) == ((n + 1) / 2, *wanted), n


def test_order_statistics_say_nothing_before_6_values_or_11():
    for least, confidence in ((6, 0.95), (11, 0.999)):
        few, enough = (median(range(n), confidence=confidence, method="order") for n in (least - 1, least))
        assert (few.low, few.high) == (-math.inf, math.inf)
        assert (enough.low, enough.high) == (0, least - 1)


@pytest.mark.parametrize("confidence", [0.95, 0.999])
@pytest.mark.parametrize("n", [11, 20])
def test_order_statistics_cover_exactly_at_their_level_whatever_the_distribution(n, confidence):
    """Simulated for a skewed distribution; no less with ties, where the median of the rounded values is 1."""
    samples = np.random.default_rng(n).exponential(size=(4000, n))
    hits = sum(e.low <= math.log(2) <= e.high for e in _by_order(samples, confidence))
    rank = median(np.arange(n), confidence=confidence, method="order").low + 1
    exact = 1 - 2 * scipy.stats.binom.cdf(rank - 1, n, 0.5)
    assert exact >= confidence
    assert scipy.stats.binomtest(hits, len(samples), exact).pvalue > 1e-3
    hits = sum(e.low <= 1 <= e.high for e in _by_order(np.ceil(samples), confidence))
    assert hits >= exact * len(samples)


def _by_order(samples, confidence):
    return [median(sample, confidence=confidence, method="order") for sample in samples]


def test_median_is_the_same_each_time():
    values = np.random.default_rng(1).normal(size=40)
    levels = np.linspace(0.1, 0.99, 12)  # so many that two different resamplings could not agree on all
    first, second = ([median(values, confidence=level) for level in levels] for _ in range(2))
    assert first == second


def test_the_global_numpy_generator_is_left_alone():
    before = np.random.get_state()[1].copy()
    median([1, 2, 3])
    assert (before == np.random.get_state()[1]).all()


@pytest.mark.slow
def test_many_values_do_not_need_much_memory():
    tracemalloc.start()
    median(np.arange(5_001))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6  # all resamples at once would be 400 MB


@given(NUMBERS)
@settings(max_examples=30)
@example([2.5371666798996737e-89] * 2)  # whose quantile, interpolated, is one bit above them
@example([-0.11] * 2)  # whose lower one is above them, and whose upper one below
def test_the_value_lies_in_its_interval(values):
    of_order = median(values, method="order")
    for estimate, center in ((median(values), np.median), (of_order, np.median), (mean(values), np.mean)):
        assert estimate.value == center(values)
        assert estimate.low <= estimate.value <= estimate.high


def test_mean_interval_is_students():
    values = [0.2, 0.5, 0.9, 1.4]
    t = 3.182446305284263  # the 97.5 % quantile of Student's t with 3 degrees of freedom
    half = t * math.sqrt(sum((v - 0.75) ** 2 for v in values) / 3) / 2
    estimate = mean(values)
    assert (estimate.low, estimate.high) == pytest.approx((0.75 - half, 0.75 + half), rel=1e-12)
    theirs = scipy.stats.ttest_1samp(values, 0).confidence_interval(0.99)
    ours = mean(values, confidence=0.99)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), rel=1e-12)


@given(st.integers(1, 500), st.data(), st.sampled_from([0.8, 0.95, 0.999]))
@settings(max_examples=50)
def test_proportion_solves_wilsons_equation(n, data, confidence):
    """At both limits p, |successes/n − p| is z standard errors, each of them computed with p itself."""
    successes = data.draw(st.integers(0, n))
    estimate = proportion(successes, n, confidence=confidence)
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1
    z = scipy.stats.norm.ppf((1 + confidence) / 2)
    for p in (estimate.low, estimate.high):
        distance = (estimate.value - p) ** 2
        assert distance == pytest.approx(z**2 * p * (1 - p) / n, rel=1e-6, abs=1e-9)


def test_proportion_is_not_clopper_pearsons():
    estimate = proportion(19, 20)
    assert (estimate.low, estimate.high) == pytest.approx((0.7638687, 0.9911193), abs=1e-6)


def test_one_value_tells_nothing_about_its_spread():
    for estimate in (median([0.5]), mean([0.5])):
        assert estimate == Estimate(0.5, -math.inf, math.inf)
        assert str(estimate) == "0.5 [no interval from so few values]"


def test_lists_arrays_and_tensors_are_the_same():
    values = [0.5, 1.5, 4.0]
    tensors = [torch.tensor(v) for v in values]
    assert median(values) == median(np.array(values)) == median(torch.tensor(values)) == median(tensors)


@pytest.mark.parametrize(
    "number, text",
    [
        (0.0312345, "0.0312"),
        (-0.0, "0"),
        (-1e-30, "-1e-30"),
        (1.0, "1"),
        (999.7, "1,000"),
        (1234.5, "1,230"),
        (-42310, "-42,300"),
        (999_900, "1e+06"),
        (123_456_789, "1.23e+08"),
        (4.5e-7, "4.5e-07"),
        (0.5, "0.5"),
    ],
)
def test_three_digits(number, text):
    assert three_digits(number) == text


@given(st.floats(-1e300, 1e300))
def test_at_most_three_digits_are_printed(number):
    text = three_digits(number)
    assert float(text.replace(",", "")) == pytest.approx(number, rel=0.0051, abs=1e-300)
    mantissa = text.lstrip("-").split("e")[0].replace(",", "").replace(".", "").lstrip("0").rstrip("0")
    assert len(mantissa) <= 3


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda: median([]), ValueError, ["values", "(0,)", "at least one"]),
        (lambda: median([[1, 2]]), ValueError, ["values", "(1, 2)"]),
        (lambda: median([1, math.nan, 2, math.nan]), ValueError, ["values[1]", "nan", "2 of 4", "diverged"]),
        (lambda: mean([1, math.inf]), ValueError, ["values[1]", "inf"]),
        (lambda: median(["high", "low"]), TypeError, ["values", "'high'", "numbers"]),
        (lambda: median(None), ValueError, ["values"]),
        (lambda: median(torch.ones(2, requires_grad=True)), TypeError, ["values", "numbers"]),
        (lambda: median([1, 2], confidence=95), ValueError, ["confidence", "95", "0.95"]),
        (lambda: median([1, 2], confidence="95%"), TypeError, ["confidence", "95%"]),
        (lambda: median([1, 2], method="exact"), ValueError, ["method", "'exact'", "'order'"]),
        (lambda: proportion(3, 2), ValueError, ["successes", "3", "2"]),
        (lambda: proportion(-1, 2), ValueError, ["successes", "-1"]),
        (lambda: proportion(0, 0), ValueError, ["n is 0"]),
        (lambda: proportion(0.5, 2), TypeError, ["successes", "0.5"]),
    ],
)
def test_bad_input_names_the_argument(call, error, words):
    with pytest.raises(error) as caught:
        call()
    assert all(word in str(caught.value) for word in words), str(caught.value)


@pytest.mark.slow
def test_statistics_and_utils_do_not_load_torch():
    code = "import sys, utils, utils.statistics; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
    assert statistics.RESAMPLES > 1000


@pytest.mark.parametrize(
    ("estimate", "said"),
    [
        ((0.349, 0.338, 0.359), "about 0.35"),
        ((83.2, 47.3, 293), "about 83"),
        ((1.154, 1.11, 1.16), "about 1.15"),
        ((-0.00825, -0.0205, 0.0102), "about -0.008"),
        ((2.07e-6, 3.9e-8, 2.5e-5), "about 2e-06"),
        ((12, 12, 12), "12"),
        ((12345.6, 12000, 12600), "about 12,300"),
        ((0.5, -math.inf, math.inf), "about 0.5"),
        ((0, -1, 1), "about 0"),
    ],
)
def test_a_sentence_has_as_many_digits_as_are_certain(estimate, said):
    assert Estimate(*estimate).rounded == said
