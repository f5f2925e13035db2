"""What a network costs at equal parameters: its shape, and the time of a training step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np
import torch
import xarray as xr
from torch import Tensor, nn

from utils.axes import over
from utils.claims import experiment, recorded
from utils.comparison import one_thread
from utils.environment import building
from utils.lesson_02 import fair
from utils.models import mlp, width_for_parameters
from utils.training import Trainer
from utils.types import Array, Data

N_IN, N_OUT = 64, 10  # as for the digits: 8×8 pixels, ten classes
BUDGETS = (20_000, 1_000_000)  # parameters
DEPTHS = (1, 2, 4, 8, 16)
BATCH = 64
WARM_UP, PASSES = 2, 5  # the first steps also find memory and load code


def sizes_for(budget: int, depth: int, n_in: int = N_IN, n_out: int = N_OUT) -> list[int]:
    """Return [n_in, hidden widths…, n_out]: `depth` hidden layers, all as wide as the budget of parameters allows."""
    return [n_in, *[width_for_parameters(budget, depth, n_in, n_out)] * depth, n_out]


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


def training_step(model: nn.Module, X: Tensor, y: Tensor) -> Callable[[], None]:
    """Return a function that trains the model by one step of Adam on one batch: forward, loss, backward, update."""
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    def step() -> None:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(X), y).backward()
        optimizer.step()

    return step


def shortest_times(actions: Sequence[Callable[[], None]], seed: int) -> Array:
    """Return the shortest of PASSES times of each action, in seconds, all timed in turn, after WARM_UP calls.

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


# --- the clocks of the fair fight: what "equal seconds" rests on ----------------------------------------------

CLOCKS = (fair.CLOCK, fair.CLOCK_PYTORCH)
STEPS = 40  # that are timed at once: two epochs


def print_step_times() -> None:
    """Print a step's microseconds by clock and depth: measured now, but in a page as it is built the lab's own terms.

    A built page has to be the same each time, and times never are.
    """
    times, said = {fair.CLOCK: fair.COMPILED_STEP, fair.CLOCK_PYTORCH: fair.PYTORCH_STEP}, "when the lab was recorded"
    if not building():
        shortest = measure_clocks(range(3))["microseconds"].min("seed")
        times = {
            clock: {depth: shortest.sel(clock=clock, depth=depth).item() for depth in fair.DEPTHS} for clock in CLOCKS
        }
        said = "here, now"
    for clock, steps in times.items():
        listed = ", ".join(f"{depth} × {fair.EQUAL[clock][depth].width}: {time:.0f}" for depth, time in steps.items())
        print(f"microseconds a step, {clock.split(', ')[1]}, {said}: {listed}")


def measure_clocks(seeds: Sequence[int]) -> Data:
    """Return microseconds of a step by seed, clock and depth, on one core.

    A seed is one round, in which all shapes take their turns in an order of its own, as in `shortest_times`.
    """

    def round_of(seed: int, clock: str) -> xr.DataArray:
        generator = torch.Generator().manual_seed(seed)
        X, y = fair.ALL_TASKS[next(iter(fair.TASKS))].parts(generator=generator)[0]
        models = [mlp(fair.EQUAL[clock][depth].sizes, generator=generator) for depth in fair.DEPTHS]
        steppers = {fair.CLOCK: _compiled, fair.CLOCK_PYTORCH: _in_pytorch}
        times = shortest_times([steppers[clock](model, X, y) for model in models], seed)
        return xr.DataArray(1e6 * times / STEPS, [("depth", [*fair.DEPTHS])])

    with one_thread():
        return over(round_of, seed=seeds, clock=CLOCKS).to_dataset(name="microseconds")


def _compiled(model: nn.Module, X: Tensor, y: Tensor) -> Callable[[], None]:
    """Return STEPS steps of the course's trainer, of which each call goes on with the same training."""
    epochs = STEPS * fair.BATCH // len(X)
    trainer = Trainer([model], X, y, threads=1, lr=1e-3, batch_size=fair.BATCH, epochs=epochs * (WARM_UP + PASSES))
    return lambda: trainer.run(epochs)


def _in_pytorch(model: nn.Module, X: Tensor, y: Tensor) -> Callable[[], None]:
    """Return STEPS steps of a plain PyTorch loop over batches that lie ready."""
    steps = [
        training_step(model, X[start : start + fair.BATCH], y[start : start + fair.BATCH]) for start in (0, fair.BATCH)
    ]

    def train() -> None:
        for number in range(STEPS):
            steps[number % len(steps)]()

    return train


# --- reading what was measured ----------------------------------------------------------------------------


def step(data: Data, budget: int, deep: int, shallow: int) -> xr.DataArray:
    """Return the time of a training step, one depth over another, by seed."""
    times = data["step"].sel(budget=budget)
    return times.sel(depth=deep) / times.sel(depth=shallow)
