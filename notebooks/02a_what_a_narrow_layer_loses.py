# %% [markdown]
r"""
# 02a What a narrow layer loses
"""

# %%
# set-up
from utils.figures import show_figure, use_style
from utils.keeping import download, feedback
from utils.lesson_02 import page
from utils.predictions import predict, reveal

use_style()
