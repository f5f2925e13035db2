"""Compiled training loop for plain multilayer perceptrons: all the steps of a network in one call.

Why it is fast: a step works through the points in tiles that stay in the cache, and no Python runs between
steps. Why it gives the same bits on every machine: every sum has one fixed order, a multiply-add is always
the fused one, and exp, tanh, log and the normal distribution are computed here, not by the system's
mathematics library.

Layout: numbers of one unit lie next to each other, point after point, so that one instruction works on
several points at once. Only `weight_gradient` and `dot` add up over points, and they do it in `Lanes`.

A matrix is a piece of a vector: its array, the place of its first number, and the steps from row to row and
from column to column. For a tile of `points` points, a layer with n inputs and a bias:

    weights  first ─► w00 w01 w02 … b0     one row a unit: n weights and the bias
                      w10 w11 w12 … b1
    source   start ─► unit 0: p0 p1 p2 …   `stride` numbers a row: `points` within the workspace,
                      unit 1: p0 p1 p2 …   more in the data, of which a tile is a part
    target      at ─► unit 0: p0 p1 p2 …   `points` numbers a row

Everything that is compiled is in this one file: Numba looks at no other when it decides whether its copy on
disk is still valid. It has activations of its own: with those that least squares compiles, its bits would depend
on which of the two was compiled first.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import intrinsic, register_model

IDENTITY, RELU, LEAKY_RELU, TANH, SIGMOID, GELU, SILU, SQUARE = range(8)
MEAN_SQUARES, CROSS_ENTROPY = range(2)
SGD, ADAM, ADAMW = range(3)
RUNNING, DIVERGED = range(2)
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8  # Kingma & Ba 2015, and torch.optim's defaults

ZERO, ONE = np.int64(0), np.int64(1)  # for arguments: Numba would compile a function anew for a plain 0
POINTS_PER_BLOCK = 16  # what the inner loops handle at a time; a tile is a multiple of it


# Nothing here allocates; without Numba's counting of references to arrays a small step is a quarter faster.
OPTIONS: dict[str, Any] = {"error_model": "numpy", "_nrt": False, "no_rewrites": True, "no_cfunc_wrapper": True}
# Parts are called from compiled code only. Without an entrance from Python they compile sooner.
INNER: dict[str, Any] = {**OPTIONS, "no_cpython_wrapper": True}
part = njit(**INNER)
small = njit(**INNER, forceinline=True)
inserted = njit(**OPTIONS, inline="always")  # into its one caller: compiles sooner


class Network(NamedTuple):
    """An architecture. Parameters are one vector: layer by layer, row by row, the bias last in its row."""

    sizes: np.ndarray  # units per layer, inputs first
    first_weight: np.ndarray  # per affine layer: where its rows start in the vector
    bias: np.ndarray  # per affine layer: 1 with a bias, 0 without
    first_row: np.ndarray  # per layer of units: its first row among the activations
    activation: np.ndarray  # per affine layer: the code of the activation that follows
    shape: np.ndarray  # per affine layer: LeakyReLU's slope
    tile: int  # points worked on at a time


class Data(NamedTuple):
    """One row per feature (per label, or per target), `stride` numbers long, its end filled with zeros."""

    inputs: np.ndarray
    targets: np.ndarray
    points: int
    stride: int
    inputs_step: int  # from one model's data to the next one's; 0 when all share one set
    targets_step: int


class Recipe(NamedTuple):
    """How to train, the same for all models."""

    loss: int
    optimizer: int
    momentum: float
    weight_decay: float
    batch_size: int
    validate_every: int  # steps
    last_step: int


class State(NamedTuple):
    """What training changes, one row per model."""

    parameters: np.ndarray
    previous: np.ndarray  # the parameters one step before
    moment_1: np.ndarray  # Adam's mean of gradients, or SGD's momentum
    moment_2: np.ndarray  # Adam's mean of squares
    powers: np.ndarray  # BETA_1**steps, BETA_2**steps
    steps: np.ndarray
    status: np.ndarray
    checks: np.ndarray  # validations made
    next_check: np.ndarray  # the step before which the next one is due


class TrainingCurves(NamedTuple):
    """What is written down, one row per model; the first two from the step on where this call begins."""

    loss: np.ndarray
    accuracy: np.ndarray
    validation_loss: np.ndarray
    validation_accuracy: np.ndarray


class Workspace(NamedTuple):
    """Scratch memory of one thread."""

    values: np.ndarray  # activations, layer after layer, inputs first
    slopes: np.ndarray  # the activation function's derivatives, then the loss's gradient with respect to its inputs
    sums: np.ndarray  # the loss's gradient with respect to what leaves the layer at hand
    targets: np.ndarray  # those of a tile that `gather` has put together
    point_loss: np.ndarray
    point_hits: np.ndarray
    scratch: np.ndarray  # two numbers per point
    ones: np.ndarray  # one per point
    gradient: np.ndarray  # with respect to the parameters, over the batch


# ---------------------------------------------------------------- several points in one instruction


class Lanes(types.Type):
    """Numba's type for 32 bytes of numbers that are worked on together: 8 of float32, 4 of float64."""

    def __init__(self, real):
        self.real = real
        super().__init__(name=f"Lanes({real})")


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    """Lanes are LLVM's vectors."""

    def __init__(self, manager, lanes):
        vector = ir.VectorType(ir.FloatType(), 8) if lanes.real == types.float32 else ir.VectorType(ir.DoubleType(), 4)
        super().__init__(manager, lanes, vector)


