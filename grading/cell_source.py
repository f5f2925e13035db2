"""A notebook's cells as Python: magics made harmless, and definitions told from computations.

Used in the student's process only: parsing hostile text can already exhaust a process.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager

# Cell magics whose body is Python that runs in the notebook; what stands below any other is no Python of ours.
_RUN_THEIR_CELL = {"time", "timeit", "capture", "prun", "python", "python3", "memit"}
_COMPUTING = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr,
              ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class SilentShell:
    """Stands where a notebook has IPython's shell, and for all its parts: whatever is called does nothing.

    It is false, so that a library which asks whether there is a shell is told that there is none.
    """

    def __getattr__(self, name: str) -> Any:
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def __bool__(self) -> bool:
        return False


def python_of(cell: str) -> str:
    """Return the cell as plain Python, with magics and shell lines as calls of ``get_ipython()``."""
    lines = cell.split("\n")
    while lines and (not lines[0].strip() or lines[0].startswith("%%")):
        magic = re.match(r"%%(\w*)", lines.pop(0))
        if magic and magic[1] not in _RUN_THEIR_CELL:
            return ""
    return TransformerManager().transform_cell("\n".join(lines))


def definitions(cell: str) -> list[ast.stmt]:
    """Return the cell's imports, functions, classes and constants: what defines without computing.

    A cell that is not valid Python has none.
    """
    try:
        return [node for node in ast.parse(python_of(cell)).body if _defines(node)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _defines(node: ast.stmt) -> bool:
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return True
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return all(map(_is_name, targets)) and node.value is not None and _is_constant(node.value)
    if isinstance(node, ast.Try):  # an import with a fallback
        return all(map(_defines, [*node.body, *(s for handler in node.handlers for s in handler.body)]))
    return isinstance(node, ast.Pass)


def _is_name(target: ast.expr) -> bool:
    if isinstance(target, (ast.Tuple, ast.List)):
        return all(map(_is_name, target.elts))
    return isinstance(target, ast.Name)


def _is_constant(value: ast.expr) -> bool:
    """Return whether evaluating costs next to nothing: literals, names and arithmetic, no calls outside a lambda."""
    if isinstance(value, ast.Lambda):
        return True
    if isinstance(value, _COMPUTING):
        return False
    return all(_is_constant(part) for part in ast.iter_child_nodes(value) if isinstance(part, ast.expr))
