"""What a reader leaves behind stays in one file: predictions, blanks, points, feedback, words; taken away, taken in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import pytest
from IPython.core.interactiveshell import InteractiveShell
from ipywidgets import HTML, Button, RadioButtons, Text, Textarea, ToggleButtons

from tests.exercise_99 import make_exercise
from utils import local_storage, pages
from utils.exercises import FreeText, check, progress
from utils.feedback import download, feedback, own_words, upload
from utils.pages import Prediction
from utils.predictions import ASLEEP, predict, reveal

TODAY = "2026-02-28"
CHOICES = ["a half", "a quarter"]


def ask(key: str, choices: list[str], right: int = 2) -> None:
    pages.register({key: Prediction(dict.fromkeys(choices, "It tempts."), "so", right)})


@pytest.fixture(autouse=True)
def asked() -> Iterator[None]:
    """What a room would have registered; not by monkeypatch, which a test undoes."""
    before = dict(pages.predictions)
    for key in ("01.x", "01.y", "01.z"):
        ask(key, CHOICES)
    yield
    pages.predictions.clear()
    pages.predictions.update(before)


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """An empty folder to read in: no build, no test."""
    (tmp_path / "reading").mkdir()
    monkeypatch.chdir(tmp_path / "reading")
    monkeypatch.delenv("COURSE_BUILD", raising=False)
    monkeypatch.delenv("PYTEST_VERSION", raising=False)
    for module in ("utils.feedback", "utils.predictions", "utils.exercises.points"):
        monkeypatch.setattr(f"{module}.date", Clock)
    return tmp_path / "reading"


class Clock(date):
    """A calendar on which no midnight comes while a test runs."""

    @classmethod
    def today(cls) -> date:
        return date.fromisoformat(TODAY)


@pytest.fixture(params=["COURSE_BUILD", "PYTEST_VERSION"])
def not_reading(request, folder, monkeypatch) -> Path:
    """A folder in which a build or nbval runs the notebook, with a reader's files in it."""
    leave({"predictions": {"01.x": "a half"}, "points": {"99.1": {"points": 1}}})
    monkeypatch.setenv(request.param, "1")
    return folder


def leave(kept: dict) -> None:
    Path("my-course.json").write_text(json.dumps(kept))


def content(kind: str) -> dict:
    return json.loads(Path("my-course.json").read_text(encoding="utf-8"))[kind]


def printed(capsys, function, *arguments, **options) -> str:
    capsys.readouterr()
    assert function(*arguments, **options) is None
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


# The store


def test_what_is_written_is_read_again_and_nothing_else_is_left(folder):
    assert local_storage.read("feedback") == {}
    assert local_storage.write("feedback", "a", "naïve") and local_storage.write("points", "a", 1)
    assert local_storage.write("feedback", "b", 1)
    assert local_storage.read("feedback") == {"a": "naïve", "b": 1} and local_storage.read("points") == {"a": 1}
    assert os.listdir() == ["my-course.json"]


def test_all_notebooks_of_the_course_have_one_file(folder, monkeypatch):
    course = folder / "course"
    monkeypatch.setattr(local_storage, "COURSE", course)
    for place in ("work", "work/lessons", "notebooks"):
        (course / place).mkdir(parents=True, exist_ok=True)
        monkeypatch.chdir(course / place)
        assert local_storage.write("points", place, 1)
    assert set(json.loads((course / "work/my-course.json").read_text())["points"]) == {
        "work",
        "work/lessons",
        "notebooks",
    }
    monkeypatch.chdir(folder)  # the folder that the course's lies in, as in Colab
    assert local_storage.read("points") == {} and local_storage.path() == folder / "my-course.json"


@pytest.mark.parametrize(
    "text", ["{ my notes", "[1]", '{"points": 1}', "\xff", "[" * 100_000], ids=["cut", "list", "kind", "bytes", "deep"]
)
def test_an_unreadable_file_is_kept_under_a_name_of_its_own(folder, text):
    for number in ("", "-2", "-3"):
        Path("my-course.json").write_text(text, encoding="latin-1")
        assert local_storage.read("feedback") == {} and local_storage.write("feedback", "a", 1)
        assert Path(f"my-course.unreadable{number}.json").read_text(encoding="latin-1") == text
    assert len(os.listdir()) == 4


def test_a_write_that_fails_half_way_leaves_the_old_file(folder, monkeypatch):
    local_storage.write("feedback", "a", 1)
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    assert not local_storage.write("feedback", "a", 2) and not local_storage.write("feedback", "a", "\ud800")
    assert os.listdir() == ["my-course.json"] and content("feedback") == {"a": 1}


