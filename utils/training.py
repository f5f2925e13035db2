"""Training of one network or of many at the same time.

Plain multilayer perceptrons (nn.Sequential of Linear layers and activations) on the CPU are trained by a
compiled loop, `utils/engine/compiled_mlp.py`, one network per core at a time; everything else by PyTorch,
`utils/engine/torch_run.py`.
"""

import inspect
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from utils.checks import whole_number
from utils.engine.training_plan import LOSSES, Options, TrainingPlan, make_plan

Function = TypeVar("Function", bound=Callable)


@dataclass
class History:
    """What was seen while one model was trained.

    loss, accuracy: one number per step, of the step's batch, before the step. accuracy is None in regression.
    validation_loss, validation_accuracy: at most 201 numbers, after as many steps as validation_steps says;
    the first is before training, the last is at its end. None without validation data.
    steps: steps begun. seconds: of the whole call, so the same for all models of an ensemble.
    diverged: whether loss or weights became infinite or NaN. Training of the model ended there, and it has
    the last weights at which its loss was finite.
    """

    loss: np.ndarray
    accuracy: np.ndarray | None
    validation_steps: np.ndarray | None
    validation_loss: np.ndarray | None
    validation_accuracy: np.ndarray | None
    steps: int
    seconds: float
    diverged: bool


def _with_options(function: Function) -> Function:
    """Return the function, whose signature has the fields of `Options` in the place of **options."""
    signature = inspect.signature(function)
    options = inspect.signature(Options).parameters.values()
    own = [one for one in signature.parameters.values() if one.kind is not inspect.Parameter.VAR_KEYWORD]
    told: Any = function  # a function's type has no __signature__
    told.__signature__ = signature.replace(parameters=sorted([*options, *own], key=lambda one: one.kind))
    return function


@_with_options
def train(model: nn.Module, X: Tensor, y: Tensor, *, progress: bool = True, **options: Any) -> History:
    """Return the history of training the model in place. See `train_ensemble`: this is the same with one model."""
    if not isinstance(model, nn.Module):
        raise TypeError(f"model is {model!r}: wanted an nn.Module")
    return train_ensemble([model], X, y, progress=progress, **options)[0]


@_with_options
def train_ensemble(
    models: Sequence[nn.Module], X: Tensor, y: Tensor, *, progress: bool = True, **options: Any
) -> list[History]:
    """Return one history per model, after training the models, of one architecture, at the same time and in place.

    X: [points, features], or [models, points, features] for a data set per model. y: integer labels [points],
    or float targets [points, outputs]; with models in front for one set per model. Floats are brought to the
    models' type.
    epochs: passes over the data. lr: one learning rate, or one per model.
    loss: "cross-entropy" (for None and integer y), "mse" (for None and float y: the mean over points and
    outputs), or a function (outputs, y) -> scalar tensor, which PyTorch then differentiates.
    optimizer: "adam", "sgd" (with momentum), "adamw", with the other settings of torch.optim's defaults.
    weight_decay is theirs, too: an L2 term in the gradient, but for "adamw".
    schedule: factor on the learning rate: None, "cosine" or "one-cycle".
    batch_size: None takes all points in every step. Else each epoch takes them in batches, in the order of
    torch.randperm(points, generator=generator), the same for all models; without a generator, from one with
    seed 0.
    validation: (X_val, y_val), as X and y; looked at up to 200 times, evenly spread. progress: whether a bar
    is shown.

    On the compiled path a model ends with the same bits whether trained alone, among others or in slices, on
    any number of cores and on every kind of machine. A model that diverges does not touch the others.
    Interrupting (KeyboardInterrupt) leaves every model with its latest weights, and is then raised again.

    Raises TypeError and ValueError, which say what argument was wrong, before anything is trained.
    """
    trainer = Trainer(models, X, y, **options)
    trainer.run(progress=progress)
    return trainer.histories


