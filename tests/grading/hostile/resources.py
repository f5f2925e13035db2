"""Using up memory, processes, time, disk and patience. Each bomb has an end of its own."""

from tests.grading.hostile import ONLY_NAMESPACES, SANDBOXES, World, in_call, in_cell, kind

FOREVER = """
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
"""


@kind("Too much memory is a MemoryError of the student's own, or the end of the exercise.", quick=True)
def memory_bomb(world: World) -> bytes:
    return in_call("""
        kept = []
        for _ in range(24):  # six gigabytes at most
            kept.append(bytearray(2**28))
    """)


@kind("Memory shared out among children is limited all the same.", holds=SANDBOXES)
def memory_bomb_of_many(world: World) -> bytes:
    return in_call("""
        import os, time
        for _ in range(6):
            if os.fork() == 0:
                try:
                    kept = [bytearray(2**27) for _ in range(8)]
                    time.sleep(300)
                finally:
                    os._exit(0)
        time.sleep(1)
    """)


@kind("Processes are limited in number, and dead when the turn ends.", holds=SANDBOXES, quick=True)
def fork_bomb(world: World) -> bytes:
    return in_cell("""
        import os, time
        def bomb(depth):
            for _ in range(4):
                try:
                    child = os.fork()
                except OSError:
                    return
                if child == 0:
                    if depth:
                        bomb(depth - 1)
                    time.sleep(60)
                    os._exit(0)
        bomb(3)  # 340 at most
    """)


@kind("Threads are limited, or end with their process.", holds=SANDBOXES)
def thread_bomb(world: World) -> bytes:
    return in_cell("""
        import threading, time
        try:
            for _ in range(2_000):
                threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        except RuntimeError:
            pass
    """)


@kind("The private folder is limited in size, and gone afterwards.", holds=SANDBOXES)
def fills_the_disk(world: World) -> bytes:
    return in_cell("""
        import os, tempfile
        for folder in {os.getcwd(), tempfile.gettempdir(), os.path.expanduser("~"), "/tmp", "/dev/shm", "/var/tmp"}:
            try:
                for number in range(48):  # 1.5 gigabytes at most
                    with open(os.path.join(folder, f"hostile-{number}"), "wb") as file:
                        file.write(bytes(2**25))
            except OSError:
                pass
    """)


@kind("A file of any length, even one that takes no room, ends at the limit.")
def writes_a_long_file(world: World) -> bytes:
    return in_cell("""
        with open("long", "wb") as file:
            file.truncate(2**40)
            file.seek(2**40)
            file.write(b"x")
    """)


@kind("A hundred thousand files are a hundred thousand files less afterwards.", holds=SANDBOXES)
def makes_many_files(world: World) -> bytes:
    return in_cell("""
        import os
        try:
            for number in range(30_000):
                os.close(os.open(f"file-{number}", os.O_CREAT | os.O_WRONLY))
        except OSError:
            pass
    """)


@kind("Folders nested deeper than paths can say are removed, too.")
def nests_folders(world: World) -> bytes:
    return in_cell("""
        import os
        try:
            for _ in range(3_000):
                os.mkdir("deeper")
                os.chdir("deeper")
        except OSError:
            pass
        os.chmod(".", 0)
    """)


@kind("Open files are limited; running out of them is the student's own error.", points={"01.3": 2})
def open_file_bomb(world: World) -> bytes:
    return in_call("""
        kept = []
        try:
            while len(kept) < 100_000:
                kept.append(open("/dev/null"))
        except OSError:
            pass
        global KEPT
        KEPT = kept
    """)


@kind("An infinite loop is stopped, and the exercise beside it is marked.", hangs=1, quick=True)
def infinite_loop(world: World) -> bytes:
    return in_call("while True:\n    pass")


@kind("So is one that catches everything that can be caught.", hangs=1)
def swallows_every_exception(world: World) -> bytes:
    return in_call(FOREVER)


@kind("Nothing but a loop: it ran for too long, and that is no zero.", status="timeout", hangs=1)
def only_loops(world: World) -> bytes:
    from tests.grading.hostile import ATTACKED, notebook, saved

    return saved(notebook({ATTACKED: f"# exercise {ATTACKED}\ndef left_weights(knots, values):\n    while True: pass"}))


