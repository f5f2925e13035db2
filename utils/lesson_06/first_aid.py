"""A deep ReLU network that does not train on digits, and repairs of which a reader picks one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import torch
import xarray as xr
from ipywidgets import Dropdown, Widget
from torch import Tensor, nn

from utils.claims import experiment
from utils.comparison import ACCURACY, PARTS, Sweep, generators, one_thread, sweep
from utils.data import load_table
from utils.live_training import Paced
from utils.models import mlp
from utils.training import Trainer, weight_gradients
from utils.types import Array, Data, Part

DEPTH, WIDTH, N_IN, N_OUT = 30, 32, 64, 10
EPOCHS, BATCH = 40, 100
RATE, RATES = 0.003, (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1)
digits = partial(load_table, "digits", (0.5, 0.2, 0.3))  # to train on, to choose the rate on, held out


@dataclass(frozen=True)
class Patient:
    """What a repair changes; as it stands, the network that does not train. The last two are factors."""

    width: int = WIDTH
    activation: str = "relu"
    bias_std: float | None = None
    stronger: float = 1  # times PyTorch's weights, whose gain is the root of a third
    longer: int = 1


NONE, BEST = "none", "gain √2"
REPAIRS = {
    NONE: Patient(),
    "twice as wide": Patient(width=2 * WIDTH),
    "four times the steps": Patient(longer=4),
    "zero biases": Patient(bias_std=0.0),
    "tanh for ReLU": Patient(activation="tanh"),
    "gain 1": Patient(stronger=3**0.5),
    BEST: Patient(stronger=6**0.5),
}
SAME_GAIN = [*REPAIRS][:-2]


def patient(repair: str = NONE, *, generator: torch.Generator) -> nn.Sequential:
    """Return the network after a repair, one of REPAIRS."""
    case = REPAIRS[repair]
    model = mlp([N_IN, *[case.width] * DEPTH, N_OUT], case.activation, bias_std=case.bias_std, generator=generator)
    with torch.no_grad():
        for layer in model[::2]:
            layer.weight *= case.stronger
    return model


# --- to watch ---------------------------------------------------------------------------------------------


class Treatment(Paced):
    """A training that can be watched, with what the gradients were before it."""

    def __init__(self, trainer: Trainer, before: Array):
        super().__init__(trainer)
        self.before = before


class Pair:
    """Two repairs, treated side by side: what can be watched in `live_training`, with the data."""

    def __init__(self, treatments: Sequence[Treatment], parts: list[Part]):
        self.treatments, self.parts = treatments, parts

    @property
    def done(self) -> bool:
        """Return whether both trainings are over."""
        return all(treatment.done for treatment in self.treatments)

    def run(self, *, seconds: float) -> None:
        """Train both until the next picture, or until the seconds are over."""
        for treatment in self.treatments:
            treatment.run(seconds=seconds / 2)


def repair_controls() -> dict[str, Widget]:
    """Return the controls of `treat` and `treated`, by name."""
    return {
        "repair": Dropdown(options=list(REPAIRS), description="repair"),
        "beside": Dropdown(options=list(REPAIRS), value="twice as wide", description="beside it"),
    }


def treat(*, repair: str, beside: str, seed: int = 0) -> Pair:
    """Return trainings on digits of the network after each of two repairs, from the same random numbers."""
    parts = digits(generator=generators(seed)[0])
    return Pair([_treatment(one, parts, seed) for one in (repair, beside)], parts)


def _treatment(repair: str, parts: list[Part], seed: int) -> Treatment:
    model = patient(repair, generator=generators(seed)[1])
    trainer = Trainer(
        [model], *parts[0], epochs=EPOCHS * REPAIRS[repair].longer, lr=RATE, batch_size=BATCH, schedule="cosine"
    )
    return Treatment(trainer, weight_gradients(model, *parts[0]))


# --- measuring --------------------------------------------------------------------------------------------


@experiment("06_aid", ACCURACY, rates=RATES, parts=PARTS, seeds=12, minutes=2, chunk=2, repair=[*REPAIRS])
def aid(seeds: Sequence[int], repair: str) -> Sweep:
    """Return repaired networks after training on digits."""
    return sweep(
        partial(patient, repair),
        digits,
        seeds=seeds,
        lrs=RATES,
        epochs=EPOCHS * REPAIRS[repair].longer,
        batch_size=BATCH,
        schedule="cosine",
        progress=False,
    )


def magnified(outputs: Tensor, y: Tensor) -> Tensor:
    """Return the cross-entropy times 10^16, under which Adam's ε of 1e-8 weighs as 1e-24 would without the factor."""
    return 1e16 * nn.functional.cross_entropy(outputs, y)


@experiment(
    "06_aid_epsilon",
    ACCURACY,
    rates=RATES,
    minutes=1,
    chunk=4,
    unstable={"accuracy": 0.8},  # what it sees of the digits is rounding: without AVX-512, 15 of 24
)
def epsilon(seeds: Sequence[int]) -> Sweep:
    """Return unrepaired networks after training on digits by an Adam whose ε is next to nothing."""
    options = {"epochs": EPOCHS, "batch_size": BATCH, "schedule": "cosine", "loss": magnified, "progress": False}
    with one_thread():
        return sweep(patient, digits, seeds=seeds, lrs=RATES, **options)


def best_without_gain(data: Data) -> xr.DataArray:
    """Return by seed the highest accuracy after a repair that leaves the gain as it is, or after none."""
    return xr.concat([aid.best(data, repair=repair) for repair in SAME_GAIN], "repair").max("repair")


def aid_answer(data: Data) -> dict[str, float]:
    """Return what the prediction's answer says: median accuracies."""
    medians = {repair: float(aid.best(data, repair=repair).median()) for repair in REPAIRS}
    others = max(medians[repair] for repair in SAME_GAIN)
    return {"others": others, "one": medians["gain 1"], "root": medians[BEST], "seeds": data.sizes["seed"]}
