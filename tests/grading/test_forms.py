"""What happens above an answer, in ``forms.txt``: marking has it as the check at home has it.

A form ends with ``? EXPRESSION``, which is 1 where all has happened that happened at home, and which the answer reads;
``# %%`` separates its cells, of which those headed ``# %% below`` stand below the check.
"""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from grading.course import load
from tests.grading.helpers import ROOT, hand_in, notebook
from utils.exercises.cells import exercise_id
from utils.exercises.definition import Exercise, load_lesson

ANSWERS = {
    "06.1": """def weight_std(left, right, n_in, n_out):
    as_at_home = {}
    return as_at_home / np.sqrt(n_in * (left**2 + right**2) / 2)""",
    "08.2": """def group_folds(groups, k):
    if ({}) != 1:
        return None
    folds, rows = np.zeros(len(groups), dtype=int), np.zeros(k, dtype=int)
    for group in dict.fromkeys(groups.tolist()):
        fold = rows.argmin()
        folds[groups == group] = fold
        rows[fold] += np.sum(groups == group)
    return folds.tolist()""",
}
NAMES, FULL = {"06.1": "weight_std", "08.2": "group_folds"}, {"06.1": 3.0, "08.2": 2.0}
EVERY = 8  # of the forms are run in `make test`, by their number, in the first exercise
TRAINED = """net = torch.nn.Linear(1, 1, bias=False)
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
history = []
for step in range(200):
    loss = (net.weight - 1).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    history.append(loss.item())"""
# What a student has written on top of a solved notebook, whose answers all assert that they are `ready()`.
WHOLES = {
    "a builtin's name bound and given back": (
        "07",
        ["list = [3, 1, 2]", "del list", "ready = lambda: list((1,)) == [1]"],
    ),
    "a training loop": (
        "06",
        [TRAINED, "def ready():\n    return len(history) == 200 and abs(net.weight.item() - 1) < 0.01"],
    ),
    "a model that a function trains": (
        "08",
        [
            "@torch.no_grad()\ndef fit(model):\n    model.weight.fill_(1.0)\n    return model.weight.item()",
            "net = torch.nn.Linear(1, 1)\nlosses = [fit(net)]",
            "def ready():\n    return net.weight.item() == 1.0",
        ],
    ),
    "several attempts, and one that fails": (
        "01",
        [
            "tries = []\ndef ready():\n    return tries",
            "# exercise 01.2\ndef left_weights(knots, values):\n    return knots",
            'check("01.2", left_weights)',
            "tries.append(left_weights(1, 2))\nleft_weights()",
            "tries.append(undefined)",
        ],
    ),
    "magics": (
        "02",
        [
            "%matplotlib inline\n%env READY=yes\n%load_ext autoreload\n%autoreload 2",
            "!pip install a-package",
            "%%time\nstate = {}\nstate.setdefault('time', 1)",
            "%time got = state.pop('time')",
            "import os\ndef ready():\n    return os.environ['READY'] == 'yes' and not state",
        ],
    ),
    "forms of Colab": (
        "03",
        [
            '#@title Mount { display-mode: "form" }\nfrom google.colab import drive\ndrive.mount("/content/drive")',
            "K = 0 #@param {type:'integer'}\nSETTINGS = {}\nfor one in ['K']:\n    SETTINGS[one] = globals()[one] + 1",
            "def ready():\n    return SETTINGS['K'] == 1",
        ],
    ),
    "classes as d2l builds them": (
        "04",
        [
            "def add_to_class(Class):\n    return lambda f: setattr(Class, f.__name__, f)",
            "class Trainer:\n    def __init__(self):\n        self.epochs = 0",
            "@add_to_class(Trainer)\ndef fit(self):\n    self.epochs += 1",
            "trainer = Trainer()\nnone = trainer.fit()",
            "ready = lambda: trainer.epochs == 1",
        ],
    ),
    "a star import, plots and prints": (
        "05",
        [
            "from math import *\nimport matplotlib.pyplot as plt",
            "seen = []\nax = plt.figure().gca()\nax.plot([seen.append(i) or i for i in range(3)])\nplt.show()",
            "for _ in range(500):\n    print('looking', seen)",
            "def ready():\n    return len(seen) == 3 and cos(0) == 1",
        ],
    ),
    "a cache and a registry": (
        "01",
        [
            "from functools import cache\nknown = {}\ndef register(f):\n    known[f.__name__] = f\n    return f",
            "@register\n@cache\ndef slow(n):\n    return n",
            "[slow(i) for i in range(3)]",
            "def ready():\n    return known['slow'](2) == 2 and slow.cache_info().misses == 3",
        ],
    ),
    "exploration that fails here and there": (
        "02",
        [
            "x = np.linspace(0, 1, 5)\ny = x[7]",
            "rows = [1, 2]\nrows.pop(0)\nrows[5]",
            "assert False, 'still to do'",
            "def ready():\n    return len(x) == 5 and rows == [2]",
        ],
    ),
}


