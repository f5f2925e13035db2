"""What can be set in a playground, as setting.js has it, checked before a page is made of it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike

from utils.checks import one_of, real_number, whole_number

MOST_LAYERS, MOST_UNITS, LEAST_POINTS, MOST_POINTS = 8, 64, 8, 2000
# One value for both networks, or a list of two.
EACH = ("activation", "init", "gain", "bias_std", "skips", "biases", "optimiser", "rate", "decay")
DEFAULTS: dict[str, Any] = {
    "data": "board", "folds": 2, "turns": 1.5, "noise": 0, "n": 1000, "drawn": "", "layers": [44], "against": [8, 8, 8],
    "activation": "relu", "init": "he", "gain": 1, "bias_std": 0, "skips": False, "biases": True, "optimiser": "adam",
    "rate": 0.01, "decay": 0, "batch": 32, "steps": 4000, "seed": 1, "hold": "parameters", "view": "plane", "half": 1,
    "bet": False,
}
CHOICES = {
    "data": ("line", "circle", "rings", "spirals", "board", "drawn", "given", "none"),
    "activation": ("relu", "tanh", "sigmoid", "linear"),
    "init": ("default", "he", "lecun", "xavier", "orthogonal", "identity"),
    "optimiser": ("adam", "sgd"),
    "hold": ("parameters", "arithmetic", "nothing"),
    "view": ("plane", "layers", "towers", "losses"),
}
RANGES = {
    "folds": (1, 5), "turns": (0.25, 4), "noise": (0, 0.5), "n": (10, 5000), "gain": (0, 4), "bias_std": (0, 2),
    "rate": (0, 10), "decay": (0, 10), "batch": (1, 1000), "steps": (1, 1_000_000), "seed": (0, 99_999),
    "half": (0.1, 100),
}
WHOLE = ("folds", "n", "batch", "steps", "seed")
DRAWN = re.compile(r"([0-9a-z]{2}[01])*")


def checked(setting: Mapping[str, Any]) -> dict[str, Any]:
    """Return the setting as plain values; raises TypeError or ValueError for a key or a value that there is not."""
    return {key: _checked(key, value) for key, value in setting.items()}


def _checked(key: str, value: Any) -> Any:
    if key not in DEFAULTS:
        raise TypeError(f"there is no setting {key}: wanted some of {', '.join(DEFAULTS)}")
    if key in EACH and isinstance(value, list | tuple):
        if len(value) != 2:
            raise ValueError(f"{key} is {value!r}: wanted one value, or a list of two, one for each network")
        return [_checked(key, one) for one in value]
    if key in ("layers", "against"):
        return None if key == "against" and value is None else _widths(key, value)
    if key in CHOICES:
        return one_of(key, value, CHOICES[key])
    if key in RANGES:
        low, high = RANGES[key]
        number = whole_number(key, value, low) if key in WHOLE else real_number(key, value, least=low)
        if number > high:
            raise ValueError(f"{key} is {value!r}: wanted at most {high:,}")
        return number
    if key == "drawn":
        if not isinstance(value, str) or not DRAWN.fullmatch(value):
            raise ValueError(f"drawn is {value!r}: wanted what a playground's address has, three letters a point")
        return value
    return one_of(key, value, (True, False))


def _widths(key: str, value: Any) -> list[int]:
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        raise TypeError(f"{key} is {value!r}: wanted a list of hidden layers' widths, such as [8, 8, 8]")
    widths = [whole_number(f"{key}[{at}]", one) for at, one in enumerate(value)]
    if len(widths) > MOST_LAYERS or max(widths, default=1) > MOST_UNITS:
        raise ValueError(f"{key} is {widths}: wanted at most {MOST_LAYERS} layers of at most {MOST_UNITS} units")
    return widths


def with_points(setting: Mapping[str, Any], X: ArrayLike, y: ArrayLike) -> dict[str, Any]:
    """Return the setting with these points as its data, and a square that holds them where it names none."""
    X, y = (torch.as_tensor(one).detach().cpu().double().numpy() for one in (X, y))
    if X.ndim != 2 or X.shape[1] != 2 or y.size != len(X):
        raise ValueError(f"points have X of shape {X.shape} and y of shape {y.shape}: wanted (n, 2), and n classes")
    if not LEAST_POINTS <= len(X) <= MOST_POINTS:
        raise ValueError(f"there are {len(X):,} points: wanted {LEAST_POINTS} to {MOST_POINTS:,}; of more, draw some")
    if not np.isfinite(X).all() or not np.isin(y, (0, 1)).all():
        raise ValueError("points hold a number that is not finite, or a class that is neither 0 nor 1")
    if setting.get("data", "given") != "given":
        raise ValueError(f"data is {setting['data']!r}, and there are points, too: leave one of them out")
    least, most = RANGES["half"]
    half = setting.get("half", max(least, math.ceil(10 * np.abs(X).max()) / 10))
    if half > most:
        raise ValueError(f"the points lie as far as {half:g} from 0: wanted at most {most}; scale them")
    order = np.random.default_rng(0).permutation(len(X))  # or every fourth, held out, might be of one class
    rows = zip(X[order].round(4).tolist(), y.ravel()[order].astype(int).tolist(), strict=True)
    return {**setting, "half": half, "data": "given", "given": [[*place, label] for place, label in rows]}
