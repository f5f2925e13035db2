"""Measurements whose axes have names: an experiment's arrays are read by the values of its axes, never by position."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any, TypeVar

import xarray as xr

from utils.progress import bar

EXACTLY: dict[str, Any] = {"join": "exact", "coords": "minimal", "compat": "override"}
Measured = TypeVar("Measured", xr.DataArray, xr.Dataset)


def over(cell: Callable[..., Measured], **axes: Iterable) -> Measured:
    """Return what cell(**values) returns, for every combination of the axes' values, along new first axes of these
    names.

    The values become the axes' labels; a dictionary gives its keys. Raises ValueError where the cells return other
    arrays, axes or labels from one to the next.
    """
    labels = {name: list(values) for name, values in axes.items()}
    combinations = [dict(zip(labels, values, strict=True)) for values in product(*labels.values())]
    found = [cell(**values).reset_coords(drop=True) for values in bar(combinations, delay=1)]
    for one in found[1:]:
        if _form(one) != _form(found[0]):
            raise ValueError(f"a cell has {_form(one)}, the first one {_form(found[0])}: the same axes are wanted")
    for name, values in reversed(labels.items()):
        axis, starts = xr.DataArray(values, dims=name, name=name), range(0, len(found), len(values))
        found = [xr.concat(found[start : start + len(values)], axis, **EXACTLY) for start in starts]
    return found[0]


def _form(measured: Measured) -> dict[str, tuple[str, ...]]:
    """Return the axes of each array, and which axes have labels."""
    arrays = measured.items() if isinstance(measured, xr.Dataset) else [("it", measured)]
    return {**{str(name): one.dims for name, one in arrays}, "labelled": tuple(measured.indexes)}
