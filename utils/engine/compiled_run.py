"""Train plain multilayer perceptrons with the compiled loop: models and data in, threads over networks."""

import heapq
import os
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from torch import nn

from utils.engine import compiled_mlp as compiled
from utils.engine.compilation import compile_first
from utils.engine.training_plan import Real, TrainingPlan

ACTIVATIONS = {
    nn.Identity: compiled.IDENTITY,
    nn.ReLU: compiled.RELU,
    nn.LeakyReLU: compiled.LEAKY_RELU,
    nn.Tanh: compiled.TANH,
    nn.Sigmoid: compiled.SIGMOID,
    nn.GELU: compiled.GELU,
    nn.SiLU: compiled.SILU,
}
LOSSES = {"mse": compiled.MEAN_SQUARES, "cross-entropy": compiled.CROSS_ENTROPY}
OPTIMIZERS = {"sgd": compiled.SGD, "adam": compiled.ADAM, "adamw": compiled.ADAMW}

SECONDS_PER_CALL = 0.02  # how long a thread computes before it looks around: the delay of an interrupt
SECONDS_PER_BLOCK = 2.0  # of epochs
COMPILING = "Compiling the training loop, once (about 5 s) …"
NUMBERS_PER_BLOCK = 2**22  # limits the memory that a block's shuffled order and records take


class Layer(NamedTuple):
    """A linear layer and the activation that follows: its code, and LeakyReLU's slope."""

    linear: nn.Linear
    activation: int
    shape: float


class EpochBlock(NamedTuple):
    """Some epochs that all models go through before anyone goes further."""

    begin: int
    stop: int
    factors: np.ndarray
    order: np.ndarray
    record: compiled.TrainingCurves


def as_mlp_layers(model: nn.Module) -> list[Layer] | None:
    """Return the layers of a plain MLP; None for a model that the compiled loop cannot train."""
    if type(model) is not nn.Sequential or any(_has_hooks(module) for module in model.modules()):
        return None
    layers: list[Layer] = []
    activation_is_free = False
    for module in model:
        code = activation_code(module)
        if type(module) is nn.Linear:
            layers.append(Layer(module, compiled.IDENTITY, 0.0))
            activation_is_free = True
        elif code is not None and activation_is_free:
            layers[-1] = Layer(layers[-1].linear, code, float(getattr(module, "negative_slope", 0)))
            activation_is_free = False
        else:
            return None
    weights = [parameter for layer in layers for parameter in layer.linear.parameters()]
    fit = all(before.linear.out_features == after.linear.in_features for before, after in pairwise(layers))
    return layers if fit and len({id(weight) for weight in weights}) == len(weights) > 0 else None


def _layers_of(model: nn.Module) -> list[Layer]:
    layers = as_mlp_layers(model)
    assert layers is not None  # utils.training takes another run for other models
    return layers


def too_wide(layers: list[Layer], batch_size: int) -> bool:
    """Return whether PyTorch, which uses all cores for one network's products, is likely to be faster.

    The two limits were measured for one network on two cores (`benchmarks/README.md`).
    """
    products = [layer.linear.in_features * layer.linear.out_features for layer in layers]
    multiplications = 3 * sum(products) * batch_size
    return max(products) > 4096 and multiplications > 15_000_000


def activation_code(module: nn.Module) -> int | None:
    """Return the compiled loop's number for an activation; None for one that it does not have."""
    if type(module) is nn.GELU and module.approximate != "none":
        return None
    if (type(module).__module__, type(module).__name__) == ("utils.models", "Square"):
        return compiled.SQUARE
    return ACTIVATIONS.get(type(module))


def _has_hooks(module: nn.Module) -> bool:
    return any(
        getattr(module, name, None)
        for name in ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
    )