def _lanes_pointer(context, builder, array_type, array, index, vector):
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), vector.as_pointer())


@intrinsic
def load(typing_context, array, index):
    """Return lanes with the numbers of a contiguous array from index on."""

    def generate(context, builder, signature, arguments):
        vector = context.get_value_type(signature.return_type)
        pointer = _lanes_pointer(context, builder, signature.args[0], *arguments, vector)
        return builder.load(pointer, align=array.dtype.bitwidth // 8)

    return Lanes(array.dtype)(array, types.intp), generate


@intrinsic
def store(typing_context, array, index, lanes):
    """Write lanes into a contiguous array from index on."""

    def generate(context, builder, signature, arguments):
        vector = context.get_value_type(lanes)
        pointer = _lanes_pointer(context, builder, signature.args[0], *arguments[:2], vector)
        builder.store(arguments[2], pointer, align=array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), generate


@intrinsic
def lane_count(typing_context, array):
    """Return how many numbers of the array's type fill Lanes."""

    def generate(context, builder, signature, arguments):
        return ir.Constant(context.get_value_type(types.intp), 256 // array.dtype.bitwidth)

    return types.intp(array), generate


@intrinsic
def splat(typing_context, number):
    """Return lanes that all hold the number."""

    def generate(context, builder, signature, arguments):
        vector = context.get_value_type(signature.return_type)
        first = builder.insert_element(ir.Constant(vector, ir.Undefined), arguments[0], ir.IntType(32)(0))
        everywhere = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
        return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), everywhere)

    return Lanes(number)(number), generate


@intrinsic
def total(typing_context, lanes):
    """Return the sum of the lanes: one half plus the other half, until one number is left."""

    def generate(context, builder, signature, arguments):
        vector, index = arguments[0], ir.IntType(32)
        count = vector.type.count
        while count > 1:
            count //= 2
            nothing = ir.Constant(vector.type, ir.Undefined)
            halves = [
                builder.shuffle_vector(vector, nothing, ir.Constant(ir.VectorType(index, count), list(lane_numbers)))
                for lane_numbers in (range(count), range(count, 2 * count))
            ]
            vector = builder.fadd(*halves)
        return builder.extract_element(vector, index(0))

    return lanes.real(lanes), generate


def _fma_function(builder, kind):
    scalar = kind.element if isinstance(kind, ir.VectorType) else kind
    name = "llvm.fma." + (f"v{kind.count}" if isinstance(kind, ir.VectorType) else "")
    name += "f32" if isinstance(scalar, ir.FloatType) else "f64"
    return cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind] * 3), name)


@intrinsic
def fma(typing_context, a, b, c):
    """Return a·b + c rounded once, for numbers and lanes. Said explicitly: not every compiler would fuse."""

    def generate(context, builder, signature, arguments):
        return builder.call(_fma_function(builder, arguments[0].type), arguments)

    return a(a, a, a), generate


# ---------------------------------------------------------------- exp, log, tanh and the normal distribution


@intrinsic
def power_of_two(typing_context, shifted):
    """Return 2**n, for shifted = n + 1.5·2**23 (float32) or n + 1.5·2**52 (float64): n is in its lowest bits."""

    def generate(context, builder, signature, arguments):
        single = signature.return_type == types.float32
        integer, mantissa_bits, exponent_of_one = (ir.IntType(32), 23, 127) if single else (ir.IntType(64), 52, 1023)
        bits = builder.bitcast(arguments[0], integer)
        bits = builder.add(builder.shl(bits, integer(mantissa_bits)), integer(exponent_of_one << mantissa_bits))
        return builder.bitcast(bits, arguments[0].type)

    return shifted(shifted), generate


