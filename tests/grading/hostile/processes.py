"""Ending, signalling, multiplying and outliving."""

from tests.grading.hostile import ONLY_NAMESPACES, SANDBOXES, World, in_call, in_cell, kind

# What is started in the background would end by itself after this many seconds.
SECONDS = 300


@kind("A cell that ends its process ends its exercise.", quick=True)
def ends_its_process(world: World) -> bytes:
    return in_cell("import os\nos._exit(0)")


@kind("So does a function; the exercises beside it are marked.")
def ends_its_process_when_called(world: World) -> bytes:
    return in_call("import os\nos._exit(3)")


@kind("Nothing else was answered: there is no mark to be shown as a zero.", status="crashed")
def only_ends_its_process(world: World) -> bytes:
    from tests.grading.hostile import ATTACKED, SIGNATURE, notebook, saved

    return saved(notebook({ATTACKED: f"# exercise {ATTACKED}\n{SIGNATURE}\n    import os; os._exit(0)"}))


@kind("sys.exit is an exception like others.")
def calls_sys_exit(world: World) -> bytes:
    return in_call("import sys\nsys.exit(0)")


@kind("In a cell, too.")
def calls_sys_exit_in_the_cell(world: World) -> bytes:
    return in_cell("import sys\nprint('bye')", "return 0").replace(b"print('bye')", b"sys.exit(0)")


@kind("KeyboardInterrupt is nobody's but the one who sits at the keyboard.")
def raises_keyboard_interrupt(world: World) -> bytes:
    return in_call("raise KeyboardInterrupt")


@kind("A process that kills itself ends its exercise.")
def kills_itself(world: World) -> bytes:
    return in_call("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")


@kind("A crash of the interpreter is a crash of one exercise.")
def crashes_the_interpreter(world: World) -> bytes:
    return in_call("import ctypes\nctypes.string_at(0)")


@kind("The parent cannot be signalled.", holds=SANDBOXES)
def signals_its_parents(world: World) -> bytes:
    return in_cell("""
        import os, signal
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGSTOP, signal.SIGKILL):
            for process in {os.getppid(), 1}:
                try:
                    if process > 0:
                        os.kill(process, number)
                except OSError:
                    pass
    """)


@kind("Nor can its group, the session, or everybody.", holds=SANDBOXES)
def signals_everybody(world: World) -> bytes:
    """As root and outside of a process namespace this would end the machine's own processes: it holds back there."""
    import os

    return in_cell(f"""
        import os, signal
        caged = os.readlink("/proc/self/ns/pid") != {os.readlink("/proc/self/ns/pid")!r}
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        for number in (signal.SIGTERM, signal.SIGKILL):
            for process in (0, -1) if caged else (0,):
                try:
                    os.kill(process, number)
                except OSError:
                    pass
            if caged or os.getuid() != {os.getuid()}:
                for process in range(1, 100_000):
                    try:
                        if process != os.getpid():
                            os.kill(process, number)
                    except OSError:
                        pass
    """)


@kind("A process that stops itself is stopped for good at its limit.", hangs=1)
def stops_itself(world: World) -> bytes:
    return in_cell("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)")


@kind("What is registered for the end has no turn after the last value.")
def registers_for_the_end(world: World) -> bytes:
    return in_cell(f"""
        import atexit, os, threading, weakref
        def last():
            open({str(world.outside / "atexit")!r}, "w").close()
            os.write(1, b"LOOT of the end")
        atexit.register(last)
        threading._register_atexit(last)
        class Kept: pass
        KEPT = Kept()
        weakref.finalize(KEPT, last)
    """)


@kind("A thread that outlives the cell ends with the process.")
def leaves_threads_behind(world: World) -> bytes:
    return in_cell("""
        import threading, time
        def run():
            while True:
                time.sleep(0.01)
        for _ in range(8):
            threading.Thread(target=run).start()
    """)


@kind("A thread that keeps forging messages forges nothing but data.")
def forges_from_a_thread(world: World) -> bytes:
    return in_cell("""
        import os, threading, time
        def run():
            while True:
                for number in range(3, 64):
                    try:
                        os.write(number, b'{"case": 3, "kind": "value", "value": "true", "fraction": 1.0}\\n')
                    except OSError:
                        pass
                time.sleep(0.001)
        threading.Thread(target=run, daemon=True).start()
    """)


@kind("A program in the background is dead when its student's turn ends.", quick=True)
def leaves_a_program_behind(world: World) -> bytes:
    return in_cell(f"""
        import subprocess
        for _ in range(3):
            try:
                subprocess.Popen(["sleep", "{SECONDS}"])
            except OSError:
                pass
    """)


@kind("So is a daemon with a session of its own, whose parents are gone.", holds=SANDBOXES, quick=True)
def leaves_a_daemon_behind(world: World) -> bytes:
    return in_cell(f"""
        import contextlib, ctypes, os, time
        if os.fork() == 0:
            with contextlib.suppress(PermissionError):
                os.setsid()
            if os.fork() == 0:
                ctypes.CDLL(None).prctl(1, 0)  # PR_SET_PDEATHSIG: nobody's death matters
                os.closerange(0, 256)
                time.sleep({SECONDS})
            os._exit(0)
    """)


@kind("Daemons that each start the next before they end are dead, too.", holds=ONLY_NAMESPACES)
def runs_a_relay_of_daemons(world: World) -> bytes:
    return in_cell(f"""
        import contextlib, os, signal, time
        if os.fork() == 0:
            end = time.monotonic() + {SECONDS}
            for number in range(1, 65):
                try:
                    signal.signal(number, signal.SIG_IGN)
                except (OSError, ValueError):
                    pass
            while time.monotonic() < end:
                with contextlib.suppress(PermissionError):
                    os.setsid()
                time.sleep(0.02)
                if os.fork():
                    os._exit(0)
            os._exit(0)
    """)


@kind("Sixty processes that compute have one student's share, and one student's time.", holds=SANDBOXES, hangs=1)
def takes_every_processor(world: World) -> bytes:
    return in_cell("""
        import contextlib, os
        for _ in range(60):
            if os.fork() == 0:
                with contextlib.suppress(OSError):
                    os.setsid()
                break
        while True:
            pass
    """)


@kind("Two processes that both answer are two voices on one channel; the values are wrong in both.")
def answers_twice(world: World) -> bytes:
    return in_call("import os\nos.fork()")


@kind("Another program in the place of the process is stopped at the limit.", hangs=1)
def becomes_another_program(world: World) -> bytes:
    sleep = ["python", "-I", "-S", "-c", f"import time; time.sleep({SECONDS})"]
    return in_call(f"import os, sys\nos.execv(sys.executable, {sleep!r})")


@kind("A process that ignores every signal is stopped by the one that cannot be ignored.", hangs=1)
def ignores_signals(world: World) -> bytes:
    return in_cell("""
        import resource, signal
        for number in range(1, 65):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        while True:
            pass
    """)


@kind("A limit that is lifted from within was not a limit.", holds=SANDBOXES)
def lifts_its_limits(world: World) -> bytes:
    return in_cell("""
        import resource
        for name in dir(resource):
            if name.startswith("RLIMIT_"):
                for wanted in ((-1, -1), (2**40, 2**40)):
                    try:
                        resource.setrlimit(getattr(resource, name), wanted)
                    except (OSError, ValueError):
                        pass
        kept = []
        for _ in range(24):  # six gigabytes at most
            kept.append(bytearray(2**28))
    """)
