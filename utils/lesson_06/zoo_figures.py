"""The figures of excursion 06a: what activations look like, what a signal does, and what the races gave."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

from utils.comparison import HELD_OUT
from utils.figures import COLOURS
from utils.lesson_06.zoo import DEAD_RATES, DEPTHS, INITS, SWIGLU, TEXT_RATE, TEXT_STARTS, ZOO, best_scores, share_off
from utils.pages import described
from utils.plots import plot_medians
from utils.types import Data

NAMES = {"sigmoid": "sigmoid", "tanh": "tanh", "relu": "ReLU", "leaky_relu": "leaky ReLU", "gelu": "GELU"}
STARTS = {"default": "PyTorch's default", "lecun": "LeCun", "xavier": "Glorot", "he": "He"}
LOOKS = (("o", "blue"), ("s", "orange"), ("^", "green"), ("D", "black"))
LINES = ("-", "--", "-.", ":")
HEIGHT = 12  # decades of a signal that are drawn, up and down


@described("06a.shapes", "Two go flat on both sides, two only on the left")
def shapes(functions: Mapping[str, Callable[[Tensor], Tensor]]) -> Figure:
    """Two panels run over z from −4 to 4. The left one shows values: sigmoid rises from 0 to 1, and tanh from −1 to 1;
    both are flat at the ends. ReLU is 0 on the left and z on the right; GELU follows it, but is smooth and dips a
    little below 0 on the left. The right one shows slopes: sigmoid's is a low bump of height a quarter, tanh's a bump
    of height 1. ReLU's slope steps from 0 to 1; GELU's goes from 0 to 1, too, but swings a little beyond both.
    """
    z = torch.linspace(-4, 4, 401, requires_grad=True)
    figure, axes = plt.subplots(1, 2, figsize=(6.4, 3.2))
    for (name, function), style, (_, colour) in zip(functions.items(), LINES, LOOKS, strict=False):
        value = function(z)
        (slope,) = torch.autograd.grad(value.sum(), z)
        for ax, heights in zip(axes, (value.detach(), slope), strict=True):
            ax.plot(z.detach(), heights, style, color=COLOURS[colour], label=name)
    for ax, name in zip(axes, ("value φ(z)", "slope φ′(z)"), strict=True):
        ax.set(xlabel="z", ylabel=name)
    axes[0].set_ylim(-1.2, 2.5)
    axes[0].legend(loc="upper left")
    return figure


@described("06a.hundred", "The same recipe keeps tanh and ReLU but loses GELU and SwiGLU")
def signals(data: Data) -> Figure:
    """Four panels show the mean square on a logarithmic axis over a hundred layers, with a line for each network. For
    tanh all lines run along 1. For ReLU they wander a little above and below. For GELU they bend away from 1, most up
    and some down, and move further and further away. For SwiGLU they leave the picture within some ten layers.
    """
    figure, axes = plt.subplots(2, 2, figsize=(6.4, 4.8), sharex=True, sharey=True)
    for ax, activation in zip(axes.flat, ("tanh", "relu", "gelu", SWIGLU), strict=True):
        moments = data["moment"].sel(activation=activation).transpose("layer", "seed")
        ax.plot(moments["layer"], moments, "-", color=COLOURS["blue"], linewidth=0.8, alpha=0.6)
        ax.set(title=NAMES.get(activation, "SwiGLU"), ylim=(-HEIGHT, HEIGHT))
    for left, below in zip(axes[:, 0], axes[-1], strict=True):
        left.set_ylabel("mean square")
        left.set_yticks([-10, -5, 0, 5, 10], ["1e-10", "1e-5", "1", "1e5", "1e10"])
        below.set_xlabel("layer")
    return figure


@described("06a.back", "Hardly a unit is off, except at the largest rate")
def dead_units(data: Data) -> Figure:
    """The figure shows the share of hidden units that are off on all training images, against six learning rates. Two
    lines, after one epoch and after twenty, lie near zero up to the last rate but one. At the largest rate both rise
    steeply, and the one after twenty epochs ends higher.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.2))
    looks = (("early", "after 1 epoch", "o--", "blue", -0.06), ("after", "after 20 epochs", "s-", "red", 0.06))
    for when, label, style, colour, shift in looks:
        shares = np.stack([share_off(data, when, rate) for rate in DEAD_RATES], axis=1)
        plot_medians(DEAD_RATES, 100 * shares, label=label, style=style, colour=colour, shift=shift, ax=ax)
    ax.set(xlabel="learning rate", ylabel="units that are off, in %", ylim=(-3, 103))
    ax.legend(loc="upper left")
    return figure


