"""Finds what utils offers and nothing takes: functions, classes and constants that no code uses but tests."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from authoring.diagnostics import Diagnostic, relative
from authoring.filling import FILL

FOLDERS = ("notebooks", "solutions", "utils", "authoring", "benchmarks", "claims", "cluster", "grading", "site")
READ_BY_NAME = ("EXERCISES", "CLAIMS")  # of each room
_DOTTED = re.compile(r"[\w.]+")


def unused(root: Path) -> list[Diagnostic]:
    """Return a diagnostic for each public name of utils that stands nowhere beside its own definition and tests.

    Two things of one name are not told apart: what is found is unused, what is not found may be.
    """
    everywhere: Counter[str] = Counter()
    offered: list[tuple[Path, int, str, int]] = []
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.py")):
        try:
            tree = ast.parse(path.read_bytes())
        except SyntaxError:  # which is told elsewhere
            continue
        for node in tree.body:
            words = Counter(_words(node))
            everywhere.update(words)
            if path.is_relative_to(root / "utils"):
                offered += [(path, node.lineno, name, words[name]) for name in _offered(node)]
    return [
        Diagnostic(relative(path, root), line, f"nothing but tests uses {name}. Delete it, or use it.")
        for path, line, name, own in offered
        if everywhere[name] == own
    ]


def _offered(node: ast.stmt) -> list[str]:
    """Return the public names that a statement of a module defines, but for those that a room is read by."""
    names = [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        stored = [one for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]
        names = [one.id for one in stored if isinstance(one.ctx, ast.Store)]
    return [name for name in names if not name.startswith("_") and name not in READ_BY_NAME]


def _words(tree: ast.AST) -> Iterator[str]:
    """Yield each word by which code takes something: in expressions, imports, texts that are names, and fills."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.alias):
            yield from node.name.split(".")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if _DOTTED.fullmatch(node.value):
                yield node.value.rpartition(".")[2]
            for fill in FILL.finditer(node.value):
                yield from re.findall(r"\w+", fill["value"] or "")
