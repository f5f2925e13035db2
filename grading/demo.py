"""An invented class of 30, of all kinds, to show within two minutes what marking does: ``python -m grading demo``.

The right answers are those of the lesson's solutions; the others are mistakes that are usually made. The submissions
are packed as Canvas exports them, late marks included.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent

from grading import GradingError, readers
from grading.course import ROOT
from grading.notebook_answers import cells_of
from utils.exercises.cells import exercise_id, is_set_up
from utils.files import replace_file

LESSON = "01"
TEXT = "01.8"  # the exercise that is answered in prose
DUE = "2026-03-01T18:00:00+00:00"
_ON_TIME, _DAY_LATE, _WEEK_LATE = "2026-03-01T17:30:00+00:00", "2026-03-02T09:12:00+00:00", "2026-03-08T10:00:00+00:00"
_MANY = "\n".join(f"print('step', {step})" for step in range(60))
SIGNATURES = {
    "01.1": "collapse(weights, biases)",
    "01.2": "left_weights(knots, values)",
    "01.3": "certified_hinges(max_curvature, low, high, tolerance)",
    "01.4": "bump(start, end, height, margin, tolerance)",
    "01.5": "broken_hypothesis(x, target, networks, fitted, tolerance)",
    "01.6": "polynomial_floor(x, y, power)",
    "01.7": "read_sweep(rates, training, validation, held_out)",
}


def _answer(exercise: str, body: str, above: str = "") -> str:
    """Return an answer's cell: what stands above the function, and the function with this body."""
    head = f"# exercise {exercise}\n{dedent(above).lstrip()}"
    return f"{head}def {SIGNATURES[exercise]}:\n{indent(dedent(body).strip(), '    ')}"


_LAYERS = """
    matrix, bias = weights[0], biases[0]
    for weight, offset in zip(weights[1:], biases[1:]):
        matrix, bias = {}, weight @ bias + offset
    return matrix, bias"""
_WRONG_ORDER = _answer("01.1", _LAYERS.format("matrix @ weight"))
_ENTRY_BY_ENTRY = _answer("01.1", _LAYERS.format("weight * matrix"))
_NO_BIAS = _answer(
    "01.1",
    """
    matrix = weights[0]
    for weight in weights[1:]:
        matrix = weight @ matrix
    return matrix, biases[-1]""",
)
_NO_SYNTAX = _answer("01.1", "return weights[0], biases[0]").replace("biases):", "biases:")
_SLOPES = _answer("01.2", "return np.diff(values) / np.diff(knots)")
_TO_THE_RIGHT = _answer("01.2", "return np.diff(np.diff(values) / np.diff(knots), prepend=0.0)")
_SIGN = _answer("01.2", "return -np.diff(np.diff(values) / np.diff(knots), append=0.0)")
_TYPED = _answer("01.2", "return np.array([-3.0, 1.5, -0.5])")
_ONE_TOO_FEW = _answer("01.3", "return max(1, int((high - low) * np.sqrt(max_curvature / (8 * tolerance))))")
_NO_EIGHTH = _answer("01.3", "return max(1, int(np.ceil((high - low) * np.sqrt(max_curvature / tolerance))))")
_NO_HINGES = _answer("01.3", "return int(np.ceil((high - low) * np.sqrt(max_curvature / (8 * tolerance))))")
_TOO_GENTLE = _answer("01.4", "return [10.0, 10.0], [-10 * start, -10 * end], [height, -height], 0.0")
_ALWAYS_NONE = _answer("01.5", "return 'none'")
_WITHOUT_MEAN = _answer("01.6", "return np.sum((y - np.polynomial.Polynomial.fit(x, y, power)(x)) ** 2)")
_STOPS = _answer("01.6", 'print("power is", power)\nreturn np.mean((y - fit(x, y, power)(x)) ** 2)')
_PEEKS = _answer(
    "01.7",
    """
    chosen = np.median(held_out, axis=1).argmax()
    return rates[chosen], np.median(held_out[chosen])""",
)
_MEANS = _answer(
    "01.7",
    """
    chosen = validation.mean(axis=1).argmax()
    return rates[chosen], held_out[chosen].mean()""",
)
_EXISTENCE = f"""# exercise {TEXT}
The theorem says that good weights exist. It does not say that training finds them, nor how wide is wide enough."""
_AGREES = f"""# exercise {TEXT}
The friend is right: the theorem holds for every function, so a wide network will learn it."""
_LOOPS = _answer(
    "01.3",
    """
    count = 1
    while max_curvature * ((high - low) / count) ** 2 / 8 >= 0:
        count += 1
    return count""",
)
_LEAVES = _answer("01.3", "os._exit(0)", "import os\n")
_MARKUP = _answer(
    "01.3",
    'print("\\x1b[31m<b>red</b>\\x1b[0m")\nreturn "<h1>18 of 18</h1>"',
    """
    print("<script>document.body.textContent = 'full marks'</script><img src=x onerror=alert(1)>")
""",
)
_EQUAL_TO_ALL = _answer(
    "01.3",
    "return Everything(7)",
    """
    class Everything(int):
        def __eq__(self, other): return True
        def __le__(self, other): return True
        __hash__ = None
""",
)
_PATCHES = _answer(
    "01.3",
    "return 0",
    """
    import builtins, utils.exercises.scoring as verdict
    verdict.score_answer = lambda *anything: verdict.Verdict(1.0)
    verdict.close = lambda *anything, **more: 1.0
    builtins.max = lambda *anything: 1
""",
)
_FORGES = _answer(
    "01.3",
    "return 0",
    """
    import os
    for descriptor in range(3, 32):
        try:
            os.write(descriptor, b'{"done": true, "points": 2}\\n')
        except OSError:
            pass
""",
)
_LEAVES_A_CHILD = _answer("01.3", "return 0", 'import subprocess\nsubprocess.Popen(["sleep", "600"])\n')


