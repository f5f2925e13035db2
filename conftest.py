"""nbval for exercise notebooks, in any folder and under any name: green exactly when every exercise is solved.

They are recognised by their check cells. What a check cell is compared with is the text of full marks, not the output
that the file at hand holds (a student's saved notebook holds their own). Check cells that are missing, duplicated or
edited fail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbval.plugin import IPyNbCell, IPyNbFile

from utils.exercises import Exercise, load_lesson
from utils.exercises.cells import call, called_id
from utils.exercises.checking import full_marks_text, pending_text
from utils.exercises.definition import lessons_with_exercises


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> Iterator[None]:
    collectors = yield
    return [
        ExerciseNotebook.from_parent(parent, path=file_path)
        if isinstance(collector, IPyNbFile) and _lesson_of(file_path)
        else collector
        for collector in collectors
    ]


def _lesson_of(path: Path) -> str | None:
    """Return the lesson whose exercises most of a notebook's checks are for, None where it has none of ours."""
    called = (called_id(cell.source) for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")
    lessons = Counter(one[1][:2] for one in called if one and one[0] == "check")
    known = [number for number, _ in lessons.most_common() if number in lessons_with_exercises()]
    return known[0] if known else None


class ExerciseNotebook(IPyNbFile):
    """A notebook whose check cells must print full marks; whatever else it holds is run, not judged."""

    def collect(self) -> Iterator[pytest.Item]:
        exercises = load_lesson(_lesson_of(self.path))
        found = Counter()
        for item in super().collect():
            called = called_id(item.cell.source)
            if called is None or called[0] != "check":
                item.options.update(check=False, check_exception=True, skip=False)
                item.cell.update(outputs=[], execution_count=1)
                yield item
                continue
            found[called[1]] += 1
            yield CheckCell.of(item, exercises.get(called[1]))
        for exercise_id in exercises:
            if found[exercise_id] != 1:
                yield WrongCount.from_parent(self, name=f"check {exercise_id}", count=found[exercise_id])


class CheckCell(IPyNbCell):
    """A check cell, compared with the text of full marks."""

    @classmethod
    def of(cls, item: IPyNbCell, exercise: object) -> CheckCell:
        """Return the item as a check cell of ``exercise``, None for an id that the lesson does not have."""
        options = {"check": True, "check_exception": False, "skip": False}
        made = cls.from_parent(item.parent, name=item.name, cell_num=item.cell_num, cell=item.cell, options=options)
        made.exercise = exercise
        return made

    def runtest(self) -> None:
        called = call(self.cell.source)
        wanted = getattr(self.exercise, "answer_name", None)
        if self.exercise is None or called is None or (wanted and called[2] != wanted):
            self.raise_cell_error("This check cell was edited: it must hold nothing but check(id, name).")
        text = full_marks_text if isinstance(self.exercise, Exercise) else pending_text
        output = nbformat.v4.new_output("stream", name="stdout", text=text(self.exercise) + "\n")
        self.cell.update(outputs=[output], execution_count=1)
        super().runtest()


class WrongCount(pytest.Item):
    """The failure of an exercise that has no check cell, or several."""

    def __init__(self, *, count: int, **kwargs: object) -> None:
        super().__init__(**kwargs)
        self.count = count

    def runtest(self) -> None:
        pytest.fail(f"{self.name}: the notebook holds {self.count} such cells, it must hold one", pytrace=False)
