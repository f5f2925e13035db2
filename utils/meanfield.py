"""Signals in infinitely wide random networks: lengths, correlations, their fixed points, order and chaos.

Weights N(0, σ_w²/n_in), biases N(0, σ_b²) (Poole et al. 2016; Schoenholz et al. 2017). With z standard normal, the
mean square q of a layer's pre-activations follows the length map q → σ_w² E[φ(√q z)²] + σ_b². At its fixed point q*
the correlation c of two inputs follows f(c) = (σ_w² E[φ(u_1) φ(u_2)] + σ_b²)/q*, u_1 and u_2 normal with variance
q* and correlation c. In normalised Hermite polynomials h_k, with a_k = E[φ(√q z) h_k(z)], E[φ(u_1) φ(u_2)] = Σ a_k²
c^k (Daniely et al. 2016): no coefficient is negative, so f is convex on [0, 1] with f(1) = 1. Hence either χ_1 =
f'(1) ≤ 1 and c* = 1, or χ_1 > 1 and exactly one other fixed point, the stable one, lies below 1.

How integrals are done. ReLU, leaky ReLU and identity: closed forms (Cho & Saul 2009). All others: Gauss–Hermite
with 128 nodes where it agrees to 1e-12 with Gauss–Legendre on pieces that halve in size towards 0, where
activations bend, and end at every kink that is named; else those pieces. Series end at degree 512 (128 in a phase
diagram); the rest is one term that has the right value and slope at c = 1. Errors, as tested: q*, χ_1 and ξ_q 1e-10
relative, c* and ξ_c 1e-8, for σ up to 10 and away from the critical line, where c* and ξ magnify every error by
1/|χ_1 − 1|. In a phase diagram with σ_w up to 4 and σ_b up to 2, c* 1e-6 and ξ_c 1e-4; ten times that for σ_w up to
10. One step of the correlation map: 1e-9 for q up to 30, then less near |c| = 1 (3e-7 at q = 100, 1e-3 at 10,000).
`quadrature_error` measures it.

Where no fixed point exists. q* is the limit of the length map from a q just above 0: the smallest stable fixed
point. It is math.inf where lengths grow for ever (beyond 1e12 counts as that): ReLU with σ_w² > 2, or σ_w² = 2 and
σ_b > 0. It is math.nan where every q is a fixed point (ReLU with σ_w² = 2 and σ_b = 0). Lengths never oscillate: d
log E[φ²]/d log q is an average of (z² − 1)/2, so at least −1/2. Without a finite q* χ_1 is still the limit of σ_w²
E[φ'(√q z)²] for the q's that occur (ReLU: σ_w²/2, whatever q), and so is the verdict; c* and ξ are nan, except that
ReLU at σ_w² = 2, σ_b = 0 has c* = 1 and ξ = inf. Where q* = 0, c* = 1 is the limit of small σ_b.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import erf, expit, ndtr

from utils.checks import random_generator, real_number, whole_number
from utils.withholding import withholdable

if TYPE_CHECKING:
    import torch

    from utils.statistics import Estimate

CRITICAL = 1e-9  # |χ_1 − 1| up to this is called critical, and its depth scale infinite
SMALLEST_Q, LARGEST_Q = 1e-30, 1e12
Q_PER_DECADE = 16
ROUNDING = 1e-13  # of the length map: a relative growth below this is none
SETTLED = 1e-12
TERMS, GRID_TERMS = 512, 128
HERMITE_ORDER = 128
HERMITE_TERMS = 96  # fewer than nodes: the rule is exact to degree 255 in φ·h_k
REACH = 12.0  # standard deviations: what lies beyond adds less than 1e-16, also to the highest coefficient used
CELLS_AT_ONCE = 512  # of a phase diagram: arrays that stay in the cache
STENCIL = np.array([-147, 360, -450, 400, -225, 72, -10]) / 60  # one-sided, sixth order
STEP = 2e-3  # of the stencil: truncation and rounding are both near 1e-12 for functions that vary on a scale of 1


# --- activations ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Activation:
    """An activation to average over: the function, its derivative and where either jumps.

    function, derivative: NumPy arrays of float64 to arrays of their shape. Without a derivative it is taken
    numerically from the side away from the nearest kink (or from 0), with steps of 0.002: a function that varies
    much faster needs its own. kinks: arguments at which function or derivative jumps.
    """

    function: Callable[[np.ndarray], np.ndarray]
    derivative: Callable[[np.ndarray], np.ndarray] | None = None
    kinks: tuple[float, ...] = ()
    leak: float | None = None  # set for max(x, leak·x), whose averages have closed forms
    slope_of_value: Callable[[np.ndarray], np.ndarray] | None = None  # a derivative that costs no second tanh
    odd: bool = False  # then half the nodes are enough

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise TypeError(f"function is {self.function!r}: wanted a function of an array")
        if self.derivative is not None and not callable(self.derivative):
            raise TypeError(f"derivative is {self.derivative!r}: wanted a function of an array, or None")
        if isinstance(self.kinks, str) or not hasattr(self.kinks, "__iter__"):
            raise TypeError(f"kinks is {self.kinks!r}: wanted a tuple of numbers")
        kinks = tuple(real_number(f"kinks[{i}]", kink) for i, kink in enumerate(self.kinks))
        object.__setattr__(self, "kinks", kinks)

    def both(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Value and derivative at u."""
        value = self.function(u)
        return value, self.slope(u) if self.slope_of_value is None else self.slope_of_value(value)

    def slope(self, u: np.ndarray) -> np.ndarray:
        """The derivative at u."""
        if self.slope_of_value is not None:
            return self.slope_of_value(self.function(u))
        if self.derivative is not None:
            return self.derivative(u)
        kinks = np.array(self.kinks or (0.0,))
        nearest = kinks[np.abs(np.asarray(u)[..., None] - kinks).argmin(-1)]
        step = np.where(u >= nearest, STEP, -STEP)
        return sum(weight * self.function(u + i * step) for i, weight in enumerate(STENCIL)) / step


