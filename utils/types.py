"""Types that many modules name; nothing is loaded for them but NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from torch import Tensor

Array: TypeAlias = NDArray[np.float64]
Data: TypeAlias = Mapping[str, np.ndarray]  # what an experiment measured, by name
Part: TypeAlias = "tuple[Tensor, Tensor]"  # inputs X and targets y of some points