@described("06a.text", "Small weights: slow at the chapter's rate, best by far when tuned")
def starts_by_rate(data: Data) -> Figure:
    """The figure shows held-out error on a logarithmic axis against the learning rate, with one line for each
    initialisation. At the chapter's rate, a dotted line, σ = 0.01 lies far above Glorot and He, and only below σ = 1.
    From twice that rate on it lies below all others, and it falls by many powers of ten up to the last rate but one.
    Glorot and He fall far less; σ = 1 stays high everywhere. At the largest rate all four are worse than a constant.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.8))
    rates = [float(rate) for rate in data["rate"]]
    for start, (marker, colour), style in zip(TEXT_STARTS, LOOKS, LINES, strict=True):
        errors = data["error"].sel(start=start, part=HELD_OUT).transpose("seed", "rate").values
        kept = int(np.isfinite(errors).all(axis=0).cumprod().sum())
        plot_medians(rates[:kept], errors[:, :kept], label=start, style=marker + style, colour=colour, ax=ax)
    ax.axvline(rates.index(TEXT_RATE), color=COLOURS["grey"], linestyle=":")
    ax.set_xticks(range(len(rates)), [f"{rate:g}" for rate in rates])
    ax.set(yscale="log", xlabel="learning rate (dotted: the chapter's)", ylabel="error, share of the variance")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=len(TEXT_STARTS))
    return figure


@described("06a.flip", "On the flip, ReLU with small weights leads, with a wide interval")
def flip_race(data: Data) -> Figure:
    """The figure shows held-out error on the flip, on a logarithmic axis, for five activations, with a marker for each
    of four initialisations. For ReLU and leaky ReLU, PyTorch's default lies lowest, with wide intervals. All other
    markers lie between one and a few tens of per cent.
    """
    figure, ax = plt.subplots(figsize=(6.4, 3.8))
    _dots(data, DEPTHS[0], ax)
    ax.set(yscale="log", ylabel="error, share of the variance")
    figure.legend(*ax.get_legend_handles_labels(), loc="outside lower center", ncols=len(INITS))
    return figure


@described("06a.digits", "In twenty epochs, two layers forgive any choice, twenty do not")
def digits_race(data: Data) -> Figure:
    """Two panels show held-out accuracy on digits for five activations, with a marker for each of four
    initialisations. In the upper panel, two hidden layers, all markers are close to the top, on one level. In the
    lower one, twenty layers, sigmoid lies at a tenth with all four. The other activations are near the top with
    LeCun's, Glorot's and He's weights; with PyTorch's default they lie far below.
    """
    figure, axes = plt.subplots(2, 1, figsize=(6.4, 5.4), sharex=True)
    for depth, ax in zip(DEPTHS, axes, strict=True):
        _dots(data, depth, ax)
        ax.set(title=f"{depth} hidden layers", ylim=(0, 1.03))
        ax.set(ylabel="held-out accuracy")
    axes[0].legend(loc="lower left", ncols=2)
    return figure


def _dots(data: Data, depth: int, ax: Axes) -> None:
    for place, (init, (marker, colour)) in enumerate(zip(INITS, LOOKS, strict=True)):
        scores = np.stack([best_scores(data, activation, depth, init) for activation in ZOO], axis=1)
        names = [NAMES[activation] for activation in ZOO]
        plot_medians(names, scores, label=STARTS[init], style=marker, colour=colour, shift=0.16 * (place - 1.5), ax=ax)
