"""What a reader writes on the site's pages, judged by the browser's own Python."""

from __future__ import annotations

import base64
import csv
import functools
import hashlib
import importlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from playwright.sync_api import Locator, Page, expect

from authoring.course import all_pages
from authoring.digests import files_of
from authoring.handout import write_zip
from tests.answers import AnswerSuite
from tests.doors.day import BLANK, EXERCISE, NO_BIAS, POINTS, RIGHT, SLOPES
from tests.site.parity import MISSING, hints_of_blanks
from tests.sites import ROOT, module, reader, serving
from utils import pages, rooms
from utils.exercises import blanks
from utils.exercises.checking import report
from utils.exercises.definition import find, lessons_with_exercises, load_lesson

pytestmark = pytest.mark.slow
PATH, EXERCISES = "notebooks/01_universal_approximation", "exercises/01_universal_approximation"
STUB = f"def left_weights(knots, values):\n    return {'{}'}"
LOADED = 60_000  # milliseconds, for an interpreter that begins on a busy machine
FEW = ("01.2", "02.5", "03.1", "04.1", "05.1", "06.1", "07.1", "08.1", "08.3", "01.6")
PRINTED = {  # the blanks whose cells print with NumPy alone
    *("01.network", "01.hand-built", "01.certified", "01.floor", "02.tent", "02.next", "03.distance", "03.fold"),
    *("04.bound", "04.cut", "04.term", "05.length", "05.chi", "06.scaled", "06.factors"),
}
# Begins a worker that judges one after the other what it is asked, and returns what it says.
BEGIN = """() => new Promise((resolve, reject) => {
    const worker = new Worker("/_static/python/worker.js?lesson=01", { type: "module" });
    worker.onerror = reject;
    worker.onmessage = () => 0;
    window.ask = (asked) => new Promise((resolve) => {
        const said = [];
        const next = () => worker.postMessage({ number: said.length + 1, ...asked[said.length] });
        worker.onmessage = ({ data }) => {
            if (data.number) said.push(data.said);
            if (said.length === asked.length) resolve(said);
            else if (data.number) next();
        };
        next();
    });
    resolve();
})"""


@pytest.fixture(scope="module")
def python() -> ModuleType:
    """What brings Python to the site."""
    made = module("browser_python")
    if not made.is_there():
        (pytest.fail if os.environ.get("CI") else pytest.skip)("no place that has Python for browsers answered")
    return made


@pytest.fixture
def page(python, browser, address) -> Iterator[Page]:
    """A page of somebody who has never been here."""
    with reader(browser, address) as page:
        yield page


def written(page: Page, key: str) -> Locator:
    return page.locator(f'.write:is([data-blank="{key}"], [data-exercise="{key}"])')


def judge(part: Locator, text: str | None = None) -> Locator:
    """Return the feedback on what stands in an editor, or on this text."""
    if text is not None:
        part.locator("textarea").fill(text)
    button = part.get_by_role("button", name=re.compile("Run|Check"))
    button.click()
    expect(button).to_be_enabled(timeout=LOADED)
    return part.get_by_label("what the check says")


