"""What can be set in a playground, as setting.js has it, checked before a page is made of it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import torch
from numpy.typing import ArrayLike

from utils.checks import one_of, real_number, whole_number

LEAST_POINTS, MOST_POINTS = 8, 2000
_TEXT = Path(__file__).with_name("setting.js").read_text(encoding="utf-8")
_TABLES = json.loads(re.findall(r"^const TABLES = (\{\n.*?^\});$", _TEXT, re.MULTILINE | re.DOTALL)[0])
EACH: list[str] = _TABLES["EACH"]  # of each network: one value, or a list of two
DEFAULTS: dict[str, Any] = _TABLES["DEFAULTS"]
CHOICES: dict[str, list[str]] = _TABLES["CHOICES"]
RANGES: dict[str, list] = _TABLES["RANGES"]  # the least, the most, and "whole" where it is a whole number
MOST_LAYERS, MOST_UNITS = (int(re.findall(rf"{name} = (\d+)", _TEXT)[0]) for name in ("MOST_LAYERS", "MOST_UNITS"))
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
        low, high, *whole = RANGES[key]
        number = whole_number(key, value, low) if whole else real_number(key, value, least=low)
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


def address(setting: Mapping[str, Any]) -> str:
    """Return what stands behind the # of a playground's address that shows this setting."""
    return "&".join(f"{key}={quote(_word(key, value), safe=',')}" for key, value in checked(setting).items())


def _word(key: str, value: Any) -> str:
    if isinstance(value, list):
        return ("," if key in EACH else "-").join(_word(key, one) for one in value)
    return "none" if value is None else str(value).lower()


def with_points(setting: Mapping[str, Any], X: ArrayLike, y: ArrayLike) -> dict[str, Any]:
    """Return the setting with these points as its data, and a square that holds them where it names none."""
    points, classes = (torch.as_tensor(one).detach().cpu().double().numpy() for one in (X, y))
    if points.ndim != 2 or points.shape[1] != 2 or classes.size != len(points):
        shapes = f"X of shape {points.shape} and y of shape {classes.shape}"
        raise ValueError(f"points have {shapes}: wanted (n, 2), and n classes")
    if not LEAST_POINTS <= (count := len(points)) <= MOST_POINTS:
        raise ValueError(f"there are {count:,} points: wanted {LEAST_POINTS} to {MOST_POINTS:,}; of more, draw some")
    if not np.isfinite(points).all() or not np.isin(classes, (0, 1)).all():
        raise ValueError("points hold a number that is not finite, or a class that is neither 0 nor 1")
    if setting.get("data", "given") != "given":
        raise ValueError(f"data is {setting['data']!r}, and there are points, too: leave one of them out")
    least, most = RANGES["half"]
    half = setting.get("half", max(least, math.ceil(10 * np.abs(points).max()) / 10))
    if half > most:
        raise ValueError(f"the points lie as far as {half:g} from 0: wanted at most {most}; scale them")
    order = np.random.default_rng(0).permutation(count)  # or every fourth, held out, might be of one class
    rows = zip(points[order].round(4).tolist(), classes.ravel()[order].astype(int).tolist(), strict=True)
    return {**setting, "half": half, "data": "given", "given": [[*place, label] for place, label in rows]}
