"""Notebook kernels: forked from a loaded process, and started from nothing."""

from __future__ import annotations

import os
import statistics
import time
from pathlib import Path
from typing import Any

from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import KernelManager

from authoring.execution import OwnKernel

CELL = "import torch"
SECONDS = 120


def measure(full: bool = False) -> dict[str, Any]:
    """Everything `show` prints. Quick: 3 rounds of one kernel on each side, in turn; full: 10."""
    first = one(Forked)  # with its parent, which the others find loaded
    rounds = [{name: one(kind) for name, kind in SIDES.items()} for _ in range(10 if full else 3)]
    return {
        "load": [os.getloadavg()[0], os.cpu_count()],
        "first": first,
        "rounds": rounds,
        "ratios": {what: spread([r["fresh"][what] / r["forked"][what] for r in rounds]) for what in first},
    }


class Forked(KernelManager):
    """Starts kernels as a build does."""

    kernel_spec = property(lambda self: OwnKernel().kernel_spec)


class Fresh(KernelManager):
    """Starts the same kernels from nothing."""

    @property
    def kernel_spec(self) -> KernelSpec:
        """The kernel of a build, without its provisioner."""
        spec = OwnKernel().kernel_spec
        spec.metadata = {}
        return spec


SIDES = {"fresh": Fresh, "forked": Forked}


def one(kind: type[KernelManager]) -> dict[str, float]:
    """The seconds until a kernel is ready, of its first cell, and of both."""
    manager = kind()
    start = time.perf_counter()
    manager.start_kernel(cwd=str(Path.cwd()))
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(SECONDS)
        ready = time.perf_counter()
        client.execute_interactive(CELL, timeout=SECONDS)
        end = time.perf_counter()
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    return {"ready": ready - start, CELL: end - ready, "both": end - start}


def spread(values: list[float]) -> dict[str, float]:
    """The median and the extremes."""
    return {"median": statistics.median(values), "low": min(values), "high": max(values)}


def show(figures: dict[str, Any]) -> str:
    """The figures as text."""
    load, cores = figures["load"]
    lines = [f"load {load:.1f} on {cores} cores; the first forked kernel, with its parent: "
             f"{figures['first']['both']:.1f} s"]  # fmt: skip
    for what, ratio in figures["ratios"].items():
        fresh, forked = (statistics.median(r[name][what] for r in figures["rounds"]) for name in SIDES)
        lines.append(f"{what}: fresh {fresh:.2f} s, forked {forked:.2f} s, ratio {ratio['median']:.1f} "
                     f"[{ratio['low']:.1f}, {ratio['high']:.1f}]")  # fmt: skip
    return "\n".join(lines)
