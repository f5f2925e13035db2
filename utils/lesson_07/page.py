"""What lesson 07's pages use, under one name, and their predictions."""

# ruff: noqa: F401, I001 (what is imported here, the pages take from here)

# the path
from utils.lesson_07.networks import digits, plain, stream
# 07a
# 07b
# 07c
from utils.pages import Prediction, register

PREDICTIONS: dict[str, Prediction] = {
    # the path

    # 07a

    # 07b

    # 07c
}
register(PREDICTIONS)
