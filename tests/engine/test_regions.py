"""Linear regions, against Zaslavsky's formula, exact fractions, brute force and another program."""

import copy
import itertools
import math
import subprocess
import sys
from fractions import Fraction

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from utils.models import mlp
from utils.region_plots import lightness, plot_pieces, plot_regions
from utils.regions import breakpoints, count_regions, decision_boundary, linear_pieces, linear_regions

BOX = ((-1.0, 1.0), (-2.0, 3.0))
SQUARE = ((-1, 1), (-1, 1))
WEIGHTS = st.integers(-4, 4).map(lambda k: k / 2)  # coarse, so that creases coincide, meet and vanish often


def seeded(seed):
    return torch.Generator().manual_seed(seed)


def drawn(sizes, seed, bias_std=0.5, activation="relu"):
    return mlp(sizes, activation, init="he", bias_std=bias_std, generator=seeded(seed)).double()


def stack(*layers, slope=0.0, end=None):
    """A network of the given (weight, bias) pairs, ReLU between them."""
    modules = []
    for weight, bias in layers:
        linear = nn.Linear(len(weight[0]), len(weight), dtype=torch.float64)
        with torch.no_grad():
            linear.weight.copy_(torch.tensor(weight, dtype=torch.float64))
            linear.bias.copy_(torch.tensor(bias, dtype=torch.float64))
        modules += [linear, nn.LeakyReLU(slope) if slope else nn.ReLU()]
    return nn.Sequential(*modules[:-1])


def creases(*lines):
    """One hidden layer with the given creases w·x + b = 0 and a sum as output."""
    return stack(([w for w, _ in lines], [b for _, b in lines]), ([[1.0] * len(lines)], [0.0]))


def tents(k):
    """The tent map applied k times: 2 relu(x) − 4 relu(x − ½) in each layer."""
    first = ([[1.0], [1.0]], [0.0, -0.5])
    inner = ([[2.0, -4.0]] * 2, [0.0, -0.5])
    return stack(first, *[inner] * (k - 1), ([[2.0, -4.0]], [0.0]))


@st.composite
def networks(draw, n_in=2):
    widths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
    sizes = [n_in, *widths, 1]
    layers = []
    for a, b in itertools.pairwise(sizes):
        row = st.lists(WEIGHTS, min_size=a, max_size=a)
        layers.append((draw(st.lists(row, min_size=b, max_size=b)), draw(st.lists(WEIGHTS, min_size=b, max_size=b))))
    return stack(*layers, slope=draw(st.sampled_from([0.0, 0.25, -1.0])))


# --- an independent counter in exact fractions ------------------------------------------------------------


def exact_cells(model, box):
    """The patterns of all cells, {pattern: area}: polygons of fractions, cut one after the other."""
    (x0, x1), (y0, y1) = box
    corners = [(Fraction(x), Fraction(y)) for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))]
    one, zero = Fraction(1), Fraction(0)
    cells = [((), corners, [(one, zero, zero), (zero, one, zero)])]
    linears = [m for m in model if isinstance(m, nn.Linear)]
    slopes = [Fraction(getattr(m, "negative_slope", 0)) for m in model if not isinstance(m, nn.Linear)]
    for linear, slope in zip(linears[:-1], slopes, strict=True):
        cells = [cell for old in cells for cell in exact_layer(linear, slope, *old)]
    return {pattern: exact_area(polygon) for pattern, polygon, _ in cells}


def exact_layer(linear, slope, pattern, polygon, inputs):
    rows = zip(linear.weight.tolist(), linear.bias.tolist(), strict=True)
    maps = [
        tuple(
            sum(Fraction(w) * m[k] for w, m in zip(row, inputs, strict=True)) + (Fraction(b) if k == 2 else 0)
            for k in range(3)
        )
        for row, b in rows
    ]
    parts = [(pattern, polygon, [])]
    for a, b, c in maps:
        new = []
        for bits, points, outputs in parts:
            z = [a * x + b * y + c for x, y in points]
            for on, sign in ((True, 1), (False, -1)):
                if any(sign * v > 0 for v in z) or (not on and not any(z)):
                    value = tuple(v if on else slope * v for v in (a, b, c))
                    new.append(((*bits, on), exact_half(points, [sign * v for v in z]), [*outputs, value]))
        parts = new
    return parts


