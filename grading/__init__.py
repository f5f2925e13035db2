"""Marking a class: ``python -m grading grade SUBMISSIONS --out DIR``.

Each part has a module of its own, so that it can be replaced. What was handed in: ``collecting``, with ``names`` and
``archives``; one student's notebooks: ``submission``. Marks: ``runner`` runs the student's code, with ``child`` on the
other side, ``marking`` says what to run, ``judging`` judges what came back, ``store`` keeps it, ``rounds`` joins them.
What people see: ``counting`` says what counts, with ``lateness``; ``by_hand``, ``export`` and ``classroom`` write
tables and pages, ``results`` joins these. README.md in this folder is for instructors.
"""


class GradingError(Exception):
    """Something that stops the whole round; its text is one sentence for whoever started it."""
