"""Why skips help: slopes that shatter, two inputs that merge, and blocks that are taken out of trained networks.

Four networks of the same matrices: plain or with skips, each from He's weights or with changes kept small, so that
what a skip does can be told from what small changes do. Skips alone are divided by √3, which holds the length: else
the stream would grow until biases no longer count, and slopes would stay together for that reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import torch
import xarray as xr
from torch import Tensor, nn

from utils.claims import experiment
from utils.comparison import ACCURACY, HELD_OUT, Score, Sweep, one_thread, score, sweep
from utils.kernels import relu_moments
from utils.lesson_07.networks import HE, NEAR, digits, plain, stream
from utils.lesson_07.readings import in_float64
from utils.models import ResidualBlock
from utils.types import Data

PLAIN, START, SKIP, SCALED = KINDS = ("plain", "near the identity", "skip", "scaled skip")
PERMUTED = "near a permutation"  # P(I + He/√depth), a random permutation P in each layer: START with new numbers
ROTATED = "near a rotation"  # √2 Q(I + He/√depth), a random orthogonal Q in each layer: it does change much
BLOCKS = 25  # of two matrices each, after a first layer
BLOCK_COUNTS = (1, 2, 4, 8, 15, BLOCKS)
SHATTER_WIDTHS, BIAS_STD = (50, 200), 0.3
OTHER_BIASES = (0.1, 1.0)
ENDS, POINTS, LAG = 2.0, 256, 4
DISTANCE = LAG * 2 * ENDS / (POINTS - 1)
ANGLE_WIDTH = 300
RATE = 0.003
TOGETHER, LITTLE = 0.85, 0.05  # the page asks which correlations are above, and which losses below
EPOCHS, BATCH, STEPS, LONGER = 17, 50, 306, 10


def layers_of(blocks: int) -> int:
    """Return how many hidden layers so many blocks make, with the one before them."""
    return 1 + 2 * blocks


def network(kind: str, blocks: int = BLOCKS, **sizes: object) -> nn.Sequential:
    """Return one of KINDS, PERMUTED or ROTATED: a first layer, so many blocks of two matrices, and an output layer."""
    if kind in (PERMUTED, ROTATED):
        turned = _permuted if kind == PERMUTED else _rotated
        return turned(plain(layers_of(blocks), NEAR, **sizes), generator=sizes["generator"])
    if kind in (PLAIN, START):
        return plain(layers_of(blocks), HE if kind == PLAIN else NEAR, **sizes)
    if kind == SCALED:
        return stream(blocks, **sizes)
    first, *middle, last = stream(blocks, 1.0, **sizes)
    return nn.Sequential(first, *[LengthHeld(block.branch) for block in middle], last)


class LengthHeld(ResidualBlock):
    """(x + branch(x))/√3: for branches V relu(Wx) with He's weights it keeps the expected squared length."""

    def forward(self, x: Tensor) -> Tensor:
        return super().forward(x) / 3**0.5


@torch.no_grad()
def _permuted(model: nn.Sequential, *, generator: torch.Generator) -> nn.Sequential:
    """Return a plain network with the units of each hidden layer but the first in another order, each its own."""
    for layer in model[2:-1:2]:
        order = torch.randperm(len(layer.weight), generator=generator)
        layer.weight.copy_(layer.weight[order])
    return model


@torch.no_grad()
def _rotated(model: nn.Sequential, *, generator: torch.Generator) -> nn.Sequential:
    """Return a plain network, the weights of each hidden layer but the first rotated at random, each on its own.

    They are multiplied by √2, too: a rotated vector has signs of its own, and ReLU takes half of its square.
    """
    for layer in model[2:-1:2]:
        Q, R = torch.linalg.qr(torch.randn(layer.weight.shape, generator=generator))
        layer.weight.copy_(2**0.5 * (Q * R.diagonal().sign()) @ layer.weight)
    return model


def in_blocks(model: nn.Sequential) -> nn.Sequential:
    """Return the same layers as [first layer, block, …, block, output layer], a plain network's two by two."""
    if isinstance(model[1], ResidualBlock):
        return model
    pairs = [model[place : place + 4] for place in range(2, len(model) - 1, 4)]
    return nn.Sequential(model[:2], *pairs, model[-1])


# --- slopes along one input -------------------------------------------------------------------------------


def one_input(
    kind: str, blocks: int, width: int = SHATTER_WIDTHS[-1], bias_std: float = BIAS_STD, *, generator: torch.Generator
) -> nn.Sequential:
    """Return an untrained network from one number to one number, all of its biases drawn from N(0, bias_std²)."""
    model = network(kind, blocks, width=width, n_in=1, n_out=1, generator=generator)
    for name, parameter in model.named_parameters():
        if name.endswith("bias"):
            nn.init.normal_(parameter, std=bias_std, generator=generator)
    return model


