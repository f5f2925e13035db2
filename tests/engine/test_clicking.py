"""Points that are clicked: what their text means, and what reaches the page."""

from __future__ import annotations

import json
import re

import matplotlib
import matplotlib.pyplot as plt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from utils.clicking import ClickedPoint, point_of
from utils.widgets import live_figure

matplotlib.use("Agg")
BOUNDS = ((-1.0, 1.0), (0.0, 2.0))
PLACE = (0.1, 0.2, 0.8, 0.7)


@pytest.fixture
def shown(monkeypatch):
    """What was displayed, as HTML."""
    pages = []
    monkeypatch.setattr("IPython.display.display", lambda what, **_: pages.append(what["text/html"]))
    return pages


@given(st.floats(-1, 1), st.floats(0, 2))
def test_a_points_text_is_read_with_either_minus(x, y):
    for text in (f"{x}, {y}", f"{x},{y}".replace("-", "−")):
        assert point_of(text, BOUNDS) == (x, y)


@pytest.mark.parametrize("text", ["", "0.5", "1, 2, 3", "here, there", "0.5; 1"])
def test_what_is_no_point_is_refused(text):
    with pytest.raises(ValueError, match=re.escape(f'the point is "{text}": wanted two numbers')):
        point_of(text, BOUNDS)


@pytest.mark.parametrize("text", ["0, -1", "1.5, 1", "nan, 1", "0, inf"])
def test_a_point_outside_of_the_axes_is_refused(text):
    with pytest.raises(ValueError, match="wanted -1 to 1, and 0 to 2"):
        point_of(text, BOUNDS)


def test_the_script_knows_the_controls_name_and_the_axes(shown):
    control = ClickedPoint((0.25, 1), PLACE, BOUNDS)
    live_figure(lambda at: (plt.figure(), at), at=control)
    (page,), (name,) = shown, control._dom_classes
    settings = json.loads(re.search(r"\((\{[^()]*\})\)</script>$", page)[1])
    assert settings == {"id": name, "place": list(PLACE), "bounds": [list(side) for side in BOUNDS]}
    assert page.startswith(f'<div id="{name}"></div>')


def test_what_the_page_writes_is_drawn(shown):
    control = ClickedPoint((0.25, 1), PLACE, BOUNDS)
    box = live_figure(lambda at: (plt.figure(), f"{point_of(at, BOUNDS)}"), at=control)
    assert box.children[-1].value == "(0.25, 1.0)"
    control.set_state({"value": "-0.5, 0.75"})
    assert box.children[-1].value == "(-0.5, 0.75)"


def test_a_built_page_has_no_script(shown, monkeypatch):
    monkeypatch.setenv("COURSE_BUILD", "1")
    live_figure(lambda at: (plt.figure(), at), at=ClickedPoint((0, 1), PLACE, BOUNDS))
    assert shown == []
