"""What every runner does, with a sandbox and without: what it gives back, its limits, and whose fault a failure is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from grading import protocol
from grading.protocol import SetUpFailed, Stopped
from grading.runner import Runner, SubprocessRunner
from tests.grading.helpers import ROOT, alive, run, value, wait_for

TWO_CASES = ['{"dict": []}'] * 2
FORGED = """
import json, os, stat
def line(**record):
    for n in range(3, 300):
        try:
            if stat.S_ISSOCK(os.fstat(n).st_mode): os.write(n, json.dumps(record).encode() + b"\\n")
        except OSError: pass
"""
ROUND = ['{"dict": [["x", 1]]}', '{"dict": [["x", 2]]}']


@pytest.fixture(params=["sandbox", "none"])
def runner(request) -> Runner:
    return SubprocessRunner(ROOT) if request.param == "none" else request.getfixturevalue("best")


def test_values_and_what_the_cell_printed(runner):
    came = run(runner, "print('hello')\ndef f():\n    print('inside')\n    return 1.5\n1 / 0", cases=TWO_CASES)
    assert (came.ended, came.defined, came.output) == ("done", True, "hello\n")
    assert "ZeroDivisionError: division by zero (in the line: 1 / 0)" in came.cell_error
    assert [(at, one.value, one.printed) for at, one in came.messages.items()] == [
        (0, "1.5", "inside\n"),
        (1, "1.5", "inside\n"),
    ]


@pytest.mark.slow
def test_the_limit_of_time_and_the_earlier_cases(runner):
    code = (
        "calls = []\ndef f():\n    calls.append(1)\n    while len(calls) > 1:\n        try:\n"
        "            while True: pass\n        except BaseException: pass\n    return 7"
    )
    came = run(runner, code, cases=TWO_CASES, seconds=0.5)
    assert (came.ended, came.reason) == ("timeout", "was still running after 0.5 s and was stopped")
    assert came.messages[0].value == "7" and 1 not in came.messages


@pytest.mark.slow
def test_what_does_nothing_is_stopped(runner):
    """Asleep, reading what nobody writes, and waiting for a lock: all at a time, since each takes six seconds."""
    idle = ("time.sleep(60)", "os.read(os.pipe()[0], 1)", "lock.acquire(); lock.acquire()")
    codes = [f"import os, threading, time\nlock = threading.Lock()\ndef f():\n    {one}" for one in idle]
    with ThreadPoolExecutor() as pool:
        for came in pool.map(lambda code: run(runner, code, seconds=30), codes):
            assert (came.ended, came.reason, came.waited) == ("timeout", "did nothing for 6 s and was stopped", True)


@pytest.mark.full
def test_whoever_waits_for_a_processor_does_not_idle(runner):
    """Threads that follow one another compute two seconds, beside so many others that they wait for longer than six."""
    code = (
        "import threading, time\ndef step():\n    while time.thread_time() < 0.05: pass\ndef f():\n"
        "    started = time.monotonic()\n    for _ in range(40):\n        thread = threading.Thread(target=step)\n"
        "        thread.start(); thread.join()\n    return time.monotonic() - started"
    )
    busy = [
        subprocess.Popen([sys.executable, "-Sc", "while True: pass"], start_new_session=True)
        for _ in range(5 * len(os.sched_getaffinity(0)))
    ]
    try:
        came = run(runner, code, seconds=5)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert came.ended == "done" and float(came.messages[0].value) > 8, came


@pytest.mark.slow
def test_whether_the_cells_above_were_done_with(runner):
    hangs, double = "class Trap:\n    while True: pass", "def f(): return Trap or 2"
    came = run(runner, double, earlier=["x = 1", hangs], seconds=0.5)
    assert (came.earlier_ran, came.running) == (False, hangs)
    own = hangs.replace("Trap", "f")
    came = run(runner, own, earlier=[double, "1 / 0"], seconds=0.5)
    assert (came.ended, came.earlier_ran, came.cell_ran, came.running) == ("timeout", True, False, own)
    assert run(runner, double, earlier=["Trap = 1"]).running == ""


def test_an_answer_that_counts_as_false_is_one(runner):
    """At home it is called, too."""
    assert value(runner, "class F(list):\n    def __call__(self): return 3\nf = F()") == 3


def test_nothing_is_waited_for_that_was_left_behind(runner):
    """Or the reason would be another one: whoever does nothing is stopped."""
    came = run(runner, "import os, time\nif os.fork() == 0:\n    time.sleep(3600)\ndef f(): os._exit(3)")
    assert (came.ended, came.reason) == ("crashed", "ended its whole process (exit status 3)")


@pytest.mark.slow
def test_noise_has_limits(runner, monkeypatch):
    monkeypatch.setattr(protocol, "PRINTED_BYTES", 10**6)
    monkeypatch.setattr(protocol, "RESULT_BYTES", 10**6)
    came = run(runner, "while True: print('noise' * 1000)\ndef f(): pass")
    assert came.ended == "crashed" and came.reason.startswith("printed more than") and len(came.output) <= 20_000
    came = run(runner, "def f(): return 'x' * 2_000_000")
    assert came.ended == "crashed" and came.reason.startswith("returned more than")
    came = run(runner, FORGED + "def f():\n    while True: line(junk=1)")
    assert came.ended == "crashed" and came.reason == "wrote to the grader and was stopped"


def test_a_value_larger_than_any_right_one_is_an_error_and_the_next_case_has_its_turn(runner):
    code = "calls = []\ndef f():\n    calls.append(1)\n    return 'x' * (5000 // len(calls))"
    came = run(runner, code, cases=TWO_CASES, most=4000)
    assert came.messages[0].kind == "error" and "at most 4,000 are allowed" in came.messages[0].message
    assert came.messages[1].value == json.dumps("x" * 2500)


@pytest.mark.slow
def test_a_job_stops_when_told_to(runner):
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    with pytest.raises(Stopped):
        run(runner, "while True: pass", stop)


@pytest.mark.parametrize("set_up", ["1 / 0", "import os; os._exit(1)"])
def test_a_set_up_that_fails_is_not_the_students_fault(runner, set_up):
    with pytest.raises(SetUpFailed):
        run(runner, "def f(): return 1", set_up=[set_up])


def test_forged_messages_win_nothing(runner):
    """Another case's value after its own, an index that is none, and junk."""
    body = (
        "line(case=2, kind='value', value='9'); line(case=-1, kind='value', value='9'); line(case=99, value=[])\n"
        "line(ready=True); line(cell='x', defined=False); line(set_up_error='x'); line(case=True)\n"
    )
    came = run(runner, FORGED + body + "def f(x): return x", cases=ROUND)
    assert [said.value for said in came.messages.values()] == ["1", "2"]


