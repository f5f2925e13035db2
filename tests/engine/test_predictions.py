"""What rooms say of their pages: predictions that give nothing away before a reader commits, and figures by name."""

from __future__ import annotations

import base64
import io
import os

import matplotlib
import matplotlib.pyplot as plt
import pytest
from ipywidgets import VBox
from PIL import Image

from utils import figures, pages
from utils.pages import FigureText, Prediction, UnknownKey
from utils.predictions import NOT_YET, ask, committed, predict, reveal

matplotlib.use("Agg")
ALT = "A line that rises from 0 & ends at <1>."


@pytest.fixture
def shown(monkeypatch, tmp_path):
    """A reader in an empty folder, and all that is displayed to them."""
    displayed = []
    monkeypatch.setattr("IPython.display.display", lambda *all, **options: displayed.extend(all))
    monkeypatch.chdir(tmp_path)
    for name in ("COURSE_BUILD", "PYTEST_VERSION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pages, "figures", {})
    monkeypatch.setattr(pages, "predictions", {})
    choices = {"a half": "It tempts & fails.", "a <quarter>": "It is."}
    asked = Prediction(choices, "{ratio:.2f} & less\n\nSo it is.", lambda ratio: 2 if ratio < 0.4 else 1)
    pages.register({"01.x": asked}, {"01.x": FigureText("It rises", ALT)})
    return displayed


def a_figure():
    figure, ax = plt.subplots()
    ax.plot([0, 1])
    return figure


def words(shown) -> list[str]:
    """Return the lines that the last display has for who reads text alone."""
    return shown[-1]["text/plain"].splitlines()


def test_nothing_is_shown_before_the_reader_has_committed(shown):
    assert reveal("01.x", figure=a_figure(), ratio=0.25) is None
    (box,) = shown  # wherever in its cell it stands
    button, said = box.children
    assert isinstance(box, VBox) and said.value == NOT_YET and button.description == "Show me anyway"
    assert not plt.get_fignums() and os.listdir() == []
    button.click()
    assert "<b>The answer is" in said.value and "0.25 &amp; less" in said.value and button.disabled
    assert 'alt="A line that rises from 0 &amp; ends at &lt;1&gt;."' in said.value


def test_who_has_seen_the_answer_is_never_told_that_they_predicted_it(shown):
    reveal("01.x", ratio=0.25)
    shown[0].children[0].click()
    reveal("01.x", ratio=0.25)  # on another evening, say
    assert words(shown)[0] == 'The answer is "a <quarter>". It is.'
    predict("01.x", choice=2)
    reveal("01.x", ratio=0.25)
    assert words(shown)[:2] == [
        'You said "a <quarter>" after you had seen the answer, "a <quarter>". It is.',
        "0.25 & less",
    ]


def test_the_answer_comes_where_a_reader_waits_for_it_when_they_commit(shown):
    reveal("01.x", figure=a_figure(), ratio=0.25)
    (box,) = shown
    radio, commit, *_ = predict("01.x").children
    commit.click()
    assert box.children[1].value == NOT_YET  # nothing was chosen
    radio.index = 1
    commit.click()
    said = box.children[1].value
    assert '<b>You said "a &lt;quarter&gt;", and that is the answer.</b> It is.' in said
    assert "<img" in said


@pytest.mark.parametrize(("choice", "why"), [(1, "It tempts & fails."), (2, "It is.")])
def test_who_has_committed_sees_it_all(shown, choice, why):
    predict("01.x", choice=choice)
    chosen = ["a half", "a <quarter>"][choice - 1]
    for ratio, right in ((0.25, 2), (0.5, 1)):
        reveal("01.x", figure=a_figure(), ratio=ratio)
        said = [f'You said "{chosen}", and that is the answer. {why}']
        if choice != right:
            answer, because = [("a half", "It tempts & fails."), ("a <quarter>", "It is.")][right - 1]
            said = [f'You said "{chosen}". The answer is "{answer}". {why}', because]
        assert words(shown) == [*said, f"{ratio:.2f} & less", "", "So it is."]
        assert not shown[-1]["text/html"].startswith("<details")
    assert len(shown) == 2


def test_anyway_needs_no_widget_and_is_remembered(shown):
    reveal("01.x", anyway=True, ratio=0.25)
    reveal("01.x", ratio=0.25)
    assert [one["text/plain"].splitlines()[0] for one in shown] == ['The answer is "a <quarter>". It is.'] * 2


def test_a_built_page_has_answer_and_figure_folded(shown, capsys, monkeypatch):
    monkeypatch.setenv("COURSE_BUILD", "1")
    predict("01.x")
    assert "  2  a <quarter>" in capsys.readouterr().out
    reveal("01.x", figure=a_figure(), ratio=0.25)
    page = shown[0]["text/html"]
    assert page.startswith("<details><summary>The answer</summary><p") and page.count("<img") == 1
    assert ">0.25 &amp; less</p>" in page and ">So it is.</p>" in page
    assert (
        '<li data-right="no"><b>a half</b> <span>It tempts &amp; fails.</span></li>'
        '<li data-right="yes">✓ <b>a &lt;quarter&gt;</b> <span>It is.</span></li>'
    ) in page
    assert capsys.readouterr().out == "" and page.endswith("</details>")
    data = base64.b64decode(page.split("base64,")[1].split('"')[0])
    assert Image.open(io.BytesIO(data)).size[0] > 300


@pytest.mark.parametrize("committed", [lambda: predict("01.x", choice=1), lambda: reveal("01.x", anyway=True, ratio=1)])
def test_a_figure_that_answers_a_prediction_is_folded_until_somebody_commits_or_asks(shown, monkeypatch, committed):
    def show():
        shown.clear()
        figures.show_figure(a_figure(), "01.x", answers="01.x")
        return shown[0]

    assert show()["text/html"].startswith("<details>")
    committed()
    assert "image/png" in show() and shown[0]["text/plain"] == ALT
    monkeypatch.setenv("COURSE_BUILD", "1")
    show()
    (page,) = shown
    assert "image/png" not in page and page["text/plain"] == ALT
    html = page["text/html"]
    assert html.startswith("<details><summary>The figure</summary><img") and html.endswith("</details></details>")


def test_a_figure_by_its_key_has_its_title_and_its_words(shown):
    figure = a_figure()
    figures.show_figure(figure, "01.x")
    assert figure.get_suptitle() == "It rises" and shown[0]["text/plain"] == ALT and not plt.get_fignums()


@pytest.fixture
def questions(shown):
    choices = {"one": "Tempting.", "two <b>": "So it is."}
    pages.register({f"02.{word}": Prediction(choices, "", 2, question=f"How many {word}?") for word in ("a", "b")})
    return shown


def test_a_question_may_compute_which_choice_is_right(shown):
    pages.register({"02.c": Prediction({"one": "Tempting.", "two": "So it is."}, "", lambda: 2, question="How many?")})
    ask("02.c")
    _, choices, answer = shown[0].children
    choices.children[0].index = 1
    choices.children[1].click()
    assert "<b>Yes.</b> So it is." in answer.value


@pytest.mark.parametrize(
    ("choice", "said"),
    [(1, '<b>No.</b> Tempting.*<b>The answer is "two &lt;b&gt;".</b> So it is.'), (2, "<b>Yes.</b> So it is.")],
)
def test_a_question_is_answered_at_once_and_stays_answered(questions, choice, said):
    ask("02.a", "02.b")
    (box,) = questions
    _, first, answer, asked, _, other = box.children
    assert "How many b?" in asked.value and answer.value == other.value == ""
    first.children[0].index = choice - 1
    first.children[1].click()
    assert all(part in answer.value for part in said.split("*")) and other.value == ""
    assert ("The answer is" in answer.value) == (choice == 1)
    ask("02.a")
    again = questions[-1].children
    assert again[2].value == answer.value and again[1].children[1].disabled


def test_questions_asked_together_are_answered_when_each_has_its_choice(questions):
    ask("02.a", "02.b", together=True)
    _, first, answer, _, second, other, button, note, *_ = questions[0].children
    first.index = 0
    button.click()
    assert "Still missing: 2." in note.value and answer.value == other.value == "" and committed("02.a") is None
    second.index = 1
    button.click()
    assert "<b>No.</b> Tempting." in answer.value and "<b>Yes.</b> So it is." in other.value and note.value == ""
    assert button.disabled and first.disabled and (committed("02.a"), committed("02.b")) == (1, 2)
    ask("02.a", "02.b", together=True)
    _, again, said, *_ = questions[-1].children
    assert again.index == 0 and again.disabled and said.value == answer.value


def test_questions_asked_together_are_answered_where_nothing_can_be_kept(questions, monkeypatch):
    monkeypatch.setattr("utils.local_storage.write", lambda *entry: False)
    ask("02.a", "02.b", together=True)
    _, first, answer, _, second, *_, button, _, _, _ = questions[0].children
    first.index, second.index = 0, 1
    button.click()
    assert "The answer is" in answer.value and first.index == 0 and button.disabled


def test_a_built_page_has_the_questions_with_their_answers_folded(questions, monkeypatch):
    monkeypatch.setenv("COURSE_BUILD", "1")
    ask("02.a", "02.b")
    page = questions[0]["text/html"]
    seen = page.split("<details")[0]
    assert "How many a?" in seen and "<li>two &lt;b&gt;</li>" in seen and "So it is." not in seen
    assert page.count('data-right="yes"') == page.count("data-prediction=") == 2


def test_what_nobody_registered_is_named_with_what_there_is(shown):
    for call in (lambda: figures.show_figure(a_figure(), "01.y"), lambda: predict("01.y"), lambda: reveal("01.y")):
        with pytest.raises(UnknownKey, match='"01.y"; lesson 01 has 01.x'):
            call()
    with pytest.raises(UnknownKey, match="lesson 02 has none yet: run the set-up"):
        predict("02.x")
    plt.close("all")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Prediction({"one": "a"}, "", 1),
        lambda: Prediction({"a": "b", "c": "d"}, "", 3),
        lambda: Prediction({"a": "b", "c": ""}, "", 1),
        lambda: pages.register({}, {"no key": FigureText("", "")}),
    ],
)
def test_what_a_room_gets_wrong_is_refused(wrong):
    with pytest.raises(ValueError):
        wrong()


def test_the_help_on_a_figure_answers_nothing(monkeypatch):
    monkeypatch.setattr(pages, "figures", {})

    @pages.described("01.y", "It falls")
    def falling() -> None:
        """A line that falls."""

    @pages.described("01.z", "It rises", "A line that rises.")
    def rising() -> None:
        """Return a line."""

    assert pages.figures == {
        "01.y": FigureText("It falls", "A line that falls."),
        "01.z": FigureText("It rises", "A line that rises."),
    }
    assert falling.__doc__ == 'Draw the figure "01.y".' and rising.__doc__ == "Return a line."
    with pytest.raises(ValueError, match='"01.w" has neither alt nor a docstring'):
        pages.described("01.w", "It stays")(lambda: None)
