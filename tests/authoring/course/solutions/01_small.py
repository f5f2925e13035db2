# %% [markdown]
r"""
# 01 Small: exercises

Three exercises.
"""

# %%
# set-up
import math

from utils.exercises import check, show

# %% [markdown]
r"""
## Exercise 01.1: twice (2 points)

Return twice the number. A cell such as this one is found by its first line:

```
# exercise 01.1
# More on 01.1 than its heading says is no second heading.
```
"""

# %%
# exercise 01.1
def double(x: float) -> float:
    """Return twice x."""
    # BEGIN SOLUTION
    result = 2 * x

    return result
    # END SOLUTION


# %%
show("01.1", double)

# %%
check("01.1", double)

# %% [markdown]
r"""
## Exercise 01.2: the positive parts (1 point)

Return the sum of the positive numbers, and the length of the hypotenuse with legs 3 and 4 when there is none.
"""

# %%
# exercise 01.2
from functools import reduce  # noqa: E402


def positive_sum(values: list[float]) -> float:
    """Return the sum of the positive numbers."""
    total = 0.0
    for value in values:
        # BEGIN SOLUTION
        if value > 0:
            total = reduce(lambda a, b: a + b, [total, value])
        # END SOLUTION
    return total or math.hypot(3, 4)


# %%
check("01.2", positive_sum)

# %% [markdown]
r"""
## Exercise 01.3: why? (3 points)

Say why.
"""

# %% [markdown]
r"""
# exercise 01.3

Because the model answer says so.

And it has two paragraphs.
"""

# %%
check("01.3", None)
