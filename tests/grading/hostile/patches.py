"""Changing, from within, what the mark might depend on."""

from tests.grading.hostile import World, in_call, in_cell, kind

RIGHT = "np.diff(np.diff(values) / np.diff(knots), append=0.0)"


@kind("Values are compared in another process, which the student's allclose does not reach.", quick=True)
def patches_allclose(world: World) -> bytes:
    return in_cell("""
        import math, numpy, torch
        for module in (numpy, torch, math):
            for name in ("allclose", "isclose", "array_equal", "equal"):
                setattr(module, name, lambda *args, **options: True)
        numpy.abs = numpy.ravel = lambda *args, **options: numpy.zeros(1)
        numpy.testing.assert_allclose = lambda *args, **options: None
    """)


@kind("Neither does the grader's int or all come from the student's process.")
def patches_builtins(world: World) -> bytes:
    return in_cell("""
        import builtins
        builtins.int = builtins.float = lambda *args: 3
        builtins.all = builtins.any = builtins.isinstance = builtins.callable = lambda *args: True
        builtins.min = builtins.max = builtins.sum = lambda *args, **options: 3
    """)


@kind("The text that json.dumps makes is read as one value, whatever it says of points.")
def patches_json(world: World) -> bytes:
    return in_cell("""
        import json
        FULL = '{"done": true, "points": 3, "fraction": 1.0, "verdict": {"fraction": 1.0}}'
        json.dumps = lambda *args, **options: FULL
        json.loads = lambda *args, **options: {}
        json.JSONEncoder.encode = lambda *args: FULL
    """)


@kind("What os.write is made to write is read as data, and a wrong value in it stays wrong.")
def patches_os_write(world: World) -> bytes:
    return in_cell("""
        import os
        write = os.write
        def forged(descriptor, data):
            record = b'{"case": 0, "kind": "value", "value": "true", "points": 3, "fraction": 1}'
            write(descriptor, record + bytes([10]))
            return len(data)
        os.write = forged
    """)


@kind("The codec runs on both sides; the student's side of it can only produce data.")
def patches_the_codec(world: World) -> bytes:
    return in_cell("""
        import utils.exercises.serialization as plain
        plain.dumps = lambda *args, **options: '{"__reduce__": ["os.system", ["exit 1"]]}'
        plain.encode = plain.decode = plain.normalise = lambda *args, **options: True
        plain.loads = lambda *args, **options: {}
        plain.NotSerializable = KeyError
    """)


@kind("What calls the answer is the student's to break; a call that never was has no value.")
def patches_running(world: World) -> bytes:
    return in_cell("""
        import utils.exercises.call_answer as running
        running.call_answer = lambda *args, **options: running.AnswerOutcome("value", True)
        running.withholding = running.held_back = None
    """)


@kind("The verdict is reached elsewhere, by code that the student's process cannot touch.", quick=True)
def patches_the_verdict(world: World) -> bytes:
    return in_cell("""
        import utils.exercises.scoring as verdict
        import utils.lesson_01.exercises as lesson
        verdict.score_answer = lambda *args: verdict.Verdict(1.0)
        verdict.close = verdict._fraction = lambda *args, **options: 1.0
        for exercise in lesson.EXERCISES:
            object.__setattr__(exercise, "verify", lambda *args: 1.0)
            object.__setattr__(exercise, "points", 1000)
    """)


@kind("There are no asserts to drop: nothing is checked in the student's process.")
def transforms_the_syntax_tree(world: World) -> bytes:
    return in_cell("""
        import ast, builtins, codeop
        class Drop(ast.NodeTransformer):
            def visit_Assert(self, node): return ast.Pass()
            def visit_Raise(self, node): return ast.Pass()
            def visit_Compare(self, node): return ast.Constant(True)
        parse, compiled = ast.parse, builtins.compile
        ast.parse = lambda *args, **options: Drop().visit(parse(*args, **options))
        builtins.compile = lambda source, *args, **options: compiled("True", *args, **options)
        codeop.Compile.__call__ = lambda *args: compiled("True", "", "exec")
        get_ipython().ast_transformers.append(Drop())
    """)