def test_nothing_that_a_process_says_or_prints_is_kept_where_its_cases_are_secret(runner):
    """An answer that remembers what it was given, and says it over each way there is."""
    code = FORGED + (
        "def f(x):\n    print('LEAK', x)\n    os.write(1, f'LEAK {x}'.encode())\n"
        "    line(case=1, kind='error', message=f'LEAK {x}', printed=f'LEAK {x}')\n"
        "    line(cell=f'LEAK {x}', defined=True)\n    raise ValueError(f'LEAK {x}')\n"
        "def earlier(): pass\nfor n in range(3, 300):\n    try:\n        if stat.S_ISSOCK(os.fstat(n).st_mode):\n"
        "            os.set_blocking(n, False); told = os.read(n, 10**6).decode(); print('LEAK', told)\n"
        "    except OSError: pass\nraise ValueError(f'LEAK {n}')"
    )
    for secret in (False, True):
        came = run(runner, code, cases=ROUND, secret=secret)
        kept = [came.output, came.cell_error, came.reason]
        kept += [one.message + one.printed for one in came.messages.values()]
        assert len(came.messages) == 2 and ("LEAK" in "".join(kept)) is not secret


def test_a_check_in_the_answers_own_cell_says_nothing(runner):
    set_up = ["# set-up\nfrom utils.exercises import check, show"]
    came = run(runner, "def f(): return 1\ncheck('01.1', f)\nshow('01.1', f)", set_up=set_up)
    assert (came.output, came.cell_error, json.loads(came.messages[0].value)) == ("", "", 1)


# --- without a sandbox: what even that keeps --------------------------------------------------------------


def test_without_a_sandbox_the_environment_is_clean_and_there_are_limits(monkeypatch):
    monkeypatch.setenv("A_SECRET_OF_THE_GRADER", "hush")
    code = (
        "import os, resource\ndef f():\n    memory = resource.getrlimit(resource.RLIMIT_AS)[0]\n"
        "    return dict(os.environ), os.getcwd(), os.listdir(), memory, sorted(globals())"
    )
    environment, home, files, memory, names = value(SubprocessRunner(ROOT), code)
    assert "hush" not in str(environment) and environment["HOME"] == home and not os.path.exists(home)
    assert environment["MPLBACKEND"] == "Agg" and environment["OMP_NUM_THREADS"] == "1"
    assert all(name.startswith("fontlist") for name in files) and memory == 4 * 2**30
    assert not {"job", "cases", "expected", "hidden", "seed"} & set(names)


def test_without_a_sandbox_what_a_student_started_is_dead():
    code = (
        "import subprocess, threading, time\nSTARTED = subprocess.Popen(['sleep', '300'])\n"
        "threading.Thread(target=time.sleep, args=(300,)).start()\ndef f(): return STARTED.pid"
    )
    process = value(SubprocessRunner(ROOT), code)
    wait_for(lambda: not alive(process))


@pytest.mark.parametrize("place", ["usual", "MPLCONFIGDIR", "XDG_CACHE_HOME"])
def test_the_list_of_fonts_is_the_one_that_matplotlib_takes(place, tmp_path):
    """Found without loading it, once it is there; where it is not, matplotlib makes it."""
    code = """
import sys
from grading.runner import font_caches
found = [font_caches()]
loaded = ["matplotlib" in sys.modules]
import matplotlib.font_manager
font_caches.cache_clear()
found.append(font_caches())
name = f"fontlist-v{matplotlib.font_manager.FontManager.__version__}.json"
print(found[0] == found[1] == [__import__("pathlib").Path(matplotlib.get_cachedir(), name)], *loaded)"""
    environment = {**os.environ, **({} if place == "usual" else {place: str(tmp_path)})}
    said = [
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
        for _ in range(2)
    ]
    assert said[1].stdout == "True False\n", said[1].stderr
    assert place == "usual" or said[0].stdout == "True True\n", said[0].stderr
