"""The compiled walk over the activation cells of a ReLU network on a box, depth first.

A polygon of a layer's cell is cut by one crease after the other; what no crease of that layer cuts any more
becomes the starting polygon of the next layer. Only the path down to the current cell is kept, so counting
needs no memory per cell. A polygon inherits the list of the creases that cut its parent and looks at no others:
with creases in no special order, that makes the work proportional to the cells found.

Everything that is compiled is in this one file: Numba looks at no other when it decides whether its copy on
disk is still valid.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

# What a preactivation's rounding error is taken to be, in units of eps times the size of the sum's terms:
# generous for sums of some hundred terms, whose errors mostly cancel.
ROUNDING = 16 * np.finfo(np.float64).eps

# Products and sums may be fused, not reordered: the same order of sums gives the same cells in every run.
part = njit(error_model="numpy", fastmath={"contract"}, nogil=True, cache=True)
plain = njit(error_model="numpy", nogil=True, cache=True)


class Network(NamedTuple):
    """Affine layers, the last one the output, for inputs scaled so that the box is [-1, 1]²."""

    widths: np.ndarray  # inputs, hidden layers, outputs
    weights: np.ndarray  # per layer, transposed: all weights of one input next to each other
    first_weight: np.ndarray  # per layer: where its weights start
    biases: np.ndarray  # one per unit
    sizes: np.ndarray  # per unit: the size of what was summed to its bias
    norms: np.ndarray  # per unit: the Euclidean norm of its weights
    first_unit: np.ndarray  # per layer: where its units start
    slopes: np.ndarray  # per hidden layer: the activation's slope for negative preactivations


class Path(NamedTuple):
    """What is known along the path to the current cell. Row 0 holds the inputs, row l + 1 layer l."""

    maps: np.ndarray  # [layers + 1, 3, units]: preactivation = maps[0]·x + maps[1]·y + maps[2]
    tolerances: np.ndarray  # [layers + 1, units]: preactivations up to this size are taken for zero
    active: np.ndarray  # [layers + 1, units]
    low: np.ndarray  # [units]: scratch
    high: np.ndarray  # [units]: scratch


@plain
def grown(array, needed):
    """Return the array, or a copy of at least twice its length where it has fewer than `needed` rows."""
    if needed <= array.shape[0]:
        return array
    bigger = np.empty((max(needed, 2 * array.shape[0]),) + array.shape[1:], array.dtype)
    bigger[: array.shape[0]] = array
    return bigger


@part
def compose(net, path, layer, reach):
    """Write the layer's preactivations on the current cell, and their tolerances; False where they overflow."""
    n_in, n_out, start = net.widths[layer], net.widths[layer + 1], net.first_unit[layer]
    before, maps = path.maps[layer], path.maps[layer + 1]
    a, b, c = maps[0, :n_out], maps[1, :n_out], maps[2, :n_out]
    a[:] = 0.0
    b[:] = 0.0
    c[:] = net.biases[start : start + n_out]
    square = 0.0
    for j in range(n_in):
        slope = 1.0 if path.active[layer, j] else net.slopes[layer]
        if slope == 0.0:
            continue
        aj, bj, cj = slope * before[0, j], slope * before[1, j], slope * before[2, j]
        square += aj * aj + bj * bj + cj * cj
        first = net.first_weight[layer] + j * n_out
        weights = net.weights[first : first + n_out]
        for i in range(n_out):
            a[i] += weights[i] * aj
            b[i] += weights[i] * bj
            c[i] += weights[i] * cj
    norm = math.sqrt(square)
    largest = 0.0
    for i in range(n_out):
        size = net.norms[start + i] * norm + net.sizes[start + i]
        path.tolerances[layer + 1, i] = reach * (abs(a[i]) + abs(b[i])) + ROUNDING * size
        largest = max(largest, size)
    return math.isfinite(largest) and math.isfinite(norm)


@part
def all_ranges(path, layer, n_units, x, y):
    """Write the least and the greatest preactivation of all the layer's units over the polygon."""
    a, b, c = path.maps[layer + 1, 0], path.maps[layer + 1, 1], path.maps[layer + 1, 2]
    low, high = path.low, path.high
    for i in range(n_units):
        low[i] = high[i] = a[i] * x[0] + b[i] * y[0] + c[i]
    for v in range(1, x.size):
        for i in range(n_units):
            z = a[i] * x[v] + b[i] * y[v] + c[i]
            low[i] = z if z < low[i] else low[i]
            high[i] = z if z > high[i] else high[i]


