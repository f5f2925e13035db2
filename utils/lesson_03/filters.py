"""What a small convolutional network sees of the digits: tuning curves over bars, probes, deep against shallow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np
import torch
import xarray as xr
from numpy.typing import ArrayLike
from sklearn.datasets import load_digits
from sklearn.linear_model import RidgeClassifierCV
from torch import Tensor, nn

from utils.axes import over
from utils.claims import experiment
from utils.comparison import ACCURACY, Sweep, generators, one_thread, score, sweep
from utils.data import divide
from utils.models import count_flops, initialize, mlp
from utils.training import train
from utils.types import Array, Data, Part

SIDE, CHANNELS, LAYERS = 8, 8, (1, 2, 3)
FRACTIONS = (0.5, 0.25, 0.25)  # to train on; to fit probes on, or to choose a rate with; to report
EPOCHS, LONG, BATCH_SIZE, RATE = 20, 100, 64, 0.01
TRAINED, UNTRAINED = WEIGHTS = ("trained", "untrained")

ANGLES = tuple(180 * k / 8 for k in range(8))  # of a bar, anticlockwise from the horizontal, in degrees
OFFSETS = (-1.5, -0.75, 0.0, 0.75, 1.5)  # of a bar from the image's centre, in pixels
BAR_WIDTH = 0.7  # pixels: the standard deviation of a bar's profile, so that every angle is drawn as smoothly
CENTRE = slice(3, 5)  # the places whose 7×7 field, after three layers, lies within the image
SILENT = 1e-6
READ = PIXELS, FILTERS, NO_BENDS, DENSE = (  # what a probe reads, untrained
    "the pixels",
    "random filters",
    "random filters without ReLU",
    "dense random units",
)

FLAT, POOLED = "every place", "each map's mean"  # what the output layer is handed
RATES = (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
SHAPES: dict[str, tuple[tuple[int, ...], int, str]] = {  # by name: sides of the filters, channels, what is read out
    "three of 3×3": ((3, 3, 3), 8, FLAT),
    "one of 3×3": ((3,), 9, FLAT),
    "three of 3×3, means": ((3, 3, 3), 8, POOLED),
    "one of 3×3, means": ((3,), 68, POOLED),
    "one of 7×7, means": ((7,), 22, POOLED),
}
WIDE = ("three of 3×3, means", "one of 7×7, means")  # those that see 7×7 pixels
NARROW, NARROW_RATES = ("three of 3×3, means", "one of 3×3, means"), (0.1, 0.3)  # the best for each after LONG epochs


# --- images, networks and bars ----------------------------------------------------------------------------


def digit_parts(*, generator: torch.Generator) -> list[Part]:
    """Return three parts of the 1,797 digits, pixels from 0 to 1, without overlap: 898, 450 and 449 images."""
    pixels, labels = load_digits(return_X_y=True)
    return divide(torch.tensor(pixels / 16), torch.tensor(labels), FRACTIONS, generator=generator)


def conv_net(
    sides: Sequence[int] = (3, 3, 3),
    channels: int = CHANNELS,
    read: str = FLAT,
    *,
    init: str = "default",
    generator: torch.Generator | None = None,
) -> nn.Sequential:
    """Return layers of filters with these sides and ReLU, without biases, then a linear one from all places or means.

    Maps [n, 64] to [n, 10]. Without biases nothing answers a black image. Numbers are doubles: in single precision
    two machines would soon disagree about what training makes of them.
    """
    layers: list[nn.Module] = [nn.Unflatten(1, (1, SIDE, SIDE))]
    for n_in, side in zip((1, *[channels] * (len(sides) - 1)), sides, strict=True):
        layers += [nn.Conv2d(n_in, channels, side, padding=side // 2, bias=False), nn.ReLU()]
    layers += [nn.AdaptiveAvgPool2d(1)] if read == POOLED else []
    features = channels * (1 if read == POOLED else SIDE * SIDE)
    model = nn.Sequential(*layers, nn.Flatten(), nn.Linear(features, 10)).double()
    return initialize(model, init, generator=generator)


def after(model: nn.Sequential, layer: int) -> nn.Sequential:
    """Return the part of a `conv_net` up to the ReLU of this layer, from 1; for 0 the image itself."""
    return model[: 1 + 2 * layer]


def bar(angle: float, offset: float = 0.0) -> Tensor:
    """Return an image [64] of a white bar on black, at this angle and this far from the centre."""
    place = torch.arange(SIDE, dtype=torch.float64) - (SIDE - 1) / 2
    theta = np.deg2rad(angle)
    distance = -np.sin(theta) * place - np.cos(theta) * place[:, None] - offset  # rows count downwards
    return torch.exp(-((distance / BAR_WIDTH) ** 2) / 2).flatten()


def answers(model: nn.Module, angles: Iterable[float] = ANGLES) -> Array:
    """Return how strongly each unit of the model's maps answers a bar at each angle, [angles, units].

    The strongest of its answers at the four central places to bars at five offsets.
    """
    angles = list(angles)
    bars = torch.stack([bar(angle, offset) for angle in angles for offset in OFFSETS])
    with torch.no_grad():
        maps = model(bars.to(next(model.parameters(), bars).dtype))
    strongest = maps[:, :, CENTRE, CENTRE].amax(dim=(2, 3))
    return strongest.reshape(len(angles), len(OFFSETS), -1).amax(dim=1).double().numpy()


def preference(curves: ArrayLike) -> tuple[Array, Array]:
    """Return each unit's selectivity, and the angle it prefers in degrees, of its answers [angles, units] to ANGLES.

    Selectivity is one minus the circular variance (Ringach, Shapley & Hawken 2002): 0 for a unit that answers all
    angles alike, or none, 1 for one that answers a single angle.
    """
    curves = np.asarray(curves)
    total = curves.sum(axis=0)
    pull = np.exp(2j * np.deg2rad(ANGLES)) @ curves
    selectivity = np.where(total > SILENT, np.abs(pull) / np.maximum(total, SILENT), 0.0)
    return selectivity, np.rad2deg(np.angle(pull)) / 2 % 180


def probe(model: nn.Module, fitting: Part, held_out: Part) -> float:
    """Return the share of held-out labels that a linear read-out of what the model returns gets right.

    Ridge regression on the classes; its penalty is the best of nine for images left out of the fit one by one.
    """
    with torch.no_grad():
        features, unseen = (model(X).flatten(1).numpy() for X, _ in (fitting, held_out))
    fitted = RidgeClassifierCV(alphas=np.logspace(-4, 4, 9)).fit(features, fitting[1].numpy())
    return float(fitted.score(unseen, held_out[1].numpy()))


# --- experiments ------------------------------------------------------------------------------------------


@experiment("03_readings", minutes=0.6, within={"weights": WEIGHTS, "layer": LAYERS, "unit": range(CHANNELS)})
def readings(seed: int) -> Data:
    """Return what is read off three layers of eight filters before and after training.

    accuracy, of the trained network, held-out; probe, by weights and layer, fitted on the second part of the digits and
    scored on the third; pixels, the probe on the image itself; selectivity, by weights, layer and unit.
    """
    training, fitting, held_out = digit_parts(generator=generators(seed)[0])
    models = {weights: conv_net(generator=generators(seed)[1]) for weights in WEIGHTS}
    order = torch.Generator().manual_seed(seed)

    def cell(weights: str, layer: int) -> Data:
        model = after(models[weights], layer)
        selectivity = xr.DataArray(preference(answers(model))[0], [("unit", list(range(CHANNELS)))])
        return xr.Dataset({"selectivity": selectivity, "probe": probe(model, fitting, held_out)})

    with one_thread():
        options = {"epochs": EPOCHS, "lr": RATE, "batch_size": BATCH_SIZE, "generator": order, "progress": False}
        train(models[TRAINED], *training, **options)
        pixels = probe(after(models[TRAINED], 0), fitting, held_out)
        read = over(cell, weights=WEIGHTS, layer=LAYERS)
        return read.assign(accuracy=score(models[TRAINED], *held_out), pixels=pixels)


@experiment("03_bends", minutes=0.3, features=READ)
def bends(seed: int, features: str) -> Data:
    """Return the held-out accuracy of a probe on features that are not trained: 64 pixels, or 512 of READ.

    Dense units see the whole image, with weights of variance 1/64. All is divided as for `readings`.
    """
    _, fitting, held_out = digit_parts(generator=generators(seed)[0])
    with one_thread():
        return xr.Dataset({"probe": probe(untrained_features(features, generators(seed)[1]), fitting, held_out)})


def untrained_features(features: str, generator: torch.Generator) -> nn.Module:
    """Return what maps images [n, 64] to one of READ."""
    if features == PIXELS:
        return nn.Identity()
    if features == DENSE:
        units = CHANNELS * SIDE * SIDE
        return mlp([SIDE * SIDE, units, 10], init="lecun", generator=generator)[:2].double()
    model = conv_net(generator=generator)
    return model[:2] if features == NO_BENDS else after(model, 1)


def race(seeds: Sequence[int], shape: str, epochs: int = EPOCHS, rates: Sequence[float] = RATES) -> Sweep:
    """Return networks of one of SHAPES, trained on the digits."""
    options = {"epochs": epochs, "batch_size": BATCH_SIZE, "schedule": "one-cycle", "progress": False}
    with one_thread():
        return sweep(builder(shape), digit_parts, seeds=seeds, lrs=rates, **options)


shapes = experiment("03_filters", ACCURACY, rates=RATES, seeds=12, minutes=4, chunk=4, shape=SHAPES)(race)
longer = experiment(
    "03_longer",
    ACCURACY,
    rates=RATES,
    seeds=12,
    minutes=6,
    chunk=4,
    shape=WIDE,
    unstable={"accuracy": 0.2},  # at the largest rate, which is a sixth: on a Xeon 2 of 24
)(partial(race, epochs=LONG))
narrow = experiment("03_narrow", ACCURACY, rates=NARROW_RATES, seeds=11, minutes=2, chunk=1, shape=NARROW)(
    partial(race, epochs=LONG, rates=NARROW_RATES)
)


def builder(name: str) -> Callable[..., nn.Sequential]:
    """Return what builds the network of this name in SHAPES, from He's initialisation."""
    return partial(conv_net, *SHAPES[name], init="he")


