"""Proofs of the exercises of lesson 01."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np
import torch
from numpy.polynomial import Polynomial
from numpy.polynomial.polynomial import polyval
from scipy.interpolate import make_interp_spline

from tests.exercises.proofs import CONSTANT_HINT, Proof, Wrong
from utils.constructions import relu_interpolant


def fold(weights, biases):
    matrix, bias = np.eye(weights[0].shape[1]), np.zeros(weights[0].shape[1])
    for weight, offset in zip(weights, biases, strict=True):
        matrix, bias = weight @ matrix, weight @ bias + offset
    return matrix, bias


def by_probing(weights, biases):
    """The affine map, read off from its values at the origin and at the unit vectors."""

    def stack(x):
        for weight, bias in zip(weights, biases, strict=True):
            x = weight @ x + bias
        return x

    inputs = weights[0].shape[1]
    bias = stack(np.zeros(inputs))
    return [np.stack([stack(unit) - bias for unit in np.eye(inputs)], axis=1), bias]


def in_torch(weights, biases):
    matrix, bias = torch.as_tensor(weights[0]), torch.as_tensor(biases[0])
    for weight, offset in zip(weights[1:], biases[1:], strict=True):
        weight = torch.as_tensor(weight)
        matrix, bias = weight @ matrix, torch.mv(weight, bias) + torch.as_tensor(offset)
    return matrix, bias


def as_lists(weights, biases):
    matrix, bias = fold(weights, biases)
    return matrix.tolist(), tuple(bias.tolist())


def wrong_order(weights, biases):
    matrix, bias = weights[0], biases[0]
    for weight, offset in zip(weights[1:], biases[1:], strict=True):
        matrix, bias = matrix @ weight, weight @ bias + offset
    return matrix, bias


def without_last_layer(weights, biases):
    return fold(weights[:-1], biases[:-1])


def entry_by_entry(weights, biases):
    return reduce(np.multiply, weights), fold(weights, biases)[1]


def transposed(weights, biases):
    matrix, bias = fold(weights, biases)
    return matrix.T, bias


def sum_of_biases(weights, biases):
    return fold(weights, biases)[0], sum(biases)


def from_two_inputs(weights, biases):
    matrix = np.eye(2)
    for weight in weights:
        matrix = weight @ matrix
    return matrix, fold(weights, biases)[1]


COLLAPSE = Proof(
    "01.1",
    right={"fold": fold, "by probing": by_probing, "in torch": in_torch, "as lists": as_lists},
    wrong=[
        Wrong("constant", lambda weights, biases: (np.zeros((2, 2)), np.zeros(2)), CONSTANT_HINT),
        Wrong("hard-coded", lambda weights, biases: (np.array([[1, 2], [3, 7]]), np.array([1, 4])), CONSTANT_HINT),
        Wrong("off by one", without_last_layer, "One layer is left out"),
        Wrong("no bias", lambda weights, biases: fold(weights, biases)[0], "Return two things"),
        Wrong("wrong order", wrong_order, "wrong order"),
        Wrong("transposed", transposed, "transposed"),
        Wrong("last bias", lambda weights, biases: (fold(weights, biases)[0], biases[-1]), "an early bias passes"),
        Wrong("swapped", lambda weights, biases: fold(weights, biases)[::-1], "matrix comes first"),
        Wrong("entry by entry", entry_by_entry, "entry by entry"),
        Wrong("a column", lambda weights, biases: (fold(weights, biases)[0], fold(weights, biases)[1][:, None]),
              "the bias's shape"),
        Wrong("sum of biases", sum_of_biases, "an early bias passes"),
        Wrong("from two inputs", from_two_inputs, "sizes differ from case to case"),
        Wrong("zero bias", lambda weights, biases: (fold(weights, biases)[0], 0 * biases[-1]), "an early bias passes"),
    ],
)  # fmt: skip


def by_differences(knots, values):
    slopes = np.diff(values) / np.diff(knots)
    return np.concatenate([np.diff(slopes), -slopes[-1:]])


def by_loop(knots, values):
    weights, slope = [], 0.0
    for i in range(len(knots) - 1, 0, -1):
        new = (values[i] - values[i - 1]) / (knots[i] - knots[i - 1])
        weights.insert(0, float(slope - new))
        slope = new
    return weights


def by_linear_system(knots, values):
    """The weights that solve relu(t_i - t_j) a = y_j - y_N, in torch."""
    t, y = torch.as_tensor(knots), torch.as_tensor(values)
    return torch.linalg.solve(torch.relu(t[None, 1:] - t[:-1, None]), y[:-1] - y[-1])


def by_spline(knots, values):
    """The jumps of SciPy's derivative of the piecewise linear spline."""
    slopes = make_interp_spline(knots, values, k=1).derivative()(0.5 * (knots[1:] + knots[:-1]))
    return tuple(np.append(slopes[1:], 0.0) - slopes)


