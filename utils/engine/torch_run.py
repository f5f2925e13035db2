"""Training by PyTorch, for all that the compiled loop cannot do: other modules and losses, wide layers, GPUs.

Many networks go through batched products at once where PyTorch can do that for their modules, on a GPU
thousands of them; nothing then waits for a result of the GPU between steps. Else one goes after the other.
"""

import copy
import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.func import functional_call, grad_and_value, stack_module_state, vmap

from utils.engine.training_plan import TrainingPlan, modes_kept

# On the CPU, filters or wide layers of many networks at once are slower than one network after the other.
FILTERS = (nn.Conv1d, nn.Conv2d, nn.Conv3d)
WIDE = 4096  # weights of one layer
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8  # torch.optim's defaults
STEPS_PER_BLOCK = 256  # of the record; also how often a run on a GPU looks whether anything is left to train


def torch_run(plan: TrainingPlan) -> "TorchRun":
    """Return the run that suits the models and where they are."""
    model = plan.models[0]
    on_cpu = next(model.parameters()).device.type == "cpu"
    separate = len(plan.models) == 1 or (on_cpu and any(_keeps_the_cores_busy(module) for module in model.modules()))
    return SeparateRun(plan) if separate or not can_be_batched(plan) else BatchedRun(plan)


def _keeps_the_cores_busy(module: nn.Module) -> bool:
    """Return whether one network's products alone are enough work for a CPU."""
    return isinstance(module, FILTERS) or (isinstance(module, nn.Linear) and module.weight.numel() > WIDE)


def can_be_batched(plan: TrainingPlan) -> bool:
    """Return whether PyTorch can train the models in batched products: tried with a step that is then forgotten."""
    run = BatchedRun(plan)
    devices = [run.device] if run.device.type == "cuda" else []
    with torch.random.fork_rng(devices), warnings.catch_warnings(), modes_kept(plan.models):
        warnings.simplefilter("error")  # PyTorch only warns where it would take the networks one by one
        try:
            run.begin()
            run.gradients(run.parameters, run.buffers, *run.batch(torch.arange(min(2, plan.points))))
        except (RuntimeError, ValueError, NotImplementedError, TypeError, UserWarning):
            return False
    return True


class TorchRun:
    """What both ways have in common: batches, the record, and when to validate."""

    def __init__(self, plan: TrainingPlan):
        self.plan = plan
        self.device = next(plan.models[0].parameters()).device
        self.X, self.y = plan.X.to(self.device), plan.y.to(self.device)
        self.held_out = tuple(values.to(self.device) for values in plan.validation or ())
        named = {"cross-entropy": nn.functional.cross_entropy, "mse": nn.functional.mse_loss}
        self.loss = plan.loss if callable(plan.loss) else named[plan.loss]
        self.epoch = self.step = 0
        self.order = torch.zeros(0, dtype=torch.long)  # an epoch draws its own
        self.alive = torch.ones(len(plan.models), dtype=torch.bool, device=self.device)
        self.steps = torch.zeros(len(plan.models), dtype=torch.long, device=self.device)
        self.nobody_alive = False
        self.recent: list[Tensor] = []  # per step [2, models]: loss and accuracy
        self.blocks: list[Tensor] = []  # the same, stacked
        self.checks: list[Tensor] = []  # per validation [2, models]
        self.check_steps: list[int] = []

    @property
    def steps_done(self) -> int:
        return self.step * len(self.plan.models)

    @property
    def finished(self) -> bool:
        return self.step >= self.plan.last_step or self.nobody_alive

    def run(self, epochs: int, report: Callable[[], None]) -> None:
        """Train all models up to `epochs` more epochs than asked for before."""
        self.epoch += epochs
        with modes_kept(self.plan.models):
            self.begin()
            try:
                while self.step < self.epoch * self.plan.steps_per_epoch and not self.nobody_alive:
                    self._next_step()
                    report()
            finally:
                self.end()

    def record(self, model: int) -> dict[str, Any]:
        """Return what was seen of one model, from the first step on."""
        nothing = torch.zeros(0, 2, len(self.plan.models))
        seen = torch.cat(self.blocks) if self.blocks else nothing
        checks = torch.stack(self.checks) if self.checks else nothing
        steps, alive = int(self.steps[model]), bool(self.alive[model])
        check_steps = np.array(self.check_steps, int)
        before_the_end = check_steps < steps + alive
        return {
            "loss": seen[:steps, 0, model].cpu().numpy(),
            "accuracy": seen[:steps, 1, model].cpu().numpy(),
            "validation_steps": check_steps[before_the_end],
            "validation_loss": checks[:, 0, model].cpu().numpy()[before_the_end],
            "validation_accuracy": checks[:, 1, model].cpu().numpy()[before_the_end],
            "diverged": not alive,
        }

    def batch(self, chosen: Tensor | None) -> tuple[Tensor, Tensor]:
        """Return the chosen points of X and y, all for None."""
        if chosen is None:
            return self.X, self.y
        chosen = chosen.to(self.device)
        per_model = self.plan.X_per_model, self.plan.y_per_model
        X, y = (
            values[:, chosen] if many else values[chosen]
            for values, many in zip((self.X, self.y), per_model, strict=True)
        )
        return X, y

    def accuracy(self, outputs: Tensor, y: Tensor) -> Tensor:
        """Return the share of right labels; NaN in regression."""
        if not self.plan.classifies:
            return torch.full((), math.nan, device=outputs.device, dtype=outputs.dtype)
        return (outputs.argmax(-1) == y).to(outputs.dtype).mean()

    def _next_step(self) -> None:
        plan, per_epoch = self.plan, self.plan.steps_per_epoch
        due = plan.validation and self.step % plan.validate_every == 0
        if due and self.step not in self.check_steps[-1:]:
            self._check()
        chosen = None
        if per_epoch > 1:
            number = self.step % per_epoch
            if number == 0:
                self.order = torch.from_numpy(plan.draw_order()).to(self.device)
            chosen = self.order[number * plan.batch_size : (number + 1) * plan.batch_size]
        self.recent.append(self.train_step(*self.batch(chosen), plan.factors(self.step, self.step + 1)[0]))
        self.step += 1
        if len(self.recent) == STEPS_PER_BLOCK:
            self._stack()
        if plan.validation and self.step == plan.last_step:
            self._check()

    def _check(self) -> None:
        with torch.no_grad():
            self.checks.append(self.validate(*self.held_out))
        self.check_steps.append(self.step)

    def _stack(self) -> None:
        if self.recent:
            self.blocks.append(torch.stack(self.recent))
            self.recent = []
        self.nobody_alive = not self.alive.any()

    def begin(self) -> None:
        """Get the weights from the models."""
        for model in self.plan.models:
            model.train()

    def end(self) -> None:
        """Give the weights to the models."""
        self._stack()

    def train_step(self, X: Tensor, y: Tensor, factor: float) -> Tensor:
        """Return losses and accuracies [2, models] of a batch, after one step on it."""
        raise NotImplementedError

    def validate(self, X: Tensor, y: Tensor) -> Tensor:
        """Return losses and accuracies [2, models], with dropout and the like switched off."""
        raise NotImplementedError