def constant(single, double):
    """Return a compiled function of x: `single` where x is float32, `double` where it is float64."""

    @intrinsic
    def value(typing_context, x):
        def generate(context, builder, signature, arguments):
            return arguments[0].type(single if signature.return_type == types.float32 else double)

        return x(x), generate

    return value


def polynomial(single, double):
    """Return a compiled function of x: the polynomial with these coefficients, constant first, by Horner's rule."""

    @intrinsic
    def value(typing_context, x):
        def generate(context, builder, signature, arguments):
            kind = arguments[0].type
            coefficients = single if signature.return_type == types.float32 else double
            function = _fma_function(builder, kind)
            result = kind(coefficients[-1])
            for coefficient in coefficients[-2::-1]:
                result = builder.call(function, [arguments[0], result, kind(coefficient)])
            return result

        return x(x), generate

    return value


# e**r = 1 + r + r²·(1/2! + r/3! + ...): what is left out is below half a unit in the last place.
EXPONENTIAL_SERIES = [1 / math.factorial(k) for k in range(2, 14)]
_exponential_series = polynomial(single=EXPONENTIAL_SERIES[:6], double=EXPONENTIAL_SERIES)
# atanh(f) = f + f·s·(1/3 + s/5 + ...), s = f² <= 1/9
ATANH_SERIES = [1 / (2 * k + 3) for k in range(16)]
_atanh_series = polynomial(single=ATANH_SERIES[:7], double=ATANH_SERIES)
# P(Z > s) = exp(-s²/2)·t·R(2t - 1) with t = 1 / (1 + s/4), for a standard normal Z and s >= 0. R is the
# Chebyshev interpolant on [-1, 1], found with 60 digits and expanded in powers: its error is below 1e-9
# (float32) and 1e-17 (float64).
_normal_tail = polynomial(
    single=[
        0.1888212817838964,
        0.15197410095365885,
        0.09678439072771228,
        0.046631677717931246,
        0.015098823967489227,
        0.0018780578454378914,
        -0.0008690419737272307,
        -0.00039094672470664006,
        3.233142033518819e-05,
        3.9330142396146074e-05,
    ],
    double=[
        0.18882128260393788,
        0.15197416049297308,
        0.09678435018555373,
        0.04663046448990915,
        0.015099143722729469,
        0.001885047241846578,
        -0.0008699230917619934,
        -0.00040770461685247714,
        3.333607735295814e-05,
        5.7773754340693565e-05,
        -4.770615878536427e-07,
        -8.786277975709413e-06,
        1.7916469102987802e-07,
        1.4804027614809944e-06,
        -1.5745918346230922e-07,
        -2.5619627541381934e-07,
        6.811574237786468e-08,
        3.994349035559805e-08,
        -2.1716617539994733e-08,
        -4.461231943245354e-09,
        5.356900960863089e-09,
        1.4684066912467977e-10,
        -9.326612704670926e-10,
        2.999445507813274e-11,
        8.508280771623737e-11,
    ],
)

# Adding it to a number rounds that to a whole number, which is then in the lowest bits.
_shift = constant(single=1.5 * 2**23, double=1.5 * 2**52)
# The smallest whole number whose exponential is a normal number.
_lowest_exponent = constant(single=-87.0, double=-708.0)
# log(2) as a number with few digits, so that its whole multiples are exact, and what is left.
_log2_high = constant(single=0.693145751953125, double=0.6931471803691238)
_log2_low = constant(single=1.428606765330187e-06, double=1.9082149292705877e-10)


@small
def _expm1_parts(x):
    """Return (2**n, e**r - 1) with x = n·log(2) + r and |r| <= log(2) / 2."""
    real = type(x)
    shifted = fma(x, real(1.4426950408889634), _shift(x))
    n = shifted - _shift(x)
    r = fma(-n, _log2_low(x), fma(-n, _log2_high(x), x))
    return power_of_two(shifted), fma(r * r, _exponential_series(r), r)


