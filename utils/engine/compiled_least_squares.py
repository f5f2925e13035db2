"""Compiled Levenberg-Marquardt steps for plain multilayer perceptrons: one restart per call.

Layout: the numbers of one unit, and one parameter's derivatives, lie next to each other, row of data after
row of data, so that one instruction works on several rows. Rows are taken in tiles that stay in the cache;
nothing but the tile's Jacobian is ever stored. Every sum has one order, fixed by the shapes alone, so a
restart's bits do not depend on its company or on the number of threads.

Everything that is compiled is in this one file: Numba looks at no other when it decides whether its copy on
disk is still valid.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from utils.engine.compiled_mlp import GELU, IDENTITY, SIGMOID, SILU, SQUARE, TANH

RUNNING, REACHED, CONVERGED, DIVERGED = range(4)

BLOCK = 4  # parameters of the Gram matrix worked on at a time, in both directions
SMALLEST_DAMPING = 1e-15  # relative to the Gram matrix; what a rejected Gauss-Newton step goes on with
SHORTEST_STEP = 1e-15  # relative to the parameters: below, a rejected step says that float64 holds no better
MOST_GROWTH = 2.0**40  # after 39 rejections in a row
EXP_SERIES = tuple(1 / math.factorial(k) for k in range(14, 0, -1))

# Sums may be reordered (that is what several rows per instruction means), once, when this is compiled.
part = njit(error_model="numpy", fastmath={"reassoc", "contract", "nsz"}, nogil=True, cache=True)
small = njit(error_model="numpy", fastmath={"reassoc", "contract", "nsz"}, inline="always")


class Workspace(NamedTuple):
    """Scratch memory of one thread."""

    values: np.ndarray  # [units, tile]: activations, inputs first
    slopes: np.ndarray  # [units, tile]: the activation function's derivatives
    deltas: np.ndarray  # [units, tile]: an output's derivatives with respect to the affine layers' outputs
    jacobian: np.ndarray  # [parameters + 1, rounded up to BLOCKs, tile]: below the parameters' rows the residuals
    gram: np.ndarray  # the jacobian times its transpose: JᵀJ, below it Jᵀr and rᵀr
    factor: np.ndarray  # [parameters, parameters]: Cholesky's L
    step: np.ndarray  # [parameters]
    trial: np.ndarray  # [parameters]


class State(NamedTuple):
    """What the steps change, one number or row per restart."""

    parameters: np.ndarray
    losses: np.ndarray  # [restarts, steps]: the loss before each step
    damping: np.ndarray
    growth: np.ndarray  # what a rejected step multiplies the damping by
    loss: np.ndarray
    steps: np.ndarray
    status: np.ndarray


# ---------------------------------------------------------------- activations


@small
def _expm1_below_zero(x):
    """e**x - 1 for -64 <= x <= 0: a series for x/64, then six times (1 + e)² - 1. Off by 1e-16 at most."""
    r = x / 64.0
    e = EXP_SERIES[0]
    for k in range(1, 14):
        e = e * r + EXP_SERIES[k]
    e = e * r
    for _ in range(6):
        e = e * (2.0 + e)
    return e


@part
def _tanh(z, slope, n):
    for r in range(n):
        e = _expm1_below_zero(-2.0 * min(abs(z[r]), 20.0))
        a = math.copysign(-e / (2.0 + e), z[r])
        z[r] = a
        slope[r] = 1.0 - a * a


@part
def _sigmoid(z, slope, n):
    for r in range(n):
        e = 1.0 + _expm1_below_zero(-min(abs(z[r]), 60.0))
        a = (1.0 if z[r] >= 0.0 else e) / (1.0 + e)
        z[r] = a
        slope[r] = a * (1.0 - a)


@part
def _silu(z, slope, n):
    for r in range(n):
        e = 1.0 + _expm1_below_zero(-min(abs(z[r]), 60.0))
        a = (1.0 if z[r] >= 0.0 else e) / (1.0 + e)
        slope[r] = a * (1.0 + z[r] * (1.0 - a))
        z[r] *= a


@part
def _gelu(z, slope, n):
    for r in range(n):
        below = 0.5 * math.erfc(-z[r] / math.sqrt(2.0))
        slope[r] = below + z[r] * math.exp(-0.5 * z[r] * z[r]) / math.sqrt(2.0 * math.pi)
        z[r] *= below


@part
def _leaky_relu(z, slope, n, negative_slope):
    for r in range(n):
        slope[r] = 1.0 if z[r] > 0.0 else negative_slope
        z[r] *= slope[r]


@part
def _square(z, slope, n):
    for r in range(n):
        slope[r] = 2.0 * z[r]
        z[r] *= z[r]


@part
def _activate(z, slope, n, activation, shape):
    """Turn z into the activation of z, and slope into its derivative."""
    if activation == TANH:
        _tanh(z, slope, n)
    elif activation == SIGMOID:
        _sigmoid(z, slope, n)
    elif activation == SILU:
        _silu(z, slope, n)
    elif activation == GELU:
        _gelu(z, slope, n)
    elif activation == SQUARE:
        _square(z, slope, n)
    elif activation == IDENTITY:
        slope[:n] = 1.0
    else:
        _leaky_relu(z, slope, n, shape)  # ReLU's shape is 0


# ---------------------------------------------------------------- the network


@part
def _forward(network, parameters, X, start, n, work):
    """Write the activations and slopes of the n rows of data from `start` on."""
    values = work.values
    for j in range(network.sizes[0]):
        for r in range(n):
            values[j, r] = X[j, start + r]
    for layer in range(len(network.activation)):
        n_in, n_out, bias = network.sizes[layer], network.sizes[layer + 1], network.bias[layer]
        below, above = network.first_row[layer], network.first_row[layer + 1]
        for i in range(n_out):
            first = network.first_weight[layer] + i * (n_in + bias)
            z = values[above + i]
            z[:n] = parameters[first + n_in] if bias else 0.0
            for j in range(n_in):
                weight, a = parameters[first + j], values[below + j]
                for r in range(n):
                    z[r] += weight * a[r]
            _activate(z, work.slopes[above + i], n, network.activation[layer], network.shape[layer])


@part
def _backward(network, parameters, output, n, work):
    """Write the derivatives of one output for n rows of data into the jacobian."""
    last = len(network.activation) - 1
    for i in range(network.sizes[last + 1]):
        row = network.first_row[last + 1] + i
        for r in range(n):
            work.deltas[row, r] = work.slopes[row, r] if i == output else 0.0
    for layer in range(last, -1, -1):
        n_in, n_out, bias = network.sizes[layer], network.sizes[layer + 1], network.bias[layer]
        below, above = network.first_row[layer], network.first_row[layer + 1]
        for i in range(n_out):
            first, delta = network.first_weight[layer] + i * (n_in + bias), work.deltas[above + i]
            for j in range(n_in):
                to, a = work.jacobian[first + j], work.values[below + j]
                for r in range(n):
                    to[r] = delta[r] * a[r]
            if bias:
                work.jacobian[first + n_in, :n] = delta[:n]
        if layer > 0:
            _delta_below(network, parameters, layer, n, work)


@part
def _delta_below(network, parameters, layer, n, work):
    n_in, n_out, bias = network.sizes[layer], network.sizes[layer + 1], network.bias[layer]
    below, above = network.first_row[layer], network.first_row[layer + 1]
    for j in range(n_in):
        to, slope = work.deltas[below + j], work.slopes[below + j]
        to[:n] = 0.0
        for i in range(n_out):
            weight = parameters[network.first_weight[layer] + i * (n_in + bias) + j]
            delta = work.deltas[above + i]
            for r in range(n):
                to[r] += weight * delta[r]
        for r in range(n):
            to[r] *= slope[r]


@part
def mean_square(network, parameters, X, y, work):
    """The mean over rows and outputs of the squared residual. X: [inputs, rows], y: [outputs, rows]."""
    rows, outputs, total = X.shape[1], y.shape[0], 0.0
    top = network.first_row[len(network.activation)]
    for start in range(0, rows, network.tile):
        n = min(network.tile, rows - start)
        _forward(network, parameters, X, start, n, work)
        for k in range(outputs):
            for r in range(n):
                residual = work.values[top + k, r] - y[k, start + r]
                total += residual * residual
    return total / (rows * outputs)


@part
def _linearise(network, parameters, X, y, work):
    """Leave the Gram matrix of jacobian and residuals in work.gram, its lower half."""
    rows, last, top = X.shape[1], len(parameters), network.first_row[len(network.activation)]
    work.gram[:] = 0.0
    for start in range(0, rows, network.tile):
        n = min(network.tile, rows - start)
        _forward(network, parameters, X, start, n, work)
        for k in range(y.shape[0]):
            _backward(network, parameters, k, n, work)
            for r in range(n):
                work.jacobian[last, r] = work.values[top + k, r] - y[k, start + r]
            _add_gram(work.jacobian, n, work.gram)


@part
def _add_gram(J, n, gram):
    """Add J[:, :n] J[:, :n]ᵀ to gram, in blocks of 4 by 4 whose 16 sums stay in registers."""
    for i in range(0, len(J), BLOCK):
        a, b, c, d = J[i], J[i + 1], J[i + 2], J[i + 3]
        for j in range(0, i + 1, BLOCK):
            e, f, g, h = J[j], J[j + 1], J[j + 2], J[j + 3]
            s00 = s01 = s02 = s03 = s10 = s11 = s12 = s13 = 0.0
            s20 = s21 = s22 = s23 = s30 = s31 = s32 = s33 = 0.0
            for r in range(n):
                s00 += a[r] * e[r]
                s01 += a[r] * f[r]
                s02 += a[r] * g[r]
                s03 += a[r] * h[r]
                s10 += b[r] * e[r]
                s11 += b[r] * f[r]
                s12 += b[r] * g[r]
                s13 += b[r] * h[r]
                s20 += c[r] * e[r]
                s21 += c[r] * f[r]
                s22 += c[r] * g[r]
                s23 += c[r] * h[r]
                s30 += d[r] * e[r]
                s31 += d[r] * f[r]
                s32 += d[r] * g[r]
                s33 += d[r] * h[r]
            for row, sums in enumerate(
                ((s00, s01, s02, s03), (s10, s11, s12, s13), (s20, s21, s22, s23), (s30, s31, s32, s33))
            ):
                for column in range(BLOCK):
                    gram[i + row, j + column] += sums[column]


# ---------------------------------------------------------------- the step


@part
def _cholesky(gram, damping, L):
    """Whether the first len(L) rows of gram, + damping I, are positive definite; their factor is then in L."""
    for i in range(len(L)):
        a = L[i]
        a[: i + 1] = gram[i, : i + 1]
        a[i] += damping
        for j in range(i):
            b, total = L[j], 0.0
            for k in range(j):
                total += a[k] * b[k]
            a[j] = (a[j] - total) / b[j]
        total = 0.0
        for k in range(i):
            total += a[k] * a[k]
        if not a[i] - total > 0.0:
            return False
        a[i] = math.sqrt(a[i] - total)
    return True


@part
def _substitute(L, x):
    """Replace x by the solution of L Lᵀ y = x."""
    for i in range(len(L)):
        total = 0.0
        for k in range(i):
            total += L[i, k] * x[k]
        x[i] = (x[i] - total) / L[i, i]
    for i in range(len(L) - 1, -1, -1):
        x[i] /= L[i, i]
        for k in range(i):
            x[k] -= L[i, k] * x[i]


@part
def _propose(network, X, y, state, restart, work):
    """(gain, length, loss) of the damped Gauss-Newton step, which leads to work.trial; gain -1 where none exists.

    gain: by how much the loss falls, as a fraction of what the linear model predicts. length: of the step, as
    a fraction of the parameters' own. Solves (JᵀJ + damping I) step = -Jᵀr.
    """
    parameters, damping = state.parameters[restart], state.damping[restart]
    gradient = work.gram[len(parameters)]
    if not _cholesky(work.gram, damping, work.factor):
        return -1.0, np.inf, np.inf
    for i in range(len(parameters)):
        work.step[i] = -gradient[i]
    _substitute(work.factor, work.step)
    predicted = moved = size = 0.0
    for i in range(len(parameters)):
        predicted += work.step[i] * (damping * work.step[i] - gradient[i])
        moved += work.step[i] * work.step[i]
        size += parameters[i] * parameters[i]
    for i in range(len(parameters)):  # apart: a loop that adds up and writes has two orders, chosen by the addresses
        work.trial[i] = parameters[i] + work.step[i]
    loss = mean_square(network, work.trial, X, y, work)
    fall = (state.loss[restart] - loss) * X.shape[1] * y.shape[0]
    return fall / predicted if fall > 0.0 else -1.0, math.sqrt(moved / size), loss


@part
def _largest_diagonal(gram, count):
    largest = 0.0
    for i in range(count):
        largest = max(largest, gram[i, i])
    return largest


@part
def start(network, X, y, state, restart, target, damping, work):
    """Write the first loss and damping of a restart, which may already be its end."""
    parameters = state.parameters[restart]
    loss = mean_square(network, parameters, X, y, work)
    _linearise(network, parameters, X, y, work)
    state.loss[restart] = loss
    state.damping[restart] = damping * _largest_diagonal(work.gram, len(parameters))
    if not math.isfinite(loss):
        state.status[restart] = DIVERGED
    elif loss <= target:
        state.status[restart] = REACHED


@part
def advance(network, X, y, state, restart, stop, target, work):
    """Take one running restart to `stop` steps, or to its end.

    Nielsen's rule: after a good step the damping shrinks by up to 3, smoothly in the gain; after each bad one
    it grows, by 2, 4, 8, ... Fewer steps than with factors that jump at gain 1/4 and 3/4 (Nielsen 1999).
    """
    parameters = state.parameters[restart]
    _linearise(network, parameters, X, y, work)
    while state.steps[restart] < stop and state.status[restart] == RUNNING:
        state.losses[restart, state.steps[restart]] = state.loss[restart]
        state.steps[restart] += 1
        gain, length, loss = _propose(network, X, y, state, restart, work)
        if gain > 0.0:
            parameters[:] = work.trial
            state.damping[restart] *= max(1.0 / 3.0, 1.0 - (2.0 * gain - 1.0) ** 3)
            state.growth[restart] = 2.0
            state.loss[restart] = loss
            if loss <= target:
                state.status[restart] = REACHED
            _linearise(network, parameters, X, y, work)
        else:
            least = SMALLEST_DAMPING * _largest_diagonal(work.gram, len(parameters))
            state.damping[restart] = max(state.damping[restart], least) * state.growth[restart]
            state.growth[restart] *= 2.0
            if length < SHORTEST_STEP or state.growth[restart] > MOST_GROWTH:
                state.status[restart] = CONVERGED