def read_only(monkeypatch) -> None:
    """Refuse all writing, as a folder does to a user who may not write there (root, in containers, always may)."""

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    for name in ("open", "replace", "unlink"):
        monkeypatch.setattr(os, name, refuse)


# Predictions


def revealed(key: str, **options) -> list[str]:
    """Return what reveal shows, line by line."""
    with patch("IPython.display.display") as display:
        reveal(key, **options)
    return display.call_args.args[0]["text/plain"].splitlines()


def test_the_first_commitment_counts_and_is_said_so(folder, capsys):
    assert printed(capsys, predict, "01.x", choice=2) == 'You have committed to "a quarter".\n'
    assert printed(capsys, predict, "01.x", choice=2) == 'You have already committed to "a quarter".\n'
    again = printed(capsys, predict, "01.x", choice=1)
    assert again == 'You have already committed to "a quarter". Only the first commitment counts.\n'
    assert content("predictions") == {"01.x": {"choice": "a quarter", "number": 2, "date": TODAY}}
    assert revealed("01.x") == ['You said "a quarter", and that is the answer. It tempts.', "so"]
    ask("01.x", CHOICES, right=1)
    assert revealed("01.x") == [
        'You said "a quarter". The answer is "a half". It tempts.',
        "It tempts.",
        "so",
    ]


def test_a_reader_may_not_have_committed(folder):
    assert revealed("01.x", anyway=True)[0] == 'The answer is "a quarter". It tempts.'
    assert content("predictions") == {"01.x": {"seen": True}}


def test_a_commitment_of_the_first_version_is_understood(folder, capsys):
    leave({"predictions": {"01.x": "a quarter", "01.y": "a third"}})
    assert "that is the answer" not in " ".join(revealed("01.x"))  # its number is not known yet
    printed(capsys, predict, "01.x", choice=1)
    printed(capsys, predict, "01.y", choice=1)
    assert revealed("01.x")[0] == 'You said "a quarter", and that is the answer. It tempts.'
    assert revealed("01.y")[0] == 'You said "a third". The answer is "a quarter". It tempts.'
    assert content("predictions")["01.x"] == {"choice": "a quarter", "number": 2}


def test_choices_that_change_their_places_are_numbered_anew(folder):
    predict("01.x", choice=2)
    ask("01.x", ["all of it", "a half", "a quarter"], right=3)
    predict("01.x")
    assert 'You said "a quarter", and that is the answer. It tempts.' in revealed("01.x")
    ask("01.x", ["all of it", "a half"])
    predict("01.x")
    assert "That is" not in " ".join(revealed("01.x"))


def test_buttons_commit_once(folder):
    ask("01.x", ["<half", "a quarter"])
    radio, button, said, *_ = predict("01.x").children
    assert isinstance(radio, RadioButtons) and radio.value is None
    button.click()
    assert said.value == "Choose first." and not button.disabled and os.listdir() == []
    radio.index = 0
    button.click()
    assert said.value == 'You have committed to "&lt;half".' and button.disabled and radio.disabled
    assert content("predictions") == {"01.x": {"choice": "<half", "number": 1, "date": TODAY}}


def test_numbers_that_are_none_are_named(folder):
    for choice in (0, 3):
        with pytest.raises(ValueError, match="Choose a number from 1 to 2"):
            predict("01.x", choice=choice)
    assert os.listdir() == []


def test_damaged_entries_are_as_none(folder, capsys):
    leave({"predictions": {"01.x": {"choice": 3}, "01.y": [], "01.z": None}})
    for key in ("01.x", "01.y", "01.z"):
        assert revealed(key, anyway=True)[0] == 'The answer is "a quarter". It tempts.'
        assert printed(capsys, predict, key, choice=1) == 'You have committed to "a half".\n'


# Feedback and own words

WHERE = "Kept in my-course.json, on this machine. Nothing is sent.\n"


def test_feedback_is_added_never_overwritten(folder, capsys):
    assert printed(capsys, feedback, "01.theorem", clear="partly", text="what is\n dense?") == WHERE
    assert printed(capsys, feedback, "01.theorem", "clear") == WHERE
    feedback("01.error", clear="not clear")
    assert content("feedback") == {
        "01.theorem": [
            {"date": TODAY, "clear": "partly", "text": "what is dense?"},
            {"date": TODAY, "clear": "clear", "text": ""},
        ],
        "01.error": [{"date": TODAY, "clear": "not clear", "text": ""}],
    }


