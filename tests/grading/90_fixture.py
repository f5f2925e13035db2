# %% [markdown]
r"""
# 90 Fixture
"""

# %%
# set-up
import math

from utils.helper_90 import total_of

from utils.exercises import check

HALF = total_of([0.25, 0.25])
print("the set-up's own words")

# %% [markdown]
r"""
## Exercise 90.1
"""


# %%
# exercise 90.1
def double(x: float) -> float:
    """Return twice x."""
    # BEGIN SOLUTION
    return 2 * x
    # END SOLUTION


# %%
check("90.1", double)

# %% [markdown]
r"""
## Exercise 90.2
"""


# %%
# exercise 90.2
def total(values: list[float]) -> float:
    """Return the sum of the values."""
    # BEGIN SOLUTION
    return math.fsum(values)
    # END SOLUTION


# %%
check("90.2", total)
