"""What of a notebook an answer rests on: a slice of its statements (Weiser, "Program slicing", 1981).

Marking runs it, in the student's process, where parsing hostile text does no harm; ``check`` looks at it, to say what
marking will not have.
"""

from __future__ import annotations

import ast
import builtins
import dis
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from types import CodeType

from utils.exercises.cells import below_magics

# Cell magics whose body is Python that runs in the notebook; what stands below any other is no Python of ours.
_RUN_THEIR_CELL = {"time", "timeit", "capture", "prun", "python", "python3", "memit"}
_READ = {"LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"}
_BOUND = {"STORE_NAME", "STORE_GLOBAL"}
_EVERYTHING = "*"  # what ``from … import *`` binds, and what a setting of ``sys`` or ``from __future__`` changes
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@dataclass(frozen=True, eq=False)
class Statement:
    """A statement of a cell's top level: the names that it binds, may change, and reads, in its functions too.

    ``cell`` names the cell in tracebacks, ``source`` is all of its Python.
    """

    node: ast.stmt
    cell: str
    source: str
    binds: frozenset[str]
    changes: frozenset[str]
    reads: frozenset[str]

    @property
    def is_function(self) -> bool:
        """Return whether it defines a function, which is not changed where it is passed."""
        named = isinstance(self.node, ast.Assign) and isinstance(self.node.value, ast.Lambda)
        return named or isinstance(self.node, _FUNCTIONS)


def python_of(cell: str) -> str:
    """Return the cell as Python: magics and shell lines as calls of ``get_ipython()``, what is timed bare."""
    magics, text = below_magics(cell)
    if not _RUN_THEIR_CELL.issuperset(magics):
        return ""
    try:
        ast.parse(text)
    except SyntaxError:  # only then: IPython takes its time
        if find_spec("IPython") is None:  # in a browser
            raise
        from IPython.core.inputtransformer2 import TransformerManager

        return TransformerManager().transform_cell(re.sub(r"^([ \t]*)%time[ \t]+", r"\1", text, flags=re.MULTILINE))
    return text


def statements(cell: str, name: str = "<cell>") -> list[Statement]:
    """Return the statements of a cell's top level; raises SyntaxError and its like where it is not valid Python."""
    source = python_of(cell)
    return [_statement(node, name, source) for node in ast.parse(source, name).body]


def slice_of(names: Collection[str], of: Sequence[Statement]) -> list[Statement]:
    """Return those statements, in their order, on which the values of these names rest."""
    wanted, chosen = {_EVERYTHING, *names}, set()
    functions = [one for one in of if one.is_function]
    plain = {name for one in functions if len(one.binds) == 1 for name in one.binds}
    others = {name for one in functions if len(one.binds) > 1 for name in one.binds}  # whose calls bind names, too
    makes = [one.binds | (one.changes - plain) | (one.reads & others) for one in of]
    while found := [at for at, made in enumerate(makes) if at not in chosen and made & wanted]:
        chosen.update(found)
        wanted.update(*(of[at].reads | (of[at].binds & others) for at in found))
    return [of[at] for at in sorted(chosen)]


def names_read(of: Sequence[Statement]) -> set[str]:
    """Return the names that these statements read."""
    return {name for one in of for name in one.reads}


def _statement(node: ast.stmt, name: str, source: str) -> Statement:
    code = compile(ast.Module([node], []), name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    binds, read = _names(code, _BOUND), set()
    for inner in _codes(code):
        read |= _names(inner, _READ)
        binds |= _names(inner, {"STORE_GLOBAL"})
    if isinstance(node, ast.ImportFrom) and (node.module == "__future__" or node.names[0].name == _EVERYTHING):
        binds.add(_EVERYTHING)
    parts = list(_outside_of_functions(node))
    changes = {name for part in parts for name in _changed(part)}
    loops = [part.target for part in parts if isinstance(part, (ast.For, ast.AsyncFor))]
    read -= {part.id for target in loops for part in ast.walk(target) if isinstance(part, ast.Name)}
    if "sys" in changes:  # how deep a recursion may go holds for all
        changes.add(_EVERYTHING)
    return Statement(node, name, source, frozenset(binds), frozenset(changes), frozenset(read))


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code and that of all functions and classes within."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _names(code: CodeType, operations: set[str]) -> set[str]:
    return {instruction.argval for instruction in dis.get_instructions(code) if instruction.opname in operations}


def _outside_of_functions(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if not isinstance(node, _FUNCTIONS):
        for part in ast.iter_child_nodes(node):
            yield from _outside_of_functions(part)


def _changed(node: ast.AST) -> Iterator[str]:
    """Yield the names whose values a part of a statement may change: the target's, or those that a call is given."""
    parts: list[ast.expr] = []
    if isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, (ast.Store, ast.Del)):
        parts = [node]
    elif isinstance(node, ast.Expr):
        call = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(call, ast.Call):
            method = [] if isinstance(call.func, ast.Name) else [call.func]
            parts = [*method, *call.args, *(keyword.value for keyword in call.keywords)]
    for part in parts:
        while isinstance(part, (ast.Attribute, ast.Subscript, ast.Call, ast.Starred)):
            part = part.func if isinstance(part, ast.Call) else part.value
        if isinstance(part, ast.Name) and not hasattr(builtins, part.id):
            yield part.id