@small
def expm1(x):
    """Return e**x - 1, accurate near 0; what would overflow or underflow stops at the last normal number."""
    real = type(x)
    limit = _lowest_exponent(x)
    x = limit if x < limit else x  # in this order a NaN stays one
    x = -limit if x > -limit else x
    power, rest = _expm1_parts(x)
    return fma(power, rest, power - real(1))


@small
def exponential(x):
    """Return e**x; what would overflow or underflow stops at the last normal number."""
    limit = _lowest_exponent(x)
    x = limit if x < limit else x
    x = -limit if x > -limit else x
    power, rest = _expm1_parts(x)
    return fma(power, rest, power)


@small
def log1p_small(x):
    """Return log(1 + x) for 0 <= x <= 1."""
    real = type(x)
    f = x / (x + real(2))
    s = f * f
    return real(2) * fma(f * s, _atanh_series(s), f)


@intrinsic
def exponent(typing_context, x):
    """Return n with 2**n <= x < 2**(n + 1), as a float, for a normal x > 0."""

    def generate(context, builder, signature, arguments):
        single = signature.return_type == types.float32
        integer, mantissa_bits, bias = (ir.IntType(32), 23, 127) if single else (ir.IntType(64), 52, 1023)
        bits = builder.lshr(builder.bitcast(arguments[0], integer), integer(mantissa_bits))
        bits = bits if single else builder.trunc(bits, ir.IntType(32))
        return builder.sitofp(builder.sub(bits, ir.IntType(32)(bias)), arguments[0].type)

    return x(x), generate


@small
def logarithm(x):
    """Return log(x) for x >= 1."""
    real = type(x)
    n = exponent(x)
    mantissa = x * power_of_two(_shift(x) - n)
    return fma(n, real(0.6931471805599453), log1p_small(mantissa - real(1)))


@small
def hyperbolic_tangent(x):
    """Return tanh(x), odd to the last bit."""
    real = type(x)
    e = expm1(real(-2) * abs(x))
    t = -e / (e + real(2))
    return -t if x < real(0) else t


@small
def logistic(x):
    """Return 1 / (1 + e**-x)."""
    real = type(x)
    return real(1) / (real(1) + exponential(-x))


@small
def normal(x):
    """Return (P(Z <= x), density at x) of a standard normal Z."""
    real = type(x)
    s = abs(x)
    bell = exponential(real(-0.5) * s * s)
    t = real(1) / fma(s, real(0.25), real(1))
    tail = bell * t * _normal_tail(fma(real(2), t, real(-1)))
    probability = tail if x < real(0) else real(1) - tail
    return probability, bell * real(0.3989422804014327)


# ---------------------------------------------------------------- layers


@small
def fill(target, number):
    """Write the number everywhere."""
    for k in range(target.size):
        target[k] = number


@small
def copy(target, source):
    """Write the source into the target."""
    for k in range(target.size):
        target[k] = source[k]


@small
def multiply(target, factors):
    """Multiply the target by the factors, number by number."""
    for k in range(target.size):
        target[k] *= factors[k]


@part
def affine(weights, first, row_step, column_step, rows, columns, bias, source, start, stride, target, at, points):
    """Write target[r] = sum over c of weights[r, c]·source[c] (+ bias[r]), for the points of a tile.

    Forward with rows = outputs, backward with rows = inputs: only the steps through the weights differ.
    """
    lane = lane_count(source)
    row = 0
    while row < rows:
        height = 4 if row + 4 <= rows else 1
        w = first + row * row_step
        out = at + row * points
        for p in range(start, start + points, 2 * lane):
            if height == 4:
                _four_rows(weights, w, row_step, column_step, columns, bias, source, p, stride, target, out, points)
            else:
                _one_row(weights, w, column_step, columns, bias, source, p, stride, target, out)
            out += 2 * lane
        row += height


