"""Made-up measurements: the arrays of an experiment, with its axes, and other numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import xarray as xr

from utils.claims import Experiment


def made_up(experiment: Experiment, *names: str, seeds: int = 9, **fewer: Sequence[str]) -> xr.Dataset:
    """Return arrays of these names over all axes of the experiment, every number another one in [0, 1].

    fewer: an array's name and the axes that it has, where it has not all of them.
    """
    rng = np.random.default_rng(0)
    sizes = {"seed": range(seeds), **experiment.axes}
    axes = {**{name: tuple(experiment.axes) for name in names}, **fewer}
    return xr.Dataset(
        {
            name: (("seed", *of), rng.uniform(size=[len(sizes[axis]) for axis in ("seed", *of)]))
            for name, of in axes.items()
        },
        {axis: list(values) for axis, values in sizes.items()},
    )