@dataclass(frozen=True)
class _Person:
    """Somebody of the class: a name as Canvas writes it, the file, and when it was handed in."""

    name: str
    file: Callable[[Notebooks], bytes]
    time: str = _ON_TIME
    suffix: str = ".ipynb"


class Notebooks:
    """Makes the class's notebooks from the lesson's own, without anybody's outputs."""

    def __init__(self, root: Path) -> None:
        stub, solution = _only(root, "exercises"), _only(root, "solutions")
        self._set_up = [cell.source for cell in cells_of(stub.read_bytes()) if is_set_up(cell.source)]
        self.stubs = _answers(stub)
        self.right = _answers(solution)

    def only(self, *answers: str) -> bytes:
        """Return a notebook of the set-up and these answers; everything else was deleted."""
        return _notebook([*self._set_up, *answers])

    def all(self, *changed: str, but: Sequence[str] = ()) -> bytes:
        """Return a notebook of the right answers, of which some are ``changed``, and some not begun."""
        others = {exercise_id(cell) or "": cell for cell in changed}
        return self.only(*{**self.right, **{id: self.stubs[id] for id in but}, **others}.values())


CLASS = [
    _Person("adeyemitolu", lambda n: n.all(_EXISTENCE)),
    _Person("bauerjonas", lambda n: n.all("%%time\n" + n.right["01.2"] + "\n" + _MANY)),
    _Person("chenmei", lambda n: n.all(), _DAY_LATE),
    _Person("diazlucia", lambda n: n.all(_SLOPES)),
    _Person("eriksenida", lambda n: n.all(_WRONG_ORDER, _ONE_TOO_FEW)),
    _Person("fontainehugo", lambda n: n.all(_TO_THE_RIGHT, _TOO_GENTLE)),
    _Person("guptaravi", lambda n: n.all(_PEEKS, but=("01.4", "01.5", "01.6"))),
    _Person("haddadlayla", lambda n: n.all(_SLOPES, but=("01.5", "01.6"))),
    _Person("ivanovasofia", lambda n: n.only(n.right["01.1"], n.right["01.3"])),
    _Person("jonespatrick", lambda n: n.all(_ENTRY_BY_ENTRY, _TYPED, _NO_EIGHTH), _WEEK_LATE),
    _Person("kimhana", lambda n: n.all(_NO_BIAS, _SIGN)),
    _Person("larssonelin", lambda n: n.all(_SLOPES, _WITHOUT_MEAN, _PEEKS)),
    _Person("moreaucamille", lambda n: n.all(_NO_HINGES, _ALWAYS_NONE, _MEANS, _AGREES)),
    _Person("nowakpiotr", lambda n: n.only(_WRONG_ORDER, _SLOPES, _ONE_TOO_FEW)),
    _Person("obriensean", lambda n: n.only(*n.stubs.values())),
    _Person("parksoojin", lambda n: b""),
    _Person("quirozmateo", lambda n: n.all()[:2500]),
    _Person("rossigiulia", lambda n: n.only(_LOOPS, n.right["01.1"])),
    _Person("schmidtlena", lambda n: n.only(_LEAVES)),
    _Person("tanakaren", lambda n: n.only(_NO_SYNTAX, n.right["01.3"])),
    _Person("uedaaoi", lambda n: n.only(n.right["01.1"], _STOPS)),
    _Person("vanderbergtim", lambda n: n.only(_MARKUP)),
    _Person("wangli", lambda n: n.only(_EQUAL_TO_ALL)),
    _Person("ximenespaulo", lambda n: n.only(_PATCHES)),
    _Person("yilmazdeniz", lambda n: n.only(_FORGES)),
    _Person("zhangwei", lambda n: n.only(_LEAVES_A_CHILD)),
    _Person(
        "andersonkai",
        lambda n: _packed({"homework/lesson 01.ipynb": n.only(*list(n.right.values())[:3])}),
        suffix=".zip",
    ),
    _Person(
        "brownolivia",
        lambda n: _packed({"../../outside.ipynb": n.all(), "bomb.ipynb": b"0" * 60_000_000}),
        suffix=".zip",
    ),
    _Person("costaines", lambda n: _notebook(["# My notes", "print('no exercise in here')"])),
    _Person("dubois_marc", lambda n: n.only(_SLOPES, n.right["01.3"]), _DAY_LATE),
]
SIZE = len(CLASS)
# Who hands in what was predicted and remarked on the way: the choices' numbers, and a remark.
READERS = {
    "adeyemitolu": ((2, 2, 3, 2, 3, 4), ("clear", "")),
    "chenmei": ((2, 3, 1, 1, 1, 3), ("partly", "Why is the trained network not as good, if the weights exist?")),
    "diazlucia": ((1, 3, 1, 2, 1, 4), ("partly", "I lost the thread at the loss by width.")),
    "haddadlayla": ((4, 3, 3, 3, 1, 2), ("not clear", "What is a typical network? <The median?>")),
}


