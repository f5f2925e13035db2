"""x² by depth and by hinges: exact values in fractions, the best line by linear programming."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import torch
from scipy.optimize import linprog

from utils.lesson_04.squares import depth_error, hinge_error, hinges, measured_error, square_network
from utils.models import count_parameters
from utils.regions import linear_pieces


def by_the_formula(m: int, x: Fraction) -> Fraction:
    """x − Σ tent^s(x) / 4^s in fractions."""
    total, tooth = x, x
    for s in range(1, m + 1):
        tooth = 1 - abs(2 * tooth - 1)
        total -= tooth / 4**s
    return total


@pytest.mark.parametrize("m", [1, 2, 3, 7, 20])
def test_the_network_is_the_formula_and_interpolates_the_square(m):
    places = [Fraction(j, 3 * 2 ** min(m, 6)) for j in range(3 * 2 ** min(m, 6) + 1)]
    y_hat = square_network(m)(torch.tensor([[float(x)] for x in places], dtype=torch.float64)).detach().numpy()[:, 0]
    np.testing.assert_allclose(y_hat, [float(by_the_formula(m, x)) for x in places], rtol=0, atol=1e-15)
    assert by_the_formula(m, Fraction(3, 2**m)) == Fraction(3, 2**m) ** 2 or m == 1
    assert by_the_formula(m, Fraction(1, 2 ** (m + 1))) - Fraction(1, 2 ** (m + 1)) ** 2 == Fraction(1, 4 ** (m + 1))


@pytest.mark.parametrize("m", [1, 2, 5])
def test_m_layers_of_three_units_make_two_to_the_m_equal_pieces(m):
    model = square_network(m)
    np.testing.assert_allclose(linear_pieces(model, (0, 1)).knots, np.linspace(0, 1, 2**m + 1), atol=1e-12)
    assert count_parameters(model) == 6 + 12 * (m - 1) + 4


@pytest.mark.parametrize("m", [1, 4, 12, 24])
def test_the_error_is_a_fourth_a_layer_down_to_where_floating_point_ends(m):
    assert measured_error(square_network(m), 2**m) == pytest.approx(float(depth_error(m)), rel=1e-6, abs=0)
    assert measured_error(square_network(36), 2**36) > 1e-17
    assert 1e-8 < measured_error(square_network(20), 2**20, torch.float32) < 1e-6


@pytest.mark.parametrize("pieces", [1, 2, 7, 64])
def test_hinges_miss_the_square_by_the_square_of_their_number(pieces):
    assert measured_error(hinges(pieces), pieces) == pytest.approx(float(hinge_error(pieces)), rel=1e-9)


def test_the_least_error_of_a_line_by_linear_programming():
    """On one piece [0, 1/3] of three: minimise t with |a x + b − x²| ≤ t on a fine grid."""
    x = np.linspace(0, 1 / 3, 301)
    one = np.ones_like(x)
    rows = np.concatenate([np.stack([x, one, -one], 1), np.stack([-x, -one, -one], 1)])
    found = linprog([0, 0, 1], rows, np.concatenate([x**2, -(x**2)]), bounds=[(None, None)] * 3)
    assert found.fun == pytest.approx(float(hinge_error(3, best=True)), rel=1e-6)


@pytest.mark.parametrize("wrong, error", [(0, ValueError), ("2", TypeError)])
def test_a_number_of_layers_that_is_none(wrong, error):
    with pytest.raises(error, match="m is"):
        square_network(wrong)