def exact_half(points, z):
    out = []
    for i, (p, v) in enumerate(zip(points, z, strict=True)):
        q, w = points[(i + 1) % len(points)], z[(i + 1) % len(points)]
        if v >= 0:
            out.append(p)
        if v * w < 0:
            out.append(tuple(pk + (qk - pk) * v / (v - w) for pk, qk in zip(p, q, strict=True)))
    return out


def exact_area(points):
    return sum(p[0] * q[1] - p[1] * q[0] for p, q in zip(points, points[1:] + points[:1], strict=True)) / 2


# --- counts against theory --------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 7, 20, 40])
def test_one_layer_has_zaslavskys_number(n):
    rng = np.random.default_rng(n)
    angles = np.pi * (np.arange(n) + rng.uniform(0.2, 0.8, n)) / n  # no two creases parallel, all meet in the box
    lines = [((math.cos(a), math.sin(a)), rng.uniform(-1, 1)) for a in angles]
    box = ((-1e3, 1e3), (-1e3, 1e3))
    assert count_regions(creases(*lines), box) == sum(math.comb(n, j) for j in range(3))


@pytest.mark.parametrize("k", [1, 2, 5, 12])
def test_sawtooth_has_two_to_the_k_pieces_of_one_length(k):
    regions = linear_regions(tents(k), (0, 1))
    assert len(regions) == count_regions(tents(k), (0, 1)) == 2**k
    np.testing.assert_array_equal(regions.vertices[:, 0], np.repeat(np.arange(2**k + 1), 2)[1:-1] / 2**k)
    assert set(np.abs(regions.A).ravel()) == {2.0**k}
    np.testing.assert_array_equal(breakpoints(tents(k), (0, 1)), np.arange(1, 2**k) / 2**k)


def test_one_input_one_layer_has_a_piece_more_than_units():
    knots = np.linspace(0.1, 0.9, 500)
    model = stack(([[1.0]] * 500, (-knots).tolist()), (np.ones((1, 500)).tolist(), [0.0]))
    np.testing.assert_allclose(breakpoints(model, (0, 1)), knots, atol=1e-15)
    assert count_regions(model, (0, 1)) == 501
    np.testing.assert_allclose(linear_pieces(model, (0, 1)).slopes[:, 0], np.arange(501))


# --- counts and polygons against exact fractions ----------------------------------------------------------


