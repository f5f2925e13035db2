"""The experiments of lesson 01, which the lesson and its claims run: what is trained on what, with which rates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor, nn
from tqdm.auto import tqdm

from utils.comparison import Sweep, best_rate, sweep
from utils.constructions import Array, evaluate_hinges, relu_interpolant
from utils.data import Part, blobs, circles, curve, spirals, split
from utils.models import mlp

# --- classes in the plane ---------------------------------------------------------------------------------

RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
RING_RATES = (0.00003, 0.0001, 0.0003, *RATES)  # in a fixed number of steps a small rate is early stopping, too
RING_STEPS = 2000
RINGS: dict[str, dict] = {
    "line": {"sizes": [2, 2]},
    "squares": {"sizes": [4, 2], "squares": True},
    "deep linear": {"sizes": [2, 10, 10, 2], "activation": "identity"},
    **{f"{width} units": {"sizes": [2, width, 2]} for width in (2, 3, 5, 10, 30, 100)},
}


def ring_parts(*, generator: torch.Generator) -> list[Part]:
    """Three parts of two noisy rings that overlap: 100 points to train on, 1,000 to choose with, 4,000 to report."""
    return split(circles, 100, 1000, 4000, generator=generator, noise=0.35)


def ring_bayes_accuracy() -> float:
    """The accuracy of the best of all classifiers on `ring_parts`, by numerical integration over the radius.

    Both classes have uniform angles, so the better guess depends on the distance from the origin alone, whose
    density is φ((r − R)/s)/s + φ((r + R)/s)/s for a ring of radius R and noise s (a negative draw comes out on
    the other side).
    """
    r, step = np.linspace(0, 6, 60_001, retstep=True)
    densities = [np.exp(-((r - R) ** 2) / 0.245) + np.exp(-((r + R) ** 2) / 0.245) for R in (0.5, 1.5)]
    return float(np.maximum(*densities).sum() * step / (2 * 0.35 * np.sqrt(2 * np.pi)))


def with_squares(parts: Sequence[Part]) -> list[Part]:
    """The same parts with four features instead of two: x₁, x₂, x₁², x₂²."""
    return [(torch.cat([X, X**2], dim=1), y) for X, y in parts]


def train_on_rings(
    sizes: Sequence[int], seeds: Sequence[int], *, activation: str = "relu", squares: bool = False
) -> Sweep:
    """Networks of these sizes on the rings, with every rate; `squares` gives them the features made by hand."""
    make_parts = (lambda *, generator: with_squares(ring_parts(generator=generator))) if squares else ring_parts
    build = partial(mlp, list(sizes), activation)
    return sweep(build, make_parts, seeds=seeds, lrs=RING_RATES, epochs=RING_STEPS, progress=False)


def measure_rings(seeds: Sequence[int], names: Sequence[str] = tuple(RINGS)) -> dict[str, Array]:
    """accuracy and loss (cross-entropy), [seeds, names, rates, 3 parts], for each of RINGS or for those named."""
    swept = [train_on_rings(seeds=seeds, **RINGS[name]) for name in tqdm(names, leave=False)]
    return {
        "accuracy": np.stack([one.scores() for one in swept], axis=1),
        "loss": np.stack([one.scores(cross_entropy) for one in swept], axis=1),
    }


@torch.no_grad()
def cross_entropy(model: nn.Module, X: Tensor, y: Tensor) -> float:
    """The mean cross-entropy of the network's outputs for classes y [n]."""
    return nn.functional.cross_entropy(model(X), y).item()


PLANES: dict[str, Callable[..., Part]] = {
    "two clouds": blobs,
    "two rings": partial(circles, noise=0.15),
    "two spirals": partial(spirals, turns=1.5),
}


def train_on_plane(name: str, width: int, seeds: Sequence[int]) -> Sweep:
    """One hidden layer of `width` units (0: none) on one of PLANES, 500 points to train on, with every rate."""
    make_parts = partial(split, PLANES[name], 500, 1000, 4000)
    build = partial(mlp, [2, width, 2] if width else [2, 2])
    return sweep(build, make_parts, seeds=seeds, lrs=RATES, epochs=3000, schedule="one-cycle", progress=False)


