"""The experiment of exercise 03.3: what it measures, and what is drawn of it."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import torch
from sklearn.linear_model import LinearRegression

from utils.lesson_03 import probe_runs


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_a_probe_is_fitted_on_one_set_and_scored_on_the_other():
    rng = np.random.default_rng(0)
    fit, score = ((rng.normal(2, 1, (30, 3)), rng.integers(0, 2, 30)) for _ in range(2))
    said = LinearRegression().fit(*fit).predict(score[0]) > 0.5
    assert probe_runs.probe(fit, score) == np.mean(said == score[1])


def test_a_trained_stack_is_probed_on_held_out_points_and_a_lost_one_is_nan(monkeypatch):
    """Of three seeds at once the second diverges; what the others come to does not depend on it."""
    import utils.comparison

    monkeypatch.setattr(probe_runs, "EPOCHS", 2)
    monkeypatch.setattr(probe_runs, "POINTS", 80)
    sweeps, original = [], utils.comparison.sweep

    def sweep(*args, **options):
        sweeps.append(original(*args, **options))
        sweeps[-1].diverged[1] = True
        return sweeps[-1]

    monkeypatch.setattr(utils.comparison, "sweep", sweep)
    accuracies = probe_runs.probed_spirals([1, 1.5], n_seeds=3, first_seed=4)
    assert accuracies.shape == (2, 3, 5) and [swept.seeds for swept in sweeps] == [(4, 5, 6)] * 2
    assert np.isnan(accuracies[:, 1]).all() and not np.isnan(accuracies[:, [0, 2]]).any()
    (X, y), (other_X, other_y) = sweeps[1].parts[2]
    assert not torch.equal(X, other_X) and len(other_X) == 80
    said = LinearRegression().fit(X.numpy(), y.numpy()).predict(other_X.numpy()) > 0.5
    assert accuracies[1, 2, 0] == np.mean(said == other_y.numpy())


def test_a_notebook_that_is_marked_loads_no_torch_for_it(root):
    code = "import sys, utils.lesson_03.probe_runs; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=root).returncode == 0


def test_each_network_has_a_line_and_a_run_that_diverged_counts_as_0():
    accuracies = np.array([[[0.5, 0.8], [0.6, 1.0], [0.7, 0.9]], [[0.5, 0.9], [np.nan, np.nan], [np.nan, np.nan]]])
    figure, words = probe_runs.probe_lines(accuracies, 0.95, ["one", "other"])
    *lines, medians, level = figure.axes[0].lines
    assert len(lines) == 3 and medians.get_ydata().tolist() == [0.6, 0.9] and level.get_ydata()[0] == 0.95
    assert figure.axes[1].lines[3].get_ydata().tolist() == [0, 0]
    assert "one, medians 0.60, 0.90; other, medians 0.00, 0.00 (2 diverged)" in words


@pytest.mark.full
def test_a_longer_spiral_is_separated_at_a_later_stage():
    """What the exercise asks about: over other seeds than its own, one stage for one turn, more for one and a half."""
    medians = np.median(probe_runs.probed_spirals([1, 1.5], n_seeds=20, first_seed=100), axis=1)
    first = [int((row < 0.95).sum()) for row in medians]
    assert first[0] < first[1]
