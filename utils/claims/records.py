"""Recorded experiments: results/NN_name.json, beside the package, wherever the notebook runs."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from utils.claims.definition import Experiment, find_experiment
from utils.types import Data

if TYPE_CHECKING:
    import xarray as xr

FOLDER = Path(__file__).resolve().parents[2] / "results"


class NoRecord(LookupError):
    """An experiment that was not recorded, or whose record cannot be read or is not what the experiment measures."""


@dataclass(frozen=True)
class Record:
    """What an experiment measured, whose axes include "seed", and how it came about.

    ``versions`` are those of Python and the libraries; ``minutes`` is what measuring took.
    """

    experiment: str
    minutes: float
    versions: dict[str, str]
    data: Data

    @property
    def seeds(self) -> list[int]:
        return self.data["seed"].values.tolist()


def recorded(name: str) -> Data:
    """Return what the experiment ``name``, such as "01_circles", has recorded: arrays by name, with named axes.

    Numbers with a fraction have five significant digits. Raises UnknownClaim where no claim rests on such an
    experiment, NoRecord where its record is missing or damaged, or has not the axes that the experiment has now.
    """
    return fitting(find_experiment(name)).data


def fitting(experiment: Experiment) -> Record:
    """Return the experiment's record; raises NoRecord where there is none, or none with the experiment's axes."""
    record = load(experiment.name)
    differing = differences(experiment, record.data)
    if differing:
        raise NoRecord(
            f"results/{experiment.name}.json is not what {experiment.name} measures: {'; '.join(differing)}. "
            f"Take the change back, or {_again(experiment.name)}."
        )
    return record


def differences(experiment: Experiment, data: Data) -> list[str]:
    """Return what differs between the axes that the experiment names and those of ``data``, in words."""
    found = {str(axis): tuple(data[axis].values.tolist()) for axis in data.dims if axis != "seed"}
    words = []
    for axis in dict.fromkeys([*experiment.axes, *found]):
        wanted, there = (_listed(axes[axis]) if axis in axes else "missing" for axes in (experiment.axes, found))
        if wanted != there:
            words.append(f"the axis {axis!r} is {there} there, and {wanted} in the experiment")
    return words


def _listed(values: Iterable[object]) -> str:
    return f"[{', '.join(map(repr, values))}]"


def load(name: str) -> Record:
    """Return the record of the experiment ``name``; raises NoRecord where there is none that can be read."""
    path = FOLDER / f"{name}.json"
    if not path.exists():
        raise NoRecord(f"There is no record of {name!r} in results/: {_again(name)}.")
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        record = Record(data=_dataset(fields.pop("axes"), fields.pop("arrays")), **fields)
    except (ValueError, KeyError, AttributeError, TypeError):
        raise NoRecord(
            f"results/{name}.json is damaged: {_again(name)}, or take it back with `git checkout`."
        ) from None
    if record.experiment != name or any("seed" not in values.coords for values in record.data.values()):
        raise NoRecord(f"results/{name}.json is not a record of {name}: {_again(name)}.")
    return record


def text(record: Record) -> str:
    """Return the file's text: one line for each seed of each array, so that a diff can be read."""
    data = record.data
    lines = [
        f"{json.dumps(name)}: {json.dumps(getattr(record, name), sort_keys=True)}"
        for name in ("experiment", "minutes", "versions")
    ]
    names = sorted(map(str, data.dims), key="seed".__ne__)
    axes = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(data[name].values.tolist(), ensure_ascii=False)}" for name in names
    )
    arrays = []
    for name, values in data.items():
        values = values.transpose("seed", ...)
        rows = ",\n".join(f"  {json.dumps(_plain(row), allow_nan=False)}" for row in values.values)
        arrays.append(f'{json.dumps(name)}: {{"axes": {json.dumps(values.dims)}, "values": [\n{rows}\n]}}')
    lines += ['"axes": {\n' + axes + "\n}", '"arrays": {\n' + ",\n".join(arrays) + "\n}"]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _again(name: str) -> str:
    return f"measure it with `make claims LESSON={name[:2]} RECORD=yes`"


def _plain(value: Any) -> Any:
    """Return an array or a number in JSON's types: fractions with five digits, what is not finite as text."""
    if np.ndim(value):
        return [_plain(item) for item in value]
    number = np.asarray(value).item()
    if not isinstance(number, float):
        return number
    return float(f"{number:.5g}") if math.isfinite(number) else str(number)


def _dataset(axes: dict[str, list], arrays: dict[str, dict[str, list]]) -> xr.Dataset:
    import xarray as xr  # a page that reads no record does not wait for it

    return xr.Dataset({name: (one["axes"], _array(one["values"])) for name, one in arrays.items()}, axes)


def _array(values: list) -> np.ndarray:
    array = np.array(values)
    return array.astype(float) if array.dtype.kind == "U" else array  # "nan" or "inf" among the numbers