def arithmetic(name: str) -> float:
    """Return what an image costs one of SHAPES, in FLOPs, over what it costs the three layers read in the same way."""
    deep = "three of 3×3" + ", means" * (SHAPES[name][2] == POOLED)
    image = torch.zeros(1, SIDE * SIDE, dtype=torch.float64)
    cost, of_deep = (count_flops(builder(one)(generator=torch.Generator()), image).forward for one in (name, deep))
    return cost / of_deep


# --- reading what was measured ----------------------------------------------------------------------------


def selectivity(data: Data, weights: str, layer: int) -> xr.DataArray:
    """Return the median selectivity of a layer's units, by seed."""
    return data["selectivity"].sel(weights=weights, layer=layer).median("unit")


def probes(data: Data, weights: str, layer: int) -> xr.DataArray:
    """Return the probe's accuracy after a layer, by seed; on the image itself for layer 0."""
    return data["probe"].sel(weights=weights, layer=layer) if layer else data["pixels"]


def bends_lead(data: Data, features: str, other: str) -> xr.DataArray:
    """Return by seed the probe's accuracy on one of READ minus that on another."""
    return data["probe"].sel(features=features, drop=True) - data["probe"].sel(features=other, drop=True)


def tuning_medians(data: Data) -> dict[str, float]:
    """Return the median over seeds of the first layer's selectivity, trained and untrained."""
    return {weights: float(selectivity(data, weights, 1).median()) for weights in WEIGHTS}


def probe_medians(data: Data) -> dict[str, float]:
    """Return the probe's median accuracy on the pixels, and on the first layer, trained and untrained."""
    on = {"pixels": probes(data, TRAINED, 0), **{weights: probes(data, weights, 1) for weights in WEIGHTS}}
    return {name: float(values.median()) for name, values in on.items()}


def shape_medians(data: Data) -> dict[str, float]:
    """Return the median held-out accuracy of each of SHAPES at its best rate, by short names."""
    names = ("deep", "shallow", "deep_means", "shallow_means", "wide_means")
    return {name: float(shapes.best(data, shape=shape).median()) for name, shape in zip(names, SHAPES, strict=True)}
