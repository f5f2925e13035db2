"""utils.training against the usual PyTorch loop and against JAX: network-steps per second."""

import importlib.metadata
import importlib.util
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from utils.engine.compiled_run import available_cores
from utils.training import train_ensemble


class Case(NamedTuple):
    """Full-batch Adam on networks of one shape; classification where there is more than one output."""

    sizes: list[int]
    points: int
    activation: str = "relu"
    models: int = 8
    batch_size: int | None = None


CASES = [
    Case([2, 15, 15, 15, 2], 1000),
    Case([2, 100, 2], 500),
    Case([4, 16, 4], 16),
    Case([5, 5, 5, 5, 5, 1], 4000, "tanh"),
]
# One thing is changed at a time, and shapes in which a compiled loop might lose.
MORE_CASES = [
    *(Case([2, 15, 15, 15, 2], points) for points in (16, 100, 10_000)),
    *(Case([2, width, width, 2], 1000) for width in (4, 32, 64, 128)),
    *(Case([2, *[15] * depth, 2], 1000) for depth in (1, 6, 20)),
    *(Case([2, 15, 15, 15, 2], 1000, models=models) for models in (1, 2, 64)),
    *(Case([2, 15, 15, 15, 2], 1000, activation) for activation in ("tanh", "gelu")),
    Case([64, 32, 32, 10], 1797),
    Case([64, 128, 10], 1797, models=1),
    Case([64, 128, 128, 10], 1797, batch_size=128, models=1),
    Case([784, 128, 10], 1000, batch_size=100, models=1),
    Case([784, 512, 512, 10], 1000, batch_size=128, models=1),
    Case([20, 1000, 1], 500, models=1),
]
ACTIVATIONS = {"relu": nn.ReLU, "tanh": nn.Tanh, "gelu": nn.GELU}
LR = 1e-3

NAMES = ("weight", "bias")

# Trains networks for at least so many epochs; the number of network-steps that this was.
Side = Callable[[int], int]


def measure(full: bool) -> dict[str, Any]:
    """Return medians, ratios and their spread for all cases, and the machine. full: some minutes instead of one."""
    sides = {"usual loop": usual_loop, "this engine": this_engine}
    if importlib.util.find_spec("jax"):
        sides["JAX"] = jax_loop
    first_use = time_first_use()
    rounds, seconds = (9, 0.5) if full else (3, 0.2)
    rows = [measure_case(case, sides, rounds, seconds) for case in CASES]
    if full:
        without_jax = {name: side for name, side in sides.items() if name != "JAX"}
        rows += [measure_case(case, without_jax, rounds, seconds) for case in MORE_CASES]
    return {"machine": machine(), "first_use_seconds": first_use, "jax": "JAX" in sides, "cases": rows}


def measure_case(case: Case, sides: dict[str, Callable], rounds: int, seconds: float) -> dict[str, Any]:
    """Return all sides in turn, `rounds` times, each for about `seconds`: network-steps per second and ratios."""
    prepared = {name: prepare(case) for name, prepare in sides.items()}
    epochs = {name: calibrated(side, seconds) for name, side in prepared.items()}
    speeds: dict[str, list[float]] = {name: [] for name in prepared}
    for _ in range(rounds):
        for name, side in prepared.items():
            start = time.perf_counter()
            steps = side(epochs[name])
            speeds[name].append(steps / (time.perf_counter() - start))
    ours = speeds["this engine"]
    ratios = {
        name: sorted(mine / theirs for mine, theirs in zip(ours, speeds[name], strict=True))
        for name in speeds
        if name != "this engine"
    }
    return {
        **case._asdict(),
        "steps_per_second": {name: statistics.median(values) for name, values in speeds.items()},
        "ratio": {name: statistics.median(values) for name, values in ratios.items()},
        "ratio_spread": {name: [values[0], values[-1]] for name, values in ratios.items()},
        "gigaflops_per_second": statistics.median(ours) * flops_per_step(case) / 1e9,
    }


