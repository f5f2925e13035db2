# %% [markdown]
r"""
# 01 Small: how small can a lesson be?

It adds numbers: $\alpha + \beta$.
"""

# %%
# set-up
import math

SEED = 0

# %% [markdown]
r"""
## 1 A sum

The same cell twice: their ids differ.
"""

# %%
print("sum", 1 + 2)

# %%
print("sum", 1 + 2)

# %%
# %precision 3
float(math.pi)
