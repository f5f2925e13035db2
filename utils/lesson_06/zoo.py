"""The activation zoo: a signal through a hundred layers, ReLU units that die, and tuned races of all activations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np
import torch
import xarray as xr
from torch import Tensor, nn

from utils.claims import experiment, recorded
from utils.comparison import (
    ACCURACY,
    ERROR,
    HELD_OUT,
    MISSED,
    PARTS,
    TRAINING,
    VALIDATION,
    Score,
    Sweep,
    best_rates,
    generators,
    sweep,
)
from utils.data import diagonal_flip, load_table
from utils.meanfield import as_activation, length_map
from utils.models import feed_forward, mlp
from utils.training import train_ensemble
from utils.types import Data, Part

ZOO: dict[str, Callable[[Tensor], Tensor]] = {
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "relu": torch.relu,
    "leaky_relu": nn.functional.leaky_relu,
    "gelu": nn.functional.gelu,
}
SWIGLU = "swiglu"
INITS = ("default", "lecun", "xavier", "he")

LAYERS, SIGNAL_WIDTH, SIGNAL_POINTS = 100, 300, 8
DECADES = 300.0  # what is smaller or larger than float64 holds is recorded as so many powers of ten

FRACTIONS = (0.6, 0.2, 0.2)  # to train on, to choose with, to report
RATES = (0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3)
DEPTHS = (2, 20)
DIGITS_WIDTH, DIGITS_EPOCHS, DIGITS_LONGER, BATCH = 32, 20, 100, 64
FLIP_WIDTH, FLIP_STEPS, GREY = 16, 1000, 1000
FLIP_RATES = (0.00003, 0.0001, *RATES, 1.0)
CENTRED: dict[str, tuple[str, float, bool]] = {  # the activation, by what V is multiplied, and whether it is centred
    "tanh": ("tanh", 1, False),
    "gain and centring": ("sigmoid", 4, True),
    "gain alone": ("sigmoid", 4, False),
    "centring alone": ("sigmoid", 1, True),
}

HIDDEN = (1, 2, 3)
DEAD_SIZES = [64, *[32] * len(HIDDEN), 10]
DEAD_RATES = (0.01, 0.03, 0.1, 0.3, 0.5, 1.0)
DEAD_EPOCHS = (1, 19)  # until the first count, and from there to the second

TEXT_STARTS: dict[str, str | float] = {"σ = 0.01": 0.01, "σ = 1": 1.0, "Glorot": "xavier", "He": "he"}
TEXT_UNITS, TEXT_EPOCHS, TEXT_LONGER = 8, 100, 2000
TEXT_RATE = 0.025  # of the mean squared error: 0.05 of half of it, which the text takes
LINEAR, BENDING = TASKS = ("flip", "random network")
TEXT_RATES = (0.0125, TEXT_RATE, 0.05, 0.1, 0.2, 0.4, 0.8)

BLOCKS = {"GELU": (96, False), "SwiGLU": (64, True)}  # hidden units, gated: both have 12,288 weights, and no biases


# --- a signal through many layers -------------------------------------------------------------------------


def gain_of(activation: str) -> float:
    """Return the gain at which one layer keeps a mean square of 1: 1/√E[φ(z)²] for z from N(0, 1).

    For SwiGLU, swish(z)·z' with z' independent of z, that is swish's own.
    """
    return length_map(1.0, 1.0, 0.0, "swish" if activation == SWIGLU else activation) ** -0.5


def gradient_factor(activation: str) -> float:
    """Return by what one of ZOO multiplies the gradient's mean square at that gain, χ = E[φ'(z)²]/E[φ(z)²]."""
    return length_map(1.0, gain_of(activation), 0.0, as_activation(activation).slope)


def layer(h: Tensor, activation: str, gain: float, *, generator: torch.Generator) -> Tensor:
    """Return gain·φ(hW) for weights W from N(0, 1/n), the shape [points, n] of h; for SwiGLU, gain·swish(hW)·(hV)."""

    def weighted() -> Tensor:
        n = h.shape[1]
        return h @ (torch.randn(n, n, generator=generator, dtype=h.dtype) / n**0.5)

    if activation == SWIGLU:
        return gain * nn.functional.silu(weighted()) * weighted()
    return gain * ZOO[activation](weighted())


@experiment("06_zoo_signal", minutes=0.3, activation=(*ZOO, SWIGLU), within={"layer": range(1, LAYERS + 1)})
def signal(seed: int, activation: str, gain: float | None = None) -> Data:
    """Return by layer, 1 to 100, decimal logarithms of the mean square, and of the gradient's over the last layer's.

    The gradient is that of a random direction in the last layer.
    """
    generator = torch.Generator().manual_seed(seed)
    gain = gain_of(activation) if gain is None else gain
    h = torch.randn(SIGNAL_POINTS, SIGNAL_WIDTH, generator=generator, dtype=torch.float64, requires_grad=True)
    layers = []
    for _ in range(LAYERS):
        h = layer(h, activation, gain, generator=generator)
        layers.append(h)
    direction = torch.randn(h.shape, generator=generator, dtype=h.dtype)
    gradients = torch.autograd.grad(h, layers, direction)
    moments, of_gradients = (_decades([one.detach().square().mean() for one in ones]) for ones in (layers, gradients))
    numbers = {"moment": moments, "gradient": of_gradients - of_gradients[-1]}
    return xr.Dataset({name: ("layer", one) for name, one in numbers.items()}, {"layer": range(1, LAYERS + 1)})


def _decades(numbers: Sequence[Tensor]) -> np.ndarray:
    with np.errstate(divide="ignore"):
        return np.nan_to_num(np.log10([float(one) for one in numbers]), nan=DECADES).clip(-DECADES, DECADES)


# --- units that die ---------------------------------------------------------------------------------------


@torch.no_grad()
def silent_units(model: nn.Sequential, X: Tensor) -> list[Tensor]:
    """Return for each hidden layer of an `mlp` with ReLU which of its units are 0 on all of X: bool [units]."""
    silent, h = [], X
    for module in model:
        h = module(h)
        if isinstance(module, nn.ReLU):
            silent.append((h == 0).all(dim=0))
    return silent


@experiment("06_zoo_dead", minutes=0.2, within={"rate": DEAD_RATES, "layer": HIDDEN})
def dead(seeds: Sequence[int]) -> Data:
    """Return by rate and hidden layer how many units of a ReLU network are off on all training images of digits.

    before training, early (after an epoch) and after it, by plain gradient descent. back: off early, but not after.
    """
    options = {"batch_size": BATCH, "optimizer": "sgd", "progress": False}
    build = partial(mlp, DEAD_SIZES, init="he")
    swept = sweep(build, digit_parts, seeds=seeds, lrs=DEAD_RATES, epochs=DEAD_EPOCHS[0], **options)
    data = [parts[0] for parts in swept.parts]
    starts = [build(generator=generators(seed)[1]) for seed in seeds]
    before, early = _all_off([[start] for start in starts], data)[:, 0], _all_off(swept.models, data)
    X, y = (torch.stack([part[k] for part in data for _ in DEAD_RATES]) for k in (0, 1))
    flat = [model for row in swept.models for model in row]
    train_ensemble(flat, X, y, lr=list(DEAD_RATES) * len(seeds), epochs=DEAD_EPOCHS[1], **options)
    after = _all_off(swept.models, data)
    axes = [("seed", list(seeds)), ("rate", list(DEAD_RATES)), ("layer", list(HIDDEN))]
    counts = {"early": early, "after": after, "back": early & ~after}
    arrays = {name: xr.DataArray(units.sum(-1).astype(float), axes) for name, units in counts.items()}
    return xr.Dataset({"before": xr.DataArray(before.sum(-1).astype(float), [axes[0], axes[2]]), **arrays})


def _all_off(models: Sequence[Sequence[nn.Sequential]], data: Sequence[Part]) -> np.ndarray:
    """Return `silent_units` for the models of each seed, on its inputs: bool [seeds, models, layers, units]."""
    rows = zip(models, data, strict=True)
    return np.array([[[*map(np.asarray, silent_units(model, X))] for model in row] for row, (X, _) in rows])


# --- races ------------------------------------------------------------------------------------------------


def digit_parts(*, generator: torch.Generator) -> list[Part]:
    """Return three parts of scikit-learn's digits, split at random without overlap."""
    return _split(generator.initial_seed())


