"""Does a hierarchy need depth? Binary trees of a two-argument function, and controls that are equally rough.

A tree of 8 inputs joins neighbours by a node h(a, b), three times: h(h(h(x₁, x₂), h(x₃, x₄)), h(h(x₅, x₆), h(x₇, x₈))),
a compositional function in the sense of Mhaskar & Poggio 2016, "Deep vs. shallow networks: an approximation theory
perspective". Inputs are standard normal, and targets are scaled to mean 0 and variance 1 before they are learned.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, partial

import torch
import xarray as xr
from torch import Tensor

from utils.axes import over
from utils.claims import experiment
from utils.comparison import MISSED, Sweep, sweep
from utils.data import measure_roughness, random_field, split, tree
from utils.models import mlp, mlp_flops, width_for_parameters
from utils.types import Data, Part

INPUTS = 8
LEVELS = 3
RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
DEPTHS = (1, 3)
ALL_DEPTHS = (1, 2, 3, 4)
BUDGET = 1041  # parameters of three hidden layers of 20 units, which one to four layers come within 7 % of
TRAINING = {"epochs": 60, "batch_size": 150, "schedule": "one-cycle"}  # 2,400 steps
LONGER = 4  # times as many steps, of a second look
POINTS = (6000, 2000, 4000)  # to train on, to choose the rate with, to report
WAVES = 256  # of a random function

Node = Callable[[Tensor, Tensor], Tensor]
GAME = "game"
TRIED: dict[str, tuple[str, Node]] = {  # every node that was tried
    GAME: ("−max(a, b)", lambda a, b: -torch.maximum(a, b)),
    "fold": ("|a − b| − 1.13", lambda a, b: (a - b).abs() - 2 / math.sqrt(math.pi)),  # minus its mean for normal inputs
    "saturating": ("tanh(a + b + ab)", lambda a, b: torch.tanh(a + b + a * b)),
    "sine of the sum": ("1.41 sin(a + b)", lambda a, b: math.sqrt(2) * torch.sin(a + b)),
    "two waves": ("1.41 sin 1.5a cos 1.5b", lambda a, b: math.sqrt(2) * torch.sin(1.5 * a) * torch.cos(1.5 * b)),
    "product": ("ab", lambda a, b: a * b),
    "product plus": ("(ab + a) / 1.41", lambda a, b: (a * b + a) / math.sqrt(2)),
    "steep product": ("1.5 tanh 2ab", lambda a, b: 1.5 * torch.tanh(2 * a * b)),
}
FORMULAS, NODES = ({name: row[place] for name, row in TRIED.items()} for place in (0, 1))
TREE, ROTATED, RANDOM = VERSIONS = ("tree", "rotated tree", "random function")
TEACHER, DEEP_TEACHER, WIDE_TEACHER = ("one-layer teacher", "three-layer teacher", "wide three-layer teacher")
MIRRORS: dict[str, tuple[int, ...]] = {TEACHER: (21,), DEEP_TEACHER: (6, 6, 6), WIDE_TEACHER: (12, 12, 12)}
# by hidden layers: 21 units play the game


# --- targets ----------------------------------------------------------------------------------------------


def rotation(n: int, *, generator: torch.Generator) -> Tensor:
    """Return a random orthogonal matrix [n, n], all directions alike: the signs of R's diagonal make it so."""
    Q, R = torch.linalg.qr(torch.randn(n, n, generator=generator, dtype=torch.float64))
    return Q * R.diagonal().sign()


