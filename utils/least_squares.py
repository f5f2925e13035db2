"""Nonlinear least squares for small networks: Levenberg-Marquardt, many restarts at once.

    histories = levenberg_marquardt(models, X, y, max_steps=300)
    fit = fit_with_restarts(build, X, y, target=1e-24, seconds=60, generator=generator)

Where Adam follows the gradient, Levenberg-Marquardt solves, in every step, the linear least-squares problem
that the network is near its present weights. A step costs far more, but near a solution with zero loss the
number of right digits doubles with each. Plain multilayer perceptrons in float64, mean squared error, on the
CPU; the compiled steps are in `utils/engine/compiled_least_squares.py`.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from utils.checks import random_generator, real_number, whole_number
from utils.engine import compiled_least_squares as compiled
from utils.engine.compilation import compile_first, is_fresh
from utils.engine.compiled_run import Layer, as_mlp_layers, as_network, available_cores, packed, run_jobs, unpack
from utils.engine.training_plan import VALIDATIONS, check_models, check_tensor
from utils.training import History

STEPS_PER_CALL = 25  # between two looks around: at what is reached, at the clock, for an interrupt
PRUNE = {30: 0.3, 75: 0.3, 200: 0.5}  # measured on teachers of lesson 05: see benchmarks/least_squares.py
COMPILING = "Compiling the least-squares steps, once (about 10 s) …"
FINISH = 50  # steps on all rows at the end of a search

Data = tuple[np.ndarray, np.ndarray]  # X [features, rows] and y [outputs, rows]


@dataclass
class LeastSquaresHistory(History):
    """A History of Levenberg-Marquardt steps, accepted or not: its loss never rises.

    loss: on the rows that were fitted, before each step. final_loss: after the last one.
    stopped: why there were no more steps: "target", "converged" (no step can lower the loss in float64 any
    more: a minimum, perhaps only a local one), "pruned", "diverged" (the loss was not finite at the start; the
    weights are as they were), "max_steps", "halted" (another restart reached the target)
    or "seconds".
    """

    final_loss: float
    stopped: str


class Fit(NamedTuple):
    """The best of many restarts, and what happened.

    model: its weights give the smallest loss of all. loss: that loss. reached: whether it is at most the target.
    restarts, steps: how many began, and all their steps together. seconds: of the whole call.
    history: the best restart's.
    """

    model: nn.Sequential
    loss: float
    reached: bool
    restarts: int
    steps: int
    seconds: float
    history: LeastSquaresHistory


def levenberg_marquardt(
    models: Sequence[nn.Sequential],
    X: Tensor,
    y: Tensor,
    *,
    max_steps: int,
    target: float = 0.0,
    damping: float = 1e-3,
    rows: int | None = None,
    prune: Mapping[int, float] | None = None,
    halt: bool = False,
    validation: tuple[Tensor, Tensor] | None = None,
    generator: torch.Generator | None = None,
    threads: int | None = None,
    seconds: float | None = None,
) -> list[LeastSquaresHistory]:
    """Fit the models, of one architecture, in place; return one history per model: each is one restart.

    models: float64 networks as `utils.models.mlp` builds them, `mlp(…).double()`; a float32 model is refused,
    since its weights could not hold the result. X [rows, inputs], y [rows, outputs], brought to float64.
    The loss is the mean over rows and outputs of the squared residual.

    max_steps: steps at most, rejected ones included. target: a restart ends when its loss is at most this.
    damping: the first damping as a fraction of the largest diagonal entry of JᵀJ; 0 begins with a
    Gauss-Newton step.
    rows: fit only so many rows, drawn by the generator (None: seed 0), the same for all restarts; None: all.
    prune: {step: fraction}: of the restarts that still run after so many steps, only this fraction, at least
    one, goes on: those with the smallest losses. The others keep their weights of then.
    halt: whether all end, at the next multiple of 25 steps, once one has reached the target.
    validation: (X_val, y_val), looked at up to 200 times. threads: how many cores to use (None: all).
    seconds: begin no further 25 steps after this time (None: no limit).

    A restart that diverges does not touch the others. Without prune, halt and seconds, each ends with the same
    bits whether alone or among others, on any number of threads. ReLU networks are fitted, too, but their
    loss has creases where the linear model is wrong: expect more rejected steps and more local minima.

    Raises TypeError and ValueError, which say what argument was wrong, before anything is fitted: among them
    for fewer equations (rows times outputs) than parameters, since then the weights are not determined.

    Levenberg 1944 and Marquardt 1963; the damping follows Nielsen 1999, as in Madsen, Nielsen & Tingleff 2004,
    "Methods for non-linear least squares problems", algorithm 3.16.
    """
    search = _Search(models, X, y, rows=rows, validation=validation, generator=generator, threads=threads)
    max_steps, target = whole_number("max_steps", max_steps), real_number("target", target, least=0)
    damping = real_number("damping", damping, least=0)
    prune = _checked_prune(prune)
    deadline = time.perf_counter() + (np.inf if seconds is None else real_number("seconds", seconds, least=0))
    return search.run(max_steps, target, damping, prune, halt, deadline)


def fit_with_restarts(
    build: Callable[[torch.Generator], nn.Sequential],
    X: Tensor,
    y: Tensor,
    *,
    target: float,
    seconds: float,
    generator: torch.Generator,
    max_steps: int = 400,
    restarts: int = 100,
    prune: Mapping[int, float] | None = None,
    rows: int | None = 500,
    threads: int | None = None,
) -> Fit:
    """Return the best network found by Levenberg-Marquardt from random starts, and what happened: a Fit.

    build: a function generator -> network, such as lambda g: mlp(sizes, "tanh", generator=g); it is made
    float64. X [rows, inputs], y [rows, outputs]. target: the mean squared error on X, y at which the search
    ends. seconds: the time after which it ends in any case (checked every 25 steps).
    restarts: how many begin together; those that are worst after a while are given up (prune, see
    `levenberg_marquardt`), and when all have ended the next ones begin.
    rows: each set of restarts takes so many of the rows, drawn anew, and what is found is then finished on all
    rows, in at most 50 steps. On fewer than 4 or 5 times as many as there are parameters far fewer restarts find
    the solution. None: all rows.

    Same generator, same result, but for the time limit. Raises TypeError and ValueError, as
    `levenberg_marquardt`.
    """
    random_generator("generator", generator)
    if not callable(build):
        raise TypeError(f"build is {build!r}: wanted a function generator -> network")
    target, seconds = real_number("target", target, least=0), real_number("seconds", seconds, above=0)
    begin = time.perf_counter()
    options = dict(
        max_steps=max_steps,
        target=target,
        prune=PRUNE if prune is None else prune,
        halt=True,
        threads=threads,
        rows=None if rows is None or rows >= len(X) else rows,
        generator=generator,
    )
    best, begun, steps = None, 0, 0
    while True:
        models = [build(generator).double() for _ in range(whole_number("restarts", restarts))]
        left = max(0.0, begin + seconds - time.perf_counter())
        histories = levenberg_marquardt(models, X, y, **options, seconds=left)
        begun, steps = begun + len(models), steps + sum(history.steps for history in histories)
        first = min(range(len(models)), key=lambda number: _rank(histories[number]))
        if best is None or _rank(histories[first]) < _rank(best[1]):
            best = models[first], histories[first]
        over = time.perf_counter() - begin >= seconds
        if best[1].final_loss <= target or over:
            if options["rows"] is not None:
                best = best[0], levenberg_marquardt([best[0]], X, y, max_steps=FINISH, target=target, threads=1)[0]
                steps += best[1].steps
            if best[1].final_loss <= target or over:
                loss, spent = best[1].final_loss, time.perf_counter() - begin
                return Fit(best[0], loss, loss <= target, begun, steps, spent, best[1])


def _rank(history: LeastSquaresHistory) -> float:
    return history.final_loss if np.isfinite(history.final_loss) else np.inf


# ---------------------------------------------------------------- running


class _Search:
    """The restarts of one call: their weights as vectors, the data as one row per feature, and the threads."""

    def __init__(self, models, X, y, *, rows, validation, generator, threads):
        self.models = check_models(models)
        self.layers = [_checked_layers(number, model) for number, model in enumerate(self.models)]
        self.network = as_network(self.layers[0], np.float64)
        self.data = _checked_data("X", "y", X, y, self.network)
        self.validation = None if validation is None else _checked_validation(validation, self.network)
        if rows is not None:
            self.data = _some_rows(self.data, whole_number("rows", rows), generator)
        self.parameters = np.stack([packed(layers) for layers in self.layers])
        _check_determined(self.data, self.parameters.shape[1])
        threads = available_cores() if threads is None else whole_number("threads", threads)
        self.workspaces = [self._workspace() for _ in range(min(threads, len(self.models)))]

    def run(self, max_steps, target, damping, prune, halt, deadline) -> list[LeastSquaresHistory]:
        """Return one history per model. The models have their latest weights, after an interrupt, too."""
        begin, state = time.perf_counter(), self._state(max_steps)
        every = -(-max_steps // VALIDATIONS)
        self.checks: list[list[tuple[int, float]]] = [[] for _ in self.models]
        stopped: dict[int, str] = {}
        try:
            self._each(range(len(self.models)), compiled.start, state, target, damping)
            self._validate(state, range(len(self.models)), every)
            for stop in _stops(max_steps, prune, every if self.validation else max_steps):
                running = self._running(state, stopped)
                reached = (state.status == compiled.REACHED).any()
                if time.perf_counter() > deadline or (halt and reached):
                    stopped.update(dict.fromkeys(running, "halted" if halt and reached else "seconds"))
                    break
                self._each(running, compiled.advance, state, stop, target)
                self._validate(state, running, every)
                if stop in prune and stop < max_steps:
                    stopped.update(dict.fromkeys(_worst(state, self._running(state, stopped), prune[stop]), "pruned"))
        finally:
            unpack(state.parameters, self.layers, self.network)
        spent = time.perf_counter() - begin
        return [self._history(state, number, stopped, spent) for number in range(len(self.models))]

    def _running(self, state, stopped) -> list[int]:
        running = np.flatnonzero(state.status == compiled.RUNNING).tolist()
        return [number for number in running if number not in stopped]

    def _each(self, restarts: Iterable[int], function: Callable, state, *arguments) -> None:
        """Call the compiled function for each restart, threads taking the next one as they come."""
        restarts = list(restarts)
        if restarts and is_fresh(function):
            one = self.network, *self.data, state, restarts[0], *arguments, self.workspaces[0]
            compile_first(function, one, COMPILING)
        run_jobs(
            restarts,
            lambda restart, workspace: function(self.network, *self.data, state, restart, *arguments, workspace),
            self.workspaces,
        )

    def _validate(self, state, restarts: Iterable[int], every: int) -> None:
        if self.validation is None:
            return
        X, y = self.validation
        for restart in restarts:
            steps = int(state.steps[restart])
            if steps % every == 0 or state.status[restart] != compiled.RUNNING:
                loss = compiled.mean_square(self.network, state.parameters[restart], X, y, self.workspaces[0])
                self.checks[restart].append((steps, loss))

    def _state(self, max_steps: int):
        count = len(self.models)
        losses = np.full((count, max_steps), np.nan)
        numbers, counters = [np.zeros(count) for _ in range(2)], [np.zeros(count, np.int64) for _ in range(2)]
        return compiled.State(
            self.parameters, losses, numbers[0], np.full(count, 2.0), numbers[1], counters[0], counters[1]
        )

    def _workspace(self):
        tile, block, units = self.network.tile, compiled.BLOCK, int(self.network.sizes.sum())
        count = self.parameters.shape[1]
        rows = -(-(count + 1) // block) * block
        shapes = [(units, tile)] * 3 + [(rows, tile), (rows, rows), (count, count), (count,), (count,)]
        return compiled.Workspace(*(np.zeros(shape) for shape in shapes))

    def _history(self, state, number: int, stopped: dict[int, str], seconds: float) -> LeastSquaresHistory:
        reasons = {
            compiled.RUNNING: "max_steps",
            compiled.REACHED: "target",
            compiled.CONVERGED: "converged",
            compiled.DIVERGED: "diverged",
        }
        status, steps = int(state.status[number]), int(state.steps[number])
        checks = np.array(self.checks[number]).reshape(-1, 2)
        validated = self.validation is not None
        return LeastSquaresHistory(
            loss=state.losses[number, :steps].copy(),
            accuracy=None,
            validation_steps=checks[:, 0].astype(int) if validated else None,
            validation_loss=checks[:, 1] if validated else None,
            validation_accuracy=None,
            steps=steps,
            seconds=seconds,
            diverged=status == compiled.DIVERGED,
            final_loss=float(state.loss[number]),
            stopped=stopped.get(number, reasons[status]),
        )


def _stops(max_steps: int, prune: Mapping[int, float], every: int) -> list[int]:
    """Return the numbers of steps after which everyone waits for everyone, in order."""
    stops = {*range(STEPS_PER_CALL, max_steps, STEPS_PER_CALL), *range(every, max_steps, every), *prune, max_steps}
    return sorted(stop for stop in stops if stop <= max_steps)


def _worst(state, running: list[int], fraction: float) -> list[int]:
    """Return all of the running restarts but the best `fraction`, at least one; of equals the first are better."""
    kept = max(1, int(len(running) * fraction))
    return sorted(running, key=lambda number: state.loss[number])[kept:]


# ---------------------------------------------------------------- bringing models and data into form


def _some_rows(data: Data, rows: int, generator: torch.Generator | None) -> Data:
    total = data[0].shape[1]
    if rows > total:
        raise ValueError(f"rows is {rows}: wanted at most {total}, the rows of X")
    generator = random_generator("generator", generator) if generator else torch.Generator().manual_seed(0)
    kept = torch.randperm(total, generator=generator)[:rows].sort().values.numpy()
    X, y = (np.ascontiguousarray(part[:, kept]) for part in data)
    return X, y


# ---------------------------------------------------------------- checking


def _checked_layers(number: int, model: nn.Module) -> list[Layer]:
    """Return the layers of a float64 plain MLP on the CPU, all of whose weights are to be fitted."""
    layers = as_mlp_layers(model)
    if not layers:
        raise TypeError(
            f"models[{number}] is {model}: wanted a plain multilayer perceptron, as utils.models.mlp builds it "
            "(nn.Sequential of linear layers and activations, without hooks)"
        )
    for name, parameter in model.named_parameters():
        if parameter.dtype != torch.float64 or parameter.device.type != "cpu":
            raise TypeError(
                f"models[{number}] has {name} of type {parameter.dtype} on {parameter.device}: wanted torch.float64 "
                "on the CPU, as in mlp(...).double()"
            )
        if not parameter.requires_grad:
            raise ValueError(f"models[{number}] has {name} frozen: wanted all parameters to require a gradient")
    return layers


def _checked_data(X_name: str, y_name: str, X: Any, y: Any, network) -> Data:
    """Return X and y with features and outputs in front, in float64."""
    X, y = check_tensor(X_name, X, torch.float64), check_tensor(y_name, y, torch.float64)
    n_in, n_out = int(network.sizes[0]), int(network.sizes[-1])
    for name, values, columns, what in ((X_name, X, n_in, "inputs"), (y_name, y, n_out, "outputs")):
        if values.ndim != 2 or values.shape[1] != columns or len(values) == 0:
            raise ValueError(
                f"{name} has shape {tuple(values.shape)}: wanted [rows, {columns}], the models having {columns} {what}"
            )
    if len(X) != len(y):
        raise ValueError(f"{X_name} has {len(X)} rows, {y_name} {len(y)}: wanted as many in both")
    X, y = (np.ascontiguousarray(values.cpu().double().numpy().T) for values in (X, y))
    return X, y


def _checked_validation(validation: Any, network) -> Data:
    if not isinstance(validation, tuple | list) or len(validation) != 2:
        raise TypeError(f"validation is a {type(validation).__name__}: wanted a pair (X_val, y_val)")
    X, y = validation
    return _checked_data("validation X", "validation y", X, y, network)


def _check_determined(data: Data, count: int) -> None:
    outputs, rows = data[1].shape
    if rows * outputs < count:
        raise ValueError(
            f"X has {rows} rows to fit and y {outputs} outputs: {rows * outputs} equations for {count} parameters, "
            f"wanted at least {-(-count // outputs)} rows"
        )


def _checked_prune(prune: Any) -> dict[int, float]:
    if prune is None:
        return {}
    if not isinstance(prune, Mapping):
        raise TypeError(f"prune is {prune!r}: wanted a dictionary {{step: fraction that goes on}}")
    checked = {}
    for step, fraction in prune.items():
        fraction = real_number(f"prune[{step!r}]", fraction, above=0)
        if fraction > 1:
            raise ValueError(f"prune[{step!r}] is {fraction}: wanted a fraction, at most 1")
        checked[whole_number("a step in prune", step)] = fraction
    return checked