def slopes_only(knots, values):
    return np.diff(values) / np.diff(knots)


def opening_right(knots, values):
    return np.diff(slopes_only(knots, values), prepend=0.0)


def minus_the_next_weight(knots, values):
    weights = []
    for slope in slopes_only(knots, values)[::-1]:
        weights.insert(0, -slope - (weights[0] if weights else 0.0))
    return weights


def undivided(knots, values):
    return np.diff(np.diff(values), append=0)


def last_replaced(new):
    """The right weights, but for the last one: ``new`` gets the last slope and the values."""

    def answer(knots, values):
        weights = by_differences(knots, values)
        weights[-1] = new(slopes_only(knots, values)[-1], values)
        return weights

    return answer


def first_is_a_slope(knots, values):
    """As in the lesson, where the first weight is the first slope."""
    weights = by_differences(knots, values)
    weights[0] = slopes_only(knots, values)[0]
    return weights


def forgotten_constant(knots, values):
    hinges = np.maximum(knots[None, 1:] - knots[:, None], 0)
    return np.linalg.lstsq(hinges, values, rcond=None)[0]


LEFT = Proof(
    "01.2",
    right={"differences": by_differences, "loop": by_loop, "linear system": by_linear_system, "spline": by_spline,
           "a column": lambda knots, values: by_differences(knots, values)[:, None]},
    wrong=[
        Wrong("constant", lambda knots, values: np.zeros(len(knots) - 1), CONSTANT_HINT),
        Wrong("hard-coded", lambda knots, values: [-3, 1.5, -0.5], CONSTANT_HINT),
        Wrong("off by one", lambda knots, values: np.insert(by_differences(knots, values), 0, 0), "One weight too"),
        Wrong("no last", lambda knots, values: by_differences(knots, values)[:-1], "One weight is missing"),
        Wrong("opening right", opening_right, "open to the right"),
        Wrong("slopes", slopes_only, "These are the slopes"),
        Wrong("sign", lambda knots, values: -by_differences(knots, values), "signs are the wrong way"),
        Wrong("values' differences", lambda knots, values: np.diff(values), "These are differences of values"),
        Wrong("undivided", lambda knots, values: np.diff(np.diff(values), append=0), "changes of the values"),
        Wrong("evenly spaced", lambda knots, values: undivided(knots, values) / (knots[1] - knots[0]),
              "not evenly spaced"),
        Wrong("the mean spacing", lambda knots, values: undivided(knots, values) / np.diff(knots).mean(),
              "not evenly spaced"),
        Wrong("the last spacing", lambda knots, values: undivided(knots, values) / (knots[-1] - knots[-2]),
              "not evenly spaced"),
        Wrong("opening right, negated", lambda knots, values: -opening_right(knots, values), "open to the right"),
        Wrong("the last sign", last_replaced(lambda slope, values: slope), "sign of the last"),
        Wrong("nothing at the last knot", last_replaced(lambda slope, values: 0.0), "Only the last weight"),
        Wrong("the constant at the last knot", last_replaced(lambda slope, values: values[-1]), "Only the last weight"),
        Wrong("the last first", lambda knots, values: np.roll(by_differences(knots, values), 1), "stands first"),
        Wrong("forgotten constant", forgotten_constant, "y_N before"),
        Wrong("random", lambda knots, values: np.cos(7 * knots[1:] + 3 * values[1:]), "through by hand"),
        Wrong("reversed", lambda knots, values: by_differences(knots, values)[::-1], "order is reversed"),
        Wrong("only the next", minus_the_next_weight, "not only the next one"),
        Wrong("the first is a slope", first_is_a_slope, "Only the first weight"),
        Wrong("each hinge alone", lambda knots, values: (values[:-1] - values[-1]) / np.diff(knots), "the only one"),
        Wrong("everything", lambda knots, values: (knots[1:], by_differences(knots, values), values[-1]), "alone"),
        Wrong("withheld",
              lambda knots, values: relu_interpolant(-knots[::-1], values[::-1])[1][::-1], "write it yourself"),
        Wrong("a number", lambda knots, values: 0.0, "you returned a number"),
        Wrong("None", lambda knots, values: None, "returned None"),
    ],
)  # fmt: skip