def test_feedback_by_buttons(folder, capsys):
    box = feedback("01.theorem")
    assert capsys.readouterr().out == ""
    answer, line, button, said, asleep = box.children
    assert [type(one) for one in box.children] == [ToggleButtons, Text, Button, HTML, HTML] and answer.value is None
    assert ASLEEP in asleep.value
    line.value = "why <b>?"
    button.click()
    assert said.value == "Choose first." and line.value == "why <b>?" and os.listdir() == []
    answer.value = "not clear"
    button.click()
    assert said.value.startswith("Kept in my-course.json") and answer.value is None and line.value == ""
    button.click()
    entry = {"date": TODAY, "clear": "not clear", "text": "why <b>?"}
    assert said.value == "Choose first." and content("feedback") == {"01.theorem": [entry]}


def test_feedback_of_another_kind_is_refused(folder):
    with pytest.raises(ValueError, match="clear is 'very': wanted one of 'clear', 'partly', 'not clear'"):
        feedback("01.theorem", clear="very")
    with pytest.raises(ValueError, match="clear is None"):
        feedback("01.theorem", text="good")


def test_own_words_replace_what_was_kept(folder, capsys):
    for text in ("One.", " Two.\nThree. "):
        assert printed(capsys, own_words, "08.answer", text) == WHERE
    assert printed(capsys, own_words, "08.answer", " \n") == "Write first.\n"
    assert content("words") == {"08.answer": {"date": TODAY, "text": "Two.\nThree."}}


def test_own_words_by_an_area(folder, capsys):
    area, button, said, asleep = own_words("08.answer").children
    assert ASLEEP in asleep.value
    assert [type(one) for one in (area, button, said)] == [Textarea, Button, HTML] and area.value == ""
    assert not area.continuous_update  # what is typed last comes before the click
    button.click()
    assert said.value == "Write first." and os.listdir() == []
    area.value = "why <b>?"
    button.click()
    assert said.value == WHERE.strip() and content("words")["08.answer"]["text"] == "why <b>?"
    area.value = "because"
    assert said.value == "" and own_words("08.answer").children[0].value == "why <b>?"
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("entry", [None, "One.", {}, {"text": 3}])
def test_damaged_words_are_as_none(folder, capsys, entry):
    leave({"words": {"08.answer": entry}})
    assert own_words("08.answer").children[0].value == ""
    assert printed(capsys, own_words, "08.answer", "One.") == WHERE


# Points


def test_the_best_points_of_a_check_are_kept(folder, lesson_99, capsys):
    lesson_99(make_exercise(verify=lambda given, hidden, value, expected: value))
    for fraction, best in ((0.5, 2), (0.25, 2), (1.0, 4), (0.0, 4)):
        check("99.1", lambda x, fraction=fraction: fraction)
        assert content("points") == {"99.1": {"points": best, "of": 4, "date": TODAY}}


def test_a_check_says_the_same_whether_its_points_are_kept_or_not(folder, lesson_99, capsys, monkeypatch):
    lesson_99(make_exercise())
    kept = printed(capsys, check, "99.1", lambda x: 2 * x)
    Path("my-course.json").write_text("{ broken")
    assert printed(capsys, check, "99.1", lambda x: 2 * x) == kept
    read_only(monkeypatch)
    assert printed(capsys, check, "99.1", lambda x: 2 * x) == kept == "✓ Exercise 99.1: 4 of 4 points.\n"


def test_no_points_where_nothing_was_answered(folder, lesson_99, capsys):
    lesson_99(make_exercise(), FreeText("99.2", 3, "a rubric"))

    def stub(x):
        raise NotImplementedError("exercise 99.1")

    for exercise_id, answer in (("99.1", stub), ("99.1", 3), ("99.2", None), ("99.7", abs), (99.1, abs)):
        check(exercise_id, answer)
    assert os.listdir() == []


def test_the_table_of_points(folder, lesson_99, capsys, monkeypatch):
    monkeypatch.setattr("utils.exercises.definition.lessons_with_exercises", lambda: ["01", "99"])
    lesson_99(make_exercise(), FreeText("99.2", 3, "a rubric"), make_exercise(id="99.3"), make_exercise(id="99.4"))
    assert (
        printed(capsys, progress)
        == "No points are kept here yet. Run an exercise's check, and it keeps the points that you earn.\n"
    )
    check("99.1", lambda x: 2 * x)
    kept = {**content("points"), "99.4": {"points": 2.5}, "98.1": {"points": 1}, "99.9": {"points": 1}}
    for damage in ({}, {"99.3": {"points": "4"}}, {"99.3": None}, {"99.3": {"points": float("nan")}}):
        leave({"points": {**kept, **damage}})
        assert printed(capsys, progress).splitlines() == [
            "exercise  points",
            "99.1      4 of 4",
            "99.2      a short text",
            "99.3      – of 4",
            "99.4      2.5 of 4",
            "together  6.5 of 12",
        ]


