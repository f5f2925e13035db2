"""The networks of lesson 07, on digits: plain ones from three initialisations, and streams with branches.

Depth is the number of hidden layers. A stream is one layer, then blocks h + V relu(W h + b), and one output layer; a
block counts as two layers, since it has two matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor, nn

from utils.comparison import score
from utils.data import load_table
from utils.models import ResidualBlock, initialize, mlp

N_IN, N_OUT, WIDTH = 64, 10, 32
DEFAULT, HE, NEAR = "default", "he", "near"  # where a plain network may start
Norm = Callable[[int], nn.Module]
digits = partial(load_table, "digits", (0.5, 0.2, 0.3))  # to train on, to choose the rate on, held out


def plain(
    depth: int,
    start: str = HE,
    *,
    width: int = WIDTH,
    n_in: int = N_IN,
    n_out: int = N_OUT,
    norm: Norm | None = None,
    generator: torch.Generator,
) -> nn.Sequential:
    """Return a plain ReLU network from PyTorch's weights, from He's, or from W = I + He/√depth between hidden layers.

    The last has zero biases, as He's has. norm: what stands before each ReLU, such as nn.LayerNorm.
    """
    init = DEFAULT if start == DEFAULT else HE
    model = mlp([n_in, *[width] * depth, n_out], init=init, generator=generator)
    if start == NEAR:
        with torch.no_grad():
            for layer in model[2:-1:2]:
                layer.weight.mul_(depth**-0.5).add_(torch.eye(width))
    if norm is None:
        return model
    return nn.Sequential(*[part for layer in model for part in _after(norm, layer, width)])


def _after(norm: Norm, layer: nn.Module, width: int) -> list[nn.Module]:
    return [norm(width), layer] if isinstance(layer, nn.ReLU) else [layer]


def stream(
    blocks: int,
    factor: float | None = None,
    *,
    width: int = WIDTH,
    n_in: int = N_IN,
    n_out: int = N_OUT,
    norm: Norm | None = None,
    relu_on_stream: bool = False,
    generator: torch.Generator,
) -> nn.Sequential:
    """Return a residual network from He's weights, V of each block multiplied by ``factor``: None for 1/√blocks.

    norm: what stands before each branch, such as nn.LayerNorm. relu_on_stream: a ReLU behind the first layer and each
    sum, so that there are as many as in a plain network.
    """
    before = [] if norm is None else [norm]
    branches = [
        nn.Sequential(*[one(width) for one in before], nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))
        for _ in range(blocks)
    ]
    model = nn.Sequential(nn.Linear(n_in, width), *map(ResidualBlock, branches), nn.Linear(width, n_out))
    initialize(model, HE, generator=generator)
    with torch.no_grad():
        for branch in branches:
            branch[-1].weight.mul_(blocks**-0.5 if factor is None else factor)
    if relu_on_stream:
        return nn.Sequential(*[part for layer in model[:-1] for part in (layer, nn.ReLU())], model[-1])
    return model


def wrong_share(model: nn.Module, X: Tensor, y: Tensor) -> float:
    """Return the share of labels that the network misses."""
    return 1 - score(model, X, y)
