"""Lesson 03's blanks: what a wrong line is told, beyond the mistakes that tests/engine/test_blanks.py tries."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from utils import pages
from utils.exercises import blanks
from utils.lesson_03 import page  # noqa: F401 (registers the blanks)
from utils.lesson_03.blanks import both, both_on, relu

SAID = {
    "03.distance": {
        "relu(c - p @ n)": "One side of the crease is dropped",
        "relu(p @ n - c) - relu(c - p @ n)": "A distance has no sign",
        "relu(p @ n - c) + relu(-p @ n - c)": "wrong sign in one of them",
        "abs(p @ n + c)": "wrong sign in both units",
        "relu(p @ n) + relu(-p @ n)": "c is missing",
        "abs(p @ n) - c": "c comes in too late",
        "relu(p @ n - c) + relu(1 - p @ n + c)": "second bend",
        "abs(p * n - c)": "this has two",
        "np.maximum(p @ n - c, c - p @ n)": "",
    },
    "03.fold": {
        "p - relu(p @ n - c)[:, None] * n": "go twice as far",
        "p - 2 * relu(c - p @ n)[:, None] * n": "A sign is wrong",
        "p - 2 * abs(p @ n - c)[:, None] * n": "on both sides",
        "p - 2 * relu(p @ n + c)[:, None] * n": "does not fold on the line",
        "relu(p - 2 * (p @ n - c)[:, None] * n)": "ReLU acts on the coordinates",
        "-2 * relu(p @ n - c)[:, None] * n": "the copy of the input is missing",
        "np.stack([abs(p @ n - c), p @ n[::-1]], axis=1)": "as seen from the crease",
        "p - 2 * relu(p @ n - c) * n": "into a column",
        "np.where((p @ n > c)[:, None], p - 2 * (p @ n - c)[:, None] * n, p)": "",
    },
    "03.block": {
        "relu((p @ W.T + b) @ V.T + d)": "A ReLU acts on what V makes",
        "relu(p @ W.T) @ V.T": "b is missing",
        "relu(p @ W.T + b) @ V.T": "add d at the end",
        "p + relu(p @ W.T + b) @ V.T + d": "skip connection",
        "relu(p @ W.T + b) @ W + d": "where the other belongs",
        "relu(p @ W + b) @ V + d": "not transposed",
        "V @ relu(W @ p.T + b[:, None]) + d[:, None]": "in columns",
        "(V @ relu(W @ p.T + b[:, None]) + d[:, None]).T": "",
    },
    "03.accuracy": {
        "((outputs[:, 0] > outputs[:, 1]) == y).mean()": "wrong answers",
        "((outputs[:, 1] > 0.5) == y).mean()": "one of the two outputs",
        "((outputs > 0) == y[:, None]).mean()": "not the class that the network says",
        "(outputs.argmax(axis=1) * y).mean()": "right answers of both classes",
        "outputs[np.arange(len(y)), y].mean()": "it counts nothing",
        "(outputs.argmax(axis=1) == y).sum()": "A share lies between 0 and 1",
        "outputs.argmax(axis=1) == y": "Return one number",
        "1 - abs(outputs.argmax(axis=1) - y).mean()": "",
    },
    "03.probe": {
        "(Line(X, y).score(X, y) + Line(X, y).score(new_X, new_y)) / 2": "mixed here",
        "Line(X, y).predict_proba(new_X).max(axis=1).mean()": "how sure it is",
        "Line(X, y).predict(new_X) == new_y": "The method `score` does it",
        "(Line(X, y).predict(new_X) == new_y).mean()": "",
    },
    "03c.centred": {
        "alpha * abs(now - start)": "lost its signs",
        "alpha * now": "not 0 at the start",
        "now - start": "not multiplied by α",
        "alpha * (start - now)": "the wrong way round",
        "alpha * now + (1 - alpha) * start": "is left over here",
        "alpha * (now - now.mean())": "A mean over the points",
        "alpha * now - alpha * start": "",
    },
    "03c.kernel": {
        "t * both_on(s / q)": "one part of the kernel",
        "q * both(s / q) + t": "wrong factor",
        "q * both(s / q) + q * both_on(s / q)": "multiply it by t",
        "q * both_on(s / q) + t * both(s / q)": "do not stand where they belong",
        "s * both(s / q) + t * both_on(s / q)": "the mean square q for its factor",
        "q * both(q / s) + t * both_on(q / s)": "the correlation of the two sums",
        "q * both(s / q) - t * both_on(s / q)": "not put together",
        "2 * q * both(s / q) + t * both_on(s / q)": "factor of 2",
    },
}


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    monkeypatch.setattr(blanks, "SECONDS", 60)


@pytest.mark.parametrize(
    ("key", "line", "words"), [(key, *one) for key, lines in SAID.items() for one in lines.items()]
)
def test_a_wrong_line_is_told_what_it_does_and_another_right_one_is_right(key, line, words):
    lent = blanks.reference(key)
    given = ", ".join(lent.__code__.co_varnames[: lent.__code__.co_argcount])
    names = {"np": np, "relu": relu, "both": both, "both_on": both_on, "Line": line_through}
    said = blanks._judged(pages.blank(key), eval(f"lambda {given}: {line}", names), lent)
    assert words in " ".join(said.split()) if words else said == ""


@pytest.mark.parametrize("key", SAID)
def test_each_remark_speaks_for_a_line(key):
    lines = [words for words in SAID[key].values() if words]
    for _, hint in pages.blank(key).remarks:
        assert any(words in hint for words in lines)


def test_a_line_that_stops_is_not_told_of_its_value():
    lent = blanks.reference("03.accuracy")
    said = blanks._judged(pages.blank("03.accuracy"), lambda outputs, y: outputs.argmax(dim=1).mean(), lent)
    assert "stops with an error" in said and "one number" not in said


def line_through(X, y):
    return LogisticRegression(C=100, max_iter=1000).fit(X, y)