@pytest.mark.slow
@given(networks(), st.sampled_from([BOX, SQUARE, ((0, 1), (0, 1))]))
@settings(max_examples=120)
def test_degenerate_networks_have_the_cells_of_exact_arithmetic(model, box):
    expected = exact_cells(model, box)
    regions = linear_regions(model, box)
    assert count_regions(model, box) == len(regions) == len(expected)
    found = dict(zip(map(tuple, regions.patterns().tolist()), regions.sizes(), strict=True))
    assert found.keys() == expected.keys()
    for pattern, area in expected.items():
        assert found[pattern] == pytest.approx(float(area), abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_random_networks_have_the_cells_of_exact_arithmetic(seed):
    model = drawn([2, 7, 6, 5, 1], seed)
    expected = exact_cells(model, BOX)
    regions = linear_regions(model, BOX)
    assert len(expected) > 30
    found = dict(zip(map(tuple, regions.patterns().tolist()), regions.sizes(), strict=True))
    assert found.keys() == expected.keys()
    assert max(abs(found[p] - float(expected[p])) for p in found) < 1e-12


@given(networks(n_in=1), st.sampled_from([(-1, 1), (-3.0, 2.0)]))
@settings(max_examples=60)
def test_one_input_has_the_cells_of_exact_arithmetic(model, bounds):
    strip = copy.deepcopy(model)  # the same network of a second input that it ignores
    strip[0] = nn.Linear(2, len(model[0].bias), dtype=torch.float64)
    with torch.no_grad():
        strip[0].weight.copy_(torch.cat([model[0].weight, torch.zeros_like(model[0].weight)], dim=1))
        strip[0].bias.copy_(model[0].bias)
    expected = exact_cells(strip, (bounds, (0, 1)))
    regions = linear_regions(model, bounds)
    assert {tuple(p): s for p, s in zip(regions.patterns().tolist(), regions.sizes(), strict=True)} == pytest.approx(
        {p: float(a) for p, a in expected.items()}, abs=1e-12
    )
    assert regions[0].interval[0] == bounds[0] and regions[-1].interval[1] == bounds[1]
    assert all(a.interval[1] == b.interval[0] for a, b in itertools.pairwise(regions))


def test_a_grid_of_samples_sees_a_subset_of_the_patterns():
    model = drawn([2, 16, 16, 2], 3)
    regions = linear_regions(model, SQUARE)
    axis = torch.linspace(-1, 1, 201, dtype=torch.float64)
    X = torch.cartesian_prod(axis, axis)
    first = model[0](X)
    sampled = torch.unique(torch.cat([first > 0, model[2](first.relu()) > 0], dim=1), dim=0)
    ours = set(map(tuple, regions.patterns().tolist()))
    assert set(map(tuple, sampled.tolist())) <= ours
    assert 0.5 * len(ours) < len(sampled) <= len(ours)


# --- properties -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sizes, activation", [([2, 30, 3], "relu"), ([2, 16, 16, 16, 2], "leaky_relu"), ([2, 8] + [8] * 6 + [1], "relu")]
)
def test_cells_tile_the_box_and_their_maps_are_the_network(sizes, activation):
    model = drawn(sizes, 1, activation=activation)
    regions = linear_regions(model, BOX)
    assert regions.sizes().sum() == pytest.approx(10, rel=1e-13) and regions.sizes().min() > 0
    assert len(np.unique(regions.patterns(), axis=0)) == len(regions) > 50
    rng = np.random.default_rng(0)
    for region in regions:
        shares = rng.dirichlet(np.ones(len(region.vertices)), size=3)
        X = shares @ region.polygon
        np.testing.assert_allclose(region(X), model(torch.from_numpy(X)).detach().numpy(), atol=1e-12)
        z = torch.from_numpy(X)
        for layer, pattern in enumerate(region.pattern):
            z = model[2 * layer](z)
            assert ((z > 0).numpy() == pattern).all() or region.size < 1e-10
            z = model[2 * layer + 1](z)


def test_polygons_are_convex_and_counter_clockwise():
    for region in linear_regions(drawn([2, 12, 12, 1], 5), BOX):
        side = np.diff(region.polygon, axis=0, append=region.polygon[:1])
        after = np.roll(side, -1, axis=0)
        assert (side[:, 0] * after[:, 1] - side[:, 1] * after[:, 0] > -1e-13).all()


@pytest.mark.parametrize("seed", range(4))
def test_shuffled_units_and_scaled_weights_leave_the_count(seed):
    model = drawn([2, 12, 10, 1], seed)
    count = count_regions(model, BOX)
    changed = copy.deepcopy(model)
    order = torch.randperm(12, generator=seeded(seed))
    scale = torch.logspace(-3, 3, 12, dtype=torch.float64)[:, None]
    with torch.no_grad():
        changed[0].weight.copy_(model[0].weight[order] * scale)
        changed[0].bias.copy_(model[0].bias[order] * scale[:, 0])
        changed[2].weight.copy_(model[2].weight[:, order] / scale[:, 0])
    assert count_regions(changed, BOX) == count


def test_moving_the_box_and_the_network_leaves_the_count():
    model = drawn([2, 10, 10, 1], 2)
    far = copy.deepcopy(model)
    shift = torch.tensor([1e4, -3e4], dtype=torch.float64)
    with torch.no_grad():
        far[0].bias -= far[0].weight @ shift
    box = tuple((low + s, high + s) for (low, high), s in zip(BOX, shift.tolist(), strict=True))
    assert count_regions(far, box) == count_regions(model, BOX)


def test_a_smaller_box_sees_exactly_the_cells_that_meet_it():
    model = drawn([2, 9, 9, 1], 7)
    whole = {p for p, a in exact_cells(model, SQUARE).items()}
    parts = [((-1, 0), (-1, 1)), ((0, 1), (-1, 0.25)), ((0, 1), (0.25, 1))]
    assert set().union(*({tuple(p) for p in linear_regions(model, box).patterns().tolist()} for box in parts)) == whole


