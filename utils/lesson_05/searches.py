"""Why easy teachers are not found again: searches with more steps, and searches that begin beside the teacher.

And, for shallow students, what a longer search is worth beside more units and points at the same cost.
"""

from __future__ import annotations

from copy import deepcopy

import torch
import xarray as xr
from torch import Tensor, nn

from utils.axes import over
from utils.claims import experiment
from utils.comparison import generators
from utils.data import split, teacher_data
from utils.least_squares import levenberg_marquardt
from utils.lesson_05 import students
from utils.lesson_05.networks import RECOVERED, random_teacher, relative_error
from utils.types import Data

BESIDE = 0.02  # of the weights' standard deviation: how far from the teacher's a search begins
SIGMAS = (0.4, 0.63, 0.8, 1.0, 2.0)
FEW, MANY = STEPS = (students.SAME_STEPS, 4000)
EDGE = 1.0  # the largest σ at which FEW steps recover none

SMALL, SOME = (15, 1000), (45, 4000)  # units and points: a third, and a quarter, of those of the page
COST = round(SOME[1] * SOME[0] ** 2 / (SMALL[1] * SMALL[0] ** 2))  # times that of SMALL: points × units² a step
# This search of SMALL costs as much:
LONGER = {"restarts": 12, "steps": 300}


@experiment(
    "05_beside",
    seeds=20,
    minutes=0.6,
    chunk=5,
    within={"steps": STEPS},
    sigma=SIGMAS,
    unstable={"error": 0.5},  # what a search that does not reach zero ends with
)
def beside(seed: int, sigma: float) -> Data:
    """Return how a search ends that begins beside a teacher of width 5; the seed's teachers differ by the factor σ.

    error, by steps: relative, held-out. condition: decades between the largest and the smallest singular value of the
    Jacobian, of the teacher's outputs at the points that are fitted by its weights.
    """
    data, weights = generators(seed)
    teacher = random_teacher(sigma=sigma, generator=data)
    (X, y), unseen = split(teacher_data, students.SAME_ROWS, students.UNSEEN_POINTS, generator=data, teacher=teacher)
    start = nudged(teacher, sigma, generator=weights)

    def error(steps: int) -> xr.DataArray:
        model = deepcopy(start)
        target = students.SAME_TARGET * y.var().item()
        levenberg_marquardt([model], X, y, max_steps=steps, target=target, threads=1)
        return xr.DataArray(relative_error(model, *unseen))

    return xr.Dataset({"error": over(error, steps=STEPS), "condition": condition(teacher, X)})


@experiment("05_patience", seeds=20, minutes=1.4, chunk=2, within={"steps": STEPS}, unstable={"error": 0.9})
def patience(seed: int) -> Data:
    """Return "error", held-out: the search of `students.same_shape_student` at σ = 1, with few steps and with many."""
    data, weights = generators(seed)
    sizes = students.POINTS, students.UNSEEN_POINTS
    train, unseen = students.teacher_parts(students.NARROW, EDGE, sizes, generator=data)
    starts = weights.get_state()

    def error(steps: int) -> xr.DataArray:
        weights.set_state(starts)
        same = students.same_shape_student(students.NARROW, *train, generator=weights, steps=steps)
        return xr.DataArray(relative_error(same, *unseen))

    return xr.Dataset({"error": over(error, steps=STEPS)})


@experiment("05_cost", seeds=20, minutes=0.8, chunk=5)
def cost(seed: int) -> Data:
    """Return held-out errors of shallow students: "before", 15 units, 1,000 points; at 36 times its cost two others.

    longer: the same with more restarts and steps. both: three times the units and four times the points.
    """
    data, weights = generators(seed)
    sizes = SOME[1], students.UNSEEN_POINTS
    (X, y), unseen = students.teacher_parts(students.NARROW, students.SIGMA, sizes, generator=data)
    starts = weights.get_state()

    def error(size: tuple[int, int], **budget: int) -> float:
        weights.set_state(starts)
        units, points = size
        model = students.shallow_student(units, X[:points], y[:points], generator=weights, **budget)
        return relative_error(model, *unseen)

    once = {"restarts": 1, "steps": students.STEPS}
    return xr.Dataset({"before": error(SMALL, **once), "longer": error(SMALL, **LONGER), "both": error(SOME, **once)})


def nudged(teacher: nn.Sequential, sigma: float, *, generator: torch.Generator) -> nn.Sequential:
    """Return a copy of the teacher with normal numbers added to its weights, BESIDE of their standard deviation."""
    model = deepcopy(teacher)
    with torch.no_grad():
        for weight in model.parameters():
            noise = torch.randn(weight.shape, generator=generator, dtype=weight.dtype)
            weight.add_(BESIDE * sigma / weight.shape[1] ** 0.5 * noise)
    return model


def condition(model: nn.Sequential, X: Tensor) -> float:
    """Return the decades between the largest and the smallest singular value of d model(X) / d weights."""
    weights = dict(model.named_parameters())

    def outputs(weights: dict[str, Tensor]) -> Tensor:
        return torch.func.functional_call(model, weights, (X,))[:, 0]

    slopes = torch.func.jacrev(outputs)({name: weight.detach() for name, weight in weights.items()})
    values = torch.linalg.svdvals(torch.cat([slope.flatten(1) for slope in slopes.values()], dim=1))
    return float(torch.log10(values[0] / values[-1]))


# --- reading what was measured ----------------------------------------------------------------------------


def recovered(data: Data, **at: float) -> xr.DataArray:
    """Return by seed 1 where the search recovered its teacher to RECOVERED, else 0; at: σ, steps, or both."""
    return (data["error"].sel(**at, drop=True) <= RECOVERED).astype(float)


def decades(data: Data) -> xr.DataArray:
    """Return by seed by how many decades the Jacobian's condition number is larger at the smallest σ than at 2."""
    least, most = (data["condition"].sel(sigma=sigma, drop=True) for sigma in (SIGMAS[0], SIGMAS[-1]))
    return least - most