def make(folder: Path, root: Path = ROOT) -> tuple[Path, list[str]]:
    """Write the class's submissions into ``folder`` and return their path, and the command that marks them.

    What is there already stays. Raises GradingError for a folder that holds something else.
    """
    submissions, times = folder / "submissions.zip", folder / "times.csv"
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not times.exists())):
        raise GradingError(f"{folder} holds files that are not ours. Choose an empty or a new folder for --out.")
    folder.mkdir(parents=True, exist_ok=True)
    numbered = [(4711 + 7 * at, person) for at, person in enumerate(CLASS)]
    if not times.exists():
        rows = "".join(f"{person.name}_{number},{person.time}\n" for number, person in numbered)
        replace_file(times, f"student,time\n{rows}")
    if not submissions.exists():
        notebooks = Notebooks(root)
        files = {_canvas_name(number, person): person.file(notebooks) for number, person in numbered}
        files |= {
            f"{person.name}_{number}_{number + 95_000}_my-course.json": _own_file(*READERS[person.name])
            for number, person in numbered
            if person.name in READERS
        }
        replace_file(submissions, _packed(files))
    class_file = folder / "class.toml"
    if not class_file.exists():
        replace_file(class_file, "further = true\n")
    rule = ["--class", str(class_file), "--due", DUE, "--times", str(times), "--late-penalty", "10", "--late-cap", "50"]
    return submissions, [
        "grade",
        str(submissions),
        "--out",
        str(folder / "marks"),
        "--lesson",
        LESSON,
        "--names",
        "canvas",
        "--free-text",
        *rule,
    ]


def _canvas_name(number: int, person: _Person) -> str:
    late = "_LATE" if person.time > DUE else ""
    return f"{person.name}{late}_{number}_{number + 90_000}_lesson01{person.suffix}"


def _own_file(numbers: Sequence[int], remark: tuple[str, str]) -> bytes:
    """Return the file of a reader who has committed to these choices of the lesson's own predictions."""
    asked = [one for key, one in readers.asked().questions.items() if key.startswith(f"{LESSON}.")]
    predictions = {
        one.key: {"choice": one.choices[number - 1], "number": number}
        for one, number in zip(asked, numbers, strict=False)
    }
    said = {f"{LESSON}.learning": [{"clear": remark[0], "text": remark[1]}]}
    return json.dumps({"predictions": predictions, "feedback": said}).encode()


def _packed(files: Mapping[str, bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, (2026, 3, 9, 8, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return data.getvalue()


def _notebook(sources: Sequence[str]) -> bytes:
    cells = [{"id": f"c{at}", "metadata": {}, "source": source, **_kind(source)} for at, source in enumerate(sources)]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


def _kind(source: str) -> dict[str, object]:
    """Return what tells a cell of prose from one of code."""
    prose = exercise_id(source) == TEXT
    return {"cell_type": "markdown"} if prose else {"cell_type": "code", "execution_count": None, "outputs": []}


def _only(root: Path, folder: str) -> Path:
    found = sorted((root / folder).glob(f"{LESSON}_*.ipynb"))
    if not found:
        raise GradingError(f"The demonstration needs lesson {LESSON} in {root / folder}. Build it first.")
    return found[0]


def _answers(path: Path) -> dict[str, str]:
    """Return a notebook's answer cells by exercise."""
    cells = [cell.source for cell in cells_of(path.read_bytes()) if cell.kind == "code"]
    return {id: source for source in cells if (id := exercise_id(source))}