def test_float32_weights_are_taken_exactly():
    model = mlp([2, 20, 20, 1], generator=seeded(4))
    assert count_regions(model, BOX) == count_regions(copy.deepcopy(model).double(), BOX)
    assert linear_regions(model, BOX).A.dtype == np.float64


# --- degenerate cases -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "lines, count",
    [
        ([((1.0, 0.0), 0.0)] * 3, 2),  # coincide
        ([((1.0, 0.0), 0.0), ((-2.0, 0.0), 0.0)], 2),  # coincide, scaled and turned round
        ([((1.0, 0.0), 0.0), ((1.0, 0.0), 0.5), ((1.0, 0.0), -0.5)], 4),  # parallel
        ([((1.0, 1.0), 0.0), ((1.0, -1.0), 0.0)], 4),  # through all corners
        ([((1.0, 0.0), -1.0), ((0.0, 1.0), 1.0)], 1),  # along the sides
        ([((1.0, 1.0), -2.0)], 1),  # touches a corner
        ([((math.cos(a), math.sin(a)), 0.0) for a in np.linspace(0.1, 3, 7)], 14),  # all through one point
        ([((math.cos(a), math.sin(a)), -0.1 * math.cos(a) - 0.7 * math.sin(a)) for a in np.linspace(0.1, 3, 9)], 18),
        ([((0.0, 0.0), 0.0)], 1),  # zero everywhere
        ([((0.0, 0.0), 1.0), ((0.0, 0.0), -1.0)], 1),
        ([((1e-150, 0.0), 0.0)], 2),
        ([((1e150, 0.0), 0.0)], 2),
    ],
)
def test_degenerate_creases(lines, count):
    regions = linear_regions(creases(*lines), SQUARE)
    assert len(regions) == count == count_regions(creases(*lines), SQUARE)
    assert regions.sizes().sum() == pytest.approx(4)


def test_creases_within_the_tolerance_are_one_and_outside_are_two():
    for gap, count in ((1e-13, 2), (1e-9, 3)):
        assert count_regions(creases(((1.0, 0.0), 0.0), ((1.0, 0.0), gap)), SQUARE) == count


def test_three_rounded_creases_through_one_vertex_of_a_deeper_cell():
    """The second layer's creases all pass where the first layer's two meet: 1/3 and 0.1 have no exact binary."""
    first = ([[1.0, 2.0], [-3.0, 1.0]], [-1 / 3 - 0.2, 1.0 - 0.1])
    second = ([[1.0, -1.0], [1.0, -2.0], [-1.0, 0.7]], [0.0, 0.0, 0.0])
    model = stack(first, second, ([[1.0, 1.0, 1.0]], [0.0]))
    regions = linear_regions(model, SQUARE)
    assert len(regions) == 4 + 3  # all three creases in the cell where both are active, none elsewhere
    assert not regions.patterns()[(~regions.patterns()[:, :2]).all(axis=1), 2:].any()


def test_no_bias_makes_cones():
    model = mlp([2, 8, 8, 8, 1], bias=False, generator=seeded(0)).double()
    regions = linear_regions(model, SQUARE)
    np.testing.assert_allclose(regions.c, 0, atol=1e-15)
    at_origin = np.minimum.reduceat(np.abs(regions.vertices).max(axis=1), regions.starts)
    np.testing.assert_allclose(at_origin, 0, atol=1e-12)


def test_a_dead_layer_leaves_no_crease_after_it():
    model = drawn([2, 5, 4, 6, 1], 0)
    with torch.no_grad():
        model[2].weight.zero_()
        model[2].bias.fill_(-1)
        model[4].bias.zero_()
    assert count_regions(model, BOX) == count_regions(model[:3], BOX)
    assert not linear_regions(model, BOX).patterns()[:, 5:].any()


def test_zero_weights_everywhere_are_one_region():
    model = drawn([2, 5, 5, 2], 0)
    with torch.no_grad():
        for p in model.parameters():
            p.zero_()
    (region,) = linear_regions(model, BOX)
    assert not region.A.any() and not np.concatenate(region.pattern).any() and len(decision_boundary(model, BOX)) == 0