def test_points_of_another_version_of_an_exercise(folder, lesson_99, capsys, monkeypatch):
    monkeypatch.setattr("utils.exercises.definition.lessons_with_exercises", lambda: ["99"])
    lesson_99(make_exercise())
    leave({"points": {"99.1": {"points": 9, "of": 9}}})
    assert "99.1      4 of 4\ntogether  4 of 4\n" in printed(capsys, progress)


# Taking it away


def leave_all(capsys) -> None:
    predict("01.x", choice=1)
    feedback("01.x", clear="clear")
    capsys.readouterr()


def test_nothing_to_download(folder, capsys):
    assert "There is nothing to download yet" in printed(capsys, download) and os.listdir() == []


def test_whoever_takes_it_away_is_told_how_to_save_the_notebook_itself(folder, capsys, monkeypatch):
    """In a page as it was built, and with a reader, whether there is something to download or not."""
    for prepare in (lambda: None, lambda: leave_all(capsys), lambda: monkeypatch.setenv("COURSE_BUILD", "1")):
        prepare()
        first = printed(capsys, download).splitlines()[0]
        assert "In Colab, choose File, Save a copy in Drive" in first and first.endswith(
            "Elsewhere, choose File, Save."
        )


def test_one_file_of_what_there_is(folder, capsys):
    leave_all(capsys)
    text = printed(capsys, download)
    assert "holds your predictions, blanks, points, feedback and answers in your own words, from all pages" in text
    assert f"It lies at {folder / 'my-course.json'}\n" in text and "<a" not in text and len(os.listdir()) == 1


def test_a_notebook_shows_a_link(folder, capsys, monkeypatch):
    shown = []
    monkeypatch.setattr("IPython.get_ipython", InteractiveShell)
    monkeypatch.setattr("IPython.display.display", lambda one: shown.append(one.data))
    monkeypatch.setattr(local_storage, "COURSE", folder)
    (folder / "work/lessons").mkdir(parents=True)
    monkeypatch.chdir(folder / "work/lessons")
    predict("01.x", choice=1)
    download()
    assert shown == ['<a href="../my-course.json" download="my-course.json">Download my-course.json</a>']


@pytest.fixture
def colab(monkeypatch):
    """Colab's way to hand a file to the browser, and to take one from it."""
    google, colab, files = (ModuleType(name) for name in ("google", "google.colab", "google.colab.files"))
    files.handed, files.chosen = [], {}
    files.download, files.upload = files.handed.append, lambda: files.chosen
    colab.files, google.colab = files, colab
    for module in (google, colab, files):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    return files


def test_colab_hands_it_to_the_browser_and_takes_it_from_there(folder, capsys, colab, monkeypatch):
    leave_all(capsys)
    text = printed(capsys, download)
    assert "It lies at" not in text and "run this first: from utils.feedback import upload; upload()" in text
    assert colab.handed == [str(folder / "my-course.json")]
    (folder / "next").mkdir()
    monkeypatch.chdir(folder / "next")
    assert "That is not a my-course.json" in printed(capsys, upload)  # none was chosen
    colab.chosen = {"my-course (1).json": Path("../my-course.json").read_bytes()}
    assert "predictions: 1, feedback: 1, points: 0" in printed(capsys, upload)
    assert revealed("01.x")[0].startswith('You said "a half"')


OURS = {
    "predictions": {"01.x": {"choice": "a half"}, "01.y": {"seen": True}},
    "feedback": {"01.x": ["one"]},
    "points": {"99.1": {"points": 1}, "99.2": {"points": 4}},
    "words": {"08.x": {"date": "2026-01-02", "text": "One."}},
}
THEIRS = {
    "predictions": {"01.x": {"choice": "a quarter"}, "01.y": {"choice": "a half"}, "01.z": {"choice": "a half"}},
    "feedback": {"01.x": ["one", "two"]},
    "points": {"99.1": {"points": 2}, "99.2": {"points": 3}},
    "blanks": {"05.chi": {"date": "2026-01-01"}},
    "words": {key: {"date": "2026-01-03", "text": "Two."} for key in ("08.x", "08.y")},
}


