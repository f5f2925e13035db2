"""What depth is for, once it trains: three tasks, each with as many parameters for one layer as for twenty.

The board is `utils.data.checkerboard` of 8 × 8 squares. The game is lesson 03's: eight inputs, −max(a, b) on three
levels. Three hidden layers play it exactly, so it is a task made in depth's own class. The digits are the lesson's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count

import torch
import xarray as xr
from torch import Tensor, nn

from utils.claims import experiment
from utils.comparison import HELD_OUT, UNSEEN, as_rates, at_best_rate, generators, share_missed, sweep
from utils.data import checkerboard, game, split
from utils.lesson_07.networks import HE, N_IN, N_OUT, WIDTH, digits, stream, wrong_share
from utils.models import count_parameters, mlp, mlp_parameters, width_for_parameters
from utils.types import Data, Part

BOARD, GAME, DIGITS = "board", "game", "digits"
SKIP, BLOCKS = "skip 21", 10
DEPTHS = (1, 5, 10, 20)
PLAIN = tuple(map(str, DEPTHS))
NETWORKS = (*PLAIN, SKIP)
RATES = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)
BATCH = 100
STEPS, LONGER = 2000, 8000
SQUARES = 8
SPREAD = {1: 1.0}  # of the biases of He's initialisation: one layer on the board does better so, deeper ones worse
FIRSTS = (1.0, 4.0)  # by what the first layer's weights and biases are multiplied
NEIGHBOURS = 3


@dataclass(frozen=True)
class Task:
    """What makes the parts of the data, a budget of parameters, and what counts as an error of model(X) beside y."""

    parts: Callable[..., list[Part]]
    n_in: int
    n_out: int
    parameters: int
    error: Callable[[nn.Module, Tensor, Tensor], float]


TASKS = {
    BOARD: Task(
        partial(split, partial(checkerboard, frequency=SQUARES // 2), 4000, 2000, 4000), 2, 2, 4000, wrong_share
    ),
    GAME: Task(partial(split, game, 6000, 2000, 4000), 8, 1, 1041, share_missed),
    DIGITS: Task(digits, N_IN, N_OUT, mlp_parameters([N_IN, WIDTH, N_OUT]), wrong_share),
}


def width_of(task: Task, network: str) -> int:
    """Return the width at which a network, one of NETWORKS, has at most as many parameters as the task allows."""
    if network != SKIP:
        return width_for_parameters(task.parameters, int(network), task.n_in, task.n_out)
    sizes = {"n_in": task.n_in, "n_out": task.n_out, "generator": torch.Generator()}
    return next(w for w in count(1) if count_parameters(stream(BLOCKS, width=w + 1, **sizes)) > task.parameters)


def build(task: Task, network: str, *, first: float = 1.0, generator: torch.Generator) -> nn.Sequential:
    """Return a network, one of NETWORKS, from He's weights, those of a plain one's first layer and its biases times
    ``first``.
    """
    width = width_of(task, network)
    if network == SKIP:
        return stream(BLOCKS, width=width, n_in=task.n_in, n_out=task.n_out, generator=generator)
    depth = int(network)
    sizes = [task.n_in, *[width] * depth, task.n_out]
    model = mlp(sizes, init=HE, bias_std=SPREAD.get(depth, 0.0), generator=generator)
    with torch.no_grad():
        for parameter in model[0].parameters():
            parameter *= first
    return model


def raced(seeds: Sequence[int], task: str, network: str, steps: int, first: float = 1.0) -> Data:
    """Return the error [seed, rate, part] of a network after training; ``first`` is for `build`."""
    asked = TASKS[task]
    points = len(asked.parts(generator=generators(0)[0])[0][0])
    runs = sweep(
        partial(build, asked, network, first=first),
        asked.parts,
        seeds=seeds,
        lrs=RATES,
        epochs=round(steps / -(-points // BATCH)),
        batch_size=BATCH,
        schedule="cosine",
        progress=False,
    )
    return xr.Dataset({"error": runs.scores(asked.error).sel(part=UNSEEN)})


@experiment(
    "07_tasks",
    within={"rate": RATES, "part": UNSEEN},
    seeds=12,
    minutes=5,
    chunk=12,
    task=[*TASKS],
    network=NETWORKS,
    unstable={"error": 0.2},
)
def tasks(seeds: Sequence[int], task: str, network: str) -> Data:
    """Return `raced` after STEPS steps."""
    return raced(seeds, task, network, STEPS)


@experiment(
    "07_longer",
    within={"rate": RATES, "part": UNSEEN},
    seeds=12,
    minutes=3,
    chunk=12,
    task=[*TASKS],
    network=PLAIN,
    unstable={"error": 0.2},
)
def longer(seeds: Sequence[int], task: str, network: str) -> Data:
    """Return `raced` after LONGER steps, without skips, which take a CPU long."""
    return raced(seeds, task, network, LONGER)


@experiment(
    "07_starts",
    within={"rate": RATES, "part": UNSEEN},
    seeds=20,
    minutes=1,
    chunk=10,
    network=PLAIN[:2],
    first=FIRSTS,
)
def starts(seeds: Sequence[int], network: str, first: float) -> Data:
    """Return `raced` on the board after STEPS steps, the first layer's weights and biases times ``first``."""
    return raced(seeds, BOARD, network, STEPS, first)


@experiment("07_neighbours", minutes=0.1)
def neighbours(seed: int) -> Data:
    """Return the share of held-out digits for which the most frequent digit among the NEIGHBOURS nearest is wrong."""
    (X, y), _, (X_new, y_new) = digits(generator=generators(seed)[0])
    nearest = torch.cdist(X_new.double(), X.double()).argsort(dim=1)[:, :NEIGHBOURS]
    return xr.Dataset({"error": (y[nearest].mode(dim=1).values != y_new).double().mean().item()})


# --- reading ----------------------------------------------------------------------------------------------


def missed(data: Data, task: str, network: str | int) -> xr.DataArray:
    """Return the held-out error by seed, at the rate that is best on validation data."""
    cell = data["error"].sel(task=task, network=str(network))
    return at_best_rate(cell, larger_is_better=False, part=HELD_OUT).reset_coords(drop=True)


def missed_from(data: Data, network: int, firsts: Sequence[float] = FIRSTS) -> xr.DataArray:
    """Return the held-out error on the board by seed, at the start, of ``firsts``, and the rate that are best."""
    cell = as_rates(data["error"].sel(network=str(network), first=[*firsts]), "first", "rate")
    return at_best_rate(cell, larger_is_better=False)
