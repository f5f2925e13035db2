"""Shapes compared under terms that the reader chooses: what is held equal, which start, which learning rates.

Spirals at matched parameters, the grid of the fair-fight lab, and a comparison of others done over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial

import numpy as np
import torch
import xarray as xr

from utils.claims import experiment
from utils.comparison import ACCURACY, HELD_OUT, VALIDATION, Sweep, at_best_rate, best_rate, generators, sweep
from utils.data import checkerboard, spirals, split, swirl
from utils.models import mlp, mlp_flops, width_for_flops, width_for_parameters
from utils.progress import bar
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
    """Return three parts of two interleaved spirals: 1,000 points to train, 2,000 to choose, 4,000 to report."""
    return split(spirals, 1000, 2000, 4000, generator=generator, turns=SPIRAL_TURNS, noise=SPIRAL_NOISE)


def spiral_sizes(budget: int, depth: int) -> list[int]:
    """Return the sizes of a network for the spirals: `depth` equal hidden layers, at most `budget` parameters."""
    return [2, *[width_for_parameters(budget, depth, 2, 2)] * depth, 2]


@experiment("02_spirals", ACCURACY, rates=RATES, minutes=0.3, budget=SPIRAL_BUDGETS, depth=DEPTHS)
def spirals_fought(seeds: Sequence[int], budget: int, depth: int) -> Sweep:
    """Train on the spirals, from PyTorch's own start."""
    return fight_on_spirals(budget, depth, seeds)


def fight_on_spirals(budget: int, depth: int, seeds: Sequence[int], times: int = 1) -> Sweep:
    """Return one shape on the spirals, with every rate from every seed, after 2,000 steps or so many times as many."""
    options = {**SPIRAL_TRAINING, "epochs": times * SPIRAL_TRAINING["epochs"]}
    build = partial(mlp, spiral_sizes(budget, depth))
    return sweep(build, spiral_parts, seeds=seeds, lrs=RATES, progress=False, **options)


@experiment("02_spirals_longer", ACCURACY, rates=RATES, minutes=1, depth=(1, 5))
def spirals_longer(seeds: Sequence[int], depth: int) -> Sweep:
    """Train on the spirals with the small budget, for ten times the steps."""
    return fight_on_spirals(SPIRAL_BUDGETS[0], depth, seeds, times=10)


@cache
def spiral_bayes_accuracy() -> float:
    """Return the accuracy of the best of all classifiers on the spirals, by numerical integration over angle and
    radius.

    At angle φ an arm passes at the positions p = (φ + 2πk)/(2π·turns) in [0, 1], where its points have the
    radius 2p plus a normal error; a negative radius is the same point at the opposite angle.
    """
    angle, radius = np.linspace(0, 2 * np.pi, 720, endpoint=False), np.linspace(0, 2.6, 1301)
    density = [_arm_density(angle - arm * np.pi, radius) for arm in (0, 1)]
    share = np.maximum(*density).sum() / (density[0] + density[1]).sum()
    return float(share)


def _arm_density(angle: Array, radius: Array) -> Array:
    """Return an arm's density in angle and radius, up to a factor: [angles, radii]."""
    total = np.zeros((len(angle), len(radius)))
    for side, sign in ((0.0, 1), (np.pi, -1)):
        turned = np.remainder(angle - side, 2 * np.pi) / (2 * np.pi)
        for wrap in range(int(np.ceil(SPIRAL_TURNS))):
            position = (turned + wrap) / SPIRAL_TURNS
            distance = sign * radius[None] - 2 * position[:, None]
            total += np.where(position[:, None] <= 1, np.exp(-((distance / SPIRAL_NOISE) ** 2) / 2), 0)
    return total


def train_on_spirals(budget: int, depth: int, rate: float, seeds: Sequence[int], epochs: int = 400) -> list[History]:
    """Return the histories of networks on the spirals, one for each seed, each with data of its own; 5 steps an epoch.

    Data and initial weights are those of the same seed in `spirals_fought`.
    """
    of_data, of_weights = zip(*map(generators, seeds), strict=True)
    parts = [spiral_parts(generator=generator) for generator in of_data]
    models = [mlp(spiral_sizes(budget, depth), generator=generator) for generator in of_weights]
    (X, y), validation = ([torch.stack([pairs[k][i] for pairs in parts]) for i in (0, 1)] for k in (0, 1))
    options = {**SPIRAL_TRAINING, "epochs": epochs, "lr": rate, "validation": tuple(validation)}
    return train_ensemble(models, X, y, **options)