def _leaky(leak: float) -> Activation:
    return Activation(
        lambda u: np.where(u > 0, u, leak * u), lambda u: np.where(u > 0, 1.0, leak), kinks=(0.0,), leak=leak
    )


def _normal_density(u: np.ndarray) -> np.ndarray:
    return np.exp(-u * u / 2) / math.sqrt(2 * math.pi)


def _silu_slope(u: np.ndarray) -> np.ndarray:
    return expit(u) * (1 + u * expit(-u))


_SILU = Activation(lambda u: u * expit(u), _silu_slope)
ACTIVATIONS: dict[str, Activation] = {
    "tanh": Activation(np.tanh, slope_of_value=lambda value: 1 - value * value, odd=True),
    "relu": _leaky(0.0),
    "erf": Activation(erf, lambda u: 2 / math.sqrt(math.pi) * np.exp(-u * u), odd=True),
    "gelu": Activation(lambda u: u * ndtr(u), lambda u: ndtr(u) + u * _normal_density(u)),
    "leaky_relu": _leaky(0.01),
    "sigmoid": Activation(expit, slope_of_value=lambda value: value * (1 - value)),
    "silu": _SILU,
    "swish": _SILU,
    "elu": Activation(
        lambda u: np.where(u > 0, u, np.expm1(np.minimum(u, 0))), lambda u: np.exp(np.minimum(u, 0)), kinks=(0.0,)
    ),
    "softplus": Activation(lambda u: np.logaddexp(0, u), expit),
    "identity": _leaky(1.0),
    "square": Activation(np.square, lambda u: 2 * u),
}


def as_activation(activation: Any) -> Activation:
    """An Activation from a name, from a function of arrays or of tensors, or from an Activation.

    A function of tensors is differentiated by autograd, one of arrays numerically. Raises ValueError for an unknown
    name, TypeError for anything else, ValueError where a function's values have another shape or are not finite.
    """
    if isinstance(activation, str):
        if activation not in ACTIVATIONS:
            raise ValueError(
                f"activation is {activation!r}: wanted one of {', '.join(map(repr, ACTIVATIONS))}, or a function"
            )
        return ACTIVATIONS[activation]
    if isinstance(activation, Activation):
        return _tried(activation)
    if not callable(activation):
        raise TypeError(f"activation is {activation!r}: wanted a name, a function or an Activation")
    return _from_function(activation)


@lru_cache(maxsize=64)
def _from_function(function: Callable[[Any], Any]) -> Activation:
    try:
        with np.errstate(all="ignore"):
            of_arrays = not hasattr(function(np.linspace(-1, 1, 5)), "detach")
    except (TypeError, AttributeError):
        of_arrays = False
    return _tried(Activation(function) if of_arrays else _from_tensors(function))


