"""What the tests of lessons share: generators of their own, and figures that are closed."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib.pyplot as plt
import pytest
import torch


@pytest.fixture(autouse=True)
def close_figures() -> Iterator[None]:
    """Nothing; what a test of the module that imports this has drawn is closed."""
    yield
    plt.close("all")


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)