def test_a_day_on_the_site(page, address, tmp_path):
    page.goto(f"{address}{PATH}.html")
    network = written(page, "01.network")
    expect(judge(network, BLANK.format(""))).to_contain_text(NO_BIAS)
    expect(page.locator('.output[data-of="01.network"]')).to_be_visible()
    expect(judge(network, BLANK.format("bias + "))).to_contain_text("✓ Your network is right")
    expect(network).to_contain_text("[1.  1.  0.5]")
    expect(page.locator('.output[data-of="01.network"]')).to_be_hidden()  # what the course's line printed
    form = page.locator("form[data-prediction]:visible").first
    form.locator("input").first.check()
    form.get_by_role("button", name="Commit").click()
    expect(page.locator(".prediction-said").first).to_be_visible()

    page.goto(f"{address}{EXERCISES}.html")
    exercise = written(page, EXERCISE)
    expect(judge(exercise, STUB.format(SLOPES))).to_contain_text("These are the slopes")
    right = STUB.format(RIGHT)
    expect(judge(exercise, right)).to_contain_text(f"✓ Exercise {EXERCISE}: {POINTS} of {POINTS} points.")
    page.reload()
    expect(exercise.locator("textarea")).to_have_value(right)
    expect(exercise.get_by_role("status")).to_have_text(f"Last time: {POINTS} of {POINTS} points.")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download my notebook").click()
    mine = tmp_path / "handed in/Ada.ipynb"
    download.value.save_as(mine)
    page.goto(f"{address}site/contents.html")
    expect(page.locator("article")).to_contain_text(f"solved: {EXERCISE}")

    command = [sys.executable, "-m", "grading", "grade", mine.parent, "--lesson", "01", "--out", tmp_path / "marks"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    with (tmp_path / "marks/grades.csv").open(encoding="utf-8", newline="") as file:
        assert [float(row[EXERCISE]) for row in csv.DictReader(file)] == [POINTS]

    page.goto(f"{address}{EXERCISES}.html")
    exercise.get_by_role("button", name="Start again").click()
    page.set_input_files("input[type=file]", mine)
    expect(page.locator(".whole [role=status]")).to_contain_text(f"Here now, of Ada.ipynb: {EXERCISE}.")
    expect(exercise.locator("textarea")).to_have_value(right)
    page.set_input_files("input[type=file]", ROOT / "README.md")
    expect(page.locator(".whole [role=status]")).to_contain_text("README.md is no notebook of this lesson's exercises")


def test_what_goes_wrong_is_said_and_the_page_lives(page, address):
    page.add_init_script("Storage.prototype.setItem = () => { throw Error('full'); }")
    page.goto(f"{address}{EXERCISES}.html")
    exercise = written(page, EXERCISE)
    expect(judge(exercise, "def left_weights(knots, values:\n    pass")).to_contain_text(
        "SyntaxError: '(' was never closed"
    )
    expect(exercise.get_by_role("status")).to_contain_text("not kept")
    expect(judge(exercise, STUB.format("knots + nothing"))).to_contain_text("(in the line: return knots + nothing)")
    expect(judge(exercise, f"import torch\n{STUB.format(SLOPES)}")).to_contain_text("No module named 'torch'")
    printing = judge(exercise, f"for number in range(9999): print(number)\n{STUB.format(SLOPES)}")
    expect(printing).to_contain_text("19\n✗")
    expect(judge(exercise, STUB.format("[0][0:][values]"))).to_contain_text("TypeError")
    expect(judge(exercise, "raise SystemExit")).to_contain_text("your cell stops with an error")
    endless = judge(exercise, "def left_weights(knots, values):\n    while True: pass")
    expect(endless).to_be_hidden()
    expect(exercise.get_by_role("status")).to_contain_text("There was no answer after 10 seconds")
    expect(judge(exercise, STUB.format(RIGHT))).to_contain_text("✓")


def test_an_editor_is_used_by_keyboard_and_in_two_tabs(page, address):
    page.goto(f"{address}{EXERCISES}.html")
    other = page.context.new_page()
    other.goto(f"{address}{EXERCISES}.html")
    area = written(page, EXERCISE).locator("textarea")
    expect(area).to_have_attribute("aria-label", re.compile("exercise 01.2, Python"))
    stub = area.input_value()
    page.bring_to_front()
    area.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("def left_weights(knots, values):\n")  # the editor indents below a colon
    page.keyboard.type("return values")
    assert area.input_value() == STUB.format("values")
    expect(written(other, EXERCISE).locator("textarea")).to_have_value(STUB.format("values"))
    page.keyboard.press("Control+Enter")
    expect(written(page, EXERCISE).get_by_label("what the check says")).to_contain_text("0 of 3", timeout=LOADED)
    page.keyboard.press("Tab")
    expect(area).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(written(page, EXERCISE).get_by_role("button", name="Check")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(area).to_have_value(stub)
    page.keyboard.press("Control+Z")
    expect(area).to_have_value(re.compile("return values"))


def test_without_a_network_a_visited_page_goes_on(python, browser, address):
    with reader(browser, address, service_workers="allow") as page:
        page.goto(f"{address}{PATH}.html")
        page.evaluate("navigator.serviceWorker.ready")
        page.reload()
        judge(written(page, "01.network"))
        page.context.set_offline(True)
        page.reload()
        expect(judge(written(page, "01.network"), BLANK.format("bias + "))).to_contain_text("✓", timeout=LOADED)


def test_opened_as_a_file_a_page_says_how_to_write_in_it(python, browser, site):
    with reader(browser, f"{site.as_uri()}/") as page:
        page.goto(f"{site.as_uri()}/{PATH}.html")
        expect(page.get_by_text("python -m http.server -d _site")).to_be_visible()
        expect(page.get_by_text("...  # your turn").first).to_be_visible()


# --- the same verdicts as at home -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ask(python, browser, address, tmp_path_factory) -> Iterator[Callable[[list[dict]], list[str]]]:
    """What asks one worker for all lessons: it has their modules, and the answers that prove their exercises."""
    files: dict[str, bytes] = {}
    cells: dict[str, list[str]] = {}
    for contents in python.lessons(ROOT).values():
        files |= contents
        cells |= json.loads(contents["cells.json"])
    begin = [*FILES, ROOT / "tests/site/parity.py"]
    for name, path in files_of(begin, ROOT, ("tests", "utils")).items():
        files[name.removeprefix("tests/site/")] = path.read_bytes()
    archive = tmp_path_factory.mktemp("packed") / "all.zip"
    write_zip(archive, files | {"cells.json": json.dumps(cells).encode()})
    packed = base64.b64encode(archive.read_bytes()).decode()
    unpack = f"import base64, io, zipfile\npacked = io.BytesIO(base64.b64decode('{packed}'))\n"
    unpack += "zipfile.ZipFile(packed).extractall('/course')"
    with reader(browser, address) as page:
        page.goto(address)
        page.evaluate(BEGIN)
        page.evaluate("window.ask", [{"call": "exercise", "given": [EXERCISES, EXERCISE, {EXERCISE: unpack}]}])
        yield lambda asked: page.evaluate("window.ask", asked)


def test_each_blank_takes_the_courses_line_and_its_page_goes_on(ask, notebook_pages):
    """But for what the pages say needs more than NumPy. 07.growth's cell answers a prediction, and prints nothing."""
    for number in lessons_with_exercises():
        pages.register({}, of_blanks=rooms.module_of(number, "blanks").BLANKS)
    keys = sorted(pages.blanks)
    said = ask([{"call": "blank", "given": [stem_of(key), key, source_of(key), False]} for key in keys])
    for key, one in zip(keys, said, strict=True):
        assert one.startswith(f"✓ Your {pages.blank(key).name} is right") == (key not in notebook_pages.ELSEWHERE), one
    assert {key for key, one in zip(keys, said, strict=True) if "\n" in one} - set(notebook_pages.ELSEWHERE) == PRINTED


def name_of(path: Path) -> str:
    return f"tests.{path.parts[-3]}.answers.{path.stem}"


def stem_of(key: str) -> str:
    (found,) = [page.stem for page in all_pages(ROOT) if page.stem.startswith(f"{key.partition('.')[0]}_")]
    return f"notebooks/{found}"


def source_of(key: str) -> str:
    source = (ROOT / f"{stem_of(key)}.py").read_text(encoding="utf-8")
    name = pages.blank(key).name
    return next(one[1] for one in blanks.CELL.finditer(source) if one[1].startswith(f"def {name}("))


def test_the_listed_mistakes_of_blanks_have_the_hints_that_they_have_at_home(ask, notebook_pages):
    elsewhere, compared = [*notebook_pages.ELSEWHERE], 0
    for number in lessons_with_exercises():
        at_home = hints_of_blanks(number, elsewhere)
        text = "import hashlib, parity\n"
        text += f"hints = repr(parity.hints_of_blanks({number!r}, {elsewhere}))\n"
        text += "print(hashlib.sha256(hints.encode()).hexdigest())"
        (said,) = ask([{"call": "exercise", "given": [EXERCISES, EXERCISE, {EXERCISE: text}]}])
        assert said.partition("\n")[0] == digest(repr(at_home).encode()), number
        compared += len(at_home)
    assert compared > 50


@pytest.mark.parametrize("only", [FEW, pytest.param((), marks=pytest.mark.full)], ids=["few", "all"])
def test_answers_have_the_feedback_that_they_have_at_home(ask, notebook_pages, only):
    """Those that need no more than NumPy; of FEW exercises a right answer and the first mistakes."""
    wanted = set(only) or {one for number in lessons_with_exercises() for one in load_lesson(number)}
    named = [one for path, suite in SUITES if suite.exercise_id in wanted for one in every(path, suite, only)]
    compared = 0
    for (suite, _, kind, place), said in zip(named, ask([cell_with(*one) for one in named]), strict=True):
        if suite.exercise_id in notebook_pages.ELSEWHERE or MISSING in said or "No module named" in said:
            continue
        answer = [*suite.right.values()][place] if kind == "right" else suite.all_wrong[place].answer
        at_home = report(find(suite.exercise_id), answer)
        assert verdict_in(said) == verdict_in(at_home), (suite.exercise_id, kind, place, said)
        compared += 1
    print(f"{compared} answers compared")
    assert compared >= (3 * len(FEW) if only else 1400)


FILES = sorted(ROOT.glob("tests/lesson_*/answers/*.py"))
SUITES = [(path, importlib.import_module(name_of(path)).SUITE) for path in FILES]


def every(path: Path, suite: AnswerSuite, only: tuple[str, ...]) -> list[tuple]:
    """Return what names each answer of a suite; where ``only`` a few exercises are tried, four of them."""
    most = (1, 3) if only else (None, None)
    kinds = ("right", len(suite.right)), ("all_wrong", len(suite.all_wrong))
    return [
        (suite, path, kind, place)
        for (kind, count), end in zip(kinds, most, strict=True)
        for place in range(count)[:end]
    ]


def cell_with(suite: AnswerSuite, path: Path, kind: str, place: int) -> dict:
    """Return what a worker is asked of an answer of a suite."""
    key = suite.exercise_id
    text = f"import parity\n{find(key).answer_name} = parity.answer({name_of(path)!r}, {kind!r}, {place})"
    return {"call": "exercise", "given": [stem_of(key).replace("notebooks/", "exercises/"), key, {key: text}]}


def verdict_in(said: str) -> tuple[str, str]:
    """Return the points and the hint in a feedback: numbers below it may differ in their last digit."""
    hint = re.search(r"^  hint +(.*?)(?=^  \w|\Z)", said, re.MULTILINE | re.DOTALL)
    return said.partition("\n")[0], " ".join(hint[1].split()) if hint else ""


# --- where Python comes from ----------------------------------------------------------------------------------


def test_a_file_is_taken_from_the_first_place_that_has_it_as_it_should_be(python, tmp_path, monkeypatch):
    monkeypatch.setattr(python, "FILES", {"a.js": digest(b"a"), "b.zip": digest(b"b")})
    asked = []

    def silent(folder: Path) -> None:
        asked.append("silent")
        raise OSError("no network")

    def half(folder: Path) -> None:
        asked.append("half")
        (folder / "a.js").write_bytes(b"a")
        (folder / "b.zip").write_bytes(b"something else")

    served = tmp_path / "mirror"
    served.mkdir()
    for name, content in {"a.js": b"changed since", "b.zip": b"b"}.items():
        (served / name).write_bytes(content)
    with serving(served) as there:
        places = silent, half, functools.partial(python.from_mirror, address=there)
        assert python.fetch(tmp_path / "cache", places)
        assert [(tmp_path / "cache" / name).read_bytes() for name in python.FILES] == [b"a", b"b"]
        assert not python.fetch(tmp_path / "other", places[:2])
    assert asked == ["silent", "half"] * 2
    assert not python.fetch(tmp_path / "third", places[2:])  # nobody answers there any more


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def test_a_site_without_it_is_built_to_read(notebook_pages):
    stub = json.loads((ROOT / f"{EXERCISES}.ipynb").read_text(encoding="utf-8"))
    for editors, said in ((True, "Write your answers right here"), (False, "To read, with their examples")):
        text = notebook_pages.page(stub, EXERCISES, [EXERCISES.split("/")[1]], str, None, editors)
        assert said in text and ('class="write"' in text) == editors