def test_a_cell_may_share_its_neighbours_map():
    model = creases(((1.0, 0.0), 0.0))
    with torch.no_grad():
        model[2].weight.zero_()
    left, right = linear_regions(model, SQUARE)
    assert (left.A == right.A).all() and (left.c == right.c).all()


def test_other_shapes_of_the_same_network():
    model = drawn([2, 6, 5, 1], 0)
    count = count_regions(model, BOX)
    assert count_regions(nn.Sequential(*model, nn.Identity()), BOX) == count
    assert count_regions(nn.Sequential(model[:2], nn.Sequential(nn.Identity(), model[2:])), BOX) == count
    with torch.no_grad():
        split = nn.Sequential(nn.Linear(2, 2, dtype=torch.float64), *copy.deepcopy(model))
        split[0].weight.copy_(torch.eye(2))
        split[0].bias.fill_(0.3)
        split[1].bias -= 0.3 * split[1].weight.sum(dim=1)
    assert (linear_regions(split, BOX).patterns() == linear_regions(model, BOX).patterns()).all()
    np.testing.assert_allclose(linear_regions(split, BOX).sizes(), linear_regions(model, BOX).sizes(), atol=1e-12)
    assert count_regions(nn.Sequential(*model, nn.ReLU()), BOX) == len(
        exact_cells(nn.Sequential(*model, nn.ReLU(), nn.Linear(1, 1, dtype=torch.float64)), BOX)
    )
    assert count_regions(nn.Sequential(nn.Linear(2, 3)), BOX) == 1


# --- the list ---------------------------------------------------------------------------------------------


def test_it_behaves_like_a_list():
    regions = linear_regions(drawn([2, 6, 1], 0), BOX)
    assert [r.size for r in regions] == pytest.approx(regions.sizes().tolist())
    assert (regions[-1].vertices == regions[len(regions) - 1].vertices).all()
    assert [r.size for r in regions[1:3]] == [regions[1].size, regions[2].size]
    np.testing.assert_allclose([r.centre for r in regions], regions.centres())
    with pytest.raises(IndexError):
        regions[len(regions)]
    with pytest.raises(TypeError, match="interval"):
        _ = regions[0].interval
    assert "regions, hidden layers of 6 units" in repr(regions)
    assert [len(p) for p in linear_regions(drawn([1, 3, 2, 1], 0), (0, 1))[0].pattern] == [3, 2]


def test_the_model_and_the_global_generator_are_left_alone():
    model = mlp([2, 6, 1], generator=seeded(0))
    before, state = copy.deepcopy(model.state_dict()), torch.get_rng_state()
    linear_regions(model, BOX), decision_boundary(model, BOX)
    assert all(torch.equal(before[k], v) for k, v in model.state_dict().items())
    assert torch.equal(state, torch.get_rng_state())


# --- the decision boundary --------------------------------------------------------------------------------


@pytest.mark.parametrize("n_out", [1, 2])
def test_boundary_is_where_the_sign_changes_and_has_class_one_on_its_left(n_out):
    model = drawn([2, 16, 16, n_out], 3)
    segments = decision_boundary(model, SQUARE)
    assert len(segments) > 5

    def score(X):
        y = model(torch.from_numpy(X)).detach().numpy()
        return y[:, -1] - y[:, 0] if n_out == 2 else y[:, 0]

    ends = segments.reshape(-1, 2)
    np.testing.assert_allclose(score(ends), 0, atol=1e-12)
    assert (np.abs(ends) <= 1).all()
    along = segments[:, 1] - segments[:, 0]
    left = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.linalg.norm(along, axis=1)[:, None]
    middle = segments.mean(axis=1)
    assert (score(middle + 1e-9 * left) > 0).all() and (score(middle - 1e-9 * left) < 0).all()
    # every change of sign along lines of a grid is crossed by the segments, as often as it changes
    inside = np.abs(ends).max(axis=1) < 1 - 1e-9
    distance = np.abs(ends[inside][:, None] - ends[None, inside]).max(axis=2)
    assert ((distance < 1e-9).sum(axis=1) == 2).all()  # ends meet in pairs: closed curves, or to the sides
    for y in np.linspace(-0.9, 0.9, 7):
        X = np.stack([np.linspace(-1, 1, 20001), np.full(20001, y)], axis=1)
        changes = np.count_nonzero(np.diff(score(X) > 0))
        assert changes == np.count_nonzero((segments[:, 0, 1] > y) != (segments[:, 1, 1] > y))


