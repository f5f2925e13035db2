"""In the browser's Python: the answers that prove an exercise, where they do without what it has not.

``tests/site/test_editors.py`` packs this file with them, and has an answer's cell import it.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Collection
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from utils import pages, rooms
from utils.exercises import blanks, definition

MISSING = "a browser's Python has no "
ABSENT = ("hypothesis", "matplotlib", "pytest", "scipy", "sklearn", "torch", "xarray")
for number in definition.lessons_with_exercises():  # before anything here could be taken for PyTorch
    definition.load_lesson(number)


class Missing(type):
    """A name of a package that is missing: of any kind, until it is called."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing(name, (), {})

    def __call__(cls, *arguments: Any, **more: Any) -> Any:
        raise RuntimeError(MISSING + cls.__name__)


class Package(ModuleType):
    """A package that is missing."""

    __path__ = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing(name, (), {})


class Finder:
    """Finds what is missing."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return ModuleSpec(name, self, is_package=True) if name.partition(".")[0] in ABSENT else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return Package(spec.name)

    def exec_module(self, module: ModuleType) -> None: ...


def answer(module: str, kind: str, number: int) -> Any:
    """Return an answer of a suite, of one ``kind``: "right", or "all_wrong"."""
    sys.meta_path.append(Finder())
    try:
        suite = importlib.import_module(module).SUITE
    finally:
        sys.meta_path.pop()
        for name in [one for one in sys.modules if one.partition(".")[0] in ABSENT]:
            del sys.modules[name]
    return [*suite.right.values()][number] if kind == "right" else suite.all_wrong[number].answer


def hints_of_blanks(number: str, elsewhere: Collection[str]) -> list[str]:
    """Return the hint that each listed mistake of a lesson's blanks gets, but for those of blanks ``elsewhere``."""
    found = rooms.module_of(number, "blanks").BLANKS
    pages.register({}, of_blanks=found)
    said = [
        blanks._judged(blank, wrong, blanks.reference(key))
        for key, blank in found.items()
        if key not in elsewhere
        for wrong, _ in blank.mistakes
    ]
    return [re.search(r"^  hint +(.*?)(?=^  \w|\Z)", one, re.MULTILINE | re.DOTALL)[1] for one in said]