class SeparateRun(TorchRun):
    """One network after the other in each step."""

    def __init__(self, plan: TrainingPlan):
        super().__init__(plan)
        kinds = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW, "sgd": torch.optim.SGD}
        options = {"momentum": plan.momentum} if plan.optimizer == "sgd" else {}
        # In arrays, since reading one number of a tensor takes longer.
        self.alive, self.steps = np.ones(len(plan.models), bool), np.zeros(len(plan.models), int)
        self.trained = [[p for p in model.parameters() if p.requires_grad] for model in plan.models]
        self.weights = [[p.detach() for p in parameters] for parameters in self.trained]  # the same memory
        self.previous = [[p.clone() for p in parameters] for parameters in self.weights]
        self.optimizers = [
            kinds[plan.optimizer](parameters, lr=rate, weight_decay=plan.weight_decay, fused=True, **options)
            for parameters, rate in zip(self.trained, plan.lr, strict=True)
        ]

    def of_model(self, number: int, X: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        return X[number] if self.plan.X_per_model else X, y[number] if self.plan.y_per_model else y

    def train_step(self, X: Tensor, y: Tensor, factor: float) -> Tensor:
        seen = [self._step(number, *self.of_model(number, X, y), factor) for number in range(len(self.plan.models))]
        return torch.tensor(seen, dtype=self.plan.dtype).T

    def _step(self, number: int, X: Tensor, y: Tensor, factor: float) -> tuple[float, float]:
        if not self.alive[number]:
            return math.nan, math.nan
        optimizer = self.optimizers[number]
        optimizer.param_groups[0]["lr"] = float(self.plan.lr[number] * factor)
        outputs = self.plan.models[number](X)
        loss = self.loss(outputs, y)
        seen = loss.item(), self._share_right(outputs.detach(), y)
        self.steps[number] += 1
        if math.isfinite(seen[0]):
            torch._foreach_copy_(self.previous[number], self.weights[number])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        else:
            self._take_back(number)
        return seen

    def _share_right(self, outputs: Tensor, y: Tensor) -> float:
        """Return `accuracy` as a number: fewer calls, which count in a step of a small network."""
        return (outputs.argmax(-1) == y).sum().item() / y.numel() if self.plan.classifies else math.nan

    def _take_back(self, number: int) -> None:
        torch._foreach_copy_(self.weights[number], self.previous[number])
        self.alive[number] = False

    def end(self) -> None:
        for number, parameters in enumerate(self.trained):
            if self.alive[number] and not all(parameter.isfinite().all() for parameter in parameters):
                self._take_back(number)
        super().end()

    def validate(self, X: Tensor, y: Tensor) -> Tensor:
        seen = []
        for number, model in enumerate(self.plan.models):
            model.eval()
            x_one, y_one = self.of_model(number, X, y)
            outputs = model(x_one)
            seen.append((self.loss(outputs, y_one).item(), self.accuracy(outputs, y_one).item()))
            model.train()
        return torch.tensor(seen, dtype=self.plan.dtype).T


class BatchedRun(TorchRun):
    """All networks at once: their parameters are stacked, and vmap turns products into batched products."""

    def __init__(self, plan: TrainingPlan):
        super().__init__(plan)
        self.module = copy.deepcopy(plan.models[0])
        per_model = (0 if plan.X_per_model else None, 0 if plan.y_per_model else None)
        self.gradients = vmap(
            grad_and_value(self._loss, has_aux=True), in_dims=(0, 0, *per_model), randomness="different"
        )
        self.evaluate = vmap(self._loss, in_dims=(0, 0, *per_model), randomness="error")
        self.parameters: dict[str, Tensor] = {}
        self.previous: dict[str, Tensor] = {}
        self.moments: dict[str, list[Tensor]] = {}

    def _loss(
        self, parameters: dict[str, Tensor], buffers: dict[str, Tensor], X: Tensor, y: Tensor
    ) -> tuple[Tensor, Tensor]:
        outputs = functional_call(self.module, (parameters, buffers), (X,))
        return self.loss(outputs, y), self.accuracy(outputs.detach(), y)

    def begin(self) -> None:
        super().begin()
        self.module.train()
        parameters, self.buffers = stack_module_state(self.plan.models)
        self.parameters = {name: values.detach() for name, values in parameters.items()}
        self.previous = self.previous or self.parameters
        self.moments = self.moments or {
            name: [torch.zeros_like(values), torch.zeros_like(values)] for name, values in self.parameters.items()
        }
        self.frozen = {name for name, values in self.module.named_parameters() if not values.requires_grad}
        self.rates = torch.as_tensor(self.plan.lr, dtype=self.plan.dtype, device=self.device)

    def end(self) -> None:
        finite = torch.stack([p.isfinite().flatten(1).all(1) for p in self.parameters.values()]).all(0)
        self._take_back(~finite & self.alive)
        with torch.no_grad():
            for number, model in enumerate(self.plan.models):
                for name, values in [*model.named_parameters(), *model.named_buffers()]:
                    stacked = self.parameters if name in self.parameters else self.buffers
                    values.copy_(stacked[name][number])
        super().end()

    def train_step(self, X: Tensor, y: Tensor, factor: float) -> Tensor:
        gradients, (losses, accuracies) = self.gradients(self.parameters, self.buffers, X, y)
        self.steps += self.alive
        self._take_back(self.alive & ~losses.isfinite())
        with torch.no_grad():
            updated = {name: self._updated(name, gradients[name], factor) for name in self.parameters}
        self.previous, self.parameters = self.parameters, updated
        return torch.stack([losses.detach(), accuracies])

    def _take_back(self, failed: Tensor) -> None:
        self.parameters = {
            name: torch.where(_fitted(failed, values), self.previous[name], values)
            for name, values in self.parameters.items()
        }
        self.alive = self.alive & ~failed

    def _updated(self, name: str, gradient: Tensor, factor: float) -> Tensor:
        """Return torch.optim's step, with a learning rate per model; models that have diverged stay as they are."""
        plan, weights = self.plan, self.parameters[name]
        if name in self.frozen:
            return weights
        rate = _fitted(self.rates * factor, weights)
        if plan.optimizer != "adamw":
            gradient = gradient + plan.weight_decay * weights
        if plan.optimizer == "sgd":
            buffer = self.moments[name][0].mul_(plan.momentum).add_(gradient)
            return torch.where(_fitted(self.alive, weights), weights - rate * buffer, weights)
        mean, square = self.moments[name]
        mean.lerp_(gradient, 1 - BETA_1)
        square.mul_(BETA_2).addcmul_(gradient, gradient, value=1 - BETA_2)
        steps = self.step + 1
        root = square.sqrt() / math.sqrt(1 - BETA_2**steps) + EPSILON
        new = weights - rate / (1 - BETA_1**steps) * mean / root
        if plan.optimizer == "adamw":
            new = new - rate * plan.weight_decay * weights
        return torch.where(_fitted(self.alive, weights), new, weights)

    def validate(self, X: Tensor, y: Tensor) -> Tensor:
        self.module.eval()
        losses, accuracies = self.evaluate(self.parameters, self.buffers, X, y)
        self.module.train()
        return torch.stack([losses, accuracies])


def _fitted(per_model: Tensor, values: Tensor) -> Tensor:
    """Return one number per model, in a shape that goes with values [models, ...]."""
    return per_model.reshape(-1, *[1] * (values.ndim - 1))