def calibrated(side: Side, seconds: float) -> int:
    """Return epochs that take about so many seconds; the first call, which may compile, does not count."""
    side(1)
    epochs, taken = 1, 0.0
    while taken < seconds / 4:
        start = time.perf_counter()
        side(epochs)
        taken = time.perf_counter() - start
        if taken < seconds / 4:
            epochs = min(2 * epochs if taken > seconds / 20 else 8 * epochs, 10**7)
    return max(1, round(epochs * seconds / taken))


def flops_per_step(case: Case) -> int:
    """Return multiplications and additions in the matrix products of one step: one forward, two backward."""
    products = [n_in * n_out for n_in, n_out in zip(case.sizes, case.sizes[1:], strict=False)]
    return 2 * (case.batch_size or case.points) * (3 * sum(products) - products[0])


def problem(case: Case) -> tuple[list[nn.Sequential], Tensor, Tensor]:
    """Return the networks and the data, the same for all sides."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        models = []
        for _ in range(case.models):
            layers: list[nn.Module] = []
            for n_in, n_out in zip(case.sizes, case.sizes[1:], strict=False):
                layers += [nn.Linear(n_in, n_out), ACTIVATIONS[case.activation]()]
            models.append(nn.Sequential(*layers[:-1]))
        X = torch.randn(case.points, case.sizes[0])
        labels = torch.randint(0, max(2, case.sizes[-1]), (case.points,))
    return models, X, labels if case.sizes[-1] > 1 else labels[:, None].float()


def usual_loop(case: Case) -> Side:
    """Return one network after the other, torch.optim.Adam, the loss recorded in each step; on all cores or on one.

    What is faster of the two is measured: for tiny networks more threads cost more than they bring, and on a
    busy machine they wait for each other.
    """
    models, X, y = problem(case)
    default = torch.get_num_threads()

    def run(epochs: int, threads: int) -> int:
        torch.set_num_threads(threads)
        try:
            return sum(usual_training(model, X, y, epochs, case.batch_size) for model in models)
        finally:
            torch.set_num_threads(default)

    return best_of([partial(run, threads=threads) for threads in sorted({1, default})])


def best_of(sides: list[Side]) -> Side:
    """Return the side that does most network-steps per second in a short trial."""
    speeds = []
    for side in sides:
        side(1)  # may compile
        start = time.perf_counter()
        steps = side(20)
        speeds.append(steps / (time.perf_counter() - start))
    return sides[speeds.index(max(speeds))]


def usual_training(model: nn.Module, X: Tensor, y: Tensor, epochs: int, batch_size: int | None) -> int:
    """Return the number of steps of what a tutorial would write."""
    loss = nn.functional.mse_loss if y.is_floating_point() else nn.functional.cross_entropy
    optimizer = torch.optim.Adam(model.parameters(), lr=LR)
    losses = []
    for _ in range(epochs):
        batches = torch.randperm(len(X)).split(batch_size) if batch_size else [slice(None)]
        for chosen in batches:
            optimizer.zero_grad()
            value = loss(model(X[chosen]), y[chosen])
            value.backward()
            optimizer.step()
            losses.append(value.item())
    return len(losses)


def this_engine(case: Case) -> Side:
    """Return train_ensemble."""
    models, X, y = problem(case)

    def run(epochs: int) -> int:
        histories = train_ensemble(models, X, y, epochs=epochs, lr=LR, batch_size=case.batch_size, progress=False)
        return sum(history.steps for history in histories)

    return run


def jax_loop(case: Case) -> Side:
    """Return Adam under vmap, scan and jit, the loss recorded in each step; the best of 1, 8, 32 at once."""
    return best_of([jax_side(case._replace(models=models)) for models in (1, 8, 32)])


def jax_side(case: Case) -> Side:
    import jax
    import jax.numpy as jnp

    models, X, y = problem(case)
    linears = [[layer for layer in model if isinstance(layer, nn.Linear)] for model in models]
    parameters = [
        tuple(jnp.stack([jnp.asarray(getattr(linear, name).detach().numpy()) for linear in layer]) for name in NAMES)
        for layer in zip(*linears, strict=True)
    ]
    step = jax_step(case, jnp.asarray(X.numpy()), jnp.asarray(y.numpy()))
    # Long enough for the call's own cost not to matter, and one length, so that it is compiled once.
    length = max(20, min(2000, int(5e8 / flops_per_step(case) / case.models)))
    train = jax.jit(jax.vmap(lambda state: jax.lax.scan(step, state, None, length)))
    zeros = jax.tree.map(jnp.zeros_like, parameters)

    def run(epochs: int) -> int:
        state = (parameters, zeros, zeros, jnp.zeros(case.models))
        calls = -(-epochs // length)
        for _ in range(calls):
            state, losses = train(state)
            losses.block_until_ready()
        return calls * length * case.models

    return run


def jax_step(case: Case, X: Any, y: Any) -> Callable:
    """Return one Adam step of one network, as jax.lax.scan wants it."""
    import jax
    import jax.numpy as jnp

    activation = {"relu": jax.nn.relu, "tanh": jnp.tanh, "gelu": jax.nn.gelu}[case.activation]

    def loss(parameters, X, y):
        hidden = X
        for weight, bias in parameters[:-1]:
            hidden = activation(hidden @ weight.T + bias)
        outputs = hidden @ parameters[-1][0].T + parameters[-1][1]
        if case.sizes[-1] == 1:
            return ((outputs - y) ** 2).mean()
        picked = jnp.take_along_axis(jax.nn.log_softmax(outputs), y[:, None], axis=1)
        return -picked.mean()

    def step(state, _):
        parameters, means, squares, count = state
        count = count + 1
        value, gradients = jax.value_and_grad(loss)(parameters, X, y)
        means = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, means, gradients)
        squares = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, squares, gradients)
        rate, root = LR / (1 - 0.9**count), jnp.sqrt(1 - 0.999**count)
        parameters = jax.tree.map(
            lambda p, m, v: p - rate * m / (jnp.sqrt(v) / root + 1e-8), parameters, means, squares
        )
        return (parameters, means, squares, count), value

    return step


FIRST_USE = """
import time, torch
from torch import nn
start = time.perf_counter()
from utils.training import train
train(nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1)), torch.randn(9, 2), torch.randn(9, 1),
      epochs=1, lr=0.1, progress=False)
