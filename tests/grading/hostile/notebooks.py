"""Notebooks that are broken, bloated, or arranged to be misread."""

from __future__ import annotations

import gzip
import json

from tests.grading.hostile import (
    ATTACKED,
    HONEST,
    SIGNATURE,
    WRONG,
    World,
    kind,
    notebook,
    read_stub,
    saved,
    solutions,
    with_answer,
)

BOTH = {"01.2": 3, "01.3": 2}


def solved(*exercises: str, whole: bool = False) -> dict:
    """Return the stub with these exercises solved."""
    return notebook({exercise: solutions()[exercise] for exercise in exercises}, whole=whole)


def at(made: dict, beginning: str) -> dict:
    """Return the notebook's first cell that begins like this."""
    return next(cell for cell in made["cells"] if "".join(cell["source"]).startswith(beginning))


@kind("An empty file is unreadable, not a zero.", status="unreadable", quick=True)
def empty_file(world: World) -> bytes:
    return b""


@kind("A file cut off in the middle is unreadable.", status="unreadable", quick=True)
def truncated_file(world: World) -> bytes:
    data = saved(solved(ATTACKED, HONEST))
    return data[: len(data) // 2]


@kind("A file of 200 MB is refused by its size, before it is read.", status="unreadable")
def file_of_200_megabytes(world: World) -> None:
    with (world.submissions / "file-of-200-megabytes.ipynb").open("wb") as file:
        file.write(saved(solved(HONEST)))
        file.truncate(200_000_000)  # a hole: it takes no room on the disk


@kind("Nesting that no parser stands is unreadable.", status="unreadable")
def deeply_nested_file(world: World) -> bytes:
    return b'{"cells": ' + b"[" * 500_000


@kind(
    "Nesting in a part that nobody needs to read makes the file unreadable, too, rather than the grader.",
    status="unreadable",
)
def deeply_nested_metadata(world: World) -> bytes:
    data = saved(solved(ATTACKED, HONEST))
    return data.rstrip()[:-1] + b', "x": ' + b'{"x": ' * 200_000 + b"1" + b"}" * 200_000 + b"}"


@kind("A number of a million digits is no notebook.", status="unreadable")
def number_without_end(world: World) -> bytes:
    return saved(solved(HONEST)).rstrip()[:-1] + b', "nbformat_major": ' + b"9" * 1_000_000 + b"}"


@kind("Something else under a notebook's name is unreadable.", status="unreadable")
def packed_file(world: World) -> bytes:
    return gzip.compress(saved(solved(ATTACKED, HONEST)))


@kind("JSON that has everything but cells is unreadable.", status="unreadable")
def no_cells(world: World) -> bytes:
    return json.dumps({"cells": {"score": 15}, "points": 15, "metadata": {"grade": 15}}).encode()


@kind("Seven thousand cells, most of them nonsense: those that answer are found.", points=BOTH)
def many_cells(world: World) -> bytes:
    made = solved(ATTACKED, HONEST)
    junk = [None, 7, [], {}, {"cell_type": "code"}, {"cell_type": 3, "source": 4}, {"source": [1, None, ["x"]]}]
    return json.dumps({**made, "cells": junk * 1_000 + made["cells"]}).encode()


@kind("More text than anybody writes is no notebook, although the file is small enough.", status="unreadable")
def cells_without_end(world: World) -> bytes:
    made = solved(ATTACKED, HONEST)
    cell = {"cell_type": "code", "metadata": {}, "source": "# \N{GRINNING FACE}" + "a" * 6_000_000}
    return json.dumps({**made, "cells": [*made["cells"], cell]}, ensure_ascii=False).encode()


@kind("A lone half of a character pair is an error of its cell, and of no page.")
def half_a_character(world: World) -> bytes:
    return with_answer(f"# exercise {ATTACKED}\nprint('\ud800')\n{SIGNATURE}\n    return '\udfff'")


@kind("A null byte is no Python.")
def null_bytes(world: World) -> bytes:
    return with_answer(f"# exercise {ATTACKED}\n{SIGNATURE}\n    {WRONG}\n\x00")


@kind("What kernel a notebook names is not what runs it.", points=BOTH, quick=True)
def false_kernel(world: World) -> bytes:
    made = solved(ATTACKED, HONEST)
    touch = f"touch {world.outside / 'kernel'}"
    kernel = {"name": "../../../../bin/sh", "language": touch, "display_name": "<script>", "argv": ["sh", "-c", touch]}
    language = {"name": "bash", "file_extension": ".sh"}
    return saved({**made, "metadata": {"kernelspec": kernel, "language_info": language}})


@kind("Missing cells are missing, whatever stays is marked.")
def missing_cells(world: World) -> bytes:
    made = solved(HONEST)
    return saved({**made, "cells": [at(made, f"# exercise {HONEST}")]})


@kind("The set-up is the course's, whatever stands in the student's.")
def edited_set_up(world: World) -> bytes:
    made = notebook({ATTACKED: f"# exercise {ATTACKED}\n{SIGNATURE}\n    {WRONG}", HONEST: solutions()[HONEST]})
    at(made, "# set-up\n")["source"] = "# set-up\nraise SystemExit\ndef check(*args): print('3 of 3')"
    return saved(made)


@kind("A check cell that stands there twice is one cell that nobody runs.", points=BOTH)
def duplicated_checks(world: World) -> bytes:
    made = solved(ATTACKED, HONEST, whole=True)
    return saved({**made, "cells": [cell for cell in made["cells"] for _ in range(2)]})


@kind("Of two answers the last counts, here a wrong one; but the check above it was given the right one.", points=BOTH)
def duplicated_answers(world: World) -> bytes:
    made = solved(ATTACKED, HONEST)
    wrong = {**at(made, f"# exercise {ATTACKED}"), "source": f"# exercise {ATTACKED}\n{SIGNATURE}\n    {WRONG}"}
    return saved({**made, "cells": [*made["cells"], wrong]})


@kind("Answers are found wherever they stand: no answer needs another's cell.", points=BOTH)
def reordered_cells(world: World) -> bytes:
    made = solved(ATTACKED, HONEST)
    return saved({**made, "cells": made["cells"][::-1]})


@kind("Tags and cell metadata say nothing.", points=BOTH)
def retagged_cells(world: World) -> bytes:
    made = solved(ATTACKED, HONEST)
    marks = {"grade": True, "points": 1000, "solution": True, "locked": True, "schema_version": 3, "grade_id": "x"}
    for cell in made["cells"]:
        cell["metadata"] = {"tags": ["skip-execution", "nbval-ignore-output", "raises-exception"], "nbgrader": marks}
    return saved(made)


@kind("An answer turned into prose is read as the code that it was.", points=BOTH)
def answer_as_prose(world: World) -> bytes:
    made = solved(ATTACKED, HONEST)
    at(made, f"# exercise {ATTACKED}")["cell_type"] = "markdown"
    return saved(made)


@kind("An edited check cell earns nothing: nobody runs it.", quick=True)
def edited_checks(world: World) -> bytes:
    made = notebook({ATTACKED: f"# exercise {ATTACKED}\n{SIGNATURE}\n    {WRONG}", HONEST: solutions()[HONEST]})
    at(made, f'check("{ATTACKED}"')["source"] = f'print("✓ Exercise {ATTACKED}: 3 of 3 points.")'
    return saved(made)


@kind("Outputs that were filled in by hand are not looked at.")
def filled_outputs(world: World) -> bytes:
    made = notebook({ATTACKED: f"# exercise {ATTACKED}\n{SIGNATURE}\n    {WRONG}", HONEST: solutions()[HONEST]})
    text = f"✓ Exercise {ATTACKED}: 3 of 3 points.\n"
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": [text]}]
            cell["execution_count"] = 1
    return saved(made)


@kind("nbval's markers in an answer's cell change nothing, whether the answer is right ...", points=BOTH)
def nbval_markers(world: World) -> bytes:
    return with_answer(f"# NBVAL_SKIP\n{solutions()[ATTACKED]}\n# NBVAL_IGNORE_OUTPUT\n# PYTEST_VALIDATE_IGNORE_OUTPUT")


@kind("... or wrong.")
def nbval_markers_on_a_wrong_answer(world: World) -> bytes:
    return with_answer(f"# NBVAL_SKIP\n# exercise {ATTACKED}\n{SIGNATURE}\n    {WRONG}")


@kind("An answer that moved below another exercise's line is found by its name.", points=BOTH)
def answer_in_another_cell(world: World) -> bytes:
    answers = solutions()
    body = answers[ATTACKED].partition("\n")[2]
    made = notebook({ATTACKED: f"# exercise {ATTACKED}\npass", HONEST: f"{body}\n{answers[HONEST]}"})
    return saved(made)


@kind("Line and name of an answer belong together; but a check is done with what it is handed, below the other's line.")
def answers_swapped(world: World) -> bytes:
    answers = solutions()
    bodies = {exercise: answers[exercise].partition("\n")[2] for exercise in (ATTACKED, HONEST)}
    swapped = {ATTACKED: f"# exercise {ATTACKED}\n{bodies[HONEST]}", HONEST: f"# exercise {HONEST}\n{bodies[ATTACKED]}"}
    return saved(notebook(swapped))


@kind("A character of no width in the first line hides the line, not the answer.", points=BOTH)
def invisible_character(world: World) -> bytes:
    return with_answer(solutions()[ATTACKED].replace("# exercise", "# exer\u200bcise"))


@kind("In front of the line Python refuses it, in the notebook as here: nothing was answered that runs.")
def invisible_first_character(world: World) -> bytes:
    return with_answer("\u200b" + solutions()[ATTACKED])


@kind("A name spelt with another alphabet's letter is another name.")
def look_alike_name(world: World) -> bytes:
    return with_answer(solutions()[ATTACKED].replace("def left_weights", "def l\u0435ft_weights"))


@kind("Python reads styled letters as the plain ones, and so the answer is there.", points=BOTH)
def styled_name(world: World) -> bytes:
    styled = "\U0001d4c1\U0001d4ee\U0001d4eft_weights"
    return with_answer(solutions()[ATTACKED].replace("def left_weights", f"def {styled}"))


@kind("Text that runs backwards on the screen runs forwards in Python: this answer is wrong.")
def backwards_text(world: World) -> bytes:
    body = f"'''right: \u202e''' ; {WRONG} #\u2066 return np.diff(np.diff(values))\u2069"
    return with_answer(f"# exercise {ATTACKED}\n{SIGNATURE}\n    {body}")


@kind("Magics and shell lines do nothing here.", points=BOTH)
def shell_lines(world: World) -> bytes:
    touch = f"touch {world.outside / 'shell'}"
    head = f"!{touch}\n%sx {touch}\nget_ipython().system({touch!r})\n%load_ext autoreload"
    return with_answer(f"# exercise {ATTACKED}\n{head}\n{solutions()[ATTACKED].partition(chr(10))[2]}")


@kind("Exercises that there are not, or of another lesson, are not marked, and stop nothing.")
def foreign_exercises(world: World) -> bytes:
    made = solved(HONEST)
    ids = ("01.7", "01.99", "02.1", "99.1", "01.2.3", "../1", "01.02")
    extra = [{"cell_type": "code", "metadata": {}, "source": f"# exercise {found}\ndef f(): pass"} for found in ids]
    return saved({**made, "cells": [*extra, *made["cells"]]})


@kind("Definitions above an answer that loop for ever when they are compiled or bound cost its exercise.", hangs=2)
def loops_in_a_definition(world: World) -> bytes:
    made = solved(HONEST)
    trap = (
        "class Meta(type):\n    def __new__(cls, *args):\n        while True: pass\nclass Trap(metaclass=Meta): pass\n"
    )
    wrong = f"# exercise {ATTACKED}\n{SIGNATURE}\n    {WRONG}"
    cells = [{"cell_type": "code", "metadata": {}, "source": source} for source in (trap, wrong)]
    return saved({**made, "cells": [*made["cells"], *cells]})


@kind("A notebook in which nothing was begun has earned nothing, and that is a mark.", points={})
def nothing_begun(world: World) -> bytes:
    return saved(read_stub())
