"""Formulas as MathML, made while the site is built: no script and no other server is asked for them.

What latex2mathml does not know, or leaves without the spaces that TeX has, is mended here.
"""

from __future__ import annotations

import re

from docutils import nodes
from latex2mathml.converter import convert

LONG = 80  # characters; what may be wider than a narrow page can be moved by itself
TAG = re.compile(r"\\tag\{([^}]*)\}")
LATEX = (  # found, and what is converted in its place
    (re.compile(r"\\[Bb]ig[lr]?(?=\s*\\[lr](?:floor|ceil))"), ""),
    (re.compile(r"\\mathbb\s+(\w)"), r"\\mathbb{\1}"),
    (re.compile(r"\\mathbf\{1\}"), "𝟏"),
)
BAR, MINUS = '<mo stretchy="false">|</mo>', "<mo>&#x02212;</mo>"
BEFORE_A_SIGN = r'((?:<mrow>|<math[^>]*>|<mo stretchy="false">[(|]</mo>|<mo>&#x0003D;</mo>|<mo>,</mo>))'
MATHML = (
    (re.compile(re.escape(BAR)), '<mo stretchy="false" lspace="0" rspace="0">|</mo>'),
    (re.compile(BEFORE_A_SIGN + re.escape(MINUS)), r'\1<mo form="prefix">&#x02212;</mo>'),
    (
        re.compile(r"(<mi>(?:tanh|log|ln|exp|sin|cos)</mi>)(?=<m(?:i|n|sub|sup|frac|sqrt)>)"),
        r'\1<mspace width="0.17em"/>',
    ),
)


def mathml(latex: str, *, display: str = "inline") -> str:
    """Return a formula as MathML; raises ValueError for a command that is not known."""
    for found, wanted in LATEX:
        latex = found.sub(wanted, latex)
    formula = convert(latex, display=display)
    if "\\" in formula:
        raise ValueError(f"the site cannot show the formula {latex!r}: mend LATEX in site/formulas.py")
    for found, wanted in MATHML:
        formula = found.sub(wanted, formula)
    return formula


def _inline(self, node) -> None:
    formula = mathml(node.astext())
    is_long = len(node.astext()) > LONG
    self.body.append(f'<span class="formula" tabindex="0">{formula}</span>' if is_long else formula)
    raise nodes.SkipNode


def _displayed(self, node) -> None:
    """Write a formula of its own; a span, since it may stand within a paragraph."""
    latex, number = TAG.sub("", node.astext()), TAG.search(node.astext())
    formula = mathml(latex, display="block") + (f"<span>({number[1]})</span>" if number else "")
    self.body.append(f'<span class="formula displayed" tabindex="0">{formula}</span>')
    raise nodes.SkipNode


def setup(app):
    app.add_html_math_renderer("mathml", (_inline, None), (_displayed, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