def formula(max_curvature, low, high, tolerance):
    return max(1, math.ceil((high - low) * math.sqrt(max_curvature / (8 * tolerance))))


def by_search(curvature, a, b, eps):
    count = 1
    while curvature * ((b - a) / count) ** 2 / 8 > eps:
        count += 1
    return count


def in_tensors(max_curvature, low, high, tolerance):
    spacing = torch.sqrt(torch.tensor(8 * tolerance / max(max_curvature, 1e-12), dtype=torch.float64))
    return torch.ceil((high - low) / spacing).clamp(min=1)


CERTIFIED = Proof(
    "01.3",
    right={"formula": formula, "by search": by_search, "tensor": in_tensors,
           "float": lambda *given: float(formula(*given)), "NumPy's int": lambda *given: np.int64(formula(*given))},
    wrong=[
        Wrong("constant", lambda *given: 10, CONSTANT_HINT),
        Wrong("hard-coded", lambda *given: 4, CONSTANT_HINT),
        Wrong("off by one", lambda *given: formula(*given) + 1, "One too many"),
        Wrong("rounded down", lambda m, a, b, eps: max(1, int((b - a) * math.sqrt(m / (8 * eps)))), "One too few"),
        Wrong("not rounded", lambda m, a, b, eps: (b - a) * math.sqrt(m / (8 * eps)), "whole number"),
        Wrong("no eighth", lambda m, a, b, eps: max(1, math.ceil((b - a) * math.sqrt(m / eps))), "1/8"),
        Wrong("no square", lambda m, a, b, eps: max(1, math.ceil((b - a) * m / (8 * eps))), "square of the spacing"),
        Wrong("no length", lambda m, a, b, eps: max(1, math.ceil(math.sqrt(m / (8 * eps)))), "high - low"),
        Wrong("no M", lambda m, a, b, eps: max(1, math.ceil((b - a) * math.sqrt(1 / (8 * eps)))), "M is not in"),
        Wrong("M outside", lambda m, a, b, eps: max(1, math.ceil((b - a) * m / math.sqrt(8 * eps))), "root goes"),
        Wrong("a half", lambda m, a, b, eps: max(1, math.ceil((b - a) * math.sqrt(m / (2 * eps)))), "one eighth"),
        Wrong("a quarter", lambda m, a, b, eps: max(1, math.ceil((b - a) * math.sqrt(m / (4 * eps)))), "one eighth"),
        Wrong("the spacing", lambda m, a, b, eps: math.sqrt(8 * eps / max(m, 1e-9)), "not how many"),
        Wrong("the spacing, divided by 0", lambda m, a, b, eps: math.sqrt(8 * eps / m), "not how many"),
        Wrong("the spacing, rounded", lambda m, a, b, eps: math.ceil(math.sqrt(8 * eps / max(m, 1e-9))),
              "not how many"),
        Wrong("squared", lambda m, a, b, eps: max(1, math.ceil((b - a) ** 2 * m / (8 * eps))), "take the root"),
        Wrong("by the spacing", lambda m, a, b, eps: math.ceil((b - a) / math.sqrt(8 * eps / m)), "M = 0 is allowed"),
        Wrong("zero hinges", lambda m, a, b, eps: math.ceil((b - a) * math.sqrt(m / (8 * eps))), "at least 1"),
    ],
)  # fmt: skip


