"""Shapes compared under terms that the reader chooses: what is held equal, which start, which learning rates.

Spirals at matched parameters, the grid of the fair-fight lab, and a comparison of others done over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import torch
import xarray as xr
from torch import nn
from tqdm.auto import tqdm

from utils.axes import over
from utils.comparison import HELD_OUT, UNSEEN, VALIDATION, Sweep, at_best_rate, best_rate, sweep
from utils.data import checkerboard, spirals, split, swirl
from utils.models import mlp, mlp_flops, width_for_flops, width_for_parameters
from utils.statistics import Estimate, median
from utils.training import History, train_ensemble
from utils.types import Array, Data, Part

RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
DEPTHS = (1, 3, 5)

# --- spirals ----------------------------------------------------------------------------------------------

SPIRAL_BUDGETS = (152, 1037)  # parameters that widths at all three depths come within 4 % of
SPIRAL_TURNS, SPIRAL_NOISE = 2.0, 0.08
SPIRAL_TRAINING = {"epochs": 400, "batch_size": 200, "schedule": "one-cycle"}  # 2,000 steps


def spiral_parts(*, generator: torch.Generator) -> list[Part]:
    """Three parts of two interleaved spirals: 1,000 points to train on, 2,000 to choose with, 4,000 to report."""
    return split(spirals, 1000, 2000, 4000, generator=generator, turns=SPIRAL_TURNS, noise=SPIRAL_NOISE)


def spiral_sizes(budget: int, depth: int) -> list[int]:
    """The sizes of a network for the spirals: `depth` equal hidden layers, at most `budget` parameters."""
    return [2, *[width_for_parameters(budget, depth, 2, 2)] * depth, 2]


def measure_spirals(seeds: Sequence[int]) -> Data:
    """accuracy by seed, budget, depth, rate and part, of which two are recorded; PyTorch's own start."""

    def accuracy(budget: int, depth: int) -> xr.DataArray:
        build = partial(mlp, spiral_sizes(budget, depth))
        swept = sweep(build, spiral_parts, seeds=seeds, lrs=RATES, progress=False, **SPIRAL_TRAINING)
        return swept.scores().sel(part=UNSEEN)

    return over(accuracy, budget=SPIRAL_BUDGETS, depth=DEPTHS).to_dataset(name="accuracy")


@cache
def spiral_bayes_accuracy() -> float:
    """The accuracy of the best of all classifiers on the spirals, by numerical integration over angle and radius.

    At angle φ an arm passes at the positions p = (φ + 2πk)/(2π·turns) in [0, 1], where its points have the
    radius 2p plus a normal error; a negative radius is the same point at the opposite angle.
    """
    angle, radius = np.linspace(0, 2 * np.pi, 720, endpoint=False), np.linspace(0, 2.6, 1301)
    density = [_arm_density(angle - arm * np.pi, radius) for arm in (0, 1)]
    share = np.maximum(*density).sum() / (density[0] + density[1]).sum()
    return float(share)


def _arm_density(angle: Array, radius: Array) -> Array:
    """An arm's density in angle and radius, up to a factor: [angles, radii]."""
    total = np.zeros((len(angle), len(radius)))
    for side, sign in ((0.0, 1), (np.pi, -1)):
        turned = np.remainder(angle - side, 2 * np.pi) / (2 * np.pi)
        for wrap in range(int(np.ceil(SPIRAL_TURNS))):
            position = (turned + wrap) / SPIRAL_TURNS
            distance = sign * radius[None] - 2 * position[:, None]
            total += np.where(position[:, None] <= 1, np.exp(-((distance / SPIRAL_NOISE) ** 2) / 2), 0)
    return total


def train_on_spirals(
    budget: int, rates: Mapping[int, float], seeds: Sequence[int]
) -> dict[int, tuple[list[nn.Module], list[History]]]:
    """By depth the networks, one for each seed, each with data of its own, and their histories.

    rates: by depth. Data and initial weights are those of the same seed in `measure_spirals`.
    """
    trained = {}
    for depth, rate in rates.items():
        parts = [spiral_parts(generator=_seeded(2 * seed)) for seed in seeds]
        models = [mlp(spiral_sizes(budget, depth), generator=_seeded(2 * seed + 1)) for seed in seeds]
        (X, y), (X_val, y_val) = ([torch.stack([pairs[k][i] for pairs in parts]) for i in (0, 1)] for k in (0, 1))
        options = {"lr": rate, "validation": (X_val, y_val), "progress": False, **SPIRAL_TRAINING}
        trained[depth] = models, train_ensemble(models, X, y, **options)
    return trained


def _seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


# --- the fair-fight lab: what can be chosen ----------------------------------------------------------------