def slopes(model: nn.Module, ends: float = ENDS, points: int = POINTS) -> Tensor:
    """Return df/dx at evenly spaced x from −ends to ends."""
    x = torch.linspace(-ends, ends, points)[:, None].requires_grad_()
    return torch.autograd.grad(model(x).sum(), x)[0][:, 0]


def correlation(numbers: Tensor, lag: int = LAG) -> float:
    """Return the autocorrelation: the mean product of deviations from the mean, `lag` apart, over the variance."""
    gaps = (numbers - numbers.mean()).double()
    return ((gaps[lag:] * gaps[:-lag]).mean() / gaps.square().mean()).item()


@experiment(
    "07_shatter",
    seeds=44,
    chunk=11,
    minutes=0.6,
    kind=(*KINDS, ROTATED),
    blocks=BLOCK_COUNTS,
    width=SHATTER_WIDTHS,
    unstable={"correlation": 0.05},  # in float32 rounding decides on which side of a kink a slope is taken
)
def shatter(seed: int, kind: str, blocks: int, width: int) -> Data:
    """Return the correlation of slopes a short way apart, before training."""
    with one_thread():
        model = one_input(kind, blocks, width, generator=torch.Generator().manual_seed(seed))
        return xr.Dataset({"correlation": correlation(slopes(model))})


@experiment(
    "07_shatter_biases",
    seeds=44,
    chunk=11,
    minutes=0.2,
    kind=KINDS,
    bias_std=OTHER_BIASES,
    unstable={"correlation": 0.05},
)
def shatter_biases(seed: int, kind: str, bias_std: float) -> Data:
    """Return the same for the deepest and widest networks, with smaller and with larger biases."""
    with one_thread():
        model = one_input(kind, BLOCKS, bias_std=bias_std, generator=torch.Generator().manual_seed(seed))
        return xr.Dataset({"correlation": correlation(slopes(model))})


def deepest(data: Data, kind: str, width: int = SHATTER_WIDTHS[-1]) -> xr.DataArray:
    """Return the correlation by seed with all blocks."""
    return data["correlation"].sel(kind=kind, blocks=BLOCKS, width=width).reset_coords(drop=True)


def with_biases(data: Data, kind: str, bias_std: float) -> xr.DataArray:
    """Return the correlation by seed with all blocks, and biases of another size."""
    return data["correlation"].sel(kind=kind, bias_std=bias_std).reset_coords(drop=True)


# --- two inputs on their way ------------------------------------------------------------------------------


def kappa(c: float) -> float:
    """Return E[relu(u) relu(v)]/E[relu(u)²] for normal u, v of equal variance and correlation c (Cho & Saul 2009)."""
    return float(relu_moments(c)[0])


def cosines(kind: str, blocks: int = BLOCKS) -> list[float]:
    """Return the cosine of two orthogonal inputs before and after each block of a wide network, but for START."""
    c, found = (kappa(0.0) if kind == PLAIN else 0.0), []
    f2 = 1.0 if kind == SKIP else 1 / blocks
    for _ in range(blocks + 1):
        found.append(c)
        c = kappa(kappa(c)) if kind == PLAIN else (c + 2 * f2 * kappa(c)) / (1 + 2 * f2)
    return found


@experiment("07_angles", minutes=0.2, kind=KINDS, within={"block": range(BLOCKS + 1)})
def angles(seed: int, kind: str) -> Data:
    """Return the cosine of two orthogonal inputs, before and after each block."""
    generator = torch.Generator().manual_seed(seed)
    Q = torch.linalg.qr(torch.randn(ANGLE_WIDTH, 2, generator=generator, dtype=torch.float64)).Q
    h = ANGLE_WIDTH**0.5 * Q.T
    model = in_blocks(network(kind, width=ANGLE_WIDTH, n_in=ANGLE_WIDTH, generator=generator)).double()
    found = []
    with torch.no_grad(), one_thread():
        for part in model[:-1]:
            h = part(h)
            found.append(torch.cosine_similarity(h[0], h[1], dim=0).item())
    return xr.Dataset({"cosine": ("block", found)}, {"block": range(BLOCKS + 1)})


def last(data: Data, kind: str) -> xr.DataArray:
    """Return the cosine by seed after all blocks."""
    return data["cosine"].sel(kind=kind, block=BLOCKS).reset_coords(drop=True)


# --- blocks taken out and exchanged -----------------------------------------------------------------------