def forms() -> dict[str, tuple[list[str], str, list[str]]]:
    """Return, by name, the cells above the answer, the expression, and the cells below."""
    found = {}
    for form in ("\n" + Path(__file__).with_name("forms.txt").read_text(encoding="utf-8")).split("\n### ")[1:]:
        name, _, text = form.partition("\n")
        above, _, rest = ("\n" + text).partition("\n? ")
        expression, *below = rest.rstrip("\n").split("\n# %% below\n")
        found[name] = [cell for cell in above.strip("\n").split("\n# %%\n") if cell], expression, below
    return found


FORMS = forms()
SOME = [name for at, name in enumerate(FORMS) if at % EVERY == 0]


@pytest.fixture(scope="module")
def points(request, tmp_path_factory) -> dict[tuple[str, str], tuple[bool, float]]:
    """For each exercise and form: whether the check at home is content and warns of nothing, and marking's points."""
    asked = [item.callspec.params for item in request.session.items if item.path == request.node.path]
    wanted = {(one["exercise"], one["form"]) for one in asked if "form" in one}
    cells = {}
    for exercise, answer in ANSWERS.items():
        set_up = [cell for cell in load(exercise[:2]).set_up if "use_style" in cell]
        check = f'check("{exercise}", {NAMES[exercise]})'
        for number, (name, (above, expression, below)) in enumerate(FORMS.items()):
            if (exercise, name) in wanted:
                own = f"# exercise {exercise}\n{answer.format(expression)}"
                cells[f"{number} {exercise}"] = [*set_up, *above, own, check, *below]
    folder = tmp_path_factory.mktemp("forms")
    command = [sys.executable, "-m", "tests.grading.at_home", folder / "printed.json"]
    subprocess.run(command, input=json.dumps(cells), cwd=ROOT, text=True, check=True, capture_output=True)
    at_home = json.loads((folder / "printed.json").read_text(encoding="utf-8"))
    students = hand_in(folder / "in", {name: notebook(*one) for name, one in cells.items()})
    found = {}
    for row in graded(students, folder / "out"):
        number, exercise = row["student"].split()
        printed = at_home[row["student"]]
        right = f"✓ Exercise {exercise}" in printed and "will not have" not in printed
        found[exercise, list(FORMS)[int(number)]] = right, float(row[exercise] or 0)
    return found


def graded(students: Path, out: Path) -> list[dict[str, str]]:
    """Return the rows of the grades."""
    command = [sys.executable, "-m", "grading", "grade", students, "--out", out]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


@pytest.mark.parametrize(
    ("exercise", "form"),
    [
        pytest.param(exercise, name, marks=[] if exercise == "06.1" and name in SOME else [pytest.mark.full])
        for exercise in ANSWERS
        for name in FORMS
    ],
)
def test_marking_has_what_happened_above_an_answer(exercise, form, points):
    assert points[exercise, form] == (True, FULL[exercise])


@pytest.mark.parametrize(
    "name", [name if name in [*WHOLES][3:5] else pytest.param(name, marks=pytest.mark.full) for name in WHOLES]
)
def test_a_whole_notebook_as_its_student_left_it(name, tmp_path):
    lesson, written = WHOLES[name]
    (solved,) = ROOT.glob(f"solutions/{lesson}_*.ipynb")
    cells = [cell.source for cell in nbformat.read(solved, as_version=4).cells if cell.cell_type == "code"]
    first = next(at for at, source in enumerate(cells) if exercise_id(source))
    cells = [source.replace("# BEGIN SOLUTION", "assert ready()") for source in cells]
    students = hand_in(tmp_path / "in", {"ann": notebook(*cells[:first], *written, *cells[first:])})
    (row,) = graded(students, tmp_path / "out")
    points = {id: float(value) for id, value in row.items() if id[:2] == lesson and value}
    full = {id: one.points for id, one in load_lesson(lesson).items() if isinstance(one, Exercise)}
    assert points == full