class CompiledRun:
    """One training, in slices of epochs; models get their weights when a slice ends."""

    def __init__(self, plan: TrainingPlan, threads: int | None = None):
        self.plan = plan
        assert isinstance(plan.loss, str)  # utils.training takes another run for a function
        self.layers = [_layers_of(model) for model in plan.models]
        self.network = as_network(self.layers[0], plan.real)
        self.data = _data(plan.X, plan.y, plan, self.network)
        held_out = plan.validation or (plan.X, plan.y)
        self.validation = _data(*held_out, plan, self.network)
        self.recipe = compiled.Recipe(
            LOSSES[plan.loss],
            OPTIMIZERS[plan.optimizer],
            plan.momentum,
            plan.weight_decay,
            plan.batch_size,
            plan.validate_every,
            plan.last_step,
        )
        self.state = _state(len(plan.models), self._packed().shape[1], plan)
        self.trainable = packed(self.layers[0], lambda weight: np.full(weight.shape, weight.requires_grad, plan.real))
        threads = min(threads or available_cores(), len(plan.models))
        self.workspaces = [self._workspace() for _ in range(threads)]
        checks = len(plan.models), plan.validation_checks
        self.checks = [np.full(checks, np.nan, plan.real) for _ in range(2)]
        self.blocks: list[EpochBlock] = []
        self.epoch = 0
        self.seconds_per_step = 1e-4  # of one network; measured as soon as something ran

    @property
    def steps_done(self) -> int:
        return int(self.state.steps.sum())

    @property
    def finished(self) -> bool:
        """Return whether no model has anything left to do."""
        done = (self.state.status == compiled.DIVERGED) | (self.state.steps >= self.plan.last_step)
        return bool(done.all())

    def run(self, epochs: int, report: Callable[[], None]) -> None:
        """Train all models up to `epochs` more epochs than asked for before."""
        stop = (self.epoch + epochs) * self.plan.steps_per_epoch
        self.epoch += epochs
        now = self._packed()
        changed = (now != self.state.parameters).any(axis=1)  # at the start all; later those the caller touched
        self.state.parameters[changed] = self.state.previous[changed] = now[changed]
        try:
            while not self.finished:
                begin = self.blocks[-1].stop if self.blocks else 0
                if not self.blocks or self._finished(self.blocks[-1]):
                    if begin == stop:
                        return
                    self.blocks.append(self._next_block(begin, stop))
                self._advance(self.blocks[-1], report)
        finally:
            unpack(self.state.parameters, self.layers, self.network)

    def record(self, model: int) -> dict[str, np.ndarray]:
        """Return what was seen of one model, from the first step on."""
        steps, checks = self.state.steps[model], self.state.checks[model]
        last = self.plan.last_step
        every = self.plan.validate_every
        return {
            "loss": _joined([block.record.loss[model] for block in self.blocks], steps),
            "accuracy": _joined([block.record.accuracy[model] for block in self.blocks], steps),
            "validation_steps": np.minimum(np.arange(checks) * every, last),
            "validation_loss": self.checks[0][model, :checks].copy(),
            "validation_accuracy": self.checks[1][model, :checks].copy(),
            "diverged": bool(self.state.status[model] == compiled.DIVERGED),
        }

    def _next_block(self, begin: int, stop: int) -> EpochBlock:
        plan, per_epoch = self.plan, self.plan.steps_per_epoch
        affordable = SECONDS_PER_BLOCK * len(self.workspaces) / (self.seconds_per_step * len(plan.models))
        remembered = NUMBERS_PER_BLOCK / max(len(plan.models), plan.batch_size if per_epoch > 1 else 1)
        epochs = max(1, int(min(affordable, remembered) // per_epoch))
        stop = min(stop, begin + epochs * per_epoch)
        orders = [plan.draw_order() for _ in range(begin // per_epoch, stop // per_epoch)] if per_epoch > 1 else []
        order = np.concatenate(orders) if orders else np.zeros(0, np.int64)
        seen = [np.full((len(plan.models), stop - begin), np.nan, plan.real) for _ in range(2)]
        return EpochBlock(begin, stop, plan.factors(begin, stop), order, compiled.TrainingCurves(*seen, *self.checks))

    def _finished(self, block: EpochBlock) -> bool:
        """Return whether every model is through with the block."""
        return bool(((self.state.steps >= block.stop) | (self.state.status == compiled.DIVERGED)).all())

    def _advance(self, block: EpochBlock, report: Callable[[], None]) -> None:
        """Bring all models to the block's end: each thread takes the model that is furthest behind."""
        compile_first(compiled.train_until, self._arguments(block, 0, block.stop, self.workspaces[0]), COMPILING)

        def advance(job: tuple[int, int], workspace: compiled.Workspace) -> tuple[int, int] | None:
            steps = self._call(block, job[1], workspace)
            over = steps >= block.stop or self.state.status[job[1]] != compiled.RUNNING
            return None if over else (steps, job[1])

        jobs = [(int(steps), model) for model, steps in enumerate(self.state.steps)]
        run_jobs(jobs, advance, self.workspaces, report)
        report()

    def _call(self, block: EpochBlock, model: int, workspace: compiled.Workspace) -> int:
        """Return the number of a model's steps after training it for about SECONDS_PER_CALL."""
        before = int(self.state.steps[model])
        stop = min(block.stop, before + max(1, int(SECONDS_PER_CALL / self.seconds_per_step)))
        start = time.perf_counter()
        compiled.train_until(*self._arguments(block, model, stop, workspace))
        steps = int(self.state.steps[model])
        if steps > before:
            self.seconds_per_step = max(1e-7, (time.perf_counter() - start) / (steps - before))
        return steps

    def _arguments(self, block: EpochBlock, model: int, stop: int, workspace: compiled.Workspace) -> tuple[Any, ...]:
        return (
            self.network,
            self.data,
            self.validation,
            self.recipe,
            self.state,
            self.trainable,
            model,
            stop,
            self.plan.lr[model],
            block.factors,
            block.order,
            block.begin,
            block.record,
            workspace,
        )

    def _workspace(self) -> compiled.Workspace:
        real, tile, sizes = self.plan.real, self.network.tile, self.network.sizes
        lengths = {
            "values": sizes.sum() * tile,
            "slopes": sizes.sum() * tile,
            "sums": sizes.max() * tile,
            "targets": sizes[-1] * tile,
            "point_loss": tile,
            "point_hits": tile,
            "scratch": 2 * tile,
            "gradient": self.trainable.size,
        }
        arrays = {name: np.zeros(length, real) for name, length in lengths.items()}
        return compiled.Workspace(**arrays, ones=np.ones(tile, real))

    def _packed(self) -> np.ndarray:
        return np.stack([packed(layers) for layers in self.layers])


def run_jobs(jobs: list, do: Callable, workspaces: Sequence, report: Callable[[], None] = lambda: None) -> None:
    """Call do(job, workspace) for all jobs, the least one first, in a thread for each workspace.

    What it returns is put back among the jobs, unless it is None. The calling thread works, too, and reports
    after each of its jobs; when it is interrupted, the others finish theirs and begin no more.

    Plain threads, since compiled loops release the interpreter's lock, and OpenMP's do not survive a fork.
    """
    heapq.heapify(jobs)
    lock, stopping = threading.Lock(), threading.Event()

    def work(workspace: Any, report: Callable[[], None]) -> None:
        while not stopping.is_set():
            with lock:
                if not jobs:
                    return
                job = heapq.heappop(jobs)
            rest = do(job, workspace)
            report()
            if rest is not None:
                with lock:
                    heapq.heappush(jobs, rest)

    helpers = [threading.Thread(target=work, args=(workspace, lambda: None)) for workspace in workspaces[1:]]
    for helper in helpers:
        helper.start()
    try:
        work(workspaces[0], report)
    except BaseException:
        stopping.set()
        raise
    finally:
        for helper in helpers:
            helper.join()


def available_cores() -> int:
    """Return how many cores this process may use, of which OMP_NUM_THREADS may say that it is to take fewer."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    wanted = os.environ.get("OMP_NUM_THREADS", "")
    return min(cores, int(wanted)) if wanted.isdecimal() and int(wanted) else cores


def packed(
    layers: list[Layer], content: Callable[[nn.Parameter], np.ndarray] = lambda weight: weight.detach().numpy()
) -> np.ndarray:
    """Return one vector of what `content` makes of each weight: per layer, row by row, the bias last in its row."""
    vectors = []
    for linear, _, _ in layers:
        rows = content(linear.weight)
        if linear.bias is not None:
            rows = np.concatenate([rows, content(linear.bias)[:, None]], axis=1)
        vectors.append(rows.ravel())
    return np.concatenate(vectors)


def unpack(parameters: np.ndarray, models: Iterable[list[Layer]], network: compiled.Network) -> None:
    """Write one vector per model into its layers, through NumPy: torch may start threads of its own to copy."""
    for vector, layers in zip(parameters, models, strict=True):
        for layer, first in zip(layers, network.first_weight, strict=True):
            linear, n_in = layer.linear, layer.linear.in_features
            columns = n_in + (linear.bias is not None)
            rows = vector[first : first + linear.out_features * columns].reshape(-1, columns)
            linear.weight.detach().numpy()[:] = rows[:, :n_in]
            if linear.bias is not None:
                linear.bias.detach().numpy()[:] = rows[:, n_in]


def as_network(layers: list[Layer], real: Real) -> compiled.Network:
    """Return the architecture in the compiled loops' form."""
    sizes = np.array([layers[0].linear.in_features] + [layer.linear.out_features for layer in layers])
    bias = np.array([int(layer.linear.bias is not None) for layer in layers])
    return compiled.Network(
        sizes=sizes,
        first_weight=np.cumsum(np.append(0, (sizes[:-1] + bias) * sizes[1:]))[:-1],
        bias=bias,
        first_row=np.append(0, np.cumsum(sizes))[:-1],
        activation=np.array([layer.activation for layer in layers]),
        shape=np.array([layer.shape for layer in layers], real),
        tile=256 if sizes.max() <= 256 else 128,  # measured; a tile's activations have to stay in the cache
    )


def _data(X, y, plan: TrainingPlan, network: compiled.Network) -> compiled.Data:
    """Return X [n, features] and y [n] or [n, outputs], both perhaps with models in front, laid out in rows."""
    points = X.shape[-2]
    block = compiled.POINTS_PER_BLOCK
    stride = -(-points // block) * block
    X = _rows(X.numpy(), stride, plan.real)
    y = y.numpy()
    y = _rows(y[..., None] if plan.loss == "cross-entropy" else y, stride, plan.real)
    steps = [rows[0].size if rows.ndim == 3 else 0 for rows in (X, y)]
    return compiled.Data(X.ravel(), y.ravel(), points, stride, *steps)


def _rows(points: np.ndarray, stride: int, real: Real) -> np.ndarray:
    rows = np.zeros((*points.shape[:-2], points.shape[-1], stride), real)
    rows[..., : points.shape[-2]] = np.swapaxes(points, -1, -2)
    return rows


def _state(models: int, parameters: int, plan: TrainingPlan) -> compiled.State:
    def weights() -> np.ndarray:
        return np.zeros((models, parameters), plan.real)

    def counter(first: int = 0) -> np.ndarray:
        return np.full(models, first, np.int64)

    return compiled.State(
        parameters=weights(),
        previous=weights(),
        moment_1=weights(),
        moment_2=weights(),
        powers=np.ones((models, 2)),
        steps=counter(),
        status=counter(),
        checks=counter(),
        next_check=counter(0 if plan.validation else plan.last_step + 1),
    )


def _joined(parts: list[np.ndarray], steps: int) -> np.ndarray:
    return np.concatenate(parts)[:steps] if parts else np.zeros(0)