def two_steps(start, end, height, margin, tolerance, sharpness=1.0):
    steepness = sharpness * math.log(2 * abs(height) / tolerance) / margin
    return [steepness] * 2, [-steepness * start, -steepness * end], [height, -height], 0


def mirrored(start, end, height, margin, tolerance):
    """One unit falls, so that the network is 1 + 1 - 1 on the plateau; the steepness is the smallest that does."""
    s = math.log(2 * abs(height) / tolerance - 1) / margin
    return np.array([-s, s]), np.array([s * end, -s * start]), np.array([height, height]), -height


def end_first(start, end, height, margin, tolerance):
    """In float32, with a column for each, and steps far steeper than they need to be."""
    s = 1e3 / torch.tensor(margin)
    places = torch.tensor([[end], [start]])
    return s * torch.ones(2, 1), -s * places, torch.tensor([[-height], [height]]), torch.zeros(1)


def by_doubling(start, end, height, margin, tolerance):
    """The steepness found by trying."""
    s = 1 / margin
    while 2 * abs(height) / (1 + math.exp(s * margin)) > tolerance:
        s *= 2
    return (s, s), (-s * start, -s * end), (height, -height), np.float64(0.0)


def as_steep_as_floats_allow(start, end, height, margin, tolerance):
    s = 1e290
    return np.array([s, s]), np.array([-s * start, -s * end]), np.array([height, -height]), 0.0


def changed(change):
    """A bump, changed: ``change`` gets (w, b, a, bias) as arrays, and the input."""

    def answer(start, end, height, margin, tolerance):
        w, b, a, bias = (np.array(part) for part in two_steps(start, end, height, margin, tolerance))
        return change(w, b, a, bias, (start, end, height, margin, tolerance))

    return answer


def with_steepness(steepness):
    def answer(start, end, height, margin, tolerance):
        s = steepness(start, end, height, margin, tolerance)
        return [s, s], [-s * start, -s * end], [height, -height], 0.0

    return answer


def stepping_at(places):
    def answer(start, end, height, margin, tolerance):
        w, _, a, bias = two_steps(start, end, height, margin, tolerance)
        return w, [-w[0] * place for place in places(start, end, margin)], a, bias

    return answer


def misspelt(start, end, height, margin, tolerance):
    return two_steps(start, end, heigth, margin, tolerance)  # noqa: F821