@cache  # every network of a race asks for the same splits, and reading the table takes its time
def _split(seed: int) -> list[Part]:
    return load_table("digits", FRACTIONS, generator=torch.Generator().manual_seed(seed))


def flip_parts(*, generator: torch.Generator) -> list[Part]:
    """Return the sixteen images with their transposes, then twice 1,000 images of greys in [0, 1]."""
    grey = [torch.rand(GREY, 4, generator=generator) for _ in range(2)]
    return [diagonal_flip(), *((X, X[:, [0, 2, 1, 3]]) for X in grey)]


RACED = {"parts": PARTS, "seeds": 16, "activation": ZOO, "init": INITS, "depth": DEPTHS}


@experiment("06_zoo_digits", ACCURACY, rates=RATES, minutes=1.5, **RACED)
def digits(seeds: Sequence[int], activation: str, init: str, depth: int) -> Sweep:
    """Return networks after training on scikit-learn's digits."""
    return train_on_digits(partial(mlp, [64, *[DIGITS_WIDTH] * depth, 10], activation, init=init), seeds)


@experiment("06_zoo_flip", ERROR, rates=FLIP_RATES, minutes=1.3, **RACED)
def flip(seeds: Sequence[int], activation: str, init: str, depth: int) -> Sweep:
    """Return networks after training on the diagonal flip."""
    build = partial(mlp, [4, *[FLIP_WIDTH] * depth, 4], activation, init=init)
    options = {"epochs": FLIP_STEPS, "schedule": "one-cycle", "progress": False}
    return sweep(build, flip_parts, seeds=seeds, lrs=FLIP_RATES, **options)


