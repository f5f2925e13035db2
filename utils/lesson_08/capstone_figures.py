"""The figures of excursion 08b: what the three targets are, and how small networks divide the plane."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor
from torch.nn import functional

from utils.lesson_08 import capstone, small_networks
from utils.pages import described
from utils.plots import plot_decision, plot_points

SHOWN = 400  # points of a picture
IMAGES = 10
HALF_WIDTH = 2.6  # of the square of the plane that is drawn


def draw_classes(ax: Axes, network: Any, X: Any, y: Any) -> Axes:
    """Return axes with the two parts of the plane that a network of two inputs sees, and points X [n, 2] on top."""
    plot_decision(in_the_plane(network), ax=ax)
    return plot_points(torch.as_tensor(X), torch.as_tensor(y), ax=ax)


def in_the_plane(network: Any) -> Callable[[Tensor], Tensor]:
    """Return the network as `plot_decision` wants it: from points [n, 2] to the outputs of two classes."""
    activation, layers = capstone.read(network, 2, 1)
    return lambda X: torch.as_tensor(capstone.outputs(activation, layers, X.numpy())) * torch.tensor([0.0, 1.0])


@described("08b.spirals", "Two spirals, with some noise")
def draw_spirals() -> Figure:
    """Blue circles and orange squares lie in the plane, each kind along a spiral that begins in the middle and winds
    outwards one and a half times. Between two arms of one kind there is always one of the other.
    """
    figure, ax = plt.subplots(figsize=(3.6, 3.6))
    X, y = capstone.drawn("spirals", 0)
    plot_points(X[:SHOWN], y[:SHOWN], ax=ax)
    return figure


@described("08b.digits", "The same ten digits, as they ship and as the judge draws them")
def draw_digits() -> Figure:
    """Two rows of ten small grey images show the digits 0 to 9. In the second row each digit is moved by a part of a
    pixel, and some have thicker strokes.
    """
    figure, axes = plt.subplots(2, IMAGES, figsize=(7, 1.9))
    rows = (capstone.plain_digits(), capstone.digit_images(1, generator=capstone.generator_of(0))[0])
    for row, images in zip(axes, rows, strict=True):
        for ax, image in zip(row, images, strict=False):
            ax.imshow(image.reshape(8, 8), cmap="gray_r", vmin=-1, vmax=1)
            ax.set(xticks=[], yticks=[])
    return figure


@described("08b.teachers", "Three teachers: each seed makes another task")
def draw_teachers() -> Figure:
    """Three square maps, in shades from blue to orange, show a teacher's answer over two of its inputs while the third
    is 0. Each varies smoothly between high and low, and the three have nothing in common.
    """
    figure, axes = plt.subplots(1, 3, figsize=(7.5, 2.7), sharey=True)
    line = torch.linspace(-capstone.SPAN, capstone.SPAN, 81)
    X = torch.cat([torch.cartesian_prod(line, line), torch.zeros(81**2, 1)], dim=1)
    for seed, ax in enumerate(axes):
        answers = capstone.teacher_of(seed)(X).reshape(81, 81).T
        ax.contourf(line, line, answers, levels=12, cmap="RdYlBu_r", vmin=-2.5, vmax=2.5)
        ax.set(title=f"seed {seed}", xlabel="x₁", aspect="equal")
    axes[0].set_ylabel("x₂")
    return figure


@described("08b.depth", "How few parameters can follow the spirals: the records")
def best_planes() -> Figure:
    """Panels of the plane, each divided by one of the recorded networks into a blue and an orange part, have points of
    the spirals on top. In all of them the border winds between the arms. With fewer parameters it cuts corners in the
    middle and runs off straight outside the points.
    """
    entries = [entry for entry in small_networks.known_best() if entry["target"] == "spirals"]
    figure, axes = plt.subplots(1, len(entries), figsize=(2.6 * len(entries), 3.1), sharey=True)
    X, y = (part[: SHOWN // 2] for part in capstone.drawn("spirals", 0))
    for entry, ax in zip(entries, axes, strict=True):
        plot_decision(on_a_grid(entry["plane"]), half_width=HALF_WIDTH, ax=ax)
        plot_points(X, y, ax=ax)
        ax.set_title(f"{'-'.join(map(str, entry['sizes']))} {entry['activation']}", fontsize=9)
    return figure


def on_a_grid(plane: Sequence[str]) -> Callable[[Tensor], Tensor]:
    """Return as `plot_decision` wants it what is known of a network's classes, "0" or "1", at the points of a grid.

    The grid covers the square up to HALF_WIDTH; its top row comes first. Between points it is interpolated.
    """
    classes = torch.tensor([[float(one) for one in row] for row in reversed(plane)])

    def model(X: Tensor) -> Tensor:
        at = (X / HALF_WIDTH).reshape(1, 1, -1, 2).float()
        margin = functional.grid_sample(classes[None, None] - 0.5, at, align_corners=True, padding_mode="border")
        return margin.reshape(-1, 1) * torch.tensor([0.0, 1.0])

    return model


@described("08b.drawn", "A small network for your points")
def drawn_plane(network: Any, parts: Sequence[tuple[Tensor, Tensor]]) -> Figure:
    """The plane is divided into a blue and an orange part; held-out points of the two drawn kinds lie on top."""
    figure, ax = plt.subplots(figsize=(3.6, 3.6))
    X, y = parts[-1]
    shown = np.random.default_rng(0).permutation(len(X))[:SHOWN]
    draw_classes(ax, network, X[shown], y[shown])
    return figure
