"""What a training call asks for, checked once and brought into one form for all ways of training."""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from utils.checks import one_of, real_number, whole_number

OPTIMIZERS = ("adam", "sgd", "adamw")
LOSSES = ("cross-entropy", "mse")
VALIDATIONS = 200  # as many points as a curve can show
Real = type[np.floating]
REALS: dict[torch.dtype, Real] = {torch.float32: np.float32, torch.float64: np.float64}

LossFunction = Callable[[Tensor, Tensor], Tensor]
Loss = str | LossFunction | None


@dataclass(kw_only=True)
class Options:
    """What a training call may ask for beside models and data; `utils.training.train_ensemble` says what each is."""

    epochs: int
    lr: float | Sequence[float]
    loss: Loss = None
    optimizer: str = "adam"
    momentum: float = 0
    weight_decay: float = 0
    schedule: str | None = None
    batch_size: int | None = None
    validation: tuple[Tensor, Tensor] | None = None
    generator: torch.Generator | None = None


@dataclass(kw_only=True)
class TrainingPlan:
    """A training call, checked: data and `Options`, with lr [models], the schedule a function and nothing left open."""

    epochs: int
    lr: np.ndarray
    loss: str | LossFunction
    optimizer: str
    momentum: float
    weight_decay: float
    schedule: Callable[[int], float]
    batch_size: int
    validation: tuple[Tensor, Tensor] | None
    generator: torch.Generator
    models: list[nn.Module]
    X: Tensor
    y: Tensor
    X_per_model: bool
    y_per_model: bool
    dtype: torch.dtype

    @property
    def real(self) -> Real:
        return REALS[self.dtype]

    @property
    def points(self) -> int:
        return self.X.shape[1 if self.X_per_model else 0]

    @property
    def steps_per_epoch(self) -> int:
        return -(-self.points // self.batch_size)

    @property
    def last_step(self) -> int:
        return self.epochs * self.steps_per_epoch

    @property
    def validate_every(self) -> int:
        """Return the number of steps from one validation to the next."""
        return -(-self.epochs // VALIDATIONS) * self.steps_per_epoch

    @property
    def validation_checks(self) -> int:
        """Return the number of validations in all: before the first step, regularly, and after the last step."""
        return -(-self.last_step // self.validate_every) + 1 if self.validation else 0

    @property
    def classifies(self) -> bool:
        return not self.y.is_floating_point()

    def factors(self, begin: int, stop: int) -> np.ndarray:
        """Return what the learning rates are multiplied by in steps begin … stop - 1."""
        return np.array([self.schedule(step) for step in range(begin, stop)], float)

    def draw_order(self) -> np.ndarray:
        """Return the points' numbers in the order of the next epoch's batches."""
        return torch.randperm(self.points, generator=self.generator, device=self.generator.device).cpu().numpy()


def make_plan(models: Sequence[nn.Module], X: Tensor, y: Tensor, **options: Any) -> TrainingPlan:
    """Return the arguments of `utils.training.train_ensemble`, checked. Raises TypeError or ValueError."""
    known = [option.name for option in fields(Options)]
    unknown = [name for name in options if name not in known]
    if unknown:
        raise TypeError(f"there is no option {unknown[0]!r}: wanted some of {', '.join(known)}")
    missing = [name for name in ("epochs", "lr") if name not in options]
    if missing:
        raise TypeError(f"{' and '.join(missing)} missing: wanted, there is no default")
    asked = Options(**options)
    models = check_models(models)
    dtype = model_dtype(models[0])
    X, y = check_tensor("X", X, dtype), check_tensor("y", y, dtype)
    X = as_inputs(X, dtype, models[0])
    per_model = check_data("X", "y", X, y, models)
    validation = asked.validation
    if validation is not None:
        validation = check_validation(validation, X, y, dtype, models, per_model)
    points = X.shape[1 if per_model[1] else 0]
    one_of("optimizer", asked.optimizer, OPTIMIZERS)
    momentum = real_number("momentum", asked.momentum, least=0)
    if momentum and asked.optimizer != "sgd":
        found = f"momentum is {momentum} with optimizer={asked.optimizer!r}"
        raise ValueError(f"{found}: wanted 0, or optimizer='sgd'")
    epochs = whole_number("epochs", asked.epochs)
    batch_size = points if asked.batch_size is None else min(points, whole_number("batch_size", asked.batch_size))
    if asked.generator is not None and not isinstance(asked.generator, torch.Generator):
        raise TypeError(f"generator is {asked.generator!r}: wanted a torch.Generator or None")
    y_per_model, X_per_model = per_model
    return TrainingPlan(
        epochs=epochs,
        loss=check_loss(asked.loss, y),
        lr=check_rates(asked.lr, len(models)),
        optimizer=asked.optimizer,
        momentum=momentum,
        weight_decay=real_number("weight_decay", asked.weight_decay, least=0),
        schedule=SCHEDULES[one_of("schedule", asked.schedule, SCHEDULES)](epochs * -(-points // batch_size)),
        batch_size=batch_size,
        validation=validation,
        generator=asked.generator or torch.Generator().manual_seed(0),
        models=models,
        X=X,
        y=y,
        X_per_model=X_per_model,
        y_per_model=y_per_model,
        dtype=dtype,
    )


def check_models(models: Sequence[nn.Module]) -> list[nn.Module]:
    """Return the models as a list. They must be modules of one architecture, with parameters of their own."""
    if isinstance(models, nn.Module) and not isinstance(models, nn.ModuleList):
        raise TypeError(f"models is one {type(models).__name__}: wanted a list of models (or call train)")
    models = list(models)
    if not models:
        raise ValueError("models is empty: wanted at least one model")
    owners: dict[int, int] = {}
    for number, model in enumerate(models):
        if not isinstance(model, nn.Module):
            raise TypeError(f"models[{number}] is {model!r}: wanted an nn.Module")
        if architecture(model) != architecture(models[0]):
            raise ValueError(
                f"models[{number}] is {model}, models[0] is {models[0]}: wanted one architecture, dtype and device"
            )
        for parameter in model.parameters():
            if owners.setdefault(id(parameter), number) != number:
                raise ValueError(
                    f"models[{number}] shares parameters with models[{owners[id(parameter)]}]: wanted separate models"
                )
    return models


def architecture(model: nn.Module) -> tuple:
    """Return what is equal for models that differ in their parameters' values only."""
    tensors = [*model.named_parameters(), *model.named_buffers()]
    described = [(name, tuple(t.shape), t.dtype, t.device, t.requires_grad) for name, t in tensors]
    return repr(model), described


def model_dtype(model: nn.Module) -> torch.dtype:
    """Return the one type of the model's parameters, float32 or float64."""
    kinds = {parameter.dtype for parameter in model.parameters()}
    if not any(parameter.requires_grad for parameter in model.parameters()):
        raise ValueError(f"models has no parameters to train: {model}; wanted at least one that requires a gradient")
    if len(kinds) > 1 or not kinds <= set(REALS):
        raise ValueError(f"models has parameters of type {kinds}: wanted all float32 or all float64")
    return kinds.pop()


def check_tensor(name: str, values: Any, dtype: torch.dtype) -> Tensor:
    """Return `values` as a tensor, floats in the model's type. They must be finite."""
    if not isinstance(values, Tensor | np.ndarray):
        raise TypeError(f"{name} is a {type(values).__name__}: wanted a tensor")
    values = torch.as_tensor(values).detach()
    if values.is_complex():
        raise TypeError(f"{name} has dtype {values.dtype}: wanted real numbers or integers")
    if not values.is_floating_point():
        return values.long()
    numbers = values.cpu().numpy() if values.dtype in REALS else values.float().cpu().numpy()
    if not np.isfinite(numbers).all():
        first = tuple(int(i) for i in np.argwhere(~np.isfinite(numbers))[0])
        raise ValueError(f"{name}{list(first)} is {numbers[first]}: wanted finite numbers only")
    with np.errstate(over="ignore"):
        cast = torch.from_numpy(numbers.astype(REALS[dtype])).to(values.device)
    if not np.isfinite(cast.cpu().numpy()).all():
        raise ValueError(f"{name} has numbers up to {np.abs(numbers).max():g}: too large for the model's {dtype}")
    return cast


def as_inputs(X: Tensor, dtype: torch.dtype, model: nn.Module) -> Tensor:
    """Return X in the model's type; whole numbers stay where the model looks something up with them."""
    looks_up = any(isinstance(module, nn.Embedding | nn.EmbeddingBag) for module in model.modules())
    return X if looks_up else X.to(dtype)


@contextmanager
def modes_kept(models: list[nn.Module]) -> Iterator[None]:
    """Run a block after which, whatever happens, every module is in training or evaluation mode as it was before."""
    modes = [(module, module.training) for model in models for module in model.modules()]
    try:
        yield
    finally:
        for module, training in modes:
            module.training = training


def check_data(X_name: str, y_name: str, X: Tensor, y: Tensor, models: list[nn.Module]) -> tuple[bool, bool]:
    """Return whether y and whether X hold a set per model. Raises ValueError where X, y and models do not fit."""
    classifies, count = not y.is_floating_point(), len(models)
    wanted = "[points] or [models, points]" if classifies else "[points, outputs] or [models, points, outputs]"
    shared_dimensions = 1 if classifies else 2
    if y.ndim not in (shared_dimensions, shared_dimensions + 1):
        raise ValueError(f"{y_name} has shape {tuple(y.shape)} and holds {y.dtype}: wanted {wanted}")
    y_per_model = y.ndim > shared_dimensions
    if y_per_model and len(y) != count:
        raise ValueError(f"{y_name} has shape {tuple(y.shape)} for {count} models: wanted {wanted}")
    points = y.shape[1 if y_per_model else 0]
    if points == 0:
        raise ValueError(f"{y_name} has shape {tuple(y.shape)}: wanted at least one point")
    X_per_model = inputs_per_model(X, models, points, y_per_model)
    if X.ndim < 2 or X.shape[: 1 + X_per_model] != ((count, points) if X_per_model else (points,)):
        raise ValueError(
            f"{X_name} has shape {tuple(X.shape)}, {y_name} {tuple(y.shape)}, for {count} models: "
            f"wanted {X_name} of shape [points, features] or [models, points, features], "
            f"as many points as in {y_name}"
        )
    check_outputs(X_name, y_name, X[0] if X_per_model else X, y[0] if y_per_model else y, y, models[0])
    return y_per_model, X_per_model


def inputs_per_model(X: Tensor, models: list[nn.Module], points: int, y_per_model: bool) -> bool:
    """Return whether X holds a set per model: for a plain MLP, by its dimensions; else when y does, too."""
    if isinstance(models[0], nn.Sequential) and type(models[0][0]) is nn.Linear:
        return X.ndim == 3
    return y_per_model and X.ndim > 1 and tuple(X.shape[:2]) == (len(models), points)


def check_outputs(X_name: str, y_name: str, X: Tensor, y: Tensor, all_y: Tensor, model: nn.Module) -> None:
    """Raise ValueError where the model cannot take X, or where its outputs do not fit y."""
    with modes_kept([model]), torch.no_grad():
        try:
            outputs = model.eval()(X[:1].to(next(model.parameters()).device))
        except (RuntimeError, IndexError, TypeError, ValueError) as error:
            raise ValueError(f"{X_name} has points of shape {tuple(X.shape[1:])}: the model says {error}") from error
    if y.is_floating_point():
        if outputs.shape[1:] != y.shape[1:]:
            raise ValueError(
                f"{y_name} has points of shape {tuple(y.shape[1:])}, the model outputs of shape "
                f"{tuple(outputs.shape[1:])}: wanted the same"
            )
        return
    if outputs.ndim != 2:
        raise ValueError(f"the model's outputs have shape {tuple(outputs.shape)}: wanted [points, classes]")
    low, high = int(all_y.min()), int(all_y.max())
    if low < 0 or high >= outputs.shape[1]:
        raise ValueError(
            f"{y_name} has labels from {low} to {high}: wanted 0 to {outputs.shape[1] - 1}, "
            f"since the model has {outputs.shape[1]} outputs"
        )


def check_validation(
    validation: Any,
    X: Tensor,
    y: Tensor,
    dtype: torch.dtype,
    models: list[nn.Module],
    per_model: tuple[bool, bool],
) -> tuple[Tensor, Tensor]:
    """Return the pair (X_val, y_val), of the kind of X and y."""
    try:
        X_val, y_val = validation
    except (TypeError, ValueError):
        raise TypeError(f"validation is a {type(validation).__name__}: wanted a pair (X_val, y_val)") from None
    X_val = as_inputs(check_tensor("validation X", X_val, dtype), dtype, models[0])
    y_val = check_tensor("validation y", y_val, dtype)
    if y_val.is_floating_point() != y.is_floating_point():
        raise ValueError(f"validation y holds {y_val.dtype}, y {y.dtype}: wanted the same kind")
    if check_data("validation X", "validation y", X_val, y_val, models) != per_model:
        raise ValueError(
            f"validation has shapes {tuple(X_val.shape)}, {tuple(y_val.shape)}, X and y {tuple(X.shape)}, "
            f"{tuple(y.shape)}: wanted one set per model in both, or in neither"
        )
    return X_val, y_val


def check_loss(loss: Loss, y: Tensor) -> str | LossFunction:
    """Return the loss's name, or the function itself where it is not one of those with a name."""
    classifies = not y.is_floating_point()
    known = {nn.functional.cross_entropy: "cross-entropy", nn.functional.mse_loss: "mse"}
    loss = known.get(loss, loss) if callable(loss) else loss
    if loss is None:
        return "cross-entropy" if classifies else "mse"
    if callable(loss):
        return loss
    one_of("loss", loss, LOSSES)
    if (loss == "cross-entropy") != classifies:
        wanted = "integer labels" if loss == "cross-entropy" else "float targets"
        raise ValueError(f"y holds {y.dtype} with loss={loss!r}: wanted {wanted}")
    return loss


def check_rates(lr: Any, count: int) -> np.ndarray:
    """Return one positive learning rate per model."""
    rates = lr.tolist() if isinstance(lr, Tensor | np.ndarray) else lr
    if isinstance(rates, int | float):
        rates = [rates] * count
    if not isinstance(rates, list | tuple):
        raise TypeError(f"lr is {lr!r}: wanted a number, or a list of one number per model")
    if len(rates) != count:
        raise ValueError(f"lr has {len(rates)} numbers for {count} models: wanted one number, or one per model")
    return np.array([real_number("lr", rate, above=0) for rate in rates])


def constant(steps: int) -> Callable[[int], float]:
    """Return 1 in every step."""
    return lambda step: 1.0


def cosine(steps: int) -> Callable[[int], float]:
    """Return half a cosine wave from 1 to 0: torch's CosineAnnealingLR (Loshchilov & Hutter 2017, equation 5)."""
    return lambda step: _between(1.0, 0.0, step / steps)


def one_cycle(steps: int) -> Callable[[int], float]:
    """Return a factor that goes up from 1/25 to 1 in 30 % of the steps, then down to 4e-6.

    That is torch's OneCycleLR (Smith & Topin 2018).
    """
    top, end = 0.3 * steps - 1, steps - 1

    def factor(step: int) -> float:
        if step <= top:
            return _between(1 / 25, 1.0, step / top if top > 0 else 1.0)
        return _between(1.0, 1 / 25e4, (step - top) / (end - top))

    return factor


def _between(start: float, end: float, done: float) -> float:
    # Rounded, since the last digit of a cosine is not the same in every mathematics library.
    return round(end + (start - end) * (1 + math.cos(math.pi * done)) / 2, 14)


SCHEDULES = {None: constant, "cosine": cosine, "one-cycle": one_cycle}