@small
def _four_rows(weights, w, row_step, column_step, columns, bias, source, p, stride, target, out, points):
    """Write affine's target for four rows and two Lanes of points: what is loaded is used several times."""
    lane = lane_count(source)
    b = w + columns * column_step
    zero = weights.dtype.type(0)
    a0 = b0 = splat(weights[b] if bias else zero)
    a1 = b1 = splat(weights[b + row_step] if bias else zero)
    a2 = b2 = splat(weights[b + 2 * row_step] if bias else zero)
    a3 = b3 = splat(weights[b + 3 * row_step] if bias else zero)
    for column in range(columns):
        k = w + column * column_step
        x = load(source, p + column * stride)
        y = load(source, p + column * stride + lane)
        w0, w1 = splat(weights[k]), splat(weights[k + row_step])
        w2, w3 = splat(weights[k + 2 * row_step]), splat(weights[k + 3 * row_step])
        a0, b0 = fma(w0, x, a0), fma(w0, y, b0)
        a1, b1 = fma(w1, x, a1), fma(w1, y, b1)
        a2, b2 = fma(w2, x, a2), fma(w2, y, b2)
        a3, b3 = fma(w3, x, a3), fma(w3, y, b3)
    store(target, out, a0)
    store(target, out + lane, b0)
    store(target, out + points, a1)
    store(target, out + points + lane, b1)
    store(target, out + 2 * points, a2)
    store(target, out + 2 * points + lane, b2)
    store(target, out + 3 * points, a3)
    store(target, out + 3 * points + lane, b3)


@small
def _one_row(weights, w, column_step, columns, bias, source, p, stride, target, out):
    lane = lane_count(source)
    a = b = splat(weights[w + columns * column_step] if bias else weights.dtype.type(0))
    for column in range(columns):
        weight = splat(weights[w + column * column_step])
        a = fma(weight, load(source, p + column * stride), a)
        b = fma(weight, load(source, p + column * stride + lane), b)
    store(target, out, a)
    store(target, out + lane, b)


@part
def weight_gradient(delta, at, rows, source, start, stride, columns, bias, gradient, first, points, ones):
    """Add to gradient[r, c] the sum over the points of delta[r]·source[c] (bias: of delta[r])."""
    width = columns + bias
    by_fours = columns // 4 * 4
    for row in range(rows):
        k = first + row * width
        for column in range(0, by_fours, 4):
            s = start + column * stride
            _four_products(delta, at + row * points, source, s, stride, gradient, k + column, ONE, points)
    for column in range(by_fours, width):
        shared, s = (source, start + column * stride) if column < columns else (ones, ZERO)
        for row in range(0, rows, 4):
            d, k = at + row * points, first + row * width + column
            if row + 4 <= rows:
                _four_products(shared, s, delta, d, points, gradient, k, width, points)
            else:
                for rest in range(rows - row):
                    gradient[k + rest * width] += dot(shared, s, delta, d + rest * points, points)


@part
def _four_products(shared, s, others, o, stride, gradient, k, step, points):
    """Add one row's dot products with four rows to every step-th number of gradient from k on."""
    lane = lane_count(shared)
    one = splat(shared.dtype.type(1))
    a0 = a1 = a2 = a3 = b0 = b1 = b2 = b3 = splat(shared.dtype.type(0))
    for p in range(0, points, 2 * lane):
        x, y = load(shared, s + p), load(shared, s + p + lane)
        r = o + p
        a0, b0 = fma(x, load(others, r), a0), fma(y, load(others, r + lane), b0)
        r += stride
        a1, b1 = fma(x, load(others, r), a1), fma(y, load(others, r + lane), b1)
        r += stride
        a2, b2 = fma(x, load(others, r), a2), fma(y, load(others, r + lane), b2)
        r += stride
        a3, b3 = fma(x, load(others, r), a3), fma(y, load(others, r + lane), b3)
    gradient[k] += total(fma(a0, one, b0))
    gradient[k + step] += total(fma(a1, one, b1))
    gradient[k + 2 * step] += total(fma(a2, one, b2))
    gradient[k + 3 * step] += total(fma(a3, one, b3))


@part
def dot(first, f, second, s, points):
    """Return the sum over the points of first·second, in an order that depends on nothing but their number."""
    lane = lane_count(first)
    a = b = splat(first.dtype.type(0))
    for p in range(0, points, 2 * lane):
        a = fma(load(first, f + p), load(second, s + p), a)
        b = fma(load(first, f + p + lane), load(second, s + p + lane), b)
    return total(fma(a, splat(first.dtype.type(1)), b))


