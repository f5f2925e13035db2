"""What a reader of lesson 03 draws, folds and watches, and which unit they change."""

from __future__ import annotations

from collections.abc import Callable

import torch
from ipywidgets import Dropdown, IntSlider, Widget
from matplotlib.figure import Figure
from torch import Tensor, nn

from utils.comparison import score
from utils.data import spirals, split
from utils.drawing import Drawing
from utils.lesson_03 import depth
from utils.lesson_03.depth_figures import folded
from utils.lesson_03.folding import CHANGES, changed
from utils.lesson_03.folding_figures import beside
from utils.lesson_03.probing import BATCH, EPOCHS, NOISE
from utils.live_training import Paced
from utils.training import Trainer
from utils.types import Part

SPIRALS = {
    f"a spiral of {name} turn{'s' * (turns > 1)}": turns
    for name, turns in zip(("1", "1¼", "1½", "1¾", "2"), depth.TURNS, strict=True)
}
DRAWN = "my drawing"
SEED, RATE = 0, 0.03
DONE = {"keep": "kept", "zero": "set to zero", "reverse": "reversed"}


class Folding(Paced):
    """A training of a stack of blocks, with the points that it sees and others that it does not.

    ``said`` is what there is to say of the points; ``outdated`` says whether there are others by now.
    """

    def __init__(
        self, parts: list[Part], blocks: int, units: int, said: str = "", outdated: Callable[[], bool] = lambda: False
    ):
        self.parts, self.said, self.outdated = parts, said, outdated
        self.model = depth.stack(blocks, units, generator=torch.Generator().manual_seed(SEED))
        options = {"batch_size": BATCH, "schedule": "one-cycle"}
        super().__init__(Trainer([self.model], *parts[0], epochs=EPOCHS, lr=RATE, **options))

    @property
    def done(self) -> bool:
        """Return whether there is nothing left to train, or something else to train on."""
        return self.outdated() or super().done


def fold(drawing: Drawing) -> Callable[..., Folding]:
    """Return what makes the training of ``blocks`` blocks of ``units`` units on what ``points`` names."""

    def of(points: str, blocks: int, units: int) -> Folding:
        if points == DRAWN:
            (parts, said), text = drawing.parts(), drawing.text.value
            return Folding(parts, blocks, units, said, lambda: drawing.text.value != text)
        generator = torch.Generator().manual_seed(0)
        parts = split(spirals, depth.POINTS, depth.NEW, generator=generator, turns=SPIRALS[points], noise=NOISE)
        return Folding(parts, blocks, units)

    return of


def folds(run: Folding, points: str, blocks: int, units: int) -> tuple[Figure, str]:
    """Return the folded sheet so far, and in words how many of the held-out points are on their side."""
    plan, steps = run.trainer.plan, run.trainer.histories[0].steps
    many = f"{blocks} block{'s' * (blocks > 1)} of {units} units"
    right = score(run.model, *run.parts[-1])
    so_far = f"after {steps:,} of {plan.epochs * plan.steps_per_epoch:,} steps"
    words = f"{many}, {so_far}: {right:.1%} of held-out points on their side."
    return folded(run.model, run.parts[0], blocks), f"{run.said} {words}".strip()


def fold_controls() -> dict[str, Widget]:
    """Return the controls of `fold` and `folds`."""
    return {
        "points": Dropdown(options=[*SPIRALS, DRAWN], value=[*SPIRALS][-1], description="points"),
        "blocks": IntSlider(1, 1, depth.MOST_BLOCKS, description="blocks"),
        "units": Dropdown(options=[8, 16, 32], description="units of a block"),
    }


def change_unit(model: nn.Sequential, X: Tensor, y: Tensor) -> Callable[..., tuple[Figure, str]]:
    """Return what draws the boundary and the last plane with one unit changed, and says how many points are right."""
    draw, before = beside(model, X, y), score(model, X, y)

    def changed_by(block: int, unit: int, change: str) -> tuple[Figure, str]:
        other = changed(model, block, unit, change)
        said = f"Block {block}, unit {unit} {DONE[change]}: {score(other, X, y):.1%} of the points are on their side"
        return draw(other), f"{said}; {before:.1%} as it was trained (grey)."

    return changed_by


def change_controls(model: nn.Sequential) -> dict[str, Widget]:
    """Return the controls of `change_unit`."""
    units = min(block[-1].in_features for block in model[:-1])
    return {
        "block": IntSlider(1, 1, len(model) - 1, description="block"),
        "unit": IntSlider(1, 1, units, description="unit"),
        "change": Dropdown(options=list(CHANGES), value="zero", description="its output weights"),
    }
