"""A course of one lesson 90 with claims, in a folder of its own."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
import xarray as xr

import claims.__main__
import cluster.provenance
import utils
from utils import rooms
from utils.claims import records
from utils.claims.records import Record

CLAIMS_90 = "utils/lesson_90/claims.py"
FIXTURES = Path(__file__).parent
SHOWN = "".join(f'claimed("90.{name}")\n' for name in ("gains", "gains-little", "loses"))


def lay_out(folder: Path) -> None:
    """Write the lesson, its helper, and a notebook's source that shows all its claims."""
    (folder / "utils" / "lesson_90").mkdir(parents=True)
    (folder / "notebooks").mkdir()
    shutil.copy(FIXTURES / "lesson_90.py", folder / CLAIMS_90)
    shutil.copy(FIXTURES / "helper_90.py", folder / "utils")
    (folder / "notebooks" / "90_fixture.py").write_text(SHOWN)


def copied(root: Path, folder: Path) -> None:
    """Write a course to be run by processes of its own: the code of this one, with lesson 90 alone."""
    for name in ("utils", "claims", "cluster", "authoring"):
        shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.json", "lesson_*"))
    lay_out(folder)


@pytest.fixture
def course(tmp_path, monkeypatch) -> Path:
    """A folder that this process takes for the course: its lessons with claims, its results, its notebooks."""
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(utils, "__path__", [*utils.__path__, str(tmp_path / "utils")])
    monkeypatch.setattr(rooms, "FOLDER", tmp_path / "utils")
    monkeypatch.setattr(records, "FOLDER", tmp_path / "results")
    for module in (cluster.provenance, claims.__main__):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    forget()
    yield tmp_path
    forget()


def forget() -> None:
    """Let lesson 90 be imported anew."""
    for name in [name for name in sys.modules if name.startswith(("utils.lesson_90", "utils.helper_90"))]:
        del sys.modules[name]


def by_seed(**arrays) -> xr.Dataset:
    """Return arrays with a number for each of the seeds 0, 1, 2, ..."""
    return xr.Dataset({name: ("seed", values) for name, values in arrays.items()})


def keep(name: str, data: xr.Dataset) -> None:
    """Write the record of the experiment ``name``."""
    records.FOLDER.mkdir(exist_ok=True)
    (records.FOLDER / f"{name}.json").write_text(records.text(Record(name, 1.5, {"python": "3.11"}, data)))
