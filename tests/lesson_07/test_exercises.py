"""What the definitions of lesson 07's exercises promise of every draw, and what its pages say of their answers."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.utils.checkpoint import checkpoint
from torch.utils.flop_counter import FlopCounterMode

from tests.answers import of_seed
from utils.lesson_07 import exercises
from utils.lesson_07.networks import digits, plain, stream
from utils.lesson_07.own_runs import error_lines
from utils.models import activation_bytes
from utils.training import train


@pytest.mark.parametrize("seed", range(3))
def test_each_patient_is_frequent_and_none_is_near_a_limit(seed):
    cases, said = of_seed(exercises.DIAGNOSIS.cases, seed), []
    for given in cases:
        training, unseen = (np.sort(given[name][-5:])[2] for name in ("training", "unseen"))
        guessing = 1 - 1 / given["classes"]
        assert not 0.85 * guessing < training < 0.95 * guessing and not 0.006 < training < 0.02
        assert training > 0.01 or not 0.0075 < unseen - given["shallow"] < 0.02
        assert 0 <= min(given["training"].min(), given["unseen"].min()) and len(given["training"]) >= 8
        said.append(exercises.diagnosis.reference(given))
    assert min(said.count(word) for word in exercises.diagnosis.PATIENTS) >= len(said) / 5


@pytest.mark.parametrize("seed", range(3))
def test_who_is_slow_is_still_falling(seed):
    for given in of_seed(exercises.DIAGNOSIS.cases, seed):
        if exercises.diagnosis.reference(given) == "slow":
            assert np.median(given["training"][-5:]) < 0.95 * np.median(given["training"][-12:-5])


@pytest.mark.parametrize("seed", range(3))
def test_no_learning_curve_ends_near_the_goal_and_each_advice_is_frequent(seed):
    said = []
    for given in of_seed(exercises.WHAT_WOULD_HELP.cases, seed)[1:]:
        last, before = given["unseen"][:, -1], given["unseen"][:, -2]
        for errors in (last, given["training"][:, -1] + 1e-9, last * (last / before) ** given["doublings"]):
            assert (np.abs(np.log(errors / given["goal"])) > 0.13).all()
        said += exercises.what_would_help.reference(given)
    assert {said.count(word) for word in exercises.what_would_help.ADVICE} == {len(said) // 4}


@pytest.mark.parametrize("seed", range(3))
def test_an_improvement_is_never_nearly_one_and_some_runs_never_stop_early(seed):
    early = []
    for given in of_seed(exercises.STOP_EPOCH.cases, seed)[1:]:
        losses, delta = given["losses"], given["min_delta"]
        gains = (losses[:, None] - losses - delta)[np.triu_indices(len(losses), 1)]
        assert (np.abs(gains) > 1e-6).all() or delta == 0
        early.append(exercises.stop_epoch.reference(given)[1] < len(losses) - 1)
    assert 0.5 < np.mean(early) < 0.9


# --- what the pages say of the answers ----------------------------------------------------------------------


def test_networks_on_digits_are_the_patients_that_the_page_says():
    """As on the page, but for fewer epochs of those that will not have learned by then."""
    generator, found, runs = torch.Generator().manual_seed(0), {}, {}
    (X, y), _, unseen = digits(generator=generator)
    for name, depth, start, rate, epochs in [
        ("D", 1, "he", 0.01, 200),
        ("A", 50, "he", 0.001, 50),
        ("B", 20, "he", 0.003, 200),
        ("C", 50, "default", 0.001, 20),
    ]:
        history = train(
            plain(depth, start, generator=generator), X, y, epochs=epochs, lr=rate, validation=unseen, progress=False
        )
        runs[name] = 1 - history.accuracy, 1 - history.validation_accuracy[:-1]
        assert len(runs[name][0]) == len(runs[name][1]) == epochs
        given = {
            "training": runs[name][0],
            "unseen": runs[name][1],
            "classes": 10,
            "shallow": np.median(runs["D"][1][-5:]),
        }
        found[name] = exercises.diagnosis.reference(given)
    assert found == {"A": "slow", "B": "worse", "C": "blind", "D": "healthy"}
    figure, words = error_lines(runs)
    assert len(figure.axes) == 4 and f"D: 0.000 and {given['shallow']:.3f}" in words


def test_random_streams_have_the_sizes_that_are_expected():
    """Thirty streams of a thousand numbers, PyTorch's normal numbers; the mean within three percent."""
    generator, found = torch.Generator().manual_seed(0), []
    given = {"q": 1.5, "factors": np.array([0.7, 0.3, 1.1]), "var_w": 2.0, "var_v": 0.8, "sigma_b": 1.2}
    for _ in range(30):
        n, sizes = 500, []
        h = torch.randn(n, generator=generator)
        h *= (given["q"] / h.square().mean()).sqrt()
        for c in given["factors"]:
            W, V = (torch.randn(n, n, generator=generator) * (var / n) ** 0.5 for var in (2.0, 0.8))
            h = h + c * V @ torch.relu(W @ h + 1.2 * torch.randn(n, generator=generator))
            sizes.append(h.square().mean().item())
        found.append(sizes)
    np.testing.assert_allclose(np.mean(found, axis=0), exercises.stream_sizes.reference(given), rtol=0.03)


