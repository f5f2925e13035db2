"""The experiment of exercise 02.8: what it measures, and what is drawn of it."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from utils.lesson_02 import saw_runs
from utils.lesson_02.sawtooth import AS_WIDE, NARROW, WIDE, one_layer_sawtooth, share_missed, train_shape
from utils.models import mlp_parameters

SHAPES = (NARROW, WIDE, AS_WIDE)


def test_errors_are_those_of_the_lessons_sawtooths(monkeypatch):
    monkeypatch.setattr(saw_runs, "FOLDS", (1, 2))
    monkeypatch.setattr(saw_runs, "EPOCHS", 2)
    pieces, missed = saw_runs.sawtooth_errors(n_seeds=2, first_seed=5)
    assert pieces.tolist() == [2, 4] and missed.shape == (3, 2, 2)
    for shape, rate, errors in zip(SHAPES, saw_runs.RATES, missed, strict=True):
        for k, of_seeds in zip((1, 2), errors, strict=True):
            lesson = train_shape(shape, k, [5, 6], lrs=[rate], epochs=2).scores(share_missed).sel(part="held-out")
            np.testing.assert_array_equal(of_seeds, lesson.to_numpy()[:, 0])


def test_every_architecture_could_be_hand_built():
    """As wide and deep as the tents, or with as many units as one hidden layer needs; and equal parameters."""
    from utils.lesson_02.sawtooth import SHAPES as LESSONS

    for k in saw_runs.FOLDS:
        narrow, wide, one = (LESSONS[shape](k) for shape in SHAPES)
        assert narrow == [1, *[2] * k, 1] and wide == [1, *[8] * k, 1]
        assert len(one) == 3 and one[1] >= one_layer_sawtooth(k)[0].out_features
        assert mlp_parameters(one) == mlp_parameters(wide)


def test_a_notebook_that_is_marked_loads_no_torch_for_it(root):
    code = "import sys, utils.lesson_02.saw_runs; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=root).returncode == 0


def test_each_network_has_a_dot_and_each_that_diverged_a_cross():
    missed = np.full((3, 2, 4), 0.5)
    missed[0, 1] = [0.01, 0.02, np.nan, 7.0]
    figure, words = saw_runs.error_dots(np.array([2, 8]), missed, 0.1)
    assert [ax.get_title() for ax in figure.axes] == list(saw_runs.ARCHITECTURES)
    dots, crosses, line = figure.axes[0].lines
    assert len(dots.get_xdata()) == 7 and crosses.get_ydata().tolist() == [saw_runs.HIGHEST]
    assert max(dots.get_ydata()) == saw_runs.HIGHEST and line.get_ydata()[0] == 0.1
    assert "two units a layer: 0 at 2 pieces, 2 at 8 pieces" in words and "4 dots" in words


@pytest.mark.full
def test_each_architecture_has_the_rate_that_serves_it_best_in_other_seeds():
    """Summed over the numbers of pieces, no other rate finds the sawtooth more often, by more than luck."""
    tried = (0.003, 0.01, 0.03, 0.1, 0.3)
    for shape, rate in zip(SHAPES, saw_runs.RATES, strict=True):
        found = np.zeros(len(tried))
        for k in saw_runs.FOLDS:
            swept = train_shape(shape, k, range(100, 120), lrs=tried, epochs=saw_runs.EPOCHS)
            found += (swept.scores(share_missed).sel(part="validation") <= 0.1).sum("seed").to_numpy()
        assert found[tried.index(rate)] >= found.max() - 2
