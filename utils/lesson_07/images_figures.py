"""The figures of excursion 07c on images: two pictures that one layer cannot tell apart, and depth without skips."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from utils.figures import COLOURS
from utils.lesson_07.images import EPOCHS, LONGER, NETS, PIXELS, SKIPS
from utils.lesson_07.readings import best
from utils.pages import described
from utils.plots import plot_medians
from utils.types import Data


@described("07c.dots", "The same patches of 3×3 pixels, in other places")
def two_dots(images: Sequence[ArrayLike]) -> Figure:
    """Two black images of 8×8 pixels with two white dots each in the same row. In the left one there are two black
    pixels between the dots, in the right one four. A square of 3×3 around each dot holds that dot alone.
    """
    figure, axes = plt.subplots(1, len(images), figsize=(5, 2.5))
    for ax, image in zip(axes, images, strict=True):
        pixels = np.asarray(image).reshape(PIXELS, PIXELS)
        ax.imshow(pixels, cmap="gray")
        for row, column in np.argwhere(pixels > 0):
            ax.add_patch(
                plt.Rectangle((column - 1.5, row - 1.5), 3, 3, fill=False, linewidth=2, edgecolor=COLOURS["orange"])
            )
        ax.set(xticks=[], yticks=[])
        ax.grid(False)
    return figure


@described("07c.sums", "Without skips, twenty-one layers are slow to learn")
def deep_filters(data: Data, longer: Data) -> Figure:
    """Held-out error of networks of 3, 11 and 21 layers of filters. With skips it is low at each depth. Without
    skips it rises with depth, and is highest at 21 layers. There, two more points lie in between: plain layers near
    the identity, and plain layers from He's weights after more epochs.
    """
    figure, ax = plt.subplots(figsize=(7, 3.4))
    depths = [f"{depth} layers" for joined, depth in NETS.values() if joined == SKIPS]
    last = len(depths) - 1
    for label, of, net, style, colour, shift in (
        (f"without, near the identity, {EPOCHS} epochs", data, "near 21", "^", "orange", 0.18),
        (f"without skips, {LONGER} epochs", longer, "plain 21", "D", "grey", 0.3),
    ):
        errors = np.asarray(best(of, net=net))[:, None]
        plot_medians([last], errors, label=label, style=style, colour=colour, shift=last + shift, ax=ax)
    for name, style, colour, shift in (("plain", "s", "red", -0.06), ("skips", "o", "blue", 0.06)):
        errors = np.stack([best(data, net=net) for net in NETS if net.startswith(name)], axis=1)
        label = f"{'without' if name == 'plain' else 'with'} skips, {EPOCHS} epochs"
        plot_medians(depths, errors, label=label, style=style, colour=colour, shift=shift, ax=ax)
    ax.set(ylabel="held-out error", ylim=(0, None))
    ax.legend(loc="upper left")
    return figure