BUMP = Proof(
    "01.4",
    right={"two steps": two_steps, "mirrored": mirrored, "float32": end_first, "by doubling": by_doubling,
           "sharper": lambda *given: two_steps(*given, sharpness=50.0), "as steep as can be": as_steep_as_floats_allow},
    wrong=[
        Wrong("constant", lambda *given: ([10.0, 10.0], [0.0, 0.0], [1.0, -1.0], 0.0), CONSTANT_HINT),
        Wrong("zeros", lambda *given: (np.zeros(2), np.zeros(2), np.zeros(2), 0.0), CONSTANT_HINT),
        Wrong("hard-coded", lambda *given: ([10, 10], [-10, -30], [2, -2], 0), CONSTANT_HINT),
        Wrong("off by one", changed(lambda w, b, a, bias, given: (w[:1], b[:1], a[:1], bias)), "exactly two units"),
        Wrong("three units", changed(lambda w, b, a, bias, given: ([*w, 1], [*b, 0], [*a, 0], bias)), "exactly two"),
        Wrong("no output bias", changed(lambda w, b, a, bias, given: (w, b, a)), "Return four things"),
        Wrong("one step", changed(lambda w, b, a, bias, given: (w, b, abs(a), bias)), "same direction"),
        Wrong("one step of two halves", changed(lambda w, b, a, bias, given: (w, b, abs(a) / 2, bias)),
              "same direction"),
        Wrong("sign of the offset", changed(lambda w, b, a, bias, given: (w, -b, a, bias)), "wrong side of 0"),
        Wrong("bare offset", changed(lambda w, b, a, bias, given: (w, [-given[0], -given[1]], a, bias)),
              "the offset has to grow"),
        Wrong("the place as offset", changed(lambda w, b, a, bias, given: (w, [given[0], given[1]], a, bias)),
              "not x = b"),
        Wrong("no height", changed(lambda w, b, a, bias, given: (w, b, [1, -1], bias)), "has the height 1"),
        Wrong("upside down", changed(lambda w, b, a, bias, given: (w, b, -a, bias)), "the other way"),
        Wrong("height's size only", changed(lambda w, b, a, bias, given: (w, b, [abs(a[0]), -abs(a[0])], bias)),
              "the other way"),
        Wrong("half", changed(lambda w, b, a, bias, given: (w, b, a / 2, bias)), "half its height"),
        Wrong("twice", changed(lambda w, b, a, bias, given: (w, b, 2 * a, bias)), "twice its height"),
        Wrong("bias", changed(lambda w, b, a, bias, given: (w, b, a, given[2])), "wrong level"),
        Wrong("outer ends", stepping_at(lambda start, end, margin: (start - margin, end + margin)), "at 1/2"),
        Wrong("inner ends", stepping_at(lambda start, end, margin: (start + margin, end - margin)), "at 1/2"),
        Wrong("centre and width", stepping_at(lambda start, end, margin: ((start + end) / 2, end - start)), "at 1/2"),
        Wrong("steepness 10", with_steepness(lambda *given: 10.0), "too gentle"),
        Wrong("steepness 1000", with_steepness(lambda *given: 1000.0), "too gentle"),
        Wrong("without the margin", with_steepness(lambda a, b, h, m, eps: math.log(2 * abs(h) / eps)), "too gentle"),
        Wrong("by the width", with_steepness(lambda a, b, h, m, eps: math.log(2 * abs(h) / eps) / (b - a)), "gentle"),
        Wrong("without the tolerance", with_steepness(lambda a, b, h, m, eps: 5 / m), "too gentle"),
        Wrong("steep enough for most", with_steepness(lambda a, b, h, m, eps: 20 / m), "output weights multiply"),
        Wrong("relative", with_steepness(lambda a, b, h, m, eps: math.log(2 / eps) / m), "output weights multiply"),
        Wrong("one unit's error", with_steepness(lambda a, b, h, m, eps: math.log(abs(h) / eps) / m), "errors add up"),
        Wrong("infinite", with_steepness(lambda *given: math.inf), "an inf in"),
        Wrong("log of a negative number", with_steepness(lambda a, b, h, m, eps: np.log(2 * h / eps) / m),
              "logarithm or a root"),
        Wrong("math's log of it", with_steepness(lambda a, b, h, m, eps: math.log(2 * h / eps) / m),
              "logarithm or a root"),
        Wrong("a typing error", misspelt, "A name is not known"),
        Wrong("w = 0", changed(lambda w, b, a, bias, given: (0 * w, b, a, bias)), "w = 0"),
        Wrong("None", lambda *given: None, "returned None"),
    ],
)  # fmt: skip


def is_zero(numbers):
    return bool(np.abs(numbers).max() < 1e-8)


def by_rules(x, target, networks, fitted, tolerance):
    wrong = np.abs(networks[-1] - target) > tolerance
    if not wrong.any():
        return "none"
    if is_zero(np.diff(networks, n=3, axis=1)):
        return "polynomial activation"
    if is_zero(networks + np.flip(networks, axis=1)):
        return "no bias"
    return "discontinuous target" if np.abs(np.diff(target)).max() > 1 else "not compact"


def by_fits(x, target, networks, fitted, tolerance):
    """In torch, with a parabola fitted and the odd part taken away, of the widest network alone."""
    x, target, g = (torch.as_tensor(part) for part in (x, target, networks[-1]))
    parabolas = torch.stack([x**0, x, x**2], dim=1)
    no_parabola = g - parabolas @ torch.linalg.lstsq(parabolas, g[:, None]).solution[:, 0]
    error = (g - target).abs()
    signs = {
        "none": error.max() <= tolerance,
        "polynomial activation": no_parabola.abs().max() < 1e-6,
        "no bias": (g + g.flip(0)).abs().max() < 1e-6,
        "not compact": error[x.abs() <= fitted[1] + 1e-9].max() <= tolerance,
    }
    return next((name for name, holds in signs.items() if holds), "discontinuous target")


