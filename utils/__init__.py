"""What lessons and exercises import; importing the package itself loads neither torch nor a compiler."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def device() -> torch.device:
    """Return the device that heavy work should go to: a GPU where torch sees one, else the CPU."""
    import torch

    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _compute_on_the_cpu(info: object = None) -> None:
    """Set back a default device that a reader has set: the course's generators, and so its numbers, are the CPU's."""
    torch = sys.modules.get("torch")
    if torch and (found := torch.get_default_device()).type != "cpu":
        torch.set_default_device(None)
        print(
            f"The course computes on the CPU, so PyTorch's default device is now the CPU again, not {found.type}. "
            f'Take out the line that changed it. To move a network of your own, use model.to("{found.type}").'
        )


def _watch_the_default_device() -> None:
    """Look at it now, and before each cell of a notebook."""
    ipython = sys.modules.get("IPython")
    if shell := ipython and ipython.get_ipython():
        _compute_on_the_cpu()
        shell.events.register("pre_run_cell", _compute_on_the_cpu)


_watch_the_default_device()
