"""utils.least_squares against the usual Adam loop and against SciPy's MINPACK: seconds to an exact teacher.

Teachers of lesson 05: sizes [5, 5, 5, 5, 5, 1], tanh, no bias, weights N(0, 2²/n_in), 4,000 standard normal
inputs. Recovered means a mean squared error on 2,000 fresh points of at most 1e-20 of the targets' variance.
"""

import os
import statistics
import time
from typing import Any

import numpy as np
import scipy.optimize
import torch
from torch import Tensor, nn

from utils.data import split, teacher_data
from utils.least_squares import fit_with_restarts, levenberg_marquardt
from utils.models import mlp

SIZES = [5, 5, 5, 5, 5, 1]
RECOVERED = 1e-20  # held-out error, relative to the targets' variance
TARGET = 1e-24  # the same on the rows that are fitted, where the search ends
LIMIT = 60.0  # seconds for one teacher
ADAM_STEPS, ADAM_PIECE = 4 * 50_000, 300
ROWS = 500  # that MINPACK and the search work on


def measure(full: bool) -> dict[str, Any]:
    """Return seconds and errors of all three ways, on the same teachers in one run."""
    seeds = range(20) if full else range(5)
    _compile()
    teachers = [_recover(seed) for seed in seeds]
    seconds = [teacher["seconds"] for teacher in teachers]
    adam = ADAM_STEPS * statistics.median(_adam_seconds_per_step(seed) for seed in range(3))
    steps = _steps_per_second(2.0)
    minpack = [_minpack(seed, 20.0 if full else 3.0) for seed in (seeds if full else seeds[:2])]
    minpack_steps = statistics.median(run["steps_per_second"] for run in minpack)
    return {
        "cores": len(os.sched_getaffinity(0)),
        "teachers": teachers,
        "recovered": sum(t["relative_error"] <= RECOVERED and t["seconds"] <= LIMIT for t in teachers),
        "median_seconds": statistics.median(seconds),
        "adam_seconds_extrapolated": adam,
        "adam_over_median": adam / statistics.median(seconds),
        "steps_per_second_one_thread": steps,
        "minpack": minpack,
        "minpack_steps_per_second": minpack_steps,
        "steps_over_minpack": steps / minpack_steps,
    }


def show(figures: dict[str, Any]) -> str:
    """Return the figures as lines of text."""
    teachers, minpack = figures["teachers"], figures["minpack"]
    lines = [f"{'teacher':>7} {'seconds':>8} {'restarts':>8} {'steps':>8}  relative held-out error"]
    for t in teachers:
        lines.append(
            f"{t['seed']:>7} {t['seconds']:>8.1f} {t['restarts']:>8} {t['steps']:>8}  {t['relative_error']:.1e}"
        )
    found = sum(run["relative_error"] <= RECOVERED for run in minpack)
    return "\n".join(
        [
            *lines,
            f"recovered below {RECOVERED:g} within {LIMIT:g} s: {figures['recovered']} of {len(teachers)}, "
            f"{figures['cores']} cores",
            f"median {figures['median_seconds']:.1f} s; the usual Adam loop (4 x 50,000 steps, extrapolated from "
            f"{ADAM_PIECE} steps) {figures['adam_seconds_extrapolated']:.0f} s: "
            f"{figures['adam_over_median']:.0f} times as long",
            f"steps per second on {ROWS} rows, one thread: {figures['steps_per_second_one_thread']:.0f}; MINPACK with "
            f"the exact Jacobian {figures['minpack_steps_per_second']:.0f}: ratio {figures['steps_over_minpack']:.0f}",
            f"MINPACK with restarts recovered {found} of {len(minpack)} in {minpack[0]['limit']:g} s each",
        ]
    )


# --- this course's way ------------------------------------------------------------------------------------


def _teacher(seed: int) -> tuple[list[tuple[Tensor, Tensor]], torch.Generator]:
    generator = torch.Generator().manual_seed(seed)
    teacher = mlp(SIZES, "tanh", bias=False, init=("normal", 2.0), generator=generator).double()
    parts = split(teacher_data, 4000, 2000, generator=generator, teacher=teacher)
    return [(X, y.detach()) for X, y in parts], generator


