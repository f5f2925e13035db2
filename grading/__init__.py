"""Marking a class: ``python -m grading grade SUBMISSIONS --out DIR``.

Each part has a module of its own, so that it can be replaced. What was handed in: ``submissions``, with ``names`` and
``archives``; one student's notebooks: ``notebook_answers``. Marks: ``marking`` says what to run, ``runner`` and
``worker_pool`` run it in a ``worker``, the latter in the ``sandbox`` of ``sandbox_selection``; ``judging`` judges what
came back, ``gradebook`` keeps it, ``grading_run`` joins them. What people see: ``final_scores`` says what counts, with
``lateness``; ``by_hand``, ``export`` and ``class_summary`` write tables and pages, ``reports`` joins these. README.md
in this folder is for instructors.
"""


class GradingError(Exception):
    """Something that stops the whole run; its text is one sentence for whoever started it."""
