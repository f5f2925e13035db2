"""Finds each exercise's cells in a solution's source, and everything that is amiss with them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from authoring.blanks import blank_diagnostics
from authoring.definitions import Definitions
from authoring.diagnostics import Diagnostic, stop_on
from authoring.solution_markers import Cut, find_cut, marker_lines
from authoring.source import NotebookSource, SourceCell
from utils.exercises import Exercise, FreeText, cells

_FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_ALMOST = re.compile(r"#\s*exercise\b", re.IGNORECASE)
_IMPORTS = (ast.Import, ast.ImportFrom)
MOST_LINES = 15  # of a code cell: what one look takes in
MOST_COLUMNS = 90  # of a line in one, a comment's too: what a student's screen shows


@dataclass(frozen=True)
class PlacedExercise:
    """One exercise in its source: the indices of its cells, and what is cut (None for a free text)."""

    exercise: Exercise | FreeText
    answer: int
    check: int
    cut: Cut | None
    arguments: tuple[str, ...]


def plain_lesson_diagnostics(source: NotebookSource) -> list[Diagnostic]:
    """Return what a lesson's source holds that belongs into a solution's: exercise cells and markers."""
    text = "belongs into solutions/. Move it there."
    diagnostics = []
    for cell in source.cells:
        if cells.exercise_id(cell.text):
            diagnostics.append(source.diagnostic(cell.line, f"an exercise cell {text}"))
        diagnostics += [source.diagnostic(line, f"a solution's marker {text}") for line in marker_lines(cell)]
    return diagnostics + blank_diagnostics(source) + long_cells(source) + wide_lines(source)


def long_cells(source: NotebookSource) -> list[Diagnostic]:
    """Return the code cells that are too long, but for set-up cells and the answers to exercises.

    Blank lines and comments do not count.
    """
    diagnostics = []
    for cell in source.cells:
        if cell.kind != "code" or cells.is_set_up(cell.text) or cells.exercise_id(cell.text):
            continue
        count = sum(bool(line.strip()) and not line.strip().startswith("#") for line in cell.text.splitlines())
        if count > MOST_LINES:
            text = f"the cell has {count} lines of code; at most {MOST_LINES} are wanted. Move some into utils/."
            diagnostics.append(source.diagnostic(cell.line, text))
    return diagnostics


def wide_lines(source: NotebookSource) -> list[Diagnostic]:
    """Return the lines of code that are too wide, in whatever cell. Prose is wrapped by who shows it."""
    advice = f"at most {MOST_COLUMNS} are wanted: a screen cuts the rest off. Break it."
    return [
        source.diagnostic(line, f"the line has {len(code)} columns; {advice}")
        for cell in source.cells
        if cell.kind == "code"
        for line, code in enumerate(cell.text.splitlines(), start=cell.line)
        if len(code) > MOST_COLUMNS
    ]


def place_exercises(source: NotebookSource, definitions: Definitions) -> list[PlacedExercise]:
    """Return where each exercise stands, in order; raises AuthoringError with all that is amiss."""
    found = _Finder(source, definitions)
    stop_on(sorted(found.diagnostics + long_cells(source) + wide_lines(source), key=lambda one: one.line or 0))
    return found.placed


def answer_name(exercise: Exercise | FreeText) -> str:
    """Return the name that check is called with: None for a free text, which has no function."""
    return exercise.answer_name if isinstance(exercise, Exercise) else "None"


class _Finder:
    """Walks one source once, collecting placed exercises and diagnostics."""

    def __init__(self, source: NotebookSource, definitions: Definitions) -> None:
        self.source, self.definitions = source, definitions
        self.diagnostics: list[Diagnostic] = []
        self.cells: dict[str, dict[str, list[int]]] = {
            one: {"heading": [], "answer": [], "show": [], "check": []} for one in definitions
        }
        for index, cell in enumerate(source.cells):
            self._sort(index, cell)
        complete = [one for one in definitions if self._count_cells(one)]
        self._check_order(complete)
        self.placed = [placed for one in complete if (placed := self._place(one))]
        self._check_uses()

    def _complain(self, line: int, text: str) -> None:
        self.diagnostics.append(self.source.diagnostic(line, text))

    def _sort(self, index: int, cell: SourceCell) -> None:
        """Note what part of which exercise this cell is."""
        if cell.kind == "markdown":
            for one in _headed(cell, self.definitions):
                self.cells[one]["heading"].append(index)
        answered = cells.exercise_id(cell.text)
        if answered is not None:
            self._note(answered, "answer", index)
            return
        for line in marker_lines(cell):
            self._complain(line, "a solution's marker outside an exercise's function. Remove it.")
        if cell.kind == "code":
            self._sort_code(index, cell)

    def _sort_code(self, index: int, cell: SourceCell) -> None:
        if _ALMOST.match(cells.first_line(cell.text)):
            self._complain(cell.line, "the first line of an exercise's cell is `# exercise NN.k` alone. Mend it.")
        whole, called = cells.call(cell.text), cells.called_id(cell.text)
        if whole is None and called is not None:
            text = f'a {called[0]} cell is `{called[0]}("{called[1]}", name)` and nothing else. Mend it.'
            self._complain(cell.line, text)
        elif whole is not None and self._note(whole[1], whole[0], index):
            wanted = answer_name(self.definitions[whole[1]])
            if whole[2] != wanted:
                text = f'{whole[0]} is called with {whole[2]}. Write `{whole[0]}("{whole[1]}", {wanted})`.'
                self._complain(cell.line, text)

    def _note(self, one: str, part: str, index: int) -> bool:
        if one not in self.cells:
            known = ", ".join(self.definitions)
            where = f"utils/lesson_{next(iter(self.definitions))[:2]}/exercises"
            text = f"there is no exercise {one}; {where} defines {known}. Define it, or mend the id."
            self._complain(self.source.cells[index].line, text)
            return False
        self.cells[one][part].append(index)
        return True

    def _count_cells(self, one: str) -> bool:
        """Return whether the exercise has each of its cells once; complain where it does not."""
        parts, complete = self.cells[one], True
        nearest = self.source.cells[next((found[0] for found in parts.values() if found), 0)].line
        names = {"heading": "heading", "answer": "answer cell", "show": "show cell", "check": "check cell"}
        for part, found in parts.items():
            for index in found[1:]:
                self._complain(self.source.cells[index].line, f"a second {names[part]} for {one}. Keep one.")
            if not found and part != "show":
                self._complain(nearest, f"exercise {one} has no {names[part]}. {self._advice(one, part)}")
            complete &= len(found) == 1 or (part == "show" and not found)
        return complete

    def _advice(self, one: str, part: str) -> str:
        texts = {
            "heading": f"Add markdown with a heading `## Exercise {one}: …` before it.",
            "answer": f"Add a cell whose first line is `# exercise {one}`.",
            "check": f'Add a cell `check("{one}", {answer_name(self.definitions[one])})`.',
        }
        return texts[part]

    def _check_order(self, complete: list[str]) -> None:
        last, name = -1, ""
        order = "Let heading, answer, show and check follow each other, exercise by exercise."
        for one in complete:
            parts = [(part, index) for part, found in self.cells[one].items() for index in found]
            for part, index in parts:
                if index < last:
                    text = f"the {part} of {one} comes before {name}. {order}"
                    self._complain(self.source.cells[index].line, text)
                    break
                last, name = index, f"the {part} of {one}"

    def _place(self, one: str) -> PlacedExercise | None:
        exercise, parts = self.definitions[one], self.cells[one]
        cell = self.source.cells[parts["answer"][0]]
        wanted = "code" if isinstance(exercise, Exercise) else "markdown"
        if cell.kind != wanted:
            self._complain(cell.line, f"the answer to {one} is a {cell.kind} cell. Make it a {wanted} cell.")
            return None
        if isinstance(exercise, FreeText):
            if len(cell.text.strip().splitlines()) < 2:
                self._complain(cell.line, f"{one} has no model answer. Write it below the cell's first line.")
            return PlacedExercise(exercise, parts["answer"][0], parts["check"][0], None, ())
        function = self._function(cell, exercise)
        cut, complaints = find_cut(cell, function) if function else (None, [])
        for line, text in complaints:
            self._complain(line, text)
        if function is None or cut is None:
            return None
        arguments = tuple(argument.arg for argument in [*function.args.posonlyargs, *function.args.args])
        return PlacedExercise(exercise, parts["answer"][0], parts["check"][0], cut, arguments)

    def _function(self, cell: SourceCell, exercise: Exercise) -> ast.FunctionDef | None:
        """Return the exercise's function; complain where the cell is more or less than imports and that one."""
        named = []
        for statement in ast.parse(cell.text).body:
            if isinstance(statement, ast.FunctionDef) and statement.name == exercise.answer_name:
                named.append(statement)
            elif not isinstance(statement, _IMPORTS):
                text = f"an exercise's cell holds imports and {exercise.answer_name} only. Move this elsewhere."
                self._complain(cell.line + statement.lineno - 1, text)
        if not named:
            text = f"exercise {exercise.id} does not define {exercise.answer_name}. Name its function so."
            self._complain(cell.line, text)
            return None
        for again in named[1:]:
            self._complain(cell.line + again.lineno - 1, f"{again.name} is defined a second time. Keep one.")
        if ast.get_docstring(named[0]) is None:
            text = f"{exercise.answer_name} has no docstring. Say in its first line what comes back."
            self._complain(cell.line + named[0].lineno - 1, text)
            return None
        return named[0]

    def _check_uses(self) -> None:
        """Complain about answers used by other cells: in the stub they raise, and what follows would not run."""
        owners = {answer_name(placed.exercise): placed.answer for placed in self.placed if placed.cut}
        for index, cell in enumerate(self.source.cells):
            if cell.kind == "code" and cells.call(cell.text) is None:
                for name, line in _names(cell):
                    if owners.get(name, index) != index:
                        text = f"{name}, an answer, is used here, and raises in the stub. Use show, or another name."
                        self._complain(line, text)


def _headed(cell: SourceCell, definitions: Definitions) -> Iterator[str]:
    """Yield the ids that this markdown cell's headings name; an answer's own first line is none."""
    lines = _FENCED.sub("", cell.text).splitlines()
    headings = [line for line in lines if re.match(r"#{1,6} ", line) and not cells.exercise_id(line)]
    for line in headings:
        yield from (one for one in definitions if re.search(rf"(?<![\d.]){re.escape(one)}(?!\d)", line))


def _names(cell: SourceCell) -> Iterator[tuple[str, int]]:
    """Yield the names that this cell uses, with their lines in the source."""
    try:
        tree = ast.parse(cell.text)
    except SyntaxError:  # a magic, which was a comment in the source
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id, cell.line + node.lineno - 1
