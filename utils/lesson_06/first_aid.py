"""A deep ReLU network that does not train on digits, and repairs of which a reader picks one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
import xarray as xr
from ipywidgets import Dropdown, Widget
from matplotlib.figure import Figure
from torch import Tensor, nn

from utils.checks import one_of
from utils.comparison import PARTS, Sweep, at_best_rate, generators, measure_scores, score, sweep
from utils.data import load_table
from utils.lesson_06 import first_aid_figures as figures
from utils.live_training import Paced
from utils.models import mlp
from utils.pages import described
from utils.training import Trainer
from utils.types import Array, Data

DEPTH, WIDTH, N_IN, N_OUT = 30, 32, 64, 10
EPOCHS, BATCH = 40, 100
RATE, RATES = 0.003, (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)
digits = partial(load_table, "digits", (0.5, 0.2, 0.3))  # to train on, to choose the rate on, held out


@dataclass(frozen=True)
class Patient:
    """What a repair changes; as it stands, the network that does not train. The last three are factors."""

    width: int = WIDTH
    activation: str = "relu"
    bias_std: float | None = None
    stronger: float = 1  # times PyTorch's weights, whose gain is the root of a third
    longer: int = 1
    faster: float = 1


NONE, FASTER, BEST = "none", "ten times the rate", "gain √2"
REPAIRS = {
    NONE: Patient(),
    FASTER: Patient(faster=10),
    "twice as wide": Patient(width=2 * WIDTH),
    "four times the steps": Patient(longer=4),
    "zero biases": Patient(bias_std=0.0),
    "tanh for ReLU": Patient(activation="tanh"),
    "gain 1": Patient(stronger=3**0.5),
    BEST: Patient(stronger=6**0.5),
}
MEASURED = [name for name in REPAIRS if name != FASTER]  # each is measured at six rates
SAME_GAIN = MEASURED[1:-2]


def patient(repair: str = NONE, *, generator: torch.Generator) -> nn.Sequential:
    """The network after a repair, one of REPAIRS."""
    case = REPAIRS[one_of("repair", repair, REPAIRS)]
    model = mlp([N_IN, *[case.width] * DEPTH, N_OUT], case.activation, bias_std=case.bias_std, generator=generator)
    with torch.no_grad():
        for layer in model[::2]:
            layer.weight *= case.stronger
    return model


def weight_gradients(model: nn.Sequential, X: Tensor, y: Tensor) -> Array:
    """The norms of the cross-entropy's gradient at the weights of each layer, first to last."""
    weights = [layer.weight for layer in model if isinstance(layer, nn.Linear)]
    gradients = torch.autograd.grad(nn.functional.cross_entropy(model(X), y), weights)
    return np.array([gradient.norm().item() for gradient in gradients])


# --- to watch ---------------------------------------------------------------------------------------------


@dataclass
class Treatment:
    """A training that can be watched, with its data and what the gradients were before it."""

    run_of: Paced
    parts: list[tuple[Tensor, Tensor]]
    before: Array

    @property
    def done(self) -> bool:
        """Whether the training is over."""
        return self.run_of.done

    def run(self, *, seconds: float) -> None:
        """Train until the next picture, or until the seconds are over."""
        self.run_of.run(seconds=seconds)


def repair_controls() -> dict[str, Widget]:
    """The controls of `treat` and `treated`, by name."""
    return {"repair": Dropdown(options=list(REPAIRS), description="repair")}


def treat(*, repair: str, seed: int = 0) -> Treatment:
    """A training of the repaired network on digits."""
    case, (of_data, of_weights) = REPAIRS[repair], generators(seed)
    parts, model = digits(generator=of_data), patient(repair, generator=of_weights)
    before = weight_gradients(model, *parts[0])
    trainer = Trainer([model], *parts[0], epochs=EPOCHS * case.longer, lr=RATE * case.faster, batch_size=BATCH,
                      schedule="cosine")
    return Treatment(Paced(trainer), parts, before)


def treated(treatment: Treatment, *, repair: str) -> tuple[Figure, str]:
    """Return a figure of the gradients, layer by layer, and of the loss so far, and both in words."""
    trainer = treatment.run_of.trainer
    model, history = trainer.plan.models[0], trainer.histories[0]
    now = weight_gradients(model, *treatment.parts[0])
    X, y = treatment.parts[-1]
    lost = " The training diverged." if history.diverged else ""
    words = (
        f"Repair: {repair}. After {history.steps:,} steps the network is right on {score(model, X, y):.0%} of the "
        f"held-out images. The gradient's norm at the first layer was {treatment.before[0]:.1g} before training, "
        f"and is {now[0]:.1g} now.{lost}"
    )
    return figures.gradients_and_loss(treatment.before, now, history.loss), words


# --- measuring --------------------------------------------------------------------------------------------


def measure_aid(seeds: Sequence[int]) -> Data:
    """Accuracies by seed, repair, rate and part."""

    def train(repair: str) -> Sweep:
        return sweep(
            partial(patient, repair), digits, seeds=seeds, lrs=RATES, epochs=EPOCHS * REPAIRS[repair].longer,
            batch_size=BATCH, schedule="cosine", progress=False,
        )

    return measure_scores("accuracy", train, parts=PARTS, repair=MEASURED)


def after(data: Data, repair: str) -> xr.DataArray:
    """By seed the held-out accuracy after a repair, at the rate that is best on validation data."""
    return at_best_rate(data["accuracy"].sel(repair=repair), larger_is_better=True)


def best_without_gain(data: Data) -> xr.DataArray:
    """By seed the highest accuracy after a repair that leaves the gain as it is, or after none."""
    return xr.concat([after(data, repair) for repair in (NONE, *SAME_GAIN)], "repair").max("repair")


@described("06.aid", "The gain cures it, and nothing else on the list does")
def repairs(data: Data) -> Figure:
    """Seven rows, one for each repair, with a dot for each of the seeds and the median: the share of held-out digits
    that are right. Without a repair, twice as wide, with four times the steps and with zero biases, all dots lie at a
    tenth, which is guessing. With tanh they lie near two tenths. With gain 1 they lie between four and eight tenths,
    and with gain √2 mostly above eight.
    """
    return figures.repairs({repair: after(data, repair) for repair in MEASURED})


def aid_answer(data: Data) -> dict[str, float]:
    """What the prediction's answer says: median accuracies."""
    others = max(float(after(data, repair).median()) for repair in (NONE, *SAME_GAIN))
    one, root = (float(after(data, repair).median()) for repair in ("gain 1", BEST))
    return {"others": others, "one": one, "root": root, "seeds": data.sizes["seed"]}
