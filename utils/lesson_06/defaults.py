"""What PyTorch's default initialisation does to a network that others call exploding.

The network has layers of ten units, x → factor · tanh(Wx + b), with nn.Linear's own weights and biases. Both are
uniform in ±1/√n_in, so that they have the variance 1/(3 n_in): a gain of √(1/3).
"""

from __future__ import annotations

import math

import torch
import xarray as xr

from utils.claims import experiment
from utils.meanfield import chi_1, critical_sigma_w
from utils.models import mlp
from utils.types import Data

GAIN = math.sqrt(1 / 3)
WIDTH, POINTS = 10, 100
BIAS_STD = GAIN / math.sqrt(WIDTH)
FACTOR, FACTORS = 1.5, (1.5, 2.5, 4.0)
DEPTHS = (2, 5, 10, 20, 50)


@experiment("06_slide", minutes=0.1, factor=FACTORS, depth=DEPTHS)
def slide(seed: int, factor: float, depth: int) -> Data:
    """Return the norm of the gradient at the first layer's weights, of a "loss" and of the "sum" of the outputs.

    The loss is the mean squared error between the outputs for a hundred standard normal inputs, and standard normal
    targets. The sum is over the outputs for one of the inputs. All is computed with float64: fifty chaotic layers make
    of float32's last bits, which are the processor's, up to 30 %.
    """
    generator = torch.Generator().manual_seed(seed)
    layers = mlp([WIDTH] * (depth + 1), "tanh", generator=generator)[::2].double()
    x, y = torch.randn(2, POINTS, WIDTH, generator=generator).double()
    for layer in layers:
        x = factor * torch.tanh(layer(x))
    outcomes = {"loss": (x - y).square().mean(), "sum": x[0].sum()}
    return xr.Dataset(
        {
            name: torch.autograd.grad(value, layers[0].weight, retain_graph=True)[0].norm().item()
            for name, value in outcomes.items()
        }
    )


def slide_chi(factor: float) -> float:
    """Return χ₁ of such layers, as if infinitely wide, with the biases' variance that they have at width ten."""
    return chi_1(factor * GAIN, BIAS_STD, "tanh")


def slide_edge() -> float:
    """Return the factor at which χ₁ is 1."""
    return critical_sigma_w(BIAS_STD, "tanh") / GAIN


def growth(data: Data, factor: float) -> xr.DataArray:
    """Return by seed the gradient of the loss with the most layers, as a multiple of that with the fewest."""
    norms = data["loss"].sel(factor=factor, drop=True)
    return norms.sel(depth=DEPTHS[-1], drop=True) / norms.sel(depth=DEPTHS[0], drop=True)


def slide_answer(data: Data) -> dict[str, float]:
    """Return what the prediction's answer says: medians with the fewest and most layers, χ₁, its edge, the seeds.

    "gain_alone": how many times smaller the gradient becomes in theory between the two depths without biases, where
    signals fade to nothing, so that all slopes are 1.
    """
    medians = data.sel(factor=FACTOR, depth=[DEPTHS[0], DEPTHS[-1]]).median("seed")
    (shallow, deep), (shallow_sum, deep_sum) = medians["loss"].values, medians["sum"].values
    sums = {"shallow_sum": shallow_sum, "deep_sum": deep_sum}
    return {
        "shallow": shallow,
        "deep": deep,
        **sums,
        "gain_alone": (FACTOR * GAIN) ** (DEPTHS[0] - DEPTHS[-1]),
        "chi": slide_chi(FACTOR),
        "edge": slide_edge(),
        "seeds": data.sizes["seed"],
    }
