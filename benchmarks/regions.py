"""Exact linear regions: side by side with relucent, and with sampling activation patterns on a grid."""

from __future__ import annotations

import resource
from typing import Any

import torch
from torch import Tensor, nn

from benchmarks import spread, timed
from utils.models import mlp
from utils.regions import count_regions, linear_regions

BOX = ((-10.0, 10.0), (-10.0, 10.0))
# relucent explores the whole plane: this box holds all vertices of the small network's cells
WHOLE_PLANE = ((-1e4, 1e4), (-1e4, 1e4))


def network(*hidden: int) -> nn.Sequential:
    """Return a network with two inputs, one output and PyTorch's default initialisation, the same in every run."""
    return mlp([2, *hidden, 1], generator=torch.Generator().manual_seed(0))


def speed(hidden: tuple[int, ...], rounds: int, box: Any = BOX) -> dict[str, Any]:
    """Return regions per second, counted and listed, alternating."""
    model = network(*hidden)
    counted, listed = [], []
    for _ in range(rounds):
        t_count, n = timed(lambda: count_regions(model, box))
        t_list, regions = timed(lambda: linear_regions(model, box))
        assert len(regions) == n
        counted.append(n / t_count)
        listed.append(n / t_list)
    return {"hidden": hidden, "regions": n, "count_per_second": spread(counted), "list_per_second": spread(listed)}


def against_relucent(hidden: tuple[int, ...], rounds: int) -> dict[str, Any] | str:
    """Return both programs list the regions of one network, alternating; a sentence where relucent is missing."""
    try:
        import relucent
    except ImportError:
        return "relucent is not installed (requirements-peers.txt): not compared"
    model = network(*hidden).double()
    ours, theirs, ratios = [], [], []
    for _ in range(rounds):
        t_ours, regions = timed(lambda: linear_regions(model, WHOLE_PLANE))
        their_complex = relucent.Complex(model)
        t_theirs, _ = timed(lambda c=their_complex: c.bfs(nworkers=1, verify=False, verbose=0))
        ours.append(t_ours)
        theirs.append(t_theirs)
        ratios.append(t_theirs / t_ours)
    return {
        "hidden": hidden,
        "regions": len(regions),
        "relucent_regions": len(their_complex),
        "seconds": spread(ours),
        "relucent_seconds": spread(theirs),
        "ratio": spread(ratios),
    }


@torch.no_grad()
def sampled_patterns(model: nn.Sequential, box: Any, points: int, rows: int = 64) -> int:
    """Return the number of activation patterns that a grid of points × points sees."""
    x, y = (torch.linspace(low, high, points) for low, high in box)
    seen = [_patterns(model, torch.cartesian_prod(part, y)) for part in x.split(rows)]
    return len(torch.unique(torch.cat(seen)))


def _patterns(model: nn.Sequential, X: Tensor) -> Tensor:
    """Return one 64-bit hash per pattern that occurs: random odd multipliers, one per unit."""
    generator = torch.Generator().manual_seed(1)
    code = torch.zeros(len(X), dtype=torch.int64)
    for layer in model:
        if isinstance(layer, nn.ReLU):
            keys = torch.randint(-(2**62), 2**62, (X.shape[1],), generator=generator)
            code += torch.where(X > 0, keys, 0).sum(dim=1)
        X = layer(X)
    return torch.unique(code)


def against_sampling(hidden: tuple[int, ...], grids: tuple[int, ...], rounds: int) -> list[dict[str, Any]]:
    """Return for each grid: the regions that it misses, and its seconds beside the exact count's, alternating."""
    model, results = network(*hidden), []
    for points in grids:
        times, ratios = [], []
        for _ in range(rounds):
            t_ours, n = timed(lambda: count_regions(model, BOX))
            t_grid, found = timed(lambda p=points: sampled_patterns(model, BOX, p))
            times.append(t_grid)
            ratios.append(t_grid / t_ours)
        results.append(
            {"points": points**2, "regions": n, "found": found, "seconds": spread(times), "ratio": spread(ratios)}
        )
    return results


def measure(full: bool = False) -> dict[str, Any]:
    """Return everything `show` prints. Quick: under a minute; full: larger networks, among them a million regions."""
    count_regions(network(2), BOX)  # compiled before anything is timed
    linear_regions(network(2), BOX)
    growth = [(64,), (256,), (512,)] + ([(1024,), (1450,)] if full else [])
    return {
        "speed": speed((64, 64, 64), rounds=15 if full else 7),
        "growth": [speed(hidden, rounds=3, box=((-30, 30), (-30, 30))) for hidden in growth],
        "relucent": against_relucent((16, 16) if full else (8, 8), rounds=3),
        "sampling": against_sampling((64, 64, 64), (100, 300, 1000) + ((3000,) if full else ()), rounds=3),
        "peak_mebibytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def show(figures: dict[str, Any]) -> str:
    """Return the figures as text."""
    rows = [_speed_row(figures["speed"]), "one hidden layer, growing:"]
    rows += ["  " + _speed_row(row) for row in figures["growth"]]
    peer = figures["relucent"]
    if isinstance(peer, str):
        rows.append(peer)
    else:
        rows.append(
            f"relucent, hidden {_names(peer)}: {peer['relucent_regions']} regions in "
            f"{peer['relucent_seconds']['median']:.3g} s; "
            f"ours: {peer['regions']} in {peer['seconds']['median']:.3g} s; ratio {_range(peer['ratio'])}"
        )
    for row in figures["sampling"]:
        missed = row["regions"] - row["found"]
        rows.append(
            f"grid of {row['points']:,} points: {row['found']:,} of {row['regions']:,} regions, {missed:,} missed "
            f"({missed / row['regions']:.1%}); time of the grid / ours: {_range(row['ratio'])}"
        )
    return "\n".join([*rows, f"peak memory {figures['peak_mebibytes']:.0f} MiB"])


def _names(row: dict[str, Any]) -> str:
    return "-".join(map(str, row["hidden"]))


def _range(values: dict[str, float]) -> str:
    return f"{values['median']:,.3g} ({values['low']:,.3g} to {values['high']:,.3g})"


def _speed_row(row: dict[str, Any]) -> str:
    counted, listed = ({k: v / 1000 for k, v in row[f"{what}_per_second"].items()} for what in ("count", "list"))
    return (
        f"hidden {_names(row)}: {row['regions']:,} regions; thousand regions per second: "
        f"counted {_range(counted)}, listed {_range(listed)}"
    )
