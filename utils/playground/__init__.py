"""The playground: networks of two inputs that train in the page itself, without a kernel.

Its program are the small modules of JavaScript in this folder. For the site and for notebooks they are joined into one
script, beside a picture that the script replaces; where scripts do not run, the picture stays.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from typing import Any

from numpy.typing import ArrayLike
from torch import nn

from utils.environment import building
from utils.playground.joining import script
from utils.playground.models import network_of, untrained, with_model, written
from utils.playground.pictures import picture
from utils.playground.settings import DEFAULTS, address, checked, with_points


def playground(
    model: nn.Module | None = None,
    *,
    points: tuple[ArrayLike, ArrayLike] | None = None,
    saved: bool = False,
    **setting: Any,
) -> None:
    """Display the playground, once on a page: two networks, or one, to be trained and changed in the page.

    A built page holds it, to be played without a kernel, only where it is to be ``saved`` there; else a line that the
    site makes a link of.

    model: a network to begin with, as `utils.models.mlp` makes it, of two inputs, up to 8 hidden layers and 64 units a
    layer, and one output, or two: then the second's lead over the first. points: X [n, 2] and classes y, 0 or 1, up to
    2,000, of which every fourth is held out.
    ``setting``: keys of DEFAULTS. ``layers`` and ``against`` are hidden widths, ``against=None`` leaves one network;
    those in EACH are one value, or a list of two. What stands in a playground's address behind # says the same.

    Raises TypeError or ValueError that says what is wrong, and what to do.
    """
    from IPython.display import display

    page, words = as_html(model, points, setting)
    if building() and not saved:
        words = "Run this cell, and the playground appears here."
        page = f'<p data-setting="{html.escape(address(setting))}">{words}</p>'
    display({"text/html": page, "text/plain": words}, raw=True)


def as_html(model: nn.Module | None, points: tuple[ArrayLike, ArrayLike] | None, setting: dict) -> tuple[str, str]:
    """Return a piece of a page, the same bytes for the same input, and what is to be seen, in words.

    Raises as `playground` does.
    """
    setting, networks, weights = checked(setting), [], ""
    if model is not None:
        networks.append(network_of(model))
        setting = with_model(setting, networks[0])
        weights = f",{written(networks[0])}"
    if points is not None:
        setting = with_points(setting, *points)
    elif setting.get("data") == "given":
        raise ValueError("data is 'given': wanted points=(X, y), too")
    whole = {**DEFAULTS, **setting}
    networks += [untrained(whole, side) for side in range(len(networks), 1 if whole["against"] is None else 2)]
    drawn, words = picture(networks, whole, trained=model is not None)
    handed = json.dumps(setting, separators=(",", ":")).replace("<", "\\u003c") + weights
    name = hashlib.sha256(handed.encode()).hexdigest()[:16]
    source, said = base64.b64encode(drawn).decode(), html.escape(words)
    return (
        f'<div data-playground="{name}"><img src="data:image/png;base64,{source}" style="max-width:100%" alt="{said}">'
        f"</div><details><summary>The figure in words</summary>{said}</details>\n"
        f'<script>{script()}("{name}",{handed})</script>'
    ), words