# --- the fair-fight lab: what can be chosen ----------------------------------------------------------------

STARTS = {"zero biases": 0.0, "random biases": 0.5}  # standard deviation of the biases; weights are He's
TUNINGS = {
    "0.001 for everybody": (0.001,),  # Adam's usual rate
    "0.01 for everybody": (0.01,),
    "the best of six, 0.001 to 0.3": RATES,
}
BUDGET = 2552  # parameters that widths at depth 1, 3 and 5 come within 1.2 % of
STEP_FLOPS = mlp_flops([2, 34, 34, 34, 2]).step  # what the three-layer network of that budget costs per point
UNFAIR = {"start": "zero biases", "tuning": "0.01 for everybody"}
BEST_OF_SIX = {"start": "random biases", "tuning": "the best of six, 0.001 to 0.3"}
SAME_WIDTH = 24  # the five-layer network's
BATCH, EPOCHS = 200, 150  # of 4,000 points: 20 steps per epoch, 3,000 in all

# Microseconds per step of the networks at BUDGET on one core of one machine, the terms of "equal seconds"; `cost`
# measures them anew. The course's compiled trainer works through wide layers slowly; a plain PyTorch loop pays for
# every layer that it calls.
COMPILED_STEP = {1: 46, 3: 29, 5: 32}
PYTORCH_STEP = {1: 621, 3: 513, 5: 653}


def _as_long(step: Mapping[int, float]) -> dict[int, int]:
    """Return epochs by depth, to the nearest five, that take as long as EPOCHS of the fastest shape."""
    return {depth: 5 * round(EPOCHS * min(step.values()) / (5 * time)) for depth, time in step.items()}


@dataclass(frozen=True)
class TrainingShape:
    """A shape and for how long it is trained: `depth` hidden layers of `width` units, `epochs` of so many batches."""

    depth: int
    width: int
    epochs: int = EPOCHS
    batches: int = 20

    @property
    def sizes(self) -> list[int]:
        return [2, *[self.width] * self.depth, 2]

    @property
    def steps(self) -> int:
        return self.epochs * self.batches

    def __str__(self) -> str:
        return f"{self.depth} × {self.width}, {self.epochs} epochs"


def _runs(width: Callable[[int], int], epochs: Mapping[int, int] | None = None) -> dict[int, TrainingShape]:
    return {depth: TrainingShape(depth, width(depth), (epochs or {}).get(depth, EPOCHS)) for depth in DEPTHS}


def _at_budget(depth: int) -> int:
    return width_for_parameters(BUDGET, depth, 2, 2)


PARAMETERS, FLOPS = "parameters and steps", "FLOPs and steps"
CLOCK, CLOCK_PYTORCH = "parameters and seconds, compiled trainer", "parameters and seconds, PyTorch loop"
EQUAL: dict[str, dict[int, TrainingShape]] = {
    "width and steps": _runs(lambda depth: SAME_WIDTH),
    PARAMETERS: _runs(_at_budget),
    FLOPS: _runs(lambda depth: width_for_flops(STEP_FLOPS, depth, 2, 2)),
    CLOCK: _runs(_at_budget, _as_long(COMPILED_STEP)),
    CLOCK_PYTORCH: _runs(_at_budget, _as_long(PYTORCH_STEP)),
}
RUNS = {str(run): run for runs in EQUAL.values() for run in runs.values()}  # each once


@dataclass(frozen=True)
class Task:
    """A task of the lab: its three parts, to train on, choose with and report; how it is trained, from which starts.

    ``equal`` has what can be held equal on it, with the three runs that this makes, by depth.
    """

    parts: Callable[..., list[Part]]
    equal: Mapping[str, Mapping[int, TrainingShape]] = field(default_factory=lambda: EQUAL)
    starts: Sequence[str] = tuple(STARTS)
    training: Mapping[str, object] = field(default_factory=lambda: {"batch_size": BATCH, "schedule": "one-cycle"})


def _parts(make: Callable[..., Part], n_train: int, **options: float) -> Callable[..., list[Part]]:
    return partial(split, make, n_train, 2000, 4000, **options)


def _chosen(budget: int, epochs: int, batches: int) -> dict[str, dict[int, TrainingShape]]:
    return {
        PARAMETERS: {
            depth: TrainingShape(depth, width_for_parameters(budget, depth, 2, 2), epochs, batches) for depth in DEPTHS
        }
    }


