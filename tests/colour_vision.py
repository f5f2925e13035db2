"""How far apart two colours are, and what people with other colour vision make of them."""

from __future__ import annotations

import math

import numpy as np
from matplotlib.colors import to_rgb

# Machado, Oliveira & Fernandes 2009, "A physiologically-based model for simulation of color vision deficiency", IEEE
# TVCG 15 (6), table 1: severity 1.0, for linear RGB.
VISION = {
    "full": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
# sRGB's primaries (IEC 61966-2-1) in CIE XYZ, and its white, D65.
_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
_WHITE = _XYZ.sum(axis=1)


def linear(colour: object) -> np.ndarray:
    """Return the colour in linear RGB, in [0, 1]."""
    rgb = np.array(to_rgb(colour))
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def luminance(colour: object) -> float:
    """Return the relative luminance, from 0 for black to 1 for white."""
    return float(_XYZ[1] @ linear(colour))


def contrast(one: object, other: object) -> float:
    """Return WCAG 2's contrast ratio, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def lab(colour: object, vision: str = "full") -> np.ndarray:
    """Return CIELAB's (L*, a*, b*) of the colour as this vision sees it."""
    seen = np.clip(VISION[vision] @ linear(colour), 0, 1)
    t = _XYZ @ seen / _WHITE
    x, y, z = np.where(t > (6 / 29) ** 3, np.cbrt(t), t / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def distance(one: np.ndarray, other: np.ndarray) -> float:
    """Return CIEDE2000's difference of two colours in CIELAB; about 1 is just noticeable side by side.

    Sharma, Wu & Dalal 2005, "The CIEDE2000 color-difference formula", equations 2 to 22.
    """
    (L1, a1, b1), (L2, a2, b2) = one, other
    mean = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * math.sqrt(mean**7 / (mean**7 + 25**7))
    C1, C2 = math.hypot(stretch * a1, b1), math.hypot(stretch * a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, stretch * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if C1 * C2 else 0.0
    h = h1 + h2 if C1 * C2 == 0 else h1 + turn / 2
    dL, dC, dH = L2 - L1, C2 - C1, 2 * math.sqrt(C1 * C2) * math.sin(math.radians(turn / 2))
    L, C = (L1 + L2) / 2, (C1 + C2) / 2
    T = 1 - 0.17 * _cos(h - 30) + 0.24 * _cos(2 * h) + 0.32 * _cos(3 * h + 6) - 0.20 * _cos(4 * h - 63)
    S_L = 1 + 0.015 * (L - 50) ** 2 / math.sqrt(20 + (L - 50) ** 2)
    S_C, S_H = 1 + 0.045 * C, 1 + 0.015 * C * T
    angle = 60 * math.exp(-((((h % 360) - 275) / 25) ** 2))
    rotation = -2 * math.sqrt(C**7 / (C**7 + 25**7)) * math.sin(math.radians(angle))
    parts = dL / S_L, dC / S_C, dH / S_H
    return math.sqrt(sum(part**2 for part in parts) + rotation * parts[1] * parts[2])


def _cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))
