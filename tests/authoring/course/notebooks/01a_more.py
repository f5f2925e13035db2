# %% [markdown]
r"""
# 01a More: how much smaller?

It is read after the lesson, or never.
"""

# %%
# set-up
SEED = 1

# %% [markdown]
r"""
## 1 A difference (3 min)

Of $\alpha - \beta$ and a number.
"""

# %%
print("difference", 1 - 2)
