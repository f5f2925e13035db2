"""Types that many modules name; nothing is loaded for them but NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import xarray
    from torch import Tensor

Array: TypeAlias = NDArray[np.float64]
Data: TypeAlias = "xarray.Dataset"  # what an experiment measured: arrays by name, whose axes have names and labels
Part: TypeAlias = "tuple[Tensor, Tensor]"  # inputs X and targets y of some points
