"""What a network costs at equal parameters: its shape, the time of a training step, what it keeps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np
import torch
import xarray as xr
from torch import nn

from utils.claims import experiment, recorded
from utils.comparison import one_thread
from utils.environment import building
from utils.models import activation_bytes, mlp, width_for_parameters
from utils.types import Array, Data

N_IN, N_OUT = 64, 10  # as for the digits: 8×8 pixels, ten classes
BUDGETS = (20_000, 1_000_000)  # parameters
DEPTHS = (1, 2, 4, 8, 16)
BATCH = 64
WARM_UP, PASSES = 2, 5  # the first steps also find memory and load code


def sizes_for(budget: int, depth: int, n_in: int = N_IN, n_out: int = N_OUT) -> list[int]:
    """[n_in, hidden widths…, n_out]: `depth` hidden layers, all as wide as the budget of parameters allows."""
    return [n_in, *[width_for_parameters(budget, depth, n_in, n_out)] * depth, n_out]


def kilobytes_kept(budget: int, depth: int) -> float:
    """What autograd keeps of a batch until the backward pass, in units of 1,000 bytes, measured (ReLU, float32)."""
    model = mlp(sizes_for(budget, depth), generator=torch.Generator().manual_seed(0))
    return activation_bytes(model, torch.zeros(BATCH, N_IN)) / 1000


# --- times, as ratios -------------------------------------------------------------------------------------


@experiment("02_cost", minutes=0.5, timing=True, within={"depth": DEPTHS}, budget=BUDGETS)
def timed(seed: int, budget: int) -> Data:
    """Return step by depth: the time of a training step over that of one hidden layer, on one core.

    A seed is one round in which all are timed in turn, in an order of its own, on the same batch of noise: what is in
    the pixels costs no time. Rounds differ by what else the machine is doing.
    """
    generator = torch.Generator().manual_seed(seed)
    X = torch.randn(BATCH, N_IN, generator=generator)
    y = torch.randint(N_OUT, (BATCH,), generator=generator)
    steppers = [training_step(mlp(sizes_for(budget, depth), generator=generator), X, y) for depth in DEPTHS]
    with one_thread():
        times = shortest_times(steppers, seed)
    return xr.Dataset({"step": ("depth", times / times[0])}, {"depth": [*DEPTHS]})


def step_times() -> tuple[Data, str]:
    """Return what `timed` finds on this machine now, and the word "measured"; in a build what was recorded.

    So a built page does not depend on the machine that built it.
    """
    if building():
        return recorded("02_cost"), "recorded"
    return timed.measure(range(6)), "measured"


def training_step(model: nn.Module, X: torch.Tensor, y: torch.Tensor) -> Callable[[], None]:
    """A function that trains the model by one step of Adam on one batch: forward, loss, backward, update."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    def step() -> None:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(X), y).backward()
        optimizer.step()

    return step


def shortest_times(actions: Sequence[Callable[[], None]], seed: int) -> Array:
    """The shortest of PASSES times of each action, in seconds, all timed in turn, after WARM_UP calls.

    The shortest, since whatever else the machine is doing only adds.
    """
    rng = np.random.default_rng(seed)
    times = np.empty((WARM_UP + PASSES, len(actions)))
    for row in times:
        for place in rng.permutation(len(actions)):
            start = perf_counter()
            actions[place]()
            row[place] = perf_counter() - start
    return times[WARM_UP:].min(axis=0)


# --- reading what was measured ----------------------------------------------------------------------------


def step(data: Data, budget: int, deep: int, shallow: int) -> xr.DataArray:
    """The time of a training step, one depth over another, by seed."""
    times = data["step"].sel(budget=budget)
    return times.sel(depth=deep) / times.sel(depth=shallow)