def without_one(model: nn.Sequential, X: Tensor, y: Tensor) -> list[float]:
    """Return the accuracy without each block in turn."""
    parts = in_blocks(model)
    return [score(parts[:place] + parts[place + 1 :], X, y) for place in range(1, len(parts) - 1)]


def with_two_exchanged(model: nn.Sequential, X: Tensor, y: Tensor) -> list[float]:
    """Return the accuracy with each two neighbouring blocks exchanged."""
    parts = in_blocks(model)
    return [
        score(nn.Sequential(*parts[:place], parts[place + 1], parts[place], *parts[place + 2 :]), X, y)
        for place in range(1, len(parts) - 2)
    ]


def _median(each: Callable[..., list[float]]) -> Callable[..., float]:
    return lambda *at: float(np.median(each(*at)))


WITHOUT = Score("without", True, _median(without_one))
EXCHANGED = Score("exchanged", True, _median(with_two_exchanged))


@experiment(
    "07_removed",
    ACCURACY,
    WITHOUT,
    EXCHANGED,
    rates=(RATE,),
    seeds=12,
    chunk=12,
    minutes=2,
    kind=KINDS,
    unstable=dict.fromkeys(("accuracy", "without", "exchanged"), 0.25),  # of skips alone the last bits may grow
)
def removed(seeds: Sequence[int], kind: str) -> Sweep:
    """Return networks after training on digits, at the rate of the page."""
    return _learned(seeds, kind, EPOCHS)


def _learned(seeds: Sequence[int], kind: str, epochs: int) -> Sweep:
    options = {"epochs": epochs, "batch_size": BATCH, "schedule": "cosine", "progress": False}
    with one_thread():
        return sweep(*in_float64(partial(network, kind), digits), seeds=seeds, lrs=[RATE], **options)


@experiment(
    "07_removed_longer",
    ACCURACY,
    WITHOUT,
    rates=(RATE,),
    seeds=12,
    chunk=12,
    minutes=0.8,
    kind=(PLAIN,),
)
def removed_longer(seeds: Sequence[int], kind: str) -> Sweep:
    """Return networks after ten times the steps, by which plain ones have learned as well."""
    return _learned(seeds, kind, LONGER * EPOCHS)


@experiment("07_permuted", seeds=12, chunk=12, minutes=0.6)
def permuted(seeds: Sequence[int]) -> Data:
    """Return by seed of layers near a permutation, trained on digits, two held-out scores.

    accuracy, and without: that without the block at the median place.
    """
    found = _learned(seeds, PERMUTED, EPOCHS)
    return xr.Dataset(
        {
            one.name: found.scores(one.of).sel(part=HELD_OUT, rate=RATE).drop_vars(("part", "rate"))
            for one in (ACCURACY, WITHOUT)
        }
    )


def reached(data: Data, kind: str, name: str = ACCURACY.name) -> xr.DataArray:
    """Return a held-out score by seed."""
    return data[name].sel(kind=kind, part=HELD_OUT, rate=RATE).reset_coords(drop=True)


def lost(data: Data, kind: str, name: str = WITHOUT.name) -> xr.DataArray:
    """Return by seed the held-out accuracy lost at the median place."""
    return reached(data, kind) - reached(data, kind, name)


# --- what the page asks -----------------------------------------------------------------------------------


def shatter_answer(data: Data, others: Data) -> dict[str, float]:
    """Return the medians over seeds of the correlation, for the deepest networks of each kind.

    As small_… and large_… those with biases of other sizes.
    """
    small, large = (_by_name(others, lambda kind, size=size: with_biases(others, kind, size)) for size in OTHER_BIASES)
    return {f"small_{name}": value for name, value in small.items()} | {
        **{f"large_{name}": value for name, value in large.items()},
        **_by_name(data, lambda kind: deepest(data, kind)),
    }


def angle_answer(data: Data) -> dict[str, float]:
    """Return the medians over seeds of the last cosine, for each kind."""
    return _by_name(data, lambda kind: last(data, kind))


def removed_answer(data: Data) -> dict[str, float]:
    """Return the medians over seeds of the accuracy lost for each kind, and as whole_… of the accuracy before."""
    whole = _by_name(data, lambda kind: reached(data, kind))
    return {f"whole_{name}": value for name, value in whole.items()} | _by_name(data, lambda kind: lost(data, kind))


def listed(numbers: dict[str, float]) -> str:
    """Return numbers by kind in a line."""
    return ", ".join(f"{kind} {number:.2f}" for kind, number in numbers.items())


def _by_name(data: Data, of: Callable[[str], xr.DataArray]) -> dict[str, float]:
    names = zip(("plain", "near", "skip", "scaled"), KINDS, strict=True)
    return {"seeds": data.sizes["seed"], **{name: float(of(kind).median()) for name, kind in names}}
