"""The claims of lesson 07."""

from __future__ import annotations

from utils.claims import Claim

CLAIMS = [
    # the path

    # 07a, why skips help

    # 07b, fitting too well

    # 07c, depth in images and in text
]