def test_what_is_taken_in_joins_what_is_there(folder, capsys):
    leave(OURS)
    Path("theirs.json").write_text(json.dumps(THEIRS))
    for _ in range(2):
        said = printed(capsys, upload, "theirs.json")
        assert said.startswith("Added.") and "predictions: 3, feedback: 1, points: 2, blanks: 1, words: 2" in said
        assert json.loads(Path("my-course.json").read_text()) == {
            "predictions": {
                "01.x": {"choice": "a half"},
                "01.y": {"choice": "a half", "seen": True},
                "01.z": {"choice": "a half"},
            },
            "feedback": {"01.x": ["one", "two"]},
            "points": {"99.1": {"points": 2}, "99.2": {"points": 4}},
            "blanks": THEIRS["blanks"],
            "words": {**THEIRS["words"], **OURS["words"]},
        }


@pytest.mark.parametrize(
    "other",
    [
        "{",
        "[]",
        '{"points": 3}',
        '{"points": {"99.1": {}}}',
        '{"predictions": {"01.x": 3}}',
        '{"feedback": {"01.x": null}}',
        '{"words": {"08.x": "Two."}}',
    ],
)
def test_what_is_no_file_of_the_course_is_not_taken_in(folder, capsys, other):
    leave(OURS)
    Path("theirs.json").write_text(other)
    said = printed(capsys, upload, "theirs.json")
    assert said.startswith("That is not a my-course.json from download(). Nothing was added")
    assert "cannot be read (No such file" in printed(capsys, upload, "none.json")
    assert 'Say where the file lies, such as upload("my-course.json")' in printed(capsys, upload)
    assert json.loads(Path("my-course.json").read_text()) == OURS


# Where nothing is kept


def test_builds_and_tests_read_nothing_and_leave_nothing(not_reading, lesson_99, capsys):
    lesson_99(make_exercise())
    before = {path.name: path.read_bytes() for path in not_reading.iterdir()}
    assert printed(capsys, predict, "01.x", choice=2) == 'You have committed to "a quarter".\n'
    assert "You said" not in " ".join(revealed("01.x", anyway=True))
    assert "Nothing is kept" in printed(capsys, feedback, "01.x", clear="clear")
    assert "Nothing is kept" in printed(capsys, own_words, "08.answer", "One.")
    check("99.1", lambda x: 2 * x)
    assert "No points are kept" in printed(capsys, progress)
    assert "nothing to download" in printed(capsys, download)
    assert {path.name: path.read_bytes() for path in not_reading.iterdir()} == before


def test_a_build_shows_no_buttons_and_one_line_instead(folder, capsys, monkeypatch):
    monkeypatch.setenv("COURSE_BUILD", "1")
    said = printed(capsys, feedback, "01.x")
    assert said == 'Without buttons: feedback("01.x", clear="partly", text="…") keeps it in my-course.json.\n'
    said = printed(capsys, own_words, "08.answer")
    assert said == 'Without buttons: own_words("08.answer", "…") keeps it in my-course.json.\n'
    assert predict("01.x") is None


def test_a_folder_that_cannot_be_written_to(folder, capsys, monkeypatch):
    read_only(monkeypatch)
    said = printed(capsys, predict, "01.x", choice=1)
    assert said == 'You have committed to "a half". It is not kept, because nothing can be written here.\n'
    assert "cannot be written to" in printed(capsys, feedback, "01.x", clear="clear")
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("PYTEST_VERSION", raising=False)
    leave(OURS)
    Path("theirs.json").write_text(json.dumps(THEIRS))
    read_only(monkeypatch)
    assert printed(capsys, upload, "theirs.json").startswith("Nothing can be written here.")


def test_git_tracks_none_of_these_files(root):
    names = [local_storage.NAME, "my-course.unreadable.json", "my-course.unreadable-2.json"]
    paths = [f"{folder}/{name}" for folder in ("notebooks", "exercises", "work") for name in names]
    command = ["git", "check-ignore", *paths]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert done.stdout.splitlines() == paths


def test_a_committed_prediction_run_again_shows_the_commitment_and_no_choice(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COURSE_BUILD", raising=False)
    monkeypatch.delenv("PYTEST_VERSION", raising=False)
    ask("01.x", ["a half", "<b>"])
    predict("01.x", choice=2)
    radio, button, said, *_ = predict("01.x").children
    assert button.disabled and radio.disabled and said.value == 'You have committed to "&lt;b&gt;".'


def test_the_choices_are_listed_where_there_are_no_buttons(monkeypatch, capsys):
    monkeypatch.setenv("COURSE_BUILD", "1")
    assert predict("01.x") is None
    assert "  2  a quarter" in capsys.readouterr().out
