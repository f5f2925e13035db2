"""Writing where marks, courses and other people's work lie."""

from tests.grading.hostile import ONLY_NAMESPACES, SANDBOXES, World, in_cell, kind


@kind("The gradebook is not in sight: nobody's marks can be rewritten.", holds=SANDBOXES)
def writes_the_gradebook(world: World) -> bytes:
    return in_cell(f"""
        import glob, sqlite3
        for path in glob.glob({str(world.out / "*")!r}):
            try:
                with sqlite3.connect(path, timeout=0.2) as database:
                    database.execute("UPDATE results SET status = 'graded', score = 198")
                with open(path, "r+b") as file:
                    file.write(b"hostile")
            except (OSError, sqlite3.Error):
                pass
    """)


@kind("Neither the grades nor anybody's page can be written beforehand.", holds=SANDBOXES)
def writes_the_grades(world: World) -> bytes:
    return in_cell(f"""
        import os
        for name in ("grades.csv", ".grades.csv.new", "feedback/solved.html", "feedback/.solved.html.new", "hostile"):
            try:
                with open(os.path.join({str(world.out)!r}, name), "w") as file:
                    file.write("student,lesson,status,score,max_score\\nsolved,01,graded,198,15\\n")
            except OSError:
                pass
    """)


@kind("The course is read-only for a student's process, compiled files and stored cases included.", holds=SANDBOXES)
def rewrites_the_course(world: World) -> bytes:
    return in_cell(f"""
        import glob, os, utils
        found = {{os.path.dirname(os.path.dirname(utils.__file__)), {str(world.course)!r}}}
        for root in found:
            for path in glob.glob(os.path.join(root, "utils", "exercises", "**", "*"), recursive=True):
                try:
                    os.chmod(path, 0o777)
                    with open(path, "ab") as file:
                        file.write(b"hostile")
                except OSError:
                    pass
            try:
                open(os.path.join(root, "sitecustomize.py"), "w").write("raise SystemExit")
            except OSError:
                pass
    """)


@kind("What others handed in stays as it is.", holds=SANDBOXES)
def rewrites_its_neighbours(world: World) -> bytes:
    return in_cell(f"""
        import glob, os
        for path in glob.glob({str(world.submissions / "*")!r}):
            try:
                os.chmod(path, 0o666)
                open(path, "w").write("{{}}")
                os.remove(path)
            except OSError:
                pass
        try:
            open({str(world.submissions / "hostile.ipynb")!r}, "w").write("{{}}")
        except OSError:
            pass
    """)


@kind("Nothing stays of what is written outside of the private folder.", holds=ONLY_NAMESPACES, quick=True)
def writes_everywhere(world: World) -> bytes:
    return in_cell(f"""
        import os, tempfile
        places = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/etc", "/root", "/home", "/usr/lib", "/",
                  os.getcwd() + "/..", tempfile.gettempdir(), os.path.expanduser("~"), {str(world.outside)!r}]
        for place in places:
            try:
                with open(os.path.join(place, "hostile-was-here"), "w") as file:
                    file.write("x")
            except OSError:
                pass
    """)


@kind("No mount, no other root, no device, no other user: the way out is shut.", holds=ONLY_NAMESPACES)
def leaves_its_cage(world: World) -> bytes:
    return in_cell(f"""
        import ctypes, os
        libc = ctypes.CDLL(None)
        for flags in (0x10000000, 0x00020000, 0x20000000):  # CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID
            libc.unshare(flags)
        for kind in (b"proc", b"tmpfs", b"overlay"):
            libc.mount(kind, b"/tmp", kind, 0, None)
        for change in (os.setuid, os.setgid):
            try:
                change(0)
            except OSError:
                pass
        try:
            os.mknod("disk", 0o60666, os.makedev(254, 0))
            print("LOOT", open("disk", "rb").read(100))
        except OSError:
            pass
        for depth in range(30):
            try:
                os.chdir("..")
                os.chroot(".")
            except OSError:
                pass
        try:
            print("LOOT", open({str(world.outside / "secret.txt")!r}).read())
            open({str(world.outside / "hostile-was-here")!r}, "w").close()
        except OSError:
            pass
    """)