@kind("Even one that catches what memory's end throws, again and again.", hangs=1)
def swallows_memory_errors(world: World) -> bytes:
    return in_call("""
        while True:
            try:
                kept = [bytearray(2**30)]
                while len(kept) < 8:
                    kept.append(bytearray(2**30))
            except BaseException:
                pass
    """)


@kind("Waiting is as long as working.", hangs=1)
def sleeps(world: World) -> bytes:
    return in_call("import time\nwhile True:\n    time.sleep(1_000)")


@kind("Nobody answers a question on standard input.")
def asks_a_question(world: World) -> bytes:
    return in_call("input('full marks? ')")


@kind("A loop in C, in which Python never looks up, is stopped from outside.", hangs=1)
def loops_in_c(world: World) -> bytes:
    return in_call("sum(iter(int, 1))")


@kind("So is a search that takes more steps than there are atoms.", hangs=1)
def matches_forever(world: World) -> bytes:
    return in_call("import re\nre.match(r'(a|aa)+$', 'a' * 90 + 'b')")


@kind("Printing without end is cut off: the first lines are kept, the time limit ends the rest.", hangs=1)
def infinite_print(world: World) -> bytes:
    return in_call("while True:\n    print('x' * 1_000)")


@kind("In a cell, too, where it is not collected but sent.", hangs=1)
def infinite_print_in_the_cell(world: World) -> bytes:
    return in_cell("while True:\n    print('x' * 1_000)")


@kind("On the descriptor itself, from below Python.", hangs=1)
def infinite_write(world: World) -> bytes:
    return in_call("import os\nwhile True:\n    os.write(1, b'x' * 4_096)\n    os.write(2, b'x' * 4_096)")


@kind("Infinite recursion is an error of the function's.")
def infinite_recursion(world: World) -> bytes:
    return in_call("return left_weights(knots, values)")


@kind("With the limit lifted it ends the process, or the time does.", hangs=1)
def infinite_recursion_unlimited(world: World) -> bytes:
    return in_call("""
        import sys
        sys.setrecursionlimit(2**31 - 1)
        class Deep:
            def __repr__(self): return repr([self])
            def __getattr__(self, name): return getattr(self, name + "x")
        try:
            repr(Deep())
        except BaseException:
            pass
        return left_weights(knots, values)
    """)


@kind("Source that takes a compiler's memory or stack is an error of one cell.", hangs=1)
def source_that_breaks_compilers(world: World) -> bytes:
    from tests.grading.hostile import ATTACKED, SIGNATURE, WRONG, with_answer

    nested = "(" * 90 + "0" + ")" * 90
    added = "+".join(["1"] * 40_000)
    heavy = f"x = {nested}\ny = {'-' * 30_000}1\nz = {added}"
    return with_answer(f"# exercise {ATTACKED}\n{heavy}\n{SIGNATURE}\n    {WRONG}")


@kind("What a definition computes when it is compiled costs its exercise only.", hangs=1)
def definitions_that_compute(world: World) -> bytes:
    return in_cell("X = 2 ** (2 ** 40)")


@kind(
    "Neither a listener on the loopback address nor one with an abstract name hears of a student.",
    holds=ONLY_NAMESPACES,
    quick=True,
)
def calls_out(world: World) -> bytes:
    return in_cell(f"""
        import socket
        def call(family, kind, address):
            try:
                with socket.socket(family, kind) as caller:
                    caller.settimeout(0.5)
                    caller.connect(address)
                    caller.send(b"LOOT")
            except OSError:
                pass
        call(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", {world.port}))
        call(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", {world.port}))
        call(socket.AF_UNIX, socket.SOCK_STREAM, "\\0{world.socket}")
        call(socket.AF_UNIX, socket.SOCK_STREAM, {str(world.outside / "socket")!r})
        try:
            socket.setdefaulttimeout(0.5)
            print("LOOT", socket.gethostbyname("localhost.localdomain") and "a name was looked up")
        except OSError:
            pass
    """)


@kind("A student's own listener is heard by nobody else, and is gone afterwards.")
def listens(world: World) -> bytes:
    return in_cell("""
        import socket, threading
        LISTENER = socket.socket()
        LISTENER.bind(("127.0.0.1", 0))
        LISTENER.listen()
        threading.Thread(target=LISTENER.accept).start()
    """)
