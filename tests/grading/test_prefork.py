"""What a process has to be before it is forked."""

from __future__ import annotations

import os
import subprocess
import sys


def test_a_process_that_ran_a_parallel_region_is_not_forked(root):
    code = """
import torch
from grading.prefork import settle
settle()
torch.set_num_threads(2)
torch.ones(10**6).exp()
try:
    settle()
except RuntimeError as error:
    print(error)"""
    environment = {**os.environ, "OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", code], cwd=root, env=environment, capture_output=True, text=True)
    assert done.stdout == "left threads running (not of Python)\n", done.stderr