TASKS: dict[str, Callable[..., Part]] = {
    "swirl": swirl,
    "checkerboard 3": partial(checkerboard, frequency=3),
    "checkerboard 5": partial(checkerboard, frequency=5),
}
STARTS = {"zero biases": 0.0, "random biases": 0.5}  # standard deviation of the biases; weights are He's
TUNINGS = {
    "0.001 for everybody": (0.001,),  # Adam's usual rate
    "0.01 for everybody": (0.01,),
    "the best of six, 0.001 to 0.3": RATES,
}
BUDGET = 2552  # parameters that widths at depth 1, 3 and 5 come within 1.2 % of
STEP_FLOPS = mlp_flops([2, 34, 34, 34, 2]).step  # what the three-layer network of that budget costs per point
SAME_WIDTH = 24  # the five-layer network's
BATCH, EPOCHS = 200, 150  # of 4,000 points: 20 steps per epoch, 3,000 in all

# Microseconds per step of the networks at BUDGET on one core of one machine, the terms of "equal seconds": `clocks`
# measures them, and two claims say how equal the seconds are. The course's compiled trainer works through wide layers
# slowly; a plain PyTorch loop pays for every layer that it calls.
COMPILED_STEP = {1: 46, 3: 29, 5: 32}
PYTORCH_STEP = {1: 621, 3: 513, 5: 653}


def _as_long(step: Mapping[int, float]) -> dict[int, int]:
    """Epochs by depth, to the nearest five, that take as long as EPOCHS of the fastest shape."""
    return {depth: 5 * round(EPOCHS * min(step.values()) / (5 * time)) for depth, time in step.items()}


@dataclass(frozen=True)
class Run:
    """A shape and for how long it is trained: `depth` hidden layers of `width` units, `epochs`."""

    depth: int
    width: int
    epochs: int = EPOCHS

    @property
    def sizes(self) -> list[int]:
        return [2, *[self.width] * self.depth, 2]

    def __str__(self) -> str:
        return f"{self.depth} × {self.width}, {self.epochs} epochs"


def _runs(width: Callable[[int], int], epochs: Mapping[int, int] | None = None) -> dict[int, Run]:
    return {depth: Run(depth, width(depth), (epochs or {}).get(depth, EPOCHS)) for depth in DEPTHS}


def _at_budget(depth: int) -> int:
    return width_for_parameters(BUDGET, depth, 2, 2)


PARAMETERS, FLOPS = "parameters and steps", "FLOPs and steps"
CLOCK, CLOCK_PYTORCH = "parameters and seconds, compiled trainer", "parameters and seconds, PyTorch loop"
EQUAL: dict[str, dict[int, Run]] = {
    "width and steps": _runs(lambda depth: SAME_WIDTH),
    PARAMETERS: _runs(_at_budget),
    FLOPS: _runs(lambda depth: width_for_flops(STEP_FLOPS, depth, 2, 2)),
    CLOCK: _runs(_at_budget, _as_long(COMPILED_STEP)),
    CLOCK_PYTORCH: _runs(_at_budget, _as_long(PYTORCH_STEP)),
}
RUNS = {str(run): run for runs in EQUAL.values() for run in runs.values()}  # each once


# --- measuring --------------------------------------------------------------------------------------------


def task_parts(task: str, *, generator: torch.Generator) -> list[Part]:
    """Three parts of one of TASKS: 4,000 points to train on, 2,000 to choose with, 4,000 to report."""
    return split(TASKS[task], 4000, 2000, 4000, generator=generator)


def fight(task: str, start: str, run: Run, seeds: Sequence[int], lrs: Sequence[float] = RATES) -> Sweep:
    """One shape on one of TASKS from one of STARTS, with every rate from every seed."""
    build = partial(mlp, run.sizes, init="he", bias_std=STARTS[start])
    options = {"epochs": run.epochs, "batch_size": BATCH, "schedule": "one-cycle", "progress": False}
    return sweep(build, partial(task_parts, task), seeds=seeds, lrs=lrs, **options)


def measure_fair(seeds: Sequence[int], tasks: Iterable[str] = TASKS, starts: Iterable[str] = STARTS) -> Data:
    """accuracy by seed, task, start, run, rate and part, of which two are recorded."""

    def accuracy(task: str, start: str, run: str) -> xr.DataArray:
        return fight(task, start, RUNS[run], seeds).scores().sel(part=UNSEEN)

    return over(accuracy, task=tasks, start=starts, run=RUNS).to_dataset(name="accuracy")


# --- judging ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choice:
    """What the lab's reader chooses: one of TASKS, EQUAL, STARTS and TUNINGS each."""

    task: str
    equal: str
    start: str
    tuning: str


@dataclass(frozen=True)
class Fighter:
    """One shape's outcome: held-out accuracies by seed, with the rate chosen on validation data.

    validation: the median over the seeds by rate, for the rates tried; NaN where a run diverged.
    """

    run: Run
    validation: xr.DataArray
    rate: float
    held_out: xr.DataArray

    @property
    def at_edge(self) -> bool:
        """Whether the rate is the smallest or the largest of several tried: a better one may lie beyond."""
        rates = self.validation["rate"]
        return len(rates) > 2 and self.rate in (rates.min(), rates.max())

    @property
    def estimate(self) -> Estimate:
        return median(self.held_out, method="order")