class Trainer:
    """A training that can be run in slices, which give the same weights as in one go.

    Takes the arguments of `train_ensemble`; `epochs` is what all slices together come to. The models have
    their latest weights after each slice, and weights that were changed between two slices are trained on
    from there.
    threads: how many cores to use at most (None: all).
    """

    def __init__(
        self, models: Sequence[nn.Module], X: Tensor, y: Tensor, *, threads: int | None = None, **options: Any
    ):
        self.plan = make_plan(models, X, y, **options)
        self.seconds = 0.0
        self._run = _choose_backend(self.plan, threads)

    @property
    def done(self) -> bool:
        """Return whether all epochs are over, or all models have diverged."""
        return self._run.finished

    @property
    def histories(self) -> list[History]:
        """Return one history per model, of all slices so far."""
        return [self._history(model) for model in range(len(self.plan.models))]

    def run(self, epochs: int | None = None, *, seconds: float | None = None, progress: bool = False) -> None:
        """Train for so many more epochs (None: all that are left), or until the seconds are over.

        After an interrupt, the next call first brings all models to where the interrupted one would have
        ended.
        """
        left = self.plan.epochs - self._run.epoch
        goal = left if epochs is None else min(whole_number("epochs", epochs), left)
        start, done = time.perf_counter(), 0
        before = self.seconds
        with _bar(self._run, self.plan, progress) as report:
            while not self.done:
                ahead = goal - done
                if seconds is not None:  # half of what seems possible, since the first slices are slower
                    spare = seconds - (time.perf_counter() - start)
                    ahead = min(ahead, max(1, int(done * spare / (seconds - spare) / 2)))
                try:
                    self._run.run(ahead, report)
                finally:
                    self.seconds = before + time.perf_counter() - start
                done += ahead
                if done >= goal or (seconds is not None and time.perf_counter() - start > seconds):
                    return

    def _history(self, model: int) -> History:
        seen = self._run.record(model)
        if not self.plan.classifies:
            seen["accuracy"] = seen["validation_accuracy"] = None
        if self.plan.validation is None:
            seen["validation_steps"] = seen["validation_loss"] = seen["validation_accuracy"] = None
        return History(**seen, steps=len(seen["loss"]), seconds=self.seconds)


def weight_gradients(model: nn.Module, X: Tensor, y: Tensor) -> np.ndarray:
    """Return the norms of the cross-entropy's gradient at the weights of each nn.Linear, from input to output."""
    weights = [layer.weight for layer in model.modules() if isinstance(layer, nn.Linear)]
    gradients = torch.autograd.grad(nn.functional.cross_entropy(model(X), y), weights)
    return np.array([gradient.norm().item() for gradient in gradients])


def _choose_backend(plan: TrainingPlan, threads: int | None) -> Any:
    """Return the compiled run where it can do what is asked for, else PyTorch's."""
    on_cpu = all(tensor.device.type == "cpu" for tensor in (plan.X, plan.y, *plan.models[0].parameters()))
    if on_cpu and plan.loss in LOSSES:
        from utils.engine import compiled_run  # here, so that nothing else waits for Numba

        layers = [found for model in plan.models if (found := compiled_run.as_mlp_layers(model))]
        if len(layers) == len(plan.models) and not compiled_run.too_wide(layers[0], plan.batch_size):
            return compiled_run.CompiledRun(plan, threads)
    from utils.engine import torch_run

    return torch_run.torch_run(plan)


@contextmanager
def _bar(run: Any, plan: TrainingPlan, shown: bool) -> Iterator[Callable[[], None]]:
    """Yield a function that brings the progress bar up to date; the bar appears after half a second."""
    if not shown:
        yield lambda: None
        return
    from utils.progress import bar as progress_bar

    total = len(plan.models) * plan.last_step
    with progress_bar(total=total, initial=run.steps_done, unit=" steps", unit_scale=True) as bar:
        yield lambda: bar.update(run.steps_done - bar.n)
