"""The experiment of exercise 01.7: what it measures, what is drawn of it, and the invented ones it is marked on."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from utils.lesson_01 import rate_sweep
from utils.lesson_01.exercises.read_sweep import RATES, READ_SWEEP, explain_reading, plot_reading
from utils.lesson_01.rings import measure_rings


def test_accuracies_are_those_of_the_lessons_rings():
    found = rate_sweep.ring_accuracies([0.01, 0.001], n_seeds=2)
    lesson = measure_rings([0, 1], ["10 units"])["accuracy"].sel(network="10 units", rate=[0.01, 0.001])
    for part, accuracies in zip(("training", "validation", "held-out"), found, strict=True):
        np.testing.assert_array_equal(accuracies, lesson.sel(part=part).transpose("rate", "seed"))


def test_a_notebook_that_is_marked_loads_no_torch_for_it(root):
    code = "import sys, utils.lesson_01.rate_sweep; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=root).returncode == 0


def test_each_network_has_a_dot_in_each_panel():
    training, validation, held_out = (np.full((3, 4), value) for value in (0.9, 0.8, 0.7))
    figure, words = rate_sweep.accuracy_dots(np.array([0.1, 0.001, 0.01]), training, validation, held_out)
    assert [ax.get_title() for ax in figure.axes] == ["training", "validation", "held-out"]
    for ax, value in zip(figure.axes, (0.9, 0.8, 0.7), strict=True):
        dots = {(x, y) for line in ax.lines for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)}
        assert dots == {(rate, value) for rate in (0.1, 0.001, 0.01)}
        assert sum(len(line.get_xdata()) for line in ax.lines) == 12
    assert "4 dots" in words and "3 learning rates from 0.001 to 0.1" in words


@pytest.mark.parametrize("seed", range(20))
def test_in_every_invented_experiment_each_way_to_choose_chooses_another_rate(seed):
    example, *drawn = [given for given, _ in READ_SWEEP.cases(np.random.default_rng(seed))]
    assert {given["validation"].shape[1] % 2 for given in drawn} == {0, 1}
    assert any(given["validation"].shape[0] > given["validation"].shape[1] for given in drawn)
    for given in drawn:
        validation, seeds = given["validation"], given["validation"].shape[1]
        best_of_each_seed = validation.argmax(axis=0).tolist()
        chosen = [
            *(np.median(given[part], axis=1).argmax() for part in ("validation", "training", "held_out")),
            validation.mean(axis=1).argmax(),
            validation.max(axis=1).argmax(),
            max(range(len(validation)), key=best_of_each_seed.count),
        ]
        assert len(set(chosen)) == 6 and set(given["rates"]) <= set(RATES)
        assert all(given[part].shape == (len(given["rates"]), seeds) for part in ("training", "held_out"))
        assert all(0 <= given[part].min() and given[part].max() <= 1 for part in ("training", "validation", "held_out"))
    np.testing.assert_allclose(np.median(example["validation"], axis=1), [0.87, 0.85, 0.73])


def test_what_is_said_and_drawn_of_a_reading():
    given, _ = next(iter(READ_SWEEP.cases(np.random.default_rng(0))))
    said = explain_reading(given, [0.1, 0.5], [0.01, 0.845])
    assert said == "At your rate, 0.1, the medians over the seeds are: training 0.985, validation 0.73, held-out 0.72."
    assert explain_reading(given, [0.2, 0.5], [0.01, 0.845]) == ""
    figure, words = plot_reading(given, [0.01, 0.845])
    assert words.endswith("Your function chooses the rate 0.01 and reports 0.845.")
