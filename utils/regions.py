"""The linear regions of ReLU networks with one or two inputs: exact, every one of them, in float64.

Each hidden unit creases the input space where its preactivation is zero. The creases cut a box into open
**activation cells**: in one cell every unit is on the same side of its zero, so the network is affine there.
Two neighbouring cells may share an affine map (a unit whose output nobody uses still creases); they are
two cells here, and `linear_pieces` joins them for one input. A unit that is zero on a whole cell counts as
inactive there, as does a negative one; LeakyReLU creases where ReLU does, whatever its slope.

Tolerance. All is computed in the box scaled to [-1, 1]. A crease that passes a vertex of a cell at a distance
of at most 1e-11 there (TOLERANCE, or 4 eps × the box's distance from the origin in half widths where that is
more), or within the rounding error of the unit's own sum (16 eps × the norms of what is summed), passes through
the vertex. So creases that meet in one point or coincide count as such although their vertices are rounded, and
cells are found when they are wider than that. Where creases in general position come nearer than that by
chance, a cell is missed: of a million cells, one in about a hundred thousand runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, overload

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray
from torch import nn

from utils.checks import interval
from utils.engine.compilation import compile_first, is_fresh
from utils.withholding import withholdable

Floats = NDArray[np.float64]
Bounds = tuple[float, float] | tuple[tuple[float, float], tuple[float, float]]

TOLERANCE = 1e-11
# Neighbouring pieces of a line whose slopes differ by less, relative to the steeper of the two, are one piece.
SAME_SLOPE = 1e-10
COMPILING = "Compiling the code for linear regions, once (about 15 s) …"


# --- what comes back --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Region:
    """One activation cell within the box, and the affine map A x + c that the network is on it.

    vertices: [k, n_in]; the two ends of an interval, or the corners of a convex polygon, counter-clockwise.
    pattern: one bool array per hidden layer, True where a unit is active. A: [n_out, n_in]. c: [n_out].
    """

    vertices: Floats
    pattern: tuple[NDArray[np.bool_], ...]
    A: Floats
    c: Floats

    @property
    def interval(self) -> tuple[float, float]:
        """Return (low, high) of a cell of a network with one input; TypeError with two inputs."""
        if self.vertices.shape[1] != 1:
            raise TypeError("region has 2 inputs: it has a polygon, and no interval")
        return float(self.vertices[0, 0]), float(self.vertices[1, 0])

    @property
    def polygon(self) -> Floats:
        """Return [k, 2], the corners counter-clockwise, of a cell of a network with two inputs; TypeError with one."""
        if self.vertices.shape[1] != 2:
            raise TypeError("region has 1 input: it has an interval, and no polygon")
        return self.vertices

    @property
    def size(self) -> float:
        """Return its length or area."""
        return float(_sizes(self.vertices, np.array([0]), np.array([len(self.vertices)]))[0])

    @property
    def centre(self) -> Floats:
        """Return [n_in]: the mean of its vertices, a point inside."""
        return self.vertices.mean(axis=0)

    def __call__(self, X: ArrayLike) -> Floats:
        """Return [n, n_out]: the affine map at points X [n, n_in], inside or not."""
        return np.asarray(X, dtype=np.float64) @ self.A.T + self.c


class Regions(Sequence):
    """A read-only list of Region, kept as flat arrays: a Region is made when it is asked for.

    vertices: [V, n_in], all cells' vertices one after the other, those of cell i from starts[i] to ends[i].
    A: [n, n_out, n_in] and c: [n, n_out], the affine maps. widths: units per hidden layer.
    """

    def __init__(
        self,
        vertices: Floats,
        ends: NDArray[np.int64],
        bits: NDArray[np.uint8],
        widths: tuple[int, ...],
        A: Floats,
        c: Floats,
    ):
        self.vertices, self.ends, self.widths, self.A, self.c = vertices, ends, widths, A, c
        self.starts = np.concatenate([[0], ends[:-1]])
        self._bits = bits
        for array in (vertices, ends, self.starts, bits, A, c):
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.ends)

    @overload
    def __getitem__(self, index: int) -> Region: ...
    @overload
    def __getitem__(self, index: slice) -> list[Region]: ...
    def __getitem__(self, index):
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        i = range(len(self))[index]  # IndexError and negative numbers, as a list has them
        pattern = np.split(self._unpacked(self._bits[i]), np.cumsum(self.widths[:-1], dtype=np.int64))
        vertices = self.vertices[self.starts[i] : self.ends[i]]
        return Region(vertices, tuple(pattern[: len(self.widths)]), self.A[i], self.c[i])

    def __iter__(self) -> Iterator[Region]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} regions, hidden layers of {', '.join(map(str, self.widths)) or 'no'} units>"

    def patterns(self) -> NDArray[np.bool_]:
        """Return [n, hidden units]: every cell's pattern, the layers one after the other."""
        return self._unpacked(self._bits)

    def sizes(self) -> Floats:
        """Return [n]: every cell's length or area."""
        return _sizes(self.vertices, self.starts, self.ends)

    def centres(self) -> Floats:
        """Return [n, n_in]: the mean of every cell's vertices, a point inside."""
        return np.add.reduceat(self.vertices, self.starts, axis=0) / (self.ends - self.starts)[:, None]

    def _unpacked(self, bits: NDArray[np.uint8]) -> NDArray[np.bool_]:
        return np.unpackbits(bits, axis=-1, count=sum(self.widths), bitorder="little").astype(bool)