def train_on_digits(
    build: Callable[..., nn.Module],
    seeds: Sequence[int],
    epochs: int = DIGITS_EPOCHS,
    rates: Sequence[float] = RATES,
) -> Sweep:
    """Return networks after training on scikit-learn's digits, with every rate."""
    options = {"epochs": epochs, "batch_size": BATCH, "schedule": "one-cycle", "progress": False}
    return sweep(build, digit_parts, seeds=seeds, lrs=rates, **options)


@experiment("06_zoo_longer", ACCURACY, rates=RATES[:5], seeds=11, minutes=1, chunk=6, init=("default", "he"))
def longer(seeds: Sequence[int], init: str) -> Sweep:
    """Return the deep ReLU networks of `digits` after five times as many epochs."""
    build = partial(mlp, [64, *[DIGITS_WIDTH] * DEPTHS[-1], 10], "relu", init=init)
    return train_on_digits(build, seeds, DIGITS_LONGER, RATES[:5])


@experiment("06_zoo_centred", ACCURACY, rates=RATES, minutes=0.4, start=CENTRED)
def centred(seeds: Sequence[int], start: str) -> Sweep:
    """Return deep networks of tanh or sigmoid after training on digits."""
    return train_on_digits(partial(centred_network, start), seeds)


def centred_network(start: str, *, generator: torch.Generator) -> nn.Sequential:
    """Return a deep network for digits from orthogonal weights V, as one of CENTRED says.

    With weights 4V and biases −2V·1 sigmoid's computes the same as tanh's with V, since σ(u) = (1 + tanh(u/2))/2. The
    first layer's inputs are no sigmoids, nor is its last one followed by any: there half of the gain is in place.
    """
    activation, gain, is_centred = CENTRED[start]
    model = mlp([64, *[DIGITS_WIDTH] * DEPTHS[-1], 10], activation, init="orthogonal", generator=generator)
    with torch.no_grad():
        for place, linear in enumerate(model[::2]):
            linear.weight *= gain if 0 < place < DEPTHS[-1] else gain**0.5
            if is_centred and place > 0:
                linear.bias -= linear.weight.sum(dim=1) / 2
    return model


def learn_flip(seeds: Sequence[int], start: str, depth: int = 1, epochs: int = TEXT_EPOCHS) -> Sweep:
    """Return networks that learned the flip image by image, by plain gradient descent."""
    options = {"epochs": epochs, "batch_size": 1, "optimizer": "sgd", "progress": False}
    return sweep(partial(text_network, start, depth), flip_parts, seeds=seeds, lrs=TEXT_RATES, **options)