def by_statistics(x, target, networks, fitted, tolerance):
    """By how the errors go with the width, and by what the networks do at single points."""
    errors = [[abs(g - f) for g, f in zip(row, target, strict=True)] for row in networks.tolist()]
    jump = max(abs(b - a) for a, b in zip(target, target[1:], strict=False))
    if max(errors[-1]) <= tolerance:
        return "none"
    if abs(networks[0] - networks[-1]).max() < 1e-8:
        return "polynomial activation"
    if all(abs(np.mean(row**3)) < 1e-9 for row in networks):
        return "no bias"
    if jump > 1 and all(max(row) > 0.35 * jump for row in errors) and np.mean(errors[-1]) < 0.5 * np.mean(errors[0]):
        return np.str_("discontinuous target")
    return "not compact"


def reasons_before_errors(x, target, networks, fitted, tolerance):
    """Looks for a broken hypothesis, and at the errors only where it finds none."""
    if is_zero(np.diff(networks, n=3, axis=1)):
        return "polynomial activation"
    if is_zero(networks + networks[:, ::-1]):
        return "no bias"
    if fitted[1] < x[-1]:
        return "not compact"
    return by_rules(x, target, networks, fitted, tolerance)


def ruled(**other):
    """``by_rules``, with some other ideas of what to look at."""
    look = {
        "failed": lambda x, f, g, tolerance: np.abs(g[-1] - f).max() > tolerance,
        "polynomial": lambda x, f, g: is_zero(np.diff(g, n=3, axis=1)),
        "odd": lambda x, f, g: is_zero(g + g[:, ::-1]),
        "jumps": lambda x, f, g: np.abs(np.diff(f)).max() > 1,
        **other,
    }

    def answer(x, target, networks, fitted, tolerance):
        if not look["failed"](x, target, networks, tolerance):
            return "none"
        if look["polynomial"](x, target, networks):
            return "polynomial activation"
        if look["odd"](x, target, networks):
            return "no bias"
        return "discontinuous target" if look["jumps"](x, target, networks) else "not compact"

    return answer


def looked_farther(x, target, networks, fitted, tolerance):
    """Calls it "not compact" wherever they looked farther out and something failed."""
    answer = by_rules(x, target, networks, fitted, tolerance)
    return "not compact" if answer != "none" and x[-1] > fitted[1] else answer


def looked_farther_last(x, target, networks, fitted, tolerance):
    """As ``looked_farther``, but only where the networks have nothing to be seen by."""
    answer = by_rules(x, target, networks, fitted, tolerance)
    return "not compact" if answer == "discontinuous target" and x[-1] > fitted[1] else answer


def fails_outside(x, target, networks, fitted, tolerance):
    """Calls it "not compact" wherever the widest network is off outside, whatever it is inside."""
    outside = np.abs(x) > fitted[1] * (1 + 1e-9)
    off = np.abs(networks[-1] - target)[outside] > tolerance
    return "not compact" if off.any() else by_rules(x, target, networks, fitted, tolerance)


def strict_inside(x, target, networks, fitted, tolerance):
    """Asks for half the tolerance on the interval of the fit before it says "not compact"."""
    answer = by_rules(x, target, networks, fitted, tolerance)
    inside = np.abs(networks[-1] - target)[np.abs(x) <= fitted[1]].max()
    return "discontinuous target" if answer == "not compact" and inside > tolerance / 2 else answer


