"""PyTorch's networks as the playground's engine has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from utils.models import INITS, ResidualBlock, mlp
from utils.playground.settings import EACH, MOST_LAYERS, MOST_UNITS
from utils.types import Array

ACTIVATIONS = {nn.ReLU: "relu", nn.Tanh: "tanh", nn.Sigmoid: "sigmoid", nn.Identity: "linear"}
FUNCTIONS: dict[str, Callable[[Array], Array]] = {
    "relu": lambda z: np.maximum(z, 0),
    "tanh": np.tanh,
    "sigmoid": lambda z: 1 / (1 + np.exp(-z)),
    "linear": np.copy,
}


@dataclass(frozen=True)
class Drawn:
    """A network as the engine has it: each layer's W and b; skips, at each hidden layer as wide as the one before."""

    layers: Sequence[tuple[Array, Array]]
    activation: str
    skips: bool
    biases: bool

    @property
    def widths(self) -> list[int]:
        """Return the widths of the hidden layers."""
        return [len(b) for _, b in self.layers[:-1]]

    def __call__(self, X: Array) -> list[Array]:
        """Return the preactivations of all layers at the points X [n, 2]; the last are the outputs."""
        h, found = X, []
        for at, (W, b) in enumerate(self.layers):
            found.append(h @ W.T + b)
            a = FUNCTIONS[self.activation](found[-1])
            h = h + a if self.skips and at and a.shape == h.shape else a
        return found


def network_of(model: nn.Module) -> Drawn:
    """Return what the playground trains on from; raises TypeError or ValueError for a model that it cannot hold."""
    linears, activations, residual = _parts(model)
    layers = [(one.weight, torch.zeros(one.out_features) if one.bias is None else one.bias) for one in linears]
    layers = [tuple(part.detach().cpu().double().numpy() for part in layer) for layer in layers]
    inputs, (*widths, outputs) = linears[0].in_features, [len(b) for _, b in layers]
    if inputs != 2 or outputs > 2:
        raise ValueError(f"the model has {inputs} inputs and {outputs} outputs: wanted 2 inputs, and 1 output, or 2")
    if len(widths) > MOST_LAYERS or max(widths, default=1) > MOST_UNITS:
        raise ValueError(
            f"the model has hidden layers of {widths} units: wanted at most {MOST_LAYERS} of at most "
            f"{MOST_UNITS}; train a smaller one"
        )
    if not all(np.isfinite(part).all() for layer in layers for part in layer):
        raise ValueError("the model has weights that are not finite: its training went astray; try a lower rate")
    if len(set(activations)) > 1:
        raise ValueError(f"the model has activations of several kinds, {', '.join(activations)}: wanted one kind")
    square = [at for at in range(1, len(widths)) if widths[at] == widths[at - 1]]
    if residual and residual != square:
        raise ValueError("the model has a skip at some of its square hidden layers: wanted one at each, or none")
    if outputs == 2:
        W, b = layers[-1]
        layers[-1] = W[1:] - W[:1], b[1:] - b[:1]
    biases = any(one.bias is not None for one in linears)
    return Drawn(layers, activations[0] if activations else "relu", bool(residual), biases)


def _parts(model: nn.Module) -> tuple[list[nn.Linear], list[str], list[int]]:
    """Return the linear layers, the hidden ones' activations, and at which of them there is a skip."""
    linears: list[nn.Linear] = []
    activations: list[str] = []
    residual, parts = [], _flat(model)
    for part in parts:
        is_between = len(linears) == len(activations)
        if is_between and isinstance(part, ResidualBlock) and (hidden := _hidden(part.branch)):
            residual.append(len(linears))
            linears.append(hidden[0])
            activations.append(ACTIVATIONS[type(hidden[1])])
        elif is_between and type(part) is nn.Linear:
            linears.append(part)
        elif not is_between and type(part) in ACTIVATIONS:
            activations.append(ACTIVATIONS[type(part)])
        else:
            break
    else:
        if len(linears) > len(activations):
            return linears, activations, residual
    raise TypeError(
        f"the model is made of {', '.join(type(one).__name__ for one in parts)}: wanted nn.Sequential(nn.Linear, "
        "activation, nn.Linear, …, nn.Linear), as utils.models.mlp makes it, with nn.ReLU, nn.Tanh, nn.Sigmoid or "
        "nn.Identity; a layer with a skip is utils.models.ResidualBlock(nn.Sequential(nn.Linear, activation))"
    )


def _flat(model: nn.Module) -> list[nn.Module]:
    return [part for one in model for part in _flat(one)] if isinstance(model, nn.Sequential) else [model]


def _hidden(branch: nn.Module) -> tuple[nn.Linear, nn.Module] | None:
    """Return a layer and its activation, None where the branch is something else."""
    match _flat(branch):
        case [nn.Linear() as linear, activation] if type(activation) in ACTIVATIONS:
            return linear, activation
    return None


def with_model(setting: Mapping[str, Any], network: Drawn) -> dict[str, Any]:
    """Return the setting with the model as its first network, alone where no other is named; raises ValueError."""
    own = {"activation": network.activation, "skips": network.skips, "biases": network.biases}
    for key, value in {"layers": network.widths, **own}.items():
        given = setting.get(key, value)
        if (given[0] if key in own and isinstance(given, list) else given) != value:
            raise ValueError(
                f"{key} is {given!r}, and the model's is {value!r}: leave it out, or, for another network "
                "beside the model, give a list of two"
            )
    return {"against": None, **own, **setting, "layers": network.widths}


def written(network: Drawn) -> str:
    """Return the weights in the engine's order, layer by layer W by rows and then b, as JavaScript, exactly."""
    weights = np.concatenate([part.ravel() for layer in network.layers for part in layer])
    single = weights.astype(np.float32)
    bits, digits = (32, single) if (single == weights).all() else (64, weights)
    return f"new Float{bits}Array([{','.join(map(str, digits))}])"


def untrained(whole: Mapping[str, Any], side: int) -> Drawn:
    """Return the first network of a whole setting, or the one it is against, as it might begin."""
    own = {key: value[side] if isinstance(value := whole[key], list) else value for key in EACH}
    sizes = [2, *whole["against" if side else "layers"], 1]
    init = own["init"] if own["init"] in INITS else "he", float(own["gain"])
    how = {"bias": own["biases"], "bias_std": own["bias_std"] or None if own["biases"] else None}
    model = mlp(sizes, init=init, generator=torch.Generator().manual_seed(whole["seed"]), **how)
    return Drawn(network_of(model).layers, own["activation"], own["skips"], own["biases"])
