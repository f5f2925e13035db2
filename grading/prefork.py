"""What a loaded process has to be before it is forked."""

from __future__ import annotations

import gc
import os
import threading


def settle() -> None:
    """Make what is loaded ready to be forked; raises RuntimeError where a thread runs, which a child would lack.

    A region of OpenMP leaves its threads behind, so this also refuses where one has run in parallel.
    """
    others = [thread.name for thread in threading.enumerate() if thread is not threading.current_thread()]
    if others or len(os.listdir("/proc/self/task")) > 1:
        raise RuntimeError(f"left threads running ({', '.join(others) or 'not of Python'})")
    gc.collect()
    gc.freeze()  # or each child's first collection would copy all of this
