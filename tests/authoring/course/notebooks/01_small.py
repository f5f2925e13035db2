# %% [markdown]
r"""
# 01 Small: how small can a lesson be?

It adds numbers: $\alpha + \beta$.
"""

# %%
# set-up
import math

SEED = 0

# %% [markdown] tags=["aha"]
r"""
## 1 A sum (5 min)

The same cell twice: their ids differ.
"""

# %% tags=["idea"]
print("sum", 1 + 2)

# %% tags=["idea"]
print("sum", 1 + 2)

# %%
# %precision 3
float(math.pi)
