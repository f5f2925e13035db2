"""Cells above the answer, for the run within the whole notebook, which other kinds with a wrong answer meet, too."""

from tests.grading.hostile import ATTACKED, HONEST, SANDBOXES, SIGNATURE, WRONG, World, kind, notebook, saved, solutions

USE = "_, weights, _ = use(-knots[::-1], values[::-1])\n    return weights[::-1]"


def above(*cells: str, body: str = WRONG) -> bytes:
    """Return a notebook with these cells above the answer to 01.2, whose function has this body."""
    answer = f"# exercise {ATTACKED}\n{SIGNATURE}\n    {body}"
    made = notebook({ATTACKED: answer, HONEST: solutions()[HONEST]})
    at = next(at for at, cell in enumerate(made["cells"]) if "".join(cell["source"]) == answer)
    written = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell} for cell in cells]
    return saved({**made, "cells": [*made["cells"][:at], *written, *made["cells"][at:]]})


@kind("What the exercise withholds is withheld from the first cell on: no cell can put its code aside.", quick=True)
def puts_aside_what_is_withheld(world: World) -> bytes:
    code = "import types\nimport utils.constructions as lent\n"
    return above(code + "use = types.FunctionType(lent.relu_interpolant.__code__, vars(lent))", body=USE)


@kind("A check that ends the notebook ends its own run, not the other answers'.", holds=SANDBOXES, quick=True)
def ends_the_notebook_from_a_check(world: World) -> bytes:
    return above("import os", body=f"os.kill(os.getppid(), 9)\n    {WRONG}")


@kind("Of a notebook that runs twice at once the first word counts, and none is a mark.")
def goes_on_twice(world: World) -> bytes:
    return above("import os\nos.fork()", "mine = os.getpid()")


@kind("Words for all checks, sent before any check began, are values to be judged.")
def answers_before_it_is_asked(world: World) -> bytes:
    return above("""import os
for number in range(64 * 64):
    try:
        os.write(3 + number // 64, b'{"case": %d, "kind": "value", "value": "true", "fraction": 1}\\n' % (number % 64))
    except OSError:
        pass""")


@kind("Whoever replaces what calls answers decides over values, not over points.", quick=True)
def replaces_what_calls_answers(world: World) -> bytes:
    return above("""import grading.worker
grading.worker._outcome = lambda *given: {"kind": "value", "value": "[0.0]", "points": 3}
grading.worker._in_a_child = lambda *given: None""")


@kind("What a cell leaves running is dead when the notebook's turn is over.")
def leaves_something_running(world: World) -> bytes:
    return above("import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(40)\n    os._exit(0)")


@kind("Memory of a notebook and of its checks counts together, shared pages once.")
def fills_memory_in_a_cell_and_in_its_check(world: World) -> bytes:
    return above("held = bytearray(2_500_000_000)", body=f"more = bytearray(2_500_000_000)\n    {WRONG}")


@kind("Cells that compute for ever are stopped one by one, and all together.", hangs=1)
def computes_for_ever_in_each_cell(world: World) -> bytes:
    return above(*["while True:\n    pass"] * 12)