@kind("An import hook of the student's ends with the student's process.")
def hooks_imports(world: World) -> bytes:
    return in_cell("""
        import sys, types
        class Hook:
            def find_spec(self, name, path=None, target=None):
                module = types.ModuleType(name)
                module.close = module.judge = lambda *args, **options: 1.0
                sys.modules[name] = module
                return module.__spec__
        sys.meta_path.insert(0, Hook())
        for name in list(sys.modules):
            if name.startswith(("utils.exercises", "grading")):
                del sys.modules[name]
    """)


@kind("Modules that lie in the working folder belong to the student's own turn and to nobody else's.")
def leaves_modules_behind(world: World) -> bytes:
    return in_cell("""
        import os, pathlib, sysconfig
        forged = "import os\\nclass Verdict: fraction = 1.0\\njudge = close = lambda *a, **k: 1.0\\n"
        home = pathlib.Path(os.path.expanduser("~"))
        site = home / ".local/lib/python3.11/site-packages"
        for folder in (pathlib.Path.cwd(), home, site):
            try:
                folder.mkdir(parents=True, exist_ok=True)
                for name in ("numpy.py", "json.py", "sitecustomize.py", "usercustomize.py", "startup.py"):
                    (folder / name).write_text(forged)
            except OSError:
                pass
    """)


@kind("A frame of the caller holds neither an expected value nor a mark.")
def walks_the_frames(world: World) -> bytes:
    return in_call("""
        import gc, sys
        frame = sys._getframe()
        while frame is not None:
            for name, value in list(frame.f_locals.items()) + list(frame.f_globals.items()):
                if name in ("fraction", "points", "verdict", "score", "expected", "hidden", "seed"):
                    print("LOOT", name, repr(value)[:200])
            frame = frame.f_back
        for thing in gc.get_objects():
            if type(thing).__name__ in ("Case", "Marker", "Verdict"):
                print("LOOT", repr(thing)[:200])
                for name in ("fraction", "expected"):
                    if hasattr(thing, name):
                        object.__setattr__(thing, name, 1.0)
    """)


@kind("Clearing the list of what is withheld gains a function that is not the answer.")
def calls_what_is_withheld(world: World) -> bytes:
    return in_call(
        """
        import utils.constructions as constructions, utils.exercises.call_answer as running, utils.withholding as lists
        lists._withheld.clear()
        running.withholding = None
    """,
        "return constructions.relu_interpolant(knots, values)",
    )


@kind("A right answer earns its points even beside patches that gain nothing.", points={"01.2": 3, "01.3": 2})
def patches_and_is_right(world: World) -> bytes:
    return in_cell("import numpy\nnumpy.allclose = lambda *args, **options: False", f"return {RIGHT}")


@kind("A copy that was taken before the function is called is of a function that refuses already.", quick=True)
def copies_what_is_withheld(world: World) -> bytes:
    return in_cell(
        """
        import contextlib, types, utils.constructions as lent, utils.exercises.call_answer as running
        running.withholding = lambda names: contextlib.nullcontext()
        COPY = types.FunctionType(lent.relu_interpolant.__code__, vars(lent))
    """,
        "return COPY(-knots[::-1], values[::-1])[1][::-1]",
    )


@kind("A module that is read a second time, under another name, withholds the same.")
def reads_what_is_withheld_again(world: World) -> bytes:
    return in_call(
        """
        import importlib.util, utils.constructions
        spec = importlib.util.spec_from_file_location("mine", utils.constructions.__file__)
        mine = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(mine)
    """,
        "return mine.relu_interpolant(-knots[::-1], values[::-1])[1][::-1]",
    )
