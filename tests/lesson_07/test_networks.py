"""Lesson 07's path: networks are what the page says, steps are counted, and figures show what was measured."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.neighbors import KNeighborsClassifier
from torch import nn

from tests.choices import assert_right
from tests.generators import seeded
from tests.made_up import made_up
from tests.marks import ROOT
from utils.comparison import generators
from utils.lesson_07 import budgets, networks, page, path_figures, patients, tasks
from utils.models import count_parameters
from utils.training import History, train

MEASURED = {
    "07.start": [({"yours": 0.001}, "yes"), ({"yours": 0.2}, "it gets"), ({"yours": 0.7}, "no")],
    "07.curves": [({"shallow": 0, "deep": 0.2}, "sketch 3"), ({"shallow": 0, "deep": 0}, "sketch 4")],
    "07.longer": [
        ({"training": 0.3, "shallow": 0, "deep": 1}, "sketch 3"),
        ({"training": 0, "shallow": 0, "deep": 1}, "sketch 4"),
    ],
    "07.growth": [
        ({"formula": 1, "measured": size}, said)
        for size, said in ((1, "about as"), (25, "about 25"), (1000, "about a thousand"), (9e5, "more than"))
    ],
}


@pytest.mark.parametrize("key", MEASURED)
def test_the_right_choice_is_what_was_measured(key):
    for measured, right in MEASURED[key]:
        assert_right(key, measured, right)


# --- the page's own loop ----------------------------------------------------------------------------------


def the_pages_loop(X, y, X_new, y_new):
    """Return what the path defines as `train`, on these data."""
    source = (ROOT / "notebooks" / "07_when_depth_hurts.py").read_text(encoding="utf-8")
    (cell,) = [cell for cell in source.split("# %%") if "def train(" in cell]
    namespace = {"torch": torch, "nn": nn, "page": page, "X": X, "y": y, "X_new": X_new, "y_new": y_new}
    exec(cell.partition("\n")[2], namespace)
    return namespace["train"]


def test_the_loop_on_the_page_is_the_courses_own_training():
    (X, y), _, held_out = networks.digits(generator=seeded(7))
    own, written_out = (networks.stream(3, generator=seeded(7)) for _ in range(2))
    wanted = train(own, X, y, epochs=4, lr=0.003, batch_size=50, schedule="cosine", validation=held_out, progress=False)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        found = the_pages_loop(X, y, *held_out)(written_out, lr=0.003, epochs=4)
    for one, other in zip(own.parameters(), written_out.parameters(), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(found.accuracy, wanted.accuracy, atol=0.021)  # one image of a batch of fifty
    assert found.steps == wanted.steps == 72 and found.validation_steps.tolist() == [18, 36, 54, 72]
    assert found.validation_accuracy[-1] == pytest.approx(wanted.validation_accuracy[-1], abs=0.005)


# --- networks ---------------------------------------------------------------------------------------------


def matrices(model: nn.Module) -> list[torch.Tensor]:
    return [layer.weight for layer in model.modules() if isinstance(layer, nn.Linear)]


def test_near_the_identity_is_the_identity_and_hes_weights_over_the_root():
    he, near = (networks.plain(51, start, generator=seeded(3)) for start in (networks.HE, networks.NEAR))
    for at, (drawn, moved) in enumerate(zip(matrices(he), matrices(near), strict=True)):
        inner = 0 < at < 51
        torch.testing.assert_close(moved, torch.eye(32) + drawn / 51**0.5 if inner else drawn)
    assert len(matrices(near)) == 52 and all(layer.bias.eq(0).all() for layer in near[::2])


def test_a_stream_is_what_a_loop_makes_of_its_blocks():
    model, X = networks.stream(6, 0.3, width=8, generator=seeded(1)), torch.randn(5, 64, generator=seeded(2))
    first, *inner, last = [weight.detach().numpy() for weight in matrices(model)]
    h = first @ X.numpy().T
    for W, V in zip(inner[::2], inner[1::2], strict=True):
        h = h + V @ np.maximum(W @ h, 0)
    np.testing.assert_allclose((last @ h).T, model(X).detach(), rtol=1e-4, atol=1e-5)
    whole = matrices(networks.stream(6, 1.0, width=8, generator=seeded(1)))
    torch.testing.assert_close(torch.from_numpy(inner[1]), 0.3 * whole[2])
    torch.testing.assert_close(
        matrices(networks.stream(4, width=8, generator=seeded(1)))[2],
        0.5 * matrices(networks.stream(4, 1.0, width=8, generator=seeded(1)))[2],
    )


def test_the_stream_grows_as_the_page_computes():
    n, blocks = 300, 12
    model = networks.stream(blocks, 0.4, width=n, n_in=n, generator=seeded(5))
    h = torch.randn(400, n, generator=seeded(6))
    sizes = [h.square().mean().item()]
    with torch.no_grad():
        for block in model[1:-1]:
            h = block(h)
            sizes.append(h.square().mean().item())
    growth = (sizes[-1] / sizes[0]) ** (1 / blocks)
    assert growth == pytest.approx(1 + 2 * 0.4**2, rel=0.02)


def test_normalisation_stands_before_each_relu_and_before_each_branch():
    kinds = [type(layer) for layer in networks.plain(2, norm=nn.LayerNorm, generator=seeded())]
    assert kinds == [nn.Linear, nn.LayerNorm, nn.ReLU, nn.Linear, nn.LayerNorm, nn.ReLU, nn.Linear]
    branch = networks.stream(2, norm=nn.LayerNorm, generator=seeded())[1].branch
    assert [type(layer) for layer in branch] == [nn.LayerNorm, nn.Linear, nn.ReLU, nn.Linear]


def test_relu_on_the_stream_stands_behind_the_first_layer_and_each_sum():
    free, clipped = (networks.stream(3, relu_on_stream=on, generator=seeded()) for on in (False, True))
    X = torch.randn(5, networks.N_IN, generator=seeded())
    h = free[0](X).relu()
    for block in free[1:-1]:
        h = block(h).relu()
    torch.testing.assert_close(clipped(X), free[-1](h))


def test_networks_of_one_name_have_the_depth_in_it():
    for name, build in budgets.NETWORKS.items():
        depth = {"near, deeper": 201}.get(name) or int(name.split()[-1]) if name[-1].isdigit() else 51
        assert len(matrices(build(generator=seeded()))) == (201 if name == "near, deeper" else depth) + 1


# --- steps ------------------------------------------------------------------------------------------------


def history_of(*missed: float) -> History:
    """A history in whose passes so many are missed."""
    right = np.repeat(1 - np.array(missed), budgets.PER_EPOCH)
    return History(right, right, None, None, None, len(right), 0.0, False)


def test_steps_are_counted_to_the_end_of_the_first_good_pass():
    assert budgets.steps_until(history_of(0.5, 0.2, 0.0, 0.4)) == 3 * budgets.PER_EPOCH
    assert np.isnan(budgets.steps_until(history_of(0.5, 0.02)))


def test_what_a_history_holds_is_what_steps_until_counts():
    X, y = networks.digits(generator=generators(0)[0])[0]
    history = train(
        networks.plain(1, generator=seeded()), X, y, epochs=12, lr=0.01, batch_size=budgets.BATCH, progress=False
    )
    assert len(X) == patients.TRAINED and history.steps == 12 * budgets.PER_EPOCH
    by_hand = next(i for i in range(12) if (1 - history.accuracy[18 * i : 18 * i + 18]).mean() <= 0.01)
    assert budgets.steps_until(history) == 18 * (by_hand + 1)


def test_the_fastest_rate_is_chosen_and_what_never_arrives_is_last():
    data = made_up(budgets.short, "error", until=("network", "rate"), seeds=3)
    data["until"].loc[{"network": "he 21"}] = np.nan
    data["until"].loc[{"network": "he 21", "rate": 0.003}] = [100.0, np.nan, 300.0]
    assert budgets.fastest(data, "he 21").values.tolist() == [100, np.inf, 300]


# --- tasks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("task", tasks.TASKS)
@pytest.mark.parametrize("network", tasks.NETWORKS)
def test_networks_spend_what_they_may_and_no_more(task, network):
    asked = tasks.TASKS[task]
    spent = count_parameters(tasks.build(asked, network, generator=seeded()))
    assert 0.8 * asked.parameters < spent <= asked.parameters


def test_neighbours_vote_as_scikit_learn_has_it():
    (X, y), _, (X_new, y_new) = networks.digits(generator=generators(2)[0])
    model = KNeighborsClassifier(tasks.NEIGHBOURS).fit(X.double(), y)
    found = tasks.neighbours.measure([2])["error"].item()
    assert found == pytest.approx(1 - model.score(X_new.double(), y_new), abs=1e-9)


# --- figures ----------------------------------------------------------------------------------------------


def test_lines_and_rows_are_the_medians_at_the_best_rates():
    data = made_up(budgets.short, "error", until=("network", "rate"))
    ax = path_figures.by_depth(data).axes[0]
    drawn = ax.lines[0].get_ydata()
    wanted = [np.median(budgets.missed(data, f"he {depth}", "training")) for depth in budgets.DEPTHS]
    np.testing.assert_allclose(drawn, wanted)
    assert len(path_figures.crossing(data).axes[0].get_yticks()) == 8


def test_a_treatment_says_what_it_has_missed():
    paced = patients.treat(patient="B", steps=patients.AS_BEFORE)
    _, words = path_figures.treated(paced, patient="B", steps=patients.AS_BEFORE)
    assert "before its first pass" in words
    paced.trainer.run(2, seconds=60)
    _, words = path_figures.treated(paced, patient="B", steps=patients.AS_BEFORE)
    history = paced.trainer.histories[0]
    assert f"after {history.steps} steps" in words and f"{1 - history.accuracy[-18:].mean():.1%}" in words
