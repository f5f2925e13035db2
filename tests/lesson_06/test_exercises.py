"""What the definitions of lesson 06's exercises promise of every draw, and what its pages say of their answers."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch

from tests.answers import of_seed
from utils import meanfield
from utils.exercises import Exercise, stored_cases
from utils.exercises.definition import find
from utils.exercises.networks import forward
from utils.lesson_06 import exercises
from utils.lesson_06.length_runs import LEFT, RIGHT, deep_lengths, length_lines

SEEDS = range(3)
CHECKED = [one for one in exercises.EXERCISES if isinstance(one, Exercise)]


def drawn(number: int, seed: int) -> list[dict]:
    return of_seed(find(f"06.{number}").cases, seed)


@pytest.mark.parametrize("exercise", CHECKED, ids=[one.id for one in CHECKED])
def test_a_definition_knows_what_the_solution_returns(exercise):
    reference = getattr(exercises, exercise.answer_name).reference
    for case in map(stored_cases.case_of, stored_cases.load(exercise)):
        assert exercise.verify(case.given, case.hidden, reference(case.given), case.expected) == 1


# --- draws are as the page says -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_medians_increase_through_zero_once_or_not_at_all(seed):
    never = 0
    for given in drawn(3, seed):
        gains, lengths, skip = given["gains"], given["lengths"], given["skip"]
        medians = np.median(np.log(lengths[..., -1] / lengths[..., skip]), axis=0)
        assert (np.diff(medians) > 0).all() and np.abs(medians).min() > 0.003 and (lengths > 0).all()
        assert len(gains) >= 3 and lengths.shape[-1] > skip + 2 and 0 <= skip <= 3
        found = exercises.gain_from_lengths.reference(given)
        never += found == 0
        assert found == 0 or gains[medians < 0][-1] < found < gains[medians > 0][0]
    assert never == exercises.gain_from_lengths.NEVER


@pytest.mark.parametrize("seed", SEEDS)
def test_no_network_is_a_close_call_and_each_verdict_is_frequent(seed):
    cases, said = drawn(4, seed), []
    for given in cases:
        for activation, weights in given["networks"]:
            norms = exercises.gradient_norms.reference({**given, "activation": activation, "weights": weights})
            assert norms[0] < 0.0051 or 0.0199 < norms[0] < 50.1 or norms[0] > 199
        said += exercises.will_not_train.reference(given)
    assert min(said.count(word) for word in exercises.will_not_train.VERDICTS) >= len(said) / 6


@pytest.mark.parametrize("seed", SEEDS)
def test_no_unit_is_nearly_dead_and_none_of_each_kind_is_missing(seed):
    largest, no_weights = [], []
    for given in drawn(7, seed)[1:]:
        before = forward(given["weights"], given["X"], given["biases"])[1]
        largest += [one for z in before[:-1] for one in z.max(axis=0)]
        no_weights += [not row.any() for weight in given["weights"][:-1] for row in weight]
    largest = np.array(largest)
    assert (np.abs(largest[~np.array(no_weights)]) >= 0.01).all()
    assert min((largest == 0).sum(), (largest < 0).sum()) >= 3 and (largest > 0).sum() > (largest < 0).sum()


@pytest.mark.parametrize("seed", SEEDS)
def test_branches_are_as_the_page_says(seed):
    cases = drawn(8, seed)
    assert sum(given["normalised"] for given in cases) == len(cases) / 2
    assert all(given["variances"].min() > 0 and given["growth"] > 1 for given in cases)


# --- what the pages say of the answers ----------------------------------------------------------------------


def test_the_experiment_finds_the_gain_that_the_first_exercise_computes():
    """Ten networks of 30 layers of 100 units at each of five gains: within three percent."""
    gains = np.linspace(1.0, 1.4, 5)
    lengths, slopes = deep_lengths(gains, n_seeds=10), exercises.weight_std.case(LEFT, RIGHT, 1, 1)
    found = exercises.gain_from_lengths.reference({"gains": gains, "lengths": lengths, "skip": 0})
    assert found == pytest.approx(exercises.weight_std.reference(slopes), rel=0.03)


@pytest.mark.slow
def test_measured_lengths_are_those_of_the_length_map():
    """Networks of 1,000 units keep to the theory of infinite width: six layers of tanh, within ten percent."""
    lengths = deep_lengths([0.8, 1.5], n_seeds=2, depth=6, width=1000, activation=np.tanh)
    for place, gain in enumerate((0.8, 1.5)):
        wanted = [gain**2]
        while len(wanted) < 6:
            wanted.append(meanfield.length_map(wanted[-1], gain, 0.0, "tanh"))
        np.testing.assert_allclose(lengths[:, place].mean(axis=0), wanted, rtol=0.1)


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
        gaps = [way({"normal": quarter @ one, "gain": 1.0}) - quarter @ way({"normal": one, "gain": 1.0})
                for one in np.random.default_rng(0).normal(size=(6, 2, 2))]
        assert (np.abs(gaps).max() < 1e-12) == turns
        assert (way({"normal": np.array([[-3.0]]), "gain": 1.0}) == -1) == turns


@pytest.mark.parametrize("normalised", [True, False])
def test_a_stream_of_random_branches_grows_as_much_as_its_scale_says(normalised):
    """Four thousand numbers, and branches that are random and of the variances that are asked for."""
    given = {**drawn(8, 0)[0], "normalised": normalised}
    s, rng = exercises.residual_scale.reference(given), np.random.default_rng(0)
    grown = []
    for _ in range(50):
        stream = rng.normal(size=4000)
        for variance in given["variances"].ravel():
            size = 1.0 if normalised else stream.std()
            stream = stream + s * np.sqrt(variance) * size * rng.normal(size=stream.size)
        grown.append(stream.var())
    assert np.mean(grown) == pytest.approx(given["growth"], rel=0.02)


def test_gpts_scale_doubles_a_normalised_stream_and_makes_another_e_times_as_large():
    residual_scale, alike = exercises.residual_scale, np.ones((500, 2))
    assert residual_scale.reference(residual_scale.case(alike, True, 2)) == pytest.approx(1000**-0.5)
    assert residual_scale.product(alike, 1000**-0.5) == pytest.approx(np.e, rel=1e-3)
    example = {**residual_scale.worked_example(), "normalised": False, "growth": 2.768555}
    assert residual_scale.reference(example) == pytest.approx(0.5, rel=1e-6)


# --- what is said and drawn of values -----------------------------------------------------------------------


def test_what_is_said_of_values():
    said = exercises.weight_std.explain_std(exercises.weight_std.case(-0.5, 1.5, 80, 20), 0.2, 0.1)
    assert said == "With your standard deviation the mean square in the next layer is 4 times that in this one."
    say, right = exercises.gradient_norms.explain_norms, np.array([3.0, 2.236068])
    assert say({}, [3.0, 5.0], right) == "Wrong in layer 1, from 0: 5, and not 2.236."
    assert say({}, [3.0, 2.236068], right) == say({}, [3.0], right) == ""
    said = exercises.gain_from_lengths.explain_gain(exercises.gain_from_lengths.worked_example(), 1.0, 1.3693)
    assert said.endswith("-0.693 at gain 1, -0.347 at gain 1.25, 0.347 at gain 1.5.")
    say, example = exercises.orthogonal.explain_matrix, exercises.orthogonal.worked_example()
    expected = exercises.orthogonal.reference(example)
    assert say(example, expected / 2, expected) == (
        "Over the gain, the lengths of your columns lie between 0.5 and 0.5. Over its square, the largest inner "
        "product of two of them is 0."
    )
    said = "Your rows are perpendicular to each other, and as long as the gain."
    assert say(example, -expected.T, expected.T) == said and say(example, expected.T, expected) == ""
    say = exercises.dead_units.explain_units
    assert say({}, [[1], [1]], [[1], [0]]) == "Wrong in hidden layer 2 of 2." and say({}, [[1]], [[1], [0]]) == ""
    said = "With your scale the variance becomes 6 times as large; 2.25 times is wanted."
    assert exercises.residual_scale.explain_growth(exercises.residual_scale.worked_example(), 1.0, 0.5) == said


def test_what_is_drawn_of_lengths_and_of_a_gain():
    given = exercises.gain_from_lengths.worked_example()
    figure, words = exercises.gain_from_lengths.plot_gain(given, 1.4)
    *seeds, medians, _, ring, gain = figure.axes[0].lines
    assert len(seeds) == 3 and gain.get_xdata() == [1.4, 1.4] and words.endswith("Your function returns 1.4.")
    np.testing.assert_allclose(ring.get_xdata(), 1.25**0.5 * 1.5**0.5)
    assert figure.axes[1].get_xlim()[0] < ring.get_xdata()[0] < 1.4 < figure.axes[1].get_xlim()[1]
    np.testing.assert_allclose(medians.get_ydata(), np.log([0.25, 0.5, 2]) / 2)
    never = {**given, "gains": given["gains"][:2], "lengths": given["lengths"][:, :2]}
    assert len(exercises.gain_from_lengths.plot_gain(never, 0.0)[0].axes) == 1
    figure, words = length_lines(given["gains"], given["lengths"])
    assert [line.get_ydata()[-1] for line in figure.axes[0].lines] == [1, 1, 4]
    assert words.endswith("in layer 3, from 0: 1 at gain 1, 1 at gain 1.25, 4 at gain 1.5.")
    plt.close("all")