board_parts = _parts(checkerboard, 2000, frequency=3)
PYTORCH_START = "PyTorch's initialisation"
CHOSEN_STARTS = (*STARTS, PYTORCH_START)
TASKS = {
    "swirl": Task(_parts(swirl, 4000)),
    "checkerboard 3": Task(_parts(checkerboard, 4000, frequency=3)),
    "checkerboard 5": Task(_parts(checkerboard, 4000, frequency=5)),
}
CHOSEN = {  # tasks and budgets chosen because one hidden layer won on them
    "spirals, 150 parameters": Task(spiral_parts, _chosen(SPIRAL_BUDGETS[0], 400, 5), CHOSEN_STARTS),
    "checkerboard 3, all points at once": Task(board_parts, _chosen(1362, 2000, 1), CHOSEN_STARTS, {}),
}
ALL_TASKS = {**TASKS, **CHOSEN}
LED = ("checkerboard 5", "swirl")  # on which depth leads after the lab's steps


# --- measuring --------------------------------------------------------------------------------------------


def fight(task: str, start: str, run: TrainingShape, seeds: Sequence[int], lrs: Sequence[float] = RATES) -> Sweep:
    """Return one shape on one of ALL_TASKS from one of its starts, with every rate from every seed."""
    of = ALL_TASKS[task]
    build = partial(mlp, run.sizes, **({} if start == PYTORCH_START else {"init": "he", "bias_std": STARTS[start]}))
    return sweep(build, of.parts, seeds=seeds, lrs=lrs, epochs=run.epochs, progress=False, **of.training)


@experiment("02_fair", ACCURACY, rates=RATES, seeds=20, minutes=14, chunk=4, task=TASKS, start=STARTS, run=RUNS)
def fought(seeds: Sequence[int], task: str, start: str, run: str) -> Sweep:
    """Train one of the lab's runs on one of its own tasks."""
    return fight(task, start, RUNS[run], seeds)


@experiment(
    "02_chosen", ACCURACY, rates=RATES, seeds=14, minutes=5, chunk=7, task=CHOSEN, start=CHOSEN_STARTS, depth=DEPTHS
)
def chosen_fought(seeds: Sequence[int], task: str, start: str, depth: int) -> Sweep:
    """Train on a task of CHOSEN."""
    return fight(task, start, CHOSEN[task].equal[PARAMETERS][depth], seeds)


@experiment("02_longer", ACCURACY, rates=RATES, seeds=12, minutes=6, chunk=6, task=LED, depth=DEPTHS)
def longer(seeds: Sequence[int], task: str, depth: int) -> Sweep:
    """Train for ten times the lab's steps on a task on which depth led."""
    run = EQUAL[PARAMETERS][depth]
    return fight(task, BEST_OF_SIX["start"], replace(run, epochs=10 * run.epochs), seeds)


# --- judging ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Choice:
    """What the lab's reader chooses: one of ALL_TASKS, of what it can hold equal, of its starts, and of TUNINGS."""

    task: str
    equal: str
    start: str
    tuning: str


@dataclass(frozen=True)
class Fighter:
    """One shape's outcome: held-out accuracies by seed, with the rate chosen on validation data.

    validation: the median over the seeds by rate, for the rates tried; NaN where a run diverged.
    """

    run: TrainingShape
    validation: xr.DataArray
    rate: float
    held_out: xr.DataArray

    @property
    def at_edge(self) -> bool:
        """Return whether the rate is the smallest or the largest of several tried: a better one may lie beyond."""
        rates = self.validation["rate"]
        return len(rates) > 2 and self.rate in (rates.min(), rates.max())

    @property
    def estimate(self) -> Estimate:
        return median(self.held_out, method="order")


def fighter(run: TrainingShape, scores: xr.DataArray) -> Fighter:
    """Return a shape's outcome from scores by seed, rate and part."""
    validation = scores.sel(part=VALIDATION)
    rate = best_rate(validation, larger_is_better=True)
    held_out = at_best_rate(scores, larger_is_better=True)
    return Fighter(run, validation.median("seed", skipna=False), rate, held_out)


def fighters(data: Data, choice: Choice) -> dict[int, Fighter]:
    """Return by depth what the choice makes of what `fought` measures, or `chosen_fought` for one of CHOSEN."""
    cell = data["accuracy"].sel(task=choice.task, start=choice.start, rate=[*TUNINGS[choice.tuning]])
    runs = runs_of(choice)
    place = {depth: {"depth": depth} if "depth" in cell.dims else {"run": str(run)} for depth, run in runs.items()}
    return {depth: fighter(run, cell.sel(place[depth])) for depth, run in runs.items()}


