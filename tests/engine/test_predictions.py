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
from utils.predictions import NOT_YET, predict, reveal

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
    asked = Prediction(["a half", "a <quarter>"], "{ratio:.2f} & less", lambda ratio: 2 if ratio < 0.4 else 1)
    pages.register({"01.x": asked}, {"01.x": FigureText("It rises", ALT)})
    return displayed


def a_figure():
    figure, ax = plt.subplots()
    ax.plot([0, 1])
    return figure


def test_nothing_is_shown_before_the_reader_has_committed(shown, capsys):
    box = reveal("01.x", figure=a_figure(), ratio=0.25)
    assert capsys.readouterr().out == "" and shown == [] and not plt.get_fignums()
    button, said = box.children
    assert isinstance(box, VBox) and said.value == NOT_YET and button.description == "Show me anyway"
    button.click()
    assert "You had not committed" in said.value and "0.25 &amp; less" in said.value and button.disabled
    assert 'alt="A line that rises from 0 &amp; ends at &lt;1&gt;."' in said.value
    assert os.listdir() == []


def test_the_answer_comes_where_a_reader_waits_for_it_when_they_commit(shown):
    box = reveal("01.x", figure=a_figure(), ratio=0.25)
    radio, commit, _ = predict("01.x").children
    commit.click()
    assert box.children[1].value == NOT_YET  # nothing was chosen
    radio.index = 1
    commit.click()
    assert "You predicted: a &lt;quarter&gt;" in box.children[1].value and "<img" in box.children[1].value


@pytest.mark.parametrize("choice", [1, 2])
def test_who_has_committed_sees_it_all(shown, capsys, choice):
    predict("01.x", choice=choice)
    capsys.readouterr()
    for ratio, right in ((0.25, 2), (0.5, 1)):
        assert reveal("01.x", figure=a_figure(), ratio=ratio) is None
        said = capsys.readouterr().out.splitlines()
        assert said[0] == f"You predicted: {['a half', 'a <quarter>'][choice - 1]}"
        assert said[1:] == [f"Answer:        {ratio:.2f} & less",
                            f"That is {'' if choice == right else 'not '}what you predicted."]
    assert len(shown) == 2 and not shown[0]["text/html"].startswith("<details") and shown[0]["text/plain"] == ALT


def test_anyway_needs_no_widget(shown, capsys):
    assert reveal("01.x", anyway=True, ratio=0.25) is None
    assert capsys.readouterr().out == "You had not committed to a prediction.\nAnswer:        0.25 & less\n"


def test_a_built_page_has_answer_and_figure_folded(shown, capsys, monkeypatch):
    monkeypatch.setenv("COURSE_BUILD", "1")
    predict("01.x")
    assert "  2  a <quarter>" in capsys.readouterr().out
    reveal("01.x", figure=a_figure(), ratio=0.25)
    page = shown[0]["text/html"]
    assert page.startswith("<details><summary>The answer</summary><p>0.25 &amp; less</p>") and page.count("<img") == 1
    assert capsys.readouterr().out == "" and page.endswith("</details>")
    data = base64.b64decode(page.split("base64,")[1].split('"')[0])
    assert Image.open(io.BytesIO(data)).size[0] > 300


def test_a_figure_that_answers_a_prediction_is_folded_in_a_built_page_alone(shown, monkeypatch):
    figures.show_figure(a_figure(), "01.x", folded=True)
    assert "image/png" in shown[0] and shown[0]["text/plain"] == ALT
    monkeypatch.setenv("COURSE_BUILD", "1")
    shown.clear()
    figures.show_figure(a_figure(), "01.x", folded=True)
    (page,) = shown
    assert "image/png" not in page and page["text/plain"] == ALT
    html = page["text/html"]
    assert html.startswith("<details><summary>The figure</summary><img") and html.endswith("</details></details>")


def test_a_figure_by_its_key_has_its_title_and_its_words(shown):
    figure = a_figure()
    figures.show_figure(figure, "01.x")
    assert figure.get_suptitle() == "It rises" and shown[0]["text/plain"] == ALT and not plt.get_fignums()


def test_what_nobody_registered_is_named_with_what_there_is(shown):
    for call in (lambda: figures.show_figure(a_figure(), "01.y"), lambda: predict("01.y"), lambda: reveal("01.y")):
        with pytest.raises(UnknownKey, match='"01.y"; lesson 01 has 01.x'):
            call()
    with pytest.raises(UnknownKey, match="lesson 02 has none yet: run the set-up"):
        predict("02.x")
    plt.close("all")


@pytest.mark.parametrize("wrong", [lambda: Prediction(["one"], "", 1), lambda: Prediction(["a", "b"], "", 3),
                                   lambda: pages.register({}, {"no key": FigureText("", "")})])
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

    assert pages.figures == {"01.y": FigureText("It falls", "A line that falls."),
                             "01.z": FigureText("It rises", "A line that rises.")}
    assert falling.__doc__ == 'Draw the figure "01.y".' and rising.__doc__ == "Return a line."
