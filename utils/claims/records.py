"""Recorded experiments: results/NN_name.json, beside the package, wherever the notebook runs."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).resolve().parents[2] / "results"


class NoRecord(LookupError):
    """An experiment that was not recorded, or whose record cannot be read."""


@dataclass(frozen=True)
class Record:
    """An experiment's arrays, and how they came about.

    ``code`` has the digest of each file of the course that the experiment is made of, ``versions`` those of
    Python and the libraries; ``minutes`` is what measuring took.
    """

    experiment: str
    minutes: float
    seeds: list[int]
    versions: dict[str, str]
    code: dict[str, str]
    data: dict[str, np.ndarray]


def recorded(name: str) -> dict[str, np.ndarray]:
    """Return the recorded arrays of the experiment ``name``, such as "01_circles"; raises NoRecord.

    The first axis is the seeds. Numbers with a fraction have five significant digits.
    """
    return load(name).data


def load(name: str) -> Record:
    """Return the record of the experiment ``name``; raises NoRecord where there is none that can be read."""
    path = FOLDER / f"{name}.json"
    again = f"measure it with `make claims LESSON={name[:2]} RECORD=yes`"
    if not path.exists():
        raise NoRecord(f"There is no record of {name!r} in results/: {again}.")
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        data = {key: _array(values) for key, values in fields.pop("data").items()}
        record = Record(**fields, data=data)
    except (ValueError, KeyError, AttributeError, TypeError):
        raise NoRecord(f"results/{name}.json is damaged: {again}, or take it back with `git checkout`.") from None
    if record.experiment != name or any(len(values) != len(record.seeds) for values in data.values()):
        raise NoRecord(f"results/{name}.json is not a record of {name}: {again}.")
    return record


def text(record: Record) -> str:
    """Return the file's text: one line for each seed of each array, so that a diff can be read."""
    head = {name: getattr(record, name) for name in ("experiment", "minutes", "seeds", "versions", "code")}
    lines = [f"{json.dumps(name)}: {json.dumps(value, sort_keys=True)}" for name, value in head.items()]
    arrays = []
    for name, values in record.data.items():
        rows = ",\n".join(f"  {json.dumps(_plain(row), allow_nan=False)}" for row in values)
        arrays.append(f"{json.dumps(name)}: [\n{rows}\n]")
    return "{\n" + ",\n".join([*lines, '"data": {\n' + ",\n".join(arrays) + "\n}"]) + "\n}\n"


def _plain(value: Any) -> Any:
    """Return an array or a number in JSON's types: fractions with five digits, what is not finite as text."""
    if np.ndim(value):
        return [_plain(item) for item in value]
    number = np.asarray(value).item()
    if not isinstance(number, float):
        return number
    return float(f"{number:.5g}") if math.isfinite(number) else str(number)


def _array(values: list) -> np.ndarray:
    array = np.array(values)
    return array.astype(float) if array.dtype.kind == "U" else array  # "nan" or "inf" among the numbers