print(time.perf_counter() - start)
"""


def time_first_use() -> dict[str, float]:
    """Return seconds from `import utils.training` to a trained network, in fresh processes that have torch."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
        command = [sys.executable, "-c", FIRST_USE]
        seconds = [
            float(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)
            for _ in range(2)
        ]
    return {"compiling": seconds[0], "from_disk": seconds[1]}


def machine() -> dict[str, Any]:
    """Return what the figures depend on."""
    versions = {name: importlib.metadata.version(name) for name in ("torch", "numba", "numpy")}
    if importlib.util.find_spec("jax"):
        versions["jax"] = importlib.metadata.version("jax")
    return {
        "processor": processor(),
        "cores": available_cores(),
        "torch_threads": torch.get_num_threads(),
        "load_before": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        **versions,
    }


def processor() -> str:
    """Return its name, where the system tells."""
    try:
        with open("/proc/cpuinfo", encoding="utf8") as lines:
            return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def show(figures: dict[str, Any]) -> str:
    """Return the figures as a table."""
    about = ", ".join(f"{name} {value}" for name, value in figures["machine"].items())
    first = figures["first_use_seconds"]
    lines = [
        about,
        f"first use: {first['compiling']:.1f} s with compiling, {first['from_disk']:.1f} s from disk",
        "network-steps per second; ratio = this engine / the other side, median [lowest, highest]",
        "" if figures["jax"] else "JAX is not installed here: its side is left out",
    ]
    for row in figures["cases"]:
        batch = f", batches of {row['batch_size']}" if row["batch_size"] else ""
        lines.append(f"{row['sizes']} {row['activation']}, {row['points']} points{batch}, {row['models']} networks")
        for name, speed in row["steps_per_second"].items():
            line = f"    {name:12} {speed:12,.0f}"
            if name in row["ratio"]:
                low, high = row["ratio_spread"][name]
                line += f"   ratio {row['ratio'][name]:7.1f} [{low:.1f}, {high:.1f}]"
            else:
                line += f"   {row['gigaflops_per_second']:.0f} GFLOP/s in its products"
            lines.append(line)
    return "\n".join(lines)
