"""The compiled loop's own exp, tanh … against 40-digit arithmetic, and its bits on other processors."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import mpmath
import numpy as np
import pytest
from numba import njit

from utils.engine import compiled_mlp as compiled


def column(function):
    """A compiled function that applies `function` to every number of an array."""

    @njit
    def apply(numbers):
        results = np.empty_like(numbers)
        for k in range(numbers.size):
            results[k] = function(numbers[k])
        return results

    return apply


@njit
def normal_probability(x):
    return compiled.normal(x)[0]


@njit
def normal_density(x):
    return compiled.normal(x)[1]


def both_signs(low: float, high: float) -> np.ndarray:
    """Numbers of all magnitudes from low to high, and their negatives."""
    positive = np.exp(np.linspace(np.log(low), np.log(high), 1500))
    return np.concatenate([-positive, [0.0], positive])


# function, exact function, numbers, units in the last place that it may be off by
CASES = {
    "exponential": (compiled.exponential, mpmath.exp, both_signs(1e-9, 87), 2),
    "expm1": (compiled.expm1, mpmath.expm1, both_signs(1e-9, 87), 3),
    "tanh": (compiled.hyperbolic_tangent, mpmath.tanh, both_signs(1e-9, 50), 4),
    "logistic": (compiled.logistic, lambda x: 1 / (1 + mpmath.exp(-x)), both_signs(1e-9, 85), 4),
    "logarithm": (compiled.logarithm, mpmath.log, 1 + np.abs(both_signs(1e-3, 1e6)), 3),
    "log1p": (compiled.log1p_small, mpmath.log1p, np.abs(both_signs(1e-9, 1)), 3),
    "density": (normal_density, mpmath.npdf, both_signs(1e-9, 3), 8),
    "probability": (normal_probability, mpmath.ncdf, both_signs(1e-9, 3), 12),
}


@pytest.mark.parametrize("real", [np.float32, np.float64])
@pytest.mark.parametrize("name", CASES)
def test_functions_are_accurate(name, real):
    function, exact, numbers, units = CASES[name]
    numbers = numbers.astype(real)
    got = column(function)(numbers)
    assert got.dtype == real
    with mpmath.workdps(40):
        expected = [exact(mpmath.mpf(float(x))) for x in numbers]
        errors = [abs(mpmath.mpf(float(g)) - e) for g, e in zip(got, expected, strict=True)]
    allowed = units * np.spacing(np.abs(np.array([float(e) for e in expected], real)))
    worst = int(np.argmax(np.array(errors, float) / allowed))
    assert errors[worst] <= allowed[worst], (numbers[worst], got[worst], expected[worst])


@pytest.mark.parametrize("real", [np.float32, np.float64])
def test_tanh_is_odd_bounded_and_rising(real):
    numbers = np.linspace(0, 30, 100_001).astype(real)
    tanh = column(compiled.hyperbolic_tangent)
    np.testing.assert_array_equal(tanh(-numbers), -tanh(numbers))
    assert tanh(numbers).max() == 1 and (np.diff(tanh(numbers)) >= -np.finfo(real).eps).all()


@pytest.mark.parametrize("name", ["exponential", "expm1", "tanh", "logistic", "probability"])
def test_extremes_give_numbers_and_nan_stays_nan(name):
    function = column(CASES[name][0])
    assert np.isfinite(function(np.array([-np.inf, np.inf, 1e300, -1e300]))[:2]).all()
    assert np.isnan(function(np.array([np.nan]))).all()


TRAIN_AND_PRINT = """
import hashlib, torch
from torch import nn
from utils.training import train
def numbers(*shape):  # between -1 and 1, from integers alone
    return ((torch.arange(torch.Size(shape).numel()) * 7919 % 2003 - 1001) / 1024).reshape(shape)
digest = hashlib.sha256()
labels = torch.arange(333) * 31 % 4
for dtype in (torch.float32, torch.float64):
    for activation in (nn.ReLU, nn.Tanh, nn.GELU, nn.SiLU, nn.Sigmoid):
        for y in (labels, nn.functional.one_hot(labels).double()):
            layers = nn.Linear(3, 9), activation(), nn.Linear(9, 6), activation(), nn.Linear(6, 4)
            model = nn.Sequential(*layers)
            for parameter in model.to(dtype).parameters():
                parameter.data = numbers(*parameter.shape).to(dtype)
            X = 2 * numbers(333, 3)
            history = train(model, X, y, epochs=60, lr=0.02, schedule="cosine", progress=False)
            digest.update(history.loss.tobytes())
            for parameter in model.parameters():
                digest.update(parameter.detach().numpy().tobytes())
print(digest.hexdigest())
"""
# Found on a processor with AVX-512; the test below finds the same for others.
BITS = "30b2cb857a93e27d1e774fe4fef19f7ba2bb3992b80170da71196aa3aeb6c6ce"


def digest(**environment: str) -> str:
    """The digest of some trainings in a fresh process."""
    root = str(Path(__file__).parents[2])
    result = subprocess.run(
        [sys.executable, "-c", TRAIN_AND_PRINT],
        env={**os.environ, "PYTHONPATH": root, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return result.stdout.strip()


@pytest.mark.slow
def test_stored_bits_are_found_here():
    assert digest() == BITS


@pytest.mark.full
@pytest.mark.parametrize("name", ["generic", "nehalem", "haswell", "skylake-avx512"])
def test_bits_are_the_same_for_every_processor(tmp_path, name):
    """Numba compiles as it would there: from 4 numbers per instruction, no fused multiply-add, to 16 with."""
    if platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("these are names of x86 processors")
    if name == "skylake-avx512" and not _has_avx512():
        pytest.skip("this processor cannot run AVX-512")
    assert digest(NUMBA_CACHE_DIR=str(tmp_path), NUMBA_CPU_NAME=name, NUMBA_CPU_FEATURES="") == BITS


def _has_avx512() -> bool:
    import llvmlite.binding as llvm

    return bool(llvm.get_host_cpu_features().get("avx512f"))
