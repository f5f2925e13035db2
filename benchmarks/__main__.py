"""python -m benchmarks NAME [--json] [--full]: measures both sides in one run and prints their ratio.

A benchmark is a module of this package with `measure(full) -> dict` and `show(figures) -> str`.
"""

import argparse
import importlib
import json
import pkgutil
import sys

import benchmarks


def names() -> list[str]:
    """Return all benchmarks there are."""
    return [module.name for module in pkgutil.iter_modules(benchmarks.__path__) if not module.name.startswith("_")]


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status: 0, or 2 for a name that there is not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("name", help=", ".join(names()))
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--full", action="store_true", help="measure more cases, and longer")
    chosen = parser.parse_args(arguments)
    if chosen.name not in names():
        print(f"There is no benchmark {chosen.name!r}; there are: {', '.join(names())}.", file=sys.stderr)
        return 2
    benchmark = importlib.import_module(f"benchmarks.{chosen.name}")
    figures = benchmark.measure(full=chosen.full)
    print(json.dumps(figures, indent=2) if chosen.json else benchmark.show(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
