"""The command line: ``python -m authoring build|check|new|restamp|handout``."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

from authoring.building import build
from authoring.checking import check
from authoring.diagnostics import AuthoringError
from authoring.handout import write_handout
from authoring.restamping import restamp
from authoring.skeleton import make_page

ROOT = Path(__file__).resolve().parents[1]
USAGE = (
    "Write `python -m authoring` and then one of `build`, `build NN`, `build --all`, `build NN --all`, `check`, "
    "`check NN`, `new NN slug`, `new NNa slug`, `handout`, `handout --out FILE` and `restamp "
    "https://github.com/OWNER/NAME TAG`. NN is a lesson's two digits, NNa its excursion. `restamp` alone stamps what "
    "pyproject.toml says."
)


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Return the exit status: 0 done, 1 something is wrong, 2 the command cannot be understood."""
    command, *rest = arguments or [""]
    if everything := command == "build" and "--all" in rest:
        rest.remove("--all")
    most = {"build": (0, 1), "check": (0, 1), "new": (2, 2), "restamp": (0, 2), "handout": (0, 2)}.get(command)
    known = most is not None and most[0] <= len(rest) <= most[1]
    if not known or (command == "handout" and rest and (len(rest), rest[0]) != (2, "--out")):
        print(USAGE, file=sys.stderr)
        return 2
    try:
        if command == "new":
            make_page(root, *rest)
            return 0
        if command == "build":
            build(root, *rest, everything=everything)
            return 0
        if command == "handout":
            write_handout(root, *map(Path, rest[1:]))
            return 0
        if command == "restamp":
            restamp(root, *rest)
            return 0
        return check(root, *rest)
    except AuthoringError as error:
        print(error, file=sys.stderr)
    except OSError as error:
        print(f"A file could not be read or written: {error}. Nothing was lost, so try again.", file=sys.stderr)
    except KeyboardInterrupt:
        print("Stopped. The page that was being worked on is as it was before.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    gc.set_threshold(100_000)  # a check makes so many objects that looking for cycles took a quarter of its time,
    status = main(sys.argv[1:])
    gc.freeze()  # the look at its end included
    sys.exit(status)