@part
def activate(code, shape, z, slope):
    """Replace z by the activation function of it and slope by its derivative there."""
    real = z.dtype.type
    zero, one = real(0), real(1)
    if code == IDENTITY:
        fill(slope, one)
    elif code == RELU:
        for p in range(z.size):
            slope[p] = one if z[p] > zero else zero
            z[p] = zero if z[p] <= zero else z[p]  # in this order a NaN stays one
    elif code == LEAKY_RELU:
        for p in range(z.size):
            slope[p] = one if z[p] > zero else shape
            z[p] *= slope[p]
    elif code == TANH:
        for p in range(z.size):
            z[p] = hyperbolic_tangent(z[p])
            slope[p] = one - z[p] * z[p]
    elif code == SIGMOID:
        for p in range(z.size):
            z[p] = logistic(z[p])
            slope[p] = z[p] * (one - z[p])
    elif code == GELU:
        for p in range(z.size):
            probability, density = normal(z[p])
            slope[p] = fma(z[p], density, probability)
            z[p] *= probability
    elif code == SILU:
        for p in range(z.size):
            s = logistic(z[p])
            slope[p] = s * fma(z[p], one - s, one)
            z[p] *= s
    elif code == SQUARE:
        for p in range(z.size):
            slope[p] = z[p] + z[p]
            z[p] *= z[p]


# ---------------------------------------------------------------- losses


@part
def mean_squares(outputs, at, rows, targets, target_at, target_stride, filled, points, scale, gradient, losses):
    """Write losses[p] = sum over outputs of error², gradient = 2·error·scale."""
    fill(losses[:points], outputs.dtype.type(0))
    for row in range(rows):
        z = outputs[at + row * points : at + row * points + filled]
        target = targets[target_at + row * target_stride : target_at + row * target_stride + filled]
        g = gradient[row * points : row * points + points]
        for p in range(filled):
            error = z[p] - target[p]
            g[p] = (error + error) * scale
            losses[p] = fma(error, error, losses[p])
        fill(g[filled:], outputs.dtype.type(0))


@part
def cross_entropy(outputs, at, rows, targets, target_at, filled, points, scale, gradient, losses, hits, scratch):
    """Write losses[p] = -log softmax at the label, gradient = (softmax - one at the label)·scale.

    hits[p] = 1 where the first of the largest outputs is the label's.
    """
    real = outputs.dtype.type
    labels = targets[target_at : target_at + filled]
    largest, guess = scratch[:filled], scratch[points : points + filled]
    copy(largest, outputs[at : at + filled])
    fill(guess, real(0))
    for row in range(1, rows):
        z = outputs[at + row * points : at + row * points + filled]
        for p in range(filled):
            output, best, before = z[p], largest[p], guess[p]
            guess[p] = real(row) if output > best else before
            largest[p] = output if output > best else best
    for p in range(filled):
        hits[p] = real(1) if guess[p] == labels[p] else real(0)
    _softmax(outputs, at, rows, labels, largest, guess, filled, points, scale, gradient, losses)
    fill(losses[filled:points], real(0))
    fill(hits[filled:points], real(0))


@inserted
def _softmax(outputs, at, rows, labels, largest, total_of_exponentials, filled, points, scale, gradient, losses):
    """Write the losses and gradients of cross_entropy; largest is each point's largest output."""
    real = outputs.dtype.type
    picked = losses[:filled]  # becomes the loss
    fill(total_of_exponentials, real(0))
    for row in range(rows):
        z = outputs[at + row * points : at + row * points + filled]
        g = gradient[row * points : row * points + filled]
        # Three short loops: LLVM gives up on one with so many arrays, since any two might overlap.
        for p in range(filled):
            g[p] = exponential(z[p] - largest[p])
        for p in range(filled):
            total_of_exponentials[p] += g[p]
        for p in range(filled):
            output, before = z[p], picked[p]
            picked[p] = output if labels[p] == real(row) else before
    for row in range(rows):
        g = gradient[row * points : row * points + points]
        for p in range(filled):
            hit = real(1) if labels[p] == real(row) else real(0)
            g[p] = (g[p] / total_of_exponentials[p] - hit) * scale
        fill(g[filled:], outputs.dtype.type(0))
    for p in range(filled):
        picked[p] = logarithm(total_of_exponentials[p]) + (largest[p] - picked[p])


# ---------------------------------------------------------------- one pass over a batch


@part
def gather(data, model, order, first, count, points, work):
    """Copy the points order[first : first + count] into the workspace, and zeros behind them."""
    features = data.inputs.size // data.stride if data.inputs_step == 0 else data.inputs_step // data.stride
    rows = data.targets.size // data.stride if data.targets_step == 0 else data.targets_step // data.stride
    for row in range(features + rows):
        if row < features:
            source = data.inputs[model * data.inputs_step + row * data.stride :]
            target = work.values[row * points : (row + 1) * points]
        else:
            source = data.targets[model * data.targets_step + (row - features) * data.stride :]
            target = work.targets[(row - features) * points : (row - features + 1) * points]
        for p in range(count):
            target[p] = source[order[first + p]]
        fill(target[count:], target.dtype.type(0))