def runs_of(choice: Choice) -> dict[int, TrainingShape]:
    """Return the three runs of a choice, by depth."""
    return ALL_TASKS[choice.task].equal[choice.equal]


def choices(tasks: Iterable[str]) -> list[Choice]:
    """Return every choice that the lab has on these tasks."""
    return [
        Choice(task, equal, start, tuning)
        for task in tasks
        for equal in ALL_TASKS[task].equal
        for start in ALL_TASKS[task].starts
        for tuning in TUNINGS
    ]


def difference(of: Mapping[int, Fighter], deep: int, shallow: int) -> Estimate:
    """Return the deep shape's held-out accuracy minus the shallow one's, seed by seed: the median and its interval."""
    return median(of[deep].held_out - of[shallow].held_out, method="order")


def comparison_verdict(difference: Estimate) -> str:
    """Return what a difference in accuracy, deep minus shallow, says in words."""
    if np.isinf(difference.low):
        return f"too few seeds to say: {difference}"
    if difference.low > 0:
        return f"deeper is better by {difference}"
    if difference.high < 0:
        return f"shallower is better by {Estimate(-difference.value, -difference.high, -difference.low)}"
    return f"no difference seen: {difference}"


def again(choice: Choice, seeds: Sequence[int]) -> dict[int, Fighter]:
    """Return the same as `fighters`, measured now: three shapes, each with the choice's rates, from these seeds."""
    lrs, outcome = TUNINGS[choice.tuning], {}
    for run in bar(runs_of(choice).values(), desc="shapes"):
        outcome[run.depth] = fighter(run, fight(choice.task, choice.start, run, seeds, lrs).scores())
    return outcome


# --- somebody else's comparison ----------------------------------------------------------------------------

FOUND = {  # (depth, width): 502, 1,362, 1,362 and 453 parameters
    "one layer of 100": (1, 100),
    "one layer of 272": (1, 272),
    "four layers of 20": (4, 20),
    "four layers of 11": (4, 11),
}


FOUND_STEPS = 2000


def train_found(network: str, seeds: Sequence[int], lrs: Sequence[float] = RATES) -> Sweep:
    """Return one of FOUND, with every rate from every seed: 2,000 steps of Adam on all points, PyTorch's start."""
    depth, width = FOUND[network]
    build = partial(mlp, [2, *[width] * depth, 2])
    return sweep(build, board_parts, seeds=seeds, lrs=lrs, epochs=FOUND_STEPS, progress=False)


@experiment("02_found", ACCURACY, rates=RATES, seeds=60, minutes=7.5, network=FOUND)
def found(seeds: Sequence[int], network: str) -> Sweep:
    """Train one of FOUND, as `train_found` does."""
    return train_found(network, seeds)


@experiment(
    "02_found_he",
    ACCURACY,
    rates=RATES,
    seeds=11,
    minutes=1.5,
    chunk=4,
    network=[name for name in FOUND if "11" not in name],
)
def found_he(seeds: Sequence[int], network: str) -> Sweep:
    """Train one of FOUND from He's weights with random biases, else as `train_found` does."""
    depth, width = FOUND[network]
    build = partial(mlp, [2, *[width] * depth, 2], init="he", bias_std=STARTS["random biases"])
    return sweep(build, board_parts, seeds=seeds, lrs=RATES, epochs=FOUND_STEPS, progress=False)


# --- reading what was measured ----------------------------------------------------------------------------


def spiral(data: Data, depth: int, budget: int = SPIRAL_BUDGETS[-1], rate: float | None = None) -> xr.DataArray:
    """Return held-out accuracy on the spirals, by seed, at the best rate or at the one given."""
    if rate is None:
        return spirals_fought.best(data, budget=budget, depth=depth)
    return data["accuracy"].sel(budget=budget, depth=depth, part=HELD_OUT, rate=rate)


def found_lead(data: Data, shallow: str) -> xr.DataArray:
    """Return by seed a shallow network's held-out accuracy minus that of four layers of 20, both from He's weights."""
    return found_he.best(data, network=shallow) - found_he.best(data, network="four layers of 20")


def one(data: Data, depth: int, task: str, equal: str = PARAMETERS, **terms: str) -> xr.DataArray:
    """Return a shape's held-out accuracy in the lab, by seed; terms: start and tuning."""
    return fighters(data, Choice(task=task, equal=equal, **terms))[depth].held_out


def gap(data: Data, deep: int, task: str, equal: str = PARAMETERS, **terms: str) -> xr.DataArray:
    """Return deep minus one hidden layer, by seed."""
    return one(data, deep, task, equal, **terms) - one(data, 1, task, equal, **terms)