def _from_tensors(function: Callable[[Any], Any]) -> Activation:
    import torch

    def value(u: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            return function(torch.from_numpy(np.ascontiguousarray(u, dtype=float))).numpy()

    def slope(u: np.ndarray) -> np.ndarray:
        x = torch.from_numpy(np.array(u, dtype=float)).requires_grad_()
        return torch.autograd.grad(function(x).sum(), x)[0].numpy()

    return Activation(value, slope)


@lru_cache(maxsize=64)
def _tried(activation: Activation) -> Activation:
    points = np.linspace(-3.1, 3.1, 8)
    for name, function in (("activation", activation.function), ("its derivative", activation.slope)):
        try:
            with np.errstate(all="ignore"):
                values = np.asarray(function(points), dtype=float)
        except Exception as error:
            raise TypeError(
                f"{name} fails on an array ({type(error).__name__}: {error}): wanted a function of arrays or of tensors"
            ) from error
        if values.shape != points.shape or not np.isfinite(values).all():
            raise ValueError(f"{name} makes {values!r} of {points!r}: wanted as many finite numbers")
    return activation


# --- quadrature -------------------------------------------------------------------------------------------


class Rule(NamedTuple):
    """Nodes z and weights, symmetric about 0, for averages over a standard normal variable."""

    nodes: np.ndarray
    weights: np.ndarray


@lru_cache(maxsize=16)
def gauss_hermite(order: int) -> Rule:
    """The Gauss–Hermite rule with `order` nodes: exact for polynomials of degree up to 2·order − 1.

    For tanh(√q z) its error falls as exp(−c·√(order/q)): fast for small q, slowly for large. 1 ≤ order ≤ 180, more
    overflows. Raises TypeError or ValueError otherwise.
    """
    order = whole_number("order", order)
    if order > 180:
        raise ValueError(f"order is {order}: wanted at most 180")
    nodes, weights = np.polynomial.hermite_e.hermegauss(order)
    return Rule(nodes, weights / weights.sum())


@lru_cache(maxsize=256)
def _pieces(levels: int, width: float, kinks: tuple[float, ...] = ()) -> Rule:
    """Gauss–Legendre with 16 nodes on pieces that halve `levels` times towards 0, and beyond 1 are `width` long."""
    outer = np.arange(1, REACH + width / 2, width)
    inner = 0.5 ** np.arange(1, levels + 1)
    inner = inner[inner < 1]
    within = np.arange(width, 1, width)  # no piece is longer than width
    cuts = [abs(kink) for kink in kinks if 0 < abs(kink) < REACH]
    right = np.unique(np.concatenate([[0.0], inner, within, outer, cuts]))
    edges = np.concatenate([-right[:0:-1], right])
    x, w = np.polynomial.legendre.leggauss(16)
    half = np.diff(edges)[:, None] / 2
    nodes = (edges[:-1, None] + half * (1 + x)).ravel()
    return Rule(nodes, (half * w).ravel() * _normal_density(nodes))


@lru_cache(maxsize=8)
def _hermite_basis(rule_key: tuple, terms: int) -> np.ndarray:
    """[nodes, terms + 1]: weight times the normalised Hermite polynomial of each degree."""
    rule = _rule_of(rule_key)
    basis = np.empty((terms + 1, len(rule.nodes)))
    basis[0], basis[1] = rule.weights, rule.weights * rule.nodes
    for k in range(1, terms):
        basis[k + 1] = (rule.nodes * basis[k] - math.sqrt(k) * basis[k - 1]) / math.sqrt(k + 1)
    return basis.T


def _rule_of(key: tuple) -> Rule:
    return gauss_hermite(*key[1:]) if key[0] == "hermite" else _pieces(*key[1:])


def _rule_key(activation: Activation, q: np.ndarray, terms: int) -> tuple:
    """Which rule to use for lengths q: Gauss–Hermite where it agrees with pieces at the smallest and the largest.

    Two orders of Gauss–Hermite would not do as a check: both miss a bump that is narrower than their nodes' distance.
    """
    steepness = max(0, math.ceil(math.log2(math.sqrt(q.max()))))
    if not activation.kinks and all(_settled(activation, end, steepness) for end in (q.min(), q.max())):
        return ("hermite", HERMITE_ORDER)
    fine = terms > GRID_TERMS
    cuts = tuple(kink / math.sqrt(q[0]) for kink in activation.kinks if kink)
    return ("pieces", steepness + (12 if fine else 3), 0.5 if fine else 1.0, cuts)


def _settled(activation: Activation, q: float, steepness: int) -> bool:
    length = np.array([q])
    rules = gauss_hermite(HERMITE_ORDER), _pieces(steepness + 12, 1.0)
    pairs = zip(*(_averages(activation, length, rule) for rule in rules), strict=True)
    if not all(np.allclose(a, b, rtol=SETTLED, atol=0) for a, b in pairs):
        return False
    # by symmetry the averages of ReLU's squares come out right whatever the rule: its mean does not
    means = [activation.function(math.sqrt(q) * rule.nodes) @ rule.weights for rule in rules]
    return abs(means[0] - means[1]) <= SETTLED * math.sqrt(_averages(activation, length, rules[1]).square[0])


def _right_half(rule: Rule) -> Rule:
    half = len(rule.nodes) // 2
    return Rule(rule.nodes[half:], 2 * rule.weights[half:])


class Averages(NamedTuple):
    """E[φ²], E[φ'²] and the derivative of E[φ²] by q, each at √q z."""

    square: np.ndarray
    slope_square: np.ndarray
    growth: np.ndarray


def _averages(activation: Activation, q: np.ndarray, rule: Rule) -> Averages:
    root, rule = np.sqrt(q), _right_half(rule) if activation.odd else rule
    with np.errstate(all="ignore"):  # what overflows is a length that grows for ever
        u = root[:, None] * rule.nodes
        value, slope = activation.both(u)
        growth = (value * slope) @ (rule.weights * rule.nodes) / root
        return Averages((value * value) @ rule.weights, (slope * slope) @ rule.weights, growth)


def _batches(activation: Activation, q: np.ndarray, terms: int) -> Iterator[tuple[np.ndarray, tuple]]:
    """Places in q that share a rule, with that rule's key. Kinks away from 0 move with q: one at a time."""
    order = np.argsort(q)
    size = 1 if any(activation.kinks) else CELLS_AT_ONCE
    for start in range(0, len(q), size):
        places = order[start : start + size]
        yield places, _rule_key(activation, q[places], terms)


def _all_averages(activation: Activation, q: np.ndarray, terms: int = TERMS) -> Averages:
    q = np.maximum(q, SMALLEST_Q)  # at 0 the limit from above
    if activation.leak is not None:
        half = np.full(len(q), (1 + activation.leak**2) / 2)
        return Averages(half * q, half, half)
    result = Averages(*(np.empty(len(q)) for _ in range(3)))
    for places, key in _batches(activation, q, terms):
        for whole, part in zip(result, _averages(activation, q[places], _rule_of(key)), strict=True):
            whole[places] = part
    return result


class Series(NamedTuple):
    """E[φ(u_1) φ(u_2)] as Σ squares[k] c^k, k = 0, 1, …, plus rest·c^degree; rows are cells.

    rest_at_minus_1: what the omitted terms add up to at c = −1, where their signs alternate.
    """

    squares: np.ndarray
    rest: np.ndarray
    degree: np.ndarray
    rest_at_minus_1: np.ndarray


def _series(activation: Activation, q: np.ndarray, slope_square: np.ndarray, key: tuple, terms: int) -> Series:
    """The series at lengths q, from E[φ'²], which fixes the slope of what is left out."""
    rule = _rule_of(key)
    if key[0] == "hermite":
        terms = min(terms, HERMITE_TERMS)
    basis, squares, half = _hermite_basis(key, terms), np.zeros((len(q), terms + 1)), len(rule.nodes) // 2
    if activation.odd:
        value = activation.function(np.sqrt(q)[:, None] * rule.nodes[half:])
        squares[:, 1::2] = (value @ basis[half:, 1::2]) ** 2 * 4
        total = value**2 @ rule.weights[half:] * 2
        at_minus_1 = -total
    else:
        value = activation.function(np.sqrt(q)[:, None] * rule.nodes)
        squares[:] = (value @ basis) ** 2
        total, at_minus_1 = value**2 @ rule.weights, (value * value[:, ::-1]) @ rule.weights
    rest = total - squares.sum(1)
    rest[rest < 1e-14 * total] = 0  # rounding
    slope = q * slope_square - squares @ np.arange(terms + 1)  # of the rest at c = 1, since q E[φ'²] = Σ k a_k²
    degree = np.maximum(np.divide(slope, rest, out=np.ones_like(rest), where=rest > 0), terms + 1)
    signs = 1 - 2 * (np.arange(terms + 1) % 2)
    return Series(squares, rest, degree, np.clip(at_minus_1 - squares @ signs, -rest, rest))


def quadrature_error(q: float, activation: Any) -> float:
    """How far two rules disagree on E[φ(√q z)²] and E[φ'(√q z)²], the larger relative difference: float.

    The module's own rule and pieces half as long. A large value (1e-6) means a kink that is not named or a function
    too steep for a numerical derivative. 0.0 for closed forms. Raises TypeError or ValueError as `q_star` does.
    """
    activation, length = as_activation(activation), np.array([real_number("q", q, above=0)])
    if activation.leak is not None:
        return 0.0
    key = _rule_key(activation, length, TERMS)
    # 0.23 shares no edge with the pieces in use
    finer = _pieces(40, 0.23, tuple(kink / math.sqrt(q) for kink in activation.kinks))
    used, checked = (_averages(activation, length, rule)[:2] for rule in (_rule_of(key), finer))
    return float(np.max(np.abs(np.divide(used, checked) - 1)))


# --- maps -------------------------------------------------------------------------------------------------


@withholdable
def length_map(q: Any, sigma_w: float, sigma_b: float, activation: Any) -> Any:
    """One step of the length map, σ_w² E[φ(√q z)²] + σ_b² (Poole et al. 2016): float, or an array like q.

    q: mean squares of pre-activations, finite and at least 0. Raises TypeError or ValueError that names the argument.
    """
    sigma_w, sigma_b, activation = _checked(sigma_w, sigma_b, activation)
    lengths = _checked_array("q", q, 0, math.inf)
    stepped = sigma_w**2 * _square(activation, lengths.ravel()) + sigma_b**2
    return _like(q, stepped.reshape(lengths.shape))


@withholdable
def lengths(depth: int, sigma_w: float, sigma_b: float, activation: Any, *, q_0: float = 1.0) -> np.ndarray:
    """The lengths q of hidden layers 1 … depth in an infinitely wide network: float64 [depth].

    q_0: the mean square of the input's entries; layer 1 has σ_w² q_0 + σ_b², every later one a step of the length
    map. Growth beyond float64 is inf. Raises TypeError or ValueError that names the argument.
    """
    sigma_w, sigma_b, activation = _checked(sigma_w, sigma_b, activation)
    depth, q = whole_number("depth", depth), real_number("q_0", q_0, least=0)
    path = [sigma_w**2 * q + sigma_b**2]
    while len(path) < depth:
        path.append(float(sigma_w**2 * _square(activation, np.array([path[-1]]))[0] + sigma_b**2))
    return np.array(path)


@withholdable
def correlation_map(c: Any, sigma_w: float, sigma_b: float, activation: Any, *, q: float | None = None) -> Any:
    """One step of the correlation map (σ_w² E[φ(u_1) φ(u_2)] + σ_b²)/q' (Poole et al. 2016): float, or like c.

    c: correlations in [−1, 1]. q: the length of both inputs before the step, q' after it; None: both are q*.
    ValueError where q is None and q* is 0 or not finite, or where q' is 0; TypeError or ValueError for bad arguments.
    """
    sigma_w, sigma_b, activation = _checked(sigma_w, sigma_b, activation)
    correlations = _checked_array("c", c, -1, 1)
    if q is None:
        q = q_star(sigma_w, sigma_b, activation)
        if not 0 < q < math.inf:
            raise ValueError(f"q is None and q* is {q}: wanted a length q, since there is no positive finite q*")
    q = real_number("q", q, least=0)
    product = _products(activation, q, correlations.ravel())
    square = float(_square(activation, np.array([q]))[0])
    after = sigma_w**2 * square + sigma_b**2
    if after == 0:
        raise ValueError(f"sigma_w is {sigma_w} and q is {q}: wanted a length after the step that is not 0")
    stepped = np.clip((sigma_w**2 * product + sigma_b**2) / after, -1, 1)
    return _like(c, stepped.reshape(correlations.shape))


@withholdable
def correlations(
    depth: int, sigma_w: float, sigma_b: float, activation: Any, *, c_0: float, q_0: float = 1.0
) -> np.ndarray:
    """The correlations of two inputs in hidden layers 1 … depth of an infinitely wide network: float64 [depth].

    c_0: the cosine of the angle between the inputs; q_0: the mean square of the entries of both. Lengths are followed
    from layer to layer, not taken to be q*. Raises TypeError or ValueError that names the argument.
    """
    path = lengths(depth, sigma_w, sigma_b, activation, q_0=q_0)
    c = float(_checked_array("c_0", real_number("c_0", c_0), -1, 1))
    if path[0] == 0:
        raise ValueError(f"q_0 is {q_0} with sigma_w {sigma_w} and sigma_b {sigma_b}: wanted a signal that is not 0")
    result = [(sigma_w**2 * q_0 * c + sigma_b**2) / path[0]]
    for q in path[:-1]:
        result.append(correlation_map(result[-1], sigma_w, sigma_b, activation, q=float(q)))
    return np.array(result)


def _square(activation: Activation, q: np.ndarray) -> np.ndarray:
    """E[φ(√q z)²], exact at q = 0."""
    return np.where(q > 0, _all_averages(activation, q).square, activation.function(np.zeros(1)) ** 2)


def _products(activation: Activation, q: float, c: np.ndarray) -> np.ndarray:
    """E[φ(u_1) φ(u_2)] for variances q and correlations c."""
    if activation.leak is not None:
        arc = (np.sqrt(1 - c * c) + c * (math.pi - np.arccos(c))) / (2 * math.pi)  # Cho & Saul 2009, degree 1
        return q * (activation.leak * c + (1 - activation.leak) ** 2 * arc)
    length = np.array([max(q, SMALLEST_Q)])
    key = _rule_key(activation, length, TERMS)
    series = _series(activation, length, _averages(activation, length, _rule_of(key)).slope_square, key, TERMS)
    rest = np.where(c < 0, series.rest_at_minus_1[0], series.rest[0]) * np.abs(c) ** series.degree[0]
    return np.polynomial.polynomial.polyval(c, series.squares[0]) + rest


# --- fixed points -----------------------------------------------------------------------------------------


class FixedPoints(NamedTuple):
    """Of cells (σ_w, σ_b): q*, the length map's slope there, χ_1, c* and the correlation map's slope there."""

    q: np.ndarray
    q_slope: np.ndarray
    chi_1: np.ndarray
    c: np.ndarray
    c_slope: np.ndarray


@withholdable
def q_star(sigma_w: float, sigma_b: float, activation: Any) -> float:
    """The length at which the length map comes to rest from a small start, its smallest stable fixed point: float.

    math.inf where lengths grow for ever, math.nan where every length is a fixed point.
    activation: a name, a function or an Activation. Poole et al. 2016.
    Raises TypeError or ValueError for an argument that is no number, negative, or not a known activation.
    """
    return float(_point(sigma_w, sigma_b, activation).q[0])


@withholdable
def c_star(sigma_w: float, sigma_b: float, activation: Any) -> float:
    """The stable fixed point of the correlation map in [0, 1]: float. Poole et al. 2016.

    1.0 where χ_1 ≤ 1. Elsewhere below 1. math.nan where q* is not finite, except for ReLU at its critical point.
    Raises TypeError or ValueError as `q_star` does.
    """
    return float(_point(sigma_w, sigma_b, activation).c[0])


@withholdable
def chi_1(sigma_w: float, sigma_b: float, activation: Any) -> float:
    """χ_1 = σ_w² E[φ'(√q* z)²], the slope of the correlation map at c = 1: float. Poole et al. 2016.

    The mean square of gradients is multiplied by it in each layer (Schoenholz et al. 2017). Where q* is infinite,
    its limit as q grows. Raises TypeError or ValueError as `q_star` does.
    """
    return float(_point(sigma_w, sigma_b, activation).chi_1[0])


@withholdable
def depth_scale(sigma_w: float, sigma_b: float, activation: Any) -> tuple[float, float]:
    """(ξ_q, ξ_c): in how many layers a deviation from q*, and from c*, falls to 1/e. Schoenholz et al. 2017.

    −1/log of the slope of the length map at q* and of the correlation map at c*. inf on the critical line (ξ_c; ξ_q
    only where its own slope is 1), 0.0 where one layer is enough, nan where there is no fixed point.
    Raises TypeError or ValueError as `q_star` does.
    """
    point = _point(sigma_w, sigma_b, activation)
    return float(_scale(point.q_slope)[0]), float(_scale(point.c_slope)[0])


@withholdable
def phase(sigma_w: float, sigma_b: float, activation: Any) -> str:
    """ "ordered" (χ_1 < 1), "chaotic" (χ_1 > 1) or "critical" (χ_1 within 1e-9 of 1).

    It speaks of gradients: with ReLU and σ_w² > 2 they explode, "chaotic", though correlations still tend to 1.
    Raises TypeError or ValueError as `q_star` does.
    """
    chi = chi_1(sigma_w, sigma_b, activation)
    if abs(chi - 1) <= CRITICAL:
        return "critical"
    return "ordered" if chi < 1 else "chaotic"


@withholdable
def critical_sigma_w(sigma_b: float, activation: Any) -> float:
    """The σ_w at which χ_1 = 1, the edge of chaos for this σ_b: float, the smallest where there are several.

    On that line q is a parameter: σ_w² = 1/E[φ'²] and σ_b² = q − E[φ²]/E[φ'²]. math.nan where no length q that is
    stable belongs to σ_b. ReLU: √2 for every σ_b. Raises TypeError or ValueError as `q_star` does.
    """
    _, sigma_b, activation = _checked(1.0, sigma_b, activation)
    if activation.leak is not None:
        return math.sqrt(2 / (1 + activation.leak**2))

    def excess(log_q: float) -> float:
        square, slope_square, _ = _all_averages(activation, np.exp([log_q]))
        return float(math.exp(log_q) - square[0] / slope_square[0]) - sigma_b**2

    table = _table(activation)
    with np.errstate(all="ignore"):
        values = table.q - table.averages.square / table.averages.slope_square - sigma_b**2
        values[np.abs(values) <= ROUNDING * table.q] = 0
    logs = [-math.inf] if values[0] >= 0 else []
    changes = np.flatnonzero(np.sign(values[:-1]) * np.sign(values[1:]) < 0)
    logs += [brentq(excess, *np.log(table.q[i : i + 2]), xtol=1e-14, rtol=1e-14) for i in changes]
    slopes = [_all_averages(activation, np.exp([log_q])).slope_square[0] for log_q in logs]
    candidates = sorted(1 / math.sqrt(slope) for slope in slopes if slope > 1e-20)  # 0 at q = 0, as for z²
    return next((s for s in candidates if abs(chi_1(s, sigma_b, activation) - 1) < 1e-6), math.nan)


@dataclass(frozen=True)
class PhaseDiagram:
    """Fixed points over a grid: arrays [len(sigma_b), len(sigma_w)]."""

    sigma_w: np.ndarray
    sigma_b: np.ndarray
    q_star: np.ndarray
    chi_1: np.ndarray
    c_star: np.ndarray
    xi_q: np.ndarray
    xi_c: np.ndarray


@withholdable
def phase_diagram(sigma_w: Any, sigma_b: Any, activation: Any) -> PhaseDiagram:
    """q*, χ_1, c*, ξ_q and ξ_c for every pair of sigma_w [n] and sigma_b [m], each as an array [m, n].

    As `q_star`, `chi_1`, `c_star` and `depth_scale`, with shorter series: c* and ξ_c to about 1e-6. Kinks away from 0
    make it slow, one cell at a time. Raises TypeError or ValueError that names the argument.
    """
    activation = as_activation(activation)
    axes = [
        np.atleast_1d(_checked_array(name, s, 0, math.inf)) for name, s in (("sigma_w", sigma_w), ("sigma_b", sigma_b))
    ]
    for name, axis in zip(("sigma_w", "sigma_b"), axes, strict=True):
        if axis.ndim != 1 or axis.size == 0:
            raise ValueError(f"{name} has shape {axis.shape}: wanted a list of numbers")
    grid_w, grid_b = np.meshgrid(*axes)
    points = _fixed_points(grid_w.ravel(), grid_b.ravel(), activation, GRID_TERMS)
    found = (points.q, points.chi_1, points.c, _scale(points.q_slope), _scale(points.c_slope))
    return PhaseDiagram(*axes, *(values.reshape(grid_w.shape) for values in found))


def _point(sigma_w: float, sigma_b: float, activation: Any) -> FixedPoints:
    sigma_w, sigma_b, activation = _checked(sigma_w, sigma_b, activation)
    return _fixed_points(np.array([sigma_w]), np.array([sigma_b]), activation, TERMS)


def _fixed_points(sigma_w: np.ndarray, sigma_b: np.ndarray, activation: Activation, terms: int) -> FixedPoints:
    gain, noise = sigma_w**2, sigma_b**2
    if activation.leak is not None:
        return _homogeneous(gain, noise, activation)
    q = _resting_lengths(gain, noise, activation, terms)
    known = np.isfinite(q)
    averages = Averages(*(np.full(len(q), math.nan) for _ in range(3)))
    for whole, part in zip(averages, _all_averages(activation, q[known], terms), strict=True):
        whole[known] = part
    chi, q_slope = gain * averages.slope_square, gain * averages.growth
    chi[~known] = gain[~known] * _slope_square_at_infinity(activation)
    c, c_slope = np.where(known, 1.0, math.nan), np.where(known, chi, math.nan)
    chaotic = np.flatnonzero(known & (chi > 1 + CRITICAL) & (q > 0))
    for places, key in _batches(activation, q[chaotic], terms):
        cells = chaotic[places]
        series = _series(activation, q[cells], averages.slope_square[cells], key, terms)
        c[cells], c_slope[cells] = _chaotic_correlation(series, gain[cells] / q[cells])
    return FixedPoints(q, q_slope, chi, c, c_slope)


def _slope_square_at_infinity(activation: Activation) -> float:
    """The limit of E[φ'(√q z)²] as q grows: its last value in the table, inf where it is still growing."""
    slope_square = _table(activation).averages.slope_square
    return math.inf if not slope_square[-1] < 2 * slope_square[-1 - 2 * Q_PER_DECADE] else float(slope_square[-1])


def _homogeneous(gain: np.ndarray, noise: np.ndarray, activation: Activation) -> FixedPoints:
    """Closed forms for max(x, leak·x): every average is a multiple of q."""
    slope = gain * (1 + activation.leak**2) / 2
    slope = np.where(np.abs(slope - 1) < 1e-14, 1.0, slope)  # √2² is not 2 in floating point
    with np.errstate(divide="ignore", invalid="ignore"):
        q = np.where(slope < 1, noise / (1 - slope), np.where((slope == 1) & (noise == 0), math.nan, math.inf))
    free = np.isnan(q) & (activation.leak != 1)  # any q, and the same correlation map for all
    settled = np.isfinite(q) | free
    at_rest = np.where(settled, slope, math.nan)
    return FixedPoints(q, at_rest, slope, np.where(settled, 1.0, math.nan), at_rest)


class Table(NamedTuple):
    q: np.ndarray
    averages: Averages


@lru_cache(maxsize=32)
def _table(activation: Activation) -> Table:
    """The averages over the whole range of q: everything that q* needs does not depend on the two σ."""
    decades = math.log10(LARGEST_Q / SMALLEST_Q)
    q = np.geomspace(SMALLEST_Q, LARGEST_Q, round(decades * Q_PER_DECADE) + 1)
    parts = [_all_averages(activation, part) for part in np.array_split(q, 42)]
    return Table(q, Averages(*map(np.concatenate, zip(*parts, strict=True))))


def _resting_lengths(gain: np.ndarray, noise: np.ndarray, activation: Activation, terms: int) -> np.ndarray:
    """q* by the first place in the table at which the length map stops growing, then Newton."""
    table = _table(activation)
    q = np.empty(len(gain))
    places = np.empty(len(gain), dtype=int)
    for start in range(0, len(q), CELLS_AT_ONCE):
        part = slice(start, start + CELLS_AT_ONCE)
        after = gain[part, None] * table.averages.square + noise[part, None]
        grows = ~(after <= table.q * (1 + ROUNDING))  # nan, from inf − inf, counts as growth
        places[part] = np.where(grows.all(1), len(table.q), (~grows).argmax(1))
    q[places == len(table.q)] = math.inf
    q[places == 0] = 0
    inside = (places > 0) & (places < len(table.q))
    q[inside] = _refined(gain[inside], noise[inside], places[inside], table, activation, terms)
    return q


def _refined(
    gain: np.ndarray, noise: np.ndarray, places: np.ndarray, table: Table, activation: Activation, terms: int
) -> np.ndarray:
    low, high = table.q[places - 1], table.q[places]
    q = _interpolated_root(gain, noise, places, table)
    active = np.arange(len(q))
    for _ in range(30):
        if not len(active):
            break
        here, g, n = q[active], gain[active], noise[active]
        averages = _all_averages(activation, here, terms)
        excess = g * averages.square + n - here
        with np.errstate(all="ignore"):
            step = here + excess / (1 - g * averages.growth)
        inside = (step >= low[active]) & (step <= high[active])
        # where Newton leaves the bracket (close to tangency), halve it
        low[active], high[active] = np.where(excess > 0, here, low[active]), np.where(excess > 0, high[active], here)
        q[active] = np.where(inside, step, np.sqrt(low[active] * high[active]))
        active = active[np.abs(q[active] / here - 1) > 1e-7]  # Newton squares it
    return q


def _interpolated_root(gain: np.ndarray, noise: np.ndarray, places: np.ndarray, table: Table) -> np.ndarray:
    """The root on the table's cubic interpolation in log q, by bisection: no averages to compute."""
    x = np.log(table.q)
    step = x[1] - x[0]
    square, rise = table.averages.square, table.averages.growth * table.q * step
    y_0, y_1, d_0, d_1 = square[places - 1], square[places], rise[places - 1], rise[places]
    low, high = np.zeros(len(gain)), np.ones(len(gain))
    for _ in range(24):
        t = (low + high) / 2
        cubic = y_0 + t * (d_0 + t * (3 * (y_1 - y_0) - 2 * d_0 - d_1 + t * (2 * (y_0 - y_1) + d_0 + d_1)))
        grows = gain * cubic + noise > np.exp(x[places - 1] + t * step)
        low, high = np.where(grows, t, low), np.where(grows, high, t)
    return np.exp(x[places - 1] + (low + high) / 2 * step)


def _chaotic_correlation(series: Series, scale: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """c* < 1 and the correlation map's slope there.

    (f(1) − f(c))/(1 − c) = Σ_j c^j Σ_{k>j} b_k, b_k the map's coefficients, is increasing and convex and 1 only at c*:
    dividing out the fixed point at 1 leaves a simple root, and Newton from 1 comes down to it without overshooting.
    """
    b = series.squares[:, 1:].T * scale
    sums = np.cumsum(b[::-1], axis=0)[::-1]
    rest, degree, k = scale * series.rest, series.degree, np.arange(1, len(b) + 1)[:, None]
    c, ranked = np.ones(len(scale)), k[:-1] * sums[1:]
    for _ in range(60):
        powers = _powers(c, len(b))
        rest_value, rest_slope = _rest_quotient(c, degree)
        value = np.einsum("kc,kc->c", sums, powers) + rest * rest_value
        slope = np.einsum("kc,kc->c", ranked, powers[:-1]) + rest * rest_slope
        step = (value - 1) / slope
        c = np.maximum(c - step, 0)
        if np.abs(step).max() < 1e-14:
            break
    return c, np.einsum("kc,kc->c", k * b, _powers(c, len(b))) + rest * degree * c ** (degree - 1)


def _powers(c: np.ndarray, n: int) -> np.ndarray:
    """[n, cells]: 1, c, c², …"""
    powers = np.ones((n, len(c)))
    powers[1:] = c
    return np.multiply.accumulate(powers, axis=0, out=powers)


def _rest_quotient(c: np.ndarray, degree: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(1 − c^m)/(1 − c) and its derivative; near c = 1 its expansion there."""
    gap = 1 - c
    near = gap * degree < 1e-4
    safe = np.where(near, 0.5, gap)
    power = (1 - safe) ** (degree - 1)
    value = (1 - power * (1 - safe)) / safe
    slope = (value - degree * power) / safe
    bend = degree * (degree - 1) / 2
    return np.where(near, degree - bend * gap, value), np.where(near, bend, slope)


def _scale(slope: np.ndarray) -> np.ndarray:
    """−1/log|slope|: inf within CRITICAL of 1, nan above."""
    size = np.abs(slope)
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = -1 / np.log(size)
    scale = np.where(size == 0, 0.0, scale)
    return np.where(np.abs(size - 1) <= CRITICAL, math.inf, np.where(size > 1, math.nan, scale))


# --- measured on real networks ----------------------------------------------------------------------------


def measured_lengths(
    width: int, depth: int, sigma_w: float, sigma_b: float, activation: Any, *, generator: torch.Generator,
    n_networks: int = 20, q_0: float = 1.0,
) -> list[Estimate]:  # fmt: skip
    """The mean square of the pre-activations of hidden layers 1 … depth, in random networks: one Estimate a layer.

    Mean over n_networks networks with `width` inputs and hidden units, with Student's 95 % interval (utils.statistics;
    the values are skewed in narrow or deep networks, so the interval is then too narrow). q_0 is the mean square of the
    input's entries, in a random direction. The theory's values are `lengths(depth, …)`; in float64.
    Raises TypeError or ValueError that names the argument.
    """
    networks = _networks(width, depth, sigma_w, sigma_b, activation, generator, n_networks)
    q_0 = real_number("q_0", q_0, least=0)
    rows = []
    for network in networks:
        inputs = _frame(1, width, generator) * math.sqrt(q_0)
        rows.append([float((z**2).mean()) for z in network(inputs)])
    return _estimates(rows)


@withholdable
def measured_correlations(
    width: int, depth: int, sigma_w: float, sigma_b: float, activation: Any, *, c_0: float,
    generator: torch.Generator, n_networks: int = 20, q_0: float = 1.0,
) -> list[Estimate]:  # fmt: skip
    """The cosine between the pre-activations of two inputs in hidden layers 1 … depth: one Estimate a layer.

    c_0: the cosine between the inputs, in [−1, 1]; the rest as in `measured_lengths`, width at least 2. The theory's
    values are `correlations(depth, …)`. Raises TypeError or ValueError that names the argument.
    """
    networks = _networks(width, depth, sigma_w, sigma_b, activation, generator, n_networks, least=2)
    c_0 = float(_checked_array("c_0", real_number("c_0", c_0), -1, 1))
    q_0 = real_number("q_0", q_0, above=0)
    rows = []
    for network in networks:
        frame = _frame(2, width, generator) * math.sqrt(q_0)
        inputs = np.stack([frame[0], c_0 * frame[0] + math.sqrt(1 - c_0**2) * frame[1]])
        rows.append([_cosine(*z) for z in network(inputs)])
    return _estimates(rows)


@withholdable
def measured_curve_lengths(
    width: int, depth: int, sigma_w: float, sigma_b: float, activation: Any, *, generator: torch.Generator,
    n_networks: int = 20, q_0: float = 1.0, n_points: int = 256,
) -> list[Estimate]:  # fmt: skip
    """The length of a circle's image in hidden layers 1 … depth, divided by √width: one Estimate a layer.

    The circle of inputs has radius √(width·q_0). The length is 2π times the mean size of the image's derivative at
    n_points angles, not that of a polygon, which misses what bends between its corners. At q* an infinitely wide
    network multiplies it by √χ_1 in each layer (Poole et al. 2016). The rest as in `measured_lengths`;
    width at least 2. Raises TypeError or ValueError that names the argument.
    """
    networks = _networks(width, depth, sigma_w, sigma_b, activation, generator, n_networks, least=2)
    q_0, n_points = real_number("q_0", q_0, above=0), whole_number("n_points", n_points)
    angles = np.arange(n_points)[:, None] * (2 * math.pi / n_points)
    rows = []
    for network in networks:
        one, other = _frame(2, width, generator) * math.sqrt(q_0)
        inputs, tangents = (
            np.cos(angles) * one + np.sin(angles) * other,
            np.cos(angles) * other - np.sin(angles) * one,
        )
        rows.append([2 * math.pi * float(np.sqrt((t**2).mean(1)).mean()) for t in network.tangents(inputs, tangents)])
    return _estimates(rows)


@withholdable
def measured_lyapunov(
    width: int, depth: int, sigma_w: float, sigma_b: float, activation: Any, *, generator: torch.Generator,
    n_networks: int = 20, q_0: float = 1.0, skip: int = 0, distance: float = 1e-6,
) -> Estimate:  # fmt: skip
    """The mean logarithm of the factor by which one layer stretches the gap between two nearby inputs: an Estimate.

    Over the steps from hidden layer skip + 1 to layer depth, and over n_networks networks. After each layer the gap is
    set back to `distance` times the signal (Benettin et al. 1980), so it stays small however long the network. Theory,
    at q*: log(χ_1)/2; skip what lies before q* is reached. width at least 2, depth at least skip + 2.
    Raises TypeError or ValueError that names the argument.
    """
    networks = _networks(width, depth, sigma_w, sigma_b, activation, generator, n_networks, least=2)
    skip = whole_number("skip", skip, least=0)
    if depth < skip + 2:
        raise ValueError(f"depth is {depth}: wanted at least skip + 2, which is {skip + 2}")
    q_0, distance = real_number("q_0", q_0, above=0), real_number("distance", distance, above=0)
    values = []
    for network in networks:
        one, other = _frame(2, width, generator) * math.sqrt(q_0)
        values.append(float(np.mean(network.stretches(one, other, distance)[skip:])))
    return _estimates([[value] for value in values])[0]


class _Network:
    """A random network as its hidden layers' pre-activations, in float64."""

    def __init__(self, model: Any, activation: Activation):
        layers = [layer for layer in model if hasattr(layer, "weight")][:-1]
        self.layers = [
            (layer.weight.detach().double().numpy(), layer.bias.detach().double().numpy()) for layer in layers
        ]
        self.activation = activation

    def __call__(self, inputs: np.ndarray) -> Iterator[np.ndarray]:
        """The pre-activations [n, width] of one hidden layer after the other."""
        x = inputs
        for weight, bias in self.layers:
            z = x @ weight.T + bias
            yield z
            x = self.activation.function(z)

    def tangents(self, inputs: np.ndarray, tangents: np.ndarray) -> Iterator[np.ndarray]:
        """The derivatives of the pre-activations along tangents, layer by layer."""
        t = tangents
        for (weight, _), z in zip(self.layers, self(inputs), strict=True):
            t = t @ weight.T
            yield t
            t = self.activation.slope(z) * t

    def stretches(self, x: np.ndarray, direction: np.ndarray, distance: float) -> list[float]:
        """The logarithm of |gap after| / |gap before|, from each hidden layer to the next."""
        pair = np.stack([x, x + distance * direction])
        result = []
        for i, (weight, bias) in enumerate(self.layers):
            z = pair @ weight.T + bias
            gap = z[1] - z[0]
            size = np.linalg.norm(gap)
            if size == 0:
                raise ValueError("distance is too small: the two inputs became one; wanted a larger distance")
            if i:
                result.append(float(np.log(size / before)))  # noqa: F821 (set by the layer before)
            before = distance * np.linalg.norm(z[0])
            pair = self.activation.function(np.stack([z[0], z[0] + gap * (before / size)]))
        return result


def _networks(
    width: int, depth: int, sigma_w: float, sigma_b: float, activation: Any, generator: torch.Generator,
    n_networks: int, least: int = 1,
) -> Iterator[_Network]:  # fmt: skip
    """Checks at once; draws one network after the other."""
    sigma_w, sigma_b, known = _checked(sigma_w, sigma_b, activation)
    width, depth = whole_number("width", width, least), whole_number("depth", depth)
    n_networks = whole_number("n_networks", n_networks)
    random_generator("generator", generator)
    from utils.models import mlp

    def draw() -> Iterator[_Network]:
        for _ in range(n_networks):
            # the activation's averages and its networks use one function; mlp gives the weights and biases
            model = mlp(
                [width] * (depth + 1) + [1], "identity", init=("normal", sigma_w), bias_std=sigma_b, generator=generator
            )
            yield _Network(model, known)

    return draw()


def _frame(n: int, width: int, generator: torch.Generator) -> np.ndarray:
    """[n, width]: random orthogonal rows whose entries have mean square 1."""
    import torch

    drawn = torch.randn(width, n, generator=generator, dtype=torch.float64, device=generator.device).cpu().numpy()
    return np.linalg.qr(drawn)[0].T * math.sqrt(width)


def _cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / math.sqrt((a @ a) * (b @ b)))


def _estimates(rows: list[list[float]]) -> list[Estimate]:
    from utils.statistics import mean

    return [mean(column) for column in zip(*rows, strict=True)]


# --- checks -----------------------------------------------------------------------------------------------


def _checked(sigma_w: Any, sigma_b: Any, activation: Any) -> tuple[float, float, Activation]:
    w, b = real_number("sigma_w", sigma_w, least=0), real_number("sigma_b", sigma_b, least=0)
    return w, b, as_activation(activation)


def _checked_array(name: str, values: Any, low: float, high: float) -> np.ndarray:
    wanted = f"finite numbers in [{low:g}, {high:g}]"
    if isinstance(values, str | bool) or values is None:
        raise TypeError(f"{name} is {values!r}: wanted {wanted}")
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError, RuntimeError):
        raise TypeError(f"{name} is {values!r}: wanted {wanted}") from None
    bad = array[~(np.isfinite(array) & (array >= low) & (array <= high))]
    if bad.size:
        raise ValueError(f"{name} holds {bad[0]}: wanted {wanted}")
    return array


def _like(given: Any, result: np.ndarray) -> Any:
    return result if np.ndim(given) else float(result)
