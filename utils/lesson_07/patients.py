"""Three deep networks that lose to a shallow one on digits, to look at and to treat with more steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from ipywidgets import Dropdown, Widget
from torch import nn

from utils.comparison import generators
from utils.lesson_07.budgets import BATCH, EPOCHS, LONGER
from utils.lesson_07.networks import DEFAULT, HE, digits, plain
from utils.live_training import Paced
from utils.training import History, Trainer

TRAINED = 898  # images


@dataclass(frozen=True)
class Patient:
    """What builds a network, and how it was trained: passes over the images, and the rate they began with."""

    build: Callable[..., nn.Sequential]
    epochs: int
    lr: float


PATIENTS = {
    "A": Patient(partial(plain, 51, HE), EPOCHS, 0.001),
    "B": Patient(partial(plain, 51, DEFAULT), EPOCHS, 0.001),
    "C": Patient(partial(plain, 21, DEFAULT), LONGER * EPOCHS, 0.001),
}


def history(right: Sequence[float], unseen: Sequence[float]) -> History:
    """Return what a loop has seen as the course's own training tells it: shares that were right.

    right: one number for each step, of its batch. unseen: one for each pass, at its end, of held-out data.
    """
    steps, passes = len(right), len(unseen)
    return History(
        loss=np.full(steps, np.nan),
        accuracy=np.array(right),
        validation_steps=np.arange(1, passes + 1) * (steps // passes),
        validation_loss=np.full(passes, np.nan),
        validation_accuracy=np.array(unseen),
        steps=steps,
        seconds=0.0,
        diverged=False,
    )


AS_BEFORE, MORE = "as many as before", "ten times as many"


def patient_controls() -> dict[str, Widget]:
    """Return the controls of `treat` and `treated`, by name."""
    return {
        "patient": Dropdown(options=list(PATIENTS), description="patient"),
        "steps": Dropdown(options=[AS_BEFORE, MORE], description="steps"),
    }


def treat(*, patient: str, steps: str, seed: int = 0) -> Paced:
    """Return a training on digits of one of PATIENTS, with as many steps as before or ten times as many."""
    case, (train, _, held_out) = PATIENTS[patient], digits(generator=generators(seed)[0])
    epochs = case.epochs * (LONGER if steps == MORE else 1)
    trainer = Trainer(
        [case.build(generator=generators(seed)[1])],
        *train,
        epochs=epochs,
        lr=case.lr,
        batch_size=BATCH,
        schedule="cosine",
        validation=held_out,
    )
    return Paced(trainer)