def _student(generator: torch.Generator) -> nn.Sequential:
    return mlp(SIZES, "tanh", bias=False, init="normal", generator=generator).double()


def _relative_error(model: nn.Module, X: Tensor, y: Tensor) -> float:
    with torch.no_grad():
        return ((model(X) - y) ** 2).mean().item() / y.var().item()


def _compile() -> None:
    ((X, y), _), generator = _teacher(0)
    levenberg_marquardt([_student(generator)], X, y, max_steps=2)


def _recover(seed: int) -> dict[str, Any]:
    ((X, y), held_out), generator = _teacher(seed)
    fit = fit_with_restarts(_student, X, y, target=TARGET * y.var().item(), seconds=LIMIT, generator=generator)
    return {
        "seed": seed,
        "seconds": fit.seconds,
        "restarts": fit.restarts,
        "steps": fit.steps,
        "relative_error": _relative_error(fit.model, *held_out),
    }


def _steps_per_second(seconds: float) -> float:
    ((X, y), _), generator = _teacher(0)
    models, steps, start = [_student(generator) for _ in range(4)], 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        histories = levenberg_marquardt(models, X, y, max_steps=200, rows=ROWS, threads=1)
        steps += sum(history.steps for history in histories)
    return steps / (time.perf_counter() - start)


# --- the others -------------------------------------------------------------------------------------------


def _adam_seconds_per_step(seed: int) -> float:
    """Return of the usual loop: float32, all 4,000 points in every step, eager PyTorch."""
    ((X, y), _), generator = _teacher(seed)
    X, y, model = X.float(), y.float(), _student(generator).float()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for step in range(ADAM_PIECE + 50):
        if step == 50:  # the first steps warm up
            start = time.perf_counter()
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(X), y)
        loss.backward()
        optimizer.step()
    return (time.perf_counter() - start) / ADAM_PIECE


def _minpack(seed: int, limit: float) -> dict[str, Any]:
    """Return restarts of least_squares(method="lm") with the exact Jacobian, until recovered or out of time."""
    ((X, y), held_out), generator = _teacher(seed)
    rows, values = X[:ROWS].numpy().T, y[:ROWS].numpy().ravel()
    best, steps, restarts, start = None, 0, 0, time.perf_counter()
    while time.perf_counter() - start < limit:
        weights = np.concatenate([p.detach().numpy().ravel() for p in _student(generator).parameters()])
        found = scipy.optimize.least_squares(
            lambda w: _outputs(w, rows) - values,
            weights,
            lambda w: _jacobian(w, rows),
            method="lm",
            max_nfev=400,
            ftol=1e-15,
            xtol=1e-15,
            gtol=1e-15,
        )
        steps, restarts = steps + found.nfev, restarts + 1
        best = found if best is None or found.cost < best.cost else best
        if 2 * best.cost / ROWS <= TARGET * y.var().item():
            break
    spent = time.perf_counter() - start
    model = _student(generator)
    nn.utils.vector_to_parameters(torch.from_numpy(best.x), model.parameters())
    return {
        "seed": seed,
        "limit": limit,
        "seconds": spent,
        "restarts": restarts,
        "steps_per_second": steps / spent,
        "relative_error": _relative_error(model, *held_out),
    }


def _layers(weights: np.ndarray) -> list[np.ndarray]:
    layers, first = [], 0
    for n_in, n_out in zip(SIZES, SIZES[1:], strict=False):
        layers.append(weights[first : first + n_in * n_out].reshape(n_out, n_in))
        first += n_in * n_out
    return layers


def _outputs(weights: np.ndarray, X: np.ndarray) -> np.ndarray:
    for layer in _layers(weights)[:-1]:
        X = np.tanh(layer @ X)
    return (_layers(weights)[-1] @ X).ravel()


def _jacobian(weights: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Return [rows, weights]: back-propagation for all rows at once, in NumPy."""
    layers, values = _layers(weights), [X]
    for layer in layers[:-1]:
        values.append(np.tanh(layer @ values[-1]))
    delta, parts = np.ones((1, X.shape[1])), []
    for layer, below in zip(reversed(layers), reversed(values), strict=True):
        parts.append((delta[:, None] * below[None]).reshape(-1, X.shape[1]))
        delta = (layer.T @ delta) * (1 - below**2)
    return np.concatenate(parts[::-1]).T
