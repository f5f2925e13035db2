"""Blanks: every lesson's are accepted as the course writes them, and each mistake gets the hint meant for it."""

from __future__ import annotations

import re
import time
from types import FunctionType

import numpy as np
import pytest

from tests.marks import ROOT
from utils import local_storage, pages, rooms
from utils.exercises import blanks, yours
from utils.exercises.blanks import Blank

LESSONS = [number for number in rooms.lessons_with("page") if rooms.lessons_with("blanks").count(number)]
for one in LESSONS:
    rooms.module_of(one, "page")  # which registers them
EVERY = sorted(pages.blanks)
GOES_ON = "The page goes on with the course's"


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Let no answer come too late for its two seconds, however busy the machine is."""
    monkeypatch.setattr(blanks, "SECONDS", 60)


def tried(capsys, key: str, *own: object) -> tuple[str, object]:
    """Return what a page says of a reader's function, none for no name at all, and what it goes on with."""
    name = pages.blank(key).name
    namespace = {"yours": yours, **({name: own[0]} if own else {})}
    exec(f'{name} = yours("{key}")', namespace)
    return capsys.readouterr().out, namespace[name]


def as_a_reader(function: FunctionType) -> FunctionType:
    """Return the function as somebody else wrote it: the same code, without what marks it as lent."""
    return FunctionType(function.__code__, function.__globals__, function.__name__, function.__defaults__)


@pytest.mark.parametrize("number", LESSONS)
def test_a_rooms_blanks_are_those_of_its_pages(number):
    known = set()
    for page in sorted((ROOT / "notebooks").glob(f"{number}*_*.py")):
        source, prefix = page.read_text(encoding="utf-8"), page.stem.partition("_")[0]
        written = re.findall(r"^# BEGIN BLANK\ndef (\w+)\(", source, re.MULTILINE)
        asked = re.findall(r'^(\w+) = yours\("([^"]+)"\)', source, re.MULTILINE)
        assert [(name, key.partition(".")[0]) for name, key in asked] == [(name, prefix) for name in written]
        assert prefix != number or 4 <= len(written) <= 6
        known |= {(key, name) for name, key in asked}
    assert {(key, blank.name) for key, blank in pages.blanks.items() if key[:2] == number} == known


@pytest.mark.parametrize("key", EVERY)
def test_the_courses_own_line_is_right_and_what_is_no_answer_is_not_yet(capsys, key):
    own = as_a_reader(blanks.reference(key))
    said, gone_on = tried(capsys, key, own)
    assert said.startswith("✓ Your ") and gone_on is own

    def stops(*_: object) -> None:
        raise ValueError("no")

    def without_return(*given: object) -> None:
        given[0]

    name = pages.blank(key).name
    unwritten = [(own, "is still empty") for own in ((), (...,), (None,), (lambda *_: None,))]
    begun = [((without_return,), "Does it have a line with return"), ((lambda *_: stops(),), "stops with an error")]
    for nothing, what in unwritten + begun:
        blanks._tried.clear()
        said, lent = tried(capsys, key, *nothing)
        assert said.startswith(f"Not yet: {name} ") and what in said and GOES_ON in said and "Traceback" not in said
        assert lent not in nothing and tried(capsys, key, lent)[0] == said  # run again, it says the same again


@pytest.mark.parametrize(("key", "at"), [(key, at) for key in EVERY for at in range(len(pages.blank(key).mistakes))])
def test_each_mistake_gets_its_hint(capsys, key, at):
    wrong, hint = pages.blank(key).mistakes[at]
    said, _ = tried(capsys, key, lambda *given: wrong(*given))
    assert " ".join(hint.split()) in " ".join(said.split())


# --- a made-up page ---------------------------------------------------------------------------------------

PAGE = '''# %%
import math

AT = 3
lost = undefined_here()
print(math, AT)  # which does not change them
undefined_here(math.pi, AT)

# %%
# BEGIN BLANK
def one(x, y=1):
    """Return AT x + y."""
    return AT * x + y
# END BLANK

# %%
one = yours("99.one")

# %%
# BEGIN BLANK
def two(x):
    """Return it twice."""
    return math.fsum([one(x), one(x)])
# END BLANK

AT = 1000
'''


@pytest.fixture
def made_up(monkeypatch, tmp_path):
    """A page with two blanks, the second of which uses the first."""
    (tmp_path / "99_made_up.py").write_text(PAGE)
    monkeypatch.setattr(blanks, "NOTEBOOKS", tmp_path)
    cases = [(1.5,), (2.25,), (5.1,)]
    monkeypatch.setattr(
        pages,
        "blanks",
        {
            "99.one": Blank("one", cases, [(lambda x, y=1: 3 * x, "The y is missing.")]),
            "99.two": Blank("two", cases, []),
            "99.three": Blank("three", cases, []),
        },
    )
    blanks._compiled.cache_clear()
    yield
    blanks._compiled.cache_clear()


def test_a_blank_rests_on_what_stands_above_it_and_on_nothing_that_the_reader_did(made_up, capsys):
    assert blanks.reference("99.one")(2) == 7 and blanks.reference("99.two")(2) == 14
    said, lent = tried(capsys, "99.one", lambda x, y=1: 3 * x)
    assert "The y is missing." in said and lent(2, 5) == 11
    other, _ = tried(capsys, "99.one", lambda x, y=1: np.float32(3) * x + y)
    assert other.startswith("✓")


def test_a_blank_that_is_right_is_kept(made_up, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PYTEST_VERSION", raising=False)
    tried(capsys, "99.one", lambda x, y=1: 3 * x)
    assert local_storage.read("blanks") == {}
    tried(capsys, "99.one", lambda x, y=1: 3 * x + y)
    assert list(local_storage.read("blanks")) == ["99.one"]


def test_an_answer_that_does_not_come_is_ended(made_up, capsys, monkeypatch):
    def late(x, y=1):
        for _ in range(6000):
            try:
                time.sleep(0.01)
            except Exception:
                pass
        return 3 * x + y

    monkeypatch.setattr(blanks, "SECONDS", 0.2)
    said, lent = tried(capsys, "99.one", late)
    assert "no answer after 0.2 seconds" in said and lent(1) == 4


def test_what_no_room_or_page_has_is_named(made_up):
    with pytest.raises(pages.UnknownKey, match='no blank "99.four"; lesson 99 has 99.one, 99.two'):
        yours("99.four")
    with pytest.raises(pages.UnknownKey, match="No page 99 has a blank around `def three"):
        yours("99.three")


@pytest.mark.parametrize(("cases", "hints"), [(2, 0), (3, 9)])
def test_a_blank_has_cases_enough_and_few_hints(cases, hints):
    with pytest.raises(ValueError, match="at least three cases and at most 8 hints"):
        Blank("f", [(1,)] * cases, [(abs, "")] * hints)


def test_runs_may_be_dealt_out_by_their_places(capsys):
    def run_folds(run, folds):
        return np.unique(run, return_inverse=True)[1] % folds

    said, gone_on = tried(capsys, "08.folds", run_folds)
    assert said.startswith("✓ Your run_folds is right") and gone_on is run_folds
