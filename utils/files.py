"""Files that are replaced whole: whoever reads one finds all of the old content or all of the new."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def replace_file(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Write the file, whole or not at all, text as UTF-8; ``private``: for its owner only."""
    replace_files({path: content}, private=private)


def replace_files(contents: Mapping[Path, str | bytes], *, private: bool = False) -> None:
    """Write the files, each whole or not at all, and none before all are on the disk, beside their places."""
    mode = 0o600 if private else 0o666
    drafts = {path: path.with_name(f".{path.name}.{os.getpid()}.new") for path in contents}
    try:
        for path, draft in drafts.items():
            content = contents[path]
            draft.unlink(missing_ok=True)
            with open(draft, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
                file.write(content.encode() if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())
        for path, draft in drafts.items():
            os.replace(draft, path)
    finally:
        for draft in drafts.values():
            draft.unlink(missing_ok=True)
