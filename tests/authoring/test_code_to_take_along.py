"""Code that a page lends to be taken along runs without the course, and does what the course's own does."""

from __future__ import annotations

import importlib
import inspect
import re
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor, nn

from authoring.course import all_pages
from authoring.page_limits import TO_TAKE_ALONG
from tests.generators import seeded
from tests.marks import ROOT
from utils.figures import png
from utils.models import mlp

FOLD = re.compile(
    rf"<details><summary>{TO_TAKE_ALONG}: (?P<names>\w+(?:, \w+)*), from (?P<file>utils/[\w/]+\.py)</summary>\n\n"
    r"```python\n(?P<code>.*?)```\n\n</details>",
    re.DOTALL,
)
POINTS, LABELS = torch.linspace(-2, 2, 40).reshape(20, 2), torch.arange(20) % 2
# What each function is called with, where that is more than a number of points and a generator.
ARGUMENTS: dict[str, tuple] = {
    "kept": (np.repeat(np.arange(30), 7), 3),
    "rms": (np.array([0.3, -0.1, 2.0]),),
    "one_arm": (),
    "digit_images": (1,),
    "diagonal_flip": (),
    "load_table": ("digits", (0.6, 0.2, 0.2)),
    "plot_decision": (lambda points: torch.stack([points[:, 0] - 1, points[:, 1] ** 2], dim=1),),
    "plot_points": (POINTS, LABELS),
    "gradients": (np.array([1e-30, 1e-9, 0.02, 1e7]),),
    "weight_gradients": (mlp([2, 5, 5, 2], generator=seeded(1)), POINTS, LABELS),
    "digit_parts": (),
    "identity_block": (16,),
    "random_teacher": (),
    "spiral_parts": (1.5,),
}


@dataclass(frozen=True)
class Lent:
    """A function that a page lends: the page's stem, its name, the file it comes from and the code of its fold."""

    stem: str
    name: str
    file: str
    code: str


def all_lent() -> list[Lent]:
    found = []
    for page in all_pages(ROOT):
        source = page.source("notebooks").read_text(encoding="utf-8")
        folds = list(FOLD.finditer(source))
        assert source.count(TO_TAKE_ALONG) == len(folds), f"{page.stem}: a fold of another form"
        for fold in folds:
            found += [Lent(page.stem, name, fold["file"], fold["code"]) for name in fold["names"].split(", ")]
    return found


ALL = all_lent()


def result_of(function, name: str):
    arguments = ARGUMENTS.get(name, (50,))
    random = {"generator": seeded, "rng": np.random.default_rng}
    options = {name: random[name](3) for name in random if name in inspect.signature(function).parameters}
    with plt.rc_context():
        result = function(*arguments, **options)
        if isinstance(result, Axes):
            result = result.figure
        if isinstance(result, Figure):
            result = png(result)
    plt.close("all")
    return result


def same(one, other) -> bool:
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    if isinstance(one, nn.Module):
        return str(one) == str(other) and all(map(same, one.parameters(), other.parameters()))
    if isinstance(one, Tensor):
        return one.dtype == other.dtype and torch.equal(one, other)
    return one == other


@pytest.mark.parametrize("lent", ALL, ids=[f"{one.stem[:3].rstrip('_')}-{one.name}" for one in ALL])
def test_code_to_take_along_does_what_the_courses_own_does(lent):
    namespace: dict = {}
    exec(lent.code, namespace)
    assert "utils" not in lent.code
    own = getattr(importlib.import_module(lent.file.removesuffix(".py").replace("/", ".")), lent.name)
    assert same(result_of(namespace[lent.name], lent.name), result_of(own, lent.name))


def test_each_is_lent_once():
    assert len({one.name for one in ALL}) == len(ALL) > 0
