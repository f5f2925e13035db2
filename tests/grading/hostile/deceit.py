"""Seeming to know the answer, and behaving otherwise while being marked."""

from tests.grading.hostile import World, in_call, in_cell, kind

RIGHT = "np.diff(np.diff(values) / np.diff(knots), append=0.0)"


@kind("Right on the example alone is right on one case.", quick=True)
def hard_codes_the_example(world: World) -> bytes:
    return in_cell(
        "pass",
        """
        if len(knots) == 4 and knots[-1] == 7:
            return [-3, 1.5, -0.5]
        return np.zeros(len(knots) - 1)
    """,
    )


@kind("Who counts calls and is right on the first few is wrong on the rest; the minimum counts.")
def counts_its_calls(world: World) -> bytes:
    return in_cell(
        "CALLS = []",
        f"""
        CALLS.append(1)
        return {RIGHT} if len(CALLS) <= 5 else np.zeros(len(knots) - 1)
    """,
    )


@kind("Who finds out by environment, path or arguments that this is marking gains nothing by it.")
def knows_that_it_is_marked(world: World) -> bytes:
    return in_cell(
        """
        import os, sys
        signs = [os.environ.get("MPLBACKEND") == "Agg", "ipykernel" not in sys.modules, "grading" in " ".join(sys.argv),
                 os.getcwd() != os.environ.get("PWD"), type(get_ipython()).__name__ == "SilentShell"]
        MARKED = any(signs)
    """,
        f"return np.zeros(len(knots) - 1) if MARKED else {RIGHT}",
    )


@kind("Nor does who looks at the clock: late is as wrong as early.")
def watches_the_clock(world: World) -> bytes:
    return in_cell(
        """
        import time
        BEGUN = time.monotonic()
    """,
        f"return {RIGHT} if time.monotonic() - BEGUN > 3_600 else np.zeros(len(knots) - 1)",
    )


@kind("The first case's place tells nothing: right on it alone is wrong.")
def watches_the_first_case(world: World) -> bytes:
    return in_cell(
        "FIRST = []",
        f"""
        FIRST.append(knots.tobytes())
        return {RIGHT} if knots.tobytes() == FIRST[0] else np.zeros(len(knots) - 1)
    """,
    )


@kind("Chance, drawn anew each time, is right on no run of cases.")
def guesses(world: World) -> bytes:
    return in_cell("import os", f"return {RIGHT} if os.urandom(1)[0] < 64 else np.zeros(len(knots) - 1)")


@kind("Changing the input in place changes a copy: nobody compares with it.")
def changes_its_input(world: World) -> bytes:
    return in_call("values *= 0\nknots[:] = np.arange(len(knots))")


@kind("A right answer that also spoils its input is right.", points={"01.2": 3, "01.3": 2})
def changes_its_input_and_is_right(world: World) -> bytes:
    return in_call(f"right = {RIGHT}\nvalues *= 0\nknots[:] = 0", "return right")


@kind("What an earlier call left behind is not the next call's value.")
def returns_a_buffer(world: World) -> bytes:
    return in_cell(
        "BUFFER = []",
        f"""
        BUFFER.append({RIGHT})
        return BUFFER[0]
    """,
    )


@kind("Saying that it was not begun is believed: nothing for the exercise, no crash.")
def pretends_not_to_have_begun(world: World) -> bytes:
    return in_call(
        "import random",
        """
        if random.random() < 0.5:
            raise NotImplementedError("exercise 01.2")
        return np.zeros(len(knots) - 1)
    """,
    )


@kind("A student's output, errors and values are text on the page, never markup or a formula.", quick=True)
def writes_html(world: World) -> bytes:
    markup = "</pre><script>alert(1)</script><img src=x onerror=alert(1)>{{ 7 * 7 }}\\x1b]8;;x\\x07`<b>`"
    return in_cell(
        f"""
        MARKUP = {markup!r}.encode().decode("unicode_escape")
        print(MARKUP)
        print("=cmd|' /C calc'!A0")
        class Markup(Exception): pass
        Markup.__name__ = Markup.__qualname__ = MARKUP
    """,
        "raise Markup(MARKUP)",
    )


@kind("The same in a value.")
def returns_html(world: World) -> bytes:
    markup = "{'<script>alert(1)</script>': '<img src=x onerror=alert(1)>', '=1+1': '{{ 7 * 7 }}'}"
    return in_cell("pass", f"return {markup}")
