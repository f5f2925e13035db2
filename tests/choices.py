"""What a prediction calls right, for what might have been measured."""

from __future__ import annotations

from collections import defaultdict

from utils import rooms
from utils.pages import prediction


def assert_right(key: str, measured: dict, right: str) -> None:
    """Assert that of a prediction's choices the one that begins so is right, and its answer can be said.

    What the answer says of claims is no number that it formats, and need not be among what was measured.
    """
    rooms.module_of(key[:2], "page")  # which registers it
    asked = prediction(key)
    number = asked.right(**measured) if callable(asked.right) else asked.right
    assert asked.choices[number - 1].startswith(right)
    assert asked.answer.format_map(defaultdict(str, measured))
