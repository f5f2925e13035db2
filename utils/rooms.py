"""The lessons' rooms, utils/lesson_NN: which lessons have a module of a name, and that module."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

FOLDER = Path(__file__).parent


def lessons_with(name: str) -> list[str]:
    """Return the two-digit numbers of the lessons whose room holds the module or package ``name``, sorted."""
    rooms = FOLDER.glob("lesson_[0-9][0-9]")
    return sorted(room.name[-2:] for room in rooms if file_of(room, name) is not None)


def file_of(room: Path, name: str) -> Path | None:
    """Return the file of a room's module or package ``name``, None where there is none."""
    candidates = (room / f"{name}.py", room / name / "__init__.py")
    return next((path for path in candidates if path.exists()), None)


def module_of(number: str, name: str) -> ModuleType:
    """Return the module ``name`` of lesson ``number``; raises ImportError where it cannot be imported."""
    return importlib.import_module(f"utils.lesson_{number}.{name}")