@inserted
def forward(net, weights, source, start, stride, points, work):
    """Fill the workspace's values with a tile's activations, its slopes with their derivatives."""
    for layer in range(net.sizes.size - 1):
        n_in, n_out = net.sizes[layer], net.sizes[layer + 1]
        at, size = net.first_row[layer + 1] * points, n_out * points
        bias = net.bias[layer]
        first = net.first_weight[layer]
        affine(weights, first, n_in + bias, ONE, n_out, n_in, bias, source, start, stride, work.values, at, points)
        activate(net.activation[layer], net.shape[layer], work.values[at : at + size], work.slopes[at : at + size])
        source, start, stride = work.values, at, points


@inserted
def backward(net, weights, source, start, stride, points, work):
    """Add a tile's part to the workspace's gradient; the loss's slopes are in its sums."""
    for layer in range(net.sizes.size - 2, -1, -1):
        n_in, n_out = net.sizes[layer], net.sizes[layer + 1]
        at, before = net.first_row[layer + 1] * points, net.first_row[layer] * points
        bias, first = net.bias[layer], net.first_weight[layer]
        multiply(work.slopes[at : at + n_out * points], work.sums[: n_out * points])
        inputs, i, i_stride = (source, start, stride) if layer == 0 else (work.values, before, points)
        weight_gradient(
            work.slopes, at, n_out, inputs, i, i_stride, n_in, bias, work.gradient, first, points, work.ones
        )
        if layer > 0:
            affine(
                weights, first, ONE, n_in + bias, n_in, n_out, ZERO, work.slopes, at, points, work.sums, ZERO, points
            )


@inserted
def pass_over(net, data, model, weights, loss, order, first, count, learn, work):
    """Return (mean loss, number of right labels) over `count` points; with learn, the gradient is in the workspace.

    The points' numbers are in order from `first` on; when order is empty, or nothing is to be learned, the
    points are all of the data, as it lies.
    """
    real = weights.dtype.type
    fill(work.gradient, real(0))
    n_out = net.sizes[-1]
    terms = count * n_out if loss == MEAN_SQUARES else count
    scale = real(1.0 / terms)
    loss_sum, hits = 0.0, 0.0
    for begin in range(0, count, net.tile):
        filled = min(net.tile, count - begin)
        points = (filled + POINTS_PER_BLOCK - 1) // POINTS_PER_BLOCK * POINTS_PER_BLOCK
        if learn and order.size:
            gather(data, model, order, first + begin, filled, points, work)
            source, start, stride = work.values, 0, points
            targets, target_at, target_stride = work.targets, 0, points
        else:
            source, start, stride = data.inputs, model * data.inputs_step + begin, data.stride
            targets, target_at, target_stride = data.targets, model * data.targets_step + begin, data.stride
        forward(net, weights, source, start, stride, points, work)
        at = net.first_row[-1] * points
        if loss == MEAN_SQUARES:
            mean_squares(
                work.values,
                at,
                n_out,
                targets,
                target_at,
                target_stride,
                filled,
                points,
                scale,
                work.sums,
                work.point_loss,
            )
        else:
            cross_entropy(
                work.values,
                at,
                n_out,
                targets,
                target_at,
                filled,
                points,
                scale,
                work.sums,
                work.point_loss,
                work.point_hits,
                work.scratch,
            )
            hits += dot(work.ones, ZERO, work.point_hits, ZERO, points)
        loss_sum += dot(work.ones, ZERO, work.point_loss, ZERO, points)
        if learn:
            backward(net, weights, source, start, stride, points, work)
    return loss_sum / terms, hits


# ---------------------------------------------------------------- optimisers


@inserted
def sgd_step(weights, gradient, momentum_buffer, trainable, rate, momentum, weight_decay):
    """Take the step of torch.optim.SGD: buffer = momentum·buffer + gradient + decay·weight, weight -= rate·buffer."""
    for k in range(weights.size):
        g = fma(weight_decay, weights[k], gradient[k])
        momentum_buffer[k] = fma(momentum, momentum_buffer[k], g)
        weights[k] = fma(-rate * trainable[k], momentum_buffer[k], weights[k])


