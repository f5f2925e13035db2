"""Looking for what a student should not see. What is found is printed: on the student's page it would come out."""

from tests.grading.hostile import ONLY_NAMESPACES, SANDBOXES, World, in_call, in_cell, kind

SHOW = """
def show(path, size=3_000):
    try:
        with open(path, "rb") as file:
            print("LOOT", path, file.read(size))
            return True
    except OSError:
        return False
"""


@kind("The solutions are not in sight of what runs for a student.", holds=SANDBOXES, quick=True)
def reads_the_solutions(world: World) -> bytes:
    return in_cell(
        f"""
        import glob, os, re, sys, types
        import utils
        roots = [{str(world.course)!r}, os.path.dirname(os.path.dirname(utils.__file__)), *sys.path]
        FOUND = None
        for root in roots:
            for path in glob.glob(os.path.join(root, "solutions", "01_*.py")):
                source = open(path).read()
                source = source[source.index("def left_weights"):source.index('check("01.2"')]
                names = {{"np": np}}
                exec(source[:source.index('show("01.2"')], names)
                FOUND = names["left_weights"]
    """,
        "return FOUND(knots, values) if FOUND else np.zeros(len(knots) - 1)",
    )


@kind("The stored cases are public, with the right values: who looks them up is right on those alone.", quick=True)
def reads_the_stored_cases(world: World) -> bytes:
    return in_cell(
        """
        from utils.exercises import find, stored_cases as stored
        KNOWN = {}
        for record in stored.load(find("01.2")):
            case = stored.case_of(record)
            KNOWN[case.given["knots"].tobytes(), case.given["values"].tobytes()] = case.expected
    """,
        "return KNOWN.get((knots.tobytes(), values.tobytes()), np.zeros(len(knots) - 1))",
    )


@kind("The seed and everybody's marks lie where no student's process can read.", holds=SANDBOXES)
def reads_the_gradebook(world: World) -> bytes:
    return in_cell(f"""{SHOW}
import glob, sqlite3
show({str(world.seed_file)!r})
for path in glob.glob({str(world.out / "*")!r}):
    show(path)
    try:
        for row in sqlite3.connect(f"file:{{path}}?immutable=1", uri=True).execute("SELECT * FROM facts"):
            print("LOOT", row)
    except sqlite3.Error:
        pass
""")


@kind("The grader's environment stays with the grader.", holds=SANDBOXES, quick=True)
def reads_the_environment(world: World) -> bytes:
    return in_cell(f"""{SHOW}
import glob, os
print("LOOT", dict(os.environ))
for path in ["/proc/self/environ", f"/proc/{{os.getppid()}}/environ", *glob.glob("/proc/[0-9]*/environ")]:
    show(path)
""")


@kind("Of other processes nothing can be seen that is theirs: no arguments, folders, files, memory.", holds=SANDBOXES)
def reads_proc(world: World) -> bytes:
    return in_cell(f"""{SHOW}
import glob, os
for process in glob.glob("/proc/[0-9]*"):
    if process != f"/proc/{{os.getpid()}}":
        for name in ("environ", "maps", "stack", "auxv"):
            show(f"{{process}}/{{name}}", 300)
        for link in ["cwd", "root", "exe", *glob.glob(f"{{process}}/fd/*")]:
            try:
                show(os.readlink(os.path.join(process, link)), 300)
                show(os.path.join(process, link, {str(world.outside / "secret.txt")!r}.lstrip("/")))
            except OSError:
                pass
""")


@kind("The grader's memory cannot be opened, nor its files taken over.", holds=SANDBOXES)
def reads_the_graders_memory(world: World) -> bytes:
    return in_cell("""
        import ctypes, os, re
        libc, parent = ctypes.CDLL(None, use_errno=True), os.getppid()
        libc.ptrace(16, parent, 0, 0)  # PTRACE_ATTACH
        libc.ptrace(17, parent, 0, 0)  # and let go
        handle = libc.syscall(434, parent, 0)  # pidfd_open
        for number in range(30):
            stolen = libc.syscall(438, handle, number, 0)  # pidfd_getfd
            if handle >= 0 and stolen >= 0:
                print("LOOT", number, os.readlink(f"/proc/self/fd/{stolen}"))
        try:
            with open(f"/proc/{parent}/maps") as maps, open(f"/proc/{parent}/mem", "rb") as memory:
                for line in maps:
                    start, end = (int(part, 16) for part in line.split()[0].split("-"))
                    if "heap" in line:
                        memory.seek(start)
                        found = re.findall(rb"GRADER_SECRET=[!-~]+", memory.read(min(end - start, 2**26)))
                        print("LOOT", found)
        except (OSError, ValueError):
            pass
    """)


