"""What the definitions of exercises 06.6 to 06.8 promise of every draw, and that their answers are what is said."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.proofs import of_seed
from utils.lesson_06.exercises import dead_units, orthogonal, residual_scale

SEEDS = range(3)


@pytest.mark.parametrize("seed", SEEDS)
def test_matrices_come_in_all_forms_and_are_far_from_dependent(seed):
    forms = []
    for given in of_seed(orthogonal.ORTHOGONAL.cases, seed)[1:]:
        rows, columns = given["normal"].shape
        forms.append(np.sign(rows - columns))
        tall = given["normal"] if rows >= columns else given["normal"].T
        assert np.abs(np.diag(np.linalg.qr(tall)[1])).min() > 0.3
        assert abs(given["gain"] - 1) > 0.15
    assert sorted(forms) == [-1] * 3 + [0] * 3 + [1] * 3


@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (4, 4)])
def test_the_orthogonal_matrix_is_pytorchs_from_the_same_numbers(shape):
    generator = torch.Generator().manual_seed(0)
    wanted = torch.nn.init.orthogonal_(torch.empty(shape), 1.5, generator=generator)
    normal = torch.randn(shape, generator=generator.manual_seed(0))
    found = orthogonal.right({"normal": normal.double().numpy(), "gain": 1.5})
    np.testing.assert_allclose(found, wanted.numpy(), atol=1e-5)


def test_the_orthogonal_matrix_turns_with_its_numbers_and_qr_alone_does_not():
    """Which is why it has no favourite direction, as the page says; two columns, turned by a right angle."""
    normal = np.random.default_rng(0).normal(size=(6, 2, 2))
    quarter = np.array([[0.0, -1.0], [1.0, 0.0]])
    gaps = {"right": 0.0, "as_qr_returns": 0.0}
    for one in normal:
        for name in gaps:
            way = getattr(orthogonal, name)
            turned = way({"normal": quarter @ one, "gain": 1.0}) - quarter @ way({"normal": one, "gain": 1.0})
            gaps[name] = max(gaps[name], np.abs(turned).max())
    assert gaps["right"] < 1e-12 < 0.1 < gaps["as_qr_returns"]


def test_qr_alone_gives_one_of_the_two_matrices_of_one_number():
    """As the page lets the reader find out."""
    assert [np.linalg.qr(np.array([[number]]))[0].item() for number in (3.0, -3.0)] == [1.0, 1.0]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_unit_is_nearly_dead_and_none_of_each_kind_is_missing(seed):
    exactly, dead, alive = 0, 0, 0
    for given in of_seed(dead_units.DEAD_UNITS.cases, seed)[1:]:
        for weight, z in zip(given["weights"], dead_units.into_units(given)[:-1], strict=False):
            largest = z.max(axis=0)
            without = ~weight.any(axis=1)
            assert (np.abs(largest[~without]) >= dead_units.MARGIN).all()
            exactly, dead, alive = (
                exactly + (largest == 0).sum(), dead + (largest < 0).sum(), alive + (largest > 0).sum(),
            )
    assert min(exactly, dead) >= 3 and alive > dead


def test_dead_units_get_no_gradient_and_those_of_the_first_layer_stay_dead():
    """Twenty steps of gradient descent in PyTorch leave the first layer's dead units where they were."""
    for given in of_seed(dead_units.DEAD_UNITS.cases, 0):
        weights, biases = (
            [torch.tensor(part, requires_grad=True) for part in given[name]] for name in ("weights", "biases")
        )
        dead = dead_units.right(given)[0]
        before = weights[0].detach()[dead].clone()
        optimiser = torch.optim.SGD([*weights, *biases], lr=1e-2)
        for _ in range(20):
            h = torch.tensor(given["X"])
            for i, (weight, bias) in enumerate(zip(weights, biases, strict=True)):
                h = (torch.relu(h) if i else h) @ weight.T + bias
            optimiser.zero_grad()
            ((h - 1) ** 2).mean().backward()
            optimiser.step()
        torch.testing.assert_close(weights[0].detach()[dead], before, rtol=0, atol=0)


@pytest.mark.parametrize("normalised", [True, False])
def test_a_stream_of_random_branches_grows_as_much_as_its_scale_says(normalised):
    """Four thousand numbers, and branches that are random and of the variances that are asked for."""
    given = {**of_seed(residual_scale.RESIDUAL_SCALE.cases, 0)[0], "normalised": normalised}
    s, rng = residual_scale.right(given), np.random.default_rng(0)
    grown = []
    for _ in range(50):
        stream = rng.normal(size=4000)
        for variance in given["variances"].ravel():
            size = 1.0 if normalised else stream.std()
            stream = stream + s * np.sqrt(variance) * size * rng.normal(size=stream.size)
        grown.append(stream.var())
    assert np.mean(grown) == pytest.approx(given["growth"], rel=0.02)


def test_gpts_scale_doubles_a_normalised_stream_and_makes_another_e_times_as_large():
    alike = {"variances": np.ones((500, 2)), "growth": 2.0}
    scale = residual_scale.right({**alike, "normalised": True})
    assert scale == pytest.approx(1000**-0.5)
    assert residual_scale.product(alike["variances"], scale) == pytest.approx(np.e, rel=1e-3)


def test_the_second_example_of_the_page():
    given = {**residual_scale.worked_example(), "normalised": False, "growth": 2.768555}
    assert residual_scale.right(given) == pytest.approx(0.5, rel=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_branches_are_as_the_page_says(seed):
    cases = of_seed(residual_scale.RESIDUAL_SCALE.cases, seed)
    assert sum(given["normalised"] for given in cases) == len(cases) / 2
    assert all(given["variances"].min() > 0 and given["growth"] > 1 for given in cases)


def test_what_is_said_of_values():
    example = orthogonal.worked_example()
    expected = orthogonal.right(example)
    said = (
        "Over the gain, the lengths of your columns lie between 0.5 and 0.5. Over its square, the largest inner "
        "product of two of them is 0."
    )
    assert orthogonal.explain_matrix(example, expected / 2, expected) == said
    said = "Your columns are perpendicular to each other, and as long as the gain."
    assert orthogonal.explain_matrix(example, -expected, expected) == said
    assert orthogonal.explain_matrix(example, expected.T, expected) == ""
    assert "rows" in orthogonal.explain_matrix({"gain": 2.0}, expected.T, expected.T)
    network = dead_units.worked_example()
    assert dead_units.right(network) == [[1], [0]]
    assert dead_units.explain_units(network, [[1], [1]], [[1], [0]]) == "Wrong in hidden layer 2 of 2."
    assert dead_units.explain_units(network, [[1]], [[1], [0]]) == ""
    stream = residual_scale.worked_example()
    said = "With your scale the variance becomes 6 times as large; 2.25 times is wanted."
    assert residual_scale.explain_growth(stream, 1.0, 0.5) == said