def boundary_of(last, bias=0.0):
    first = ([[1.0, 0.0], [-1.0, 0.0]], [0.0, 0.0])
    return decision_boundary(stack(first, ([last], [bias])), SQUARE)


def test_boundary_along_a_crease():
    np.testing.assert_allclose(np.sort(boundary_of([1.0, -1.0])[0, :, 1]), [-1, 1])  # y = x₁, zero on the crease
    for last in ([1.0, -1.0], [1.0, 0.0], [0.0, 1.0]):  # relu(x₁): zero on a whole cell
        assert len(boundary_of(last)) == 1
    np.testing.assert_allclose(boundary_of([1.0, 0.0])[0, :, 0], 0, atol=1e-15)
    assert boundary_of([1.0, 0.0])[0, 0, 1] == 1 and boundary_of([1.0, 0.0])[0, 1, 1] == -1
    assert len(boundary_of([1.0, 1.0])) == 0  # |x₁|: positive on both sides
    assert len(boundary_of([-1.0, -1.0])) == 0
    assert len(boundary_of([0.0, 0.0], 1.0)) == 0
    assert len(boundary_of([1.0, 1.0], -0.5)) == 2


def test_boundary_along_the_box_or_through_its_corners():
    model = stack(([[1.0, 1.0], [1.0, -1.0]], [5.0, 5.0]), ([[1.0, -1.0]], [0.0]))  # 2 x₂
    assert len(decision_boundary(model, ((-1, 1), (0, 1)))) == 0
    diagonal = stack(([[1.0, -1.0]], [5.0]), ([[1.0]], [-5.0]))  # x₁ − x₂
    assert sorted(map(tuple, decision_boundary(diagonal, SQUARE)[0].tolist())) == [(-1, -1), (1, 1)]


# --- bad input --------------------------------------------------------------------------------------------


def broken(value):
    model = mlp([2, 3, 1], generator=seeded(0))
    with torch.no_grad():
        model[0].weight[0, 0] = value
    return model


GOOD = mlp([2, 3, 1], generator=seeded(0))
ONE = mlp([1, 3, 1], generator=seeded(0))


@pytest.mark.parametrize(
    "model, bounds, error, says",
    [
        (GOOD, ((1, 1), (0, 1)), ValueError, r"bounds\[0\] is \(1, 1\): wanted low < high"),
        (GOOD, ((0, 1), (1, 0)), ValueError, r"bounds\[1\] is \(1, 0\): wanted low < high"),
        (GOOD, (0, 1), TypeError, r"bounds\[0\] is 0"),
        (GOOD, 3, TypeError, "bounds is 3: wanted"),
        (GOOD, ((0, 1),), TypeError, "bounds is"),
        (GOOD, ((0, math.inf), (0, 1)), ValueError, r"bounds\[0\]\[1\] is inf"),
        (GOOD, ((1e9, 1e9 + 1e-6), (0, 1)), ValueError, "bounds is .* wide enough"),
        (ONE, ((0, 1), (0, 1)), TypeError, r"bounds\[0\] is \(0, 1\)"),
        (ONE, (2, -2), ValueError, "bounds is .2, -2.: wanted low < high"),
        (mlp([3, 3, 1]), BOX, ValueError, "model has 3 inputs: wanted 1 or 2"),
        (mlp([2, 3, 1], "tanh"), BOX, ValueError, r"model\[1\] is Tanh\(\): wanted Linear, ReLU"),
        (nn.Sequential(nn.Linear(2, 2), nn.Dropout()), BOX, ValueError, r"model\[1\] is Dropout"),
        (nn.Sequential(nn.ReLU(), nn.Linear(2, 2)), BOX, ValueError, "model starts with ReLU"),
        (nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(2, 1)), BOX, ValueError, r"model\[2\] has 2 inputs"),
        (nn.Sequential(), BOX, ValueError, "at least one nn.Linear"),
        (nn.Linear(2, 1), BOX, TypeError, "wanted an nn.Sequential"),
        ("relu", BOX, TypeError, "model is 'relu'"),
        (broken(math.nan), BOX, ValueError, r"model\[0\].weight has values that are NaN"),
        (broken(math.inf), BOX, ValueError, r"model\[0\].weight has values that are NaN or infinite"),
        (nn.Sequential(nn.Linear(2, 2), nn.LeakyReLU(math.nan)), BOX, ValueError, "negative_slope"),
    ],
)
def test_bad_input_says_what_is_wanted(model, bounds, error, says):
    for function in (linear_regions, count_regions):
        with pytest.raises(error, match=says):
            function(model, bounds)


