"""Pictures that another processor draws with other last digits keep their bytes; any other change is taken."""

from __future__ import annotations

import base64

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from nbformat import v4

from authoring.pictures import keep_pictures, same_picture
from utils.figures import png

X = np.linspace(0, 1, 200)
NOTHING = np.zeros_like(X)


def drawn(moved: np.ndarray = NOTHING, title: str = "a curve", colour: str = "tab:blue", size: float = 3) -> str:
    figure, ax = plt.subplots(figsize=(5, size))
    ax.plot(X, np.sin(9 * X) + moved, color=colour)
    ax.plot(X[::40], np.cos(9 * X[::40]), "o", color="grey")
    ax.set_title(title)
    return base64.b64encode(png(figure)).decode()


@pytest.mark.slow
def test_what_rounding_changes_is_the_same_picture():
    changed = [drawn(seed * 1e-6 * np.random.default_rng(seed).normal(size=X.size)) for seed in (1, 2)]
    assert len({drawn(), *changed}) > 1 and all(same_picture(drawn(), one) for one in changed)


@pytest.mark.parametrize(
    "other",
    [
        lambda: drawn(moved=0.05 * (X > 0.9)),
        lambda: drawn(title="a curse"),
        lambda: drawn(colour="tab:cyan"),
        lambda: drawn(size=3.1),
        lambda: "bm90IGEgcGljdHVyZQ==",
        lambda: "not base64",
    ],
    ids=["a bit of a line", "a letter", "a colour", "a size", "no picture", "no text of one"],
)
def test_what_a_reader_can_see_is_a_change(other):
    changed = other()
    assert not same_picture(drawn(), changed) and not same_picture(changed, drawn())


def shown(*pictures: str) -> nbformat.NotebookNode:
    outputs = [v4.new_output("display_data", data={"image/png": one, "text/plain": "words"}) for one in pictures]
    return v4.new_notebook(cells=[v4.new_code_cell("x", outputs=[output]) for output in outputs])


def test_each_picture_finds_its_own_and_a_new_one_is_taken(tmp_path):
    old, new, other = drawn(), drawn(1e-6 * np.random.default_rng(0).normal(size=X.size)), drawn(title="another")
    assert old != new
    nbformat.write(shown(drawn(colour="red"), old), tmp_path / "old.ipynb")
    notebook = shown(other, new)
    keep_pictures(notebook, tmp_path / "old.ipynb")
    assert [cell.outputs[0].data["image/png"] for cell in notebook.cells] == [other, old]
    assert [cell.outputs[0].data["text/plain"] for cell in notebook.cells] == ["words", "words"]


@pytest.mark.parametrize("content", [None, "", "{}", '{"nbformat": 4, "cells": [{}]}'])
def test_where_nothing_is_stored_all_are_new(tmp_path, content):
    if content is not None:
        (tmp_path / "old.ipynb").write_text(content)
    notebook = shown(drawn())
    keep_pictures(notebook, tmp_path / "old.ipynb")
    assert notebook.cells[0].outputs == shown(drawn()).cells[0].outputs
