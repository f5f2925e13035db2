"""What marking will not have of what an answer rests on: as far as the cells that were run in this kernel tell."""

from __future__ import annotations

import ast
import builtins
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from utils.exercises.cells import exercise_id
from utils.exercises.slicing import Statement, names_read, slice_of, statements

# What an answer may import wherever it is marked, beside Python's own modules: the course and what it installs.
PACKAGES = {
    "utils",
    "numpy",
    "scipy",
    "torch",
    "sklearn",
    "matplotlib",
    "mpl_toolkits",
    "PIL",
    "xarray",
    "pandas",
    "numba",
    "IPython",
    "ipywidgets",
    "tqdm",
    "joblib",
    "sympy",
    "networkx",
}
_BIND_UNSEEN = {"exec", "globals", "vars", "locals", "get_ipython"}  # names that nobody reads in the text
_NETWORK = {"urllib", "http", "ftplib", "socket"}
_STRONG = (ast.Assign, ast.AnnAssign, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
_LONGEST_NAME = 200  # of a file
_ids: dict[int, str] = {}  # of the cells that were run, by their number in the history, where the front end tells
_deleted: set[str] = set()


def not_in_marking(name: str) -> list[str]:
    """Return in words what the function of this name rests on and marking will not have.

    Those are files and modules of one's own, packages that the course does not bring, the network, and names that no
    cell binds any more. [] outside of a notebook's kernel.
    """
    shell = _shell()
    if shell is None:
        return []
    ran = [statement for cell in _cells(shell) for statement in cell]
    rests_on = slice_of({name}, _last(ran))
    nodes = [node for one in rests_on if one.binds for node in ast.walk(one.node)]
    lost = names_read(rests_on) - {name, *(bound for one in ran for bound in one.binds), *_of_stars(ran)}
    if not _BIND_UNSEEN.isdisjoint(names_read(ran)):
        lost = set()
    return [*dict.fromkeys([*_files(nodes), *_modules(nodes), *_lost(lost, shell)])]


def remember_cells() -> None:
    """Note from now on which cell it is that runs, so that one that is run again replaces what it was."""
    shell = _shell()
    if shell is not None:
        shell.events.register("post_run_cell", _note)


def _shell() -> Any:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell if hasattr(shell, "history_manager") else None


def _note(result: Any) -> None:
    shell = _shell()
    parent = shell.get_parent() if hasattr(shell, "get_parent") else {}
    _deleted.update(parent.get("metadata", {}).get("deletedCells", ()))
    cell_id = getattr(result.info, "cell_id", None)
    if cell_id:
        _ids[len(shell.history_manager.input_hist_raw) - 1] = cell_id
        _deleted.discard(cell_id)


def _cells(shell: Any) -> list[list[Statement]]:
    """Return the statements of the cells that were run, each as it was last.

    Those of one id are one, and those of one exercise, but for what only stands in quotes or comments.
    """
    last: dict[object, list[Statement]] = {}
    for at, cell in enumerate(shell.history_manager.input_hist_raw):
        try:
            found = statements(cell)
        except (SyntaxError, ValueError, RecursionError):
            continue  # it did not run either
        answered = exercise_id(cell) if any(one.binds for one in found) else None
        key = _ids.get(at, answered or at)
        last.pop(key, None)  # to the end
        if key not in _deleted:
            last[key] = found
    return list(last.values())


def _last(ran: list[Statement]) -> list[Statement]:
    """Return the statements without those that only bind what is bound anew later."""
    bound = {
        name: at
        for at, one in enumerate(ran)
        if isinstance(one.node, _STRONG) and not one.binds & one.reads
        for name in one.binds
    }
    return [one for at, one in enumerate(ran) if not one.binds or any(bound.get(name, at) <= at for name in one.binds)]


def _files(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and text.isprintable() and len(text) <= _LONGEST_NAME and Path(text).is_file():
            yield f"your file {text}"


def _modules(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
        modules = {name.partition(".")[0] for name in names}
        if modules & _NETWORK:
            yield "the network"
        for module in modules - PACKAGES - set(sys.stdlib_module_names):
            if module in sys.modules or importlib.util.find_spec(module):
                file = getattr(sys.modules.get(module), "__file__", None) or ""
                own = Path.cwd() in Path(file).parents
                yield f"your file {Path(file).name}" if own else f"the package {module}"


def _of_stars(ran: list[Statement]) -> Iterator[str]:
    """Yield the names that ``from ... import *`` has brought."""
    for node in (part for one in ran for part in ast.walk(one.node)):
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            yield from vars(sys.modules.get(node.module or "", builtins))


def _lost(names: set[str], shell: Any) -> Iterator[str]:
    """Yield those of the names that there are although no cell binds them."""
    for name in sorted(names - set(vars(builtins)) - set(shell.user_ns_hidden)):
        if name in shell.user_ns and not name.startswith("_"):
            yield f"{name}, which no cell defines any more"