def fighter(run: Run, scores: xr.DataArray) -> Fighter:
    """A shape's outcome from scores by seed, rate and part."""
    validation = scores.sel(part=VALIDATION)
    rate = best_rate(validation, larger_is_better=True)
    return Fighter(run, validation.median("seed", skipna=False), rate, scores.sel(part=HELD_OUT, rate=rate))


def fighters(data: Data, choice: Choice) -> dict[int, Fighter]:
    """By depth what the choice makes of what `measure_fair` returns."""
    cell = data["accuracy"].sel(task=choice.task, start=choice.start, rate=[*TUNINGS[choice.tuning]])
    return {depth: fighter(run, cell.sel(run=str(run))) for depth, run in EQUAL[choice.equal].items()}


def difference(of: Mapping[int, Fighter], deep: int, shallow: int) -> Estimate:
    """The deep shape's held-out accuracy minus the shallow one's, seed by seed: the median and its interval."""
    return median(of[deep].held_out - of[shallow].held_out, method="order")


def verdict(difference: Estimate) -> str:
    """What a difference in accuracy, deep minus shallow, says in words."""
    if np.isinf(difference.low):
        return f"too few seeds to say: {difference}"
    if difference.low > 0:
        return f"deeper is better by {difference}"
    if difference.high < 0:
        return f"shallower is better by {Estimate(-difference.value, -difference.high, -difference.low)}"
    return f"no difference seen: {difference}"


def again(choice: Choice, seeds: Sequence[int]) -> dict[int, Fighter]:
    """The same as `fighters`, measured now: three shapes, each with the rates of the choice, from these seeds."""
    lrs, outcome = TUNINGS[choice.tuning], {}
    for run in tqdm(EQUAL[choice.equal].values(), desc="shapes", leave=False):
        outcome[run.depth] = fighter(run, fight(choice.task, choice.start, run, seeds, lrs).scores())
    return outcome


# --- somebody else's comparison ----------------------------------------------------------------------------

FOUND = {  # (depth, width): 502, 1,362, 1,362 and 453 parameters
    "one layer of 100": (1, 100),
    "one layer of 272": (1, 272),
    "four layers of 20": (4, 20),
    "four layers of 11": (4, 11),
}


def found_parts(*, generator: torch.Generator) -> list[Part]:
    """Three parts of a checkerboard of frequency 3: 2,000 points to train on, 2,000 to choose with, 4,000 to report."""
    return split(checkerboard, 2000, 2000, 4000, generator=generator, frequency=3)


def measure_found(seeds: Sequence[int]) -> Data:
    """accuracy by seed, network, rate and part: 2,000 steps of Adam on all points, PyTorch's start."""

    def accuracy(network: str) -> xr.DataArray:
        depth, width = FOUND[network]
        build = partial(mlp, [2, *[width] * depth, 2])
        swept = sweep(build, found_parts, seeds=seeds, lrs=RATES, epochs=2000, progress=False)
        return swept.scores().sel(part=UNSEEN)

    return over(accuracy, network=FOUND).to_dataset(name="accuracy")


# --- reading what was measured ----------------------------------------------------------------------------

UNFAIR = {"start": "zero biases", "tuning": "0.01 for everybody"}
BEST_OF_SIX = {"start": "random biases", "tuning": "the best of six, 0.001 to 0.3"}


def spiral(data: Data, depth: int, budget: int = SPIRAL_BUDGETS[-1], rate: float | None = None) -> xr.DataArray:
    """Held-out accuracy on the spirals, by seed, at the best rate or at the one given."""
    scores = data["accuracy"].sel(budget=budget, depth=depth)
    return at_best_rate(scores, larger_is_better=True) if rate is None else scores.sel(part=HELD_OUT, rate=rate)


def spiral_rate(data: Data, depth: int, budget: int = SPIRAL_BUDGETS[-1]) -> float:
    """The rate that is best on the spirals' validation points."""
    return best_rate(data["accuracy"].sel(budget=budget, depth=depth, part=VALIDATION), larger_is_better=True)


def one(data: Data, depth: int, task: str, equal: str = PARAMETERS, **terms: str) -> xr.DataArray:
    """A shape's held-out accuracy in the lab, by seed; terms: start and tuning."""
    return fighters(data, Choice(task=task, equal=equal, **terms))[depth].held_out


def gap(data: Data, deep: int, task: str, equal: str = PARAMETERS, **terms: str) -> xr.DataArray:
    """Deep minus one hidden layer, by seed."""
    return one(data, deep, task, equal, **terms) - one(data, 1, task, equal, **terms)


def found(data: Data, name: str) -> xr.DataArray:
    """Held-out accuracy of one of FOUND, by seed, at the best rate."""
    return at_best_rate(data["accuracy"].sel(network=name), larger_is_better=True)
