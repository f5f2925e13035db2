"""The layers of the best small networks that are known: they lie here, where no student's answer finds them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from utils.lesson_08 import capstone, small_networks
from utils.training import train_ensemble

LAYERS = Path(__file__).with_name("known_best.json")
Network = tuple[str, capstone.Layers]


def networks(target: str) -> list[Network]:
    """Return the recorded networks of a target, as they are handed in, in the order of the table."""
    return [
        (entry["activation"], [(np.array(weight), np.array(bias)) for weight, bias in entry["layers"]])
        for entry in json.loads(LAYERS.read_text(encoding="utf-8"))
        if entry["target"] == target
    ]


def network_of(entry: dict[str, Any], seed: int) -> Network:
    """Return the network of a line of the table; a teacher's is trained on the teacher of this seed."""
    if entry["target"] == "teacher":
        X, y = capstone.teacher_parts(seed, capstone.LESSONS)[0]
        return student(X, y, entry)
    alike = [
        network
        for network in networks(entry["target"])
        if network[0] == entry["activation"] and capstone.sizes_of(network[1]) == entry["sizes"]
    ]
    (network,) = alike
    return network


def student(X: Tensor, y: Tensor, entry: dict[str, Any]) -> Network:
    """Return the network that fits a teacher's examples best, of as many starts as a line of the table has."""
    generator = torch.Generator().manual_seed(0)
    models = small_networks.starts(entry["sizes"], entry["activation"], entry["starts"], generator)
    train_ensemble(models, X, y, epochs=entry["epochs"], lr=0.03, batch_size=50, schedule="one-cycle", progress=False)
    return small_networks.rounded(small_networks.best_of(models, X, y)[0])


def worst_error(entry: dict[str, Any], seeds: range) -> float:
    """Return the largest error of a line's network on what these seeds draw."""
    return max(capstone.judged(network_of(entry, seed), entry["target"], seed).error for seed in seeds)
