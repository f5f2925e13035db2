"""Where does the theory of infinitely wide random networks hold? Networks that are drawn, measured against it.

Weights N(0, σ_w²/width), biases N(0, σ_b²), tanh; a signal is what goes into the tanh of a hidden layer. Lengths,
correlations, χ_1 and depth scales in theory are those of `utils.meanfield`. Sources:

- Poole, Lahiri, Raghu, Sohl-Dickstein & Ganguli 2016, "Exponential expressivity in deep neural networks through
  transient chaos";
- Schoenholz, Gilmer, Ganguli & Sohl-Dickstein 2017, "Deep information propagation".
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import log

import numpy as np
import torch
import xarray as xr
from scipy.special import digamma

from utils import meanfield
from utils.claims import experiment
from utils.types import Array, Data

ACTIVATION = "tanh"
SIGMA_B = 0.3  # as Poole et al. 2016
CRITICAL = round(meanfield.critical_sigma_w(SIGMA_B, ACTIVATION), 3)
ORDERED, EDGE, CHAOTIC, FADING = "ordered", "edge", "chaotic", "fading"
# (σ_w, σ_b); fading: an edge, too, but with q* = 0
SETTINGS = {ORDERED: (0.8, SIGMA_B), EDGE: (CRITICAL, SIGMA_B), CHAOTIC: (2.5, SIGMA_B), FADING: (1.0, 0.0)}
WIDTHS = (5, 10, 20, 50, 100, 200, 500, 1000)
LAYERS = (1, 2, 5, 10, 20)
COSINE = 0.5  # of the two inputs that are followed
NETWORKS = 20  # of each width, for each seed

STRETCHED = (0.8, 1.5, 2.5, 4.0)  # σ_w
NARROW, WIDE = 5, 500
STRETCHED_WIDTHS = (NARROW, 20, 100, WIDE)
STRETCHED_NETWORKS = 4
BETWEEN = (6, 12)  # widths on both sides of the narrowest that has a chaotic phase
BETWEEN_SIGMAS = (1.5, 2.5, 4.0)
BETWEEN_LAST = 100  # the last layer, for them
TURNED_WIDTHS, TURNED_NETWORKS = (20, 200), 50
FIRST, LAST = 10, 40  # layers between which stretches are averaged: lengths have settled before
CURVE = (4, 12)  # layers between which a curve's growth is measured

BESIDE = 1.5  # σ_w, a little above the edge
REACHED = (0.5, 0.8, 1.1, 1.25, CRITICAL, BESIDE, 1.7, 2.0, 2.5, 3.0, 4.0)  # σ_w
REACH_WIDTH, REACH_DEPTH, REACH_NETWORKS = 300, 30, 100
LONGER = 1.2  # times q*, a length that goes back to it
ANGLES, LENGTHS = FORGOTTEN = ("angles", "lengths")
FITTED_FROM = {ANGLES: 4, LENGTHS: 0}  # layers before: angles are still too far from c* to shrink by its rate


def signals(
    inputs: Array, sigma_w: Array, sigma_b: Array, networks: int, *, rng: np.random.Generator
) -> Iterator[Array]:
    """Yield [networks, width, n], what goes into the tanh of one hidden layer after the other, without an end.

    inputs [width, n]: each column goes through the same random networks, with a σ_w and a σ_b of its own, arrays [n].
    """
    width = len(inputs)
    x = np.broadcast_to(inputs, (networks, *inputs.shape))
    while True:
        weight = rng.standard_normal((networks, width, width)) / np.sqrt(width)
        bias = rng.standard_normal((networks, width, 1))
        z = sigma_w * (weight @ x) + sigma_b * bias
        yield z
        x = np.tanh(z)


def pair(width: int, cosine: float) -> Array:
    """Return two inputs, columns [width, 2], whose entries have mean square 1, at an angle with this cosine.

    Gaussian weights look the same from all sides, so two axes stand for any other pair. The width is at least 2.
    """
    inputs = np.zeros((width, 2))
    inputs[0] = 1, cosine
    inputs[1, 1] = np.sqrt(1 - cosine**2)
    return inputs * np.sqrt(width)


def cosines(a: Array, b: Array) -> Array:
    """Return the cosine between vectors along the second axis: [networks or layers, width] to one each."""
    return (a * b).sum(1) / np.sqrt((a * a).sum(1) * (b * b).sum(1))


@experiment("05_widths", minutes=1.3, chunk=5, within={"setting": SETTINGS, "layer": LAYERS}, width=WIDTHS)
def widths(seed: int, width: int) -> Data:
    """Return how far one network is from theory, root mean squares over networks.

    "length": of the relative error of the length. "cosine": of the error of the cosine between two inputs.
    """
    rng = np.random.default_rng([seed, width])
    inputs = np.tile(pair(width, COSINE), len(SETTINGS))
    sigma_w, sigma_b = (np.repeat(sigmas, 2) for sigmas in zip(*SETTINGS.values(), strict=True))
    theory = [
        (
            meanfield.lengths(LAYERS[-1], *network, ACTIVATION),
            meanfield.correlations(LAYERS[-1], *network, ACTIVATION, c_0=COSINE),
        )
        for network in SETTINGS.values()
    ]
    errors = np.empty((len(SETTINGS), len(LAYERS), 2))
    for layer, z in zip(range(1, LAYERS[-1] + 1), signals(inputs, sigma_w, sigma_b, NETWORKS, rng=rng), strict=False):
        if layer in LAYERS:
            for i, (q, c) in enumerate(theory):
                one, other = z[:, :, 2 * i], z[:, :, 2 * i + 1]
                missed = (one**2).mean(1) / q[layer - 1] - 1, cosines(one, other) - c[layer - 1]
                errors[i, LAYERS.index(layer)] = np.sqrt(np.mean(np.square(missed), axis=1))
    axes = {"setting": list(SETTINGS), "layer": list(LAYERS)}
    return xr.Dataset({name: (list(axes), errors[..., i]) for i, name in enumerate(("length", "cosine"))}, axes)


@experiment("05_stretch", minutes=0.5, chunk=5, sigma=STRETCHED, width=STRETCHED_WIDTHS)
def stretches(seed: int, sigma: float, width: int) -> Data:
    """Return the logarithms by which one layer stretches, means over a few networks.

    "gap": of the gap between two nearby inputs, the Lyapunov exponent. "curve": of a circle's length.
    """
    generator = torch.Generator().manual_seed(seed)
    network = {
        "sigma_w": sigma,
        "sigma_b": SIGMA_B,
        "activation": ACTIVATION,
        "generator": generator,
        "n_networks": STRETCHED_NETWORKS,
    }
    gap = meanfield.measured_lyapunov(width, LAST, skip=FIRST, **network).value
    early, late = CURVE
    curve = [estimate.value for estimate in meanfield.measured_curve_lengths(width, late, n_points=64, **network)]
    return xr.Dataset({"gap": gap, "curve": log(curve[late - 1] / curve[early - 1]) / (late - early)})


@experiment("05_between", minutes=0.5, chunk=5, sigma=BETWEEN_SIGMAS, width=BETWEEN)
def between(seed: int, sigma: float, width: int) -> Data:
    """Return "gap", as `stretches` do, over more layers and between two widths."""
    generator = torch.Generator().manual_seed(seed)
    network = {"sigma_w": sigma, "sigma_b": SIGMA_B, "activation": ACTIVATION, "generator": generator}
    gap = meanfield.measured_lyapunov(width, BETWEEN_LAST, skip=FIRST, n_networks=2 * STRETCHED_NETWORKS, **network)
    return xr.Dataset({"gap": gap.value})


@experiment("05_turned", minutes=0.3, chunk=5, width=TURNED_WIDTHS)
def turned(seed: int, width: int) -> Data:
    """Return "cosine": without its sign, of two inputs at 60° in layer 20, the median over networks, FADING."""
    rng, (sigma_w, sigma_b) = np.random.default_rng([seed, width]), SETTINGS[FADING]
    layers = signals(pair(width, COSINE), sigma_w, sigma_b, TURNED_NETWORKS, rng=rng)
    *_, z = (layer for layer, _ in zip(layers, range(LAYERS[-1]), strict=False))
    return xr.Dataset({"cosine": float(np.median(np.abs(cosines(z[:, :, 0], z[:, :, 1]))))})


@experiment("05_reach", minutes=0.7, chunk=5, within={"sigma": REACHED, "of": FORGOTTEN})
def depth_scales(seed: int) -> Data:
    """Return "scale": after how many layers 1/e is left of a difference.

    Of the difference between the cosines of two pairs of inputs, and of that between two lengths; all inputs but the
    longer one begin about at q*. It is fitted to the mean over networks by `decay`.
    """
    near, far = pair(REACH_WIDTH, COSINE), pair(REACH_WIDTH, 0.0)
    four = np.column_stack([near, far[:, 1], np.sqrt(LONGER) * near[:, 0]])
    sigmas = np.array(REACHED)
    start = np.sqrt([meanfield.q_star(sigma, SIGMA_B, ACTIVATION) - SIGMA_B**2 for sigma in REACHED]) / sigmas
    inputs = np.concatenate([scale * four for scale in start], axis=1)
    biases, rng = np.full(4 * len(sigmas), SIGMA_B), np.random.default_rng([seed, REACH_WIDTH])
    layers = signals(inputs, np.repeat(sigmas, 4), biases, REACH_NETWORKS, rng=rng)
    left = np.array([differences_left(z) for _, z in zip(range(REACH_DEPTH), layers, strict=False)])
    scales = [[decay(left[FITTED_FROM[of] :, i, k]) for k, of in enumerate(FORGOTTEN)] for i in range(len(REACHED))]
    return xr.Dataset({"scale": (["sigma", "of"], scales)}, {"sigma": list(REACHED), "of": list(FORGOTTEN)})


def differences_left(z: Array) -> Array:
    """Return [σ_w, 2], what is left in one layer of the differences of angles and of lengths, means over networks."""
    rows = []
    for i in range(0, z.shape[2], 4):
        one, near, far, longer = np.moveaxis(z[:, :, i : i + 4], 2, 0)
        rows.append(((cosines(one, near) - cosines(one, far)).mean(), ((longer**2).mean(1) - (one**2).mean(1)).mean()))
    return np.array(rows)


def decay(left: Array) -> float:
    """Return the depth scale −1/log r of differences left [layers] that shrink by r in each layer, by least squares.

    Large differences count most, so the noise that remains in the end does not. nan where nothing shrinks.
    """
    ratio = left[1:] @ left[:-1] / (left[:-1] @ left[:-1])
    return float(-1 / np.log(ratio)) if 0 < ratio < 1 else float("nan")


# --- reading what was measured ----------------------------------------------------------------------------


def error(data: Data, of: str, setting: str, width: int, layer: int = LAYERS[-1]) -> xr.DataArray:
    """Return by seed the error that theory makes in one network: of the "length", relative, or of the "cosine"."""
    return data[of].sel(setting=setting, width=width, layer=layer).reset_coords(drop=True)


def falling(data: Data, setting: str, narrow: int, wide: int) -> xr.DataArray:
    """Return by seed the power of the width with which the error of the length falls from one width to another."""
    return np.log(error(data, "length", setting, wide) / error(data, "length", setting, narrow)) / log(wide / narrow)


def settling(data: Data, setting: str, width: int, layers: tuple[int, int] = (5, LAYERS[-1])) -> xr.DataArray:
    """Return by seed the error of the length in a later layer over that in an earlier one."""
    early, late = (error(data, "length", setting, width, layer) for layer in layers)
    return late / early


def exponent(sigma: float) -> float:
    """Return log(χ_1)/2, the logarithm by which a layer of an infinitely wide network stretches."""
    return log(meanfield.chi_1(sigma, SIGMA_B, ACTIVATION)) / 2


def stretch_error(data: Data, of: str, width: int) -> xr.DataArray:
    """Return by seed and σ_w the measured stretch, of a "gap" or a "curve", minus theory's."""
    theory = xr.DataArray([exponent(sigma) for sigma in STRETCHED], [("sigma", list(STRETCHED))])
    return (data[of].sel(width=width) - theory).reset_coords(drop=True)