@part
def one_range(path, layer, i, x, y):
    """Write the least and the greatest preactivation of one unit over the polygon."""
    a, b, c = path.maps[layer + 1, 0, i], path.maps[layer + 1, 1, i], path.maps[layer + 1, 2, i]
    low = high = a * x[0] + b * y[0] + c
    for v in range(1, x.size):
        z = a * x[v] + b * y[v] + c
        low, high = min(low, z), max(high, z)
    path.low[i], path.high[i] = low, high


@plain
def crossing(path, layer, units, found):
    """Return the number of the units that cut the polygon, written to `found`; the others' states are settled."""
    n = 0
    for i in units:
        tolerance = path.tolerances[layer + 1, i]
        if path.low[i] < -tolerance and path.high[i] > tolerance:
            found[n] = i
            n += 1
        else:
            path.active[layer + 1, i] = path.high[i] > tolerance
    return n


@plain
def split(x, y, z, tolerance, out_x, out_y):
    """Return the numbers of vertices of the positive and the negative part, which are written one after the other.

    A vertex within the tolerance belongs to both parts. Two vertices are a segment, more a closed polygon.
    """
    n, written = x.size, 0
    counts = (0, 0)
    for side in (1.0, -1.0):
        first = written
        for i in range(n):
            if side * z[i] >= -tolerance:
                out_x[written], out_y[written] = x[i], y[i]
                written += 1
            j = i + 1 if i + 1 < n else 0
            if (n > 2 or i == 0) and min(z[i], z[j]) < -tolerance and max(z[i], z[j]) > tolerance:
                # the same bits whichever end comes first, so that neighbours share their vertices
                out_x[written] = (z[i] * x[j] - z[j] * x[i]) / (z[i] - z[j])
                out_y[written] = (z[i] * y[j] - z[j] * y[i]) / (z[i] - z[j])
                written += 1
        counts = (counts[1], written - first)
    return counts


@plain
def pack(net, path, bits):
    """Write the activation pattern of the current cell, eight units to a byte, the first the lowest bit."""
    bits[:] = 0
    unit = 0
    for layer in range(net.widths.size - 2):
        for i in range(net.widths[layer + 1]):
            bits[unit >> 3] |= np.uint8(path.active[layer + 1, i]) << np.uint8(unit & 7)
            unit += 1


@plain
def new_path(net):
    """Return the path at its start: the inputs' own map."""
    shape = (net.widths.size, net.widths.max())
    path = Path(
        np.zeros((shape[0], 3, shape[1])),
        np.zeros(shape),
        np.zeros(shape, np.bool_),
        np.zeros(shape[1]),
        np.zeros(shape[1]),
    )
    for j in range(net.widths[0]):
        path.maps[0, j, j] = 1.0
        path.active[0, j] = True
    return path


@plain
def descend(net, path, layer, x, y, units, reach):
    """Return (layer, cuts): the next layer that cuts the polygon, and how many of its units do.

    cuts is 0 where none does, down to the output, and -1 where the numbers overflow.
    """
    n_hidden = net.widths.size - 2
    while True:
        layer += 1
        if not compose(net, path, layer, reach):
            return layer, -1
        if layer == n_hidden:
            return layer, 0
        n_units = net.widths[layer + 1]
        all_ranges(path, layer, n_units, x, y)
        cuts = crossing(path, layer, range(n_units), units)
        if cuts:
            return layer, cuts


@plain
def filtered(path, layer, candidates, units, x, y):
    """Return the number of the candidates that cut the polygon, written to `units`."""
    for i in candidates:
        one_range(path, layer, i, x, y)
    return crossing(path, layer, candidates, units)


@plain
def push_halves(path, table, top, layer, unit, first_crease, n_creases, xs, ys, first, n):
    """Put both parts of a polygon on the stack: from `first` on `n` vertices, cut by one unit's crease."""
    z = np.empty(n)
    end = first + n
    x, y = xs[first:end], ys[first:end]
    a, b, c = path.maps[layer + 1, 0, unit], path.maps[layer + 1, 1, unit], path.maps[layer + 1, 2, unit]
    for v in range(n):
        z[v] = a * x[v] + b * y[v] + c
    counts = split(x, y, z, path.tolerances[layer + 1, unit], xs[end:], ys[end:])
    for sign in (1, 0):
        size = counts[1 - sign]
        table[top] = (layer, end, size, first_crease, n_creases, unit, sign)
        end, top = end + size, top + 1
    return top


