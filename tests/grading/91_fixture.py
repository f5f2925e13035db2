# %% [markdown]
r"""
# 91 Fixture
"""

# %%
# set-up
from utils.exercises import check

# %% [markdown]
r"""
## Exercise 91.1
"""


# %%
# exercise 91.1
def increment(n: int) -> int:
    """Return n + 1."""
    # BEGIN SOLUTION
    return n + 1
    # END SOLUTION


# %%
check("91.1", increment)

# %% [markdown]
r"""
## Exercise 91.2
"""

# %% [markdown]
r"""
# exercise 91.2
Because it does.
"""

# %%
check("91.2", None)
