"""Generators of a test's own: nothing touches PyTorch's global one."""

from __future__ import annotations

import torch


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)