@inserted
def adam_step(weights, gradient, mean, square, trainable, rate, decay, shrink, keep_2, inverse_root_2):
    """Take the step of torch.optim.Adam (Kingma & Ba 2015) with L2 weight decay, or AdamW's: weight *= 1 - shrink.

    rate is the learning rate / (1 - beta_1**t), inverse_root_2 is 1 / sqrt(1 - beta_2**t).
    """
    real = weights.dtype.type
    new_1, new_2, epsilon = real(1.0 - BETA_1), real(1.0 - BETA_2), real(EPSILON)
    for k in range(weights.size):
        g = fma(decay, weights[k], gradient[k])
        mean[k] = fma(new_1, g - mean[k], mean[k])
        square[k] = fma(new_2 * g, g, keep_2 * square[k])
        step = rate * mean[k] / fma(math.sqrt(square[k]), inverse_root_2, epsilon)
        weights[k] -= trainable[k] * fma(shrink, weights[k], step)


@inserted
def update(recipe, state, model, gradient, trainable, rate):
    """Take one optimiser step for one model; keep the parameters from before."""
    weights = state.parameters[model]
    real = weights.dtype.type
    copy(state.previous[model], weights)
    if recipe.optimizer == SGD:
        sgd_step(
            weights,
            gradient,
            state.moment_1[model],
            trainable,
            real(rate),
            real(recipe.momentum),
            real(recipe.weight_decay),
        )
        return
    powers = state.powers[model]
    powers[0] *= BETA_1
    powers[1] *= BETA_2
    decoupled = recipe.optimizer == ADAMW
    decay = 0.0 if decoupled else recipe.weight_decay
    shrink = rate * recipe.weight_decay if decoupled else 0.0
    adam_step(
        weights,
        gradient,
        state.moment_1[model],
        state.moment_2[model],
        trainable,
        real(rate / (1.0 - powers[0])),
        real(decay),
        real(shrink),
        real(BETA_2),
        real(1.0 / math.sqrt(1.0 - powers[1])),
    )


@part
def all_finite(numbers):
    """Return whether no number is NaN or infinite."""
    odd = 0
    zero = numbers.dtype.type(0)
    for k in range(numbers.size):
        odd += 0 if numbers[k] - numbers[k] == zero else 1
    return odd == 0


# ---------------------------------------------------------------- the loop


def compiled_and_cached(function: Callable) -> Any:
    """Return the function, compiled on its first call; kept on disk where the place allows."""
    try:
        return njit(cache=True, nogil=True, **OPTIONS)(function)
    except RuntimeError:  # neither beside this file nor in the user's cache may anything be written
        return njit(nogil=True, **OPTIONS)(function)


@compiled_and_cached
def train_until(
    net, data, validation, recipe, state, trainable, model, stop, rate, factors, order, begin, record, work
):
    """Train one model up to step `stop`, and write down what it sees on the way.

    factors and order start at step `begin`, an epoch's first: rate·factors[step - begin] is a step's learning
    rate, order holds the epochs' points, shuffled (empty: every step takes them all). trainable has 1 for each
    parameter that is trained, 0 for one that stays. A step that leads to anything infinite or NaN is taken back: a
    diverged model keeps the last weights at which its loss was finite.
    """
    weights, previous = state.parameters[model], state.previous[model]
    per_epoch = (data.points + recipe.batch_size - 1) // recipe.batch_size
    while state.status[model] == RUNNING:
        step = state.steps[model]
        checking = step >= state.next_check[model]
        if not checking and step >= stop:
            return
        source, first, count = validation, 0, validation.points
        if not checking:
            first = step % per_epoch * recipe.batch_size
            source, count = data, min(recipe.batch_size, data.points - first)
            first += (step - begin) // per_epoch * data.points
        loss, hits = pass_over(net, source, model, weights, recipe.loss, order, first, count, not checking, work)
        if checking:
            check = state.checks[model]
            record.validation_loss[model, check] = loss
            record.validation_accuracy[model, check] = hits / count
            state.checks[model] += 1
            later = min(step + recipe.validate_every, recipe.last_step)
            state.next_check[model] = later if later > step else recipe.last_step + 1
            continue
        record.loss[model, step - begin] = loss
        record.accuracy[model, step - begin] = hits / count
        state.steps[model] += 1
        if math.isfinite(loss):
            update(recipe, state, model, work.gradient, trainable, rate * factors[step - begin])
        if not (math.isfinite(loss) and all_finite(weights)):
            copy(weights, previous)
            state.status[model] = DIVERGED
