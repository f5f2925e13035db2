"""The course's one look for figures, and how a figure reaches the page: as a small PNG with its text in words."""

from __future__ import annotations

import base64
import html
import io

import matplotlib.pyplot as plt
from cycler import cycler
from matplotlib.figure import Figure
from PIL import Image

from utils.commitments import waits
from utils.pages import KEY, figure_text

DPI = 90
# Okabe & Ito's palette (2008), which readers with any common colour vision can tell apart; the yellow is left
# out, since it is hard to see on white. Line styles repeat what the colours say. Orange and sky stand out least from
# white (2.3 to 1); darker ones would come too near to red and green for some readers, so they are taken last.
COLOURS = {
    "blue": "#0072B2",
    "orange": "#E69F00",
    "green": "#009E73",
    "red": "#D55E00",
    "purple": "#CC79A7",
    "sky": "#56B4E9",
    "black": "#000000",
    "grey": "#767676",
}
_CYCLE = cycler(color=[COLOURS[name] for name in ("blue", "red", "green", "black", "purple", "orange", "sky")])
_LINES = cycler(linestyle=["-", "--", "-.", ":", (0, (5, 1)), (0, (1, 1)), (0, (3, 1, 1, 1, 1, 1))])


def use_style() -> None:
    """Set the course's style for every figure that follows."""
    plt.rcParams.update(
        {
            "axes.prop_cycle": _CYCLE + _LINES,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "grid.alpha": 0.25,
            "grid.linestyle": "-",
            "axes.titlesize": 11,
            "axes.labelsize": 10,
            "legend.frameon": False,
            "legend.fontsize": 9,
            "figure.figsize": (8, 3.2),
            "figure.dpi": DPI,
            "figure.constrained_layout.use": True,
            "lines.linewidth": 1.8,
            "font.size": 10,
        }
    )


def png(figure: Figure) -> bytes:
    """Return the figure as PNG of at most 256 colours, without a date or a version in it, and close it.

    The palette takes a picture to less than half its size, so that a lesson with its figures stays light.
    """
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=DPI)
    plt.close(figure)
    return smaller(drawn.getvalue())


def smaller(drawn: bytes) -> bytes:
    """Return a PNG with at most 256 colours, and nothing but its pixels in it."""
    small = io.BytesIO()
    picture = Image.open(io.BytesIO(drawn)).convert("RGB")
    picture.quantize(256, dither=Image.Dither.NONE).save(small, "PNG", optimize=True)
    return small.getvalue()


def show_figure(figure: Figure, words: str, *, answers: str | None = None) -> None:
    """Display the figure with its content in words, and close it.

    One that ``answers`` a prediction, named by its key, is folded until a reader has committed, and in a built page.

    ``words`` is the key of a figure that a room has registered (see `utils.pages`), whose title is then drawn above
    it, or a sentence that says what it shows.

    The words stand in three places, since no page reads them all: VS Code takes them from the plain text, some of
    nbconvert's pages from the metadata, and for everybody else they follow as text. An <img> with an alt attribute
    would need text/html, and where that is not trusted the picture itself would be lost.

    Raises ValueError where ``words`` is empty: a figure without them says nothing to a reader who cannot see it;
    UnknownKey for a key that nobody has registered.
    """
    from IPython.display import HTML, display

    alt = titled(figure, words)
    if waits(answers):
        return display(
            {
                "text/html": f"<details><summary>The figure</summary>{in_html(png(figure), alt)}</details>",
                "text/plain": alt,
            },
            raw=True,
        )
    display({"image/png": png(figure), "text/plain": alt}, metadata={"image/png": {"alt": alt}}, raw=True)
    display(HTML(f"<details><summary>The figure in words</summary>{html.escape(alt)}</details>"))


def in_html(picture: bytes, words: str) -> str:
    """Return a PNG as HTML, with its words folded below it."""
    source = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
    image = f'<img alt="{html.escape(words)}" style="max-width: 100%" src="{source}">'
    return f"{image}<details><summary>The figure in words</summary>{html.escape(words)}</details>"


def titled(figure: Figure, words: str) -> str:
    """Return what a figure shows, by its key or as it is said, and draw its title above it where it has one.

    Raises as `show_figure` does.
    """
    if not words.strip():
        raise ValueError("the words are empty; a sentence that says what the figure shows is wanted")
    if KEY.fullmatch(words):
        known = figure_text(words)
        figure.suptitle(known.title, x=0.01, horizontalalignment="left", fontsize=12, fontweight="bold")
        words = known.alt
    return " ".join(words.split())