PLANE_WIDTHS = (0, 2, 3, 4, 8, 16, 32)


def measure_planes(seeds: Sequence[int]) -> dict[str, Array]:
    """accuracy, [seeds, sets, widths, rates, 3 parts]: `train_on_plane` for PLANES and PLANE_WIDTHS."""
    pairs = [(name, width) for name in PLANES for width in PLANE_WIDTHS]
    scores = [train_on_plane(*pair, seeds).scores() for pair in tqdm(pairs, leave=False)]
    grid = np.stack(scores, axis=1)
    return {"accuracy": grid.reshape(len(grid), len(PLANES), len(PLANE_WIDTHS), *grid.shape[2:])}


# --- which rate --------------------------------------------------------------------------------------------


def at_best_rate(scores: Array, *, larger_is_better: bool, part: int = 1) -> Array:
    """[seeds, …] from scores [seeds, rates, …]: at the rate with the best median in `part` (1: validation)."""
    return scores[:, best_rate(scores[:, :, part], larger_is_better=larger_is_better)]


# --- curves -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Curve:
    """A target f on [-half_width, half_width]. Networks see x / half_width, which lies in [-1, 1]."""

    f: Callable[[Array], Array]
    half_width: float

    def scaled(self, u: Tensor) -> Tensor:
        """f(half_width · u), in u's type."""
        return torch.as_tensor(self.f(self.half_width * u.double().numpy())).to(u.dtype)

    def grid(self, n: int = 20_001) -> Array:
        """n evenly spaced points of the interval, x."""
        return np.linspace(-self.half_width, self.half_width, n)


def two_sines(x: Array) -> Array:
    """sin x with a smaller and faster sine on top."""
    return np.sin(x) + 0.5 * np.sin(5 * x)


def step(x: Array) -> Array:
    """0 to the left of 0, 1 from there on: not continuous."""
    return np.where(x >= 0, 1.0, 0.0)


CURVES = {
    "sin": Curve(np.sin, 5.0),
    "two sines": Curve(two_sines, 5.0),
    "sin, four times as wide": Curve(np.sin, 20.0),
    "square": Curve(np.square, 1.0),
    "step": Curve(step, 1.0),
}


def curve_parts(target: Curve, *, generator: torch.Generator, beyond: float = 1.0) -> list[Part]:
    """500 random points to train on, 500 others to choose with, and the whole interval, 20,001 points, to report.

    beyond: what is reported on is so many times as wide.
    """
    data = partial(curve, target=target.scaled, bounds=(-1, 1))
    u = torch.linspace(-beyond, beyond, 20_001)[:, None]
    return [*split(data, 500, 500, generator=generator), (u, target.scaled(u))]


def train_on_curve(
    name: str, width: int, seeds: Sequence[int], *, build: Callable[..., nn.Module] | None = None,
    lrs: Sequence[float] = RATES, steps: int = 3000, beyond: float = 1.0,
) -> Sweep:  # fmt: skip
    """One hidden layer of `width` units on one of CURVES, with every rate.

    build: takes generator=… and returns a network; None: ReLU units as PyTorch starts them.
    """
    build = build or partial(mlp, [1, width, 1])
    make_parts = partial(curve_parts, CURVES[name], beyond=beyond)
    return sweep(build, make_parts, seeds=seeds, lrs=lrs, epochs=steps, schedule="one-cycle", progress=False)


def spread_network(
    width: int, activation: str = "relu", steepness: float = 1.0, *, generator: torch.Generator
) -> nn.Sequential:
    """A network whose hidden units all bend inside [-1, 1]: act(±steepness · (u − t)) with t uniform there.

    PyTorch's own start draws weight and bias from the same interval, so that half of the bends lie outside.
    """
    model = mlp([1, width, 1], activation, generator=generator)
    signs = torch.sign(torch.rand(width, generator=generator) - 0.5)
    bends = 2 * torch.rand(width, generator=generator) - 1
    with torch.no_grad():
        model[0].weight.copy_(steepness * signs[:, None])
        model[0].bias.copy_(-steepness * signs * bends)
    return model