text_starts = experiment(
    "06_zoo_text",
    ERROR,
    minutes=0.1,
    rates=TEXT_RATES,
    parts=PARTS,
    start=TEXT_STARTS,
)(learn_flip)
deeper_text = experiment(
    "06_zoo_text_deep",
    ERROR,
    minutes=1,
    rates=TEXT_RATES,
    start=("σ = 0.01", "He"),
    depth=(2,),
    epochs=(TEXT_EPOCHS, TEXT_LONGER),
)(learn_flip)


def share_bent(model: nn.Module, X: Tensor, y: Tensor) -> float:
    """Return the share of the outputs' variance on X that no linear map with a constant explains; y is not needed."""
    with torch.no_grad():
        y_hat = model(X).double()
    inputs = torch.cat([X.double(), torch.ones(len(X), 1, dtype=torch.float64)], dim=1)
    left = y_hat - inputs @ torch.linalg.lstsq(inputs, y_hat).solution
    return (left.square().mean() / y_hat.var(dim=0, correction=0).mean()).item()


BENT = Score("bent", of=share_bent)


def bent_parts(task: str, *, generator: torch.Generator) -> list[Part]:
    """Return the images of `flip_parts` with their transposes, or with what a random network of 8 ReLU units says."""
    if task == LINEAR:
        return flip_parts(generator=generator)
    teacher = mlp([4, TEXT_UNITS, 4], init="he", bias_std=0.5, generator=generator)
    with torch.no_grad():
        grey = teacher(torch.rand(20_000, 4, generator=generator))
        return [(X, (teacher(X) - grey.mean(dim=0)) / grey.std()) for X, _ in flip_parts(generator=generator)]


@experiment("06_zoo_bent", MISSED, BENT, rates=TEXT_RATES, minutes=0.3, task=TASKS, start=("σ = 0.01", "He"))
def bent(seeds: Sequence[int], task: str, start: str) -> Sweep:
    """Return networks with one hidden layer that learned the flip, or a task that is not linear, as `learn_flip`."""
    options = {"epochs": TEXT_EPOCHS, "batch_size": 1, "optimizer": "sgd", "progress": False}
    parts = partial(bent_parts, task)
    return sweep(partial(text_network, start), parts, seeds=seeds, lrs=TEXT_RATES, **options)


@experiment("06_zoo_linear", ACCURACY, rates=RATES, minutes=0.1)
def linear(seeds: Sequence[int]) -> Sweep:
    """Return linear models of the digits after training, as the networks of `digits`."""
    return train_on_digits(partial(mlp, [64, 10]), seeds)


def text_network(start: str, depth: int = 1, *, generator: torch.Generator) -> nn.Sequential:
    """Return layers of 8 ReLU units for the flip, from one of TEXT_STARTS: a name, or a weight's deviation."""
    init = TEXT_STARTS[start]
    model = mlp([4, *[TEXT_UNITS] * depth, 4], init=init if isinstance(init, str) else "lecun", generator=generator)
    if not isinstance(init, str):
        for linear in model[::2]:
            nn.init.normal_(linear.weight, std=init, generator=generator)
    return model


@experiment(
    "06_zoo_gated",
    ACCURACY,
    minutes=0.3,
    rates=RATES,
    parts=PARTS,
    block=BLOCKS,
    unstable={"accuracy": 0.25},  # without AVX-512, 7 or 8 of 42: SwiGLU at the three largest rates
)
def blocks(seeds: Sequence[int], block: str) -> Sweep:
    """Return networks after training on digits, one for each block, of as many parameters."""
    return train_on_digits(partial(block_network, block), seeds)


def block_network(block: str, *, generator: torch.Generator) -> nn.Sequential:
    """Return a transformer's feed-forward block for the 64 pixels of a digit, and a linear map to ten scores."""
    hidden, gated = BLOCKS[block]
    body = feed_forward(64, hidden, gated=gated, bias=False, generator=generator)
    return nn.Sequential(*body, *mlp([64, 10], generator=generator))


# --- reading what was measured ----------------------------------------------------------------------------


def best_scores(data: Data, activation: str, depth: int, init: str | None = None, part: str = HELD_OUT) -> xr.DataArray:
    """Return a race's scores by seed at the rate, and without `init` the initialisation, best on validation data."""
    race = digits if "accuracy" in data else flip
    choose = max if race is digits else min
    at = {"activation": activation, "depth": depth}
    init = init or choose(INITS, key=lambda one: race.best(data, part=VALIDATION, init=one, **at).median())
    return race.best(data, part=part, init=init, **at)


