"""What the definitions of lesson 06's exercises promise of every draw, and what its pages say of their answers."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.answers import of_seed
from utils.exercises.networks import forward
from utils.lesson_06 import exercises
from utils.lesson_06.length_runs import LEFT, RIGHT, deep_lengths


@pytest.mark.parametrize("seed", range(3))
def test_no_gradient_is_near_a_limit_and_each_label_is_frequent(seed):
    cases, said = of_seed(exercises.WILL_NOT_TRAIN.cases, seed), []
    for given in cases:
        for activation, weights in given["networks"]:
            norms = exercises.gradient_norms.reference({**given, "activation": activation, "weights": weights})
            assert norms[0] < 0.0051 or 0.0199 < norms[0] < 50.1 or norms[0] > 199
        said += exercises.will_not_train.reference(given)
    assert min(said.count(word) for word in exercises.will_not_train.LABELS) >= len(said) / 6


@pytest.mark.parametrize("seed", range(3))
def test_medians_increase_through_zero_once_or_not_at_all(seed):
    never = 0
    for given in of_seed(exercises.GAIN_FROM_LENGTHS.cases, seed):
        gains, lengths, skip = given["gains"], given["lengths"], given["skip"]
        medians = np.median(np.log(lengths[..., -1] / lengths[..., skip]), axis=0)
        assert (np.diff(medians) > 0).all() and np.abs(medians).min() > 0.003 and (lengths > 0).all()
        found = exercises.gain_from_lengths.reference(given)
        never += found == 0
        assert found == 0 or gains[medians < 0][-1] < found < gains[medians > 0][0]
    assert never == exercises.gain_from_lengths.NEVER


@pytest.mark.parametrize("seed", range(3))
def test_no_unit_is_nearly_dead_and_none_of_each_kind_is_missing(seed):
    largest, no_weights = [], []
    for given in of_seed(exercises.DEAD_UNITS.cases, seed)[1:]:
        before = forward(given["weights"], given["X"], given["biases"])[1]
        largest += [one for z in before[:-1] for one in z.max(axis=0)]
        no_weights += [not row.any() for weight in given["weights"][:-1] for row in weight]
    largest = np.array(largest)
    assert (np.abs(largest[~np.array(no_weights)]) >= 0.01).all()
    assert min((largest == 0).sum(), (largest < 0).sum()) >= 3 and (largest > 0).sum() > (largest < 0).sum()


# --- what the pages say of the answers ----------------------------------------------------------------------


def test_the_experiment_finds_the_gain_that_the_first_exercise_computes():
    """Ten networks of 30 layers of 100 units at each of five gains: within three percent."""
    gains = np.linspace(1.0, 1.4, 5)
    lengths, slopes = deep_lengths(gains, n_seeds=10), exercises.weight_std.case(LEFT, RIGHT, 1, 1)
    found = exercises.gain_from_lengths.reference({"gains": gains, "lengths": lengths, "skip": 0})
    assert found == pytest.approx(exercises.weight_std.reference(slopes), rel=0.03)


@pytest.mark.parametrize("normalised", [True, False])
def test_a_stream_of_random_branches_grows_as_much_as_its_scale_says(normalised):
    """Four thousand numbers, and branches that are random and of the variances that are asked for."""
    given = {**of_seed(exercises.RESIDUAL_SCALE.cases, 0)[0], "normalised": normalised}
    s, rng, grown = exercises.residual_scale.reference(given), np.random.default_rng(0), []
    for _ in range(50):
        stream = rng.normal(size=4000)
        for variance in given["variances"].ravel():
            size = 1.0 if normalised else stream.std()
            stream = stream + s * np.sqrt(variance) * size * rng.normal(size=stream.size)
        grown.append(stream.var())
    assert np.mean(grown) == pytest.approx(given["growth"], rel=0.02)


@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (4, 4)])
def test_the_orthogonal_matrix_is_pytorchs_from_the_same_numbers(shape):
    generator = torch.Generator().manual_seed(0)
    wanted = torch.nn.init.orthogonal_(torch.empty(shape), 1.5, generator=generator)
    normal = torch.randn(shape, generator=generator.manual_seed(0))
    found = exercises.orthogonal.reference({"normal": normal.double().numpy(), "gain": 1.5})
    np.testing.assert_allclose(found, wanted.numpy(), atol=1e-5)


def test_the_orthogonal_matrix_turns_with_its_numbers_and_qr_alone_does_not():
    """Which is why it has no favourite direction; two columns, turned by a right angle. And QR of one number is 1."""
    quarter = np.array([[0.0, -1.0], [1.0, 0.0]])
    for way, turns in ((exercises.orthogonal.reference, True), (exercises.orthogonal.as_qr_returns, False)):
        gaps = [
            way({"normal": quarter @ one, "gain": 1.0}) - quarter @ way({"normal": one, "gain": 1.0})
            for one in np.random.default_rng(0).normal(size=(6, 2, 2))
        ]
        assert (np.abs(gaps).max() < 1e-12) == turns
        assert (way({"normal": np.array([[-3.0]]), "gain": 1.0}) == -1) == turns


def test_gpts_scale_doubles_a_normalised_stream_and_makes_another_e_times_as_large():
    residual_scale, alike = exercises.residual_scale, np.ones((500, 2))
    assert residual_scale.reference(residual_scale.case(alike, True, 2)) == pytest.approx(1000**-0.5)
    assert residual_scale.product(alike, 1000**-0.5) == pytest.approx(np.e, rel=1e-3)
    example = {**residual_scale.worked_example(), "normalised": False, "growth": 2.768555}
    assert residual_scale.reference(example) == pytest.approx(0.5, rel=1e-6)


# --- what is said and drawn of values -----------------------------------------------------------------------


def test_what_is_said_of_a_matrix():
    say, example = exercises.orthogonal.explain_matrix, exercises.orthogonal.worked_example()
    expected = exercises.orthogonal.reference(example)
    assert say(example, expected / 2, expected) == (
        "Over the gain, the lengths of your columns lie between 0.5 and 0.5. Over its square, the largest inner "
        "product of two of them is 0."
    )
    said = "Your rows are perpendicular to each other, and as long as the gain."
    assert say(example, -expected.T, expected.T) == said and say(example, expected.T, expected) == ""


def test_where_lengths_never_stand_still_no_second_panel_is_drawn():
    given = exercises.gain_from_lengths.worked_example()
    never = {**given, "gains": given["gains"][:2], "lengths": given["lengths"][:, :2]}
    panels = [len(exercises.gain_from_lengths.plot_gain(one, 1.4)[0].axes) for one in (given, never)]
    assert panels == [2, 1]