def _sizes(vertices: Floats, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> Floats:
    if vertices.shape[1] == 1:
        return vertices[ends - 1, 0] - vertices[starts, 0]
    after = np.arange(1, len(vertices) + 1)
    after[ends - 1] = starts
    # relative to a vertex of its own cell: no cancellation far from the origin
    x, y = (vertices - np.repeat(vertices[starts], ends - starts, axis=0)).T
    return np.add.reduceat(x * y[after] - x[after] * y, starts) / 2


class Pieces(NamedTuple):
    """A piecewise linear function of one input: slopes[i] x + intercepts[i] from knots[i] to knots[i + 1].

    knots: [p + 1], the box's ends included. slopes, intercepts: [p, n_out].
    """

    knots: Floats
    slopes: Floats
    intercepts: Floats


# --- what is asked ----------------------------------------------------------------------------------------


@withholdable
def linear_regions(model: nn.Module, bounds: Bounds) -> Regions:
    """Return the open activation cells that meet the box, a sequence of Region: see the module's text.

    model: nn.Sequential of nn.Linear, nn.ReLU, nn.LeakyReLU and nn.Identity with 1 or 2 inputs. bounds: (low,
    high), or ((x_low, x_high), (y_low, y_high)). With one input the cells come from left to right.
    About 100 bytes per region, and its pattern at a bit per unit. At most 1 + N + N (N − 1)/2 for one hidden
    layer of N units on two inputs (Zaslavsky 1975); for deep ones see Montúfar et al. 2014 (from below) and
    Raghu et al. 2017, Serra et al. 2018 (from above); typical counts: Hanin & Rolnick 2019.
    Raises TypeError or ValueError that names the argument at fault.
    """
    layers, box = _checked(model, bounds)
    return _assembled(layers, box, _walk(layers, box, collect=True))


@withholdable
def count_regions(model: nn.Module, bounds: Bounds) -> int:
    """Return the number of open activation cells that meet the box: len(linear_regions(model, bounds)).

    It keeps none of them, so its memory does not grow with their number.
    Raises TypeError or ValueError that names the argument at fault.
    """
    layers, box = _checked(model, bounds)
    return int(_walk(layers, box, collect=False)[0])


def decision_boundary(model: nn.Module, bounds: Bounds) -> Floats:
    """Return the decision boundary of a classifier inside the box, as straight segments [n, 2 ends, 2].

    model: as in `linear_regions`, with 2 inputs; class 1 is where the second output exceeds the first, or
    where the only output is positive. Each segment has class 1 on its left. Where the difference is zero
    on a whole cell, that cell is class 0; a line along which it is zero and positive on both sides is none.
    Raises TypeError or ValueError that names the argument at fault.
    """
    layers, box = _checked(model, bounds)
    n_out = len(layers[-1].bias)
    if len(box.centre) != 2 or n_out > 2:
        raise ValueError(f"model has {len(box.centre)} inputs and {n_out} outputs: wanted 2 inputs, 1 or 2 outputs")
    if n_out == 2:
        last = layers[-1]
        layers[-1] = _Layer(np.diff(last.weight, axis=0), np.diff(last.bias), last.slope)
    count, x, y, ends, bits, maps = _walk(layers, box, collect=True)
    return _scaled_back(_boundary(x, y, ends, np.ascontiguousarray(maps[:, :, 0]), box), box)


def linear_pieces(model: nn.Module, bounds: tuple[float, float]) -> Pieces:
    """Return the network of one input as a piecewise linear function: cells with the same slope are one piece.

    The same: to 1e-10 of the steeper of two neighbours, in every output. A hidden layer of N units makes at
    most N + 1 pieces, layers of n_1, n_2, … at most Π (n_l + 1) (Raghu et al. 2017).
    Raises TypeError or ValueError that names the argument at fault.
    """
    regions = linear_regions(model, bounds)
    if regions.vertices.shape[1] != 1:
        raise ValueError("model has 2 inputs: wanted 1")
    slopes = regions.A[:, :, 0]
    steep = np.abs(slopes)
    scale = SAME_SLOPE * np.maximum(steep[1:], steep[:-1]) + np.finfo(float).eps * steep.max(axis=0)
    new = np.concatenate([[True], (np.abs(np.diff(slopes, axis=0)) > scale).any(axis=1)])
    knots = np.append(regions.vertices[regions.starts[new], 0], regions.vertices[-1, 0])
    return Pieces(knots, slopes[new], regions.c[new])


def breakpoints(model: nn.Module, bounds: tuple[float, float]) -> Floats:
    """Return where a network of one input changes its slope inside the interval, from left to right.

    Raises TypeError or ValueError that names the argument at fault.
    """
    return linear_pieces(model, bounds).knots[1:-1]


# --- the network and the box as arrays --------------------------------------------------------------------


class _Layer(NamedTuple):
    weight: Floats  # [n_out, n_in]
    bias: Floats
    slope: float  # of the activation that follows, for negative preactivations


class _Box(NamedTuple):
    centre: Floats  # [n_in]
    half: Floats  # [n_in]
    low: Floats
    high: Floats
    reach: float  # the tolerance for distances in the scaled box


def _flattened(model: nn.Module) -> list[nn.Module]:
    if not isinstance(model, nn.Sequential):
        raise TypeError(f"model is {model!r}: wanted an nn.Sequential of Linear and ReLU, LeakyReLU or Identity")
    return [m for child in model for m in (_flattened(child) if isinstance(child, nn.Sequential) else [child])]


def _finite(name: str, value: ArrayLike) -> Floats:
    if isinstance(value, torch.Tensor):
        value = value.detach().cpu()
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(f"{name} is {value!r}: wanted numbers") from None
    if not np.isfinite(array).all():
        raise ValueError(f"{name} has values that are NaN or infinite: wanted finite numbers")
    return array


def _parameters(name: str, layer: nn.Linear) -> tuple[Floats, Floats]:
    weight = _finite(f"{name}.weight", layer.weight)
    return weight, np.zeros(len(weight)) if layer.bias is None else _finite(f"{name}.bias", layer.bias)


def _layers(model: nn.Module) -> list[_Layer]:
    """Return affine layers with an activation between each two, neighbouring nn.Linear composed; the last is affine."""
    layers: list[_Layer] = []
    pending: tuple[Floats, Floats] | None = None  # the affine map since the last activation, None: the identity
    width = None
    for i, module in enumerate(_flattened(model)):
        if isinstance(module, nn.Linear):
            weight, bias = _parameters(f"model[{i}]", module)
            if width not in (None, weight.shape[1]):
                raise ValueError(f"model[{i}] has {weight.shape[1]} inputs: wanted {width}, as many as come to it")
            pending = (weight, bias) if pending is None else (weight @ pending[0], weight @ pending[1] + bias)
            width = len(bias)
        elif isinstance(module, nn.ReLU | nn.LeakyReLU):
            if width is None:
                raise ValueError(f"model starts with {type(module).__name__}: wanted nn.Linear first")
            layers.append(_Layer(*(pending or (np.eye(width), np.zeros(width))), _slope(i, module)))
            pending = None
        elif not isinstance(module, nn.Identity):
            raise ValueError(f"model[{i}] is {module}: wanted Linear, ReLU, LeakyReLU or Identity")
    if width is None:
        raise ValueError(f"model is {model}: wanted at least one nn.Linear")
    return [*layers, _Layer(*(pending or (np.eye(width), np.zeros(width))), 1.0)]


def _slope(i: int, module: nn.Module) -> float:
    return float(_finite(f"model[{i}].negative_slope", getattr(module, "negative_slope", 0.0)))


def _checked(model: nn.Module, bounds: Bounds) -> tuple[list[_Layer], _Box]:
    layers = _layers(model)
    n_in = layers[0].weight.shape[1]
    if n_in not in (1, 2):
        raise ValueError(f"model has {n_in} inputs: wanted 1 or 2")
    if n_in == 1:
        sides = [interval("bounds", bounds)]
    else:
        if not hasattr(bounds, "__len__") or len(bounds) != 2:
            raise TypeError(f"bounds is {bounds!r}: wanted ((x_low, x_high), (y_low, y_high)) for 2 inputs")
        sides = [interval(f"bounds[{i}]", side) for i, side in enumerate(bounds)]
    low, high = np.array(sides).T
    centre, half = low / 2 + high / 2, high / 2 - low / 2
    reach = max(TOLERANCE, 4 * np.finfo(float).eps * float((np.abs(centre) / half).max()))
    if reach > 1e-3:
        raise ValueError(f"bounds is {bounds!r}: wanted a box wide enough for float64 to tell its points apart")
    return layers, _Box(centre, half, low, high, reach)


def _network(layers: list[_Layer], box: _Box) -> Any:
    """Return the layers as flat arrays for the compiled walk, for inputs scaled to [-1, 1]."""
    from utils.engine import compiled_regions as compiled

    first = layers[0]
    scaled, offset = first.weight * box.half, first.weight @ box.centre
    sizes = [np.abs(layer.bias) for layer in layers]
    sizes[0] = sizes[0] + np.abs(first.weight) @ np.abs(box.centre)
    layers = [_Layer(scaled, first.bias + offset, first.slope), *layers[1:]]
    widths = np.array([len(box.centre), *(len(layer.bias) for layer in layers)], dtype=np.int64)
    return compiled.Network(
        widths=widths,
        weights=np.concatenate([layer.weight.T.ravel() for layer in layers]),
        first_weight=np.concatenate([[0], np.cumsum(widths[:-1] * widths[1:])[:-1]]),
        biases=np.concatenate([layer.bias for layer in layers]),
        sizes=np.concatenate(sizes),
        norms=np.concatenate([_norms(layer.weight) for layer in layers]),
        first_unit=np.concatenate([[0], np.cumsum(widths[1:])[:-1]]),
        slopes=np.array([1.0, *(layer.slope for layer in layers[:-1])]),
    )


def _norms(weight: Floats) -> Floats:
    with np.errstate(over="ignore"):  # the walk says so
        return np.linalg.norm(weight, axis=1)


@withholdable
def _walk(layers: list[_Layer], box: _Box, collect: bool) -> tuple:
    """Return (count, x, y, ends, bits, maps): see `compiled_regions.walk`."""
    from utils.engine import compiled_regions as compiled

    if len(box.centre) == 1:
        x, y = np.array([-1.0, 1.0]), np.zeros(2)
    else:
        x, y = np.array([-1.0, 1.0, 1.0, -1.0]), np.array([-1.0, -1.0, 1.0, 1.0])
    arguments = _network(layers, box), x, y, box.reach, collect
    if is_fresh(compiled.walk):
        compile_first(compiled.walk, arguments, COMPILING)
    cells = compiled.walk(*arguments)
    if cells[0] < 0:
        raise ValueError("model has weights so large that its values overflow in the box: wanted finite values")
    return cells


def _scaled_back(points: Floats, box: _Box) -> Floats:
    return ((1 - points) * box.low + (1 + points) * box.high) / 2  # exact at the box's sides


def _assembled(layers: list[_Layer], box: _Box, cells: tuple) -> Regions:
    _, x, y, ends, bits, maps = cells
    n_in = len(box.centre)
    vertices = _scaled_back(np.stack([x, y][:n_in], axis=1), box)
    A = maps[:, :n_in].transpose(0, 2, 1) / box.half
    c = maps[:, 2] - A @ box.centre
    if n_in == 1:
        order = np.argsort(vertices[::2, 0])
        vertices, bits, A, c = vertices.reshape(-1, 2, 1)[order].reshape(-1, 1), bits[order], A[order], c[order]
    return Regions(vertices, ends, bits, tuple(len(layer.bias) for layer in layers[:-1]), A, c)


def _boundary(x: Floats, y: Floats, ends: NDArray[np.int64], maps: Floats, box: _Box) -> Floats:
    """Return the zero set's segments [n, 2, 2] in the scaled box, for maps [cells, 4] (see `walk`)."""
    from scipy.spatial import cKDTree

    from utils.engine import compiled_regions as compiled

    starts = np.concatenate([[0], ends[:-1]])
    if is_fresh(compiled.zero_segments):
        compile_first(compiled.zero_segments, (x, y, starts, ends, maps), COMPILING)
    segments, on_edge = compiled.zero_segments(x, y, starts, ends, maps)
    at_side = (np.abs(np.abs(segments).min(axis=1) - 1) <= box.reach) & (np.ptp(segments, axis=1) <= box.reach)
    keep = ~(on_edge & at_side.any(axis=1))
    edges = np.flatnonzero(on_edge & keep)
    if len(edges):
        there, back = segments[edges].reshape(-1, 4), segments[edges][:, ::-1].reshape(-1, 4)
        _, twin = cKDTree(back).query(there)
        distance = np.abs(back[twin] - there).max(axis=1)
        keep[edges[distance <= 8 * box.reach]] = False  # positive on both sides
    return segments[keep]