def reach(data: Data, sigma: float, of: str = ANGLES) -> xr.DataArray:
    """Return by seed the measured depth scale."""
    return data["scale"].sel(sigma=sigma, of=of).reset_coords(drop=True)


@cache
def reach_by_map(sigma: float) -> float:
    """Return the depth scale of angles that `depth_scales` would fit to the map of infinite width, from the same pairs.

    Where ξ_c is long, differences do not shrink by its rate yet in the layers of the fit.
    """
    q = meanfield.q_star(sigma, SIGMA_B, ACTIVATION)
    weights = 1 - SIGMA_B**2 / q  # the share of the first layer's length that is not the biases'
    cosines = np.array([weights * COSINE + 1 - weights, 1 - weights])
    left = []
    for _ in range(REACH_DEPTH):
        left.append(cosines[0] - cosines[1])
        cosines = meanfield.correlation_map(cosines, sigma, SIGMA_B, ACTIVATION, q=q)
    return decay(np.array(left[FITTED_FROM[ANGLES] :]))


def linear_exponent(width: int) -> float:
    """Return the Lyapunov exponent of linear layers with weights N(0, 1/width): E log χ²/2 − log(width)/2.

    What a layer makes of a direction has the squared length χ²/width, with so many degrees of freedom.
    """
    return (digamma(width / 2) - log(width / 2)) / 2


def reach_in_theory(sigma: float, of: str = ANGLES) -> float:
    """Return ξ_c for angles, ξ_q for lengths (Schoenholz et al. 2017)."""
    return meanfield.depth_scale(sigma, SIGMA_B, ACTIVATION)[0 if of == LENGTHS else 1]