HYPOTHESIS = Proof(
    "01.5",
    right={"rules": by_rules, "fits": by_fits, "statistics": by_statistics},
    wrong=[
        Wrong("constant", lambda *given: "none", CONSTANT_HINT),
        Wrong("hard-coded", lambda *given: "polynomial activation", CONSTANT_HINT),
        Wrong("off by one", ruled(polynomial=lambda x, f, g: is_zero(np.diff(g, n=2, axis=1))), "activation is z²"),
        Wrong("exactly 0", ruled(polynomial=lambda x, f, g: not np.diff(g, n=3, axis=1).any()), "which are rounded"),
        Wrong("reasons before errors", reasons_before_errors, "without harm"),
        Wrong("the target is odd", ruled(odd=lambda x, f, g: is_zero(f + f[::-1])), "without any bias"),
        Wrong("even", ruled(odd=lambda x, f, g: is_zero(g - g[:, ::-1])), "without any bias"),
        Wrong("mean error", ruled(failed=lambda x, f, g, tolerance: np.abs(g[-1] - f).mean() > tolerance),
              "the largest error"),
        Wrong("signed error", ruled(failed=lambda x, f, g, tolerance: (g[-1] - f).max() > tolerance), "in size"),
        Wrong("signed the other way", ruled(failed=lambda x, f, g, tolerance: (f - g[-1]).max() > tolerance),
              "in size"),
        Wrong("any width", ruled(failed=lambda x, f, g, tolerance: np.abs(g - f).max() > tolerance), "widest network"),
        Wrong("no jumps", ruled(jumps=lambda x, f, g: False), "at a single place"),
        Wrong("any change jumps", ruled(jumps=lambda x, f, g: np.abs(np.diff(f)).max() > 0.05), "So where is it off"),
        Wrong("0 at 0", ruled(odd=lambda x, f, g: abs(g[0, 60]) < 1e-8), "be 0 at a single place"),
        Wrong("all are 0 at 0", ruled(odd=lambda x, f, g: is_zero(g[:, 60])), "be 0 at a single place"),
        Wrong("looked farther out", looked_farther, "off on the interval of the fit"),
        Wrong("looked farther out, asked last", looked_farther_last, "off on the interval of the fit"),
        Wrong("off outside", fails_outside, "off on the interval of the fit"),
        Wrong("half the tolerance", ruled(failed=lambda x, f, g, tolerance: np.abs(g[-1] - f).max() > tolerance / 2),
              "Nothing failed here"),
        Wrong("twice the tolerance", ruled(failed=lambda x, f, g, tolerance: np.abs(g[-1] - f).max() > 2 * tolerance),
              "the largest error"),
        Wrong("half the tolerance inside", strict_inside, "where is it off"),
        Wrong("capitals", lambda *given: by_rules(*given).capitalize(), "letter by letter"),
        Wrong("a number", lambda *given: len(by_rules(*given)), "letter by letter"),
        Wrong("None", lambda *given: None, "returned None"),
    ],
)  # fmt: skip


def by_least_squares(x, y, power):
    features = np.vander(x, power + 1)
    return np.mean((y - features @ np.linalg.lstsq(features, y, rcond=None)[0]) ** 2)


def fitted_by(x, y, powers):
    features = np.stack([x**power for power in powers], axis=1)
    return y - features @ np.linalg.lstsq(features, y, rcond=None)[0]


def by_polyfit(x, y, power):
    return float(np.square(np.polyval(np.polyfit(x, y, power), x) - y).mean())


def by_projection(x, y, power):
    """What is left of y when its parts along an orthonormal basis are taken away, in torch."""
    basis = torch.linalg.qr(torch.as_tensor(x)[:, None] ** torch.arange(power + 1)).Q
    y = torch.as_tensor(y)
    return (y.square().sum() - (basis.T @ y).square().sum()) / len(y)


def by_normal_equations(x, y, power):
    features = np.polynomial.chebyshev.chebvander(x / np.abs(x).max(), power)
    weights = np.linalg.solve(features.T @ features, features.T @ y)
    return [sum((y - features @ weights) ** 2) / len(y)]


def by_a_network(x, y, power):
    """What the course says that it is: a network with the activation z**power, its output weights fitted."""
    offsets = np.linspace(-2, 2, power + 3)
    hidden = (x[:, None] / np.abs(x).max() + offsets) ** power
    features = np.column_stack([hidden, np.ones(len(x))])
    return np.mean((y - features @ np.linalg.pinv(features) @ y) ** 2)


def residuals_of_lstsq(x, y, power):
    return np.linalg.lstsq(np.vander(x, power + 1), y, rcond=None)[1] / len(x)


def through_the_first(x, y, power):
    p = np.polynomial.Polynomial.fit(x[: power + 1], y[: power + 1], power)
    return np.mean((y - p(x)) ** 2)


