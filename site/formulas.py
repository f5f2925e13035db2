"""Formulas as MathML, made while the site is built: no script, no font and no other server is asked for them."""

from __future__ import annotations

from docutils import nodes
from latex2mathml.converter import convert

LONG = 80  # characters; what may be wider than a narrow page can be moved by itself


def _inline(self, node) -> None:
    formula = convert(node.astext())
    is_long = len(node.astext()) > LONG
    self.body.append(f'<span class="formula" tabindex="0">{formula}</span>' if is_long else formula)
    raise nodes.SkipNode


def _displayed(self, node) -> None:
    self.body.append(f'<div class="formula" tabindex="0">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (_inline, None), (_displayed, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