@plain
def walk(net, box_x, box_y, reach, collect):
    """Return (count, x, y, ends, bits, maps): all cells of the box, or their count alone; -1 where numbers overflow.

    x, y: the vertices of all cells, one after the other; ends: where each cell's vertices end; bits: the
    packed patterns; maps [cells, 4, n_out]: the outputs' affine maps in the scaled coordinates, and their
    tolerances.
    """
    n_hidden, n_out, widest = net.widths.size - 2, net.widths[-1], net.widths.max()
    path = new_path(net)
    xs, ys, creases = np.empty(1024), np.empty(1024), np.empty(4 * widest, np.int64)
    table = np.empty((64, 7), np.int64)  # what is still to be cut; the columns are in push_halves
    xs[: box_x.size], ys[: box_y.size] = box_x, box_y
    table[0] = (-1, 0, box_x.size, 0, 0, -1, 0)
    top, count, n_vertices = 1, 0, 0
    room = 256 if collect else 1
    x_out, y_out, ends = np.empty(4 * room), np.empty(4 * room), np.empty(room, np.int64)
    bits, maps = np.empty((room, (net.first_unit[n_hidden] + 7) // 8), np.uint8), np.empty((room, 4, n_out))
    while top:
        top -= 1
        layer, first, n, first_crease, n_creases, unit, sign = table[top]
        if unit >= 0:
            path.active[layer + 1, unit] = sign == 1
        x, y = xs[first : first + n], ys[first : first + n]
        end = first_crease + n_creases
        creases = grown(creases, end + widest)
        cuts = filtered(path, layer, creases[first_crease:end], creases[end:], x, y)
        if not cuts:
            layer, cuts = descend(net, path, layer, x, y, creases[end:], reach)
        if cuts < 0:
            count = -1
            break
        if cuts:
            # The middle one: creases are often sorted, and one from the end would cut off cell by cell
            middle = end + cuts // 2
            unit, creases[middle] = creases[middle], creases[end + cuts - 1]
            table = grown(table, top + 2)
            xs, ys = grown(xs, first + 3 * n + 8), grown(ys, first + 3 * n + 8)
            top = push_halves(path, table, top, layer, unit, end, cuts - 1, xs, ys, first, n)
            continue
        if collect:
            x_out, y_out, ends = grown(x_out, n_vertices + n), grown(y_out, n_vertices + n), grown(ends, count + 1)
            bits, maps = grown(bits, count + 1), grown(maps, count + 1)
            x_out[n_vertices : n_vertices + n] = x
            y_out[n_vertices : n_vertices + n] = y
            n_vertices += n
            ends[count] = n_vertices
            pack(net, path, bits[count])
            maps[count, :3] = path.maps[n_hidden + 1, :, :n_out]
            maps[count, 3] = path.tolerances[n_hidden + 1, :n_out]
        count += 1
    return count, x_out[:n_vertices], y_out[:n_vertices], ends[:count], bits[:count], maps[:count]


@plain
def cut(x, y, z, tolerance, out):
    """Return how many ends, written to `out` [2, 2], a polygon's segment z = 0 has; z is positive on its left."""
    found = 0
    for v in range(x.size):
        w = v + 1 if v + 1 < x.size else 0
        if abs(z[w]) <= tolerance or (z[v] > tolerance) == (z[w] > tolerance) and abs(z[v]) > tolerance:
            continue
        end = 0 if z[w] < 0.0 else 1  # counter-clockwise, the positive part's boundary leaves at the start
        if abs(z[v]) <= tolerance:
            out[end, 0], out[end, 1] = x[v], y[v]
        else:
            out[end, 0] = (z[v] * x[w] - z[w] * x[v]) / (z[v] - z[w])
            out[end, 1] = (z[v] * y[w] - z[w] * y[v]) / (z[v] - z[w])
        found += 1
    return found


@plain
def zero_segments(x, y, starts, ends, maps):
    """Return (segments [n, 2, 2], on_edge): where each cell's function is zero; on a segment's left it is positive.

    maps: [cells, 4] (see `walk`). on_edge tells two kinds apart: through a cell, where the function has both
    signs (False), and along an edge of a cell in which it is positive (True).
    """
    segments, on_edge, n = np.empty((64, 2, 2)), np.empty(64, np.bool_), 0
    for r in range(starts.size):
        px, py = x[starts[r] : ends[r]], y[starts[r] : ends[r]]
        z = maps[r, 0] * px + maps[r, 1] * py + maps[r, 2]
        tolerance = maps[r, 3]
        if z.max() <= tolerance:
            continue
        segments, on_edge = grown(segments, n + z.size), grown(on_edge, n + z.size)
        if z.min() < -tolerance:
            on_edge[n] = False
            n += cut(px, py, z, tolerance, segments[n]) == 2
            continue
        for v in range(z.size):
            w = v + 1 if v + 1 < z.size else 0
            if abs(z[v]) <= tolerance and abs(z[w]) <= tolerance:
                segments[n, 0, 0], segments[n, 0, 1] = px[v], py[v]
                segments[n, 1, 0], segments[n, 1, 1] = px[w], py[w]
                on_edge[n] = True
                n += 1
    return segments[:n], on_edge[:n]