def free_of_noise(x, y, power):
    """Divided as a noise's variance is estimated, which is 0/0 where there are as many points as coefficients."""
    return np.sum(fitted_by(x, y, range(power + 1)) ** 2) / (len(x) - power - 1)


FLOOR = Proof(
    "01.6",
    right={"least squares": by_least_squares, "polyfit": by_polyfit, "projection": by_projection,
           "normal equations": by_normal_equations, "a network": by_a_network},
    wrong=[
        Wrong("constant", lambda x, y, power: 0.0, CONSTANT_HINT),
        Wrong("hard-coded", lambda x, y, power: 0.05, CONSTANT_HINT),
        Wrong("off by one", lambda x, y, power: by_polyfit(x, y, power - 1), "One degree short"),
        Wrong("one too many", lambda x, y, power: np.mean(fitted_by(x, y, range(power + 2)) ** 2), "degree too high"),
        Wrong("root", lambda x, y, power: math.sqrt(by_polyfit(x, y, power)), "root"),
        Wrong("sum", lambda x, y, power: len(x) * by_polyfit(x, y, power), "the sum"),
        Wrong("half", lambda x, y, power: by_polyfit(x, y, power) / 2, "half"),
        Wrong("unbiased", lambda x, y, power: by_polyfit(x, y, power) * len(x) / max(len(x) - power - 1, 1),
              "number of points"),
        Wrong("no constant", lambda x, y, power: np.mean(fitted_by(x, y, range(1, power + 1)) ** 2), "output bias"),
        Wrong("no offsets", lambda x, y, power: np.mean(fitted_by(x, y, {0, power}) ** 2), "multiply out"),
        Wrong("the power alone", lambda x, y, power: np.mean(fitted_by(x, y, [power]) ** 2), "multiply out"),
        Wrong("every second", lambda x, y, power: np.mean(fitted_by(x, y, range(power % 2, power + 1, 2)) ** 2),
              "multiply out"),
        Wrong("absolute", lambda x, y, power: np.abs(fitted_by(x, y, range(power + 1))).mean(), "square them first"),
        Wrong("largest", lambda x, y, power: np.abs(fitted_by(x, y, range(power + 1))).max(), "largest error"),
        Wrong("largest square", lambda x, y, power: (fitted_by(x, y, range(power + 1)) ** 2).max(), "largest squared"),
        Wrong("swapped", lambda x, y, power: by_polyfit(y, x, power), "swapped"),
        Wrong("swapped in the fit", lambda x, y, power: np.mean((np.polyval(np.polyfit(y, x, power), x) - y) ** 2),
              "Too high"),
        Wrong("first points", through_the_first, "runs through the first points"),
        Wrong("always a parabola", lambda x, y, power: by_polyfit(x, y, 2), "whatever the power"),
        Wrong("as an estimate", free_of_noise, "number of points"),
        Wrong("the first residual", lambda x, y, power: residuals_of_lstsq(x, y, power)[0], "no residuals"),
        Wrong("polyfit's residual", lambda x, y, power: np.polyfit(x, y, power, full=True)[1][0] / len(x),
              "no residuals"),
        Wrong("even places", lambda x, y, power: by_polyfit(np.arange(len(x)), y, power), "one after the other"),
        Wrong("sorted", lambda x, y, power: by_polyfit(np.sort(x), y, power), "belong together"),
        Wrong("lstsq's residuals", residuals_of_lstsq, "no residuals"),
        Wrong("the other order", lambda x, y, power: np.mean((y - polyval(x, np.polyfit(x, y, power))) ** 2),
              "in the wrong order"),
        Wrong("the scaled x's", lambda x, y, power: np.mean((y - polyval(x, Polynomial.fit(x, y, power).coef)) ** 2),
              "shifted and scaled"),
        Wrong("coefficients", lambda x, y, power: np.polyfit(x, y, power), "Return one number"),
        Wrong("None", lambda x, y, power: None, "returned None"),
    ],
)  # fmt: skip

PROOFS = [COLLAPSE, LEFT, CERTIFIED, BUMP, HYPOTHESIS, FLOOR]