def test_a_factor_that_doubles_the_stream_and_one_that_keeps_it_below_e():
    def end(factor):
        return exercises.stream_sizes.reference(exercises.stream_sizes.case(1, np.full(50, factor), 2, 1, 0))[-1]

    assert end((2 ** (1 / 50) - 1) ** 0.5) == pytest.approx(2) and 2.6 < end(50**-0.5) < np.e
    assert end(1.0) == pytest.approx(2.0**50)


@pytest.mark.parametrize("recompute", [False, True])
def test_flops_and_bytes_are_those_that_pytorch_counts(recompute):
    blocks, width, batch = 3, 10, 5
    model = stream(blocks, width=width, n_in=4, n_out=2, generator=torch.Generator().manual_seed(0))
    X = torch.randn(batch, 4, generator=torch.Generator().manual_seed(1))
    flops, size = exercises.flops_and_memory.reference(
        exercises.flops_and_memory.case(4, width, blocks, 2, batch, recompute)
    )
    with FlopCounterMode(display=False) as counter:
        h = model[0](X)
        for block in model[1:-1]:
            h = checkpoint(block, h, use_reentrant=False) if recompute else block(h)
        model[-1](h).sum().backward()
    assert flops == counter.get_total_flops()
    assert recompute or size == activation_bytes(model, X)


def test_the_shortest_fit_is_worst_at_as_many_features_as_examples():
    """What the page lets a reader find: 20 examples; medians over eleven draws."""
    rng, counts, errors = np.random.default_rng(0), [5, 20, 200], []
    for _ in range(11):
        F, weights = rng.normal(size=(420, 200)), rng.normal(size=200) / 200**0.5
        errors.append(
            exercises.least_norm.reference(
                {"F": F[:20], "y": F[:20] @ weights, "F_new": F[20:], "y_new": F[20:] @ weights, "counts": counts}
            )
        )
    few, as_many, many = np.median(errors, axis=0)
    assert as_many > 3 * max(few, many)


def test_the_examples_are_those_of_the_page():
    """Numbers that are worked out by hand there, and not in a stored case."""
    flops = exercises.flops_and_memory
    assert flops.reference(flops.case(3, 10, 2, 1, 5, True)) == [14900, 860]
    field = exercises.receptive_field.reference
    assert field({"channels": 1, "layers": [[8, 3, 2, 1], [16, 3, 1, 2]]}) == [11, 1248]
    assert [field({"channels": 1, "layers": [[1, 3, 1, 1]] * n})[0] for n in (3, 4)] == [7, 9]


# --- what is said and drawn of values -----------------------------------------------------------------------


def test_what_is_said_of_wrong_values():
    given = exercises.what_would_help.worked_example()
    right = exercises.what_would_help.reference(given)
    assert right == list(exercises.what_would_help.ADVICE)
    said = exercises.what_would_help.explain_advice(given, ["nothing"] * 4, right)
    assert said.startswith("Wrong about: 1, 2, 3. Number 1 ends with 0.17 on training and 0.25 on held-out data")
    assert said.endswith("all the data that there could be, 0.174 would be expected.")
    assert exercises.what_would_help.explain_advice(given, right, right) == ""
    deep, example = exercises.deepen, exercises.deepen.worked_example()
    layers = deep.reference(example)
    assert "up to 0." in deep.explain_layers(example, layers, layers)
    assert deep.explain_layers(example, layers[1:], layers).startswith("Sizes [2, 2, 2, 1] are wanted")
    figure, words = exercises.diagnosis.plot_diagnosis(exercises.diagnosis.worked_example(), "slow")
    assert words.startswith("At the end: 0 on training data") and len(figure.axes[0].lines) == 4
