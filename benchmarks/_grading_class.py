"""One torch exercise in the formats of three graders, and a class that has answered it rightly or wrongly."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LESSON, POINTS = "95", 3
SET_UP = "import torch"
SIGNATURE = "def layer(weight, bias, x):"
RIGHT = f"{SIGNATURE}\n    return torch.relu(x @ weight.T + bias)"
WRONG = f"{SIGNATURE}\n    return x @ weight.T + bias"
TEST = """generator = torch.Generator().manual_seed(1)
for n in (1, 2, 5, 9):
    weight, bias, x = (torch.randn(shape, generator=generator) for shape in ((3, n), (3,), (7, n)))
    assert torch.allclose(layer(weight, bias, x), (x @ weight.T + bias).clamp(min=0))"""
DEFINITION = f'''"""One exercise of the benchmark."""

from utils.exercises.definition import Exercise
from utils.exercises.comparing import close


def layer_cases(rng):
    for n in (1, 2, 5, 9):
        yield {{"weight": rng.normal(size=(3, n)), "bias": rng.normal(size=3), "x": rng.normal(size=(7, n))}}, None


def layer_verify(given, hidden, value, expected):
    return close(value, expected)


EXERCISES = [Exercise("{LESSON}.1", {POINTS}, "layer", layer_cases, layer_verify, [], seconds=1)]
'''
# Our cases are drawn as arrays, so the function begins by making tensors of them; the arithmetic is the same.
TENSORS = "    weight, bias, x = (torch.as_tensor(part) for part in (weight, bias, x))"
SOURCE = f"""# %% [markdown]
r\"\"\"
# {LESSON} Benchmark
\"\"\"

# %%
# set-up
{SET_UP}

from utils.exercises import check

# %% [markdown]
r\"\"\"
## Exercise {LESSON}.1
\"\"\"

# %%
# exercise {LESSON}.1
{SIGNATURE}
    \"\"\"Return what a layer of ReLU units does to each row of x.\"\"\"
    # BEGIN SOLUTION
{TENSORS}
    return torch.relu(x @ weight.T + bias)
    # END SOLUTION


# %%
check("{LESSON}.1", layer)
"""


def students(count: int) -> dict[str, bool]:
    """Return names, and whether their answer is right: every third is wrong."""
    return {f"s{number:03}": number % 3 != 2 for number in range(count)}


def expected_marks(count: int) -> dict[str, float]:
    """Return what each student has earned."""
    return {name: float(POINTS * right) for name, right in students(count).items()}


def code_cell(source: str, **metadata: Any) -> dict[str, Any]:
    """Return one code cell as JSON."""
    return {"cell_type": "code", "execution_count": None, "metadata": metadata, "outputs": [], "source": source}


def write_notebook(path: Path, *cells: dict[str, Any]) -> None:
    """Write a notebook of these cells."""
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    made = [{**cell, "id": f"cell-{number}"} for number, cell in enumerate(cells)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"cells": made, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}))


def copy_course(course: Path) -> Path:
    """Return ``course``, holding a copy of the course's own code without its lessons."""
    unwanted = shutil.ignore_patterns("__pycache__", "lesson_[0-8]*", "*.json")
    for package in ("utils", "authoring", "cluster", "grading"):
        shutil.copytree(ROOT / package, course / package, ignore=unwanted)
    shutil.copy(ROOT / "pyproject.toml", course)
    return course


def add_lesson(course: Path, stem: str, definition: str, source: str) -> None:
    """Give the course a lesson: its exercises, the source of its notebook, and the cases that are drawn from both."""
    exercises = course / "utils" / f"lesson_{stem[:2]}" / "exercises"
    cases = course / "utils" / "exercises" / "cases"
    for folder in (exercises, cases, course / "notebooks", course / "solutions"):
        folder.mkdir(parents=True, exist_ok=True)
    (exercises / "__init__.py").write_text(definition)
    for folder in ("notebooks", "solutions"):
        (course / folder / f"{stem}.py").write_text(source)
    drawing = [sys.executable, "-m", "authoring.case_generation", str(course), stem, str(cases)]
    subprocess.run(drawing, cwd=course, check=True, capture_output=True)


def our_course(folder: Path) -> Path:
    """Return a copy of the course whose one lesson is the benchmark's."""
    course = copy_course(folder / "course")
    add_lesson(course, f"{LESSON}_benchmark", DEFINITION, SOURCE)
    return course


def our_class(folder: Path, count: int) -> Path:
    """Return a folder of notebooks as they are handed in here."""
    for name, right in students(count).items():
        answer = (RIGHT if right else WRONG).replace(SIGNATURE, f"{SIGNATURE}\n{TENSORS}")
        cells = [f"# set-up\n{SET_UP}", f"# exercise {LESSON}.1\n{answer}", f'check("{LESSON}.1", layer)']
        write_notebook(folder / f"{name}.ipynb", *map(code_cell, cells))
    return folder


def nbgrader_course(folder: Path, count: int) -> Path:
    """Return a course folder of nbgrader's, with what its students handed in."""
    write_notebook(folder / "source" / "ps" / "ps.ipynb", *_nbgrader_cells(RIGHT))
    for name, right in students(count).items():
        write_notebook(folder / "submitted" / name / "ps" / "ps.ipynb", *_nbgrader_cells(RIGHT if right else WRONG))
    return folder


def _nbgrader_cells(answer: str) -> list[dict[str, Any]]:
    common = {"schema_version": 3, "task": False}
    solution = {**common, "grade": False, "solution": True, "locked": False, "grade_id": "layer"}
    test = {**common, "grade": True, "solution": False, "locked": True, "grade_id": "test", "points": POINTS}
    return [code_cell(SET_UP), code_cell(answer, nbgrader=solution), code_cell(TEST, nbgrader=test)]


def otter_class(folder: Path, count: int) -> Path:
    """Return a folder with a test of otter's and what its students handed in."""
    test = "\n".join(f"    {line}" for line in TEST.splitlines())
    head = f'from otter.test_files import test_case\n\nOK_FORMAT = False\nname = "q1"\npoints = {POINTS}\n\n'
    (folder / "tests").mkdir(parents=True)
    (folder / "tests" / "q1.py").write_text(f"{head}@test_case()\ndef test_layer(layer):\n    import torch\n{test}\n")
    for name, right in students(count).items():
        write_notebook(folder / f"{name}.ipynb", code_cell(SET_UP), code_cell(RIGHT if right else WRONG))
    return folder
