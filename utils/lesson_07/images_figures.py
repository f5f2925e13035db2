"""The figures of excursion 07c on images: two pictures that one layer cannot tell apart, and the race on digits."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from utils.figures import COLOURS
from utils.lesson_07.images import EPOCHS, SHAPES, SIDE
from utils.lesson_07.readings import best
from utils.pages import described
from utils.plots import plot_medians
from utils.types import Data


@described("07c.dots", "The same patches of 3×3 pixels, at other places")
def two_dots(images: Sequence[ArrayLike]) -> Figure:
    """Two black images of 8×8 pixels with two white dots each in the same row. In the left one there are two black
    pixels between the dots, in the right one four. A square of 3×3 around each dot holds that dot alone.
    """
    figure, axes = plt.subplots(1, len(images), figsize=(5, 2.5))
    for ax, image in zip(axes, images, strict=True):
        pixels = np.asarray(image).reshape(SIDE, SIDE)
        ax.imshow(pixels, cmap="gray")
        for row, column in np.argwhere(pixels > 0):
            ax.add_patch(
                plt.Rectangle((column - 1.5, row - 1.5), 3, 3, fill=False, linewidth=2, edgecolor=COLOURS["orange"])
            )
        ax.set(xticks=[], yticks=[])
        ax.grid(False)
    return figure


@described("07c.race", "One layer of wide filters leads; four layers have not got far")
def filters_race(data: Data) -> Figure:
    """Held-out error of five networks, after half of the training and after all of it. One layer of 3×3 with six
    channels and four layers of 3×3 have the highest errors. One layer of 3×3 with 55 channels and two layers lie much
    lower, near each other. One layer of 7×7 is by far the lowest. All fall with longer training.
    """
    order = list(SHAPES)[-1:] + list(SHAPES)[:-1]
    names = [
        f"{'one two . four'.split()[layers - 1]} of {side}×{side},\n{channels} channels"
        for layers, side, channels in (SHAPES[shape] for shape in order)
    ]
    figure, ax = plt.subplots(figsize=(7, 3.4))
    for reading, (style, colour, shift) in enumerate((("s", "grey", -0.08), ("o", "blue", 0.08))):
        errors = np.stack([best(data, shape=shape, reading=reading) for shape in order], axis=1)
        label = f"after {EPOCHS[reading]} epochs"
        plot_medians(names, errors, label=label, style=style, colour=colour, shift=shift, ax=ax)
    ax.set(ylabel="held-out error", ylim=(0, None))
    ax.legend(loc="upper right")
    return figure
