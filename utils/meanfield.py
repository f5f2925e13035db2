"""Signals in infinitely wide random networks: lengths, correlations, their fixed points, order and chaos.

Weights N(0, σ_w²/n_in), biases N(0, σ_b²) (Poole et al. 2016; Schoenholz et al. 2017). With z standard normal, the
mean square q of a layer's pre-activations follows the length map q → σ_w² E[φ(√q z)²] + σ_b². At its fixed point q*
the correlation c of two inputs follows f(c) = (σ_w² E[φ(u_1) φ(u_2)] + σ_b²)/q*, u_1 and u_2 normal with variance
q* and correlation c. In normalised Hermite polynomials h_k, with a_k = E[φ(√q z) h_k(z)], E[φ(u_1) φ(u_2)] = Σ a_k²
c^k (Daniely et al. 2016): no coefficient is negative, and for a φ that is no straight line one with k > 1 is positive,
so f is strictly convex on [0, 1] with f(1) = 1. Hence either χ_1 = f'(1) ≤ 1 and c* = 1, or χ_1 > 1 and exactly one
other fixed point, the stable one, lies below 1.

How integrals are done. One rule for all: Gauss–Legendre on pieces that get shorter towards 0, where activations bend;
the series above ends at degree 255. Errors, as tested, for smooth activations and q up to 30: 1e-9 relative, for
c* and ξ magnified by 1/|χ_1 − 1| near the critical line; but near c = 1, where the series' end shows, tanh's map is
off by 2e-8 at q = 13 and by 2e-6 at 30. A kink at 0 makes the correlation map wrong by up to 5e-5 (not ReLU's nor leaky
ReLU's, which have a closed form, Cho & Saul 2009), one elsewhere all averages by about 1e-2.

Where no fixed point exists. q* is the limit of the length map from a q just above 0: the smallest stable fixed
point. It is math.inf where lengths grow for ever (beyond 1e10 counts as that): ReLU with σ_w² > 2, or σ_w² = 2 and
σ_b > 0. It is math.nan where every q is a fixed point (ReLU with σ_w² = 2 and σ_b = 0). Lengths never oscillate: d
log E[φ²]/d log q is an average of (z² − 1)/2, so at least −1/2. Where q* is infinite, χ_1 is still the limit of σ_w²
E[φ'(√q z)²] as q grows (ReLU: σ_w²/2), and so is the phase; c* and ξ are nan. Where every q is a fixed point, χ_1, c*
and ξ are those at q = 1. Where q* = 0, c* = 1 is the limit of small σ_b.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import erf, expit, ndtr

from utils.checks import random_generator, real_number, whole_number
from utils.kernels import relu_moments
from utils.withholding import withholdable

if TYPE_CHECKING:
    import torch

    from utils.statistics import Estimate

CRITICAL = 1e-9  # |χ_1 − 1| up to this is called critical, and its depth scale infinite
SMALLEST_Q, LARGEST_Q, Q_PER_DECADE = 1e-30, 1e10, 16
ROUNDING = 2e-14  # of the length map: a relative growth below this is none
TERMS = 255  # of the Hermite series; odd, so that what is left of an odd function's is odd
REACH = 12.0  # standard deviations: what lies beyond adds less than 1e-16, also to the highest coefficient used
STEP = 1e-4  # of numerical derivatives, whose error is its square
DISTANCE = 1e-6  # of two nearby inputs, as a share of the signal


# --- activations ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Activation:
    """An activation to average over: the function and its derivative, of NumPy arrays of float64.

    Without a derivative it is taken numerically from the side away from 0, to about 1e-8: a function that varies on a
    scale much smaller than 1 needs its own.
    """

    function: Callable[[np.ndarray], np.ndarray]
    derivative: Callable[[np.ndarray], np.ndarray] | None = None

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise TypeError(f"function is {self.function!r}: wanted a function of an array")
        if self.derivative is not None and not callable(self.derivative):
            raise TypeError(f"derivative is {self.derivative!r}: wanted a function of an array, or None")

    def slope(self, u: np.ndarray) -> np.ndarray:
        """Return the derivative at u."""
        if self.derivative is not None:
            return self.derivative(u)
        step = np.where(u >= 0, STEP, -STEP)
        return (4 * self.function(u + step) - 3 * self.function(u) - self.function(u + 2 * step)) / (2 * step)


def _leaky(leak: float) -> Activation:
    return Activation(lambda u: np.where(u > 0, u, leak * u), lambda u: np.where(u > 0, 1.0, leak))


def _normal_density(u: np.ndarray) -> np.ndarray:
    return np.exp(-u * u / 2) / math.sqrt(2 * math.pi)


ACTIVATIONS: dict[str, Activation] = {
    "tanh": Activation(np.tanh, lambda u: 1 - np.tanh(u) ** 2),
    "relu": _leaky(0.0),
    "erf": Activation(erf, lambda u: 2 / math.sqrt(math.pi) * np.exp(-u * u)),
    "gelu": Activation(lambda u: u * ndtr(u), lambda u: ndtr(u) + u * _normal_density(u)),
    "leaky_relu": _leaky(0.01),
    "sigmoid": Activation(expit, lambda u: expit(u) * expit(-u)),
    "swish": Activation(lambda u: u * expit(u), lambda u: expit(u) * (1 + u * expit(-u))),
    "identity": _leaky(1.0),
    "square": Activation(np.square, lambda u: 2 * u),
}


def as_activation(activation: Any) -> Activation:
    """Return the Activation that a name, a function of arrays, or an Activation stands for.

    Raises ValueError for an unknown name, TypeError for anything else, ValueError where a function's values have
    another shape or are not finite.
    """
    if isinstance(activation, str):
        if activation not in ACTIVATIONS:
            raise ValueError(
                f"activation is {activation!r}: wanted one of {', '.join(map(repr, ACTIVATIONS))}, or a function"
            )
        return ACTIVATIONS[activation]
    if not callable(activation) and not isinstance(activation, Activation):
        raise TypeError(f"activation is {activation!r}: wanted a name, a function or an Activation")
    return _tried(activation)


@lru_cache(maxsize=32)
def _tried(activation: Any) -> Activation:
    """Return the Activation; the same one for the same function, so that its table is computed once."""
    known = activation if isinstance(activation, Activation) else Activation(activation)
    points = np.linspace(-3.1, 3.1, 8)
    for name, function in (("activation", known.function), ("its derivative", known.slope)):
        values = np.asarray(function(points), dtype=float)
        if values.shape != points.shape or not np.isfinite(values).all():
            raise ValueError(f"{name} makes {values!r} of {points!r}: wanted as many finite numbers")
    return known


# --- averages ---------------------------------------------------------------------------------------------


def _rule() -> tuple[np.ndarray, np.ndarray]:
    """Return nodes and weights for averages over a standard normal variable.

    Gauss–Legendre with 16 nodes on pieces that end at 0, ±4⁻¹⁰, ±4⁻⁹, …, ±1, ±2, …, ±REACH.
    """
    right = np.concatenate([[0.0], 0.25 ** np.arange(10, 0, -1), np.arange(1, REACH + 1)])
    edges = np.concatenate([-right[:0:-1], right])
    x, w = np.polynomial.legendre.leggauss(16)
    half = np.diff(edges)[:, None] / 2
    nodes = (edges[:-1, None] + half * (1 + x)).ravel()
    return nodes, (half * w).ravel() * _normal_density(nodes)


NODES, WEIGHTS = _rule()


@cache
def _hermite() -> np.ndarray:
    """Return [nodes, TERMS + 1]: weight times the normalised Hermite polynomial of each degree."""
    basis = np.empty((TERMS + 1, len(NODES)))
    basis[0], basis[1] = WEIGHTS, WEIGHTS * NODES
    for k in range(1, TERMS):
        basis[k + 1] = (NODES * basis[k] - math.sqrt(k) * basis[k - 1]) / math.sqrt(k + 1)
    return basis.T


class Averages(NamedTuple):
    """E[φ²], E[φ'²] and the derivative of E[φ²] by q, each at √q z."""

    square: np.ndarray
    slope_square: np.ndarray
    growth: np.ndarray


@withholdable
def _averages(activation: Activation, q: np.ndarray) -> Averages:
    root = np.sqrt(np.maximum(q, SMALLEST_Q))  # at 0 the limit from above
    with np.errstate(all="ignore"):  # what overflows is a length that grows for ever
        u = root[:, None] * NODES
        value, slope = activation.function(u), activation.slope(u)
        growth = (value * slope) @ (WEIGHTS * NODES) / root
        return Averages((value * value) @ WEIGHTS, (slope * slope) @ WEIGHTS, growth)


@withholdable
def _square(activation: Activation, q: np.ndarray) -> np.ndarray:
    """Return E[φ(√q z)²]."""
    with np.errstate(all="ignore"):
        return activation.function(np.sqrt(q)[:, None] * NODES) ** 2 @ WEIGHTS


def _series(activation: Activation, q: np.ndarray) -> np.ndarray:
    """Return [cells, TERMS + 1]: the coefficients b_k of E[φ(u_1) φ(u_2)] = Σ b_k c^k at lengths q [cells].

    The last one has all that is left, so that the sum is E[φ²].
    """
    squares = (activation.function(np.sqrt(q)[:, None] * NODES) @ _hermite()) ** 2
    squares[:, -1] = np.maximum(_square(activation, q) - squares[:, :-1].sum(1), 0)
    return squares


# --- maps -------------------------------------------------------------------------------------------------


@withholdable
def length_map(q: Any, sigma_w: float, sigma_b: float, activation: Any) -> Any:
    """Return one step of the length map, σ_w² E[φ(√q z)²] + σ_b² (Poole et al. 2016): float, or an array like q.

    q: mean squares of pre-activations, finite and at least 0. Raises TypeError or ValueError that names the argument.
    """
    sigma_w, sigma_b, activation = _checked(sigma_w, sigma_b, activation)
    before = _checked_array("q", q, 0, math.inf)
    after = sigma_w**2 * _square(activation, before.ravel()) + sigma_b**2
    return _like(q, after.reshape(before.shape))


@withholdable
def lengths(depth: int, sigma_w: float, sigma_b: float, activation: Any, *, q_0: float = 1.0) -> np.ndarray:
    """Return the lengths q of hidden layers 1 … depth in an infinitely wide network: float64 [depth].

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
    """Return one step of the correlation map (σ_w² E[φ(u_1) φ(u_2)] + σ_b²)/q' (Poole et al. 2016): float, or like c.

    c: correlations in [−1, 1]. q: the length of both inputs before the step, q' after it; None: both are q*.
    ValueError where q is None and q* is 0 or not finite, or where q' is 0; TypeError or ValueError for bad arguments.
    """
    sigma_w, sigma_b, activation = _checked(sigma_w, sigma_b, activation)
    before = _checked_array("c", c, -1, 1)
    if q is None:
        q = q_star(sigma_w, sigma_b, activation)
        if not 0 < q < math.inf:
            raise ValueError(f"q is None and q* is {q}: wanted a length q, since there is no positive finite q*")
    q = real_number("q", q, least=0)
    products, square = (_products(activation, q, at) for at in (before, np.ones(1)))
    after = sigma_w**2 * float(square[0]) + sigma_b**2
    if after == 0:
        raise ValueError(f"sigma_w is {sigma_w} and q is {q}: wanted a length after the step that is not 0")
    return _like(c, np.clip((sigma_w**2 * products + sigma_b**2) / after, -1, 1))


def _products(activation: Activation, q: float, c: np.ndarray) -> np.ndarray:
    """Return E[φ(u_1) φ(u_2)] for variances q and correlations c, like c."""
    leak = {ACTIVATIONS["relu"]: 0.0, ACTIVATIONS["leaky_relu"]: 0.01}.get(activation)
    if leak is None:
        return np.polynomial.polynomial.polyval(c, _series(activation, np.array([q]))[0])
    return q * (leak * c + (1 - leak) ** 2 * relu_moments(c)[0] / 2)


@withholdable
def correlations(
    depth: int, sigma_w: float, sigma_b: float, activation: Any, *, c_0: float, q_0: float = 1.0
) -> np.ndarray:
    """Return the correlations of two inputs in hidden layers 1 … depth of an infinitely wide network: float64 [depth].

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


# --- fixed points -----------------------------------------------------------------------------------------


@withholdable
def q_star(sigma_w: float, sigma_b: float, activation: Any) -> float:
    """Return the length at which the length map comes to rest from a small start, its smallest stable fixed point.

    math.inf where lengths grow for ever, math.nan where every length is a fixed point.
    activation: a name, a function or an Activation. Poole et al. 2016.
    Raises TypeError or ValueError for an argument that is no number, negative, or not a known activation.
    """
    return _cell(sigma_w, sigma_b, activation).q


@withholdable
def c_star(sigma_w: float, sigma_b: float, activation: Any) -> float:
    """Return the stable fixed point of the correlation map in [0, 1]. Poole et al. 2016.

    1.0 where χ_1 ≤ 1. Elsewhere below 1. math.nan where q* is infinite. Raises TypeError or ValueError as `q_star`
    does.
    """
    return _correlation_at_rest(sigma_w, sigma_b, activation)[0]


@withholdable
def chi_1(sigma_w: float, sigma_b: float, activation: Any) -> float:
    """Return χ_1 = σ_w² E[φ'(√q* z)²], the slope of the correlation map at c = 1. Poole et al. 2016.

    The mean square of gradients is multiplied by it in each layer (Schoenholz et al. 2017). Where q* is infinite,
    its limit as q grows. Raises TypeError or ValueError as `q_star` does.
    """
    return _cell(sigma_w, sigma_b, activation).chi_1


@withholdable
def depth_scale(sigma_w: float, sigma_b: float, activation: Any) -> tuple[float, float]:
    """Return (ξ_q, ξ_c): in how many layers a deviation from q*, and from c*, falls to 1/e. Schoenholz et al. 2017.

    −1/log of the slope of the length map at q* and of the correlation map at c*. inf on the critical line (ξ_c; ξ_q
    only where its own slope is 1), 0.0 where one layer is enough, nan where there is no fixed point.
    Raises TypeError or ValueError as `q_star` does.
    """
    _, c_slope = _correlation_at_rest(sigma_w, sigma_b, activation)
    return _scale(_cell(sigma_w, sigma_b, activation).q_slope), _scale(c_slope)


@withholdable
def phase(sigma_w: float, sigma_b: float, activation: Any) -> str:
    """Return "ordered" (χ_1 < 1), "chaotic" (χ_1 > 1) or "critical" (χ_1 within 1e-9 of 1).

    It speaks of gradients: with ReLU and σ_w² > 2 they explode, "chaotic", though correlations still tend to 1.
    Raises TypeError or ValueError as `q_star` does.
    """
    chi = chi_1(sigma_w, sigma_b, activation)
    if abs(chi - 1) <= CRITICAL:
        return "critical"
    return "ordered" if chi < 1 else "chaotic"


@withholdable
def critical_sigma_w(sigma_b: float, activation: Any) -> float:
    """Return the σ_w at which χ_1 = 1, the edge of chaos for this σ_b; math.nan where χ_1 jumps past 1.

    On that line q is a parameter: σ_w² = 1/E[φ'²] and σ_b² = q − E[φ²]/E[φ'²]. ReLU: √2 for every σ_b.
    Raises TypeError or ValueError as `q_star` does.
    """
    _, sigma_b, activation = _checked(1.0, sigma_b, activation)
    table_q, table = _table(activation)
    if np.allclose(table.slope_square, table.slope_square[0], rtol=1e-9):  # as ReLU's
        return 1 / math.sqrt(table.slope_square[0])

    def is_beyond(q: np.ndarray, averages: Averages) -> np.ndarray:
        with np.errstate(all="ignore"):
            return q - averages.square / averages.slope_square - sigma_b**2 >= -ROUNDING * q

    beyond = is_beyond(table_q, table)
    if not beyond.any():
        return math.nan
    first = int(beyond.argmax())
    low, high = np.log(table_q[[max(first - 1, 0), first]])
    for _ in range(40):
        middle = (low + high) / 2
        q = np.exp([middle])
        low, high = (low, middle) if is_beyond(q, _averages(activation, q))[0] else (middle, high)
    slope_square = _averages(activation, np.exp([high])).slope_square[0]
    if slope_square < 1e-20:  # 0 at q = 0, as for z²
        return math.nan
    sigma_w = 1 / math.sqrt(slope_square)
    return sigma_w if abs(chi_1(sigma_w, sigma_b, activation) - 1) < 1e-6 else math.nan


@dataclass(frozen=True)
class PhaseDiagram:
    """q* and χ_1 over a grid: arrays [len(sigma_b), len(sigma_w)]."""

    sigma_w: np.ndarray
    sigma_b: np.ndarray
    q_star: np.ndarray
    chi_1: np.ndarray


@withholdable
def phase_diagram(sigma_w: Any, sigma_b: Any, activation: Any) -> PhaseDiagram:
    """Return q* and χ_1 for every pair of sigma_w [n] and sigma_b [m], each as an array [m, n].

    As `q_star` and `chi_1`. Raises TypeError or ValueError that names the argument.
    """
    activation = as_activation(activation)
    across, up = (
        np.atleast_1d(_checked_array(name, s, 0, math.inf)) for name, s in (("sigma_w", sigma_w), ("sigma_b", sigma_b))
    )
    for name, axis in (("sigma_w", across), ("sigma_b", up)):
        if axis.ndim != 1 or axis.size == 0:
            raise ValueError(f"{name} has shape {axis.shape}: wanted a list of numbers")
    gain = across**2
    rows = [_lengths_at_rest(gain, np.full(len(gain), sigma**2), activation) for sigma in up]
    return PhaseDiagram(across, up, np.array([row.q for row in rows]), np.array([row.chi_1 for row in rows]))


class LengthsAtRest(NamedTuple):
    """q*, the length map's slope there, and χ_1: of cells (σ_w, σ_b) as arrays, of one of them as numbers."""

    q: np.ndarray | float
    q_slope: np.ndarray | float
    chi_1: np.ndarray | float


@withholdable
def _cell(sigma_w: Any, sigma_b: Any, activation: Any) -> LengthsAtRest:
    """Return what holds in one cell (σ_w, σ_b)."""
    sigma_w, sigma_b, activation = _checked(sigma_w, sigma_b, activation)
    found = _lengths_at_rest(np.array([sigma_w**2]), np.array([sigma_b**2]), activation)
    return LengthsAtRest(*(float(values[0]) for values in found))


@withholdable
def _lengths_at_rest(gain: np.ndarray, noise: np.ndarray, activation: Activation) -> LengthsAtRest:
    """Return the fixed points, each at the first place in the table at which the length map stops growing."""
    table_q, table = _table(activation)
    with np.errstate(invalid="ignore"):
        growth = (gain[:, None] * table.square + noise[:, None]) / table_q - 1
    rests = growth <= ROUNDING  # not where it is nan, from inf − inf
    place = rests.argmax(1)
    bounded, anywhere = rests.any(1), (np.abs(growth) <= ROUNDING).all(1)
    q = np.where(bounded, 0.0, math.inf)
    between = bounded & (place > 0)
    ends = table_q[place[between] - 1], table_q[place[between]]
    q[between] = _refined(gain[between], noise[between], *ends, activation)
    averages = _averages(activation, np.where(anywhere, 1.0, np.where(bounded, q, LARGEST_Q)))
    late, before = table.slope_square[-1], table.slope_square[-1 - 2 * Q_PER_DECADE]
    limit = late if late < 2 * before else math.inf  # inf where it is still growing
    return LengthsAtRest(
        q=np.where(anywhere, math.nan, q),
        q_slope=np.where(bounded, gain * averages.growth, math.nan),
        chi_1=gain * np.where(bounded, averages.slope_square, limit),
    )


@lru_cache(maxsize=32)
def _table(activation: Activation) -> tuple[np.ndarray, Averages]:
    """Return lengths over the whole range, and the averages there, which do not depend on the two σ."""
    q = np.geomspace(SMALLEST_Q, LARGEST_Q, round(math.log10(LARGEST_Q / SMALLEST_Q)) * Q_PER_DECADE + 1)
    return q, _averages(activation, q)


def _refined(
    gain: np.ndarray, noise: np.ndarray, low: np.ndarray, high: np.ndarray, activation: Activation
) -> np.ndarray:
    """Return the lengths between low and high that the length map keeps, by Newton's method."""
    q = high
    for _ in range(60):
        averages, before = _averages(activation, q), q
        excess = gain * averages.square + noise - q
        low, high = np.where(excess > 0, q, low), np.where(excess > 0, high, q)
        with np.errstate(all="ignore"):
            q = q + excess / (1 - gain * averages.growth)
        q = np.where((q >= low) & (q <= high), q, np.sqrt(low * high))  # close to tangency Newton may leave
        if (np.abs(q - before) <= 1e-9 * q).all():  # Newton squares it
            break
    return q


def _correlation_at_rest(sigma_w: float, sigma_b: float, activation: Any) -> tuple[float, float]:
    """Return c* and the correlation map's slope there.

    The map f is convex on [0, 1]: where f'(1) > 1, Newton's method from 0 comes up to c* without overshooting.
    """
    q, _, chi = _cell(sigma_w, sigma_b, activation)
    if math.isinf(q):
        return math.nan, math.nan
    if chi <= 1 + CRITICAL or q == 0:
        return 1.0, chi
    series = sigma_w**2 * _series(as_activation(activation), np.array([q]))[0] / q
    series[0] += 1 - series.sum()  # f(1) = 1, so this is σ_b²/q*
    k, c = np.arange(1, TERMS + 1), 0.0
    for _ in range(60):
        powers = c ** np.arange(TERMS + 1)
        slope = float(k * series[1:] @ powers[:-1])
        step = float(series @ powers - c) / (1 - slope)
        c = min(max(c + step, 0.0), 1.0)
        if abs(step) < 1e-13:
            break
    return round(c, 12), slope


def _scale(slope: float) -> float:
    """Return −1/log|slope|: inf within CRITICAL of 1, nan above."""
    size = abs(slope)
    if abs(size - 1) <= CRITICAL:
        return math.inf
    if size == 0:
        return 0.0
    return -1 / math.log(size) if size < 1 else math.nan


# --- measured on real networks ----------------------------------------------------------------------------


@withholdable
def measured_curve_lengths(
    width: int,
    depth: int,
    sigma_w: float,
    sigma_b: float,
    activation: Any,
    *,
    generator: torch.Generator,
    n_networks: int = 20,
    n_points: int = 256,
) -> list[Estimate]:
    """Return the length of a circle's image in hidden layers 1 … depth, divided by √width: [depth] Estimates.

    The circle of inputs has radius √width. The length is 2π times the mean size of the image's derivative at
    n_points angles, not that of a polygon, which misses what bends between its corners. At q* an infinitely wide
    network multiplies it by √χ_1 in each layer (Poole et al. 2016). Mean over n_networks networks with `width` inputs
    and hidden units, at least 2, in float64, with Student's 95 % interval (utils.statistics; the values are skewed in
    narrow or deep networks, so the interval is then too narrow). Raises TypeError or ValueError that names the
    argument.
    """
    networks = _networks(width, depth, sigma_w, sigma_b, activation, generator, n_networks, least=2)
    n_points = whole_number("n_points", n_points)
    angles = np.arange(n_points)[:, None] * (2 * math.pi / n_points)
    rows = []
    for network in networks:
        one, other = _frame(2, width, generator)
        inputs, tangents = (
            np.cos(angles) * one + np.sin(angles) * other,
            np.cos(angles) * other - np.sin(angles) * one,
        )
        rows.append([2 * math.pi * float(np.sqrt((t**2).mean(1)).mean()) for t in network.tangents(inputs, tangents)])
    return _estimates(rows)


@withholdable
def measured_lyapunov(
    width: int,
    depth: int,
    sigma_w: float,
    sigma_b: float,
    activation: Any,
    *,
    generator: torch.Generator,
    n_networks: int = 20,
    skip: int = 0,
) -> Estimate:
    """Return the mean logarithm of the factor by which one layer stretches the gap between two nearby inputs.

    Over the steps from hidden layer skip + 1 to layer depth, and over n_networks networks. After each layer the gap is
    set back to a millionth of the signal (Benettin et al. 1980), so it stays small however long the network. Theory,
    at q*: log(χ_1)/2; skip what lies before q* is reached. width at least 2, depth at least skip + 2.
    Raises TypeError or ValueError that names the argument, ValueError where a layer makes the two inputs one.
    """
    networks = _networks(width, depth, sigma_w, sigma_b, activation, generator, n_networks, least=2)
    skip = whole_number("skip", skip, least=0)
    if depth < skip + 2:
        raise ValueError(f"depth is {depth}: wanted at least skip + 2, which is {skip + 2}")
    values = []
    for network in networks:
        one, other = _frame(2, width, generator)
        values.append(float(np.mean(network.stretches(one, other)[skip:])))
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
        """Yield the pre-activations [n, width] of one hidden layer after the other."""
        x = inputs
        for weight, bias in self.layers:
            z = x @ weight.T + bias
            yield z
            x = self.activation.function(z)

    def tangents(self, inputs: np.ndarray, tangents: np.ndarray) -> Iterator[np.ndarray]:
        """Yield the derivatives of the pre-activations along tangents, layer by layer."""
        t = tangents
        for (weight, _), z in zip(self.layers, self(inputs), strict=True):
            t = t @ weight.T
            yield t
            t = self.activation.slope(z) * t

    def stretches(self, x: np.ndarray, direction: np.ndarray) -> list[float]:
        """Return the logarithm of |gap after| / |gap before|, from each hidden layer to the next."""
        (weight, bias), *others = self.layers
        z = np.stack([x, x + DISTANCE * direction]) @ weight.T + bias
        result = []
        for weight, bias in others:
            before = DISTANCE * np.linalg.norm(z[0])
            near = z[0] + (z[1] - z[0]) * (before / np.linalg.norm(z[1] - z[0]))
            z = self.activation.function(np.stack([z[0], near])) @ weight.T + bias
            if (z[0] == z[1]).all():
                raise ValueError("the two inputs became one: wanted a wider network, or a larger sigma_w")
            result.append(float(np.log(np.linalg.norm(z[1] - z[0]) / before)))
        return result


def _networks(
    width: int,
    depth: int,
    sigma_w: float,
    sigma_b: float,
    activation: Any,
    generator: torch.Generator,
    n_networks: int,
    least: int = 1,
) -> Iterator[_Network]:
    """Return an iterator that draws one network after the other; the checks are done at once."""
    sigma_w, sigma_b, known = _checked(sigma_w, sigma_b, activation)
    width, depth = whole_number("width", width, least), whole_number("depth", depth)
    n_networks = whole_number("n_networks", n_networks)
    random_generator("generator", generator)
    from utils.models import mlp

    def draw() -> Iterator[_Network]:
        for _ in range(n_networks):
            # for weights and biases alone: the activation is the function that the theory averages over
            model = mlp(
                [width] * (depth + 1) + [1], "identity", init=("normal", sigma_w), bias_std=sigma_b, generator=generator
            )
            yield _Network(model, known)

    return draw()


def _frame(n: int, width: int, generator: torch.Generator) -> np.ndarray:
    """Return [n, width], random orthogonal rows whose entries have mean square 1."""
    import torch

    drawn = torch.randn(width, n, generator=generator, dtype=torch.float64, device=generator.device).cpu().numpy()
    return np.linalg.qr(drawn)[0].T * math.sqrt(width)


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