def gap(data: Data, depth: int, activations: Sequence[str]) -> xr.DataArray:
    """Return by seed the held-out accuracy of the activation that is best on validation data less the worst's there."""
    ranked = sorted(activations, key=lambda one: float(best_scores(data, one, depth, part=VALIDATION).median()))
    return best_scores(data, ranked[-1], depth) - best_scores(data, ranked[0], depth)


def deeper(data: Data, start: str, epochs: int) -> xr.DataArray:
    """Return the held-out error by seed of two hidden layers from a start, at the best rate, after so many epochs."""
    return deeper_text.best(data, start=start, depth=2, epochs=epochs)


def small_lead(data: Data, task: str) -> xr.DataArray:
    """Return by seed the decades by which He's held-out error exceeds that of σ = 0.01 on a task, both tuned."""
    return np.log10(bent.best(data, task=task, start="He") / bent.best(data, task=task, start="σ = 0.01"))


def bent_by(data: Data, start: str) -> xr.DataArray:
    """Return by seed how far a network that learned the flip from a start is no linear map, at its best rate."""
    of = data.sel(task=LINEAR, start=start, drop=True)
    rates = best_rates(of["missed"].sel(part=VALIDATION), larger_is_better=False)
    return of["bent"].sel(part=HELD_OUT, rate=rates).reset_coords(drop=True)


def bent_answer(data: Data) -> dict[str, float]:
    """Return the medians of `bent_by`, as the answer says them."""
    return {name: float(bent_by(data, start).median()) for name, start in (("line", "σ = 0.01"), ("bends", "He"))}


def text_listed(data: Data, start: str) -> xr.DataArray:
    """Return the error by seed of one of TEXT_STARTS at the text's own rate, on the images that it is trained on."""
    return data["error"].sel(start=start, rate=TEXT_RATE, part=TRAINING)


def share_off(data: Data, when: str, rate: float) -> xr.DataArray:
    """Return by seed the share of all hidden units that are off, "early" or "after"."""
    return data[when].sel(rate=rate, drop=True).sum("layer") / (DEAD_SIZES[1] * len(HIDDEN))


def signal_answer(data: Data) -> dict[str, float]:
    """Return for each activation the share of networks whose mean square ends within a factor of 100 of 1."""
    kept = (np.abs(data["moment"].sel(layer=LAYERS)) <= 2).mean("seed")
    return {activation: float(kept.sel(activation=activation)) for activation in (*ZOO, SWIGLU)}


def spread(activation: str) -> float:
    """Return the standard deviation over recorded networks of the mean square's natural logarithm after all layers."""
    decades = recorded("06_zoo_signal")["moment"].sel(layer=LAYERS, activation=activation)
    return float(decades.std("seed", ddof=1)) * np.log(10)


def back_answer(data: Data) -> dict[str, int]:
    """Return at the largest rate, over all seeds, how many units were off after an epoch, and back at the end."""
    totals = data.sel(rate=DEAD_RATES[-1]).sum("seed")
    first, later = totals.sel(layer=1), totals.sel(layer=[*HIDDEN[1:]]).sum("layer")
    return {
        "first": int(first["early"]),
        "first_back": int(first["back"]),
        "later": int(later["early"]),
        "later_back": int(later["back"]),
    }


def text_answer(data: Data) -> dict[str, float]:
    """Return the median held-out errors of the text's four starts, each at the rate that is best for it."""
    errors = [float(text_starts.best(data, start=start).median()) for start in TEXT_STARTS]
    return dict(zip(("small", "large", "glorot", "he"), errors, strict=True))


def digits_answer(data: Data) -> dict[str, int]:
    """Return how many activations get four in five digits right at 20 layers, at the best start and at the default."""
    reached = {
        init: [float(best_scores(data, activation, DEPTHS[-1], init).median()) >= 0.8 for activation in ZOO]
        for init in (None, "default")
    }
    return {"best": sum(reached[None]), "default": sum(reached["default"])}


def print_deep(data: Data) -> None:
    """Print each activation's median held-out error on the flip with the most layers, everything tuned."""
    errors = [f"{activation} {float(best_scores(data, activation, DEPTHS[-1]).median()):.2g}" for activation in ZOO]
    print(f"{DEPTHS[-1]} hidden layers, median errors: {', '.join(errors)}")