@kind("Files at home, keys and notes, are not there.", holds=SANDBOXES)
def reads_home(world: World) -> bytes:
    return in_cell(f"""{SHOW}
import os, pwd
show({str(world.outside / "secret.txt")!r})
homes = {{entry.pw_dir for entry in pwd.getpwall()}} | {{os.path.expanduser("~"), "/root", "/home"}}
for home in homes:
    for folder, folders, files in os.walk(home):
        folders[:] = folders[:20]
        for file in files[:20]:
            show(os.path.join(folder, file), 200)
        if folder.count("/") > home.count("/") + 1:
            folders[:] = []
""")


@kind("Other students' work cannot be read, so nobody lives on their answers.", holds=SANDBOXES, quick=True)
def reads_its_neighbours(world: World) -> bytes:
    return in_cell(
        f"""
        import glob, json, os
        FOUND = None
        folders = [{str(world.submissions)!r}, os.getcwd(), os.path.dirname(os.getcwd()), "/tmp"]
        for path in [path for folder in folders for path in glob.glob(os.path.join(folder, "*.ipynb"))]:
            try:
                cells = json.load(open(path))["cells"]
            except Exception:
                continue
            for cell in cells:
                source = "".join(cell.get("source", ""))
                if source.startswith("# exercise 01.2") and "np.diff" in source:
                    names = {{"np": np}}
                    exec(source, names)
                    FOUND = names["left_weights"]
    """,
        "return FOUND(knots, values) if FOUND else np.zeros(len(knots) - 1)",
    )


@kind("Whatever lies about in shared folders is nobody's business.", holds=ONLY_NAMESPACES)
def reads_shared_folders(world: World) -> bytes:
    return in_cell(f"""{SHOW}
import os
for top in ("/tmp", "/var/tmp", "/dev/shm", "/run", "/mnt", "/srv", {str(world.outside.parent)!r}):
    for folder, folders, files in os.walk(top):
        for file in files[:20]:
            show(os.path.join(folder, file), 200)
""")


@kind("Descriptors that were left open lead nowhere.", holds=SANDBOXES)
def reads_descriptors(world: World) -> bytes:
    return in_cell("""
        import os, stat
        for number in range(256):
            try:
                found = os.fstat(number)
                if stat.S_ISREG(found.st_mode):
                    print("LOOT", number, os.pread(number, 2_000, 0))
                elif stat.S_ISDIR(found.st_mode):
                    print("LOOT", number, os.listdir(number))
            except OSError:
                pass
    """)


@kind("Secret inputs, remembered and told at a later case, must not come out on a page.")
def remembers_inputs_and_prints_them(world: World) -> bytes:
    return in_cell(
        "SEEN = []",
        """
        SEEN.append([knots.tolist(), values.tolist()])
        print("SEEN", SEEN)
        return np.zeros(len(knots) - 1)
    """,
    )


@kind("Nor in an error's text.")
def remembers_inputs_and_raises_them(world: World) -> bytes:
    return in_cell(
        "SEEN = []",
        """
        SEEN.insert(0, knots.tolist())
        raise ValueError(f"SEEN {SEEN}")
    """,
    )


@kind("Nor in a value that is shown as what came.")
def remembers_inputs_and_returns_them(world: World) -> bytes:
    return in_cell(
        "SEEN = []",
        """
        SEEN.insert(0, str(knots.tolist()))
        return "SEEN " + " ".join(SEEN)
    """,
    )


@kind("Inputs that lie ready in memory before the function is called must not be secret ones.", quick=True)
def takes_inputs_from_the_frames(world: World) -> bytes:
    return in_cell("""
        import gc, sys
        frame, found = sys._getframe(), []
        while frame is not None:
            found += [value for value in frame.f_locals.values() if isinstance(value, dict) and "cases" in value]
            frame = frame.f_back
        found += [thing for thing in gc.get_objects() if isinstance(thing, dict) and "cases" in thing]
        for thing in found:
            for case in list(thing["cases"]):
                print("SEEN", case)
    """)


@kind("Secret inputs must not be kept on disk for the next student.", holds=ONLY_NAMESPACES)
def keeps_inputs_on_disk(world: World) -> bytes:
    return in_call(f"""
        import os
        for folder in ("/dev/shm", "/tmp", "/var/tmp", {str(world.outside)!r}, {str(world.course)!r}):
            try:
                with open(os.path.join(folder, "hostile-inputs"), "a") as file:
                    file.write(repr(knots.tolist()))
            except OSError:
                pass
    """)