def test_overflow_is_said():
    huge = stack(([[1e300, 0.0]], [0.0]), ([[1e300]], [0.0]), ([[1.0]], [0.0]))
    with pytest.raises(ValueError, match="overflow"):
        count_regions(huge, SQUARE)


@pytest.mark.parametrize(
    "call, error, says",
    [
        (lambda: decision_boundary(ONE, (0, 1)), ValueError, "model has 1 inputs and 1 outputs: wanted 2 inputs"),
        (lambda: decision_boundary(mlp([2, 3, 3]), BOX), ValueError, "3 outputs"),
        (lambda: linear_pieces(GOOD, BOX), ValueError, "model has 2 inputs: wanted 1"),
        (lambda: plot_regions([1]), TypeError, "regions is"),
        (lambda: plot_regions(linear_regions(ONE, (0, 1))), TypeError, "2 inputs"),
        (lambda: plot_pieces([1, 2]), TypeError, "pieces is"),
        (lambda: plot_pieces(ONE), TypeError, "or a network and bounds"),
    ],
)
def test_the_other_functions_bad_input(call, error, says):
    with pytest.raises(error, match=says):
        call()


# --- plots ------------------------------------------------------------------------------------------------


def test_plots_hold_what_was_given():
    model = drawn([2, 64, 64, 1], 0)
    regions = linear_regions(model, BOX)
    assert len(regions) > 3000
    ax = plot_regions(regions)
    ax.figure.canvas.draw()
    (drawn_together,) = ax.collections  # one artist each would take seconds
    assert len(drawn_together.get_paths()) == len(regions) and ax.get_xlim() == BOX[0]
    plt.close(ax.figure)
    ax = plot_pieces(tents(3), (0, 1))
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), [0, 1] * 4 + [0])
    np.testing.assert_array_equal(ax.lines[1].get_xdata(), np.arange(1, 8) / 8)
    plt.close(ax.figure)


def test_neighbours_differ_in_lightness():
    regions = linear_regions(drawn([2, 20, 20, 1], 0), SQUARE)
    patterns, light = regions.patterns(), lightness(regions)
    flips = (patterns[:, None] != patterns[None]).sum(axis=2)
    i, j = np.nonzero(np.triu(flips == 1))
    gap = np.abs(light[i] - light[j])
    assert len(i) > len(regions) and np.minimum(gap, 1 - gap).min() > 0.1


# --- cost -------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_importing_compiles_nothing():
    code = (
        "import sys, utils; assert 'torch' not in sys.modules and 'numba' not in sys.modules\n"
        "import utils.regions; assert 'utils.engine.compiled_regions' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
def test_a_million_regions_of_one_layer_are_all_counted():
    """In a box, a layer has a region for each crease and for each point where two of them meet, and one more."""
    model = mlp([2, 1450, 1], generator=seeded(0))
    weights, biases = (part.detach().double().numpy() for part in model[0].parameters())
    crossing = np.abs(biases) < 30 * np.abs(weights).sum(axis=1)
    i, j = np.triu_indices(len(weights), 1)
    (a, b), (c, d) = weights[i].T, weights[j].T
    with np.errstate(divide="raise"):  # no two are parallel
        x, y = (b * biases[j] - d * biases[i]) / (a * d - b * c), (c * biases[i] - a * biases[j]) / (a * d - b * c)
    meeting = (np.abs(x) < 30) & (np.abs(y) < 30)
    regions = count_regions(model, ((-30, 30), (-30, 30)))
    assert regions == 1 + crossing.sum() + meeting.sum() and regions > 1_000_000
