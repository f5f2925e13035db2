"""What a training step of the fair fight's shapes takes, by two trainers: what "equal seconds" rests on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
import xarray as xr

from utils.axes import over
from utils.comparison import one_thread
from utils.environment import building
from utils.lesson_02 import fair
from utils.lesson_02.cost import PASSES, WARM_UP, shortest_times, training_step
from utils.models import mlp
from utils.training import Trainer
from utils.types import Data

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
    """microseconds of a step by seed, clock and depth, on one core.

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


def _compiled(model: torch.nn.Module, X: torch.Tensor, y: torch.Tensor) -> Callable[[], None]:
    """STEPS steps of the course's trainer, of which each call goes on with the same training."""
    epochs = STEPS * fair.BATCH // len(X)
    trainer = Trainer([model], X, y, threads=1, lr=1e-3, batch_size=fair.BATCH, epochs=epochs * (WARM_UP + PASSES))
    return lambda: trainer.run(epochs)


def _in_pytorch(model: torch.nn.Module, X: torch.Tensor, y: torch.Tensor) -> Callable[[], None]:
    """STEPS steps of a plain PyTorch loop over batches that lie ready."""
    steps = [
        training_step(model, X[start : start + fair.BATCH], y[start : start + fair.BATCH]) for start in (0, fair.BATCH)
    ]

    def train() -> None:
        for number in range(STEPS):
            steps[number % len(steps)]()

    return train