@cache
def roughness(name: str) -> float:
    """Return the mean squared slope of a tree over its variance, for normal inputs, to three digits."""
    X = torch.randn(100_000, INPUTS, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    return float(f"{measure_roughness(partial(tree, NODES[name]), X):.3g}")


def target_of(name: str, version: str, *, generator: torch.Generator) -> Callable[[Tensor], Tensor]:
    """Return a function of X [n, 8]: the tree, the tree of inputs rotated at random, or a random function as rough.

    Or one of MIRRORS: a random network with these hidden layers, and biases as large as the first layer's sums.

    Values [n, 1] have mean 0 and variance 1 on 20,000 inputs, the same for all. They are computed with float64: rounded
    to the inputs' type they are then the same on every processor.
    """
    if name in MIRRORS:
        function = mlp([INPUTS, *MIRRORS[name], 1], init="he", bias_std=2**0.5, generator=generator).double()
    elif version == RANDOM:
        function = random_field(INPUTS, roughness=roughness(name), generator=generator, n_waves=WAVES)
    else:
        turn = rotation(INPUTS, generator=generator) if version == ROTATED else torch.eye(INPUTS)
        function = lambda X: tree(NODES[name], X @ turn.double())  # noqa: E731
    y = function(torch.randn(20_000, INPUTS, generator=torch.Generator().manual_seed(0)).double()).detach()
    mean, spread = y.mean(), y.std()
    return lambda X: ((function(X.double()) - mean) / spread).to(X.dtype)


def target_parts(name: str, version: str, *, generator: torch.Generator) -> list[Part]:
    """Return three parts of one target, to train on, choose with and report: X [n, 8], y [n, 1]."""
    target = target_of(name, version, generator=generator)

    def make(n: int, *, generator: torch.Generator) -> Part:
        X = torch.randn(n, INPUTS, generator=generator)
        return X, target(X)

    return split(make, *POINTS, generator=generator)


# --- races ------------------------------------------------------------------------------------------------


def sizes(depth: int) -> list[int]:
    """Return the sizes of a network with `depth` equal hidden layers and at most BUDGET parameters."""
    return [INPUTS, *[width_for_parameters(BUDGET, depth, INPUTS, 1)] * depth, 1]


def step_flops(depth: int) -> int:
    """Return the floating-point operations of one training step, per example."""
    return mlp_flops(sizes(depth)).step


def race(seeds: Sequence[int], depth: int, target: str = GAME, version: str = TREE, longer: int = 1) -> Sweep:
    """Return networks of a depth, trained on a target, so many times longer; each seed draws points and target anew."""
    build, make_parts = partial(mlp, sizes(depth)), partial(target_parts, target, version)
    options = {**TRAINING, "epochs": longer * TRAINING["epochs"]}
    return sweep(build, make_parts, seeds=seeds, lrs=RATES, progress=False, **options)


targets = experiment("03_targets", MISSED, rates=RATES, minutes=2, target=NODES, version=VERSIONS, depth=DEPTHS)(race)
moves = experiment("03_moves", MISSED, rates=RATES, minutes=0.3, depth=ALL_DEPTHS)(race)
steps = experiment("03_steps", MISSED, rates=RATES, seeds=11, minutes=1, version=(TREE, RANDOM), depth=DEPTHS)(
    partial(race, longer=LONGER)
)
mirrors = experiment("03_mirrors", MISSED, rates=RATES, minutes=0.4, target=MIRRORS, depth=DEPTHS)(race)


# --- reading what was measured ----------------------------------------------------------------------------


def missed(data: Data, depth: int, target: str = GAME, version: str = TREE) -> xr.DataArray:
    """Return by seed the share of variance missed on held-out points, with the depth's best rate."""
    cell = {"target": target, "version": version}  # of which the record may lack one or both
    return targets.best(data, depth=depth, **{axis: value for axis, value in cell.items() if axis in data.dims})


def times_less(data: Data, target: str = GAME, version: str = TREE) -> xr.DataArray:
    """Return by seed what one hidden layer misses over what three miss: above 1 where depth wins."""
    return missed(data, 1, target, version) / missed(data, 3, target, version)


def trees_halved(data: Data) -> xr.DataArray:
    """Return by seed the number of trees of which three layers miss at most half as much as one layer."""
    return over(lambda target: (times_less(data, target) >= 2).astype(float), target=NODES).sum("target")


def control_gap(data: Data) -> xr.DataArray:
    """Return by seed what three layers miss minus what one misses, the mean over all random functions."""
    gap = lambda target: missed(data, 3, target, RANDOM) - missed(data, 1, target, RANDOM)  # noqa: E731
    return over(gap, target=NODES).mean("target")


def medians_by_depth(data: Data) -> dict[str, float]:
    """Return what `reveal` says of the race on the game: the median share missed, by the depth in words."""
    words = ("one", "two", "three", "four")
    return {word: float(missed(data, depth).median()) for word, depth in zip(words, ALL_DEPTHS, strict=True)}


def medians_of(data: Data, version: str) -> dict[str, float]:
    """Return what `reveal` says of a version of the game: median shares missed, and one layer's over that of three."""
    one, three = (float(missed(data, depth, version=version).median()) for depth in DEPTHS)
    return {"one": one, "three": three, "times": float(times_less(data, version=version).median())}


def trees_won(data: Data) -> dict[str, int]:
    """Return what `reveal` says of all trees: how many, and on how many the median lead is 2; so for the "controls"."""
    won, controls = (
        sum(float(times_less(data, target, version).median()) >= 2 for target in NODES) for version in (TREE, RANDOM)
    )
    return {"trees": len(NODES), "won": won, "controls": controls}
