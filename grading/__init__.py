"""Marking a class: ``python -m grading grade SUBMISSIONS --out DIR``. README.md in this folder is for instructors.

Each part has a module of its own, so that it can be replaced:

- what was handed in: ``submissions`` finds it, with ``names`` and ``archives``, ``notebook_answers`` the answers in a
  student's notebooks, ``readers`` what students predicted and remarked;
- what to run: ``course`` reads a lesson, ``marking`` makes jobs of answers, ``pieces`` has a submission's jobs run,
  here or ``on_cluster``, and ``grading_run`` everybody's;
- a student's process: ``runner`` and ``worker_pool`` run jobs in a ``worker`` and speak with it by the ``protocol``;
  the latter has ``fork_server`` fork it in the ``sandbox`` of ``sandbox_selection``, by means of ``namespaces``
  and ``seccomp``, while ``idling`` watches who does nothing;
- marks: ``judging`` judges what came back, in one of the grader's ``own_processes``, and ``gradebook`` keeps it;
- what counts: ``class_rules`` and ``lateness`` say it, ``final_scores`` makes scores of it;
- what people see: ``by_hand``, ``export``, ``class_summary`` and ``platforms`` write tables and pages, with ``tables``
  and ``pseudonyms``, and ``reports`` joins these; ``progress`` says how far a run has come;
- elsewhere: ``gradescope`` packs what ``gradescope_run`` marks there, with ``gradescope_results``; ``demo`` invents a
  class. ``scratch`` makes the folders that are gone in the end.
"""

try:
    import fcntl  # noqa: F401
except ImportError:
    raise SystemExit(
        "Marking needs Linux or macOS. On Windows install WSL (wsl --install), and run the same command there."
    ) from None


class GradingError(Exception):
    """Something that stops the whole run; its text is one sentence for whoever started it."""