def built_network(target: Curve, width: int, generator: torch.Generator | None = None) -> nn.Sequential:
    """The ReLU interpolant with evenly spaced hinges as a network that can be trained.

    a·relu(u − t) is written as (a/q)·relu(q·u − q·t) with q = √|a|: two weights of the same size, so that
    one rate suits both. generator: ignored; nothing is random.
    """
    u = np.linspace(-1, 1, width + 1)
    hinges, weights, bias = relu_interpolant(u, target.f(target.half_width * u))
    q = np.sqrt(np.abs(weights)) + 1e-3  # a hinge of weight 0 stays one that training can use
    model = mlp([1, width, 1], generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        model[0].weight.copy_(torch.as_tensor(q[:, None]))
        model[0].bias.copy_(torch.as_tensor(-q * hinges))
        model[2].weight.copy_(torch.as_tensor(weights / q)[None])
        model[2].bias.fill_(bias)
    return model


def built_errors(target: Curve, width: int) -> tuple[float, float]:
    """The interpolant's largest error and its mean squared error on the interval, evenly spaced hinges."""
    knots = np.linspace(-target.half_width, target.half_width, width + 1)
    x = target.grid()
    errors = evaluate_hinges(x, *relu_interpolant(knots, target.f(knots))) - target.f(x)
    return float(np.abs(errors).max()), float(np.square(errors).mean())


def best_weights_error(target: Curve, width: int) -> float:
    """The mean squared error of evenly spaced hinges with the best of all output weights, by least squares."""
    u = np.linspace(-1, 1, 20_001)
    hidden = np.maximum(u[:, None] - np.linspace(-1, 1, width + 1)[:-1], 0)
    columns = np.column_stack([np.ones_like(u), hidden])
    y = target.f(target.half_width * u)
    return float(np.square(columns @ np.linalg.lstsq(columns, y, rcond=None)[0] - y).mean())


@torch.no_grad()
def largest_error(model: nn.Module, X: Tensor, y: Tensor) -> float:
    """The largest absolute difference between the network's outputs and y [n, 1]."""
    return (model(X) - y).abs().max().item()


def curve_scores(swept: Sweep) -> Array:
    """[seeds, rates, 3]: mean squared error on validation points and on the whole interval; largest error there."""
    squared, largest = swept.scores(), swept.scores(largest_error)
    return np.concatenate([squared[:, :, 1:], largest[:, :, 2:]], axis=2)


@dataclass(frozen=True)
class Switch:
    """A hypothesis of the theorem switched off, or none: what is trained on what, and the proved floors.

    squared, largest: no network of this kind, however wide, has a smaller error, by a proof in the lesson. 0 where
    there is no floor. beyond: how many times as wide as the interval of training the set is that counts.
    """

    curve: str
    activation: str = "relu"
    bias: bool = True
    squared: float = 0.0
    largest: float = 0.0
    beyond: float = 1.0


def quadratic_floor(target: Curve) -> float:
    """The smallest mean squared error on the interval that any polynomial of degree 2 has (a projection)."""
    u = np.linspace(-1, 1, 20_001)
    y = target.f(target.half_width * u)
    basis = np.polynomial.legendre.legvander(u, 2)
    coefficients = np.linalg.lstsq(basis, y, rcond=None)[0]
    return float(np.square(basis @ coefficients - y).mean())


SWITCHES = {
    "all hypotheses hold": Switch("sin"),
    "polynomial activation": Switch("sin", "square", squared=quadratic_floor(CURVES["sin"])),
    "no bias": Switch("square", "tanh", bias=False, squared=1 / 5, largest=1.0),
    "no bias, repaired": Switch("square", "tanh"),
    "target not continuous": Switch("step", largest=0.5),
    "set not bounded": Switch("sin", beyond=2.0),
}
SWITCH_WIDTHS = (4, 16)


def train_switch(switch: Switch, width: int, seeds: Sequence[int], **options: object) -> Sweep:
    """`train_on_curve` for one of SWITCHES, 1,500 steps unless told otherwise."""
    build = partial(mlp, [1, width, 1], switch.activation, bias=switch.bias)
    return train_on_curve(switch.curve, width, seeds, build=build, beyond=switch.beyond, **{"steps": 1500, **options})


def measure_switches(seeds: Sequence[int]) -> dict[str, Array]:
    """errors, [seeds, SWITCHES, SWITCH_WIDTHS, rates, 3] as in `curve_scores`."""
    pairs = [(switch, width) for switch in SWITCHES.values() for width in SWITCH_WIDTHS]
    scores = [curve_scores(train_switch(*pair, seeds)) for pair in tqdm(pairs, leave=False)]
    grid = np.stack(scores, axis=1)
    return {"errors": grid.reshape(len(grid), len(SWITCHES), len(SWITCH_WIDTHS), *grid.shape[2:])}


TARGET_NAMES = ("sin", "two sines", "sin, four times as wide")
LEARNING_WIDTHS = (10, 20, 40, 80)
LEARNING_RATES = (1e-5, 1e-4, *RATES)  # the same for every start; the written-down one wants small ones
LEARNING_STEPS = 10_000
START_NAMES = ("default", "spread", "steep tanh", "written down")


def start(name: str, target: Curve, width: int) -> Callable[..., nn.Module]:
    """A builder, which takes generator=…, of one of START_NAMES."""
    builders = {
        "default": partial(mlp, [1, width, 1]),
        "spread": partial(spread_network, width),
        "steep tanh": partial(spread_network, width, "tanh", 10.0),
        "written down": partial(built_network, target, width),
    }
    return builders[name]


def measure_learning(seeds: Sequence[int]) -> dict[str, Array]:
    """errors, [seeds, START_NAMES, TARGET_NAMES, LEARNING_WIDTHS, rates, 3] as in `curve_scores`."""
    triples = [(one, name, width) for one in START_NAMES for name in TARGET_NAMES for width in LEARNING_WIDTHS]
    scores = []
    for one, name, width in tqdm(triples, leave=False):
        build = start(one, CURVES[name], width)
        options = {"lrs": LEARNING_RATES, "steps": LEARNING_STEPS}
        scores.append(curve_scores(train_on_curve(name, width, seeds, build=build, **options)))
    grid = np.stack(scores, axis=1)
    return {
        "errors": grid.reshape(len(grid), len(START_NAMES), len(TARGET_NAMES), len(LEARNING_WIDTHS), *grid.shape[2:])
    }


# --- many dimensions --------------------------------------------------------------------------------------


def cosine_errors(n_in: int, n_units: int, seed: int, *, n_points: int = 1000) -> tuple[float, float]:
    """The mean squared error of n random cosine units for exp(−|x|²/2), and what the theory expects of it.

    The points have random directions, and lengths uniform in [0, 2] whatever n_in is: so the target varies as much
    in many dimensions as in one.
    """
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_points, n_in))
    X *= rng.uniform(0, 2, size=(n_points, 1)) / np.linalg.norm(X, axis=1, keepdims=True)
    squares = np.square(X).sum(axis=1)
    network = np.cos(X @ rng.normal(size=(n_in, n_units))).mean(axis=1)
    expected = np.square(1 - np.exp(-squares)).mean() / (2 * n_units)
    return float(np.square(network - np.exp(-squares / 2)).mean()), float(expected)


def bell_variance() -> float:
    """The variance of exp(−|x|²/2) for |x| uniform in [0, 2]: the squared error of the best constant."""
    length = np.linspace(0, 2, 200_001)
    return float(np.exp(-(length**2) / 2).var())


COSINE_INPUTS, COSINE_UNITS = (1, 10, 100), (10, 100, 1000)


def measure_cosines(seeds: Sequence[int]) -> dict[str, Array]:
    """errors, [seeds, COSINE_INPUTS, COSINE_UNITS, 2]: measured and expected, as in `cosine_errors`."""
    cells = [[[cosine_errors(d, n, seed) for n in COSINE_UNITS] for d in COSINE_INPUTS] for seed in seeds]
    return {"errors": np.array(cells)}
