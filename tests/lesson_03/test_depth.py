"""How many blocks a mess needs: the stacks that are measured, and the sheet that folds while one learns."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from tests.generators import seeded
from tests.made_up import made_up
from utils.comparison import score
from utils.data import spirals
from utils.lesson_03 import depth, depth_figures, widgets
from utils.models import count_parameters
from utils.regions import decision_boundary


@pytest.mark.parametrize("start", depth.STARTS)
@pytest.mark.parametrize(("blocks", "units"), depth.SHAPES.values())
def test_a_stack_has_its_blocks_and_only_the_identity_moves_nothing(blocks, units, start):
    model = depth.stack(blocks, units, start, generator=seeded(3))
    assert count_parameters(model) == blocks * (5 * units + 2) + 6
    X = torch.randn(20, 2, generator=seeded(1))
    with torch.no_grad():
        moved = (model[:-1](X) - X).abs().max().item()
    assert moved < 1e-4 if start == depth.IDENTITY else moved > 0.1


def test_the_default_start_is_pytorchs():
    with torch.random.fork_rng():
        torch.manual_seed(5)
        layers = [nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 2), nn.Linear(2, 2)]
    X = torch.randn(9, 2, generator=seeded(1))
    wanted = nn.Sequential(*layers)(X)
    torch.testing.assert_close(depth.stack(1, 8, depth.DEFAULT, generator=seeded(5))(X), wanted, atol=0, rtol=0)


def test_medians_are_those_of_held_out_points_at_the_rate_that_validation_chooses():
    data = made_up(depth.depths, accuracy=("shape", "turns", "start", "rate", "part"))
    cell = data["accuracy"].sel(shape="2 blocks of 8", turns=2.0, start=depth.IDENTITY, rate=0.01)
    cell.loc[{"part": "validation"}] = 2  # better than any other
    wanted = np.median(cell.sel(part="held-out"))
    assert depth.medians(data).sel(shape="2 blocks of 8", turns=2.0) == pytest.approx(wanted)
    answer = depth.depth_answer(data)
    assert answer["narrow"][1] == pytest.approx(wanted) == answer["two"] / 100


@pytest.mark.parametrize(("narrow", "needed"), [([0.95, 0.99], 1), ([0.7, 0.9], 2), ([0.7, 0.8], 3)])
def test_the_fewest_blocks_are_the_first_that_are_enough(narrow, needed):
    assert depth.fewest(narrow) == needed


def test_the_table_has_the_records_medians():
    figure = depth_figures.table()
    shown = [text.get_text() for text in figure.axes[0].texts]
    assert len(shown) == len(depth.SHAPES) * len(depth.TURNS) and shown[0] == "99" and shown[4] == "71"


@pytest.mark.slow
def test_the_sheet_is_drawn_where_the_network_takes_it():
    X, y = spirals(100, generator=seeded(0), turns=1, noise=0.05)
    model = depth.stack(2, 8, generator=seeded(1))
    with torch.no_grad():
        for weight in model.parameters():
            weight.add_(0.2 * torch.randn(weight.shape, generator=seeded(2)))
    figure = depth_figures.folded(model, (X, y), 2)
    left, right = figure.axes
    wanted = decision_boundary(model, depth_figures.around(X))
    np.testing.assert_allclose(left.collections[0].get_segments(), wanted, atol=1e-6)
    start, end = np.transpose(right.lines[-1].get_data())
    for one in (0, 1):  # the points of each side of the line, as the network says
        places = np.transpose(right.lines[one].get_data())
        chosen = np.random.default_rng(0).permutation(len(X))
        said = model(X[chosen])[y[chosen] == one].argmax(dim=1).numpy()
        side = (places - start) @ [start[1] - end[1], end[0] - start[0]] > 0
        assert (side == said).all() or (side != said).all()


@pytest.mark.slow
def test_what_is_watched_trains_on_some_points_and_is_scored_on_others():
    drawing, controls = widgets.Drawing(), widgets.fold_controls()
    run = widgets.fold(drawing)(points="a spiral of 1 turn", blocks=1, units=16)
    assert [len(y) for _, y in run.parts] == [depth.POINTS, depth.NEW]
    while not run.done:
        run.run(seconds=1)
    _, words = widgets.folds(run, points="a spiral of 1 turn", blocks=1, units=16)
    right = score(run.model, *run.parts[1])
    assert right > 0.95 and f"2,500 of 2,500 steps: {right:.1%} of held-out" in words
    drawing.text.value = "o.\n.x"
    run = widgets.fold(drawing)(points=controls["points"].options[-1], blocks=1, units=8)
    assert torch.equal(run.parts[0][0], drawing.parts()[0][0][0]) and run.said == ""
    assert not run.done
    drawing.text.value = ""
    assert run.done, "what is drawn has changed, and the next start takes it"
    run = widgets.fold(drawing)(points=controls["points"].options[-1], blocks=1, units=8)
    assert widgets.folds(run, points="", blocks=1, units=8)[1].startswith("Nothing is drawn yet.")
